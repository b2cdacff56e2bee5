/* The explicit graph of all states of a program, and CTL state by state over
** it: what is quicker than sets where there are few states. */

#ifndef NUT_GRAPH_STATE_GRAPH_H
#define NUT_GRAPH_STATE_GRAPH_H

#include "symbolic/ctl/ctl_answer.h"

typedef struct state_graph state_graph;

/* Explores up to 'max_states' states; leaves by the memory guard.  Ask
** 'graph_complete' whether it has them all. */
state_graph *graph_create(program *, const symbolic_options *,
                          uint64_t max_states);
void graph_destroy(state_graph *);
bool graph_complete(const state_graph *);
/* Why not; REASON_NONE: there are more states than asked for. */
reason graph_reason(const state_graph *);
uint64_t graph_states(const state_graph *);
verdict graph_ctl(state_graph *, const ctl *, const ctl_options *,
                  ctl_tree *tree);

#endif
