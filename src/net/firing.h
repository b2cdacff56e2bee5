/* Sequences of transitions from the first marking. */

#ifndef NUT_NET_FIRING_H
#define NUT_NET_FIRING_H

#include "base/vec.h"
#include "net/claim.h"

typedef VEC(uint32_t) firing_path;

/* Raises 'most', by place, to the tokens that the path needs room for. */
void firing_most(const petri *, const uint32_t *path, size_t length,
                 int32_t *most);

/* Leaves out what leads back to a marking that was there before, and steps that
** are not needed.  The path still ends where the claim (NULL: nothing is
** enabled) holds.  Returns the new length. */
size_t firing_shorten(arena *, const petri *, const claim *, uint32_t *path,
                      size_t length);

#endif
