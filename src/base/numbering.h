/* Strings of bytes with numbers: each different string gets one, from 1 on.
**
**   numbering n = {0};
**   uint32_t k = numbering_add(&n, bytes, length);   1, or its number before
**   numbering_get(&n, k, &length)                     valid until one is added
**
** All zero is a valid, empty one. */

#ifndef NUT_BASE_NUMBERING_H
#define NUT_BASE_NUMBERING_H

#include "base/index.h"
#include "base/vec.h"

typedef struct numbering {
  VEC(size_t) starts; /* of each string, and the end of the last */
  VEC(uint8_t) bytes;
  hash_index index;
} numbering;

/* Gives up (see mem_protect) when there is no memory. */
uint32_t numbering_add(numbering *, const uint8_t *bytes, size_t length);
const uint8_t *numbering_get(const numbering *, uint32_t number,
                             uint32_t *length);
void numbering_free(numbering *);

/* Numbers are 1 .. that many. */
static inline uint32_t numbering_count(const numbering *n)
{
  return n->starts.len ? (uint32_t)(n->starts.len - 1) : 0;
}

#endif
