/* What a search with a disk has, as whole states: for a file from which it goes on
** (search/checkpoint), with a disk or without.
**
** All stand still, perhaps in the middle of a level.  With a reduction no choice may
** wait ('disk_settles').  A state may be in several parts:
**
**   OLD          known states; with a reduction those of earlier levels, with what
**                became of them, and of this one as far as it is expanded
**   HERE, NEXT   with a reduction: of this level and the next, where OLD need not
**                have them
**   DONE         with a reduction: expanded, in memory; marked: fully
**   LEFT         of this level, not expanded
**   COMING       of the next level
**   CANDIDATES   perhaps of the next level; without a reduction */

#ifndef NUT_SEARCH_DISK_KEPT_DISK_H
#define NUT_SEARCH_DISK_KEPT_DISK_H

#include "search/disk/disk.h"

typedef enum {
  DISK_OLD,
  DISK_HERE,
  DISK_NEXT,
  DISK_DONE,
  DISK_LEFT,
  DISK_COMING,
  DISK_CANDIDATES,
  DISK_PARTS
} disk_part;

/* Calls 'visit' for each state of the part.  False: the disk fails. */
typedef void disk_visit(void *context, const uint8_t *state, uint32_t length,
                        bool marked);
bool disk_each(disk *, disk_part, disk_visit *, void *context);

/* Whether the moment can be told; the run ends here ('last'): then it is made so. */
bool disk_can_be_told(disk *, bool last);

/* Whether so many states are too many for the memory; not without a disk. */
bool disk_is_needed(const disk *, uint64_t states);

/* The other way: a search that has not begun takes the parts in their order, of
** states that are at most so long.  False: no memory, or the disk fails. */
bool disk_take_begin(disk *, uint32_t longest);
void disk_take_part(disk *, disk_part);
void disk_take(disk *, disk_part, const uint8_t *state, uint32_t length,
               bool marked);
bool disk_take_end_part(disk *, disk_part);
bool disk_take_end(disk *);

#endif
