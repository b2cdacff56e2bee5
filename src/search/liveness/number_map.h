/* A small number for each state of a store, by the store's own number: an array
** where those are dense, an index otherwise. */

#ifndef NUT_SEARCH_LIVENESS_NUMBER_MAP_H
#define NUT_SEARCH_LIVENESS_NUMBER_MAP_H

#include "base/vec.h"
#include "store/store.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct number_map {
  bool dense;
  VEC(uint32_t) by_number;
  /* Otherwise: slots, a power of 2; a key is the number plus 1. */
  uint64_t *keys;
  uint32_t *values;
  size_t slots, count;
} number_map;

/* The place of the value of a state, 0 when it is new; valid until the next
** call. */
uint32_t *number_map_at(number_map *, store_handle);
/* The value, or 0. */
uint32_t number_map_get(const number_map *, store_handle);
/* The state has no value any more. */
void number_map_remove(number_map *, store_handle);
size_t number_map_bytes(const number_map *);
void number_map_free(number_map *);

#endif
