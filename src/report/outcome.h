/* The outcome of a command: everything a report of it tells. */

#ifndef NUT_REPORT_OUTCOME_H
#define NUT_REPORT_OUTCOME_H

#include "report/story.h"
#include "search/search.h"
#include "symbolic/space.h"

/* A run that leaves another one to show more of the reason for an answer, and
** what is true of all runs from some states of a run, which none can show; see
** symbolic/ctl/ctl_tree.h.  Steps are given by their numbers; 0 is the
** start. */
typedef struct row_branch {
  story *story;        /* from the initial state on */
  const char *formula; /* what it shows */
  size_t parent;       /* the branch that it leaves, after */
  uint32_t step;       /* this step of it */
  size_t first;        /* index of the first step that is its own */
  const char *trace_file;
} row_branch;

typedef struct row_note {
  const char *formula;
  size_t branch;
  uint32_t first, last; /* true after each of these steps */
} row_note;

/* The first branch is the row's own story. */
typedef struct row_tree {
  VEC(row_branch) branches;
  VEC(row_note) notes;
  bool cut; /* it was not worth while to show all */
} row_tree;

/* One property.  Texts live as long as the model or the outcome's arena. */
typedef struct row {
  const char *name;
  property_kind kind;
  const char *formula; /* or NULL */
  verdict verdict;
  const char *reason; /* of 'unknown', or NULL */
  /* Of infinite runs: "ample", "stubborn" or NULL, and why it was not. */
  const char *reduction, *reduction_off;
  const char *how; /* CTL: "explicit" or "symbolic"; otherwise NULL */
  uint64_t errors;
  bool has_value; /* an upper bound: it is 'value' */
  uint64_t value;
  const trace *trace;     /* or NULL */
  story *story;           /* of the trace, or NULL */
  const char *trace_file; /* where it was written, or NULL */
  /* Of a property of two states: the run to the second, or NULL. */
  story *other;
  const char *other_file;
  row_tree *tree; /* of CTL, in the outcome's arena; or NULL */
} row;

/* What is told of Petri nets besides. */
typedef struct net_figures {
  uint64_t in_place;    /* greatest number of tokens in one place */
  uint64_t per_marking; /* and in all of them */
} net_figures;

/* What is told of a symbolic run, instead of a store. */
typedef struct symbolic_report {
  symbolic_figures figures;
  strategy strategy;
  library_kind base;
  /* Exact numbers, in decimal. */
  const char *states, *transitions, *deadlocks;
} symbolic_report;

typedef struct outcome {
  const char *command; /* "check" */
  const char *file, *language, *engine, *version;
  const model *model; /* NULL together with 'program': nothing was run */
  const program *program;
  arena *arena;
  verdict verdict;
  bool complete;
  const char *reason;        /* or NULL */
  search_result result;      /* 'answers' are kept for their traces */
  const net_figures *net;    /* NULL: not a net, or nobody counted tokens */
  symbolic_report *symbolic; /* NULL: states were visited one by one */
  VEC(row) rows;
  worker *worker;    /* for questions about states; NULL: there were none */
  uint64_t left_out; /* properties left out by --no-liveness */
} outcome;

/* Takes over 'result' and tells its traces. */
void outcome_fill(outcome *, program *, search_result *result);
/* Adds a row, whose name and formula may be anything: they are made harmless.
** Valid until the next one is added. */
row *outcome_add_row(outcome *, row);
/* Adds a property that this version cannot check. */
void outcome_add_unchecked(outcome *, const char *name, property_kind,
                           const char *formula);
/* Drops the rows about infinite runs. */
void outcome_drop_liveness(outcome *);
/* Whether no state can have been lost. */
bool outcome_exact(const outcome *);
/* Computes the verdict from the rows and the search. */
void outcome_judge(outcome *);
void outcome_free(outcome *);

/* Tells of a process that did not come out of an atomic sequence, one line
** without its end; nothing when there is none. */
void outcome_add_hint(const outcome *, text *out);

/* The part of all states that a lossy store is expected to have kept. */
double outcome_coverage(const outcome *);

/* The store's name, "raw+table", in the outcome's arena. */
const char *outcome_store(const outcome *);

#endif
