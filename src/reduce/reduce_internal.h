/* What the parts of the reduction share:
**
**   acts.c     edges as transitions: with the atomic sequences behind them, for
**              processes whose constants are known (roles)
**   cycles.c   edges of which every circle has one
**   relate.c   which acts disturb or help each other
**   users.c    which acts use a slot
**   claims.c   'xr' and 'xs': what is believed, and when no more
**   choose.c   the choice in a state
**   close.c    what a set must have, given one of its nodes
**   situations.c  choices made before
**   reduce.c   what can be reduced at all
**   remember.c what was learned, in a file
**
** An act is an edge of a role, together with every edge that can follow in an
** atomic sequence: what happens from one state of the state space to the next.
** A role is a process type, or one process of it with its number and the
** values of its locals that never change; then its sets are smaller.
**
** Internal to reduce/. */

#ifndef NUT_REDUCE_REDUCE_INTERNAL_H
#define NUT_REDUCE_REDUCE_INTERNAL_H

#include "base/arena.h"
#include "model/access/access.h"
#include "reduce/reduce.h"
#include <pthread.h>

enum {
  ACTS_MAX = 8192, /* relations are matrices over them */
  KIND_MAX = 512,  /* edges of a process: all ways through it are walked */
  ROLES_MAX = 1024,
  CIRCLED_MAX = 64, /* roles whose circles are looked at together */
  QUEUES_MAX = 255,
  DEMANDS_MAX = 4,
  IMAGE_MAX = 32 /* bytes of a process with its constants */
};

typedef enum {
  ACT_WILD = 1,       /* may have to do with everything */
  ACT_TIMEOUT = 2,    /* waits for a state in which nothing else can happen */
  ACT_SENDS = 4,      /* half of a rendezvous */
  ACT_ANSWERS = 8,    /* the other half */
  ACT_RUNS = 16,      /* processes are created */
  ACT_DIES = 32,      /* the process ends */
  ACT_ONLY_DIES = 64, /* and does nothing else */
  ACT_VISIBLE = 128,
  ACT_CHECKS = 256, /* an 'xr' or 'xs' of others may be violated */
  ACT_STICKY = 512  /* for infinite runs: never chosen, unless all are */
} act_flags;

/* What is known of the channels that an act which is not possible waits for:
** nothing; the one from which it receives (act.queue) is empty, or is not; all
** its demands are met, or the one with this number is not. */
typedef enum {
  FILL_ANY,
  FILL_EMPTY,
  FILL_SOME,
  FILL_MET,
  FILL_UNMET,
  FILLS = FILL_UNMET + DEMANDS_MAX
} fill;

/* What the guard of an act demands of a channel that is there from the start:
** a message (USE_SOME), or room for one (USE_ROOM). */
typedef struct demand {
  uint32_t channel, use;
} demand;

/* A set of acts, a bit each; 'known' of them are decided.  'offspring': a process
** that may be created has such an act; decided with the first of them. */
typedef struct row {
  uint64_t *bits;
  uint32_t known;
  bool offspring;
} row;

typedef struct slot_list {
  const uint32_t *data;
  uint32_t count;
} slot_list;

typedef struct location_list {
  const uint32_t *data;
  uint32_t count;
} location_list;

typedef struct act {
  const edge *edge;
  uint32_t role, flags;
  /* As the process itself sees them.  'all': tested, read or written. */
  uint64_t *tests, *all, *writes;
  /* The same as other processes see them. */
  uint64_t *seen_tests, *seen_all, *seen_writes, *seen_checks;
  slot_list all_list, write_list;
  VEC(channel_use) uses;
  location_list resting; /* where the process can be afterwards */
  bool single;           /* no other edge follows in a sequence */
  /* Acts that lead to what disturbs this one, or helps it to become possible:
  ** acts of other processes, and those of the same. */
  row disturbed, disturbed_inside;
  row helped[FILLS], helped_inside[FILLS];
  /* A receive from the head of one channel that is there from the start: its
  ** number; otherwise 0. */
  uint32_t queue;
  demand demands[DEMANDS_MAX];
  uint32_t demand_count;
} act;

/* A process type: its edges that are steps, by their place in 'edges'. */
typedef struct kind {
  const process_type *type;
  const edge **edges;
  uint32_t count;
  uint64_t **after; /* for each edge: those that can follow before the process
                    ** is at the same location again, and itself */
  bool *makes;      /* some of these creates processes */
  location_list
      *resting; /* for each edge: where the process can be behind it */
  const var **constants;
  uint32_t constant_count;
  uint32_t image_from, image_bytes; /* where they lie in the process */
} kind;

typedef struct role {
  uint32_t kind, first; /* index of the type; number of its first act */
  bool generic;         /* stands for all processes of its type */
  uint32_t number;      /* otherwise: _pid */
  int32_t *values;      /* of kind.constants */
  bool broken;          /* its circles have sticky acts; see cycles.c */
  /* Classes of channels of which it claims to be the only reader (xr), or the
  ** only sender (xs); NULL: it claims none. */
  uint64_t *reader, *sender;
  /* Those for which it surely is one of them: one channel each, there from the
  ** start.  NULL: none. */
  uint64_t *owns_reads, *owns_sends;
} role;

/* An edge at the location where a process is. */
typedef struct node {
  uint32_t act, process;
  bool enabled; /* has successors */
  bool maybe;   /* a half of a rendezvous that may have taken place */
  bool visible; /* its act is, or that of one who may answer it */
  bool chosen;
} node;

typedef VEC(uint32_t) number_list;

/* In which way an act uses a slot; one that does, and the place of the next in
** the list, plus 1 (users.c). */
typedef enum { USER_WRITES, USER_ALL, USER_CHECKS, USER_KINDS } user_kind;

typedef struct slot_user {
  uint32_t act, next;
} slot_user;

/* What is known of the model: the same for all who search it.  Roles come while
** nobody else looks (reduce_settle), or to a reduction that is alone; rows are
** completed under the lock by who first needs them. */
typedef struct relations {
  const program *program;
  const model *model;
  access_sets *access;
  arena *arena;
  reduce_kind mode;
  bool liveness, must_pay;
  bool looks;        /* something is visible */
  uint64_t *visible; /* slots */
  uint32_t labels;   /* flags of locations that are visible */
  bool **watched;    /* by type and location: whether a process is there is
                     ** visible; NULL for a type: nowhere */
  kind *kinds;       /* by index of the process type */
  uint32_t *step_of; /* by edge.index: its place in kind.edges, or NO_STEP */
  uint32_t *turn_of; /* and its place among the edges of its location */
  number_list scratch[2]; /* locations, while the model is analysed */
  VEC(role) roles;
  number_list circled;     /* those whose circles are broken together */
  uint32_t *generic;       /* by kind: its generic role */
  VEC(uint32_t) offspring; /* generic roles of the types that are run */
  VEC(act *) acts;
  /* By slot: the place of its first user, plus 1; and acts with certain flags
  ** (users.c).  'comers' create processes, or end theirs. */
  VEC(slot_user) users;
  uint32_t *first_user[USER_KINDS];
  number_list wild, halves, comers, checkers;
  uint64_t *sharers; /* scratch: a set of acts */
  /* Channels, by number, of which some act asks whether they are empty, or full
  ** (act.queue, act.demands); and whether there are any. */
  uint64_t ask_empty[QUEUES_MAX / 64 + 1], ask_full[QUEUES_MAX / 64 + 1];
  uint32_t room[QUEUES_MAX + 1]; /* so many messages can be in them */
  bool has_queues;
  bool is_full;         /* roles that are not known stay so */
  pthread_mutex_t lock; /* of the arena, while rows are completed */

  /* Claims are believed; some relation relies on one; and one that was relied
  ** on may be broken. */
  bool believes, relies, claim_broken;
  bool plain_claims; /* none asks for other processes */

  /* By levels: states in which a choice was looked for of late, their successors,
  ** and those that were left out; states expanded so far; and whether nothing is
  ** looked for in this level, until there are so many. */
  uint64_t looked, offered, left_out, expanded;
  bool rests;
  uint64_t rests_until;
} relations;

/* Of a state with at most 64 nodes: sets of them (close.c). */
typedef struct node_sets {
  uint64_t enabled, visible;
  uint64_t useless; /* no set with one of these is any good */
  uint64_t known;   /* whose needs are known: */
  uint64_t needs[64];
  uint64_t set; /* the one that was made last */
} node_sets;

/* Choices that were made (situations.c). */
typedef struct choice_slot {
  uint32_t tag;   /* of the hash */
  uint32_t start; /* in 'words', plus 1; 0: free */
} choice_slot;

typedef VEC(choice_slot) choice_slots;

typedef struct choices {
  choice_slots slots; /* a power of two of them, half of them free */
  size_t count;
  VEC(uint32_t) words, key;
  /* What they depend on: so many acts were known, and there are no more; claims
  ** were believed. */
  size_t acts;
  bool is_full, believes;
} choices;

/* What is said of a situation, and of each successor: nothing can be left out,
** whatever the relations are; nothing was found to be left out; or something. */
typedef enum { LOOK_VAIN, LOOK_NONE, LOOK_FOUND } look_result;
typedef enum { PICK_CHOSEN = 1, PICK_LEADS = 2 } pick;

/* Who searches, and the state at hand. */
struct reduction {
  relations *of;
  bool is_owner;  /* of them */
  bool by_levels; /* nothing is learned but by reduce_settle */
  process_position positions[POSITIONS_MAX];
  uint32_t processes;
  uint32_t role_of[POSITIONS_MAX];
  uint32_t first_node[POSITIONS_MAX + 1];
  bool roles_known; /* they are the same in all states */
  /* The constants of each process whose role was found, as they lie in it. */
  uint8_t images[POSITIONS_MAX][IMAGE_MAX];
  bool has_image[POSITIONS_MAX];
  uint32_t queues; /* channels there from the start, and their messages */
  uint32_t messages[QUEUES_MAX + 1];
  VEC(node) nodes;
  /* By class of channel: the process that is the only one to read it, or to
  ** send, plus 1 (claims.c). */
  uint16_t readers[QUEUES_MAX + 1], senders[QUEUES_MAX + 1];
  bool owners_known;  /* roles are still those of which this was found; */
  uint32_t owners_of; /* of so many processes */
  /* Then: a bit for the first act of a location at which no claim can be
  ** broken. */
  VEC(uint64_t) harmless;
  bool has_breach; /* some state breaks a claim */
  /* States in which a choice was looked for, and found, of late; states that
  ** are not looked at now, and how many next time. */
  uint64_t looked, found;
  uint32_t rest, pause;
  uint64_t offered, left_out, expanded; /* by levels: see relations */
  VEC(int32_t) values;
  node_sets sets;
  VEC(uint32_t) todo;
  VEC(uint64_t) picked;   /* nodes of the set being made, a bit each */
  bool all_lead;          /* see 'reduce_leads_on' */
  VEC(uint8_t) best;      /* by node */
  VEC(successor) list;    /* scratch for the new order */
  VEC(uint32_t) original; /* by successor */
  VEC(uint8_t) leads;     /* by successor */
  VEC(uint8_t) picks;     /* as in 'choices_find', where nothing is kept */
  choices choices;
  /* Roles that are not known yet: type, number, values of each. */
  VEC(int32_t) wanted;
};

#define NO_STEP UINT32_MAX

/* acts.c */
void reduce_find_kinds(relations *);
/* Finds the roles of the processes in 'places'.  False: some are not known yet,
** and wanted. */
bool reduce_find_roles(reduction *, const uint8_t *state);
/* Enters the roles that are wanted, in one order for all. */
void reduce_enter_wanted(reduction *const *, size_t count);
/* Enters a role that may be there already; there are no more roles, the generic
** ones serve; notes that one is wanted; and how many numbers of 'wanted' the one
** there is. */
void reduce_enter_role(relations *, const role *);
void reduce_do_without(relations *);
void reduce_want(reduction *, const role *);
size_t reduce_wanted_length(const relations *, const int32_t *wanted);
/* A guard that is false as long as anything else can happen. */
bool edge_waits_for_timeout(const edge *);

/* cycles.c: finds the sticky acts of a role, for infinite runs, before it is
** used for the first time. */
void reduce_break_circles(relations *, uint32_t number);

/* claims.c: whether the model has claims, and only such that never change. */
bool reduce_can_believe(const relations *);
/* Whether all claims name their channel by variables that are shared or of their
** own process. */
bool reduce_claims_are_plain(const relations *);
/* What a role surely claims. */
void reduce_find_owned(relations *, role *);
/* Whether act 'b' cannot do to the channel what 'uses' says, because the
** process of 'a' claims to be the only one who does. */
bool claim_rules_out(relations *, const act *a, const act *b, uint32_t channel,
                     uint32_t uses);
/* Whether the process of 'a' claims the channel for all these uses of it. */
bool claim_is_own(relations *, const act *a, uint32_t channel, uint32_t uses);
/* Looks whether, in the state at hand, a process is about to break a claim. */
void reduce_watch(reduction *, const uint8_t *state);
/* One is: none is believed any more. */
void reduce_doubt(relations *);

/* close.c: to be called before the sets of a state are made. */
void reduce_begin_sets(reduction *);
/* Completes the set that begins with 'seed'.  Answers how many of its nodes are
** enabled; 'most' when it is not smaller than that, or no use. */
uint32_t reduce_close(reduction *, uint32_t seed, uint32_t most);
/* The set made last is the best so far. */
void reduce_keep_best(reduction *);

/* situations.c: what was chosen in the situation at hand: a 'look_result', then
** 'pick' of each successor, a byte each.  When it is new they are 0, to be filled
** in at once.  NULL: it is too large to be kept. */
uint8_t *choices_find(reduction *, const batch *, bool *is_new);
void choices_forget(choices *);
void choices_free(choices *);

/* relate.c: sets of acts, by number, that lead a process to something that
** disturbs act 'a' of another one, or helps it. */
const uint64_t *acts_disturbing(relations *, act *a);
const uint64_t *acts_helping(relations *, act *a, fill);
/* The same for the process of 'a' itself; by number less that of the first act
** of its role. */
const uint64_t *acts_disturbing_inside(relations *, act *a);
const uint64_t *acts_helping_inside(relations *, act *a, fill);
/* The demand that is known not to be met, or NULL. */
const demand *act_unmet(const act *, fill known);
/* Whether the two may be the halves of a rendezvous. */
bool acts_meet(const relations *, const act *, const act *);
/* Whether a process that takes act 'h' may come to something visible. */
bool act_leads_to_visible(const relations *, uint32_t h);

/* users.c: to be called before the first act is made; enters an act. */
void users_prepare(relations *);
void users_enter(relations *, const act *, uint32_t number);
void users_free(relations *);
/* The acts that may disturb 'a' of another process, or help it, a bit each: the
** others surely do not.  Valid until one of these is called again. */
const uint64_t *users_disturbing(relations *, const act *a, fill);
const uint64_t *users_helping(relations *, const act *a, fill);

static inline bool bit_get(const uint64_t *bits, uint32_t i)
{
  return bits[i / 64] >> i % 64 & 1;
}

static inline void bit_set(uint64_t *bits, uint32_t i)
{
  bits[i / 64] |= UINT64_C(1) << i % 64;
}

#endif
