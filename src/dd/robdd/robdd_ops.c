/* Boolean operations.  All have the same skeleton: terminal cases, normal form
** of the arguments, look into the computed table, recursion on the cofactors
** with respect to the first variable, find-or-add, put into the computed
** table.  ITE (f, g, h) is the general one (Katoen's slides); conjunction and
** exclusive or have recursions of their own, because a key of two functions
** is found again more often, and ITE falls back to them. */

#include "dd/robdd/robdd_internal.h"

#include <assert.h>

static inline uint32_t min_level(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

robdd robdd_and_inner(robdd_manager *m, robdd f, robdd g)
{
  if (f == g || g == ROBDD_TRUE)
    return f;
  if (f == ROBDD_TRUE)
    return g;
  if (f == ROBDD_FALSE || g == ROBDD_FALSE || f == (g ^ 1))
    return ROBDD_FALSE;
  if (f > g) {
    robdd other = f;
    f = g, g = other;
  }
  robdd result = dd_cache_get(&m->cache, f, g, ROBDD_OP_AND);
  if (result != DD_CACHE_NONE)
    return result;
  const robdd_node *nf = robdd_node_of(m, f), *ng = robdd_node_of(m, g);
  uint32_t level = min_level(nf->level, ng->level);
  robdd f0 = f, f1 = f, g0 = g, g1 = g;
  if (nf->level == level)
    f0 = nf->low ^ (f & 1), f1 = nf->high ^ (f & 1);
  if (ng->level == level)
    g0 = ng->low ^ (g & 1), g1 = ng->high ^ (g & 1);
  robdd low = robdd_and_inner(m, f0, g0);
  if (low == ROBDD_FULL)
    return ROBDD_FULL;
  robdd high = robdd_and_inner(m, f1, g1);
  if (high == ROBDD_FULL)
    return ROBDD_FULL;
  result = robdd_make(m, level, low, high);
  if (result != ROBDD_FULL)
    dd_cache_put(&m->cache, f, g, ROBDD_OP_AND, result);
  return result;
}

static robdd xor_inner(robdd_manager *m, robdd f, robdd g)
{
  /* Complements of arguments move to the result. */
  robdd flip = (f ^ g) & 1;
  f &= ~(robdd)1;
  g &= ~(robdd)1;
  if (f == g)
    return ROBDD_FALSE ^ flip;
  if (f == ROBDD_FALSE)
    return g ^ flip;
  if (g == ROBDD_FALSE)
    return f ^ flip;
  if (f > g) {
    robdd other = f;
    f = g, g = other;
  }
  robdd result = dd_cache_get(&m->cache, f, g, ROBDD_OP_XOR);
  if (result != DD_CACHE_NONE)
    return result ^ flip;
  uint32_t level = min_level(robdd_level(m, f), robdd_level(m, g));
  robdd low =
      xor_inner(m, robdd_low_at(m, f, level), robdd_low_at(m, g, level));
  if (low == ROBDD_FULL)
    return ROBDD_FULL;
  robdd high =
      xor_inner(m, robdd_high_at(m, f, level), robdd_high_at(m, g, level));
  if (high == ROBDD_FULL)
    return ROBDD_FULL;
  result = robdd_make(m, level, low, high);
  if (result == ROBDD_FULL)
    return ROBDD_FULL;
  dd_cache_put(&m->cache, f, g, ROBDD_OP_XOR, result);
  return result ^ flip;
}

static robdd ite_inner(robdd_manager *m, robdd f, robdd g, robdd h);

static robdd ite_recursion(robdd_manager *m, robdd f, robdd g, robdd h)
{
  robdd result = dd_cache_get(&m->cache, f | ROBDD_OP_THREE, g, h);
  if (result != DD_CACHE_NONE)
    return result;
  uint32_t level = min_level(min_level(robdd_level(m, f), robdd_level(m, g)),
                             robdd_level(m, h));
  robdd low = ite_inner(m, robdd_low_at(m, f, level), robdd_low_at(m, g, level),
                        robdd_low_at(m, h, level));
  if (low == ROBDD_FULL)
    return ROBDD_FULL;
  robdd high =
      ite_inner(m, robdd_high_at(m, f, level), robdd_high_at(m, g, level),
                robdd_high_at(m, h, level));
  if (high == ROBDD_FULL)
    return ROBDD_FULL;
  result = robdd_make(m, level, low, high);
  if (result != ROBDD_FULL)
    dd_cache_put(&m->cache, f | ROBDD_OP_THREE, g, h, result);
  return result;
}

static robdd ite_inner(robdd_manager *m, robdd f, robdd g, robdd h)
{
  if (f <= ROBDD_TRUE)
    return f == ROBDD_TRUE ? g : h;
  if (g == h)
    return g;
  /* Where the test is known to be 1 or 0, f is that constant. */
  if ((f ^ g) <= 1)
    g = f == g ? ROBDD_TRUE : ROBDD_FALSE;
  if ((f ^ h) <= 1)
    h = f == h ? ROBDD_FALSE : ROBDD_TRUE;
  if (g == ROBDD_TRUE)
    return robdd_or_inner(m, f, h);
  if (g == ROBDD_FALSE)
    return robdd_and_inner(m, f ^ 1, h);
  if (h == ROBDD_TRUE)
    return robdd_or_inner(m, f ^ 1, g);
  if (h == ROBDD_FALSE)
    return robdd_and_inner(m, f, g);
  if (g == (h ^ 1))
    return xor_inner(m, f, h);
  /* Normal form: f and g are regular. */
  if (f & 1) {
    robdd other = g;
    f ^= 1, g = h, h = other;
  }
  robdd flip = g & 1;
  robdd result = ite_recursion(m, f, g ^ flip, h ^ flip);
  return result == ROBDD_FULL ? ROBDD_FULL : result ^ flip;
}

/* ---- from outside ------------------------------------------------------ */

static robdd do_and(robdd_manager *m, robdd f, robdd g, robdd h,
                    const void *context)
{
  (void)h, (void)context;
  return robdd_and_inner(m, f, g);
}

static robdd do_xor(robdd_manager *m, robdd f, robdd g, robdd h,
                    const void *context)
{
  (void)h, (void)context;
  return xor_inner(m, f, g);
}

static robdd do_ite(robdd_manager *m, robdd f, robdd g, robdd h,
                    const void *context)
{
  (void)context;
  return ite_inner(m, f, g, h);
}

robdd robdd_and(robdd_manager *m, robdd f, robdd g)
{
  if (f == ROBDD_FULL || g == ROBDD_FULL)
    return ROBDD_FULL;
  return robdd_run(m, do_and, f, g, ROBDD_FALSE, NULL);
}

robdd robdd_xor(robdd_manager *m, robdd f, robdd g)
{
  if (f == ROBDD_FULL || g == ROBDD_FULL)
    return ROBDD_FULL;
  return robdd_run(m, do_xor, f, g, ROBDD_FALSE, NULL);
}

robdd robdd_ite(robdd_manager *m, robdd f, robdd g, robdd h)
{
  if (f == ROBDD_FULL || g == ROBDD_FULL || h == ROBDD_FULL)
    return ROBDD_FULL;
  return robdd_run(m, do_ite, f, g, h, NULL);
}
