/* States as they are, one after the other, in a file:
**
**   state           (length + 1) * 2 + mark; nothing is 0
**                   of the length of the one before: how many bytes differ, and for
**                   each how many are equal before it, and the byte
**                   otherwise, or if many differ (length + 1): the bytes */

#ifndef NUT_SEARCH_CHECKPOINT_STATE_TEXT_H
#define NUT_SEARCH_CHECKPOINT_STATE_TEXT_H

#include "base/system/block_file.h"
#include "base/vec.h"
#include <stdbool.h>
#include <stdint.h>

typedef VEC(uint8_t) state_bytes;

typedef struct state_writer {
  block_writer *to;
  uint8_t *last;   /* the one before, */
  uint32_t length; /* which is so long; UINT32_MAX: there is none */
} state_writer;

/* For states that are at most as long as there is room for in 'last'. */
void state_write(state_writer *, const uint8_t *state, uint32_t length,
                 bool marked);

typedef struct state_reader {
  block_reader *from;
  uint32_t longest, length;
  state_bytes state; /* the last one */
} state_reader;

/* States have at most so many bytes. */
void state_read_begin(state_reader *, block_reader *, uint32_t longest);
/* The next one.  False: there is none, or something is wrong. */
bool state_read(state_reader *, bool *marked);

#endif
