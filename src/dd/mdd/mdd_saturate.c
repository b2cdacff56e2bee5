/* Saturation.  The functions below call each other:
**
**   close_node    a node whose children need not be closed
**   close_frame   the frame on top, whose children are closed
**   fire_shift    the image of a closed node under the rest of a shift event,
**   fire_image    or of a relation; the result is closed
**
** A collection can happen in 'close_frame' only, and in what learns. */

#include "dd/mdd/mdd_system_internal.h"

#include <assert.h>
#include <string.h>

enum { FIRST_FRAME_ROOM = 1 << 12 };

/* ---- frames ------------------------------------------------------------- */

static bool more_room(mdd_system *s)
{
  size_t room = s->room ? 2 * s->room : FIRST_FRAME_ROOM;
  if (!reserve_commit(&s->child_memory, room * sizeof *s->children) ||
      !reserve_commit(&s->value_memory, room * sizeof *s->values))
    return false;
  if (s->room)
    mdd_unprotect(s->manager, s->children);
  if (!mdd_protect(s->manager, s->children, room)) {
    s->ended = true;
    return false;
  }
  s->room = room;
  return true;
}

static bool push_arc(mdd_system *s, uint32_t value, mdd child)
{
  if (child == MDD_FULL || (s->top == s->room && !more_room(s)))
    return false;
  s->values[s->top] = value;
  s->children[s->top++] = child;
  return true;
}

static void pop_frame(mdd_system *s, size_t base)
{
  memset(s->children + base, 0, (s->top - base) * sizeof *s->children);
  s->top = base;
}

static mdd fail(mdd_system *s, size_t base)
{
  pop_frame(s, base);
  return MDD_FULL;
}

/* The place of a value in the frame on top, or where it belongs. */
static size_t find_value(const mdd_system *s, size_t base, uint32_t value)
{
  size_t low = base, high = s->top;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (s->values[middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

typedef enum { SAME, CHANGED, INSERTED, FAILED } put_result;

/* Unites what lies below a value with another set. */
static put_result put_arc(mdd_system *s, size_t base, uint32_t value, mdd child)
{
  if (child == MDD_EMPTY)
    return SAME;
  size_t place = find_value(s, base, value);
  if (place < s->top && s->values[place] == value) {
    mdd both = mdd_union_inner(s->manager, s->children[place], child);
    if (both == MDD_FULL)
      return FAILED;
    if (both == s->children[place])
      return SAME;
    s->children[place] = both;
    return CHANGED;
  }
  if (!push_arc(s, value, child))
    return FAILED;
  size_t after = s->top - 1 - place;
  memmove(s->values + place + 1, s->values + place, after * sizeof *s->values);
  memmove(s->children + place + 1, s->children + place,
          after * sizeof *s->children);
  s->values[place] = value;
  s->children[place] = child;
  return INSERTED;
}

static mdd frame_node(mdd_system *s, size_t base)
{
  mdd_manager *m = s->manager;
  size_t stack = m->stack_top;
  for (size_t i = base; i < s->top; i++)
    if (!mdd_push(m, stack, s->values[i], s->values[i], s->children[i]))
      return mdd_give_up(m, stack);
  return mdd_make(m, stack);
}

static bool push_node(mdd_system *s, mdd node)
{
  mdd_manager *m = s->manager;
  for (mdd_cursor a = mdd_cursor_start(m, node); mdd_cursor_more(&a);
       mdd_cursor_next(&a))
    if (!push_arc(s, a.lo, a.child))
      return false;
  return true;
}

/* ---- events at the level where they begin ------------------------------- */

static mdd fire_shift(mdd_system *s, const mdd_event *e, mdd node,
                      uint32_t place, uint32_t level);
static mdd fire_image(mdd_system *s, const mdd_event *e, mdd node, mdd relation,
                      uint32_t level);

/* Fires a shift event from every arc of the frame, in the order in which its
** own results come into view. */
static put_result begin_shift(mdd_system *s, const mdd_event *e, size_t base,
                              uint32_t level)
{
  const mdd_shift *x = &e->shifts[0];
  bool up = x->change >= 0, changed = false;
  size_t i = up ? base : s->top;
  while (up ? i < s->top : i > base) {
    if (!mdd_system_poll(s))
      return FAILED;
    size_t at = up ? i++ : --i;
    uint32_t value = s->values[at];
    if (value < x->least || value > x->most)
      continue;
    if ((int64_t)value + x->change > MDD_SHIFT_MOST) {
      s->outgrown = s->ended = true;
      return FAILED;
    }
    mdd below = fire_shift(s, e, s->children[at], 1, level + 1);
    if (below == MDD_FULL)
      return FAILED;
    put_result put =
        put_arc(s, base, (uint32_t)((int64_t)value + x->change), below);
    if (put == FAILED)
      return FAILED;
    changed |= put != SAME;
    i += put == INSERTED && !up;
  }
  return changed ? CHANGED : SAME;
}

/* From the arc with a value, to all values after. */
static put_result begin_pairs(mdd_system *s, const mdd_event *e, size_t base,
                              uint32_t value, mdd after, uint32_t level)
{
  bool changed = false;
  for (mdd_cursor w = mdd_cursor_start(s->manager, after); mdd_cursor_more(&w);
       mdd_cursor_next(&w)) {
    if (!mdd_system_poll(s))
      return FAILED;
    size_t at = find_value(s, base, value);
    mdd below = fire_image(s, e, s->children[at], w.child, level + 1);
    put_result put = below == MDD_FULL ? FAILED : put_arc(s, base, w.lo, below);
    if (put == FAILED)
      return FAILED;
    changed |= put != SAME;
  }
  return changed ? CHANGED : SAME;
}

static put_result begin_relation(mdd_system *s, mdd_event *e, size_t base,
                                 uint32_t level)
{
  mdd node = frame_node(s, base);
  if (node == MDD_FULL || !mdd_system_learn_from(s, e, node, level))
    return FAILED;
  if (e->relation == MDD_EMPTY)
    return SAME;
  bool changed = false, reads = e->shape->touch[level] == MDD_READ;
  for (mdd_cursor v = mdd_cursor_start(s->manager, e->relation);
       mdd_cursor_more(&v); mdd_cursor_next(&v)) {
    if (!mdd_system_poll(s))
      return FAILED;
    size_t at = find_value(s, base, v.lo);
    if (at == s->top || s->values[at] != v.lo)
      continue;
    put_result put;
    if (reads) {
      mdd below = fire_image(s, e, s->children[at], v.child, level + 1);
      put = below == MDD_FULL ? FAILED : put_arc(s, base, v.lo, below);
    } else {
      put = begin_pairs(s, e, base, v.lo, v.child, level);
    }
    if (put == FAILED)
      return FAILED;
    changed |= put != SAME;
  }
  return changed ? CHANGED : SAME;
}

static bool close_arcs(mdd_system *s, size_t base, uint32_t level)
{
  bool changed = true;
  while (changed) {
    changed = false;
    for (uint32_t i = s->first_at[level]; i; i = s->events[i - 1].next_at_top) {
      mdd_event *e = &s->events[i - 1];
      put_result done = e->shifts ? begin_shift(s, e, base, level)
                                  : begin_relation(s, e, base, level);
      if (done == FAILED)
        return false;
      changed |= done != SAME;
    }
  }
  return true;
}

/* ---- closing ------------------------------------------------------------ */

static uint32_t close_key(const mdd_system *s)
{
  return s->key << MDD_OP_BITS | MDD_OP_CLOSE;
}

/* Takes the frame from 'base' on off, and answers its closure. */
static mdd close_frame(mdd_system *s, size_t base, uint32_t level)
{
  mdd_manager *m = s->manager;
  if (!mdd_system_poll(s))
    return fail(s, base);
  mdd_collect_if_due(m);
  if (m->abandoned)
    return fail(s, base);
  mdd_fit_cache(m);
  mdd before = frame_node(s, base);
  if (before == MDD_EMPTY || before == MDD_FULL || s->ended)
    return pop_frame(s, base), s->ended ? MDD_FULL : before;
  mdd result = dd_cache_get(&m->cache, before, MDD_EMPTY, close_key(s));
  if (result != DD_CACHE_NONE)
    return pop_frame(s, base), result;
  /* The node as it was lies below the frame, to be there at the end. */
  if (!push_arc(s, 0, before))
    return fail(s, base);
  size_t arcs = s->top;
  if (!push_node(s, before) || !close_arcs(s, arcs, level))
    return fail(s, base);
  result = frame_node(s, arcs);
  if (result != MDD_FULL) {
    dd_cache_put(&m->cache, before, MDD_EMPTY, close_key(s), result);
    dd_cache_put(&m->cache, result, MDD_EMPTY, close_key(s), result);
  }
  pop_frame(s, base);
  return result;
}

static mdd close_node(mdd_system *s, mdd node, uint32_t level)
{
  mdd_manager *m = s->manager;
  if (node <= MDD_UNIT)
    return node;
  mdd result = dd_cache_get(&m->cache, node, MDD_EMPTY, close_key(s));
  if (result != DD_CACHE_NONE)
    return result;
  size_t base = s->top;
  /* The node itself is kept, for the computed table. */
  if (!push_arc(s, 0, node) || !push_node(s, node))
    return fail(s, base);
  for (size_t i = base + 1; i < s->top; i++) {
    mdd child = close_node(s, s->children[i], level + 1);
    if (child == MDD_FULL)
      return fail(s, base);
    s->children[i] = child;
  }
  result = close_frame(s, base + 1, level);
  if (result != MDD_FULL)
    dd_cache_put(&m->cache, node, MDD_EMPTY, close_key(s), result);
  pop_frame(s, base);
  return result;
}

/* ---- events below the level where they begin ---------------------------- */

static mdd fire_shift(mdd_system *s, const mdd_event *e, mdd node,
                      uint32_t place, uint32_t level)
{
  mdd_manager *m = s->manager;
  if (place == e->shift_count)
    return node;
  uint32_t key = mdd_event_key(e, MDD_OP_CLOSE_SHIFT);
  mdd result = dd_cache_get(&m->cache, node, MDD_EMPTY, key);
  if (result != DD_CACHE_NONE)
    return result;
  const mdd_shift *here =
      e->shifts[place].level == level ? &e->shifts[place] : NULL;
  size_t base = s->top;
  if (!push_arc(s, 0, node))
    return fail(s, base);
  for (mdd_cursor a = mdd_cursor_start(m, node); mdd_cursor_more(&a);
       mdd_cursor_next(&a)) {
    int64_t value = (int64_t)a.lo + (here ? here->change : 0);
    if (here && (a.lo < here->least || a.lo > here->most))
      continue;
    if (value > MDD_SHIFT_MOST) {
      s->outgrown = s->ended = true;
      return fail(s, base);
    }
    mdd child = fire_shift(s, e, a.child, place + !!here, level + 1);
    if (child != MDD_EMPTY && !push_arc(s, (uint32_t)value, child))
      return fail(s, base);
  }
  result = close_frame(s, base + 1, level);
  if (result != MDD_FULL)
    dd_cache_put(&m->cache, node, MDD_EMPTY, key, result);
  pop_frame(s, base);
  return result;
}

/* The frame of the image at one level. */
static bool fire_arcs(mdd_system *s, const mdd_event *e, mdd node, mdd relation,
                      uint32_t level, size_t base)
{
  mdd_manager *m = s->manager;
  mdd_touch touch = e->shape->touch[level];
  mdd_cursor a = mdd_cursor_start(m, node);
  if (touch == MDD_SKIP) {
    for (; mdd_cursor_more(&a); mdd_cursor_next(&a)) {
      mdd child = fire_image(s, e, a.child, relation, level + 1);
      if (child == MDD_FULL || put_arc(s, base, a.lo, child) == FAILED)
        return false;
    }
    return true;
  }
  mdd_cursor b = mdd_cursor_start(m, relation);
  for (uint32_t hi; mdd_cursor_meet(&a, &b, &hi);
       mdd_cursor_next(&a), mdd_cursor_next(&b)) {
    if (touch == MDD_READ) {
      mdd child = fire_image(s, e, a.child, b.child, level + 1);
      if (child == MDD_FULL || put_arc(s, base, a.lo, child) == FAILED)
        return false;
      continue;
    }
    for (mdd_cursor w = mdd_cursor_start(m, b.child); mdd_cursor_more(&w);
         mdd_cursor_next(&w)) {
      mdd child = fire_image(s, e, a.child, w.child, level + 1);
      if (child == MDD_FULL || put_arc(s, base, w.lo, child) == FAILED)
        return false;
    }
  }
  return true;
}

static mdd fire_image(mdd_system *s, const mdd_event *e, mdd node, mdd relation,
                      uint32_t level)
{
  mdd_manager *m = s->manager;
  if (node == MDD_EMPTY || relation == MDD_EMPTY)
    return MDD_EMPTY;
  if (level >= e->shape->end)
    return node;
  uint32_t key = (e->shape->id + level) << MDD_OP_BITS | MDD_OP_CLOSE_IMAGE;
  mdd result = dd_cache_get(&m->cache, node, relation, key);
  if (result != DD_CACHE_NONE)
    return result;
  size_t base = s->top;
  if (!push_arc(s, 0, node) ||
      !fire_arcs(s, e, node, relation, level, base + 1))
    return fail(s, base);
  result = close_frame(s, base + 1, level);
  if (result != MDD_FULL)
    dd_cache_put(&m->cache, node, relation, key, result);
  pop_frame(s, base);
  return result;
}

/* ---- from outside ------------------------------------------------------- */

mdd mdd_close(mdd_system *s, mdd set)
{
  mdd_manager *m = s->manager;
  if (set == MDD_FULL || s->ended || m->abandoned)
    return MDD_FULL;
  mdd_end_owning(m);
  mdd result = close_node(s, set, 0);
  if (result == MDD_FULL && !s->ended && !m->abandoned &&
      mdd_ref(m, set) != MDD_FULL) {
    mdd_collect(m);
    result = close_node(s, set, 0);
    mdd_unref(m, set);
  }
  return m->abandoned ? MDD_FULL : result;
}
