/* Whether an answer is what it is for a reason.
**
**   [] (asked -> <> served)    holds: but 'asked' never happens
**                              holds: but so does [] (asked -> <> false)
**   x < 3                      holds: no statement that is executed changes x
**   atomic { a = 1; c?b }      can block at c?b: others go on in its middle
**
** Found out after the check, where that was a small one: each look is a search
** of its own, with a limit counted in work. */

#ifndef NUT_VERIFY_VACUITY_VACUITY_H
#define NUT_VERIFY_VACUITY_VACUITY_H

#include "verify/verification.h"

/* Kinds: name, word in JSON. */
/* clang-format off */
#define VACUITIES(KIND)                                                        \
  KIND(LEFT_SIDE, "left-side") /* of an implication: never happens */          \
  KIND(PART,      "part")      /* of a formula: makes no difference */         \
  KIND(INFLUENCE, "influence") /* nothing that happens changes what is read */
/* clang-format on */

typedef enum {
#define KIND(name, text) VACUITY_##name,
  VACUITIES(KIND)
#undef KIND
} vacuity_kind;

const char *vacuity_kind_name(vacuity_kind);

typedef struct vacuous {
  vacuity_kind kind;
  const char *part;    /* of the formula; NULL: all of it */
  const char *instead; /* PART: "true" or "false", which would do */
} vacuous;

/* Of an answer; in the arena of the outcome. */
typedef struct vacuity {
  VEC(vacuous) list;
} vacuity;

/* An atomic sequence that can block: where its process waits. */
typedef struct atomic_block {
  const process_type *process;
  uint32_t location;
  span where;
} atomic_block;

/* Of an outcome; likewise. */
typedef struct atomic_blocks {
  VEC(atomic_block) list;
} atomic_blocks;

/* Looks at all answers, and at the atomic sequences of the model. */
void vacuity_look(verification *, const nut_options *);

/* ---- parts -------------------------------------------------------------- */

/* The list of an answer, made when there is something to say. */
void vacuity_add(verification *, answer *, vacuous);

/* formula_vacuity.c: parts of an LTL formula. */
void vacuity_of_formula(verification *, const nut_options *, answer *);
/* second_look.c: walks over the states once more, for left sides of invariants
** and atomic sequences. */
void vacuity_second_look(verification *);

/* Bounds of these searches. */
enum {
  VACUITY_STATES = 100000, /* no look after a larger check, or at more */
  /* States that are looked at for atomic sequences alone, or a sixteenth of
  ** those of the check; and where some block, or a fourth. */
  VACUITY_PATIENCE = 400,
  VACUITY_MOST = 2000,
  VACUITY_LOOKS = 2000, /* work for one formula, in looks at the clock */
  VACUITY_PARTS = 16    /* of a formula that are tried */
};

#endif
