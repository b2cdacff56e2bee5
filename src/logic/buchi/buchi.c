/* The way of a formula to its automaton: translate, reduce, degeneralise, and
** take the smallest. */

#include "logic/buchi/buchi.h"

#include "base/alloc.h"
#include "logic/buchi/buchi_internal.h"
#include <string.h>

/* Larger automata are reduced once, in one way. */
enum {
  SMALL_STATES = 60,
  SMALL_EDGES = 600,
  SMALL_EFFORT = 250000, /* in nodes of functions */
  ROUNDS_MAX = 8
};

static bool is_small(const buchi_job *j, const graph *g)
{
  return graph_states(g) <= SMALL_STATES && g->edges.len <= SMALL_EDGES &&
         j->spent + booleans_nodes(j->functions) <= SMALL_EFFORT;
}

/* ---- choosing the smallest ------------------------------------------------
 */

/* Simulation in both directions until nothing is gained any more. */
static graph *reduce(buchi_job *j, graph *g)
{
  uint64_t before;
  int round = 0;
  do {
    before = graph_cost(g);
    g = buchi_prune(j, buchi_simulate(j, g, false));
    g = buchi_prune(j, buchi_simulate(j, g, true));
    round++;
  } while (!j->tired && graph_cost(g) < before && round < ROUNDS_MAX &&
           is_small(j, g));
  return g;
}

static graph *copy(buchi_job *j, const graph *g)
{
  graph *out = graph_new(j);
  for (size_t i = 0; i < g->edges.len; i++)
    vec_push(&out->edges, g->edges.data[i]);
  for (size_t i = 0; i < g->first.len; i++)
    vec_push(&out->first, g->first.data[i]);
  out->initial = g->initial;
  out->marks = g->marks;
  out->by_state = g->by_state;
  return out;
}

/* The better of two graphs; the other one is released.  NULL is none. */
static graph *better(buchi_job *j, graph *a, graph *b)
{
  if (!a || !b)
    return a ? a : b;
  bool first = graph_cost(a) <= graph_cost(b);
  graph_release(j, first ? b : a);
  return first ? a : b;
}

/* Reduces a graph as it is, and with marks wherever they do no harm; keeps the
** better result. */
static graph *reduce_with_marks(buchi_job *j, graph *g)
{
  graph *other = NULL;
  if (is_small(j, g))
    other = reduce(j, copy(j, g));
  g = reduce(j, buchi_spread_marks(j, g));
  return better(j, other, g);
}

static graph *generalised(buchi_job *j, ltl_context *c, const ltl *f,
                          bool plain)
{
  graph *best = NULL;
  bool small = true;
  for (int split = 1; split >= 0 && small && !j->tired; split--) {
    buchi_collect(j);
    graph *g = buchi_tableau(j, c, f, split);
    if (best && j->too_large) {
      j->too_large = false;
      graph_release(j, g);
      buchi_collect(j);
      break;
    }
    if (j->too_large || plain)
      return g;
    g = buchi_prune(j, g);
    g = buchi_drop_marks(j, buchi_spread_marks(j, g));
    small = is_small(j, g);
    best = better(j, best, reduce_with_marks(j, g));
  }
  return buchi_drop_marks(j, best);
}

static graph *degeneralised(buchi_job *j, const graph *g, bool plain)
{
  graph *best = NULL;
  unsigned variants = !is_small(j, g) ? 1 : DEGENERALISATIONS;
  for (unsigned i = 0; i < variants; i++) {
    graph *it = buchi_degeneralise(j, g, i);
    if (plain)
      return it;
    best = better(j, best, reduce_with_marks(j, buchi_prune(j, it)));
  }
  return best;
}

/* Takes the deterministic automaton of an obligation instead of 'g' when it has
** no more states: deterministic properties make for smaller searches. */
static graph *minimised(buchi_job *j, const graph *source, graph *g)
{
  graph *small = buchi_minimise(j, source);
  if (!small)
    return g;
  small = buchi_prune(j, small);
  bool take = graph_states(small) <= graph_states(g);
  graph_release(j, take ? g : small);
  return take ? small : g;
}

/* ---- from a graph to an automaton -----------------------------------------
 */

/* Counts the products of all labels; with an automaton, writes them too. */
static uint32_t write_products(buchi_job *j, const graph *g, buchi *b)
{
  uint32_t count = 0;
  for (size_t i = 0; i < g->edges.len; i++) {
    boolean_make_cover(j->functions, g->edges.data[i].label, &j->cover);
    uint32_t products = (uint32_t)j->cover.ends.len;
    if (b) {
      b->edges[i].first_product = count;
      b->edges[i].product_count = products;
    }
    for (size_t k = 0, at = 0; b && k < products; k++)
      for (; at < j->cover.ends.data[k]; at++) {
        boolean_literal l = j->cover.literals.data[at];
        size_t word = 2 * (count + k) * b->words + l.variable / 64;
        b->products[word + (l.positive ? 0 : b->words)] |= UINT64_C(1)
                                                           << l.variable % 64;
      }
    count += products;
  }
  return count;
}

/* Whether labels of the same state exclude each other. */
static bool is_deterministic(buchi_job *j, const graph *g)
{
  for (uint32_t q = 0; q < graph_states(g); q++)
    for (const graph_edge *e = edges_of(g, q); e < edges_of(g, q + 1); e++)
      for (const graph_edge *f = edges_of(g, q); f < e; f++)
        if (boolean_and(j->functions, e->label, f->label) != BOOLEAN_FALSE)
          return false;
  return true;
}

/* By component: whether all of its cycles have all marks. */
static bool *inherently_weak(buchi_job *j, const graph *g, const sccs *c)
{
  bool *weak = ARENA_ARRAY(j->scratch, bool, c->count);
  bool *without = ARENA_ARRAY(j->scratch, bool, g->edges.len);
  for (uint32_t i = 0; i < c->count; i++)
    weak[i] = c->accepting[i];
  for (uint32_t m = 0; m < g->marks; m++) {
    for (size_t i = 0; i < g->edges.len; i++)
      without[i] = !(g->edges.data[i].marks >> m & 1);
    sccs cycles = graph_sccs(j, g, without);
    for (uint32_t q = 0; q < graph_states(g); q++)
      if (!cycles.trivial[cycles.of[q]])
        weak[c->of[q]] = false;
  }
  return weak;
}

static bool accepts_all(const graph *g, const sccs *c, uint32_t q)
{
  const graph_edge *e = edges_of(g, q), *end = edges_of(g, q + 1);
  return c->accepting[c->of[q]] && end - e == 1 && e->target == q &&
         e->label == BOOLEAN_TRUE;
}

static void describe_states(buchi_job *j, const graph *g, buchi *b)
{
  sccs c = graph_sccs(j, g, NULL);
  const bool *weak = inherently_weak(j, g, &c);
  b->weak = b->terminal = true;
  for (uint32_t q = 0; q < b->state_count; q++) {
    buchi_state *s = &b->states[q];
    s->first_edge = g->first.data[q];
    s->edge_count = g->first.data[q + 1] - s->first_edge;
    s->scc = c.of[q];
    s->accepts_all = accepts_all(g, &c, q);
    s->all_cycles = weak[c.of[q]];
    s->no_cycle = !c.accepting[c.of[q]];
    s->accepting = g->by_state && s->edge_count && edges_of(g, q)->marks;
    b->weak = b->weak && (s->all_cycles || s->no_cycle);
    b->terminal = b->terminal && (s->accepts_all || s->no_cycle);
  }
  b->empty = b->states[b->initial].edge_count == 0;
  b->universal = b->states[b->initial].accepts_all;
}

static buchi *finish(buchi_job *j, const graph *g)
{
  buchi *b = j->result = mem_alloc(sizeof *b);
  b->state_count = graph_states(g);
  b->edge_count = (uint32_t)g->edges.len;
  b->initial = g->initial;
  b->marks = g->marks;
  b->by_state = g->by_state;
  b->atoms = j->atoms;
  b->words = j->atoms > 64 ? (j->atoms + 63) / 64 : 1;
  b->product_count = write_products(j, g, NULL);
  b->states = mem_alloc(mem_product(b->state_count, sizeof *b->states));
  b->edges = mem_alloc(mem_product(b->edge_count + 1u, sizeof *b->edges));
  b->products =
      mem_alloc(mem_product(2 * ((size_t)b->product_count + 1) * b->words, 8));
  for (uint32_t i = 0; i < b->edge_count; i++) {
    b->edges[i].target = g->edges.data[i].target;
    b->edges[i].marks = g->edges.data[i].marks;
  }
  write_products(j, g, b);
  describe_states(j, g, b);
  b->deterministic = is_deterministic(j, g);
  j->result = NULL;
  return b;
}

/* ---- the public side ------------------------------------------------------
 */

typedef struct request {
  ltl_context *c;
  const ltl *f;
  buchi_options options;
  buchi *result;
} request;

/* The best graph for a formula in negation normal form; NULL when it is too
** large. */
static graph *best_graph(buchi_job *j, const request *r, const ltl *f,
                         bool obligation)
{
  bool plain = r->options.plain;
  graph *whole = generalised(j, r->c, f, plain), *g;
  if (j->too_large)
    return NULL;
  g = r->options.generalised ? copy(j, whole) : degeneralised(j, whole, plain);
  if (!plain && obligation)
    g = minimised(j, whole, g);
  graph_release(j, whole);
  return booleans_full(j->functions) ? NULL : g;
}

/* Rewriting sometimes makes an automaton larger: a small formula is translated
** as it stands as well. */
static void translate(buchi_job *j, void *context)
{
  enum { FORMULA_SMALL = 60, STATES_FEW = 2 };
  request *r = context;
  const ltl *simple = ltl_simplify(r->c, r->f);
  const ltl *normal = ltl_normalise(r->c, r->f);
  bool obligation = ltl_is(simple, LTL_OBLIGATION);
  graph *g = best_graph(j, r, simple, obligation);
  if (g && !r->options.plain && graph_states(g) > STATES_FEW &&
      is_small(j, g) && !j->tired && ltl_size(r->c, normal) <= FORMULA_SMALL) {
    g = better(j, g, best_graph(j, r, normal, obligation));
    j->too_large = false;
  }
  if (!g)
    return;
  r->result = finish(j, g);
  r->result->context = r->c;
  r->result->formula = r->f;
  r->result->ignores_stuttering = ltl_ignores_stuttering(r->c, r->f);
}

buchi *buchi_translate(ltl_context *c, const ltl *f, buchi_options options)
{
  request r = {c, f, options, NULL};
  if (f->depth <= LTL_DEPTH_MAX)
    buchi_run_job(ltl_atom_count(c), translate, &r);
  return r.result;
}

void buchi_destroy(buchi *b)
{
  if (!b)
    return;
  mem_free(b->states, b->state_count * sizeof *b->states);
  mem_free(b->edges, (b->edge_count + 1u) * sizeof *b->edges);
  mem_free(b->products, 16 * ((size_t)b->product_count + 1) * b->words);
  mem_free(b, sizeof *b);
}

bool buchi_check(const buchi *b)
{
  bool good = b->initial < b->state_count && b->marks <= BUCHI_MARKS_MAX;
  uint32_t edges = 0, products = 0;
  for (uint32_t q = 0; good && q < b->state_count; q++) {
    const buchi_state *s = &b->states[q];
    good = s->first_edge == edges;
    edges += s->edge_count;
    for (uint32_t i = s->first_edge; good && i < edges; i++) {
      const buchi_edge *e = &b->edges[i];
      good = e->target < b->state_count && e->product_count > 0 &&
             e->first_product == products &&
             b->states[e->target].scc <= s->scc &&
             (b->marks == 64 || e->marks >> b->marks == 0) &&
             (!b->by_state || e->marks == s->accepting);
      products += e->product_count;
    }
  }
  return good && edges == b->edge_count && products == b->product_count &&
         (!b->by_state || b->marks == 1);
}
