/* Errors near the initial state, beside a search that goes deep.
**
** Depth-first search may enter a branch without end, or a huge one, while an
** error waits a few steps from the start.  So at fixed numbers of its states a
** search pauses for a *round*: a small search of its own
** (search_options.prefix) that goes level by level over the first states, and
** over the first states of the products of open properties about infinite runs.
** What it finds is entered into the answers of the search, as if that had found
** it.
**
** Rounds grow eightfold.  One begins when all rounds so far, and it, are a
** twentieth of the states of the search: so little is lost by a search that
** finds nothing.  After SHALLOW_END states there are no more.  Nothing here
** looks at a clock: the order in which states are met, and so the answer, is a
** function of model, questions and options.
**
** A violation of single states ends the search as always.  One of infinite runs
** found while single states are being walked over lets the walk go on up to
** SHALLOW_GRACE states: most walks end by then and answer the other
** questions. */

#ifndef NUT_SEARCH_SHALLOW_SHALLOW_H
#define NUT_SEARCH_SHALLOW_SHALLOW_H

#include "search/search.h"

/* States of the first round; searches for infinite runs go on with the round
** that the walk over single states, if there was one, has come to. */
#define SHALLOW_FIRST UINT64_C(512)
#define SHALLOW_END UINT64_C(1750000)
#define SHALLOW_GRACE UINT64_C(250000)

struct search;
struct live;

typedef struct shallow {
  /* States of the search at which something is due: a round, or the end of the
  ** prefix.  UINT64_MAX: never. */
  uint64_t due;
  uint64_t size;  /* states of the next round, of each part; 0: no more */
  uint64_t spent; /* states of all rounds */
} shallow;

/* For a walk over states and for the search of one product. */
void shallow_start(struct search *);
void shallow_start_live(struct live *);
/* What is due; may stop the walk. */
void shallow_step(struct search *);
/* The same; true when a lasso was found, which is the product's then. */
bool shallow_step_live(struct live *);

#endif
