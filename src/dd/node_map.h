/* A map from 32-bit numbers to 32-bit numbers that are not 0: open addressing,
** linear probing.  A value of 0 means "not there".  All zero is a valid empty
** map.  The key UINT32_MAX is reserved. */

#ifndef NUT_DD_NODE_MAP_H
#define NUT_DD_NODE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dd_map_entry {
  uint32_t key, value;
} dd_map_entry;

typedef struct dd_map {
  dd_map_entry *entries; /* 'size' of them; free ones have a value of 0 and
                         ** the reserved key */
  size_t size;           /* 0, or a power of two */
  size_t filled;         /* entries with a key, some with the value 0 */
} dd_map;

void dd_map_free(dd_map *);
uint32_t dd_map_get(const dd_map *, uint32_t key); /* 0 = not there */
/* The value's place, to be changed; new ones hold 0.  NULL when there is no
** memory.  Valid until the next call. */
uint32_t *dd_map_at(dd_map *, uint32_t key);

#endif
