/* Takes away states that cannot be reached, within what is left, from a step that
** gives something a loop needs: each mark of the observer, and with weak fairness
** a turn of each process.  With strong fairness a state in which a process can
** move must be reached from a step of it (Emerson and Lei, 1987, on the graph
** reversed, in which loops are the same).  What was given on the way to a state
** is a set of bits, and goes along with every step until nothing is added. */

#include "search/runs/runs_internal.h"

/* ---- sets of bits --------------------------------------------------------- */

uint64_t runs_mask_of(const runs *r, uint64_t slot)
{
  const uint8_t *at = r->masks + slot * r->mask_bytes;
  switch (r->mask_bytes) {
  case 1:
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);
  case 2:
    return __atomic_load_n((const uint16_t *)(const void *)at,
                           __ATOMIC_SEQ_CST);
  case 4:
    return __atomic_load_n((const uint32_t *)(const void *)at,
                           __ATOMIC_SEQ_CST);
  default:
    return __atomic_load_n((const uint64_t *)(const void *)at,
                           __ATOMIC_SEQ_CST);
  }
}

bool runs_add_to_mask(runs *r, uint64_t slot, uint64_t bits)
{
  uint8_t *at = r->masks + slot * r->mask_bytes;
  if (!(bits & ~runs_mask_of(r, slot)))
    return false;
  switch (r->mask_bytes) {
  case 1:
    return bits &
           ~(uint64_t)__atomic_fetch_or(at, (uint8_t)bits, __ATOMIC_SEQ_CST);
  case 2:
    return bits & ~(uint64_t)__atomic_fetch_or(
                      (uint16_t *)(void *)at, (uint16_t)bits, __ATOMIC_SEQ_CST);
  case 4:
    return bits & ~(uint64_t)__atomic_fetch_or(
                      (uint32_t *)(void *)at, (uint32_t)bits, __ATOMIC_SEQ_CST);
  default:
    return bits &
           ~__atomic_fetch_or((uint64_t *)(void *)at, bits, __ATOMIC_SEQ_CST);
  }
}

/* ---- what is needed ------------------------------------------------------- */

uint64_t runs_gains(const runs_walker *w, const product_edge *e)
{
  const runs *r = w->of;
  bool weak = r->live->fairness == NUT_FAIR_WEAK;
  uint64_t gains = e->marks & ((UINT64_C(1) << r->marks) - 1);
  process_set who = product_movers(&w->product, e->movers);
  for (uint32_t i = r->marks; i < r->needs; i++) {
    uint32_t process = r->processes[i];
    bool has_turn = process_set_has(&who, process) ||
                    (weak && !process_set_has(&w->product.enabled, process));
    gains |= (uint64_t)has_turn << i;
  }
  return gains;
}

/* What is needed in the state expanded last.  Where the observer accepts every
** loop, marks are not. */
uint64_t runs_needed(const runs_walker *w, uint32_t place)
{
  const runs *r = w->of;
  const live *l = r->live;
  bool all_loops = !l->by_scc && r->sccs.data[place].all_loops;
  uint64_t bits = all_loops ? 0 : (UINT64_C(1) << r->marks) - 1;
  for (uint32_t i = r->marks; i < r->needs; i++)
    if (l->fairness == NUT_FAIR_WEAK ||
        process_set_has(&w->product.enabled, r->processes[i]))
      bits |= UINT64_C(1) << i;
  return bits;
}

/* ---- passing it on --------------------------------------------------------- */

/* States that the sweep will come to need not wait. */
bool runs_take_gains(runs_walker *w, const runs_target *t)
{
  runs *r = w->of;
  uint64_t slot = t->slot;
  return !runs_bit(r->alive, slot) || !runs_add_to_mask(r, slot, t->gains) ||
         !(__atomic_load_n(&r->swept[slot / 64], __ATOMIC_SEQ_CST) >>
               slot % 64 &
           1) ||
         !runs_set_bit(r->waiting, slot) || runs_add(w, t->handle);
}

/* Passes on what was given on the way to a state, and by its steps. */
static bool pass_on(runs_walker *w, const runs_state *from,
                    const runs_target *t, size_t count)
{
  uint64_t had = runs_mask_of(w->of, from->slot);
  for (size_t i = 0; i < count; i++) {
    runs_target passed = t[i];
    passed.gains |= had;
    if (!runs_take_gains(w, &passed))
      return false;
  }
  return true;
}

/* Whether there may be something to pass on.  Where there is but one mark it is
** that of the state. */
static bool sweep(runs_walker *w, const runs_state *s, const uint8_t *state,
                  uint32_t length)
{
  const live *l = w->of->live;
  runs_set_bit(w->of->swept, s->slot);
  return l->by_scc || runs_mask_of(w->of, s->slot) ||
         product_accepts(&w->product, state, length);
}

void runs_pass_all(search *own)
{
  runs_sweep_parts(own, &(runs_pass){runs_is_left, sweep, pass_on});
}

/* Who waits no longer may be told to wait again. */
static bool stop_waiting(runs_walker *w, const runs_state *s,
                         const uint8_t *state, uint32_t length)
{
  (void)state, (void)length;
  __atomic_fetch_and(&w->of->waiting[s->slot / 64],
                     ~(UINT64_C(1) << s->slot % 64), __ATOMIC_SEQ_CST);
  return true;
}

void runs_pass_more(search *own)
{
  runs_follow_pieces(own, &(runs_pass){NULL, stop_waiting, pass_on});
}

/* ---- taking away ----------------------------------------------------------- */

static bool judge(runs_walker *w, const runs_state *s, const uint8_t *state,
                  uint32_t length)
{
  if (w->of->live->fairness == NUT_FAIR_STRONG)
    product_expand(&w->product, state, length);
  if (runs_needed(w, s->place) & ~runs_mask_of(w->of, s->slot))
    runs_clear_bit(w->of->alive, s->slot);
  else
    w->states++;
  return false;
}

void runs_judge_all(search *own)
{
  runs_sweep_parts(own, &(runs_pass){runs_is_left, judge, NULL});
}
