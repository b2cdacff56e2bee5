/* Pairs of numbers, each stored once and numbered densely from 1 in order of
** discovery: the inner nodes of the tree.  0 is the pair (0,0).
**
** Always: a pair occurs at most once; a number once given out stays valid. */

#ifndef NUT_STORE_PAIRS_H
#define NUT_STORE_PAIRS_H

#include "base/hash.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pairs {
  uint64_t *list;  /* by number - 1: left << 32 | right */
  uint32_t *slots; /* number, or 0: free; open addressing */
  uint32_t count, room;
  uint32_t mask; /* number of slots - 1 */
} pairs;

enum { PAIRS_FULL = UINT32_MAX };

bool pairs_create(pairs *); /* false: no memory */
void pairs_destroy(pairs *);
size_t pairs_bytes(const pairs *);
bool pairs_check(const pairs *);
uint32_t pairs_add(pairs *, uint64_t pair); /* one that is not there */

static inline uint64_t pair_of(uint32_t left, uint32_t right)
{
  return (uint64_t)left << 32 | right;
}

static inline uint64_t pairs_get(const pairs *p, uint32_t number)
{
  return number ? p->list[number - 1] : 0;
}

/* The number of a pair, new or old; PAIRS_FULL without memory. */
static inline uint32_t pairs_number(pairs *p, uint32_t left, uint32_t right)
{
  uint64_t pair = pair_of(left, right);
  if (!pair)
    return 0;
  for (uint32_t at = (uint32_t)hash_mix(pair) & p->mask; p->slots[at];
       at = (at + 1) & p->mask)
    if (p->list[p->slots[at] - 1] == pair)
      return p->slots[at];
  return pairs_add(p, pair);
}

#endif
