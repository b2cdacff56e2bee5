/* What state_graph.c, ctl_graph.c and ctl_graph_runs.c share; nobody else
** includes this. */

#ifndef NUT_GRAPH_GRAPH_INTERNAL_H
#define NUT_GRAPH_GRAPH_INTERNAL_H

#include "graph/state_graph.h"
#include "symbolic/ctl/ctl_tree.h"
#include "symbolic/symbolic_internal.h"

struct state_graph {
  program *program;
  symbolic_options options;
  worker *worker;
  batch batch;
  field states; /* by number, from 1; here they count from 0 */
  VEC(uint8_t) state;
  uint64_t max_states; /* with more, it is not complete */
  uint32_t count;
  VEC(uint32_t) targets, first; /* first: of each state in 'targets' */
  VEC(uint32_t) sources, first_source;
  reason reason;
  bool complete;
};

const uint8_t *graph_state(const state_graph *, uint32_t state,
                           uint32_t *length);

typedef VEC(uint8_t) state_set;

typedef struct visit {
  uint32_t state, next;
} visit;

/* A formula whose states have been found. */
typedef struct judged {
  const ctl *formula;
  const uint8_t *states;
} judged;

/* Answering one question.  All that takes memory belongs to it, so that
** nothing is lost when there is no more. */
typedef struct judging {
  state_graph *graph;
  const ctl_options *options;
  VEC(state_set) sets; /* the first 'used' are in use, the last taken first */
  size_t used;
  VEC(uint32_t) waiting, index, low, open;
  VEC(visit) path;
  VEC(const uint8_t *) constraints; /* sets */
  const uint8_t *fair;
  VEC(judged) known; /* while runs are made */
  bool failed;       /* an atom has no value in some state */
} judging;

/* An empty set, until it is dropped; the sets taken last are dropped first. */
uint8_t *graph_take_set(judging *);
void graph_drop_sets(judging *, size_t count);
bool graph_is_stuck(const state_graph *, uint32_t state);
/* The states that satisfy a reduced formula. */
void graph_judge(judging *, const ctl *, uint8_t *out);
/* Leaves only states from which a fair run begins. */
void graph_keep_fair(const judging *, uint8_t *states);

/* Makes the runs of a tree (ctl_graph_runs.c); its context is a judging. */
ctl_guide graph_guide(judging *);

#endif
