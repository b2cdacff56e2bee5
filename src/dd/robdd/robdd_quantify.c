/* Quantification.  Successors do not need the relational product, which
** conjoins and quantifies in one pass: robdd_image.c also renames in it. */

#include "dd/robdd/robdd_internal.h"

#include <assert.h>

/* The part of a cube from 'level' on. */
static robdd skip_cube(const robdd_manager *m, robdd cube, uint32_t level)
{
  while (robdd_level(m, cube) < level)
    cube = robdd_node_of(m, cube)->high;
  return cube;
}

robdd robdd_exists_inner(robdd_manager *m, robdd f, robdd cube)
{
  if (f <= ROBDD_TRUE)
    return f;
  uint32_t level = robdd_level(m, f);
  cube = skip_cube(m, cube, level);
  if (cube == ROBDD_TRUE)
    return f;
  robdd result = dd_cache_get(&m->cache, f, cube, ROBDD_OP_EXISTS);
  if (result != DD_CACHE_NONE)
    return result;
  robdd f0 = robdd_low_at(m, f, level), f1 = robdd_high_at(m, f, level);
  bool quantified = robdd_level(m, cube) == level;
  robdd rest = quantified ? robdd_node_of(m, cube)->high : cube;
  robdd low = robdd_exists_inner(m, f0, rest);
  if (low == ROBDD_FULL)
    return ROBDD_FULL;
  if (quantified && low == ROBDD_TRUE) {
    result = ROBDD_TRUE;
  } else {
    robdd high = robdd_exists_inner(m, f1, rest);
    if (high == ROBDD_FULL)
      return ROBDD_FULL;
    result = quantified ? robdd_or_inner(m, low, high)
                        : robdd_make(m, level, low, high);
  }
  if (result != ROBDD_FULL)
    dd_cache_put(&m->cache, f, cube, ROBDD_OP_EXISTS, result);
  return result;
}

/* ---- from outside ------------------------------------------------------ */

#ifndef NDEBUG
static bool is_positive_cube(const robdd_manager *m, robdd cube)
{
  while (cube > ROBDD_TRUE) {
    if ((cube & 1) || robdd_node_of(m, cube)->low != ROBDD_FALSE)
      return false;
    cube = robdd_node_of(m, cube)->high;
  }
  return cube == ROBDD_TRUE;
}
#endif

static robdd do_exists(robdd_manager *m, robdd f, robdd g, robdd h,
                       const void *context)
{
  (void)h, (void)context;
  return robdd_exists_inner(m, f, g);
}

robdd robdd_exists(robdd_manager *m, robdd f, robdd variables)
{
  if (f == ROBDD_FULL || variables == ROBDD_FULL)
    return ROBDD_FULL;
  assert(is_positive_cube(m, variables));
  return robdd_run(m, do_exists, f, variables, ROBDD_FALSE, NULL);
}
