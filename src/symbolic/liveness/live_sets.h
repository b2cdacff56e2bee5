/* Properties of infinite runs over sets of states.
**
** A set of the product of the program with an observer
** (search/observer/observer.h) is one set of states for each place of the
** observer.  Moves have the states in which they are allowed; a step goes along
** a move and then takes a step of the program, which stays where nothing can
** happen.
**
** The property is violated when the initial state, at the initial place, is
** among those from which an accepted run begins (live_sets.c).  Such a run is
** then made, step by step, replayed by the interpreter and judged again, before
** anybody hears of it (live_sets_lasso.c). */

#ifndef NUT_SYMBOLIC_LIVENESS_LIVE_SETS_H
#define NUT_SYMBOLIC_LIVENESS_LIVE_SETS_H

#include "search/search.h"
#include "symbolic/ctl/ctl_answer.h"
#include "symbolic/space.h"

/* Checks the row's property in an explored space: sets its verdict, reason,
** errors and trace.  Leaves by the memory guard. */
void symbolic_live(symbolic_space *, nut_fair, answer *row);

/* Sets that the caller keeps.  From each of 'states' a run can go on in them
** for ever and meet each constraint again and again, or end in a state of
** 'stuck' that meets all. */
typedef struct fair_question {
  symbolic_set start; /* one of the states */
  symbolic_set states, stuck;
  const symbolic_set *constraints;
  uint32_t count;
} fair_question;

/* Adds such a run from the state, which is the last one of the run already;
** false: no memory or time for it. */
bool symbolic_fair_run(symbolic_space *, const fair_question *, ctl_run *);

#endif
