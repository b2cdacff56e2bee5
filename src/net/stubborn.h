/* Looks for one marking with few steps at a time: stubborn sets.
**
** In a marking only those enabled transitions fire that are in a set S with
**
**   1. every way to the goal has a transition of S;
**   2. when t of S can fire after others that are not in S, it can fire before
**      them, and they can fire after it.
**
** Then the first transition of S on a way to the goal can be moved to its front:
** what is left out leads to the goal no sooner.  For a dead marking, 1 is: one
** enabled transition of S cannot be disabled by those that are not in S.
** (A. Valmari; K. Schmidt.)  S is found by adding what these conditions ask
** for; docs/internals/nets.md says what that is. */

#ifndef NUT_NET_STUBBORN_H
#define NUT_NET_STUBBORN_H

#include "net/claim.h"

typedef struct stubborn stubborn;

/* The claim, or NULL for a dead marking, is the goal.  All lives in the arena.
*/
stubborn *stubborn_make(arena *, const petri *, const claim *);
/* Fills 'list', which has room for all transitions, with those that are to
** fire; the goal does not hold in the marking.  Returns how
** many there are. */
uint32_t stubborn_set(stubborn *, const int32_t *marking, uint32_t *list);

#endif
