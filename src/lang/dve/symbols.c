#include "lang/dve/symbols.h"

#include "base/hash.h"

#include <string.h>

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

enum { NAME_MAX_LENGTH = 40, SEARCHED_MAX = 10000 };

static size_t least(size_t a, size_t b)
{
  return a < b ? a : b;
}

/* Letters to insert, drop, change or swap with their neighbour to make one of
** the other.  'row' is the i-th row of the table, 'above' the one before and
** 'above2' the one before that. */
static size_t distance(const char *a, const char *b)
{
  size_t rows[3][NAME_MAX_LENGTH + 1], n = strlen(b);
  size_t *above2 = rows[0], *above = rows[1], *row = rows[2];
  for (size_t j = 0; j <= n; j++)
    row[j] = j;
  for (size_t i = 1; a[i - 1]; i++) {
    size_t *spare = above2;
    above2 = above;
    above = row;
    row = spare;
    row[0] = i;
    for (size_t j = 1; j <= n; j++) {
      row[j] = least(above[j - 1] + (a[i - 1] != b[j - 1]),
                     1 + least(row[j - 1], above[j]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = least(row[j], above2[j - 2] + 1);
    }
  }
  return row[n];
}

const symbol *symbols_nearest(const symbols *t, const process_info *scope,
                              symbol_kind kind, const char *name)
{
  const symbol *best = NULL;
  size_t nearest = strlen(name) / 3 + 1;
  if (strlen(name) > NAME_MAX_LENGTH || t->count > SEARCHED_MAX)
    return NULL;
  for (size_t i = 0; i < t->size; i++)
    for (const symbol *s = t->slots[i]; s; s = s->same_slot) {
      if (s->kind != kind || (s->scope && s->scope != scope) ||
          strlen(s->name) > NAME_MAX_LENGTH)
        continue;
      size_t d = distance(name, s->name);
      if (d < nearest ||
          (best && d == nearest && strcmp(s->name, best->name) < 0)) {
        nearest = d;
        best = s;
      }
    }
  return best;
}
