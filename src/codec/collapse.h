/* The codec 'collapse': each component of a state is replaced by its number in
** a table of its own (Holzmann's collapse, with Visser's correction: nothing
** is stored twice, and no table has a width that could overflow).
**
**   state   | slice | slice | process 0 | channel 1 | process 1 |
**   tuple       3       1        17           4          20
**
** Position i has table i.  Numbers are dense, from 1, in order of discovery;
** 0 means that the state has no such component, so tuples of states with
** different numbers of processes have one length.
**
** Always: a string of bytes occurs once in a table; a number once given out
** stays valid.
**
** Several threads can look up and add strings at once while a table is shared
** ('index.is_shared'): it does not grow then, but refuses. */

#ifndef NUT_CODEC_COLLAPSE_H
#define NUT_CODEC_COLLAPSE_H

#include "base/components.h"
#include "base/hash.h"
#include "base/index.h"
#include <stddef.h>
#include <string.h>

/* The strings of one position.  Where all have at most 8 bytes the string,
** padded with 0, is the key; otherwise the key is its place in 'pool'. */
typedef struct part {
  uint64_t *keys; /* by number - 1 */
  hash_index index;
  uint8_t *pool;
  bool is_short;
  uint32_t count, room; /* strings, and keys allocated */
  size_t pool_used, pool_room;
} part;

typedef struct collapse {
  component_map map;
  part *parts;
  uint32_t part_count; /* positions with a table */
  uint32_t part_room;  /* and room for so many */
} collapse;

#define COLLAPSE_FULL UINT32_MAX

void collapse_create(collapse *, const component_map *);
void collapse_destroy(collapse *);
/* Makes tables for positions up to 'count'; false: no memory. */
bool collapse_extend(collapse *, uint32_t count);
size_t collapse_bytes(const collapse *);
bool collapse_check(const collapse *); /* walks everything */

/* One table for long strings by itself. */
bool collapse_create_part(part *); /* false: no memory */
/* Makes room for so many parts; false: no memory. */
bool collapse_make_room(part **, uint32_t *room, uint32_t count);
void collapse_destroy_part(part *);
/* Makes room for some more strings, and if one was refused for one of so many
** bytes, while nobody else uses the table.  False: no memory. */
bool collapse_make_way(part *, uint32_t length);
size_t collapse_part_bytes(const part *);
bool collapse_check_part(const part *);

/* The string with this number (not 0).  Its length is that of its component
** (see component_bytes); 8 bytes can be read. */
static inline const uint8_t *collapse_string(const part *p, uint32_t number)
{
  const uint64_t *key = &p->keys[number - 1];
  return p->is_short ? (const uint8_t *)key : p->pool + *key;
}

/* The length of a string in the pool, which stands before it. */
static inline uint32_t collapse_string_length(const uint8_t *string)
{
  uint32_t length;
  memcpy(&length, string - sizeof length, sizeof length);
  return length;
}

/* Up to 8 bytes as a number; 'room' bytes can be read. */
static inline uint64_t collapse_key(const uint8_t *bytes, uint32_t length,
                                    uint32_t room)
{
  uint64_t key = 0;
  if (room < sizeof key) {
    memcpy(&key, bytes, length);
    return key;
  }
  memcpy(&key, bytes, sizeof key);
  return length < 8 ? key & ((UINT64_C(1) << 8 * length) - 1) : key;
}

/* Strings in the pool are preceded by their length. */
static inline bool collapse_same(const part *p, uint32_t number,
                                 const uint8_t *bytes, uint32_t length)
{
  const uint8_t *have = collapse_string(p, number);
  return !memcmp(have - sizeof length, &length, sizeof length) &&
         !memcmp(have, bytes, length);
}

/* Adds a string that is not there; in a shared table it may be by now. */
uint32_t collapse_add(part *, const uint8_t *bytes, uint32_t length);

/* The number of a string that is there, or 0.  'room' bytes can be read, at
** least 'length'. */
static inline uint32_t collapse_find(const part *p, const uint8_t *bytes,
                                     uint32_t length, uint32_t room)
{
  const hash_index *x = &p->index;
  uint64_t key = p->is_short ? collapse_key(bytes, length, room) : 0;
  uint64_t hash = p->is_short ? hash_mix(key) : hash_bytes(bytes, length);
  uint32_t at = index_start(x, hash);
  for (uint32_t slot; (slot = index_slot(x, at)); at = index_next(x, at)) {
    uint32_t number = index_number_in(x, slot, hash);
    if (number && (p->is_short ? p->keys[number - 1] == key
                               : collapse_same(p, number, bytes, length)))
      return number;
  }
  return 0;
}

/* The number of a string, new or old; COLLAPSE_FULL without memory. */
static inline uint32_t collapse_number(part *p, const uint8_t *bytes,
                                       uint32_t length, uint32_t room)
{
  uint32_t number = collapse_find(p, bytes, length, room);
  return number ? number : collapse_add(p, bytes, length);
}

#endif
