/* What the parts of 'collapse+tree' share:
**
**   collapse_tree.c     the store: making trees, encoding, decoding
**   collapse_learn.c    when a better tree is looked for
**   shared_tree.c       several threads
**   encode.inc          a batch is encoded and inserted, the hottest loops of all;
**                       as often as there are ways by which processors do it */

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

/* Gives packed nodes whose children have outgrown them the bits that these need
** by now; all tables stay as they are, and roots get other numbers.  False: no
** memory, or too few bits. */
bool collapse_tree_repack(collapse_tree *, const store_offer *);

/* When the tables need much memory beside the roots, looks for a better way to
** cut states and rebuilds the tree.  Whether it did; not finding one is no
** error.  The first time is early, with a part of the states at which this is
** wanted: then only a tree that is bad is replaced. */
enum { LEARN_EARLY = 4 };
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

/* The tuples of the offers. */
static inline uint32_t *encode_values(const collapse_tree *s)
{
  return s->values + (size_t)STORE_HANDS * tree_values(&s->now.tree);
}

/* Finds the places of tuples among the roots, one by one.  One that is found
** before the roots are widened has another shape, and is found again. */
bool collapse_tree_find_places(collapse_tree *, const uint32_t *values,
                               collapse_tree_probe *, uint32_t count);

/* The largest number of what a child of the root stands for. */
static inline uint32_t encode_most(const collapse_tree *s, uint32_t child)
{
  const tree *t = &s->now.tree;
  if (__builtin_expect(t->packed != 0, 0) && child >= t->leaves)
    return tree_most(t, s->now.blocks, child - t->leaves);
  const quads *table =
      child < t->leaves ? &s->now.blocks[child] : &t->tables[child - t->leaves];
  return __atomic_load_n(&table->count, __ATOMIC_RELAXED);
}

/* The same, together: nearly always the keys have room for all that there can
** be. */
static inline bool encode_places(collapse_tree *s, const uint32_t *values,
                                 collapse_tree_probe *probes, uint32_t count)
{
  const tree *t = &s->now.tree;
  const roots r = t->roots;
  uint32_t stride = tree_values(t), left_at = t->left, right_at = t->right;
  if (!r.inverse ||
      !roots_fits(&r, encode_most(s, left_at), encode_most(s, right_at)))
    return collapse_tree_find_places(s, values, probes, count);
  for (uint32_t i = 0; i < count; i++, values += stride) {
    uint32_t left = values[left_at], right = values[right_at];
    roots_place place = roots_locate(&r, left, right);
    roots_prefetch(&r, place);
    probes[i] =
        (collapse_tree_probe){(uint64_t)left << 32 | right, place, r.shape};
  }
  return true;
}

/* What is read of the roots for each of many, until the table changes. */
typedef struct encode_shape {
  uint8_t *buckets;
  uint64_t shape, top_mask;
  uint32_t slots, top_bytes;
} encode_shape;

static inline encode_shape encode_shape_of(const roots *r)
{
  return (encode_shape){r->buckets, r->shape, r->top_mask, r->slots,
                        r->top_bytes};
}

#endif
