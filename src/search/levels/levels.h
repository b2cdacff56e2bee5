/* Level by level: a breadth-first search that can use several threads and keeps
** nothing but the store and two levels of handles.  What it answers is a
** function of model, questions and options: docs/internals/levels.md.
**
**   levels_run     walks over all states; errors are entered level by level
**   levels_tell    afterwards: how runs led to them, by a second walk
**
** Its parts:
**
**   levels.c    the walk      levels.inc   a walker's share of it, per store
**   team.c      threads       least.c      which error counts
**   ways.c      traces        frontier.h   the states of a level
**   outlook.c   what is to come: forecast.h, growing.h
**   showing.c   all states, when they are there */

#ifndef NUT_SEARCH_LEVELS_LEVELS_H
#define NUT_SEARCH_LEVELS_LEVELS_H

#include "search/search.h"
#include <stdbool.h>
#include <stdint.h>

struct search;
struct search_loop;
struct team;

/* Whether a search can go by levels: its answer does not depend on the order of
** states. */
bool levels_suit(const program *, const search_options *,
                 const struct search_loop *);
/* How many threads it may have then, and if that is one though threads were
** asked for, why. */
void levels_count_threads(struct search *);
void levels_run(struct search *);
/* Shows all states, which are in a 'collapse+tree', to 'on_stored'. */
void levels_show(struct search *);
/* Makes the traces of what was found; the store is given back by then.  Called
** after every search. */
void levels_tell(struct search *);
/* The run was left in the middle, because memory or time ran out. */
void levels_leave(struct search *);
/* The store is about to go. */
void levels_leave_store(struct search *);
/* The edges that walkers executed, into the result of the run. */
void levels_add_reached(struct search *);
/* And how often, where that is counted. */
void levels_add_executed(struct search *);
/* What it needs beside the store. */
uint64_t levels_bytes(const struct team *);
void levels_free(struct search *);

#endif
