/* Runs over sets of states instead of single ones (src/symbolic). */

#ifndef NUT_VERIFY_BY_SETS_H
#define NUT_VERIFY_BY_SETS_H

#include "verify/verification.h"

symbolic_options symbolic_options_of(const verification *, const nut_options *);
/* Explores the model symbolically and fills the outcome, its rows included.
** When it does not finish and 'last' is not set, nothing is filled: false. */
bool symbolic_run(verification *, const nut_options *, bool count, bool last);
/* Tries orders of levels of a net, once, each with the same number of operations
** on nodes; the one that finds most states is used from now on. */
void symbolic_compare_orders(verification *, const nut_options *);

#endif
