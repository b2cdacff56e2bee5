/* Which states are on the stack of a depth-first search, as far as their
** fingerprints tell: a multiset of hashes with the order in which they came.
**
** A store need not be able to mark states, so this is kept beside it.  That two
** states have the same fingerprint is no harm: the cycle proviso then expands a
** state fully where it need not.
**
** Open addressing; a slot is a fingerprint, 0 is free.  Always: at most half of
** the slots are in use, and no free slot lies between a fingerprint and the
** slot where it is looked for first. */

#ifndef NUT_SEARCH_WALK_ONSTACK_H
#define NUT_SEARCH_WALK_ONSTACK_H

#include "base/vec.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct onstack {
  uint64_t *slots;
  size_t mask; /* number of slots - 1, or 0: there are none */
  VEC(uint64_t) order;
} onstack;

uint64_t onstack_fingerprint(const uint8_t *state, size_t length);
void onstack_push(onstack *, uint64_t fingerprint);
/* Takes away the one pushed last. */
void onstack_pop(onstack *);
bool onstack_has(const onstack *, uint64_t fingerprint);
size_t onstack_bytes(const onstack *);
void onstack_free(onstack *);

#endif
