#include "store/compress.h"

#include "base/alloc.h"
#include "codec/number.h"

#include <assert.h>

/* A string that is being sorted: the number read last, and in the low half the
** place in the table's bytes where the next one begins. */
typedef uint64_t compress_item;

typedef struct compressing {
  mdd_manager *manager;
  const uint8_t *bytes; /* of the table */
  compress_item *items;
  mdd_arc *arcs; /* of the nodes being made, one behind the other */
  size_t arc_count, arc_room;
} compressing;

static uint32_t number_of(compress_item item)
{
  return (uint32_t)(item >> 32);
}

/* Reads the next number of each item. */
static void read_numbers(compressing *c, size_t from, size_t to)
{
  for (size_t i = from; i < to; i++) {
    const uint8_t *at = c->bytes + (uint32_t)c->items[i];
    uint32_t number;
    const uint8_t *next = number_read(at, &number);
    c->items[i] = (uint64_t)number << 32 | (uint32_t)(next - c->bytes);
  }
}

/* Shell's method, with the gaps that Ciura found best; no memory, and no input
** that is much worse than others. */
static void sort_items(compress_item *items, size_t count)
{
  static const size_t first_gaps[] = {1, 4, 10, 23, 57, 132, 301, 701};
  size_t gaps[64], n = sizeof first_gaps / sizeof *first_gaps;
  memcpy(gaps, first_gaps, sizeof first_gaps);
  for (; gaps[n - 1] < count && n < 64; n++)
    gaps[n] = gaps[n - 1] * 9 / 4;
  while (n--)
    for (size_t i = gaps[n]; i < count; i++) {
      compress_item item = items[i];
      size_t k = i;
      for (; k >= gaps[n] && items[k - gaps[n]] > item; k -= gaps[n])
        items[k] = items[k - gaps[n]];
      items[k] = item;
    }
}

static size_t end_of_group(const compressing *c, size_t from, size_t to)
{
  size_t i = from + 1;
  while (i < to && number_of(c->items[i]) == number_of(c->items[from]))
    i++;
  return i;
}

static bool push_arc(compressing *c, uint32_t value, mdd child)
{
  if (c->arc_count == c->arc_room) {
    size_t room = 2 * c->arc_room + 256, size = sizeof *c->arcs;
    mdd_arc *grown =
        mem_try_resize(c->arcs, c->arc_room * size, mem_product(room, size));
    if (!grown)
      return false;
    c->arcs = grown;
    c->arc_room = room;
  }
  c->arcs[c->arc_count++] = (mdd_arc){value, value, child};
  return true;
}

/* The diagram of the items, each of which has 'levels' numbers to come.
** Recursion is as deep as the tuples are long. */
static mdd build(compressing *c, size_t from, size_t to, uint32_t levels)
{
  if (!levels)
    return MDD_UNIT;
  read_numbers(c, from, to);
  if (to - from > 1)
    sort_items(c->items + from, to - from);
  size_t base = c->arc_count;
  mdd result = MDD_EMPTY;
  for (size_t i = from, end; i < to && result != MDD_FULL; i = end) {
    end = end_of_group(c, i, to);
    uint32_t value = number_of(c->items[i]);
    mdd child = build(c, i, end, levels - 1);
    if (child == MDD_FULL || !push_arc(c, value, child))
      result = MDD_FULL;
  }
  if (result != MDD_FULL)
    result =
        mdd_node(c->manager, c->arcs + base, (uint32_t)(c->arc_count - base));
  c->arc_count = base;
  return result;
}

/* All tuples of one length. */
static bool unite(compressing *c, diagrams *d, size_t from, size_t to)
{
  uint32_t length = number_of(c->items[from]);
  if (!diagrams_reach(d, length))
    return false;
  mdd_hold(d->manager);
  mdd fresh = build(c, from, to, length);
  mdd_release(d->manager);
  mdd all = mdd_union(d->manager, d->roots[length], fresh);
  if (all == MDD_FULL)
    return false;
  d->roots[length] = all;
  return true;
}

/* One item for each string, at its beginning. */
static void list_strings(compressing *c, const table *t)
{
  for (uint64_t n = 0; n < t->count; n++) {
    uint32_t length;
    c->items[n] = (uint64_t)(table_get(t, n, &length) - t->bytes.base);
  }
}

bool compress_into(diagrams *d, const table *t)
{
  assert(t->used <= UINT32_MAX);
  if (!t->count)
    return true;
  compressing c = {.manager = d->manager, .bytes = t->bytes.base};
  size_t count = t->count, bytes = mem_product(count, sizeof *c.items);
  c.items = mem_try_alloc(bytes);
  if (!c.items)
    return false;
  list_strings(&c, t);
  read_numbers(&c, 0, count);
  sort_items(c.items, count);
  bool good = true;
  for (size_t i = 0, end; i < count && good; i = end) {
    end = end_of_group(&c, i, count);
    good = unite(&c, d, i, end);
  }
  mem_free(c.items, bytes);
  mem_free(c.arcs, c.arc_room * sizeof *c.arcs);
  return good;
}
