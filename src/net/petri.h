/* A place/transition net as plain data: what walks, proofs and reductions work
** on, without expressions and programs.
**
**   transition t:   arcs[first[t]] .. arcs[first[t + 1] - 1]
**   place p:        uses[first_use[p]] .. : the same arcs, by place
**
** A transition has at most one arc to a place.  It is enabled when each of its
** places has 'take' tokens at least and, where there is a 'below', fewer than
** that; firing takes and puts.  A read arc takes what it puts.  A 'below' of -1
** never lets it fire, 0 is none.
**
** A marking is an array of tokens by place.  Everything lives in the arena it
** was made in, and is not changed afterwards. */

#ifndef NUT_NET_PETRI_H
#define NUT_NET_PETRI_H

#include "base/arena.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PETRI_TOKENS_MAX = INT32_MAX };

typedef struct petri_arc {
  uint32_t place;
  int32_t take, put, below;
} petri_arc;

typedef struct petri_use {
  uint32_t transition, arc; /* 'arc' is an index of petri.arcs */
} petri_use;

typedef struct petri {
  uint32_t place_count, transition_count;
  int32_t *tokens; /* at the start */
  petri_arc *arcs;
  uint32_t *first; /* by transition, and the end */
  petri_use *uses;
  uint32_t *first_use; /* by place, and the end */
  bool inhibited;      /* some arc has a 'below' */
} petri;

/* Copies what it is given; arcs are in the order of their transitions. */
petri *petri_make(arena *, uint32_t places, const int32_t *tokens,
                  uint32_t transitions, const petri_arc *arcs,
                  const uint32_t *first);

/* What follows is meant to be read and trusted, not to be fast: witnesses are
** replayed with it. */
bool petri_enabled(const petri *, uint32_t transition, const int32_t *marking);
/* Fires an enabled transition.  False: a place would get too many tokens, and
** the marking is unchanged. */
bool petri_fire(const petri *, uint32_t transition, int32_t *marking);
/* Fires a sequence from the start into 'marking'; false: it is not possible. */
bool petri_replay(const petri *, const uint32_t *path, size_t length,
                  int32_t *marking);
/* Whether nothing is enabled. */
bool petri_is_dead(const petri *, const int32_t *marking);

/* What a transition adds to a place. */
static inline int32_t petri_effect(const petri_arc *a)
{
  return a->put - a->take;
}

#endif
