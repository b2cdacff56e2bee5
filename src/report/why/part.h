/* A part of a story: the steps of some processes, or that concern some channels
** and variables, or between two numbers. */

#ifndef NUT_REPORT_WHY_PART_H
#define NUT_REPORT_WHY_PART_H

#include "nutshell.h"
#include "report/story.h"

/* The first of the names that is none of the model, nor a process that the run
** could have; NULL: all are. */
const char *part_unknown(const model *, const nut_selection *);
/* Indices of the steps, which are those that reports show.  The story is
** complete afterwards. */
void part_steps(story *, const nut_selection *, told_steps *);

#endif
