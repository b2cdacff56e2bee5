/* The control flow of one Promela process, with SPIN's own numbers.
**
** A body becomes a chain of elements.  Every element has two numbers, given in
** the order in which SPIN gives them: 'number' counts from 1 in each process
** and is the number of the location in front of the element; 'id' counts over
** the whole model and names the element's step in trails.
**
**   if :: a -> b :: else -> c fi; d
**
**      IF(5) --next--> JOIN(6) --next--> STEP d(7) --next--> END(8)
**       | | options      ^ ^
**       | a(1) -> b(2) --' |
**       else(3) -> c(4) ---'
**
** 'flow_build' makes the chain, 'flow_table' the steps that can be made from
** each place.  The number of states of a model depends on every detail here:
** which jumps are places of their own, which steps keep an atomic sequence
** going, in which order steps are tried.  tools/compare-pan compares all of it
** with the tables SPIN generates. */

#ifndef NUT_LANG_PROMELA_LOWER_FLOW_H
#define NUT_LANG_PROMELA_LOWER_FLOW_H

#include "base/arena.h"
#include "base/source/source.h"
#include "lang/promela/ast.h"

typedef struct flow_element flow_element;

typedef enum {
  FLOW_STEP, /* a basic statement, or the assignment of a declaration */
  FLOW_SKIP, /* inserted so that a label has a place of its own */
  FLOW_ELSE,
  FLOW_GOTO, /* also break */
  FLOW_JOIN, /* behind if, do and unless */
  FLOW_EXIT, /* where 'break' leads */
  FLOW_IF,
  FLOW_DO,
  FLOW_ATOMIC,
  FLOW_DSTEP,
  FLOW_BLOCK,  /* also an atomic or d_step inside one */
  FLOW_UNLESS, /* subs: normal sequence, escape */
  FLOW_END     /* the closing brace of the body */
} flow_kind;

typedef enum {
  FLOW_KEEPS = 1,  /* inside an atomic sequence, not its last step */
  FLOW_LEAVES = 2, /* last step of an atomic sequence */
  FLOW_INNER = 4,  /* inside a d_step */
  FLOW_DONE = 8    /* its steps are in the table */
} flow_status;

typedef struct flow_seq {
  flow_element *first;
  flow_element *last;   /* a JOIN is appended to options */
  flow_element *extent; /* last before that */
} flow_seq;

typedef struct flow_label {
  const pml_label *label;
  flow_element *at;
  struct flow_label *next; /* on the same element, the outer one first */
} flow_label;

typedef struct flow_escape {
  flow_seq *seq;
  uint32_t target;          /* number of its first place, by flow_table */
  struct flow_escape *next; /* of an inner unless */
} flow_escape;

struct flow_element {
  flow_kind kind;
  uint32_t number;
  int32_t id;
  uint32_t status;
  uint32_t dstep;       /* which d_step it is in; 0 = none */
  const pml_stmt *stmt; /* NULL: JOIN, EXIT, SKIP, END, and with 'var' */
  pml_var *var;         /* STEP of a declaration */
  flow_element *next;
  flow_element *goal; /* GOTO */
  flow_seq **subs;    /* options, body, or normal and escape */
  uint32_t sub_count;
  flow_label *labels;
  flow_escape *escapes; /* of the outermost unless first */
  span where;
};

typedef struct flow {
  arena *arena;
  const pml_proc *proc;
  diags *diags;
  flow_seq *body;
  flow_element **elements; /* by number; [0] is NULL */
  uint32_t count;          /* numbers are 1 .. count-1 */
  int32_t first_id;
  flow_label **label_map; /* open addressing by pml_label */
  uint32_t label_slots;
  bool lost; /* a chain of jumps without end was reported */
} flow;

/* Numbers are given while the model is read.  'observe' is told of every
** expression in a statement before that statement is numbered. */
typedef struct flow_numbers {
  int32_t *next_id;
  void (*observe)(void *context, const pml_expr *);
  void *context;
} flow_numbers;

/* Makes and numbers the elements of 'proc'.  Errors are told as diagnostics;
** after one, the flow must not be finished. */
flow *flow_build(arena *, diags *, const pml_proc *, const flow_numbers *);

/* To be called once all processes are built: jumps find their goals. */
void flow_finish(flow *);

/* The element a label stands on, or NULL. */
flow_element *flow_find(const flow *, const pml_label *);

/* Gives a label on a jump a place of its own, because another process asks
** whether this one is there. */
void flow_observe(flow *, const pml_label *, int32_t *next_id);

/* Is it the statement 'skip' (or 'true', or '1')? */
bool flow_is_skip(const flow_element *);

/* ---- parts of the construction, for flow*.c only ----------------------- */

flow *flow_create(arena *, diags *, const pml_proc *, int32_t first_id);
void flow_number(flow *, flow_element *);
void flow_set_label(flow *, flow_label *);
void flow_drop_skips(flow_seq *);
void flow_make_atomic(flow_seq *, uint32_t status);
void flow_attach_escape(arena *, flow_seq *, flow_seq *escape);

/* A longer chain of jumps is taken for a circle. */
enum { FLOW_JUMPS_MAX = 4096 };
/* Reports such a chain, the first time, and gives the end of the body. */
flow_element *flow_lost(flow *, const flow_element *from);

/* ---- the table of steps ------------------------------------------------ */

typedef struct flow_step {
  flow_element *by;
  uint32_t target; /* number of a place; 0 = none (END) */
  uint32_t escape; /* not 0: from the escape whose first place is this */
  bool atomic;     /* the process keeps control afterwards */
  struct flow_step *next;
} flow_step;

typedef struct flow_place {
  flow_step *steps; /* in the order in which they are tried */
  uint32_t *links;  /* used while the table is made */
  uint32_t link_count;
  bool choice;
  bool end, accept, progress;
} flow_place;

typedef struct flow_table {
  flow *flow;
  flow_place *places; /* by number */
  uint32_t start;
} flow_table;

flow_table *flow_tabulate(flow *);

/* Inside a d_step: the element whose steps come next when control is at 'e',
** past jumps and into blocks; NULL when that is outside. */
flow_element *flow_inner(flow *, flow_element *e, uint32_t dstep);

#endif
