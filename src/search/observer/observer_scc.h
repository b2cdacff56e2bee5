/* The places of an observer by strongly connected component.  A loop of the
** product never leaves the component of its places, so what is known of those
** saves work: where no loop can be accepted, or every one is, the nested search
** needs no second search. */

#ifndef NUT_SEARCH_OBSERVER_OBSERVER_SCC_H
#define NUT_SEARCH_OBSERVER_OBSERVER_SCC_H

#include "search/observer/observer.h"

typedef struct place_scc {
  uint32_t scc;
  bool accepts;   /* some loop in the component may be accepted */
  bool all_loops; /* every loop in it is, unless fairness says otherwise */
} place_scc;

/* One for each place of the observer. */
typedef VEC(place_scc) place_scc_list;

void observer_scc_find(place_scc_list *, const observer *, const model *);

#endif
