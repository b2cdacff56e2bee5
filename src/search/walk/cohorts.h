/* Which states a depth-first search expanded together.
**
** Large searches expand the topmost waiting states of the stack in cohorts, so
** that what they need from memory travels together.  A state that a cohort
** finds is above all of the cohort on the stack; who of them found it is told
** by the numbers of states that each of them found.
**
** A record of a cohort of n is n counts, of a byte each or, when one does not
** fit, of 4, and then a byte with n and, in its highest bit, which of both. */

#ifndef NUT_SEARCH_WALK_COHORTS_H
#define NUT_SEARCH_WALK_COHORTS_H

#include "base/vec.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { COHORT_MAX = 8, COHORT_IS_WIDE = 0x80 };

typedef struct cohorts {
  VEC(uint8_t) bytes;
} cohorts;

/* The size of the cohort whose record ends at 'end', and where it starts. */
static inline uint32_t cohorts_size(const cohorts *g, size_t end)
{
  return g->bytes.data[end - 1] & ~(uint32_t)COHORT_IS_WIDE;
}

static inline size_t cohorts_start(const cohorts *g, size_t end)
{
  bool is_wide = g->bytes.data[end - 1] & COHORT_IS_WIDE;
  return end - 1 - cohorts_size(g, end) * (is_wide ? 4u : 1u);
}

static inline void cohorts_pop(cohorts *g)
{
  g->bytes.len = cohorts_start(g, g->bytes.len);
}

/* Member i of a cohort of 'size' has found found[i] states. */
static inline void cohorts_push(cohorts *g, const uint32_t *found,
                                uint32_t size)
{
  uint32_t all = 0;
  for (uint32_t i = 0; i < size; i++)
    all |= found[i];
  bool is_wide = all > UINT8_MAX;
  vec_grow(&g->bytes, size * 4 + 1);
  for (uint32_t i = 0; i < size; i++) {
    uint8_t *at = g->bytes.data + g->bytes.len;
    if (is_wide)
      memcpy(at, &found[i], 4);
    else
      *at = (uint8_t)found[i];
    g->bytes.len += is_wide ? 4 : 1;
  }
  g->bytes.data[g->bytes.len++] =
      (uint8_t)(size | (is_wide ? COHORT_IS_WIDE : 0u));
}

/* Who found a state: the member of the cohort with the record that ends at
** 'end' when 'below' states that the cohort found lie below it on the stack;
** those found last lie lowest. */
uint32_t cohorts_finder(const cohorts *, size_t end, uint64_t below);

#endif
