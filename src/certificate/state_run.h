/* All states in order, in few bytes: how a certificate has them.
**
** States are handed over as bytes, in any order, each once; none is the beginning
** of another one.  They are gathered
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

typedef VEC(uint8_t) byte_list;

typedef struct state_sorter state_sorter;

/* The buffer has room for so many bytes.  With ranks, each state has one, which
** stands in a block beside the states. */
state_sorter *state_sorter_create(size_t buffer_bytes, bool ranked);
void state_sorter_destroy(state_sorter *); /* NULL is fine */
void state_sorter_add(state_sorter *, const uint8_t *state, size_t length);
void state_sorter_add_ranked(state_sorter *, byte_list *state, uint32_t rank);
/* Writes all of them as blocks of the file; answers how many there are. */
uint64_t state_sorter_finish(state_sorter *, nut_sink *, void *context);

/* Bytes of what it wrote that are ranks. */
uint64_t state_sorter_rank_bytes(const state_sorter *);

/* ---- blocks of a file, see docs/certificates.md ------------------------- */

typedef enum {
  BLOCK_FACTS = 1,
  BLOCK_MODEL = 2,
  BLOCK_STATES = 3,
  BLOCK_END = 4,
  BLOCK_MARKS = 5,
  BLOCK_PRODUCT = 6,
  BLOCK_RANKS = 7
} block_kind;

void put_packed_number(byte_list *, uint32_t);
/* The numbers of the canonical bytes of a state (program/canonical.h). */
void put_canonical(byte_list *, const uint8_t *canonical, size_t length);
/* Writes a block of 'count' states, or of something else; its bytes. */
size_t write_block(block_kind, uint32_t count, const void *raw, size_t length,
                   nut_sink *, void *context);

#endif
