/* The smallest deterministic automaton of an obligation.
**
** The powerset construction determines the right successors, and for a Boolean
** combination of safety and guarantee properties it can be made accepting:
** in each component of the powerset automaton either all loops are words of the
** language or none is (Dax, Eisinger & Klaedtke, "Mechanizing the powerset
** construction for restricted classes of omega-automata", 2007).  The result
** is weak, and weak deterministic automata are minimised like automata on
** finite words, once states on no cycle are given to the right side (Loding,
** "Efficient minimization of deterministic weak omega-automata", 2001). */

#include "logic/buchi/buchi_internal.h"
#include <string.h>

/* A set of states is one word; larger automata are left alone. */
enum { STATES_MAX = 64, SETS_MAX = 400 };

typedef struct powerset {
  buchi_job *j;
  const graph *g;   /* what is determined */
  graph *sets;      /* what comes out; one state per set */
  uint64_t *states; /* by set; set 0 may be any, the empty set included */
  uint32_t count;
  bool too_large;
} powerset;

static uint32_t number_of_set(powerset *p, uint64_t states)
{
  uint32_t i = 0;
  while (i < p->count && p->states[i] != states)
    i++;
  if (i == SETS_MAX) {
    p->too_large = true;
    return 0;
  }
  p->states[i] = states;
  p->count += i == p->count;
  return i;
}

/* Adds the edges of a set: for each target of its states, the letters are
** divided into those that lead there and those that do not. */
static void add_successors(powerset *p, uint64_t from)
{
  booleans *b = p->j->functions;
  const graph *g = p->g;
  boolean *to = ARENA_ARRAY(p->j->scratch, boolean, graph_states(g));
  boolean_parts *parts = &p->j->parts;
  for (uint32_t q = 0; q < graph_states(g); q++)
    for (const graph_edge *e = edges_of(g, q);
         from >> q & 1 && e < edges_of(g, q + 1); e++)
      to[e->target] = boolean_or(b, to[e->target], e->label);
  /* 'below' is, for once, the place in a list of sets. */
  uint64_t sets[SETS_MAX + 1] = {0};
  vec_clear(parts);
  vec_push(parts, ((boolean_part){BOOLEAN_TRUE, 0}));
  for (uint32_t q = 0; q < graph_states(g); q++)
    for (size_t i = 0, n = parts->len; i < n && !p->too_large; i++) {
      boolean letters = parts->data[i].above;
      boolean yes = boolean_and(b, letters, to[q]);
      boolean no = boolean_and(b, letters, boolean_not(b, to[q]));
      uint64_t bit = UINT64_C(1) << q;
      if (yes == BOOLEAN_FALSE)
        continue;
      if (no != BOOLEAN_FALSE) {
        if (parts->len == SETS_MAX) {
          p->too_large = true;
          break;
        }
        sets[parts->len] = sets[i];
        vec_push(parts, ((boolean_part){no, (boolean)parts->len}));
      }
      parts->data[i].above = yes;
      sets[i] |= bit;
    }
  for (size_t i = 0; i < parts->len && !p->too_large; i++) {
    uint32_t target = number_of_set(p, sets[i]);
    graph_add_edge(p->j, p->sets,
                   (graph_edge){target, parts->data[i].above, 0});
  }
}

static void make_sets(powerset *p)
{
  p->states = ARENA_ARRAY(p->j->scratch, uint64_t, SETS_MAX + 1u);
  p->sets = graph_new(p->j);
  p->sets->by_state = true;
  number_of_set(p, UINT64_C(1) << p->g->initial);
  for (uint32_t i = 0; i < p->count && !p->too_large; i++) {
    graph_add_state(p->sets);
    add_successors(p, p->states[i]);
  }
  graph_finish(p->sets);
}

/* ---- which components accept ----------------------------------------------
 */

/* Adds the edges of one state within one set, to the pairs (set, state) of the
** same component. */
static void add_pair(powerset *p, const sccs *c, graph *pairs, uint32_t set,
                     uint32_t q)
{
  uint32_t n = graph_states(p->g);
  for (const graph_edge *s = edges_of(p->sets, set);
       s < edges_of(p->sets, set + 1); s++) {
    if (c->of[s->target] != c->of[set])
      continue;
    for (const graph_edge *e = edges_of(p->g, q); e < edges_of(p->g, q + 1);
         e++) {
      boolean label = boolean_and(p->j->functions, s->label, e->label);
      graph_add_edge(p->j, pairs,
                     (graph_edge){s->target * n + e->target, label, e->marks});
    }
  }
}

/* By component of the sets: whether a word that stays in it is accepted. */
static bool *accepting_sccs(powerset *p, const sccs *c)
{
  uint32_t n = graph_states(p->g);
  graph *pairs = graph_new(p->j);
  pairs->marks = p->g->marks;
  for (uint32_t set = 0; set < p->count; set++)
    for (uint32_t q = 0; q < n; q++) {
      graph_add_state(pairs);
      if (p->states[set] >> q & 1)
        add_pair(p, c, pairs, set, q);
    }
  graph_finish(pairs);
  sccs cycles = graph_sccs(p->j, pairs, NULL);
  bool *accepting = ARENA_ARRAY(p->j->scratch, bool, c->count);
  for (uint32_t set = 0; set < p->count; set++)
    for (uint32_t q = 0; q < n; q++)
      if (cycles.accepting[cycles.of[set * n + q]])
        accepting[c->of[set]] = true;
  graph_release(p->j, pairs);
  return accepting;
}

/* By set, whether it is accepting.  Components get colours, from the last ones
** backwards, that never rise along edges: even is accepting.  A set on no cycle
** takes the colour of what follows, so that it can be merged with it. */
static bool *colour(powerset *p)
{
  graph *g = p->sets;
  sccs c = graph_sccs(p->j, g, NULL);
  const bool *good = accepting_sccs(p, &c);
  uint32_t *colours = ARENA_ARRAY(p->j->scratch, uint32_t, c.count);
  bool *accepting = ARENA_ARRAY(p->j->scratch, bool, p->count);
  for (uint32_t i = 0; i < c.count; i++) {
    uint32_t least = 2 * (c.count + 1);
    for (uint32_t set = 0; set < p->count; set++)
      for (const graph_edge *e = edges_of(g, set);
           c.of[set] == i && e < edges_of(g, set + 1); e++)
        if (c.of[e->target] != i && colours[c.of[e->target]] < least)
          least = colours[c.of[e->target]];
    bool even = least % 2 == 0;
    colours[i] = c.trivial[i] || even == good[i] ? least : least - 1;
  }
  for (uint32_t set = 0; set < p->count; set++)
    accepting[set] = colours[c.of[set]] % 2 == 0;
  return accepting;
}

/* ---- merging --------------------------------------------------------------
 */

/* What distinguishes sets: their class so far, and where letters lead. */
static boolean signature(powerset *p, const uint32_t *class_of, uint32_t set)
{
  booleans *b = p->j->functions;
  uint32_t classes = p->j->atoms;
  boolean sum = BOOLEAN_FALSE;
  for (const graph_edge *e = edges_of(p->sets, set);
       e < edges_of(p->sets, set + 1); e++) {
    boolean class = boolean_variable(b, classes + class_of[e->target]);
    sum = boolean_or(b, sum, boolean_and(b, e->label, class));
  }
  return sum;
}

/* Refines the classes until sets of one class agree on everything; returns
** their number. */
static uint32_t classify(powerset *p, uint32_t *class_of)
{
  uint32_t n = p->count, classes = 2, before = 0;
  boolean *sums = ARENA_ARRAY(p->j->scratch, boolean, n);
  uint32_t *old_class = ARENA_ARRAY(p->j->scratch, uint32_t, n);
  while (classes != before && !booleans_full(p->j->functions)) {
    before = classes;
    classes = 0;
    memcpy(old_class, class_of, n * sizeof *class_of);
    for (uint32_t i = 0; i < n; i++) {
      sums[i] = signature(p, old_class, i);
      uint32_t k = 0;
      while (k < i && (sums[k] != sums[i] || old_class[k] != old_class[i]))
        k++;
      class_of[i] = k < i ? class_of[k] : classes++;
    }
  }
  return classes;
}

/* The graph with one state per class. */
static graph *merge(powerset *p, const uint32_t *class_of, uint32_t classes,
                    const bool *accepting)
{
  graph *out = graph_new(p->j);
  out->marks = 1;
  out->by_state = true;
  out->initial = class_of[0];
  for (uint32_t c = 0; c < classes; c++) {
    uint32_t set = 0;
    while (class_of[set] != c)
      set++;
    graph_add_state(out);
    for (const graph_edge *e = edges_of(p->sets, set);
         e < edges_of(p->sets, set + 1); e++)
      graph_add_edge(
          p->j, out,
          (graph_edge){class_of[e->target], e->label, accepting[set]});
  }
  graph_finish(out);
  return out;
}

graph *buchi_minimise(buchi_job *j, const graph *g)
{
  if (graph_states(g) > STATES_MAX || j->tired)
    return NULL;
  powerset p = {.j = j, .g = g};
  graph *out = NULL;
  make_sets(&p);
  if (!p.too_large && !booleans_full(j->functions)) {
    const bool *accepting = colour(&p);
    uint32_t *class_of = ARENA_ARRAY(j->scratch, uint32_t, p.count);
    for (uint32_t i = 0; i < p.count; i++)
      class_of[i] = accepting[i];
    uint32_t classes = classify(&p, class_of);
    out = merge(&p, class_of, classes, accepting);
  }
  graph_release(j, p.sets);
  if (!booleans_full(j->functions))
    return out;
  if (out)
    graph_release(j, out);
  j->tired = true;
  buchi_collect(j);
  return NULL;
}
