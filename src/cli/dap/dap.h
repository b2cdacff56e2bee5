/* The debug adapter: a counterexample in the debugger of an editor, forwards and
** backwards.
**
**   editor ── rpc ──> dap.c ──> dap_run.c    the run, where one is in it
**
** A run has steps 0 .. n; one is before step 'at', so that the statement shown
** is the one that comes next, and at the end, 'at' = n, the last one.  Processes
** are threads, with a number that is greater by one, as threads have none 0. */

#ifndef NUT_CLI_DAP_DAP_H
#define NUT_CLI_DAP_DAP_H

#include "base/text/text.h"
#include "base/vec.h"
#include "nutshell.h"
#include <jansson.h>
#include <stdbool.h>

typedef struct breakpoint {
  char *file;
  uint32_t line;
} breakpoint;

typedef struct debug_run {
  nut_workspace *workspace;
  nut_result *result; /* of which the run is; or NULL */
  nut_walk *walk;
  size_t at, length;
  VEC(breakpoint) breakpoints;
  char root[4096]; /* files are read from here only */
} debug_run;

typedef struct debug_launch {
  const char *model, *trace, *property, *folder;
  double seconds;
} debug_launch;

/* Finds the run that is asked for.  False: there is none, and 'said' tells why;
** otherwise it tells what is shown. */
bool run_open(debug_run *, const debug_launch *, text *said);
void run_close(debug_run *);

const nut_trace *run_trace(const debug_run *);
bool run_is_over(const debug_run *);
/* A step; over the end of a loop it goes on at its beginning.  False: there is
** none. */
bool run_forward(debug_run *);
bool run_back(debug_run *);
/* Until a breakpoint, or the last or first place; true: it is a breakpoint. */
bool run_on(debug_run *, bool back);
/* Who moves next, or moved last. */
uint32_t run_process(const debug_run *);
/* Sets those of a file, lines from 1, instead of all that were there. */
void run_break(debug_run *, const char *file, const json_t *lines);

json_t *run_threads(debug_run *);
json_t *run_frames(debug_run *, uint32_t process);
/* Values: everybody's (process -1), or those of a process. */
json_t *run_values(debug_run *, int32_t process);
json_t *run_changes(debug_run *);
/* False: it cannot be said here. */
bool run_evaluate(debug_run *, const char *expression, text *value);

#endif
