/* How a state is cut into blocks, the elements that 'collapse+tree' numbers.
**
** Components that are neighbours share a block of at most some bytes, which
** fits a quad: numbering them one by one and then their pairs would need as
** many entries, and two lookups instead of one.  A longer component is a block
** of its own.
**
**   components  | slice | slice | process | process |   channel   |
**   blocks      |     block     |      block        |    block    |
**
** With a fixed map the cut is the same for all states.  Otherwise sizes of
** entities are known from their tags, so that a cut depends on the state; but
** the first blocks, before that with the last slice of the globals, are the
** same for all: the plain ones.  The other blocks keep their length in the last
** byte of their quad, so that they can be read without knowing what follows. */

#ifndef NUT_CODEC_BLOCKS_H
#define NUT_CODEC_BLOCKS_H

#include "base/components.h"
#include "base/quad.h"
#include <string.h>

enum { BLOCK_BYTES = 16 };

typedef struct block_cut {
  uint32_t count;      /* blocks; 0: nothing was cut yet */
  uint32_t components; /* of the state */
  uint32_t start[COMPONENTS_LIMIT + 1];
  uint16_t of[COMPONENTS_LIMIT]; /* the block of a component */
  /* Unless the map is fixed: where the entities stand, and their tags. */
  uint32_t at[COMPONENTS_LIMIT];
  uint16_t tag[COMPONENTS_LIMIT];
} block_cut;

/* Where to cut: components share at most 'limit' bytes, and some of the first
** BLOCK_BREAKS begin a block in any case. */
enum { BLOCK_BREAKS = 64 };
typedef struct block_plan {
  uint32_t limit;
  uint64_t breaks; /* bit c: component c begins a block */
} block_plan;

/* Cuts a state ('state' is not read when the map is fixed). */
void blocks_cut(const component_map *, const block_plan *, const uint8_t *state,
                uint32_t length, block_cut *);

/* The same when the cut may be that of another state, which it mostly is:
** then it is right already, and comparing tags is quicker than cutting. */
void blocks_cut_again(const component_map *, const block_plan *,
                      const uint8_t *state, uint32_t length, block_cut *);

/* The number of blocks of a state. */
uint32_t blocks_count(const component_map *, const block_plan *,
                      const uint8_t *state, uint32_t length);

/* A plan without breaks for states like this one: its limit is as small as
** possible without more blocks than BLOCK_BYTES would give, so that the blocks
** are of similar length; but at least two blocks where there are two
** components. */
block_plan blocks_plan(const component_map *, const uint8_t *state,
                       uint32_t length);

/* The number of plain blocks, given the cut of some state. */
static inline uint32_t blocks_plain(const component_map *m,
                                    const block_cut *cut)
{
  return m->fixed ? cut->count : cut->of[m->slices - 1];
}

/* BLOCK_BYTES bytes of ones, then as many of zeros. */
extern const uint8_t block_masks[2 * BLOCK_BYTES];

/* Up to BLOCK_BYTES bytes as a quad; so many can be read at 'bytes'. */
static inline quad block_key(const uint8_t *bytes, uint32_t length)
{
  quad q, mask;
  memcpy(&q, bytes, sizeof q);
  memcpy(&mask, block_masks + BLOCK_BYTES - length, sizeof mask);
  return (quad){q.low & mask.low, q.high & mask.high};
}

/* The same for a block that is not plain: with its length, plus one, so that
** the quad is never 0 (which is no block). */
static inline quad block_key_with_length(const uint8_t *bytes, uint32_t length)
{
  quad q = block_key(bytes, length);
  q.high |= (uint64_t)(length + 1) << 56;
  return q;
}

static inline uint32_t block_key_length(quad q)
{
  return (uint32_t)(q.high >> 56) - 1;
}

/* A quad that stands for a long block, which is kept elsewhere. */
enum { BLOCK_IS_LONG = 255 };
static inline quad block_key_long(uint32_t number)
{
  return (quad){number, (uint64_t)BLOCK_IS_LONG << 56};
}

#endif
