/* The first states of a product as a graph (prefix.c), and whether a loop in it
** may be accepted (prefix_scc.c). */

#ifndef NUT_SEARCH_SHALLOW_PREFIX_H
#define NUT_SEARCH_SHALLOW_PREFIX_H

#include "search/liveness/scc.h"

typedef struct prefix_step {
  uint64_t marks;
  uint32_t target;
  uint32_t movers; /* see product_movers */
} prefix_step;

/* States are numbered from 0, in the order in which they were met. */
typedef struct prefix {
  uint32_t count;
  VEC(size_t) first_steps; /* of each state, and the end of all */
  VEC(prefix_step) steps;
  VEC(process_set) enabled; /* of each state, under weak fairness */
  /* For the strongly connected components: when a state was met (0: not yet),
  ** and the earliest that can be reached from it. */
  VEC(uint32_t) met, earliest;
  VEC(uint32_t) waiting; /* met, and of no finished component */
  VEC(uint32_t) path;    /* of the search, */
  VEC(size_t) next;      /* and the next step of each state on it */
} prefix;

void prefix_free(prefix *);

/* Whether some strongly connected component with a loop has all marks and,
** under weak fairness, a turn of every process.  Strong fairness is not looked
** at. */
bool prefix_has_loop(const live *, prefix *);

#endif
