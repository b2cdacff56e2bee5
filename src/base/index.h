/* An index from hashes to numbers: open addressing over slots of 32 bits.
**
** A slot holds a number in its low bits and, in the bits left over, a tag from
** the hash, so that nearly every slot that is read further belongs to the
** string looked for.  0 is a free slot: numbers start at 1.
**
** Always: numbers are below the number of slots, which is a power of 2.
** The user compares the strings behind the numbers. */

#ifndef NUT_BASE_INDEX_H
#define NUT_BASE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Slots that are looked at together; so many less one, always free, are behind
** the last. */
enum { INDEX_WINDOW = 4 };

typedef struct hash_index {
  uint32_t *slots;
  uint32_t mask; /* number of slots - 1; all bits of a number */
} hash_index;

bool index_create(hash_index *, uint32_t slots); /* false: no memory */
void index_destroy(hash_index *);
size_t index_bytes(const hash_index *);

/* Whether 'count' numbers are as many as the index should have. */
static inline bool index_is_full(const hash_index *x, uint32_t count)
{
  return (uint64_t)count * 4 >= ((uint64_t)x->mask + 1) * 3;
}

static inline uint32_t index_start(const hash_index *x, uint64_t hash)
{
  return (uint32_t)hash & x->mask;
}

static inline uint32_t index_next(const hash_index *x, uint32_t at)
{
  return (at + 1) & x->mask;
}

static inline uint32_t index_tag(const hash_index *x, uint64_t hash)
{
  return (uint32_t)(hash >> 32) & ~x->mask;
}

/* The number in a slot when its tag is that of the hash; otherwise 0. */
static inline uint32_t index_number(const hash_index *x, uint32_t at,
                                    uint64_t hash)
{
  uint32_t slot = x->slots[at];
  return (slot & ~x->mask) == index_tag(x, hash) ? slot & x->mask : 0;
}

/* A number of the next few slots whose tag is that of the hash, or 0: nearly
** always the one looked for, when it is there.  Without a branch that depends
** on how far it is from its place. */
static inline uint32_t index_guess(const hash_index *x, uint64_t hash)
{
  const uint32_t *slots = x->slots + index_start(x, hash);
  uint32_t tag = index_tag(x, hash);
#ifdef __SSE2__
  __m128i window = _mm_loadu_si128((const __m128i *)(const void *)slots);
  __m128i mask = _mm_set1_epi32((int)x->mask);
  __m128i equal =
      _mm_cmpeq_epi32(_mm_andnot_si128(mask, window), _mm_set1_epi32((int)tag));
  uint32_t found = (uint32_t)_mm_movemask_epi8(equal);
  return slots[__builtin_ctz(found | 1u << 12) / 4] & x->mask;
#else
  uint32_t i = 0;
  while (i < INDEX_WINDOW - 1 && (slots[i] & ~x->mask) != tag)
    i++;
  return slots[i] & x->mask;
#endif
}

/* Puts a number that is not there. */
static inline void index_put(hash_index *x, uint64_t hash, uint32_t number)
{
  uint32_t at = index_start(x, hash);
  while (x->slots[at])
    at = index_next(x, at);
  x->slots[at] = index_tag(x, hash) | number;
}

#endif
