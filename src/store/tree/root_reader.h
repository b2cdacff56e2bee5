/* Reading a set of roots: which slots are used, and back from a slot to its pair.
** For the files of the set alone. */

#ifndef NUT_STORE_TREE_ROOT_READER_H
#define NUT_STORE_TREE_ROOT_READER_H

#include "base/hash.h"
#include "store/tree/root_set.h"

/* 32 tags are looked at, whatever stands behind those of the bucket. */
static inline uint32_t used_slots(const roots *r, const uint8_t *bucket)
{
#if ROOTS_BY_VECTORS
  __m128i none = _mm_setzero_si128();
  uint64_t free = roots_equal(bucket, none, bucket, none) |
                  roots_equal(bucket + 16, none, bucket + 16, none) << 16;
  return (uint32_t)__builtin_ctzll(free | UINT64_C(1) << r->slots);
#else
  uint32_t n = 0;
  while (n < r->slots && roots_byte(&bucket[n]))
    n++;
  return n;
#endif
}

/* ---- back from a slot to its pair -------------------------------------- */

/* The factors are the inverses, modulo 2^64, of those in roots_scramble. */
static inline uint64_t unscramble(uint64_t x, uint32_t bits)
{
  uint64_t mask = roots_mask(bits);
  uint32_t half = (bits + 1) / 2;
  x = x * UINT64_C(0x319642b2d24d8ec3) & mask;
  x ^= x >> half; /* its own inverse, as the shift is half the width */
  x = x * UINT64_C(0x96de1b173f119089) & mask;
  x ^= x >> half;
  return x * UINT64_C(0xf1de83e19937733d) & mask;
}

/* The first keys that are at home in the buckets, from the first bucket on:
** that of bucket b is the quotient of b * 2^B and the number of buckets,
** rounded up, and found from that of bucket b - 1. */
typedef struct first_keys {
  uint64_t buckets;
  uint64_t floor;           /* of the quotient for the next bucket */
  uint64_t rest;            /* and what was rounded off */
  uint64_t step, step_rest; /* quotient and rest of 2^B */
} first_keys;

static inline first_keys first_keys_of(const roots *r)
{
  roots_wide keys = (roots_wide)1 << r->bits;
  return (first_keys){.buckets = r->bucket_count,
                      .step = (uint64_t)(keys / r->bucket_count),
                      .step_rest = (uint64_t)(keys % r->bucket_count)};
}

static inline uint64_t next_first_key(first_keys *f)
{
  uint64_t first = f->floor + (f->rest != 0);
  f->floor += f->step;
  f->rest += f->step_rest;
  if (f->rest >= f->buckets) {
    f->rest -= f->buckets;
    f->floor++;
  }
  return first;
}

/* Reads a table bucket by bucket, from the first on.  A pair's scrambled key is
** the first that is at home in its bucket, plus the rest.  The first keys of
** the last homes are kept. */
enum { READER_HOMES = 16 };
_Static_assert((int)READER_HOMES >= (int)ROOTS_DISTANCES, "homes in reach");

typedef struct reader {
  const roots *of;
  uint64_t bucket;
  first_keys next;
  uint64_t first[READER_HOMES]; /* by home modulo READER_HOMES */
} reader;

static inline reader reader_of(const roots *r)
{
  return (reader){.of = r, .next = first_keys_of(r)};
}

/* From this bucket on. */
static inline reader reader_at(const roots *r, uint64_t bucket)
{
  reader made = reader_of(r);
  roots_wide keys = (roots_wide)bucket << r->bits;
  made.next.floor = (uint64_t)(keys / r->bucket_count);
  made.next.rest = (uint64_t)(keys % r->bucket_count);
  return made;
}

static inline void read_bucket(reader *r, uint64_t bucket)
{
  r->bucket = bucket;
  r->first[bucket % READER_HOMES] = next_first_key(&r->next);
}

static inline uint64_t scrambled_at(const reader *r, uint32_t slot)
{
  const uint8_t *b = r->of->buckets + r->bucket * ROOTS_BUCKET;
  uint64_t home = r->bucket - (uint64_t)((b[slot] >> 4) - 1);
  return r->first[home % READER_HOMES] + roots_rest(r->of, b, slot);
}

static inline uint64_t pair_at(const reader *r, uint32_t slot)
{
  uint64_t key = unscramble(scrambled_at(r, slot), r->of->bits);
  return key >> r->of->right_bits << 32 | (key & roots_mask(r->of->right_bits));
}

static inline uint32_t used_at(const roots *r, uint64_t bucket)
{
  return used_slots(r, r->buckets + bucket * ROOTS_BUCKET);
}

/* Without its mark, if there are marks. */
#define SPILL_MARK (UINT64_C(1) << 63)

static inline uint64_t spilled_pair(const roots *r, size_t at)
{
  return r->spill[at] & (r->marks ? ~SPILL_MARK : UINT64_MAX);
}

/* ---- spilled pairs ------------------------------------------------------ */

/* Where the pair is; NULL: it is not spilled. */
static inline uint64_t *find_spilled(const roots *r, uint64_t pair)
{
  if (r->spill_room)
    for (size_t at = hash_mix(pair) & (r->spill_room - 1);
         r->spill[at] != UINT64_MAX; at = (at + 1) & (r->spill_room - 1))
      if (spilled_pair(r, at) == pair)
        return &r->spill[at];
  return NULL;
}

#endif
