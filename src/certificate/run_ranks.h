/* Ranks of the states of a product of program and observer: why no infinite run
** of it is wrong.
**
** A run is wrong when it has each of some marks again and again: those of the
** observer and, under weak fairness, for each process "it moves or cannot".
** Every state of the product has a rank, and every rank one of the marks:
**
**   no step raises the rank, and a step that gives the mark of its rank
**   lowers it.
**
** So from some point on a run has one rank, and never again the mark of it.  Such
** ranks are there whenever no run is wrong: each strongly connected component
** lacks a mark, which may be that of its rank.  The components are found as in
** search/liveness/scc.c, and ranked when they are finished, those they lead to
** before them. */

#ifndef NUT_CERTIFICATE_RUN_RANKS_H
#define NUT_CERTIFICATE_RUN_RANKS_H

#include "base/limits.h"
#include "certificate/state_run.h"
#include "program/canonical.h"
#include "program/program.h"

/* Marks by number: of the observer, of processes, and that of every step. */
enum { MARK_TURN = 256, MARK_STEP = 512, MARKS = 513 };

typedef struct ranks_order {
  program *program; /* plain */
  const property *property;
  bool weak_fairness;
  limits *limits;
  size_t buffer_bytes; /* to sort in */
} ranks_order;

typedef struct ranks_figures {
  uint64_t states; /* of the product */
  uint64_t ranks;  /* that are used */
  uint64_t rank_bytes;
} ranks_figures;

/* Writes the blocks of the property.  Answers NULL, or why there are none. */
const char *ranks_write(const ranks_order *, nut_sink *, void *context,
                        ranks_figures *);

#endif
