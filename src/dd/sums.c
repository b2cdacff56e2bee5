#include "dd/sums.h"

#include "base/alloc.h"

void dd_sums_free(dd_sums *s)
{
  dd_map_free(&s->places);
  mem_free(s->sums, s->cap * sizeof *s->sums);
  *s = (dd_sums){0};
}

bool dd_sums_get(const dd_sums *s, uint32_t node, int64_t *sum)
{
  uint32_t place = dd_map_get(&s->places, node);
  if (place)
    *sum = s->sums[place - 1];
  return place;
}

bool dd_sums_put(dd_sums *s, uint32_t node, int64_t sum)
{
  if (s->len == s->cap) {
    size_t cap = s->cap ? 2 * s->cap : 256;
    int64_t *more =
        mem_try_resize(s->sums, s->cap * sizeof *more, cap * sizeof *more);
    if (!more)
      return false;
    s->sums = more;
    s->cap = cap;
  }
  uint32_t *place = dd_map_at(&s->places, node);
  if (!place)
    return false;
  s->sums[s->len++] = sum;
  *place = (uint32_t)s->len;
  return true;
}
