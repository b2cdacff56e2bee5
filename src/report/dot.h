/* Drawings for Graphviz. */

#ifndef NUT_REPORT_DOT_H
#define NUT_REPORT_DOT_H

#include "program/program.h"
#include <signal.h>

/* The automaton of each process type. */
void dot_processes(const model *, text *out);

typedef enum {
  DOT_DONE,
  DOT_TOO_LARGE, /* more than 'limit' states */
  DOT_NO_MEMORY,
  DOT_INTERRUPTED
} dot_result;

/* The graph of all states.  Writes nothing unless it fits. */
dot_result dot_states(program *, size_t limit,
                      const volatile sig_atomic_t *interrupt, text *out);

/* A label between double quotes. */
void dot_label(const char *, text *out);

#endif
