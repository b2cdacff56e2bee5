#include "dd/node_map.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <assert.h>

enum { FIRST_ENTRIES = 64 };

#define NO_KEY UINT32_MAX

void dd_map_free(dd_map *map)
{
  mem_free(map->entries, map->size * sizeof *map->entries);
  *map = (dd_map){0};
}

/* The entry of a key, or the free one where it belongs. */
static dd_map_entry *probe_map(const dd_map *map, uint32_t key)
{
  size_t mask = map->size - 1, i = hash_mix(key) & mask;
  while (map->entries[i].key != key && map->entries[i].key != NO_KEY)
    i = (i + 1) & mask;
  return &map->entries[i];
}

uint32_t dd_map_get(const dd_map *map, uint32_t key)
{
  assert(key != NO_KEY);
  return map->size ? probe_map(map, key)->value : 0;
}

/* Twice as large, or as large as before when many values have become 0. */
static bool rebuild_map(dd_map *map)
{
  size_t there = 0;
  for (size_t i = 0; i < map->size; i++)
    there += map->entries[i].value != 0;
  dd_map new = {0};
  new.size = map->size ? map->size : FIRST_ENTRIES;
  if (there >= new.size / 4)
    new.size *= 2;
  new.entries = mem_try_alloc(mem_product(new.size, sizeof *new.entries));
  if (!new.entries)
    return false;
  for (size_t i = 0; i < new.size; i++)
    new.entries[i].key = NO_KEY;
  for (size_t i = 0; i < map->size; i++)
    if (map->entries[i].value)
      *probe_map(&new, map->entries[i].key) = map->entries[i];
  new.filled = there;
  dd_map_free(map);
  *map = new;
  return true;
}

uint32_t *dd_map_at(dd_map *map, uint32_t key)
{
  assert(key != NO_KEY);
  dd_map_entry *entry = map->size ? probe_map(map, key) : NULL;
  if (entry && entry->key == key)
    return &entry->value;
  if (map->filled >= map->size / 2) {
    if (!rebuild_map(map))
      return NULL;
    entry = probe_map(map, key);
  }
  map->filled++;
  entry->key = key;
  return &entry->value;
}
