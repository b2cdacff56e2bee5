/* States between the steps of an atomic sequence, of which a long one passes
** through millions: each set of them is a store of the default kind, which has
** some bytes for each. */

#ifndef NUT_SEARCH_WALK_BETWEEN_H
#define NUT_SEARCH_WALK_BETWEEN_H

#include "program/program.h"

typedef struct between {
  const program *program;
  size_t room; /* bytes that a set may ever have */
  state_sets sets;
} between;

/* 'b' must live as long as the worker. */
void between_lend(between *b, const program *, size_t room, worker *);

#endif
