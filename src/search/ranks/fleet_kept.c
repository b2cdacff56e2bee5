/* A search of several ranks in a checkpoint: each of them writes what it has, the
** first one the rest, and that all of it belongs together.  A moment lies behind a
** round of a level: nothing is under way then (docs/internals/checkpoints.md). */

#include "search/ranks/fleet_internal.h"

#include "base/alloc.h"
#include "search/checkpoint/checkpoint.h"
#include "search/disk/kept_disk.h"
#include "search/ranks/letters.h"
#include "search/runs/runs.h"
#include <errno.h>

checkpoint *fleet_keeper(const team *t)
{
  const search *r = t->asker;
  return t->by_rounds ? search_keeper(r->runs ? runs_asker(r->runs) : r) : NULL;
}

/* How the part of a rank was written. */
typedef struct part_end {
  uint64_t error, sum, bytes;
} part_end;

typedef struct telling {
  team *team;
  bool done;
} telling;

static void tell(void *work)
{
  telling *x = work;
  x->done = disk_can_be_told(x->team->disk, true);
}

/* With a disk and a reduction candidates are compared now, for nothing of them may
** wait in a file.  False: the run ends. */
static bool can_be_told(team *t)
{
  telling x = {.team = t};
  if (mem_protect(tell, &x) && x.done)
    return true;
  if (!disk_has_failed(t->disk))
    watch_full(&t->asker->watch);
  team_stop(t);
  return false;
}

static part_end write_part(team *t, uint64_t generation)
{
  checkpoint *c = fleet_keeper(t);
  part_end e = {0};
  if (!can_be_told(t))
    e.error = EIO;
  else if (!c) /* this rank alone has lost something, and keeps nothing more */
    e.error = ENOMEM;
  if (e.error)
    return e;
  checkpoint_set_generation(c, generation - 1);
  e.error = (uint64_t)checkpoint_save_part(c, t);
  e.sum = checkpoint_part_sum(c);
  e.bytes = checkpoint_figures_of(c)->bytes;
  return e;
}

/* ---- what was found in this level ----------------------------------------- */

static void put_found(rank_bytes *to, const team *t)
{
  statistics level = {0};
  for (uint32_t i = 0; i < t->count; i++)
    statistics_merge(&level, &t->walkers[i].result.stats);
  letter_put(to, &level, sizeof level);
  fleet_put_news(to, t);
  letter_put_findings(to, t);
}

/* Another rank's is the first one's. */
static void take_found(letter_reader *l, team *t)
{
  statistics level;
  letter_get(l, &level, sizeof level);
  statistics_merge(&t->handed, &level);
  fleet_get_news(l, t, false, true);
  letter_get_findings(l, t);
}

/* It was told, and counts there.  What is known of roles and claims stays: it does
** not add up. */
static void forget_found(team *t)
{
  for (uint32_t i = 0; i < t->count; i++) {
    walker *w = &t->walkers[i];
    w->result.stats = (statistics){0};
    atomic_store_explicit(&w->states, 0, memory_order_relaxed);
    atomic_store_explicit(&w->transitions, 0, memory_order_relaxed);
    for (size_t k = 0; k < t->kinds; k++)
      finding_free(&w->found[k]);
    places_free(&w->places);
    if (t->reductions)
      reduce_set_tally(t->reductions[i], (reduce_tally){0});
  }
}

static void take_parts(team *t)
{
  const fleet *f = t->asker->fleet;
  checkpoint *c = fleet_keeper(t);
  ranks_clear_figures(f->ranks);
  for (uint32_t i = 1; i < f->count; i++) {
    letter_reader l = fleet_word(f, i);
    part_end e;
    letter_get(&l, &e, sizeof e);
    checkpoint_add_part(c, (int)e.error, (uint32_t)e.sum, e.bytes);
    take_found(&l, t);
  }
}

void fleet_keep(team *t, uint64_t generation, bool last)
{
  fleet *f = t->asker->fleet;
  part_end e = {0};
  if (f->own)
    e = write_part(t, generation);
  else
    checkpoint_begin_parts(fleet_keeper(t), can_be_told(t) ? 0 : EIO);
  vec_clear(&f->letter);
  letter_put(&f->letter, &e, sizeof e);
  if (f->own)
    put_found(&f->letter, t);
  if (!fleet_meet(t, FLEET_KEPT))
    return;
  if (f->own) {
    forget_found(t);
    return;
  }
  take_parts(t);
  checkpoint_save(fleet_keeper(t), t, last);
}

/* What each rank has of a file; states of this level that were expanded, and are in
** no list. */
typedef struct resumed {
  uint64_t states, is_uncounted, here, gone;
} resumed;

bool fleet_take_over(team *t)
{
  fleet *f = t->asker->fleet;
  resumed e = {.states = f->restored,
               .is_uncounted = f->is_uncounted,
               .here = disk_level_size(t->disk),
               .gone = t->gone};
  resumed all = {0};
  f->is_spread = true;
  desks_fill(f, t);
  for (uint32_t i = 0; i < t->count; i++)
    e.here += t->walkers[i].here.count;
  vec_clear(&f->letter);
  letter_put(&f->letter, &e, sizeof e);
  if (!fleet_meet(t, FLEET_RESUMED))
    return false;
  for (uint32_t i = 0; i < f->count; i++) {
    letter_reader l = fleet_word(f, i);
    letter_get(&l, &e, sizeof e);
    all.states += e.states;
    all.is_uncounted |= e.is_uncounted;
    all.here += e.here;
    all.gone += e.gone;
  }
  f->size = all.here;
  t->gone = all.gone;
  return all.is_uncounted || all.states == f->expected;
}
