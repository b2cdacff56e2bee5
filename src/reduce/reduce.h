/* Partial order reduction: of the successors of a state, some that suffice.
**
** Steps of different processes that have nothing in common can be taken in any
** order, and one order is enough.  For each state this module chooses a set of
** steps so that whatever the rest could do, it can still do afterwards.  The
** search explores only those, unless the cycle proviso says that the rest has
** waited long enough.  docs/internals/reduction.md has the definitions and why
** they are right; the analysis rests on the sets of model/access/access.h.
**
**   ample      the steps of one process, when they have nothing to do with what
**              others can still do
**   stubborn   the smallest closed set found: with each step that can be taken
**              all that disturb it, with each that cannot, all that could
**              help it
**
** Both keep all states in which nothing can happen, all faults of edges, and
** whether an expression over what is visible becomes true in some state.  With
** 'liveness' they keep all that can be said of infinite runs by what is visible
** and without counting steps; then the choice depends on the state alone, and
** needs no proviso of the search (cycles.c). */

#ifndef NUT_REDUCE_REDUCE_H
#define NUT_REDUCE_REDUCE_H

#include "base/system/block_file.h"
#include "base/vec.h"
#include "model/model.h"
#include "program/program.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct reduction reduction;

typedef enum { REDUCE_OFF, REDUCE_AMPLE, REDUCE_STUBBORN } reduce_kind;

/* "off", "ample", "stubborn" */
const char *reduce_kind_name(reduce_kind);

typedef struct reduce_options {
  reduce_kind kind;
  /* Expressions whose value is of interest in every state. */
  const expr *const *visible;
  size_t visible_count;
  /* Flags of locations: whether some process is at one of them is of interest,
  ** for each flag. */
  uint32_t visible_labels;
  /* Infinite runs matter: visible steps are never chosen, unless all are. */
  bool liveness;
  /* Among many states rest where no fourth of the successors is left out; not
  ** only where no sixteenth is. */
  bool must_pay;
  /* Do not rely on what 'xr' and 'xs' claim; see 'reduce_claim_broken'. */
  bool doubts_claims;
} reduce_options;

/* For a program that is not changed later.  NULL: reduction is not possible,
** and '*why' says why, in a few words. */
reduction *reduce_create(const program *, const reduce_options *,
                         const char **why);
void reduce_destroy(reduction *);

/* Chooses among the successors of 'state' in the batch: puts those chosen first
** and returns how many they are; all of them when nothing can be left out.  The
** order within the chosen and within the rest is that of the batch. */
size_t reduce_choose(reduction *, const uint8_t *state, uint32_t length,
                     batch *);

/* ---- level by level ---------------------------------------------------- */

/* Another one for the same search, for another thread; all of them must go by
** levels, and the first one must be destroyed last. */
reduction *reduce_share(reduction *);
/* The choice becomes a function of the state and of what was known when its
** level began: what is learned in a level is entered by 'reduce_settle', while
** nobody chooses.  For that each new state must be shown to 'reduce_meet'. */
void reduce_by_levels(reduction *);
void reduce_meet(reduction *, const uint8_t *state, uint32_t length);
void reduce_settle(reduction *const *all, size_t count);
/* So many successors of the state that were not chosen are left out. */
void reduce_leave_out(reduction *, size_t successors);
/* Whether, in this level, nothing is left out anywhere. */
bool reduce_rests(const reduction *);
/* Whether nothing is left to learn, given the initial state: then choices for
** infinite runs are the same in any order and by any thread. */
bool reduce_is_settled(reduction *, const uint8_t *initial, uint32_t length);

/* What was learned so far, by the reductions of all threads, while nobody
** chooses: written into the stream at hand, and entered into the first
** reduction of another search of the same model.  False: the file is damaged. */
void reduce_remember(reduction *const *all, size_t count, block_writer *);
bool reduce_recall(reduction *, block_reader *);
/* What the choices of a thread have added up to in this level, and back to
** that: some of them are made again. */
typedef struct reduce_tally {
  uint64_t looked, found, offered, left_out, expanded;
} reduce_tally;
reduce_tally reduce_tally_of(const reduction *);
void reduce_set_tally(reduction *, reduce_tally);

/* What the reductions of one process have learned in this level, for those of
** other processes that do the same search: told before 'reduce_settle', and heard
** by the first reduction of each. */
typedef struct reduce_news {
  reduce_tally tally;
  bool has_breach, relies;
  VEC(int32_t) wanted; /* roles */
} reduce_news;
void reduce_tell(reduction *const *all, size_t count, reduce_news *);
void reduce_hear(reduction *, const reduce_news *);
/* The same in the middle of a level: what adds up is this reduction's from now on,
** and that of those who told it no more. */
void reduce_take_over(reduction *, const reduce_news *);

/* ---- whether it is right, and pays ------------------------------------- */

/* Whether a choice was found in more than a few of the states looked at so far;
** also when these are too few to tell.  For 'liveness', which never stops
** looking by itself. */
bool reduce_pays(const reduction *);

/* Depth first: whether what was left out is worth the looks, in so many states of
** which so many successors were taken; also when choices rely on claims, which
** must be watched to the end. */
bool reduce_is_worth(const reduction *, uint64_t expanded, uint64_t taken);

/* Whether a choice may have been wrong because it relied on an 'xr' or 'xs'
** that is broken.  Then the search must start over with 'doubts_claims'.  Every
** state that is expanded must have been shown to 'reduce_choose'. */
bool reduce_claim_broken(const reduction *);

/* ---- which order matters ------------------------------------------------ */

#define REDUCE_NO_ACT UINT32_MAX

/* The number of a step, with all that may follow it in an atomic sequence, of a
** process at an edge in a state; REDUCE_NO_ACT: it is not known.  Relations are
** over such numbers. */
uint32_t reduce_act(reduction *, const uint8_t *state, uint32_t length,
                    uint32_t process, uint32_t edge);
/* Whether two steps of different processes, both of which are possible, have to
** do with each other, so that their order matters.  That one makes the other
** possible by what it does to a queue does not count. */
bool reduce_disturbs(reduction *, uint32_t one, uint32_t other);
/* Whether a step may change what is visible. */
bool reduce_is_visible(const reduction *, uint32_t act);

/* ---- the cycle proviso ------------------------------------------------- */

/* Whether, after 'reduce_choose', successor 'i', one of the chosen, may be the
** one by which the others are not forgotten: it is enough that one such
** successor is new, or was done with before.  Not for 'liveness', where nobody
** has to ask. */
bool reduce_leads_on(const reduction *, size_t i);
/* The place that successor 'i' had in the batch before. */
uint32_t reduce_original(const reduction *, size_t i);

#endif
