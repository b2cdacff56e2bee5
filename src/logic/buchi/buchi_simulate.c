/* Merging states, and dropping edges, by direct simulation.
**
** State q is below state r when r can match every edge of q by one with the
** same letter, at least the same marks, and a target that is not below the
** other target only.  States that are below each other are merged; an edge is
** dropped when another edge of the same state does more.
**
** All this is in one Boolean function per state, its signature, after Babiak,
** Badie, Duret-Lutz, Kretinsky & Strejcek, "Compositional approach to
** suspension and other improvements to LTL translation" (2013):
**
**   sum over edges:  label  and  lacks(m) for each mark m that the edge lacks
**                    and  above(c) for each class c that is above the target
**
** q is below r exactly when the signature of q implies that of r.  Starting
** with one class for all states, signatures are computed until nothing
** changes; then the edges are read off the signatures, as a sum of products.
**
** Backwards the same is done with incoming edges: q is below r when every way
** into q can be matched by a way into r. */

#include "logic/buchi/buchi_internal.h"

#include "base/alloc.h"
#include <assert.h>
#include <string.h>

/* Automata with more classes are reduced by equality only, not by order. */
enum { ORDERED_MAX = 128, NODES_KEPT = 1 << 16 };

typedef struct simulation {
  buchi_job *j;
  const graph *g;
  bool backwards;
  uint32_t n;
  /* For backwards: incoming edges, as indices, and the source of each edge. */
  uint32_t *incoming, *first_incoming, *source;
  bool *accepting; /* by state; for graphs by_state */
  uint32_t *class_of, *new_class;
  boolean *signature;           /* by class */
  boolean *above;               /* by class: product over the classes above */
  uint32_t classes, pairs;      /* pairs: how many classes are above others */
  uint32_t lacks, initial, one; /* first variables of each kind */
} simulation;

static void find_incoming(simulation *s)
{
  arena *a = s->j->scratch;
  const graph *g = s->g;
  size_t m = g->edges.len;
  s->incoming = ARENA_ARRAY(a, uint32_t, m);
  s->source = ARENA_ARRAY(a, uint32_t, m);
  s->first_incoming = ARENA_ARRAY(a, uint32_t, s->n + 2u);
  uint32_t *at = s->first_incoming + 1;
  for (size_t i = 0; i < m; i++)
    at[g->edges.data[i].target + 1]++;
  for (uint32_t q = 0; q < s->n; q++)
    at[q + 1] += at[q];
  for (uint32_t q = 0; q < s->n; q++)
    for (uint32_t i = g->first.data[q]; i < g->first.data[q + 1]; i++) {
      s->source[i] = q;
      s->incoming[at[g->edges.data[i].target]++] = i;
    }
}

static void begin(simulation *s)
{
  arena *a = s->j->scratch;
  s->n = graph_states(s->g);
  s->class_of = ARENA_ARRAY(a, uint32_t, s->n);
  s->new_class = ARENA_ARRAY(a, uint32_t, s->n);
  s->signature = ARENA_ARRAY(a, boolean, s->n);
  s->above = ARENA_ARRAY(a, boolean, s->n);
  s->accepting = ARENA_ARRAY(a, bool, s->n);
  s->lacks = s->j->atoms;
  s->initial = s->lacks + BUCHI_MARKS_MAX;
  s->one = s->initial + 1;
  for (uint32_t q = 0; q < s->n; q++)
    s->accepting[q] = edges_of(s->g, q) < edges_of(s->g, q + 1) &&
                      edges_of(s->g, q)->marks == graph_all_marks(s->g);
  if (s->backwards)
    find_incoming(s);
  s->classes = 1;
  s->above[0] = boolean_variable(s->j->functions, s->one);
}

/* What one edge adds to a signature. */
static boolean edge_term(const simulation *s, boolean label, uint64_t marks,
                         uint32_t class)
{
  booleans *b = s->j->functions;
  boolean term = s->above[class];
  for (uint32_t m = s->g->marks; m-- > 0;)
    if (!(marks >> m & 1))
      term = boolean_and(b, boolean_variable(b, s->lacks + m), term);
  return boolean_and(b, label, term);
}

static boolean forward_signature(const simulation *s, uint32_t q)
{
  boolean sum = BOOLEAN_FALSE;
  for (const graph_edge *e = edges_of(s->g, q); e < edges_of(s->g, q + 1); e++)
    sum = boolean_or(s->j->functions, sum,
                     edge_term(s, e->label, e->marks, s->class_of[e->target]));
  return sum;
}

/* When marks belong to states, merged states must agree on them: the mark of a
** state then stands on the edges that lead to it. */
static boolean backward_signature(const simulation *s, uint32_t q)
{
  booleans *b = s->j->functions;
  boolean sum = BOOLEAN_FALSE;
  for (uint32_t i = s->first_incoming[q]; i < s->first_incoming[q + 1]; i++) {
    const graph_edge *e = &s->g->edges.data[s->incoming[i]];
    uint64_t marks = e->marks;
    if (s->g->by_state)
      marks = s->accepting[q] ? graph_all_marks(s->g) : 0;
    uint32_t class = s->class_of[s->source[s->incoming[i]]];
    sum = boolean_or(b, sum, edge_term(s, e->label, marks, class));
  }
  if (q == s->g->initial)
    sum = boolean_or(b, sum, boolean_variable(b, s->initial));
  return sum;
}

/* Gives equal signatures equal classes, numbered in the order of states. */
static void classify(simulation *s)
{
  uint32_t classes = 0;
  for (uint32_t q = 0; q < s->n; q++) {
    mem_poll();
    boolean signature =
        s->backwards ? backward_signature(s, q) : forward_signature(s, q);
    uint32_t c = 0;
    while (c < classes && s->signature[c] != signature)
      c++;
    s->signature[c] = signature;
    s->new_class[q] = c;
    classes += c == classes;
  }
  s->classes = classes;
}

/* The products over the classes above each class. */
static void compare_classes(simulation *s)
{
  booleans *b = s->j->functions;
  s->pairs = 0;
  for (uint32_t c = 0; c < s->classes; c++) {
    s->above[c] = boolean_variable(b, s->one + c);
    if (s->classes > ORDERED_MAX)
      continue;
    for (uint32_t d = 0; d < s->classes; d++)
      if (d != c && boolean_implies(b, s->signature[c], s->signature[d])) {
        boolean x = boolean_variable(b, s->one + d);
        s->above[c] = boolean_and(b, s->above[c], x);
        s->pairs++;
      }
  }
}

static void refine(simulation *s)
{
  bool changed = true;
  while (changed && !booleans_full(s->j->functions)) {
    uint32_t classes = s->classes, pairs = s->pairs;
    classify(s);
    changed = classes != s->classes ||
              memcmp(s->class_of, s->new_class, s->n * sizeof *s->class_of);
    memcpy(s->class_of, s->new_class, s->n * sizeof *s->class_of);
    compare_classes(s);
    changed = changed || pairs != s->pairs;
  }
}

/* An edge of a class as read off its signature.  The class at the other end is
** the one whose classes above are those of the product. */
static bool read_product(const simulation *s, const boolean_literal *literals,
                         size_t n, uint64_t *marks, uint32_t *class)
{
  booleans *b = s->j->functions;
  boolean product = BOOLEAN_TRUE;
  *marks = graph_all_marks(s->g);
  for (size_t i = n; i-- > 0;) {
    uint32_t v = literals[i].variable;
    if (v == s->initial)
      return false; /* not an edge */
    if (v < s->initial)
      *marks &= ~(UINT64_C(1) << (v - s->lacks));
    else
      product = boolean_and(b, boolean_variable(b, v), product);
  }
  for (size_t i = 0; i < n; i++) {
    uint32_t v = literals[i].variable;
    *class = v - s->one;
    if (v >= s->one && s->above[*class] == product)
      return true;
  }
  return false;
}

/* Adds the edges of a class to the last state of 'out', in the direction of
** the simulation. */
static void read_edges(simulation *s, uint32_t c, graph *out)
{
  boolean_parts *parts = &s->j->parts;
  boolean_cover *cover = &s->j->cover;
  booleans *b = s->j->functions;
  boolean_split(b, s->signature[c], s->j->atoms, parts);
  for (size_t i = 0; i < parts->len; i++) {
    boolean_make_cover(b, parts->data[i].below, cover);
    for (size_t k = 0, start = 0; k < cover->ends.len; k++) {
      size_t end = cover->ends.data[k];
      graph_edge e = {.label = parts->data[i].above};
      if (read_product(s, cover->literals.data + start, end - start, &e.marks,
                       &e.target))
        graph_add_edge(s->j, out, e);
      start = end;
    }
  }
}

/* Writes the edges of 'reversed' in their true direction. */
static void turn_around(simulation *s, const graph *reversed, graph *out)
{
  for (uint32_t c = 0; c < s->classes; c++) {
    graph_add_state(out);
    for (uint32_t d = 0; d < s->classes; d++)
      for (const graph_edge *e = edges_of(reversed, d);
           e < edges_of(reversed, d + 1); e++)
        if (e->target == c)
          graph_add_edge(s->j, out, (graph_edge){d, e->label, e->marks});
  }
  graph_finish(out);
}

/* Puts the marks of states back on the edges that leave them. */
static void mark_states(simulation *s, graph *out)
{
  bool *accepting = ARENA_ARRAY(s->j->scratch, bool, s->classes);
  for (uint32_t q = 0; q < s->n; q++)
    accepting[s->class_of[q]] |= s->accepting[q];
  for (uint32_t c = 0; c < s->classes; c++)
    for (graph_edge *e = edges_of(out, c); e < edges_of(out, c + 1); e++)
      e->marks = accepting[c] ? graph_all_marks(out) : 0;
}

static graph *same_kind(buchi_job *j, const graph *g, uint32_t initial)
{
  graph *out = graph_new(j);
  out->marks = g->marks;
  out->by_state = g->by_state;
  out->initial = initial;
  return out;
}

static graph *quotient(simulation *s)
{
  buchi_job *j = s->j;
  graph *out = same_kind(j, s->g, s->class_of[s->g->initial]);
  for (uint32_t c = 0; c < s->classes && !booleans_full(j->functions); c++) {
    graph_add_state(out);
    read_edges(s, c, out);
  }
  graph_finish(out);
  if (!s->backwards || booleans_full(j->functions))
    return out;
  graph *turned = same_kind(j, out, out->initial);
  turn_around(s, out, turned);
  graph_release(j, out);
  if (s->g->by_state)
    mark_states(s, turned);
  return turned;
}

graph *buchi_simulate(buchi_job *j, graph *g, bool backwards)
{
  if (j->tired)
    return g;
  if (booleans_nodes(j->functions) > NODES_KEPT)
    buchi_collect(j);
  simulation s = {.j = j, .g = g, .backwards = backwards};
  begin(&s);
  refine(&s);
  graph *out = booleans_full(j->functions) ? NULL : quotient(&s);
  if (!booleans_full(j->functions)) {
    graph_release(j, g);
    return out;
  }
  if (out)
    graph_release(j, out);
  j->tired = true;
  buchi_collect(j);
  return g;
}
