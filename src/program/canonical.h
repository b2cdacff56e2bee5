/* The canonical bytes of a state, as docs/model.md defines them: they depend on
** the model alone, not on the layout.  Where an answer needs an order of
** states, it is theirs.  Values of hidden variables come last, behind all that
** makes states different for a search, so that they never decide between states
** which it keeps. */

#ifndef NUT_PROGRAM_CANONICAL_H
#define NUT_PROGRAM_CANONICAL_H

#include "program/program.h"

typedef VEC(uint8_t) canonical_bytes;

/* Writes those of a state, hidden bytes included, over what is there.  Changes
** nothing of the program, so that several threads may ask. */
void program_canonical(const program *, const uint8_t *state, uint32_t length,
                       canonical_bytes *);
/* Below 0, 0 or above: how two of them compare. */
int canonical_compare(const canonical_bytes *, const canonical_bytes *);

#endif
