/* When states go to the disk, and what is asked of it; see disk.h. */

#include "search/disk/disk_internal.h"

#include "base/alloc.h"
#include "base/system/address_space.h"
#include "search/checkpoint/checkpoint.h"
#include "search/disk/kept_disk.h"
#include "search/ranks/fleet.h"
#include "search/runs/runs.h"

#include <errno.h>

enum {
  LEAST = 1 << 16,        /* bytes of the set, and of a list; */
  LEAST_TESTED = 1 << 10, /* where the limit is that of a test */
  MOST_TESTED = 1 << 24,
  MOST_WINDOWS = 1 << 20, /* bytes for reading and writing */
  MOST_FIRST = 1 << 26    /* bytes of the list that is sorted first */
};

/* ---- memory --------------------------------------------------------------- */

static size_t at_least(size_t size, size_t least)
{
  return size > least ? size : least;
}

/* What the set and the lists have now. */
static size_t shared_bytes(const disk *d)
{
  if (!d->has_spilled)
    return 0;
  return disk_spilling(d)->set_bytes(disk_store(d)) + levels_bytes(d->team) +
         d->held.memory.committed + d->young.memory.committed +
         d->again.memory.committed;
}

/* Bytes that the set and the lists may share; the tables go on growing, slowly,
** and have a part of what is left. */
static size_t bytes_to_share(const disk *d)
{
  const search *r = d->team->asker;
  size_t limit = r->options->disk_bytes, used = 0;
  if (!limit)
    return (limits_room(r->watch.limits) + shared_bytes(d)) / 4 * 3;
  used = r->result->store->bytes(disk_store(d)) -
         disk_spilling(d)->set_bytes(disk_store(d));
  used += disk_dense_bytes(d);
  return limit > used ? limit - used : 0;
}

static size_t handles_in(const disk *d, size_t bytes)
{
  size_t least = d->team->asker->options->disk_bytes ? LEAST_TESTED : LEAST;
  return at_least(bytes, least) / sizeof(store_handle);
}

/* Lists keep their memory when they are empty; what they will not need is given
** back. */
static void shrink(frontier *f, size_t handles)
{
  size_t most =
      (f->count > handles ? f->count : handles) * sizeof(store_handle);
  if (f->memory.committed > most)
    reserve_shrink(&f->memory, most);
}

static void shrink_lists(disk *d)
{
  team *t = d->team;
  shrink(&d->held, d->most_held);
  shrink(&d->young, d->most_held);
  shrink(&d->again, 0);
  if (t->keeps && d->has_spilled && !d->is_dense) {
    kept_levels_write(&d->kept, &d->io, &t->kept);
    shrink(&t->kept, 0);
  }
  for (uint32_t i = 0; i < t->count; i++) {
    shrink(&t->walkers[i].next, d->most_candidates);
    shrink(&t->walkers[i].here, i ? 0 : d->chunk);
  }
}

/* With a reduction the set must hold all candidates, at half to two thirds of
** their bytes in the list, and some of what is known.  Without one they can go to
** the disk at any time, and the more the set knows the fewer they are.  The rest
** is for other lists. */
size_t disk_divide_memory(disk *d)
{
  size_t share = bytes_to_share(d) >> d->squeezed;
  d->most_candidates =
      handles_in(d, share / 16 * (disk_reduces(d) ? 6 : 2) / d->team->most);
  d->most_held = handles_in(d, share / 32);
  d->chunk = handles_in(d, share / 16);
  if (d->is_dense)
    d->needed = dense_needs(d, share);
  shrink_lists(d);
  d->set_bytes = at_least(share / 16 * (disk_reduces(d) ? 7 : 11), d->least);
  return d->set_bytes;
}

/* The successors of one cohort are too many for the set: it may be larger, if
** there is memory. */
static bool allow_more(disk *d)
{
  const search *r = d->team->asker;
  size_t most =
      r->options->disk_bytes ? MOST_TESTED : limits_room(r->watch.limits);
  if (d->least > most / 4)
    return false;
  d->least *= 4;
  return true;
}

/* Little is left for all else, which is not asked whether it can do without. */
bool disk_lacks_memory(const disk *d)
{
  const limits *l = d->team->asker->watch.limits;
  return l->asked.memory_bytes && limits_room(l) < d->needed;
}

/* Nothing was done since room was made last.  Either the set is too small for
** what belongs together, or the tables have no room beside it: a table becomes at
** most twice as large when it grows. */
static bool can_help(disk *d, bool lacks_memory)
{
  enum { MOST = 3 };
  const search *r = d->team->asker;
  size_t has = disk_spilling(d)->set_bytes(disk_store(d));
  size_t tables = r->result->store->bytes(disk_store(d)) - has;
  bool is_small =
      has > d->set_bytes / 2 || limits_room(r->watch.limits) > 2 * tables;
  if (r->options->disk_bytes)
    return allow_more(d);
  if (is_small && !lacks_memory && allow_more(d))
    return true;
  if (d->squeezed < MOST)
    d->squeezed++;
  else if (disk_can_renew(d))
    d->must_renew = true;
  else
    return allow_more(d);
  return true;
}

/* Once they were too large they will be so again: then nothing is gained by giving
** them what little the set and the lists have. */
static bool tables_are_full(const disk *d)
{
  const search *r = d->team->asker;
  size_t has = disk_spilling(d)->set_bytes(disk_store(d));
  return disk_is_whole(d) && !r->options->disk_bytes &&
         has <= d->set_bytes / 2 && disk_can_renew(d);
}

bool disk_wants_pause(const walker *w)
{
  const team *t = w->team;
  const disk *d = t->disk;
  const search *r = t->asker;
  if (r->runs && runs_is_sweeping(r->runs)) /* nothing is stored */
    return false;
  if (disk_lacks_memory(d))
    return true;
  if (d->has_spilled)
    return w->next.count >= d->most_candidates ||
           w->waiting.len >= 2 * d->most_candidates ||
           (w->own.desk && w->own.desk->late.len >= d->most_candidates);
  if (w->index || !r->options->disk_bytes)
    return false;
  return r->result->store->bytes(r->watch.store) +
             t->count * (w->here.count + w->next.count) * sizeof(store_handle) >
         r->options->disk_bytes;
}

/* ---- with other ranks ----------------------------------------------------- */

/* States have owners. */
static bool is_divided(const team *t)
{
  const fleet *f = t->asker->fleet;
  return f && f->is_spread;
}

/* ---- a disk --------------------------------------------------------------- */

static bool can_spill(const search *r)
{
  if (!r->result->store->spilling || r->options->prefix)
    return false;
  return r->options->asked.disk || (!r->runs && dense_suits(r));
}

void disk_create(team *t)
{
  search *r = t->asker;
  if (!can_spill(r))
    return;
  disk *d = t->disk = mem_alloc(sizeof *d);
  d->team = t;
  d->least = r->options->disk_bytes ? LEAST_TESTED : LEAST;
  d->needed = DISK_SPARE;
  if (!r->options->asked.disk) {
    dense_create(d);
    return;
  }
  r->result->disk.is_used = true;
  size_t windows = bytes_to_share(d) / 8;
  windows = windows < MOST_WINDOWS ? windows : MOST_WINDOWS;
  if (!run_io_create(&d->io, r->options->asked.disk, windows)) {
    watch_stop(&r->watch, REASON_DISK);
    return;
  }
  r->result->disk.is_memory = scratch_is_memory(d->io.scratch);
  frontier *lists[] = {&d->held, &d->young, &d->again};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (!space_reserve(&lists[i]->memory, r->watch.room))
      mem_give_up();
  /* What the first spill needs is there when memory is used up. */
  size_t first = bytes_to_share(d) / 16;
  first = first < MOST_FIRST ? first : MOST_FIRST;
  if (!reserve_commit(&d->young.memory, at_least(first, LEAST)))
    mem_give_up();
  d->spare = mem_alloc(DISK_SPARE);
}

/* Memory for what is needed on the way, when there is none. */
static void take_spare(disk *d)
{
  if (!d->spare)
    d->spare = mem_try_alloc(DISK_SPARE);
}

static void give_spare(disk *d)
{
  mem_free(d->spare, DISK_SPARE);
  d->spare = NULL;
}

static void free_packed(disk *d)
{
  packed_set_free(&d->io, &d->packed_old);
  packed_set_free(&d->io, &d->packed_here);
  packed_set_free(&d->io, &d->packed_next);
  packed_free(&d->io, &d->level_list);
  packed_free(&d->io, &d->coming_list);
  packed_free(&d->io, &d->again_list);
  packed_free(&d->io, &d->packed);
  packed_set_free(&d->io, &d->packed_pending);
  packed_free(&d->io, &d->level_whole);
  packed_free(&d->io, &d->coming_whole);
  packed_writer_free(&d->whole_packer);
  packed_stream_free(&d->whole_reader);
  packed_writer_free(&d->level_packer);
  packed_writer_free(&d->coming_packer);
  packed_stream_free(&d->level_reader);
  packed_work_free(&d->work, &d->io);
  vec_free(&d->state);
  vec_free(&d->last);
}

static void free_runs(disk *d)
{
  tiers_free(&d->io, &d->old);
  tiers_free(&d->io, &d->here);
  tiers_free(&d->io, &d->next);
  tiers_free(&d->io, &d->pending);
  tiers_free(&d->io, &d->seen);
  sorted_free(&d->io, &d->level);
  sorted_free(&d->io, &d->coming);
  free_packed(d);
  kept_levels_free(&d->kept, &d->io);
  tiers_free(&d->io, &d->parts);
  sorted_free(&d->io, &d->remade);
  kept_levels_free(&d->kept_anew, &d->io);
  vec_free(&d->keys);
}

void disk_tell(const disk *d)
{
  if (!d)
    return;
  disk_figures *f = &d->team->asker->result->disk;
  f->merges =
      d->old.merges + d->here.merges + d->next.merges + d->pending.merges;
  f->bytes = d->io.most_bytes;
  f->read = d->io.read;
  f->written = d->io.written;
  f->is_dense = d->is_dense;
  f->error = d->is_dense ? 0 : d->io.error;
}

void disk_begin_again(team *t)
{
  disk *d = t->disk;
  atomic_store(&t->paused, false);
  atomic_store(&t->refused, false);
  if (!d)
    return;
  free_runs(d);
  frontier_clear(&d->held);
  frontier_clear(&d->young);
  frontier_clear(&d->again);
  d->has_spilled = d->here_is_held = d->is_loaded = d->is_spread = false;
  d->is_gathered = false;
  d->unread = NULL;
  d->renewed = d->tables = d->squeezed = 0;
  d->emptied_at = d->vain = 0;
  if (d->is_dense)
    dense_create(d);
}

void disk_destroy(team *t)
{
  disk *d = t->disk;
  if (!d)
    return;
  if (!is_divided(t)) /* or all ranks have told */
    disk_tell(d);
  free_runs(d);
  give_spare(d);
  dense_give_reserve(d);
  run_io_destroy(&d->io);
  reserve_destroy(&d->held.memory);
  reserve_destroy(&d->young.memory);
  reserve_destroy(&d->again.memory);
  reserve_destroy(&d->held.asleep); /* of a walker whose list it was */
  mem_free(d, sizeof *d);
  t->disk = NULL;
}

/* ---- ends ----------------------------------------------------------------- */

bool disk_has_failed(disk *d)
{
  search *r = d->team->asker;
  if (!d->io.error)
    return false;
  if (d->io.error == EINTR) {
    d->io.error = 0;
    (void)limits_reached(r->watch.limits);
    watch_left(&r->watch);
  } else if (d->is_dense && d->io.error == ENOMEM) {
    watch_full(&r->watch);
  } else {
    watch_stop(&r->watch, REASON_DISK);
  }
  team_stop(d->team);
  return true;
}

static void end_for_memory(disk *d)
{
  watch_full(&d->team->asker->watch);
  team_stop(d->team);
}

/* ---- a level -------------------------------------------------------------- */

static uint64_t expanded_so_far(const team *t)
{
  uint64_t sum = t->asker->result->stats.expanded;
  for (uint32_t i = 0; i < t->count; i++)
    sum += t->walkers[i].result.stats.expanded +
           t->walkers[i].result.stats.transitions;
  return sum + (t->asker->fleet ? fleet_stored(t->asker->fleet) : 0);
}

/* A job was left because there is no room, or there are enough candidates. */
static bool make_room(disk *d)
{
  team *t = d->team;
  bool refused = atomic_load(&t->refused);
  if (d->is_torn)
    return false;
  if (!t->finishes && limits_reached(t->asker->watch.limits)) {
    watch_left(&t->asker->watch);
    if (t->by_rounds) /* it may wait for the end of the round */
      fleet_look(t);
    if (t->asker->watch.stop) {
      team_stop(t);
      return false;
    }
  }
  uint64_t expanded = expanded_so_far(t);
  bool lacks_memory = disk_lacks_memory(d);
  give_spare(d);
  if (!d->has_spilled) {
    limits_settle(t->asker->watch.limits);
    team_give_back_pieces(t);
    d->expanded = expanded;
    if (d->is_dense && dense_goes_on_without(d))
      return true;
    return (!d->is_dense || dense_begin(d)) && disk_spill_first(d) &&
           !disk_has_failed(d);
  }
  refused |= d->is_dense && dense_room(d) < d->needed;
  if (refused && dense_is_vain(d))
    return false;
  if (refused && tables_are_full(d))
    d->must_renew = true;
  else if (refused && expanded == d->expanded && !can_help(d, lacks_memory))
    return false;
  disk_mark_undone(d);
  disk_resolve_some(d);
  if (disk_reduces(d) && !d->io.error)
    disk_decide(d);
  /* Choices wait by the place of their state, which is moved only now. */
  team_give_back_pieces(t);
  if (refused && !d->io.error &&
      !(disk_should_renew(d) ? disk_renew(d) : disk_empty_set(d)))
    return false;
  if (refused)
    d->expanded = expanded;
  return !disk_has_failed(d);
}

static void begin_job(team *t)
{
  atomic_store(&t->paused, false);
  atomic_store(&t->refused, false);
  if (!atomic_load(&t->stop))
    atomic_store(&t->wanted, false);
  for (uint32_t i = 0; i < t->count; i++) {
    t->walkers[i].rest_count = 0;
    t->walkers[i].busy = false;
  }
}

/* Has all parts expanded.  False: the run ends. */
static bool run_job(disk *d, team_job *job, bool by_all, bool has_more)
{
  team *t = d->team;
  for (;;) {
    begin_job(t);
    if (t->asker->fleet)
      fleet_begin_job(t->asker->fleet, has_more);
    team_run(t, job, by_all);
    if (atomic_load(&t->stop) || t->asker->watch.stop)
      return false;
    if (!atomic_load(&t->paused) && !d->is_torn)
      return true;
    if (!make_room(d)) {
      if (!atomic_load(&t->stop))
        end_for_memory(d);
      return false;
    }
    take_spare(d);
  }
}

/* Cohorts that were left in the middle count as not begun. */
static void undo_cohorts(team *t)
{
  disk_mark_undone(t->disk);
  for (uint32_t i = 0; i < t->count; i++)
    if (t->walkers[i].busy) {
      (void)walker_abandon(&t->walkers[i]);
      t->walkers[i].busy = false;
    }
}

/* Candidates are resolved, and what waits for that is decided. */
static bool decide(disk *d)
{
  disk_resolve_some(d);
  if (disk_has_failed(d))
    return false;
  disk_decide(d);
  return true;
}

/* The rest of the states for which the chosen successors will not do. */
static bool expand_listed(disk *d, bool by_all)
{
  team *t = d->team;
  d->only[0] = &d->again;
  t->parts = d->only;
  t->part_count = 1;
  bool done = run_job(d, t->asker->loop->level_rest, by_all, true);
  if (!done) { /* what is left of them is there if the run goes on in a file */
    undo_cohorts(t);
    team_give_back_pieces(t);
  }
  t->parts = t->own_parts;
  t->part_count = t->count;
  if (done)
    frontier_clear(&d->again);
  return done;
}

static bool expand_again(disk *d, bool by_all)
{
  return decide(d) && expand_listed(d, by_all);
}

/* What became of the states at hand: they are old from the next level on. */
static void settle_chunk(disk *d)
{
  team *t = d->team;
  for (uint32_t i = 0; i < t->count; i++) {
    frontier *here = &t->walkers[i].here;
    for (size_t k = 0; k < here->count && d->rests; k++)
      frontier_handles(here)[k] |= FRONTIER_FULL;
    keys_sort(frontier_handles(here), here->count);
    tiers_write(&d->io, &d->old, frontier_handles(here), here->count,
                RUN_MARKS);
  }
}

static void read_chunk(disk *d, frontier *here, size_t most)
{
  while (here->count < most && d->level.count && sorted_next(&d->level_stream))
    if (!frontier_add(here, d->level_stream.key))
      mem_give_up(); /* it was read, and would not be expanded */
  if (!here->count && !d->io.error)
    disk_load_packed(d, here, most);
}

/* Leaves out what other ranks own. */
static void read_own(disk *d, frontier *here, size_t most)
{
  search *own = &d->team->walkers[0].own;
  own->watch.store = disk_store(d);
  for (size_t read = 1; read && !here->count;) {
    read_chunk(d, here, most);
    read = here->count;
    d->team->asker->loop->level_spread(own);
  }
  d->level_size += here->count;
}

static void read_some(disk *d, frontier *here, size_t most)
{
  if (d->is_spread)
    read_own(d, here, most);
  else
    read_chunk(d, here, most);
}

/* There is no room in the tables for a state that is to be expanded, or its numbers
** are too wide for the set. */
static void load_anew(disk *d, frontier *here)
{
  give_spare(d);
  disk_resolve_some(d);
  bool has_room = !d->io.error && disk_empty_set(d);
  while (has_room && !d->io.error) {
    /* Lists may be smaller now. */
    size_t most = frontier_has_some(here, d->chunk);
    if (!most)
      mem_give_up();
    read_some(d, here, most);
    if (!d->unread || here->count)
      break;
    has_room =
        disk_can_renew(d) ? disk_renew(d) : allow_more(d) && disk_empty_set(d);
  }
  take_spare(d);
}

/* The next states of this level; false: there are none, or no memory. */
static bool load_chunk(disk *d)
{
  team *t = d->team;
  frontier *here = &t->walkers[0].here;
  for (uint32_t i = 0; i < t->count; i++)
    frontier_clear(&t->walkers[i].here);
  size_t most = frontier_has_some(here, d->chunk);
  if (!most)
    mem_give_up();
  read_some(d, here, most);
  if (d->unread && !here->count && !d->io.error)
    load_anew(d, here);
  d->is_loaded |= here->count;
  if (d->unread && !here->count)
    end_for_memory(d);
  return here->count && !disk_has_failed(d);
}

/* All states of the level are expanded: where those of the next one are. */
static void end_level(disk *d)
{
  team *t = d->team;
  disk_end_whole(d);
  if (!dense_resolve_all(d)) {
    end_for_memory(d);
    return;
  }
  bool is_small = !disk_reduces(d) || (d->here_is_held && !d->was_emptied_here);
  if (disk_coming(d) || !is_small)
    disk_write_held(d);
  if (disk_has_failed(d) || disk_coming(d))
    return;
  frontier swap = t->walkers[0].next;
  t->walkers[0].next = d->held;
  d->held = swap;
}

/* ---- in a file -------------------------------------------------------------- */

static bool waits(const disk *d)
{
  bool some = d->again.count;
  for (uint32_t i = 0; i < d->team->count; i++)
    some |= d->team->walkers[i].waiting.len;
  return some && disk_reduces(d);
}

/* The run ends, but choices wait: they are made, and what is left out of some states
** is stored. */
static bool finish(disk *d)
{
  team *t = d->team;
  search *r = t->asker;
  bool stop = r->watch.stop;
  reason why = r->result->reason;
  r->watch.stop = false;
  t->finishes = true;
  undo_cohorts(t);
  atomic_store(&t->stop, false);
  disk_resolve_some(d);
  if (!d->io.error)
    disk_decide(d);
  team_give_back_pieces(t);
  bool done = !d->io.error && expand_again(d, false);
  if (done)
    disk_resolve_some(d);
  t->finishes = false;
  r->watch.stop = stop;
  r->result->reason = why;
  atomic_store(&t->stop, true);
  return done && !d->io.error;
}

bool disk_can_be_told(disk *d, bool last)
{
  const search *r = d ? d->team->asker : NULL;
  if (!disk_has_spilled(d))
    return true;
  if (r->runs && runs_is_sweeping(r->runs))
    return runs_settle(r->runs);
  if (d->is_torn || d->io.error)
    return false;
  if (!disk_reduces(d))
    return true;
  if (is_divided(d->team)) { /* behind a round nothing waits */
    disk_resolve_some(d);
    return !d->io.error;
  }
  d->owes_file = !last && waits(d);
  if (waits(d))
    return last && finish(d);
  if (last)
    undo_cohorts(d->team);
  disk_resolve_some(d);
  return !d->io.error;
}

/* A file was wanted while choices waited. */
static void save_owed(disk *d)
{
  if (!d->owes_file)
    return;
  for (uint32_t i = 0; i < d->team->count; i++)
    d->team->walkers[i].rest_count = 0;
  if (disk_can_be_told(d, false))
    checkpoint_save(d->team->checkpoint, d->team, false);
}

/* Expands what there is of this level, in parts if it is on disk.  False: the run
** ends. */
static bool expand_chunks(disk *d, bool by_all)
{
  team *t = d->team;
  team_job *share = t->asker->loop->level_share;
  for (;;) {
    if (!run_job(d, share, by_all, true))
      return false;
    if (!d->has_spilled || atomic_load(&t->halts))
      return true;
    if (!d->rests && !(is_divided(t) ? decide(d) : expand_again(d, by_all)))
      return false;
    if (d->is_loaded && disk_reduces(d))
      settle_chunk(d);
    save_owed(d);
    if (!disk_level_size(d) || !load_chunk(d))
      return !atomic_load(&t->stop);
  }
}

/* False: there is nothing to expand. */
static bool begin_level(disk *d)
{
  team *t = d->team;
  d->was_emptied_here = false;
  d->rests = !disk_reduces(d) || reduce_rests(t->asker->reduction);
  d->level_size = team_gone(t) + (d->is_spread ? 0 : disk_level_size(d));
  for (uint32_t i = 0; i < t->count; i++)
    d->level_size += t->walkers[i].here.count;
  if (t->asker->watch.stop)
    return false;
  if (d->has_spilled && d->level.count)
    sorted_open(&d->level_stream, &d->io, &d->level, RUN_LEVEL);
  d->is_loaded = disk_level_size(d);
  return !d->is_loaded || load_chunk(d);
}

/* Takes what comes until all ranks have sent all.  Nothing is expanded: where the
** round was halted, the rest of the level stays. */
static bool take_last(disk *d, bool by_all)
{
  team *t = d->team;
  t->part_count = 0;
  bool done = run_job(d, t->asker->loop->level_share, by_all, false);
  t->part_count = t->count;
  return done;
}

void disk_expand(team *t, bool by_all)
{
  disk *d = t->disk;
  bool goes_on = is_divided(t) && t->asker->fleet->is_later;
  bool done = goes_on || begin_level(d) ? expand_chunks(d, by_all)
                                        : !atomic_load(&t->stop);
  if (t->asker->watch.stop)
    return;
  if (done && is_divided(t)) {
    round_leave(t);
    team_give_back_pieces(t);
    done = take_last(d, by_all);
  }
  if (done && d->has_spilled && is_divided(t) && !d->rests)
    (void)decide(d);
  if (done && d->has_spilled && !is_divided(t))
    end_level(d);
}

void disk_end_level(team *t)
{
  if (t->disk->has_spilled)
    end_level(t->disk);
}

/* ---- the rest of a level of several ranks --------------------------------- */

/* States for which nobody spoke are expanded fully: that is noted where they are. */
static void note_full(disk *d)
{
  team *t = d->team;
  uint64_t *keys = frontier_handles(&d->again);
  size_t count = d->again.count;
  keys_sort(keys, count);
  /* A round may have ended in the middle of a chunk, which is written later. */
  for (uint32_t i = 0; i < t->count && count; i++) {
    frontier *here = &t->walkers[i].here;
    for (size_t k = 0; k < here->count; k++)
      if (keys_has(keys, count, frontier_handles(here)[k]))
        frontier_handles(here)[k] |= FRONTIER_FULL;
  }
  if (!d->is_loaded)
    return;
  /* As not, so far; the youngest run counts. */
  for (size_t i = 0; i < count; i++)
    keys[i] |= FRONTIER_FULL;
  tiers_write(&d->io, &d->old, keys, count, RUN_MARKS);
  for (size_t i = 0; i < count; i++)
    keys[i] &= ~FRONTIER_FULL;
}

/* All answers are there. */
static void judge_doubts(disk *d)
{
  team *t = d->team;
  for (uint32_t i = 0; i < t->count; i++) {
    const search *own = &t->walkers[i].own;
    for (size_t k = 0; k < own->desk->doubts.len; k++) {
      const doubt *one = &own->desk->doubts.data[k];
      if (one->is_kept)
        reduce_leave_out(own->reduction, one->left_out);
      else if (!frontier_add(&d->again, one->state))
        mem_give_up();
    }
  }
  note_full(d);
}

void disk_expand_rest(team *t, bool by_all)
{
  disk *d = t->disk;
  if (t->asker->watch.stop)
    return;
  judge_doubts(d);
  if (!disk_has_failed(d) && expand_listed(d, by_all))
    (void)take_last(d, by_all);
}

uint64_t disk_next_size(const disk *d)
{
  return disk_has_spilled(d) ? disk_coming(d) : 0;
}

void disk_spread(disk *d)
{
  if (disk_has_spilled(d))
    d->is_spread = true;
}

uint64_t disk_waiting(const disk *d)
{
  uint64_t next = disk_coming(d);
  for (uint32_t i = 0; i < d->team->count; i++)
    next += d->team->walkers[i].next.count;
  return d->level_size + next;
}

static void move_on_packed(disk *d)
{
  packed_set_free(&d->io, &d->packed_here);
  d->packed_here = d->packed_next;
  d->packed_next = (packed_set){0};
  for (size_t i = 0; i < d->packed_here.runs.len; i++)
    d->packed_here.runs.data[i].kind = RUN_UNMARKED;
  packed_free(&d->io, &d->level_list);
  d->level_list = d->coming_list;
  d->coming_list = (packed_run){0};
  packed_writer swap = d->level_packer;
  d->level_packer = d->coming_packer;
  d->coming_packer = swap;
  d->level_packer.run = &d->level_list;
  d->level_reader.run = d->whole_reader.run = NULL;
  d->level_whole = d->coming_whole;
  d->coming_whole = (packed_run){0};
}

/* What was of the next level is of this one. */
static void move_on(disk *d)
{
  tiers_free(&d->io, &d->here);
  d->next.merges += d->here.merges;
  d->here = d->next;
  d->here.merges = 0;
  d->next = (tiers){.merges = d->next.merges};
  for (size_t i = 0; i < d->here.runs.len; i++)
    d->here.runs.data[i].kind = RUN_UNMARKED;
  sorted_free(&d->io, &d->level);
  d->level_stream = (run_stream){0};
  d->level = d->coming;
  d->coming = (sorted_run){0};
  move_on_packed(d);
}

/* The run ended behind the level, before the next began: a file of that moment has
** the next as this one. */
static bool ends_behind(const team *t)
{
  reason why = t->asker->result->reason;
  return t->checkpoint && !t->was_saved && !t->disk->io.error &&
         (why == REASON_TIME_LIMIT || why == REASON_INTERRUPTED);
}

void disk_turn_over(disk *d)
{
  if (!disk_has_spilled(d) ||
      (d->team->asker->watch.stop && !ends_behind(d->team)))
    return;
  team *t = d->team;
  bool is_small = d->here_is_held && !d->was_emptied_here;
  bool was_read = d->is_loaded;
  for (uint32_t i = 0; i < t->count && d->here_is_held; i++)
    if (!disk_add_young(d, &t->walkers[i].here, disk_reduces(d) && d->rests))
      end_for_memory(d);
  if (disk_reduces(d) && !d->here_is_held && !was_read)
    settle_chunk(d);
  if (was_read) /* they are in runs */
    for (uint32_t i = 0; i < t->count; i++)
      frontier_clear(&t->walkers[i].here);
  /* Marks of the set are those before this level. */
  d->here_is_held = false;
  if (disk_reduces(d) && !is_small && (dense_is_vain(d) || !disk_empty_set(d)))
    end_for_memory(d);
  d->here_is_held = !disk_coming(d);
  d->is_spread = false;
  move_on(d);
  (void)disk_has_failed(d);
}
