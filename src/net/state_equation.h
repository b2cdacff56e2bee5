/* The state equation: what can be said of all reachable markings without looking
** at one.
**
** Each reachable marking m is m0 + C x, where x tells how often each transition
** fires and C what a transition adds to each place; m and x are not negative.
** So when no such m satisfies a claim, no reachable marking does.  Solutions
** that leave a trap empty which was marked at the start are no reachable
** markings either: for such a solution the trap is added and the question is
** asked again (J. Esparza, S. Melzer, 2000).
**
** Simplex proposes; what counts is a proof in whole numbers (Farkas).  For a sum
** w of tokens and weights y of places, none negative,
**
**   (y - w) C <= 0  implies  w m >= w m0 - y m0  for all reachable m:
**
** no transition lets (y - w) m grow, and y m is not negative.  A claim that is a
** conjunction of sums a_k m <= b_k is refuted by factors l_k, none negative,
** with w = sum l_k a_k and w m0 - y m0 > sum l_k b_k. */

#ifndef NUT_NET_STATE_EQUATION_H
#define NUT_NET_STATE_EQUATION_H

#include "base/limits.h"
#include "net/claim.h"

typedef struct equation equation;

/* NULL: the net is too large for it. */
equation *equation_create(const petri *, limits *);
void equation_destroy(equation *);

/* The sum is never greater than '*most' in a reachable marking; false: nothing
** is known. */
bool equation_most(equation *, const claim_term *, uint32_t count,
                   int64_t *most);
/* Whether no reachable marking satisfies the claim.  'patience' is how many
** linear programs may be solved for it; false: nothing is known. */
bool equation_refutes(equation *, const claim *, uint32_t patience);
/* For 'claim_simplify', with the equation as context. */
int equation_knows(void *equation, const claim *sum);

#endif
