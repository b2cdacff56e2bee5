/* Sets of tuples of any lengths in one manager of diagrams: a diagram for each
** length.  The sets 'mdd', 'ondd' and 'hybrid' are built on it.
**
** Always: roots[n] holds the tuples of length n and is protected by the
** manager; lengths from 'room' on have no tuples. */

#ifndef NUT_STORE_DIAGRAM_DIAGRAMS_H
#define NUT_STORE_DIAGRAM_DIAGRAMS_H

#include "dd/mdd/mdd.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct diagrams {
  mdd_manager *manager;
  mdd *roots;
  uint32_t room;
  size_t max_bytes;
} diagrams;

bool diagrams_create(diagrams *, mdd_kind, size_t max_bytes);
void diagrams_destroy(diagrams *); /* an all-zero one is fine */
/* Makes sure that there is a root for 'length'.  False: no memory, nothing has
** changed. */
bool diagrams_reach(diagrams *, uint32_t length);
size_t diagrams_bytes(const diagrams *);
uint64_t diagrams_nodes(const diagrams *); /* garbage not counted */
/* Whether the diagrams are sound and hold 'count' tuples together. */
bool diagrams_check(const diagrams *, uint64_t count);
/* Draws all that are not empty.  Writes nothing when there is no memory for
** the walk; may leave by the memory guard. */
void diagrams_draw(const diagrams *, const diagram_labels *, text *dot);

/* The diagram of a length. */
static inline mdd diagrams_root(const diagrams *d, uint32_t length)
{
  return length < d->room ? d->roots[length] : MDD_EMPTY;
}

#endif
