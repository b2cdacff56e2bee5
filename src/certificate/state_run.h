/* All states in order, in few bytes: how a certificate has them.
**
** States are handed over as bytes, in any order, each once.  They are gathered
** in a buffer; when it is full its states are sorted and become a *run*, in
** which a state is what differs from the one before, in blocks that are
** deflated.  In the end the runs are merged into one.  Sorted states are so much
** alike that a run takes a small part of what a store does, so the runs wait in
** memory. */

#ifndef NUT_CERTIFICATE_STATE_RUN_H
#define NUT_CERTIFICATE_STATE_RUN_H

#include "base/vec.h"
#include "nutshell.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct state_sorter state_sorter;

/* The buffer has room for so many bytes. */
state_sorter *state_sorter_create(size_t buffer_bytes);
void state_sorter_destroy(state_sorter *); /* NULL is fine */
void state_sorter_add(state_sorter *, const uint8_t *state, size_t length);
/* Writes all of them as blocks of the file; answers how many there are. */
uint64_t state_sorter_finish(state_sorter *, nut_sink *, void *context);

/* ---- blocks of a file, see docs/certificates.md ------------------------- */

typedef enum {
  BLOCK_FACTS = 1,
  BLOCK_MODEL = 2,
  BLOCK_STATES = 3,
  BLOCK_END = 4
} block_kind;

typedef VEC(uint8_t) byte_list;

void put_packed_number(byte_list *, uint32_t);
/* Writes a block of 'count' states, or of something else. */
void write_block(block_kind, uint32_t count, const void *raw, size_t length,
                 nut_sink *, void *context);

#endif
