/* Formulas of linear temporal logic: what they are made of, what their shape
** tells, and which parts of them are conditions. */

#include "model/ltl.h"

#include "model/model.h"

#include <assert.h>

unsigned ltl_arity(ltl_op which)
{
  static const uint8_t arity[] = {
#define OP(name, count, spin, letter, word) count,
      LTL_OPS(OP)
#undef OP
  };
  return arity[which];
}

/* ---- facts ----------------------------------------------------------------
 */

enum {
  EVERYTHING = LTL_BOOLEAN | LTL_EVENTUAL | LTL_UNIVERSAL | LTL_NEXT_FREE |
               LTL_SAFETY | LTL_GUARANTEE | LTL_OBLIGATION
};

/* Negation turns eventual into universal formulas, safety into guarantee. */
static unsigned facts_of_not(unsigned a)
{
  unsigned same = a & (LTL_BOOLEAN | LTL_NEXT_FREE | LTL_OBLIGATION);
  return same | (a & LTL_EVENTUAL ? LTL_UNIVERSAL : 0) |
         (a & LTL_UNIVERSAL ? LTL_EVENTUAL : 0) |
         (a & LTL_SAFETY ? LTL_GUARANTEE : 0) |
         (a & LTL_GUARANTEE ? LTL_SAFETY : 0);
}

/* What U and its relatives pass on.  The tables for obligations are those of
** Chang, Manna & Pnueli (1992), extended to W and M. */
static unsigned facts_of_binary(ltl_op which, unsigned a, unsigned b)
{
  unsigned both = a & b, facts = both & LTL_NEXT_FREE;
  bool obligation = a & LTL_OBLIGATION && b & LTL_OBLIGATION;
  facts |= both & (LTL_EVENTUAL | LTL_UNIVERSAL);
  switch (which) {
  case LTL_UNTIL:
    facts |= (b & LTL_EVENTUAL) | (both & LTL_GUARANTEE);
    obligation = obligation && b & LTL_GUARANTEE;
    break;
  case LTL_WEAK_UNTIL:
    facts |= both & LTL_SAFETY;
    obligation = obligation && a & LTL_SAFETY;
    break;
  case LTL_RELEASE:
    facts |= (b & LTL_UNIVERSAL) | (both & LTL_SAFETY);
    obligation = obligation && b & LTL_SAFETY;
    break;
  default: /* strong release */
    facts |= both & LTL_GUARANTEE;
    obligation = obligation && a & LTL_GUARANTEE;
    break;
  }
  return facts | (obligation ? LTL_OBLIGATION : 0);
}

static unsigned facts_of(ltl_op which, unsigned a, unsigned b)
{
  unsigned result = 0;
  switch (which) {
  case LTL_FALSE:
  case LTL_TRUE:
    return EVERYTHING;
  case LTL_ATOM:
    return EVERYTHING & ~(unsigned)(LTL_EVENTUAL | LTL_UNIVERSAL);
  case LTL_NOT:
    return facts_of_not(a);
  case LTL_NEXT:
    return a & ~(unsigned)(LTL_BOOLEAN | LTL_NEXT_FREE);
  case LTL_EVENTUALLY:
    result = LTL_EVENTUAL | (a & (LTL_NEXT_FREE | LTL_UNIVERSAL));
    return result | (a & LTL_GUARANTEE ? LTL_GUARANTEE | LTL_OBLIGATION : 0);
  case LTL_ALWAYS:
    result = LTL_UNIVERSAL | (a & (LTL_NEXT_FREE | LTL_EVENTUAL));
    return result | (a & LTL_SAFETY ? LTL_SAFETY | LTL_OBLIGATION : 0);
  case LTL_AND:
  case LTL_OR:
    return a & b;
  case LTL_IMPLIES:
    return facts_of_not(a) & b;
  case LTL_EQUIV:
    return facts_of_not(a) & a & facts_of_not(b) & b;
  case LTL_UNTIL:
  case LTL_WEAK_UNTIL:
  case LTL_RELEASE:
  case LTL_STRONG_RELEASE:
    return facts_of_binary(which, a, b);
  case LTL_OP_COUNT:
    break;
  }
  return 0;
}

/* ---- making ---------------------------------------------------------------
 */

void ltl_init(ltl *f, ltl_op which, const ltl *a, const ltl *b)
{
  uint32_t depth = a ? a->depth : 0;
  if (b && b->depth > depth)
    depth = b->depth;
  *f = (ltl){.op = (uint8_t)which, .depth = depth + 1, .a = a, .b = b};
  f->facts = (uint8_t)facts_of(which, a ? a->facts : 0, b ? b->facts : 0);
}

const ltl *ltl_new(arena *memory, ltl_op which, const ltl *a, const ltl *b)
{
  assert(which != LTL_ATOM && ltl_arity(which) == (unsigned)!!a + !!b);
  ltl *f = ARENA_NEW(memory, ltl);
  ltl_init(f, which, a, b);
  return f;
}

const ltl *ltl_leaf(arena *memory, const char *string, expr *condition)
{
  assert(string || condition);
  ltl *f = ARENA_NEW(memory, ltl);
  ltl_init(f, LTL_ATOM, NULL, NULL);
  f->text = string;
  f->condition = condition;
  return f;
}

/* ---- conditions -----------------------------------------------------------
 */

/* Whether an expression always has a value.  Only variables, constants and
** operators on them are known to. */
static bool has_value(const expr *e)
{
  if (!e)
    return true;
  if (e->op == OP_DIV || e->op == OP_MOD ||
      (e->op > OP_COND && e->op != OP_AT && e->op != OP_NP &&
       e->op != OP_NR_PR && e->op != OP_LAST))
    return false;
  for (const ref *r = e->op == OP_VAR ? e->ref : NULL; r; r = r->field)
    if (r->index && r->index->op != OP_CONST)
      return false;
  return has_value(e->args[0]) && has_value(e->args[1]) &&
         has_value(e->args[2]);
}

static bool conditions_have_values(const ltl *f)
{
  return !f || (has_value(f->condition) && conditions_have_values(f->a) &&
                conditions_have_values(f->b));
}

static expr *negation(model *m, expr *e)
{
  return expr_new(m, OP_NOT, e, NULL, NULL, e->where);
}

/* A formula without temporal operators as an expression. */
static expr *expression(model *m, const ltl *f)
{
  expr *a = f->a ? expression(m, f->a) : NULL;
  expr *b = f->b ? expression(m, f->b) : NULL;
  switch ((ltl_op)f->op) {
  case LTL_FALSE:
  case LTL_TRUE:
    return expr_const(m, f->op == LTL_TRUE, NO_SPAN);
  case LTL_ATOM:
    return f->condition;
  case LTL_NOT:
    return negation(m, a);
  case LTL_AND:
    return expr_new(m, OP_AND, a, b, NULL, a->where);
  case LTL_OR:
    return expr_new(m, OP_OR, a, b, NULL, a->where);
  case LTL_IMPLIES:
    return expr_new(m, OP_IMPLY, a, b, NULL, a->where);
  default: /* '<->' compares truth, not numbers */
    assert(f->op == LTL_EQUIV);
    return expr_new(m, OP_EQ, negation(m, a), negation(m, b), NULL, a->where);
  }
}

const ltl *ltl_protect(model *m, const ltl *f)
{
  if (!f->a)
    return f;
  if (f->facts & LTL_BOOLEAN)
    return conditions_have_values(f)
               ? f
               : ltl_leaf(m->arena, NULL, expression(m, f));
  const ltl *a = ltl_protect(m, f->a);
  const ltl *b = f->b ? ltl_protect(m, f->b) : NULL;
  return a == f->a && b == f->b ? f : ltl_new(m->arena, f->op, a, b);
}
