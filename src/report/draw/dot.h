/* Drawings for Graphviz. */

#ifndef NUT_REPORT_DRAW_DOT_H
#define NUT_REPORT_DRAW_DOT_H

#include "graph/states.h"

/* The automaton of each process type. */
void dot_processes(const model *, text *out);

/* The graph of all states.  Writes nothing unless it fits. */
states_result dot_states(program *, size_t limit, limits *, text *out);

/* A label between double quotes. */
void dot_label(const char *, text *out);

#endif
