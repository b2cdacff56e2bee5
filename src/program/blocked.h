/* Why a step is not possible in a state: for every edge that leaves the
** location of a process and cannot be executed, the reason.
**
** Which edges can be executed is what the interpreter says, by the successors it
** has made; the reasons are found out by asking it for the parts of an edge: the
** guard, the channel, who may move. */

#ifndef NUT_PROGRAM_BLOCKED_H
#define NUT_PROGRAM_BLOCKED_H

#include "program/program.h"

/* Kinds of reasons: name, word in reports. */
/* clang-format off */
#define BLOCKS(BLOCK)                                                          \
  BLOCK(GUARD,     "guard")     /* a condition of the statement is false */    \
  BLOCK(TIMEOUT,   "timeout")   /* something else can happen */                \
  BLOCK(EMPTY,     "empty")     /* there is no message in the channel */       \
  BLOCK(MESSAGE,   "message")   /* there is none that fits */                  \
  BLOCK(FULL,      "full")      /* the channel has no room */                  \
  BLOCK(PARTNER,   "partner")   /* nobody is there to meet */                  \
  BLOCK(ELSE,      "else")      /* another statement can be executed */        \
  BLOCK(UNLESS,    "unless")    /* an escape goes first */                     \
  BLOCK(PROVIDED,  "provided")  /* the process may not move */                 \
  BLOCK(PRIORITY,  "priority")  /* one of higher priority can move */          \
  BLOCK(COMMITTED, "committed") /* others are at committed locations */        \
  BLOCK(YOUNGER,   "younger")   /* younger processes must end first */         \
  BLOCK(OTHERS,    "others")    /* all must move at once, and one cannot */    \
  BLOCK(ENDLESS,   "endless")   /* an atomic sequence without end of its own */
/* clang-format on */

typedef enum {
#define BLOCK(name, text) BLOCKED_##name,
  BLOCKS(BLOCK)
#undef BLOCK
} blocked_kind;

const char *blocked_kind_name(blocked_kind);

typedef struct blocked_step {
  blocked_kind kind;
  uint32_t process, edge; /* whose; index in model.edges */
  const expr *condition;  /* GUARD, TIMEOUT, PROVIDED: what is false */
  int32_t channel;        /* EMPTY, MESSAGE, FULL, PARTNER: number, or 0 */
  int64_t other;          /* COMMITTED, OTHERS: a process that is why, or -1 */
} blocked_step;

/* An edge that can be executed: begun by its process, or in answer. */
typedef struct possible_step {
  uint32_t process, edge;
  bool answers;
} possible_step;

typedef struct blocked_steps {
  VEC(blocked_step) list; /* by process, edges in the order of their trial */
  VEC(possible_step) possible;
} blocked_steps;

/* Fills the lists for a state, whose successors, recorded, are in the batch. */
void blocked_find(worker *, const uint8_t *state, uint32_t length,
                  const batch *successors, blocked_steps *);
void blocked_free(blocked_steps *);

#endif
