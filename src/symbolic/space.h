/* State spaces as sets: all reachable states of a program in one decision
** diagram, found without looking at them one by one.
**
** A state falls into fields (fields.h), one level of the diagram each; the
** steps of the model fall into groups (groups.c) that touch a few fields.  How
** a group acts on its fields is either read off its edge (nets) or learned from
** the program, which is the only one to know what a model means.
**
** A space that was explored completely can be asked for figures and for sets
** of its states.  Sets are numbers of its library (set_library.h); those that
** the space hands out are protected only where it says so. */

#ifndef NUT_SYMBOLIC_SPACE_H
#define NUT_SYMBOLIC_SPACE_H

#include "nutshell.h"
#include "program/program.h"
#include "search/search.h"
#include "symbolic/library/set_library.h"

const char *strategy_text(nut_strategy);

typedef struct symbolic_options {
  nut_options asked; /* by the user; its limits are those of 'limits' */
  /* A Petri net: its variables grow as they need, and the types of the model
  ** are of no account. */
  bool net;
  limits *limits; /* of the whole command */
} symbolic_options;

typedef struct symbolic_space symbolic_space;

/* Never NULL; leaves by the memory guard. */
symbolic_space *symbolic_create(program *, const symbolic_options *);
void symbolic_destroy(symbolic_space *);

/* Finds all reachable states.  False: 'symbolic_reason' says why not. */
bool symbolic_explore(symbolic_space *);
reason symbolic_reason(const symbolic_space *);
/* About how many states are known, also when not all are. */
double symbolic_states_so_far(symbolic_space *);
/* Why a set could not be made.  What concerns one expression alone is then
** forgotten, so that others can be asked about. */
reason symbolic_take_reason(symbolic_space *);

/* clang-format off */
/* What a symbolic run took: the field, which is also its key in JSON, the line
** of the report that shows it, as 'one' or 'many', in which % is the number;
** whether it is told only when it is not 0. */
#define SYMBOLIC_SIZES(SIZE)                                                   \
  SIZE(levels, WORK, "% level", "% levels", false, "of the diagram")           \
  SIZE(groups, WORK, "% group", "% groups", false, "of steps")                 \
  SIZE(nodes, NODES, "% node", "% nodes", false, "of the reachable states")    \
  SIZE(peak_nodes, NODES, "at most % at a time", "at most % at a time", false, \
    "of all sets")                                                             \
  SIZE(bytes, NONE, "", "", false, "that the diagrams take")                   \
  SIZE(iterations, WORK, "% round", "% rounds", false, "of the fixed point")   \
  SIZE(reorderings, WORK, "% reordering", "% reorderings", true,               \
    "of the levels")
/* clang-format on */

typedef struct symbolic_figures {
  bignum states, transitions, blocked;
  /* Violations: invalid end states, failed assertions, other faults. */
  bignum deadlocks, assertions, bounds;
#define SIZE(name, line, one, many, rare, meaning) uint64_t name;
  SYMBOLIC_SIZES(SIZE)
#undef SIZE
  double seconds;
  /* Nets: the most tokens in a place and in all; places that never change;
  ** transitions that never fire. */
  int64_t most_in_level, most_in_all;
  size_t still, idle;
} symbolic_figures;

/* Figures of an explored space; false: no memory, or it was ended. */
bool symbolic_measure(symbolic_space *, symbolic_figures *);
void symbolic_figures_free(symbolic_figures *);
/* The greatest sum of these globals in a reachable state; false: no memory, or
** they are no levels. */
bool symbolic_greatest(symbolic_space *, const var *const *list, size_t count,
                       int64_t *greatest);

/* ---- states that stand for many (weights.c) ------------------------------ */

/* As mdd_weigh has it, with globals for levels: a floor's level is an index of
** the list, which has 'levels' of them.  False also when the library is another
** one, or they are no levels. */
bool symbolic_weigh(symbolic_space *, const var *const *list,
                    const mdd_weights *, bignum *all, bignum *viewed);
/* The reachable states in which no view of 'mdd_weights' is true: some global is
** less than its floor, or not below. */
bool symbolic_count_without(symbolic_space *, const var *const *list,
                            const mdd_weights *, bignum *number);
/* The greatest value of each; the greatest sum, with factors of 32 bits. */
bool symbolic_most(symbolic_space *, const var *const *list, uint32_t count,
                   uint32_t *most);
bool symbolic_greatest_sum(symbolic_space *, const var *const *list,
                           const int64_t *factors, uint32_t count,
                           int64_t *greatest);
/* Only what the run took: the first part of 'symbolic_measure'. */
bool symbolic_measure_sizes(symbolic_space *, symbolic_figures *);

/* ---- sets of states ----------------------------------------------------- */

set_library *symbolic_library(symbolic_space *);
symbolic_set symbolic_reachable(const symbolic_space *); /* protected */
symbolic_set symbolic_initial(const symbolic_space *);   /* likewise */
/* The reachable states in which an expression is true; SET_FULL: no memory, it
** was ended, or it cannot be evaluated somewhere. */
symbolic_set symbolic_states_of(symbolic_space *, const expr *);
/* The reachable states in which some process is at a location with one of
** these flags. */
symbolic_set symbolic_states_at(symbolic_space *, uint32_t flags);
/* The reachable states with a step into the set. */
symbolic_set symbolic_before(symbolic_space *, symbolic_set states);
/* Likewise with a step in which one process takes part, where they have fields
** of their own and groups_add_partners was called; and those with a step that
** it can begin. */
symbolic_set symbolic_before_by(symbolic_space *, uint32_t process,
                                symbolic_set states);
symbolic_set symbolic_can_begin(symbolic_space *, uint32_t process);
/* The states that steps from the set lead to. */
symbolic_set symbolic_after(symbolic_space *, symbolic_set states);
symbolic_set symbolic_after_by(symbolic_space *, uint32_t process,
                               symbolic_set states);
/* The set and all reachable states from which it can be reached by steps
** that stay in 'within' before. */
symbolic_set symbolic_reaching(symbolic_space *, symbolic_set states,
                               symbolic_set within);
/* Reachable states in which nothing can happen. */
symbolic_set symbolic_blocked(symbolic_space *);

const limits *symbolic_limits(const symbolic_space *);

/* One state of a set that is not empty; its length.  It is valid until the
** next call; 0: it does not fit the types of the model. */
uint32_t symbolic_pick(symbolic_space *, symbolic_set states,
                       const uint8_t **state);
/* The set of one state. */
symbolic_set symbolic_state(symbolic_space *, const uint8_t *state,
                            uint32_t length);

/* A run to a state that violates a property of single states or steps
** (PROPERTY_REACH: to a witness), replayed; the space has been measured.
** TRACE_NO_MEMORY: nor time for it. */
trace_result symbolic_show(symbolic_space *, property_kind, const expr *,
                           trace **made);

#endif
