/* A run under way, of 'simulate': by chance (simulate.c) or by hand
** (by_hand.c). */

#ifndef NUT_CLI_SIMULATE_SIMULATION_H
#define NUT_CLI_SIMULATE_SIMULATION_H

#include "base/random.h"
#include "base/text/text.h"
#include "cli/options.h"
#include "nutshell.h"

typedef struct simulation {
  const options *options;
  nut_workspace *workspace;
  nut_walk *run;
  random_state chance;
  bool has_seed;
  uint64_t forgotten; /* steps that were in the run before */
  size_t told;        /* steps of the run that were shown */
  text stopped;       /* why it did not go on, or "" */
  text kept;          /* by hand: a longer run, of which this is the start */
} simulation;

static inline bool simulation_is_over(const simulation *s)
{
  return nut_walk_choices(s->run) == 0;
}

/* The run so far; NULL, after a complaint, when there is no memory. */
const nut_trace *simulation_trace(simulation *);
/* Makes a step by chance; false: that was not possible, 'stopped' tells why. */
bool simulation_step(simulation *);
/* How the run ended; returns the exit status. */
int simulation_conclude(simulation *);
/* Asks for each step; returns the exit status. */
int simulation_by_hand(simulation *);

#endif
