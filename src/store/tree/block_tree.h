/* States as trees: cut into blocks (codec/blocks.h), each block numbered in the
** table of its position, and the tuple of these numbers stored as a tree.
**
** A tree is made for states of up to so many blocks; one with more needs
** another tree, rebuilt. */

#ifndef NUT_STORE_TREE_BLOCK_TREE_H
#define NUT_STORE_TREE_BLOCK_TREE_H

#include "codec/blocks.h"
#include "codec/collapse.h"
#include "store/tree/tree.h"

typedef struct block_tree {
  component_map map;
  block_plan plan;
  block_cut cut; /* of a state; that of all when the map is fixed */
  uint32_t cut_room;
  quads *blocks; /* by position */
  part *strings; /* by position: long blocks */
  tree tree;
} block_tree;

/* How states are cut and their blocks put together. */
typedef struct block_tree_plan {
  block_plan blocks;
  tree_plan tree;
} block_tree_plan;

/* A plan for states like this one, when nothing else is known. */
void block_tree_plan_for(block_tree_plan *, const component_map *,
                         const uint8_t *state, uint32_t length);

/* Makes sure that the tree has leaves for so many blocks. */
void block_tree_plan_widen(block_tree_plan *, uint32_t blocks);

/* Makes a tree for such states.  False: no memory. */
bool block_tree_create(block_tree *, const component_map *,
                       const block_tree_plan *, const uint8_t *state,
                       uint32_t length, size_t max_bytes);
void block_tree_destroy(block_tree *);
size_t block_tree_bytes(const block_tree *);
bool block_tree_check(const block_tree *);

/* The quad of block 'i'; BLOCK_BYTES can be read behind 'state'.  False: no
** memory for a long one. */
bool block_tree_long_key(block_tree *, uint32_t i, const block_part *,
                         const uint8_t *state, quad *key);
static inline bool block_tree_key(block_tree *t, const block_cut *cut,
                                  uint32_t i, const uint8_t *state, quad *key)
{
  const block_part *b = &cut->entries[i].part;
  if (b->mark == BLOCK_IS_LONG)
    return block_tree_long_key(t, i, b, state, key);
  *key = blocks_key(&t->plan, cut, b, state);
  return true;
}

/* Encodes a whole state, which is cut so, into 'values' (tree_values of them).
** False: no memory, or the state has more blocks than the tree has leaves. */
bool block_tree_encode(block_tree *, const block_cut *, const uint8_t *state,
                       uint32_t *values);

/* Writes the state whose tree has these values,
** with up to BLOCK_BYTES of rubbish behind it, and keeps the quads of its blocks,
** behind which there is room for one more.  Returns the length. */
uint32_t block_tree_read(const block_tree *, const uint32_t *values, quad *keys,
                         uint8_t *out);

/* ---- decoding --------------------------------------------------------- */

/* The string that stands for a long block. */
static inline const uint8_t *block_tree_long(const block_tree *t, uint32_t i,
                                             quad key)
{
  return collapse_string(&t->strings[i], (uint32_t)key.low);
}

static inline void block_tree_read_keys(const block_tree *t,
                                        const uint32_t *values, quad *keys)
{
  const quads *tables = t->blocks;
  for (uint32_t i = 0, n = t->tree.leaves; i < n; i++)
    keys[i] = quads_get(&tables[i], values[i]);
}

/* Writes a state by its cut.  Every piece overwrites the rubbish behind the one
** before it. */
static inline void block_tree_write(const block_tree *t, const block_cut *cut,
                                    const quad *keys, uint8_t *out)
{
  const block_entry *e = cut->entries, *end = e + cut->piece_count;
  for (; e < end; e++)
    memcpy(out + e->piece.from, (const uint8_t *)keys + e->piece.at,
           BLOCK_BYTES);
  for (uint32_t i = 0; cut->has_long && i < cut->count; i++) {
    const block_part *b = &cut->entries[i].part;
    if (b->mark == BLOCK_IS_LONG)
      memcpy(out + b->from, block_tree_long(t, i, keys[i]), b->bytes);
  }
}

/* Gets the quads of a state.  Whether it is cut so, as far as the quads tell: of
** entities in long blocks they do not. */
static inline bool block_tree_read_keys_so(const block_tree *t,
                                           const block_cut *cut,
                                           const uint32_t *values, quad *keys)
{
  uint32_t n = cut->count, other = !n;
  const block_entry *e = cut->entries, *end = e + n;
  const quads *table = t->blocks;
  for (uint32_t i = n; i < t->tree.leaves; i++)
    other |= values[i];
#ifdef __SSE2__
  __m128i differ = _mm_setzero_si128();
  for (; e < end; e++, table++, keys++) {
    const __m128i *row = (const __m128i *)(const void *)&table->list[*values++];
    const __m128i *fixed = (const __m128i *)(const void *)&e->part.fixed;
    __m128i q = _mm_loadu_si128(row);
    _mm_storeu_si128((__m128i *)(void *)keys, q);
    q = _mm_and_si128(q, _mm_loadu_si128(fixed));
    q = _mm_xor_si128(q, _mm_loadu_si128(fixed + 1)); /* the tags */
    differ = _mm_or_si128(differ, q);
  }
  differ = _mm_cmpeq_epi8(differ, _mm_setzero_si128());
  return !other && _mm_movemask_epi8(differ) == 0xffff;
#else
  uint64_t differ = 0;
  for (; e < end; e++, table++, keys++) {
    quad q = *keys = quads_get(table, *values++);
    differ |= ((q.low & e->part.fixed.low) ^ e->part.tags.low) |
              ((q.high & e->part.fixed.high) ^ e->part.tags.high);
  }
  return !other && !differ;
#endif
}
_Static_assert(offsetof(block_part, tags) ==
                   offsetof(block_part, fixed) + sizeof(quad),
               "tags are behind what is fixed");

/* As 'block_tree_decode', for a state that is not cut like that. */
uint32_t block_tree_decode_other(const block_tree *, const uint32_t *values,
                                 quad *keys, block_cut *cut, uint8_t *out);

/* As 'block_tree_read'.  'cut' is that of all states when the map is fixed;
** otherwise that of any state, or none, and then of this one. */
static inline uint32_t block_tree_decode(const block_tree *t,
                                         const uint32_t *values, quad *keys,
                                         block_cut *cut, uint8_t *out)
{
  if (t->map.fixed) {
    block_tree_read_keys(t, values, keys);
    block_tree_write(t, &t->cut, keys, out);
    return t->cut.length;
  }
  if (block_tree_read_keys_so(t, cut, values, keys)) {
    block_tree_write(t, cut, keys, out);
    if (!cut->has_long || blocks_are_cut_so(&t->map, out, cut->length, cut))
      return cut->length;
  }
  return block_tree_decode_other(t, values, keys, cut, out);
}

#endif
