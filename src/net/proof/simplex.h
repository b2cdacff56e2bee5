/* Linear programs, by the simplex algorithm with doubles: fast, and not to be
** trusted.  Who asks takes the coefficients of the answer and checks them in
** whole numbers (state_equation.h).
**
** A dictionary: each basic variable is a number minus a sum of nonbasic ones,
**
**   basic[i] = right[i] - sum over j of entry[i][j] * nonbasic[j]
**
** all variables are 0 or more, and so are all 'right', so that all nonbasic at 0
** is a solution.  The objective is a number and a sum likewise.  Rows are cut
** off in the end by 'simplex_restore'.  (V. Chvatal, Linear Programming, 1983.)
*/

#ifndef NUT_NET_PROOF_SIMPLEX_H
#define NUT_NET_PROOF_SIMPLEX_H

#include "base/limits.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct simplex simplex;

/* A term of a sum of variables. */
typedef struct simplex_term {
  uint32_t variable;
  double factor;
} simplex_term;

/* Variables 0 .. columns - 1 are nonbasic, columns .. columns + rows - 1 are
** basic, with entries of 0.  At most 'more' rows are added later.  NULL: too
** large, or no memory. */
simplex *simplex_create(uint32_t columns, uint32_t rows, uint32_t more);
void simplex_destroy(simplex *);
void simplex_set(simplex *, uint32_t row, uint32_t column, double entry);
void simplex_set_right(simplex *, uint32_t row, double);

/* So that 'simplex_restore' comes back to this. */
void simplex_keep(simplex *);
void simplex_restore(simplex *);

/* The sum is at most 'limit': one row more, whose basic variable, the next
** number, is what is missing.  It may be violated now. */
void simplex_add(simplex *, const simplex_term *, uint32_t count, double limit);

typedef enum {
  SIMPLEX_BEST,      /* found */
  SIMPLEX_UNBOUNDED, /* there is no greatest value */
  SIMPLEX_ENDED      /* too much work */
} simplex_end;

/* Makes the sum as great as possible.  No row may be violated. */
simplex_end simplex_maximize(simplex *, const simplex_term *, uint32_t count,
                             uint64_t *work, limits *);
/* Looks for a solution that violates no row.  BEST: '*feasible' says whether
** there is one. */
simplex_end simplex_satisfy(simplex *, bool *feasible, uint64_t *work,
                            limits *);

/* After one of them: the value of a variable, the price of one (0 when it is
** basic), which is how much the objective loses when it grows by one. */
void simplex_values(const simplex *, double *values);
void simplex_prices(const simplex *, double *prices);

#endif
