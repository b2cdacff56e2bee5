/* The places of an observer by strongly connected component.  A loop of the
** product never leaves the component of its places, so what is known of those
** saves work: where no loop can be accepted, or every one is, the nested search
** needs no second search. */

#ifndef NUT_SEARCH_PARTS_H
#define NUT_SEARCH_PARTS_H

#include "search/observer.h"

typedef struct place_part {
  uint32_t component;
  bool accepts;   /* some loop in the component may be accepted */
  bool all_loops; /* every loop in it is, unless fairness says otherwise */
} place_part;

/* One for each place of the observer. */
typedef VEC(place_part) part_list;

void parts_find(part_list *, const observer *, const model *);

#endif
