/* CTL over a state space: by sets of states (ctl_sets.c), or state by state
** over the explicit graph (graph/state_graph.h), which is its twin and quicker
** where there are few states.
**
** A run that cannot go on ends.  What comes next is not there then: EX f is
** false and AX f true in a state in which nothing can happen, as the Model
** Checking Contest has it; with 'stutter' the last state repeats for ever, as
** in SPIN's LTL, and EX f and AX f are what f is.  All other operators are the
** same either way: EG f holds where f does, up to such a state.
**
** With fairness constraints, only runs count on which each constraint is true
** again and again; a run that ends is fair when its last state satisfies all.*/

#ifndef NUT_SYMBOLIC_CTL_CTL_ANSWER_H
#define NUT_SYMBOLIC_CTL_CTL_ANSWER_H

#include "model/ctl.h"
#include "symbolic/space.h"

typedef struct ctl_options {
  bool stutter;
  const expr *const *fair;
  size_t fair_count;
} ctl_options;

/* A run: states without their hidden bytes one after the other. */
typedef struct ctl_run {
  VEC(uint8_t) bytes;
  VEC(uint32_t) starts; /* of each state, and the end of the last */
  size_t loop;     /* the state that comes after the last; SIZE_MAX: none */
  const ctl *goal; /* what the last state satisfies, or NULL */
} ctl_run;

void ctl_run_free(ctl_run *);
size_t ctl_run_states(const ctl_run *);
const uint8_t *ctl_run_state(const ctl_run *, size_t i, uint32_t *length);
void ctl_run_add(ctl_run *, const uint8_t *state, uint32_t length);
/* Leaves the first so many states. */
void ctl_run_cut(ctl_run *, size_t states);
/* For paths of traces (search/trace/trace.h): 'way' is a ctl_run.  After the
** last state comes that where the loop begins. */
uint32_t ctl_run_next(void *way, size_t i, const uint8_t **state);

/* ---- by sets: runs ------------------------------------------------------ */

/* Adds a state of the set; false: it does not fit the types of the model. */
bool symbolic_run_add(symbolic_space *, ctl_run *, symbolic_set states);
/* Adds a run from a state through 'within' to a state of the goal, a shortest
** one where that is easy; the first state is there already if the run is not
** empty.  False: there is none, or no memory or time for it.  All three sets
** are kept by the caller. */
bool symbolic_way(symbolic_space *, symbolic_set from, symbolic_set within,
                  symbolic_set goal, ctl_run *);

/* ---- why ---------------------------------------------------------------- */

/* A part of the reason for an answer; see ctl_tree.h.  The first branch has no
** parent, and its fork is the initial state. */
typedef struct ctl_branch {
  ctl_run run; /* from the initial state on */
  size_t parent;
  size_t fork;      /* a state of this run, and of the parent's */
  const ctl *shows; /* what it shows of the fork */
} ctl_branch;

/* In these states of a branch the formula is false, which is a statement about
** all runs from there. */
typedef struct ctl_note {
  const ctl *formula;
  size_t branch, first, last;
} ctl_note;

/* All zero is empty. */
typedef struct ctl_tree {
  VEC(ctl_branch) branches; /* parents come first */
  VEC(ctl_note) notes;
  bool cut; /* there is more to be shown */
} ctl_tree;

void ctl_tree_free(ctl_tree *);

/* ---- by sets: answers --------------------------------------------------- */

/* Whether the initial state satisfies the formula, which is reduced.  When it
** is not NULL, '*tree', which is empty, gets runs that show it, if there are
** some. */
verdict symbolic_ctl(symbolic_space *, const ctl *, const ctl_options *,
                     ctl_tree *tree);

#endif
