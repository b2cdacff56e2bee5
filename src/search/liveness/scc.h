/* What the search by strongly connected components consists of; see
** scc.c.  Internal to it, lasso.c and fairness.c. */

#ifndef NUT_SEARCH_LIVENESS_SCC_H
#define NUT_SEARCH_LIVENESS_SCC_H

#include "search/liveness/live.h"

/* What a step gives, or a component has, or a loop still needs: marks of the
** observer, and processes that have had their turn. */
typedef struct gains {
  uint64_t marks;
  process_set turns;
} gains;

static inline void gains_add(gains *to, const gains *from)
{
  to->marks |= from->marks;
  for (size_t w = 0; w < PROCESS_WORDS; w++)
    to->turns.words[w] |= from->turns.words[w];
}

static inline void gains_remove(gains *to, const gains *from)
{
  to->marks &= ~from->marks;
  for (size_t w = 0; w < PROCESS_WORDS; w++)
    to->turns.words[w] &= ~from->turns.words[w];
}

static inline bool gains_meet(const gains *a, const gains *b)
{
  uint64_t both = a->marks & b->marks;
  for (size_t w = 0; w < PROCESS_WORDS; w++)
    both |= a->turns.words[w] & b->turns.words[w];
  return both;
}

static inline bool gains_empty(const gains *g)
{
  return !gains_meet(g, g);
}

/* All marks there are, and under weak fairness a turn of every process. */
gains scc_all(const live *);
/* What a step from a state with these enabled processes gives.  Under weak
** fairness a process that cannot move has had its turn as well; under strong
** fairness only those that move. */
gains scc_gain(const live *, const product_edge *, const process_set *enabled);

/* The number of a frame's state; a new one gets stored.  False: the run has
** ended. */
bool scc_number(live *, const live_frame *, bool *fresh, store_handle *number);
/* Composes, above live.used, the state that an edge of the last expansion, that
** of 'state', leads to.  False as above. */
bool scc_compose(live *, const product_edge *, const uint8_t *state,
                 uint32_t length, live_frame *);
/* Writes the state with this number, without hidden bytes; there is room. */
uint32_t scc_fetch(const live *, store_handle, uint8_t *out);
uint32_t scc_longest(const live *);

/* A new state becomes active, and a component of its own; its index. */
uint32_t scc_open(live *, store_handle, const gains *entering);
/* The top component and all above that of 'index' become one, by a step that
** gives 'gain'.  False when that is enough. */
bool scc_melt(live *, uint32_t index, gains gain);
/* All steps of the state with this index have been taken.  When it is a root,
** its component is finished.  False: the run has ended. */
bool scc_close(live *, uint32_t index);

/* Which states a loop may go through. */
typedef struct territory {
  uint32_t least;            /* index at least so great, and not LIVE_DONE, */
  const number_map *regions; /* or, when this is not NULL, */
  uint32_t region;           /* in this region */
} territory;

/* The path to, and a loop through, the territory, in which there is a loop
** that has all of 'needed'.  Sets live.found, or ends the run. */
void scc_lasso(live *, const territory *, gains needed);

/* Under strong fairness: looks for a fair loop inside the component of the
** states live.active from 'first' on.  False: there is none. */
bool scc_find_fair(live *, size_t first);

#endif
