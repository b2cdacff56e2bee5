/* Syntactic implication: what the shapes of two formulas tell about one
** implying the other.  The rules are those of Somenzi & Bloem, "Efficient
** Buchi automata from LTL formulae" (2000), extended by eventual and universal
** formulas (Etessami & Holzmann, "Optimizing Buchi automata", 2000) and by W
** and M.  Formulas without temporal operators are compared exactly. */

#include "base/hash.h"
#include "logic/ltl_internal.h"

/* Comparisons for one question, after which 'no' is the answer: the cache of
** answers may be too small for huge formulas. */
enum { EFFORT_MAX = 5000 };

static bool implies(ltl_context *, const ltl *f, const ltl *g);

/* The function of a formula without temporal operators. */
static boolean function(ltl_context *c, const ltl *f)
{
  if (c->function_of.len <= f->id)
    vec_resize(&c->function_of, f->id + 1u);
  if (c->function_of.data[f->id])
    return c->function_of.data[f->id] - 1;
  boolean result = BOOLEAN_FALSE;
  booleans *b = c->functions;
  switch (f->op) {
  case LTL_TRUE:
    result = BOOLEAN_TRUE;
    break;
  case LTL_ATOM:
    result = boolean_variable(b, f->atom);
    break;
  case LTL_NOT:
    result = boolean_not(b, function(c, f->a));
    break;
  case LTL_AND:
    result = boolean_and(b, function(c, f->a), function(c, f->b));
    break;
  case LTL_OR:
    result = boolean_or(b, function(c, f->a), function(c, f->b));
    break;
  default: /* false; simple formulas have no other operators */
    break;
  }
  c->function_of.data[f->id] = result + 1;
  return result;
}

/* When the tables are full results are worth nothing, and 'no' is safe. */
static bool boolean_formulas_imply(ltl_context *c, const ltl *f, const ltl *g)
{
  bool result = boolean_implies(c->functions, function(c, f), function(c, g));
  return result && !booleans_full(c->functions);
}

/* Rules about the operator of f, where g may be anything. */
static bool implies_by_left(ltl_context *c, const ltl *f, const ltl *g)
{
  bool g_eventual = ltl_is(g, LTL_EVENTUAL);
  switch (f->op) {
  case LTL_AND:
    return implies(c, f->a, g) || implies(c, f->b, g);
  case LTL_OR:
    return implies(c, f->a, g) && implies(c, f->b, g);
  case LTL_NEXT: /* X a => X g => F g => g */
    return g_eventual && implies(c, f->a, g);
  case LTL_EVENTUALLY:
    return g_eventual && implies(c, f->a, g);
  case LTL_ALWAYS:
    return implies(c, f->a, g);
  case LTL_UNTIL: /* a U b => F b, and a U b => a || b */
    return implies(c, f->b, g) && (g_eventual || implies(c, f->a, g));
  case LTL_WEAK_UNTIL:
    return implies(c, f->a, g) && implies(c, f->b, g);
  case LTL_RELEASE:
    return implies(c, f->b, g);
  case LTL_STRONG_RELEASE: /* a M b => b, and a M b => F a */
    return implies(c, f->b, g) || (g_eventual && implies(c, f->a, g));
  default:
    return false;
  }
}

/* Rules about the operator of g, where f may be anything. */
static bool implies_by_right(ltl_context *c, const ltl *f, const ltl *g)
{
  bool f_universal = ltl_is(f, LTL_UNIVERSAL);
  switch (g->op) {
  case LTL_AND:
    return implies(c, f, g->a) && implies(c, f, g->b);
  case LTL_OR:
    return implies(c, f, g->a) || implies(c, f, g->b);
  case LTL_NEXT: /* f => G f => X f => X b */
    return f_universal && implies(c, f, g->a);
  case LTL_EVENTUALLY:
    return implies(c, f, g->a);
  case LTL_ALWAYS:
    return f_universal && implies(c, f, g->a);
  case LTL_UNTIL:
    return implies(c, f, g->b);
  case LTL_WEAK_UNTIL:
    return implies(c, f, g->b) || (f_universal && implies(c, f, g->a));
  case LTL_RELEASE:
    return implies(c, f, g->b) && (f_universal || implies(c, f, g->a));
  case LTL_STRONG_RELEASE:
    return implies(c, f, g->a) && implies(c, f, g->b);
  default:
    return false;
  }
}

/* Rules about a pair of operators. */
static bool implies_by_both(ltl_context *c, const ltl *f, const ltl *g)
{
  bool f_until = f->op == LTL_UNTIL || f->op == LTL_WEAK_UNTIL;
  bool f_release = f->op == LTL_RELEASE || f->op == LTL_STRONG_RELEASE;
  bool f_strong = f->op == LTL_UNTIL || f->op == LTL_STRONG_RELEASE;
  bool g_strong = g->op == LTL_UNTIL || g->op == LTL_STRONG_RELEASE;
  if (f->op == LTL_NEXT && g->op == LTL_NEXT)
    return implies(c, f->a, g->a);
  if (f->op == LTL_ALWAYS && g->op == LTL_ALWAYS)
    return implies(c, f->a, g->a);
  if (f->op == LTL_EVENTUALLY && g->op == LTL_EVENTUALLY)
    return implies(c, f->a, g->a);
  if (!(f_until || f_release) || (g_strong && !f_strong))
    return false;
  switch (g->op) {
  case LTL_UNTIL:
  case LTL_WEAK_UNTIL:
    /* a R b is b W (a && b), and a M b is b U (a && b). */
    if (f_release)
      return implies(c, f->b, g->a) &&
             (implies(c, f->a, g->b) || implies(c, f->b, g->b));
    return implies(c, f->a, g->a) && implies(c, f->b, g->b);
  case LTL_RELEASE:
  case LTL_STRONG_RELEASE:
    /* a U b implies c M d when a => d, b => c and b => d. */
    if (f_until)
      return implies(c, f->a, g->b) && implies(c, f->b, g->a) &&
             implies(c, f->b, g->b);
    return implies(c, f->a, g->a) && implies(c, f->b, g->b);
  default:
    return false;
  }
}

static ltl_answer *answer_of(ltl_context *c, const ltl *f, const ltl *g)
{
  uint64_t hash = hash_mix((uint64_t)f->id << 32 | g->id);
  return &c->answers[hash & (LTL_ANSWERS - 1)];
}

static bool implies(ltl_context *c, const ltl *f, const ltl *g)
{
  if (f == g || f->op == LTL_FALSE || g->op == LTL_TRUE)
    return true;
  if (f->op == LTL_TRUE || g->op == LTL_FALSE)
    return false;
  if (ltl_is(f, LTL_BOOLEAN) && ltl_is(g, LTL_BOOLEAN))
    return boolean_formulas_imply(c, f, g);
  ltl_answer *known = answer_of(c, f, g);
  if (known->f == f->id + 1 && known->g == g->id + 1)
    return known->implies;
  if (c->effort == EFFORT_MAX)
    return false;
  c->effort++;
  bool result = implies_by_both(c, f, g) || implies_by_right(c, f, g) ||
                implies_by_left(c, f, g);
  *answer_of(c, f, g) = (ltl_answer){f->id + 1, g->id + 1, result};
  return result;
}

bool ltl_implies(ltl_context *c, const ltl *f, const ltl *g)
{
  c->effort = 0;
  return implies(c, f, g);
}
