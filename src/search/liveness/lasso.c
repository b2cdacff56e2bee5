/* Short lassos: breadth first from the initial state to the nearest state of
** the territory, then from there to the nearest step that gives something the
** loop still needs, again and again, and the shortest way back. */

#include "search/liveness/scc.h"

#include "base/alloc.h"

#include <assert.h>
#include <string.h>

/* States looked at for a short way to the loop: so many, and twice as many as
** the search has seen. */
enum { STEM_LEAST = 1000 };

/* A state reached by a walk, and how. */
typedef struct stride {
  uint32_t parent; /* number of the state before it */
  uint32_t via;    /* which successor it is */
  gains gain;      /* of that step */
} stride;

/* Where a walk is to end. */
typedef struct goal {
  bool inside;       /* in a state of the territory, */
  gains wanted;      /* or by a step that gives one of these, */
  const uint8_t *at; /* or in this state, unless NULL */
  uint32_t length;
} goal;

typedef struct lasso_walker {
  live *live;
  const territory *territory;
  gains needed; /* by the loop */
  const store_class *class;
  store *seen; /* numbered in the order of discovery: the queue as well */
  VEC(stride) strides;
  VEC(uint8_t) here;   /* the state the path has come to */
  VEC(uint8_t) origin; /* where the loop starts */
  VEC(uint8_t) state;
  VEC(uint32_t) way;
  gains got; /* by the last walk */
  uint64_t limit;
} lasso_walker;

static bool is_inside(lasso_walker *k, const live_frame *f, bool *ended)
{
  live *l = k->live;
  bool fresh;
  store_handle number;
  *ended = !scc_number(l, f, &fresh, &number);
  if (*ended || fresh)
    return false;
  if (k->territory->regions)
    return number_map_get(k->territory->regions, number) ==
           k->territory->region;
  uint32_t index = number_map_get(&l->indices, number);
  return index >= k->territory->least && index != LIVE_DONE;
}

static void set_bytes(lasso_walker *k, const live_frame *f)
{
  vec_resize(&k->here, f->length);
  memcpy(k->here.data, k->live->bytes.base + f->start, f->length);
}

/* Appends the way to state 'number' and the step after it to the path. */
static void append_way(lasso_walker *k, uint32_t number, const stride *last)
{
  vec_clear(&k->way);
  vec_push(&k->way, last->via);
  k->got = last->gain;
  for (; number; number = k->strides.data[number].parent) {
    vec_push(&k->way, k->strides.data[number].via);
    gains_add(&k->got, &k->strides.data[number].gain);
  }
  while (k->way.len)
    vec_push(&k->live->path.steps, vec_pop(&k->way));
}

static bool is_goal(const lasso_walker *k, const goal *g, const live_frame *f,
                    const gains *gain, bool inside)
{
  return (g->inside && inside) || gains_meet(&g->wanted, gain) ||
         (g->at && g->length == f->length &&
          !memcmp(g->at + k->live->product.hidden,
                  k->live->bytes.base + f->start + k->live->product.hidden,
                  f->length - k->live->product.hidden));
}

typedef enum { WALK_ON, WALK_ARRIVED, WALK_ENDED } walk_result;

/* Takes all steps from state 'number'. */
static walk_result walk_from(lasso_walker *k, const goal *g, uint32_t number)
{
  live *l = k->live;
  product *p = &l->product;
  vec_resize(&k->state, k->class->max_length(k->seen));
  k->state.len = k->class->fetch(k->seen, number, k->state.data);
  product_expand(p, k->state.data, (uint32_t)k->state.len);
  for (size_t i = 0; i < p->edges.len; i++) {
    live_frame f;
    bool ended = false;
    if (!scc_compose(l, p->edges.data + i, k->state.data,
                     (uint32_t)k->state.len, &f))
      return WALK_ENDED;
    bool inside = is_inside(k, &f, &ended);
    if (ended)
      return WALK_ENDED;
    if (!inside && !g->inside)
      continue;
    stride s = {number, p->edges.data[i].successor,
                scc_gain(l, p->edges.data + i, &p->enabled)};
    if (is_goal(k, g, &f, &s.gain, inside)) {
      append_way(k, number, &s);
      set_bytes(k, &f);
      return WALK_ARRIVED;
    }
    store_handle ignored;
    store_result result =
        k->class->insert(k->seen, l->bytes.base + f.start, f.length,
                         STORE_NO_HANDLE, UINT64_MAX, &ignored);
    if (result == STORE_FULL)
      return WALK_ENDED;
    if (result == STORE_NEW)
      vec_push(&k->strides, s);
  }
  return WALK_ON;
}

/* Walks from 'here' to the goal.  False when it is not reached. */
static bool walk(lasso_walker *k, const goal *g)
{
  live *l = k->live;
  store_handle first;
  walk_result result = WALK_ON;
  vec_clear(&k->strides);
  if (k->seen)
    k->class->destroy(k->seen);
  k->seen = store_create(k->class, &l->product.map, l->watch.room);
  if (!k->seen ||
      k->class->insert(k->seen, k->here.data, (uint32_t)k->here.len,
                       STORE_NO_HANDLE, UINT64_MAX, &first) != STORE_NEW)
    return false;
  vec_push(&k->strides, ((stride){0}));
  for (uint32_t i = 0; i < k->strides.len && i < k->limit && result == WALK_ON;
       i++) {
    result = walk_from(k, g, i);
    if (!--l->watch.countdown)
      watch_look(&l->watch);
    if (l->watch.stop)
      return false;
  }
  return result == WALK_ARRIVED;
}

/* ---- stem and loop ----------------------------------------------------- */

/* The way of the search itself, when a short one is too far to seek, and from
** its end, which lies in the component, on into the territory. */
static bool take_search_path(lasso_walker *k)
{
  live *l = k->live;
  bool ended = false;
  goal g = {.inside = true};
  live_frame top;
  if (!live_search_path(l, &top))
    return false;
  set_bytes(k, &top);
  k->limit = UINT64_MAX;
  return is_inside(k, &top, &ended) || (!ended && walk(k, &g));
}

static bool find_stem(lasso_walker *k)
{
  live *l = k->live;
  live_frame first;
  bool ended = false;
  goal g = {.inside = true};
  vec_clear(&l->path.steps);
  if (!live_initial(l, &first))
    return false;
  set_bytes(k, &first);
  if (is_inside(k, &first, &ended))
    return true;
  k->limit = STEM_LEAST + 2 * l->result.stats.states;
  if (!ended && walk(k, &g))
    return true;
  return !ended && !l->watch.stop && take_search_path(k);
}

static bool find_loop(lasso_walker *k, gains needed)
{
  live *l = k->live;
  size_t before = l->path.steps.len;
  vec_resize(&k->origin, k->here.len);
  memcpy(k->origin.data, k->here.data, k->here.len);
  l->path.loop = before;
  k->limit = UINT64_MAX;
  while (!gains_empty(&needed)) {
    goal g = {.wanted = needed};
    if (!walk(k, &g))
      return false;
    gains_remove(&needed, &k->got);
  }
  goal back = {.at = k->origin.data, .length = (uint32_t)k->origin.len};
  uint32_t hidden = l->product.hidden;
  bool closed = l->path.steps.len > before && k->here.len == k->origin.len &&
                !memcmp(k->here.data + hidden, k->origin.data + hidden,
                        k->here.len - hidden);
  return closed || walk(k, &back);
}

static void walker_free(void *walking)
{
  lasso_walker *k = walking;
  if (k->seen)
    k->class->destroy(k->seen);
  vec_free(&k->strides);
  vec_free(&k->here);
  vec_free(&k->origin);
  vec_free(&k->state);
  vec_free(&k->way);
}

/* A short lasso, or else an end of the run with a reason. */
static void find_lasso(void *walking)
{
  lasso_walker *k = walking;
  live *l = k->live;
  if (find_stem(k) && find_loop(k, k->needed))
    l->found = true;
  else if (!l->watch.stop)
    watch_full(&l->watch);
}

/* The walks take all steps there are: that a component was found without some
** of them takes none of its loops away. */
void scc_lasso(live *l, const territory *where, gains needed)
{
  reduce_destroy(l->product.reduction);
  l->product.reduction = NULL;
  lasso_walker k = {.live = l,
                    .territory = where,
                    .needed = needed,
                    .class = store_find("raw+table")};
  mem_protect_tidy(find_lasso, walker_free, &k);
}
