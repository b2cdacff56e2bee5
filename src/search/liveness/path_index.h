/* An index of the path of a search: which frames may hold a state, by the hash
** of the state.  Slots have the number of a frame plus 1 and, in the upper
** half, a part of its hash; 0 is free.  Frames leave in the reverse order of
** their coming, so that removing one never cuts a row of slots that others were
** pushed along.  All zero is a valid empty one. */

#ifndef NUT_SEARCH_LIVENESS_PATH_INDEX_H
#define NUT_SEARCH_LIVENESS_PATH_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct path_index {
  uint64_t *slots;
  size_t mask, count;
} path_index;

void path_index_free(path_index *);
void path_index_clear(path_index *);
size_t path_index_bytes(const path_index *);

/* Makes room for one frame more.  True: the index is empty now, and the caller
** puts all its frames in again, in the order of their coming. */
bool path_index_make_room(path_index *);
void path_index_put(path_index *, uint64_t hash, size_t frame);
/* The frame that came last. */
void path_index_remove(path_index *, uint64_t hash, size_t frame);

/* Goes through the frames whose state may have this hash: '*at' begins as the
** hash.  SIZE_MAX: no more. */
static inline size_t path_index_next(const path_index *x, uint64_t hash,
                                     uint64_t *at)
{
  if (!x->slots)
    return SIZE_MAX;
  for (uint64_t slot; (slot = x->slots[*at & x->mask]);) {
    ++*at;
    if (slot >> 32 == hash >> 32)
      return (uint32_t)slot - 1;
  }
  return SIZE_MAX;
}

#endif
