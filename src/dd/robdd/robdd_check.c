/* The invariants of robdd.h and robdd_internal.h, one by one. */

#include "dd/robdd/robdd_internal.h"

static const char *check_node(const robdd_manager *m, uint32_t i)
{
  const robdd_node *n = &m->nodes[i];
  if (n->level >= m->variables)
    return "a node has a level that does not exist";
  if (n->low & 1)
    return "a low edge is complemented";
  if (n->low == n->high)
    return "a node is redundant";
  robdd children[] = {n->low, n->high};
  for (int c = 0; c < 2; c++) {
    if (children[c] >> 1 >= m->top)
      return "an edge leads nowhere";
    uint32_t level = robdd_level(m, children[c]);
    if (level == LEVEL_FREE)
      return "an edge leads to a free node";
    if (level <= n->level)
      return "an edge does not lead downwards";
  }
  return NULL;
}

/* The node is in its bucket, and no equal one before it. */
static const char *check_place(const robdd_manager *m, uint32_t i)
{
  const robdd_node *n = &m->nodes[i];
  const robdd_level_table *t = &m->levels[n->level];
  uint32_t at = t->buckets[robdd_hash(n->low, n->high) >> t->shift];
  for (; at; at = m->nodes[at].next) {
    if (at == i)
      return NULL;
    if (m->nodes[at].low == n->low && m->nodes[at].high == n->high)
      return "two nodes are equal";
  }
  return "a node is not in the table of its level";
}

static const char *check_tables(const robdd_manager *m)
{
  uint64_t total = 0;
  for (uint32_t level = 0; level < m->variables; level++) {
    const robdd_level_table *t = &m->levels[level];
    uint64_t count = 0;
    for (size_t b = 0; b < (size_t)1 << (64 - t->shift); b++)
      for (uint32_t i = t->buckets[b]; i; i = m->nodes[i].next) {
        if (m->nodes[i].level != level)
          return "a table has a node of another level";
        if (++count > m->used)
          return "a bucket has no end";
      }
    if (count != t->count)
      return "the number of nodes of a level is wrong";
    total += count;
  }
  return total == m->used ? NULL : "the number of nodes is wrong";
}

static const char *check_free_list(const robdd_manager *m)
{
  uint32_t free = 0;
  for (uint32_t i = m->free; i; i = m->nodes[i].next) {
    if (i >= m->top || m->nodes[i].level != LEVEL_FREE)
      return "the free list has a node in use";
    if (++free >= m->top)
      return "the free list has no end";
  }
  return free + m->used + 1 == m->top ? NULL : "nodes are lost";
}

static const char *check_order(const robdd_manager *m)
{
  for (uint32_t v = 0; v < m->variables; v++) {
    if (m->level_of[v] >= m->variables || m->variable_at[m->level_of[v]] != v)
      return "levels and variables do not match";
    /* A group ends where its next level has another number; that number must
    ** not come again. */
    uint32_t level = m->level_of[v], group = m->group_of[v];
    if (!group || level + 1 >= m->variables ||
        m->group_of[m->variable_at[level + 1]] == group)
      continue;
    for (uint32_t l = level + 1; l < m->variables; l++)
      if (m->group_of[m->variable_at[l]] == group)
        return "a group is torn apart";
  }
  return NULL;
}

static bool exists_edge(const robdd_manager *m, robdd f)
{
  return f >> 1 < m->top && robdd_level(m, f) != LEVEL_FREE;
}

static const char *check_cache(const robdd_manager *m)
{
  size_t size = (size_t)1 << (64 - m->cache.shift);
  for (size_t i = 0; i < size; i++) {
    const dd_cache_entry *e = &m->cache.entries[i];
    if (!(e->a | e->b | e->c))
      continue;
    if (!exists_edge(m, e->a & ~ROBDD_OP_THREE) ||
        !exists_edge(m, e->b & ~ROBDD_OP_THREE) || !exists_edge(m, e->result) ||
        ((e->a & ROBDD_OP_THREE) && !exists_edge(m, e->c)))
      return "the computed table mentions a free node";
  }
  return NULL;
}

typedef struct root_check {
  const robdd_manager *m;
  bool ok;
} root_check;

static void check_root(void *context, uint32_t f, uint32_t count)
{
  (void)count;
  root_check *c = context;
  c->ok = c->ok && exists_edge(c->m, f);
}

const char *robdd_check(const robdd_manager *m)
{
  if (m->nodes[0].level != LEVEL_TERMINAL)
    return "the terminal is broken";
  const char *problem = check_tables(m);
  for (uint32_t i = 1; i < m->top && !problem; i++)
    if (m->nodes[i].level != LEVEL_FREE) {
      problem = check_node(m, i);
      if (!problem)
        problem = check_place(m, i);
    }
  if (!problem)
    problem = check_free_list(m);
  if (!problem)
    problem = check_order(m);
  if (!problem)
    problem = check_cache(m);
  root_check roots = {m, true};
  dd_roots_each(&m->roots, check_root, &roots);
  if (!problem && !roots.ok)
    problem = "a root is a free node";
  return problem;
}
