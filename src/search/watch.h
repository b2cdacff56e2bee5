/* A search under watch: its limits, what it reports on its way, and whether it
** goes on.  The walk over the states and the products with automata each have
** one. */

#ifndef NUT_SEARCH_WATCH_H
#define NUT_SEARCH_WATCH_H

#include "search/levels/forecast.h"
#include "search/search.h"

enum {
  WATCH_LOOK_EVERY = 64,       /* expansions between looks at the clock */
  WATCH_SETTLE_AFTER = 1 << 16 /* states: it will take a while */
};

typedef struct watch {
  limits *limits;
  const search_options *options;
  search_result *result;    /* figures so far, and the reason of the end */
  store *store;             /* NULL: there is none yet */
  size_t room;              /* bytes that an array may ever grow to */
  uint64_t depth, frontier; /* of the state being expanded; waiting */
  bool stop;
  bool truncated;     /* some state was not expanded: too deep */
  uint32_t countdown; /* to the next look at the clock */
  double next_progress, last_progress;
  uint64_t last_states, next_growth; /* states at the last, the next look */
  double growth_rest;                /* no look at the growth before */
  const forecast *forecast;          /* NULL: nothing can be told */
  double began;
} watch;

void watch_start(watch *, limits *, const search_options *, search_result *);
/* Ends the run for a reason; the first reason counts. */
void watch_stop(watch *, reason);
/* The store or the search found no memory. */
void watch_full(watch *);
/* The work was left by its protected call: time, an interrupt, or memory. */
void watch_left(watch *);
/* Looks at the limits, stops at them, and reports progress. */
void watch_look(watch *);
/* A level is complete, and the next one has so many states. */
void watch_level(watch *, uint64_t next);
/* Reports the growth of the store for the last time. */
void watch_end_growth(watch *);
/* For 'worker_set_patience', with the watch as context: looks at the limits
** and answers whether one of them is reached. */
bool watch_is_over(void *watch);

#endif
