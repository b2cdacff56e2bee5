/* Temporal formulas over conditions of a model, as a language hands them over:
** a tree whose leaves are expressions.  What they mean is said in logic/ltl.h;
** this is only how they travel from a front end to the search. */

#ifndef NUT_MODEL_TEMPORAL_H
#define NUT_MODEL_TEMPORAL_H

#include "model/model.h"

typedef enum {
  TEMPORAL_CONDITION, /* 'condition' is true now */
  TEMPORAL_NOT,
  TEMPORAL_NEXT,
  TEMPORAL_EVENTUALLY,
  TEMPORAL_ALWAYS,
  TEMPORAL_AND, /* from here on with two operands */
  TEMPORAL_OR,
  TEMPORAL_IMPLIES,
  TEMPORAL_EQUIV,
  TEMPORAL_UNTIL,
  TEMPORAL_WEAK_UNTIL,
  TEMPORAL_RELEASE,
  TEMPORAL_STRONG_RELEASE
} temporal_kind;

/* Nesting beyond this is refused by those who make formulas, so that walks may
** recurse. */
enum { TEMPORAL_DEPTH_MAX = 5000 };

typedef struct temporal {
  temporal_kind kind;
  expr *condition;
  const struct temporal *a, *b;
} temporal;

const temporal *temporal_condition(model *, expr *);
const temporal *temporal_new(model *, temporal_kind, const temporal *a,
                             const temporal *b);
/* In SPIN's signs, with all parentheses. */
void temporal_print(const model *, const temporal *, text *out);

#endif
