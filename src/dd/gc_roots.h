/* What must survive a collection: nodes counted one by one, and variables of
** the user whose values are read when the collection happens.  Shared by the
** managers of both kinds of diagram; a node is any 32-bit number. */

#ifndef NUT_DD_GC_ROOTS_H
#define NUT_DD_GC_ROOTS_H

#include "dd/node_map.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dd_roots {
  dd_map counts;
  struct dd_root_array {
    const uint32_t *nodes;
    size_t count;
  } * arrays;
  size_t len, cap;
} dd_roots;

void dd_roots_free(dd_roots *);
bool dd_roots_add(dd_roots *, uint32_t node); /* false: no memory */
void dd_roots_remove(dd_roots *, uint32_t node);
/* Registers 'count' variables.  False: no memory. */
bool dd_roots_protect(dd_roots *, const uint32_t *nodes, size_t count);
void dd_roots_unprotect(dd_roots *, const uint32_t *nodes);
size_t dd_roots_bytes(const dd_roots *);

/* Calls 'visit' with every root, and how often it was added (1 for each
** variable that holds it).  UINT32_MAX is skipped. */
typedef void dd_roots_visit(void *context, uint32_t node, uint32_t count);
void dd_roots_each(const dd_roots *, dd_roots_visit *, void *context);

#endif
