#include "dd/counts.h"

#include "base/alloc.h"

#include <assert.h>
#include <string.h>

void dd_counts_free(dd_counts *c)
{
  mem_free(c->words, c->words_cap * sizeof *c->words);
  mem_free(c->ends, c->cap * sizeof *c->ends);
  dd_map_free(&c->places);
  *c = (dd_counts){0};
}

bool dd_counts_has(const dd_counts *c, uint32_t node)
{
  return dd_map_get(&c->places, node);
}

bignum dd_counts_get(const dd_counts *c, uint32_t node)
{
  uint32_t place = dd_map_get(&c->places, node);
  assert(place);
  size_t start = place > 1 ? c->ends[place - 2] : 0;
  return (bignum){c->words + start, c->ends[place - 1] - start, 0};
}

static bool has_room_for_count(dd_counts *c, size_t words)
{
  if (words > c->words_cap) {
    size_t cap = words + words / 2 + 64;
    void *new = mem_try_resize(c->words, c->words_cap * sizeof *c->words,
                               mem_product(cap, sizeof *c->words));
    if (!new)
      return false;
    c->words = new;
    c->words_cap = cap;
  }
  if (c->len == c->cap) {
    size_t cap = 2 * c->cap + 64;
    void *new = mem_try_resize(c->ends, c->cap * sizeof *c->ends,
                               mem_product(cap, sizeof *c->ends));
    if (!new)
      return false;
    c->ends = new;
    c->cap = cap;
  }
  return true;
}

bool dd_counts_put(dd_counts *c, uint32_t node, const bignum *number)
{
  size_t start = c->len ? c->ends[c->len - 1] : 0, end = start + number->len;
  if (!has_room_for_count(c, end))
    return false;
  uint32_t *place = dd_map_at(&c->places, node);
  if (!place)
    return false;
  if (number->len)
    memcpy(c->words + start, number->words, number->len * sizeof *c->words);
  c->ends[c->len++] = end;
  *place = (uint32_t)c->len;
  return true;
}
