/* Sets of byte strings, exact. */

#include "certify.h"

#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* A string is its length in four bytes, then its bytes; 'at' is in units of
** four, so that 16 GB can be held. */
typedef struct entry {
  uint64_t hash;
  uint32_t at; /* 0: free */
  uint32_t bound;
} entry;

enum { UNIT = 4, FIRST_SIZE = 1024 };

static entry *new_slots(size_t size)
{
  entry *slots = calloc(size, sizeof *slots);
  if (!slots)
    give_up("there is not enough memory");
  return slots;
}

void strings_clear(strings *s)
{
  free(s->slots);
  s->size = FIRST_SIZE;
  s->slots = new_slots(s->size);
  s->count = 0;
  s->len = UNIT;
}

/* While the table grows there are two of them. */
size_t strings_bytes(const strings *s)
{
  bool full = 8 * (s->count + 1) > 7 * s->size;
  return s->len + s->size * sizeof *s->slots * (full ? 3 : 1);
}

static void enlarge(strings *s)
{
  size_t size = 2 * s->size;
  entry *slots = new_slots(size);
  for (size_t i = 0; i < s->size; i++) {
    size_t k = s->slots[i].hash & (size - 1);
    while (s->slots[i].at && slots[k].at)
      k = (k + 1) & (size - 1);
    if (s->slots[i].at)
      slots[k] = s->slots[i];
  }
  free(s->slots);
  s->slots = slots;
  s->size = size;
}

/* The slot of a string, or a free one. */
static entry *slot_of(const strings *s, uint64_t hash, const uint8_t *data,
                      size_t len)
{
  size_t i = hash & (s->size - 1);
  for (; s->slots[i].at; i = (i + 1) & (s->size - 1)) {
    uint32_t length;
    if (s->slots[i].hash != hash)
      continue;
    const uint8_t *p = s->data + (size_t)s->slots[i].at * UNIT;
    memcpy(&length, p, sizeof length);
    if (length == len && !memcmp(p + sizeof length, data, len))
      break;
  }
  return &s->slots[i];
}

static uint32_t keep_string(strings *s, const uint8_t *data, size_t len)
{
  uint32_t length = (uint32_t)len, at = (uint32_t)(s->len / UNIT);
  size_t room = (sizeof length + len + UNIT - 1) / UNIT * UNIT;
  if ((s->len + room) / UNIT >= UINT32_MAX)
    give_up("there are too many states to look for at once");
  s->data = grow(s->data, &s->cap, s->len + room, 1);
  memcpy(s->data + s->len, &length, sizeof length);
  memcpy(s->data + s->len + sizeof length, data, len);
  s->len += room;
  return at;
}

bool strings_add(strings *s, const uint8_t *data, size_t len, uint32_t bound)
{
  uint64_t hash = XXH3_64bits(data, len);
  entry *e = slot_of(s, hash, data, len);
  if (e->at) {
    if (bound < e->bound)
      e->bound = bound;
    return false;
  }
  *e = (entry){hash, keep_string(s, data, len), bound};
  if (8 * ++s->count > 7 * s->size)
    enlarge(s);
  return true;
}

bool strings_find(const strings *s, const uint8_t *data, size_t len,
                  uint32_t *bound)
{
  const entry *e = slot_of(s, XXH3_64bits(data, len), data, len);
  *bound = e->bound;
  return e->at;
}
