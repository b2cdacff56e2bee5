/* A moment of a search whose states are on a disk: all states as they are, part by
** part (search/disk/kept_disk.h), so that no table is needed to read them.
**
**   longest state, whether the reduction rests
**   for each part   states, and 0
**   how many of this level were expanded
**   state           (length + 1) * 2 + mark
**                   of the length of the one before: how many bytes differ, and for
**                   each how many are equal before it, and the byte
**                   otherwise, or if many differ (length + 1): the bytes
**
** Of several ranks each writes those that it owns.
**
** Who reads it has a disk, and then the parts are written to that; or has none, and
** stores the states.  Where a state of this level was expanded before the chunk at
** hand, with a reduction, it is in OLD and HERE: that is how it is known for it. */

#include "base/alloc.h"
#include "search/checkpoint/checkpoint_internal.h"
#include "search/disk/kept_disk.h"
#include "search/ranks/fleet.h"
#include "store/tree/collapse_tree.h"
#include <assert.h>
#include <string.h>

typedef VEC(uint8_t) state_bytes;

/* ---- writing --------------------------------------------------------------- */

typedef struct whole_writer {
  block_writer *to;
  disk *disk;      /* has the one before, */
  uint32_t length; /* which is so long; UINT32_MAX: there is none */
  const fleet *fleet;
  uint64_t count; /* of the part */
} whole_writer;

static uint32_t count_differences(const whole_writer *w, const uint8_t *state)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < w->length; i++)
    n += w->disk->last.data[i] != state[i];
  return n;
}

static void put_differences(whole_writer *w, const uint8_t *state)
{
  uint32_t from = 0;
  for (uint32_t i = 0; i < w->length; i++)
    if (w->disk->last.data[i] != state[i]) {
      block_put_number(w->to, i - from);
      block_put(w->to, &state[i], 1);
      from = i + 1;
    }
}

static void write_state(void *context, const uint8_t *state, uint32_t length,
                        bool marked)
{
  whole_writer *w = context;
  if (w->fleet && fleet_owner(w->fleet, fleet_hash(state, length)) !=
                      w->fleet->own) /* from before there were owners */
    return;
  w->count++;
  block_put_number(w->to, ((uint64_t)length + 1) << 1 | marked);
  uint32_t n = length == w->length ? count_differences(w, state) : 0;
  if (length == w->length)
    block_put_number(w->to, n <= length / 3 ? n : length + 1);
  if (length == w->length && n <= length / 3)
    put_differences(w, state);
  else
    block_put(w->to, state, length);
  if (w->disk->last.len < length)
    vec_resize(&w->disk->last, length);
  if (length)
    memcpy(w->disk->last.data, state, length);
  w->length = length;
}

static uint64_t count_waiting(const team *t)
{
  uint64_t count = 0;
  for (uint32_t k = 0; k < t->count; k++)
    for (size_t i = 0; i < t->walkers[k].here.count; i++)
      count += !moment_is_expanded(t, &t->walkers[k].here, i);
  return count;
}

void whole_write(const team *t, block_writer *to)
{
  disk *d = t->disk;
  const search *r = t->asker;
  uint32_t longest = r->result->store->max_length(r->watch.store);
  bool rests = t->reductions && reduce_rests(r->reduction);
  whole_writer w = {
      .to = to, .disk = d, .length = UINT32_MAX, .fleet = r->fleet};
  uint64_t left = 0;
  block_kind_begin(to, CHECKPOINT_WHOLE);
  block_put_number(to, longest > d->longest ? longest : d->longest);
  block_put_number(to, rests);
  for (disk_part which = 0; which < DISK_PARTS; which++) {
    w.count = 0;
    disk_each(d, which, write_state, &w);
    block_put_number(to, 0);
    left += which == DISK_LEFT ? w.count : 0;
  }
  if (d->is_spread) /* those that are read are counted, and of them these wait */
    left = count_waiting(t);
  assert(!t->expands || left <= d->level_size);
  block_put_number(to, t->expands ? d->level_size - left : 0);
}

/* ---- reading --------------------------------------------------------------- */

typedef struct whole_reader {
  whole_reading *told;
  team *team;
  block_reader *from;
  disk *disk; /* NULL: states are stored */
  uint32_t longest, length;
  uint64_t counts[DISK_PARTS];
  bool rests;
  state_bytes state;
  bool done;
} whole_reader;

static bool fails(whole_reader *x, const char *why)
{
  return block_damaged(x->from, why);
}

static bool read_differences(whole_reader *x, uint64_t count)
{
  uint64_t at = 0;
  for (; count; count--, at++) {
    at += block_get_number(x->from);
    if (block_problem(x->from) || at >= x->length)
      return fails(x, "a state in it is too long");
    block_get(x->from, &x->state.data[at], 1);
  }
  return !block_problem(x->from);
}

/* The next state of the part.  False: there is none, or something is wrong. */
static bool read_state(whole_reader *x, bool *marked)
{
  uint64_t head = block_get_number(x->from), length = (head >> 1) - 1;
  if (!head || block_problem(x->from))
    return false;
  if (head < 2 || length > x->longest)
    return fails(x, "a state in it is too long");
  *marked = head & 1;
  uint64_t n = length + 1;
  if (length == x->length)
    n = read_below(x->from, length + 2);
  x->length = (uint32_t)length;
  if (n <= length ? !read_differences(x, n)
                  : !block_get(x->from, x->state.data, length) && length)
    return false;
  return state_is_sound(x->team->asker, x->state.data, x->length) ||
         fails(x, "it has a state that is none of the model");
}

/* ---- stored ------------------------------------------------------------------ */

static bool add_to(whole_reader *x, frontier *f, store_handle handle)
{
  if (frontier_add(f, handle))
    return true;
  watch_full(&x->team->asker->watch);
  return false;
}

/* One that nobody has asked for: it may be of the next level. */
static bool store_candidate(whole_reader *x, store_handle made)
{
  team *t = x->team;
  walker *w = &t->walkers[0];
  w->own.watch.depth = t->asker->watch.depth;
  w->result.stats.states++;
  w->result.stats.depth = t->asker->watch.depth + 1;
  if (t->judges && w->own.judges_states)
    least_judge_whole(w, x->state.data, x->length);
  return add_to(x, &w->next, made);
}

static bool add_expanded(whole_reader *x, store_handle handle)
{
  frontier *here = &x->team->walkers[0].here;
  if (!add_to(x, here, handle))
    return false;
  frontier_put_before(here);
  return true;
}

/* A state of this level: known by now, if it was expanded. */
static bool store_here(whole_reader *x, store_handle made, bool is_known)
{
  collapse_tree *s = collapse_tree_of(x->team->asker->watch.store);
  bool full = is_known && collapse_tree_is_marked(s, made);
  collapse_tree_mark(s, made, x->rests);
  return !is_known || add_expanded(x, full ? made | FRONTIER_FULL : made);
}

/* The store may have to make a wider tree for a state, after which those that wait
** already have other names: they get them before it is put in. */
static store_result store_state(const whole_reader *x, store_handle *made)
{
  search *r = x->team->asker;
  const store_class *class = r->result->store;
  store_handle called =
      class->spilling->call(r->watch.store, x->state.data, x->length);
  if ((r->loop->level_settle && !r->loop->level_settle(r)) ||
      called == STORE_NO_HANDLE)
    return STORE_FULL;
  store_result result = class->insert(r->watch.store, x->state.data, x->length,
                                      STORE_NO_HANDLE, UINT64_MAX, made);
  assert(result == STORE_FULL || *made == called);
  return result;
}

static bool store_part(whole_reader *x, disk_part which, bool marked)
{
  const search *r = x->team->asker;
  walker *w = &x->team->walkers[0];
  store_handle made;
  store_result result = store_state(x, &made);
  if (result == STORE_FULL) {
    watch_full(&x->team->asker->watch);
    return false;
  }
  bool is_new = result == STORE_NEW;
  if (which == DISK_CANDIDATES)
    return !is_new || store_candidate(x, made);
  if (r->reduction && (which == DISK_OLD || which == DISK_NEXT))
    collapse_tree_mark(collapse_tree_of(r->watch.store), made,
                       marked || which == DISK_NEXT);
  if (which == DISK_HERE)
    return store_here(x, made, !is_new);
  if (which < DISK_DONE)
    return true;
  if (is_new)
    return fails(x, "it waits for a state that it has not found");
  if (which == DISK_DONE)
    return add_expanded(x, marked ? made | FRONTIER_FULL : made);
  return add_to(x, which == DISK_COMING ? &w->next : &w->here, made);
}

/* ---- all of it ----------------------------------------------------------------- */

static bool read_part(whole_reader *x, disk_part which)
{
  search *r = x->team->asker;
  bool marked = false, kept = true;
  uint64_t read = 0;
  if (x->disk)
    disk_take_part(x->disk, which);
  for (; kept && read_state(x, &marked); read++) {
    if (!part_has(x->team, x->told->of, x->state.data, x->length))
      continue;
    x->counts[which]++;
    if (x->disk)
      disk_take(x->disk, which, x->state.data, x->length,
                marked || (which == DISK_DONE && x->rests));
    else
      kept = store_part(x, which, marked);
    if (read % WATCH_LOOK_EVERY == 0)
      watch_look(&r->watch);
    kept = kept && !r->watch.stop;
  }
  return kept && !block_problem(x->from) &&
         (!x->disk || disk_take_end_part(x->disk, which));
}

static bool read_head(whole_reader *x)
{
  x->longest = (uint32_t)read_below(x->from, LONGEST_STATE);
  x->rests = read_below(x->from, 2);
  x->length = UINT32_MAX;
  vec_resize(&x->state, x->longest + CODEC_SLACK);
  return !block_problem(x->from);
}

/* States of this level that are in no list any more.  With a reduction, and without
** a disk, they are; otherwise the first rank has those of all. */
static bool read_gone(whole_reader *x)
{
  team *t = x->team;
  const fleet *f = t->asker->fleet;
  uint64_t expanded = block_get_number(x->from);
  uint64_t here = x->counts[DISK_HERE], left = x->counts[DISK_LEFT];
  if (block_problem(x->from) || (t->reductions && here < left))
    return fails(x, "it has another number of states than it says");
  if (!t->reductions && (!f || !f->own))
    t->gone += expanded;
  else if (t->reductions && x->disk)
    t->gone += here - left;
  return true;
}

static void read_whole(void *work)
{
  whole_reader *x = work;
  if (!block_expect(x->from, CHECKPOINT_WHOLE) || !read_head(x))
    return;
  for (disk_part which = 0; which < DISK_PARTS; which++)
    if (!read_part(x, which))
      return;
  x->told->known = x->counts[DISK_OLD];
  x->done = read_gone(x);
}

static void free_reader(void *work)
{
  whole_reader *x = work;
  vec_free(&x->state);
}

bool whole_read(whole_reading *told)
{
  whole_reader x = {
      .told = told, .team = told->team, .from = told->from, .disk = told->disk};
  mem_protect_tidy(read_whole, free_reader, &x);
  return x.done;
}
