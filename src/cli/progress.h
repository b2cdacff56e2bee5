/* The progress line on the standard error, and the table of --growth. */

#ifndef NUT_CLI_PROGRESS_H
#define NUT_CLI_PROGRESS_H

#include "base/text/text.h"
#include "cli/options.h"
#include "nutshell.h"

typedef struct progress_line {
  bool terminal; /* the line is overwritten rather than repeated */
  bool shown;
} progress_line;

/* Whether --progress asks for the line; otherwise it comes with SIGUSR1. */
bool progress_is_wanted(const options *);
/* Sets the callback of the options. */
void progress_attach(progress_line *, nut_options *);
/* Shows a line. */
void progress_show(progress_line *, const char *words);
/* Lines are for another process, which knows them by how they begin; they come
** whether or not they were asked for. */
void progress_for_others(const char *begin);
/* Removes the line before other output. */
void progress_clear(progress_line *);

/* With --growth: the rows of its table will be added to 'table', which must
** live as long as the run. */
void growth_attach(text *table, const options *, nut_options *);

#endif
