/* Two versions of a model: is their behaviour, seen through some variables and
** channels, the same?
**
** A state shows the values of what is observed, its *look*.  Steps that do not
** change the look are silent.  What is compared are the sequences of looks that
** runs of the two can show, and, after each of them, whether a run can end there
** for ever (nothing can happen) or diverge (silent steps for ever).  A step that
** fails shows its failure, after which nothing is seen.
**
**     old       new          a pair: all states of the one, and of the other,
**    {1,2}  -  {a}           that the same sequence of looks can lead to
**    x=1 |      | x=1
**    {3}    -  {b,c}         pairs are found level by level: the first
**                            difference is one after the fewest changes
**
** A set is known by its *kernel*, the states in which the last look began; all
** that silent steps lead to from there is found when it is needed.  Sets are
** made on the fly (the subset construction), states of both models once. */

#ifndef NUT_VERIFY_DIFF_VERSIONS_H
#define NUT_VERIFY_DIFF_VERSIONS_H

#include "base/limits.h"
#include "base/numbering.h"
#include "program/layout.h"
#include "search/trace/trace.h"

/* ---- what is seen ------------------------------------------------------- */

/* A number in the globals, or a channel, of one of the models. */
typedef struct seen_item {
  const char *name; /* "x", "a[2].f", "c" */
  const var *var;   /* of the number; of the channel, the one that holds it */
  uint32_t offset;  /* in the state */
  keep keep;
  bool is_channel; /* then the number is that of the channel; */
  bool is_meeting; /* of a rendezvous channel, whose messages no state has */
} seen_item;

typedef VEC(seen_item) seen_list;

/* All that could be observed, in the order of declaration; texts are in the
** arena. */
void seen_all(const program *, arena *, seen_list *);
/* Whether two of different models are of the same type. */
bool seen_same_type(const seen_item *, const seen_item *);
/* The look of a state: symbols by their names, so that looks of two models can be
** compared.  It is added to the text. */
void seen_add_look(const program *, const seen_list *, const uint8_t *state,
                   uint32_t length, entity_list *scratch, text *look);
/* "x = 1, c: [2]": a look for people; only what differs from 'before', unless
** that is NULL. */
void seen_tell(const program *, const seen_list *, const uint8_t *state,
               const uint8_t *before, uint32_t length, uint32_t before_length,
               text *out);

/* The message that a process sends by an edge in a state, in words of the model,
** and the number of the channel.  False: it cannot be told. */
typedef bool seen_message(const program *, const view *, const edge *,
                          uint32_t process, int32_t *channel, text *out);

/* ---- one of the models -------------------------------------------------- */

/* The look is that of the target; behind messages of rendezvous channels that are
** observed it is another one, that has them behind the look of the target. */
typedef struct seen_edge {
  uint32_t target, look;
} seen_edge;

typedef struct seen_state {
  size_t first_edge;
  uint32_t edges, look;
  bool expanded, ends;
  bool failed; /* not a state: a step that failed led here */
} seen_state;

/* The graph of a model as far as it was looked at; states are numbers from 1. */
typedef struct side {
  program *program;
  worker *worker;
  seen_list seen;
  numbering states; /* a byte 0 and theirs; of a failure, 1 and its kind */
  VEC(uint8_t) key;
  VEC(seen_state) nodes;
  VEC(seen_edge) edges;
  numbering kernels;
  batch batch;
  VEC(uint8_t) state;
  text look;
  entity_list entities;
  /* A set at hand: all that silent steps lead to. */
  VEC(uint32_t) members;
  VEC(uint8_t) colour;  /* by state: for 'close' */
  VEC(seen_edge) moves; /* visible steps, by look and target, each once */
  bool ends, diverges;
  bool stuck; /* a process does not come out of an atomic sequence */
  /* Rendezvous channels are observed: how their messages are told. */
  seen_message *message; /* NULL: none is */
  view view;
  text said, one; /* in a step, by one send */
  bool untold;    /* a message could not be told */
} side;

/* What was said in the look of an edge that is not that of its target. */
void seen_add_said(const numbering *looks, uint32_t look, text *out);

/* ---- the comparison ----------------------------------------------------- */

typedef enum {
  DIFFERENCE_NONE,
  DIFFERENCE_START,   /* they begin differently */
  DIFFERENCE_CHANGE,  /* one can show a change that the other cannot */
  DIFFERENCE_ENDS,    /* one can end where the other cannot */
  DIFFERENCE_DIVERGES /* one can stay silent for ever where the other cannot */
} difference_kind;

typedef VEC(uint32_t) look_list;

typedef struct diff {
  arena *arena;
  limits *limits;
  bool one_way; /* only what the second does more than the first */
  side sides[2];
  numbering looks; /* of both */
  difference_kind kind;
  int only;           /* which of the two has the run: 0 or 1 */
  look_list sequence; /* looks of the run, from the first on */
  trace *run;         /* of that one, replayed; NULL: none could be made */
  text instead;       /* what the other can do in place of the last */
  uint64_t pairs;
  reason reason;       /* not NONE: it is not known */
  const char *problem; /* in more words, or NULL */
} diff;

/* Sides must have programs and lists of what is seen, of the same length and in
** the same order.  Fills the rest. */
void diff_run(diff *);
void diff_free(diff *);

/* ---- parts: sides.c ----------------------------------------------------- */

/* The bytes of a state that is no failure. */
const uint8_t *side_state(const side *, uint32_t number, uint32_t *length);
/* The first state; 0: it fails. */
uint32_t side_start(side *, numbering *looks);
/* Finds the set of a kernel: its members, whether a run can end or diverge in it,
** and the moves.  False: a limit was reached. */
bool side_close(side *, numbering *looks, const uint32_t *kernel, size_t count,
                limits *);
/* The number of the kernel that is the targets of these moves. */
uint32_t side_kernel(side *, const seen_edge *moves, size_t count);
const uint32_t *side_kernel_states(const side *, uint32_t number,
                                   size_t *count);
/* A shortest run that shows the sequence and then does what 'kind' says. */
trace *side_trace(side *, numbering *looks, const look_list *sequence,
                  difference_kind kind);
void side_free(side *);

/* ---- parts: meetings.c --------------------------------------------------- */

/* The look of the step to a successor of 'state', which was recorded; its target
** has the look 'own'. */
uint32_t side_edge_look(side *, numbering *looks, const successor *,
                        uint32_t own);

#endif
