/* Removing what no accepting run needs: states, marks. */

#include "logic/buchi/buchi_internal.h"

/* ---- states ---------------------------------------------------------------
 */

/* By component: whether an accepting one can be reached from it.  Components
** are numbered such that those behind come first. */
static bool *live_sccs(buchi_job *j, const graph *g, const sccs *c)
{
  bool *live = ARENA_ARRAY(j->scratch, bool, c->count);
  for (uint32_t i = 0; i < c->count; i++)
    live[i] = c->accepting[i];
  uint32_t n = graph_states(g);
  uint32_t *order = ARENA_ARRAY(j->scratch, uint32_t, n);
  uint32_t *start = ARENA_ARRAY(j->scratch, uint32_t, c->count + 1u);
  for (uint32_t q = 0; q < n; q++)
    start[c->of[q] + 1]++;
  for (uint32_t i = 0; i < c->count; i++)
    start[i + 1] += start[i];
  for (uint32_t q = 0; q < n; q++)
    order[start[c->of[q]]++] = q;
  for (uint32_t i = 0; i < n; i++)
    for (const graph_edge *e = edges_of(g, order[i]);
         e < edges_of(g, order[i] + 1); e++)
      if (live[c->of[e->target]])
        live[c->of[order[i]]] = true;
  return live;
}

/* What is left of the marks of an edge: only accepting components need any.
** When the marks belong to states, leaving a component does not matter. */
static uint64_t useful_marks(const graph *g, const sccs *c, uint32_t q,
                             const graph_edge *e)
{
  bool inside = g->by_state || c->of[q] == c->of[e->target];
  return c->accepting[c->of[q]] && inside ? e->marks : 0;
}

/* Keeps the states that are reachable and from which some word is accepted, in
** the order in which they are reached. */
graph *buchi_prune(buchi_job *j, graph *g)
{
#define NONE UINT32_MAX
  sccs c = graph_sccs(j, g, NULL);
  const bool *live = live_sccs(j, g, &c);
  uint32_t n = graph_states(g), count = 0;
  uint32_t *number = ARENA_ARRAY(j->scratch, uint32_t, n);
  uint32_t *order = ARENA_ARRAY(j->scratch, uint32_t, n);
  graph *out = graph_new(j);
  out->marks = g->marks;
  out->by_state = g->by_state;
  for (uint32_t q = 0; q < n; q++)
    number[q] = NONE;
  number[g->initial] = count;
  order[count++] = g->initial;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t q = order[i];
    graph_add_state(out);
    for (const graph_edge *e = edges_of(g, q); e < edges_of(g, q + 1); e++) {
      if (!live[c.of[e->target]])
        continue;
      if (number[e->target] == NONE) {
        number[e->target] = count;
        order[count++] = e->target;
      }
      uint64_t marks = useful_marks(g, &c, q, e);
      graph_add_edge(j, out, (graph_edge){number[e->target], e->label, marks});
    }
  }
  graph_finish(out);
  graph_release(j, g);
  return out;
}

/* ---- marks ----------------------------------------------------------------
 */

/* Adds a mark to the edges of accepting components all of whose cycles have
** it: those that do not lie on a cycle of edges without it. */
static void spread_mark(buchi_job *j, graph *g, const sccs *c, uint64_t mark)
{
  bool *without = ARENA_ARRAY(j->scratch, bool, g->edges.len);
  for (uint32_t q = 0; q < graph_states(g); q++)
    for (graph_edge *e = edges_of(g, q); e < edges_of(g, q + 1); e++)
      without[e - g->edges.data] =
          c->of[q] == c->of[e->target] && !(e->marks & mark);
  sccs cycles = graph_sccs(j, g, without);
  for (uint32_t q = 0; q < graph_states(g); q++) {
    if (!c->accepting[c->of[q]])
      continue;
    for (graph_edge *e = edges_of(g, q); e < edges_of(g, q + 1); e++) {
      bool inside = c->of[q] == c->of[e->target];
      bool free = g->by_state ? cycles.trivial[cycles.of[q]]
                              : cycles.of[q] != cycles.of[e->target];
      if ((inside || g->by_state) && free)
        e->marks |= mark;
    }
  }
}

graph *buchi_spread_marks(buchi_job *j, graph *g)
{
  sccs c = graph_sccs(j, g, NULL);
  for (uint32_t m = 0; m < g->marks; m++)
    spread_mark(j, g, &c, UINT64_C(1) << m);
  return g;
}

/* The marks that a component needs: one that is on every edge which has
** another one is not needed beside that, nor one that all edges have. */
static uint64_t needed_marks(const graph *g, const uint64_t *missing_with)
{
  uint64_t needed = graph_all_marks(g);
  for (uint32_t m = 0; m < g->marks; m++) {
    uint64_t bit = UINT64_C(1) << m;
    /* missing_with[64]: marks that some edge lacks. */
    if (!(missing_with[64] & bit))
      needed &= ~bit;
    for (uint32_t other = 0; other < g->marks && needed & bit; other++)
      if (other != m && needed >> other & 1 && !(missing_with[other] & bit))
        needed &= ~bit;
  }
  return needed;
}

/* Fills, for each component, which marks edges lack that have mark m. */
static uint64_t *marks_missing(buchi_job *j, const graph *g, const sccs *c)
{
  uint64_t *missing = ARENA_ARRAY(j->scratch, uint64_t, 65 * (size_t)c->count);
  for (uint32_t q = 0; q < graph_states(g); q++)
    for (const graph_edge *e = edges_of(g, q); e < edges_of(g, q + 1); e++) {
      if (c->of[e->target] != c->of[q])
        continue;
      uint64_t *row = missing + 65 * (size_t)c->of[q];
      row[64] |= ~e->marks;
      for (uint32_t m = 0; m < g->marks; m++)
        if (e->marks >> m & 1)
          row[m] |= ~e->marks;
    }
  return missing;
}

/* The bits of 'marks' that are in 'needed', moved together; all others up to
** 'count' are set. */
static uint64_t compact(uint64_t marks, uint64_t needed, uint32_t count)
{
  uint64_t result = 0;
  uint32_t at = 0;
  for (uint32_t m = 0; m < 64; m++)
    if (needed >> m & 1)
      result |= (marks >> m & 1) << at++;
  for (; at < count; at++)
    result |= UINT64_C(1) << at;
  return result;
}

static uint32_t bits(uint64_t x)
{
  uint32_t n = 0;
  for (; x; x &= x - 1)
    n++;
  return n;
}

graph *buchi_drop_marks(buchi_job *j, graph *g)
{
  sccs c = graph_sccs(j, g, NULL);
  uint64_t *missing = marks_missing(j, g, &c);
  uint64_t *needed = ARENA_ARRAY(j->scratch, uint64_t, c.count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < c.count; i++) {
    needed[i] = needed_marks(g, missing + 65 * (size_t)i);
    if (c.accepting[i] && bits(needed[i]) > count)
      count = bits(needed[i]);
    /* Without marks a cycle would be accepting. */
    if (!c.accepting[i] && !c.trivial[i] && count == 0)
      count = 1;
  }
  for (uint32_t q = 0; q < graph_states(g); q++)
    for (graph_edge *e = edges_of(g, q); e < edges_of(g, q + 1); e++) {
      bool inside = c.of[q] == c.of[e->target] && c.accepting[c.of[q]];
      e->marks = inside ? compact(e->marks, needed[c.of[q]], count) : 0;
    }
  g->marks = count;
  return g;
}
