/* The model: what every language becomes, and all the rest of Nutshell knows.
**
** A model is a set of process types.  A process type is a graph of locations
** and edges; an edge has a guard, perhaps a communication, and effects.
** Variables are global or local to a process.  Channels and processes may be
** created and may die while the system runs.  docs/model.md is the definition
** of what a model means; the interpreter is written from it.
**
** A model is built by a front end with the functions at the end, in one arena,
** then checked once by 'model_check'.  It is not changed afterwards: what is
** asked of it for a run is built in an annex (model_annex), and a program may
** have other types for the globals (program_options). */

#ifndef NUT_MODEL_MODEL_H
#define NUT_MODEL_MODEL_H

#include "base/arena.h"
#include "base/source/intern.h"
#include "base/source/source.h"
#include "base/vec.h"
#include "model/ops.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct model model;
typedef struct process_type process_type;
typedef struct var var;
typedef struct expr expr;
struct net_picture;

/* ---- types ------------------------------------------------------------ */

/* kind, word for it, bytes in a state, lowest value, highest value */
/* clang-format off */
#define MODEL_TYPES(TYPE)                                                      \
  TYPE(BIT,      "bit",      1, 0, 1)                                          \
  TYPE(BOOL,     "bool",     1, 0, 1)                                          \
  TYPE(BYTE,     "byte",     1, 0, 255)                                        \
  TYPE(PID,      "pid",      1, 0, 255)                                        \
  TYPE(MTYPE,    "mtype",    1, 0, 255)                                        \
  TYPE(CHAN,     "chan",     1, 0, 255) /* number of a channel, 0 = none */    \
  TYPE(SHORT,    "short",    2, -32768, 32767)                                 \
  TYPE(INT,      "int",      4, INT32_MIN, INT32_MAX)                          \
  TYPE(UNSIGNED, "unsigned", 0, 0, 0)   /* 'bits' wide; size by bits */        \
  TYPE(RANGE,    "range",    0, 0, 0)   /* lo .. hi; size by the range */      \
  TYPE(RECORD,   "record",   0, 0, 0)   /* the fields of 'record' */
/* clang-format on */

typedef enum {
#define TYPE(name, word, bytes, lo, hi) TYPE_##name,
  MODEL_TYPES(TYPE)
#undef TYPE
} type_kind;

/* A field whose name is empty is an array inside an array: 'a[1][2]'. */
typedef struct record {
  const char *name;
  VEC(var *) fields;
  uint32_t bytes; /* in a state; set by model_check, 0 before */
  span where;
} record;

typedef struct type {
  type_kind kind;
  uint8_t bits;   /* TYPE_UNSIGNED: 1..32 */
  int32_t lo, hi; /* least and greatest value (set for all scalar kinds) */
  record *record; /* TYPE_RECORD */
} type;

/* ---- variables -------------------------------------------------------- */

typedef enum {
  VAR_HIDDEN = 1,   /* not part of the state's identity (Promela: hidden) */
  VAR_SHOW = 2,     /* the user asked to see it */
  VAR_LOCAL = 4,    /* asserted to be used by one process only */
  VAR_PARAM = 8,    /* parameter of its process type */
  VAR_SCRATCH = 16, /* made by a front end; not shown in traces */
  VAR_ARRAY = 32,   /* declared with [n], also for n = 1 */
  VAR_OPAQUE = 64   /* bytes of embedded C; how many, the compiler tells */
} var_flags;

struct var {
  const char *name;
  type type;
  uint32_t length; /* number of elements, 1 for a scalar */
  uint32_t flags;
  const char *mtype_set; /* mtype:name, or NULL */
  process_type *owner;   /* NULL: global, or a field of a record */
  bool is_field;
  uint32_t offset; /* of a field in its record; set by model_check */
  uint32_t index;  /* among the globals / locals / fields */
  /* Initial values: none (all 0), one expression for all elements, or one
  ** per element.  They may read globals and parameters declared before. */
  VEC(expr *) init;
  struct channel_type *init_channel; /* each element gets a new channel */
  span where;
};

/* A use of a variable: t[i].f[j] is {t,i} -> {f,j}. */
typedef struct ref {
  var *var;
  expr *index; /* NULL: element 0 (only legal when length is 1) */
  struct ref *field;
  span where;
} ref;

/* ---- channels --------------------------------------------------------- */

typedef struct channel_type {
  const char *name;  /* of the variable it was declared for; for messages */
  uint32_t index;    /* among the model's channel types */
  uint32_t capacity; /* messages; 0 = rendezvous */
  VEC(type) fields;
  span where;
} channel_type;

typedef enum {
  ARG_VALUE, /* send: the value of 'value'.  receive: must equal it */
  ARG_STORE, /* receive: assigned to 'target' */
  ARG_IGNORE /* receive: any value, dropped ('_') */
} arg_kind;

typedef struct comm_arg {
  arg_kind kind;
  expr *value;
  ref *target;
} comm_arg;

typedef enum {
  COMM_SEND,
  COMM_RECEIVE,
  COMM_MULTICAST, /* send on a port: with all members ready to receive */
  COMM_JOIN       /* receive on a port */
} comm_kind;

typedef struct comm {
  comm_kind kind;
  bool sorted;   /* send: into the numerically first place (!!) */
  bool anywhere; /* receive: first message that fits, anywhere (??) */
  bool copy;     /* receive: the message stays in the channel (<>) */
  expr *channel; /* number of the channel; constant ports: CONST = index */
  VEC(comm_arg) args;
  span where;
} comm;

/* ---- expressions ------------------------------------------------------ */

typedef enum {
#define OP(name, arity, text, meaning) OP_##name,
  MODEL_OPS(OP)
#undef OP
      OP_COUNT_
} op;

static inline bool op_is_comparison(op o)
{
  return o >= OP_LT && o <= OP_NE;
}

/* !, &&, ||, -> */
static inline bool op_is_connective(op o)
{
  return o == OP_NOT || (o >= OP_AND && o <= OP_IMPLY);
}

/* Whether the value is 0 or 1, whatever the operands are. */
static inline bool op_is_truth(op o)
{
  return op_is_comparison(o) || op_is_connective(o);
}

struct expr {
  op op;
  int32_t value; /* CONST */
  span where;
  ref *ref; /* VAR, REMOTE */
  expr *args[3];
  comm *poll;            /* POLL */
  struct run *run;       /* RUN */
  process_type *process; /* AT, REMOTE */
  uint32_t location;     /* AT */
  const char *label;     /* AT: for printing; CONST: name of an mtype or NULL */
};

typedef struct run {
  process_type *process;
  VEC(expr *) args;
  expr *priority; /* NULL: the default of the process type */
} run;

/* ---- effects ---------------------------------------------------------- */

typedef enum {
  EFFECT_ASSIGN, /* target = value, truncated to the target's type */
  EFFECT_EVAL,   /* value is evaluated for what it does (run, set_priority) */
  EFFECT_ASSERT, /* value = 0 is a fault 'assertion violated' */
  EFFECT_PRINT,  /* printf: format with args */
  EFFECT_PRINTM, /* printm: the name of the mtype 'value' */
  EFFECT_DIE     /* the process ends; only the youngest process can */
} effect_kind;

typedef struct effect {
  effect_kind kind;
  ref *target;
  expr *value;
  const char *format;
  VEC(expr *) args;
  span where;
} effect;

/* ---- process types ---------------------------------------------------- */

typedef enum {
  LOC_END = 1, /* a valid place to be when nothing can happen */
  LOC_ACCEPT = 2,
  LOC_PROGRESS = 4,
  LOC_COMMITTED = 8, /* only committed processes move while one is here */
  LOC_DSTEP = 16     /* inside a d_step: never a resting place */
} location_flags;

typedef struct location {
  uint32_t flags;
  int32_t number;      /* as shown to users; Promela: SPIN's state number */
  const char *label;   /* or NULL */
  uint32_t first_edge; /* into process_type.order, set by model_check */
  uint32_t edge_count;
  span where;
} location;

typedef enum {
  EDGE_ATOMIC = 1, /* the process keeps control afterwards, if it can go on */
  /* Executable when no edge before it, in the order of 'order', was; almost
  ** always it is the last of its location.  In [a, else, b] (from 'do :: if
  ** :: a :: else fi :: b od') 'else' looks at a alone, as in SPIN. */
  EDGE_ELSE = 2,
  EDGE_DSTEP = 4,    /* runs the block that starts at location 'block' */
  EDGE_PARALLEL = 8, /* effects read the state before the step (LPN) */
  EDGE_UNSEEN = 16,  /* a jump made by the front end, not shown in traces */
  EDGE_PLUGIN = 32   /* 'plugged' tells what it does (model/plugged.h) */
} edge_flags;

typedef struct edge {
  uint32_t index; /* among all edges of the model */
  process_type *process;
  uint32_t source, target; /* locations of 'process' */
  uint32_t flags;
  /* Escapes (Promela: unless).  Edges are tried in order of falling rank; once
  ** an edge of some rank can be executed, those of lower rank are not. */
  uint32_t rank;
  uint32_t block; /* EDGE_DSTEP: first location inside */
  expr *guard;    /* NULL: true */
  comm *comm;     /* NULL: none */
  VEC(effect *) effects;
  int32_t number;   /* Promela: SPIN's statement id (Seqno); -1: none */
  const char *text; /* the statement; Promela: as SPIN writes it */
  /* The statement as the user wrote it, in one line; NULL: as in 'text'. */
  const char *written;
  const struct plugged_step *plugged; /* EDGE_PLUGIN */
  span where;
} edge;

/* The statement in the user's words; NULL: the front end gave none. */
static inline const char *edge_words(const edge *e)
{
  return e->written ? e->written : e->text;
}

typedef enum {
  PROCESS_NORMAL,
  PROCESS_INIT,
  PROCESS_NEVER, /* observer: moves before each step of the system */
  PROCESS_TRACE, /* observer of communications; its edges are events */
  PROCESS_NOTRACE,
  PROCESS_BUCHI /* observer given as a Buchi automaton */
} process_kind;

struct process_type {
  const char *name;
  process_kind kind;
  uint32_t index;
  uint32_t active;     /* instances at the start */
  int32_t priority;    /* default 1 */
  uint32_t parameters; /* the first so many locals are parameters */
  VEC(var *) locals;
  VEC(location) locations;
  VEC(edge *) edges; /* in the order the front end made them */
  VEC(edge *) order; /* sorted by source, rank, order; by model_check */
  uint32_t start;    /* first location */
  expr *provided;    /* NULL: true */
  /* Channels asserted to be read / sent to by processes of this type only
  ** (xr, xs): expressions over its parameters, locals and the globals. */
  VEC(expr *) only_reads;
  VEC(expr *) only_sends;
  int32_t first_number; /* Promela: SPIN's Seqno of its first statement */
  span where;
};

/* ---- embedded C -------------------------------------------------------- */

/* A model may contain C, which only the compiler understands: it is compiled
** when the model is loaded (program/embed/embed.h), and called by expressions
** of the operator EMBED.  What it can see and write are the globals, the locals
** of the process that runs it, and memory of its own. */
typedef enum {
  EMBED_DECLARES, /* types and variables, before everything else */
  EMBED_DEFINES,  /* functions, which can use the model's variables */
  EMBED_VALUE,    /* an expression; changes nothing */
  EMBED_TEST,     /* the same; 0 is a fault */
  EMBED_RUNS      /* statements; may write whatever it can see */
} embed_kind;

typedef struct embed_code {
  embed_kind kind;
  const char *text;
  process_type *owner; /* it stands in, or NULL */
  span where;          /* of the byte before the text */
} embed_code;

/* Memory of embedded C: a variable declared in C (c_state) that is part of the
** globals, of a process, or of no state; or memory that C has anyway (c_track),
** copied into the state, or beside it into its hidden part. */
typedef enum {
  MEMORY_GLOBAL,
  MEMORY_LOCAL,
  MEMORY_NOWHERE,
  MEMORY_MATCHED,
  MEMORY_UNMATCHED
} memory_kind;

typedef struct embed_memory {
  memory_kind kind;
  const char *what;    /* a declaration; tracked: the address */
  const char *name;    /* of what is declared */
  const char *size;    /* tracked: how many bytes */
  const char *initial; /* or NULL */
  process_type *owner; /* MEMORY_LOCAL */
  var *var;            /* its bytes in a state; NULL for MEMORY_NOWHERE */
  span where;
} embed_memory;

/* ---- properties ------------------------------------------------------- */

/* What a property is about, which decides who can answer it. */
typedef enum {
  ABOUT_STEPS,  /* single steps and blocked states; every model has these */
  ABOUT_STATES, /* an expression over single states */
  ABOUT_RUNS,   /* infinite runs */
  ABOUT_TREES,  /* branching time */
  ABOUT_PAIRS,  /* pairs of states; only when asked for by name */
  ABOUT_SPACE   /* the state space as a whole: the contest's questions */
} property_scope;

/* Kinds of properties: name, text in reports and JSON, what they are about. */
/* clang-format off */
#define PROPERTY_KINDS(KIND)                                                   \
  KIND(ASSERTIONS,   "assertions",   STEPS)                                    \
  KIND(END_STATES,   "end-states",   STEPS)                                    \
  KIND(BOUNDS,       "bounds",       STEPS)                                    \
  KIND(NEVER,        "never",        RUNS)                                     \
  KIND(ACCEPTANCE,   "acceptance",   RUNS)                                     \
  KIND(NON_PROGRESS, "non-progress", RUNS)                                     \
  KIND(LTL,          "ltl",          RUNS)                                     \
  KIND(INVARIANT,    "invariant",    STATES)                                   \
  KIND(REACH,        "reach",        STATES)                                   \
  KIND(CODING,       "coding",       PAIRS)                                    \
  KIND(CTL,          "ctl",          TREES)                                    \
  KIND(UPPER_BOUND,  "upper-bound",  SPACE)                                    \
  KIND(EXAMINATION,  "examination",  SPACE)                                    \
  KIND(TEMPORAL,     "temporal",     SPACE)
/* clang-format on */

typedef enum {
#define KIND(name, text, scope) PROPERTY_##name,
  PROPERTY_KINDS(KIND)
#undef KIND
      PROPERTY_KINDS_
} property_kind;

const char *property_kind_name(property_kind); /* "end-states" */
property_scope property_about(property_kind);
/* Whether it says something of infinite runs, of one or of all from a state. */
static inline bool property_is_live(property_kind kind)
{
  property_scope about = property_about(kind);
  return about == ABOUT_RUNS || about == ABOUT_TREES;
}

/* One of the ways to violate an invariant that is made of many: in a state
** where 'when' is true, "NAME VERB OTHER" tells what is wrong. */
typedef struct culprit {
  const expr *when;
  const char *name, *verb, *other; /* the last may be NULL */
} culprit;

typedef struct property {
  property_kind kind;
  const char *name;
  const char *alias;   /* a second name for those who ask, or NULL */
  const char *formula; /* LTL: as written; INVARIANT, REACH: the expression */
  expr *expr;          /* INVARIANT, REACH */
  const culprit *culprits; /* INVARIANT: for reports; may be none */
  uint32_t culprit_count;
  const struct ltl *ltl;        /* LTL: see ltl.h; NULL: cannot be checked */
  const struct ctl *ctl;        /* CTL: see ctl.h */
  const process_type *observer; /* NEVER: the claim */
  span where;
} property;

typedef struct mtype_name {
  const char *name;
  int32_t value;
  const char *set; /* mtype:set, or NULL */
} mtype_name;

/* ---- the model -------------------------------------------------------- */

typedef enum {
  MODEL_HAS_RUN = 1,      /* processes are created while running */
  MODEL_HAS_DEATH = 2,    /* processes end and disappear */
  MODEL_HAS_PRIORITY = 4, /* priorities are used: lower ones must wait */
  MODEL_HAS_LAST = 8,     /* _last is read */
  MODEL_HAS_TIMEOUT = 16,
  MODEL_HAS_HIDDEN = 32,
  MODEL_HAS_COMMITTED = 64,
  MODEL_SYNCHRONOUS = 128, /* all processes move at once (set by front ends) */
  MODEL_HAS_C = 256,       /* embedded C: can read and write what it likes */
  MODEL_HAS_PLUGIN = 512,  /* its steps are a plug-in's */
  /* As the user wants it: a message sent to a full channel is lost; where
  ** channels have messages, nothing ends well. */
  MODEL_LOSES = 1024,
  MODEL_ENDS_EMPTY = 2048
} model_flags;

/* What is true of all models of a language.  Each front end has one, or one for
** each of its languages, which its models point to. */
typedef struct model_language {
  const char *name;    /* "promela": in reports and JSON */
  const char *endings; /* of files, each with its dot: ".pml.pm"; "": none */
  /* Comments: to the end of the line, and from here to there; NULL: none. */
  const char *line_comment, *comment, *comment_end;
  bool has_strings;  /* "..." may hold what begins a comment */
  bool has_parts;    /* several files may be one system */
  bool is_edited;    /* the language server knows its names and formats it */
  bool has_states;   /* processes are named states, not statements */
  bool counts_start; /* finding the initial state is a transition, as in SPIN */
  bool is_net;       /* a Petri net of PNML, whose places grow when they must */
  bool has_signals;  /* an STG, whose states have codes */
  bool has_ends;     /* labels tell where a process may wait for ever */
  /* Of what every model is asked, this cannot be violated: a language may have
  ** no assertions, or nothing that could go wrong in a step. */
  bool no_assertions, no_bounds;
  /* Reads a condition over a model from a source; NULL with diagnostics. */
  expr *(*condition)(model *, diags *, uint32_t file);
  /* Describes the net that the model is; NULL: the language has no nets. */
  void (*picture)(const model *, struct net_picture *);
} model_language;

struct model {
  arena *arena;
  names *names;
  sources *sources;
  const model_language *language;
  const char *file;
  uint32_t flags;
  uint32_t step_needs; /* those of its flags that the steps alone call for */
  VEC(var *) globals;
  VEC(record *) records;
  VEC(channel_type *) channels;
  VEC(process_type *) processes; /* observers included */
  VEC(edge *) edges;             /* of all processes, by index */
  VEC(property) properties;
  VEC(mtype_name) mtypes;
  /* Initial processes in the order of their numbers. */
  VEC(process_type *) initial;
  /* Channels that are there from the start without a variable that holds their
  ** number: the first is 1, the next 2...; older than everything else. */
  VEC(channel_type *) initial_channels;
  VEC(embed_code) c_code;
  VEC(embed_memory) c_memory;
  struct embedded *embedded; /* the same compiled; see program/embed/embed.h */
  struct plugin *plugin;     /* see model/plugged.h */
  void *front_end; /* what the front end needs to read further expressions */
  /* Made so far, for model_destroy. */
  VEC(comm *) comms;
  VEC(struct run *) runs;
  const model *annex_of; /* see model_annex; NULL: a model of its own */
};

model *model_create(arena *, names *, sources *, const model_language *);

/* An annex of a checked model: the same model, which is not changed, with room
** for what questions about it add, that is expressions, and the flags that they
** call for.  It lives as long as the expressions are used, and the model
** longer. */
model *model_annex(const model *);
void model_annex_free(model *); /* NULL is fine */

/* Builders.  What they return lives in the model's arena.  The vectors inside
** a model are freed by 'model_destroy'. */
void model_destroy(model *);
var *model_add_global(model *, const char *name, type, span);
var *model_add_local(model *, process_type *, const char *name, type, span);
record *model_add_record(model *, const char *name, span);
var *model_add_field(model *, record *, const char *name, type, span);
channel_type *model_add_channel_type(model *, const char *name,
                                     uint32_t capacity, span);
/* One channel of this type is there from the start.  Returns its number. */
uint32_t model_add_initial_channel(model *, channel_type *);
process_type *model_add_process(model *, const char *name, process_kind, span);
uint32_t model_add_location(model *, process_type *, uint32_t flags,
                            int32_t number, span);
edge *model_add_edge(model *, process_type *, uint32_t source, uint32_t target,
                     span);
effect *model_add_effect(model *, edge *, effect_kind, span);
property *model_add_property(model *, property_kind, const char *name, span);

expr *expr_const(model *, int32_t value, span);
expr *expr_var(model *, ref *, span);
/* What the operator needs of the states: MODEL_HAS_LAST, ... */
uint32_t op_needs(op);
/* Notes in the model what the operator needs.  Every expression that is to be
** evaluated must have been made before the program is. */
expr *expr_new(model *, op, expr *a, expr *b, expr *c, span);
/* a o b o c ... as a tree of small depth; NULL for none. */
expr *expr_join(model *, op o, expr *const *list, size_t count);
/* Whether two expressions, or uses of variables, are written the same. */
bool expr_same(const expr *, const expr *);
bool ref_same(const ref *, const ref *);
/* Whether it can be seen from their text that the two conditions, without side
** effects, are never both true. */
bool expr_excludes(const expr *, const expr *);
/* Whether the value of an expression depends on the variable, or an index of
** it.  Variables of other processes (OP_REMOTE) do not count. */
bool expr_reads(const expr *, const var *);
ref *ref_new(model *, var *, expr *index, ref *field, span);
comm *comm_new(model *, comm_kind, expr *channel, span);
run *run_new(model *, process_type *);

/* An expression that is worth in a state before a step of the edge what 'x' is
** worth after it.  The edge is parallel, assigns scalars only, and always what
** their types keep; 'x' reads scalars only. */
expr *expr_before(model *, const edge *, expr *x);

const char *type_name(type_kind);      /* "byte" */
void type_print(const type *, text *); /* "a byte", "0..10" */
type type_scalar(type_kind);           /* with lo and hi of the kind */
type type_unsigned(uint8_t bits);
type type_range(int32_t lo, int32_t hi);
type type_record(record *);
/* Bytes of one element in a state (records: sum of their fields). */
uint32_t type_bytes(const type *);
/* What an assignment of 'value' stores, as SPIN truncates. */
int32_t type_truncate(const type *, int32_t value);

/* Sorts edges by location, sets indices and flags, and checks that the model
** is well formed (every reference in range, blocks closed...).  Problems that
** a user can cause are reported as diagnostics; returns their absence. */
bool model_check(model *, diags *);

/* Text of parts, in the style of the source. */
void expr_print(const model *, const expr *, text *out);
void ref_print(const model *, const ref *, text *out);
void edge_print(const model *, const edge *, text *out);
/* The whole model; for tests, and to tell two of them apart. */
void model_print(const model *, text *out);
/* For tests: the control structure alone, one line per location and edge:
**   process KIND NAME start LOCATION
**   location NUMBER FLAGS            FLAGS: letters a e p c d, or -
**   edge NUMBER TARGET FLAGS RANK TEXT   A atomic, E else, D d_step, - none */
void model_dump(const model *, text *out);

const char *op_name(op);
/* The value of an operation on constants, as ops.h defines it; 'b' is ignored
** where there is one operand.  False for a division by zero, which is left to
** the run, and for what has no value by itself. */
bool op_apply(op, int32_t a, int32_t b, int32_t *value);
/* The name of value 'v' of an mtype, or NULL. */
const char *mtype_name_of(const model *, int32_t v, const char *set);

#endif
