/* Drawings for Graphviz. */

#ifndef NUT_REPORT_DRAW_DOT_H
#define NUT_REPORT_DRAW_DOT_H

#include "graph/states.h"
#include "program/program.h"
#include "search/trace/trace.h"

/* The automaton of each process type; with a trace, which may be NULL, what it
** executed is marked. */
void dot_processes(const model *, const trace *, text *out);
/* The net of a model whose language has nets. */
void dot_net(const model *, text *out);

/* The graph of all states, the steps of the trace, which may be NULL, marked.
** Writes nothing unless it fits. */
states_result dot_states(program *, const trace *, size_t limit, limits *,
                         text *out);

/* The beginning of a graph with so many nodes and edges.  Large ones ask for a
** layout that does not take for ever. */
void dot_begin(const char *name, size_t nodes, size_t edges, text *out);
/* Whether they do; labels of edges would then cover all else. */
bool dot_is_large(size_t nodes, size_t edges);
/* A label between double quotes. */
void dot_label(const char *, text *out);

/* What a state says of an item: "P(0) at line 12", "x = 3"; perhaps nothing.  The
** line is cleared before. */
void dot_add_item(const model *, const view *, const item *, text *line);

#endif
