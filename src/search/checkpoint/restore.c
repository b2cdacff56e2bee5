/* A search by levels as a file has it: all states are stored again, in a store
** of its own plan, and the first walker gets the level at hand. */

#include "base/alloc.h"
#include "search/checkpoint/checkpoint_internal.h"
#include "search/disk/kept_disk.h"
#include "search/ranks/fleet.h"
#include "search/runs/runs.h"
#include "store/tree/tree_image.h"
#include <stdlib.h>

/* What is being read. */
typedef struct restoring {
  team *team;
  block_reader *reader;
  block_reader *opened; /* of parts; NULL: there is one part */
  tree_image *image, *first_image;
  VEC(store_handle) unmade; /* states that do not count, sorted */
  part_of of;               /* what is being read */
  uint64_t stored;          /* states that count, and are kept here, */
  uint64_t expected; /* of so many in all; with other ranks, of all of them */
  bool is_uncounted; /* nobody can tell */
  bool is_whole; /* there was a disk: states of the part are not told by rows */
  bool some_whole; /* of some part; the longest state of any */
  uint32_t longest;
  bool needs_disk; /* they are too many for memory, */
  disk *disk;      /* and go there; NULL: they do not */
  bool done;
} restoring;

static bool fails(restoring *x, const char *why)
{
  return block_damaged(x->reader, why);
}

checkpoint_stage checkpoint_stage_of(block_reader *r, bool *doubts,
                                     bool *gave_up)
{
  *doubts = *gave_up = false;
  if (!block_expect(r, CHECKPOINT_SEARCH))
    return CHECKPOINT_START;
  checkpoint_stage stage = (checkpoint_stage)read_below(r, CHECKPOINT_STAGES_);
  uint64_t both = read_below(r, 4);
  *doubts = both & 1;
  *gave_up = both & 2;
  return block_problem(r) ? CHECKPOINT_START : stage;
}

/* ---- states -------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
  store_handle x = *(const store_handle *)a, y = *(const store_handle *)b;
  return (x > y) - (x < y);
}

static bool read_unmade(restoring *x)
{
  if (!block_expect(x->reader, CHECKPOINT_UNMADE))
    return false;
  x->is_whole = read_below(x->reader, 2);
  uint32_t longest = (uint32_t)read_below(x->reader, LONGEST_STATE);
  x->longest = longest > x->longest ? longest : x->longest;
  x->some_whole |= x->is_whole;
  if (x->is_whole && x->team->asker->runs && x->team->asker->fleet)
    return fails(x, "it has states of a disk, with which one process goes on");
  vec_clear(&x->unmade);
  for (uint64_t n = block_get_count(x->reader, 1); n; n--)
    vec_push(&x->unmade, block_get_number(x->reader));
  if (x->unmade.len)
    qsort(x->unmade.data, x->unmade.len, sizeof *x->unmade.data, by_number);
  return !block_problem(x->reader);
}

static bool is_unmade(const restoring *x, store_handle handle)
{
  return x->unmade.len && bsearch(&handle, x->unmade.data, x->unmade.len,
                                  sizeof handle, by_number);
}

bool state_is_sound(const search *r, const uint8_t *state, uint32_t length)
{
  return r->runs ? runs_is_sound(r->runs, state, length)
                 : program_is_sound(r->program, state, length);
}

/* The state that the file calls so; NULL: it cannot be. */
static const uint8_t *find_state(restoring *x, store_handle old,
                                 uint32_t *length)
{
  const uint8_t *state = tree_image_state(x->image, old, length);
  if (state && state_is_sound(x->team->asker, state, *length))
    return state;
  fails(x, "it has a state that is none of the model");
  return NULL;
}

bool part_has(const team *t, part_of of, const uint8_t *state, uint32_t length)
{
  const fleet *f = t->asker->fleet;
  if (of.parts == 1 && !f)
    return true;
  uint64_t hash = fleet_hash(state, length);
  return fleet_owner_of(hash, of.parts) == of.part &&
         (!f || fleet_owner(f, hash) == f->own);
}

/* Whether there is such a state, and it is to be kept. */
static bool passes_over(restoring *x, store_handle old, bool *skips)
{
  uint32_t length;
  const uint8_t *state = find_state(x, old, &length);
  *skips = state && !part_has(x->team, x->of, state, length);
  return state;
}

/* Stores the state that the file calls so; what it is called from now on. */
static store_result store_state(restoring *x, store_handle old,
                                store_handle *made)
{
  const search *r = x->team->asker;
  uint32_t length;
  const uint8_t *state = find_state(x, old, &length);
  if (!state)
    return STORE_FULL;
  store_result result = r->result->store->insert(
      r->watch.store, state, length, STORE_NO_HANDLE, UINT64_MAX, made);
  if (result == STORE_FULL)
    watch_full(&x->team->asker->watch);
  return result;
}

static void take_state(restoring *x, disk_part which, store_handle old,
                       bool marked)
{
  uint32_t length;
  const uint8_t *state = find_state(x, old, &length);
  if (state)
    disk_take(x->disk, which, state, length, marked);
}

static bool begin_on_disk(restoring *x)
{
  x->disk = x->team->disk;
  if (disk_take_begin(x->disk, x->longest))
    return true;
  watch_full(&x->team->asker->watch);
  return false;
}

/* If the first part has so many states: ranks have about as many of each. */
static bool are_too_many(const restoring *x, uint64_t count)
{
  const fleet *f = x->team->asker->fleet;
  return !x->of.part && disk_is_needed(x->team->disk, count * x->of.parts /
                                                          (f ? f->count : 1));
}

static bool store_states(restoring *x)
{
  search *r = x->team->asker;
  collapse_tree *s = collapse_tree_of(r->watch.store);
  uint64_t count = tree_image_begin(x->image, x->reader, CHECKPOINT_ROOTS);
  if (!x->disk && are_too_many(x, count) && !begin_on_disk(x))
    return false;
  if (x->disk)
    disk_take_part(x->disk, DISK_OLD);
  for (; count; count--) {
    store_handle old, made;
    bool marked;
    if (!tree_image_next(x->image, x->reader, &old, &marked))
      return false;
    bool skips;
    if (is_unmade(x, old))
      continue;
    if (!passes_over(x, old, &skips))
      return false;
    if (skips)
      continue;
    x->stored++;
    if (x->disk)
      take_state(x, DISK_OLD, old, marked);
    else if (store_state(x, old, &made) == STORE_FULL)
      return false;
    else if (r->reduction)
      collapse_tree_mark(s, made, marked);
    if (count % WATCH_LOOK_EVERY == 0)
      watch_look(&r->watch);
    if (r->watch.stop)
      return false;
  }
  return !block_problem(x->reader) &&
         (!x->disk || disk_take_end_part(x->disk, DISK_OLD));
}

/* ---- the level ----------------------------------------------------------- */

/* Handles of the file, as they are. */
static bool read_names(restoring *x, uint64_t count, frontier *to)
{
  for (; count && !block_problem(x->reader); count--)
    if (!frontier_add(to, block_get_number(x->reader))) {
      watch_full(&x->team->asker->watch);
      return false;
    }
  return !block_problem(x->reader);
}

/* Some of them are a part of what the disk takes; with 'marks' those that have the
** highest bit are marked. */
static bool take_names(restoring *x, disk_part which, const frontier *f,
                       size_t from, size_t end, bool marks)
{
  bool skips;
  disk_take_part(x->disk, which);
  for (size_t i = from; i < end && !block_problem(x->reader); i++) {
    store_handle h = frontier_handles(f)[i];
    if (!passes_over(x, h & ~FRONTIER_FULL, &skips))
      return false;
    if (skips)
      continue;
    take_state(x, which, h & ~FRONTIER_FULL, marks && h & FRONTIER_FULL);
    x->team->gone += which == DISK_DONE;
  }
  return !block_problem(x->reader) && disk_take_end_part(x->disk, which);
}

/* The level, where states go to the disk. */
static bool read_to_disk(restoring *x, uint64_t expanded, uint64_t waiting,
                         uint64_t next)
{
  team *t = x->team;
  frontier *here = &t->walkers[0].here, *then = &t->walkers[0].next;
  size_t done = t->reductions ? expanded : 0, all = done + waiting;
  if (!read_names(x, all, here) || !read_names(x, next, then))
    return false;
  bool taken =
      (!t->reductions || (take_names(x, DISK_HERE, here, 0, all, false) &&
                          take_names(x, DISK_NEXT, then, 0, next, false) &&
                          take_names(x, DISK_DONE, here, 0, done, true))) &&
      take_names(x, DISK_LEFT, here, done, all, false) &&
      take_names(x, DISK_COMING, then, 0, next, false);
  frontier_clear(here);
  frontier_clear(then);
  return taken;
}

void frontier_put_before(frontier *f)
{
  store_handle *all = frontier_handles(f), last = all[f->count - 1];
  size_t taken = atomic_load_explicit(&f->taken, memory_order_relaxed);
  all[f->count - 1] = all[taken];
  all[taken] = last;
  atomic_store_explicit(&f->taken, taken + 1, memory_order_relaxed);
}

/* Adds so many states to a part of a level; those were stored.  Perhaps they are
** of this level, and expanded. */
static bool read_handles(restoring *x, uint64_t count, frontier *to,
                         bool expanded)
{
  for (; count; count--) {
    store_handle old = block_get_number(x->reader), made;
    store_handle full = old & FRONTIER_FULL;
    bool skips;
    if (block_problem(x->reader) ||
        !passes_over(x, old & ~FRONTIER_FULL, &skips))
      return false;
    if (skips)
      continue;
    store_result result = store_state(x, old & ~FRONTIER_FULL, &made);
    if (result == STORE_NEW)
      return fails(x, "it waits for a state that it has not found");
    if (result == STORE_FULL)
      return false;
    if (!frontier_add(to, made | full)) {
      watch_full(&x->team->asker->watch);
      return false;
    }
    if (expanded)
      frontier_put_before(to);
  }
  return true;
}

static bool read_frontiers(restoring *x)
{
  team *t = x->team;
  walker *w = &t->walkers[0];
  uint64_t expanded = block_get_number(x->reader);
  uint64_t waiting = block_get_count(x->reader, 1);
  uint64_t next = block_get_count(x->reader, 1);
  if (!x->of.part) {
    frontier_clear(&w->here);
    frontier_clear(&w->next);
    t->gone = 0;
  }
  if (!t->reductions && (!t->asker->fleet || !t->asker->fleet->own))
    t->gone += expanded;
  if (x->disk)
    return read_to_disk(x, expanded, waiting, next);
  if (t->reductions && !read_handles(x, expanded, &w->here, true))
    return false;
  return read_handles(x, waiting, &w->here, false) &&
         read_handles(x, next, &w->next, false);
}

/* ---- figures ------------------------------------------------------------- */

void stats_read(block_reader *r, statistics *s)
{
  for (size_t i = 0; i < statistic_count; i++) {
    uint64_t *value = (uint64_t *)((char *)s + statistic_table[i].offset);
    *value = block_get_number(r);
  }
}

static void read_stuck(restoring *x)
{
  search_result *result = x->team->asker->result;
  size_t edges = program_model(x->team->asker->program)->edges.len;
  result->stuck = read_below(x->reader, 2);
  result->endless = read_below(x->reader, 2);
  result->stuck_edge = (uint32_t)read_below(x->reader, edges + 1);
  result->stuck_process = (uint32_t)read_below(x->reader, UINT32_MAX);
  if (result->stuck && result->stuck_edge >= edges)
    fails(x, "it has an edge that the model does not have");
}

static bool read_figures(restoring *x)
{
  team *t = x->team;
  search *r = t->asker;
  block_reader *b = x->reader;
  statistics own = {0};
  r->watch.depth = block_get_number(b);
  r->shallow.due = block_get_number(b);
  r->shallow.size = block_get_number(b);
  r->shallow.spent = block_get_number(b);
  r->deep.due = block_get_number(b);
  r->deep.size = block_get_number(b);
  if (r->deep.size > DEEP_LAST)
    r->deep.due = 0;
  read_stuck(x);
  stats_read(b, &r->result->stats);
  for (uint64_t n = block_get_count(b, 1); n; n--) {
    statistics one;
    stats_read(b, &one);
    statistics_merge(&own, &one);
  }
  t->walkers[0].result.stats = own;
  vec_clear(&t->outlook.forecast.met);
  for (uint64_t n = block_get_count(b, 1); n; n--)
    forecast_add(&t->outlook.forecast, block_get_number(b));
  return !block_problem(b);
}

/* Whether all states are there.  Several ranks find that out together. */
static bool has_all_states(restoring *x)
{
  const team *t = x->team;
  const search *r = t->asker;
  uint64_t states = r->result->stats.states + t->walkers[0].result.stats.states;
  if (r->fleet) {
    r->fleet->restored = x->stored;
    r->fleet->expected = x->expected;
    r->fleet->is_uncounted = x->is_uncounted;
    return true;
  }
  return (x->disk ? x->is_uncounted || x->expected == x->stored
                  : states == r->result->store->count(r->watch.store)) ||
         fails(x, "it has another number of states than it says");
}

/* What was found in the level at hand, and adds up, is the first rank's. */
static void leave_to_first(const restoring *x)
{
  team *t = x->team;
  walker *w = &t->walkers[0];
  if (!t->asker->fleet || !t->asker->fleet->own)
    return;
  w->result.stats = (statistics){0};
  for (size_t k = 0; k < t->kinds; k++)
    finding_free(&w->found[k]);
  places_free(&w->places);
  if (t->reductions)
    reduce_set_tally(t->reductions[0], (reduce_tally){0});
}

static bool read_reached(restoring *x)
{
  team *t = x->team;
  size_t edges = program_model(t->asker->program)->edges.len;
  if (block_get_number(x->reader) != edges)
    return fails(x, "it is about another model");
  vec_resize(&t->reached, edges);
  for (size_t i = 0; i < edges; i += 8) {
    uint8_t byte;
    if (!block_get(x->reader, &byte, 1))
      return false;
    for (size_t k = i; k < edges && k < i + 8; k++)
      t->reached.data[k] |= byte >> (k - i) & 1;
  }
  return true;
}

static bool read_executed(restoring *x)
{
  team *t = x->team;
  bool counts = t->walkers[0].executed && !t->asker->runs;
  size_t edges = counts ? program_model(t->asker->program)->edges.len : 0;
  if (block_get_number(x->reader) != edges)
    return fails(x, "it is about another model");
  vec_resize(&t->executed, edges);
  for (size_t i = 0; i < edges; i++)
    t->executed.data[i] = block_get_number(x->reader);
  return !block_problem(x->reader);
}

static bool read_reduction(restoring *x)
{
  team *t = x->team;
  if (read_below(x->reader, 2) != (t->reductions != NULL))
    return fails(x, "it was reduced in another way");
  return !t->reductions || reduce_recall(t->reductions[0], x->reader);
}

static bool read_level(restoring *x)
{
  const search *r = x->team->asker;
  return block_expect(x->reader, CHECKPOINT_LEVEL) && read_frontiers(x) &&
         read_figures(x) && read_reached(x) && read_executed(x) &&
         findings_read(x->team, x->reader) && read_reduction(x) &&
         (!r->runs || runs_read_able(r->runs, x->reader));
}

static const uint8_t *find_noted(void *context, store_handle old,
                                 uint32_t *length)
{
  return find_state(context, old, length);
}

/* A sweep over the states of a product. */
static bool read_sweep(restoring *x)
{
  search *r = x->team->asker;
  if (!r->runs || r->row_phase != ROW_SWEEPS)
    return true;
  if (r->fleet) /* they begin with the first sweep */
    return true;
  runs_notes notes = {.from = x->reader,
                      .longest = x->longest,
                      .is_whole = x->is_whole,
                      .to_disk = x->disk,
                      .find = find_noted,
                      .context = x};
  if (!block_expect(x->reader, CHECKPOINT_SWEEP) ||
      !(x->disk ? runs_find_needs(r->runs) : runs_prepare(r->runs)) ||
      (!x->disk && !x->is_whole && !read_frontiers(x)))
    return false;
  x->team->gone = 0;
  return runs_read_notes(r->runs, &notes);
}

/* The tables of a part. */
static bool read_image(restoring *x)
{
  const search *r = x->team->asker;
  const component_map *map =
      r->runs ? runs_map(r->runs) : program_map(r->program);
  x->image = tree_image_read(x->reader, map, CHECKPOINT_ROWS);
  return x->image && (tree_image_longest(x->image) <= x->longest ||
                      fails(x, "a state in it is too long"));
}

static bool read_states(restoring *x)
{
  return read_image(x) && store_states(x);
}

/* States of a part that are not told by rows: in the order of kinds these come
** last.  Some are told twice with a reduction. */
static bool read_rest(restoring *x)
{
  whole_reading whole = {
      .team = x->team, .from = x->reader, .disk = x->disk, .of = x->of};
  if (!x->is_whole)
    return true;
  if (!whole_read(&whole))
    return false;
  x->stored += whole.known;
  x->is_uncounted |= x->team->reductions != NULL;
  return true;
}

/* What is read of each part: how its states are told; those told by rows; the
** rest. */
typedef enum { PASS_LOOK, PASS_STATES, PASS_LEVEL } pass;

/* What another rank has written. */
static bool read_part(restoring *x, pass which)
{
  const search *r = x->team->asker;
  if (!block_expect(x->reader, CHECKPOINT_HEAD) || !read_unmade(x))
    return false;
  if (which == PASS_LOOK)
    return true;
  if (which == PASS_STATES)
    return x->is_whole || read_states(x);
  return (x->is_whole ||
          (read_image(x) && block_expect(x->reader, CHECKPOINT_ROOTS))) &&
         block_expect(x->reader, CHECKPOINT_LEVEL) && read_frontiers(x) &&
         read_reached(x) && (!r->runs || runs_read_able(r->runs, x->reader)) &&
         read_rest(x) && !block_problem(x->reader);
}

/* What is wrong with a part is wrong with the file; if nothing is, the run has come
** to a limit. */
static void blame_part(const restoring *x, block_reader *file)
{
  const char *why = block_problem(x->opened);
  if (why)
    block_damaged(file, why);
  else if (!x->team->asker->watch.stop)
    block_damaged(file, "a part of it cannot be read");
}

static bool move_to_part(restoring *x, uint32_t number, block_reader *file)
{
  const char *path = x->team->asker->options->resume_parts[number - 1], *why;
  x->of.part = number;
  x->reader = x->opened;
  return block_reader_move(x->opened, path, &why) ||
         block_damaged(file, "a part of it is missing");
}

/* All of them.  States are stored before any handle is kept: those that come may
** give others other numbers. */
static bool read_parts(restoring *x, pass which)
{
  block_reader *first = x->reader;
  bool done = true, is_whole = x->is_whole;
  x->first_image = x->image;
  x->image = NULL;
  for (uint32_t i = 1; done && i < x->of.parts; i++) {
    done = move_to_part(x, i, first);
    if (done && !read_part(x, which)) {
      blame_part(x, first);
      done = false;
    }
    tree_image_destroy(x->image);
    x->image = NULL;
  }
  x->image = x->first_image;
  x->first_image = NULL;
  x->of.part = 0;
  x->reader = first;
  x->is_whole = is_whole;
  return done;
}

/* States that are told by rows. */
static bool read_all_states(restoring *x)
{
  if (x->needs_disk && !begin_on_disk(x))
    return false;
  return (x->is_whole || read_states(x)) && read_parts(x, PASS_STATES);
}

/* Memory did not do for the states: they go to the disk, from the first on. */
static bool begin_again(restoring *x)
{
  search *r = x->team->asker;
  if (!x->team->disk || x->disk || !r->watch.stop ||
      r->result->reason != REASON_MEMORY_LIMIT || block_problem(x->reader))
    return false;
  r->watch.stop = false;
  r->result->reason = REASON_NONE;
  tree_image_destroy(x->image);
  x->image = NULL;
  x->stored = 0;
  x->needs_disk = true;
  return block_file_rewind(x->reader) &&
         block_expect(x->reader, CHECKPOINT_HEAD) &&
         block_expect(x->reader, CHECKPOINT_SEARCH) && read_unmade(x);
}

static void restore(void *work)
{
  restoring *x = work;
  const team *t = x->team;
  /* Its memory is taken before the others divide what there is. */
  if (x->of.parts > 1 && !(x->opened = block_reader_create()))
    mem_give_up();
  if (!read_unmade(x) || !read_parts(x, PASS_LOOK))
    return;
  x->needs_disk = x->some_whole && t->disk;
  if ((!read_all_states(x) && (!begin_again(x) || !read_all_states(x))) ||
      !read_level(x))
    return;
  x->expected =
      t->asker->result->stats.states + t->walkers[0].result.stats.states;
  leave_to_first(x);
  x->done = read_rest(x) && read_sweep(x) && !block_problem(x->reader) &&
            read_parts(x, PASS_LEVEL) && has_all_states(x) &&
            (!x->disk || disk_take_end(x->disk));
}

static void tidy(void *work)
{
  restoring *x = work;
  tree_image_destroy(x->image);
  tree_image_destroy(x->first_image);
  block_reader_close(x->opened);
  vec_free(&x->unmade);
}

bool checkpoint_restore(team *t, block_reader *reader)
{
  restoring x = {.team = t,
                 .reader = reader,
                 .of.parts = 1 + t->asker->options->resume_part_count};
  t->asker->result->store->sharing->learn_when_told(t->asker->watch.store);
  mem_protect_tidy(restore, tidy, &x);
  return x.done;
}
