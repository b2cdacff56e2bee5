/* Traces: runs of a program that show something, and how they are replayed.
**
** A trace begins with the initial state (step 0, which has no edge); every
** further step is one executed edge with the state after it.  A state in which
** the search rested has 'rest' set; steps without it lie inside an atomic or
** d_step sequence, or between the two halves of a rendezvous.
**
** Every trace is made by running the program again along a path, so a trace
** that exists has been replayed once; 'trace_verify' does it once more, from
** nothing but the steps. */

#ifndef NUT_SEARCH_TRACE_TRACE_H
#define NUT_SEARCH_TRACE_TRACE_H

#include "base/vec.h"
#include "program/program.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a trace shows at its end: name, text in reports. */
/* clang-format off */
#define TRACE_ENDS(END)                                                        \
  END(OPEN,        "the run can go on")                                        \
  END(FINISHED,    "all processes are at a valid end")                         \
  END(FAULT,       "a step failed")              /* see fault_text(fault) */   \
  END(INVALID_END, "invalid end state")                                        \
  END(INVARIANT,   "invariant violated")                                       \
  END(WITNESS,     "state reached")                                            \
  END(LOOP,        "endless loop")                                             \
  END(STAYS,       "nothing happens any more")   /* and that is wrong */       \
  END(PREFIX,      "violated, whatever follows")
/* clang-format on */

typedef enum {
#define END(name, text) TRACE_##name,
  TRACE_ENDS(END)
#undef END
} trace_end;

const char *trace_end_text(trace_end);

#define TRACE_NO_EDGE UINT32_MAX
#define TRACE_NO_LOOP SIZE_MAX

typedef struct trace_step {
  uint32_t edge;    /* index in model.edges; TRACE_NO_EDGE in step 0 */
  uint16_t process; /* number of the process that moved */
  uint8_t flags;    /* step_flags of program.h */
  bool rest;        /* the search rested in the state after this step */
  uint32_t length;  /* of the state after it, hidden bytes included, which */
  size_t start;     /* begins here in trace.bytes */
  size_t output, output_length; /* what it printed, in trace.output */
} trace_step;

typedef struct trace {
  VEC(trace_step) steps; /* steps.data[0] holds the initial state */
  VEC(uint8_t) bytes;
  text output; /* of printf and printm */
  trace_end end;
  /* TRACE_FAULT: what failed, in the last step of the trace.  (A fault in an
  ** initialiser may come without any step: then steps.len is 0.) */
  fault_kind fault;
  uint32_t fault_edge, fault_process;
  span where;
  const expr *expr; /* TRACE_INVARIANT, TRACE_WITNESS */
  /* Index of the step after which the loop starts; it ends with the trace.
  ** With TRACE_STAYS it is the last step, and the loop has no steps. */
  size_t loop;
} trace;

trace *trace_create(void); /* empty, no loop, end OPEN */
void trace_destroy(trace *);
const uint8_t *trace_state(const trace *, size_t step, uint32_t *length);
/* The number of states of the search on the trace, the initial one included. */
size_t trace_rests(const trace *);

/* ---- making one ------------------------------------------------------- */

/* Puts the initial state, or the steps of a successor or fault, at the end of
** the trace.  The batch must have been made with 'record' set. */
void trace_start(trace *, const batch *initial);
void trace_add_successor(trace *, const batch *, size_t index);
void trace_add_fault(trace *, const batch *, size_t index);
/* Leaves nothing but the last state, as if the run began there. */
void trace_forget(trace *);

/* A path through the search: the states in which it rested, in order, without
** their hidden bytes.  'next' is asked for states 1, 2, ... and either puts the
** bytes of state 'i' into '*state' (valid until it is called again) and returns
** their length, or leaves '*state' NULL and returns which successor of the
** state before it is meant. */
typedef struct trace_path {
  size_t length; /* number of states, the initial one included */
  uint32_t (*next)(void *context, size_t i, const uint8_t **state);
  void *context;
} trace_path;

typedef enum {
  TRACE_MADE,
  TRACE_IMPOSSIBLE, /* the program cannot do that: a bug of ours */
  TRACE_NO_MEMORY
} trace_result;

/* What a trace is to show in the end. */
typedef struct trace_claim {
  trace_end end;    /* not OPEN or FINISHED */
  size_t fault;     /* FAULT: which one of the last state's batch */
  const expr *expr; /* INVARIANT, WITNESS */
  size_t loop;      /* LOOP: index of the path's state where it starts */
} trace_claim;

/* Is the claim about an expression true in this state?  An invariant that
** cannot be evaluated (a division by zero) is violated. */
bool trace_claim_holds(worker *, const trace_claim *, const uint8_t *state,
                       uint32_t length);

/* Runs the program along the path and checks the claim; on TRACE_MADE '*made'
** is the trace, for the caller to destroy. */
trace_result trace_build(worker *, const program *, const trace_path *,
                         const trace_claim *, trace **made);

/* Runs the program along a trace, step by step, and checks that each step is
** possible and gives the state recorded, and that the end is as claimed. */
trace_result trace_verify(worker *, const program *, const trace *);

/* ---- following what others chose -------------------------------------- */

typedef enum {
  CHOICE_EDGES,   /* 'id' is an index in model.edges; every step is listed */
  CHOICE_MADE,    /* likewise, and the last step was made even if it failed */
  CHOICE_NUMBERS, /* 'id' is edge.number; jumps, unseen edges and deaths of
                  ** processes may be missing */
  CHOICE_MERGED   /* likewise, and steps of the process that moved last may be
                  ** missing too (SPIN's trails with merged statements) */
} choice_kind;

typedef struct choice {
  uint32_t process;
  uint32_t id;
} choice;

/* Runs the program from its initial state as the choices say: one choice for
** each step, but one for a whole d_step and two for a rendezvous.  Choices of
** numbers that no edge has are passed over.  Returns the trace as far as it
** goes, with 'end' telling how it ends; '*followed' is the number of choices
** obeyed, which is 'count' when all is well.  NULL when there is no memory. */
trace *trail_replay(worker *, const program *, choice_kind,
                    const choice *choices, size_t count, size_t *followed);

#endif
