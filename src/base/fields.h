/* What the bytes of a state mean, for codecs that look at single values: the
** numbers in it, their sizes and, as far as the model tells, their ranges.
**
** The range is what the model declares (the values of a type, the locations of
** a process, the room of a channel).  It is a hint: languages let numbers be
** where their types do not expect them. */

#ifndef NUT_BASE_FIELDS_H
#define NUT_BASE_FIELDS_H

#include "base/components.h"
#include <stdbool.h>
#include <stdint.h>

/* A number of 1, 2 or 4 bytes, little-endian. */
typedef struct state_field {
  uint32_t offset; /* in the globals, or in its entity, tag included */
  uint32_t most;   /* greatest value, seen as unsigned */
  uint8_t bytes;
  bool is_signed; /* can be negative; 'most' then says nothing */
} state_field;

/* In the order of their offsets; bytes between them can have any value. */
typedef struct field_list {
  const state_field *list;
  uint32_t count;
} field_list;

typedef struct field_map {
  field_list globals;
  const field_list *by_tag; /* of an entity; without the tag itself */
  /* Fixed: the tag that each entity would have, map->count - map->slices. */
  const uint16_t *tags;
} field_map;

/* Bytes of a state that edges use together, edge by edge: those of footprint i
** are bytes[starts[i]] .. bytes[starts[i + 1] - 1]. */
typedef struct byte_footprints {
  const uint32_t *bytes, *starts;
  uint32_t count;
} byte_footprints;

#endif
