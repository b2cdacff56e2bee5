#include "lang/promela/symbols.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/text/nearest.h"

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

const pml_slot *pml_table_nearest(const pml_table *table, const char *name)
{
  const pml_slot *found = NULL;
  nearest n = {.name = name};
  for (size_t i = 0; i < table->size; i++) {
    const pml_slot *slot = &table->slots[i];
    if (slot->name && slot->value && nearest_try(&n, slot->name))
      found = slot;
  }
  return found;
}
