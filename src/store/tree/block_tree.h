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
  uint32_t plain; /* blocks that all states share */
  block_cut cut;  /* of a state; that of all when the map is fixed */
  quads *blocks;  /* by position */
  part *strings;  /* by position: long blocks */
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
bool block_tree_long_key(block_tree *, uint32_t i, const uint8_t *bytes,
                         uint32_t length, quad *key);
static inline bool block_tree_key(block_tree *t, const block_cut *cut,
                                  uint32_t i, const uint8_t *state, quad *key)
{
  uint32_t at = cut->start[i], length = cut->start[i + 1] - at;
  /* The last byte of a quad that is not plain is for its length. */
  if (length > (i < t->plain ? BLOCK_BYTES : BLOCK_BYTES - 1))
    return block_tree_long_key(t, i, state + at, length, key);
  *key = i < t->plain ? block_key(state + at, length)
                      : block_key_with_length(state + at, length);
  return true;
}

/* Encodes a whole state, which is cut so, into 'values' (tree_values of them).
** False: no memory, or the state has more blocks than the tree has leaves. */
bool block_tree_encode(block_tree *, const block_cut *, const uint8_t *state,
                       uint32_t *values);

/* Writes the state whose tree has these values, with up to BLOCK_BYTES of
** rubbish behind it, and keeps the quads of its blocks.  Returns its length. */
uint32_t block_tree_decode(const block_tree *, const uint32_t *values,
                           quad *keys, uint8_t *out);

#endif
