/* What the rules of shrinking share: a draft, which is a net that can be
** changed, and words.
**
**   draft.transitions[t].arcs   in the order of places, replaced as a whole
**   draft.places[p].users       who has an arc to p; some may have lost it
**
** Always: what is gone has no arcs that count; a transition is its word, fired at
** once, in the net that the draft was made of.  All lives in one arena. */

#ifndef NUT_NET_SHRINK_SHRINK_INTERNAL_H
#define NUT_NET_SHRINK_SHRINK_INTERNAL_H

#include "net/shrink/shrinking.h"

#define SHRINK_NONE UINT32_MAX

/* A sequence of transitions: one, or a so many times and then b. */
typedef struct shrink_word shrink_word;
struct shrink_word {
  const shrink_word *a, *b; /* NULL: one transition */
  uint32_t times_a, times_b;
  uint32_t transition;
  uint64_t length;
};

enum { SHRINK_WORD_MAX = 1 << 16, SHRINK_PATH_MAX = 1 << 22 };

const shrink_word *shrink_one(arena *, uint32_t transition);
const shrink_word *shrink_then(arena *, const shrink_word *a, uint32_t times_a,
                               const shrink_word *b, uint32_t times_b);
/* False: the path is too long. */
bool shrink_spell(const shrink_word *, firing_path *out);

typedef VEC(const shrink_word *) shrink_words;

typedef struct draft_transition {
  petri_arc *arcs;
  uint32_t count;
  bool gone;
  bool shadow; /* it changes nothing: see counting.h */
  const shrink_word *word;
} draft_transition;

typedef struct draft_place {
  int32_t tokens;
  bool gone, visible;
  VEC(uint32_t) users;
  shrink_value value; /* when it is gone: in terms of places of the draft */
  uint32_t leaves;    /* places of the net that it stands for together */
} draft_place;

/* Markings are counted: how a place went, in the order in which they did.  Its
** tokens are 'base' and the terms; or it was joined with the place of the only
** term. */
typedef struct draft_event {
  uint32_t place;
  bool joined;
  bool implied; /* nobody has to ask for it any more */
  int64_t base;
  const claim_term *terms;
  uint32_t count;
} draft_event;

typedef struct draft {
  arena *arena;
  const petri *net; /* it was made of */
  draft_place *places;
  VEC(draft_transition) transitions;
  uint32_t place_count;
  unsigned kinds;     /* to be kept */
  uint64_t work;      /* that may still be done, */
  limits *limits;     /* under these, or NULL */
  shrink_words start; /* to be fired first of all */
  shrink_words last;  /* after a dead marking, from the end, each to its end */
  uint32_t uses[SHRINK_RULES_];
  VEC(draft_event) events; /* SHRINK_COUNT */
} draft;

draft *draft_make(arena *, const petri *, const bool *visible, unsigned kinds);
/* The arc between them, or NULL. */
const petri_arc *draft_arc(const draft *, uint32_t transition, uint32_t place);
/* Its users, brought up to date. */
void draft_tidy_users(draft *, uint32_t place);
/* One arc is replaced, added or, when it is all 0, dropped. */
void draft_set_arc(draft *, uint32_t transition, petri_arc);
void draft_add(draft *, petri_arc *, uint32_t count, const shrink_word *);
void draft_drop_transition(draft *, uint32_t transition);
/* Its arcs go; its tokens are what 'value' says. */
void draft_drop_place(draft *, uint32_t place, shrink_value);
/* Counts work; false: there has been enough. */
bool draft_works(draft *, uint64_t steps);
/* Some transition looks whether the place has few tokens. */
bool draft_is_inhibiting(const draft *, uint32_t place);
static inline bool draft_keeps(const draft *d, shrink_kind kind)
{
  return d->kinds & kind;
}
/* Whether runs must end where they did, and go on for ever where they did. */
static inline bool draft_keeps_ends(const draft *d)
{
  return d->kinds & (SHRINK_DEAD | SHRINK_LINEAR | SHRINK_BRANCHING);
}
/* Whether it stands for one place of the net. */
static inline bool draft_is_single(const draft *d, uint32_t place)
{
  return d->places[place].leaves == 1;
}

/* Rules: each goes through the whole draft, and says whether it changed it. */
typedef bool shrink_apply(draft *);
shrink_apply shrink_dead, shrink_constant, shrink_equal, shrink_identical,
    shrink_implicit, shrink_neutral, shrink_irrelevant, shrink_behind,
    shrink_before;

/* ---- layers ------------------------------------------------------------- */

/* From a net to the next: words, or places that became one. */
typedef struct shrink_layer {
  const petri *fine, *coarse;
  shrink_value *values; /* of fine places in the coarse net */
  /* A draft. */
  const shrink_word **words; /* by transition of the coarse net; else NULL */
  shrink_words start, last;
  /* Blocks of places that are alike: the transitions of a class are
  ** members[classes[c]] .. members[classes[c + 1] - 1]. */
  uint32_t *classes, *members;
  /* Moves. */
  uint32_t *merged; /* by place: the place it became, or NONE */
  uint32_t *origin; /* by transition of the coarse net: NONE: to stay */
} shrink_layer;

/* Joins places with moves among them; false: there are none. */
bool shrink_moves(arena *, const petri *, const bool *visible, unsigned kinds,
                  shrink_layer *, uint32_t *uses);
/* Joins blocks of places, given by place, that nobody tells apart; false: there
** are none. */
bool shrink_alike(arena *, const petri *, const bool *visible,
                  const uint32_t *block, shrink_layer *, uint32_t *uses);
/* Lifts a path through such a layer; there is room for a marking. */
bool shrink_lift_alike(const shrink_layer *, const uint32_t *path,
                       size_t length, int32_t *marking, firing_path *out);
/* Lifts a path through a layer of moves. */
bool shrink_lift_moves(const shrink_layer *, const uint32_t *path,
                       size_t length, firing_path *out);

#endif
