/* What the parts of 'collapse+tree' share:
**
**   collapse_tree.c     the store: making trees, encoding, decoding
**   collapse_learn.c    when a better tree is looked for
**   shared_tree.c       several threads
**   encode.inc          the numbers of changed blocks, the hottest loop of all;
**                       twice, for processors that shuffle and for others */

#ifndef NUT_STORE_TREE_COLLAPSE_TREE_INTERNAL_H
#define NUT_STORE_TREE_COLLAPSE_TREE_INTERNAL_H

#include "store/tree/collapse_tree.h"

enum {
  COLLAPSE_SLACK = 2 * BLOCK_BYTES, /* whole blocks are read and written */
  ENCODE_QUERIES = 128              /* blocks looked up together */
};

/* Gives the hands their places in the buffers; nothing is at hand then. */
void collapse_tree_set_hands(collapse_tree *);
/* 'view' writes a state at hand into its room, which is enough for every state
** that is stored.  Nothing is at hand after more room was made. */
bool collapse_tree_room_for(collapse_tree *, uint32_t bytes);
/* What is to be done first when a state may be another than those known: longer,
** or of more blocks.  False: no memory, or somebody else must do it. */
bool collapse_tree_make_way(collapse_tree *, const store_offer *,
                            uint32_t count);
/* Gives back what belongs to the hands. */
void collapse_tree_drop_hands(collapse_tree *);
size_t collapse_tree_bytes(const store *);

/* A view gets the tables as they are now; when the tree is another one, nothing
** is at hand any more.  False: no memory. */
bool collapse_tree_follow(collapse_tree *view, const collapse_tree *shared);
extern const store_sharing collapse_tree_sharing;
void tree_share_destroy(tree_share *);
extern const store_spilling collapse_tree_spilling;

/* Rebuilds the tree by a plan, with leaves for all that is stored and
** offered.  False: no memory. */
bool collapse_tree_reshape(collapse_tree *, block_tree_plan *,
                           const store_offer *, uint32_t count);

/* When the tables need much memory beside the roots, looks for a better way to
** cut states and rebuilds the tree.  Whether it did; not finding one is no
** error. */
bool collapse_tree_learn(collapse_tree *, const store_offer *, uint32_t count);

/* Blocks whose numbers are asked for together. */
typedef struct encode_questions {
  uint32_t count;
  quads_query list[ENCODE_QUERIES];
} encode_questions;

/* A block gets its number, now or later.  False: no memory. */
static inline bool encode_ask(encode_questions *q, quads *table, quad key,
                              uint32_t *number)
{
  if (quads_is_near(table)) {
    *number = quads_number(table, key, quad_hash(key));
    return *number != QUADS_FULL;
  }
  if (q->count == ENCODE_QUERIES) {
    if (!quads_answer(q->list, ENCODE_QUERIES))
      return false;
    q->count = 0;
  }
  quads_ask(&q->list[q->count++], table, key, number);
  return true;
}

/* Whether the state is cut like the one at hand. */
static inline bool encode_is_alike(const collapse_tree_hand *h,
                                   const store_offer *o)
{
  return o->changed != UINT64_MAX && o->length == h->length;
}

typedef enum {
  ENCODE_DONE,
  ENCODE_FULL,  /* there is no memory */
  ENCODE_OTHERS /* some state is not cut like that at hand; nothing was done */
} encode_result;

/* Numbers the changed blocks of states that are all cut like those at hand, in a
** tree with so few inner nodes that a word says which.  'values' gets the tuple
** of each, 'dirty' the inner nodes that must be recomputed.  Both functions do
** the same. */
encode_result encode_gathered(collapse_tree *, const store_offer *,
                              uint32_t count, uint32_t *values,
                              uint64_t *dirty);
encode_result encode_shuffled(collapse_tree *, const store_offer *,
                              uint32_t count, uint32_t *values,
                              uint64_t *dirty);

#endif
