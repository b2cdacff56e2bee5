/* Which engine answers which questions, and in which order.
**
**   steps, states, runs    one search state by state; with 'symbolic', sets of
**                          states
**   pairs of states        watched by that search (state_coding.h)
**   trees                  after it: on its sets when there are some; else state
**                          by state, and by sets when there are too many
**                          (ctl_check.h)
**   the whole space        from what the others have counted (examination.h)
**
** Of a net, where the options leave it open, states one by one and sets of
** states take turns, each longer than the one before, until one is through.
** Turns are counted in work, not in time.
**
** Where no question is about infinite runs, trees or pairs, and the run need
** not be a shortest one, the search may leave out steps and values of no
** account. */

#ifndef NUT_VERIFY_PLAN_H
#define NUT_VERIFY_PLAN_H

#include "verify/verification.h"

/* Answers the questions, and judges. */
void plan_run(verification *, const nut_options *, bool count);

/* One turn state by state and one with sets of states, the longer the greater
** 'times' is.  False: neither was through, and nothing is filled. */
bool plan_turn(verification *, const nut_options *, uint64_t times);

#endif
