/* Fairness: which loops of the product count.
**
** Weak: a process that can move in all states of a loop moves in it.  Each
** process must have its turn, which is to move, or to be in a state where it
** cannot.  Nested search has no place for that but the state itself, which
** gets a round (Choueka's construction): round i waits for the turn of process
** i - 1, and only round 0 accepts.  The search by components adds up turns, as
** it adds up marks: both are the 'gains' of a step, of a component, of a loop.
**
** Strong: a process that can move in some state of a loop moves in it.  That
** is not local to steps, and looked at when a component is finished.  In a
** component where some process can move but does not, the states in which it
** can are taken away, and what is left is looked at again, component by
** component (after Emerson & Lei, "Modalities for model checking: branching
** time logic strikes back", 1987).  For this the component is written down as
** a graph. */

#include "search/liveness/scc.h"

#include "base/alloc.h"

#include <string.h>

/* ---- weak -------------------------------------------------------------- */

uint32_t product_next_round(const product *p, uint32_t round, bool accepting,
                            const process_set *who)
{
  uint32_t wanted = round ? round - 1 : 0; /* process waited for */
  if (!round && !accepting)
    return 0;
  for (uint32_t w = wanted / 64; w < PROCESS_WORDS; w++) {
    uint64_t waiting = p->enabled.words[w] & ~who->words[w];
    if (w == wanted / 64)
      waiting &= UINT64_MAX << wanted % 64;
    if (waiting)
      return 1 + 64 * w + (uint32_t)__builtin_ctzll(waiting);
  }
  return 0;
}

gains scc_all(const live *l)
{
  gains all = {0};
  if (l->observer.marks)
    all.marks = UINT64_MAX >> (64 - l->observer.marks);
  for (size_t w = 0; w < PROCESS_WORDS; w++)
    all.turns.words[w] = l->fairness == NUT_FAIR_WEAK ? UINT64_MAX : 0;
  return all;
}

gains scc_gain(const live *l, const product_edge *e, const process_set *enabled)
{
  gains g = {.marks = e->marks};
  if (l->fairness == NUT_FAIR_NONE)
    return g;
  g.turns = product_movers(&l->product, e->movers);
  if (l->fairness == NUT_FAIR_WEAK)
    for (size_t w = 0; w < PROCESS_WORDS; w++)
      g.turns.words[w] |= ~enabled->words[w];
  return g;
}

/* ---- strong ------------------------------------------------------------ */

typedef struct graph_edge {
  uint32_t target;
  uint32_t movers;
  uint64_t marks;
} graph_edge;

typedef struct graph_node {
  store_handle number;
  size_t first_edge;
  process_set enabled;
  uint32_t region; /* nodes of the same region may still make a loop; 0: out */
  uint32_t index, low;
} graph_node;

/* A place in the depth-first search over the graph. */
typedef struct visit {
  uint32_t node;
  size_t next_edge;
} visit;

typedef struct graph {
  live *live;
  size_t first;        /* frame of the component */
  number_map nodes_of; /* by number: place of the node plus 1 */
  number_map regions;  /* by number: the region, for the lasso */
  VEC(graph_node) nodes;
  VEC(graph_edge) edges;
  VEC(uint32_t) order; /* the nodes, those of a region together */
  VEC(uint32_t) stack; /* of Tarjan's algorithm */
  VEC(visit) visits;
  VEC(uint32_t) pending; /* regions to be looked at: first and end in 'order' */
  uint32_t regions_made, index;
  uint8_t *state;
  size_t room;
} graph;

/* ---- writing it down --------------------------------------------------- */

static size_t edges_end(const graph *g, uint32_t node)
{
  return node + 1 < g->nodes.len ? g->nodes.data[node + 1].first_edge
                                 : g->edges.len;
}

/* The steps of a node that stay in the component. */
static bool add_edges(graph *g, uint32_t node)
{
  live *l = g->live;
  product *p = &l->product;
  uint32_t length = scc_fetch(l, g->nodes.data[node].number, g->state);
  product_expand(p, g->state, length);
  g->nodes.data[node].first_edge = g->edges.len;
  g->nodes.data[node].enabled = p->enabled;
  for (size_t i = 0; i < p->edges.len; i++) {
    const product_edge *e = p->edges.data + i;
    live_frame f;
    bool fresh;
    store_handle number;
    if (!scc_compose(l, e, g->state, length, &f) ||
        !scc_number(l, &f, &fresh, &number))
      return false;
    uint32_t to = number_map_get(&g->nodes_of, number);
    if (to)
      vec_push(&g->edges, ((graph_edge){to - 1, e->movers, e->marks}));
  }
  return true;
}

static bool write_down(graph *g, size_t first)
{
  live *l = g->live;
  g->nodes_of.dense = g->regions.dense = l->indices.dense;
  g->room = scc_longest(l);
  g->state = mem_alloc(g->room);
  for (size_t i = first; i < l->active.len; i++) {
    graph_node n = {.number = l->active.data[i], .region = 1};
    vec_push(&g->order, (uint32_t)g->nodes.len);
    vec_push(&g->nodes, n);
    *number_map_at(&g->nodes_of, n.number) = (uint32_t)g->nodes.len;
  }
  for (uint32_t i = 0; i < g->nodes.len; i++) {
    if (!add_edges(g, i))
      return false;
    if (!--l->watch.countdown)
      watch_look(&l->watch);
    if (l->watch.stop)
      return false;
  }
  g->regions_made = 1;
  return true;
}

/* ---- components of a region --------------------------------------------- */

/* Whether the nodes on the stack from 'first' on make a fair, accepted loop.
** 'unfair' gets the processes that do not move though they can. */
static bool is_fair(const graph *g, size_t first, gains *have,
                    process_set *unfair)
{
  uint32_t region = g->nodes.data[g->stack.data[first]].region;
  process_set can = {{0}};
  bool loop = false;
  *have = (gains){0};
  for (size_t i = first; i < g->stack.len; i++) {
    const graph_node *n = g->nodes.data + g->stack.data[i];
    for (size_t e = n->first_edge; e < edges_end(g, g->stack.data[i]); e++) {
      const graph_edge *via = g->edges.data + e;
      if (g->nodes.data[via->target].region != region)
        continue;
      loop = true;
      gains_add(have, &(gains){via->marks,
                               product_movers(&g->live->product, via->movers)});
    }
    for (size_t w = 0; w < PROCESS_WORDS; w++)
      can.words[w] |= n->enabled.words[w];
  }
  uint64_t some = 0;
  for (size_t w = 0; w < PROCESS_WORDS; w++)
    some |= unfair->words[w] = can.words[w] & ~have->turns.words[w];
  return loop && !some;
}

/* Takes a component that is on the stack from 'first' on: gives it a region of
** its own.  True when it has a fair loop.  Otherwise what is left of it, if it
** is accepted at all, is to be looked at again. */
static bool take_scc(graph *g, size_t first)
{
  gains all = scc_all(g->live), have;
  process_set unfair;
  uint32_t region = ++g->regions_made;
  for (size_t i = first; i < g->stack.len; i++)
    g->nodes.data[g->stack.data[i]].region = region;
  bool fair = is_fair(g, first, &have, &unfair);
  bool accepted = (have.marks & all.marks) == all.marks;
  if (fair && accepted)
    return true;
  size_t start = g->order.len;
  for (size_t i = first; i < g->stack.len; i++) {
    graph_node *n = g->nodes.data + g->stack.data[i];
    uint64_t out = 0;
    for (size_t w = 0; w < PROCESS_WORDS; w++)
      out |= n->enabled.words[w] & unfair.words[w];
    n->index = n->low = 0;
    if (out || fair || !accepted)
      n->region = 0;
    else
      vec_push(&g->order, g->stack.data[i]);
  }
  if (g->order.len > start) {
    vec_push(&g->pending, (uint32_t)start);
    vec_push(&g->pending, (uint32_t)g->order.len);
  }
  g->stack.len = first;
  return false;
}

static void enter(graph *g, uint32_t node)
{
  graph_node *n = g->nodes.data + node;
  n->index = n->low = ++g->index;
  vec_push(&g->stack, node);
  vec_push(&g->visits, ((visit){node, n->first_edge}));
}

/* One step of Tarjan's algorithm; true when a fair loop was found. */
static bool visit_top(graph *g, uint32_t region)
{
  visit *v = &vec_last(&g->visits);
  graph_node *n = g->nodes.data + v->node;
  if (v->next_edge < edges_end(g, v->node)) {
    uint32_t to = g->edges.data[v->next_edge++].target;
    const graph_node *t = g->nodes.data + to;
    if (t->region != region)
      return false;
    if (!t->index)
      enter(g, to);
    else if (t->index < n->low)
      n->low = t->index;
    return false;
  }
  uint32_t node = v->node, low = n->low;
  (void)vec_pop(&g->visits);
  if (g->visits.len) {
    graph_node *below = g->nodes.data + vec_last(&g->visits).node;
    if (low < below->low)
      below->low = low;
  }
  if (low != n->index)
    return false;
  size_t first = g->stack.len;
  while (g->stack.data[--first] != node)
    continue;
  return take_scc(g, first);
}

/* Looks at all components of the nodes 'first' to 'end' of 'order', which have
** one region. */
static bool split(graph *g, size_t first, size_t end)
{
  uint32_t region = g->nodes.data[g->order.data[first]].region;
  g->index = 0;
  for (size_t i = first; i < end; i++) {
    uint32_t node = g->order.data[i];
    if (g->nodes.data[node].region != region || g->nodes.data[node].index)
      continue;
    enter(g, node);
    while (g->visits.len)
      if (visit_top(g, region))
        return true;
  }
  return false;
}

/* ---- the whole --------------------------------------------------------- */

/* The nodes on the stack that have the region of the top one make the loop. */
static void show_loop(graph *g)
{
  gains needed = scc_all(g->live);
  uint32_t region = g->nodes.data[vec_last(&g->stack)].region;
  for (size_t i = 0; i < g->nodes.len; i++) {
    const graph_node *n = g->nodes.data + i;
    *number_map_at(&g->regions, n->number) = n->region;
    if (n->region == region)
      for (size_t w = 0; w < PROCESS_WORDS; w++)
        needed.turns.words[w] |= n->enabled.words[w];
  }
  territory where = {.regions = &g->regions, .region = region};
  scc_lasso(g->live, &where, needed);
}

static void find(graph *g, size_t first)
{
  if (!write_down(g, first))
    return;
  vec_push(&g->pending, 0);
  vec_push(&g->pending, (uint32_t)g->order.len);
  while (g->pending.len) {
    uint32_t end = vec_pop(&g->pending), start = vec_pop(&g->pending);
    if (split(g, start, end)) {
      show_loop(g);
      return;
    }
  }
}

static void graph_free(void *graph_of_states)
{
  graph *g = graph_of_states;
  number_map_free(&g->nodes_of);
  number_map_free(&g->regions);
  vec_free(&g->nodes);
  vec_free(&g->edges);
  vec_free(&g->order);
  vec_free(&g->stack);
  vec_free(&g->visits);
  vec_free(&g->pending);
  mem_free(g->state, g->room);
}

static void do_find(void *graph_of_states)
{
  graph *g = graph_of_states;
  find(g, g->first);
}

bool scc_find_fair(live *l, size_t first)
{
  graph g = {.live = l, .first = first};
  mem_protect_tidy(do_find, graph_free, &g);
  return l->found;
}
