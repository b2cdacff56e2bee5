/* The computed table: results of operations, remembered by their arguments
** (Katoen's slides: memoization).  It is lossy: each key has one place, and a
** later result with the same place overwrites an earlier one.
**
**   entry   a, b, c   the key, three words; 0 0 0 is never a key
**           result
**
** Always: an entry whose key is not 0 0 0 tells the truth about nodes that
** exist; whoever frees nodes first drops the entries that mention them.
** The table grows in place: the place of a key are the high bits of its hash,
** so entry i moves to 2i or 2i+1.
**
** The fields are public for the inline functions; others leave them alone. */

#ifndef NUT_DD_COMPUTED_TABLE_H
#define NUT_DD_COMPUTED_TABLE_H

#include "base/system/reserve.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dd_cache_entry {
  uint32_t a, b, c, result;
} dd_cache_entry;

_Static_assert(sizeof(dd_cache_entry) == 16, "four to a cache line");

typedef struct dd_cache {
  dd_cache_entry *entries;
  unsigned shift; /* 64 - binary logarithm of the size */
  uint64_t puts;  /* since the table grew or was cleared */
  size_t most;    /* entries; it never grows beyond */
  reserve memory;
} dd_cache;

#define DD_CACHE_NONE UINT32_MAX

bool dd_cache_create(dd_cache *, size_t most_entries); /* false: no memory */
void dd_cache_destroy(dd_cache *);
void dd_cache_clear(dd_cache *);
/* Forgets everything and gives its memory back, but for the first part. */
void dd_cache_trim(dd_cache *);
/* Grows when it is smaller than 'wanted' entries and was filled since it last
** grew.  Without memory it stays as it is. */
void dd_cache_grow(dd_cache *, size_t wanted);
/* Drops the entries for which 'keep' answers false; all of them when time is
** up. */
void dd_cache_filter(dd_cache *,
                     bool (*keep)(const void *context, const dd_cache_entry *),
                     const void *context);
size_t dd_cache_bytes(const dd_cache *); /* 0 as long as it was not used */

static inline dd_cache_entry *dd_cache_place(const dd_cache *cache, uint32_t a,
                                             uint32_t b, uint32_t c)
{
  uint64_t hash = (uint64_t)a * UINT64_C(0x9e3779b97f4a7c15) +
                  (uint64_t)b * UINT64_C(0xc2b2ae3d27d4eb4f) +
                  (uint64_t)c * UINT64_C(0xd6e8feb86659fd93);
  return cache->entries +
         ((hash ^ hash >> 29) * UINT64_C(0x9fb21c651e98df25) >> cache->shift);
}

/* The result, or DD_CACHE_NONE. */
static inline uint32_t dd_cache_get(const dd_cache *cache, uint32_t a,
                                    uint32_t b, uint32_t c)
{
  const dd_cache_entry *entry = dd_cache_place(cache, a, b, c);
  if (entry->a == a && entry->b == b && entry->c == c)
    return entry->result;
  return DD_CACHE_NONE;
}

static inline void dd_cache_put(dd_cache *cache, uint32_t a, uint32_t b,
                                uint32_t c, uint32_t result)
{
  *dd_cache_place(cache, a, b, c) = (dd_cache_entry){a, b, c, result};
  cache->puts++;
}

#endif
