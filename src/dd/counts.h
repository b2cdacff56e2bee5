/* Numbers of any size by node, while the members of a diagram are counted.
** Their words lie one after the other in one array.  All zero is a valid
** empty one. */

#ifndef NUT_DD_COUNTS_H
#define NUT_DD_COUNTS_H

#include "dd/bignum.h"
#include "dd/node_map.h"

typedef struct dd_counts {
  dd_map places;    /* of a node in 'ends', + 1 */
  uint32_t *words;  /* of all numbers */
  size_t *ends;     /* of each number in 'words' */
  size_t len, cap;  /* of 'ends' */
  size_t words_cap; /* of 'words' */
} dd_counts;

void dd_counts_free(dd_counts *);
bool dd_counts_has(const dd_counts *, uint32_t node);
/* The number of a node that has one, for reading; valid until the next put. */
bignum dd_counts_get(const dd_counts *, uint32_t node);
bool dd_counts_put(dd_counts *, uint32_t node, const bignum *); /* false: no
                                                                ** memory */

#endif
