/* The model made ready to run: expressions as trees of nodes with offsets
** resolved, edges in one array sorted by location.  Built once by 'code.c',
** read by the interpreter.  Internal to program/. */

#ifndef NUT_PROGRAM_CODE_H
#define NUT_PROGRAM_CODE_H

#include "program/layout.h"
#include "program/program.h"

typedef struct node node;

/* Where a variable is found. */
typedef enum { BASE_STATE, BASE_SELF, BASE_REMOTE } base_kind;

typedef struct dimension {
  const node *index;
  uint32_t bound, stride;
} dimension;

typedef struct address {
  uint8_t base;
  bool hidden; /* not part of the identity: changes no component */
  keep keep;
  uint32_t offset; /* from the state's start, or from the process */
  uint32_t dimensions;
  dimension *dims;
  const var *var; /* the innermost, for messages */
  span where;
} address;

/* Ops of nodes: those of the model, with loads split by the commonest kinds:
** G = global, L = local of the running process; X = indexed once. */
typedef enum {
#define OP(name, arity, text, meaning) NODE_##name,
  MODEL_OPS(OP)
#undef OP
      NODE_G8,
  NODE_L8,
  NODE_GX8,
  NODE_LX8,
  NODE_G16,
  NODE_L16,
  NODE_G32,
  NODE_L32,
  NODE_LOAD
} node_op;

#define OP(name, arity, text, meaning)                                         \
  _Static_assert((int)NODE_##name == (int)OP_##name, "the same number");
MODEL_OPS(OP)
#undef OP

typedef struct ccomm ccomm;
typedef struct crun crun;

struct node {
  uint8_t op;
  int32_t value; /* constant; offset of a plain load; location */
  const node *a, *b, *c;
  union {
    const address *address;
    const ccomm *comm;
    const crun *run;
    struct {
      uint32_t bound, stride;
    } x;
    uint32_t process; /* AT, REMOTE: index of the process type */
  } u;
  const expr *source;
};

typedef struct carg {
  uint8_t kind; /* arg_kind */
  const node *value;
  const address *target;
} carg;

struct ccomm {
  uint8_t kind;
  bool sorted, anywhere, copy; /* copy: also polls */
  const node *channel;
  uint32_t arg_count;
  carg *args;
  const comm *source;
};

struct crun {
  uint32_t process;
  uint32_t arg_count;
  const node **args;
  const node *priority; /* NULL: default */
};

typedef struct ceffect {
  uint8_t kind;
  const address *target;
  const node *value;
  uint32_t arg_count;
  const node **args;
  const effect *source;
} ceffect;

typedef struct cedge {
  uint32_t flags, rank;
  uint32_t target, block;
  const node *guard;
  const ccomm *comm;
  uint32_t effect_count;
  ceffect *effects;
  uint32_t index; /* in model.edges */
  /* Offset of a byte that must not be 0, and how many edges, from this one on,
  ** need it; how many need one of the eight bytes around it.  0: do not look
  ** (see leading_guards.c). */
  uint32_t lead, lead_count, word_count;
  const edge *source;
} cedge;

typedef struct clocation {
  uint32_t first, count; /* in code.edges */
  uint32_t flags;
} clocation;

/* Initial value of a local or global, done in order of declaration. */
typedef struct cinit {
  const address *target;   /* of element 0 */
  uint32_t length, stride; /* elements to set */
  uint32_t value_count;    /* 1: the same for all elements */
  const node **values;
  const channel_type *channel; /* a new channel for each element, or NULL */
} cinit;

typedef struct cprocess {
  clocation *locations;
  uint32_t start;
  const node *provided;
  uint32_t parameter_count;
  address **parameters;
  uint32_t init_count;
  cinit *inits;
  uint32_t only_read_count, only_send_count;
  const node **only_reads, **only_sends;
  const process_type *source;
} cprocess;

typedef struct code {
  cedge *edges;
  cprocess *processes;
  uint32_t init_count;
  cinit *inits;       /* of the globals */
  uint32_t trace;     /* process type of the trace observer, or NO_TRACE */
  uint32_t trace_end; /* its last location */
  bool has_only;      /* some process asserts xr or xs */
} code;

#define NO_TRACE UINT32_MAX

struct program {
  const model *model;
  struct native_engine *native; /* NULL: interpreted; see native.h */
  program_options options;
  bool reversed;      /* successors come in the opposite order, */
  uint64_t shuffled;  /* or in one that this number chooses, unless it is 0 */
  bool doubts_plugin; /* whether it reads no more than it declares is tried */
  layout layout;
  code code;
  struct shape *initial_shape; /* of the initial state; see worker.h */
  uint32_t initial_length;
  component_map map;
  const field_map *fields;           /* NULL until asked for */
  const byte_footprints *footprints; /* likewise */
  struct access_sets *access;        /* while these are made */
  uint32_t *edge_of; /* by edge.index: its place in code.edges */
  uint32_t merged;   /* edges merged, and variables reset */
  /* While the program is made: kept here so that nothing is lost when memory
  ** runs out. */
  struct merging *merging;
  VEC(cinit) inits;
  worker *first_worker;
  batch first_batch;
};

/* Compiles all of the model into its arena. */
void code_create(program *);
/* leading_guards.c: for the edges of one location. */
void code_find_leads(const layout *, cedge *edges, uint32_t count);
/* Compiles one more expression (an invariant); self is no process. */
const node *code_expression(program *, const expr *);

#endif
