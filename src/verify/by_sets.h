/* Runs over sets of states instead of single ones (src/symbolic). */

#ifndef NUT_VERIFY_BY_SETS_H
#define NUT_VERIFY_BY_SETS_H

#include "verify/verification.h"

symbolic_options symbolic_options_of(const verification *, const nut_options *);
/* Explores the model symbolically and fills the outcome, its rows included.
** When it does not finish and 'last' is not set, nothing is filled: false. */
bool symbolic_run(verification *, const nut_options *, bool count, bool last);
/* Likewise to count, but explores another program, whose states stand for those
** of this one, and lets 'measure' tell their figures. */
typedef struct space_stand_in {
  program *program;
  bool (*measure)(void *context, symbolic_space *, symbolic_figures *);
  void *context;
} space_stand_in;

bool symbolic_run_instead(verification *, const nut_options *, bool count,
                          bool last, const space_stand_in *);
/* Tries orders of levels of a net, once, each with the same number of operations
** on nodes; the one that finds most states is used from now on. */
void symbolic_compare_orders(verification *, const nut_options *);

#endif
