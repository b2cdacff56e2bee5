/* Reading sets: lengths, counts, sizes, enumeration. */

#include "dd/mdd/mdd_internal.h"

#include "dd/counts.h"

#include <assert.h>

uint32_t mdd_levels(const mdd_manager *m, mdd set)
{
  assert(set != MDD_FULL);
  uint32_t levels = 0;
  for (; set > MDD_UNIT; levels++)
    set = mdd_arc_words(m, set)[m->width - 1];
  return levels;
}

/* ---- counting ---------------------------------------------------------- */

static bool count_set(const mdd_manager *m, mdd node, dd_counts *counts,
                      bignum *part)
{
  if (dd_counts_has(counts, node))
    return true;
  bignum sum = {0};
  bool ok = node != MDD_UNIT || bignum_set(&sum, 1);
  if (node > MDD_UNIT)
    for (mdd_cursor a = mdd_cursor_start(m, node); ok && mdd_cursor_more(&a);
         mdd_cursor_next(&a)) {
      ok = count_set(m, a.child, counts, part);
      bignum below = ok ? dd_counts_get(counts, a.child) : (bignum){0};
      ok = ok && bignum_copy(part, &below) &&
           bignum_multiply(part, (uint64_t)a.hi - a.lo + 1) &&
           bignum_add(&sum, part);
    }
  ok = ok && dd_counts_put(counts, node, &sum);
  bignum_free(&sum);
  return ok;
}

bool mdd_count(const mdd_manager *m, mdd set, bignum *count)
{
  assert(set != MDD_FULL);
  dd_counts counts = {0};
  bignum part = {0};
  bool ok = count_set(m, set, &counts, &part);
  if (ok) {
    bignum result = dd_counts_get(&counts, set);
    ok = bignum_copy(count, &result);
  }
  dd_counts_free(&counts);
  bignum_free(&part);
  return ok;
}

/* ---- sizes ------------------------------------------------------------- */

static bool visit_set(const mdd_manager *m, mdd node, dd_map *seen,
                      mdd_sizes *sizes)
{
  if (node <= MDD_UNIT)
    return true;
  uint32_t *there = dd_map_at(seen, node);
  if (!there)
    return false;
  if (*there)
    return true;
  *there = 1;
  uint32_t arcs = mdd_arc_count(m, node);
  sizes->nodes++;
  sizes->arcs += arcs;
  sizes->bytes += mdd_block_words(m, arcs) * sizeof(uint32_t);
  for (mdd_cursor a = mdd_cursor_start(m, node); mdd_cursor_more(&a);
       mdd_cursor_next(&a))
    if (!visit_set(m, a.child, seen, sizes))
      return false;
  return true;
}

bool mdd_size(const mdd_manager *m, const mdd *sets, size_t count,
              mdd_sizes *sizes)
{
  *sizes = (mdd_sizes){0};
  dd_map seen = {0};
  bool ok = true;
  for (size_t i = 0; i < count && ok; i++) {
    assert(sets[i] != MDD_FULL);
    ok = visit_set(m, sets[i], &seen, sizes);
  }
  dd_map_free(&seen);
  return ok;
}

/* ---- enumeration ------------------------------------------------------- */

/* Completes a tuple with the least values below a node. */
static void take_least(const mdd_manager *m, mdd node, uint32_t *tuple)
{
  for (; node > MDD_UNIT; tuple++) {
    const uint32_t *arcs = mdd_arc_words(m, node);
    *tuple = arcs[0];
    node = arcs[m->width - 1];
  }
}

bool mdd_first(const mdd_manager *m, mdd set, uint32_t *tuple)
{
  assert(set != MDD_FULL);
  if (set == MDD_EMPTY)
    return false;
  take_least(m, set, tuple);
  return true;
}

bool mdd_next(const mdd_manager *m, mdd set, uint32_t *tuple, uint32_t length)
{
  /* The deepest place where a larger value exists. */
  uint32_t turn = UINT32_MAX, value = 0;
  mdd after = MDD_EMPTY;
  for (uint32_t i = 0; i < length; i++) {
    uint32_t place = mdd_search(m, set, tuple[i]);
    const uint32_t *arc = mdd_arc_words(m, set) + (size_t)place * m->width;
    assert(place < mdd_arc_count(m, set) && arc[0] <= tuple[i]);
    if (tuple[i] < arc[m->width - 2]) {
      turn = i;
      value = tuple[i] + 1;
      after = arc[m->width - 1];
    } else if (place + 1 < mdd_arc_count(m, set)) {
      turn = i;
      value = arc[m->width];
      after = arc[2 * m->width - 1];
    }
    set = arc[m->width - 1];
  }
  if (turn == UINT32_MAX)
    return false;
  tuple[turn] = value;
  take_least(m, after, tuple + turn + 1);
  return true;
}
