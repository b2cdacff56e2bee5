/* CTL over a state space: by sets of states (ctl_sets.c), or state by state
** over the explicit graph (ctl_graph.c), which is its twin and quicker where
** there are few states.
**
** A run that cannot go on ends.  What comes next is not there then: EX f is
** false and AX f true in a state in which nothing can happen, as the Model
** Checking Contest has it; with 'stutter' the last state repeats for ever, as
** in SPIN's LTL, and EX f and AX f are what f is.  All other operators are the
** same either way: EG f holds where f does, up to such a state.
**
** With fairness constraints, only runs count on which each constraint is true
** again and again; a run that ends is fair when its last state satisfies all.*/

#ifndef NUT_SYMBOLIC_CTL_H
#define NUT_SYMBOLIC_CTL_H

#include "model/ctl.h"
#include "symbolic/space.h"

typedef struct ctl_options {
  bool stutter;
  const expr *const *fair;
  size_t fair_count;
} ctl_options;

/* A run that shows why a formula holds or not: states without their hidden
** bytes one after the other.  All zero is empty. */
typedef struct ctl_run {
  VEC(uint8_t) bytes;
  VEC(uint32_t) starts; /* of each state, and the end of the last */
  size_t loop;     /* the state that comes after the last; SIZE_MAX: none */
  const ctl *goal; /* what the last state satisfies, or NULL */
} ctl_run;

void ctl_run_free(ctl_run *);
/* Adds a state of the set; false: it does not fit the types of the model. */
bool symbolic_run_add(symbolic_space *, ctl_run *, symbolic_set states);
/* For paths of traces (search/trace.h): 'way' is a ctl_run.  After the last
** state comes that where the loop begins. */
uint32_t symbolic_run_next(void *way, size_t i, const uint8_t **state);
/* Adds a run from the initial state through 'within' to a state of the goal, a
** shortest one where that is easy; false: there is none, or no memory or time
*for it. */
bool symbolic_way(symbolic_space *, symbolic_set within, symbolic_set goal,
                  ctl_run *);

/* ---- by sets ------------------------------------------------------------ */

/* Whether the initial state satisfies the formula, which is reduced.  When it
** is not NULL, '*way' gets a run that shows it, if there is one. */
verdict symbolic_ctl(symbolic_space *, const ctl *, const ctl_options *,
                     ctl_run *way);

/* ---- state by state ----------------------------------------------------- */

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
                  ctl_run *way);

#endif
