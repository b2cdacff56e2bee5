#include "lang/gaston/lower.h"

#include "base/hash.h"
#include "lang/nearest.h"

/* Long tables are not searched for what is similar. */
enum { SEARCHED_MAX = 10000 };

void gst_symbols_create(gst_symbols *t, arena *a)
{
  *t = (gst_symbols){.arena = a, .size = 64};
  t->slots = ARENA_ARRAY(a, gst_symbol *, t->size);
}

/* Names are interned, so their addresses tell them apart. */
static size_t slot_of(const gst_symbols *t, const void *scope, bool label,
                      const char *name)
{
  uint64_t key = hash_mix((uint64_t)(uintptr_t)name) ^
                 (uint64_t)(uintptr_t)scope ^ (uint64_t)label;
  return (size_t)hash_mix(key) & (t->size - 1);
}

static void put(gst_symbols *t, gst_symbol *s)
{
  size_t at = slot_of(t, s->scope, s->kind == SYMBOL_LABEL, s->name);
  s->same_slot = t->slots[at];
  t->slots[at] = s;
}

static void grow(gst_symbols *t)
{
  gst_symbol **old = t->slots;
  size_t old_size = t->size;
  t->size *= 2;
  t->slots = ARENA_ARRAY(t->arena, gst_symbol *, t->size);
  for (size_t i = 0; i < old_size; i++)
    for (gst_symbol *s = old[i], *next; s; s = next) {
      next = s->same_slot;
      put(t, s);
    }
}

gst_symbol *gst_symbols_find(const gst_symbols *t, const void *scope,
                             bool label, const char *name)
{
  gst_symbol *s = t->slots[slot_of(t, scope, label, name)];
  while (s && (s->name != name || s->scope != scope ||
               (s->kind == SYMBOL_LABEL) != label))
    s = s->same_slot;
  return s;
}

gst_symbol *gst_symbols_add(gst_symbols *t, gst_symbol_kind kind,
                            const void *scope, const gst_name *name)
{
  gst_symbol *s = ARENA_NEW(t->arena, gst_symbol);
  s->kind = kind;
  s->name = name->name;
  s->scope = scope;
  s->where = name->where;
  if (t->count++ >= t->size)
    grow(t);
  put(t, s);
  return s;
}

const gst_symbol *gst_symbols_nearest(const gst_symbols *t, const void *scope,
                                      bool label, const char *name)
{
  nearest n = {.name = name};
  const gst_symbol *best = NULL;
  if (t->count > SEARCHED_MAX)
    return NULL;
  for (size_t i = 0; i < t->size; i++)
    for (const gst_symbol *s = t->slots[i]; s; s = s->same_slot)
      if ((s->kind == SYMBOL_LABEL) == label &&
          (!s->scope || s->scope == scope) && nearest_try(&n, s->name))
        best = s;
  return best;
}
