/* Which values the variables of a model have in its states. */

#ifndef NUT_REPORT_RANGES_H
#define NUT_REPORT_RANGES_H

#include "base/limits.h"
#include "model/var_ranges.h"
#include "program/program.h"

/* Looks at all states of 'p', within the limits, and fills the table, which the
** caller frees.  False: they are too many, and the table is empty. */
bool ranges_note(program *, limits *, var_ranges *);

#endif
