/* All that is in runs, sets and lists, state by state; see kept_disk.h. */

#include "search/disk/kept_disk.h"
#include "search/disk/disk_internal.h"

#include "base/alloc.h"

typedef struct telling {
  disk *disk;
  disk_visit *visit;
  void *context;
} telling;

/* ---- states of a part ------------------------------------------------------- */

static void tell_handle(const telling *t, store_handle handle, bool marked)
{
  packed_state s = disk_state_of(t->disk, handle, marked);
  t->visit(t->context, s.bytes, s.length, marked);
}

static void tell_list(const telling *t, const frontier *f)
{
  for (size_t i = 0; i < f->count; i++)
    tell_handle(t, frontier_handles(f)[i],
                frontier_handles(f)[i] & FRONTIER_FULL);
}

static void tell_run(const telling *t, const sorted_run *r, uint64_t from)
{
  run_stream s;
  if (!r->count || t->disk->io.error)
    return;
  sorted_open(&s, &t->disk->io, r, RUN_PENDING);
  while (sorted_next(&s))
    if (s.read > from)
      tell_handle(t, s.key, s.marked);
}

static void tell_tiers(const telling *t, const tiers *all)
{
  for (size_t i = 0; i < all->runs.len; i++)
    tell_run(t, &all->runs.data[i], 0);
}

static void tell_packed(const telling *t, const packed_run *r, uint64_t from)
{
  packed_stream *s = &t->disk->work.streams[0];
  if (!r->count || t->disk->io.error)
    return;
  packed_open(s, &t->disk->io, r, RUN_PENDING);
  while (packed_next(s))
    if (s->read > from)
      t->visit(t->context, s->state.bytes, s->state.length, s->state.marked);
}

static void tell_set(const telling *t, const packed_set *all)
{
  for (size_t i = 0; i < all->runs.len; i++)
    tell_packed(t, &all->runs.data[i], 0);
}

/* Of this level, in the lists of the walkers. */
static void tell_here(const telling *t, bool is_done)
{
  const team *all = t->disk->team;
  for (uint32_t k = 0; k < all->count; k++) {
    const frontier *f = &all->walkers[k].here;
    for (size_t i = 0; i < f->count; i++)
      if (moment_is_expanded(all, f, i) == is_done)
        tell_handle(t, frontier_handles(f)[i] & ~FRONTIER_FULL,
                    is_done && frontier_handles(f)[i] & FRONTIER_FULL);
  }
}

static void tell_level(const telling *t)
{
  if (!t->disk->here_is_held)
    return;
  for (uint32_t k = 0; k < t->disk->team->count; k++) {
    const frontier *f = &t->disk->team->walkers[k].here;
    for (size_t i = 0; i < f->count; i++)
      tell_handle(t, frontier_handles(f)[i] & ~FRONTIER_FULL, false);
  }
}

/* How many of the list need not be read any more. */
static uint64_t read_of(const disk *d, const packed_stream *s)
{
  return s->run ? s->read - (d->unread == s) : 0;
}

static void tell_left(const telling *t)
{
  const disk *d = t->disk;
  tell_here(t, false);
  tell_run(t, &d->level, d->level_stream.run ? d->level_stream.read : 0);
  tell_packed(t, &d->level_whole, read_of(d, &d->whole_reader));
  tell_packed(t, &d->level_list, read_of(d, &d->level_reader));
}

static void tell_coming(const telling *t)
{
  tell_list(t, &t->disk->held);
  tell_run(t, &t->disk->coming, 0);
  tell_packed(t, &t->disk->coming_list, 0);
  tell_packed(t, &t->disk->coming_whole, 0);
}

static void tell_candidates(const telling *t)
{
  const team *all = t->disk->team;
  for (uint32_t k = 0; k < all->count; k++)
    for (size_t i = 0; i < moment_next_count(&all->walkers[k]); i++)
      tell_handle(t, frontier_handles(&all->walkers[k].next)[i], false);
  tell_tiers(t, &t->disk->pending);
  tell_set(t, &t->disk->packed_pending);
}

/* Runs from the oldest on, so that the last word on a state is the right one. */
static void tell_old(const telling *t)
{
  const disk *d = t->disk;
  tell_set(t, &d->packed_old);
  tell_tiers(t, &d->old);
  tell_list(t, &d->young);
  if (disk_reduces(d))
    return;
  tell_level(t);
  tell_list(t, &d->held);
  tell_packed(t, &d->level_whole, 0);
  tell_packed(t, &d->coming_whole, 0);
}

bool disk_each(disk *d, disk_part part, disk_visit *visit, void *context)
{
  telling t = {d, visit, context};
  bool reduces = disk_reduces(d);
  if (d->is_gathered) { /* lists have what waits for a sweep (search/runs) */
    if (part == DISK_OLD)
      tell_tiers(&t, &d->old);
    return !d->io.error;
  }
  if (part == DISK_OLD)
    tell_old(&t);
  if (part == DISK_HERE && reduces) {
    tell_set(&t, &d->packed_here);
    tell_tiers(&t, &d->here);
    tell_level(&t);
  }
  if (part == DISK_NEXT && reduces) {
    tell_set(&t, &d->packed_next);
    tell_tiers(&t, &d->next);
    tell_list(&t, &d->held);
  }
  if (part == DISK_DONE && reduces)
    tell_here(&t, true);
  if (part == DISK_LEFT)
    tell_left(&t);
  if (part == DISK_COMING)
    tell_coming(&t);
  if (part == DISK_CANDIDATES)
    tell_candidates(&t);
  return !d->io.error;
}

/* ---- taken by another search --------------------------------------------- */

static run_kind kind_of(const disk *d, disk_part part)
{
  if (!disk_reduces(d) || part == DISK_HERE)
    return RUN_UNMARKED;
  return part == DISK_NEXT ? RUN_MARKED : RUN_MARKS;
}

bool disk_is_needed(const disk *d, uint64_t states)
{
  enum { EACH = 16 }; /* bytes, of the store and of lists */
  const search_options *o = d ? d->team->asker->options : NULL;
  return d &&
         states > (o->disk_bytes ? o->disk_bytes
                                 : limits_room(d->team->asker->watch.limits)) /
                      EACH;
}

bool disk_take_begin(disk *d, uint32_t longest)
{
  d->has_spilled = true;
  d->here_is_held = false;
  d->longest = longest;
  if (!packed_fits(&d->io, disk_longest_listed(d)) ||
      !disk_spilling(d)->clear(disk_store(d), 0) ||
      !disk_spilling(d)->expect(disk_store(d), longest))
    return false;
  return disk_room_to_sort(d, disk_divide_memory(d) / 2);
}

void disk_take_part(disk *d, disk_part part)
{
  packed_sort_begin(&d->work, kind_of(d, part), false);
}

static void put(disk *d, packed_writer *w, packed_run *to,
                const packed_state *s)
{
  if (!to->file && !d->io.error)
    packed_begin(w, &d->io, to, RUN_UNMARKED, false, disk_longest_listed(d));
  packed_put(w, s);
}

void disk_take(disk *d, disk_part part, const uint8_t *state, uint32_t length,
               bool marked)
{
  packed_state s = {.bytes = state, .length = length, .marked = marked};
  if (part == DISK_LEFT)
    put(d, &d->level_packer, &d->level_list, &s);
  else if (part == DISK_COMING)
    put(d, &d->coming_packer, &d->coming_list, &s);
  else
    packed_sort_add(&d->work, &d->io, &s);
}

bool disk_take_end_part(disk *d, disk_part part)
{
  packed_set *to = part == DISK_HERE         ? &d->packed_here
                   : part == DISK_NEXT       ? &d->packed_next
                   : part == DISK_CANDIDATES ? &d->packed_pending
                                             : &d->packed_old;
  if (part == DISK_LEFT && d->level_list.file)
    packed_end(&d->level_packer);
  if (part == DISK_COMING && d->coming_list.file)
    packed_end(&d->coming_packer);
  packed_sort_end(&d->work, &d->io, &d->packed);
  if (!d->io.error)
    packed_set_add(&d->work, &d->io, to, &d->packed, PACKED_RUNS);
  return !d->io.error;
}

bool disk_take_end(disk *d)
{
  const search *r = d->team->asker;
  r->result->disk.spilled_at = r->result->stats.states;
  return disk_begin_anew(d);
}
