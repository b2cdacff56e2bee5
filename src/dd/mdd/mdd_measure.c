/* Sums over the values of tuples: which lie in a range, which is greatest. */

#include "dd/mdd/mdd_internal.h"
#include "dd/mdd/mdd_system.h"
#include "dd/sums.h"

#include "base/alloc.h"

#include <assert.h>

enum { MOST_SUMS = 1 << 22 };

typedef struct between_context {
  const int32_t *factors;
  uint32_t end; /* behind the last level with a factor */
  int64_t lo, hi;
  dd_cache *sums; /* by node and sum so far; no node dies meanwhile */
} between_context;

static mdd between_inner(mdd_manager *m, const between_context *c, mdd node,
                         uint32_t level, int64_t sum)
{
  if (node == MDD_EMPTY)
    return MDD_EMPTY;
  if (level == c->end)
    return sum >= c->lo && sum <= c->hi ? node : MDD_EMPTY;
  uint32_t low = (uint32_t)sum, high = (uint32_t)((uint64_t)sum >> 32);
  mdd result = dd_cache_get(c->sums, node, low, high);
  if (result != DD_CACHE_NONE)
    return result;
  size_t base = m->stack_top;
  for (mdd_cursor a = mdd_cursor_start(m, node); mdd_cursor_more(&a);
       mdd_cursor_next(&a)) {
    int64_t more = (int64_t)c->factors[level] * (int32_t)a.lo;
    mdd child = between_inner(m, c, a.child, level + 1, sum + more);
    if (child == MDD_FULL || !mdd_push(m, base, a.lo, a.hi, child))
      return mdd_give_up(m, base);
  }
  result = mdd_make(m, base);
  if (result != MDD_FULL)
    dd_cache_put(c->sums, node, low, high, result);
  if (!(c->sums->puts & 1023))
    dd_cache_grow(c->sums, MOST_SUMS);
  return result;
}

static mdd do_between(mdd_manager *m, mdd a, mdd b, const void *context)
{
  const between_context *c = context;
  (void)b;
  dd_cache_clear(c->sums);
  return between_inner(m, c, a, 0, 0);
}

mdd mdd_between(mdd_manager *m, mdd set, const int32_t *factors,
                uint32_t levels, int64_t lo, int64_t hi)
{
  assert(m->width == 2);
  dd_cache sums = {0};
  uint32_t end = 0;
  for (uint32_t i = 0; i < levels; i++)
    if (factors[i])
      end = i + 1;
  if (!dd_cache_create(&sums, MOST_SUMS))
    return MDD_FULL;
  between_context c = {factors, end, lo, hi, &sums};
  mdd result = mdd_run(m, do_between, set, MDD_EMPTY, &c);
  dd_cache_destroy(&sums);
  return result;
}

/* ---- boxes -------------------------------------------------------------- */

typedef struct box_context {
  const uint32_t *lo, *hi;
  uint32_t end;   /* behind the last level that is cut */
  dd_cache *made; /* by node */
} box_context;

static mdd box_inner(mdd_manager *m, const box_context *c, mdd node,
                     uint32_t level)
{
  if (node == MDD_EMPTY || level == c->end)
    return node;
  mdd result = dd_cache_get(c->made, node, 0, 0);
  if (result != DD_CACHE_NONE)
    return result;
  size_t base = m->stack_top;
  for (mdd_cursor a = mdd_cursor_start(m, node); mdd_cursor_more(&a);
       mdd_cursor_next(&a)) {
    if (a.lo < c->lo[level] || a.lo > c->hi[level])
      continue;
    mdd child = box_inner(m, c, a.child, level + 1);
    if (child == MDD_FULL || !mdd_push(m, base, a.lo, a.hi, child))
      return mdd_give_up(m, base);
  }
  result = mdd_make(m, base);
  if (result != MDD_FULL)
    dd_cache_put(c->made, node, 0, 0, result);
  if (!(c->made->puts & 1023))
    dd_cache_grow(c->made, MOST_SUMS);
  return result;
}

static mdd do_box(mdd_manager *m, mdd a, mdd b, const void *context)
{
  const box_context *c = context;
  (void)b;
  dd_cache_clear(c->made);
  return box_inner(m, c, a, 0);
}

mdd mdd_box(mdd_manager *m, mdd set, const uint32_t *lo, const uint32_t *hi,
            uint32_t levels)
{
  assert(m->width == 2);
  dd_cache made = {0};
  uint32_t end = 0;
  for (uint32_t i = 0; i < levels; i++)
    if (lo[i] || hi[i] != UINT32_MAX)
      end = i + 1;
  if (!dd_cache_create(&made, MOST_SUMS))
    return MDD_FULL;
  box_context c = {lo, hi, end, &made};
  mdd result = mdd_run(m, do_box, set, MDD_EMPTY, &c);
  dd_cache_destroy(&made);
  return result;
}

/* ---- the greatest ------------------------------------------------------- */

typedef struct greatest_context {
  const mdd_manager *manager;
  const int32_t *factors;
  dd_sums sums;
} greatest_context;

static bool greatest_inner(greatest_context *c, mdd node, uint32_t level,
                           int64_t *sum)
{
  *sum = 0;
  if (node == MDD_UNIT)
    return true;
  if (dd_sums_get(&c->sums, node, sum))
    return true;
  int64_t most = INT64_MIN;
  for (mdd_cursor a = mdd_cursor_start(c->manager, node); mdd_cursor_more(&a);
       mdd_cursor_next(&a)) {
    int64_t below;
    if (!greatest_inner(c, a.child, level + 1, &below))
      return false;
    below += (int64_t)c->factors[level] * (int32_t)a.lo;
    most = below > most ? below : most;
  }
  *sum = most;
  return dd_sums_put(&c->sums, node, most);
}

bool mdd_greatest(const mdd_manager *m, mdd set, const int32_t *factors,
                  int64_t *greatest)
{
  assert(set != MDD_EMPTY && set != MDD_FULL && m->width == 2);
  greatest_context c = {.manager = m, .factors = factors};
  bool good = greatest_inner(&c, set, 0, greatest);
  dd_sums_free(&c.sums);
  return good;
}

/* ---- the least and the greatest of each level --------------------------- */

static bool extremes_inner(const mdd_manager *m, mdd node, dd_map *seen,
                           uint32_t *least, uint32_t *most)
{
  if (node == MDD_UNIT)
    return true;
  uint32_t *there = dd_map_at(seen, node);
  if (!there || *there)
    return there;
  *there = 1;
  for (mdd_cursor a = mdd_cursor_start(m, node); mdd_cursor_more(&a);
       mdd_cursor_next(&a)) {
    *most = a.hi > *most ? a.hi : *most;
    *least = a.lo < *least ? a.lo : *least;
    if (!extremes_inner(m, a.child, seen, least + 1, most + 1))
      return false;
  }
  return true;
}

bool mdd_extremes(const mdd_manager *m, mdd set, uint32_t *least,
                  uint32_t *most)
{
  assert(set != MDD_EMPTY && set != MDD_FULL);
  dd_map seen = {0};
  for (uint32_t i = mdd_levels(m, set); i-- > 0;) {
    least[i] = UINT32_MAX;
    most[i] = 0;
  }
  bool good = extremes_inner(m, set, &seen, least, most);
  dd_map_free(&seen);
  return good;
}
