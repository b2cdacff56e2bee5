/* A set of codes that all have the same length, kept in the very buckets where
** they are looked for: for most of them one line of memory is read, where a
** table of numbers (store/table/table.h) reads two.
**
**   bucket   | tag 0 | ... | tag n-1 | code 0 | ... | code n-1 | unused |
**
** A bucket is one cache line, or as many as four codes need, and has up to
** sixteen slots.  The home of a code is given by the high bits of its hash, the
** tag by the low ones; 0 is the tag of an empty slot.  A full bucket overflows
** into the next one.
**
** A code is known by its hash, wherever it lies, so that the set can grow
** without anyone being told.  Two codes with the same hash have the same home
** and the same tag, and meet when the second comes: 'cells_find' says so, and
** the second has to be kept elsewhere.  With hashes of 52 bits that is as good
** as never, but nothing depends on it.
**
** Always: the occupied slots of a bucket come first; between the home bucket of
** a code and the bucket that holds it all are full; no two codes have the same
** hash.
**
** Codes come and go as words; behind their last byte all bits are 0.  The
** fields are public for the inline functions; others leave them alone. */

#ifndef NUT_STORE_TABLE_CELLS_H
#define NUT_STORE_TABLE_CELLS_H

#include "base/hash.h"
#include "base/system/reserve.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
  CELLS_LINE = 64,
  CELLS_SLOTS = 16, /* of a bucket, at most */
  CELLS_SLOT_BITS = 4,
  CELLS_HASH_BITS = 52
};
#define CELLS_END UINT64_MAX

typedef struct cells_kind {
  uint32_t bytes;     /* of a code */
  uint32_t hash_bits; /* CELLS_HASH_BITS; tests take fewer */
  uint64_t seed;      /* of the hashes */
} cells_kind;

typedef struct cells {
  reserve memory;
  cells_kind kind;
  uint64_t buckets;
  uint64_t count;
  uint64_t limit; /* codes that it takes before it must be enlarged */
  uint32_t whole; /* words of a code that are full */
  uint32_t slots; /* of a bucket */
  uint64_t rest;  /* the bits of the word behind the full ones; 0: none */
  uint32_t bucket_bytes;
} cells;

/* An empty set with room for 'expected' codes, which holds at most 'max_bytes'.
** False: there is no memory. */
bool cells_create(cells *, const cells_kind *, uint64_t expected,
                  size_t max_bytes);
void cells_destroy(cells *); /* an all-zero one is fine */
size_t cells_bytes(const cells *);
/* Makes room for so many codes more.  It may hold 'more_bytes' more, not
** counting what it gives back in the end.  'words' has room for two words more
** than a code has whole ones.  False: there is no memory, and the set is as it
** was. */
bool cells_make_room(cells *, uint64_t more, uint64_t *words,
                     size_t more_bytes);
/* A place is where a code lies for the moment.  The first with a code from this
** one on, or CELLS_END. */
uint64_t cells_next(const cells *, uint64_t place);
bool cells_check(const cells *); /* walks everything; do the invariants hold */

/* ---- inline ------------------------------------------------------------- */

__extension__ typedef unsigned __int128 cells_product;

static inline uint64_t cells_hash(const cells *c, const uint64_t *words)
{
  uint64_t h = c->kind.seed;
  for (uint32_t i = 0; i < c->whole; i++)
    h = hash_fold(h ^ UINT64_C(0xa0761d6478bd642f),
                  words[i] ^ UINT64_C(0xe7037ed1a0b428db));
  h = hash_fold(h ^ UINT64_C(0x8ebc6af09c88c6e3),
                words[c->whole] ^ UINT64_C(0x589965cc75374cc3));
  return h >> (64 - c->kind.hash_bits);
}

static inline uint8_t cells_tag(uint64_t hash)
{
  uint8_t tag = (uint8_t)hash;
  return tag ? tag : 1;
}

static inline uint64_t cells_home(const cells *c, uint64_t hash)
{
  return (uint64_t)((cells_product)hash * c->buckets >> c->kind.hash_bits);
}

static inline uint8_t *cells_bucket(const cells *c, uint64_t bucket)
{
  return c->memory.base + bucket * c->bucket_bytes;
}

static inline void cells_prefetch(const cells *c, uint64_t hash)
{
  __builtin_prefetch(cells_bucket(c, cells_home(c, hash)));
}

static inline uint8_t *cells_at(const cells *c, uint64_t place)
{
  return cells_bucket(c, place >> CELLS_SLOT_BITS) + c->slots +
         (place % CELLS_SLOTS) * c->kind.bytes;
}

/* One bit for each slot of a bucket whose tag is this one. */
static inline uint32_t cells_matches(const cells *c, const uint8_t *bucket,
                                     uint8_t tag)
{
  uint32_t found = 0;
#ifdef __SSE2__
  __m128i tags = _mm_loadu_si128((const __m128i *)(const void *)bucket);
  found = (uint32_t)_mm_movemask_epi8(
      _mm_cmpeq_epi8(tags, _mm_set1_epi8((char)tag)));
#else
  for (uint32_t i = 0; i < c->slots; i++)
    found |= (uint32_t)(bucket[i] == tag) << i;
#endif
  return found & ((1u << c->slots) - 1);
}

/* A hint when the tags have come: so will the code that probably equals the one
** looked for, where it is not beside them. */
static inline void cells_approach(const cells *c, uint64_t hash)
{
  if (c->bucket_bytes <= CELLS_LINE)
    return;
  const uint8_t *bucket = cells_bucket(c, cells_home(c, hash));
  uint32_t found = cells_matches(c, bucket, cells_tag(hash));
  if (!found)
    return;
  const uint8_t *code =
      bucket + c->slots + (uint32_t)__builtin_ctz(found) * c->kind.bytes;
  __builtin_prefetch(code);
  __builtin_prefetch(code + c->kind.bytes);
}

/* Eight bytes can be read behind every code. */
static inline bool cells_same(const cells *c, const uint8_t *code,
                              const uint64_t *words)
{
  uint64_t word;
  for (uint32_t i = 0; i < c->whole; i++, code += 8) {
    memcpy(&word, code, 8);
    if (word != words[i])
      return false;
  }
  memcpy(&word, code, 8);
  return (word & c->rest) == words[c->whole];
}

/* Of the code at this address; without its words. */
static inline uint64_t cells_hash_at(const cells *c, const uint8_t *code)
{
  uint64_t h = c->kind.seed, word;
  for (uint32_t i = 0; i < c->whole; i++, code += 8) {
    memcpy(&word, code, 8);
    h = hash_fold(h ^ UINT64_C(0xa0761d6478bd642f),
                  word ^ UINT64_C(0xe7037ed1a0b428db));
  }
  memcpy(&word, code, 8);
  h = hash_fold(h ^ UINT64_C(0x8ebc6af09c88c6e3),
                (word & c->rest) ^ UINT64_C(0x589965cc75374cc3));
  return h >> (64 - c->kind.hash_bits);
}

/* The code at a place; two words are written behind its whole ones. */
static inline void cells_read(const cells *c, uint64_t place, uint64_t *words)
{
  const uint8_t *code = cells_at(c, place);
  for (uint32_t i = 0; i <= c->whole; i++, code += 8)
    memcpy(&words[i], code, 8);
  words[c->whole] &= c->rest;
  words[c->whole + 1] = 0;
}

typedef enum {
  CELLS_FOUND,
  CELLS_ABSENT,
  CELLS_CLASH /* not there, but another one with its hash */
} cells_answer;

/* Whether a code is there; '*place' is where, or where it would be. */
static inline cells_answer cells_find(const cells *c, const uint64_t *words,
                                      uint64_t hash, uint64_t *place)
{
  uint8_t tag = cells_tag(hash);
  uint64_t home = cells_home(c, hash);
  for (;;) {
    const uint8_t *bucket = cells_bucket(c, home);
    uint32_t found = cells_matches(c, bucket, tag);
    for (; found; found &= found - 1) {
      uint32_t slot = (uint32_t)__builtin_ctz(found);
      const uint8_t *code = bucket + c->slots + slot * c->kind.bytes;
      *place = home << CELLS_SLOT_BITS | slot;
      if (cells_same(c, code, words))
        return CELLS_FOUND;
      if (cells_hash_at(c, code) == hash)
        return CELLS_CLASH;
    }
    uint32_t free = cells_matches(c, bucket, 0);
    if (free) {
      *place = home << CELLS_SLOT_BITS | (uint32_t)__builtin_ctz(free);
      return CELLS_ABSENT;
    }
    home = home + 1 == c->buckets ? 0 : home + 1;
  }
}

/* The code with this hash, which must be there. */
static inline void cells_get(const cells *c, uint64_t hash, uint64_t *words)
{
  uint8_t tag = cells_tag(hash);
  uint64_t home = cells_home(c, hash);
  for (;; home = home + 1 == c->buckets ? 0 : home + 1) {
    uint32_t found = cells_matches(c, cells_bucket(c, home), tag);
    for (; found; found &= found - 1) {
      uint64_t place = home << CELLS_SLOT_BITS | (uint32_t)__builtin_ctz(found);
      if (cells_hash_at(c, cells_at(c, place)) == hash) {
        cells_read(c, place, words);
        return;
      }
    }
  }
}

/* Puts a code that is absent where 'cells_find' said; 'count' must be below
** 'limit'. */
static inline void cells_put(cells *c, uint64_t place, const uint64_t *words,
                             uint64_t hash)
{
  uint8_t *code = cells_at(c, place);
  uint64_t word = words[c->whole];
  cells_bucket(c, place >> CELLS_SLOT_BITS)[place % CELLS_SLOTS] =
      cells_tag(hash);
  for (uint32_t i = 0; i < c->whole; i++, code += 8)
    memcpy(code, &words[i], 8);
  /* The slots behind it in its bucket are empty: where they have eight bytes,
  ** these may be written. */
  if ((c->slots - 1 - place % CELLS_SLOTS) * c->kind.bytes >= 8)
    memcpy(code, &word, 8);
  else
    for (uint32_t left = c->kind.bytes % 8; left; left--, word >>= 8)
      *code++ = (uint8_t)word;
  c->count++;
}

#endif
