/* Figures of a space whose states stand for many states of another one. */

#include "symbolic/symbolic_internal.h"

#include "base/alloc.h"
#include <stdlib.h>

/* The levels of globals; NULL: one is no level. */
static uint32_t *levels_of(symbolic_space *s, const var *const *list,
                           uint32_t count)
{
  uint32_t *levels = ARENA_ARRAY(s->arena, uint32_t, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    const field *f = field_of_global(s, list[i], 0);
    if (!f || f->kind == FIELD_STATE)
      return NULL;
    levels[i] = f->level;
  }
  return levels;
}

static int by_level(const void *a, const void *b)
{
  const mdd_floor *x = a, *y = b;
  return x->level < y->level ? -1 : x->level > y->level;
}

/* Nothing is collected meanwhile, so there is no asking for room. */
static bool is_ended(void *space)
{
  symbolic_space *s = space;
  if (limits_reached(s->limits))
    symbolic_stop(s, s->limits->reason);
  return s->reason != REASON_NONE && s->reason == s->limits->reason;
}

static mdd_view *translate_views(symbolic_space *s, const uint32_t *levels,
                                 const mdd_weights *w)
{
  mdd_view *views = ARENA_ARRAY(s->arena, mdd_view, w->count + 1);
  for (size_t i = 0; i < w->count; i++) {
    mdd_floor *floors = ARENA_ARRAY(s->arena, mdd_floor, w->views[i].count + 1);
    for (uint32_t k = 0; k < w->views[i].count; k++) {
      floors[k] = w->views[i].floors[k];
      floors[k].level = levels[floors[k].level];
    }
    qsort(floors, w->views[i].count, sizeof *floors, by_level);
    views[i] = w->views[i];
    views[i].floors = floors;
  }
  return views;
}

bool symbolic_weigh(symbolic_space *s, const var *const *list,
                    const mdd_weights *w, bignum *all, bignum *viewed)
{
  const uint32_t *levels = levels_of(s, list, w->levels);
  uint32_t count = (uint32_t)s->fields.len;
  uint32_t *leaves = ARENA_ARRAY(s->arena, uint32_t, count + 1);
  if (!levels || s->options.asked.base != NUT_BASE_MDD)
    return false;
  for (uint32_t i = 0; i < count; i++)
    leaves[i] = 1;
  for (uint32_t i = 0; i < w->levels; i++)
    leaves[levels[i]] = w->leaves[i];
  mdd_weights mine = {count,    leaves,   translate_views(s, levels, w),
                      w->count, is_ended, s};
  return set_weigh(s->library, s->reachable, &mine, all, viewed);
}

bool symbolic_count_without(symbolic_space *s, const var *const *list,
                            const mdd_weights *w, bignum *number)
{
  const uint32_t *levels = levels_of(s, list, w->levels);
  uint32_t count = (uint32_t)s->fields.len;
  uint32_t *lo = ARENA_ARRAY(s->arena, uint32_t, count + 1);
  uint32_t *hi = ARENA_ARRAY(s->arena, uint32_t, count + 1);
  symbolic_set *left = &s->scratch[3], *part = &s->scratch[4];
  if (!levels || s->options.asked.base != NUT_BASE_MDD)
    return false;
  for (uint32_t i = 0; i < count; i++)
    hi[i] = UINT32_MAX;
  *left = s->reachable;
  for (size_t i = 0; i < w->count && *left != SET_EMPTY && *left != SET_FULL &&
                     !symbolic_impatient(s);
       i++) {
    const mdd_view *v = &w->views[i];
    for (uint32_t k = 0; k < v->count; k++) {
      const mdd_floor *f = &v->floors[k];
      lo[levels[f->level]] = f->least;
      hi[levels[f->level]] = f->below ? f->below - 1 : UINT32_MAX;
    }
    *part = set_box(s->library, *left, lo, hi);
    *left = set_minus(s->library, *left, *part);
    for (uint32_t k = 0; k < v->count; k++) {
      lo[levels[v->floors[k].level]] = 0;
      hi[levels[v->floors[k].level]] = UINT32_MAX;
    }
  }
  bool good = *left != SET_FULL && s->reason == REASON_NONE &&
              set_count(s->library, *left, number);
  *left = *part = SET_EMPTY;
  return good;
}

bool symbolic_most(symbolic_space *s, const var *const *list, uint32_t count,
                   uint32_t *most)
{
  const uint32_t *levels = levels_of(s, list, count);
  uint32_t *high = ARENA_ARRAY(s->arena, uint32_t, s->fields.len + 1);
  uint32_t *low = ARENA_ARRAY(s->arena, uint32_t, s->fields.len + 1);
  if (!levels || !set_extremes(s->library, s->reachable, low, high))
    return false;
  for (uint32_t i = 0; i < count; i++)
    most[i] = high[levels[i]];
  return true;
}

bool symbolic_greatest_sum(symbolic_space *s, const var *const *list,
                           const int64_t *factors, uint32_t count,
                           int64_t *greatest)
{
  const uint32_t *levels = levels_of(s, list, count);
  int32_t *mine = ARENA_ARRAY(s->arena, int32_t, s->fields.len + 1);
  if (!levels)
    return false;
  for (uint32_t i = 0; i < count; i++)
    mine[levels[i]] = (int32_t)factors[i];
  return set_greatest(s->library, s->reachable, mine, greatest);
}
