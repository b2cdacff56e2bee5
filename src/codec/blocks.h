/* How a state is cut into blocks, the elements that 'collapse+tree' numbers.
**
** A block is up to 16 bytes of a state, which fit a quad: numbering components
** one by one and then their pairs would need as many entries, and two lookups
** instead of one.  There are two kinds of plans:
**
**   plain      components that are neighbours share a block
**
**     components  | slice | slice | process | process |   channel   |
**     blocks      |     block 0   |      block 1      |   block 2   |
**
**   gathered   each unit has the block that the plan says, wherever it stands;
**              units of a block follow each other there in the order of the
**              state.  A unit is a component, or a part of one whose size is
**              the same in all states: a slice of the globals, anything when
**              the map is fixed.
**
**     units       | a | b | c | d | process | process | process |
**     of            0   1   0   1      1         0         2
**     blocks      | a c process | b d process | process |
**
** A component that is longer than a block is a block of its own, kept as a
** string elsewhere.
**
** With a fixed map the cut is the same for all states.  Otherwise sizes of
** entities are known from their tags, so that a cut depends on the state.
** Blocks that have nothing but slices are the same for all: the even ones.
** The others keep their length in the last byte of their quad, and an entity
** that does not fit into its block goes, with all later ones of that block, to
** blocks of their own behind those of the plan, by which neighbours share them.
** So a state can be read from its quads alone, component by component: the next
** one is in its block if there is something left in that, else behind.  */

#ifndef NUT_CODEC_BLOCKS_H
#define NUT_CODEC_BLOCKS_H

#include "base/components.h"
#include "base/quad.h"
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif
#if defined __x86_64__
#include <tmmintrin.h>
#define BLOCK_SHUFFLES 1 /* the processor may have them */
#else
#define BLOCK_SHUFFLES 0
#endif

enum {
  BLOCK_BYTES = 16,
  BLOCK_UNITS = 64, /* most that a gathered plan knows */
  BLOCK_LIMIT = COMPONENTS_LIMIT + BLOCK_UNITS, /* blocks of a state */
  BLOCK_STEPS = 2 * BLOCK_UNITS,
  BLOCK_IS_LONG = 255
};

/* A step on the way from a state to a quad.  By shuffles: byte i of the quad is
** byte shuffle[i] of those at 'from', or nothing where that is 255.  Without:
** 8 bytes at 'from', of which 'mask' is taken, go 'shift' bits up. */
typedef struct block_step {
  union {
    uint8_t shuffle[BLOCK_BYTES];
    uint64_t mask;
  } u;
  uint32_t from, shift;
} block_step;

/* Bytes of a state that stand together in their block, too. */
typedef struct block_piece {
  uint32_t from, bytes;
  uint16_t at; /* in the row of all quads: 16 * block + to */
  uint16_t block;
  uint8_t to;
} block_piece;

/* A block of a state.  'mark' is the last byte of its quad, and 'marked' 255 if
** there is such a byte.  Steps 'first' up to 'end' lead to the quad; none: it is
** in one piece.  The bits 'fixed' of the quad, its mark and the tags of entities
** in it, are 'tags' in all states that are cut so. */
typedef struct block_part {
  quad fixed, tags;
  uint32_t from, bytes;
  uint16_t first, end;
  uint8_t mark, marked;
} block_part;

/* What a cut knows of its i-th block, piece and component. */
typedef struct block_entry {
  block_part part;
  block_piece piece; /* in the order of the state */
  uint32_t at;       /* unless the map is fixed: where an entity stands, */
  uint16_t tag;      /* and its tag */
} block_entry;

/* The entries are lent by whoever makes a cut, as many as 'blocks_most' says. */
typedef struct block_cut {
  uint32_t count;      /* blocks; 0: nothing was cut yet */
  uint32_t components; /* of the state */
  uint32_t length;
  uint32_t piece_count, step_count;
  bool is_loose;     /* the masks below do not tell all blocks */
  bool has_long;     /* some block is long */
  uint64_t mask[64]; /* the blocks with a component; of 63: and of all later */
  block_step steps[BLOCK_STEPS];
  block_entry *entries;
} block_cut;

/* A cut with entries for any state. */
typedef struct block_any_cut {
  block_cut cut;
  block_entry entries[BLOCK_LIMIT];
} block_any_cut;

static inline block_cut *blocks_open(block_any_cut *any)
{
  any->cut.count = 0;
  any->cut.entries = any->entries;
  return &any->cut;
}

/* Where to cut.  In a plain plan, and behind the blocks of a gathered one,
** neighbours share at most 'limit' bytes. */
typedef struct block_plan {
  uint32_t limit;
  bool shuffles;       /* how steps are made; false unless somebody says so */
  uint32_t units;      /* gathered: of which there are so many, */
  uint32_t unit_bytes; /* of so many bytes at most, unless entities; */
  uint32_t blocks;     /* into so many blocks; 0: the plan is plain */
  uint64_t even;       /* those that have nothing but slices */
  uint8_t of[BLOCK_UNITS];
} block_plan;

/* The most blocks, pieces or components that a state of up to so many bytes can
** have. */
uint32_t blocks_most(const component_map *, uint32_t length);

/* Whether this processor shuffles. */
bool blocks_can_shuffle(void);

/* Cuts a state ('state' is not read when the map is fixed). */
void blocks_cut(const component_map *, const block_plan *, const uint8_t *state,
                uint32_t length, block_cut *);

/* Whether a state is cut so: entities of the same tags are of the same sizes, so
** that each stands where the one before it ends. */
bool blocks_are_cut_so(const component_map *, const uint8_t *state,
                       uint32_t length, const block_cut *);

/* Cuts a state when the cut may be that of another one, which it mostly is: then
** it is right already, and comparing tags is quicker than cutting. */
void blocks_cut_again(const component_map *, const block_plan *,
                      const uint8_t *state, uint32_t length, block_cut *);

/* The number of blocks of a state. */
uint32_t blocks_count(const component_map *, const block_plan *,
                      const uint8_t *state, uint32_t length);

/* A plain plan for states like this one: its limit is as small as possible
** without more blocks than BLOCK_BYTES would give, so that the blocks are of
** similar length; but at least two blocks where there are two components. */
block_plan blocks_plan(const component_map *, const uint8_t *state,
                       uint32_t length);

/* Writes the start of each unit of a state, up to BLOCK_UNITS of them, and the
** end of the last; returns how many there are, also when these are more. */
uint32_t blocks_units(const component_map *, uint32_t unit_bytes,
                      const uint8_t *state, uint32_t length,
                      uint32_t starts[BLOCK_UNITS + 1]);
/* How many of them are in all states, of the same size. */
uint32_t blocks_even_units(const component_map *, uint32_t unit_bytes);

/* The bytes that a block has room for. */
static inline uint32_t blocks_room(bool is_even)
{
  return is_even ? BLOCK_BYTES : BLOCK_BYTES - 1;
}

/* Reads a gathered state from its quads.  'bytes' tells the content of a block
** and its length, 0 for one that is not there.  Returns the length. */
typedef const uint8_t *block_content(void *context, uint32_t block,
                                     uint32_t *length);
uint32_t blocks_read(const component_map *, const block_plan *,
                     block_content *content, void *context, uint8_t *out);

/* ---- quads ------------------------------------------------------------ */

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

static inline uint8_t block_mark(quad q)
{
  return (uint8_t)(q.high >> 56);
}

/* The length that the mark of a quad tells, of a block that is not long.  It is
** kept plus one, so that the quad is never 0 (which is no block). */
static inline uint32_t block_length(quad q)
{
  return block_mark(q) - (block_mark(q) != 0);
}

/* A quad that stands for a long block, which is kept elsewhere. */
static inline quad block_key_long(uint32_t number)
{
  return (quad){number, (uint64_t)BLOCK_IS_LONG << 56};
}

/* The quad of a block that is in several pieces, but for its mark. */
static inline quad block_gather(const block_cut *cut, const block_part *b,
                                const uint8_t *state)
{
  uint64_t word[2] = {0, 0};
  for (uint32_t i = b->first; i < b->end; i++) {
    const block_step *s = &cut->steps[i];
    uint64_t bytes;
    memcpy(&bytes, state + s->from, sizeof bytes);
    word[s->shift >> 6] |= (bytes & s->u.mask) << (s->shift & 63);
  }
  return (quad){word[0], word[1]};
}

#if BLOCK_SHUFFLES
#define BLOCK_SHUFFLE_TARGET __attribute__((target("ssse3")))

BLOCK_SHUFFLE_TARGET static inline __m128i
block_shuffle_vector(const block_cut *cut, const block_part *b,
                     const uint8_t *state)
{
  const block_step *s = &cut->steps[b->first], *end = &cut->steps[b->end];
  __m128i all = _mm_setzero_si128();
  for (; s < end; s++) {
    __m128i bytes =
        _mm_loadu_si128((const __m128i *)(const void *)(state + s->from));
    __m128i how = _mm_loadu_si128((const __m128i *)(const void *)&s->u);
    all = _mm_or_si128(all, _mm_shuffle_epi8(bytes, how));
  }
  return all;
}

static inline quad block_quad_of(__m128i v)
{
  return (quad){(uint64_t)_mm_cvtsi128_si64(v),
                (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(v, v))};
}

BLOCK_SHUFFLE_TARGET static inline quad
block_shuffle(const block_cut *cut, const block_part *b, const uint8_t *state)
{
  return block_quad_of(block_shuffle_vector(cut, b, state));
}
#endif

/* The quad of a block that is not long, by the steps of its cut; BLOCK_BYTES can
** be read behind the state. */
quad blocks_key(const block_plan *, const block_cut *, const block_part *,
                const uint8_t *state);

#endif
