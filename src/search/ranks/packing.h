/* States on their way to another rank: each is told by what differs from the one
** before it in the same packet.
**
**   packet   state, state, ...
**   state    8 * length   and the bytes of it, whole; or
**            + 4          then who is asleep in it (levels/asleep.h), a number of
**                         its own, comes before the bytes
**            1            and what differs from the one before, as long.  Of at
**                         most two words of eight bytes: for each a bit for each
**                         byte, then the bytes.  Of more words: a bit for each,
**                         and for each that differs a bit for each byte, and the
**                         bytes
**            + 4 * n      n is who is asleep
**            + 2          it is asked whether the state keeps a promise
**
** The first is a number with seven bits to a byte, the low ones first.  In a packet
** of steps each state has such a number before it: what the step gives.  Who is
** asleep is a bit for each process from the second on, as the oldest never is: so of
** six processes it costs nothing. */

#ifndef NUT_SEARCH_RANKS_PACKING_H
#define NUT_SEARCH_RANKS_PACKING_H

#include "base/ranks/ranks.h"
#include "program/program.h"

/* A packet with so many states or bytes is sent. */
enum { PACKET_STATES = 512, PACKET_BYTES = 32 * 1024 };

typedef struct packer {
  rank_bytes packet;
  rank_bytes last; /* the state before, and zeros up to whole words */
  uint32_t states; /* in the packet */
} packer;

void packer_add(packer *, const uint8_t *state, uint32_t length, bool asks,
                uint16_t asleep);
/* A step to a state, in a packet that has no others. */
void packer_add_step(packer *, const uint8_t *state, uint32_t length,
                     uint64_t gains);
static inline bool packer_is_full(const packer *p)
{
  return p->states >= PACKET_STATES || p->packet.len >= PACKET_BYTES;
}
/* A new packet begins. */
void packer_clear(packer *);
void packer_free(packer *);

typedef VEC(uint64_t) packet_gains;

/* The states of a packet become the successors in the batch; those that are asked
** about have the edge 1, others 0; 'others' is who is asleep; no more is set.  In a
** packet of steps each has its gains; NULL: it is none. */
void packet_unpack(const uint8_t *packet, size_t length, batch *,
                   packet_gains *);

#endif
