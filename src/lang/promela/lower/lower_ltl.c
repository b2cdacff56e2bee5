/* Formulas of 'ltl' blocks: temporal operators over conditions. */

#include "lang/promela/lower/lower.h"
#include "model/temporal.h"

typedef struct operator_row {
  pml_expr_kind kind;
  temporal_kind to;
} operator_row;

static const operator_row operators[] = {
    {E_NOT, TEMPORAL_NOT},
    {E_NEXT, TEMPORAL_NEXT},
    {E_EVENTUALLY, TEMPORAL_EVENTUALLY},
    {E_ALWAYS, TEMPORAL_ALWAYS},
    {E_AND, TEMPORAL_AND},
    {E_OR, TEMPORAL_OR},
    {E_IMPLIES, TEMPORAL_IMPLIES},
    {E_EQUIV, TEMPORAL_EQUIV},
    {E_UNTIL, TEMPORAL_UNTIL},
    {E_WEAK_UNTIL, TEMPORAL_WEAK_UNTIL},
    {E_RELEASE, TEMPORAL_RELEASE},
};
enum { OPERATORS = sizeof operators / sizeof operators[0] };

static const temporal *lower_leaf(lower *l, const pml_expr *e)
{
  if (lower_has_run(e)) {
    diag_error(l->diags, e->where, "a formula cannot create processes");
    return NULL;
  }
  expr *condition = lower_expr(l, e);
  return condition ? temporal_condition(l->m, condition) : NULL;
}

const temporal *lower_formula(lower *l, const pml_expr *e)
{
  for (size_t i = 0; i < OPERATORS; i++) {
    if (operators[i].kind != e->kind)
      continue;
    const temporal *a = lower_formula(l, e->a);
    const temporal *b = e->b ? lower_formula(l, e->b) : NULL;
    return a && (b || !e->b) ? temporal_new(l->m, operators[i].to, a, b) : NULL;
  }
  return lower_leaf(l, e);
}
