/* Properties of infinite runs over sets of states.
**
** A set of the product of the program with an observer (search/observer.h) is
** one set of states for each place of the observer.  Moves have the states in
** which they are allowed; a step goes along a move and then takes a step of
** the program, which stays where nothing can happen.
**
** The property is violated when the initial state, at the initial place, is
** among those from which an accepted run begins (live_sets.c).  Such a run is
** then made, step by step, replayed by the interpreter and judged anew, before
** anybody hears of it (live_lasso.c). */

#ifndef NUT_SYMBOLIC_LIVE_H
#define NUT_SYMBOLIC_LIVE_H

#include "search/search.h"
#include "symbolic/space.h"

/* Checks the row's property in an explored space: sets its verdict, reason,
** errors and trace.  Leaves by the memory guard. */
void symbolic_live(symbolic_space *, fairness, property_result *row);

#endif
