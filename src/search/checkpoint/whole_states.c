/* A moment of a search whose states are on a disk: all states as they are, part by
** part (search/disk/kept_disk.h), so that no table is needed to read them.
**
**   longest state, whether the reduction rests
**   for each part   states, and 0
**   how many of this level were expanded
**   state           as in state_text.h
**
** Of several ranks each writes those that it owns.
**
** Who reads it has a disk, and then the parts are written to that; or has none, and
** stores the states.  Where a state of this level was expanded before the chunk at
** hand, with a reduction, it is in OLD and HERE: that is how it is known for it. */

#include "base/alloc.h"
#include "search/checkpoint/checkpoint_internal.h"
#include "search/checkpoint/state_text.h"
#include "search/disk/kept_disk.h"
#include "search/ranks/fleet.h"
#include "store/tree/collapse_tree.h"
#include <assert.h>

/* ---- writing --------------------------------------------------------------- */

typedef struct whole_writer {
  state_writer to;
  disk *disk; /* has room for the one before */
  const fleet *fleet;
  uint64_t count; /* of the part */
} whole_writer;

static void write_state(void *context, const uint8_t *state, uint32_t length,
                        bool marked)
{
  whole_writer *w = context;
  if (w->fleet && fleet_owner(w->fleet, fleet_hash(state, length)) !=
                      w->fleet->own) /* from before there were owners */
    return;
  w->count++;
  if (w->disk->last.len < length)
    vec_resize(&w->disk->last, length);
  w->to.last = w->disk->last.data;
  state_write(&w->to, state, length, marked);
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
      .to = {.to = to, .length = UINT32_MAX}, .disk = d, .fleet = r->fleet};
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
  block_file_fail(to, d->io.error);
}

/* ---- reading --------------------------------------------------------------- */

typedef struct whole_reader {
  whole_reading *told;
  team *team;
  block_reader *from;
  disk *disk; /* NULL: states are stored */
  state_reader next;
  uint64_t counts[DISK_PARTS];
  bool rests;
  bool done;
} whole_reader;

static bool fails(whole_reader *x, const char *why)
{
  return block_damaged(x->from, why);
}

/* The next state of the part.  False: there is none, or something is wrong. */
static bool read_state(whole_reader *x, bool *marked)
{
  return state_read(&x->next, marked) &&
         (state_is_sound(x->team->asker, x->next.state.data, x->next.length) ||
          fails(x, "it has a state that is none of the model"));
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
    least_judge_whole(w, x->next.state.data, x->next.length);
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
      class->spilling->call(r->watch.store, x->next.state.data, x->next.length);
  if ((r->loop->level_settle && !r->loop->level_settle(r)) ||
      called == STORE_NO_HANDLE)
    return STORE_FULL;
  store_result result =
      class->insert(r->watch.store, x->next.state.data, x->next.length,
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
    if (!part_has(x->team, x->told->of, x->next.state.data, x->next.length))
      continue;
    x->counts[which]++;
    if (x->disk)
      disk_take(x->disk, which, x->next.state.data, x->next.length,
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
  uint32_t longest = (uint32_t)read_below(x->from, LONGEST_STATE);
  x->rests = read_below(x->from, 2);
  state_read_begin(&x->next, x->from, longest);
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
  vec_free(&x->next.state);
}

bool whole_read(whole_reading *told)
{
  whole_reader x = {
      .told = told, .team = told->team, .from = told->from, .disk = told->disk};
  mem_protect_tidy(read_whole, free_reader, &x);
  return x.done;
}
