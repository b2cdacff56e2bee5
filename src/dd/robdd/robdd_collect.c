/* Collection: what is reachable from roots and arguments is marked, the rest
** becomes free.  It happens only between operations, so that operations need
** not protect what they are working on; it needs no memory, so that it is what
** to do when there is none left.  When time is up in the middle it is left. */

#include "base/alloc.h"
#include "dd/robdd/robdd_internal.h"

#include <assert.h>
#include <string.h>

/* Recursion is as deep as there are levels. */
static void mark_edge(robdd_manager *m, robdd f)
{
  for (uint32_t i = f >> 1; i; i = f >> 1) {
    robdd_node *n = &m->nodes[i];
    assert(n->level != LEVEL_FREE);
    if (n->next & NEXT_MARK || robdd_is_abandoned(m))
      return;
    n->next |= NEXT_MARK;
    mark_edge(m, n->low);
    f = n->high;
  }
}

static void mark_root(void *context, uint32_t f, uint32_t count)
{
  (void)count;
  mark_edge(context, f);
}

static bool is_marked_edge(const robdd_manager *m, robdd f)
{
  return f <= ROBDD_TRUE || (robdd_node_of(m, f)->next & NEXT_MARK);
}

static bool mentions_marked_only(const void *context,
                                 const dd_cache_entry *entry)
{
  const robdd_manager *m = context;
  return is_marked_edge(m, entry->a & ~ROBDD_OP_THREE) &&
         is_marked_edge(m, entry->b & ~ROBDD_OP_THREE) &&
         is_marked_edge(m, entry->result) &&
         (!((entry->a | entry->b) & ROBDD_OP_THREE) ||
          is_marked_edge(m, entry->c));
}

static void empty_tables(robdd_manager *m)
{
  for (uint32_t i = 0; i < m->variables; i++) {
    robdd_level_table *t = &m->levels[i];
    memset(t->buckets, 0, sizeof *t->buckets << (64 - t->shift));
    t->count = 0;
  }
}

/* Rebuilds tables and free list.  From the last node to the first, so that
** the lowest free numbers are used first and the end can be cut off.  Left in
** the middle, no figure has changed. */
static void sweep_nodes(robdd_manager *m)
{
  empty_tables(m);
  uint32_t top = 1, used = m->used;
  m->free = m->used = 0;
  for (uint32_t i = m->top; --i;) {
    if (robdd_is_abandoned(m)) {
      m->used = used;
      return;
    }
    robdd_node *n = &m->nodes[i];
    if (n->next & NEXT_MARK) {
      if (top == 1)
        top = i + 1;
      m->used++;
      robdd_link_node(m, i);
    } else {
      n->level = LEVEL_FREE;
      if (top > 1) {
        n->next = m->free;
        m->free = i;
      }
    }
  }
  m->top = top;
}

void robdd_collect(robdd_manager *m)
{
  assert(!m->held);
  dd_roots_each(&m->roots, mark_root, m);
  for (int i = 0; i < ROBDD_ARGUMENTS; i++)
    mark_edge(m, m->arguments[i]);
  if (m->abandoned) {
    empty_tables(m); /* their links carry marks */
    return;
  }
  dd_cache_filter(&m->cache, mentions_marked_only, m);
  sweep_nodes(m);
  if (m->abandoned)
    return;
  m->collections++;
  uint64_t more = (uint64_t)m->used * m->garbage_percent / 100;
  more += m->used + m->least_garbage;
  m->collect_at = more > ROBDD_MOST_NODES ? ROBDD_MOST_NODES : (uint32_t)more;
}

void robdd_set_least_garbage(robdd_manager *m, uint32_t nodes)
{
  m->least_garbage = nodes;
  m->collect_at = 2 * nodes;
}

void robdd_trim(robdd_manager *m)
{
  dd_cache_trim(&m->cache);
}

void robdd_shrink(robdd_manager *m, size_t bytes)
{
  dd_cache_trim(&m->cache);
  m->max_bytes -= bytes < m->max_bytes ? bytes : m->max_bytes;
}

void robdd_set_garbage(robdd_manager *m, unsigned percent)
{
  m->garbage_percent = percent;
}

robdd robdd_run(robdd_manager *m, robdd_work *work, robdd f, robdd g, robdd h,
                const void *context)
{
  if (m->abandoned)
    return ROBDD_FULL;
  m->arguments[0] = f;
  m->arguments[1] = g;
  m->arguments[2] = h;
  if (m->used >= m->collect_at && !m->held && !mem_is_due()) {
    robdd_collect(m);
    if (m->reorders && m->used >= m->reorder_at && !m->abandoned)
      (void)robdd_reorder(m);
  }
  robdd_fit_cache(m);
  m->ended = false;
  robdd result = m->abandoned ? ROBDD_FULL : work(m, f, g, h, context);
  if (result == ROBDD_FULL && !m->held && !m->ended && !m->abandoned) {
    robdd_collect(m);
    result = m->abandoned ? ROBDD_FULL : work(m, f, g, h, context);
  }
  memset(m->arguments, 0, sizeof m->arguments);
  return m->abandoned ? ROBDD_FULL : result;
}

/* ---- keeping ----------------------------------------------------------- */

robdd robdd_ref(robdd_manager *m, robdd f)
{
  if (f == ROBDD_FULL)
    return ROBDD_FULL;
  /* Constants need no protection and take no memory. */
  if (f > ROBDD_TRUE && !dd_roots_add(&m->roots, f & ~(robdd)1))
    return ROBDD_FULL;
  return f;
}

void robdd_unref(robdd_manager *m, robdd f)
{
  if (f != ROBDD_FULL && f > ROBDD_TRUE)
    dd_roots_remove(&m->roots, f & ~(robdd)1);
}

bool robdd_protect(robdd_manager *m, const robdd *functions, size_t count)
{
  return dd_roots_protect(&m->roots, functions, count);
}

void robdd_unprotect(robdd_manager *m, const robdd *functions)
{
  dd_roots_unprotect(&m->roots, functions);
}

void robdd_hold(robdd_manager *m)
{
  m->held++;
}

void robdd_release(robdd_manager *m)
{
  assert(m->held);
  m->held--;
}
