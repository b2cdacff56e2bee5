/* What a worker has while it computes successors: the scratch space of the
** interpreter, and its parts:
**
**   shape.c         where the processes and channels of a state are
**   eval.c          values of expressions, reading and writing variables
**   channel.c       sending, receiving, event observers
**   create.c        initial values, creation and death of processes
**   execute.c       whether an edge can be executed, and its execution
**   interp.c        successors of a state: choice of processes, atomic
**                   sequences, timeout
**   rendezvous.c    rendezvous and multicast: steps of several processes
**   synchronous.c   steps of all processes at once
**   intermediate.c  states inside long atomic sequences, so that none is done
**                   twice
**   embed_call.c    embedded C, compiled, as an expression
**   plugin_call.c   steps that a plug-in computes
**   record.c        the steps that led somewhere, when the caller wants them
**   why_blocked.c   why the other edges cannot be executed
**
** Internal to program/. */

#ifndef NUT_PROGRAM_INTERP_WORKER_H
#define NUT_PROGRAM_INTERP_WORKER_H

#include "base/alloc.h"
#include "program/code.h"
#include "program/movers.h"

enum { PROCESS_LIMIT = 255, CHANNEL_LIMIT = 255 };

typedef struct shape {
  uint32_t processes, channels; /* how many are alive */
  uint32_t components;
  uint32_t process_offset[PROCESS_LIMIT + 1];
  uint16_t process_type[PROCESS_LIMIT + 1];
  uint16_t process_component[PROCESS_LIMIT + 1];
  uint32_t channel_offset[CHANNEL_LIMIT + 2]; /* numbered from 1 */
  uint16_t channel_type[CHANNEL_LIMIT + 2];
  uint16_t channel_component[CHANNEL_LIMIT + 2];
} shape;

/* How a state came from the stored one: what changed, the first edge and who
** executed it, and who took part besides (movers.h). */
typedef struct way {
  uint64_t changed;
  uint32_t first_edge, first_process; /* NO_PROCESS: the next edge is first */
  uint16_t others;
} way;

/* A state inside an atomic sequence, waiting to be continued. */
typedef struct frame {
  size_t start; /* its bytes in worker.frame_bytes */
  uint32_t length;
  uint32_t process; /* the process that has control */
  way way;
  uint32_t link; /* recording: the step that led here */
} frame;

/* Recording: steps form a tree; a path is read from its leaf. */
typedef struct chain {
  uint32_t parent; /* NO_LINK at the root */
  step step;
} chain;
#define NO_LINK UINT32_MAX
#define NO_PROCESS UINT32_MAX

typedef VEC(int32_t) message;

/* A process that can join a multicast: by its edges in worker.joins, from
** 'first' up to 'end', of which 'chosen' is the one at hand. */
typedef struct member {
  uint32_t process;
  size_t first, end, chosen;
} member;

typedef struct plugin_calls plugin_calls;

typedef struct raised {
  fault_kind kind;
  span where;
} raised;

/* An expression about a state, not part of a step. */
typedef struct state_condition {
  const node *node;
  bool asks; /* what 'timeout' is worth */
} state_condition;

struct worker {
  program *program;
  struct native_worker *native; /* NULL until it is used; see native.h */
  const layout *layout;
  const code *code;

  /* The state that is read and written.  While an edge is executed it is the
  ** tail of 'out', which can grow; otherwise it must not be written. */
  uint8_t *state;
  uint32_t length;
  shape shape;
  bool shape_dirty;     /* processes or channels came or went */
  uint32_t self;        /* the running process */
  uint32_t self_offset; /* its component's offset */
  uint64_t changed;     /* components written since 'begin_step' */
  bool timeout;         /* value of 'timeout' */
  bool asks_enabled;    /* looking at the edges that 'enabled' asks for */

  /* A rendezvous in progress: its channel (0 = none), who sent it and by which
  ** edge, whose effects wait for the answer.  'message' is the one being sent
  ** or received, 'offered' the rendezvous'.  'port' is 1 + the port of a
  ** multicast in progress. */
  uint32_t handshake, port, sender;
  const cedge *sender_edge;
  message message, offered;

  /* A stack of values that wait until all of a list are known.  It belongs to
  ** the worker so that nothing is lost when memory runs out. */
  VEC(int32_t) values;
  struct moves *moves; /* see synchronous.c */
  VEC(member) members; /* of the multicast in progress, see rendezvous.c */
  VEC(const cedge *) joins;

  VEC(raised) raised; /* faults of the running step */
  bool fatal;         /* one of them leaves no successor */

  batch *batch;
  VEC(frame) frames;
  VEC(uint8_t) frame_bytes;
  VEC(uint8_t) current; /* the frame being continued */
  VEC(uint8_t) sent;    /* sender has moved, receiver has not */
  VEC(chain) links;
  uint32_t link;  /* last step of the path being extended */
  size_t printed; /* bytes of batch.output that belong to steps */

  /* Intermediate states seen in this expansion, once it has become long. */
  uint64_t expansion_steps;
  struct seen_set *seen;
  const state_sets *sets; /* for them, or NULL */
  /* An intermediate state whose successors are being followed, or nothing:
  ** who comes to it again goes round in circles.  See intermediate.c. */
  VEC(uint8_t) milestone;
  uint32_t milestone_process;
  size_t milestone_height; /* frames that waited beside it */
  uint64_t milestone_gap;  /* steps from one to the next */
  uint64_t next_milestone; /* the step from which on there is another */

  /* A state that a long d_step was in, and the location there. */
  VEC(uint8_t) block_state;
  uint32_t block_location;

  /* See 'worker_set_patience'. */
  bool (*impatient)(void *);
  void *patience_context;
  uint64_t effort; /* bytes handled since the last question, about */

  uint8_t *reached;   /* a byte per edge of the model */
  uint64_t *executed; /* how often, by edge; NULL: nobody counts */
  bool asked;         /* 'impatient', in this expansion: it is a long one */
  uint32_t last_edge, last_process; /* what was executed last, and by whom */
  plugin_calls *plugged;            /* NULL: no plug-in was asked yet */
  VEC(state_condition) compiled;    /* of 'program_evaluate' */
  worker *scout; /* finds out what 'timeout' is worth for them; or NULL */
  batch scouted;
};

static inline void note_executed(worker *m, const cedge *e)
{
  m->reached[e->index] = 1;
  if (m->executed)
    m->executed[e->index]++;
}

/* shape.c */
/* Finds the shape of a state for the worker; in a fixed layout it is that of
** the initial state and already known. */
void shape_walk(worker *, const uint8_t *state, uint32_t length);
/* The same without a worker. */
void shape_of(const program *, const uint8_t *state, uint32_t length, shape *);
void shape_add_process(shape *, uint32_t type_index, uint32_t offset);
/* A channel that has no bytes in a state is no component either. */
void shape_add_channel(shape *, uint32_t type_index, uint32_t offset,
                       uint32_t bytes);
uint32_t shape_tag(const layout *, const uint8_t *at);
void shape_put_tag(const layout *, uint8_t *at, uint32_t tag);

/* eval.c */
int32_t eval(worker *, const node *);
/* Puts the value of 'n', or 0 for NULL, on the stack 'values'. */
void put_value(worker *, const node *);
/* Offset of the addressed variable in the state; false on a fault. */
bool address_find(worker *, const address *, uint32_t *offset);
int32_t address_read(worker *, const address *);
void address_write(worker *, const address *, int32_t value);
void raise_fault(worker *, fault_kind, span);
void set_self(worker *, uint32_t process);
uint32_t get_location(const worker *, uint32_t process);
void set_location(worker *, uint32_t process, uint32_t target);
static inline uint64_t component_bit(uint32_t component)
{
  return UINT64_C(1) << (component < 63 ? component : 63);
}

/* embed_call.c */
int32_t embed_eval(worker *, const node *);
/* What embedded C has of its own in the initial state, and in the running
** process, which has just been created. */
void embed_init(worker *);
void embed_init_process(worker *);

/* plugin_call.c */
/* Whether the edge has a step in the state, and that step. */
bool plugin_has_step(worker *, const cedge *);
void plugin_make_step(worker *, const cedge *);
void plugin_calls_destroy(plugin_calls *);

/* channel.c */
enum { NO_MESSAGE = -1 };
/* The layout of channel 'number', or NULL after raising a fault. */
const channel_layout *channel_find(worker *, int32_t number, const node *);
uint32_t channel_length(const worker *, int32_t number);
bool can_send(worker *, const ccomm *);
bool can_receive(worker *, const ccomm *);
bool can_poll(worker *, const ccomm *);
void do_send(worker *, const ccomm *);
void do_receive(worker *, const ccomm *);
/* Whether the receive 'c' answers the rendezvous in progress; a join, the
** multicast. */
bool can_answer(worker *, const ccomm *);
bool can_join(worker *, const ccomm *);
uint32_t trace_location(const worker *); /* of the trace observer */
void do_multicast(worker *, const ccomm *);
void do_join(worker *, const ccomm *);

/* create.c */
int32_t channel_create(worker *, const channel_type *);
int32_t process_create(worker *, const crun *);
void process_add(worker *, uint32_t type_index);
void process_remove_last(worker *);
void run_inits(worker *, const cinit *, uint32_t count);

/* execute.c */
bool can_execute(worker *, const cedge *);
/* Only the youngest process can end. */
bool can_die(const worker *, const cedge *);
/* Executes in 'state'; the process moves to the edge's target.  A rendezvous
** send or a multicast leaves 'handshake' or 'port' set, and its effects to
** the answer. */
void execute(worker *, const cedge *);
void do_effects(worker *, const cedge *);
void record_step(worker *, const cedge *, uint32_t flags);
const clocation *location_of(const worker *, uint32_t process);

/* interp.c: whether this expansion is to be abandoned; to be asked at each of
** its steps. */
bool out_of_patience(worker *);

/* intermediate.c */
enum { SEEN_AFTER = 1 << 18, FIRST_MILESTONE = 1 << 10 };
/* Before any step of an expansion. */
void clear_milestones(worker *);
/* The state, with 'process' in control, is about to be continued; the frames
** are those that wait beside it. */
void pass_milestone(worker *, const uint8_t *state, uint32_t length,
                    uint32_t process);
/* Whether the state, with the running process in control, is the milestone. */
bool at_milestone(const worker *);
/* Whether the state, with the running process in control, was here before in
** this expansion; now it was. */
bool seen_before(worker *);
void seen_destroy(struct seen_set *);

/* The vectors of a batch are addressed by 32 bits: an expansion that needs more
** of them is out of memory, and this does not return. */
static inline uint32_t place_in_batch(size_t used, size_t more)
{
  if (more > UINT32_MAX || used > UINT32_MAX - more)
    mem_give_up();
  return (uint32_t)used;
}

/* record.c */
void record_end_of_block(worker *, uint32_t link);
void copy_path(worker *, uint32_t link, uint32_t *first, uint32_t *count);
/* Moves what was raised by the edge just tried or executed to the batch. */
void flush_faults(worker *, const cedge *);

/* interp.c, for native.c: what 'program_successors' does without it */
void interpret_successors(worker *, const uint8_t *state, uint32_t length,
                          batch *);

/* interp.c, for rendezvous.c */

/* The state being expanded, and how it came from the stored one. */
typedef struct origin {
  const uint8_t *state;
  uint32_t length;
  way way;
} origin;

/* What may_move consists of: 'provided' and priorities allow it; it does not
** have to wait for processes at committed locations. */
bool is_permitted(worker *, uint32_t process);
bool is_held_back(const worker *, uint32_t process);
bool may_move(worker *, uint32_t process);
/* Puts a copy of the source state behind the batch's bytes, to be changed. */
void begin_step(worker *, const uint8_t *source, uint32_t length);
/* Executes 'e' in the state begun, with its recording and faults.  Answers
** whether there is a state to go on with. */
bool perform(worker *, const cedge *e, uint32_t flags);
/* A read of the current state may have raised a fault: then the edge counts
** as tried, with a step that leads nowhere. */
bool tried_in_vain(worker *, const cedge *e);
/* What comes after edge 'e' of the running process was executed: a successor,
** or control is kept. */
void finish_step(worker *, const cedge *e, const way *);
/* The way goes on by an edge of a process, which changes this. */
way way_after(const way *, uint32_t process, const cedge *, uint64_t changed);

/* rendezvous.c */

/* The sender's half is in the state begun: lets every other process answer,
** or all members join.  False: nobody answered. */
bool offer(worker *, const cedge *, const origin *);
bool gather(worker *, const cedge *, const origin *);

/* synchronous.c */

/* All steps of a synchronous system.  Answers whether there is any. */
bool expand_synchronous(worker *, const origin *);
void moves_destroy(struct moves *);

#endif
