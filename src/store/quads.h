/* Tuples of four numbers, each stored once and numbered densely from 1 in order
** of discovery: the inner nodes of the tree.  0 is the tuple (0,0,0,0).
**
** Always: a tuple occurs at most once; a number once given out stays valid. */

#ifndef NUT_STORE_QUADS_H
#define NUT_STORE_QUADS_H

#include "base/hash.h"
#include "base/index.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct quad {
  uint64_t low, high; /* first and second, third and fourth number */
} quad;

typedef struct quads {
  quad *list; /* by number - 1 */
  hash_index index;
  uint32_t count, room;
} quads;

#define QUADS_FULL UINT32_MAX

bool quads_create(quads *); /* false: no memory */
void quads_destroy(quads *);
size_t quads_bytes(const quads *);
bool quads_check(const quads *);
/* Adds a tuple that is not there; QUADS_FULL without memory. */
uint32_t quads_add(quads *, quad, uint64_t hash);

static inline quad quad_of(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
  return (quad){(uint64_t)b << 32 | a, (uint64_t)d << 32 | c};
}

static inline uint64_t quad_hash(quad q)
{
  uint64_t h =
      q.low * UINT64_C(0x9e3779b97f4a7c15) ^
      (q.high + UINT64_C(0x7f4a7c159e3779b9)) * UINT64_C(0xc2b2ae3d27d4eb4f);
  h = (h ^ h >> 32) * UINT64_C(0xbf58476d1ce4e5b9);
  return h ^ h >> 32;
}

static inline quad quads_get(const quads *q, uint32_t number)
{
  return number ? q->list[number - 1] : (quad){0, 0};
}

/* For many lookups at a time: 'quads_approach' asks for the slot, then
** 'quads_touch' for the tuple it names, then 'quads_number' finds both near. */
static inline void quads_approach(const quads *q, uint64_t hash)
{
  __builtin_prefetch(&q->index.slots[index_start(&q->index, hash)]);
}

static inline void quads_touch(const quads *q, uint64_t hash)
{
  uint32_t number = index_number(&q->index, index_start(&q->index, hash), hash);
  if (number)
    __builtin_prefetch(&q->list[number - 1]);
}

/* The number of a tuple, new or old; QUADS_FULL without memory. */
static inline uint32_t quads_number(quads *q, quad tuple, uint64_t hash)
{
  const hash_index *x = &q->index;
  if (!(tuple.low | tuple.high))
    return 0;
  for (uint32_t at = index_start(x, hash); x->slots[at];
       at = index_next(x, at)) {
    uint32_t number = index_number(x, at, hash);
    if (number && q->list[number - 1].low == tuple.low &&
        q->list[number - 1].high == tuple.high)
      return number;
  }
  return quads_add(q, tuple, hash);
}

#endif
