/* Which of two names is more like a third: for "the nearest name is ...". */

#ifndef NUT_LANG_NEAREST_H
#define NUT_LANG_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

/* The best candidate so far; start with {.name = what was written}. */
typedef struct nearest {
  const char *name;
  const char *best; /* NULL: none is near enough */
  size_t distance;
} nearest;

/* Whether 'candidate' is nearer than all before; then it is the best.  Very
** long names are never near.  Equally near ones: the first in the alphabet. */
bool nearest_try(nearest *, const char *candidate);

#endif
