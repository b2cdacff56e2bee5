/* What the set has is written to the disk, the first time and later. */

#include "search/disk/disk_internal.h"

/* ---- the set is emptied --------------------------------------------------- */

/* Sorted keys of the next level, each new: to be found, and to be expanded. */
void disk_write_next(disk *d, const uint64_t *keys, size_t count)
{
  if (disk_reduces(d))
    tiers_write(&d->io, &d->next, keys, count, RUN_MARKED);
  else
    tiers_write(&d->io, &d->old, keys, count, RUN_UNMARKED);
  if (!d->coming.count)
    sorted_begin(&d->coming_writer, &d->io, &d->coming, RUN_UNMARKED, 32);
  for (size_t i = 0; i < count; i++)
    sorted_put(&d->coming_writer, keys[i], false);
  sorted_end(&d->coming_writer);
}

void disk_write_held(disk *d)
{
  keys_sort(frontier_handles(&d->held), d->held.count);
  if (d->held.count)
    disk_write_next(d, frontier_handles(&d->held), d->held.count);
  frontier_clear(&d->held);
}

static void write_young(disk *d)
{
  keys_sort(frontier_handles(&d->young), d->young.count);
  tiers_write(&d->io, &d->old, frontier_handles(&d->young), d->young.count,
              disk_reduces(d) ? RUN_MARKS : RUN_UNMARKED);
  frontier_clear(&d->young);
}

/* What is in the list of a walker, which keeps its order, goes to the young ones,
** which are written when they are many. */
bool disk_add_young(disk *d, const frontier *f, bool all_marked)
{
  for (size_t i = 0; i < f->count; i++) {
    store_handle key = frontier_handles(f)[i];
    if (d->young.count >= d->most_held || !frontier_has_room(&d->young, 1))
      write_young(d);
    if (!frontier_add(&d->young, all_marked ? key | FRONTIER_FULL : key))
      return false;
  }
  return true;
}

static void write_unmarked(disk *d, tiers *to)
{
  keys_sort(frontier_handles(&d->young), d->young.count);
  tiers_write(&d->io, to, frontier_handles(&d->young), d->young.count,
              RUN_UNMARKED);
  frontier_clear(&d->young);
}

/* This level is in the set alone: it is written, too.  What becomes of its states
** is not known yet. */
static bool write_here(disk *d)
{
  team *t = d->team;
  tiers *to = disk_reduces(d) ? &d->here : &d->old;
  if (d->here_is_held && !frontier_has_room(&d->young, 1))
    return false;
  size_t room = d->young.memory.committed / sizeof(store_handle);
  for (uint32_t i = 0; i < t->count && d->here_is_held; i++) {
    const frontier *here = &t->walkers[i].here;
    for (size_t k = 0; k < here->count; k++) {
      if (d->young.count == room)
        write_unmarked(d, to);
      if (!frontier_add(&d->young, frontier_handles(here)[k] & ~FRONTIER_FULL))
        return false;
    }
  }
  write_unmarked(d, to);
  d->here_is_held = false;
  return true;
}

bool disk_write_known(disk *d)
{
  write_young(d);
  disk_write_held(d);
  return write_here(d);
}

bool disk_empty_set(disk *d)
{
  if (!disk_write_known(d))
    return false;
  size_t bytes = disk_divide_memory(d);
  d->was_emptied_here = true;
  d->team->asker->result->disk.spills++;
  return disk_spilling(d)->clear(disk_store(d), bytes);
}

/* ---- the first time ------------------------------------------------------- */

/* All that the set has, but for what walkers stored of cohorts that are expanded
** later. */
typedef struct first_spill {
  disk *disk; /* whose 'keys' are left out */
  size_t room;
} first_spill;

static void spill_state(void *context, store_handle key, bool marked)
{
  first_spill *s = context;
  disk *d = s->disk;
  if (keys_has(d->keys.data, d->keys.len, key) || d->io.error)
    return;
  frontier_handles(&d->young)[d->young.count++] =
      marked ? key | FRONTIER_FULL : key;
  if (d->young.count == s->room)
    write_young(d);
}

static void leave_out_fresh(first_spill *s)
{
  const team *t = s->disk->team;
  for (uint32_t i = 0; i < t->count; i++) {
    const walker *w = &t->walkers[i];
    for (size_t k = 0; w->busy && k < w->own.fresh.len; k++)
      vec_push(&s->disk->keys, w->own.fresh.data[k].number);
  }
  keys_sort(s->disk->keys.data, s->disk->keys.len);
}

/* The last ones of a list of the next level, all new; they leave it. */
static void write_last(disk *d, frontier *next, size_t count)
{
  store_handle *last = frontier_handles(next) + next->count - count;
  keys_sort(last, count);
  if (disk_reduces(d))
    tiers_write(&d->io, &d->next, last, count, RUN_MARKED);
  if (!d->coming.count)
    sorted_begin(&d->coming_writer, &d->io, &d->coming, RUN_UNMARKED, 32);
  for (size_t k = 0; k < count; k++)
    sorted_put(&d->coming_writer, last[k], false);
  sorted_end(&d->coming_writer);
  next->count -= count;
  reserve_shrink(&next->memory, next->count * sizeof *last);
}

/* The states of the next level so far are all new.  A list that becomes a run in
** memory goes piece by piece. */
static void write_all_next(disk *d)
{
  enum { PIECE = 1 << 16 };
  team *t = d->team;
  for (uint32_t i = 0; i < t->count; i++) {
    frontier *next = &t->walkers[i].next;
    while (next->count && !d->io.error)
      write_last(d, next,
                 d->is_dense && next->count > PIECE ? PIECE : next->count);
    frontier_clear(next);
    reserve_shrink(&next->memory, 0);
  }
}

bool disk_spill_first(disk *d)
{
  search *r = d->team->asker;
  first_spill s = {.disk = d,
                   .room = d->young.memory.committed / sizeof(store_handle)};
  leave_out_fresh(&s);
  if (d->is_dense)
    disk_spilling(d)->drain(disk_store(d), spill_state, &s);
  else
    disk_spilling(d)->each(disk_store(d), spill_state, &s);
  vec_free(&d->keys);
  write_young(d);
  /* If the tables are emptied in this very level, what became of its states is
  ** among the old ones: that must not be seen before the level is over. */
  d->here_is_held = disk_reduces(d) && !d->is_dense;
  if (d->here_is_held && !write_here(d))
    return false;
  d->coming_writer = (run_writer){.io = &d->io, .run = &d->coming};
  write_all_next(d);
  uint64_t found = 0;
  for (uint32_t i = 0; i < d->team->count; i++)
    found += d->team->walkers[i].result.stats.states;
  r->result->disk.spilled_at = r->result->stats.states + found;
  r->result->disk.spills++;
  d->has_spilled = d->was_emptied_here = true;
  d->here_is_held = false;
  d->level_size = team_gone(d->team);
  for (uint32_t i = 0; i < d->team->count; i++)
    d->level_size += d->team->walkers[i].here.count;
  /* The memory of the set goes first, then what is left can be divided. */
  return disk_spilling(d)->clear(disk_store(d), 0) &&
         disk_spilling(d)->clear(disk_store(d), disk_divide_memory(d));
}

/* ---- behind a walk --------------------------------------------------------- */

bool disk_spill_all(disk *d)
{
  return disk_spill_first(d) && !disk_has_failed(d);
}

const sorted_run *disk_gather(disk *d, size_t *room)
{
  bool is_written = disk_write_known(d) && (!d->renewed || disk_name_all(d));
  if (is_written)
    tiers_unite(&d->io, &d->old);
  d->squeezed = 0;
  *room = disk_divide_memory(d);
  if (!is_written || !disk_spilling(d)->clear(disk_store(d), d->least))
    watch_full(&d->team->asker->watch);
  if (disk_has_failed(d) || d->team->asker->watch.stop)
    return NULL;
  d->is_gathered = d->old.runs.len == 1;
  d->level_size = 0;
  return d->is_gathered ? &d->old.runs.data[0] : NULL;
}

/* ---- figures ---------------------------------------------------------------- */

void disk_figures_add(disk_figures *to, const disk_figures *other)
{
  to->is_used |= other->is_used;
  to->is_memory |= other->is_memory;
  if (!to->spilled_at ||
      (other->spilled_at && other->spilled_at < to->spilled_at))
    to->spilled_at = other->spilled_at;
  to->spills += other->spills;
  if (to->ranks < other->ranks)
    to->ranks = other->ranks;
  to->renewals += other->renewals;
  to->passes += other->passes;
  to->merges += other->merges;
  to->bytes += other->bytes;
  to->read += other->read;
  to->written += other->written;
  if (!to->error)
    to->error = other->error;
}
