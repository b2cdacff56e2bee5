/* A process that has read its model and will go on for long. */

#ifndef NUT_BASE_SYSTEM_SETTLE_H
#define NUT_BASE_SYSTEM_SETTLE_H

#include <stdbool.h>

/* Says that this process is ours alone; nothing is done before.  Somebody else's
** program may have written to its code. */
void settle_allow(void);

/* Gives back what only the start needed: free memory of the heap, and pages of
** programs and libraries, which are in the memory of this process once they were
** read or lay near one that was.  Those that are needed again come back by
** themselves.  Nothing else changes; it takes less than a millisecond.  Builds
** with assertions keep their pages: a debugger has its marks there.  Whether pages
** were given back. */
bool settle_memory(void);

#endif
