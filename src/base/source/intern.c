#include "base/source/intern.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"

#include <assert.h>
#include <string.h>

/* Open addressing with linear probing.  The number of slots is a power of two
** and at least a third of them is free, so a probe always ends. */
typedef struct slot {
  const char *name; /* NULL = free */
  size_t length;
  uint64_t hash;
} slot;

struct names {
  arena *memory;
  slot *slots;
  size_t size, count;
};

enum { FIRST_SIZE = 64 };

names *names_create(void)
{
  names *n = mem_alloc(sizeof *n);
  /* Each piece must not leak when the next one cannot be had: the guard is
  ** left only after the earlier ones were given back. */
  n->size = FIRST_SIZE;
  n->slots = mem_try_alloc(mem_product(n->size, sizeof(slot)));
  if (!n->slots) {
    mem_free(n, sizeof *n);
    mem_give_up();
  }
  return n;
}

void names_destroy(names *n)
{
  if (!n)
    return;
  arena_destroy(n->memory);
  mem_free(n->slots, n->size * sizeof(slot));
  mem_free(n, sizeof *n);
}

/* The slot that holds the name, or the free one where it belongs. */
static slot *find_slot(slot *slots, size_t size, const char *string,
                       size_t length, uint64_t hash)
{
  size_t i = hash & (size - 1);
  while (slots[i].name && (slots[i].hash != hash || slots[i].length != length ||
                           memcmp(slots[i].name, string, length)))
    i = (i + 1) & (size - 1);
  return slots + i;
}

static void enlarge(names *n)
{
  size_t size = 2 * n->size;
  slot *slots = mem_alloc(mem_product(size, sizeof(slot)));
  for (size_t i = 0; i < n->size; i++) {
    slot *s = n->slots + i;
    if (s->name)
      *find_slot(slots, size, s->name, s->length, s->hash) = *s;
  }
  mem_free(n->slots, n->size * sizeof(slot));
  n->slots = slots;
  n->size = size;
}

const char *name_intern(names *n, const char *string, size_t length)
{
  assert(!memchr(string, 0, length));
  uint64_t hash = hash_bytes(string, length);
  slot *s = find_slot(n->slots, n->size, string, length, hash);
  if (s->name)
    return s->name;
  if (!n->memory)
    n->memory = arena_create();
  if (n->count >= n->size / 3 * 2) {
    enlarge(n);
    s = find_slot(n->slots, n->size, string, length, hash);
  }
  *s = (slot){arena_copy(n->memory, string, length), length, hash};
  n->count++;
  return s->name;
}

const char *name_of(names *n, const char *string)
{
  return name_intern(n, string, strlen(string));
}

size_t names_count(const names *n)
{
  return n->count;
}
