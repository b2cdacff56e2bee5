/* Formulas of 'ltl' blocks: temporal operators over conditions. */

#include "lang/promela/lower/lower.h"
#include "model/ltl.h"

typedef struct operator_row {
  pml_expr_kind kind;
  ltl_op to;
} operator_row;

static const operator_row operators[] = {
    {E_NOT, LTL_NOT},
    {E_NEXT, LTL_NEXT},
    {E_EVENTUALLY, LTL_EVENTUALLY},
    {E_ALWAYS, LTL_ALWAYS},
    {E_AND, LTL_AND},
    {E_OR, LTL_OR},
    {E_IMPLIES, LTL_IMPLIES},
    {E_EQUIV, LTL_EQUIV},
    {E_UNTIL, LTL_UNTIL},
    {E_WEAK_UNTIL, LTL_WEAK_UNTIL},
    {E_RELEASE, LTL_RELEASE},
};
enum { OPERATORS = sizeof operators / sizeof operators[0] };

static const ltl *lower_leaf(lower *l, const pml_expr *e)
{
  if (lower_has_run(e)) {
    diag_error(l->diags, e->where, "a formula cannot create processes");
    return NULL;
  }
  expr *condition = lower_expr(l, e);
  return condition ? ltl_leaf(l->m->arena, NULL, condition) : NULL;
}

static const ltl *lower_tree(lower *l, const pml_expr *e)
{
  for (size_t i = 0; i < OPERATORS; i++) {
    if (operators[i].kind != e->kind)
      continue;
    const ltl *a = lower_tree(l, e->a);
    const ltl *b = e->b ? lower_tree(l, e->b) : NULL;
    return a && (b || !e->b) ? ltl_new(l->m->arena, operators[i].to, a, b)
                             : NULL;
  }
  return lower_leaf(l, e);
}

const ltl *lower_formula(lower *l, const pml_expr *e)
{
  const ltl *f = lower_tree(l, e);
  return f ? ltl_protect(l->m, f) : NULL;
}
