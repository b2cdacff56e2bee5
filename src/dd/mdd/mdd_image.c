/* Relational product and its kin: image, preimage, projection.  The skeleton is
** that of mdd_ops.c; the key of a result holds, besides set and relation, the
** level of the shape, because nodes do not know their level. */

#include "dd/mdd/mdd_internal.h"

#include "base/alloc.h"

#include <assert.h>
#include <string.h>

/* ---- shapes ------------------------------------------------------------ */

static size_t shape_bytes(uint32_t levels)
{
  return sizeof(mdd_shape) + levels * sizeof(mdd_touch);
}

bool mdd_take_keys(mdd_manager *m, uint32_t count, uint32_t *first)
{
  uint32_t most = UINT32_MAX >> MDD_OP_BITS;
  if (count > most || m->next_shape > most - count)
    return false;
  *first = m->next_shape;
  m->next_shape += count;
  return true;
}

mdd_shape *mdd_shape_create(mdd_manager *m, const mdd_touch *touch,
                            uint32_t levels)
{
  /* Each level of each shape has a number of its own, never used again. */
  uint32_t id;
  if (levels == UINT32_MAX || !mdd_take_keys(m, levels + 1, &id))
    return NULL;
  mdd_shape *s = mem_try_alloc(shape_bytes(levels));
  if (!s)
    return NULL;
  s->manager = m;
  s->id = id;
  s->levels = levels;
  for (uint32_t i = 0; i < levels; i++) {
    s->touch[i] = touch[i];
    if (touch[i] != MDD_SKIP)
      s->end = i + 1;
  }
  return s;
}

void mdd_shape_destroy(mdd_shape *s)
{
  if (s)
    mem_free(s, shape_bytes(s->levels));
}

static uint32_t shape_key(const mdd_shape *s, uint32_t level, mdd_operation op)
{
  return (s->id + level) << MDD_OP_BITS | op;
}

/* ---- sets on the stack ------------------------------------------------- */

static bool push_set(mdd_manager *m, mdd set)
{
  if (set == MDD_FULL || !mdd_stack_room(m, 1))
    return false;
  if (set != MDD_EMPTY)
    m->stack[m->stack_top++] = set;
  return true;
}

/* The union of the sets on the stack above 'base', which are taken off.  In
** rounds of pairs, so that no large set is copied again and again. */
static mdd unite_sets(mdd_manager *m, size_t base)
{
  size_t count = m->stack_top - base;
  for (; count > 1; count = (count + 1) / 2) {
    for (size_t i = 0; i + 1 < count; i += 2) {
      mdd both = mdd_union_inner(m, m->stack[base + i], m->stack[base + i + 1]);
      if (both == MDD_FULL)
        return mdd_give_up(m, base);
      m->stack[base + i / 2] = both;
    }
    if (count & 1)
      m->stack[base + count / 2] = m->stack[base + count - 1];
  }
  mdd result = count ? m->stack[base] : MDD_EMPTY;
  m->stack_top = base;
  return result;
}

/* ---- image ------------------------------------------------------------- */

typedef mdd step_function(mdd_manager *, mdd set, mdd relation,
                          const mdd_shape *, uint32_t level);

/* Level not touched: the same relation for every child. */
static mdd step_skip(mdd_manager *m, mdd set, mdd relation, const mdd_shape *s,
                     uint32_t level, step_function *step)
{
  size_t base = m->stack_top;
  for (mdd_cursor a = mdd_cursor_start(m, set); mdd_cursor_more(&a);
       mdd_cursor_next(&a)) {
    mdd child = step(m, a.child, relation, s, level + 1);
    if (child == MDD_FULL || !mdd_push(m, base, a.lo, a.hi, child))
      return mdd_give_up(m, base);
  }
  return mdd_make(m, base);
}

/* Level read: the values that both have. */
static mdd step_read(mdd_manager *m, mdd set, mdd relation, const mdd_shape *s,
                     uint32_t level, step_function *step)
{
  size_t base = m->stack_top;
  mdd_cursor a = mdd_cursor_start(m, set), b = mdd_cursor_start(m, relation);
  for (uint32_t hi; mdd_cursor_meet(&a, &b, &hi);) {
    mdd child = step(m, a.child, b.child, s, level + 1);
    if (child == MDD_FULL || !mdd_push(m, base, a.lo, hi, child))
      return mdd_give_up(m, base);
    mdd_cursor_pass(&a, hi);
    mdd_cursor_pass(&b, hi);
  }
  return mdd_make(m, base);
}

static mdd image_inner(mdd_manager *m, mdd set, mdd relation,
                       const mdd_shape *s, uint32_t level);

/* For one value before: the node of values after, each with its image. */
static mdd image_of_child(mdd_manager *m, mdd child, mdd after,
                          const mdd_shape *s, uint32_t level)
{
  size_t base = m->stack_top;
  for (mdd_cursor w = mdd_cursor_start(m, after); mdd_cursor_more(&w);
       mdd_cursor_next(&w)) {
    mdd below = image_inner(m, child, w.child, s, level + 1);
    if (below == MDD_FULL || !mdd_push(m, base, w.lo, w.hi, below))
      return mdd_give_up(m, base);
  }
  return mdd_make(m, base);
}

/* The value is forgotten, so the children are one set. */
static mdd image_write(mdd_manager *m, mdd set, mdd relation,
                       const mdd_shape *s, uint32_t level)
{
  size_t base = m->stack_top;
  for (mdd_cursor a = mdd_cursor_start(m, set); mdd_cursor_more(&a);
       mdd_cursor_next(&a))
    if (!push_set(m, a.child))
      return mdd_give_up(m, base);
  mdd children = unite_sets(m, base);
  if (children == MDD_FULL)
    return MDD_FULL;
  return image_of_child(m, children, relation, s, level);
}

static mdd image_read_write(mdd_manager *m, mdd set, mdd relation,
                            const mdd_shape *s, uint32_t level)
{
  size_t base = m->stack_top;
  mdd_cursor a = mdd_cursor_start(m, set), b = mdd_cursor_start(m, relation);
  for (uint32_t hi; mdd_cursor_meet(&a, &b, &hi);) {
    mdd part = image_of_child(m, a.child, b.child, s, level);
    if (!push_set(m, part))
      return mdd_give_up(m, base);
    mdd_cursor_pass(&a, hi);
    mdd_cursor_pass(&b, hi);
  }
  return unite_sets(m, base);
}

static mdd image_inner(mdd_manager *m, mdd set, mdd relation,
                       const mdd_shape *s, uint32_t level)
{
  if (set == MDD_EMPTY || relation == MDD_EMPTY)
    return MDD_EMPTY;
  if (level >= s->end) {
    assert(relation == MDD_UNIT);
    return set;
  }
  assert(set != MDD_UNIT);
  uint32_t key = shape_key(s, level, MDD_OP_IMAGE);
  mdd result = dd_cache_get(&m->cache, set, relation, key);
  if (result != DD_CACHE_NONE)
    return result;
  switch (s->touch[level]) {
  case MDD_SKIP:
    result = step_skip(m, set, relation, s, level, image_inner);
    break;
  case MDD_READ:
    result = step_read(m, set, relation, s, level, image_inner);
    break;
  case MDD_WRITE:
    result = image_write(m, set, relation, s, level);
    break;
  case MDD_READ_WRITE:
    result = image_read_write(m, set, relation, s, level);
    break;
  }
  if (result != MDD_FULL)
    dd_cache_put(&m->cache, set, relation, key, result);
  return result;
}

/* ---- preimage ---------------------------------------------------------- */

static mdd preimage_inner(mdd_manager *m, mdd set, mdd relation,
                          const mdd_shape *s, uint32_t level);

/* For one value before: what can be below it, over all values after. */
static mdd preimage_of_value(mdd_manager *m, mdd set, mdd after,
                             const mdd_shape *s, uint32_t level)
{
  size_t base = m->stack_top;
  mdd_cursor a = mdd_cursor_start(m, set), b = mdd_cursor_start(m, after);
  for (uint32_t hi; mdd_cursor_meet(&a, &b, &hi);) {
    if (!push_set(m, preimage_inner(m, a.child, b.child, s, level + 1)))
      return mdd_give_up(m, base);
    mdd_cursor_pass(&a, hi);
    mdd_cursor_pass(&b, hi);
  }
  return unite_sets(m, base);
}

static mdd preimage_read_write(mdd_manager *m, mdd set, mdd relation,
                               const mdd_shape *s, uint32_t level)
{
  size_t base = m->stack_top;
  for (mdd_cursor v = mdd_cursor_start(m, relation); mdd_cursor_more(&v);
       mdd_cursor_next(&v)) {
    mdd below = preimage_of_value(m, set, v.child, s, level);
    if (below == MDD_FULL || !mdd_push(m, base, v.lo, v.hi, below))
      return mdd_give_up(m, base);
  }
  return mdd_make(m, base);
}

static mdd preimage_inner(mdd_manager *m, mdd set, mdd relation,
                          const mdd_shape *s, uint32_t level)
{
  if (set == MDD_EMPTY || relation == MDD_EMPTY)
    return MDD_EMPTY;
  if (level >= s->end) {
    assert(relation == MDD_UNIT);
    return set;
  }
  assert(set != MDD_UNIT && s->touch[level] != MDD_WRITE);
  uint32_t key = shape_key(s, level, MDD_OP_PREIMAGE);
  mdd result = dd_cache_get(&m->cache, set, relation, key);
  if (result != DD_CACHE_NONE)
    return result;
  if (s->touch[level] == MDD_SKIP)
    result = step_skip(m, set, relation, s, level, preimage_inner);
  else if (s->touch[level] == MDD_READ)
    result = step_read(m, set, relation, s, level, preimage_inner);
  else
    result = preimage_read_write(m, set, relation, s, level);
  if (result != MDD_FULL)
    dd_cache_put(&m->cache, set, relation, key, result);
  return result;
}

/* ---- projection -------------------------------------------------------- */

static mdd project_inner(mdd_manager *m, mdd set, mdd unused,
                         const mdd_shape *s, uint32_t level)
{
  if (set == MDD_EMPTY)
    return MDD_EMPTY;
  if (level >= s->end)
    return MDD_UNIT;
  assert(set != MDD_UNIT);
  uint32_t key = shape_key(s, level, MDD_OP_PROJECT);
  mdd result = dd_cache_get(&m->cache, set, MDD_EMPTY, key);
  if (result != DD_CACHE_NONE)
    return result;
  if (s->touch[level] == MDD_SKIP) {
    size_t base = m->stack_top;
    for (mdd_cursor a = mdd_cursor_start(m, set); mdd_cursor_more(&a);
         mdd_cursor_next(&a))
      if (!push_set(m, project_inner(m, a.child, unused, s, level + 1)))
        return mdd_give_up(m, base);
    result = unite_sets(m, base);
  } else {
    assert(s->touch[level] == MDD_READ);
    result = step_skip(m, set, unused, s, level, project_inner);
  }
  if (result != MDD_FULL)
    dd_cache_put(&m->cache, set, MDD_EMPTY, key, result);
  return result;
}

/* ---- from outside ------------------------------------------------------ */

typedef struct image_context {
  const mdd_shape *shape;
  uint32_t level;
  step_function *step;
} image_context;

static mdd do_image(mdd_manager *m, mdd set, mdd relation, const void *context)
{
  const image_context *c = context;
  return c->step(m, set, relation, c->shape, c->level);
}

mdd mdd_image(mdd_manager *m, mdd set, mdd relation, const mdd_shape *s,
              uint32_t level)
{
  assert(s->manager == m && level <= s->levels);
  image_context c = {s, level, image_inner};
  return mdd_run(m, do_image, set, relation, &c);
}

mdd mdd_preimage(mdd_manager *m, mdd set, mdd relation, const mdd_shape *s,
                 uint32_t level)
{
  assert(s->manager == m && level <= s->levels);
  image_context c = {s, level, preimage_inner};
  return mdd_run(m, do_image, set, relation, &c);
}

mdd mdd_project_from(mdd_manager *m, mdd set, const mdd_shape *s,
                     uint32_t level)
{
  assert(s->manager == m);
  image_context c = {s, level, project_inner};
  return mdd_run(m, do_image, set, MDD_EMPTY, &c);
}

mdd mdd_project(mdd_manager *m, mdd set, const mdd_shape *s)
{
  return mdd_project_from(m, set, s, 0);
}
