/* What can never happen again from a marking, by looking at the net alone. */

#ifndef NUT_NET_LASTING_H
#define NUT_NET_LASTING_H

#include "net/petri.h"

/* Fills 'may', by transition: it may fire again.  A place has as many tokens as
** anybody wants once something that may fire adds to it; so those that are left
** out never fire again (a siphon without tokens, and more). */
void lasting_may_fire(arena *, const petri *, const int32_t *marking,
                      bool *may);

#endif
