/* Nested depth-first search by names: the algorithm of nested.c, with three
** differences that come from knowing more.
**
** The place of the observer tells whether a loop here can be accepted at all
** (parts.h).  Where it cannot, states on the path need no index.  Where every
** loop is accepted, all its states count as accepting, and then the first
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
** What the second search has seen is a set of names beside the store. */

#include "search/named.h"

#include "base/hash.h"

/* ---- the path ---------------------------------------------------------- */

/* Puts the frames from 'first' on into the index. */
static void fill_index(named *w, size_t first)
{
  for (size_t i = first; i < w->frames.len; i++)
    if (w->frames.data[i].indexed)
      path_index_put(&w->cyan, hash_mix(w->frames.data[i].name), i);
}

/* The top frame becomes cyan. */
static void add_cyan(named *w)
{
  vec_last(&w->frames).indexed = true;
  fill_index(w, path_index_make_room(&w->cyan) ? 0 : w->frames.len - 1);
}

static void remove_cyan(named *w)
{
  path_index_remove(&w->cyan, hash_mix(vec_last(&w->frames).name),
                    w->frames.len - 1);
}

/* The cyan frame with this state, or SIZE_MAX. */
static size_t find_cyan(const named *w, store_handle name)
{
  uint64_t hash = hash_mix(name), at = hash;
  size_t frame;
  while ((frame = path_index_next(&w->cyan, hash, &at)) != SIZE_MAX &&
         w->frames.data[frame].name != name)
    ;
  return frame;
}

/* ---- what the second search has seen ----------------------------------- */

static bool has_red(const named *w, store_handle name)
{
  uint32_t left = (uint32_t)(name >> 32), right = (uint32_t)name;
  const roots *r = &w->red;
  return roots_fits(r, left, right) &&
         roots_has(r, roots_locate(r, left, right), left, right);
}

static bool add_red(live *l, store_handle name, bool *fresh)
{
  roots *r = &l->named->red;
  uint32_t left = (uint32_t)(name >> 32), right = (uint32_t)name;
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
  store_handle name = collapse_tree_translate(m->live->named->tree,
                                              (uint64_t)left << 32 | right);
  left = (uint32_t)(name >> 32);
  right = (uint32_t)name;
  if ((!roots_fits(&m->made, left, right) &&
       !roots_widen(&m->made, left, right)) ||
      roots_insert(&m->made, roots_locate(&m->made, left, right), left,
                   right) == ROOTS_FULL)
    m->failed = true;
}

void named_nested_moved(live *l)
{
  named *w = l->named;
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
static bool all_loops_count(const live *l, const place_part *at)
{
  return at->all_loops && !l->product.rounds;
}

/* Looks at the successors of the top frame in the first search: a step back to
** the path closes a lasso if one of its ends is accepting. */
static bool look_blue(live *l)
{
  named *w = l->named;
  const place_part *parts = w->parts.data, *here = parts + w->place;
  const named_frame *top = &vec_last(&w->frames);
  for (size_t i = w->targets.len; i--;) {
    const named_target *t = w->targets.data + i;
    if (!collapse_tree_has(w->tree, t->probe)) {
      named_keep(w, t);
      continue;
    }
    if (!here->accepts || parts[t->place].component != here->component)
      continue;
    size_t back = find_cyan(w, t->edge.name);
    if (back == SIZE_MAX)
      continue;
    if (top->accepting || w->frames.data[back].accepting) {
      named_found(l, &t->edge, back);
      return false;
    }
    w->hits.data[here->component] += !w->frames.data[back].hit;
    w->frames.data[back].hit = true;
  }
  return true;
}

/* Asks memory for what the second search will look at. */
static void foresee_red(const named *w)
{
  const path_index *x = &w->cyan;
  for (size_t i = 0; i < w->targets.len; i++) {
    store_handle name = w->targets.data[i].edge.name;
    uint32_t left = (uint32_t)(name >> 32), right = (uint32_t)name;
    if (x->slots)
      __builtin_prefetch(x->slots + (hash_mix(name) & x->mask));
    if (roots_fits(&w->red, left, right))
      roots_prefetch(&w->red, roots_locate(&w->red, left, right));
  }
}

/* In the second search any step back to the path will do. */
static bool look_red(live *l)
{
  named *w = l->named;
  const place_part *parts = w->parts.data, *here = parts + w->place;
  foresee_red(w);
  for (size_t i = w->targets.len; i--;) {
    const named_target *t = w->targets.data + i;
    if (parts[t->place].component != here->component)
      continue;
    size_t back = find_cyan(w, t->edge.name);
    if (back != SIZE_MAX) {
      named_found(l, &t->edge, back);
      return false;
    }
    if (!has_red(w, t->edge.name))
      named_keep(w, t);
  }
  return true;
}

/* Expands the top frame, which is new, or whose successors were forgotten. */
static bool expand(live *l, bool again)
{
  named *w = l->named;
  if (vec_last(&w->frames).cut)
    return true;
  if (!named_expand(l, again))
    return false;
  if (w->seed != SIZE_MAX)
    return look_red(l);
  const place_part *at = w->parts.data + w->place;
  named_frame *top = &vec_last(&w->frames);
  top->accepting = at->accepts && (all_loops_count(l, at) || w->accepting);
  top->component = at->component;
  top->needs_second = top->accepting && !all_loops_count(l, at);
  if (at->accepts && !top->indexed)
    add_cyan(w);
  return look_blue(l);
}

static bool take_edge(live *l)
{
  named *w = l->named;
  named_edge e;
  bool fresh;
  if (w->seed == SIZE_MAX) {
    if (!named_take(l, &e, &fresh))
      return false;
  } else {
    e = vec_pop(&w->edges);
    if (!add_red(l, e.name, &fresh))
      return false;
  }
  if (!fresh)
    return true;
  named_push(l, e.name, e.via);
  return expand(l, false);
}

/* All steps of the top frame have been taken. */
static bool leave(live *l)
{
  named *w = l->named;
  size_t at = w->frames.len - 1;
  named_frame *top = &vec_last(&w->frames);
  bool fresh;
  if (w->seed == SIZE_MAX && top->needs_second &&
      w->hits.data[top->component]) {
    w->seed = at;
    return add_red(l, top->name, &fresh) && expand(l, true);
  }
  if (w->seed == at)
    w->seed = SIZE_MAX;
  if (top->hit)
    w->hits.data[top->component]--;
  if (top->indexed)
    remove_cyan(w);
  named_pop(l);
  return true;
}

void named_nested(live *l)
{
  named *w = l->named;
  store_handle first;
  if (!named_initial(l, &first))
    return;
  l->result.stats.states++;
  named_push(l, first, PRODUCT_STAYS);
  if (!expand(l, false))
    return;
  while (w->frames.len) {
    const named_frame *top = &vec_last(&w->frames);
    bool goes_on = top->stale                       ? expand(l, true)
                   : w->edges.len > top->first_edge ? take_edge(l)
                                                    : leave(l);
    if (!goes_on)
      return;
  }
}
