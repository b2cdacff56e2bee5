/* What a rank says when 'nutshell --ranks' started it: each line of the standard
** error begins with a mark, so that the one who started it knows it from what the
** launcher says; and there are lines for it alone.
**
**   MARK text           a line for the standard error
**   MARK MARK P text    the line of progress
**   MARK MARK S 3       the exit status: the last line */

#ifndef NUT_CLI_RANKS_STARTED_H
#define NUT_CLI_RANKS_STARTED_H

#include "cli/options.h"

#define STARTED_VARIABLE "NUT_RANKS_STARTED"
#define STARTED_MARK '\x1e'
enum { STARTED_PROGRESS = 'P', STARTED_STATUS = 'S' };

/* --ranks: starts the ranks by mpirun, and hands on what they say; the exit
** status.  They are started without --ranks and --hosts. */
int start_ranks(const options *);

#endif
