/* The path of a depth-first search that keeps its states itself: the one it
** stands in whole, each before it by what differs from the one behind.
**
**   entry:  gap count bytes | gap count bytes | ...   longer  next  size
**
** A gap is how many bytes are alike, and 'bytes' are the exclusive or of those
** that are not; where one state is shorter it is taken to have zeros.  'longer'
** is by how much the later state is, 'next' a number that the one before was left
** with, 'size' the bytes before it.  Numbers have seven bits in a byte, and the
** last three are read from their ends: so the path can be gone back; and as
** exclusive or works both ways, it can be gone from its start, for a trace.
**
** Always: 'state' is the last of the path. */

#ifndef NUT_SEARCH_WALK_STATE_PATH_H
#define NUT_SEARCH_WALK_STATE_PATH_H

#include "base/system/reserve.h"
#include "search/walk/parents.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct path_point {
  uint8_t *bytes;
  uint32_t length, room;
} path_point;

typedef struct state_path {
  reserve entries;
  size_t used;
  uint64_t depth; /* states before the last */
  path_point state;
  /* For those who go from the start: the first state, and where they are. */
  path_point first, walked;
  size_t walked_to;
} state_path;

/* A path of one state.  False: no address space. */
bool path_create(state_path *, size_t max_bytes, const uint8_t *state,
                 uint32_t length);
void path_destroy(state_path *); /* an all-zero one is fine */
/* Goes on to another state, and notes a number with the one it leaves.  False: no
** memory, and nothing has changed. */
bool path_push(state_path *, uint32_t next, const uint8_t *state,
               uint32_t length);
/* Goes back to the state before, which there must be; returns the number that it
** was left with. */
uint32_t path_pop(state_path *);
/* The places of all states, from the first on. */
void path_list(state_path *, number_list *places);
/* The state at a place of the list; one asks for them in order, and may begin
** again with the first or the second.  Valid until the next call. */
const uint8_t *path_at(state_path *, uint64_t place, uint32_t *length);

#endif
