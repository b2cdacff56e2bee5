/* nutshell-certify: checks a certificate that 'nutshell check --certificate'
** wrote, and trusts nobody else's code for it: the model of the certificate is
** read again (lists.c, model.c), its steps are computed by an interpreter that
** is written from docs/model.md alone (row.c, value.c, channel.c, execute.c,
** step.c, several.c), and every state that a step leads to is looked for among
** the states of the certificate (file.c, seek.c).
**
**   initial state in the run, every successor in the run, no error in any state
**
** Nothing here is shared with Nutshell.  Whatever is not as it must be ends the
** program: 'refuse' (exit status 1), 'damaged' (2) or 'give_up' (3). */

#ifndef CERTIFY_H
#define CERTIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- main.c: ends, memory ---------------------------------------------- */

_Noreturn void refuse(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
_Noreturn void damaged(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
_Noreturn void give_up(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
/* Memory, zeroed, that is never given back. */
void *have(size_t size);
/* Room for 'count' elements in a growing array. */
void *grow(void *data, size_t *cap, size_t count, size_t size);

/* ---- lists.c: nested lists ---------------------------------------------- */

/* A word, or a list of them. */
typedef struct list {
  const char *word; /* NULL: a list */
  struct list *items;
  uint32_t count;
} list;

/* All lists of a text, as one list. */
const list *read_lists(const char *text, size_t length);
bool is_word(const list *, const char *word);
/* The items of a list are counted from 0; the first is what the list is. */
bool is_about(const list *, const char *word);
const list *item(const list *, uint32_t i);
int64_t number_between(const list *, int64_t lo, int64_t hi);

/* ---- model.c: the model ------------------------------------------------- */

/* How a number is kept: the lowest 'bits' bits, with sign or without, or only
** if it lies in lo .. hi. */
typedef struct keep {
  uint8_t bits;
  bool is_signed, is_range;
  int32_t lo, hi;
} keep;

typedef struct type {
  keep keep;
  uint32_t record; /* NO_RECORD: a number */
} type;
#define NO_RECORD UINT32_MAX

typedef struct var {
  type type;
  uint32_t length, size; /* elements, and numbers of one */
  uint32_t at;           /* the first number, among those it stands with */
  bool is_array, is_hidden;
  const list *init; /* (init E...), (create N), or NULL */
} var;

typedef struct record {
  var *fields;
  uint32_t count, size;
} record;

typedef struct dimension {
  struct expr *index;
  uint32_t bound, stride;
} dimension;

typedef struct ref {
  bool is_local, is_hidden;
  uint32_t at;
  uint32_t dimensions;
  dimension dims[8];
  keep keep;
} ref;

/* clang-format off */
#define OPERATORS(OP)                                                          \
  OP(NEG) OP(NOT) OP(COMPL) OP(ADD) OP(SUB) OP(MUL) OP(DIV) OP(MOD)            \
  OP(BITAND) OP(BITOR) OP(BITXOR) OP(SHL) OP(SHR)                              \
  OP(LT) OP(LE) OP(GT) OP(GE) OP(EQ) OP(NE) OP(AND) OP(OR) OP(IMPLY)           \
  OP(COND) OP(LEN) OP(EMPTY) OP(NEMPTY) OP(FULL) OP(NFULL) OP(POLL) OP(RUN)    \
  OP(PID) OP(NR_PR) OP(LAST) OP(TIMEOUT) OP(NP) OP(ENABLED) OP(PC_VALUE)       \
  OP(PRIORITY) OP(SET_PRIORITY) OP(AT) OP(REMOTE)
/* clang-format on */

typedef enum {
  OP_CONST,
  OP_VAR,
#define OP(name) OP_##name,
  OPERATORS(OP)
#undef OP
}
operator;

typedef struct expr {
  operator op;
  int32_t value;        /* CONST */
  struct ref *ref;      /* VAR, REMOTE */
  struct expr *args[3]; /* NULL where there is none */
  struct comm *comm;    /* POLL */
  uint32_t process;     /* RUN, AT, REMOTE */
  uint32_t location;    /* AT */
  struct expr **values; /* RUN: arguments */
  uint32_t value_count;
  struct expr *priority; /* RUN: or NULL */
} expr;

typedef enum { SEND, RECEIVE, MULTICAST, JOIN } comm_kind;
typedef enum { ARG_VALUE, ARG_STORE, ARG_ANY } arg_kind;

typedef struct arg {
  arg_kind kind;
  expr *value;
  ref *target;
} arg;

typedef struct comm {
  comm_kind kind;
  bool is_sorted, is_anywhere, is_copy;
  expr *channel;
  arg *args;
  uint32_t count;
} comm;

typedef enum {
  EFFECT_ASSIGN,
  EFFECT_EVAL,
  EFFECT_ASSERT,
  EFFECT_PRINT,
  EFFECT_DIE
} effect_kind;

typedef struct effect {
  effect_kind kind;
  ref *target;
  expr **values;
  uint32_t count;
} effect;

typedef struct edge {
  uint32_t target, rank;
  bool is_atomic, is_else, is_parallel, has_block;
  uint32_t block;
  expr *guard; /* NULL: true */
  comm *comm;  /* NULL: none */
  effect *effects;
  uint32_t effect_count;
} edge;

typedef struct location {
  int32_t number;
  bool is_end, is_progress, is_committed, is_inner;
  uint32_t first, count; /* of its edges */
} location;

/* What gets a value when a process begins, or the system. */
typedef struct start_value {
  bool is_hidden;
  bool is_default; /* the least value of a range: before all others */
  uint32_t at, length, stride;
  keep keep;
  expr **values;
  uint32_t count;
  uint32_t channel; /* NO_CHANNEL, or each element gets a new one */
} start_value;
#define NO_CHANNEL UINT32_MAX

typedef enum { PROCESS, CLAIM, TRACE, NOTRACE } process_kind;

typedef struct process_type {
  process_kind kind;
  uint32_t start, parameters;
  int32_t priority;
  var *locals;
  uint32_t local_count, size; /* numbers of all locals */
  location *locations;
  uint32_t location_count;
  edge *edges; /* by location, in the order in which they are tried */
  uint32_t edge_count;
  start_value *starts;
  uint32_t start_count;
  expr *provided;
  expr **only_reads, **only_sends;
  uint32_t only_read_count, only_send_count;
} process_type;

typedef struct channel_type {
  uint32_t capacity, count; /* count: of fields */
  keep *fields;
} channel_type;

typedef struct model {
  bool has_last, has_priorities, is_synchronous, checks_overflow, is_changing;
  record *records;
  uint32_t record_count;
  channel_type *channels;
  uint32_t channel_count;
  var *globals;
  uint32_t global_count, global_size; /* size: numbers that are not hidden */
  process_type *processes;
  uint32_t process_count;
  uint32_t *initial, initial_count;
  uint32_t *initial_channels, initial_channel_count;
  start_value *starts;
  uint32_t start_count;
  uint32_t trace, trace_end; /* the observer of events, or NO_TRACE */
  bool has_only, has_committed;
} model;
#define NO_TRACE UINT32_MAX

model *read_model(const list *);
/* An expression that nobody's locals are in. */
expr *read_condition(const model *, const list *);

/* ---- row.c: states ------------------------------------------------------ */

/* A state is a row of numbers, in the order of docs/model.md, "States":
**
**   globals  [last]  [place of the trace]
**   processes: how many; of each  type location [priority] [older] locals
**   channels:  how many; of each  type messages fields... */
enum { MOST = 255 };

typedef struct state {
  int32_t *row;
  size_t len, cap;
  uint32_t processes, channels;
  uint32_t process_at[MOST + 1];
  uint32_t channel_at[MOST + 2]; /* from 1 */
} state;

/* Where things are in a row and in a process of it. */
uint32_t last_at(const model *);
uint32_t trace_at(const model *);
uint32_t locals_at(const model *);
uint32_t priority_at(const model *);

void state_copy(state *, const state *from);
/* Finds processes and channels again, after the row has changed. */
void state_walk(const model *, state *);
const process_type *type_of(const model *, const state *, uint32_t process);
const location *place_of(const model *, const state *, uint32_t process);
uint32_t messages_in(const state *, uint32_t channel);

typedef struct bytes {
  uint8_t *data;
  size_t len, cap;
} bytes;

void put_byte(bytes *, uint8_t);
void put_number(bytes *, int32_t);
/* The number at 'at', which moves on; false when there is none. */
bool get_number(const uint8_t *data, size_t len, size_t *at, int32_t *value);
void state_pack(const state *, bytes *);
void state_unpack(const model *, const uint8_t *data, size_t len, state *);

/* ---- value.c, channel.c, execute.c, step.c, several.c: steps ------------ */

typedef struct frame {
  state state;
  uint32_t process;
} frame;

typedef struct engine {
  const model *model;
  state *s; /* that is read and written */
  uint32_t self;
  bool timeout, asks_enabled;
  /* A rendezvous or multicast in progress: the channel, the port plus 1. */
  uint32_t handshake, port;
  int32_t *message;
  size_t message_len, message_cap;
  int32_t *offered;
  size_t offered_len, offered_cap;
  uint32_t sender;
  const edge *sender_edge;
  frame *frames; /* inside atomic sequences; those above 'waiting' are spare */
  size_t waiting, frame_cap;
  state spare[4];       /* of the functions that make steps, by depth */
  struct strings *seen; /* inside long atomic sequences */
  uint64_t expansion;
  void (*found)(void *context, const state *);
  void *context;
} engine;
#define NOBODY UINT32_MAX

int32_t value_of(engine *, const expr *);
void keep_in(engine *, keep, int32_t *to, int32_t value);
void assign(engine *, const ref *, int32_t value);
/* The defaults, or all others. */
void run_starts(engine *, const start_value *, uint32_t count, bool defaults);
void add_process(engine *, uint32_t kind);
int32_t add_channel(engine *, uint32_t kind);
void remove_process(engine *);

bool can_send(engine *, const comm *);
bool can_receive(engine *, const comm *);
bool can_poll(engine *, const comm *);
bool can_answer(engine *, const comm *);
bool can_join(engine *, const comm *);
void do_send(engine *, const comm *);
void do_receive(engine *, const comm *);
void do_multicast(engine *, const comm *);
void do_join(engine *, const comm *);
const channel_type *channel_of(engine *, int32_t number);

bool can_execute(engine *, const edge *);
void do_effects(engine *, const edge *);
void execute(engine *, const edge *);

bool may_move(engine *, uint32_t process);
bool is_permitted(engine *, uint32_t process);
bool is_held_back(const engine *, uint32_t process);
/* What comes after the edge of the running process made the state. */
void finish(engine *, const edge *, const state *);

bool offer(engine *, const edge *, const state *before);
bool gather(engine *, const edge *, const state *before);
bool expand_synchronous(engine *, const state *);

void initial_state(engine *, state *);
/* Tells all successors to 'found'.  False: nothing can happen; '*waits': nothing
** could without 'timeout'. */
bool expand(engine *, const state *, bool *waits);
bool ends_well(engine *, const state *);
int32_t value_in(engine *, const expr *, const state *, bool timeout);

/* ---- strings.c: sets of byte strings ------------------------------------ */

typedef struct strings strings;
strings *strings_create(void);
/* Whether it is new; it is kept then. */
bool strings_add(strings *, const uint8_t *, size_t len);
size_t strings_bytes(const strings *); /* that it takes, sorting included */
size_t strings_count(const strings *);
void strings_clear(strings *);
/* All of them in order; they are gone from the set then. */
void strings_sort(strings *);
const uint8_t *strings_at(const strings *, size_t i, size_t *len);

/* ---- file.c: the file --------------------------------------------------- */

typedef struct file file;
/* Reads everything but the states, whose blocks are checked one by one later. */
file *file_open(const char *path);
const char *file_facts(const file *, size_t *len);
const char *file_model(const file *, size_t *len);
/* The states in order; NULL after the last.  Any number of readers. */
typedef struct reader reader;
reader *reader_open(const file *);
const uint8_t *reader_next(reader *, size_t *len);
uint64_t file_states(const file *); /* as the file says at its end */
void reader_close(reader *);

#endif
