#include "lang/promela/symbols.h"
#include "base/alloc.h"
#include "base/hash.h"
#include <string.h>

static size_t place(const pml_table *table, const char *name)
{
  size_t i = (size_t)hash_mix((uint64_t)(uintptr_t)name);
  for (;; i++) {
    pml_slot *slot = &table->slots[i & (table->size - 1)];
    if (!slot->name || slot->name == name)
      return i & (table->size - 1);
  }
}

void *pml_table_get(const pml_table *table, const char *name)
{
  return table->size ? table->slots[place(table, name)].value : NULL;
}

static void grow(pml_table *table, arena *mem)
{
  pml_table bigger = {0};
  bigger.size = table->size ? 2 * table->size : 64;
  bigger.slots = ARENA_ARRAY(mem, pml_slot, bigger.size);
  bigger.used = table->used;
  for (size_t i = 0; i < table->size; i++)
    if (table->slots[i].name)
      bigger.slots[place(&bigger, table->slots[i].name)] = table->slots[i];
  *table = bigger;
}

void pml_table_set(pml_table *table, arena *mem, const char *name, void *value)
{
  if (3 * (table->used + 1) > 2 * table->size)
    grow(table, mem);
  pml_slot *slot = &table->slots[place(table, name)];
  if (!slot->name) {
    slot->name = name;
    table->used++;
  }
  slot->value = value;
}

enum { MAX_LETTERS = 32 };

/* Number of letters to insert, remove, replace or swap with a neighbour to
** make 'b' of 'a'; both are at most MAX_LETTERS long. */
static unsigned distance(const char *a, const char *b)
{
  unsigned rows[3][MAX_LETTERS + 1];
  size_t m = strlen(a), n = strlen(b);
  for (size_t j = 0; j <= n; j++)
    rows[0][j] = (unsigned)j;
  for (size_t i = 1; i <= m; i++) {
    unsigned *row = rows[i % 3], *up = rows[(i + 2) % 3];
    unsigned *upper = rows[(i + 1) % 3];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= n; j++) {
      unsigned best = up[j - 1] + (a[i - 1] != b[j - 1]);
      if (up[j] + 1 < best)
        best = up[j] + 1;
      if (row[j - 1] + 1 < best)
        best = row[j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
          upper[j - 2] + 1 < best)
        best = upper[j - 2] + 1;
      row[j] = best;
    }
  }
  return rows[m % 3][n];
}

const pml_slot *pml_table_nearest(const pml_table *table, const char *name)
{
  const pml_slot *nearest = NULL;
  size_t length = strlen(name);
  if (length > MAX_LETTERS)
    return NULL;
  unsigned best = (unsigned)length / 3 + 1;
  for (size_t i = 0; i < table->size; i++) {
    const pml_slot *slot = &table->slots[i];
    if (!slot->name || !slot->value || strlen(slot->name) > MAX_LETTERS)
      continue;
    unsigned d = distance(name, slot->name);
    /* The order of slots depends on addresses; names decide between equals. */
    if (d < best ||
        (d == best && nearest && strcmp(slot->name, nearest->name) < 0)) {
      best = d;
      nearest = slot;
    }
  }
  return nearest;
}
