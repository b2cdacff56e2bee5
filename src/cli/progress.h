/* The progress line on the standard error. */

#ifndef NUT_CLI_PROGRESS_H
#define NUT_CLI_PROGRESS_H

#include "cli/options.h"
#include "nutshell.h"

typedef struct progress_line {
  bool terminal; /* the line is overwritten rather than repeated */
  bool shown;
} progress_line;

/* Sets the callback of the options as --progress says. */
void progress_attach(progress_line *, const options *, nut_options *);
/* Removes the line before other output. */
void progress_clear(progress_line *);

#endif
