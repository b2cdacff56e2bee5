/* Walks: runs of a net chosen by chance, which look for markings of many kinds
** at once.
**
** A walk keeps, beside the marking, what a step can change only a little of it:
** which transitions are enabled, the sums of all claims, how many parts of each
** 'and' are false and of each 'or' true.  A step costs in proportion to the arcs
** of what is fired and to what they touch.
**
** What a run finds is believed when 'petri_replay' has gone the same way and
** sees it, too.
**
** A run starts in the first marking and ends after some steps, in a dead
** marking, or when a place is full.  Every second run prefers transitions that
** fired seldom; guided runs go downhill in the distance from one claim. */

#ifndef NUT_NET_RANDOM_WALK_H
#define NUT_NET_RANDOM_WALK_H

#include "base/limits.h"
#include "base/vec.h"
#include "net/claim.h"

/* A marking that is looked for. */
typedef struct walk_goal {
  const claim *claim; /* NULL: a dead marking */
  bool done;          /* reached, or nobody is interested any more */
  bool reached;
  VEC(uint32_t) path; /* of transitions, to the first such marking */
} walk_goal;

typedef struct walk walk;

/* The goals are the caller's; their paths are freed by 'walk_goals_free'.
** Leaves by the memory guard. */
walk *walk_create(const petri *, walk_goal *, uint32_t count, uint64_t seed);
void walk_destroy(walk *);
void walk_goals_free(walk_goal *, uint32_t count);

/* Walks so many steps in all; ends early when all goals are done and, with
** 'everywhere', all transitions were enabled and all places changed.  False: a
** limit was reached. */
bool walk_run(walk *, uint64_t steps, bool everywhere, limits *);
/* Walks so many steps towards one goal. */
bool walk_towards(walk *, uint32_t goal, uint64_t steps, limits *);

/* Walks so many steps; after each run 'look' is told of its last marking and of
** the path to it, and ends it all by true.  False: a limit was reached. */
typedef bool walk_look(void *context, const int32_t *marking,
                       const uint32_t *path, size_t length);
bool walk_looking(walk *, uint64_t steps, walk_look *look, void *context,
                  limits *);

/* What was seen on all runs: whether a transition was enabled, a place had
** another number of tokens than at the start. */
bool walk_saw_enabled(const walk *, uint32_t transition);
bool walk_saw_change(const walk *, uint32_t place);

/* A place that has no bound, when a run has shown it: from some marking of it
** another one is reached with at least the same tokens everywhere, more in this
** place, and the same where arcs inhibit, so that it can be done again and
** again.  UINT32_MAX: none was seen. */
uint32_t walk_unbounded(const walk *);

#endif
