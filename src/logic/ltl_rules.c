/* Rules for the temporal operators.  Sources: Somenzi & Bloem (2000) and
** Etessami & Holzmann (2000), as for 'ltl_imply.c'; what concerns formulas that
** are eventual and universal at once (they can be moved through all operators)
** follows Babiak, Kretinsky, Rehak & Strejcek, "LTL to Buchi automata
** translation: fast and more deterministic" (2012). */

#include "logic/ltl_rules.h"
#include <assert.h>

enum { SUSPENDABLE = LTL_EVENTUAL | LTL_UNIVERSAL };

static const ltl *both(ltl_context *c, const ltl *a, const ltl *b)
{
  return ltl_make_simple(c, LTL_AND, a, b);
}

static const ltl *either(ltl_context *c, const ltl *a, const ltl *b)
{
  return ltl_make_simple(c, LTL_OR, a, b);
}

static const ltl *make_next(ltl_context *c, const ltl *a)
{
  const ltl *with, *without;
  if (ltl_is(a, SUSPENDABLE))
    return a;
  if (a->op == LTL_AND || a->op == LTL_OR) {
    ltl_part_operands(c, a, a->op, SUSPENDABLE, LTL_ATOM, &with, &without);
    if (with->a)
      return ltl_make_simple(c, a->op, with, make_next(c, without));
  }
  return ltl_unary(c, LTL_NEXT, a);
}

static const ltl *make_eventually(ltl_context *c, const ltl *a);
static const ltl *make_always(ltl_context *c, const ltl *a);

/* <>[](a || u) with u universal is <>[]a || <>u. */
static const ltl *make_eventually_always(ltl_context *c, const ltl *a)
{
  const ltl *with, *without;
  if (a->op != LTL_OR)
    return NULL;
  ltl_part_operands(c, a, LTL_OR, LTL_UNIVERSAL, LTL_ATOM, &with, &without);
  if (with->op == LTL_FALSE)
    return NULL;
  return either(c, make_eventually(c, with),
                make_eventually(c, make_always(c, without)));
}

static const ltl *make_eventually(ltl_context *c, const ltl *a)
{
  const ltl *with, *without, *split;
  if (ltl_is(a, LTL_EVENTUAL))
    return a;
  switch (a->op) {
  case LTL_NEXT:
    return make_next(c, make_eventually(c, a->a));
  case LTL_UNTIL:
    return make_eventually(c, a->b);
  case LTL_STRONG_RELEASE:
    return make_eventually(c, both(c, a->a, a->b));
  case LTL_WEAK_UNTIL:
    return either(c, make_eventually(c, a->b),
                  make_eventually(c, make_always(c, a->a)));
  case LTL_RELEASE:
    return either(c, make_eventually(c, both(c, a->a, a->b)),
                  make_eventually(c, make_always(c, a->b)));
  case LTL_ALWAYS:
    split = make_eventually_always(c, a->a);
    if (split)
      return split;
    break;
  case LTL_OR: /* <>(a || <>b) is <>(a || b) */
    ltl_part_operands(c, a, LTL_OR, 0, LTL_EVENTUALLY, &with, &without);
    if (with->op == LTL_EVENTUALLY)
      return make_eventually(c, either(c, with->a, without));
    break;
  case LTL_AND:
    ltl_part_operands(c, a, LTL_AND, SUSPENDABLE, LTL_ATOM, &with, &without);
    if (with->op != LTL_TRUE)
      return both(c, with, make_eventually(c, without));
    break;
  default:
    break;
  }
  return ltl_unary(c, LTL_EVENTUALLY, a);
}

/* []<>(a && e) with e eventual is []<>a && []e; []<>(a || u) with u universal
** is []<>a || <>u. */
static const ltl *make_always_eventually(ltl_context *c, const ltl *a)
{
  const ltl *with, *without;
  if (a->op == LTL_AND) {
    ltl_part_operands(c, a, LTL_AND, LTL_EVENTUAL, LTL_ATOM, &with, &without);
    if (with->op != LTL_TRUE)
      return both(c, make_always(c, with),
                  make_always(c, make_eventually(c, without)));
  }
  if (a->op == LTL_OR) {
    ltl_part_operands(c, a, LTL_OR, LTL_UNIVERSAL, LTL_ATOM, &with, &without);
    if (with->op != LTL_FALSE)
      return either(c, make_eventually(c, with),
                    make_always(c, make_eventually(c, without)));
  }
  return NULL;
}

static const ltl *make_always(ltl_context *c, const ltl *a)
{
  const ltl *with, *without, *split;
  if (ltl_is(a, LTL_UNIVERSAL))
    return a;
  switch (a->op) {
  case LTL_NEXT:
    return make_next(c, make_always(c, a->a));
  case LTL_RELEASE:
    return make_always(c, a->b);
  case LTL_WEAK_UNTIL:
    return make_always(c, either(c, a->a, a->b));
  case LTL_UNTIL:
    return both(c, make_always(c, either(c, a->a, a->b)),
                make_always(c, make_eventually(c, a->b)));
  case LTL_STRONG_RELEASE:
    return both(c, make_always(c, a->b),
                make_always(c, make_eventually(c, a->a)));
  case LTL_EVENTUALLY:
    split = make_always_eventually(c, a->a);
    if (split)
      return split;
    break;
  case LTL_AND:
    ltl_part_operands(c, a, LTL_AND, LTL_UNIVERSAL, LTL_ATOM, &with, &without);
    if (with->op != LTL_TRUE)
      return both(c, with, make_always(c, without));
    ltl_part_operands(c, a, LTL_AND, 0, LTL_EVENTUALLY, &with, &without);
    if (with->op != LTL_TRUE) {
      const ltl *rest = make_always(c, without);
      for (; with->op == LTL_AND; with = with->b)
        rest = both(c, rest, make_always(c, with->a));
      return both(c, rest, make_always(c, with));
    }
    break;
  case LTL_OR:
    ltl_part_operands(c, a, LTL_OR, SUSPENDABLE, LTL_ATOM, &with, &without);
    if (with->op != LTL_FALSE)
      return either(c, with, make_always(c, without));
    break;
  default:
    break;
  }
  return ltl_unary(c, LTL_ALWAYS, a);
}

/* a without the operands x of its || with x => b: while such an x is true, b is
** true already. */
static const ltl *without_implying(ltl_context *c, const ltl *a, const ltl *b)
{
  const ltl *result = ltl_constant(c, false);
  if (a->op != LTL_OR)
    return a;
  for (const ltl *f = a;; f = f->b) {
    const ltl *it = f->op == LTL_OR ? f->a : f;
    if (!ltl_implies(c, it, b))
      result = either(c, result, it);
    if (f->op != LTL_OR)
      return result;
  }
}

/* a without the operands x of its && with b => x. */
static const ltl *without_implied(ltl_context *c, const ltl *a, const ltl *b)
{
  const ltl *result = ltl_constant(c, true);
  if (a->op != LTL_AND)
    return a;
  for (const ltl *f = a;; f = f->b) {
    const ltl *it = f->op == LTL_AND ? f->a : f;
    if (!ltl_implies(c, b, it))
      result = both(c, result, it);
    if (f->op != LTL_AND)
      return result;
  }
}

static const ltl *make_until(ltl_context *c, const ltl *a, const ltl *b)
{
  const ltl *with, *without;
  if (ltl_is(b, LTL_EVENTUAL) || ltl_implies(c, a, b))
    return b;
  if (ltl_implies(c, ltl_negate(c, b), a))
    return make_eventually(c, b);
  if (a->op == LTL_NEXT && b->op == LTL_NEXT)
    return make_next(c, make_until(c, a->a, b->a));
  if (ltl_is(a, LTL_UNIVERSAL))
    return either(c, b, both(c, a, make_eventually(c, b)));
  if (b->op == LTL_UNTIL && ltl_implies(c, a, b->a))
    return b;
  if (b->op == LTL_UNTIL && ltl_implies(c, b->a, a))
    return make_until(c, a, b->b);
  if (b->op == LTL_OR) {
    ltl_part_operands(c, b, LTL_OR, LTL_EVENTUAL, LTL_ATOM, &with, &without);
    if (with->op != LTL_FALSE)
      return either(c, with, make_until(c, a, without));
  }
  if (b->op == LTL_AND) {
    ltl_part_operands(c, b, LTL_AND, SUSPENDABLE, LTL_ATOM, &with, &without);
    if (with->op != LTL_TRUE)
      return both(c, with, make_until(c, a, without));
  }
  const ltl *less = without_implying(c, a, b);
  return less == a ? ltl_binary(c, LTL_UNTIL, a, b) : make_until(c, less, b);
}

static const ltl *make_weak_until(ltl_context *c, const ltl *a, const ltl *b)
{
  const ltl *with, *without;
  if (ltl_implies(c, a, b))
    return b;
  if (b->op == LTL_FALSE)
    return make_always(c, a);
  if (ltl_implies(c, ltl_negate(c, b), a))
    return ltl_constant(c, true);
  if (a->op == LTL_NEXT && b->op == LTL_NEXT)
    return make_next(c, make_weak_until(c, a->a, b->a));
  if (ltl_is(a, LTL_UNIVERSAL))
    return either(c, a, b);
  if (ltl_is(b, LTL_EVENTUAL))
    return either(c, b, make_always(c, a));
  if (b->op == LTL_WEAK_UNTIL && ltl_implies(c, a, b->a))
    return b;
  if ((b->op == LTL_WEAK_UNTIL || b->op == LTL_UNTIL) &&
      ltl_implies(c, b->a, a))
    return make_weak_until(c, a, b->b);
  if (b->op == LTL_OR) {
    ltl_part_operands(c, b, LTL_OR, LTL_EVENTUAL, LTL_ATOM, &with, &without);
    if (with->op != LTL_FALSE)
      return either(c, with, make_weak_until(c, a, without));
  }
  const ltl *less = without_implying(c, a, b);
  return less == a ? ltl_binary(c, LTL_WEAK_UNTIL, a, b)
                   : make_weak_until(c, less, b);
}

static const ltl *make_release(ltl_context *c, const ltl *a, const ltl *b)
{
  const ltl *with, *without;
  if (ltl_is(b, LTL_UNIVERSAL) || ltl_implies(c, b, a))
    return b;
  if (ltl_implies(c, b, ltl_negate(c, a)))
    return make_always(c, b);
  if (a->op == LTL_NEXT && b->op == LTL_NEXT)
    return make_next(c, make_release(c, a->a, b->a));
  if (ltl_is(a, LTL_EVENTUAL))
    return both(c, b, either(c, a, make_always(c, b)));
  if (b->op == LTL_RELEASE && ltl_implies(c, b->a, a))
    return b;
  if (b->op == LTL_RELEASE && ltl_implies(c, a, b->a))
    return make_release(c, a, b->b);
  if (b->op == LTL_AND) {
    ltl_part_operands(c, b, LTL_AND, LTL_UNIVERSAL, LTL_ATOM, &with, &without);
    if (with->op != LTL_TRUE)
      return both(c, with, make_release(c, a, without));
  }
  if (b->op == LTL_OR) {
    ltl_part_operands(c, b, LTL_OR, SUSPENDABLE, LTL_ATOM, &with, &without);
    if (with->op != LTL_FALSE)
      return either(c, with, make_release(c, a, without));
  }
  const ltl *less = without_implied(c, a, b);
  return less == a ? ltl_binary(c, LTL_RELEASE, a, b)
                   : make_release(c, less, b);
}

static const ltl *make_strong_release(ltl_context *c, const ltl *a,
                                      const ltl *b)
{
  const ltl *with, *without;
  if (ltl_implies(c, b, a))
    return b;
  if (b->op == LTL_TRUE)
    return make_eventually(c, a);
  if (ltl_implies(c, b, ltl_negate(c, a)))
    return ltl_constant(c, false);
  if (a->op == LTL_NEXT && b->op == LTL_NEXT)
    return make_next(c, make_strong_release(c, a->a, b->a));
  if (ltl_is(a, LTL_EVENTUAL))
    return both(c, a, b);
  if (ltl_is(b, LTL_UNIVERSAL))
    return both(c, b, make_eventually(c, a));
  if (b->op == LTL_STRONG_RELEASE && ltl_implies(c, b->a, a))
    return b;
  if ((b->op == LTL_STRONG_RELEASE || b->op == LTL_RELEASE) &&
      ltl_implies(c, a, b->a))
    return make_strong_release(c, a, b->b);
  if (b->op == LTL_AND) {
    ltl_part_operands(c, b, LTL_AND, LTL_UNIVERSAL, LTL_ATOM, &with, &without);
    if (with->op != LTL_TRUE)
      return both(c, with, make_strong_release(c, a, without));
  }
  const ltl *less = without_implied(c, a, b);
  return less == a ? ltl_binary(c, LTL_STRONG_RELEASE, a, b)
                   : make_strong_release(c, less, b);
}

static const ltl *make_chain(ltl_context *c, ltl_op op, const ltl *a,
                             const ltl *b)
{
  size_t base = c->operands.len;
  vec_push(&c->operands, a);
  vec_push(&c->operands, b);
  return ltl_join_operands(c, op, base);
}

const ltl *ltl_make_simple(ltl_context *c, ltl_op op, const ltl *a,
                           const ltl *b)
{
  const ltl *result = NULL;
  switch (op) {
  case LTL_NEXT:
    result = make_next(c, a);
    break;
  case LTL_EVENTUALLY:
    result = make_eventually(c, a);
    break;
  case LTL_ALWAYS:
    result = make_always(c, a);
    break;
  case LTL_AND:
  case LTL_OR:
    result = make_chain(c, op, a, b);
    break;
  case LTL_UNTIL:
    result = make_until(c, a, b);
    break;
  case LTL_WEAK_UNTIL:
    result = make_weak_until(c, a, b);
    break;
  case LTL_RELEASE:
    result = make_release(c, a, b);
    break;
  case LTL_STRONG_RELEASE:
    result = make_strong_release(c, a, b);
    break;
  default:
    assert(!"an operator of formulas that are not simple");
  }
  ((ltl *)result)->simple[false] = result;
  return result;
}
