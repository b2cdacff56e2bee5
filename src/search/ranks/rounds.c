/* With a checkpoint a level is expanded in rounds (docs/internals/ranks.md).  A round
** ends when a rank has told all to halt, because a file is due or the run shall end,
** or when nothing is left of the level.  Each rank leaves its states between two
** cohorts, takes what is under way, and what is in doubt is decided.  Then all meet,
** and what they have is a moment (docs/internals/checkpoints.md). */

#include "search/checkpoint/checkpoint.h"
#include "search/ranks/fleet_internal.h"
#include "search/runs/runs.h"

void round_begin(team *t)
{
  fleet *f = t->asker->fleet;
  f->can_halt = f->can_call = t->by_rounds;
  f->was_halted = false;
  ranks_forget_halt(f->ranks);
  if (!t->by_rounds)
    return;
  for (uint32_t i = 0; i < t->count; i++) {
    t->walkers[i].rest_count = 0;
    t->walkers[i].busy = false;
  }
  if (atomic_load(&f->ends))
    round_halt(t);
}

void round_leave(team *t)
{
  fleet *f = t->asker->fleet;
  f->can_halt = false;
  f->was_halted |= atomic_load(&t->halts);
  atomic_store(&t->halts, false);
}

void round_end_part(team *t)
{
  round_leave(t);
  t->asker->fleet->can_call = false;
}

void round_halt(team *t)
{
  if (t->asker->fleet->can_halt)
    atomic_store(&t->halts, true);
}

static bool is_sweeping(const team *t)
{
  return t->asker->runs && runs_is_sweeping(t->asker->runs);
}

bool round_can_wait(const team *t, reason why)
{
  const fleet *f = t->asker->fleet;
  return t->by_rounds && f->is_spread && !is_sweeping(t) &&
         (why == REASON_TIME_LIMIT || why == REASON_INTERRUPTED);
}

void round_end_run(team *t, reason why)
{
  fleet *f = t->asker->fleet;
  if (!atomic_load(&f->ends)) {
    atomic_store(&f->ends, (uint32_t)why + 1);
    if (f->can_call && !ranks_told_stop(f->ranks))
      ranks_tell_stop(f->ranks, (uint32_t)why + 1);
  }
  round_halt(t);
}

/* All shall come to the end of the round. */
static void call(team *t)
{
  fleet *f = t->asker->fleet;
  if (!f->can_call || f->was_halted || atomic_load(&t->halts))
    return;
  f->can_call = false;
  ranks_tell_halt(f->ranks);
  round_halt(t);
}

void fleet_look(team *t)
{
  search *r = t->asker;
  fleet *f = r->fleet;
  const checkpoint *c = f->own ? NULL : fleet_keeper(t);
  if (r->watch.stop && round_can_wait(t, r->result->reason)) {
    round_end_run(t, r->result->reason);
    r->watch.stop = false;
    r->result->reason = REASON_NONE;
  }
  if (c && f->can_call && checkpoint_is_due(c))
    call(t);
}

void fleet_count_batch(team *t)
{
  fleet *f = t->asker->fleet;
  checkpoint *c = f->own || !f->can_halt ? NULL : fleet_keeper(t);
  if (!c || !checkpoint_is_forced(c))
    return;
  f->is_forced = true;
  call(t);
}

/* A sequence of steps in a product is not left: that would end the run at once. */
bool fleet_is_impatient(const team *t)
{
  return t->by_rounds && !t->asker->runs &&
         atomic_load_explicit(&t->halts, memory_order_relaxed) &&
         atomic_load_explicit(&t->asker->fleet->ends, memory_order_relaxed);
}

/* ---- meeting ------------------------------------------------------------- */

/* How the round ended in a rank; and of the first, which looks after files. */
typedef struct round_word {
  uint64_t left, stops, ends;
  uint64_t generation, is_due, is_too_long;
} round_word;

static round_word own_word(const team *t)
{
  const search *r = t->asker;
  fleet *f = r->fleet;
  checkpoint *c = f->own ? NULL : fleet_keeper(t);
  uint32_t files = ranks_kept_files(f->ranks);
  if (c && files && checkpoint_figures_of(c)->written > files &&
      !atomic_load(&f->ends))
    atomic_store(&f->ends, (uint32_t)REASON_INTERRUPTED + 1);
  round_word w = {.left = f->was_halted,
                  .stops = atomic_load(&t->stop) || r->watch.stop ||
                           atomic_load(&f->discards),
                  .ends = atomic_load(&f->ends)};
  if (!c)
    return w;
  w.generation = checkpoint_generation(c) + 1;
  w.is_due = f->is_forced || checkpoint_is_due(c);
  w.is_too_long = checkpoint_is_too_long(c, t);
  f->is_forced = false;
  return w;
}

/* Of those that want to end the run the first one's reason counts. */
static round_word join_words(const fleet *f)
{
  round_word all = {0};
  for (uint32_t i = 0; i < f->count; i++) {
    letter_reader l = fleet_word(f, i);
    round_word w;
    letter_get(&l, &w, sizeof w);
    if (!i)
      all = w;
    all.left |= w.left;
    all.stops |= w.stops;
    all.ends = all.ends ? all.ends : w.ends;
  }
  return all;
}

static void write_file(team *t, const round_word *all)
{
  const fleet *f = t->asker->fleet;
  if (!all->generation || !(all->is_due || all->ends))
    return;
  if (!all->ends || !all->is_too_long)
    fleet_keep(t, all->generation, all->ends);
  else if (!f->own)
    checkpoint_leave_out(fleet_keeper(t));
}

bool round_end(team *t)
{
  search *r = t->asker;
  fleet *f = r->fleet;
  if (!t->by_rounds)
    return false;
  if (!atomic_load(&t->stop))
    team_give_back_pieces(t);
  round_word own = own_word(t);
  vec_clear(&f->letter);
  letter_put(&f->letter, &own, sizeof own);
  if (!fleet_meet(t, FLEET_ROUND))
    return false;
  round_word all = join_words(f);
  if (all.stops)
    return false;
  write_file(t, &all);
  if (!all.ends)
    return all.left;
  watch_stop(&r->watch, (reason)(all.ends - 1));
  team_stop(t);
  return false;
}
