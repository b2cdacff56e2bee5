/* The table made, grown in place, filtered by a collection, and forgotten. */

#include "dd/computed_table.h"

#include "base/alloc.h"
#include "base/system/address_space.h"

#include <assert.h>
#include <string.h>

enum { FIRST_CACHE_BITS = 12 };

static size_t cache_size(const dd_cache *cache)
{
  return (size_t)1 << (64 - cache->shift);
}

static bool is_used_entry(const dd_cache_entry *entry)
{
  return entry->a | entry->b | entry->c;
}

bool dd_cache_create(dd_cache *cache, size_t most_entries)
{
  *cache = (dd_cache){0};
  size_t first = (size_t)1 << FIRST_CACHE_BITS;
  cache->most = most_entries < first ? first : most_entries;
  size_t unit = sizeof *cache->entries;
  if (!space_reserve(&cache->memory, cache->most * unit))
    return false;
  if (!reserve_commit(&cache->memory, first * unit)) {
    reserve_destroy(&cache->memory);
    return false;
  }
  cache->entries = (dd_cache_entry *)cache->memory.base;
  cache->shift = 64 - FIRST_CACHE_BITS;
  return true;
}

void dd_cache_destroy(dd_cache *cache)
{
  reserve_destroy(&cache->memory);
  *cache = (dd_cache){0};
}

void dd_cache_clear(dd_cache *cache)
{
  if (cache->puts)
    memset(cache->entries, 0, cache_size(cache) * sizeof *cache->entries);
  cache->puts = 0;
}

void dd_cache_trim(dd_cache *cache)
{
  if (!cache->puts)
    return;
  size_t first = ((size_t)1 << FIRST_CACHE_BITS) * sizeof *cache->entries;
  reserve_shrink(&cache->memory, first);
  memset(cache->entries, 0, first);
  cache->shift = 64 - FIRST_CACHE_BITS;
  cache->puts = 0;
}

/* Doubles the table.  From the end towards the start, so that no entry is
** overwritten before it has moved.  False: time is up, and all are forgotten. */
static bool spread_entries(dd_cache *cache)
{
  size_t old = cache_size(cache);
  cache->shift--;
  for (size_t i = old; i--;) {
    if (i % MEM_MOVES == MEM_MOVES - 1 && mem_is_due()) {
      dd_cache_trim(cache);
      return false;
    }
    dd_cache_entry entry = cache->entries[i];
    cache->entries[2 * i] = cache->entries[2 * i + 1] = (dd_cache_entry){0};
    if (is_used_entry(&entry))
      *dd_cache_place(cache, entry.a, entry.b, entry.c) = entry;
  }
  return true;
}

void dd_cache_grow(dd_cache *cache, size_t wanted)
{
  while (cache->puts > cache_size(cache) / 2) {
    size_t size = 2 * cache_size(cache);
    if (size > wanted || size > cache->most ||
        !reserve_commit(&cache->memory, size * sizeof *cache->entries))
      return;
    uint64_t puts = cache->puts;
    if (!spread_entries(cache))
      return;
    /* Never 0, which would say that there is nothing to clear. */
    cache->puts = puts - size / 4;
  }
}

void dd_cache_filter(dd_cache *cache,
                     bool (*keep)(const void *, const dd_cache_entry *),
                     const void *context)
{
  if (!cache->puts)
    return;
  size_t size = cache_size(cache);
  for (size_t i = 0; i < size; i++) {
    if (i % MEM_MOVES == MEM_MOVES - 1 && mem_is_due()) {
      dd_cache_trim(cache); /* time is up: all at once, which is fast */
      return;
    }
    if (is_used_entry(&cache->entries[i]) && !keep(context, &cache->entries[i]))
      cache->entries[i] = (dd_cache_entry){0};
  }
}

size_t dd_cache_bytes(const dd_cache *cache)
{
  return cache->puts ? cache_size(cache) * sizeof *cache->entries : 0;
}
