/* The set 'table': byte strings, each kept once, numbered in order of arrival.
**
**   slots   buckets of one cache line; a slot is the number of a string (+ 1)
**           and a tag from its hash; 0 is an empty slot
**           +------------------------------------------+
**           | tag|n+1  tag|n+1  tag|n+1   0   0   0 ...|   16 slots of 4 bytes,
**           +------------------------------------------+   or 12 of 5
**   bytes   the strings one after the other, no gaps
**   index   only when there are strings of different lengths: for each 16
**           numbers the place of the first in 'bytes' and a code for the
**           length of each
**
** A string's home bucket is given by the high bits of its hash, its tag by the
** low ones.  A full bucket overflows into the next one.  Slots are as narrow
** as the numbers allow: tags get the bits that numbers do not need.
**
** Always: the occupied slots of a bucket come first; between the home bucket
** of a string and the bucket that holds it all are full; strings are distinct;
** what the table holds is at most the strings' bytes plus 8 for each (from
** some 500 strings on; more only for strings beyond 64 KiB, or of more than
** 256 different lengths in wide slots).
**
** Growth happens in place: the slots are cleared, enlarged and filled again
** from 'bytes', read in order.  No pointers inside, only numbers.
**
** Several threads can insert at once.  A string is written, then its slot, which
** who reads it finds whole: so "seen" needs no lock, but in wide slots, which are
** two numbers.  What is not seen is looked for once more, and added, under the
** one lock.  Nothing moves or grows then: what needs that is refused.
**
** Strings may have marks, a bit for each (table_have_marks).  A new one has it.
**
** The fields are public for the inline functions; others leave them alone. */

#ifndef NUT_STORE_TABLE_TABLE_H
#define NUT_STORE_TABLE_TABLE_H

#include "base/hash.h"
#include "base/system/reserve.h"
#include "store/store.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
  TABLE_BUCKET = 64,  /* bytes of a bucket */
  TABLE_NARROW = 16,  /* slots of 4 bytes in it */
  TABLE_WIDE = 12,    /* slots of 5 bytes in it */
  TABLE_GROUP = 16,   /* numbers that share an entry of the index */
  TABLE_LENGTHS = 256 /* lengths that have a code of one byte */
};

typedef struct table {
  reserve slots, bytes, index, marks;
  uint64_t buckets;
  uint64_t count;
  uint64_t grow_at; /* strings at which the slots should grow */
  size_t used;      /* of 'bytes' */
  size_t max_bytes; /* of all three */
  /* Of strings; 'table_hash' unless somebody sets another one before the first
  ** string comes. */
  uint64_t (*hash)(const void *, size_t);
  uint32_t max_length;
  uint32_t number_bits; /* of a slot; the others are the tag */
  uint32_t wide_from;   /* slots are wide when number_bits exceeds this */
  bool wide;
  bool has_marks;
  bool is_shared;   /* by several threads */
  uint8_t refused;  /* somebody found no room */
  uint8_t lock;     /* for what is added then */
  uint32_t awaited; /* length of the longest string refused, plus 1 */
  /* Bytes of a length's code: 0 while all strings have the length lengths[0],
  ** then 1 (place in 'lengths'), then 2 or 4 (the length itself). */
  uint8_t code_bytes;
  uint32_t length_count;
  uint32_t lengths[TABLE_LENGTHS];
} table;

bool table_create(table *, size_t max_bytes); /* false: no memory */
/* Likewise, with wide slots from so many bits of a number on (for tests; the
** usual value is 28). */
bool table_create_wide(table *, size_t max_bytes, uint32_t wide_from);
/* Makes the slots of an empty table as many as so many strings need.  False:
** there is no memory. */
bool table_expect(table *, uint64_t strings);
void table_destroy(table *); /* an all-zero one is fine */
void table_clear(table *);   /* it is empty again, and keeps its slots */
/* Adds a string that 'table_find' has not found.  False when memory runs out:
** the set is then unchanged. */
bool table_add(table *, const uint8_t *, uint32_t length, uint64_t hash);
/* From now on strings have marks; those that are there have none.  False: no
** memory.  Threads may look at marks while others insert, not change them. */
bool table_have_marks(table *);
bool table_is_marked(const table *, uint64_t number);
void table_mark(table *, uint64_t number, bool marked);
/* Several threads: makes room for more strings while nobody inserts (false: no
** memory); then any of them may insert. */
bool table_make_room(table *);
store_result table_insert_shared(table *, const uint8_t *, uint32_t length,
                                 uint64_t hash, store_handle *number);
size_t table_bytes(const table *);
bool table_check(const table *); /* walks everything; do the invariants hold */

/* ---- inline ----------------------------------------------------------- */

__extension__ typedef unsigned __int128 table_product;

typedef struct table_wide_bucket {
  uint32_t low[TABLE_WIDE];
  uint8_t high[TABLE_WIDE];
  uint8_t unused[4];
} table_wide_bucket;

_Static_assert(sizeof(table_wide_bucket) == TABLE_BUCKET, "one cache line");

static inline uint64_t table_home(const table *t, uint64_t hash)
{
  return (uint64_t)((table_product)hash * t->buckets >> 64);
}

/* Tag bits of a hash, in the place where a slot has them. */
static inline uint64_t table_tag(const table *t, uint64_t hash)
{
  uint64_t all = t->wide ? UINT64_C(0xffffffffff) : UINT64_C(0xffffffff);
  return hash << t->number_bits & all;
}

/* Slot 'i' of a bucket; 0 when empty. */
static inline uint64_t table_slot(const table *t, const void *bucket,
                                  unsigned i)
{
  if (t->wide) {
    const table_wide_bucket *w = bucket;
    return (uint64_t)w->high[i] << 32 | w->low[i];
  }
  return __atomic_load_n((const uint32_t *)bucket + i, __ATOMIC_ACQUIRE);
}

static inline size_t table_group_bytes(const table *t)
{
  return 8 + (size_t)TABLE_GROUP * t->code_bytes;
}

/* The length whose code stands at place 'i' of a group. */
static inline uint32_t table_code(const table *t, const uint8_t *codes,
                                  unsigned i)
{
  uint16_t two;
  uint32_t four;
  switch (t->code_bytes) {
  case 1:
    return t->lengths[codes[i]];
  case 2:
    memcpy(&two, codes + 2 * (size_t)i, 2);
    return two;
  default:
    memcpy(&four, codes + 4 * (size_t)i, 4);
    return four;
  }
}

/* String 'number'; valid as long as the table. */
static inline const uint8_t *table_get(const table *t, uint64_t number,
                                       uint32_t *length)
{
  if (!t->code_bytes) {
    *length = t->lengths[0];
    return t->bytes.base + number * t->lengths[0];
  }
  const uint8_t *group =
      t->index.base + number / TABLE_GROUP * table_group_bytes(t);
  uint64_t start;
  memcpy(&start, group, 8);
  unsigned place = number % TABLE_GROUP;
  for (unsigned i = 0; i < place; i++)
    start += table_code(t, group + 8, i);
  *length = table_code(t, group + 8, place);
  return t->bytes.base + start;
}

static inline uint64_t table_hash(const uint8_t *bytes, uint32_t length)
{
  return hash_bytes(bytes, length);
}

/* First of two hints to the memory: the bucket will be read soon. */
static inline void table_prefetch(const table *t, uint64_t hash)
{
  __builtin_prefetch(t->slots.base + table_home(t, hash) * TABLE_BUCKET);
}

/* The cache lines of a string; more than some hardly overlap any more. */
static inline void table_prefetch_lines(const uint8_t *string, uint32_t length)
{
  const uint8_t *end = string + (length < 256 ? length : 256);
  for (; string < end; string += 64)
    __builtin_prefetch(string);
  __builtin_prefetch(end - 1);
}

/* Second hint, when the bucket has come: so will be the string that probably
** equals the one looked for. */
static inline void table_prefetch_string(const table *t, uint64_t hash)
{
  const uint8_t *bucket = t->slots.base + table_home(t, hash) * TABLE_BUCKET;
  uint64_t tag = table_tag(t, hash), mask = (UINT64_C(1) << t->number_bits) - 1;
  unsigned slots = t->wide ? TABLE_WIDE : TABLE_NARROW;
  for (unsigned i = 0; i < slots; i++) {
    uint64_t slot = table_slot(t, bucket, i);
    if (!slot)
      return;
    if ((slot & ~mask) != tag)
      continue;
    uint64_t number = (slot & mask) - 1;
    if (t->code_bytes)
      __builtin_prefetch(t->index.base +
                         number / TABLE_GROUP * table_group_bytes(t));
    else
      table_prefetch_lines(t->bytes.base + number * t->lengths[0],
                           t->lengths[0]);
    return;
  }
}

/* Whether two strings are equal; most are short, and a call of memcmp would
** cost more than the comparison. */
static inline bool table_same(const uint8_t *a, const uint8_t *b,
                              uint32_t length)
{
  uint64_t x, y;
  if (length < 8 || length > 64)
    return !length || !memcmp(a, b, length);
  for (uint32_t at = 0; at + 8 < length; at += 8) {
    memcpy(&x, a + at, 8);
    memcpy(&y, b + at, 8);
    if (x != y)
      return false;
  }
  memcpy(&x, a + length - 8, 8);
  memcpy(&y, b + length - 8, 8);
  return x == y;
}

static inline bool table_equal(const table *t, uint64_t number,
                               const uint8_t *bytes, uint32_t length)
{
  uint32_t there;
  const uint8_t *string = table_get(t, number, &there);
  return there == length && table_same(string, bytes, length);
}

/* Number of a string, or STORE_NO_HANDLE. */
static inline uint64_t table_find(const table *t, const uint8_t *bytes,
                                  uint32_t length, uint64_t hash)
{
  uint64_t tag = table_tag(t, hash), mask = (UINT64_C(1) << t->number_bits) - 1;
  unsigned slots = t->wide ? TABLE_WIDE : TABLE_NARROW;
  uint64_t home = table_home(t, hash);
  for (;;) {
    const uint8_t *bucket = t->slots.base + home * TABLE_BUCKET;
    for (unsigned i = 0; i < slots; i++) {
      uint64_t slot = table_slot(t, bucket, i);
      if (!slot)
        return STORE_NO_HANDLE;
      if ((slot & ~mask) == tag &&
          table_equal(t, (slot & mask) - 1, bytes, length))
        return (slot & mask) - 1;
    }
    home = home + 1 == t->buckets ? 0 : home + 1;
  }
}

static inline store_result table_insert(table *t, const uint8_t *bytes,
                                        uint32_t length, uint64_t hash,
                                        store_handle *number)
{
  uint64_t found = table_find(t, bytes, length, hash);
  if (found != STORE_NO_HANDLE) {
    *number = found;
    return STORE_SEEN;
  }
  uint64_t next = t->count;
  if (!table_add(t, bytes, length, hash))
    return STORE_FULL;
  *number = next;
  return STORE_NEW;
}

#endif
