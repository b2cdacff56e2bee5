/* Rules for chains of && and ||. */

#include "logic/ltl_rules.h"
#include <stdlib.h>

/* Operands in longer chains are not compared with each other. */
enum { COMPARED_MAX = 48 };

static const ltl *both(ltl_context *c, const ltl *a, const ltl *b)
{
  return ltl_make_simple(c, LTL_AND, a, b);
}

static const ltl *either(ltl_context *c, const ltl *a, const ltl *b)
{
  return ltl_make_simple(c, LTL_OR, a, b);
}

void ltl_part_operands(ltl_context *c, const ltl *f, ltl_op op, unsigned facts,
                       ltl_op kind, const ltl **with, const ltl **without)
{
  const ltl *neutral = ltl_constant(c, op == LTL_AND);
  *with = *without = neutral;
  for (;; f = f->b) {
    const ltl *it = f->op == op ? f->a : f;
    bool hit = facts ? ltl_is(it, facts) : it->op == kind;
    const ltl **to = hit ? with : without;
    *to = *to == neutral ? it : ltl_make_simple(c, op, *to, it);
    if (f->op != op)
      return;
  }
}

/* Whether [] over this && would be split again. */
static bool would_split(const ltl *f)
{
  for (;; f = f->b) {
    const ltl *it = f->op == LTL_AND ? f->a : f;
    if (ltl_is(it, LTL_UNIVERSAL) || it->op == LTL_EVENTUALLY)
      return true;
    if (f->op != LTL_AND)
      return false;
  }
}

/* []a && []b is [](a && b), and <>[]a && <>[]b is <>[](a && b). */
static const ltl *join_always(ltl_context *c, const ltl *f, const ltl *g)
{
  bool nested = f->op == LTL_EVENTUALLY && f->a->op == LTL_ALWAYS;
  if (nested) {
    if (g->op != LTL_EVENTUALLY || g->a->op != LTL_ALWAYS)
      return NULL;
    f = f->a;
    g = g->a;
  }
  if (f->op != LTL_ALWAYS || g->op != LTL_ALWAYS || would_split(f->a) ||
      would_split(g->a))
    return NULL;
  const ltl *a = both(c, f->a, g->a);
  if (would_split(a))
    return NULL;
  const ltl *result = ltl_make_simple(c, LTL_ALWAYS, a, NULL);
  return nested ? ltl_make_simple(c, LTL_EVENTUALLY, result, NULL) : result;
}

/* <>a || e with e eventual is <>(a || e), which needs no state of its own for
** the choice; []<>a || []<>b is []<>(a || b). */
static const ltl *join_eventually(ltl_context *c, const ltl *f, const ltl *g)
{
  if (f->op == LTL_EVENTUALLY && ltl_is(g, LTL_EVENTUAL))
    return ltl_make_simple(c, LTL_EVENTUALLY, either(c, f->a, g), NULL);
  if (f->op == LTL_ALWAYS && f->a->op == LTL_EVENTUALLY &&
      g->op == LTL_ALWAYS && g->a->op == LTL_EVENTUALLY) {
    const ltl *a = either(c, f->a, g->a);
    return ltl_make_simple(c, LTL_ALWAYS, a, NULL);
  }
  return NULL;
}

/* (a U b) && (c U b) is (a && c) U b, (a U b) || (a U c) is a U (b || c), and
** so on: one operand is common, the other ones are joined. */
static const ltl *join_binary(ltl_context *c, ltl_op op, const ltl *f,
                              const ltl *g)
{
  if (f->op != g->op || !f->b || f->op == LTL_AND || f->op == LTL_OR)
    return NULL;
  bool until = f->op == LTL_UNTIL || f->op == LTL_WEAK_UNTIL;
  bool left = until == (op == LTL_AND); /* which operands are joined */
  if (left && f->b == g->b)
    return ltl_make_simple(c, f->op, ltl_make_simple(c, op, f->a, g->a), f->b);
  if (!left && f->a == g->a)
    return ltl_make_simple(c, f->op, f->a, ltl_make_simple(c, op, f->b, g->b));
  return NULL;
}

/* Rules for && in which f and g have different operators. */
static const ltl *join_and(ltl_context *c, const ltl *f, const ltl *g)
{
  if (f->op == LTL_EVENTUALLY) {
    if (g->op == LTL_WEAK_UNTIL && g->b == f->a)
      return ltl_make_simple(c, LTL_UNTIL, g->a, g->b);
    if (g->op == LTL_RELEASE && g->a == f->a)
      return ltl_make_simple(c, LTL_STRONG_RELEASE, g->a, g->b);
  }
  if (f->op == LTL_ALWAYS) {
    if (g->op == LTL_UNTIL && ltl_implies(c, f->a, g->a))
      return both(c, f, ltl_make_simple(c, LTL_EVENTUALLY, g->b, NULL));
    if (g->op == LTL_STRONG_RELEASE && ltl_implies(c, f->a, g->b))
      return both(c, f, ltl_make_simple(c, LTL_EVENTUALLY, g->a, NULL));
  }
  if (f->op == LTL_NEXT && f->a->op == LTL_ALWAYS && f->a->a == g)
    return f->a;
  return NULL;
}

/* The same under negation, for ||. */
static const ltl *join_or(ltl_context *c, const ltl *f, const ltl *g)
{
  const ltl *joined = join_eventually(c, f, g);
  if (joined)
    return joined;
  if (f->op == LTL_ALWAYS) {
    if (g->op == LTL_STRONG_RELEASE && g->b == f->a)
      return ltl_make_simple(c, LTL_RELEASE, g->a, g->b);
    if (g->op == LTL_UNTIL && g->a == f->a)
      return ltl_make_simple(c, LTL_WEAK_UNTIL, g->a, g->b);
  }
  if (f->op == LTL_EVENTUALLY) {
    if (g->op == LTL_RELEASE && ltl_implies(c, g->a, f->a))
      return either(c, f, ltl_make_simple(c, LTL_ALWAYS, g->b, NULL));
    if (g->op == LTL_WEAK_UNTIL && ltl_implies(c, g->b, f->a))
      return either(c, f, ltl_make_simple(c, LTL_ALWAYS, g->a, NULL));
  }
  if (f->op == LTL_NEXT && f->a->op == LTL_EVENTUALLY && f->a->a == g)
    return f->a;
  return NULL;
}

/* One formula for two operands, or NULL when no rule knows one. */
static const ltl *join_pair(ltl_context *c, ltl_op op, const ltl *f,
                            const ltl *g)
{
  bool conjunction = op == LTL_AND;
  if (ltl_implies(c, f, g))
    return conjunction ? f : g;
  if (ltl_implies(c, g, f))
    return conjunction ? g : f;
  if (conjunction ? ltl_implies(c, f, ltl_negate(c, g))
                  : ltl_implies(c, ltl_negate(c, f), g))
    return ltl_constant(c, !conjunction);
  if (f->op == LTL_NEXT && g->op == LTL_NEXT)
    return ltl_make_simple(c, LTL_NEXT, ltl_make_simple(c, op, f->a, g->a),
                           NULL);
  const ltl *result = join_binary(c, op, f, g);
  if (!result && conjunction)
    result = join_always(c, f, g);
  if (!result)
    result = conjunction ? join_and(c, f, g) : join_or(c, f, g);
  if (!result)
    result = conjunction ? join_and(c, g, f) : join_or(c, g, f);
  return result;
}

/* Replaces operand i by the operands of f and removes operand j. */
static void replace_pair(ltl_context *c, ltl_op op, size_t i, size_t j,
                         const ltl *f)
{
  c->operands.data[j] = vec_last(&c->operands);
  c->operands.len--;
  for (; f->op == op; f = f->b)
    vec_push(&c->operands, f->a);
  c->operands.data[i] = f;
}

/* Applies a rule to some pair of operands; false when there is none. */
static bool join_some_pair(ltl_context *c, ltl_op op, size_t base)
{
  if (c->operands.len - base > COMPARED_MAX)
    return false;
  for (size_t i = base; i < c->operands.len; i++)
    for (size_t j = i + 1; j < c->operands.len; j++) {
      const ltl *f = c->operands.data[i], *g = c->operands.data[j];
      const ltl *joined = join_pair(c, op, f, g);
      if (joined) {
        replace_pair(c, op, i, j, joined);
        return true;
      }
    }
  return false;
}

static int by_number(const void *x, const void *y)
{
  const ltl *f = *(const ltl *const *)x, *g = *(const ltl *const *)y;
  return f->id < g->id ? -1 : f->id > g->id;
}

/* Expands chains among the operands; sorts; drops repetitions and neutral
** ones.  False when an operand decides the value of the chain. */
static bool tidy_operands(ltl_context *c, ltl_op op, size_t base)
{
  const ltl_op neutral = op == LTL_AND ? LTL_TRUE : LTL_FALSE;
  const ltl_op decides = op == LTL_AND ? LTL_FALSE : LTL_TRUE;
  for (size_t i = base; i < c->operands.len; i++)
    while (c->operands.data[i]->op == op) {
      const ltl *f = c->operands.data[i];
      c->operands.data[i] = f->a;
      vec_push(&c->operands, f->b);
    }
  if (c->operands.len > base)
    qsort(c->operands.data + base, c->operands.len - base,
          sizeof *c->operands.data, by_number);
  size_t kept = base;
  for (size_t i = base; i < c->operands.len; i++) {
    const ltl *f = c->operands.data[i];
    if (f->op == decides)
      return false;
    if (f->op != neutral && (kept == base || c->operands.data[kept - 1] != f))
      c->operands.data[kept++] = f;
  }
  c->operands.len = kept;
  return true;
}

const ltl *ltl_join_operands(ltl_context *c, ltl_op op, size_t base)
{
  const ltl *result = ltl_constant(c, op == LTL_AND);
  bool open;
  do
    open = tidy_operands(c, op, base);
  while (open && join_some_pair(c, op, base));
  if (!open)
    result = ltl_constant(c, op != LTL_AND);
  else if (c->operands.len > base) {
    result = vec_last(&c->operands);
    for (size_t i = c->operands.len - 1; i-- > base;)
      result = ltl_binary(c, op, c->operands.data[i], result);
  }
  c->operands.len = base;
  /* What is made here is simple, which spares another look at it. */
  ((ltl *)result)->simple[false] = result;
  return result;
}
