/* What every edge of a model reads and writes.
**
** A state falls into slots: variables (elements of small arrays singly), the
** location of a process, lengths and messages of channels...  For each edge
** there are three sets of slots:
**
**   tests    whether it can be executed depends on these at most
**   reads    what it then does depends on these and its tests at most
**   writes   it changes nothing else; it need not change all of them
**
** What is read only to see whether an 'xr' or 'xs' of others is violated is
** also known by itself ('checks'), and the rest ('plain').
**
** What belongs to a process has two slots: 'own', as the process itself sees
** it, and 'remote', as all other processes see it (P[2]:x, P[2]@L, enabled). So
** one set serves all processes of a type: the own 'x' of one is never the own
** 'x' of another.  A set is an array of 64-bit words:
**
**   | shared ... | own ...        | remote ...     |
**     0            shared_words     + own_words      + own_words
**
** The same bit in the last two parts is the same thing from the two sides.
**
** A d_step edge has the sets of all its block; edges inside a block have just
** what they add to it.  A step of several processes (rendezvous, multicast, all
** in a synchronous model) touches what the edges of all of them touch, each
** seen from its process; ACCESS_MEETS marks edges that may be part of one.
** Whether a sender finds a partner is decided by the locations and tests of
** others: that is in no set of the sender, except where it decides about
** another edge ('else').
**
** What 'printf' writes, and which process gets which number, is in no set. */

#ifndef NUT_MODEL_ACCESS_ACCESS_H
#define NUT_MODEL_ACCESS_ACCESS_H

#include "model/model.h"

/* kind, how it is written for people */
#define SLOT_KINDS(KIND)                                                       \
  KIND(PROCESSES, "processes") /* which processes and channels there are */    \
  KIND(LAST, "_last")                                                          \
  KIND(TRACE, "trace") /* location of the observer of events */                \
  KIND(VARIABLE, "")   /* a global or local, or one element of it */           \
  KIND(LENGTH, "length")                                                       \
  KIND(MESSAGES, "messages") /* contents of a channel, not how many */         \
  KIND(LOCATION, "location")                                                   \
  KIND(PRIORITY, "priority")

typedef enum {
#define KIND(name, text) SLOT_##name,
  SLOT_KINDS(KIND)
#undef KIND
} slot_kind;

typedef struct slot_info {
  slot_kind kind;
  bool remote;
  const process_type *process; /* whose; NULL: shared by all */
  const var *var;              /* VARIABLE: the outermost declaration */
  uint32_t element;            /* VARIABLE: which scalar of it, see below */
  bool whole;                  /* VARIABLE: all its scalars in one slot */
  uint32_t channel;            /* LENGTH, MESSAGES: number of the class */
} slot_info;

/* The scalars of a variable are counted in the order of declaration: those of
** element 0 with all its fields come first. */

/* Channels that the sets tell apart.  Each channel that is there from the start
** has a class of its own (its number - 1); those that processes create have one
** for each type. */
typedef struct channel_class {
  const channel_type *type;
  const var *var; /* the global that it was made for, or NULL */
} channel_class;

/* How an edge uses the channels of a class. */
typedef enum {
  USE_SEND = 1,     /* at the end */
  USE_SORTED = 2,   /* send into the sorted place */
  USE_RECEIVE = 4,  /* from the head, perhaps a copy of it */
  USE_PICK = 8,     /* receive from anywhere */
  USE_POLL = 16,    /* asks for messages; also by 'else', and whatever is done
                   ** inside a block behind its first edge */
  USE_LENGTH = 32,  /* len */
  USE_EMPTY = 64,   /* empty, nempty */
  USE_FULL = 128,   /* full, nfull */
  USE_CREATE = 256, /* creates or removes channels */
  /* It is possible only when the channel, the one of its class, has a message
  ** (nempty), or has room for one (nfull). */
  USE_SOME = 512,
  USE_ROOM = 1024
} use_flags;

typedef struct channel_use {
  uint32_t channel; /* number of the class */
  uint32_t flags;
} channel_use;

typedef enum {
  ACCESS_MEETS = 1,   /* may be part of a rendezvous or multicast */
  ACCESS_CREATES = 2, /* processes come or go */
  ACCESS_ASKS = 4,    /* its tests contain what any process can do (timeout) */
  ACCESS_ASKS_LATER = 8 /* its reads do */
} access_flags;

typedef struct edge_access {
  uint64_t *tests, *reads, *writes;
  uint64_t *plain, *checks; /* together they are 'reads' */
  uint32_t flags;
  VEC(channel_use) uses;
} edge_access;

typedef VEC(slot_info) access_slots_list;

typedef struct access_sets {
  const model *model;
  arena *arena;
  uint32_t shared_words, own_words, words; /* words: of a whole set */
  VEC(channel_class) channels;
  access_slots_list shared_list, own_list; /* while slots are numbered */
  edge_access *edges;                      /* by edge.index */
  edge_access *generic;       /* those of any process of its type */
  VEC(edge_access *) special; /* what 'access_specialise' made */
  struct access_parts *parts;
} access_sets;

/* For a model that has been checked, which must outlive the answer. */
access_sets *access_create(const model *);
void access_destroy(access_sets *);

/* The sets of the edges of one process of type 'p', by edge.index: its number
** is known, and so are the values of its locals that nobody assigns to, given
** in 'values' by index (those of others are not looked at).  Smaller than the
** sets of all processes of the type.  NULL: nothing better than those is known.
** The answer lives as long as the sets. */
const edge_access *access_specialise(access_sets *, const process_type *p,
                                     uint32_t number, const int32_t *values);
/* Whether a local is a scalar that keeps its first value. */
bool access_is_constant(const access_sets *, const var *);

/* Adds the slots that an expression reads which no process evaluates (a
** property).  False: it asks for what processes can do, which may be anything.
*/
bool access_expression(const access_sets *, const expr *, uint64_t *reads);

/* Adds to 'classes', a set with a bit for each class of channels, those that
** the expression can name when a process of type 'self' evaluates it. */
void access_channels_named(const access_sets *, const process_type *self,
                           const expr *, uint64_t *classes);

/* The channels that are there from the start: number i has class i - 1. */
uint32_t access_first_channels(const access_sets *);

/* ---- slots ------------------------------------------------------------ */

/* Numbers of slots, as bits of a set.  'remote' asks for the other side's. */
uint32_t access_shared(const access_sets *,
                       slot_kind); /* PROCESSES, LAST, TRACE */
uint32_t access_variable(const access_sets *, const var *, uint32_t element,
                         bool remote);
uint32_t access_location(const access_sets *, const process_type *,
                         bool remote);
uint32_t access_priority(const access_sets *, const process_type *,
                         bool remote);
/* The class of the channel with this number and type in some state. */
uint32_t access_channel(const access_sets *, uint32_t number,
                        const channel_type *);
uint32_t access_length(const access_sets *, uint32_t channel);
uint32_t access_messages(const access_sets *, uint32_t channel);

slot_info access_slot(const access_sets *, uint32_t number);
/* For tests. */
void slot_print(const access_sets *, uint32_t number, text *out);

/* ---- sets ------------------------------------------------------------- */

static inline bool slots_have(const uint64_t *slots, uint32_t number)
{
  return slots[number / 64] >> number % 64 & 1;
}

static inline void slots_add(uint64_t *slots, uint32_t number)
{
  slots[number / 64] |= UINT64_C(1) << number % 64;
}

void slots_unite(const access_sets *, uint64_t *to, const uint64_t *from);
bool slots_meet(const access_sets *, const uint64_t *, const uint64_t *);
uint32_t slots_count(const access_sets *, const uint64_t *);
/* The first slot of the set from number 'from' on, or NO_SLOT. */
#define NO_SLOT UINT32_MAX
uint32_t slots_next(const access_sets *, const uint64_t *, uint32_t from);

#endif
