#include "base/vec.h"

#include "base/alloc.h"

#include <assert.h>
#include <string.h>

enum { FIRST_CAPACITY = 8 };

void *vec_reserve_bytes(void *data, size_t len, size_t *cap, size_t more,
                        size_t size)
{
  assert(len <= *cap);
  size_t needed = more > SIZE_MAX - len ? SIZE_MAX : len + more;
  if (needed <= *cap)
    return data;
  size_t wanted = *cap < FIRST_CAPACITY ? FIRST_CAPACITY : 2 * *cap;
  if (wanted < needed)
    wanted = needed;
  /* Nothing is written before the new block exists: when memory runs out the
  ** vec stays valid. */
  data = mem_resize(data, *cap * size, mem_product(wanted, size));
  *cap = wanted;
  return data;
}

void vec_free_bytes(void *data, size_t bytes)
{
  mem_free(data, bytes);
}

void *vec_resize_bytes(void *data, size_t *len, size_t *cap, size_t new_len,
                       size_t size)
{
  size_t old_len = *len;
  if (new_len > old_len) {
    data = vec_reserve_bytes(data, old_len, cap, new_len - old_len, size);
    memset((char *)data + old_len * size, 0, (new_len - old_len) * size);
  }
  *len = new_len;
  return data;
}
