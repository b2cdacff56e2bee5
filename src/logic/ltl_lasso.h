/* Infinite words that end in a loop, and the truth of formulas on them.
**
**   letter 0, ..., loop-1 ( letter loop, ..., length-1 ) for ever
**
** This is the meaning of the temporal operators, written down as plainly as
** possible; automata are checked against it. */

#ifndef NUT_LOGIC_LTL_LASSO_H
#define NUT_LOGIC_LTL_LASSO_H

#include "logic/ltl_context.h"

/* Bit p % 64 of word p / 64 of a letter is the value of proposition p. */
typedef struct lasso {
  uint32_t length, loop; /* loop < length */
  uint32_t words;        /* of a letter */
  const uint64_t *letters;
} lasso;

/* Whether the word satisfies the formula. */
bool lasso_satisfies(ltl_context *, const lasso *, const ltl *);

#endif
