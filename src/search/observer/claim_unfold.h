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

/* Whether it has variables of its own, or assigns to any. */
bool claim_has_variables(const process_type *claim);
/* NULL: it has too many places, or does what cannot be put into them.  The
** answer lives in the arena. */
const process_type *claim_unfold(arena *, const model *,
                                 const process_type *claim);

#endif
