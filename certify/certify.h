/* nutshell-certify: checks a certificate that 'nutshell check --certificate'
** wrote, and trusts nobody else's code for it: the model of the certificate is
** read again (model.c), its steps are computed by an interpreter that is written
** from docs/model.md alone (row.c, value.c, step.c), and so are observers of
** infinite runs (runs.c).
** Every state that a step leads to is looked for among those of the certificate
** (file.c).
**
**   initial state in the run, every successor in the run, no error in any state;
**   for infinite runs the same of the product with the observer, and no step
**   raises the rank, and one that gives the mark of its rank lowers it
**
** Nothing here is shared with Nutshell.  Whatever is not as it must be ends the
** program: 'refuse' (exit status 1), 'damaged' (2) or 'give_up' (3). */

#ifndef CERTIFY_H
#define CERTIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- main.c: ends, memory ----------------------------------------------- */

_Noreturn void stop(int status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
#define refuse(...) stop(1, __VA_ARGS__)
#define damaged(...) stop(2, __VA_ARGS__)
#define give_up(...) stop(3, __VA_ARGS__)
void *have(size_t size); /* memory, zeroed */
/* Room for 'count' elements in a growing array; what is new is zero. */
void *grow(void *data, size_t *cap, size_t count, size_t size);

/* A growing array, and the address of one more element of it. */
#define LIST(type)                                                             \
  struct {                                                                     \
    type *data;                                                                \
    size_t len, cap;                                                           \
  }
#define more(list)                                                             \
  ((list)->data = grow((list)->data, &(list)->cap, (list)->len + 1,            \
                       sizeof *(list)->data),                                  \
   (list)->data + (list)->len++)
typedef LIST(uint8_t) bytes;
typedef LIST(int32_t) numbers;

/* ---- model.c: nested lists ----------------------------------------------- */

/* A word, or a list of them. */
typedef struct list {
  const char *word; /* NULL: a list */
  struct list *items;
  uint32_t count;
  const char *text; /* as it is written */
  size_t length;
} list;

/* All lists of a text that a zero byte ends, as one list. */
const list *read_lists(const bytes *text);
/* The items of a list are counted from 0; the first is what the list is. */
const list *item(const list *, uint32_t i);
bool are_same(const list *, const list *); /* as they are written */
int64_t number_between(const list *, int64_t lo, int64_t hi);
uint32_t index_of(const list *, size_t count);
/* Which of the words, with blanks between them, it is, or a list is about; the
** number of them: none.  And which are among its items from there on, a bit for each. */
uint32_t which_word(const list *, const char *words);
uint32_t about_which(const list *, const char *words);
uint32_t words_of(const list *, uint32_t from, const char *words);
#define is_word(list, word) (!which_word(list, word))
#define is_about(list, word) (!about_which(list, word))

/* ---- the model ----------------------------------------------------------- */

/* How a number is kept: one from lo to hi; others are not, or their lowest bits
** are.  Then lo to hi are as many as these bits have values. */
typedef struct keep {
  int32_t lo, hi;
  bool wraps;
} keep;

/* A variable, or a member of a record. */
typedef struct var {
  keep keep;
  const struct record *record; /* NULL: a number */
  uint32_t length, size;       /* elements, and numbers of one */
  uint32_t at; /* the first number, among those it stands with */
  bool is_hidden;
  const list *init; /* (init E...), (create N), or NULL */
} var;

typedef struct record {
  LIST(var) fields;
  uint32_t size;
} record;

/* What stands in expressions, communications and effects, with the least and
** the most operands; the names are the words of the text, but for the last two. */
/* clang-format off */
enum { MANY = 1 << 24 };
#define OPERATORS(OP)                                                          \
  OP(NEG, 1, 1) OP(NOT, 1, 1) OP(COMPL, 1, 1) OP(ADD, 2, 2) OP(SUB, 2, 2)      \
  OP(MUL, 2, 2) OP(DIV, 2, 2) OP(MOD, 2, 2) OP(BITAND, 2, 2) OP(BITOR, 2, 2)   \
  OP(BITXOR, 2, 2) OP(SHL, 2, 2) OP(SHR, 2, 2) OP(LT, 2, 2) OP(LE, 2, 2)       \
  OP(GT, 2, 2) OP(GE, 2, 2) OP(EQ, 2, 2) OP(NE, 2, 2) OP(AND, 2, 2)            \
  OP(OR, 2, 2) OP(IMPLY, 2, 2) OP(COND, 3, 3) OP(LEN, 1, 1) OP(EMPTY, 1, 1)    \
  OP(NEMPTY, 1, 1) OP(FULL, 1, 1) OP(NFULL, 1, 1) OP(POLL, 1, 1)               \
  OP(RUN, 0, MANY) OP(PID, 0, 0) OP(NR_PR, 0, 0) OP(LAST, 0, 0)                \
  OP(TIMEOUT, 0, 0) OP(NP, 0, 0) OP(ENABLED, 1, 1) OP(PC_VALUE, 1, 1)          \
  OP(PRIORITY, 1, 1) OP(SET_PRIORITY, 2, 2) OP(AT, 0, 1) OP(REMOTE, 1, 2)      \
  OP(global, 0, MANY) OP(local, 0, MANY) OP(index, 1, 1)                       \
  OP(send, 1, MANY) OP(receive, 1, MANY) OP(multicast, 1, MANY)                \
  OP(join, 1, MANY) OP(store, 1, 1) OP(any, 0, 0)                              \
  OP(assign, 2, 2) OP(eval, 1, 1) OP(assert, 1, 1) OP(print, 0, MANY)          \
  OP(die, 0, 0) OP(number, 0, 0) OP(create, 0, 0)
/* clang-format on */

typedef enum {
#define OP(name, least, most) OP_##name,
  OPERATORS(OP)
#undef OP
}
operator;

enum { SORTED = 1, ANYWHERE = 2, COPY = 4 }; /* of communications */

typedef struct node {
  operator op;
  int32_t value;    /* number; AT: the location; index: the bound; RUN: how many
                    ** operands are arguments; create: the type of a channel;
                    ** communications: see above */
  uint32_t process; /* RUN, AT, REMOTE: the type */
  uint32_t at;      /* global, local: the first number; index: the stride */
  bool is_hidden;
  keep keep;
  uint32_t count;
  struct node **args;
} node;

typedef LIST(node *) nodes;

enum { ATOMIC = 1, ELSE = 2, PARALLEL = 4 }; /* of edges, locations, models */
enum { AT_END = 1, ACCEPT = 2, PROGRESS = 4, COMMITTED = 8, INNER = 16 };
enum { LAST = 1, PRIORITIES = 2, SYNCHRONOUS = 4, CHANGING = 8, OVERFLOW = 16 };

typedef struct edge {
  uint32_t source, target, rank, flags;
  bool dies;
  const struct location *block; /* of a d_step: where it begins; or NULL */
  node *guard;                  /* NULL: true */
  node *comm;                   /* NULL: none */
  nodes effects;
} edge;

typedef struct location {
  int32_t number;
  uint32_t flags;
  const edge *edges, *end; /* in the order in which they are tried */
} location;

typedef enum { PROCESS, CLAIM, AUTOMATON, TRACE, NOTRACE } process_kind;

/* The variables of the system are those of a process type, too. */
typedef struct process_type {
  const list *text;
  process_kind kind;
  uint32_t start, parameters;
  int32_t priority;
  record vars;
  nodes starts[2]; /* when it begins: least values of ranges, then others */
  LIST(location) locations;
  edge *edges;
  uint32_t edge_count;
  node *provided;
  nodes only[2]; /* channels that it alone receives from, or sends to */
} process_type;

typedef struct channel_type {
  uint32_t capacity;
  LIST(keep) fields;
} channel_type;

typedef struct model {
  uint32_t flags;
  LIST(record *) records;
  LIST(channel_type) channels;
  process_type system; /* has the globals; those that are hidden count not */
  LIST(process_type) processes;
  numbers initial, initial_channels;
  const process_type *trace; /* the observer of events, or NULL, and its end */
  uint32_t trace_end;
  bool has_committed;
  /* Where things are in a row, and the variables in a process of it. */
  uint32_t last_at, trace_at, count_at, locals_at;
  LIST(const list *) properties;
  const record *locals; /* that expressions may use, or NULL */
} model;

model *read_model(const list *);
/* An expression; of a model that is read, one that nobody's locals are in. */
node *read_node(model *, const list *);

/* ---- row.c: states ------------------------------------------------------- */

/* A state is a row of numbers, in the order of docs/model.md, "States":
**
**   globals  [last]  [place of the trace]
**   processes: how many; of each  type location [priority] [older] locals
**   channels:  how many; of each  type messages fields...
**
** Behind it there may be the place of an observer. */
enum { MOST = 255 };

typedef struct state {
  int32_t *row;
  size_t len, cap;
  uint32_t processes, channels;
  uint32_t process_at[MOST + 2]; /* one more for a claim */
  uint32_t channel_at[MOST + 2]; /* from 1 */
} state;

/* Where that of a process is in the row. */
#define priority_of(s, process) ((s)->row + (s)->process_at[process] + 2)

void state_copy(state *, const state *from);
const process_type *type_of(const model *, const state *, uint32_t process);
const location *place_of(const model *, const state *, uint32_t process);
/* How many processes are at locations with the flag. */
uint32_t how_many_at(const model *, const state *, uint32_t flag);

/* Is shown states, with their ranks if they are those of a product. */
typedef void look_function(void *context, const bytes *state, uint32_t rank);

void put_number(bytes *, int32_t);
void put_bytes(bytes *, const uint8_t *, size_t len);
/* The number at 'at', which moves on; false when there is none. */
bool get_number(const bytes *, size_t *at, int32_t *value);
void state_pack(const state *, bytes *);
/* A state, behind which there are so many numbers more. */
void state_unpack(const model *, const bytes *, state *, size_t more);

/* A set of byte strings, exact: so many lists, each of strings whose hashes are
** alike.  Of the bounds that a string was added with it has the least. */
typedef struct strings {
  uint32_t size; /* which does not change */
  uint32_t *heads;
  bytes kept;
  size_t count;
} strings;

void strings_clear(strings *); /* before all else, too */
/* Whether it is new; it is kept then. */
bool strings_add(strings *, const bytes *, uint32_t bound);
/* The bound of one that is there; or NULL. */
uint32_t *strings_bound(const strings *, const bytes *);

/* ---- value.c, step.c: steps --------------------------------------------- */

/* A set of processes. */
typedef struct crowd {
  uint64_t bits[(MOST + 1) / 64];
} crowd;
#define crowd_add(c, i) ((c)->bits[(i) / 64] |= UINT64_C(1) << (i) % 64)
#define crowd_has(c, i) ((c)->bits[(i) / 64] >> (i) % 64 & 1)

typedef struct frame {
  state state;
  uint32_t process, mover;
  crowd moved;
} frame;

typedef struct engine {
  model *model;
  state *s; /* that is read and written */
  uint32_t self;
  uint32_t mover; /* who makes the first step to a successor */
  crowd moved;    /* and all who take part on the way to it */
  bool timeout, asks_enabled;
  /* A rendezvous or multicast in progress: the channel, the port plus 1. */
  uint32_t handshake, port;
  numbers message, offered;
  uint32_t sender;
  const edge *sender_edge;
  numbers *written; /* globals, where all move at once; or NULL */
  /* Before the step and after it, or when a message is sent and received. */
  state *before, next, sent, received;
  LIST(frame) frames; /* inside atomic sequences, */
  state continued;    /* and the one that goes on */
  strings seen;       /* inside long ones */
  uint64_t expansion;
  bytes packed;         /* scratch */
  look_function *found; /* is shown all successors, with rank 0 */
  void *context;
} engine;
#define NOBODY UINT32_MAX

/* Puts 'count' numbers, all 0, in the place of 'old' others of the row. */
void state_splice(state *, size_t at, size_t old, size_t count);
int32_t value_of(engine *, const node *);
void assign(engine *, const node *variable, int32_t value);
/* 'run' has its arguments, and perhaps its priority; or NULL. */
int32_t add_process(engine *, uint32_t kind, const node *run);
int32_t add_channel(engine *, uint32_t kind);
void remove_process(engine *);

bool can_communicate(engine *, const node *comm);
bool can_answer(engine *, const node *comm);
void do_send(engine *, const node *comm);
void do_receive(engine *, const node *comm);
void store_fields(engine *, const node *comm);
void set_message(numbers *, const int32_t *fields, size_t count);

/* Whether some edge of the process can be executed, or it has an else; while a
** rendezvous is in progress, whether it can answer. */
bool can_do_something(engine *, uint32_t process);
void do_effects(engine *, const nodes *effects, bool are_parallel);
void initial_state(engine *, state *);
/* Tells all successors to 'found'.  False: nothing can happen; '*waits': nothing
** could without 'timeout'. */
bool expand(engine *, state *, bool *waits);
bool ends_well(const model *, const state *);
int32_t value_in(engine *, const node *, state *, bool timeout);

/* ---- file.c: the file ------------------------------------------------------ */

typedef enum { FACTS = 1, MODEL, STATES, END, MARKS, PRODUCT, RANKS } part;

typedef struct file {
  const uint8_t *data;
  uint64_t size, at; /* at: where the next block begins */
} file;

file file_open(const char *path);
/* The whole of the next block, which must be of that kind. */
bytes file_part(file *, part);
/* Shows all states that follow, in order; how many there are. */
uint64_t file_states(file *, part, look_function *, void *context);
void file_end(file *);

/* ---- main.c: looking for states; runs.c: infinite runs --------------------- */

/* What is claimed of all states, or of infinite runs. */
typedef struct property {
  const list *what;
  const char *name;
  bool is_asked;   /* not one of the model */
  node *invariant; /* or NULL */
} property;

typedef struct search {
  LIST(property) claims;
  bool ends, is_fair; /* no invalid end state; weak fairness */
  engine *engine;
  state state; /* of the model or of a product, that is looked at */
  file file;   /* at the states of which it is one */
  part part;
  strings wanted;
  size_t most_wanted, found; /* bytes; of those that are wanted */
  uint64_t states, steps, passes;
} search;

/* The state must be there, with a rank of at most 'bound'. */
void want(void *search, const bytes *, uint32_t bound);
/* Looks at all states of the part, then for all that are wanted. */
void look_at_all(search *, look_function *, void *context);
/* Which state is looked at, for messages; 0: none. */
extern uint64_t looking_at;

/* What is claimed of infinite runs: (ltl F), (never N), (acceptance) or
** (non-progress).  The next part of the file proves it. */
void check_runs(search *, const list *claim);

#endif
