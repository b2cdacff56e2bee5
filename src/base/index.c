#include "base/index.h"
#include "base/alloc.h"

#include <string.h>

static size_t bytes_of(uint32_t slots)
{
  return ((size_t)slots + INDEX_WINDOW - 1) * sizeof(uint32_t);
}

bool index_create(hash_index *x, uint32_t slots)
{
  *x = (hash_index){.mask = slots - 1};
  x->slots = mem_try_alloc(bytes_of(slots));
  return x->slots != NULL;
}

bool index_widen(hash_index *x, uint32_t slots)
{
  uint32_t *wider = mem_try_resize(x->slots, index_bytes(x), bytes_of(slots));
  if (!wider)
    return false;
  memset(wider, 0, bytes_of(slots));
  x->slots = wider;
  x->mask = slots - 1;
  return true;
}

void index_destroy(hash_index *x)
{
  mem_free(x->slots, index_bytes(x));
  x->slots = NULL;
}

size_t index_bytes(const hash_index *x)
{
  return x->slots ? bytes_of(x->mask + 1) : 0;
}
