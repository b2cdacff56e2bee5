/* The store 'collapse+tree', the default: components numbered in tables, the
** tuple of numbers stored as a tree.
**
** A state handed out by 'view' is the one at hand: its successors are encoded
** by what changed against it.  A handle is the pair of numbers at the root.
**
** When a state has more components than the tree has leaves the tree is made
** anew and all handles change; the search asks 'moved' after each batch and
** then translates those it holds. */

#ifndef NUT_STORE_COLLAPSE_TREE_H
#define NUT_STORE_COLLAPSE_TREE_H

#include "codec/collapse.h"
#include "store/store.h"
#include "store/tree.h"

typedef struct collapse_tree {
  collapse codec;
  tree tree;
  tree old; /* before it was made anew; empty otherwise */
  size_t max_bytes;
  uint32_t offered; /* states since the memory was looked at */
  bool over_limit;
  uint32_t longest; /* bytes of the longest state */

  /* The state at hand. */
  bool at_hand;
  uint8_t *state;
  uint32_t room, length, count; /* bytes of room; bytes, components used */
  uint32_t offsets[COMPONENTS_LIMIT + 1];
  uint32_t *values; /* its tuple, and behind it those of TREE_TOGETHER offers */
} collapse_tree;

/* A state on its way into the store. */
typedef struct collapse_tree_probe {
  tree_handle handle;
  roots_place place;
  uint64_t buckets; /* shape of the roots when 'place' was found */
  uint32_t bits;
} collapse_tree_probe;

extern const store_class store_collapse_tree;

static inline collapse_tree *collapse_tree_of(store *s)
{
  return (collapse_tree *)s;
}

static inline uint32_t collapse_tree_max_length(const collapse_tree *s)
{
  return s->longest;
}

/* Encodes up to TREE_TOGETHER states by what changed against the one at hand.
** False: no memory. */
bool collapse_tree_prepare(collapse_tree *, const store_offer *,
                           collapse_tree_probe *, uint32_t count);
/* As 'insert' of the class, for a prepared state. */
store_result collapse_tree_insert(collapse_tree *, collapse_tree_probe,
                                  const store_offer *, store_number *handle);
/* Takes the state with this handle to hand; valid until the next call. */
const uint8_t *collapse_tree_view(collapse_tree *, store_number handle,
                                  uint8_t *out, uint32_t *length);

static inline void collapse_tree_approach(collapse_tree *s,
                                          collapse_tree_probe p)
{
  (void)s, (void)p; /* the one line needed was asked for by 'prepare' */
}

/* Whether handles changed since 'forget' was called last; the new handle of
** a state; the old ones are not needed any more. */
static inline bool collapse_tree_moved(const collapse_tree *s)
{
  return s->old.leaves != 0;
}
store_number collapse_tree_translate(collapse_tree *, store_number);
void collapse_tree_forget(collapse_tree *);

#endif
