/* Claims with variables, as claims without.
**
** What a claim has of its own, its locals and the globals that only it uses, is
** put into its places: a place of the new claim is a location of the old one
** with a value for each variable.  What is read of these variables becomes a
** number.  A value that depends on the program is tried in all ways its type
** allows: each is an edge of its own, whose guard says that this is the
** value. */

#ifndef NUT_SEARCH_OBSERVER_CLAIM_UNFOLD_H
#define NUT_SEARCH_OBSERVER_CLAIM_UNFOLD_H

#include "base/arena.h"
#include "model/model.h"

/* Something of the claim's own: its first value among those of a place.  First
** come its locals, in order, then globals. */
typedef struct claim_own {
  const var *var;
  uint32_t first;
} claim_own;

/* What a place of the new claim is: a location of the old one, and the values. */
typedef struct claim_place {
  uint32_t location;
  const int32_t *values;
} claim_place;

typedef struct claim_places {
  const claim_place *places; /* by location of the new claim */
  const claim_own *own;
  uint32_t own_count;
} claim_places;

/* Whether it has variables of its own, or assigns to any. */
bool claim_has_variables(const process_type *claim);
/* NULL: it has too many places, or does what cannot be put into them.  The
** answer lives in the arena. */
const process_type *claim_unfold(arena *, const model *,
                                 const process_type *claim);
/* The same; tells what the places are. */
const process_type *claim_unfold_places(arena *, const model *,
                                        const process_type *claim,
                                        claim_places *);

#endif
