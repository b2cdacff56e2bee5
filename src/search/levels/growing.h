/* Variables that grow on and on: where there is one, the curve of levels says
** nothing about an end.
**
** Now and then, each time a tenth deeper, some states of the level are looked
** at.  A variable of more than a byte is growing when its greatest value has
** grown by half while the depth about doubled, and rose at most of the looks.
** Fields of processes are those of their type. */

#ifndef NUT_SEARCH_LEVELS_GROWING_H
#define NUT_SEARCH_LEVELS_GROWING_H

#include "program/program.h"

typedef struct growing growing;

/* May not return, as other allocations (base/alloc.h). */
growing *growing_create(program *);
void growing_destroy(growing *); /* NULL is fine */
/* A state of the level that is being looked at; and the end of the look. */
void growing_see(growing *, const uint8_t *state, uint32_t length);
void growing_next(growing *);
bool growing_found(const growing *);

#endif
