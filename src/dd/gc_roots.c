#include "dd/gc_roots.h"

#include "base/alloc.h"

#include <assert.h>

void dd_roots_free(dd_roots *roots)
{
  dd_map_free(&roots->counts);
  mem_free(roots->arrays, roots->cap * sizeof *roots->arrays);
  *roots = (dd_roots){0};
}

bool dd_roots_add(dd_roots *roots, uint32_t node)
{
  uint32_t *count = dd_map_at(&roots->counts, node);
  if (!count)
    return false;
  assert(*count < UINT32_MAX);
  ++*count;
  return true;
}

void dd_roots_remove(dd_roots *roots, uint32_t node)
{
  assert(dd_map_get(&roots->counts, node));
  /* The key is there, so that nothing is allocated. */
  --*dd_map_at(&roots->counts, node);
}

bool dd_roots_protect(dd_roots *roots, const uint32_t *nodes, size_t count)
{
  if (roots->len == roots->cap) {
    size_t size = sizeof *roots->arrays, cap = 2 * roots->cap + 8;
    void *new = mem_try_resize(roots->arrays, roots->cap * size, cap * size);
    if (!new)
      return false;
    roots->arrays = new;
    roots->cap = cap;
  }
  roots->arrays[roots->len++] = (struct dd_root_array){nodes, count};
  return true;
}

void dd_roots_unprotect(dd_roots *roots, const uint32_t *nodes)
{
  /* Mostly the last one goes first. */
  size_t i = roots->len;
  do
    assert(i > 0);
  while (roots->arrays[--i].nodes != nodes);
  roots->arrays[i] = roots->arrays[--roots->len];
}

size_t dd_roots_bytes(const dd_roots *roots)
{
  return roots->counts.size * sizeof *roots->counts.entries +
         roots->cap * sizeof *roots->arrays;
}

void dd_roots_each(const dd_roots *roots, dd_roots_visit *visit, void *context)
{
  for (size_t i = 0; i < roots->counts.size; i++) {
    const dd_map_entry *entry = &roots->counts.entries[i];
    if (entry->value)
      visit(context, entry->key, entry->value);
  }
  for (size_t i = 0; i < roots->len; i++)
    for (size_t j = 0; j < roots->arrays[i].count; j++)
      if (roots->arrays[i].nodes[j] != UINT32_MAX)
        visit(context, roots->arrays[i].nodes[j], 1);
}
