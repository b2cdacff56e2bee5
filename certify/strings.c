/* Sets of byte strings, exact, which can be sorted in the end. */

#include "certify.h"

#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* A string is its length in four bytes, then its bytes; 'at' is in units of
** four, so that 16 GB can be held. */
typedef struct entry {
  uint64_t key; /* hash; while sorting eight bytes of the string */
  uint32_t at;
} entry;

struct strings {
  uint8_t *data;
  size_t len, cap;
  entry *slots; /* free: at is 0 */
  size_t size, count;
  size_t sorted; /* entries at the beginning of 'slots' that are in order */
};

enum { UNIT = 4, FIRST_SIZE = 1024 };

strings *strings_create(void)
{
  strings *s = have(sizeof *s);
  strings_clear(s);
  return s;
}

void strings_clear(strings *s)
{
  if (s->size > FIRST_SIZE || !s->slots) {
    free(s->slots);
    s->size = FIRST_SIZE;
    s->slots = calloc(s->size, sizeof *s->slots);
    if (!s->slots)
      give_up("there is not enough memory");
  } else {
    memset(s->slots, 0, s->size * sizeof *s->slots);
  }
  s->count = s->sorted = 0;
  s->len = UNIT;
}

size_t strings_count(const strings *s)
{
  return s->count;
}

/* While the table grows there are two of them. */
size_t strings_bytes(const strings *s)
{
  bool full = 8 * (s->count + 1) > 7 * s->size;
  return s->len + s->size * sizeof *s->slots * (full ? 3 : 1);
}

static const uint8_t *string_at(const strings *s, uint32_t at, uint32_t *len)
{
  const uint8_t *p = s->data + (size_t)at * UNIT;
  memcpy(len, p, sizeof *len);
  return p + sizeof *len;
}

static void put_slot(entry *slots, size_t size, entry e)
{
  size_t i = e.key & (size - 1);
  while (slots[i].at)
    i = (i + 1) & (size - 1);
  slots[i] = e;
}

static void enlarge(strings *s)
{
  size_t size = 2 * s->size;
  entry *slots = calloc(size, sizeof *slots);
  if (!slots)
    give_up("there is not enough memory");
  for (size_t i = 0; i < s->size; i++)
    if (s->slots[i].at)
      put_slot(slots, size, s->slots[i]);
  free(s->slots);
  s->slots = slots;
  s->size = size;
}

static uint32_t keep_string(strings *s, const uint8_t *data, size_t len)
{
  uint32_t length = (uint32_t)len;
  size_t room = (sizeof length + len + UNIT - 1) / UNIT * UNIT;
  if ((s->len + room) / UNIT >= UINT32_MAX)
    give_up("there are too many states to look for at once");
  s->data = grow(s->data, &s->cap, s->len + room, 1);
  memcpy(s->data + s->len, &length, sizeof length);
  memcpy(s->data + s->len + sizeof length, data, len);
  uint32_t at = (uint32_t)(s->len / UNIT);
  s->len += room;
  return at;
}

bool strings_add(strings *s, const uint8_t *data, size_t len)
{
  uint64_t hash = XXH3_64bits(data, len);
  size_t i = hash & (s->size - 1);
  for (; s->slots[i].at; i = (i + 1) & (s->size - 1)) {
    uint32_t length;
    if (s->slots[i].key != hash)
      continue;
    const uint8_t *other = string_at(s, s->slots[i].at, &length);
    if (length == len && !memcmp(other, data, len))
      return false;
  }
  s->slots[i] = (entry){hash, keep_string(s, data, len)};
  s->count++;
  if (8 * s->count > 7 * s->size)
    enlarge(s);
  return true;
}

/* ---- sorting --------------------------------------------------------------- */

/* The eight bytes from 'depth' on, the first one highest, 0 behind the end. */
static uint64_t key_at(const strings *s, uint32_t at, uint32_t depth)
{
  uint32_t len;
  const uint8_t *p = string_at(s, at, &len);
  uint64_t key = 0;
  for (uint32_t i = 0; i < 8; i++)
    key = key << 8 | (depth + i < len ? p[depth + i] : 0);
  return key;
}

static int by_key(const void *a, const void *b)
{
  uint64_t x = ((const entry *)a)->key, y = ((const entry *)b)->key;
  return (x > y) - (x < y);
}

static uint32_t length_of(const strings *s, const entry *e)
{
  uint32_t len;
  string_at(s, e->at, &len);
  return len;
}

/* Few strings with the same beginning, by their whole. */
static void sort_few(const strings *s, entry *all, size_t count)
{
  for (size_t i = 1; i < count; i++)
    for (size_t k = i; k > 0; k--) {
      uint32_t m, n;
      const uint8_t *a = string_at(s, all[k - 1].at, &m);
      const uint8_t *b = string_at(s, all[k].at, &n);
      int order = memcmp(a, b, m < n ? m : n);
      if (order < 0 || (!order && m < n))
        break;
      entry swap = all[k];
      all[k] = all[k - 1];
      all[k - 1] = swap;
    }
}

/* Sorts strings that agree up to 'depth'.  Those that end are before those that
** go on with zeros: they are put apart by length. */
static void sort_from(const strings *s, entry *all, size_t count,
                      uint32_t depth)
{
  if (count <= 8) {
    sort_few(s, all, count);
    return;
  }
  for (size_t i = 0; i < count; i++)
    all[i].key = key_at(s, all[i].at, depth);
  qsort(all, count, sizeof *all, by_key);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && all[end].key == all[i].key;)
      end++;
    size_t ended = i; /* strings of the run with nothing behind the key */
    for (size_t k = i; k < end; k++)
      if (length_of(s, &all[k]) <= depth + 8) {
        entry swap = all[k];
        all[k] = all[ended];
        all[ended++] = swap;
      }
    sort_few(s, all + i, ended - i);
    if (end > ended)
      sort_from(s, all + ended, end - ended, depth + 8);
  }
}

void strings_sort(strings *s)
{
  size_t n = 0;
  for (size_t i = 0; i < s->size; i++)
    if (s->slots[i].at)
      s->slots[n++] = s->slots[i];
  s->sorted = n;
  sort_from(s, s->slots, n, 0);
}

const uint8_t *strings_at(const strings *s, size_t i, size_t *len)
{
  uint32_t length;
  const uint8_t *p = string_at(s, s->slots[i].at, &length);
  *len = length;
  return p;
}
