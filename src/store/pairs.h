/* Pairs of numbers, each stored once and numbered densely from 1 in order of
** discovery: the inner nodes of the tree.  0 is the pair (0,0).
**
** Always: a pair occurs at most once; a number once given out stays valid. */

#ifndef NUT_STORE_PAIRS_H
#define NUT_STORE_PAIRS_H

#include "base/hash.h"
#include "base/index.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pairs {
  uint64_t *list; /* by number - 1: left << 32 | right */
  hash_index index;
  uint32_t count, room;
} pairs;

#define PAIRS_FULL UINT32_MAX

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

/* For many lookups at a time: 'pairs_approach' asks for the slot, then
** 'pairs_touch' for the pair it names, then 'pairs_number' finds both near. */
static inline uint64_t pairs_approach(const pairs *p, uint64_t pair)
{
  uint64_t hash = hash_mix(pair);
  __builtin_prefetch(&p->index.slots[index_start(&p->index, hash)]);
  return hash;
}

static inline void pairs_touch(const pairs *p, uint64_t hash)
{
  uint32_t number = index_number(&p->index, index_start(&p->index, hash), hash);
  if (number)
    __builtin_prefetch(&p->list[number - 1]);
}

/* The number of a pair, new or old; PAIRS_FULL without memory. */
static inline uint32_t pairs_number(pairs *p, uint32_t left, uint32_t right)
{
  uint64_t pair = pair_of(left, right);
  if (!pair)
    return 0;
  const hash_index *x = &p->index;
  uint64_t hash = hash_mix(pair);
  for (uint32_t at = index_start(x, hash); x->slots[at];
       at = index_next(x, at)) {
    uint32_t number = index_number(x, at, hash);
    if (number && p->list[number - 1] == pair)
      return number;
  }
  return pairs_add(p, pair);
}

#endif
