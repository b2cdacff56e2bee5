/* Goes through markings of a net one by one for one goal, breadth-first, with
** stubborn sets: for nets that have become small. */

#ifndef NUT_NET_EXPLORE_H
#define NUT_NET_EXPLORE_H

#include "base/limits.h"
#include "net/claim.h"
#include "net/firing.h"

typedef enum {
  EXPLORE_REACHED, /* the path leads there */
  EXPLORE_REFUTED, /* all was looked at */
  EXPLORE_ENDED    /* too many markings, or a limit */
} explore_end;

/* The goal is a claim, or NULL: a dead marking.  At most so many markings are
** kept.  With 'all', no stubborn sets are used.  Leaves by the memory guard. */
explore_end explore_run(const petri *, const claim *goal, bool all,
                        uint64_t most, limits *, firing_path *path);

#endif
