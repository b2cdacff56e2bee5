/* Rewriting into negation normal form, with simplification on the way up.
**
** Every operator has a maker that takes simple operands and returns a simple
** formula; the rules are in the makers.  Most come in pairs, one the other
** under negation: && and ||, X and X, <> and [], U and R, W and M. */

#include "logic/ltl_internal.h"
#include "logic/ltl_rules.h"

static const ltl *simplify(ltl_context *c, const ltl *f, bool negate);

/* Puts the simple operands of a chain of && or || on the stack. */
static void push_chain(ltl_context *c, const ltl *f, ltl_op op, bool negate)
{
  for (; f->op == op; f = f->a)
    push_chain(c, f->b, op, negate);
  const ltl *simple = simplify(c, f, negate);
  vec_push(&c->operands, simple);
}

static const ltl *simplify_chain(ltl_context *c, const ltl *f, bool negate)
{
  size_t base = c->operands.len;
  push_chain(c, f, f->op, negate);
  bool conjunction = (f->op == LTL_AND) != negate;
  return ltl_join_operands(c, conjunction ? LTL_AND : LTL_OR, base);
}

/* a <-> b as a && b || !a && !b; negated as a && !b || !a && b. */
static const ltl *simplify_equiv(ltl_context *c, const ltl *f, bool negate)
{
  const ltl *a = simplify(c, f->a, false), *b = simplify(c, f->b, negate);
  const ltl *not_a = simplify(c, f->a, true);
  const ltl *not_b = simplify(c, f->b, !negate);
  return ltl_make_simple(c, LTL_OR, ltl_make_simple(c, LTL_AND, a, b),
                         ltl_make_simple(c, LTL_AND, not_a, not_b));
}

/* The operator with the opposite meaning on negated operands. */
static ltl_op dual(ltl_op op)
{
  switch (op) {
  case LTL_EVENTUALLY:
    return LTL_ALWAYS;
  case LTL_ALWAYS:
    return LTL_EVENTUALLY;
  case LTL_UNTIL:
    return LTL_RELEASE;
  case LTL_RELEASE:
    return LTL_UNTIL;
  case LTL_WEAK_UNTIL:
    return LTL_STRONG_RELEASE;
  case LTL_STRONG_RELEASE:
    return LTL_WEAK_UNTIL;
  default: /* X is its own */
    return op;
  }
}

static const ltl *rewrite(ltl_context *c, const ltl *f, bool negate)
{
  switch ((ltl_op)f->op) {
  case LTL_FALSE:
  case LTL_TRUE:
    return ltl_constant(c, (f->op == LTL_TRUE) != negate);
  case LTL_ATOM:
    return negate ? ltl_unary(c, LTL_NOT, f) : f;
  case LTL_NOT:
    return simplify(c, f->a, !negate);
  case LTL_AND:
  case LTL_OR:
    return simplify_chain(c, f, negate);
  case LTL_IMPLIES:
    return ltl_make_simple(c, negate ? LTL_AND : LTL_OR,
                           simplify(c, f->a, !negate),
                           simplify(c, f->b, negate));
  case LTL_EQUIV:
    return simplify_equiv(c, f, negate);
  case LTL_NEXT:
  case LTL_EVENTUALLY:
  case LTL_ALWAYS:
    return ltl_make_simple(c, negate ? dual(f->op) : (ltl_op)f->op,
                           simplify(c, f->a, negate), NULL);
  case LTL_UNTIL:
  case LTL_WEAK_UNTIL:
  case LTL_RELEASE:
  case LTL_STRONG_RELEASE:
    return ltl_make_simple(c, negate ? dual(f->op) : (ltl_op)f->op,
                           simplify(c, f->a, negate),
                           simplify(c, f->b, negate));
  case LTL_OP_COUNT:
    break;
  }
  return f;
}

/* The results are kept in the formula.  That a simple formula is its own
** result must hold, or else rewriting might never end. */
static const ltl *simplify(ltl_context *c, const ltl *f, bool negate)
{
  if (!f->simple[negate]) {
    const ltl *result = rewrite(c, f, negate);
    ((ltl *)f)->simple[negate] = result;
    ((ltl *)result)->simple[false] = result;
  }
  return f->simple[negate];
}

/* ---- the normal form alone ------------------------------------------------
 */

static const ltl *normalise(ltl_context *c, const ltl *f, bool negate);

static const ltl *normal_form(ltl_context *c, const ltl *f, bool negate)
{
  const ltl *a, *b;
  switch ((ltl_op)f->op) {
  case LTL_FALSE:
  case LTL_TRUE:
    return ltl_constant(c, (f->op == LTL_TRUE) != negate);
  case LTL_ATOM:
    return negate ? ltl_unary(c, LTL_NOT, f) : f;
  case LTL_NOT:
    return normalise(c, f->a, !negate);
  case LTL_AND:
  case LTL_OR:
    a = normalise(c, f->a, negate);
    b = normalise(c, f->b, negate);
    return ltl_binary(c, (f->op == LTL_AND) != negate ? LTL_AND : LTL_OR, a, b);
  case LTL_IMPLIES:
    a = normalise(c, f->a, !negate);
    b = normalise(c, f->b, negate);
    return ltl_binary(c, negate ? LTL_AND : LTL_OR, a, b);
  case LTL_EQUIV:
    a = ltl_binary(c, LTL_AND, normalise(c, f->a, false),
                   normalise(c, f->b, negate));
    b = ltl_binary(c, LTL_AND, normalise(c, f->a, true),
                   normalise(c, f->b, !negate));
    return ltl_binary(c, LTL_OR, a, b);
  case LTL_NEXT:
  case LTL_EVENTUALLY:
  case LTL_ALWAYS:
    a = normalise(c, f->a, negate);
    return ltl_unary(c, negate ? dual(f->op) : (ltl_op)f->op, a);
  case LTL_UNTIL:
  case LTL_WEAK_UNTIL:
  case LTL_RELEASE:
  case LTL_STRONG_RELEASE:
    a = normalise(c, f->a, negate);
    b = normalise(c, f->b, negate);
    return ltl_binary(c, negate ? dual(f->op) : (ltl_op)f->op, a, b);
  case LTL_OP_COUNT:
    break;
  }
  return f;
}

static const ltl *normalise(ltl_context *c, const ltl *f, bool negate)
{
  if (!f->normal[negate])
    ((ltl *)f)->normal[negate] = normal_form(c, f, negate);
  return f->normal[negate];
}

const ltl *ltl_normalise(ltl_context *c, const ltl *f)
{
  return normalise(c, f, false);
}

const ltl *ltl_simplify(ltl_context *c, const ltl *f)
{
  return simplify(c, f, false);
}

const ltl *ltl_negate(ltl_context *c, const ltl *f)
{
  return simplify(c, f, true);
}
