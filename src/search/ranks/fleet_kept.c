/* A search of several ranks in a checkpoint: each of them writes what it has, the
** first one the rest, and that all of it belongs together.  A moment lies behind a
** level: nothing is under way then, and all ranks know the same but for their
** states (docs/internals/checkpoints.md). */

#include "search/ranks/fleet_internal.h"

#include "base/alloc.h"
#include "search/checkpoint/checkpoint.h"
#include "search/ranks/letters.h"
#include "search/runs/runs.h"
#include <errno.h>

static checkpoint *keeper_of(const team *t)
{
  const search *r = t->asker;
  return t->keeps ? NULL : search_keeper(r->runs ? runs_asker(r->runs) : r);
}

uint64_t fleet_wants_file(const team *t)
{
  checkpoint *c = keeper_of(t);
  bool is_due = c && !t->asker->fleet->own &&
                (checkpoint_is_due(c) || checkpoint_is_forced(c));
  return is_due ? checkpoint_generation(c) + 1 : 0;
}

/* How the part of a rank was written. */
typedef struct part_end {
  uint64_t error, sum, bytes;
} part_end;

void fleet_keep(team *t)
{
  fleet *f = t->asker->fleet;
  checkpoint *c = keeper_of(t);
  part_end e = {0};
  uint64_t generation = f->saves;
  f->saves = 0;
  if (!generation || t->asker->watch.stop)
    return;
  if (!c) /* this rank alone has lost something, and keeps nothing more */
    e.error = ENOMEM;
  if (f->own && c) {
    checkpoint_set_generation(c, generation - 1);
    e.error = (uint64_t)checkpoint_save_part(c, t);
    e.sum = checkpoint_part_sum(c);
    e.bytes = checkpoint_figures_of(c)->bytes;
  }
  vec_clear(&f->letter);
  letter_put(&f->letter, &e, sizeof e);
  if (!fleet_meet(t, FLEET_KEPT) || f->own || !c)
    return;
  checkpoint_forget_parts(c);
  for (uint32_t i = 1; i < f->count; i++) {
    letter_reader l = fleet_word(f, i);
    letter_get(&l, &e, sizeof e);
    checkpoint_add_part(c, (int)e.error, (uint32_t)e.sum, e.bytes);
  }
  checkpoint_save(c, t, false);
}

/* What each rank has of a file. */
typedef struct resumed {
  uint64_t states, here;
} resumed;

bool fleet_take_over(team *t)
{
  fleet *f = t->asker->fleet;
  resumed e = {f->restored, 0}, all = {0, 0};
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
    all.here += e.here;
  }
  f->size = all.here;
  return all.states == f->expected;
}
