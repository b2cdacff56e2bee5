/* Why a formula of CTL holds or not, as a tree of runs.
**
** A branch is a run from the initial state on.  It leaves another one, its
** parent, in a state, its fork, and from there on shows a formula that is true
** in that state: EX f, E[f U g] or EG f.
**
**   EF p && EG (EF q)      0 ------> p        branch 0, for EF p
**                          0 --> . --> .      branch 1, from the start, for
**                               ^______|      EG EF q
**                                      |
**                                      '-> q  branch 2, for EF q
**
** What a run along the way of a branch shows already gets no branch of its own:
** from all states of the loop above the last one is reached.  What is true of
** all runs cannot be shown by one; there are notes about it.
**
** The tree knows nothing of sets.  Both checkers lend it a guide that says
** where a formula is true, and finds runs. */

#ifndef NUT_SYMBOLIC_CTL_CTL_TREE_H
#define NUT_SYMBOLIC_CTL_CTL_TREE_H

#include "symbolic/ctl/ctl_answer.h"

typedef struct ctl_guide {
  void *context;
  /* Adds the initial state; false: it does not fit the types of the model. */
  bool (*start)(void *context, ctl_run *);
  /* Whether a state satisfies a formula: 1, 0; -1: no memory or time. */
  int (*satisfies)(void *context, const ctl *, const uint8_t *state,
                   uint32_t length);
  /* Adds states to a run, after its last one, in which the formula is true and
  ** which is then shown to satisfy it; sets its loop.  False: no memory or
  ** time; the run may have grown. */
  bool (*extend)(void *context, const ctl *, ctl_run *);
} ctl_guide;

/* Shows that the initial state satisfies a reduced formula, or does not.
** Without any branch there is nothing that a run could show.  Leaves by the
** memory guard; then the tree can still be freed. */
void ctl_tree_grow(ctl_tree *, const ctl *, bool holds, const ctl_guide *);

#endif
