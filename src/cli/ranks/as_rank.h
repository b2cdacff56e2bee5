/* The program as one of several ranks, which a launcher of MPI started: only
** rank 0 speaks and writes files. */

#ifndef NUT_CLI_RANKS_AS_RANK_H
#define NUT_CLI_RANKS_AS_RANK_H

#include "cli/options.h"

/* At the start of the program: a rank that is not the first falls silent. */
void rank_begin(void);
/* The command is about to run: meets the other ranks, if it can be done by all
** together.  False after a complaint: nobody runs it. */
bool rank_join(options *);
/* Whether it could be; complains when not. */
bool rank_suits(const options *);
/* It has ended, and the other ranks, too, before this returns. */
void rank_leave(options *);
/* The program ends with this status; what the process ends with, where it was
** started by another one that owns the status. */
int rank_end(int status);

#endif
