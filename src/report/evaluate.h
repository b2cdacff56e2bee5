/* Values of expressions in a state that is being reported.
**
** The program evaluates expressions while it runs; a report looks back at
** single states and needs only what messages contain.  What
** this plain evaluator does not know (polls, remote references, ...) it says
** it does not know, and the report shows the expression itself. */

#ifndef NUT_REPORT_EVALUATE_H
#define NUT_REPORT_EVALUATE_H

#include "program/program.h"

/* The value of 'e' for process 'process' in the state 'v'.  False: not known.
** The value then is not set. */
bool evaluate(const view *v, uint32_t process, const expr *e, int32_t *value);

#endif
