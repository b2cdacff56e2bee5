/* What can happen next in a state: for who chooses, by hand or by chance. */

#ifndef NUT_SEARCH_TRACE_NEXT_STEPS_H
#define NUT_SEARCH_TRACE_NEXT_STEPS_H

#include "search/trace/trace.h"

/* A successor, a fault, or both, when a step fails and the process could go on
** all the same. */
typedef struct next_step {
  uint32_t edge, process;  /* what comes first */
  size_t successor, fault; /* indices in the batch, or NEXT_NONE */
} next_step;

#define NEXT_NONE SIZE_MAX

typedef struct next_steps {
  batch batch;
  VEC(next_step) list; /* successors in their order, then faults */
} next_steps;

void next_find(next_steps *, worker *, const uint8_t *state, uint32_t length);
void next_free(next_steps *);

#endif
