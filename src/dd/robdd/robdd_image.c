/* Images and preimages (robdd_steps.h).  In the computed table they are told
** from other operations with three functions by the flag of the second word,
** and from each other by the complement of the cube, which has none itself. */

#include "dd/robdd/robdd_internal.h"
#include "dd/robdd/robdd_steps.h"

#include <assert.h>

static uint32_t least(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

static robdd step_inner(robdd_manager *m, robdd set, robdd relation,
                        robdd written, bool back);

/* Two ways into the same half of the result. */
static robdd either(robdd_manager *m, robdd set_a, robdd relation_a,
                    robdd set_b, robdd relation_b, robdd written, bool back)
{
  robdd a = step_inner(m, set_a, relation_a, written, back);
  if (a == ROBDD_FULL || a == ROBDD_TRUE)
    return a;
  robdd b = step_inner(m, set_b, relation_b, written, back);
  return b == ROBDD_FULL ? b : robdd_or_inner(m, a, b);
}

/* The halves of the result at a pair of levels that is written. */
static bool step_halves(robdd_manager *m, robdd set, robdd relation,
                        robdd written, uint32_t level, bool back,
                        robdd halves[2])
{
  robdd s0 = robdd_low_at(m, set, level), s1 = robdd_high_at(m, set, level);
  robdd r0 = robdd_low_at(m, relation, level);
  robdd r1 = robdd_high_at(m, relation, level);
  robdd r00 = robdd_low_at(m, r0, level + 1);
  robdd r01 = robdd_high_at(m, r0, level + 1);
  robdd r10 = robdd_low_at(m, r1, level + 1);
  robdd r11 = robdd_high_at(m, r1, level + 1);
  halves[0] = either(m, s0, r00, s1, back ? r01 : r10, written, back);
  if (halves[0] == ROBDD_FULL)
    return false;
  halves[1] = either(m, s0, back ? r10 : r01, s1, r11, written, back);
  return halves[1] != ROBDD_FULL;
}

/* At a pair that only is read, or not touched. */
static bool read_halves(robdd_manager *m, robdd set, robdd relation,
                        robdd written, uint32_t level, bool back,
                        robdd halves[2])
{
  halves[0] = step_inner(m, robdd_low_at(m, set, level),
                         robdd_low_at(m, relation, level), written, back);
  if (halves[0] == ROBDD_FULL)
    return false;
  halves[1] = step_inner(m, robdd_high_at(m, set, level),
                         robdd_high_at(m, relation, level), written, back);
  return halves[1] != ROBDD_FULL;
}

static robdd step_inner(robdd_manager *m, robdd set, robdd relation,
                        robdd written, bool back)
{
  if (set == ROBDD_FALSE || relation == ROBDD_FALSE)
    return ROBDD_FALSE;
  if (written == ROBDD_TRUE)
    return robdd_and_inner(m, set, relation);
  if (relation == ROBDD_TRUE)
    return robdd_exists_inner(m, set, written);
  uint32_t key = written | back, rest = written;
  robdd result = dd_cache_get(&m->cache, set, relation | ROBDD_OP_THREE, key);
  if (result != DD_CACHE_NONE)
    return result;
  /* Steps between sets that are known already make no nodes. */
  if (!--m->countdown && !robdd_look(m))
    return ROBDD_FULL;
  uint32_t level = least(robdd_level(m, set), robdd_level(m, relation));
  level = least(level, robdd_level(m, written)) & ~(uint32_t)1;
  robdd halves[2];
  bool writes = robdd_level(m, written) == level;
  if (writes)
    rest = robdd_node_of(m, written)->high;
  if (!(writes ? step_halves(m, set, relation, rest, level, back, halves)
               : read_halves(m, set, relation, rest, level, back, halves)))
    return ROBDD_FULL;
  result = robdd_make(m, level, halves[0], halves[1]);
  if (result != ROBDD_FULL)
    dd_cache_put(&m->cache, set, relation | ROBDD_OP_THREE, key, result);
  return result;
}

static robdd do_image(robdd_manager *m, robdd f, robdd g, robdd h,
                      const void *context)
{
  return step_inner(m, f, g, h, *(const bool *)context);
}

robdd robdd_image(robdd_manager *m, robdd set, robdd relation, robdd written)
{
  bool back = false;
  if (set == ROBDD_FULL || relation == ROBDD_FULL || written == ROBDD_FULL)
    return ROBDD_FULL;
  return robdd_run(m, do_image, set, relation, written, &back);
}

robdd robdd_preimage(robdd_manager *m, robdd set, robdd relation, robdd written)
{
  bool back = true;
  if (set == ROBDD_FULL || relation == ROBDD_FULL || written == ROBDD_FULL)
    return ROBDD_FULL;
  return robdd_run(m, do_image, set, relation, written, &back);
}
