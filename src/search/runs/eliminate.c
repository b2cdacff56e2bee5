/* Takes away states that no loop goes through because no step leads to them from
** a state that is left (Cerna and Pelanek, "Distributed explicit fair cycle
** detection", 2003).  For each state such steps are counted, by a sweep over all
** of them; who has none is taken away, and with it the steps from there. */

#include "search/runs/runs_internal.h"

/* ---- counting ------------------------------------------------------------ */

/* One more step to the state. */
static void count_step(runs *r, uint64_t slot)
{
  uint16_t *at = &r->steps[slot];
  uint16_t steps = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (steps < RUNS_STEPS_MOST &&
         !__atomic_compare_exchange_n(at, &steps, (uint16_t)(steps + 1), true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

/* One step less; whether it was the last. */
static bool uncount_step(runs *r, uint64_t slot)
{
  uint16_t *at = &r->steps[slot];
  uint16_t steps = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (steps < RUNS_STEPS_MOST &&
         !__atomic_compare_exchange_n(at, &steps, (uint16_t)(steps - 1), true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
  return steps == 1;
}

static bool count_steps(runs_walker *w, const runs_state *from,
                        const runs_target *t, size_t count)
{
  (void)from;
  for (size_t i = 0; i < count; i++)
    if (runs_bit(w->of->alive, t[i].slot))
      count_step(w->of, t[i].slot);
  return true;
}

/* First, all count that loops may go through, for the observer.  Other ranks look
** at their own: this one may have some of them, from before they had owners. */
static bool is_of_interest(runs_walker *w, const runs_state *s,
                           const uint8_t *state, uint32_t length)
{
  const desk *d = w->own->desk;
  if (d && !desk_owns(d, fleet_hash(state, length)))
    return false;
  w->owned++;
  if (!w->of->sccs.data[s->place].accepts)
    return false;
  runs_set_bit(w->of->alive, s->slot);
  w->states++;
  return true;
}

static bool count_first(runs_walker *w, const runs_state *from,
                        const runs_target *t, size_t count)
{
  (void)from;
  for (size_t i = 0; i < count; i++)
    count_step(w->of, t[i].slot);
  return true;
}

void runs_count_all(search *own)
{
  runs_sweep_parts(own, &(runs_pass){NULL, is_of_interest, count_first});
}

static bool is_counted(runs_walker *w, const runs_state *s,
                       const uint8_t *state, uint32_t length)
{
  (void)s, (void)state, (void)length;
  w->states++;
  return true;
}

void runs_count_left(search *own)
{
  runs_sweep_parts(own, &(runs_pass){runs_is_left, is_counted, count_steps});
}

/* ---- taking away --------------------------------------------------------- */

/* States to which no step leads are the first to go, when all were picked: one
** that loses its last step meanwhile would be picked once more. */
static bool pick(runs_walker *w, const runs_state *s)
{
  if (runs_is_left(w, s) &&
      !__atomic_load_n(&w->of->steps[s->slot], __ATOMIC_RELAXED))
    runs_add(w, s->handle);
  return false;
}

void runs_pick_all(search *own)
{
  runs_sweep_parts(own, &(runs_pass){pick, NULL, NULL});
}

/* Takes away the steps from a state; those that had no other go with it. */
static bool take_steps(runs_walker *w, const runs_state *from,
                       const runs_target *t, size_t count)
{
  (void)from;
  for (size_t i = 0; i < count; i++)
    if (runs_bit(w->of->alive, t[i].slot) && uncount_step(w->of, t[i].slot) &&
        !runs_add(w, t[i].handle))
      return false;
  return true;
}

static bool take_away(runs_walker *w, const runs_state *s, const uint8_t *state,
                      uint32_t length)
{
  (void)state, (void)length;
  runs_clear_bit(w->of->alive, s->slot);
  w->states++;
  return true;
}

bool runs_take_step(runs_walker *w, const runs_target *t)
{
  switch (w->of->stage) {
  case RUNS_COUNT_ALL:
    return count_first(w, NULL, t, 1);
  case RUNS_COUNT_LEFT:
    return count_steps(w, NULL, t, 1);
  case RUNS_TAKE:
    return take_steps(w, NULL, t, 1);
  case RUNS_PICK:
  case RUNS_PASS:
  case RUNS_PASS_MORE:
  case RUNS_JUDGE:
  case RUNS_OVER:
    break;
  }
  return false;
}

void runs_take_all(search *own)
{
  runs_follow_pieces(own, &(runs_pass){NULL, take_away, take_steps});
}
