/* An index from hashes to numbers: open addressing over slots of 32 bits.
**
** A slot holds a number in its low bits and, in the bits left over, a tag from
** the hash, so that nearly every slot that is read further belongs to the
** string looked for.  0 is a free slot: numbers start at 1.
**
** Always: numbers are below the number of slots, which is a power of 2.
** The user compares the strings behind the numbers.
**
** Several threads can use an index that does not grow meanwhile: a slot is
** written once, after what it names, so that whoever reads a number finds all
** that belongs to it.  How numbers are given to one thing by several threads is
** up to the user; 'is_shared' says that there are some. */

#ifndef NUT_BASE_INDEX_H
#define NUT_BASE_INDEX_H

#include "base/spin.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if defined __SSE2__ && !SPIN_IS_WATCHED
#include <emmintrin.h>
#define INDEX_BY_VECTORS 1 /* words of a vector are read as a whole */
#else
#define INDEX_BY_VECTORS 0
#endif

/* Slots that are looked at together; so many less one, always free, are behind
** the last. */
enum { INDEX_WINDOW = 4 };

typedef struct hash_index {
  uint32_t *slots;
  uint32_t mask;   /* number of slots - 1; all bits of a number */
  bool is_shared;  /* by several threads */
  uint8_t refused; /* then: somebody found no room */
  uint8_t lock;    /* then, for the user: see base/spin.h */
} hash_index;

bool index_create(hash_index *, uint32_t slots); /* false: no memory */
/* Makes it larger where it is, without memory for both; all numbers must be put
** anew.  False: no memory, and nothing has changed. */
bool index_widen(hash_index *, uint32_t slots);
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

/* What a slot holds, and all that was written before it got that. */
static inline uint32_t index_slot(const hash_index *x, uint32_t at)
{
  return __atomic_load_n(&x->slots[at], __ATOMIC_ACQUIRE);
}

/* There is no room in a shared index. */
static inline void index_refuse(hash_index *x)
{
  __atomic_store_n(&x->refused, 1, __ATOMIC_RELAXED);
}

static inline uint32_t index_next(const hash_index *x, uint32_t at)
{
  return (at + 1) & x->mask;
}

static inline uint32_t index_tag(const hash_index *x, uint64_t hash)
{
  return (uint32_t)(hash >> 32) & ~x->mask;
}

/* The number that a slot holds when its tag is that of the hash; otherwise
** 0. */
static inline uint32_t index_number_in(const hash_index *x, uint32_t slot,
                                       uint64_t hash)
{
  return (slot & ~x->mask) == index_tag(x, hash) ? slot & x->mask : 0;
}

static inline uint32_t index_number(const hash_index *x, uint32_t at,
                                    uint64_t hash)
{
  return index_number_in(x, index_slot(x, at), hash);
}

/* A number of the next few slots whose tag is that of the hash, or 0: nearly
** always the one looked for, when it is there.  Without a branch that depends
** on how far it is from its place. */
static inline uint32_t index_guess(const hash_index *x, uint64_t hash)
{
  uint32_t start = index_start(x, hash), tag = index_tag(x, hash);
#if INDEX_BY_VECTORS
  const uint32_t *slots = x->slots + start;
  __m128i window = _mm_loadu_si128((const __m128i *)(const void *)slots);
  __m128i mask = _mm_set1_epi32((int)x->mask);
  __m128i equal =
      _mm_cmpeq_epi32(_mm_andnot_si128(mask, window), _mm_set1_epi32((int)tag));
  uint32_t found = (uint32_t)_mm_movemask_epi8(equal);
  slots += (uint32_t)__builtin_ctz(found | 1u << 12) / 4;
  return __atomic_load_n(slots, __ATOMIC_ACQUIRE) & x->mask;
#else
  uint32_t i = 0, slot = index_slot(x, start);
  while (i < INDEX_WINDOW - 1 && (slot & ~x->mask) != tag)
    slot = index_slot(x, start + ++i);
  return slot & x->mask;
#endif
}

/* Puts a number that is not there. */
static inline void index_put(hash_index *x, uint64_t hash, uint32_t number)
{
  uint32_t at = index_start(x, hash);
  while (x->slots[at])
    at = index_next(x, at);
  __atomic_store_n(&x->slots[at], index_tag(x, hash) | number,
                   __ATOMIC_RELEASE);
}

#endif
