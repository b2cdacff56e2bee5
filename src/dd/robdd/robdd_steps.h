/* Steps between assignments, for sets of states as functions of bits.
**
** Variable 2k is bit k before a step, variable 2k + 1 the same bit after it;
** the two are neighbours in the order, the first one above (robdd_group keeps
** them so), and a manager used in this way has such pairs only.  A set is a
** function of the even variables.  A relation is a function of both; it reads
** any bit, and changes those of the cube 'written' (of even variables), of
** which alone it may mention the odd ones.
**
**   image     exists (bits before, written): set and relation, renamed
**
** That is and-exists followed by a renaming; here it is one recursion over
** pairs of levels, as the result has its nodes where the set has them. */

#ifndef NUT_DD_ROBDD_ROBDD_STEPS_H
#define NUT_DD_ROBDD_ROBDD_STEPS_H

#include "dd/robdd/robdd.h"

/* What the relation leads to from a set. */
robdd robdd_image(robdd_manager *, robdd set, robdd relation, robdd written);
/* Whence it leads into the set. */
robdd robdd_preimage(robdd_manager *, robdd set, robdd relation, robdd written);

/* ---- closure ------------------------------------------------------------ */

/* The image of a set under an event; the set may have fewer levels than whole
** states, those from the event's first one on.  ROBDD_FULL ends all. */
typedef robdd robdd_fire(void *context, uint32_t event, robdd set);

typedef struct robdd_events {
  const uint32_t *list; /* sorted by the first level that they touch */
  const uint32_t *tops; /* that level, for each of the list */
  uint32_t count;
  /* What closures are remembered by: first of 'count' numbers that belong to
  ** these events in this order (robdd_take_keys). */
  uint32_t key;
  robdd_fire *fire;
  void *context;
} robdd_events;

/* Numbers that nobody else has; false: there are none left. */
bool robdd_take_keys(robdd_manager *, uint32_t count, uint32_t *first);

/* The set and all that the events of the list lead to, from place 'first' on.
** By saturation: below the first level of an event, all later events have done
** their work before it is fired, and parts of the diagram that are equal are
** closed once.  What is remembered stays true as long as events do not lead
** further from the same states than they did.  There is no reordering
** meanwhile. */
robdd robdd_close(robdd_manager *, robdd set, const robdd_events *,
                  uint32_t first);

/* ---- sums --------------------------------------------------------------- */

/* Weights are by variable.  The states whose sum of the weights of bits that
** are 1 lies in lo..hi; sums are smaller than 2^45. */
robdd robdd_between(robdd_manager *, robdd set, const int64_t *weights,
                    int64_t lo, int64_t hi);
/* The greatest such sum; the set is not empty.  False: no memory. */
bool robdd_greatest(const robdd_manager *, robdd set, const int64_t *weights,
                    int64_t *greatest);

#endif
