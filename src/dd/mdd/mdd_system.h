/* Systems of events over tuples, and the closure of a set under them.
**
** An event leads from a tuple to others.  There are two kinds:
**
**   shift      touches some levels, each by itself: a value between 'least'
**              and 'most' becomes larger or smaller by 'change'.  That is a
**              transition of a Petri net; nothing need be known in advance
**              about the values a level can have.
**   relation   a set of pairs over the levels it touches (see mdd_touch).  It
**              is learned: whenever tuples turn up whose touched part is new,
**              the owner is asked where they lead.
**
** 'mdd_close' computes the closure by saturation (Ciardo, Luettgen,
** Siminiceanu 2001): nodes are closed from the deepest level up, under the
** events that begin at their level or below, so that an event works on the
** small part of the diagram that it touches.  Always, at level k:
**
**   the children of the node at work are closed under all events that begin
**   below k; unions of closed sets are closed; hence only events that begin
**   at k remain to be fired, and what they change below is closed again.
**
** A closure remembered in the computed table stays true while relations grow,
** because everything that can happen to its tuples was learned before.
**
** Managers are of the kind MDD_VALUES.  Shift events need values below 2^31. */

#ifndef NUT_DD_MDD_MDD_SYSTEM_H
#define NUT_DD_MDD_MDD_SYSTEM_H

#include "dd/mdd/mdd.h"

typedef struct mdd_system mdd_system;

typedef struct mdd_shift {
  uint32_t level;
  uint32_t least, most; /* values with which it can happen */
  int32_t change;
} mdd_shift;

#define MDD_SHIFT_MOST ((uint32_t)INT32_MAX)

/* Where the tuples 'fresh', over the touched levels of the event, lead: a set
** of tuples of the relation.  MDD_FULL ends the computation. */
typedef mdd mdd_learn(void *context, uint32_t event, mdd fresh);

typedef struct mdd_system_options {
  mdd_learn *learn; /* NULL: there are no relations */
  /* Asked every now and then; true ends the computation at once. */
  bool (*impatient)(void *);
  void *context;
} mdd_system_options;

/* NULL: no memory. */
mdd_system *mdd_system_create(mdd_manager *, uint32_t levels,
                              const mdd_system_options *);
void mdd_system_destroy(mdd_system *);

/* Add an event; false: no memory.  Events are numbered from 0.  Shifts are
** sorted by level, at least one. */
bool mdd_system_add_shift(mdd_system *, const mdd_shift *, uint32_t count);
/* The touched levels are MDD_READ or MDD_READ_WRITE, at least one of them. */
bool mdd_system_add_relation(mdd_system *, const mdd_touch *);

/* Makes sure that a relation knows all tuples of the set; false: it was ended
** or there is no memory.  Nothing to do for shifts. */
bool mdd_system_learn(mdd_system *, uint32_t event, mdd set);
/* What an event leads to from the tuples of a set, which are learned first. */
mdd mdd_system_image(mdd_system *, uint32_t event, mdd set);
/* The tuples of 'within' from which the event leads into the set.  Relations
** must have learned them. */
mdd mdd_system_preimage(mdd_system *, uint32_t event, mdd set, mdd within);
/* The tuples of a set in which a shift event can happen. */
mdd mdd_system_enabled(mdd_system *, uint32_t event, mdd set);

/* The set, and all that events lead to.  MDD_FULL: no memory, it was ended,
** or a value would be too large, for which there is a flag. */
mdd mdd_close(mdd_system *, mdd set);
/* True once a value would have become larger than MDD_SHIFT_MOST. */
bool mdd_system_outgrown(const mdd_system *);

/* ---- measures ----------------------------------------------------------- */

/* The tuples whose sum of value * factor, level by level, lies in lo..hi.
** Values are taken as signed numbers of 32 bits. */
mdd mdd_between(mdd_manager *, mdd set, const int32_t *factors, uint32_t levels,
                int64_t lo, int64_t hi);
/* The tuples of the set with values lo[i]..hi[i] at each level. */
mdd mdd_box(mdd_manager *, mdd set, const uint32_t *lo, const uint32_t *hi,
            uint32_t levels);
/* The greatest such sum; the set is not empty.  False: no memory. */
bool mdd_greatest(const mdd_manager *, mdd set, const int32_t *factors,
                  int64_t *greatest);
/* The least and the greatest value of each level; likewise. */
bool mdd_extremes(const mdd_manager *, mdd set, uint32_t *least,
                  uint32_t *most);

/* ---- tuples that stand for many (mdd_weigh.c) ----------------------------- */

/* The value n of a level with k leaves stands for all ways to spread n over k
** places: there are C(n + k - 1, k - 1).  A view counts only those where some
** of these places have at least 'least' together, each its part, and n is below
** 'below', if that is not 0: C(n - least + k - 1, k - 1). */
typedef struct mdd_floor {
  uint32_t level, least, below;
} mdd_floor;

typedef struct mdd_view {
  const mdd_floor *floors; /* by rising level; others are as without it */
  uint32_t count;
  uint64_t times;
} mdd_view;

typedef struct mdd_weights {
  uint32_t levels;
  const uint32_t *leaves; /* by level, 1 at least */
  const mdd_view *views;
  size_t count;
  bool (*impatient)(void *); /* asked now and then; true: it is ended */
  void *context;
} mdd_weights;

/* How many the tuples of a set stand for, and the sum of what the views say,
** each so many times.  False: no memory, or it was ended. */
bool mdd_weigh(const mdd_manager *, mdd set, const mdd_weights *, bignum *all,
               bignum *viewed);

#endif
