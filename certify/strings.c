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

void strings_clear(strings *s)
{
  free(s->slots);
  s->size = FIRST_SIZE;
  s->slots = have(s->size * sizeof *s->slots);
  s->count = 0;
  s->kept.len = UNIT;
}

/* While the table grows there are two of them. */
size_t strings_bytes(const strings *s)
{
  bool full = 8 * (s->count + 1) > 7 * s->size;
  return s->kept.len + s->size * sizeof *s->slots * (full ? 3 : 1);
}

/* The slot of a string, or a free one, as for no string. */
static entry *slot_of(const strings *s, uint64_t hash, const bytes *b)
{
  size_t i = hash & (s->size - 1);
  for (; s->slots[i].at; i = (i + 1) & (s->size - 1)) {
    uint32_t length;
    if (!b || s->slots[i].hash != hash)
      continue;
    const uint8_t *p = s->kept.data + (size_t)s->slots[i].at * UNIT;
    memcpy(&length, p, sizeof length);
    if (length == b->len && !memcmp(p + sizeof length, b->data, length))
      break;
  }
  return &s->slots[i];
}

static void enlarge(strings *s)
{
  strings more = {.slots = have(2 * s->size * sizeof *s->slots),
                  .size = 2 * s->size};
  for (size_t i = 0; i < s->size; i++)
    if (s->slots[i].at)
      *slot_of(&more, s->slots[i].hash, NULL) = s->slots[i];
  free(s->slots);
  s->slots = more.slots;
  s->size = more.size;
}

static uint32_t keep_string(strings *s, const bytes *b)
{
  uint32_t length = (uint32_t)b->len, at = (uint32_t)(s->kept.len / UNIT);
  size_t room = (sizeof length + b->len + UNIT - 1) / UNIT * UNIT;
  if ((s->kept.len + room) / UNIT >= UINT32_MAX)
    give_up("there are too many states to look for at once");
  s->kept.data = grow(s->kept.data, &s->kept.cap, s->kept.len + room, 1);
  memcpy(s->kept.data + s->kept.len, &length, sizeof length);
  memcpy(s->kept.data + s->kept.len + sizeof length, b->data, length);
  s->kept.len += room;
  return at;
}

bool strings_add(strings *s, const bytes *b, uint32_t bound)
{
  uint64_t hash = XXH3_64bits(b->data, b->len);
  entry *e = slot_of(s, hash, b);
  if (e->at) {
    if (bound < e->bound)
      e->bound = bound;
    return false;
  }
  *e = (entry){hash, keep_string(s, b), bound};
  if (8 * ++s->count > 7 * s->size)
    enlarge(s);
  return true;
}

bool strings_find(const strings *s, const bytes *b, uint32_t *bound)
{
  const entry *e = slot_of(s, XXH3_64bits(b->data, b->len), b);
  *bound = e->bound;
  return e->at;
}
