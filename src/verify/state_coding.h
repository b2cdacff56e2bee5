/* Complete and unique state coding of signal transition graphs: properties of
** pairs of states.  Does nothing unless 'csc' or 'usc' is asked for by name.
**
** While the states are explored, a table keeps the code of each, and what it
** excites.  A second state with the same code is a conflict of USC, and one of
** CSC when it excites other outputs.  How to get to the two states is found by
** a second, breadth-first run that looks for them: the table does not keep
** whole states, and the counterexamples are short. */

#ifndef NUT_VERIFY_STATE_CODING_H
#define NUT_VERIFY_STATE_CODING_H

#include "verify/verification.h"

/* Makes the search watch the codes, where that is asked for. */
void coding_attach(verification *, const nut_options *, search_options *);
/* Fills in the rows, and looks for the runs to the states of conflicts. */
void coding_conclude(verification *, const search_options *);
void coding_free(verification *);

#endif
