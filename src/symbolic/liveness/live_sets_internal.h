/* What live_sets.c and live_sets_lasso.c share; nobody else includes this. */

#ifndef NUT_SYMBOLIC_LIVENESS_LIVE_SETS_INTERNAL_H
#define NUT_SYMBOLIC_LIVENESS_LIVE_SETS_INTERNAL_H

#include "search/observer/observer.h"
#include "symbolic/ctl/ctl_answer.h"
#include "symbolic/liveness/live_sets.h"
#include "symbolic/symbolic_internal.h"

/* A move of the observer; the states in which it is allowed are
** live_sets.labels[i]. */
typedef struct live_move {
  uint32_t from, to;
  uint64_t marks;
} live_move;

/* What a run must have again and again: steps with a mark, or turns of a
** process (steps of it, or states in which it can make none).  'strong': steps
** of it, unless from some time on it can make none. */
typedef struct live_need {
  bool turns, strong;
  uint32_t number;
} live_need;

typedef struct live_point {
  symbolic_set state; /* one state; counted while it is in a list */
  uint32_t place;
} live_point;

typedef VEC(symbolic_set) live_layer_list; /* counted, a set for each place */
typedef VEC(live_point) live_route;        /* counted */

/* Arrays of sets belong to the arena of the space, and are protected. */
typedef struct live_sets_array {
  symbolic_set *sets;
  size_t count;
} live_sets_array;

enum { LIVE_KEPT = 8 };

typedef struct live_sets {
  symbolic_space *space;
  const property *property;
  property unfolded; /* the same, when its claim has variables */
  nut_fair fair;
  observer observer;
  worker *replayer;
  symbolic_set start; /* where runs begin; kept by somebody else */
  uint32_t places;
  VEC(live_move) moves;
  VEC(live_need) needs; /* of the component at work */
  bool same_needs;      /* of all components */
  uint32_t *scc;        /* of each place; moves lead to equal or smaller */
  uint32_t sccs;
  symbolic_set *atoms, *labels;
  set_list label_list;   /* what 'labels' is in the end */
  VEC(uint32_t) pending; /* places of a claim inside an atomic sequence */
  symbolic_set *begins; /* states from which an accepted run begins, by place */
  symbolic_set
      *core; /* of them, those from which one can stay in a component */
  symbolic_set *reach; /* being computed, by place */
  symbolic_set *goal;  /* likewise */
  symbolic_set *known,
      *before_known;   /* the last set of 'live_before', and its answer */
  symbolic_set *stays; /* one: where the program stays, as nothing happens */
  symbolic_set *idle;  /* by process: states in which it cannot move */
  symbolic_set *last;  /* the core of the round before */
  symbolic_set *keep;  /* what is at work: LIVE_KEPT of them */
  VEC(live_sets_array) arrays;
  live_layer_list layers;
  live_route route, part;
  symbolic_set *target; /* a point to go back to */
  ctl_run run;
} live_sets;

/* An array of empty sets, protected; NULL: no memory. */
symbolic_set *live_array(live_sets *, size_t count);
/* Fills 'moves', 'labels' and the components of the observer; false: no memory
** or time, or a condition has no value somewhere (live_sets_moves.c). */
bool live_make_moves(live_sets *);
/* States with a step into a set; the program stays where it is blocked.  What
** was asked last for a place is remembered. */
symbolic_set live_before(live_sets *, uint32_t place, symbolic_set states);
/* What steps lead to. */
symbolic_set live_after(live_sets *, symbolic_set states);
/* The states at a place with a step along a move inside of their component
** that has what is needed, into 'into', which has a set for each place. */
symbolic_set live_giving(live_sets *, uint32_t place, const live_need *,
                         const symbolic_set *into);
/* Fills 'needs' for a component, if they depend on it. */
void live_list_needs(live_sets *, uint32_t scc);
/* Whether nothing more has to be known about the run at this place. */
bool live_is_sure(const live_sets *, uint32_t place);

/* The arrays that there are for every place; false: no memory. */
bool live_make_arrays(live_sets *);
/* Arrays stay registered until the space goes; what they hold does not. */
void live_sets_destroy(live_sets *);

/* Makes the route; '*loop' is where its loop begins, or SIZE_MAX. */
bool live_find_route(live_sets *, size_t *loop);
/* Gives back what the lists of runs hold. */
void live_forget_route(live_sets *);
/* A run from the initial state, as a trace that was replayed and judged.
** TRACE_NO_MEMORY: nor time for it.  TRACE_IMPOSSIBLE: the run does not show
** what it should. */
trace_result live_show(live_sets *, trace **made);

#endif
