/* Expressions compared with each other, as they are written. */

#include "model/model.h"

bool ref_same(const ref *a, const ref *b)
{
  if (!a || !b)
    return a == b;
  return a->var == b->var && expr_same(a->index, b->index) &&
         ref_same(a->field, b->field);
}

bool expr_same(const expr *a, const expr *b)
{
  if (a == b || !a || !b)
    return a == b;
  return a->op == b->op && a->value == b->value && a->poll == b->poll &&
         a->run == b->run && a->process == b->process &&
         a->location == b->location && ref_same(a->ref, b->ref) &&
         expr_same(a->args[0], b->args[0]) &&
         expr_same(a->args[1], b->args[1]) && expr_same(a->args[2], b->args[2]);
}

/* ---- conditions that exclude each other ---------------------------------- */

/* How the two sides of a comparison can be to each other. */
enum { IS_LESS = 1, IS_EQUAL = 2, IS_MORE = 4 };

static uint32_t order_of(op o)
{
  switch (o) {
  case OP_LT:
    return IS_LESS;
  case OP_LE:
    return IS_LESS | IS_EQUAL;
  case OP_GT:
    return IS_MORE;
  case OP_GE:
    return IS_MORE | IS_EQUAL;
  case OP_EQ:
    return IS_EQUAL;
  case OP_NE:
    return IS_LESS | IS_MORE;
  default:
    return 0; /* no comparison */
  }
}

static uint32_t turned(uint32_t order)
{
  return (order & IS_LESS ? IS_MORE : 0) | (order & IS_EQUAL) |
         (order & IS_MORE ? IS_LESS : 0);
}

/* Whether no number is to 'one' as the first order says, and to 'other' as the
** second. */
static bool are_apart(uint32_t first, int64_t one, uint32_t second,
                      int64_t other)
{
  if (one == other)
    return !(first & second);
  if (one > other)
    return are_apart(second, other, first, one);
  /* Below both, at one, between them, at the other, above both. */
  return !(first & second & IS_LESS) &&
         !(first & IS_EQUAL && second & IS_LESS) &&
         !(first & IS_MORE && second & IS_LESS && other - one > 1) &&
         !(first & IS_MORE && second & IS_EQUAL) && !(first & second & IS_MORE);
}

static bool compare_apart(const expr *a, const expr *b)
{
  uint32_t one = order_of(a->op), other = order_of(b->op);
  if (!one || !other)
    return false;
  if (expr_same(a->args[0], b->args[0]) && expr_same(a->args[1], b->args[1]))
    return !(one & other);
  if (expr_same(a->args[0], b->args[1]) && expr_same(a->args[1], b->args[0]))
    return !(one & turned(other));
  return expr_same(a->args[0], b->args[0]) && a->args[1]->op == OP_CONST &&
         b->args[1]->op == OP_CONST &&
         are_apart(one, a->args[1]->value, other, b->args[1]->value);
}

bool expr_excludes(const expr *a, const expr *b)
{
  if (a->op == OP_AND)
    return expr_excludes(a->args[0], b) || expr_excludes(a->args[1], b);
  if (b->op == OP_AND)
    return expr_excludes(a, b->args[0]) || expr_excludes(a, b->args[1]);
  if (a->op == OP_OR)
    return expr_excludes(a->args[0], b) && expr_excludes(a->args[1], b);
  if (b->op == OP_OR)
    return expr_excludes(a, b->args[0]) && expr_excludes(a, b->args[1]);
  return compare_apart(a, b);
}

bool expr_reads(const expr *e, const var *v)
{
  if (!e)
    return false;
  for (const ref *r = e->op == OP_VAR ? e->ref : NULL; r; r = r->field)
    if (r->var == v || expr_reads(r->index, v))
      return true;
  return expr_reads(e->args[0], v) || expr_reads(e->args[1], v) ||
         expr_reads(e->args[2], v);
}
