/* What the parts of the search for infinite runs by levels share; see runs.h. */

#ifndef NUT_SEARCH_RUNS_RUNS_INTERNAL_H
#define NUT_SEARCH_RUNS_RUNS_INTERNAL_H

#include "search/levels/levels_internal.h"
#include "search/liveness/live.h"
#include "search/observer/observer_scc.h"
#include "search/runs/runs.h"
#include "store/tree/collapse_tree.h"

/* A state that is stored.  It has a slot as long as no more are (root_set.h). */
typedef struct runs_state {
  store_handle handle;
  uint64_t slot;
  uint32_t place; /* of the observer, once it was looked at */
} runs_state;

/* A step to a state that may be on a loop with the one it comes from: both are
** in one scc of the observer. */
typedef struct runs_target {
  store_handle handle;
  uint64_t slot;
  uint64_t gains;  /* of the step, as bits of what loops need */
  uint32_t source; /* where it comes from: which member of the cohort */
} runs_target;

typedef struct runs runs;

typedef struct runs_walker {
  runs *of;
  search *own;
  observer observer;
  product product;
  process_set enabled; /* processes that can move somewhere */
  bool is_over;

  /* The states at hand, and steps from some of them; see sweep.c. */
  collapse_tree *tree;
  VEC(runs_state) list;
  VEC(uint8_t) bytes;
  VEC(runs_target) targets;
  uint64_t states; /* counted by a pass */
} runs_walker;

/* What loops need is told by up to so many bits: marks first, then turns of
** processes. */
enum { RUNS_NEEDS_MOST = 63 };

struct runs {
  live *live;
  search search; /* over the product */
  search_result result;
  place_scc_list sccs;
  VEC(uint8_t) initial; /* state of the program */

  uint32_t marks; /* of which loops need the first so many */
  uint32_t needs;
  uint32_t processes[RUNS_NEEDS_MOST]; /* behind the marks */

  uint64_t slots, shape, parts;
  atomic_uint_fast64_t next_part;
  uint64_t left;   /* states that loops may go through */
  uint64_t *alive; /* a bit for each slot: these */
  /* How many steps there are to each state from those left.  A state to which
  ** RUNS_STEPS_MOST lead, or more, stays. */
  uint16_t *steps;
  /* What can be reached on the way to each state, 'mask_bytes' each; states seen
  ** by this pass, and those that wait. */
  uint8_t *masks;
  uint32_t mask_bytes;
  uint64_t *swept, *waiting;

  runs_figures figures;
};

enum { RUNS_STEPS_MOST = UINT16_MAX };

static inline bool runs_bit(const uint64_t *bits, uint64_t slot)
{
  return __atomic_load_n(&bits[slot / 64], __ATOMIC_RELAXED) >> slot % 64 & 1;
}

/* Whether it was not set. */
static inline bool runs_set_bit(uint64_t *bits, uint64_t slot)
{
  uint64_t bit = UINT64_C(1) << slot % 64;
  return !(__atomic_fetch_or(&bits[slot / 64], bit, __ATOMIC_SEQ_CST) & bit);
}

static inline void runs_clear_bit(uint64_t *bits, uint64_t slot)
{
  __atomic_fetch_and(&bits[slot / 64], ~(UINT64_C(1) << slot % 64),
                     __ATOMIC_RELAXED);
}

static inline bool runs_is_left(runs_walker *w, const runs_state *s)
{
  return runs_bit(w->of->alive, s->slot);
}

/* ---- sweep.c ----------------------------------------------------------- */

/* What is done with states, in any order. */
typedef struct runs_pass {
  /* Of those in a sweep, before it is looked at: whether it is wanted. */
  bool (*wants)(runs_walker *, const runs_state *);
  /* Looks at one; whether its steps are wanted. */
  bool (*looks)(runs_walker *, const runs_state *, const uint8_t *state,
                uint32_t length);
  /* All its steps that stay in the scc of the observer.  False: the run ends.  NULL: nobody wants steps. */
  bool (*takes)(runs_walker *, const runs_state *, const runs_target *,
                size_t count);
} runs_pass;

/* A pass over all states, by all walkers, each of which does 'job', that is
** 'runs_sweep_parts' with that pass.  Sums what they count in 'states'.  False:
** the run has ended. */
bool runs_sweep(runs *, team_job *job, uint64_t *sum);
void runs_sweep_parts(search *, const runs_pass *);
/* The states that walkers have added, and what they add in turn, until there are
** none; with 'runs_follow_pieces' as job. */
bool runs_follow(runs *, team_job *job, uint64_t *sum);
void runs_follow_pieces(search *, const runs_pass *);
/* A state waits to be followed.  False: no memory, and the run ends. */
bool runs_add(runs_walker *, store_handle);

/* ---- eliminate.c, gather.c ---------------------------------------------- */

/* Takes away states without a step from one that is left, again and again.  With
** 'first' all states count that loops can go through, for the observer.  False:
** the run has ended. */
bool runs_eliminate(runs *, bool first);
/* Takes away states that lack something on the way to them.  False likewise. */
bool runs_gather(runs *);
/* The gains of a step of the state expanded last. */
uint64_t runs_gains(const runs_walker *, const product_edge *);

#endif
