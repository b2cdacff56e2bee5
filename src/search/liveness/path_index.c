#include "search/liveness/path_index.h"

#include "base/alloc.h"

#include <string.h>

enum { SLOTS_AT_FIRST = 1024 };

size_t path_index_bytes(const path_index *x)
{
  return x->slots ? (x->mask + 1) * sizeof *x->slots : 0;
}

void path_index_free(path_index *x)
{
  mem_free(x->slots, path_index_bytes(x));
  *x = (path_index){0};
}

void path_index_clear(path_index *x)
{
  if (x->slots)
    memset(x->slots, 0, path_index_bytes(x));
  x->count = 0;
}

bool path_index_make_room(path_index *x)
{
  if (x->slots && 2 * (x->count + 1) <= x->mask)
    return false;
  size_t slots = x->slots ? 2 * (x->mask + 1) : SLOTS_AT_FIRST;
  uint64_t *grown = mem_alloc(slots * sizeof *grown);
  path_index_free(x);
  x->slots = grown;
  x->mask = slots - 1;
  return true;
}

void path_index_put(path_index *x, uint64_t hash, size_t frame)
{
  size_t at = hash & x->mask;
  while (x->slots[at])
    at = (at + 1) & x->mask;
  x->slots[at] = (hash & UINT64_C(0xffffffff00000000)) | ((uint32_t)frame + 1);
  x->count++;
}

void path_index_remove(path_index *x, uint64_t hash, size_t frame)
{
  size_t at = hash & x->mask;
  while ((uint32_t)x->slots[at] != frame + 1)
    at = (at + 1) & x->mask;
  x->slots[at] = 0;
  x->count--;
}
