/* Without a disk: the same runs in memory, where a state takes less than in the
** set.  As they grow the set becomes smaller; when that is of no use any more the
** run ends. */

#include "search/disk/disk_internal.h"

#include "base/alloc.h"
#include "base/system/address_space.h"

enum {
  LEAST_ROOM = 3 << 20,   /* bytes there are at the start, */
  LEAST_PAYING = 2 << 20, /* of set and lists, */
  LEAST_FIRST = 1 << 16,  /* of the list that is sorted first, */
  MOST_FIRST = 1 << 22,
  PART_FIRST = 64, /* of what there is */
  LEAST_WINDOWS = RUN_WINDOWS * RUN_WINDOW_LEAST * RUN_BLOCK,
  SLOTS = 2 * RUN_MERGE * MEMORY_SLOT, /* of files that are merged, about */
  EACH = 4                             /* bytes of a candidate in runs, about */
};

static bool is_tested(const disk *d)
{
  return d->team->asker->options->disk_bytes;
}

/* What lists and set have. */
static size_t moving_bytes(const disk *d)
{
  return disk_spilling(d)->set_bytes(disk_store(d)) + levels_bytes(d->team);
}

size_t dense_room(const disk *d)
{
  const search *r = d->team->asker;
  size_t limit = r->options->disk_bytes;
  if (!limit)
    return limits_room(r->watch.limits);
  size_t used = r->result->store->bytes(disk_store(d)) + levels_bytes(d->team);
  used += disk_dense_bytes(d);
  return limit > used ? limit - used : 0;
}

size_t disk_dense_bytes(const disk *d)
{
  return d && d->io.held ? memory_files_bytes(d->io.held) : 0;
}

size_t dense_needs(const disk *d, size_t share)
{
  (void)d;
  return share / 8 + DISK_SPARE + SLOTS;
}

/* ---- the beginning ---------------------------------------------------------- */

static size_t first_bytes(const disk *d)
{
  size_t bytes = d->team->asker->watch.room / PART_FIRST;
  if (bytes < LEAST_FIRST)
    return LEAST_FIRST;
  return bytes < MOST_FIRST ? bytes : MOST_FIRST;
}

/* What the first spill needs is there when memory is used up: a set that grows
** would take all of it. */
void dense_create(disk *d)
{
  d->is_dense = true;
  d->needed = DISK_SPARE;
  d->reserve_bytes = first_bytes(d) + LEAST_WINDOWS + SLOTS;
  if (!d->reserve)
    d->reserve = mem_try_alloc(d->reserve_bytes);
}

void dense_give_reserve(disk *d)
{
  mem_free(d->reserve, d->reserve_bytes);
  d->reserve = NULL;
}

bool dense_suits(const search *r)
{
  return r->options->condenses && !r->fleet && !r->options->checkpoint &&
         !r->resume && !r->options->on_stored &&
         (r->options->disk_bytes || r->watch.room >= LEAST_ROOM);
}

/* Tables stay as they are, and what is left must be worth the trouble. */
static bool pays(const disk *d)
{
  size_t moving = moving_bytes(d);
  size_t tables = d->team->asker->result->store->bytes(disk_store(d)) -
                  disk_spilling(d)->set_bytes(disk_store(d));
  return is_tested(d) || (moving >= LEAST_PAYING && moving > tables);
}

/* What a walker has stored of a cohort that it left is in the set, which stays as it
** is: it would not be new when the cohort is expanded again, so it is entered now. */
static bool enter_fresh(disk *d, walker *w)
{
  team *t = d->team;
  search *own = &w->own;
  size_t count = w->busy ? own->fresh.len : 0;
  if (!frontier_has_room(&w->next, count))
    return false;
  own->watch.store = disk_store(d);
  w->judged = w->busy; /* some of it, if memory runs out below */
  for (size_t i = 0; i < count; i++) {
    store_handle handle = own->fresh.data[i].number;
    const uint8_t *state;
    frontier_add(&w->next, handle);
    uint32_t length = own->state_at(own, handle, &state);
    if (t->judges && own->judges_states)
      least_judge_whole(w, state, length);
    if (own->reduction)
      reduce_meet(own->reduction, state, length);
  }
  w->result.stats.states += count;
  if (count)
    w->result.stats.depth = t->asker->watch.depth + 1;
  vec_clear(&own->fresh);
  w->busy = w->judged = false;
  return true;
}

bool dense_goes_on_without(disk *d)
{
  if (!d->reserve || pays(d))
    return false;
  dense_give_reserve(d);
  d->needed = 0;
  for (uint32_t i = 0; i < d->team->count; i++)
    if (!enter_fresh(d, &d->team->walkers[i]))
      mem_give_up(); /* the search ends, and they would be lost */
  return true;
}

/* What lists have in advance is given back. */
static void give_slack(const team *t)
{
  for (uint32_t i = 0; i < t->count; i++) {
    frontier *both[] = {&t->walkers[i].here, &t->walkers[i].next};
    for (int k = 0; k < 2; k++)
      reserve_shrink(&both[k]->memory, both[k]->count * sizeof(store_handle));
  }
}

static bool make_lists(disk *d)
{
  frontier *lists[] = {&d->held, &d->young, &d->again};
  size_t room = d->team->asker->watch.room;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (!lists[i]->memory.base && !space_reserve(&lists[i]->memory, room))
      return false;
  return frontier_has_some(&d->young, first_bytes(d) / sizeof(store_handle));
}

bool dense_begin(disk *d)
{
  dense_give_reserve(d);
  give_slack(d->team);
  if (!pays(d))
    return false;
  if (!d->io.held &&
      !run_io_hold(&d->io, d->team->asker->watch.room, LEAST_WINDOWS)) {
    d->io.error = 0;
    return false;
  }
  return make_lists(d);
}

bool dense_is_vain(disk *d)
{
  enum { LEAST_PART = 512, MOST_TIMES = 8 };
  uint64_t expanded = disk_expanded(d->team);
  uint64_t some = d->team->asker->result->stats.states / LEAST_PART;
  if (!d->is_dense || is_tested(d))
    return false;
  d->vain = expanded - d->emptied_at < some ? d->vain + 1 : 0;
  d->emptied_at = expanded;
  return d->vain > MOST_TIMES;
}

/* ---- the end of a level ------------------------------------------------------ */

/* Candidates that are put off become runs that are asked for in one pass, and may
** all be new. */
static bool is_tight(const disk *d)
{
  uint64_t candidates = 0;
  if (!d->is_dense || disk_reduces(d) || !d->pending.runs.len)
    return false;
  for (size_t i = 0; i < d->pending.runs.len; i++)
    candidates += d->pending.runs.data[i].count;
  for (uint32_t i = 0; i < d->team->count; i++)
    candidates += d->team->walkers[i].next.count;
  return dense_room(d) < candidates * EACH + d->needed;
}

bool dense_resolve_all(disk *d)
{
  bool tight = is_tight(d);
  if (tight && (dense_is_vain(d) || !disk_write_known(d) ||
                !disk_spilling(d)->clear(disk_store(d), 0)))
    return false;
  disk_resolve_all(d);
  if (!tight || d->io.error)
    return true;
  d->was_emptied_here = true;
  d->team->asker->result->disk.spills++;
  return disk_spilling(d)->clear(disk_store(d), disk_divide_memory(d));
}
