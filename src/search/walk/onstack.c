#include "search/walk/onstack.h"
#include "base/alloc.h"
#include "base/hash.h"

#include <assert.h>

enum { FIRST_SLOTS = 1024 };

uint64_t onstack_fingerprint(const uint8_t *state, size_t length)
{
  uint64_t hash = hash_bytes(state, length);
  return hash ? hash : 1;
}

static void put(onstack *s, uint64_t fingerprint)
{
  size_t at = fingerprint & s->mask;
  while (s->slots[at])
    at = (at + 1) & s->mask;
  s->slots[at] = fingerprint;
}

static void grow(onstack *s)
{
  size_t count = s->mask ? s->mask + 1 : 0;
  size_t wanted = count ? 2 * count : FIRST_SLOTS;
  uint64_t *new = mem_alloc(mem_product(wanted, sizeof *new)), *old = s->slots;
  s->slots = new;
  s->mask = wanted - 1;
  for (size_t i = 0; i < count; i++)
    if (old[i])
      put(s, old[i]);
  mem_free(old, count * sizeof *old);
}

void onstack_push(onstack *s, uint64_t fingerprint)
{
  if (2 * (s->order.len + 1) > s->mask)
    grow(s);
  vec_push(&s->order, fingerprint);
  put(s, fingerprint);
}

static size_t find(const onstack *s, uint64_t fingerprint)
{
  size_t at = fingerprint & s->mask;
  while (s->slots[at] && s->slots[at] != fingerprint)
    at = (at + 1) & s->mask;
  return at;
}

/* The slots behind a free one that would not be found any more move up. */
static void close_gap(onstack *s, size_t gap)
{
  s->slots[gap] = 0;
  for (size_t at = (gap + 1) & s->mask; s->slots[at]; at = (at + 1) & s->mask) {
    size_t home = s->slots[at] & s->mask;
    if (((at - home) & s->mask) < ((at - gap) & s->mask))
      continue;
    s->slots[gap] = s->slots[at];
    s->slots[at] = 0;
    gap = at;
  }
}

void onstack_pop(onstack *s)
{
  size_t at = find(s, vec_pop(&s->order));
  assert(s->slots[at]);
  close_gap(s, at);
}

bool onstack_has(const onstack *s, uint64_t fingerprint)
{
  return s->mask && s->slots[find(s, fingerprint)];
}

size_t onstack_bytes(const onstack *s)
{
  return (s->mask ? s->mask + 1 : 0) * sizeof *s->slots +
         s->order.cap * sizeof *s->order.data;
}

void onstack_free(onstack *s)
{
  mem_free(s->slots, (s->mask ? s->mask + 1 : 0) * sizeof *s->slots);
  s->slots = NULL;
  s->mask = 0;
  vec_free(&s->order);
}
