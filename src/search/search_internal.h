/* A search under way: what the loops (loop.inc) and their surroundings
** (search.c, judge.c) share.  Nobody else includes this. */

#ifndef NUT_SEARCH_SEARCH_INTERNAL_H
#define NUT_SEARCH_SEARCH_INTERNAL_H

#include "search/checkpoint/checkpoint.h"
#include "search/levels/levels.h"
#include "search/search.h"
#include "search/shallow/deep.h"
#include "search/shallow/shallow.h"
#include "search/walk/between.h"
#include "search/walk/cohorts.h"
#include "search/walk/onstack.h"
#include "search/walk/parents.h"
#include "search/walk/preview.h"
#include "search/walk/stack.h"
#include "search/walk/state_path.h"
#include "search/watch.h"

enum {
  SEARCH_TOGETHER = 32, /* successors on their way from memory at a time */
  SEARCH_GROUP_AFTER = 1 << 14, /* states; smaller searches go one by one */
  SEARCH_SHARE_AFTER = 20000,   /* states; before, one thread does all */
  SEARCH_FIRST = 100000,        /* states, depth first, before levels */
  LIVE_FIRST = 250000,          /* the same of products, for infinite runs */
  SEARCH_LEARN_AT = 1 << 17     /* states; see store_settings */
};

/* A property that is an expression over states. */
typedef struct state_check {
  const expr *expr;
  uint32_t property; /* index in result.answers */
} state_check;

/* A successor that was new. */
typedef struct fresh_state {
  store_handle number; /* where the store has numbers */
  uint32_t index;      /* in the batch of its finder */
  uint32_t hand;       /* the finder: which member of the cohort */
} fresh_state;

_Static_assert((int)COHORT_MAX <= (int)STORE_HANDS,
               "all states of a cohort are at hand");

typedef struct search search;
struct search {
  program *program;
  worker *worker;
  worker *replayer; /* for traces; made when first needed */
  worker *teller;   /* the same for 'options.plain' */
  const search_options *options;
  const struct search_loop *loop;
  search_result *result;
  watch watch;
  preview preview; /* while the store is made */
  shallow shallow; /* rounds beside it */
  deep deep;       /* and by levels, dives */
  questions asked; /* what the round asks */
  uint32_t hidden;
  /* The cohort of states being expanded: how many, their successors, those that
  ** were new (in order), and how many each found; and who is being judged. */
  uint32_t cohort;
  batch batches[COHORT_MAX];
  VEC(fresh_state) fresh;
  uint32_t found[COHORT_MAX];
  uint16_t asleep[COHORT_MAX]; /* by levels: whose steps are not taken */
  uint32_t hand;
  batch *batch;          /* of 'hand' */
  uint64_t cohort_after; /* states before which a cohort is one state */
  VEC(state_check) checks;
  VEC(choice) choices;       /* of a trace that is told again */
  VEC(const expr *) visible; /* what they look at, for the reduction */
  arena *claims; /* those without variables; as old as the workers, who know
                 ** their conditions by address */
  bool judges_states; /* there are checks, or 'on_state' */
  /* Answers about steps by kind; PROPERTY_NONE: not asked for. */
  uint32_t property_of[PROPERTY_BOUNDS + 1];
  /* States after which a depth-first search gives way to levels; 0: never.  It
  ** has done so. */
  uint64_t first;
  bool passes;
  uint64_t undecided; /* properties that more states can change */

  /* NULL: all successors are explored.  Otherwise 'chosen' of those of each member
  ** of the cohort are the ones to begin with; but for searches by levels, a cohort
  ** is one state. */
  reduction *reduction;
  size_t chosen[COHORT_MAX];
  bool is_full[COHORT_MAX]; /* the rest was needed, too */
  /* By levels: which of the chosen can stand for the others, and what the store
  ** calls them, member by member. */
  VEC(bool) leads;
  VEC(store_handle) handles;
  /* A claim of 'xr' or 'xs' was relied on and is broken: the run counts for
  ** nothing, and what comes next doubts them. */
  bool claim_broken, doubts_claims;
  /* Next to nothing could be left out, depth first: that goes on without a
  ** reduction, and so does the search by levels behind it. */
  bool gave_up;

  /* Depth first. */
  stack stack;
  cohorts cohorts;
  state_path path;    /* where states are stored on the way (along_path.inc) */
  between between;    /* for the worker */
  uint64_t reckon_at; /* expansions after which it is asked whether it pays */
  onstack onstack;    /* with a reduction: the states on the stack */
  /* Breadth first. */
  parents parents;
  reserve numbers; /* of the n-th state, when the store is not dense */
  size_t number_count;
  reserve hidden_bytes; /* by number, when the store gives states back */
  reserve levels[2];    /* otherwise: this level's states, and the next's */
  size_t level_used[2];
  reserve ordinals; /* and which successor each state was: 4 bytes */

  /* The way to the state being expanded, asked for by traces. */
  void (*find_path)(search *, number_list *places);
  uint32_t (*state_at)(search *, uint64_t place, const uint8_t **state);
  /* Level by level: with how many threads, who works for this search; or whose
  ** search it is. */
  uint32_t threads;
  struct team *team;
  struct walker *walker;
  struct block_reader *resume; /* goes on from this file; NULL: begins */
  /* The answer about infinite runs at hand, or the one that the file is at, and
  ** how far that is (checkpoint.h). */
  size_t row;
  row_phase row_phase;
  bool resumes_runs; /* the file is behind the walk over the states */
  /* Other ranks do this search, too; of a walker, once states have owners: its
  ** part in that.  NULL: not so. */
  struct fleet *fleet;
  struct desk *desk;
  store_handle *level_piece; /* of a walker: the cohort in the frontier */
  /* It goes over a product with an observer (runs.h), and the part that its
  ** thread has in that. */
  struct runs *runs;
  struct runs_walker *runner;

  uint64_t current;   /* breadth first: number of the state being expanded */
  bool initial;       /* the batch holds the initial state */
  number_list places; /* for 'find_path' */
  uint8_t *buffer;    /* room for one state */
  size_t buffer_bytes;

  reason live_reason; /* why not all about infinite runs was found out */
};

#define PROPERTY_NONE UINT32_MAX

/* What is judged next are the successors of this member of the cohort. */
static inline void search_take_hand(search *r, uint32_t hand)
{
  r->hand = hand;
  r->batch = &r->batches[hand];
}
/* Whether the chosen ones, the first 'chosen' successors in the batch, will do:
** of those that can stand for the others at least one is new, or is not waiting
** and was expanded with all that follows.  'run.fresh' holds the new ones. */
bool search_keeps_promise(const search *, size_t chosen);

/* Chooses among the successors, with the reduction. */
size_t search_choose(search *, const uint8_t *state, uint32_t length, batch *);

/* The last expansion got stuck inside an atomic sequence. */
void search_note_stuck(search *);

/* Enters what another search found, and stops the run when that is enough. */
void search_adopt(search *, answer *);

/* Enters so many violations, or witnesses, for an answer; whether they are its
** first. */
bool search_enter(search *, answer *, uint64_t count);
/* What is known of the place where a step fails; NULL: nothing. */
violation *search_violation_at(answer *, const fault *);
/* Stops the run when nothing more is wanted. */
void search_stop_if_enough(search *);
/* What a trace must show for a question about states to be decided. */
trace_claim search_claim_of(const search *, const state_check *);
/* Makes the trace to the last state of the path that 'find_path' tells, or to
** its successor 'last', if that is not NULL. */
trace_result search_trace(search *, const trace_claim *, const successor *last,
                          trace **made);
/* Reduces where it was asked for and is possible. */
void search_make_reduction(search *);
/* Depth first, now and then: does without the reduction from here on where it has
** left out too little to pay. */
void search_reckon(search *);
/* The store that was asked for; NULL: no memory. */
store *search_make_store(search *);

/* Judges what the last expansion showed: faults and blocked states. */
void search_judge_expansion(search *);
/* Judges a new state, successor 'index' of the state being expanded. */
void search_judge_state(search *, size_t index);

/* Fills result.answers with what is asked for. */
void search_take_questions(search *);
/* Whether anything is asked for that a walk over all states answers. */
bool search_wants_states(const search *);
/* Gives each property, and the run, its verdict. */
void search_decide(search *);

/* Where the run is kept; NULL: it is not, or no more, because a run to an error is
** not told: who goes on from the last file may tell it. */
struct checkpoint *search_keeper(const search *);

/* live.c: checks all properties about infinite runs that are still open, and
** enters what was found into the result of the run. */
void live_check(search *);

/* The loops, one per store. */
typedef struct search_loop {
  void (*depth_first)(search *);
  void (*breadth_first)(search *);
  /* Level by level, by searches of walkers; NULL: this store cannot. */
  bool (*level_begin)(search *asker);
  void (*level_share)(search *);
  void (*level_rest)(search *); /* with a disk: see there */
  void (*level_back)(search *);
  void (*level_mark)(search *); /* with a reduction, behind each level */
  /* After the shared store did; false: no memory. */
  bool (*level_settle)(search *asker);
  /* With other ranks: leaves out of a level what others own; and takes what they
  ** send, until the level is over for all. */
  void (*level_spread)(search *);
  void (*level_doubts)(search *); /* what was left out in doubt */
  void (*level_drain)(search *);
} search_loop;

/* clang-format off */
#define STORE(x) extern const search_loop loop_##x;
STORES(STORE, STORE)
#undef STORE
/* clang-format on */

/* levels.inc: the store has refused a state.  Whether there is room now. */
bool walker_make_room(struct walker *);

/* As 'search_run', with a store and a loop that need not be in its list; NULL:
** the loop for the store and the order. */
void search_run_loop(program *, const search_options *, const store_class *,
                     const search_loop *, search_result *);

#endif
