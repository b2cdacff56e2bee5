/* Reports for people. */

#ifndef NUT_REPORT_PLAIN_H
#define NUT_REPORT_PLAIN_H

#include "nutshell.h"
#include "report/account.h"

typedef nut_style plain_style;

/* The whole report of 'check'. */
void plain_check(const account *, plain_style, text *out);
/* The report of 'count': figures only. */
void plain_count(const account *, plain_style, text *out);
/* The steps of a story, aligned in columns. */
void plain_story(story *, plain_style, text *out);
/* Likewise those from 'first' on. */
void plain_story_from(story *, size_t first, plain_style, text *out);
/* Likewise a part of them. */
void plain_part(story *, const nut_selection *, plain_style, text *out);
/* The branches of a run, and what holds on all runs, under the first one. */
void plain_tree(const told_answer *, plain_style, text *out);
/* One step, whose details are known, in one line. */
void plain_step(story *, size_t index, plain_style, text *out);
/* The values of a state, one line each. */
void plain_state(const model *, const view *, plain_style, text *out);

/* Adds text in the colour of a verdict. */
void plain_verdict(verdict, plain_style, text *out);

/* The figures of a run, in one line or all of them; those of each thread only when
** that is asked for. */
void plain_figures(const outcome *, bool all, bool verbose, text *out);
/* "1 state", "2 states" */
void plain_counted(uint64_t n, const char *one, const char *many, text *out);

#endif
