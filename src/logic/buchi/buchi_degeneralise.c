/* From marks on edges to accepting states.
**
** A state all of whose cycles have all marks can be accepting as it is.  What
** is left of the graph without such states is cut into components again.  In
** those with an accepting cycle a state becomes several copies, one per level:
** at level i the run waits for the i-th mark (in some order), and one edge can
** take it several levels up.  The copy on the top level is accepting, and its
** edges start at level 0 again.
**
** All copies of a state accept the same words, so it does not matter which one
** an edge from outside leads to.  We take one in the last component that has
** any, which often leaves the others unreachable.  (Giannakopoulou & Lerda,
** "From states to transitions", 2002; Babiak et al., "Compositional approach
** to suspension", 2013.) */

#include "logic/buchi/buchi_internal.h"

typedef struct copies {
  buchi_job *j;
  const graph *g;
  sccs c;           /* of the graph without the states that are ... */
  bool *accepting;  /* by state: on accepting cycles only, if on any */
  uint32_t *number; /* by state and level, plus 1 */
  uint32_t *state, *level;
  uint32_t count;
  unsigned variant;
  graph *out;
} copies;

/* Finds the states on accepting cycles only, and the components without. */
static void find_accepting(copies *k)
{
  buchi_job *j = k->j;
  const graph *g = k->g;
  uint32_t n = graph_states(g);
  sccs whole = graph_sccs(j, g, NULL);
  bool *only = ARENA_ARRAY(j->scratch, bool, g->edges.len);
  k->accepting = ARENA_ARRAY(j->scratch, bool, n);
  for (uint32_t q = 0; q < n; q++)
    k->accepting[q] = whole.accepting[whole.of[q]];
  for (uint32_t m = 0; m < g->marks; m++) {
    for (size_t i = 0; i < g->edges.len; i++)
      only[i] = !(g->edges.data[i].marks >> m & 1);
    sccs cycles = graph_sccs(j, g, only);
    for (uint32_t q = 0; q < n; q++)
      if (!cycles.trivial[cycles.of[q]])
        k->accepting[q] = false;
  }
  for (uint32_t q = 0; q < n; q++)
    for (uint32_t i = g->first.data[q]; i < g->first.data[q + 1]; i++)
      only[i] = !k->accepting[q] && !k->accepting[g->edges.data[i].target];
  k->c = graph_sccs(j, g, only);
}

static uint32_t copy_of(copies *k, uint32_t state, uint32_t level)
{
  uint32_t *number = &k->number[(size_t)state * (k->g->marks + 1u) + level];
  if (!*number) {
    k->state[k->count] = state;
    k->level[k->count] = level;
    *number = ++k->count;
  }
  return *number - 1;
}

/* Which mark a level waits for. */
static uint32_t mark_at(const copies *k, uint32_t level)
{
  return k->variant & 1 ? k->g->marks - 1 - level : level;
}

/* The level at which a component is entered. */
static uint32_t entry_level(const copies *k, uint32_t state)
{
  if (k->accepting[state])
    return k->g->marks;
  return k->c.accepting[k->c.of[state]] && k->variant & 2 ? k->g->marks : 0;
}

static uint32_t level_behind(const copies *k, uint32_t level,
                             const graph_edge *e)
{
  if (level == k->g->marks)
    level = 0;
  while (level < k->g->marks && e->marks >> mark_at(k, level) & 1)
    level++;
  return level;
}

static void add_edges(copies *k, uint32_t i)
{
  uint32_t q = k->state[i], scc = k->c.of[q];
  bool levels = k->c.accepting[scc];
  bool accepting = k->accepting[q] || (levels && k->level[i] == k->g->marks);
  for (const graph_edge *e = edges_of(k->g, q); e < edges_of(k->g, q + 1);
       e++) {
    bool inside = k->c.of[e->target] == scc;
    uint32_t level = inside && levels ? level_behind(k, k->level[i], e)
                                      : entry_level(k, e->target);
    uint32_t target = copy_of(k, e->target, level);
    graph_add_edge(k->j, k->out, (graph_edge){target, e->label, accepting});
  }
}

/* Leads edges between components to the copy that lies last. */
static void redirect(copies *k)
{
  graph *g = k->out;
  sccs c = graph_sccs(k->j, g, NULL);
  uint32_t *best = ARENA_ARRAY(k->j->scratch, uint32_t, graph_states(k->g));
  for (uint32_t i = 0; i < k->count; i++) {
    uint32_t *b = &best[k->state[i]];
    if (!*b || c.of[i] < c.of[*b - 1])
      *b = i + 1;
  }
  for (uint32_t i = 0; i < k->count; i++)
    for (graph_edge *e = edges_of(g, i); e < edges_of(g, i + 1); e++) {
      uint32_t other = best[k->state[e->target]] - 1;
      if (c.of[e->target] != c.of[i] && c.of[other] < c.of[e->target])
        e->target = other;
    }
  uint32_t other = best[k->state[g->initial]] - 1;
  if (c.of[other] < c.of[g->initial])
    g->initial = other;
}

graph *buchi_degeneralise(buchi_job *j, const graph *g, unsigned variant)
{
  copies k = {.j = j, .g = g, .variant = variant};
  size_t most = (size_t)graph_states(g) * (g->marks + 1u);
  find_accepting(&k);
  k.number = ARENA_ARRAY(j->scratch, uint32_t, most);
  k.state = ARENA_ARRAY(j->scratch, uint32_t, most);
  k.level = ARENA_ARRAY(j->scratch, uint32_t, most);
  k.out = graph_new(j);
  k.out->marks = 1;
  k.out->by_state = true;
  k.out->initial = copy_of(&k, g->initial, entry_level(&k, g->initial));
  for (uint32_t i = 0; i < k.count; i++) {
    graph_add_state(k.out);
    add_edges(&k, i);
  }
  graph_finish(k.out);
  redirect(&k);
  return k.out;
}
