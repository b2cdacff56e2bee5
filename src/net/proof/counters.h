/* Counters: places added to a net that tell how often transitions have fired.
**
** The state equation does not see a transition t that looks at tokens of a place
** p without taking them: in a solution t may fire though p was never marked.
** But when p has too few tokens at the start, somebody must have added to it.
** So t gets a place that it puts a token into, p gets one that all who add to p
** put a token into, and of every reachable marking it is true that
**
**   counter of t <= 0  or  counter of p >= 1
**
** The net with counters does what the net does: they are never taken from. */

#ifndef NUT_NET_PROOF_COUNTERS_H
#define NUT_NET_PROOF_COUNTERS_H

#include "net/claim.h"

typedef struct counters counters;

/* The net may be without any; then it is the same.  There are at most some
** hundred counters. */
counters *counters_make(arena *, const petri *);
const petri *counters_net(const counters *);
/* A claim of this kind that a solution of the state equation violates; values
** are firings by transition, then tokens by place.  NULL: there is none. */
const claim *counters_doubt(const counters *, arena *, const double *values);

#endif
