/* The making of read and write sets, and its parts:
**
**   access_slots.c    numbers of slots, what references mean, names
**   access_range.c    values that indices can have
**   access_channel.c  which channels an expression can mean
**   access_expr.c     what expressions, communications and effects touch
**   access.c          edges: siblings, blocks, whatever else decides
**
** Internal to model/. */

#ifndef NUT_MODEL_ACCESS_ACCESS_INTERNAL_H
#define NUT_MODEL_ACCESS_ACCESS_INTERNAL_H

#include "model/access/access.h"

/* Slots of a variable: one for each scalar, or one for all. */
typedef struct var_slots {
  uint32_t first; /* in its part of a set, shared or own */
  bool whole;
} var_slots;

typedef struct process_slots {
  uint32_t location, priority; /* in the own part */
  uint32_t end;                /* behind the last local */
  bool busy;                   /* its initial values are being looked at */
  var_slots *locals;
} process_slots;

typedef struct value_range {
  int64_t lo, hi;
} value_range;

typedef struct var_facts {
  bool assigned; /* some edge may change it */
  bool known;    /* 'range' is what it can have */
  value_range range;
} var_facts;

/* What channels a chan variable, or field of a message, may name: a set of
** classes. */
typedef struct channel_flow {
  uint32_t words;     /* of a set of classes */
  uint64_t *any;      /* all classes */
  uint64_t *created;  /* those that processes create */
  uint64_t **globals; /* by index of the variable */
  uint64_t ***locals; /* by process, then variable */
  uint64_t ***fields; /* by channel type, then field */
  uint32_t *first;    /* first class of a global with channels of its own */
  uint64_t *scratch, *classes;
  bool changed;
} channel_flow;

typedef struct access_parts {
  uint32_t shared, own;       /* slots so far */
  uint32_t elements;          /* slots of array elements so far */
  var_slots *globals;         /* by index */
  process_slots *processes;   /* by index */
  uint32_t global_channels;   /* classes of those there from the start */
  uint32_t *created_channels; /* class by channel type, or NO_SLOT */
  uint32_t first_channel;     /* slot: length of class 0, messages of it... */
  var_facts *global_facts;    /* by index */
  var_facts **local_facts;    /* by process, then index */
  channel_flow flow;
  uint64_t *all_tests; /* of all edges, each from its own side */
  /* While one process is looked at (access_specialise): its type and number.
  ** 'unsure': something was asked that concerns others of its type, for whom
  ** the facts of this one are wrong. */
  const process_type *special;
  uint32_t special_number;
  bool unsure;
  slot_info *shared_slots, *own_slots;
} access_parts;

/* Who is looked at, and where its findings go. */
typedef struct looker {
  const access_sets *access;
  const process_type *self; /* NULL: no process */
  uint64_t *reads, *writes;
  uint64_t *checks; /* NULL: they are reads as all others */
  edge_access *edge;
  bool asks; /* found: what any process can do is read */
} looker;

/* access_range.c */
void access_find_assigned(access_sets *);
bool access_is_assigned(const access_sets *, const var *);
/* Least and greatest value of an expression of process 'self' (NULL: whoever
** evaluates it). */
value_range access_range(const access_sets *, const process_type *self,
                         const expr *);

/* Finds them for all variables that never change, so that what is known of one
** process later (access_specialise) goes into none of them. */
void access_know_ranges(const access_sets *);

/* access_slots.c */
void access_number_slots(access_sets *);
/* Adds the slots that 'r' can mean; 'sides': own, remote, or both. */
enum { SIDE_OWN = 1, SIDE_REMOTE = 2 };
void access_add_ref(const access_sets *, const process_type *self, const ref *,
                    uint32_t sides, uint64_t *set);
/* Adds all slots that belong to a process of the type. */
void access_add_process(const access_sets *, const process_type *,
                        uint64_t *set);

/* Adds all that there is, as process 'self' sees it. */
void access_add_everything(const access_sets *, const process_type *self,
                           uint64_t *set);

/* Adds to 'to', as process 'self' sees it, what 'from' is for another process:
** its own is remote to us, and we are remote to it. */
void access_add_others(const access_sets *, const process_type *self,
                       uint64_t *to, const uint64_t *from);

/* access_channel.c */
/* Calls 'found' for every variable with channels of its own inside 'v', once
** for each element, in the order in which a state gets them. */
typedef void channel_found(void *context, const channel_type *);
void access_channels_of(const var *v, channel_found *, void *context);
void access_number_channels(access_sets *);
void access_find_channels(access_sets *);
/* The classes that the expression can name, into 'set' (flow.words words). */
void access_resolve(const access_sets *, const process_type *self, const expr *,
                    uint64_t *set);

/* access_expr.c */
void look_at_expr(looker *, const expr *);
/* The same for a condition without which the edge cannot be executed. */
void look_at_guard(looker *, const expr *);
void look_at_effect(looker *, const effect *);
/* Reads into 'tests' what decides whether it can take place. */
void look_at_comm(looker *, const comm *, uint64_t *tests);

/* access.c */
/* Finds the sets of the edges of one process type (NULL: of all). */
void access_look_at_edges(access_sets *, const process_type *);
void access_finish_edges(access_sets *, const process_type *);
/* Empty sets for all edges. */
edge_access *access_new_edges(access_sets *);
void access_add_use(edge_access *, uint32_t channel, uint32_t flags);

static inline bool process_observes(const process_type *p)
{
  return p->kind != PROCESS_NORMAL && p->kind != PROCESS_INIT;
}

#endif
