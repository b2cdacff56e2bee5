/* All states of a small model, and the steps between them: for drawings, and
** for models written as the graph of their states. */

#ifndef NUT_GRAPH_STATES_H
#define NUT_GRAPH_STATES_H

#include "base/limits.h"
#include "program/program.h"

typedef struct known_state {
  size_t start; /* in 'bytes' */
  uint32_t length;
  bool blocked;     /* nothing can happen */
  bool invalid_end; /* and that is an error */
  bool asserts;     /* a failed assertion: the step is made all the same */
  bool fault;       /* another fault: a step that ends nowhere */
} known_state;

typedef struct known_step {
  uint32_t from, to; /* states */
  uint32_t process;
  const edge *edge;   /* the last, where there are several */
  const edge *answer; /* of a rendezvous, by the partner; otherwise NULL */
  uint32_t partner;
} known_step;

typedef struct states {
  program *program;
  VEC(known_state) list; /* the first is the initial one */
  VEC(known_step) steps; /* in the order of the states they begin in */
  VEC(uint8_t) bytes;
} states;

typedef enum {
  STATES_DONE,
  STATES_TOO_MANY, /* more than 'limit' */
  STATES_NO_MEMORY,
  STATES_STOPPED /* by the limits */
} states_result;

/* 'states_free' is called whatever the result. */
states_result states_explore(program *, size_t limit, limits *, states *);
void states_free(states *);

/* The graph of states as a model with one process that knows no variables, or
** as a net with one token.  'why' says in a comment why it is no more.  States
** and steps are as many; failed assertions are left out. */
void states_to_promela(const states *, const char *why, text *out);
void states_to_dve(const states *, const char *why, text *out);
void states_to_pnml(const states *, const char *why, text *out);

#endif
