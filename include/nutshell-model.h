/* Any successor function as a model: a plug-in is a shared object that tells
** what its states consist of and which steps lead from one to the next.
**
**   #include <nutshell-model.h>
**   const nut_plugin *nutshell_model (const nut_parameters *given) { ... }
**
**   cc -shared -fPIC -o puzzle.so puzzle.c
**   nutshell check --plugin ./puzzle.so --reach 'board[8] == 8'
**
** A state is an array of numbers, its parts, in the order of the variables; an
** array has as many parts as elements.  Steps fall into groups: a group is
** asked for its steps in a state, and answers with what each of them changes.
**
**   variables  turn, flag[2]        parts      turn  flag[0]  flag[1]
**                                   number     0     1        2
**
** With read and write sets of all groups, partial order reduction and sets of
** states (--symbolic) work as for a model of any language; without them, a
** group is taken to read and write everything.  What a group writes is always
** compared with what it declares, and with --check what it reads as well.
**
** A plug-in is a program: it runs with all rights of the one who loads it.
** Its functions are called by several threads at once, and must neither depend
** on anything but their arguments nor change anything else. */

#ifndef NUTSHELL_MODEL_H
#define NUTSHELL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface, which a plug-in states. */
#define NUT_PLUGIN_API 1

typedef struct nut_variable {
  const char *name; /* as in a formula: letters, digits and '_' */
  uint32_t length;  /* of an array; 0: not an array */
  int32_t lo, hi;   /* what it can be; another value is an error of the model */
  /* The first value, for each element; NULL: 0, or what is nearest to it. */
  const int32_t *initial;
} nut_variable;

typedef struct nut_group {
  const char *name;    /* what traces call its steps: "left", "enter 2" */
  const char *process; /* who makes them, a name; NULL: the model itself */
  /* How many steps of it there may be in one state; 0: one. */
  uint32_t steps;
  /* Numbers of parts.  Whether there are steps, how many, and what they change
  ** depends on 'reads' at most; nothing is changed but 'writes'.  With 'sets'
  ** false it may be all. */
  bool sets;
  const uint32_t *reads, *writes;
  size_t read_count, write_count;
} nut_group;

/* Something that is to be checked, as 'nutshell check' has it: "invariant" with
** a condition, "ltl" with a formula. */
typedef struct nut_claim {
  const char *kind, *name, *formula;
} nut_claim;

typedef struct nut_part {
  uint32_t part;
  int32_t value;
} nut_part;

/* Where a group's steps go, in an order that is always the same. */
typedef struct nut_steps nut_steps;
struct nut_steps {
  /* A step: these parts change, all others stay. */
  void (*add)(nut_steps *, const nut_part *changed, size_t count);
  /* A step to the state with these parts, all of them. */
  void (*add_state)(nut_steps *, const int32_t *state);
  /* A step that goes wrong, as a failed assertion does. */
  void (*fail)(nut_steps *);
};

typedef struct nut_plugin {
  uint32_t api;     /* NUT_PLUGIN_API */
  const char *name; /* of the model: letters, digits and '_' */
  const nut_variable *variables;
  size_t variable_count;
  const nut_group *groups;
  size_t group_count;
  const nut_claim *claims;
  size_t claim_count;
  /* Whether a state without steps is a good end; otherwise it is a deadlock. */
  bool may_end;
  /* The steps of a group in a state. */
  void (*steps)(const struct nut_plugin *, uint32_t group, const int32_t *state,
                nut_steps *);
  /* When it is no longer used; NULL: nothing is to be done. */
  void (*close)(const struct nut_plugin *);
} nut_plugin;

/* What was given by -D: "N=3", "FAST". */
typedef struct nut_parameters {
  const char *const *words;
  size_t count;
} nut_parameters;

/* The function that a plug-in has.  NULL: it refuses the parameters.  What it
** returns stays as it is until 'close'. */
const nut_plugin *nutshell_model(const nut_parameters *);

#ifdef __cplusplus
}
#endif

#endif
