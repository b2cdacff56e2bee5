#include "lang/lpn/lpn_net.h"

#include <string.h>

/* Names are interned, so their addresses are what is looked for. */
static uint32_t place_of(const net_table *t, const char *key)
{
  uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15);
  uint32_t at = (uint32_t)(hash >> 32) & (t->cap - 1);
  while (t->keys[at] && t->keys[at] != key)
    at = (at + 1) & (t->cap - 1);
  return at;
}

uint32_t net_find(const net_table *t, const char *key)
{
  if (!t->cap)
    return NET_NONE;
  uint32_t at = place_of(t, key);
  return t->keys[at] ? t->values[at] : NET_NONE;
}

static void widen(net_table *t, arena *a)
{
  net_table old = *t;
  t->cap = old.cap ? old.cap * 2 : 16;
  t->keys = ARENA_ARRAY(a, const char *, t->cap);
  t->values = ARENA_ARRAY(a, uint32_t, t->cap);
  for (uint32_t i = 0; i < old.cap; i++)
    if (old.keys[i]) {
      uint32_t at = place_of(t, old.keys[i]);
      t->keys[at] = old.keys[i];
      t->values[at] = old.values[i];
    }
}

void net_enter(net_table *t, arena *a, const char *key, uint32_t value)
{
  if (t->len * 2 >= t->cap)
    widen(t, a);
  uint32_t at = place_of(t, key);
  t->len += !t->keys[at];
  t->keys[at] = key;
  t->values[at] = value;
}
