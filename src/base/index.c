#include "base/index.h"
#include "base/alloc.h"

bool index_create(hash_index *x, uint32_t slots)
{
  *x = (hash_index){.mask = slots - 1};
  x->slots =
      mem_try_alloc(((size_t)slots + INDEX_WINDOW - 1) * sizeof *x->slots);
  return x->slots != NULL;
}

void index_destroy(hash_index *x)
{
  mem_free(x->slots, index_bytes(x));
  x->slots = NULL;
}

size_t index_bytes(const hash_index *x)
{
  return x->slots ? ((size_t)x->mask + INDEX_WINDOW) * sizeof *x->slots : 0;
}
