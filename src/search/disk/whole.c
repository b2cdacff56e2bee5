/* Once the store has begun anew, without a reduction: what is known is whole states,
** and what a tree knows of them saves asking.  Candidates of a tree that goes are
** written as whole states as well, and all of them are asked for at once, at the end
** of the level. */

#include "search/disk/disk_internal.h"

#include "base/alloc.h"

#include <assert.h>

/* Candidates that this tree has not met before are sorted by their bytes. */
static void sort_candidates(disk *d, uint64_t *keys, size_t most)
{
  run_io *io = &d->io;
  const sorted_run *all = &d->pending.runs.data[0];
  run_stream s;
  run_writer made;
  sorted_open(&s, io, all, RUN_PENDING);
  sorted_begin(&made, io, &d->remade, RUN_UNMARKED, all->right_bits);
  for (size_t n; (n = disk_read_pending(d, &s, keys, most));) {
    tiers_ask(io, &d->old, keys, n, NULL, NULL);
    tiers_ask(io, &d->seen, keys, n, NULL, NULL);
    n = io->error ? 0 : keys_drop_found(keys, n);
    for (size_t i = 0; i < n; i++)
      sorted_put(&made, keys[i], false);
    sorted_end(&made);
    for (size_t i = 0; i < n; i++)
      disk_sort_state(d, keys[i]);
  }
}

static void sort_pending(disk *d)
{
  frontier *next = &d->team->walkers[0].next;
  disk_put_off(d);
  tiers_unite(&d->io, &d->pending);
  packed_sort_begin(&d->work, RUN_UNMARKED, false);
  if (!d->pending.runs.len || d->io.error)
    return;
  size_t most = frontier_has_some(next, d->most_candidates);
  if (!most)
    mem_give_up();
  sort_candidates(d, frontier_handles(next), most);
  tiers_free(&d->io, &d->pending);
  tiers_add(&d->io, &d->seen, &d->remade);
}

static void add_sorted(disk *d, size_t most)
{
  packed_sort_end(&d->work, &d->io, &d->packed);
  packed_set_add(&d->work, &d->io, &d->packed_pending, &d->packed, most);
}

void disk_make_whole(disk *d)
{
  sort_pending(d);
  if (!d->io.error)
    add_sorted(d, PACKED_PENDING);
}

/* A state of the next level, in rising order.  If memory runs out in between no file
** can tell what counts. */
static void add_coming(void *context, const packed_state *s, bool is_there,
                       bool marked)
{
  disk *d = context;
  team *t = d->team;
  walker *w = &t->walkers[0];
  (void)marked;
  if (is_there)
    return;
  bool was_torn = d->is_torn;
  d->is_torn = true;
  packed_put(&d->whole_packer, s);
  w->result.stats.states++;
  w->result.stats.depth = t->asker->watch.depth + 1;
  if (t->judges && w->own.judges_states)
    least_judge_whole(w, s->bytes, s->length);
  d->is_torn = was_torn;
}

static uint32_t longest_of(const packed_set *s, uint32_t longest)
{
  for (size_t i = 0; i < s->runs.len; i++)
    if (longest < s->runs.data[i].longest)
      longest = s->runs.data[i].longest;
  return longest;
}

void disk_resolve_whole(disk *d)
{
  run_io *io = &d->io;
  sort_pending(d);
  if (io->error)
    return;
  disk_write_held(d);
  if (d->packed_pending.runs.len)
    add_sorted(d, 1);
  if (io->error)
    return;
  packed_set *all = &d->packed_pending;
  assert(all->runs.len <= 1);
  packed_begin(&d->whole_packer, io, &d->coming_whole, RUN_UNMARKED, false,
               longest_of(all, d->work.longest));
  if (all->runs.len)
    packed_ask(&d->work, io, &all->runs.data[0], &d->packed_old, add_coming, d);
  else
    packed_sort_ask(&d->work, io, &d->packed_old, add_coming, d);
  packed_end(&d->whole_packer);
  packed_set_free(io, all);
  d->team->asker->result->disk.passes++;
}

void disk_end_whole(disk *d)
{
  packed_set_add(&d->work, &d->io, &d->packed_old, &d->level_whole,
                 PACKED_RUNS);
}
