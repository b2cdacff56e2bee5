/* What the files about formulas share; no other file includes this. */

#ifndef NUT_LOGIC_LTL_INTERNAL_H
#define NUT_LOGIC_LTL_INTERNAL_H

#include "base/arena.h"
#include "base/source/intern.h"
#include "base/vec.h"
#include "logic/boolean.h"
#include "logic/ltl_context.h"

/* An answer of 'ltl_implies', to be found again. */
typedef struct ltl_answer {
  uint32_t f, g; /* numbers of the formulas, plus 1; 0 = free */
  bool implies;
} ltl_answer;

enum { LTL_ANSWERS = 1 << 14 };

/* What a number stands for. */
typedef struct ltl_proposition {
  const char *text; /* interned, or NULL */
  expr *condition;  /* or NULL */
} ltl_proposition;

struct ltl_context {
  arena *memory;
  names *names;
  VEC(ltl_proposition) atoms;
  VEC(const ltl *) atom_nodes; /* by atom; NULL where not yet used */
  const ltl *constants[2];
  ltl **rows; /* the unique table, chained; 'row_count' is a power of 2 */
  size_t row_count;
  uint32_t count;            /* formulas made */
  VEC(const ltl *) operands; /* a stack, for the operands of && and || */
  ltl_answer *answers;       /* a cache: old answers are overwritten */
  uint32_t effort;           /* of the question being answered */
  booleans *functions;       /* of formulas without temporal operators */
  VEC(boolean) function_of;  /* by formula: its function plus 1, or 0 */
  VEC(uint8_t) seen;         /* by formula, for 'ltl_size' */
  VEC(uint32_t) numbers;     /* by formula, for 'lasso_satisfies' */
  VEC(const ltl *) order;
};

/* Makers that rewrite.  Operands must be simple already: in negation normal
** form and made by these functions. */
const ltl *ltl_make_simple(ltl_context *, ltl_op, const ltl *a, const ltl *b);

static inline bool ltl_is(const ltl *f, unsigned facts)
{
  return (f->facts & facts) == facts;
}

#endif
