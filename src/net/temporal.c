/* Facts of temporal formulas, rule by rule. */

#include "net/temporal.h"

#include <string.h>

enum {
  TRUE_OF_ALL = FACT_ALL_TRUE | FACT_SOME_TRUE,
  FALSE_OF_ALL = FACT_ALL_FALSE | FACT_SOME_FALSE
};

/* ---- making --------------------------------------------------------------- */

const temporal *temporal_new(arena *a, temporal_op how, const temporal *x,
                             const temporal *y)
{
  temporal *t = ARENA_NEW(a, temporal);
  *t = (temporal){how, NULL, x, y, UINT32_MAX};
  return t;
}

const temporal *temporal_claim(arena *a, const claim *c)
{
  temporal *t = ARENA_NEW(a, temporal);
  *t = (temporal){TEMPORAL_CLAIM, c, NULL, NULL, UINT32_MAX};
  return t;
}

const temporal *temporal_not(arena *a, const temporal *x)
{
  if (x->op == TEMPORAL_CLAIM)
    return temporal_claim(a, claim_not(a, x->claim));
  return x->op == TEMPORAL_NOT ? x->a : temporal_new(a, TEMPORAL_NOT, x, NULL);
}

const temporal *temporal_and(arena *a, const temporal *x, const temporal *y)
{
  if (x->op != TEMPORAL_CLAIM || y->op != TEMPORAL_CLAIM)
    return temporal_new(a, TEMPORAL_AND, x, y);
  const claim *both[] = {x->claim, y->claim};
  return temporal_claim(a, claim_join(a, CLAIM_AND, both, 2));
}

const temporal *temporal_or(arena *a, const temporal *x, const temporal *y)
{
  return temporal_not(a,
                      temporal_and(a, temporal_not(a, x), temporal_not(a, y)));
}

uint32_t temporal_size(const temporal *t)
{
  return 1 + (t->a ? temporal_size(t->a) : 0) +
         (t->b ? temporal_size(t->b) : 0);
}

/* Only what is asked of the first marking has goals: not what stands below a
** temporal operator. */
const temporal *temporal_goals(arena *a, const temporal *t, const claim **list,
                               uint32_t *count)
{
  temporal *own;
  switch (t->op) {
  case TEMPORAL_NOT:
  case TEMPORAL_AND:
  case TEMPORAL_ALL:
  case TEMPORAL_SOME:
    own = ARENA_NEW(a, temporal);
    *own = *t;
    own->a = temporal_goals(a, t->a, list, count);
    own->b = t->b ? temporal_goals(a, t->b, list, count) : NULL;
    return own;
  case TEMPORAL_FINALLY:
    if (t->a->op != TEMPORAL_CLAIM)
      return t;
    own = ARENA_NEW(a, temporal);
    *own = *t;
    own->goal = *count;
    list[(*count)++] = t->a->claim;
    return own;
  case TEMPORAL_CLAIM:
  case TEMPORAL_NEXT:
  case TEMPORAL_UNTIL:
  case TEMPORAL_WEAK:
    break;
  }
  return t;
}

/* ---- facts ---------------------------------------------------------------- */

static unsigned facts(const temporal_facts *f, const temporal *t, bool first);

static unsigned contrary(unsigned x)
{
  return (x & FACT_ALL_TRUE ? FACT_ALL_FALSE : 0u) |
         (x & FACT_ALL_FALSE ? FACT_ALL_TRUE : 0u) |
         (x & FACT_SOME_TRUE ? FACT_SOME_FALSE : 0u) |
         (x & FACT_SOME_FALSE ? FACT_SOME_TRUE : 0u);
}

/* The run on which one is true satisfies both when the other always is. */
static unsigned both(unsigned x, unsigned y)
{
  unsigned found = (x | y) & (FACT_ALL_FALSE | FACT_SOME_FALSE);
  if (x & y & FACT_ALL_TRUE)
    found |= TRUE_OF_ALL;
  if ((x & FACT_ALL_TRUE && y & FACT_SOME_TRUE) ||
      (y & FACT_ALL_TRUE && x & FACT_SOME_TRUE))
    found |= FACT_SOME_TRUE;
  return found;
}

static unsigned claim_facts(const temporal_facts *f, const claim *c, bool first)
{
  if (first)
    return claim_holds(c, f->net->tokens) ? TRUE_OF_ALL : FALSE_OF_ALL;
  if (f->known)
    c = claim_simplify(f->arena, c, f->known, f->context);
  return c->op == CLAIM_TRUE    ? TRUE_OF_ALL
         : c->op == CLAIM_FALSE ? FALSE_OF_ALL
                                : 0;
}

/* After one step from the first marking, where there is one. */
static unsigned next_claim(const temporal_facts *f, const claim *c)
{
  bool some = false, all = true;
  for (uint32_t t = 0; t < f->net->transition_count; t++) {
    memcpy(f->scratch, f->net->tokens,
           f->net->place_count * sizeof *f->scratch);
    if (!petri_enabled(f->net, t, f->scratch))
      continue;
    if (!petri_fire(f->net, t, f->scratch))
      return 0;
    bool holds = claim_holds(c, f->scratch);
    some |= holds;
    all &= holds;
  }
  return all    ? TRUE_OF_ALL
         : some ? FACT_SOME_TRUE | FACT_SOME_FALSE
                : FALSE_OF_ALL;
}

static unsigned next_facts(const temporal_facts *f, const temporal *t,
                           bool first)
{
  bool dead = first && petri_is_dead(f->net, f->net->tokens);
  if (first && !dead && t->a->op == TEMPORAL_CLAIM)
    return next_claim(f, t->a->claim);
  /* Where there may be no next marking, nothing is known of it. */
  if (!f->stays && (!first || dead))
    return 0;
  return facts(f, t->a, false);
}

static unsigned finally_facts(const temporal_facts *f, const temporal *t,
                              bool first)
{
  unsigned now = facts(f, t->a, first);
  unsigned ever = first ? facts(f, t->a, false) : now;
  unsigned found = now & TRUE_OF_ALL;
  if (ever & FACT_ALL_FALSE)
    found |= FALSE_OF_ALL;
  if (first && t->goal != UINT32_MAX && f->goals) {
    if (f->goals[t->goal] == GOAL_REACHED)
      found |= FACT_SOME_TRUE;
    if (f->goals[t->goal] == GOAL_REFUTED)
      found |= FALSE_OF_ALL;
  }
  return found;
}

/* a until b; with 'weak', or a for ever. */
static unsigned until_facts(const temporal_facts *f, const temporal *t,
                            bool first, bool weak)
{
  unsigned a = facts(f, t->a, first), b = facts(f, t->b, first);
  unsigned a_ever = first ? facts(f, t->a, false) : a;
  unsigned b_ever = first ? facts(f, t->b, false) : b;
  unsigned found = b & TRUE_OF_ALL;
  if (weak && a_ever & FACT_ALL_TRUE)
    found |= TRUE_OF_ALL;
  if (!weak && b_ever & FACT_ALL_FALSE)
    found |= FALSE_OF_ALL;
  /* Neither now: no.  It is the same run when one of them is so of all. */
  if (a & b & FACT_ALL_FALSE)
    found |= FALSE_OF_ALL;
  if ((a & FACT_ALL_FALSE && b & FACT_SOME_FALSE) ||
      (b & FACT_ALL_FALSE && a & FACT_SOME_FALSE))
    found |= FACT_SOME_FALSE;
  return found;
}

static unsigned facts(const temporal_facts *f, const temporal *t, bool first)
{
  unsigned x;
  switch (t->op) {
  case TEMPORAL_CLAIM:
    return claim_facts(f, t->claim, first);
  case TEMPORAL_NOT:
    return contrary(facts(f, t->a, first));
  case TEMPORAL_AND:
    return both(facts(f, t->a, first), facts(f, t->b, first));
  case TEMPORAL_ALL:
    x = facts(f, t->a, first);
    return x & FACT_ALL_TRUE     ? TRUE_OF_ALL
           : x & FACT_SOME_FALSE ? FALSE_OF_ALL
                                 : 0;
  case TEMPORAL_SOME:
    x = facts(f, t->a, first);
    return x & FACT_SOME_TRUE   ? TRUE_OF_ALL
           : x & FACT_ALL_FALSE ? FALSE_OF_ALL
                                : 0;
  case TEMPORAL_NEXT:
    return next_facts(f, t, first);
  case TEMPORAL_FINALLY:
    return finally_facts(f, t, first);
  case TEMPORAL_UNTIL:
    return until_facts(f, t, first, false);
  case TEMPORAL_WEAK:
    return until_facts(f, t, first, true);
  }
  return 0;
}

unsigned temporal_facts_of(const temporal_facts *f, const temporal *t)
{
  return facts(f, t, true);
}

/* What comes once has come; so 'finally' is true of all runs that go on, and an
** 'and' is false of them when one part is. */
uint32_t temporal_shown_by(const temporal *t, bool is_true,
                           const goal_state *goals)
{
  uint32_t found;
  switch (t->op) {
  case TEMPORAL_NOT:
    return temporal_shown_by(t->a, !is_true, goals);
  case TEMPORAL_ALL:
    return is_true ? UINT32_MAX : temporal_shown_by(t->a, false, goals);
  case TEMPORAL_SOME:
    return is_true ? temporal_shown_by(t->a, true, goals) : UINT32_MAX;
  case TEMPORAL_AND:
    if (is_true)
      return UINT32_MAX;
    found = temporal_shown_by(t->a, false, goals);
    return found != UINT32_MAX ? found : temporal_shown_by(t->b, false, goals);
  case TEMPORAL_FINALLY:
    return is_true && t->goal != UINT32_MAX && goals[t->goal] == GOAL_REACHED
               ? t->goal
               : UINT32_MAX;
  case TEMPORAL_CLAIM:
  case TEMPORAL_NEXT:
  case TEMPORAL_UNTIL:
  case TEMPORAL_WEAK:
    break;
  }
  return UINT32_MAX;
}
