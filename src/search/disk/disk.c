/* When states go to the disk, and what is asked of it; see disk.h. */

#include "search/disk/disk.h"

#include "base/alloc.h"
#include "base/system/address_space.h"

#include <errno.h>

enum {
  LEAST = 1 << 16,        /* bytes of the set, and of a list; */
  LEAST_TESTED = 1 << 10, /* where the limit is that of a test */
  MOST_TESTED = 1 << 24,
  SPARE = 1 << 17,
  MOST_FIRST = 1 << 26 /* bytes of the list that is sorted first */
};

/* ---- memory --------------------------------------------------------------- */

static store *store_of(const disk *d)
{
  return d->team->asker->watch.store;
}

static const store_spilling *spilling_of(const disk *d)
{
  return d->team->asker->result->store->spilling;
}

static size_t at_least(size_t size, size_t least)
{
  return size > least ? size : least;
}

/* Bytes that the set and the lists may share; the tables go on growing, slowly,
** and have a part of what is left. */
static size_t bytes_to_share(const disk *d)
{
  const search *r = d->team->asker;
  size_t limit = r->options->disk_bytes, used = 0;
  if (!limit)
    return limits_room(r->watch.limits) / 4 * 3;
  used = r->result->store->bytes(store_of(d)) -
         spilling_of(d)->set_bytes(store_of(d));
  return limit > used ? limit - used : 0;
}

static size_t handles_in(const disk *d, size_t bytes)
{
  size_t least = d->team->asker->options->disk_bytes ? LEAST_TESTED : LEAST;
  return at_least(bytes, least) / sizeof(store_handle);
}

/* The set must hold all candidates, at half to two thirds of their bytes in the
** list, and some of what is known; the rest is for other lists. */
static size_t divide_memory(disk *d)
{
  size_t share = bytes_to_share(d);
  d->most_candidates = handles_in(d, share / 8 * 3 / d->team->most);
  d->most_held = handles_in(d, share / 32);
  d->chunk = handles_in(d, share / 16);
  return at_least(share / 16 * 7, d->least);
}

/* The successors of one cohort are too many for the set: it may be larger, if
** there is memory. */
static bool allow_more(disk *d)
{
  const search *r = d->team->asker;
  size_t most =
      r->options->disk_bytes ? MOST_TESTED : limits_room(r->watch.limits);
  d->least *= 4;
  return d->least <= most;
}

/* Little is left for all else, which is not asked whether it can do without. */
bool disk_lacks_memory(const disk *d)
{
  const limits *l = d->team->asker->watch.limits;
  return l->asked.memory_bytes && limits_room(l) < SPARE;
}

bool disk_wants_pause(const walker *w)
{
  const team *t = w->team;
  const disk *d = t->disk;
  const search *r = t->asker;
  if (disk_lacks_memory(d))
    return true;
  if (d->has_spilled)
    return w->next.count >= d->most_candidates ||
           w->waiting.len >= 2 * d->most_candidates;
  if (w->index || !r->options->disk_bytes)
    return false;
  return r->result->store->bytes(r->watch.store) +
             t->count * (w->here.count + w->next.count) * sizeof(store_handle) >
         r->options->disk_bytes;
}

/* ---- a disk --------------------------------------------------------------- */

static bool can_spill(const search *r)
{
  return r->options->asked.disk && r->result->store->spilling && !r->runs &&
         !r->fleet && !r->options->prefix && !r->options->checkpoint;
}

void disk_create(team *t)
{
  search *r = t->asker;
  if (!can_spill(r))
    return;
  disk *d = t->disk = mem_alloc(sizeof *d);
  d->team = t;
  d->least = r->options->disk_bytes ? LEAST_TESTED : LEAST;
  r->result->disk.is_used = true;
  if (!run_io_create(&d->io, r->options->asked.disk)) {
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
  d->spare = mem_alloc(SPARE);
}

/* Memory for what is needed on the way, when there is none. */
static void take_spare(disk *d)
{
  if (!d->spare)
    d->spare = mem_try_alloc(SPARE);
}

static void give_spare(disk *d)
{
  mem_free(d->spare, SPARE);
  d->spare = NULL;
}

static void free_runs(disk *d)
{
  tiers_free(&d->io, &d->old);
  tiers_free(&d->io, &d->here);
  tiers_free(&d->io, &d->next);
  sorted_free(&d->io, &d->level);
  sorted_free(&d->io, &d->coming);
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
  f->merges = d->old.merges + d->here.merges + d->next.merges;
  f->bytes = d->io.most_bytes;
  f->read = d->io.read;
  f->written = d->io.written;
  f->error = d->io.error;
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
  d->has_spilled = d->here_is_held = false;
}

void disk_destroy(team *t)
{
  disk *d = t->disk;
  if (!d)
    return;
  disk_tell(d);
  free_runs(d);
  give_spare(d);
  run_io_destroy(&d->io);
  reserve_destroy(&d->held.memory);
  reserve_destroy(&d->young.memory);
  reserve_destroy(&d->again.memory);
  mem_free(d, sizeof *d);
  t->disk = NULL;
}

/* ---- ends ----------------------------------------------------------------- */

/* The run ends: the disk fails, or time is up while it works. */
static bool has_failed(disk *d)
{
  search *r = d->team->asker;
  if (!d->io.error)
    return false;
  if (d->io.error == EINTR) {
    d->io.error = 0;
    (void)limits_reached(r->watch.limits);
    watch_left(&r->watch);
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

/* ---- the set is emptied --------------------------------------------------- */

static bool reduces(const disk *d)
{
  return d->team->reductions;
}

/* Sorted keys of the next level, each new: to be found, and to be expanded. */
static void write_next(disk *d, const uint64_t *keys, size_t count)
{
  if (reduces(d))
    tiers_write(&d->io, &d->next, keys, count, RUN_MARKED);
  else
    tiers_write(&d->io, &d->old, keys, count, RUN_UNMARKED);
  if (!d->coming.count)
    sorted_begin(&d->coming_writer, &d->io, &d->coming, RUN_UNMARKED, 32);
  for (size_t i = 0; i < count; i++)
    sorted_put(&d->coming_writer, keys[i], false);
  sorted_end(&d->coming_writer);
}

static void write_held(disk *d)
{
  keys_sort(frontier_handles(&d->held), d->held.count);
  if (d->held.count)
    write_next(d, frontier_handles(&d->held), d->held.count);
  frontier_clear(&d->held);
}

static void write_young(disk *d)
{
  keys_sort(frontier_handles(&d->young), d->young.count);
  tiers_write(&d->io, &d->old, frontier_handles(&d->young), d->young.count,
              reduces(d) ? RUN_MARKS : RUN_UNMARKED);
  frontier_clear(&d->young);
}

/* What is in the list of a walker, which keeps its order, goes to the young ones,
** which are written when they are many. */
static bool add_young(disk *d, const frontier *f, bool all_marked)
{
  for (size_t i = 0; i < f->count; i++) {
    store_handle key = frontier_handles(f)[i];
    if (d->young.count >= d->most_held)
      write_young(d);
    if (!frontier_add(&d->young, all_marked ? key | FRONTIER_FULL : key))
      return false;
  }
  return true;
}

/* This level is in the set alone: it is written, too.  What becomes of its states
** is not known yet. */
static bool write_here(disk *d)
{
  team *t = d->team;
  tiers *to = reduces(d) ? &d->here : &d->old;
  for (uint32_t i = 0; i < t->count && d->here_is_held; i++) {
    const frontier *here = &t->walkers[i].here;
    for (size_t k = 0; k < here->count; k++)
      if (!frontier_add(&d->young, frontier_handles(here)[k] & ~FRONTIER_FULL))
        return false;
  }
  keys_sort(frontier_handles(&d->young), d->young.count);
  tiers_write(&d->io, to, frontier_handles(&d->young), d->young.count,
              RUN_UNMARKED);
  frontier_clear(&d->young);
  d->here_is_held = false;
  return true;
}

static bool empty_set(disk *d)
{
  write_young(d);
  write_held(d);
  if (!write_here(d))
    return false;
  size_t bytes = divide_memory(d);
  d->was_emptied_here = true;
  d->team->asker->result->disk.spills++;
  return spilling_of(d)->clear(store_of(d), bytes);
}

/* ---- the first time ------------------------------------------------------- */

/* All that the set has, but for what walkers stored of cohorts that are expanded
** later. */
typedef struct first_spill {
  disk *disk; /* whose 'keys' are left out */
  size_t room;
} first_spill;

static bool is_left_out(const first_spill *s, uint64_t key)
{
  const uint64_t *left_out = s->disk->keys.data;
  size_t low = 0, high = s->disk->keys.len;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (left_out[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low < s->disk->keys.len && left_out[low] == key;
}

static void spill_state(void *context, store_handle key, bool marked)
{
  first_spill *s = context;
  disk *d = s->disk;
  if (is_left_out(s, key) || d->io.error)
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

/* The states of the next level so far are all new. */
static void write_all_next(disk *d)
{
  team *t = d->team;
  for (uint32_t i = 0; i < t->count; i++) {
    frontier *next = &t->walkers[i].next;
    keys_sort(frontier_handles(next), next->count);
    if (reduces(d))
      tiers_write(&d->io, &d->next, frontier_handles(next), next->count,
                  RUN_MARKED);
    if (next->count && !d->coming.count)
      sorted_begin(&d->coming_writer, &d->io, &d->coming, RUN_UNMARKED, 32);
    for (size_t k = 0; k < next->count; k++)
      sorted_put(&d->coming_writer, frontier_handles(next)[k], false);
    sorted_end(&d->coming_writer);
    frontier_clear(next);
    reserve_shrink(&next->memory, 0);
  }
}

static bool spill_first(disk *d)
{
  search *r = d->team->asker;
  first_spill s = {.disk = d,
                   .room = d->young.memory.committed / sizeof(store_handle)};
  leave_out_fresh(&s);
  spilling_of(d)->each(store_of(d), spill_state, &s);
  vec_free(&d->keys);
  write_young(d);
  d->coming_writer = (run_writer){.io = &d->io, .run = &d->coming};
  write_all_next(d);
  uint64_t found = 0;
  for (uint32_t i = 0; i < d->team->count; i++)
    found += d->team->walkers[i].result.stats.states;
  r->result->disk.spilled_at = r->result->stats.states + found;
  r->result->disk.spills++;
  d->has_spilled = d->was_emptied_here = true;
  d->here_is_held = false;
  d->level_size = 0;
  for (uint32_t i = 0; i < d->team->count; i++)
    d->level_size += d->team->walkers[i].here.count;
  /* The memory of the set goes first, then what is left can be divided. */
  return spilling_of(d)->clear(store_of(d), 0) &&
         spilling_of(d)->clear(store_of(d), divide_memory(d));
}

/* ---- candidates ----------------------------------------------------------- */

static void note_mark(void *context, uint64_t key, bool marked)
{
  disk *d = context;
  if (!marked)
    spilling_of(d)->mark(store_of(d), key, false);
}

/* Those that were not found, to the front. */
static size_t drop_found(uint64_t *keys, size_t count)
{
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (!(keys[i] & RUN_FOUND))
      keys[kept++] = keys[i];
  return kept;
}

/* States of the next level: figures, errors, and where they are kept. */
static void add_new(disk *d, const uint64_t *keys, size_t count)
{
  team *t = d->team;
  walker *w = &t->walkers[0];
  w->result.stats.states += count;
  if (count)
    w->result.stats.depth = t->asker->watch.depth + 1;
  w->own.watch.store = store_of(d);
  for (size_t i = 0; i < count && t->judges && w->own.judges_states; i++)
    least_judge_late(w, keys[i]);
  bool is_held = !d->coming.count && d->held.count + count <= d->most_held &&
                 frontier_has_room(&d->held, count);
  if (!is_held) {
    write_held(d);
    if (count)
      write_next(d, keys, count);
  }
  for (size_t i = 0; i < count && is_held; i++)
    frontier_add(&d->held, keys[i]);
}

/* Finds out which candidates are new. */
static void resolve(disk *d)
{
  team *t = d->team;
  run_found *found = reduces(d) ? note_mark : NULL;
  for (uint32_t i = 0; i < t->count && !d->io.error; i++) {
    frontier *next = &t->walkers[i].next;
    uint64_t *keys = frontier_handles(next);
    if (!next->count)
      continue;
    keys_sort(keys, next->count);
    size_t n = keys_unite(keys, next->count);
    tiers_ask(&d->io, &d->next, keys, n, found, d);
    tiers_ask(&d->io, &d->here, keys, n, found, d);
    tiers_ask(&d->io, &d->old, keys, n, found, d);
    if (!d->io.error)
      add_new(d, keys, drop_found(keys, n));
    frontier_clear(next);
    t->asker->result->disk.passes++;
  }
}

/* ---- choices that wait ---------------------------------------------------- */

/* A record: where the handle of the state is, how many leading successors, how
** many are left out, and these leading ones. */
void disk_await(walker *w, uint32_t cohort)
{
  search *r = &w->own;
  size_t first = 0;
  for (uint32_t hand = 0; hand < cohort; hand++) {
    size_t all = r->batches[hand].list.len, chosen = r->chosen[hand];
    r->is_full[hand] = chosen == all;
    if (chosen < all) {
      uint64_t leads = 0;
      for (size_t i = first; i < first + chosen; i++)
        leads += r->leads.data[i];
      vec_push(&w->waiting, (uint64_t)(uintptr_t)&w->piece[hand]);
      vec_push(&w->waiting, leads << 32 | (uint32_t)(all - chosen));
      for (size_t i = first; i < first + chosen; i++)
        if (r->leads.data[i])
          vec_push(&w->waiting, r->handles.data[i]);
    }
    first += chosen;
  }
}

/* Whether one of the leading successors keeps the promise.  All of them were put
** into the set after it was emptied last. */
static bool keeps_promise(const disk *d, const uint64_t *leads, uint64_t count)
{
  for (uint64_t i = 0; i < count; i++) {
    bool marked;
    if (!spilling_of(d)->has(store_of(d), leads[i], &marked))
      mem_give_up(); /* it cannot be told: no answer rather than a wrong one */
    if (marked)
      return true;
  }
  return false;
}

static void decide_of(disk *d, walker *w)
{
  for (size_t at = 0; at < w->waiting.len;) {
    const uint64_t *entry = w->waiting.data + at;
    uint64_t leads = entry[1] >> 32;
    store_handle *state = (store_handle *)(uintptr_t)entry[0];
    at += 2 + leads;
    if (keeps_promise(d, entry + 2, leads)) {
      reduce_leave_out(w->own.reduction, (uint32_t)entry[1]);
      continue;
    }
    if (!frontier_add(&d->again, *state))
      mem_give_up();
    *state |= FRONTIER_FULL;
  }
  vec_clear(&w->waiting);
}

/* All candidates are resolved. */
static void decide(disk *d)
{
  for (uint32_t i = 0; i < d->team->count; i++)
    decide_of(d, &d->team->walkers[i]);
}

/* ---- a level -------------------------------------------------------------- */

static uint64_t expanded_so_far(const team *t)
{
  uint64_t sum = t->asker->result->stats.expanded;
  for (uint32_t i = 0; i < t->count; i++)
    sum += t->walkers[i].result.stats.expanded +
           t->walkers[i].result.stats.transitions;
  return sum;
}

/* A job was left because there is no room, or there are enough candidates. */
static bool make_room(disk *d)
{
  team *t = d->team;
  bool refused = atomic_load(&t->refused);
  if (d->is_torn)
    return false;
  team_give_back_pieces(t);
  if (limits_reached(t->asker->watch.limits)) {
    watch_left(&t->asker->watch);
    team_stop(t);
    return false;
  }
  uint64_t expanded = expanded_so_far(t);
  give_spare(d);
  if (!d->has_spilled) {
    d->expanded = expanded;
    return spill_first(d) && !has_failed(d);
  }
  if (refused && expanded == d->expanded && !allow_more(d))
    return false;
  resolve(d);
  if (reduces(d) && !d->io.error)
    decide(d);
  if (refused && !d->io.error && !empty_set(d))
    return false;
  if (refused)
    d->expanded = expanded;
  return !has_failed(d);
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
static bool run_job(disk *d, team_job *job, bool by_all)
{
  team *t = d->team;
  for (;;) {
    begin_job(t);
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

/* The rest of the states for which the chosen successors will not do. */
static bool expand_again(disk *d, bool by_all)
{
  team *t = d->team;
  resolve(d);
  if (has_failed(d))
    return false;
  decide(d);
  d->only[0] = &d->again;
  t->parts = d->only;
  t->part_count = 1;
  bool done = run_job(d, t->asker->loop->level_rest, by_all);
  t->parts = t->own_parts;
  t->part_count = t->count;
  frontier_clear(&d->again);
  return done;
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

/* The next states of this level; false: there are none, or no memory. */
static bool load_chunk(disk *d)
{
  team *t = d->team;
  frontier *here = &t->walkers[0].here;
  for (uint32_t i = 0; i < t->count; i++)
    frontier_clear(&t->walkers[i].here);
  if (!frontier_has_room(here, d->chunk))
    mem_give_up();
  while (here->count < d->chunk && sorted_next(&d->level_stream))
    frontier_add(here, d->level_stream.key);
  return here->count && !has_failed(d);
}

/* All states of the level are expanded: where those of the next one are. */
static void end_level(disk *d)
{
  team *t = d->team;
  resolve(d);
  bool is_small = !reduces(d) || (d->here_is_held && !d->was_emptied_here);
  if (d->coming.count || !is_small)
    write_held(d);
  if (has_failed(d) || d->coming.count)
    return;
  frontier swap = t->walkers[0].next;
  t->walkers[0].next = d->held;
  d->held = swap;
}

void disk_expand(team *t, bool by_all)
{
  disk *d = t->disk;
  search *r = t->asker;
  d->was_emptied_here = false;
  d->rests = !reduces(d) || reduce_rests(r->reduction);
  d->level_size = team_level_size(t);
  if (t->asker->watch.stop)
    return;
  bool is_read = d->has_spilled && d->level.count;
  if (is_read)
    sorted_open(&d->level_stream, &d->io, &d->level, RUN_MERGE + 1);
  if (is_read && !load_chunk(d))
    return;
  while (run_job(d, r->loop->level_share, by_all) && d->has_spilled) {
    if (!d->rests && !expand_again(d, by_all))
      return;
    if (is_read && reduces(d))
      settle_chunk(d);
    if (!is_read || !load_chunk(d)) {
      if (!atomic_load(&t->stop))
        end_level(d);
      return;
    }
  }
}

uint64_t disk_waiting(const disk *d)
{
  uint64_t next = d->coming.count;
  for (uint32_t i = 0; i < d->team->count; i++)
    next += d->team->walkers[i].next.count;
  return d->level_size + next;
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
  d->level = d->coming;
  d->coming = (sorted_run){0};
}

void disk_turn_over(disk *d)
{
  if (!disk_has_spilled(d) || d->team->asker->watch.stop)
    return;
  team *t = d->team;
  bool is_small = d->here_is_held && !d->was_emptied_here;
  bool was_read = d->level.count;
  for (uint32_t i = 0; i < t->count && d->here_is_held; i++)
    if (!add_young(d, &t->walkers[i].here, reduces(d) && d->rests))
      end_for_memory(d);
  if (reduces(d) && !d->here_is_held && !was_read)
    settle_chunk(d);
  if (was_read) /* they are in runs */
    for (uint32_t i = 0; i < t->count; i++)
      frontier_clear(&t->walkers[i].here);
  /* Marks of the set are those before this level. */
  d->here_is_held = false;
  if (reduces(d) && !is_small && !empty_set(d))
    end_for_memory(d);
  d->here_is_held = !d->coming.count;
  move_on(d);
  (void)has_failed(d);
}

/* ---- a second walk -------------------------------------------------------- */

bool disk_keep_level(disk *d)
{
  if (!disk_has_spilled(d))
    return true;
  team *t = d->team;
  bool is_kept = kept_levels_write(&d->kept, &d->io, &t->kept);
  run_stream s;
  sorted_open(&s, &d->io, &d->level, RUN_MERGE + 1);
  while (is_kept && d->level.count && sorted_next(&s))
    is_kept = frontier_add(&t->kept, s.key) &&
              (t->kept.count % LEAST ||
               kept_levels_write(&d->kept, &d->io, &t->kept));
  return is_kept && !has_failed(d);
}

size_t disk_show_kept(disk *d, uint64_t at, uint64_t end, frontier *shown)
{
  frontier_clear(&d->again);
  uint64_t left = disk_kept(d) - at, most = end - at;
  most = most < left ? most : left;
  size_t n =
      kept_levels_read(&d->kept, &d->io, at,
                       most < d->chunk ? (size_t)most : d->chunk, &d->again);
  *shown = (frontier){.count = n};
  shown->memory.base = d->again.memory.base;
  (void)has_failed(d);
  return n;
}
