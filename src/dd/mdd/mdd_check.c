/* The invariants of mdd.h and mdd_internal.h, one by one. */

#include "dd/mdd/mdd_internal.h"

#include <string.h>

/* For each node: 1 + references seen to it, and 1 + its distance from the
** unit. */
typedef struct mdd_survey {
  const mdd_manager *m;
  dd_map references, depths;
  const char *problem;
} mdd_survey;

static const char *check_arcs(const mdd_manager *m, mdd node)
{
  uint32_t count = mdd_arc_count(m, node);
  if (!count)
    return "a node has no arcs";
  mdd_cursor a = mdd_cursor_start(m, node), last = a;
  for (bool first = true; mdd_cursor_more(&a); mdd_cursor_next(&a)) {
    if (a.lo > a.hi)
      return "a range is upside down";
    if (!first && a.lo <= last.hi)
      return "arcs are not in order";
    if (!first && m->width == 3 && a.lo == last.hi + 1 && a.child == last.child)
      return "two ranges should be one";
    if (a.child == MDD_EMPTY)
      return "an arc leads to the empty set";
    first = false;
    last = a;
  }
  const uint32_t *arcs = mdd_arc_words(m, node);
  if (m->words[node + 2] != mdd_hash(m, arcs, count))
    return "a hash is wrong";
  if (mdd_find(m, arcs, count, m->words[node + 2]) != node)
    return "a node is not in the unique table, or twice";
  return NULL;
}

/* First walk: blocks one after the other. */
static const char *check_blocks(mdd_survey *s)
{
  const mdd_manager *m = s->m;
  uint32_t used = 0, nodes = 0, at = 2, words;
  for (; at < m->top; at += words) {
    words = m->words[at] & MDD_COUNT_MASK;
    if (m->words[at] & MDD_FLAG_MARK)
      return "a mark was left behind";
    if (m->words[at] & MDD_FLAG_FREE) {
      if (!words)
        return "a free block has no size";
      continue;
    }
    words = mdd_block_words(m, words);
    used += words;
    nodes++;
    const char *problem = check_arcs(m, at);
    if (problem)
      return problem;
    if ((m->words[at] & MDD_FLAG_OWNED) && !m->owning)
      return "a node is owned when none should be";
    uint32_t *place = dd_map_at(&s->references, at);
    if (!place)
      return "no memory to check";
    *place = 1;
  }
  if (at != m->top)
    return "the last block is too long";
  if (used != m->used || nodes != m->nodes)
    return "the number of words or nodes is wrong";
  return NULL;
}

static void count_use(void *context, uint32_t node, uint32_t count)
{
  mdd_survey *s = context;
  if (node <= MDD_UNIT)
    return;
  if (!dd_map_get(&s->references, node)) {
    s->problem = "a reference leads to no node";
    return;
  }
  *dd_map_at(&s->references, node) += count;
  if ((s->m->words[node] & MDD_FLAG_OWNED) &&
      dd_map_get(&s->references, node) > 2)
    s->problem = "an owned node has several references";
}

static void check_levels(mdd_survey *s, mdd node)
{
  if (dd_map_get(&s->depths, node) || s->problem)
    return;
  uint32_t depth = 0;
  if (node == MDD_UNIT)
    depth = 1;
  else
    for (mdd_cursor a = mdd_cursor_start(s->m, node);
         mdd_cursor_more(&a) && !s->problem; mdd_cursor_next(&a)) {
      check_levels(s, a.child);
      uint32_t below = dd_map_get(&s->depths, a.child);
      if (depth && depth != below + 1)
        s->problem = "tuples of a set differ in length";
      depth = below + 1;
    }
  uint32_t *place = dd_map_at(&s->depths, node);
  if (place)
    *place = depth;
  else
    s->problem = "no memory to check";
}

/* Second walk: references and lengths, now that all nodes are known. */
static void check_references(mdd_survey *s)
{
  const mdd_manager *m = s->m;
  dd_roots_each(&m->roots, count_use, s);
  for (size_t i = 0; i < s->references.size && !s->problem; i++) {
    if (!s->references.entries[i].value)
      continue;
    mdd node = s->references.entries[i].key;
    for (mdd_cursor a = mdd_cursor_start(m, node);
         mdd_cursor_more(&a) && !s->problem; mdd_cursor_next(&a))
      count_use(s, a.child, 1);
    if (!s->problem)
      check_levels(s, node);
  }
}

static const char *check_bins(const mdd_manager *m)
{
  for (unsigned bin = 0; bin < MDD_BINS; bin++) {
    bool filled = m->filled[bin / 64] >> bin % 64 & 1;
    if (filled != (m->bins[bin] != 0))
      return "a bin is marked wrongly";
    uint32_t steps = 0;
    for (uint32_t at = m->bins[bin]; at; at = m->words[at + 1])
      if (at >= m->top || !(m->words[at] & MDD_FLAG_FREE) || ++steps > m->top)
        return "a bin holds what is not free";
  }
  return NULL;
}

static const char *check_results(const mdd_survey *s)
{
  const dd_cache *cache = &s->m->cache;
  size_t size = (size_t)1 << (64 - cache->shift);
  for (size_t i = 0; i < size; i++) {
    const dd_cache_entry *e = &cache->entries[i];
    mdd nodes[] = {e->a, e->b, e->result};
    for (int n = 0; n < 3; n++)
      if (nodes[n] > MDD_UNIT && !dd_map_get(&s->references, nodes[n]))
        return "the computed table mentions what is no node";
  }
  return NULL;
}

const char *mdd_check(const mdd_manager *m)
{
  mdd_survey s = {.m = m};
  s.problem = check_blocks(&s);
  if (!s.problem)
    check_references(&s);
  if (!s.problem)
    s.problem = check_bins(m);
  if (!s.problem)
    s.problem = check_results(&s);
  dd_map_free(&s.references);
  dd_map_free(&s.depths);
  return s.problem;
}
