/* With other ranks: what all do when the search of one thread has ended or paused in
** each of them. */

#ifndef NUT_SEARCH_LIVENESS_LIVE_RANKS_H
#define NUT_SEARCH_LIVENESS_LIVE_RANKS_H

#include "search/liveness/live.h"

/* All ranks tell how it ended; 'waits': this one is to go on by levels.  Whether all
** do.  Otherwise one of them has the answer, which one that had too little memory
** takes over, or has been stopped, which stops those that wait.  Asked once for each
** search; later, and without other ranks, it says what it was told. */
bool live_ranks_agree(live *, bool waits);

#endif
