/* Where the states of a model come from.
**
** A walk over the states, up to some number, notes for each statement the
** transitions it begins, the new states they lead to, and values that a variable
** had never had before; and for each variable how often it changes.
**
** How much a variable multiplies the states is estimated from a sample: were it
** constant, states that differ in nothing else would be one.  For each variable
** the 1024 least hashes of states with that variable taken out are kept; their
** spread tells how many different ones there are (Bar-Yossef et al., "Counting
** distinct elements in a data stream", 2002), with a standard error of 3%.  Fewer
** than that are counted exactly.
**
** Then changes of the model are tried, each by counting the states of the
** changed model: steps that concern only their process as one step, variables
** reset where they are of no further use, half the range for a variable. */

#ifndef NUT_VERIFY_PROFILE_PROFILE_H
#define NUT_VERIFY_PROFILE_PROFILE_H

#include "base/arena.h"
#include "base/limits.h"
#include "base/numbering.h"
#include "program/layout.h"

enum {
  PROFILE_SAMPLE = 1024, /* least hashes that are kept */
  PROFILE_RECENT = 4096, /* a power of 2 */
  PROFILE_TRIES = 12     /* changes that are tried */
};

/* Of an edge, or all edges of a statement. */
typedef struct profiled_edge {
  uint64_t transitions, states, values;
} profiled_edge;

/* A variable, or the messages of channels of one type. */
typedef struct profiled_variable {
  const char *name;            /* "x", "P:x", "c" */
  const var *var;              /* NULL: of channels */
  const process_type *owner;   /* NULL: everybody's */
  const channel_type *channel; /* or NULL */
  uint64_t changes;            /* transitions that change it */
  uint64_t states;             /* new states by these */
  uint64_t values;             /* that it has had, all its parts together */
  int32_t lo, hi;              /* of a single number */
  bool is_number;
  double factor,
      error; /* states, by those there would be; half a 95% interval */
  /* The sample: the least hashes, as a heap, the greatest first. */
  uint64_t *least;
  uint32_t kept;
  bool has_more;    /* some were left out */
  uint64_t *recent; /* hashes that came lately, by their last bits */
  numbering seen;   /* hashes of values */
} profiled_variable;

typedef enum { CHANGE_STEPS, CHANGE_RESET, CHANGE_RANGE } model_change;

/* A change that was tried. */
typedef struct profiled_change {
  model_change kind;
  const char *words; /* what to do */
  span where;
  uint64_t states; /* of the changed model */
} profiled_change;

typedef struct profile {
  program *program;
  limits *limits;
  arena *arena;
  uint64_t most; /* states that are looked at; 0: all */
  /* Reads the model once more, to be changed; and gives that back. */
  model *(*again)(void *context);
  void *context;
  uint64_t states, transitions;
  bool complete;
  reason reason;        /* why not */
  profiled_edge *edges; /* by edge.index */
  VEC(profiled_variable) variables;
  VEC(profiled_change) changes; /* the best three, best first */
} profile;

/* Fills the profile; 'program', 'limits', 'arena', 'most' and 'again' are
** given. */
void profile_run(profile *);
void profile_free(profile *);

/* changes.c: tries changes of a model whose states are known. */
void profile_try_changes(profile *);
/* "steps", "reset", "range" */
const char *model_change_name(model_change);

#endif
