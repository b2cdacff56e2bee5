/* Answers about nets that need no state space: walks find markings, the state
** equation refutes them (docs/internals/nets.md).
**
** Each question becomes a goal, a marking that is looked for.  A walk that
** reaches it decides the question one way, a proof that it cannot be reached the
** other way.  What is decided is not asked of the engines any more; in the end
** the answers are added, with the walk as a run of the program. */

#ifndef NUT_VERIFY_NETS_NET_FRONT_H
#define NUT_VERIFY_NETS_NET_FRONT_H

#include "verify/verification.h"

typedef struct front front;
struct space_stand_in;

/* The steps that are taken, of the option --net-steps: name, what it does. */
/* clang-format off */
#define FRONT_STEPS(STEP)                                                      \
  STEP(WALKS,    "walks",    "runs by chance and towards the goals")           \
  STEP(EQUATION, "equation", "proofs by the state equation and traps")         \
  STEP(EXACT,    "z3", "what is too much for the equation, by Z3")             \
  STEP(SMALLER,  "reductions", "the same, and engines, on smaller nets")       \
  STEP(STUBBORN, "stubborn", "each goal alone, with stubborn sets")
/* clang-format on */

typedef enum {
#define STEP(name, text, meaning) FRONT_##name,
  FRONT_STEPS(STEP)
#undef STEP
      FRONT_STEPS_
} front_step;

/* Reads --net-steps; false with messages. */
bool front_prepare(verification *, const nut_options *);
/* Whether the option names steps: then they are taken before all else. */
bool front_is_asked(const verification *);
/* Takes all steps, the longer the greater 'times' is.  True: nothing is left
** to ask, or nothing that an engine could find out.  To 'count', all it can say
** is that there is no end. */
bool front_run(verification *, const nut_options *, bool count, uint64_t times);
/* To count: a smaller net whose markings stand for those of the net; false: there
** is none. */
bool front_has_stand_in(verification *, const nut_options *, bool count,
                        struct space_stand_in *);
/* The same for formulas of branching time, of nets that have too many markings
** to look at one by one. */
bool front_answers_trees(verification *, const nut_options *);
/* Whether a walk has shown that the net has no bound. */
bool front_is_unbounded(const verification *);
/* Whether it has decided a question, which then is its to answer. */
bool front_decides(const verification *, const question *);
/* Adds the answers to the outcome, in the order of the questions. */
void front_conclude(verification *);
void front_free(verification *);

#endif
