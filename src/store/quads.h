/* Tuples of four numbers, each stored once and numbered densely from 1 in order
** of discovery: the inner nodes of the tree.  0 is the tuple (0,0,0,0).
**
** Always: a tuple occurs at most once; a number once given out stays valid. */

#ifndef NUT_STORE_QUADS_H
#define NUT_STORE_QUADS_H

#include "base/hash.h"
#include "base/index.h"
#include "base/quad.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

static inline quad quads_get(const quads *q, uint32_t number)
{
  return number ? q->list[number - 1] : (quad){0, 0};
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
    if (number && quad_equal(q->list[number - 1], tuple))
      return number;
  }
  return quads_add(q, tuple, hash);
}

/* A lookup among many, which travel from memory together. */
typedef struct quads_query {
  quads *table;
  quad tuple;
  uint64_t hash;
  uint32_t *number; /* where the answer goes */
} quads_query;

static inline void quads_ask(quads_query *q, quads *owner, quad tuple,
                             uint32_t *number)
{
  *q = (quads_query){owner, tuple, quad_hash(tuple), number};
  __builtin_prefetch(&owner->index.slots[index_start(&owner->index, q->hash)]);
}

/* Answers them all; false: no memory. */
bool quads_answer(const quads_query *, uint32_t count);

#endif
