/* Which values the variables of a model have in its states: noted in the model
** (var.least, var.most) for whoever writes it down by its values. */

#ifndef NUT_REPORT_RANGES_H
#define NUT_REPORT_RANGES_H

#include "base/limits.h"
#include "program/program.h"

/* Looks at all states of 'p', which was made from 'm', within the limits.
** False: they are too many, and nothing is noted. */
bool ranges_note(program *p, model *m, limits *);

#endif
