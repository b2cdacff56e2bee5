/* What the parts of the search for infinite runs by levels share; see runs.h. */

#ifndef NUT_SEARCH_RUNS_RUNS_INTERNAL_H
#define NUT_SEARCH_RUNS_RUNS_INTERNAL_H

#include "search/levels/levels_internal.h"
#include "search/liveness/live.h"
#include "search/observer/observer_scc.h"
#include "search/ranks/fleet.h"
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

/* A state on the way of a probe (probe.c), and the marks of the step to it. */
typedef struct runs_way {
  uint64_t hash, marks;
} runs_way;

typedef VEC(uint8_t) runs_bytes;

typedef struct runs_probe {
  VEC(runs_way) way;
  runs_bytes here, there, best; /* its last state; those behind steps from it */
  uint64_t hash;                /* of the last state */
  bool found;
} runs_probe;

typedef struct runs runs;

typedef struct runs_walker {
  runs *of;
  search *own;
  observer observer;
  product product;
  process_set enabled; /* processes that can move somewhere */
  bool is_over;
  bool was_abandoned; /* because the run ends inside an atomic sequence */
  bool is_amid;       /* states of a sweep, of which some are looked at */
  bool has_met;       /* a loop, by a probe */
  bool is_sure;       /* the observer has seen enough */
  runs_probe probe;

  /* The states at hand, and steps from some of them; see sweep.c. */
  collapse_tree *tree;
  VEC(runs_state) list;
  VEC(uint8_t) bytes;
  VEC(runs_target) targets;
  uint64_t states; /* counted by a pass */
  uint64_t owned;  /* by the first one: all that it looked at */
  uint64_t part;   /* of a sweep: where the list comes from, */
  size_t at;       /* and how many of it are done */
} runs_walker;

/* What loops need is told by up to so many bits: marks first, then turns of
** processes. */
enum { RUNS_NEEDS_MOST = 63 };

/* What is done, one after the other; see stages.c. */
#define RUNS_STAGES(STAGE)                                                     \
  STAGE(COUNT_ALL)                                                             \
  STAGE(COUNT_LEFT)                                                            \
  STAGE(PICK)                                                                  \
  STAGE(TAKE)                                                                  \
  STAGE(PASS)                                                                  \
  STAGE(PASS_MORE)                                                             \
  STAGE(JUDGE)                                                                 \
  STAGE(OVER)

typedef enum {
#define STAGE(name) RUNS_##name,
  RUNS_STAGES(STAGE)
#undef STAGE
} runs_stage;

struct runs {
  live *live;
  search search; /* over the product */
  search_result result;
  place_scc_list sccs;
  VEC(uint8_t) initial; /* state of the program */

  uint32_t marks; /* of which loops need the first so many */
  uint32_t needs;
  uint32_t processes[RUNS_NEEDS_MOST]; /* behind the marks */

  uint64_t states_before; /* of the levels before the one that is expanded */
  uint64_t slots, shape, parts;
  atomic_uint_fast64_t next_part;
  uint64_t left;   /* states that loops may go through */
  uint64_t owned;  /* that the first sweep has looked at, of all ranks */
  uint64_t *alive; /* a bit for each slot: these */
  /* How many steps there are to each state from those left.  A state to which
  ** RUNS_STEPS_MOST lead, or more, stays. */
  uint16_t *steps;
  /* What can be reached on the way to each state, 'mask_bytes' each; states seen
  ** by this pass, and those that wait. */
  uint8_t *masks;
  uint32_t mask_bytes;
  uint64_t *swept, *waiting;

  runs_stage stage;
  uint64_t before;  /* left when the iteration began */
  bool is_prepared; /* slots and notes are there */
  bool is_inside;   /* the stage was begun by the run that this one goes on */
  bool is_sweeping; /* a stage is under way */
  bool gives_up;    /* some rank met what is not decided here */
  uint64_t *done;   /* then: states that it has done already; or NULL */

  struct runs_disk *on_disk; /* the product is there; or NULL */
  struct runs_stash *stash;  /* runs_kept_disk.c; NULL: there is none */
  bool is_vague;             /* of some state the steps to it are not known */

  runs_figures figures;
};

enum { RUNS_STEPS_MOST = UINT16_MAX };

/* Whether the stage goes over all states, and not only over those that wait. */
static inline bool runs_is_sweep(runs_stage stage)
{
  return stage != RUNS_TAKE && stage != RUNS_PASS_MORE;
}

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

/* Whether states have owners. */
static inline bool runs_is_spread(const runs *r)
{
  return r->search.fleet && r->search.fleet->is_spread;
}

static inline bool runs_is_left(runs_walker *w, const runs_state *s)
{
  return runs_bit(w->of->alive, s->slot);
}

/* ---- probe.c ------------------------------------------------------------ */

/* Whether a state that is about to be expanded is one of those where it is looked
** for a loop, and one was found.  Uses the walker's product. */
bool runs_probe_from(runs_walker *, const uint8_t *state, uint32_t length);

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
** the run has ended.  Where the stage was begun by another run it goes on. */
bool runs_sweep(runs *, team_job *job, uint64_t *sum);
void runs_sweep_parts(search *, const runs_pass *);
/* The states that walkers have added, and what they add in turn, until there are
** none; with 'runs_follow_pieces' as job. */
bool runs_follow(runs *, team_job *job, uint64_t *sum);
void runs_follow_pieces(search *, const runs_pass *);
/* A state waits to be followed.  False: no memory, and the run ends. */
bool runs_add(runs_walker *, store_handle);

/* A cohort of states, up to COHORT_MAX.  False: the run ends. */
bool runs_pass_over(runs_walker *, const runs_pass *, runs_state *,
                    uint32_t count);

/* With other ranks: steps from states of theirs are taken as they come.  Between
** two cohorts; behind the last, until all have come to the end of the sweep; and
** the same by the first walker alone, when the others are gone.  False: the run
** ends. */
bool runs_serve(runs_walker *);
bool runs_end_part(runs_walker *);
void runs_drain(search *);

/* Behind the first sweep: whether it has seen all states, each in its rank. */
static inline bool runs_has_all(const runs *r)
{
  return r->owned == r->result.stats.states;
}

/* ---- stages.c ----------------------------------------------------------- */

/* Takes away, stage after stage, until nothing is left or nothing more can be.
** False: the run has ended. */
bool runs_take_away(runs *);

/* What is done behind the stage at hand. */
runs_stage runs_next_stage(const runs *);

/* ---- on_disk.c ------------------------------------------------------------ */

/* The same for a product that is on disk. */
bool runs_take_away_on_disk(runs *);
void runs_free_disk(runs *);
void runs_free_stash(runs *);
/* With other ranks: a step from a state of another one; and what was given on the
** way to a state of the cohort at hand. */
bool runs_put_foreign(runs_walker *, const runs_target *);
uint64_t runs_had(const runs_walker *, const runs_state *);

/* ---- eliminate.c, gather.c ---------------------------------------------- */

/* Jobs.  Counts the steps to each state from those left; first, all count that
** loops can go through, for the observer.  States without such a step wait to be
** taken away, and are, and those that have none then. */
team_job runs_count_all, runs_count_left, runs_pick_all, runs_take_all;
/* Passes on what is given on the way; takes away what lacks something. */
team_job runs_pass_all, runs_pass_more, runs_judge_all;
/* What was given on the way to a state, and more of it: whether that adds
** something. */
uint64_t runs_mask_of(const runs *, uint64_t slot);
bool runs_add_to_mask(runs *, uint64_t slot, uint64_t bits);
/* With other ranks: a step from a state of another one; what is passed on to a
** state of another one, by a step.  False: the run ends. */
bool runs_take_step(runs_walker *, const runs_target *);
bool runs_take_gains(runs_walker *, const runs_target *);
static inline bool runs_is_passing(const runs *r)
{
  return r->stage == RUNS_PASS || r->stage == RUNS_PASS_MORE;
}
/* The gains of a step of the state expanded last; and what loops through it need,
** where that asks who can move. */
uint64_t runs_gains(const runs_walker *, const product_edge *);
uint64_t runs_needed(const runs_walker *, uint32_t place);

/* ---- runs_kept.c --------------------------------------------------------- */

process_set runs_find_able(const runs *);

static inline size_t runs_bits_size(const runs *r)
{
  return (r->slots / 64 + 1) * sizeof(uint64_t);
}

#endif
