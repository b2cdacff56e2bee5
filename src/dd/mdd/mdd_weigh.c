/* Counts what the tuples of a set stand for.
**
** The number of a node is that of all tuples below it.  A view differs from
** that only between the first and the last level it looks at; so it is the sum,
** over the nodes of the first one, of what leads there times what goes on from
** there as the view has it:
**
**   root ... [first ... last] ... unit
**   \ above / \ by the view / \ below / */

#include "dd/mdd/mdd_internal.h"
#include "dd/mdd/mdd_system.h"

#include "base/alloc.h"
#include "dd/counts.h"

#include <assert.h>

/* The ways to spread 0, 1, ... tokens over some places. */
typedef struct ways {
  bignum *list;
  uint32_t count, leaves;
} ways;

typedef struct weigher {
  const mdd_manager *manager;
  const mdd_weights *weights;
  ways *ways; /* by level */
  dd_counts below, above, inner;
  mdd *nodes;       /* of all levels, one after the other */
  size_t *starts;   /* of each level in 'nodes', and the end */
  size_t cap;       /* of 'nodes' */
  bignum *arriving; /* scratch: above the nodes of a level */
  size_t arriving_cap;
  uint32_t looks;
} weigher;

static bool is_over(weigher *w)
{
  enum { EVERY = 1024 };
  const mdd_weights *x = w->weights;
  return x->impatient && ++w->looks % EVERY == 0 && x->impatient(x->context);
}

/* ---- ways ---------------------------------------------------------------- */

static bool make_ways(ways *y, uint32_t leaves, uint32_t most)
{
  y->leaves = leaves;
  if (leaves == 1)
    return true;
  y->list = mem_try_alloc(mem_product((size_t)most + 1, sizeof *y->list));
  if (!y->list)
    return false;
  y->count = most + 1;
  for (uint32_t n = 0; n < y->count; n++) {
    y->list[n] = (bignum){0};
    if (!n ? !bignum_set(&y->list[0], 1)
           : !bignum_copy(&y->list[n], &y->list[n - 1]) ||
                 !bignum_multiply(&y->list[n], (uint64_t)n - 1 + leaves))
      return false;
    if (n)
      bignum_divide(&y->list[n], n);
  }
  return true;
}

static void free_ways(ways *y)
{
  for (uint32_t n = 0; n < y->count; n++)
    bignum_free(&y->list[n]);
  mem_free(y->list, y->count * sizeof *y->list);
}

/* Multiplies by the ways of n tokens; 'scratch' is free for use. */
static bool times_ways(const ways *y, uint32_t n, bignum *number,
                       bignum *scratch)
{
  if (y->leaves == 1)
    return true;
  return bignum_product(scratch, number, &y->list[n]) &&
         bignum_copy(number, scratch);
}

/* ---- nodes by level -------------------------------------------------------- */

static bool push_node(weigher *w, size_t *len, mdd node)
{
  if (*len == w->cap) {
    size_t cap = 2 * w->cap + 1024;
    mdd *more = mem_try_resize(w->nodes, w->cap * sizeof *more,
                               mem_product(cap, sizeof *more));
    if (!more)
      return false;
    w->nodes = more;
    w->cap = cap;
  }
  w->nodes[(*len)++] = node;
  return true;
}

static bool list_nodes(weigher *w, mdd set)
{
  dd_map seen = {0};
  size_t len = 0;
  bool good = push_node(w, &len, set);
  for (uint32_t level = 0; good && level < w->weights->levels; level++) {
    w->starts[level + 1] = len;
    for (size_t i = w->starts[level]; good && i < w->starts[level + 1]; i++)
      for (mdd_cursor a = mdd_cursor_start(w->manager, w->nodes[i]);
           good && mdd_cursor_more(&a); mdd_cursor_next(&a)) {
        uint32_t *there = dd_map_at(&seen, a.child);
        good = there;
        if (there && !*there) {
          *there = 1;
          good = a.child == MDD_UNIT || push_node(w, &len, a.child);
        }
      }
  }
  dd_map_free(&seen);
  return good;
}

/* ---- below and above --------------------------------------------------------- */

static bool fill_below(weigher *w)
{
  bignum sum = {0}, part = {0}, scratch = {0};
  bool good = bignum_set(&sum, 1) && dd_counts_put(&w->below, MDD_UNIT, &sum);
  for (uint32_t level = w->weights->levels; good && level-- > 0;)
    for (size_t i = w->starts[level]; good && i < w->starts[level + 1]; i++) {
      good = !is_over(w) && bignum_set(&sum, 0);
      for (mdd_cursor a = mdd_cursor_start(w->manager, w->nodes[i]);
           good && mdd_cursor_more(&a); mdd_cursor_next(&a)) {
        bignum child = dd_counts_get(&w->below, a.child);
        good = bignum_copy(&part, &child) &&
               times_ways(&w->ways[level], a.lo, &part, &scratch) &&
               bignum_add(&sum, &part);
      }
      good = good && dd_counts_put(&w->below, w->nodes[i], &sum);
    }
  bignum_free(&sum);
  bignum_free(&part);
  bignum_free(&scratch);
  return good;
}

/* What leads to the nodes of the next level, in 'arriving'. */
static bool arrive(weigher *w, uint32_t level, const dd_map *places)
{
  bignum part = {0}, scratch = {0};
  bool good = true;
  for (size_t i = w->starts[level]; good && i < w->starts[level + 1]; i++) {
    good = !is_over(w);
    for (mdd_cursor a = mdd_cursor_start(w->manager, w->nodes[i]);
         good && mdd_cursor_more(&a); mdd_cursor_next(&a)) {
      bignum before = dd_counts_get(&w->above, w->nodes[i]);
      good = bignum_copy(&part, &before) &&
             times_ways(&w->ways[level], a.lo, &part, &scratch) &&
             bignum_add(&w->arriving[dd_map_get(places, a.child) - 1], &part);
    }
  }
  bignum_free(&part);
  bignum_free(&scratch);
  return good;
}

static bool enter_level(weigher *w, uint32_t level)
{
  size_t first = w->starts[level], count = w->starts[level + 1] - first;
  dd_map places = {0};
  bool good = true;
  for (size_t i = 0; i < count && good; i++) {
    uint32_t *place = dd_map_at(&places, w->nodes[first + i]);
    good = place;
    if (place)
      *place = (uint32_t)i + 1;
    good = good && bignum_set(&w->arriving[i], 0);
  }
  good = good && arrive(w, level - 1, &places);
  for (size_t i = 0; i < count && good; i++)
    good = dd_counts_put(&w->above, w->nodes[first + i], &w->arriving[i]);
  dd_map_free(&places);
  return good;
}

static bool fill_above(weigher *w)
{
  bignum one = {0};
  bool good =
      bignum_set(&one, 1) && dd_counts_put(&w->above, w->nodes[0], &one);
  bignum_free(&one);
  size_t widest = 0;
  for (uint32_t level = 0; level < w->weights->levels; level++) {
    size_t count = w->starts[level + 1] - w->starts[level];
    widest = count > widest ? count : widest;
  }
  w->arriving = mem_try_alloc(mem_product(widest + 1, sizeof *w->arriving));
  if (!w->arriving)
    return false;
  w->arriving_cap = widest + 1;
  for (size_t i = 0; i < w->arriving_cap; i++)
    w->arriving[i] = (bignum){0};
  for (uint32_t level = 1; good && level < w->weights->levels; level++)
    good = enter_level(w, level);
  return good;
}

/* ---- views -------------------------------------------------------------------- */

/* The number of a node as the view has it, into 'inner'. */
static bool look(weigher *w, const mdd_view *v, uint32_t at, uint32_t level,
                 mdd node)
{
  if (at == v->count || dd_counts_has(&w->inner, node))
    return true;
  const mdd_floor *f = &v->floors[at];
  bool here = f->level == level;
  uint32_t least = here ? f->least : 0;
  bignum sum = {0}, part = {0}, scratch = {0};
  bool good = !is_over(w);
  for (mdd_cursor a = mdd_cursor_start(w->manager, node);
       good && mdd_cursor_more(&a); mdd_cursor_next(&a)) {
    if (a.lo < least || (here && f->below && a.lo >= f->below))
      continue;
    uint32_t next = at + here;
    good = look(w, v, next, level + 1, a.child);
    bignum child = !good              ? (bignum){0}
                   : next == v->count ? dd_counts_get(&w->below, a.child)
                                      : dd_counts_get(&w->inner, a.child);
    good = good && bignum_copy(&part, &child) &&
           times_ways(&w->ways[level], a.lo - least, &part, &scratch) &&
           bignum_add(&sum, &part);
  }
  good = good && dd_counts_put(&w->inner, node, &sum);
  bignum_free(&sum);
  bignum_free(&part);
  bignum_free(&scratch);
  return good;
}

static bool add_view(weigher *w, const mdd_view *v, bignum *viewed)
{
  uint32_t level = v->count ? v->floors[0].level : 0;
  bignum part = {0};
  bool good = true;
  dd_counts_free(&w->inner);
  for (size_t i = w->starts[level]; good && i < w->starts[level + 1]; i++) {
    mdd node = w->nodes[i];
    good = look(w, v, 0, level, node);
    if (!good)
      break;
    bignum above = dd_counts_get(&w->above, node);
    bignum inner = v->count ? dd_counts_get(&w->inner, node)
                            : dd_counts_get(&w->below, node);
    good = bignum_product(&part, &above, &inner) &&
           bignum_multiply(&part, v->times) && bignum_add(viewed, &part);
  }
  bignum_free(&part);
  return good;
}

/* ---- all of it ------------------------------------------------------------------ */

static bool prepare(weigher *w, mdd set)
{
  uint32_t levels = w->weights->levels;
  w->ways = mem_try_alloc((levels + 1) * sizeof *w->ways);
  w->starts = mem_try_alloc((levels + 1) * sizeof *w->starts);
  uint32_t *ends = mem_try_alloc(2 * (size_t)(levels + 1) * sizeof *ends);
  bool good = w->ways && w->starts && ends;
  for (uint32_t i = 0; w->ways && i <= levels; i++)
    w->ways[i] = (ways){0};
  if (good)
    w->starts[0] = 0;
  good = good && mdd_extremes(w->manager, set, ends, ends + levels + 1);
  for (uint32_t i = 0; good && i < levels; i++)
    good = make_ways(&w->ways[i], w->weights->leaves[i], ends[levels + 1 + i]);
  mem_free(ends, ends ? 2 * (size_t)(levels + 1) * sizeof *ends : 0);
  return good && list_nodes(w, set) && fill_below(w) && fill_above(w);
}

static void tidy(weigher *w)
{
  uint32_t levels = w->weights->levels;
  for (uint32_t i = 0; w->ways && i < levels; i++)
    free_ways(&w->ways[i]);
  mem_free(w->ways, w->ways ? (levels + 1) * sizeof *w->ways : 0);
  mem_free(w->starts, w->starts ? (levels + 1) * sizeof *w->starts : 0);
  mem_free(w->nodes, w->cap * sizeof *w->nodes);
  for (size_t i = 0; i < w->arriving_cap; i++)
    bignum_free(&w->arriving[i]);
  mem_free(w->arriving, w->arriving_cap * sizeof *w->arriving);
  dd_counts_free(&w->below);
  dd_counts_free(&w->above);
  dd_counts_free(&w->inner);
}

bool mdd_weigh(const mdd_manager *m, mdd set, const mdd_weights *x, bignum *all,
               bignum *viewed)
{
  assert(set != MDD_EMPTY && set != MDD_FULL && m->width == 2 && x->levels);
  weigher w = {.manager = m, .weights = x};
  bool good = prepare(&w, set);
  if (good) {
    bignum root = dd_counts_get(&w.below, set);
    good = bignum_copy(all, &root) && bignum_set(viewed, 0);
  }
  for (size_t i = 0; i < x->count && good; i++)
    good = add_view(&w, &x->views[i], viewed);
  tidy(&w);
  return good;
}
