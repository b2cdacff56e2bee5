/* Sums by node, while a diagram is measured.  All zero is a valid empty one. */

#ifndef NUT_DD_SUMS_H
#define NUT_DD_SUMS_H

#include "dd/node_map.h"

typedef struct dd_sums {
  dd_map places; /* of a node in 'sums', + 1 */
  int64_t *sums;
  size_t len, cap;
} dd_sums;

void dd_sums_free(dd_sums *);
bool dd_sums_get(const dd_sums *, uint32_t node, int64_t *sum); /* is there */
/* A node that has none yet; false: no memory. */
bool dd_sums_put(dd_sums *, uint32_t node, int64_t sum);

#endif
