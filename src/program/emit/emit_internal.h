/* The emitter's own data, and its parts:
**
**   emit.c          the file as a whole: tables, functions, dispatch
**   emit_name.c     names of variables
**   emit_value.c    expressions, reading and writing variables
**   emit_channel.c  channels: which one, has it room, what fits
**   emit_comm.c     sends and receives
**   emit_gather.c   multicasts
**   emit_waiting.c  who waits at a rendezvous channel
**   emit_only.c     xr and xs
**   emit_create.c   run: a process and its channels are created
**   emit_edge.c     edges: when they can be executed, and what they do
**   emit_block.c    d_steps
**   emit_touch.c    what the steps of a location have to do with those of others
**
** Names in the emitted functions: 'x' the run, 's' the state that is read,
** 'p' the running process in it, 'd' the copy that is changed, 'self' the
** offset of the process, 'pid' its number, 'mine' its bit among the
** components.  Internal to program/. */

#ifndef NUT_PROGRAM_EMIT_EMIT_INTERNAL_H
#define NUT_PROGRAM_EMIT_EMIT_INTERNAL_H

#include "base/source/intern.h"
#include "base/text/text.h"
#include "program/interp/worker.h"

/* Bytes of a state that may have been written. */
typedef struct extent {
  uint8_t base; /* base_kind */
  uint32_t from, to;
} extent;

/* A variable in a state, whatever node or address it comes from. */
typedef struct place {
  uint8_t base;
  bool hidden;
  keep keep;
  uint32_t offset;
  uint32_t dimensions;
  const dimension *dims;
  dimension one; /* 'dims' of a node with a single index */
} place;

/* Channels whose number, type and offset are known: those that are there from
** the start and named by their number, and those of global variables that are
** never assigned. */
#define NO_VARIABLE UINT32_MAX
typedef struct known_channel {
  uint32_t offset, stride, count; /* of the variable, an array or not */
  uint32_t first;                 /* number of its first channel */
  uint32_t kind;
} known_channel;

/* Where an edge gets its values from. */
typedef enum {
  FROM_SOURCE, /* no copy was made yet: all from 's' */
  FROM_BOTH,   /* from 's' what was not written yet, else from 'd' */
  FROM_COPY,   /* all from 'd' */
  FROM_BEFORE  /* all from 'g', the state before a rendezvous */
} read_mode;

typedef struct emitter {
  const program *program;
  const layout *layout;
  const code *code;
  const shape *shape; /* of the initial state */
  const model *model;
  bool fixed;
  text *out;
  uint32_t depth;      /* of indentation */
  VEC(text *) texts;   /* all that were ever lent */
  VEC(text *) at_hand; /* those that were given back */

  arena *memory;
  names *names; /* of variables, each used once */
  const char **globals;
  const char ***locals; /* by process type */
  const char **types;
  const char **locations; /* name of the location byte, by process type */

  VEC(known_channel) known;
  VEC(extent) writes; /* everything global that some edge assigns to */
  uint32_t *alike;    /* by channel kind: the first type with the same layout */
  bool has_rendezvous;
  bool meets_with_effects; /* some rendezvous send has effects */
  bool gathers;            /* there are multicasts that can be emitted */

  /* The function being written. */
  const cprocess *process;
  bool answering; /* to a rendezvous, instead of moving */
  bool joining;   /* with 'answering': a multicast */
  bool wants_moved;

  /* The edge being written. */
  const char *problem; /* why it cannot be emitted */
  read_mode mode;
  VEC(extent) written;
  const process_type *made; /* the values are those of a process just made */
  bool grows, died;         /* the state grows or shrinks: 'n' is its length */
  bool all_changed, self_moved;
  uint64_t slices;      /* of the globals, that changed for sure */
  uint32_t stores;      /* so far: the offset of store i is in 'a<i>' */
  text bits;            /* " | bit" for everything else that changed */
  const char *room_end; /* what bounds 'd' */
  const cedge *block;   /* inside this d_step */
  VEC(uint32_t) inner;  /* its locations that get a label */
} emitter;

/* emit_name.c */
void emit_find_names(emitter *);
void emit_names(emitter *);
/* Name and distance: "g_turn", "g_slots + 4". */
void emit_offset(const emitter *, uint8_t base, const process_type *,
                 uint32_t offset, text *out);

/* emit.c */
__attribute__((format(printf, 2, 3))) void emit_line(emitter *, const char *,
                                                     ...);
__attribute__((format(printf, 2, 3))) void emit_open(emitter *, const char *,
                                                     ...);
void emit_close(emitter *);
/* An empty text, to be given back by 'emit_done'; memory that runs out before
** loses none. */
text *emit_text(emitter *);
void emit_done(emitter *, text *);
/* "x->process_offset" or, in a fixed layout, "model_process_offset". */
const char *emit_table(const emitter *, const char *dynamic);
const char *emit_length(const emitter *);    /* of the state read */
const char *emit_processes(const emitter *); /* how many there are */
const char *emit_channels(const emitter *);
/* A comment must not end early. */
void emit_comment_text(text *out, const char *);
/* Location of the process at 'offset' (C text) of state 'state'. */
void emit_location(const emitter *, const char *state, const char *offset,
                   uint32_t kind, text *out);

/* emit_type.c */
bool emit_has_instances(const emitter *, uint32_t kind);
/* Whether a process of this type can answer a rendezvous, join a multicast. */
bool emit_type_answers(const emitter *, uint32_t kind);
bool emit_type_joins(const emitter *, uint32_t kind);
/* The function with all moves, all answers to a rendezvous, or all joins of a
** multicast, of a process of one type. */
typedef enum { MOVES, ANSWERS, JOINS } emit_deed;
void emit_type(emitter *, uint32_t kind, emit_deed);

/* emit_value.c */
void emit_value(emitter *, const node *, text *out);
place emit_place_of(const address *);
void emit_read(emitter *, const place *, text *out);
/* A line that stores 'value' (C text) in the copy. */
void emit_store(emitter *, const address *, const char *value);
/* C text of 'value' as a variable of this kind would hold it. */
void emit_truncated(const emitter *, keep, const char *value, text *out);
/* Reading and writing with a pointer at hand. */
void emit_load(keep, const char *base, const char *offset, text *out);
void emit_put(emitter *, keep, const char *base, const char *offset,
              const char *value);
void emit_constant(int32_t, text *out);
/* Emitted text that can jump to 'bail'. */
bool emit_can_bail(const char *);
extent emit_extent(const place *);
bool emit_overlap(const extent *, const extent *);

/* emit_channel.c */
typedef struct site {
  const known_channel *known; /* or NULL */
  const node *number;
  const node *index; /* known: element of the array; NULL: 'element' */
  uint32_t element;
} site;

void emit_find_channels(emitter *);
site emit_site(const emitter *, const node *channel);
/* Opens a block in which 'q' is the channel's offset; and 'k' its number, or
** 'i' its index.  Closed by 'emit_close'. */
void emit_open_site(emitter *, const site *);
/* After 'emit_open_site': its number, its bit among the components. */
void emit_site_number(const emitter *, const site *, text *out);
void emit_site_bit(const emitter *, const site *, text *out);
/* Its number without a block around it, in one expression. */
void emit_channel_number(emitter *, const site *, text *out);
/* Calls 'body' once for every layout that the channel can have. */
typedef void site_body(emitter *, const site *, const channel_layout *,
                       void *context);
void emit_each_layout(emitter *, const site *, const ccomm *, site_body *,
                      void *context);
/* "field == value && ..." for the arguments that must be equal. */
void emit_fits(emitter *, const ccomm *, const channel_layout *,
               const char *sent, text *out);
void emit_channel_value(emitter *, const node *, text *out); /* len, full... */
void emit_poll(emitter *, const node *, text *out);
/* The state that channels and other processes are read from. */
const char *emit_whole_state(const emitter *);

/* emit_comm.c */
typedef void edge_body(emitter *, const cedge *);
/* "if it is possible", then what 'begin' writes, the communication, and what
** 'end' writes. */
/* A function 'verb'_N of edge N on a copy of the state.  What it cannot do
** ('refusal', if that is known before) is found out after the step that calls
** it was written, so it gives back whatever comes there. */
void emit_late_function(emitter *, const char *verb, edge_body *, const cedge *,
                        const char *refusal);
void emit_comm(emitter *, const cedge *, edge_body *begin, edge_body *end);
void emit_answer(emitter *, const cedge *, edge_body *begin, edge_body *end);
/* Whether the receive may be one over a rendezvous channel. */
bool emit_may_answer(const emitter *, const ccomm *);

/* Functions for the effects of the senders of a rendezvous. */
void emit_sender_effects(emitter *);

/* emit_gather.c */
void emit_multicast(emitter *, const cedge *);
/* Whether the edge joins multicasts, and the line that says so. */
bool emit_joins(const cedge *);
void emit_join(emitter *, const cedge *);
/* What those who take part do. */
void emit_gatherings(emitter *);

/* emit_waiting.c */
/* Tables and functions that tell who waits at a rendezvous channel. */
void emit_waiting(emitter *);

/* emit_only.c */
void emit_claims(emitter *);
/* The process 'by' has just read from the channel, or sent to it. */
void emit_after_event(emitter *, const site *, bool reads, const char *by,
                      const char *number);

/* emit_create.c */
/* A block that creates the process; its number is in 'made'. */
void emit_run(emitter *, const crun *, const address *target);
bool emit_creates(const cedge *);

/* emit_edge.c */
void emit_edge(emitter *, const cedge *);
void emit_effects(emitter *, const cedge *);
/* The components changed since 'emit_changes_none', as C text. */
void emit_changes_none(emitter *);
void emit_changes(const emitter *, text *out);
void emit_begin(emitter *, const cedge *);
void emit_end(emitter *, const cedge *, const char *changed);
void emit_set_location(emitter *, const char *target);

/* emit_touch.c */
/* The line that tells what the process touches at this location. */
void emit_touches(emitter *, const clocation *);

/* emit_block.c */
void emit_block(emitter *, const cedge *);

#endif
