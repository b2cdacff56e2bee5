/* Nested depth-first search by handles: the algorithm of nested.c, with three
** differences that come from knowing more.
**
** The place of the observer tells whether a loop here can be accepted at all
** (observer_scc.h).  Where it cannot, states on the path need no index.  Where
** every loop is accepted, all its states count as accepting, and then the first
** search finds a loop by itself: every loop has a step back to the path.  Only
** elsewhere is there a second search, and it stays in the component of the
** observer where it began.
**
** A second search from a state looks for a way back to the path.  There is none
** as long as no step has led back to any state of the path in this component: a
** way back has a first step to a state that is on the path still, and when that
** step was looked at, the state was on the path already, or it would have been
** visited from there and left before.  Spaces without loops are walked once.
**
** What the second search has seen is a set of handles beside the store. */

#include "search/liveness/by_handle.h"

#include "base/hash.h"

/* ---- the path ---------------------------------------------------------- */

/* Puts the frames from 'first' on into the index. */
static void fill_index(by_handle *w, size_t first)
{
  for (size_t i = first; i < w->frames.len; i++)
    if (w->frames.data[i].indexed)
      path_index_put(&w->cyan, hash_mix(w->frames.data[i].handle), i);
}

/* The top frame becomes cyan. */
static void add_cyan(by_handle *w)
{
  vec_last(&w->frames).indexed = true;
  fill_index(w, path_index_make_room(&w->cyan) ? 0 : w->frames.len - 1);
}

static void remove_cyan(by_handle *w)
{
  path_index_remove(&w->cyan, hash_mix(vec_last(&w->frames).handle),
                    w->frames.len - 1);
}

/* The cyan frame with this state, or SIZE_MAX. */
static size_t find_cyan(const by_handle *w, store_handle handle)
{
  uint64_t hash = hash_mix(handle), at = hash;
  size_t frame;
  while ((frame = path_index_next(&w->cyan, hash, &at)) != SIZE_MAX &&
         w->frames.data[frame].handle != handle)
    ;
  return frame;
}

/* ---- what the second search has seen ----------------------------------- */

static bool has_red(const by_handle *w, store_handle handle)
{
  uint32_t left = (uint32_t)(handle >> 32), right = (uint32_t)handle;
  const roots *r = &w->red;
  return roots_fits(r, left, right) &&
         roots_has(r, roots_locate(r, left, right), left, right);
}

static bool add_red(live *l, store_handle handle, bool *fresh)
{
  roots *r = &l->by_handle->red;
  uint32_t left = (uint32_t)(handle >> 32), right = (uint32_t)handle;
  roots_result result = ROOTS_FULL;
  if (roots_fits(r, left, right) || roots_widen(r, left, right))
    result = roots_insert(r, roots_locate(r, left, right), left, right);
  *fresh = result == ROOTS_NEW;
  if (result == ROOTS_FULL)
    watch_full(&l->watch);
  return result != ROOTS_FULL;
}

typedef struct red_mover {
  live *live;
  roots made;
  bool failed;
} red_mover;

static void move_red(void *context, uint32_t left, uint32_t right)
{
  red_mover *m = context;
  store_handle handle = collapse_tree_translate(m->live->by_handle->tree,
                                                (uint64_t)left << 32 | right);
  left = (uint32_t)(handle >> 32);
  right = (uint32_t)handle;
  if ((!roots_fits(&m->made, left, right) &&
       !roots_widen(&m->made, left, right)) ||
      roots_insert(&m->made, roots_locate(&m->made, left, right), left,
                   right) == ROOTS_FULL)
    m->failed = true;
}

void by_handle_nested_moved(live *l)
{
  by_handle *w = l->by_handle;
  red_mover m = {.live = l};
  path_index_clear(&w->cyan);
  fill_index(w, 0);
  if (!w->red.count)
    return;
  m.failed = !roots_create(&m.made, l->watch.room);
  if (!m.failed)
    roots_each(&w->red, move_red, &m);
  roots_destroy(&w->red);
  w->red = m.made;
  if (m.failed)
    watch_full(&l->watch);
}

/* ---- the two searches -------------------------------------------------- */

/* Whether all loops here count, so that all states are accepting. */
static bool all_loops_count(const live *l, const place_scc *at)
{
  return at->all_loops && !l->product.rounds;
}

/* Looks at the successors of the top frame in the first search: a step back to
** the path closes a lasso if one of its ends is accepting. */
static bool look_blue(live *l)
{
  by_handle *w = l->by_handle;
  const place_scc *sccs = w->sccs.data, *here = sccs + w->place;
  const by_handle_frame *top = &vec_last(&w->frames);
  for (size_t i = w->targets.len; i--;) {
    const by_handle_target *t = w->targets.data + i;
    if (!collapse_tree_has(w->tree, t->probe)) {
      by_handle_keep(w, t);
      continue;
    }
    if (!here->accepts || sccs[t->place].scc != here->scc)
      continue;
    size_t back = find_cyan(w, t->edge.handle);
    if (back == SIZE_MAX)
      continue;
    if (top->accepting || w->frames.data[back].accepting) {
      by_handle_found(l, &t->edge, back);
      return false;
    }
    w->hits.data[here->scc] += !w->frames.data[back].hit;
    w->frames.data[back].hit = true;
  }
  return true;
}

/* Asks memory for what the second search will look at. */
static void foresee_red(const by_handle *w)
{
  const path_index *x = &w->cyan;
  for (size_t i = 0; i < w->targets.len; i++) {
    store_handle handle = w->targets.data[i].edge.handle;
    uint32_t left = (uint32_t)(handle >> 32), right = (uint32_t)handle;
    if (x->slots)
      __builtin_prefetch(x->slots + (hash_mix(handle) & x->mask));
    if (roots_fits(&w->red, left, right))
      roots_prefetch(&w->red, roots_locate(&w->red, left, right));
  }
}

/* In the second search any step back to the path will do. */
static bool look_red(live *l)
{
  by_handle *w = l->by_handle;
  const place_scc *sccs = w->sccs.data, *here = sccs + w->place;
  foresee_red(w);
  for (size_t i = w->targets.len; i--;) {
    const by_handle_target *t = w->targets.data + i;
    if (sccs[t->place].scc != here->scc)
      continue;
    size_t back = find_cyan(w, t->edge.handle);
    if (back != SIZE_MAX) {
      by_handle_found(l, &t->edge, back);
      return false;
    }
    if (!has_red(w, t->edge.handle))
      by_handle_keep(w, t);
  }
  return true;
}

/* Expands the top frame, which is new, or whose successors were forgotten. */
static bool expand(live *l, bool again)
{
  by_handle *w = l->by_handle;
  if (vec_last(&w->frames).cut)
    return true;
  if (!by_handle_expand(l, again))
    return false;
  if (w->seed != SIZE_MAX)
    return look_red(l);
  const place_scc *at = w->sccs.data + w->place;
  by_handle_frame *top = &vec_last(&w->frames);
  top->accepting = at->accepts && (all_loops_count(l, at) || w->accepting);
  top->scc = at->scc;
  top->needs_second = top->accepting && !all_loops_count(l, at);
  if (at->accepts && !top->indexed)
    add_cyan(w);
  return look_blue(l);
}

static bool take_edge(live *l)
{
  by_handle *w = l->by_handle;
  by_handle_edge e;
  bool fresh;
  if (w->seed == SIZE_MAX) {
    if (!by_handle_take(l, &e, &fresh))
      return false;
  } else {
    e = vec_pop(&w->edges);
    if (!add_red(l, e.handle, &fresh))
      return false;
  }
  if (!fresh)
    return true;
  by_handle_push(l, e.handle, e.via);
  return expand(l, w->seed != SIZE_MAX);
}

/* All steps of the top frame have been taken. */
static bool leave(live *l)
{
  by_handle *w = l->by_handle;
  size_t at = w->frames.len - 1;
  by_handle_frame *top = &vec_last(&w->frames);
  bool fresh;
  if (w->seed == SIZE_MAX && top->needs_second && w->hits.data[top->scc]) {
    w->seed = at;
    return add_red(l, top->handle, &fresh) && expand(l, true);
  }
  if (w->seed == at)
    w->seed = SIZE_MAX;
  if (top->hit)
    w->hits.data[top->scc]--;
  if (top->indexed)
    remove_cyan(w);
  by_handle_pop(l);
  return true;
}

static bool begin(live *l)
{
  store_handle first;
  if (!by_handle_initial(l, &first))
    return false;
  l->begun = true;
  l->result.stats.states++;
  by_handle_push(l, first, PRODUCT_STAYS);
  return expand(l, false);
}

void by_handle_nested(live *l)
{
  by_handle *w = l->by_handle;
  if (!l->begun && !begin(l))
    return;
  while (w->frames.len && !by_handle_pauses(l)) {
    const by_handle_frame *top = &vec_last(&w->frames);
    bool goes_on = top->stale                       ? expand(l, true)
                   : w->edges.len > top->first_edge ? take_edge(l)
                                                    : leave(l);
    if (!goes_on)
      return;
  }
}
