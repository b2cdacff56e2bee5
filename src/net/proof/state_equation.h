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
** with w = sum l_k a_k and w m0 - y m0 > sum l_k b_k.
**
** A transition that needs tokens of a place which it does not lessen can be part
** of a solution though nothing has put them there.  So such transitions, and
** those that add to such places, are counted by places of ours, and "it never
** fires, or one of those does" is added when a solution says otherwise. */

#ifndef NUT_NET_PROOF_STATE_EQUATION_H
#define NUT_NET_PROOF_STATE_EQUATION_H

#include "base/limits.h"
#include "net/claim.h"

typedef struct equation equation;

/* NULL: the net is too large for it.  Without simplex, everything is too much
** for it. */
equation *equation_create(const petri *, limits *, bool simplex);
void equation_destroy(equation *);
/* Where simplex fails, so many programs may be given to Z3 from now on
** (exact.h).  Returns how many there were left before. */
uint32_t equation_allow_exact(equation *, uint32_t programs);
/* After 'equation_refutes': whether a program was too much for simplex, so that
** it could be worth while to allow Z3. */
bool equation_gave_up(const equation *);

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
