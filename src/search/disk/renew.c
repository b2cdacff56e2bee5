/* The tables by which handles are states have become too large: all that is known
** is written as whole states, and the store begins anew. */

#include "search/disk/disk_internal.h"

#include "base/alloc.h"
#include "search/ranks/fleet.h"

enum {
  LEAST_ROOM = 1 << 15,
  MOST_ROOM = 1 << 28, /* bytes to sort in */
  LOOK_EVERY = 64,     /* states between two looks at the tables */
  MOST_LOADED = 2048   /* whole states for each walker */
};

static size_t table_bytes(const disk *d)
{
  return d->team->asker->result->store->bytes(disk_store(d)) -
         disk_spilling(d)->set_bytes(disk_store(d));
}

uint64_t disk_expanded(const team *t)
{
  uint64_t sum = t->asker->result->stats.expanded;
  for (uint32_t i = 0; i < t->count; i++)
    sum += t->walkers[i].result.stats.expanded;
  return sum;
}

/* Much was added since the last time, and something was done. */
bool disk_can_renew(const disk *d)
{
  const fleet *f = d->team->asker->fleet;
  if (f && f->is_spread && disk_reduces(d)) /* doubts name states by handles */
    return false;
  if (d->team->asker->runs) /* so do notes on states of a product */
    return false;
  return table_bytes(d) > 2 * d->tables && !d->team->keeps && !d->is_dense &&
         (!d->renewed || disk_expanded(d->team) > d->expanded_then);
}

/* Most of all there is belongs to them, or they have no room. */
bool disk_should_renew(const disk *d)
{
  const search *r = d->team->asker;
  size_t tables = table_bytes(d), limit = r->options->disk_bytes / 2;
  if (!limit)
    limit = (tables + disk_spilling(d)->set_bytes(disk_store(d)) +
             limits_room(r->watch.limits)) /
            8 * 7;
  return (d->must_renew || tables > limit) && disk_can_renew(d);
}

/* ---- states from the tables ------------------------------------------------ */

packed_state disk_state_of(disk *d, store_handle handle, bool marked)
{
  const store_class *class = d->team->asker->result->store;
  store *s = disk_store(d);
  vec_resize(&d->state, class->max_length(s) + 1);
  uint32_t length = class->fetch(s, handle & ~FRONTIER_FULL, d->state.data);
  return (packed_state){.bytes = d->state.data,
                        .length = length,
                        .marked = marked,
                        .name = handle & ~FRONTIER_FULL};
}

void disk_sort_state(disk *d, store_handle handle)
{
  packed_state s = disk_state_of(d, handle, false);
  packed_sort_add(&d->work, &d->io, &s);
}

/* ---- lists ----------------------------------------------------------------- */

uint32_t disk_longest_listed(const disk *d)
{
  uint32_t longest = d->team->asker->result->store->max_length(disk_store(d));
  return 2 * (longest > d->longest ? longest : d->longest) + 64;
}

static void pack(disk *d, packed_writer *w, packed_run *to, store_handle handle)
{
  if (!to->file && !d->io.error)
    packed_begin(w, &d->io, to, RUN_UNMARKED, false, disk_longest_listed(d));
  packed_state s = disk_state_of(d, handle, false);
  packed_put(w, &s);
}

static size_t expanded_of(const frontier *f)
{
  size_t taken = atomic_load_explicit(&f->taken, memory_order_relaxed);
  return taken < f->count ? taken : f->count;
}

/* With a reduction: what became of the states that were expanded is known. */
static void settle_expanded(disk *d, frontier *here)
{
  size_t n = expanded_of(here);
  for (size_t i = 0; i < n && d->rests; i++)
    frontier_handles(here)[i] |= FRONTIER_FULL;
  keys_sort(frontier_handles(here), n);
  tiers_write(&d->io, &d->old, frontier_handles(here), n, RUN_MARKS);
}

/* What is left of this level, and what there is of the next. */
static void pack_levels(disk *d)
{
  team *t = d->team;
  run_stream s;
  /* Both write through one window, one after the other. */
  for (uint32_t i = 0; i < t->count && disk_reduces(d); i++)
    settle_expanded(d, &t->walkers[i].here);
  for (uint32_t i = 0; i < t->count; i++) {
    frontier *here = &t->walkers[i].here;
    for (size_t k = expanded_of(here); k < here->count; k++)
      pack(d, &d->level_packer, &d->level_list, frontier_handles(here)[k]);
    if (d->is_spread) /* they are counted when they are read */
      d->level_size -= here->count - expanded_of(here);
    frontier_clear(here);
  }
  while (d->level.count && sorted_next(&d->level_stream))
    pack(d, &d->level_packer, &d->level_list, d->level_stream.key);
  if (d->level_list.file)
    packed_end(&d->level_packer);
  sorted_free(&d->io, &d->level);
  sorted_open(&s, &d->io, &d->coming, RUN_PENDING);
  while (d->coming.count && sorted_next(&s))
    pack(d, &d->coming_packer, &d->coming_list, s.key);
  if (d->coming_list.file)
    packed_end(&d->coming_packer);
  sorted_free(&d->io, &d->coming);
}

static void pack_again(disk *d)
{
  frontier *again = &d->again;
  for (size_t k = expanded_of(again); k < again->count; k++)
    pack(d, &d->work.writer, &d->again_list, frontier_handles(again)[k]);
  if (d->again_list.file)
    packed_end(&d->work.writer);
  frontier_clear(again);
}

/* What a whole state is called from now on; STORE_NO_HANDLE: there is no room.  The
** store may have to make a wider tree for it, after which all others have other
** names. */
static store_handle call(disk *d, const packed_state *s)
{
  search *r = d->team->asker;
  store_handle h = disk_spilling(d)->call(disk_store(d), s->bytes, s->length);
  return !r->loop->level_settle || r->loop->level_settle(r) ? h
                                                            : STORE_NO_HANDLE;
}

static bool load_again(disk *d)
{
  packed_stream *s = &d->work.streams[0];
  if (!d->again_list.file)
    return true;
  packed_open(s, &d->io, &d->again_list, 0);
  while (packed_next(s)) {
    store_handle h = call(d, &s->state);
    if (h == STORE_NO_HANDLE || !frontier_add(&d->again, h))
      return false;
  }
  packed_free(&d->io, &d->again_list);
  return true;
}

/* Whether the list has another state.  Both are read through one window, one after
** the other. */
static bool goes_on(disk *d, packed_stream *s, const packed_run *list)
{
  if (!list->count || d->io.error)
    return false;
  if (!s->run)
    packed_open(s, &d->io, list, RUN_LEVEL);
  return packed_next(s);
}

/* Where the next state of this level is; NULL: there is none. */
static packed_stream *next_whole(disk *d)
{
  if (d->unread)
    return d->unread;
  if (goes_on(d, &d->whole_reader, &d->level_whole))
    return &d->whole_reader;
  return goes_on(d, &d->level_reader, &d->level_list) ? &d->level_reader : NULL;
}

/* The next states of this level that are whole.  Few: what is not expanded when the
** tables are emptied is written again. */
void disk_load_packed(disk *d, frontier *here, size_t most)
{
  size_t few = (size_t)MOST_LOADED * d->team->count;
  most = most < few ? most : few;
  for (packed_stream *s; here->count < most && (s = next_whole(d));) {
    store_handle h = call(d, &s->state);
    d->unread = h == STORE_NO_HANDLE ? s : NULL;
    if (d->unread)
      return;
    if (!frontier_add(here, h))
      mem_give_up(); /* it was read, and would not be expanded */
    if (here->count % LOOK_EVERY == 0 && table_bytes(d) > d->most_tables / 2)
      return;
  }
}

/* ---- what is known --------------------------------------------------------- */

static void pack_known(disk *d, tiers *from, packed_set *to, run_kind kind)
{
  run_stream s;
  tiers_unite(&d->io, from);
  if (!from->runs.len || d->io.error)
    return;
  packed_sort_begin(&d->work, kind, false);
  sorted_open(&s, &d->io, &from->runs.data[0], RUN_PENDING);
  while (sorted_next(&s)) {
    packed_state state = disk_state_of(d, s.key, s.marked);
    packed_sort_add(&d->work, &d->io, &state);
  }
  packed_sort_end(&d->work, &d->io, &d->packed);
  packed_set_add(&d->work, &d->io, to, &d->packed, PACKED_RUNS);
  if (!d->io.error)
    tiers_free(&d->io, from);
}

static size_t room_to_sort(size_t bytes)
{
  if (bytes < LEAST_ROOM)
    return LEAST_ROOM;
  return bytes < MOST_ROOM ? bytes : MOST_ROOM;
}

bool disk_room_to_sort(disk *d, size_t bytes)
{
  size_t room = room_to_sort(bytes);
  while (!packed_work_room(&d->work, room) && room > LEAST_ROOM)
    room = room_to_sort(room / 2);
  return d->work.room;
}

/* Walkers still hold names of states of cohorts that are done, or were given
** up.  Nobody may ask the new tree for them. */
static void forget_names(team *t)
{
  for (uint32_t i = 0; i < t->count; i++) {
    vec_clear(&t->walkers[i].own.handles);
    vec_clear(&t->walkers[i].own.fresh);
  }
}

/* Memory is divided again. */
bool disk_begin_anew(disk *d)
{
  const search *r = d->team->asker;
  packed_work_room(&d->work, 0);
  forget_names(d->team);
  if (!disk_spilling(d)->renew(disk_store(d)))
    return false;
  d->renewed++;
  d->squeezed = 0;
  d->must_renew = false;
  d->team->asker->result->disk.renewals++;
  d->expanded_then = disk_expanded(d->team);
  d->was_emptied_here = true;
  size_t bytes = disk_divide_memory(d);
  d->tables = table_bytes(d);
  d->most_tables = r->options->disk_bytes
                       ? r->options->disk_bytes / 2
                       : d->tables + limits_room(r->watch.limits) / 2;
  if (d->most_tables < 4 * d->tables)
    d->most_tables = 4 * d->tables;
  return disk_room_to_sort(d, bytes / 4) &&
         disk_spilling(d)->clear(disk_store(d), bytes - bytes / 4) &&
         load_again(d);
}

bool disk_renew(disk *d)
{
  if (!packed_fits(&d->io, disk_longest_listed(d)))
    return false;
  /* First of all the set goes: there may be no memory left. */
  if (!disk_write_known(d) || !disk_spilling(d)->clear(disk_store(d), 0))
    return false;
  packed_work_room(&d->work, 0);
  if (!disk_room_to_sort(d, disk_divide_memory(d)))
    return false;
  if (disk_is_whole(d) && !d->io.error)
    disk_make_whole(d);
  else if (d->pending.runs.len && !d->io.error)
    disk_resolve_all(d);
  tiers_free(&d->io, &d->seen);
  if (!d->io.error)
    pack_levels(d);
  if (!d->io.error)
    pack_again(d);
  pack_known(d, &d->next, &d->packed_next, RUN_MARKED);
  pack_known(d, &d->here, &d->packed_here, RUN_UNMARKED);
  pack_known(d, &d->old, &d->packed_old,
             disk_reduces(d) ? RUN_MARKS : RUN_UNMARKED);
  return d->io.error || disk_begin_anew(d);
}

/* ---- names for all ---------------------------------------------------------- */

/* Through 'again', a few at a time. */
static bool name_run(disk *d, const packed_run *from)
{
  packed_stream *s = &d->work.streams[0];
  packed_open(s, &d->io, from, RUN_PENDING);
  for (bool more = from->count; more;) {
    frontier_clear(&d->again);
    while (d->again.count < LOOK_EVERY && (more = packed_next(s))) {
      store_handle h = call(d, &s->state);
      if (h == STORE_NO_HANDLE || !frontier_add(&d->again, h))
        return false;
    }
    if (!disk_add_young(d, &d->again, false))
      return false;
  }
  frontier_clear(&d->again);
  return true;
}

/* Nothing is put into the set, but it must be as large as its keys are wide. */
bool disk_name_all(disk *d)
{
  bool done = disk_spilling(d)->clear(disk_store(d), disk_divide_memory(d)) &&
              disk_spilling(d)->expect(disk_store(d), d->longest);
  tiers_free(&d->io, &d->seen);
  for (size_t i = 0; done && i < d->packed_old.runs.len; i++)
    done = name_run(d, &d->packed_old.runs.data[i]);
  packed_set_free(&d->io, &d->packed_old);
  return done && disk_write_known(d);
}
