/* Linear programs of a net in exact arithmetic, by another program: Z3.
**
** Asked is whether sums of tokens can be at most their limits in a marking m = m0
** + C x with m, x >= 0.  Two questions go to the child in one text,
**
**   is there such an x?                                    a solution
**   are there y, l >= 0 with (y - w) C <= 0, w = sum l_k a_k,
**   and w m0 - y m0 - sum l_k b_k >= 1?                    a proof
**
** of which exactly one has an answer (Farkas).  The child is not trusted: who
** asks checks the proof in whole numbers (state_equation.h).  It works under
** limits of work, time and memory; its memory is counted as ours while it runs.
** Nothing of the model is a word of its command line: it reads variables x0, x1,
** ... and numbers. */

#ifndef NUT_NET_PROOF_EXACT_H
#define NUT_NET_PROOF_EXACT_H

#include "base/limits.h"
#include "net/claim.h"

typedef enum {
  EXACT_SOLVED,
  EXACT_REFUTED,
  EXACT_ENDED /* nothing is known */
} exact_end;

typedef struct exact_answer {
  double *values;   /* SOLVED: x by transition, then m by place */
  int64_t *weights; /* REFUTED: y by place, whole */
  int64_t *factors; /* REFUTED: l by sum, with the same denominator */
} exact_answer;

bool exact_is_installed(void);
exact_end exact_ask(const petri *, const claim *const *sums, uint32_t count,
                    limits *, exact_answer *);

#endif
