/* What the files of the front end of nets share: questions as goals. */

#ifndef NUT_VERIFY_NETS_FRONT_INTERNAL_H
#define NUT_VERIFY_NETS_FRONT_INTERNAL_H

#include "model/ctl.h"
#include "net/of_formulas.h"
#include "net/proof/state_equation.h"
#include "net/random_walk.h"
#include "net/shrink/shrinking.h"
#include "verify/nets/examination_internal.h"
#include "verify/nets/net_front.h"

/* A run that a formula of linear time forbids, in transitions of the net as it
** was read: it ends in a loop from 'loop' on, or stays there, or is enough. */
typedef struct front_lasso {
  uint32_t *path;
  size_t length, loop;
  trace_end end;
  const expr *expr; /* what is true, or false, in the end; or NULL */
} front_lasso;

/* Runs that show a formula of branching time, likewise (front_tree.c). */
typedef struct front_branch {
  front_lasso run;
  size_t parent, fork; /* it leaves that branch after so many steps */
  const ctl *shows;    /* reduced, of the net as it was read, */
  const ctl *goal;     /* and what is true in its last state; or NULL */
} front_branch;

typedef struct front_note {
  const ctl *formula;
  size_t branch, first, last;
} front_note;

typedef struct front_tree {
  front_branch *branches;
  size_t branch_count;
  front_note *notes;
  size_t note_count;
  bool cut;
} front_tree;

/* A question with the marking that decides it. */
typedef struct front_item {
  question *question;
  const claim *claim; /* the goal of the same number; NULL: a dead marking */
  verdict if_reached; /* the other one if it cannot be */
  verdict found;      /* VERDICT_UNKNOWN: not decided */
  answer_method method;
  bool has_value;
  int64_t value; /* PROPERTY_UPPER_BOUND: the bound that is looked for */
  bool shown;    /* the path is told as a run, */
  uint32_t goal; /* that of this goal */
  bool both;     /* that the goal cannot be reached decides it, too */
  const temporal *temporal; /* of linear or branching time; or NULL */
  bool unshrunk;            /* no rule makes the net smaller for it */
  front_lasso *lasso;       /* its run, when a smaller net had one; or NULL */
  front_tree *tree;         /* its runs, likewise */
} front_item;

/* A smaller net, and goals as it tells them (front_smaller.c). */
typedef struct front_smaller front_smaller;
/* One whose markings stand for those that are counted (front_counting.c). */
typedef struct front_counting front_counting;

struct front {
  arena *arena;
  petri *net;
  place_map map;
  uint32_t steps; /* bits of front_step */
  bool asked;
  /* A search has answered all but formulas of branching time: the front end does
  ** these alone, and the program, which runs were told by, stays as it is. */
  bool late;
  bool told; /* that Z3 is not installed */
  front_item *items;
  walk_goal *goals; /* one for each item, then those of formulas */
  uint32_t count, goal_count;
  goal_state *states; /* of the latter, by number among them */
  /* Coloured, StableMarking: from this goal on, one for each place of the file:
  ** it has another number of tokens. */
  uint32_t first_stable, stable_count;
  /* The last goals: the most tokens in a place and in a marking that the
  ** equation allows; with the numbers, or -1. */
  int64_t most_in_place, most_in_all;
  equation *equation;
  bool proved;         /* the equation has been asked, and would say the same */
  uint32_t exact_left; /* programs that Z3 may get in this turn */
  bool everywhere;     /* each transition and place is to be seen */
  uint32_t unbounded;  /* a place, or UINT32_MAX */
  walk *walk;          /* at work */
  worker *worker;
  /* For all goals together, and for a dead marking; or NULL. */
  front_smaller *reaching, *dying;
  front_counting *counting;
};

static inline bool front_is_open(const front *f, uint32_t i)
{
  return f->items[i].found == VERDICT_UNKNOWN;
}

/* Whether a run is to be told for the item. */
static inline bool front_is_told(const front *f, uint32_t i)
{
  return f->items[i].shown && f->goals[f->items[i].goal].reached;
}

/* Whether proofs are looked for at all. */
static inline bool front_proves(const front *f)
{
  return f->steps & (1u << FRONT_EQUATION | 1u << FRONT_EXACT);
}

/* Whether nothing but the number of markings counts. */
static inline bool front_is_counted(const verification *v)
{
  return v->net->examined && v->net->asks == ASK_TOKENS;
}

/* A goal is reached by a path that is the caller's; or it cannot be reached. */
void front_reach(front *, uint32_t goal, const uint32_t *path, size_t length,
                 answer_method);
void front_refute(front *, uint32_t goal, answer_method);
void front_settle(front *, uint32_t item, verdict, answer_method);
/* Whether a claim cannot be true in the net of the equation: by simplex, and
** where that gives up, by Z3. */
bool front_refutes(verification *, equation *, arena *, const claim *);

/* Whether a marking was found from which some transition never fires again. */
bool front_loses_transition(verification *);

/* Asks smaller nets for what is open. */
void smaller_run(verification *, const nut_options *, uint64_t times);
/* Each goal that is open, in a net made smaller for it alone. */
void smaller_run_alone(verification *, uint64_t times);
void smaller_free(front *);
void counting_free(front *);

/* A model of a smaller net, whose places are called as their origins; the
** caller destroys what is its own.  Leaves by the memory guard. */
void front_make_model(verification *, arena *, const petri *,
                      const uint32_t *origin, loaded *);

/* Engines for it: questions are added in between, to 'engines->questions'. */
void front_start_engines(verification *, loaded *, verification *engines);
void front_make_program(loaded *, verification *engines);
/* The steps of a trace of such a model, as transitions of the smaller net. */
uint32_t *front_path(arena *, const model *, const trace *);
/* Marks the places of a claim. */
void front_see(const claim *, bool *visible);

/* Asks about formulas that are open, each in a net made smaller for it
** (front_formulas.c). */
void formulas_run(verification *, const nut_options *, uint64_t times);

/* The lasso found in a smaller net, by its transitions, as one for the item;
** false: it cannot be told (front_lasso.c). */
bool lasso_lift(front *, uint32_t number, const shrinking *, const trace *,
                const uint32_t *path);
/* Its lasso as a run of the program; false: the program does not follow it, or
** it is no violation. */
bool lasso_tell(verification *, uint32_t number, const uint32_t *edges,
                answer *);

/* The lasso of a smaller net as one of the net as it was read; false: it cannot
** be told. */
bool lasso_of(front *, const shrinking *, const trace *, const uint32_t *path,
              front_lasso *made);
/* It as a run of the program, which the caller destroys; NULL: the program does
** not follow it. */
trace *lasso_replay(verification *, const front_lasso *, const uint32_t *edges);

/* What a smaller net has shown about a formula of branching time. */
typedef struct tree_source {
  const shrinking *shrinking;
  const model *model;          /* of the smaller net */
  const struct ctl_tree *tree; /* formulas of its branches and notes, */
  const answer_tree *told;     /* and their runs */
  /* Conditions of the smaller net, and what they were made of. */
  const struct small_atom {
    const expr *small;
    expr *read;
  } * atoms;
  size_t atom_count;
} tree_source;

/* Keeps its runs for the item; false: they cannot be told. */
bool tree_lift(front *, uint32_t number, const tree_source *);
/* Tells them; false: the program does not follow one, or it does not show what
** it is to show. */
bool tree_tell(verification *, uint32_t number, const uint32_t *edges,
               answer *);

/* A run for a formula that was refuted without one, if it is easy to find: any
** that goes on from where the goal was reached. */
bool lasso_find(verification *, uint32_t number, const uint32_t *edges,
                answer *);

/* Makes goals of the questions (front_goals.c); to count, those of tokens only.
*/
void front_begin(verification *, bool count);

#endif
