#include "lang/scopes.h"

#include "base/hash.h"
#include "base/text/nearest.h"

enum { SEARCHED_MAX = 10000 };

void scopes_create(scopes *t, arena *a)
{
  *t = (scopes){.arena = a, .size = 64};
  t->slots = ARENA_ARRAY(a, scoped *, t->size);
}

/* Names are interned, so their addresses tell them apart. */
static size_t slot_of(const scopes *t, const void *scope, bool apart,
                      const char *name)
{
  uint64_t key = hash_mix((uint64_t)(uintptr_t)name) ^
                 (uint64_t)(uintptr_t)scope ^ (uint64_t)apart;
  return (size_t)hash_mix(key) & (t->size - 1);
}

static void put(scopes *t, scoped *s)
{
  size_t at = slot_of(t, s->scope, s->apart, s->name);
  s->same_slot = t->slots[at];
  t->slots[at] = s;
}

static void grow(scopes *t)
{
  scoped **old = t->slots;
  size_t old_size = t->size;
  t->size *= 2;
  t->slots = ARENA_ARRAY(t->arena, scoped *, t->size);
  for (size_t i = 0; i < old_size; i++)
    for (scoped *s = old[i], *next; s; s = next) {
      next = s->same_slot;
      put(t, s);
    }
}

void *scopes_find(const scopes *t, const void *scope, bool apart,
                  const char *name)
{
  scoped *s = t->slots[slot_of(t, scope, apart, name)];
  while (s && (s->name != name || s->scope != scope || s->apart != apart))
    s = s->same_slot;
  return s;
}

void scopes_add(scopes *t, scoped *s)
{
  if (t->count++ >= t->size)
    grow(t);
  put(t, s);
}

const void *scopes_nearest(const scopes *t, const void *scope, const char *name,
                           bool (*fits)(const scoped *, int), int kind)
{
  nearest n = {.name = name};
  const scoped *best = NULL;
  if (t->count > SEARCHED_MAX)
    return NULL;
  for (size_t i = 0; i < t->size; i++)
    for (const scoped *s = t->slots[i]; s; s = s->same_slot)
      if ((!s->scope || s->scope == scope) && fits(s, kind) &&
          nearest_try(&n, s->name))
        best = s;
  return best;
}
