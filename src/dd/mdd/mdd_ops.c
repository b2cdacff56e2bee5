/* Union, intersection and difference: one skeleton.  Terminal cases, normal
** form of the arguments, look into the computed table, a walk over both arc
** lists at once, find-or-add, put into the computed table.  Recursion is as
** deep as there are levels; the arcs of a level are a loop. */

#include "dd/mdd/mdd_internal.h"

#include <assert.h>

static mdd combine(mdd_manager *m, mdd a, mdd b, mdd_operation op);

/* Where only one of the two has values: what the operation keeps of them. */
static bool push_one_sided(mdd_manager *m, size_t base, mdd_operation op,
                           mdd_cursor *a, mdd_cursor *b)
{
  bool keep_a = op != MDD_OP_INTERSECT, keep_b = op == MDD_OP_UNION;
  bool from_a = !mdd_cursor_more(b) || (mdd_cursor_more(a) && a->lo < b->lo);
  mdd_cursor *from = from_a ? a : b, *other = from_a ? b : a;
  uint32_t hi = from->hi;
  if (mdd_cursor_more(other) && other->lo <= hi)
    hi = other->lo - 1;
  if ((from_a ? keep_a : keep_b) &&
      !mdd_push(m, base, from->lo, hi, from->child))
    return false;
  mdd_cursor_pass(from, hi);
  return true;
}

static mdd combine_arcs(mdd_manager *m, mdd x, mdd y, mdd_operation op)
{
  size_t base = m->stack_top;
  mdd_cursor a = mdd_cursor_start(m, x), b = mdd_cursor_start(m, y);
  while (mdd_cursor_more(&a) || mdd_cursor_more(&b)) {
    if (!mdd_cursor_more(&a) || !mdd_cursor_more(&b) || a.lo != b.lo) {
      if (!push_one_sided(m, base, op, &a, &b))
        return mdd_give_up(m, base);
      continue;
    }
    uint32_t lo = a.lo, hi = a.hi < b.hi ? a.hi : b.hi;
    mdd child = combine(m, a.child, b.child, op);
    if (child == MDD_FULL || !mdd_push(m, base, lo, hi, child))
      return mdd_give_up(m, base);
    mdd_cursor_pass(&a, hi);
    mdd_cursor_pass(&b, hi);
  }
  return mdd_make(m, base);
}

static mdd combine(mdd_manager *m, mdd a, mdd b, mdd_operation op)
{
  if (a == b)
    return op == MDD_OP_MINUS ? MDD_EMPTY : a;
  if (a == MDD_EMPTY)
    return op == MDD_OP_UNION ? b : MDD_EMPTY;
  if (b == MDD_EMPTY)
    return op == MDD_OP_INTERSECT ? MDD_EMPTY : a;
  assert(a != MDD_UNIT && b != MDD_UNIT);
  if (op != MDD_OP_MINUS && a > b) {
    mdd other = a;
    a = b, b = other;
  }
  mdd result = dd_cache_get(&m->cache, a, b, op);
  if (result != DD_CACHE_NONE)
    return result;
  result = combine_arcs(m, a, b, op);
  if (result != MDD_FULL)
    dd_cache_put(&m->cache, a, b, op, result);
  return result;
}

mdd mdd_union_inner(mdd_manager *m, mdd a, mdd b)
{
  return combine(m, a, b, MDD_OP_UNION);
}

static mdd do_combine(mdd_manager *m, mdd a, mdd b, const void *context)
{
  return combine(m, a, b, *(const mdd_operation *)context);
}

mdd mdd_union(mdd_manager *m, mdd a, mdd b)
{
  return mdd_run(m, do_combine, a, b, &(mdd_operation){MDD_OP_UNION});
}

mdd mdd_intersect(mdd_manager *m, mdd a, mdd b)
{
  return mdd_run(m, do_combine, a, b, &(mdd_operation){MDD_OP_INTERSECT});
}

mdd mdd_minus(mdd_manager *m, mdd a, mdd b)
{
  return mdd_run(m, do_combine, a, b, &(mdd_operation){MDD_OP_MINUS});
}
