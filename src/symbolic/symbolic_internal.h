/* What the files of this folder share; of others, the explicit graph has states
** by number as a field has slices, and nobody else includes this. */

#ifndef NUT_SYMBOLIC_SYMBOLIC_INTERNAL_H
#define NUT_SYMBOLIC_SYMBOLIC_INTERNAL_H

#include "base/arena.h"
#include "base/index.h"
#include "model/access/access.h"
#include "program/layout.h"
#include "program/movers.h"
#include "symbolic/ctl/ctl_answer.h"
#include "symbolic/space.h"

/* ---- fields (state_fields.c) --------------------------------------------- */

typedef enum {
  FIELD_VARIABLE, /* one scalar of a global or local */
  FIELD_LOCATION,
  FIELD_PRIORITY,
  FIELD_CHANNEL, /* all of it */
  FIELD_LAST,
  FIELD_LENGTH, /* of the state: how many processes and channels there are */
  FIELD_STATE   /* a whole state: processes come and go */
} field_kind;

/* A slice of a state that is a level of the diagram.  Scalars are their own
** numbers; other slices are numbered as they turn up. */
typedef struct field {
  field_kind kind;
  uint32_t offset, bytes; /* in a state, hidden bytes included */
  bool scalar;
  keep keep;
  int32_t process; /* whose, or -1 */
  const process_type *type;
  const var *var;
  uint32_t element;
  uint32_t channel; /* number, or 0 */
  const channel_type *channel_type;
  uint32_t level;
  /* Slices by number. */
  VEC(uint8_t) slices;
  VEC(uint32_t) starts; /* of each slice, and the end of the last */
  hash_index numbers;
} field;

/* ---- groups (groups.c) -------------------------------------------------- */

/* What a group does from a state: how many successors, how many faults that
** are failed assertions, how many others. */
typedef struct effects_count {
  uint32_t successors, assertions, bounds;
} effects_count;

typedef struct group {
  const edge *edge;     /* the first edge; NULL: every step there is */
  uint32_t process;     /* who makes it */
  uint32_t partner;     /* only steps in which this one takes part, or NOBODY */
  VEC(uint32_t) fields; /* touched; by level once the order is known */
  /* Which of them is the location of the process, and the number of the one
  ** that the edge starts from; or NO_FIELD. */
  uint32_t place, source;
  VEC(bool) written;           /* which of them may change */
  VEC(mdd_shift) shifts;       /* nets; 'level' is a field before the order */
  VEC(effects_count) outcomes; /* that short vectors have */
} group;

#define NOBODY UINT32_MAX

/* An edge of a process that can be part of a step. */
typedef struct participant {
  uint32_t process;
  const edge *edge;
} participant;

typedef VEC(participant) participant_list;

/* What can be wrong in a state. */
enum { WRONG_END, WRONG_ASSERTION, WRONG_BOUNDS, WRONG_KINDS };

typedef VEC(symbolic_set) set_list; /* counted */

struct symbolic_space {
  entity_list entities;     /* of the initial state, while groups are made */
  participant_list members; /* of the group being made */
  program *program;
  const model *model;
  symbolic_options options;
  arena *arena;
  access_sets *access;
  worker *worker;
  batch batch;
  VEC(field) fields;
  VEC(uint32_t) order; /* field of each level */
  /* The first of these have every step once.  Behind them, when fairness has
  ** asked for it, are those steps of some once more in which another process
  ** takes part. */
  VEC(group) groups;
  size_t step_groups;
  bool has_partners;   /* these are there, */
  bool lacks_partners; /* or some of them only: there was no memory */
  movers movers;
  uint8_t *initial; /* the initial state */
  uint32_t initial_length;
  /* A state whose entities begin with those of all states; the initial one
  ** where they never change (shapes.c). */
  uint8_t *sample;
  uint32_t sample_length;
  uint32_t length_field; /* FIELD_LENGTH, or NO_FIELD */
  VEC(uint32_t) tags;    /* offsets of the tags of the sample */
  bool strayed;          /* there was a state of another shape */
  bool whole;            /* so a state is one level */
  VEC(uint8_t) state;    /* being put together */
  VEC(uint32_t) tuple;
  set_library *library;
  symbolic_set reachable, start, blocked; /* protected */
  uint32_t asked;                         /* short vectors so far */
  bool has_blocked;
  symbolic_set scratch[8];         /* protected */
  symbolic_set wrong[WRONG_KINDS]; /* likewise: once it is measured */
  set_cut *cut;                    /* in use, or NULL */
  set_list layers, route;          /* of a run being made */
  VEC(uint32_t) stages;            /* likewise */
  ctl_run way;
  reason reason;
  uint64_t iterations;
  limits *limits;
  uint32_t shrunk; /* times that the diagrams got less memory */
  double next_report;
};

/* Ends the computation for a reason; the first one counts. */
void symbolic_stop(symbolic_space *, reason);

/* One state of a set that is not empty, as a set. */
symbolic_set symbolic_single(symbolic_space *, symbolic_set);
/* Adds a set to a list, counted; false: no memory. */
bool symbolic_keep(symbolic_space *, set_list *, symbolic_set);
void symbolic_drop(symbolic_space *, set_list *);

#define NO_FIELD UINT32_MAX

/* Finds the sample; false: states have shapes of many kinds. */
bool shapes_probe(symbolic_space *);
/* Whether the entities of a state begin those of the sample. */
bool shapes_fit(const symbolic_space *, const uint8_t *state, uint32_t length);

void fields_make(symbolic_space *);
/* Puts values of fields, in the order of their levels, into the sample, which
** becomes 'space->state'; false: they do not fit. */
bool fields_put(symbolic_space *, const uint32_t *fields,
                const uint32_t *values, size_t count);
void fields_free(symbolic_space *);
/* The number of a field's slice, which is added when it is new. */
uint32_t field_read(field *, const uint8_t *state, uint32_t length);
/* Puts the slice with a number into 'space->state'; false: it does not fit. */
bool field_write(symbolic_space *, const field *, uint32_t value);
/* Does the acting process touch the field, by one of these slots? */
bool field_in(const symbolic_space *, const field *, uint32_t process,
              const uint64_t *slots);
/* The field of a scalar of a global, or NULL. */
const field *field_of_global(const symbolic_space *, const var *,
                             uint32_t element);

void groups_make(symbolic_space *);
void groups_free(symbolic_space *);
/* Adds the events of all groups, in their order; false: no memory. */
bool groups_enter(symbolic_space *);
/* Once all reachable states are known: adds groups, and their events, for those
** who take part in steps that others begin.  False: the run has ended. */
bool groups_add_partners(symbolic_space *);
/* What the program says about a new short vector of a group (group_ask.c). */
bool group_ask(void *space, uint32_t event, const uint32_t *vector,
               library_answer *);
/* It can act only where its process is at the edge's source. */
bool group_guard(void *space, uint32_t event, uint32_t *place, uint32_t *value);
/* A level per field (level_order.c). */
void order_choose(symbolic_space *);
/* Sets 'space->cut', one at a time, which the space owns if somebody leaves by
** the memory guard; false: no memory. */
bool symbolic_cut(symbolic_space *, const uint32_t *levels, uint32_t count);
void symbolic_uncut(symbolic_space *);
/* Asked during long computations (space.c). */
bool symbolic_impatient(void *space);

#endif
