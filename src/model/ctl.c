/* Formulas made, printed, and brought to the operators that engines know, and
** back for people. */

#include "model/ctl.h"

const ctl *ctl_new(arena *a, ctl_op which, const ctl *x, const ctl *y)
{
  ctl *new = ARENA_NEW(a, ctl);
  new->op = which;
  new->a = x;
  new->b = y;
  if (x)
    new->depth = x->depth + 1;
  if (y && y->depth >= new->depth)
    new->depth = y->depth + 1;
  return new;
}

const ctl *ctl_atom(arena *a, expr *e)
{
  ctl *new = ARENA_NEW(a, ctl);
  new->op = CTL_ATOM;
  new->atom = e;
  return new;
}

/* ---- printing ----------------------------------------------------------- */

static const char *text_of(ctl_op which)
{
  static const char *const texts[] = {
#define OP(name, arity, text) [CTL_##name] = text,
      CTL_OPS(OP)
#undef OP
  };
  return texts[which];
}

static void print_operand(const model *m, const ctl *f, text *out)
{
  bool plain = f->op == CTL_TRUE || f->op == CTL_FALSE;
  if (!plain)
    text_add_char(out, '(');
  ctl_print(m, f, out);
  if (!plain)
    text_add_char(out, ')');
}

void ctl_print(const model *m, const ctl *f, text *out)
{
  const char *sign = text_of(f->op);
  switch (f->op) {
  case CTL_TRUE:
  case CTL_FALSE:
    text_add(out, sign);
    break;
  case CTL_ATOM:
    expr_print(m, f->atom, out);
    break;
  case CTL_NOT:
  case CTL_EX:
  case CTL_EF:
  case CTL_EG:
  case CTL_AX:
  case CTL_AF:
  case CTL_AG:
    text_add(out, sign);
    text_add(out, f->op == CTL_NOT ? "" : " ");
    print_operand(m, f->a, out);
    break;
  case CTL_AND:
  case CTL_OR:
  case CTL_IMPLIES:
  case CTL_EQUIV:
    print_operand(m, f->a, out);
    text_printf(out, " %s ", sign);
    print_operand(m, f->b, out);
    break;
  case CTL_EU:
  case CTL_EW:
  case CTL_ER:
  case CTL_AU:
  case CTL_AW:
  case CTL_AR:
    text_printf(out, "%c[", sign[0]);
    print_operand(m, f->a, out);
    text_printf(out, " %c ", sign[2]);
    print_operand(m, f->b, out);
    text_add_char(out, ']');
    break;
  }
}

/* ---- reducing ----------------------------------------------------------- */

static const ctl *negated(arena *a, const ctl *f)
{
  return f->op == CTL_NOT ? f->a : ctl_new(a, CTL_NOT, f, NULL);
}

static const ctl *both(arena *a, const ctl *x, const ctl *y)
{
  return ctl_new(a, CTL_AND, x, y);
}

static const ctl *either(arena *a, const ctl *x, const ctl *y)
{
  return ctl_new(a, CTL_OR, x, y);
}

static const ctl *until(arena *a, const ctl *x, const ctl *y)
{
  return ctl_new(a, CTL_EU, x, y);
}

static const ctl *always(arena *a, const ctl *x)
{
  return ctl_new(a, CTL_EG, x, NULL);
}

/* On all runs x holds until y, or for ever: no run leaves x before y. */
static const ctl *all_weak_until(arena *a, const ctl *x, const ctl *y)
{
  const ctl *no = negated(a, y);
  return negated(a, until(a, no, both(a, negated(a, x), no)));
}

static const ctl *some_weak_until(arena *a, const ctl *x, const ctl *y)
{
  return either(a, until(a, x, y), always(a, x));
}

const ctl *ctl_reduce(arena *a, const ctl *f)
{
  const ctl *x = f->a ? ctl_reduce(a, f->a) : NULL;
  const ctl *y = f->b ? ctl_reduce(a, f->b) : NULL;
  const ctl *yes = ctl_new(a, CTL_TRUE, NULL, NULL);
  switch (f->op) {
  case CTL_TRUE:
  case CTL_ATOM:
    return f;
  case CTL_FALSE:
    return negated(a, yes);
  case CTL_NOT:
    return negated(a, x);
  case CTL_AND:
  case CTL_OR:
  case CTL_EX:
  case CTL_EG:
  case CTL_EU:
    return ctl_new(a, f->op, x, y);
  case CTL_IMPLIES:
    return either(a, negated(a, x), y);
  case CTL_EQUIV:
    return either(a, both(a, x, y), both(a, negated(a, x), negated(a, y)));
  case CTL_EF:
    return until(a, yes, x);
  case CTL_AX:
    return negated(a, ctl_new(a, CTL_EX, negated(a, x), NULL));
  case CTL_AF:
    return negated(a, always(a, negated(a, x)));
  case CTL_AG:
    return negated(a, until(a, yes, negated(a, x)));
  case CTL_EW:
    return some_weak_until(a, x, y);
  case CTL_ER: /* y up to the first x, that one included */
    return some_weak_until(a, y, both(a, x, y));
  case CTL_AU:
    return both(a, all_weak_until(a, x, y),
                negated(a, always(a, negated(a, y))));
  case CTL_AW:
    return all_weak_until(a, x, y);
  case CTL_AR:
    return all_weak_until(a, y, both(a, x, y));
  }
  return f;
}

/* ---- restoring ---------------------------------------------------------- */

static const ctl *restore_until(arena *a, const ctl *f, bool holds)
{
  const ctl *x = f->a, *y = f->b;
  if (x->op == CTL_TRUE)
    return ctl_new(a, holds ? CTL_EF : CTL_AG, ctl_restore(a, y, holds), NULL);
  if (!holds && y->op == CTL_AND && y->b == x) /* see all_weak_until */
    return ctl_new(a, CTL_AW, ctl_restore(a, y->a, false),
                   ctl_restore(a, x, false));
  return ctl_new(a, holds ? CTL_EU : CTL_AR, ctl_restore(a, x, holds),
                 ctl_restore(a, y, holds));
}

static const ctl *restore_pair(arena *a, const ctl *f, bool holds)
{
  bool all = holds == (f->op == CTL_AND);
  const ctl *y = ctl_restore(a, f->b, holds);
  if (!all && f->a->op == CTL_NOT && holds)
    return ctl_new(a, CTL_IMPLIES, ctl_restore(a, f->a->a, true), y);
  return ctl_new(a, all ? CTL_AND : CTL_OR, ctl_restore(a, f->a, holds), y);
}

const ctl *ctl_restore(arena *a, const ctl *f, bool holds)
{
  switch (f->op) {
  case CTL_NOT:
    return ctl_restore(a, f->a, !holds);
  case CTL_AND:
  case CTL_OR:
    return restore_pair(a, f, holds);
  case CTL_EX:
    return ctl_new(a, holds ? CTL_EX : CTL_AX, ctl_restore(a, f->a, holds),
                   NULL);
  case CTL_EG:
    return ctl_new(a, holds ? CTL_EG : CTL_AF, ctl_restore(a, f->a, holds),
                   NULL);
  case CTL_EU:
    return restore_until(a, f, holds);
  case CTL_TRUE:
    return holds ? f : ctl_new(a, CTL_FALSE, NULL, NULL);
  default:
    return holds ? f : ctl_new(a, CTL_NOT, f, NULL);
  }
}

/* ---- expressions -------------------------------------------------------- */

expr *ctl_expression(model *m, const ctl *f)
{
  /* Of reduced formulas, which have no other Boolean operators. */
  switch (f->op) {
  case CTL_ATOM:
    return f->atom;
  case CTL_TRUE:
    return expr_const(m, 1, NO_SPAN);
  case CTL_NOT: {
    expr *x = ctl_expression(m, f->a);
    return x ? expr_new(m, OP_NOT, x, NULL, NULL, x->where) : NULL;
  }
  case CTL_AND:
  case CTL_OR: {
    expr *x = ctl_expression(m, f->a), *y = ctl_expression(m, f->b);
    op which = f->op == CTL_AND ? OP_AND : OP_OR;
    return x && y ? expr_new(m, which, x, y, NULL, x->where) : NULL;
  }
  default:
    return NULL;
  }
}
