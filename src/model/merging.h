/* Steps and values that make states differ without making a difference.
**
** Merging: a step that concerns nobody but its process, and that nobody can
** prevent, need not be a state of its own; the step before it goes on with it.
** Resetting: a local variable that is not read again before it is assigned to
** can as well be 0, and a variable that nobody ever reads can keep its first
** value.  Both keep deadlocks, faults of steps, and expressions over states;
** merging does not keep what infinite runs look like between.
**
** What others can see of a process (P@here, P:x, a claim by xr or xs) is left
** as it is.  docs/internals/reduction.md says why this is right. */

#ifndef NUT_MODEL_MERGING_H
#define NUT_MODEL_MERGING_H

#include "model/model.h"

typedef struct merging {
  const model *model;
  const expr *const *seen; /* not the model's own; while it is made */
  size_t seen_count;
  arena *arena;
  /* By edge.index: the process goes on after it, if it can. */
  bool *merged;
  /* By edge.index: it begins an atomic sequence, but concerns nobody else: the
  ** process may rest behind it. */
  bool *released;
  /* By edge.index: locals that it leaves without a use; NULL at the end. */
  const var ***dead;
  uint32_t merged_count, dead_count;
  /* By global, and by process type and local: nobody reads it, but perhaps for
  ** another such variable.  NULL: not known. */
  bool *unread_globals, **unread_locals;
} merging;

/* For a checked model, its properties, and what else is looked at. */
merging *merging_create(const model *, const expr *const *seen,
                        size_t seen_count);
void merging_destroy(merging *);

/* Whether what is assigned to the variable makes no difference. */
bool merging_is_unread(const merging *, const var *);
/* Whether an assignment to such a variable need not even be evaluated: nothing
** can happen on the way. */
bool merging_can_forget(const effect *);

#endif
