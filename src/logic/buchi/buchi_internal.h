/* What the files about automata share; no other file includes this.
**
** While it is worked on, an automaton is a 'graph': the edges of one state
** after those of another, with labels as Boolean functions.  A reduction reads
** one graph and writes a new one.  Graphs, functions and temporary arrays
** belong to a 'buchi_job', which gives everything back at its end, also when
** memory runs out in the middle. */

#ifndef NUT_LOGIC_BUCHI_BUCHI_INTERNAL_H
#define NUT_LOGIC_BUCHI_BUCHI_INTERNAL_H

#include "base/arena.h"
#include "base/vec.h"
#include "logic/boolean.h"
#include "logic/buchi/buchi.h"
#include "logic/ltl_internal.h"

typedef struct graph_edge {
  uint32_t target;
  boolean label; /* over the propositions; never false */
  uint64_t marks;
} graph_edge;

typedef struct graph {
  bool used; /* as opposed to spare */
  VEC(graph_edge) edges;
  VEC(uint32_t) first; /* by state; one more at the end */
  uint32_t initial;
  uint32_t marks;
  bool by_state; /* all edges of a state have the same marks */
} graph;

typedef struct buchi_job {
  arena *scratch;
  booleans *functions;
  booleans *old_functions; /* while 'buchi_collect' runs */
  boolean_map copied;
  uint32_t atoms; /* variables 0 .. atoms-1 are propositions */
  VEC(graph *) graphs;
  VEC(graph *) spare; /* those of 'graphs' that are not in use */
  boolean_cover cover;
  boolean_parts parts;
  struct tableau *tableau;
  buchi *result;
  bool too_large;
  uint64_t spent; /* nodes of functions forgotten by now */
  bool tired;     /* a reduction ran out of nodes: no more of them */
} buchi_job;

/* Runs 'work' with a job of its own.  When memory runs out the job is given
** back before the caller's guard is reached. */
void buchi_run_job(uint32_t atoms, void (*work)(buchi_job *, void *),
                   void *context);

/* Forgets all functions but the labels of the graphs in use. */
void buchi_collect(buchi_job *);

graph *graph_new(buchi_job *);
void graph_release(buchi_job *, graph *);
/* Starts the next state; its edges follow.  Returns its number. */
uint32_t graph_add_state(graph *);
/* Adds an edge to the last state, or widens the label of the one that has the
** same target and marks. */
void graph_add_edge(buchi_job *, graph *, graph_edge);
void graph_finish(graph *);

static inline uint32_t graph_states(const graph *g)
{
  return (uint32_t)g->first.len - 1;
}

/* for (graph_edge *e = edges_of (g, q); e < edges_of (g, q + 1); e++) */
static inline graph_edge *edges_of(const graph *g, uint32_t state)
{
  /* Without any edge there is no array, of which not even 0 is an offset. */
  return g->edges.len ? g->edges.data + g->first.data[state] : NULL;
}

static inline uint64_t graph_all_marks(const graph *g)
{
  return g->marks == 64 ? UINT64_MAX : (UINT64_C(1) << g->marks) - 1;
}

/* Strongly connected components.  Numbers are such that edges lead to smaller
** or equal ones.  A component without an edge inside is trivial. */
typedef struct sccs {
  uint32_t count;
  uint32_t *of;    /* by state */
  bool *trivial;   /* by component */
  bool *accepting; /* by component: has a cycle with all marks */
} sccs;

/* Lives until the job's scratch memory is given back.  Of 'only' (or NULL),
** edges that are false there are left out. */
sccs graph_sccs(buchi_job *, const graph *, const bool *only);

/* The automaton of a simple formula, with marks on edges.  'split' tells
** whether labels of different successors exclude each other where possible. */
graph *buchi_tableau(buchi_job *, ltl_context *, const ltl *, bool split);
void buchi_tableau_free(struct tableau *);

/* Each takes a graph and returns a new one with the same language; the old one
** is released.  (A simulation that runs out of nodes returns the old one.) */
graph *buchi_prune(buchi_job *, graph *);
graph *buchi_spread_marks(buchi_job *, graph *);
graph *buchi_drop_marks(buchi_job *, graph *);
graph *buchi_simulate(buchi_job *, graph *, bool backwards);
/* A graph by_state from any one; 'variant' is below DEGENERALISATIONS.  The old
** one is kept. */
graph *buchi_degeneralise(buchi_job *, const graph *, unsigned variant);
enum { DEGENERALISATIONS = 4 };

/* The smallest deterministic graph with the same language, which must be an
** obligation; by_state.  NULL when it is not small.  The old one is kept. */
graph *buchi_minimise(buchi_job *, const graph *);

/* An estimate of how good a graph is; smaller is better. */
uint64_t graph_cost(const graph *);

#endif
