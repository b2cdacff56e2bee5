/* Reading diagrams: values, counts, sizes. */

#include "dd/robdd/robdd_internal.h"

#include "base/alloc.h"
#include "dd/counts.h"

#include <assert.h>

bool robdd_value(const robdd_manager *m, robdd f, const uint8_t *values)
{
  assert(f != ROBDD_FULL);
  while (f > ROBDD_TRUE) {
    const robdd_node *n = robdd_node_of(m, f);
    f = (values[m->variable_at[n->level]] ? n->high : n->low) ^ (f & 1);
  }
  return f == ROBDD_TRUE;
}

/* ---- counting assignments ---------------------------------------------- */

/* Counts per node: the assignments to the variables from its level on that
** make its function 1. */
typedef struct counting {
  const robdd_manager *m;
  dd_counts counts;
  bignum part; /* scratch */
} counting;

static bool count_node(counting *c, uint32_t node);

/* Adds to 'sum' the assignments to the variables from 'level' on that make the
** function of an edge 1. */
static bool add_edge_count(counting *c, robdd f, uint32_t level, bignum *sum)
{
  uint32_t variables = c->m->variables, at = variables;
  bignum *part = &c->part, below = {0};
  if (f > ROBDD_TRUE) {
    at = robdd_level(c->m, f);
    if (!count_node(c, f >> 1))
      return false;
    below = dd_counts_get(&c->counts, f >> 1);
  }
  if (f & 1) {
    if (!bignum_set(part, 1) || !bignum_shift_left(part, variables - at))
      return false;
    bignum_subtract(part, &below);
  } else if (!bignum_copy(part, &below)) {
    return false;
  }
  return bignum_shift_left(part, at - level) && bignum_add(sum, part);
}

static bool count_node(counting *c, uint32_t node)
{
  if (dd_counts_has(&c->counts, node))
    return true;
  const robdd_node *n = &c->m->nodes[node];
  bignum count = {0};
  bool ok = add_edge_count(c, n->low, n->level + 1, &count) &&
            add_edge_count(c, n->high, n->level + 1, &count) &&
            dd_counts_put(&c->counts, node, &count);
  bignum_free(&count);
  return ok;
}

bool robdd_count(const robdd_manager *m, robdd f, uint32_t variables,
                 bignum *count)
{
  assert(f != ROBDD_FULL && variables <= m->variables);
  counting c = {.m = m};
  bignum result = {0};
  bool ok = add_edge_count(&c, f, 0, &result);
  dd_counts_free(&c.counts);
  bignum_free(&c.part);
  if (!ok) {
    bignum_free(&result);
    return false;
  }
  /* All variables were counted; those not asked for only double the count. */
  bignum_shift_right(&result, m->variables - variables);
  bignum_free(count);
  *count = result;
  return true;
}

/* ---- walks over nodes -------------------------------------------------- */

/* Adds the nodes below an edge that are not yet in 'seen'. */
static bool visit_nodes(const robdd_manager *m, robdd f, dd_map *seen,
                        size_t *count)
{
  for (uint32_t i = f >> 1; i; i = f >> 1) {
    uint32_t *there = dd_map_at(seen, i);
    if (!there)
      return false;
    if (*there)
      return true;
    *there = 1;
    ++*count;
    if (!visit_nodes(m, m->nodes[i].low, seen, count))
      return false;
    f = m->nodes[i].high;
  }
  return true;
}

size_t robdd_size(const robdd_manager *m, const robdd *functions, size_t count)
{
  dd_map seen = {0};
  size_t result = 0;
  for (size_t i = 0; i < count && result != SIZE_MAX; i++) {
    assert(functions[i] != ROBDD_FULL);
    if (!visit_nodes(m, functions[i], &seen, &result))
      result = SIZE_MAX;
  }
  dd_map_free(&seen);
  return result;
}

static bool grow_scratch(robdd_manager *m, size_t needed)
{
  if (needed <= m->scratch_cap)
    return true;
  uint32_t *new = mem_try_resize(m->scratch, m->scratch_cap * sizeof *new,
                                 mem_product(needed, sizeof *new));
  if (!new)
    return false;
  m->scratch = new;
  m->scratch_cap = needed;
  return true;
}

bool robdd_list(robdd_manager *m, const robdd *functions, size_t count)
{
  dd_map seen = {0};
  size_t nodes = 0;
  bool ok = true;
  for (size_t i = 0; i < count && ok; i++)
    ok = visit_nodes(m, functions[i], &seen, &nodes);
  ok = ok && grow_scratch(m, nodes);
  m->scratch_len = 0;
  /* Counting sort by level. */
  for (uint32_t level = 0; ok && level < m->variables; level++)
    m->path[level] = 0;
  for (size_t i = 0; ok && i < seen.size; i++)
    if (seen.entries[i].value)
      m->path[m->nodes[seen.entries[i].key].level]++;
  for (uint32_t level = 0, start = 0; ok && level < m->variables; level++) {
    uint32_t here = m->path[level];
    m->path[level] = start;
    start += here;
  }
  for (size_t i = 0; ok && i < seen.size; i++)
    if (seen.entries[i].value) {
      uint32_t node = seen.entries[i].key;
      m->scratch[m->path[m->nodes[node].level]++] = node;
      m->scratch_len++;
    }
  dd_map_free(&seen);
  return ok;
}
