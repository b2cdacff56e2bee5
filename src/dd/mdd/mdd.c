/* Managers, the way of arcs to the one node that has them, and membership. */

#include "dd/mdd/mdd_internal.h"

#include "base/alloc.h"
#include "base/system/address_space.h"

#include <assert.h>
#include <string.h>

enum {
  FIRST_WORDS = 1 << 14,
  FIRST_MDD_BUCKET_BITS = 10,
  LEAST_GARBAGE_WORDS = 1 << 17, /* fewer are not worth the time */
};

#define MOST_MDD_RESULTS ((size_t)1 << 26)
#define MOST_STACK ((size_t)1 << 34) /* bytes of address space */

/* ---- managers ---------------------------------------------------------- */

static bool get_memory(mdd_manager *m)
{
  size_t words = UINT32_MAX;
  if (!space_reserve(&m->pool, words * sizeof *m->words) ||
      !reserve_commit(&m->pool, FIRST_WORDS * sizeof *m->words) ||
      !space_reserve(&m->stack_memory, MOST_STACK) ||
      !dd_cache_create(&m->cache, MOST_MDD_RESULTS))
    return false;
  m->words = (uint32_t *)m->pool.base;
  m->stack = (uint32_t *)m->stack_memory.base;
  m->buckets = mem_try_alloc(sizeof *m->buckets << FIRST_MDD_BUCKET_BITS);
  return m->buckets;
}

mdd_manager *mdd_create(mdd_kind kind, size_t max_bytes)
{
  mdd_manager *m = mem_try_alloc(sizeof *m);
  if (!m)
    return NULL;
  m->width = kind == MDD_RANGES ? 3 : 2;
  m->max_bytes = max_bytes;
  m->garbage_percent = 50;
  mdd_set_least_garbage(m, LEAST_GARBAGE_WORDS);
  m->shift = 64 - FIRST_MDD_BUCKET_BITS;
  if (!get_memory(m)) {
    mdd_destroy(m);
    return NULL;
  }
  /* Words 0 and 1 are no blocks: they stand for the empty set and the unit. */
  m->top = 2;
  m->room = FIRST_WORDS;
  return m;
}

void mdd_destroy(mdd_manager *m)
{
  if (!m)
    return;
  mem_free(m->buckets, m->buckets ? sizeof *m->buckets << (64 - m->shift) : 0);
  mem_free(m->path, m->path_cap * sizeof *m->path);
  mem_free(m->scratch, m->scratch_cap * sizeof *m->scratch);
  dd_roots_free(&m->roots);
  dd_cache_destroy(&m->cache);
  reserve_destroy(&m->stack_memory);
  reserve_destroy(&m->pool);
  mem_free(m, sizeof *m);
}

mdd_statistics mdd_figures(const mdd_manager *m)
{
  return (mdd_statistics){.nodes = m->nodes,
                          .peak_nodes = m->peak,
                          .bytes = mdd_bytes(m),
                          .collections = m->collections};
}

/* ---- nodes being made -------------------------------------------------- */

bool mdd_stack_room(mdd_manager *m, size_t words)
{
  size_t needed = m->stack_top + words;
  if (needed <= m->stack_room)
    return true;
  if (!reserve_commit(&m->stack_memory, needed * sizeof *m->stack))
    return false;
  m->stack_room = m->stack_memory.committed / sizeof *m->stack;
  return true;
}

bool mdd_push(mdd_manager *m, size_t base, uint32_t lo, uint32_t hi, mdd child)
{
  assert(lo <= hi && child != MDD_FULL);
  if (child == MDD_EMPTY)
    return true;
  if (m->width == 3 && m->stack_top > base) {
    /* Neighbours with the same child are one range. */
    uint32_t *last = m->stack + m->stack_top - 3;
    assert(last[1] < lo);
    if (last[2] == child && last[1] + 1 == lo) {
      last[1] = hi;
      return true;
    }
  }
  assert(m->width == 3 || lo == hi);
  if (m->stack_top + m->width > m->stack_room && !mdd_stack_room(m, m->width))
    return false;
  uint32_t *arc = m->stack + m->stack_top;
  arc[0] = lo;
  arc[m->width - 2] = hi;
  arc[m->width - 1] = child;
  m->stack_top += m->width;
  return true;
}

mdd mdd_give_up(mdd_manager *m, size_t base)
{
  m->stack_top = base;
  return MDD_FULL;
}

mdd mdd_make(mdd_manager *m, size_t base)
{
  const uint32_t *arcs = m->stack + base;
  size_t words = m->stack_top - base;
  uint32_t count = (uint32_t)(words / m->width);
  m->stack_top = base;
  if (!count)
    return MDD_EMPTY;
  uint32_t hash = mdd_hash(m, arcs, count);
  mdd node = mdd_find(m, arcs, count, hash);
  if (node)
    return node;
  node = mdd_take_block(m, count);
  if (!node)
    return MDD_FULL;
  m->words[node + 2] = hash;
  memcpy(mdd_arc_words(m, node), arcs, words * sizeof *arcs);
  mdd_link(m, node);
  return node;
}

mdd mdd_node(mdd_manager *m, const mdd_arc *arcs, uint32_t count)
{
  size_t base = m->stack_top;
  mdd_end_owning(m);
  for (uint32_t i = 0; i < count; i++) {
    if (arcs[i].child == MDD_FULL ||
        !mdd_push(m, base, arcs[i].lo, arcs[i].hi, arcs[i].child))
      return mdd_give_up(m, base);
  }
  return mdd_make(m, base);
}

/* ---- reading nodes ----------------------------------------------------- */

uint32_t mdd_search(const mdd_manager *m, mdd node, uint32_t value)
{
  const uint32_t *arcs = mdd_arc_words(m, node);
  uint32_t count = mdd_arc_count(m, node), width = m->width;
  /* 'hi' is the last word but one, with and without ranges. */
  const uint32_t *his = arcs + width - 2;
  /* Table numbers are often dense: then the place is known. */
  uint32_t guess = value - arcs[0];
  if (guess < count && arcs[(size_t)guess * width] == value)
    return guess;
  uint32_t low = 0;
  for (uint32_t n = count; n;) {
    uint32_t half = n / 2;
    bool below = his[(size_t)(low + half) * width] < value;
    low = below ? low + half + 1 : low;
    n = below ? n - half - 1 : half;
  }
  return low;
}

mdd mdd_child(const mdd_manager *m, mdd node, uint32_t value)
{
  uint32_t place = mdd_search(m, node, value);
  if (place == mdd_arc_count(m, node))
    return MDD_EMPTY;
  const uint32_t *arc = mdd_arc_words(m, node) + (size_t)place * m->width;
  return arc[0] <= value ? arc[m->width - 1] : MDD_EMPTY;
}

uint32_t mdd_arcs(const mdd_manager *m, mdd node)
{
  assert(node > MDD_UNIT && node != MDD_FULL);
  return mdd_arc_count(m, node);
}

mdd_arc mdd_arc_at(const mdd_manager *m, mdd node, uint32_t i)
{
  assert(i < mdd_arcs(m, node));
  const uint32_t *arc = mdd_arc_words(m, node) + (size_t)i * m->width;
  return (mdd_arc){arc[0], arc[m->width - 2], arc[m->width - 1]};
}

bool mdd_contains(const mdd_manager *m, mdd set, const uint32_t *tuple,
                  uint32_t length)
{
  assert(set != MDD_FULL);
  for (uint32_t i = 0; i < length && set != MDD_EMPTY; i++) {
    assert(set != MDD_UNIT);
    set = mdd_child(m, set, tuple[i]);
  }
  return set != MDD_EMPTY;
}
