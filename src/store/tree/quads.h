/* Tuples of four numbers, each stored once and numbered densely from 1 in order
** of discovery: the inner nodes of the tree.  0 is the tuple (0,0,0,0).
**
** Always: a tuple occurs at most once; a number once given out stays valid; the
** first row of the list is the tuple 0, also before there is any other.
**
** Several threads can look up and add tuples at once while the table is shared
** ('index.is_shared'): it does not grow then, but refuses.  Of threads that add
** the same tuple one puts it into the index, and the others have taken a row in
** vain; such rows are 0, too. */

#ifndef NUT_STORE_TREE_QUADS_H
#define NUT_STORE_TREE_QUADS_H

#include "base/hash.h"
#include "base/index.h"
#include "base/quad.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct quads {
  quad *list; /* by number */
  hash_index index;
  uint32_t count; /* without the tuple 0 */
  uint32_t room;  /* rows of the list */
} quads;

/* There is no memory; or, in a shared table, no room. */
#define QUADS_FULL UINT32_MAX

bool quads_create(quads *); /* false: no memory */
void quads_destroy(quads *);
size_t quads_bytes(const quads *);
bool quads_check(const quads *);
/* Makes room for some more tuples, and if one was refused for much more, while
** nobody else uses the table.  False: no memory. */
bool quads_make_room(quads *);
/* As 'quads_number' when the guess was wrong. */
uint32_t quads_search(quads *, quad, uint64_t hash);

static inline quad quads_get(const quads *q, uint32_t number)
{
  return q->list[number];
}

/* The number of a tuple, new or old; QUADS_FULL without memory. */
static inline uint32_t quads_number(quads *q, quad tuple, uint64_t hash)
{
  uint32_t guess = index_guess(&q->index, hash);
  return quad_equal(q->list[guess], tuple) ? guess
                                           : quads_search(q, tuple, hash);
}

/* Tables of up to so many slots are in near memory: what is looked up there
** need not travel. */
enum { QUADS_NEAR = 1 << 13 };

static inline bool quads_is_near(const quads *q)
{
  return q->index.mask < QUADS_NEAR;
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

/* Answers them all; false: no memory.  The slots are near by now; next the
** tuples they name, then the answers. */
static inline bool quads_answer(const quads_query *list, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    const quads *t = list[i].table;
    uint32_t guess = index_guess(&t->index, list[i].hash);
    __builtin_prefetch(&t->list[guess]);
    *list[i].number = guess;
  }
  for (uint32_t i = 0; i < count; i++) {
    quads *t = list[i].table;
    if (quad_equal(t->list[*list[i].number], list[i].tuple))
      continue;
    uint32_t number = quads_search(t, list[i].tuple, list[i].hash);
    *list[i].number = number;
    if (number == QUADS_FULL)
      return false;
  }
  return true;
}

#endif
