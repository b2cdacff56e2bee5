/* The levels of a second walk (search/levels/ways.c), when they do not fit into
** memory: their handles one after the other, read back from any place.
**
**   block    511 handles | sum
**
** What is not a whole window of blocks yet stays in memory, in 'team.kept'. */

#ifndef NUT_SEARCH_DISK_KEPT_LEVELS_H
#define NUT_SEARCH_DISK_KEPT_LEVELS_H

#include "search/disk/run_file.h"
#include "search/levels/frontier.h"

enum { KEPT_WINDOW = (RUN_BLOCK / 8 - 1) * RUN_WINDOW_LEAST }; /* handles */

typedef struct kept_levels {
  int file;       /* 0: there is none yet */
  uint64_t count; /* handles in it */
} kept_levels;

/* Writes what there is of whole windows and takes it from the list; false: see
** 'io.error'. */
bool kept_levels_write(kept_levels *, run_io *, frontier *);
/* Reads up to 'most' handles, from number 'at' on, and adds them to the list; how
** many, 0 when there is an error or no memory. */
size_t kept_levels_read(const kept_levels *, run_io *, uint64_t at, size_t most,
                        frontier *to);
void kept_levels_free(kept_levels *, run_io *);

#endif
