/* Sums of the weights of bits that are 1 (robdd_steps.h). */

#include "dd/robdd/robdd_internal.h"
#include "dd/robdd/robdd_steps.h"
#include "dd/sums.h"

#include "base/alloc.h"

#include <assert.h>

enum { MOST_SUMS = 1 << 22, LEVEL_BITS = 15 };

/* By level, and one more: its weight; the least and the greatest sum that it
** and the levels below can have. */
typedef struct level_sums {
  int64_t weight, least, most;
} level_sums;

static level_sums *sums_by_level(const robdd_manager *m, const int64_t *weights)
{
  level_sums *s = mem_try_alloc((m->variables + 1) * sizeof *s);
  for (uint32_t level = m->variables; s && level-- > 0;) {
    int64_t weight = weights[m->variable_at[level]];
    s[level].weight = weight;
    s[level].least = s[level + 1].least + (weight < 0 ? weight : 0);
    s[level].most = s[level + 1].most + (weight > 0 ? weight : 0);
  }
  return s;
}

/* ---- in a range --------------------------------------------------------- */

typedef struct between_context {
  const level_sums *by_level;
  int64_t lo, hi;
  dd_cache *sums; /* by node, level and sum so far; no node dies meanwhile */
} between_context;

static robdd between_inner(robdd_manager *m, const between_context *c, robdd f,
                           uint32_t level, int64_t sum)
{
  const level_sums *here = &c->by_level[level];
  if (f == ROBDD_FALSE || sum + here->least > c->hi || sum + here->most < c->lo)
    return ROBDD_FALSE;
  if (sum + here->least >= c->lo && sum + here->most <= c->hi)
    return f;
  while (!c->by_level[level].weight && robdd_level(m, f) != level)
    level++;
  uint32_t low_word = (uint32_t)sum;
  uint32_t high_word =
      (uint32_t)((uint64_t)sum >> 32) << LEVEL_BITS | (level + 1);
  robdd result = dd_cache_get(c->sums, f, low_word, high_word);
  if (result != DD_CACHE_NONE)
    return result;
  robdd low = between_inner(m, c, robdd_low_at(m, f, level), level + 1, sum);
  if (low == ROBDD_FULL)
    return ROBDD_FULL;
  robdd high = between_inner(m, c, robdd_high_at(m, f, level), level + 1,
                             sum + c->by_level[level].weight);
  if (high == ROBDD_FULL)
    return ROBDD_FULL;
  result = robdd_make(m, level, low, high);
  if (result != ROBDD_FULL)
    dd_cache_put(c->sums, f, low_word, high_word, result);
  if (!(c->sums->puts & 1023))
    dd_cache_grow(c->sums, MOST_SUMS);
  return result;
}

static robdd do_between(robdd_manager *m, robdd f, robdd g, robdd h,
                        const void *context)
{
  const between_context *c = context;
  (void)g, (void)h;
  dd_cache_clear(c->sums);
  return between_inner(m, c, f, 0, 0);
}

robdd robdd_between(robdd_manager *m, robdd set, const int64_t *weights,
                    int64_t lo, int64_t hi)
{
  dd_cache sums = {0};
  if (set == ROBDD_FULL || !dd_cache_create(&sums, MOST_SUMS))
    return ROBDD_FULL;
  /* Collecting keeps the order of levels that the sums are made for. */
  bool reorders = m->reorders;
  m->reorders = false;
  robdd result = ROBDD_FULL;
  level_sums *by_level = sums_by_level(m, weights);
  if (by_level) {
    between_context c = {by_level, lo, hi, &sums};
    result = robdd_run(m, do_between, set, ROBDD_FALSE, ROBDD_FALSE, &c);
  }
  m->reorders = reorders;
  mem_free(by_level, (m->variables + 1) * sizeof *by_level);
  dd_cache_destroy(&sums);
  return result;
}

/* ---- the greatest ------------------------------------------------------- */

typedef struct greatest_context {
  const robdd_manager *m;
  const level_sums *by_level;
  dd_sums sums;
} greatest_context;

/* The greatest sum from 'level' on; f is not 0. */
static bool greatest_inner(greatest_context *c, robdd f, uint32_t level,
                           int64_t *sum)
{
  const robdd_manager *m = c->m;
  uint32_t at = f == ROBDD_TRUE ? m->variables : robdd_level(m, f);
  /* Bits that do not matter are chosen at will. */
  int64_t free = c->by_level[level].most - c->by_level[at].most;
  int64_t best = INT64_MIN;
  *sum = free;
  if (f == ROBDD_TRUE)
    return true;
  if (dd_sums_get(&c->sums, f, &best)) {
    *sum += best;
    return true;
  }
  for (unsigned one = 0; one < 2; one++) {
    robdd part = one ? robdd_high_at(m, f, at) : robdd_low_at(m, f, at);
    int64_t below;
    if (part == ROBDD_FALSE)
      continue;
    if (!greatest_inner(c, part, at + 1, &below))
      return false;
    below += one ? c->by_level[at].weight : 0;
    best = below > best ? below : best;
  }
  *sum += best;
  return dd_sums_put(&c->sums, f, best);
}

bool robdd_greatest(const robdd_manager *m, robdd set, const int64_t *weights,
                    int64_t *greatest)
{
  assert(set != ROBDD_FALSE && set != ROBDD_FULL);
  level_sums *by_level = sums_by_level(m, weights);
  if (!by_level)
    return false;
  greatest_context c = {.m = m, .by_level = by_level};
  bool good = greatest_inner(&c, set, 0, greatest);
  dd_sums_free(&c.sums);
  mem_free(by_level, (m->variables + 1) * sizeof *by_level);
  return good;
}
