/* Collection: what is reachable from roots and arguments is marked, the rest
** becomes free, neighbouring free blocks become one.  It happens only between
** operations and needs no memory.  When time is up in the middle it is left. */

#include "base/alloc.h"
#include "dd/mdd/mdd_internal.h"

#include <assert.h>
#include <string.h>

static uint32_t block_words_at(const mdd_manager *m, uint32_t at)
{
  uint32_t word = m->words[at];
  return word & MDD_FLAG_FREE ? word & MDD_COUNT_MASK
                              : mdd_block_words(m, word & MDD_COUNT_MASK);
}

/* Recursion is as deep as there are levels.  While owning, a node that is met
** once only is found to be owned, one met again is not. */
static void mark_node(mdd_manager *m, mdd node)
{
  if (node <= MDD_UNIT || mdd_is_abandoned(m))
    return;
  assert(!(m->words[node] & MDD_FLAG_FREE));
  if (m->words[node] & MDD_FLAG_MARK) {
    m->words[node] &= ~MDD_FLAG_OWNED;
    return;
  }
  m->words[node] |= MDD_FLAG_MARK | (m->owning ? MDD_FLAG_OWNED : 0);
  const uint32_t *arcs = mdd_arc_words(m, node);
  size_t words = (size_t)mdd_arc_count(m, node) * m->width;
  for (size_t i = m->width - 1; i < words; i += m->width)
    mark_node(m, arcs[i]);
}

static void mark_set(void *context, uint32_t node, uint32_t count)
{
  (void)count;
  mark_node(context, node);
}

/* Sets that are counted may be held in any number of variables. */
static void disown_counted(mdd_manager *m)
{
  for (size_t i = 0; i < m->roots.counts.size; i++) {
    const dd_map_entry *entry = &m->roots.counts.entries[i];
    if (entry->value && entry->key > MDD_UNIT)
      m->words[entry->key] &= ~MDD_FLAG_OWNED;
  }
}

/* An argument may be a variable that is registered, too; this is then not a
** second reference. */
static void mark_arguments(mdd_manager *m)
{
  for (int i = 0; i < MDD_ARGUMENTS; i++) {
    mdd node = m->arguments[i];
    if (node > MDD_UNIT && !(m->words[node] & MDD_FLAG_MARK))
      mark_node(m, node);
  }
}

static bool is_marked_node(const mdd_manager *m, mdd node)
{
  return node <= MDD_UNIT || (m->words[node] & MDD_FLAG_MARK);
}

static bool mentions_marked_nodes(const void *context,
                                  const dd_cache_entry *entry)
{
  const mdd_manager *m = context;
  return is_marked_node(m, entry->a) && is_marked_node(m, entry->b) &&
         is_marked_node(m, entry->result);
}

/* Rebuilds table and bins.  Left in the middle, no figure has changed. */
static void sweep_blocks(mdd_manager *m)
{
  uint32_t used = m->used, nodes = m->nodes;
  memset(m->buckets, 0, sizeof *m->buckets << (64 - m->shift));
  memset(m->bins, 0, sizeof m->bins);
  memset(m->filled, 0, sizeof m->filled);
  m->used = m->nodes = 0;
  uint32_t run = 0; /* words free just before 'at' */
  for (uint32_t at = 2, words; at < m->top; at += words) {
    if (mdd_is_abandoned(m)) {
      m->used = used;
      m->nodes = nodes;
      return;
    }
    words = block_words_at(m, at);
    bool live = m->words[at] & MDD_FLAG_MARK;
    /* A run must not grow beyond what its first word can tell. */
    if (run && (live || run + words > MDD_COUNT_MASK)) {
      mdd_bin_block(m, at - run, run);
      run = 0;
    }
    if (live) {
      m->words[at] &= ~MDD_FLAG_MARK;
      m->used += words;
      m->nodes++;
      mdd_link(m, at);
    } else {
      run += words;
    }
  }
  m->top -= run; /* the end is cut off */
}

void mdd_collect(mdd_manager *m)
{
  assert(!m->held);
  dd_roots_each(&m->roots, mark_set, m);
  mark_arguments(m);
  if (m->abandoned)
    return;
  disown_counted(m);
  dd_cache_filter(&m->cache, mentions_marked_nodes, m);
  sweep_blocks(m);
  if (m->abandoned)
    return;
  m->collections++;
  uint64_t more = (uint64_t)m->used * m->garbage_percent / 100;
  more += (uint64_t)m->used + m->least_garbage;
  m->collect_at = more > UINT32_MAX ? UINT32_MAX : (uint32_t)more;
}

void mdd_set_garbage(mdd_manager *m, unsigned percent)
{
  m->garbage_percent = percent;
}

void mdd_set_least_garbage(mdd_manager *m, uint32_t words)
{
  m->least_garbage = words;
  m->collect_at = 2 * words;
}

void mdd_trim(mdd_manager *m)
{
  dd_cache_trim(&m->cache);
}

void mdd_shrink(mdd_manager *m, size_t bytes)
{
  dd_cache_trim(&m->cache);
  m->max_bytes -= bytes < m->max_bytes ? bytes : m->max_bytes;
}

void mdd_collect_if_due(mdd_manager *m)
{
  if (m->used >= m->collect_at && !m->held && !mem_is_due())
    mdd_collect(m);
}

void mdd_end_owning(mdd_manager *m)
{
  if (!m->owning)
    return;
  for (uint32_t at = 2; at < m->top && !mdd_is_abandoned(m);
       at += block_words_at(m, at))
    if (!(m->words[at] & MDD_FLAG_FREE))
      m->words[at] &= ~MDD_FLAG_OWNED;
  m->owning = false;
}

mdd mdd_run(mdd_manager *m, mdd_work *work, mdd a, mdd b, const void *context)
{
  if (a == MDD_FULL || b == MDD_FULL || m->abandoned)
    return MDD_FULL;
  mdd_end_owning(m);
  m->arguments[0] = a;
  m->arguments[1] = b;
  mdd_collect_if_due(m);
  mdd_fit_cache(m);
  mdd result = m->abandoned ? MDD_FULL : work(m, a, b, context);
  if (result == MDD_FULL && !m->held && !m->abandoned) {
    mdd_collect(m);
    result = m->abandoned ? MDD_FULL : work(m, a, b, context);
  }
  m->arguments[0] = m->arguments[1] = MDD_EMPTY;
  assert(!m->stack_top);
  return m->abandoned ? MDD_FULL : result;
}

/* ---- keeping ----------------------------------------------------------- */

mdd mdd_ref(mdd_manager *m, mdd set)
{
  if (set == MDD_FULL)
    return MDD_FULL;
  if (set > MDD_UNIT) {
    if (!dd_roots_add(&m->roots, set))
      return MDD_FULL;
    m->words[set] &= ~MDD_FLAG_OWNED;
  }
  return set;
}

void mdd_unref(mdd_manager *m, mdd set)
{
  if (set != MDD_FULL && set > MDD_UNIT)
    dd_roots_remove(&m->roots, set);
}

bool mdd_protect(mdd_manager *m, const mdd *sets, size_t count)
{
  return dd_roots_protect(&m->roots, sets, count);
}

void mdd_unprotect(mdd_manager *m, const mdd *sets)
{
  dd_roots_unprotect(&m->roots, sets);
}

void mdd_hold(mdd_manager *m)
{
  m->held++;
}

void mdd_release(mdd_manager *m)
{
  assert(m->held);
  m->held--;
}
