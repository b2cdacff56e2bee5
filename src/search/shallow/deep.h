/* Errors that lie deep, beside a search that goes level by level.
**
** An error many levels away may be met soon by a search that goes depth first,
** and never by levels.  So where the order is left to us a search by levels
** pauses behind some level for a *dive*: a depth-first search of its own, with
** a store of its own, over so many states (search_options.prefix).  An error
** that it finds is the answer.  Otherwise all of it is thrown away, and the
** levels go on as if it had not been.
**
** Dives grow fourfold.  One begins when all dives so far, and it, are a
** twentieth of the states of the levels; after DEEP_LAST there are no more.
** Nothing here looks at a clock, and one thread dives while the others wait: what
** is found is a function of model, questions and options.  On several ranks each
** of them does the same dive, and they agree on what it found.
**
** A dive takes memory, for a while.  Where a limit of memory was asked for, it
** must be so large that a dive is a small part of it; and where states go to a
** disk, memory is what lacks: then there are none. */

#ifndef NUT_SEARCH_SHALLOW_DEEP_H
#define NUT_SEARCH_SHALLOW_DEEP_H

#include <stdint.h>

#define DEEP_FIRST UINT64_C(400000)
#define DEEP_LAST UINT64_C(1600000)

struct search;

typedef struct deep {
  uint64_t due;  /* states of the levels; 0: never */
  uint64_t size; /* states of the next dive */
} deep;

/* For a walk by levels that begins. */
void deep_start(struct search *);
/* Dives that are due behind a level; may stop the walk. */
void deep_step(struct search *);

#endif
