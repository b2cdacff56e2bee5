/* Whether an observer looks at what happens, and not at how many steps it
** takes: then steps that change nothing it looks at may be put elsewhere.
**
** For formulas that is known from their shape.  A claim is an automaton that
** somebody wrote: it is looked at letter by letter, a letter being the truth of
** all its conditions.  It ignores stuttering when, for each letter,
**
**   where it can move from one place to another, it can also do so in two
**   moves;
**   where it can in two moves, it can in one, and passes no accepting place
**   less;
**
** so that a run over one word becomes a run over any other that repeats letters
** more, or less, often. */

#ifndef NUT_SEARCH_OBSERVER_STUTTER_H
#define NUT_SEARCH_OBSERVER_STUTTER_H

#include "search/observer/observer.h"

/* NULL: it does ignore stuttering.  Otherwise why that is not known. */
const char *stutter_trouble(observer *);

#endif
