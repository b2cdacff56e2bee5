/* Temporal formulas over a net, and what can be told of them in the first marking
** without a state space.
**
** A formula has facts: true, or false, of all runs or of some.  They come from
** the first marking itself, from what the state equation knows of all reachable
** markings, and from goals that walks have reached or proofs refuted:
**
**   F g   some run: g can be reached        all runs: g holds at once
**   G g   not on some run: 'not g' can be   on all runs: g holds everywhere
**
** Facts are found in two modes: of the first marking, and of every reachable one,
** which operators below another need.  docs/internals/nets.md has the rules and
** why they are true. */

#ifndef NUT_NET_TEMPORAL_H
#define NUT_NET_TEMPORAL_H

#include "net/claim.h"

typedef enum {
  TEMPORAL_CLAIM,
  TEMPORAL_NOT,
  TEMPORAL_AND,
  TEMPORAL_ALL,  /* of all runs, 'a' */
  TEMPORAL_SOME, /* of some run */
  TEMPORAL_NEXT,
  TEMPORAL_FINALLY,
  TEMPORAL_UNTIL, /* a until b, which comes */
  TEMPORAL_WEAK   /* a until b, or for ever */
} temporal_op;

typedef struct temporal temporal;
struct temporal {
  temporal_op op;
  const claim *claim; /* CLAIM */
  const temporal *a, *b;
  uint32_t goal; /* FINALLY of a claim: its number; UINT32_MAX: none */
};

const temporal *temporal_claim(arena *, const claim *);
/* Operators over formulas without temporal ones become claims. */
const temporal *temporal_not(arena *, const temporal *);
const temporal *temporal_and(arena *, const temporal *, const temporal *);
const temporal *temporal_or(arena *, const temporal *, const temporal *);
const temporal *temporal_new(arena *, temporal_op, const temporal *a,
                             const temporal *b);

typedef enum {
  FACT_ALL_TRUE = 1, /* of every run */
  FACT_ALL_FALSE = 2,
  FACT_SOME_TRUE = 4, /* of some run at least */
  FACT_SOME_FALSE = 8
} fact;

/* What is known of goals, in the order in which 'temporal_goals' gave them. */
typedef enum { GOAL_OPEN, GOAL_REACHED, GOAL_REFUTED } goal_state;

typedef struct temporal_facts {
  const petri *net;
  arena *arena;
  claim_known *known; /* of sums, in every reachable marking; or NULL */
  void *context;
  const goal_state *goals;
  int32_t *scratch; /* room for a marking */
  /* A run that ends stays in its last marking (LTL).  Otherwise there is no
  ** next marking there. */
  bool stays;
} temporal_facts;

/* Numbers the claims that decide the formula in the first marking, from
** '*count' on, and puts them into the list, which has room for all of them
** (temporal_size). */
const temporal *temporal_goals(arena *, const temporal *, const claim **list,
                               uint32_t *count);
uint32_t temporal_size(const temporal *);

/* A goal that was reached and by itself shows that the formula, in the first
** marking, is true or is not: every run that goes on from there shows it.
** UINT32_MAX: there is none. */
uint32_t temporal_shown_by(const temporal *, bool is_true,
                           const goal_state *goals);

/* Facts of the formula in the first marking. */
unsigned temporal_facts_of(const temporal_facts *, const temporal *);

#endif
