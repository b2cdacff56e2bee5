/* What explains a counterexample: which of its steps matter, and until when the
** error could have been avoided.
**
**   steps    a a b a b c X         X fails; the steps of b have to do with it
**   matter       b   b   X         the causal cone of X
**   folded   a a   a   c           can come after X as well
**
** The cone goes back from the end: a chain of steps (from one state of the search
** to the next) is in it when it is of the same process as one that is, when their
** order matters by the relation of the reduction, when it sends the message or
** makes the room that the other needs, or starts its process.  That is checked by
** running the program: the chains of the cone alone lead to the error, and the
** others can be executed behind it.
**
** Nothing comes behind a run that has no end.  There a step does not matter when
** the run without it is one as well, and violates the property too: lasso.c. */

#ifndef NUT_VERIFY_EXPLAIN_EXPLAIN_H
#define NUT_VERIFY_EXPLAIN_EXPLAIN_H

#include "base/limits.h"
#include "search/trace/trace.h"
#include "verify/verification.h"

/* Until when the error can be avoided. */
typedef enum {
  AVOIDABLE_UNKNOWN, /* 'not_known' says why */
  AVOIDABLE_NEVER,   /* no complete run avoids it */
  AVOIDABLE_UNTIL    /* from the state after step 'until', and not later */
} avoidable;

typedef struct explanation {
  /* A byte for each step of the trace, the initial one included: it does not
  ** matter.  NULL: 'not_folded' says why. */
  uint8_t *folded;
  size_t folded_count;
  const char *not_folded;
  avoidable avoidable;
  size_t until,
      after; /* steps of the trace: the last state from which it can be
                       ** avoided, and the next one */
  const char *not_known;
} explanation;

/* Explains the runs of all violated answers; texts and lists are in the arena of
** the outcome. */
void explain_answers(verification *, const nut_options *);

/* ---- parts -------------------------------------------------------------- */

/* A run to be explained. */
typedef struct explaining {
  program *program;
  worker *worker;
  const property *property; /* that the run violates */
  const trace *trace;
  limits *limits;
  arena *arena;
  nut_fair fair;
  explanation *to;
} explaining;

/* cone.c: of runs that end with the error. */
void explain_cone(explaining *);
/* lasso.c: of runs that have no end, and of prefixes of them. */
void explain_lasso(explaining *);
/* avoid.c */
void explain_avoidance(explaining *);

#endif
