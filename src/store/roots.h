/* A compact exact set of pairs (left, right): the roots of the tree.
**
** A pair of numbers below 2^l and 2^r is a key of B = l + r bits.  A bijection
** on B bits scrambles it; the scrambled key h tells the bucket where the pair
** is at home, and only the rest of h is kept (key quotienting: Cleary 1984,
** Knuth TAOCP 3, 6.4 exercise 13).  So a pair costs about B - log2 (buckets)
** bits, whatever the length of the state:
**
**   home = floor (h * buckets / 2^B)      rest = position of h among the
**                                                keys of that bucket
**
** A bucket is one cache line of 64 bytes: first a tag byte per slot, then
** the remaining bytes of the rests.
**
**   | tag 0 | tag 1 | ... | tag n-1 | rest 0 | rest 1 | ... | rest n-1 |
**   tag = (distance + 1) << 4 | lowest 4 bits of the rest;  0 = free slot
**
** A pair that finds its home full goes to the next bucket with a free slot, at
** a distance of at most 14 buckets; the very few that find none are 'spilled'
** into a small table of whole pairs.
**
** Always: slots of a bucket fill from the left; all buckets between a pair's
** home and its place are full; a spilled pair's 15 buckets are full.
**
** Growing keeps h as long as B stays, and then the order of the pairs, so the
** old buckets are read once from the left while the new ones are written from
** the left, and memory behind the reader is given back. */

#ifndef NUT_STORE_ROOTS_H
#define NUT_STORE_ROOTS_H

#include "base/reserve.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

__extension__ typedef unsigned __int128 roots_wide; /* for products */

enum {
  ROOTS_BUCKET = 64,
  ROOTS_DISTANCES = 15, /* buckets a pair can be in */
  ROOTS_SLOTS_MAX = 32
};

typedef enum { ROOTS_NEW, ROOTS_SEEN, ROOTS_FULL } roots_result;

typedef struct roots {
  uint8_t *buckets;
  uint64_t bucket_count, reciprocal; /* reciprocal = floor (2^64 / count) */
  uint64_t count, limit;             /* pairs; the table grows at 'limit' */
  uint64_t shape;                    /* another number whenever places change */
  uint32_t left_bits, right_bits, bits; /* bits = B */
  uint32_t slots;                       /* per bucket */
  uint32_t rest_bytes;                  /* of a slot, beyond its tag */
  uint64_t rest_mask;
  reserve memory;
  size_t max_bytes;
  uint32_t lefts, rights; /* all bits that occur in the pairs' numbers */
  uint64_t *spill;        /* open addressing; UINT64_MAX = free */
  size_t spill_room, spill_count;
} roots;

bool roots_create(roots *, size_t max_bytes);
void roots_destroy(roots *);
size_t roots_bytes(const roots *);
bool roots_check(const roots *);
/* Calls 'visit' for every pair, in no particular order. */
void roots_each(const roots *,
                void (*visit)(void *, uint32_t left, uint32_t right),
                void *context);

/* Where a pair belongs. */
typedef struct roots_place {
  uint64_t home, rest;
} roots_place;

/* Not needed by users: they grow the table and search the spilled pairs. */
bool roots_widen(roots *, uint32_t left, uint32_t right);
bool roots_grow(roots *);
roots_result roots_spill(roots *, uint64_t pair);
bool roots_has_spilled(const roots *, uint64_t pair);

static inline uint64_t roots_mask(uint32_t bits)
{
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static inline uint64_t roots_scramble(uint64_t x, uint32_t bits)
{
  uint64_t mask = roots_mask(bits);
  uint32_t half = (bits + 1) / 2;
  x = x * UINT64_C(0x9e3779b97f4a7c15) & mask;
  x ^= x >> half;
  x = x * UINT64_C(0xbf58476d1ce4e5b9) & mask;
  x ^= x >> half;
  return x * UINT64_C(0x94d049bb133111eb) & mask;
}

/* floor (x / buckets), by the reciprocal, which is at most one too small. */
static inline uint64_t roots_divide(const roots *r, uint64_t x)
{
  uint64_t q = (uint64_t)((roots_wide)x * r->reciprocal >> 64);
  return q + (x - q * r->bucket_count >= r->bucket_count);
}

static inline roots_place roots_place_of(const roots *r, uint64_t scrambled)
{
  roots_wide scaled = (roots_wide)scrambled * r->bucket_count;
  uint64_t inside = (uint64_t)scaled & roots_mask(r->bits);
  return (roots_place){(uint64_t)(scaled >> r->bits), roots_divide(r, inside)};
}

static inline roots_place roots_locate(const roots *r, uint32_t left,
                                       uint32_t right)
{
  uint64_t key = (uint64_t)left << r->right_bits | right;
  return roots_place_of(r, roots_scramble(key, r->bits));
}

/* Whether both numbers are below what the keys are made for. */
static inline bool roots_fits(const roots *r, uint32_t left, uint32_t right)
{
  return !((uint64_t)left >> r->left_bits | (uint64_t)right >> r->right_bits);
}

static inline void roots_prefetch(const roots *r, roots_place p)
{
  __builtin_prefetch(r->buckets + p.home * ROOTS_BUCKET, 1);
}

/* Bit i: tag i of the bucket equals 'tag'. */
static inline uint32_t roots_match(const uint8_t *bucket, uint8_t tag,
                                   uint32_t slots)
{
#ifdef __SSE2__
  __m128i want = _mm_set1_epi8((char)tag);
  __m128i low = _mm_loadu_si128((const __m128i *)(const void *)bucket);
  uint32_t found = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(low, want));
  if (slots > 16) {
    __m128i high =
        _mm_loadu_si128((const __m128i *)(const void *)(bucket + 16));
    found |= (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(high, want)) << 16;
  }
  return found & (uint32_t)roots_mask(slots);
#else
  uint32_t found = 0;
  for (uint32_t i = 0; i < slots; i++)
    found |= (uint32_t)(bucket[i] == tag) << i;
  return found;
#endif
}

static inline uint64_t roots_rest(const roots *r, const uint8_t *bucket,
                                  uint32_t slot)
{
  uint64_t rest;
  memcpy(&rest, bucket + r->slots + slot * r->rest_bytes, sizeof rest);
  return rest & r->rest_mask;
}

static inline void roots_put(const roots *r, uint8_t *bucket, uint32_t slot,
                             uint8_t tag, uint64_t rest)
{
  bucket[slot] = tag;
  memcpy(bucket + r->slots + slot * r->rest_bytes, &rest, r->rest_bytes);
}

/* Whether the pair is there; 'p' as for 'roots_insert'. */
static inline bool roots_has(const roots *r, roots_place p, uint32_t left,
                             uint32_t right)
{
  const uint8_t *bucket = r->buckets + p.home * ROOTS_BUCKET;
  uint8_t tag = (uint8_t)(16 | (p.rest & 15));
  for (uint32_t d = 0; d < ROOTS_DISTANCES; d++) {
    uint32_t found = roots_match(bucket, tag, r->slots);
    for (; found; found &= found - 1)
      if (roots_rest(r, bucket, (uint32_t)__builtin_ctz(found)) == p.rest >> 4)
        return true;
    if (roots_match(bucket, 0, r->slots))
      return false;
    bucket += ROOTS_BUCKET;
    tag = (uint8_t)(tag + 16);
  }
  return roots_has_spilled(r, (uint64_t)left << 32 | right);
}

/* Adds the pair; 'p' is its place, as the table is now.  ROOTS_FULL leaves
** the set as it was. */
static inline roots_result roots_insert(roots *r, roots_place p, uint32_t left,
                                        uint32_t right)
{
  uint8_t *bucket = r->buckets + p.home * ROOTS_BUCKET;
  uint8_t tag = (uint8_t)(16 | (p.rest & 15));
  r->lefts |= left;
  r->rights |= right;
  for (uint32_t d = 0; d < ROOTS_DISTANCES; d++) {
    uint32_t found = roots_match(bucket, tag, r->slots);
    for (; found; found &= found - 1)
      if (roots_rest(r, bucket, (uint32_t)__builtin_ctz(found)) == p.rest >> 4)
        return ROOTS_SEEN;
    uint32_t free = roots_match(bucket, 0, r->slots);
    if (free) {
      if (r->count >= r->limit) {
        if (!roots_grow(r))
          return ROOTS_FULL;
        return roots_insert(r, roots_locate(r, left, right), left, right);
      }
      roots_put(r, bucket, (uint32_t)__builtin_ctz(free), tag, p.rest >> 4);
      r->count++;
      return ROOTS_NEW;
    }
    bucket += ROOTS_BUCKET;
    tag = (uint8_t)(tag + 16);
  }
  return roots_spill(r, (uint64_t)left << 32 | right);
}

#endif
