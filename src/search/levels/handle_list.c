/* Sorting by digits, and differences; see handle_list.h. */

#include "search/levels/handle_list.h"

#include <string.h>

enum { NUMBER_MOST = 10, HANDLE_MOST = 12 }; /* bytes */

/* ---- sorting -------------------------------------------------------------- */

/* By one byte of each, from 'list' to 'to'.  False: all have the same, and nothing
** was done. */
static bool sort_by(const store_handle *list, size_t count, unsigned shift,
                    store_handle *to)
{
  size_t places[256] = {0}, sum = 0;
  for (size_t i = 0; i < count; i++)
    places[list[i] >> shift & 255]++;
  if (places[list[0] >> shift & 255] == count)
    return false;
  for (size_t k = 0; k < 256; k++) {
    size_t n = places[k];
    places[k] = sum;
    sum += n;
  }
  for (size_t i = 0; i < count; i++)
    to[places[list[i] >> shift & 255]++] = list[i];
  return true;
}

static void sort(store_handle *handles, size_t count, store_handle *other)
{
  store_handle *from = handles, *to = other;
  for (unsigned shift = 0; shift < 64; shift += 8)
    if (sort_by(from, count, shift, to)) {
      store_handle *done = to;
      to = from;
      from = done;
    }
  if (from != handles)
    memcpy(handles, from, count * sizeof *handles);
}

/* ---- numbers --------------------------------------------------------------- */

static uint8_t *put(uint8_t *at, uint64_t number)
{
  for (; number >= 128; number >>= 7)
    *at++ = (uint8_t)(number | 128);
  *at++ = (uint8_t)number;
  return at;
}

static const uint8_t *get(const uint8_t *at, uint64_t *number)
{
  *number = 0;
  for (unsigned shift = 0;; shift += 7) {
    *number |= (uint64_t)(*at & 127) << shift;
    if (*at++ < 128)
      return at;
  }
}

/* ---- runs ------------------------------------------------------------------- */

static uint8_t *put_handle(uint8_t *at, store_handle before,
                           store_handle handle)
{
  uint64_t upper = (handle >> 32) - (before >> 32);
  uint32_t lower = (uint32_t)handle;
  if (!upper)
    return put(at, (uint64_t)(lower - (uint32_t)before) << 1);
  return put(put(at, upper << 1 | 1), lower);
}

static const uint8_t *get_handle(const uint8_t *at, store_handle *handle)
{
  uint64_t first, lower;
  at = get(at, &first);
  if (!(first & 1)) {
    *handle += first >> 1;
    return at;
  }
  at = get(at, &lower);
  *handle = ((*handle >> 32) + (first >> 1)) << 32 | lower;
  return at;
}

/* Room for some more bytes is made at a time, so that little of it stays unused. */
static bool has_room(handle_list *l, size_t used, size_t more)
{
  return used + more <= l->memory.committed ||
         reserve_commit(&l->memory, used + more);
}

bool handle_list_add(handle_list *l, store_handle *handles, size_t count,
                     store_handle *other)
{
  store_handle before = 0;
  size_t used = l->used;
  if (!count)
    return true;
  if (!has_room(l, used, NUMBER_MOST))
    return false;
  sort(handles, count, other);
  used = (size_t)(put(l->memory.base + used, count) - l->memory.base);
  for (size_t i = 0; i < count; i++) {
    if (!has_room(l, used, HANDLE_MOST))
      return false;
    uint8_t *end = put_handle(l->memory.base + used, before, handles[i]);
    used = (size_t)(end - l->memory.base);
    before = handles[i];
  }
  l->used = used;
  return true;
}

bool handle_list_read(const handle_list *l, size_t *at, frontier *to)
{
  uint64_t count;
  store_handle handle = 0;
  const uint8_t *from = get(l->memory.base + *at, &count);
  if (!frontier_has_room(to, count))
    return false;
  for (; count; count--) {
    from = get_handle(from, &handle);
    frontier_handles(to)[to->count++] = handle;
  }
  *at = (size_t)(from - l->memory.base);
  return true;
}
