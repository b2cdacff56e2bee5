/* Sorts strings by one value after the other, and makes the nodes from the
** last one up. */

#include "store/diagram/compress.h"

#include "base/alloc.h"
#include "codec/number.h"

#include <assert.h>

/* A string that is being sorted: the number read last, and in the low half the
** place in the table's bytes where the next one begins. */
typedef uint64_t compress_item;

enum {
  FEW = 64,   /* items that are sorted by comparing them */
  HEAPS = 256 /* to which more of them are dealt out at once */
};

typedef struct compressing {
  mdd_manager *manager;
  const uint8_t *bytes; /* of the table */
  compress_item *items;
  mdd_arc *arcs; /* of the nodes being made, one behind the other */
  size_t arc_count, arc_room;
  uint32_t *values; /* of one item */
  size_t value_room;
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
** that is much worse than others.  For small parts, and those that cannot be
** dealt out. */
static void sort_few(compress_item *items, size_t count)
{
  static const size_t gaps[] = {301, 132, 57, 23, 10, 4, 1};
  for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
    for (size_t i = gaps[g]; i < count; i++) {
      compress_item item = items[i];
      size_t k = i;
      for (; k >= gaps[g] && items[k - gaps[g]] > item; k -= gaps[g])
        items[k] = items[k - gaps[g]];
      items[k] = item;
    }
}

static uint64_t span_of(const compress_item *items, size_t count,
                        uint32_t *least)
{
  uint32_t low = UINT32_MAX, high = 0;
  for (size_t i = 0; i < count; i++) {
    uint32_t number = number_of(items[i]);
    low = number < low ? number : low;
    high = number > high ? number : high;
  }
  *least = low;
  return (uint64_t)high - low + 1;
}

/* Deals the items out to as many heaps as there are numbers, or numbers in
** 2^shift, in place: what stands in the place of another heap is exchanged
** for what belongs there, until all stand right (McIlroy, Bostic, McIlroy:
** Engineering radix sort).  'ends' becomes the ends of the heaps. */
static void deal_out(compress_item *items, size_t count, uint32_t least,
                     unsigned shift, uint32_t *ends, size_t heaps)
{
  uint32_t next[HEAPS];
  memset(ends, 0, heaps * sizeof *ends);
  for (size_t i = 0; i < count; i++)
    ends[(number_of(items[i]) - least) >> shift]++;
  uint32_t sum = 0;
  for (size_t h = 0; h < heaps; h++) {
    next[h] = sum;
    sum += ends[h];
    ends[h] = sum;
  }
  for (size_t h = 0; h < heaps; h++)
    while (next[h] < ends[h]) {
      compress_item item = items[next[h]];
      size_t home;
      while ((home = (number_of(item) - least) >> shift) != h) {
        compress_item other = items[next[home]];
        items[next[home]++] = item;
        item = other;
      }
      items[next[h]++] = item;
    }
}

/* By their numbers; in which order those with the same number come is left
** open.  Each round leaves heaps of a 256th of the span, so recursion is at
** most four deep. */
static void sort_items(compress_item *items, size_t count)
{
  if (count <= FEW) {
    sort_few(items, count);
    return;
  }
  uint32_t least, ends[HEAPS];
  uint64_t span = span_of(items, count, &least);
  if (span == 1)
    return;
  unsigned shift = 0;
  while ((span - 1) >> shift >= HEAPS)
    shift++;
  size_t heaps = (size_t)((span - 1) >> shift) + 1;
  deal_out(items, count, least, shift, ends, heaps);
  for (size_t h = 0; shift && h < heaps; h++) {
    uint32_t from = h ? ends[h - 1] : 0;
    sort_items(items + from, ends[h] - from);
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

/* The diagram of one item: a chain of nodes, made from its end. */
static mdd build_one(compressing *c, size_t at, uint32_t levels)
{
  const uint8_t *next = c->bytes + (uint32_t)c->items[at];
  for (uint32_t i = 0; i < levels; i++)
    next = number_read(next, &c->values[i]);
  mdd node = MDD_UNIT;
  for (uint32_t i = levels; i-- && node != MDD_FULL;)
    node =
        mdd_node(c->manager, &(mdd_arc){c->values[i], c->values[i], node}, 1);
  return node;
}

/* The diagram of the items, each of which has 'levels' numbers to come.
** Recursion is as deep as the tuples are long. */
static mdd build(compressing *c, size_t from, size_t to, uint32_t levels)
{
  if (!levels)
    return MDD_UNIT;
  if (to - from == 1)
    return build_one(c, from, levels);
  read_numbers(c, from, to);
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

static bool reach_values(compressing *c, uint32_t length)
{
  if (length <= c->value_room)
    return true;
  size_t size = sizeof *c->values;
  uint32_t *grown = mem_try_resize(c->values, c->value_room * size,
                                   mem_product(length, size));
  if (!grown)
    return false;
  c->values = grown;
  c->value_room = length;
  return true;
}

/* All tuples of one length. */
static bool unite(compressing *c, diagrams *d, size_t from, size_t to)
{
  uint32_t length = number_of(c->items[from]);
  if (!diagrams_reach(d, length) || !reach_values(c, length))
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
  mem_free(c.values, c.value_room * sizeof *c.values);
  mem_free(c.arcs, c.arc_room * sizeof *c.arcs);
  return good;
}
