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
** A bucket is one cache line of 64 bytes: first a tag byte per slot, then the
** next byte of each rest, then what the rests have beyond, the tops.
**
**   | tag 0 | ... | tag n-1 | low 0 | ... | low n-1 | top 0 | ... | top n-1 |
**   tag = (distance + 1) << 4 | lowest 4 bits of the rest;  0 = free slot
**   low = the next 8 bits of the rest, top = all bits above
**
** Tags and lows are compared for all slots at once, and hardly ever agree by
** chance; so one top is looked at for a pair that is there, and none for
** another.
**
** A pair that finds its home full goes to the next bucket with a free slot, at
** a distance of at most 14 buckets; the very few that find none are 'spilled'
** into a small table of whole pairs.
**
** Always: slots of a bucket fill from the left; all buckets between a pair's
** home and its place are full; a spilled pair's 15 buckets are full.
**
** Several threads can insert at once, each by a copy of the set (roots_share).
** "Seen" needs no lock: a slot is written from its top to its tag, so that who
** reads a tag finds the rest.  What is not seen is looked for once more, and
** then inserted, under the lock of the 16 buckets its home is among, and of the
** next 16 if it gets there, in this order: so nobody else writes there, and
** nobody else inserts the same pair.  The set does not grow then, but refuses.
**
** A set may have a mark for each pair, a bit beside the buckets, in the order of
** buckets and slots (roots_have_marks).  A new pair has it.
**
** Growing keeps h as long as B stays, and then the order of the pairs, so the
** old buckets are read once from the left while the new ones are written from
** the left, and memory behind the reader is given back.  Helpers do so in parts,
** each with a range of the new buckets; what would go beyond the end of a range
** is put in last.  When the keys change, helpers insert as several threads do. */

#ifndef NUT_STORE_ROOTS_ROOT_SET_H
#define NUT_STORE_ROOTS_ROOT_SET_H

#include "base/helpers.h"
#include "base/spin.h"
#include "base/system/reserve.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined __SSE2__ && !SPIN_IS_WATCHED
#include <emmintrin.h>
#define ROOTS_BY_VECTORS 1 /* bytes of a vector are read as a whole */
#else
#define ROOTS_BY_VECTORS 0
#endif

__extension__ typedef unsigned __int128 roots_wide; /* for products */

enum {
  ROOTS_BUCKET = 64,
  ROOTS_DISTANCES = 15, /* buckets a pair can be in */
  ROOTS_SLOTS_MAX = 32,
  ROOTS_GROUP = 16, /* buckets that share a lock */
  ROOTS_LOCKS = 1 << 14
};

typedef enum { ROOTS_NEW, ROOTS_SEEN, ROOTS_FULL } roots_result;

struct roots;

/* What the copies of a set have in common.  A circle of threads that wait for
** each other would need as many threads as there are locks. */
typedef struct roots_share {
  struct roots *set; /* the set itself, for what is spilled */
  uint64_t left;     /* pairs that it has room for, and nobody has leased */
  uint32_t threads;  /* that have copies */
  const helpers *helpers; /* when it grows; NULL: there are none */
  uint8_t refused;        /* somebody found no room */
  uint8_t spill_lock;
  uint8_t locks[ROOTS_LOCKS];
} roots_share;

typedef struct roots {
  uint8_t *buckets;
  uint64_t bucket_count, reciprocal; /* reciprocal = floor (2^64 / count) */
  uint64_t inverse;                  /* see roots_divide */
  uint64_t count, limit;             /* pairs; the table grows at 'limit' */
  uint64_t shape;                    /* another number whenever places change */
  uint32_t left_bits, right_bits, bits; /* bits = B */
  uint32_t slots;                       /* per bucket */
  uint32_t top_bytes;                   /* of a slot, beyond tag and low */
  uint32_t half;                        /* (bits + 1) / 2 */
  uint64_t key_mask, top_mask;          /* of a key, of a top */
  reserve memory;
  size_t max_bytes;
  uint32_t lefts, rights; /* the largest numbers that occur in pairs, */
  uint32_t lefts_then;    /* and those of some time ago, */
  uint32_t rights_then;
  uint64_t then;   /* when there were so many pairs */
  uint64_t *spill; /* open addressing; UINT64_MAX = free */
  size_t spill_room, spill_count;
  /* By bucket, a bit for each slot; NULL: pairs have no marks.  That of a
  ** spilled pair is its highest bit. */
  uint32_t *marks;
  /* NULL: one thread alone.  Otherwise this is a copy for one of several, in
  ** which 'count' is what it has added, up to 'limit', which it has leased. */
  roots_share *share;
} roots;

bool roots_create(roots *, size_t max_bytes);
void roots_destroy(roots *);
size_t roots_bytes(const roots *);
bool roots_check(const roots *);
/* Calls 'visit' for every pair, in no particular order. */
void roots_each(const roots *,
                void (*visit)(void *, uint32_t left, uint32_t right),
                void *context);
/* The same, and the memory of those that were visited is given back: what is left
** can be cleared or destroyed, nothing else. */
void roots_drain(roots *, void (*visit)(void *, uint32_t left, uint32_t right),
                 void *context);

/* As long as nothing is inserted every pair has a slot, a number below
** 'roots_slots'; that of a pair which is there (ROOTS_NO_SLOT: it is not).  And
** the pairs by parts, which several threads may read at once (root_slots.c). */
#define ROOTS_NO_SLOT UINT64_MAX
typedef void roots_visit(void *context, uint64_t slot, uint32_t left,
                         uint32_t right);
uint64_t roots_slots(const roots *);
uint64_t roots_slot(const roots *, uint32_t left, uint32_t right);
uint64_t roots_parts(const roots *);
void roots_each_of(const roots *, uint64_t part, roots_visit *, void *context);

/* Room for so many pairs of numbers up to these, in a set that is empty.  False:
** no memory. */
bool roots_expect(roots *, uint64_t pairs, uint32_t left, uint32_t right);

/* Makes the set empty, and from now on no larger than 'max_bytes'; a table that
** is larger is given back.  False: no memory. */
bool roots_clear(roots *, size_t max_bytes);

/* From now on pairs have marks; those that are there have none.  The numbers on
** the left must be below 2^31.  False: no memory. */
bool roots_have_marks(roots *);
/* The mark of a pair that is there.  Threads that share the set may change marks
** at the same time, but not while others insert. */
bool roots_is_marked(const roots *, uint32_t left, uint32_t right);
void roots_mark(roots *, uint32_t left, uint32_t right, bool marked);
static inline void roots_prefetch_mark(const roots *, uint32_t left,
                                       uint32_t right);

/* Several threads: makes room for more pairs (false: no memory); makes a copy
** for a thread; and takes back what it added.  A set is not used itself while it
** has copies. */
bool roots_make_room(roots *, roots_share *);
roots roots_lend(roots *, roots_share *);
void roots_take_back(roots *, roots *lent);

/* Where a pair belongs. */
typedef struct roots_place {
  uint64_t home, rest;
} roots_place;

/* Not needed by users: they grow the table and search the spilled pairs. */
bool roots_widen(roots *, uint32_t left, uint32_t right);
bool roots_grow(roots *);
/* The rest of 'roots_has' and 'roots_insert' for a pair that is not in its
** home. */
bool roots_has_away(const roots *, roots_place, uint32_t left, uint32_t right);
roots_result roots_insert_away(roots *, roots_place, uint32_t left,
                               uint32_t right);

static inline uint64_t roots_mask(uint32_t bits)
{
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* On the highest B bits: 'up' is 64 - B, 'high' has these bits, and 'half' is
** (B + 1) / 2.  The others are 0, before and after. */
static inline uint64_t roots_scramble(uint64_t x, uint64_t high, uint32_t half)
{
  x *= UINT64_C(0x9e3779b97f4a7c15);
  x ^= x >> half & high;
  x *= UINT64_C(0xbf58476d1ce4e5b9);
  x ^= x >> half & high;
  return x * UINT64_C(0x94d049bb133111eb);
}

/* floor (x / buckets) for x < 2^B.  If 2^B * buckets <= 2^64, one product with
** 'inverse' = 'reciprocal' + 1 gives it: then x / 2^64 times the error of that,
** which is at most the number of buckets, is below one.  Otherwise 'inverse' is
** 0, and the product with 'reciprocal' is at most one too small. */
static inline uint64_t roots_divide(const roots *r, uint64_t x)
{
  if (r->inverse)
    return (uint64_t)((roots_wide)x * r->inverse >> 64);
  uint64_t q = (uint64_t)((roots_wide)x * r->reciprocal >> 64);
  return q + (x - q * r->bucket_count >= r->bucket_count);
}

static inline roots_place roots_locate(const roots *r, uint32_t left,
                                       uint32_t right)
{
  uint32_t up = 64 - r->bits;
  uint64_t key = (uint64_t)left << r->right_bits | right;
  roots_wide scaled =
      (roots_wide)roots_scramble(key << up, r->key_mask << up, r->half) *
      r->bucket_count;
  return (roots_place){(uint64_t)(scaled >> 64),
                       roots_divide(r, (uint64_t)scaled >> up)};
}

/* The numbers of a pair that is there now. */
static inline void roots_note(roots *r, uint32_t left, uint32_t right)
{
  r->lefts = left > r->lefts ? left : r->lefts;
  r->rights = right > r->rights ? right : r->rights;
}

/* Whether both numbers are below what the keys are made for. */
static inline bool roots_fits(const roots *r, uint32_t left, uint32_t right)
{
  return !((uint64_t)left >> r->left_bits | (uint64_t)right >> r->right_bits);
}

/* The place of a pair that was located when the table had another shape: the keys
** of this one may be too narrow for its numbers, which no pair has yet.  False: no
** memory, or all must stand still for it. */
static inline bool roots_locate_anew(roots *r, uint32_t left, uint32_t right,
                                     roots_place *place)
{
  if (!roots_fits(r, left, right) && !roots_widen(r, left, right))
    return false;
  *place = roots_locate(r, left, right);
  return true;
}

static inline void roots_prefetch(const roots *r, roots_place p)
{
  __builtin_prefetch(r->buckets + p.home * ROOTS_BUCKET);
}

static inline void roots_prefetch_mark(const roots *r, uint32_t left,
                                       uint32_t right)
{
  roots_place p = roots_locate(r, left, right);
  __builtin_prefetch(r->buckets + p.home * ROOTS_BUCKET);
  __builtin_prefetch(r->marks + p.home, 1);
}

#if ROOTS_BY_VECTORS
/* Bit i: bytes i of both rows of 16 are as wanted.  The first row is read
** first: other threads write to it last. */
static inline uint32_t roots_equal(const uint8_t *a, __m128i in_a,
                                   const uint8_t *b, __m128i in_b)
{
  __m128i x = _mm_loadu_si128((const __m128i *)(const void *)a);
  atomic_signal_fence(memory_order_acquire);
  __m128i y = _mm_loadu_si128((const __m128i *)(const void *)b);
  x = _mm_and_si128(_mm_cmpeq_epi8(x, in_a), _mm_cmpeq_epi8(y, in_b));
  return (uint32_t)_mm_movemask_epi8(x);
}
#endif

/* A byte, and what was written before it. */
static inline uint8_t roots_byte(const uint8_t *byte)
{
  return __atomic_load_n(byte, __ATOMIC_ACQUIRE);
}

/* Bit i: tag i of the bucket equals 'tag' and low i equals 'low'.  More than 16
** are seen in two steps that overlap, so that nothing behind them is read; for
** fewer, 16 bytes can be read all the same. */
static inline uint32_t roots_match(const uint8_t *bucket, uint8_t tag,
                                   uint8_t low, uint32_t slots)
{
#if ROOTS_BY_VECTORS
  __m128i both = _mm_cvtsi32_si128((int)(tag | (uint32_t)low << 8));
  both = _mm_unpacklo_epi8(both, both);
  both = _mm_unpacklo_epi16(both, both);
  __m128i tags = _mm_shuffle_epi32(both, 0);
  __m128i lows = _mm_shuffle_epi32(both, 0x55);
  uint32_t found = roots_equal(bucket, tags, bucket + slots, lows);
  if (slots <= 16)
    return found & ((1u << slots) - 1);
  uint32_t more = slots - 16;
  bucket += more;
  return found | roots_equal(bucket, tags, bucket + slots, lows) << more;
#else
  uint32_t found = 0;
  for (uint32_t i = 0; i < slots; i++)
    found |= (uint32_t)(roots_byte(bucket + i) == tag &&
                        roots_byte(bucket + slots + i) == low)
             << i;
  return found;
#endif
}

/* The top of a slot, of the tops of its bucket. */
static inline uint64_t roots_top_at(const uint8_t *tops, uint32_t slot,
                                    uint32_t bytes, uint64_t mask)
{
  const uint8_t *at = tops + slot * bytes;
  uint64_t top = 0;
#if SPIN_IS_WATCHED
  (void)mask;
  for (uint32_t i = 0; i < bytes; i++)
    top |= (uint64_t)roots_byte(at + i) << 8 * i;
  return top;
#else
  memcpy(&top, at, sizeof top);
  return top & mask;
#endif
}

static inline uint64_t roots_top(const roots *r, const uint8_t *bucket,
                                 uint32_t slot)
{
  return roots_top_at(bucket + 2 * r->slots, slot, r->top_bytes, r->top_mask);
}

static inline uint64_t roots_rest(const roots *r, const uint8_t *bucket,
                                  uint32_t slot)
{
  return roots_top(r, bucket, slot) << 12 |
         (uint64_t)bucket[r->slots + slot] << 4 | (bucket[slot] & 15);
}

/* The slot of the bucket, so many from the home of the pair, that has its rest;
** ROOTS_SLOTS_MAX: none. */
static inline uint32_t roots_slot_in(const roots *r, const uint8_t *bucket,
                                     uint32_t distance, uint64_t rest)
{
  uint8_t tag = (uint8_t)((distance + 1) << 4 | (rest & 15));
  uint32_t found = roots_match(bucket, tag, (uint8_t)(rest >> 4), r->slots);
  for (; found; found &= found - 1)
    if (roots_top(r, bucket, (uint32_t)__builtin_ctz(found)) == rest >> 12)
      return (uint32_t)__builtin_ctz(found);
  return ROOTS_SLOTS_MAX;
}

static inline bool roots_is_in(const roots *r, const uint8_t *bucket,
                               uint32_t distance, uint64_t rest)
{
  return roots_slot_in(r, bucket, distance, rest) != ROOTS_SLOTS_MAX;
}

/* Whether the pair is there; 'p' as for 'roots_insert'. */
static inline bool roots_has(const roots *r, roots_place p, uint32_t left,
                             uint32_t right)
{
  return roots_is_in(r, r->buckets + p.home * ROOTS_BUCKET, 0, p.rest) ||
         roots_has_away(r, p, left, right);
}

/* Adds the pair; 'p' is its place, as the table is now.  ROOTS_FULL leaves
** the set as it was. */
static inline roots_result roots_insert(roots *r, roots_place p, uint32_t left,
                                        uint32_t right)
{
  return roots_is_in(r, r->buckets + p.home * ROOTS_BUCKET, 0, p.rest)
             ? ROOTS_SEEN
             : roots_insert_away(r, p, left, right);
}

#endif
