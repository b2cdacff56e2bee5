/* Handles of states in few bytes, for who needs them again much later: runs of
** them, one behind the other, each sorted.
**
**   run     how many | difference ...
**
** A handle is two numbers of 32 bits, the upper and the lower one.  Where the upper
** one is that of the handle before, twice the difference of the lower ones is
** written; otherwise twice that of the upper ones plus 1, then the lower one.
** Numbers take seven bits of each byte, the last of which is below 128.  That is
** about two bytes for a state of a level, instead of eight.
**
** All zero, but for address space, is an empty list. */

#ifndef NUT_SEARCH_LEVELS_HANDLE_LIST_H
#define NUT_SEARCH_LEVELS_HANDLE_LIST_H

#include "search/levels/frontier.h"
#include <stdbool.h>

typedef struct handle_list {
  reserve memory;
  size_t used; /* bytes */
} handle_list;

/* Sorts the handles, which are all different, and adds them as a run; 'other' has
** room for as many.  False: no memory, and nothing was added. */
bool handle_list_add(handle_list *, store_handle *handles, size_t count,
                     store_handle *other);
/* Adds the handles of the run at byte '*at' to 'to', and goes on to the next run.
** False: no memory. */
bool handle_list_read(const handle_list *, size_t *at, frontier *to);

#endif
