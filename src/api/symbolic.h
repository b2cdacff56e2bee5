/* Runs over sets of states instead of single ones (src/symbolic). */

#ifndef NUT_API_SYMBOLIC_H
#define NUT_API_SYMBOLIC_H

#include "api/handle.h"

symbolic_options symbolic_options_of(const nut_result *, const nut_options *);
/* Explores the model symbolically and fills the outcome, its rows included.
** When it does not finish and 'last' is not set, nothing is filled: false. */
bool symbolic_run(nut_result *, const nut_options *, bool count, bool last);

#endif
