/* Translates formulas of the model, operator by operator. */

#include "net/of_formulas.h"

#include "model/ctl.h"
#include "model/ltl.h"

typedef struct translating {
  arena *arena;
  const place_map *map;
} translating;

/* ---- operators in terms of others ----------------------------------------- */

static const temporal *always(arena *a, const temporal *x)
{
  const temporal *never =
      temporal_new(a, TEMPORAL_FINALLY, temporal_not(a, x), NULL);
  return temporal_not(a, never);
}

static const temporal *equivalent(arena *a, const temporal *x,
                                  const temporal *y)
{
  return temporal_or(a, temporal_and(a, x, y),
                     temporal_and(a, temporal_not(a, x), temporal_not(a, y)));
}

/* b up to and with a, or for ever: not (not a until not b); with 'strong', a
** must come: not (not a until not b, or for ever). */
static const temporal *release(arena *a, const temporal *x, const temporal *y,
                               bool strong)
{
  temporal_op how = strong ? TEMPORAL_WEAK : TEMPORAL_UNTIL;
  return temporal_not(
      a, temporal_new(a, how, temporal_not(a, x), temporal_not(a, y)));
}

static const temporal *condition(const translating *t, const expr *e)
{
  const claim *c = claim_of_expr(t->arena, t->map, e, false);
  return c ? temporal_claim(t->arena, c) : NULL;
}

/* ---- linear time ---------------------------------------------------------- */

static const temporal *linear(const translating *t, const ltl *f)
{
  arena *a = t->arena;
  if (f->op == LTL_FALSE || f->op == LTL_TRUE)
    return temporal_claim(a, claim_const(a, f->op == LTL_TRUE));
  if (f->op == LTL_ATOM)
    return f->condition ? condition(t, f->condition) : NULL;
  const temporal *x = linear(t, f->a);
  bool two = f->op >= LTL_AND;
  const temporal *y = x && two ? linear(t, f->b) : NULL;
  if (!x || (two && !y))
    return NULL;
  switch ((ltl_op)f->op) {
  case LTL_NOT:
    return temporal_not(a, x);
  case LTL_NEXT:
    return temporal_new(a, TEMPORAL_NEXT, x, NULL);
  case LTL_EVENTUALLY:
    return temporal_new(a, TEMPORAL_FINALLY, x, NULL);
  case LTL_ALWAYS:
    return always(a, x);
  case LTL_AND:
    return temporal_and(a, x, y);
  case LTL_OR:
    return temporal_or(a, x, y);
  case LTL_IMPLIES:
    return temporal_or(a, temporal_not(a, x), y);
  case LTL_EQUIV:
    return equivalent(a, x, y);
  case LTL_UNTIL:
    return temporal_new(a, TEMPORAL_UNTIL, x, y);
  case LTL_WEAK_UNTIL:
    return temporal_new(a, TEMPORAL_WEAK, x, y);
  case LTL_RELEASE:
    return release(a, x, y, false);
  case LTL_STRONG_RELEASE:
    return release(a, x, y, true);
  case LTL_FALSE:
  case LTL_TRUE:
  case LTL_ATOM:
  case LTL_OP_COUNT:
    break;
  }
  return NULL;
}

const temporal *temporal_of_ltl(arena *a, const place_map *map, const ltl *f)
{
  const translating t = {a, map};
  const temporal *x = linear(&t, f);
  return x ? temporal_new(a, TEMPORAL_ALL, x, NULL) : NULL;
}

/* ---- branching time -------------------------------------------------------- */

static const temporal *path_of(arena *a, ctl_op how, const temporal *x,
                               const temporal *y)
{
  switch (how) {
  case CTL_EX:
  case CTL_AX:
    return temporal_new(a, TEMPORAL_NEXT, x, NULL);
  case CTL_EF:
  case CTL_AF:
    return temporal_new(a, TEMPORAL_FINALLY, x, NULL);
  case CTL_EG:
  case CTL_AG:
    return always(a, x);
  case CTL_EU:
  case CTL_AU:
    return temporal_new(a, TEMPORAL_UNTIL, x, y);
  case CTL_EW:
  case CTL_AW:
    return temporal_new(a, TEMPORAL_WEAK, x, y);
  case CTL_ER:
  case CTL_AR:
    return release(a, x, y, false);
  case CTL_TRUE:
  case CTL_FALSE:
  case CTL_ATOM:
  case CTL_NOT:
  case CTL_AND:
  case CTL_OR:
  case CTL_IMPLIES:
  case CTL_EQUIV:
    break;
  }
  return NULL;
}

static bool is_of_all(ctl_op how)
{
  return how == CTL_AX || how == CTL_AF || how == CTL_AG || how == CTL_AU ||
         how == CTL_AW || how == CTL_AR;
}

static const temporal *branching(const translating *t, const ctl *f)
{
  arena *a = t->arena;
  if (f->op == CTL_TRUE || f->op == CTL_FALSE)
    return temporal_claim(a, claim_const(a, f->op == CTL_TRUE));
  if (f->op == CTL_ATOM)
    return condition(t, f->atom);
  const temporal *x = branching(t, f->a);
  const temporal *y = x && f->b ? branching(t, f->b) : NULL;
  if (!x || (f->b && !y))
    return NULL;
  switch (f->op) {
  case CTL_NOT:
    return temporal_not(a, x);
  case CTL_AND:
    return temporal_and(a, x, y);
  case CTL_OR:
    return temporal_or(a, x, y);
  case CTL_IMPLIES:
    return temporal_or(a, temporal_not(a, x), y);
  case CTL_EQUIV:
    return equivalent(a, x, y);
  default: /* a path operator with its quantifier */
    return temporal_new(a, is_of_all(f->op) ? TEMPORAL_ALL : TEMPORAL_SOME,
                        path_of(a, f->op, x, y), NULL);
  }
}

const temporal *temporal_of_ctl(arena *a, const place_map *map, const ctl *f)
{
  const translating t = {a, map};
  return branching(&t, f);
}
