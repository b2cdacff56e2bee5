/* Runs a program that turns text into text, such as a macro processor, under
** limits: what it reads was written by somebody else. */

#ifndef NUT_LANG_COMMAND_H
#define NUT_LANG_COMMAND_H

#include "base/source/source.h"
#include "base/text/text.h"
#include <stdbool.h>
#include <stddef.h>

typedef enum {
  COMMAND_DONE,    /* it ended; see 'status' */
  COMMAND_MISSING, /* it is not installed */
  COMMAND_FAILED,  /* it could not be started, or was killed */
  COMMAND_SLOW,    /* stopped after 'seconds', or at a limit of ours */
  COMMAND_LARGE    /* stopped: it wrote too much */
} command_result;

/* Of its messages no more is kept. */
enum { COMMAND_MESSAGES_MAX = 1 << 18 };

typedef struct filter_command {
  const char *const *arguments; /* the program first, NULL last */
  const char *folder;           /* where it runs; NULL: where we are */
  const char *input;            /* its standard input; NULL: nothing */
  size_t input_length;
  int seconds; /* of work */
  size_t output_max;
  size_t memory_max; /* address space it may use */
  text output;       /* standard output, so far */
  text messages;     /* standard error, the beginning of it */
  int status;        /* its exit status, after COMMAND_DONE */
  int error;         /* errno, when it could not be started */
} filter_command;

/* Fills in the last four fields; the caller frees the texts, also after a
** failure. */
command_result command_run(filter_command *);
/* The same for sources, which keep what it wrote; or which have it, and then no
** program is run. */
command_result command_run_for(sources *, filter_command *);

#endif
