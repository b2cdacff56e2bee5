/* Which of many names is most like another: for "did you mean ...". */

#ifndef NUT_BASE_TEXT_NEAREST_H
#define NUT_BASE_TEXT_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

/* The best candidate so far; start with {.name = what was written}.  At most a
** third of its letters may be wrong, and 'more'. */
typedef struct nearest {
  const char *name;
  size_t more;
  const char *best; /* NULL: none is near enough */
  size_t distance;
} nearest;

/* Whether 'candidate' is nearer than all before; then it is the best.  Very
** long names are never near.  Equally near ones: the first in the alphabet. */
bool nearest_try(nearest *, const char *candidate);
/* The nearest of a list, or NULL.  A short list may offer what is less near. */
const char *nearest_word(const char *word, const char *const *candidates,
                         size_t count);

#endif
