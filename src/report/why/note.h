/* What a step saw that explains it: the values of a condition that failed, an
** index that is out of bounds, a value that did not fit.
**
**   assert(x==3)   x is 4  <- assertion violated
**   b = b + 1      b: 255 -> 0, 256 does not fit a byte
**
** The values are those of the state before the step.  Nothing is told of what
** a step reads after it has itself written something. */

#ifndef NUT_REPORT_WHY_NOTE_H
#define NUT_REPORT_WHY_NOTE_H

#include "report/story.h"

/* For the step with this index, in story.now, the state before it: a text of
** the story's, or NULL. */
const char *note_step(story *, size_t index);

/* The same for what is wrong at the end: the step that failed, or the invariant
** that is false. */
const char *note_ending(story *);

#endif
