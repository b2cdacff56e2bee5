#include "lang/dve/symbols.h"

#include "base/hash.h"
#include "lang/nearest.h"

void symbols_create(symbols *t, arena *a)
{
  *t = (symbols){.arena = a, .size = 64};
  t->slots = ARENA_ARRAY(a, symbol *, t->size);
}

/* Names are interned, so their addresses tell them apart. */
static size_t slot_of(const symbols *t, const process_info *scope, bool state,
                      const char *name)
{
  uint64_t key = hash_mix((uint64_t)(uintptr_t)name) ^
                 (uint64_t)(uintptr_t)scope ^ (uint64_t)state;
  return (size_t)hash_mix(key) & (t->size - 1);
}

static void put(symbols *t, symbol *s)
{
  size_t at = slot_of(t, s->scope, s->kind == SYMBOL_STATE, s->name);
  s->same_slot = t->slots[at];
  t->slots[at] = s;
}

static void grow(symbols *t)
{
  symbol **old = t->slots;
  size_t old_size = t->size;
  t->size *= 2;
  t->slots = ARENA_ARRAY(t->arena, symbol *, t->size);
  for (size_t i = 0; i < old_size; i++)
    for (symbol *s = old[i], *next; s; s = next) {
      next = s->same_slot;
      put(t, s);
    }
}

symbol *symbols_find(const symbols *t, const process_info *scope, bool state,
                     const char *name)
{
  symbol *s = t->slots[slot_of(t, scope, state, name)];
  while (s && (s->name != name || s->scope != scope ||
               (s->kind == SYMBOL_STATE) != state))
    s = s->same_slot;
  return s;
}

symbol *symbols_add(symbols *t, symbol_kind kind, const process_info *scope,
                    const char *name, span where)
{
  symbol *s = ARENA_NEW(t->arena, symbol);
  s->kind = kind;
  s->name = name;
  s->scope = scope;
  s->where = where;
  if (t->count++ >= t->size)
    grow(t);
  put(t, s);
  return s;
}

/* ---- similar names ----------------------------------------------------- */

enum { SEARCHED_MAX = 10000 };

const symbol *symbols_nearest(const symbols *t, const process_info *scope,
                              symbol_kind kind, const char *name)
{
  nearest n = {.name = name};
  const symbol *best = NULL;
  if (t->count > SEARCHED_MAX)
    return NULL;
  for (size_t i = 0; i < t->size; i++)
    for (const symbol *s = t->slots[i]; s; s = s->same_slot)
      if (s->kind == kind && (!s->scope || s->scope == scope) &&
          nearest_try(&n, s->name))
        best = s;
  return best;
}
