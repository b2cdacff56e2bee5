/* Comparisons of sums: factor * variable + ... + constant, compared with 0.
** That is what formulas over nets are made of. */

#ifndef NUT_SYMBOLIC_LINEAR_H
#define NUT_SYMBOLIC_LINEAR_H

#include "symbolic/symbolic_internal.h"

typedef struct linear {
  op compare; /* LT LE GT GE EQ NE */
  int64_t constant;
  int32_t *factors; /* by level; in the space's arena */
} linear;

/* Reads 'e' as such a comparison.  False: it is none, or its numbers could
** wrap around in the program's arithmetic. */
bool linear_read(symbolic_space *, const expr *e, linear *);
symbolic_set linear_states(symbolic_space *, const linear *);
/* Whether the value of an expression may depend on the field. */
bool linear_reads(symbolic_space *, const expr *, const field *);

#endif
