/* What runs: the initial state and the successors of a state.
**
** A state is a vector of bytes.  Its first 'hidden' bytes (usually none) hold
** hidden variables: they travel with the state but do not belong to its
** identity, so a store keeps only what follows:
**
**   | hidden | globals | process 0 | channel 1 | process 1 | ...
**            ^-- state identity: equal states are equal bytes from here
**
** The components of a state are slices of the globals, then each process and
** channel, in the order of their creation.
**
** A program is shared and does not change; a worker holds the scratch space
** of one thread.  The interpreter (interp/worker.h) is written from docs/model.md;
** native code keeps the same contract. */

#ifndef NUT_PROGRAM_PROGRAM_H
#define NUT_PROGRAM_PROGRAM_H

#include "base/components.h"
#include "base/fields.h"
#include "base/vec.h"
#include "model/model.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct program program;
typedef struct worker worker;

/* What can go wrong in a step: name in reports, property it belongs to. */
/* clang-format off */
#define FAULTS(FAULT)                                                          \
  FAULT(ASSERT,    "assertion violated",           PROPERTY_ASSERTIONS)        \
  FAULT(BOUNDS,    "array index out of bounds",    PROPERTY_BOUNDS)            \
  FAULT(DIVISION,  "division by zero",             PROPERTY_BOUNDS)            \
  FAULT(CHANNEL,   "use of an uninitialised channel", PROPERTY_BOUNDS)         \
  FAULT(PROCESSES, "too many processes (255)",     PROPERTY_BOUNDS)            \
  FAULT(CHANNELS,  "too many channels (255)",      PROPERTY_BOUNDS)            \
  FAULT(POLL,      "poll of a rendezvous channel", PROPERTY_BOUNDS)            \
  FAULT(FIELDS,    "a message with another number of values", PROPERTY_BOUNDS) \
  FAULT(DSTEP,     "d_step cannot go on",          PROPERTY_BOUNDS)            \
  FAULT(ENDLESS,   "d_step without end",           PROPERTY_BOUNDS)            \
  FAULT(OVERFLOW,  "value does not fit its type",  PROPERTY_BOUNDS)            \
  FAULT(READER,    "second reader of an xr channel", PROPERTY_ASSERTIONS)      \
  FAULT(SENDER,    "second sender on an xs channel", PROPERTY_ASSERTIONS)      \
  FAULT(TRACE,     "event not allowed by the trace", PROPERTY_ASSERTIONS)      \
  FAULT(NOTRACE,   "event sequence forbidden by notrace", PROPERTY_ASSERTIONS) \
  FAULT(CHOICE,    "the trace is not deterministic", PROPERTY_ASSERTIONS)      \
  FAULT(CONFLICT,  "two processes write a variable at once", PROPERTY_BOUNDS) \
  FAULT(ENABLED,   "enabled() asks a process that asks it", PROPERTY_BOUNDS)   \
  FAULT(CONDITION, "condition of a c_code violated", PROPERTY_ASSERTIONS)      \
  FAULT(REPORTED,  "embedded C reports an error",  PROPERTY_ASSERTIONS)        \
  FAULT(CRASH,     "embedded C crashed",           PROPERTY_BOUNDS)            \
  FAULT(PLUGIN,    "a plug-in does what it did not declare", PROPERTY_BOUNDS)
/* clang-format on */

typedef enum {
  FAULT_NONE,
#define FAULT(name, text, property) FAULT_##name,
  FAULTS(FAULT)
#undef FAULT
      FAULT_COUNT_
} fault_kind;

const char *fault_text(fault_kind);
property_kind fault_property(fault_kind);
/* Whether the step is made all the same, as in SPIN. */
bool fault_goes_on(fault_kind);

/* One executed edge.  A rendezvous is two steps, sender first; a d_step is
** one step, followed by its inner ones. */
typedef enum {
  STEP_PARTNER = 1, /* answers the send of the step before it */
  STEP_INNER = 2,   /* inside the d_step of an earlier step */
  STEP_TIMEOUT = 4  /* taken while timeout was true */
} step_flags;

typedef struct step {
  uint32_t edge;    /* index in model.edges */
  uint16_t process; /* number of the process that moved */
  uint16_t flags;
  uint32_t start, length; /* the state after the step, in batch.record_bytes */
  uint32_t output, output_length; /* what it printed, in batch.output */
} step;

typedef struct successor {
  uint32_t start, length; /* its bytes, in batch.bytes */
  uint32_t edge;          /* the first edge executed */
  uint16_t process;       /* who executes it */
  uint16_t others;        /* who takes part besides: see movers.h */
  /* Bit i: component i may differ from the parent's; bit 63 stands for all
  ** components from 63 on.  All bits set when components came or went. */
  uint64_t changed;
  uint32_t first_step, steps; /* when recording: in batch.steps */
} successor;

/* What the next step of a process, whichever it is, may have to do with the
** globals: bits for what it tests, reads or writes, and for what it writes.
** Steps of two processes of which neither writes what the other uses can be made
** in any order, with the same result. */
typedef struct process_touch {
  uint64_t uses, writes;
} process_touch;

typedef struct fault {
  fault_kind kind;
  uint32_t edge;
  uint32_t process;
  span where;
  uint32_t first_step, steps; /* when recording; the failing step is last */
} fault;

/* The answer of 'program_successors'; reused from call to call. */
typedef struct batch {
  VEC(uint8_t) bytes;
  VEC(successor) list;
  VEC(fault) faults;
  bool blocked;     /* nothing can happen here, not even by timeout */
  bool invalid_end; /* blocked, and some process is not at a valid end */
  bool abandoned;   /* patience ran out: the successors are not all */
  /* Some process does not come out of an atomic sequence or d_step: patience
  ** ran out inside, or there is nothing but a circle.  Then this is the last
  ** edge that was executed, and by whom. */
  bool stuck;
  uint32_t stuck_edge, stuck_process;
  uint64_t atomic_steps; /* steps to states inside atomic sequences */
  /* With 'record' set by the caller, each successor and fault gets the steps
  ** that lead to it, with the states between. */
  bool record;
  VEC(step) steps;
  VEC(uint8_t) record_bytes;
  /* When it has POSITIONS_MAX entries: for each process that has successors here
  ** what it touches, if 'touched'; the interpreter does not tell.  Successors are
  ** then those of the youngest process first, but for some of processes that
  ** touch everything. */
  VEC(process_touch) touches;
  bool touched;
  /* What 'printf' and 'printm' wrote, when recording. */
  text output;
} batch;

void batch_free(batch *);

typedef struct program_options {
  bool check_overflow; /* a value that does not fit its type is a fault */
  /* Leave out states that make no difference, see model/merging.h.  Steps keep
  ** their edges, so that a program without this can follow them. */
  bool merge, reset_dead;
  /* What is looked at besides, by questions that are not the model's own: it
  ** makes a difference. */
  const expr *const *seen;
  size_t seen_count;
  /* The types that globals have in this program, by their indices; NULL: those
  ** of the model.  They live as long as the program. */
  const type *types;
} program_options;

/* NULL with diagnostics when the model needs more than a state may hold. */
program *program_create(const model *, const program_options *, diags *);
void program_destroy(program *);
const model *program_model(const program *);
uint32_t program_hidden(const program *); /* bytes before the identity */
/* Whether its process goes on after the edge, if it can: atomic, or merged. */
bool program_keeps_control(const program *, const edge *);
/* Merged edges, and resets of variables. */
uint32_t program_merged(const program *);

worker *worker_create(program *);
void worker_destroy(worker *);

/* The initial state: batch->list gets exactly one entry (process 0, edge 0);
** faults in initialisers are reported in batch->faults. */
void program_initial(worker *, batch *);
/* All successors of 'state', which is not kept and must not lie in the batch.
** The order is that of SPIN: youngest process first, edges in source order. */
void program_successors(worker *, const uint8_t *state, uint32_t length,
                        batch *);
/* Atomic sequences and d_steps can be endless, or nearly so.  A worker at work
** on a long one asks 'impatient' every few milliseconds; once it answers true
** the expansion ends, with 'batch.abandoned' set.  NULL: never asked. */
void worker_set_patience(worker *, bool (*impatient)(void *), void *context);
/* An atomic sequence with very many results keeps all states that it passes
** through until the expansion ends.  Where somebody gives the worker sets that keep
** them in little memory they go there; 'sets' must live as long as the worker.
** NULL: they are kept as they are.  A set has states without hidden bytes;
** 'create' and 'add' do not return when there is no memory. */
typedef struct state_sets {
  void *context;
  void *(*create)(void *context);
  bool (*add)(void *set, const uint8_t *state, uint32_t length); /* is it new */
  void (*destroy)(void *set);                                    /* not NULL */
} state_sets;
void worker_set_sets(worker *, const state_sets *sets);
/* Of an expansion that was left for want of memory: whether it was a long one, the
** last edge that was executed, and by whom. */
bool worker_was_inside(const worker *, uint32_t *last, uint32_t *process);
/* From now on in the opposite order, or, with a seed other than 0, in one that
** depends on it and on the state. */
void program_set_order(program *, bool reversed, uint64_t seed);
/* Evaluates an expression over the globals of 'state' (as process -1). */
int32_t program_evaluate(worker *, const expr *, const uint8_t *state,
                         uint32_t length, fault_kind *);
/* Whether some process is at a location with one of these flags. */
bool program_is_at(worker *, const uint8_t *state, uint32_t length,
                   uint32_t flags);
/* A byte per edge of the model: executed at least once by this worker. */
const uint8_t *worker_reached(const worker *);
/* From now on the worker counts how often it executes each edge; a send that is
** answered counts once for each answer.  Native code does not count. */
void worker_count(worker *);
/* The counts, by edge; NULL: nobody counts. */
const uint64_t *worker_executed(const worker *);

/* ---- looking into a state --------------------------------------------- */

/* Splits a state: offsets[0] = start of the globals, offsets[i] = start of
** component i, offsets[n] = length.  Returns n, at most COMPONENTS_MAX. */
enum { SLICES_MAX = 24, COMPONENTS_MAX = COMPONENTS_LIMIT };
uint32_t program_components(const program *, const uint8_t *state,
                            uint32_t length,
                            uint32_t offsets[COMPONENTS_MAX + 1]);

/* How the identities of states (without the hidden bytes) are cut; lives as
** long as the program. */
const component_map *program_map(const program *);
/* And the numbers in them; likewise. */
const field_map *program_fields(program *);
/* The bytes that each edge of each process uses; likewise.  NULL unless the
** layout is fixed. */
const byte_footprints *program_footprints(program *);

/* Where a process is. */
typedef struct process_position {
  uint32_t type, location; /* indices of its type, and of a location of that */
  uint32_t offset;         /* its first byte in the state */
} process_position;

enum { POSITIONS_MAX = 255 };
/* The processes of a state by number; returns how many there are. */
uint32_t program_positions(const program *, const uint8_t *state,
                           uint32_t length,
                           process_position positions[POSITIONS_MAX]);
/* The value of a scalar local of the process. */
int32_t program_local(const program *, const uint8_t *state,
                      const process_position *, const var *);
/* Where such locals are in a process of type number 'kind': among so many bytes, counted
** from its first one. */
void program_local_bytes(const program *, uint32_t kind, const var *const *,
                         uint32_t count, uint32_t *from, uint32_t *bytes);
/* One scalar of a variable, a local of the process or a global; 'element' when
** it is an array, of numbers and not of records. */
int32_t program_scalar(const program *, const uint8_t *state,
                       const process_position *, const var *, uint32_t element);
/* How many messages there are in each channel that is there from the start, by
** number; returns how many of these there are.  At most 'most' are told. */
uint32_t program_queues(const program *, const uint8_t *state, uint32_t length,
                        uint32_t *messages, uint32_t most);
/* Whether a value that does not fit is a fault for every type. */
bool program_checks_overflow(const program *);
/* Whether all states have the same processes at the same places. */
bool program_is_fixed(const program *);
/* Whether bytes from elsewhere, which its map cuts into components, can be a
** state: processes are at locations that they have, and channels hold no more
** than they can.  Values of variables can be any. */
bool program_is_sound(const program *, const uint8_t *state, uint32_t length);

typedef enum { ITEM_VARIABLE, ITEM_LOCATION, ITEM_CHANNEL } item_kind;

/* One named thing of a state, in a fixed order: globals, then processes with
** their location and locals, then channels. */
typedef struct item {
  item_kind kind;
  int32_t process; /* number, or -1 for globals and channels */
  const process_type *type;
  int32_t channel; /* ITEM_CHANNEL: its number, from 1 */
  const channel_type *channel_type;
  const char *name;      /* "a[2].f"; channels: name of their declaration */
  int32_t value;         /* ITEM_LOCATION: index of the location */
  const var *var;        /* ITEM_VARIABLE: the innermost declaration */
  uint32_t first, count; /* ITEM_CHANNEL: its messages' fields in 'fields' */
} item;

typedef struct view {
  VEC(item) items;
  VEC(int32_t) fields;
  text scratch; /* for its own use */
} view;

void view_read(const program *, const uint8_t *state, uint32_t length, view *);
void view_free(view *);

#endif
