/* The outcome of a command: what was found out about a model, everything a
** report of it tells. */

#ifndef NUT_VERIFY_OUTCOME_H
#define NUT_VERIFY_OUTCOME_H

#include "search/search.h"
#include "symbolic/space.h"

/* What is told of Petri nets besides. */
typedef struct net_figures {
  uint64_t in_place;    /* greatest number of tokens in one place */
  uint64_t per_marking; /* and in all of them */
  bool unbounded;       /* some place can have any number */
  /* They are known, though not all markings are. */
  bool in_place_sure, per_marking_sure;
  /* Not all markings are known: no marking has more, as invariants tell. */
  bool has_place_bound, has_marking_bound;
  uint64_t place_bound, marking_bound;
} net_figures;

/* What is told of a symbolic run, instead of a store. */
typedef struct symbolic_report {
  symbolic_figures figures;
  nut_strategy strategy;
  nut_base base;
  /* Exact numbers, in decimal. */
  const char *states, *transitions, *deadlocks;
} symbolic_report;

/* What is told of a certificate (certificate/certificate.h). */
typedef struct certificate_report {
  const char *file; /* where it is, as somebody calls it */
  uint64_t states, bytes;
  uint64_t product_states, rank_bytes; /* of infinite runs */
  uint64_t left_out;                   /* properties that it does not prove */
} certificate_report;

/* What is told of a run that is kept in files. */
typedef struct outcome_checkpoint {
  const char *file;
  uint64_t written, states, bytes; /* files; of the last one */
  double seconds;                  /* that all took */
  const char *problem;             /* with the last that was tried; or NULL */
  const char *anew; /* why infinite runs are searched anew then; or NULL */
  bool left_out;    /* the last would have taken longer than there was time */
  bool goes_on;     /* there is more to find out, and a file to go on from */
} outcome_checkpoint;

/* Texts live as long as the model or the outcome's arena. */
typedef struct outcome {
  const char *command; /* "check" */
  const char *file, *language, *engine, *version;
  const model *model; /* NULL together with 'program': nothing was run */
  program *program;
  arena *arena;
  verdict verdict;
  bool complete;
  const char *reason;        /* or NULL */
  search_result result;      /* but for the answers */
  const net_figures *net;    /* NULL: not a net, or nobody counted tokens */
  symbolic_report *symbolic; /* NULL: states were visited one by one */
  const outcome_checkpoint *checkpoint; /* NULL: no file keeps the run */
  answer_list answers;
  worker *worker;    /* for questions about states; NULL: there were none */
  uint64_t left_out; /* properties left out by --no-liveness */
  /* Atomic sequences that can block (vacuity/vacuity.h); NULL: none is known. */
  struct atomic_blocks *atomic_blocks;
  const certificate_report *certificate; /* NULL: none was made */
} outcome;

/* Takes the answers of 'result' over, and says what is wrong at the ends of
** their traces. */
void outcome_fill(outcome *, program *);
/* Adds an answer; valid until the next one is added. */
answer *outcome_add(outcome *, const question *);
/* Answers what the language of the model rules out, whatever was explored. */
void outcome_define(outcome *);
/* Drops the answers about infinite runs. */
void outcome_drop_liveness(outcome *);
/* Whether no state can have been lost. */
bool outcome_exact(const outcome *);
/* Computes the verdict from the answers and the search. */
void outcome_judge(outcome *);
void outcome_free(outcome *);

/* The part of all states that a lossy store is expected to have kept. */
double outcome_coverage(const outcome *);

/* The store's name, "raw+table", in the outcome's arena. */
const char *outcome_store(const outcome *);

#endif
