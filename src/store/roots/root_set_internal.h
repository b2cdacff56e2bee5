/* Slots of a set of roots: which are used, back from a slot to its pair, and
** writing one.  For the files of the set, and for who inserts many at once. */

#ifndef NUT_STORE_ROOTS_ROOT_SET_INTERNAL_H
#define NUT_STORE_ROOTS_ROOT_SET_INTERNAL_H

#include "base/hash.h"
#include "store/roots/root_set.h"

/* 32 tags are looked at, whatever stands behind those of the bucket. */
static inline uint32_t used_slots(const uint8_t *bucket, uint32_t slots)
{
#if ROOTS_BY_VECTORS
  __m128i none = _mm_setzero_si128();
  uint64_t free = roots_equal(bucket, none, bucket, none) |
                  roots_equal(bucket + 16, none, bucket + 16, none) << 16;
  return (uint32_t)__builtin_ctzll(free | UINT64_C(1) << slots);
#else
  uint32_t n = 0;
  while (n < slots && roots_byte(&bucket[n]))
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

/* From this bucket on. */
static inline first_keys first_keys_at(const roots *r, uint64_t bucket)
{
  first_keys made = first_keys_of(r);
  roots_wide keys = (roots_wide)bucket << r->bits;
  made.floor = (uint64_t)(keys / r->bucket_count);
  made.rest = (uint64_t)(keys % r->bucket_count);
  return made;
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

static inline uint64_t first_key_at(const roots *r, uint64_t bucket)
{
  first_keys keys = first_keys_at(r, bucket);
  return next_first_key(&keys);
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

static inline void read_bucket(reader *r, uint64_t bucket)
{
  r->bucket = bucket;
  r->first[bucket % READER_HOMES] = next_first_key(&r->next);
}

/* From this bucket on.  Pairs may be at home in those before. */
static inline reader reader_before(const roots *r, uint64_t bucket)
{
  uint64_t b = bucket > ROOTS_DISTANCES ? bucket - ROOTS_DISTANCES : 0;
  reader made = {.of = r, .next = first_keys_at(r, b)};
  for (; b < bucket; b++)
    read_bucket(&made, b);
  return made;
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
  return used_slots(r->buckets + bucket * ROOTS_BUCKET, r->slots);
}

/* A pair with its mark, if there are marks, and without. */
#define SPILL_MARK (UINT64_C(1) << 63)

static inline uint64_t with_mark(const roots *r, uint64_t pair, bool marked)
{
  return r->marks && marked ? pair | SPILL_MARK : pair;
}

static inline uint64_t without_mark(const roots *r, uint64_t pair)
{
  return pair & (r->marks ? ~SPILL_MARK : UINT64_MAX);
}

static inline uint64_t spilled_pair(const roots *r, size_t at)
{
  return without_mark(r, r->spill[at]);
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

/* Puts a pair that found no room in its buckets; and makes room for one more. */
roots_result roots_spill(roots *, uint64_t pair, bool marked);
bool roots_spill_room(roots *);

/* ---- several threads ------------------------------------------------------ */

/* Somebody else will have to make room. */
static inline void roots_refuse(roots_share *s)
{
  __atomic_store_n(&s->refused, 1, __ATOMIC_RELAXED);
}

/* Adds a pair to a copy of the set. */
roots_result roots_insert_shared(roots *, roots_place, uint64_t pair,
                                 bool marked);

/* ---- slots --------------------------------------------------------------- */

/* Slots fill from the left. */
static inline bool has_free(const roots *r, const uint8_t *bucket)
{
  return !roots_byte(&bucket[r->slots - 1]);
}

/* Others may read it meanwhile. */
static inline void put_byte(uint8_t *to, uint8_t byte)
{
  __atomic_store_n(to, byte, __ATOMIC_RELAXED);
  SPIN_PAUSE();
}

/* Puts a rest into a free slot of a bucket, so many buckets from home; a slot
** has so many bytes of top.  The tag comes last: what has one is whole. */
static inline void put_rest(uint8_t *bucket, uint32_t slot, uint32_t top_bytes,
                            uint32_t distance, uint64_t rest)
{
  uint32_t slots = ROOTS_BUCKET / (2 + top_bytes);
  uint8_t *top = bucket + 2 * slots + slot * top_bytes;
  for (uint32_t i = 0; i < top_bytes; i++)
    put_byte(top + i, (uint8_t)(rest >> (12 + 8 * i)));
  put_byte(bucket + slots + slot, (uint8_t)(rest >> 4));
  __atomic_store_n(bucket + slot, (uint8_t)((distance + 1) << 4 | (rest & 15)),
                   __ATOMIC_RELEASE);
}

/* The usual numbers of bytes become constants. */
static inline void put(const roots *r, uint8_t *bucket, uint32_t slot,
                       uint32_t distance, uint64_t rest)
{
  if (r->top_bytes == 0)
    put_rest(bucket, slot, 0, distance, rest);
  else if (r->top_bytes == 1)
    put_rest(bucket, slot, 1, distance, rest);
  else if (r->top_bytes == 2)
    put_rest(bucket, slot, 2, distance, rest);
  else
    put_rest(bucket, slot, r->top_bytes, distance, rest);
}

/* The mark of a new pair comes before its tag.  Nobody else writes to those of
** the bucket. */
static inline void put_mark(const roots *r, uint64_t bucket, uint32_t slot,
                            bool marked)
{
  if (!r->marks)
    return;
  uint32_t all = __atomic_load_n(&r->marks[bucket], __ATOMIC_RELAXED);
  all = (all & ~(UINT32_C(1) << slot)) | (uint32_t)marked << slot;
  __atomic_store_n(&r->marks[bucket], all, __ATOMIC_RELAXED);
}

static inline bool mark_at(const roots *r, uint64_t bucket, uint32_t slot)
{
  return r->marks &&
         __atomic_load_n(&r->marks[bucket], __ATOMIC_RELAXED) >> slot & 1;
}

/* ---- several threads at home ---------------------------------------------- */

/* The lock of the buckets that this one is among. */
static inline uint8_t *roots_lock_of(roots_share *s, uint64_t bucket)
{
  return &s->locks[bucket / ROOTS_GROUP % ROOTS_LOCKS];
}

/* Asks for the lines that a new pair with this home is written to. */
static inline void roots_ask_to_write(const roots *r, roots_place p)
{
  if (r->share)
    __builtin_prefetch(roots_lock_of(r->share, p.home), 1);
  __builtin_prefetch(r->buckets + p.home * ROOTS_BUCKET, 1);
  if (r->marks)
    __builtin_prefetch(&r->marks[p.home], 1);
}

/* For who has that lock and a lease: adds a pair that is not there in its home,
** of which so many slots are used; false when these are all. */
static inline bool roots_put_at_home(roots *r, roots_place p, uint32_t used,
                                     bool marked)
{
  if (used == r->slots)
    return false;
  put_mark(r, p.home, used, marked);
  SPIN_PAUSE();
  put(r, r->buckets + p.home * ROOTS_BUCKET, used, 0, p.rest);
  SPIN_PAUSE();
  r->count++;
  return true;
}

#endif
