/* The store 'collapse+tree', the default: a state is cut into blocks of
** components (codec/blocks.h), each block numbered in a table of its position,
** and the tuple of numbers stored as a tree.
**
** States handed out by 'view' are at hand: their successors are encoded by what
** changed against them.  Several can be at hand, so that the successors of
** several states travel from memory together.  A handle is the pair of numbers
** at the root.
**
** When a state has more blocks than the tree has leaves, or a better way to
** put them together was learned (tree_learn.h), the tree is rebuilt and all
** handles change; the search asks
** 'moved' after each batch and then translates those it holds.
**
** Several threads use the store by views (shared_tree.c): other stores of this
** type with the same tables. */

#ifndef NUT_STORE_TREE_COLLAPSE_TREE_H
#define NUT_STORE_TREE_COLLAPSE_TREE_H

#include "base/vec.h"
#include "store/store.h"
#include "store/tree/block_tree.h"

/* A state at hand. */
typedef struct collapse_tree_hand {
  bool is_used;
  uint32_t length;      /* UINT32_MAX: no state is cut like this one */
  uint32_t bytes;       /* its length */
  const block_cut *cut; /* its own, or that of all states */
  uint8_t *state;       /* with room behind it */
  quad *keys;           /* of its blocks */
  uint32_t *values;     /* its tuple, and the inner nodes */
} collapse_tree_hand;

/* Moves states from one tree to another. */
typedef struct collapse_tree_mover {
  block_tree *to;
  const block_tree *from;
  uint32_t *values; /* for the new tree, then for the old one */
  quad *keys;       /* of a state in the old one */
  uint8_t *state;
  block_any_cut *cuts; /* of the last state, for the new one and the old one */
  size_t value_bytes, key_bytes, state_bytes;
  uint32_t most_blocks; /* of a state in the new one */
  bool keeps_tables;    /* the new one differs in packed nodes alone */
  bool failed;
} collapse_tree_mover;

/* What threads that use the store at once have in common. */
typedef struct tree_share {
  roots_share roots;
  VEC(struct collapse_tree *) views;
} tree_share;

/* A state on its way into the store. */
typedef struct collapse_tree_probe {
  tree_handle handle;
  roots_place place;
  uint64_t shape; /* of the roots when 'place' was found */
} collapse_tree_probe;

/* How a batch is encoded and inserted, by what the processor can do. */
typedef enum { ENCODE_PLAIN, ENCODE_SHUFFLED, ENCODE_WIDE } encode_way;
typedef enum {
  ENCODE_DONE,
  ENCODE_FULL,  /* there is no memory */
  ENCODE_OTHERS /* some state is not cut like that at hand; nothing was done */
} encode_result;

struct collapse_tree;
typedef struct encode_ways {
  /* Prepares states that are all cut like those at hand, in a tree with so few
  ** inner nodes that a word says which. */
  encode_result (*encode)(struct collapse_tree *, const store_offer *,
                          uint32_t count, collapse_tree_probe *);
  /* See 'collapse_tree_insert_many'. */
  uint32_t (*insert)(roots *, const collapse_tree_probe *, uint32_t count,
                     uint32_t *done);
  bool shuffles; /* blocks are gathered so */
} encode_ways;
/* The best that this processor can do, up to one of them. */
const encode_ways *encode_ways_up_to(encode_way);

typedef struct collapse_tree {
  block_tree now;
  block_tree old;            /* before it was rebuilt; empty otherwise */
  collapse_tree_mover mover; /* from the old one, as long as it is there */
  component_map map;
  size_t max_bytes;
  uint32_t offered; /* states since the memory was looked at */
  bool over_limit;
  bool is_frozen;          /* handles are kept elsewhere: nothing is learned */
  uint32_t trees;          /* that were made */
  uint32_t longest;        /* bytes of the longest state */
  uint64_t learn_at;       /* states at which a better tree is looked for, */
  uint64_t learn_fully;    /* with fewer, only if the tree there is is bad */
  uint64_t learn_told;     /* or at which it is, when told to; 0: not told */
  const encode_ways *ways; /* when it changes, nothing may be gathered yet */

  /* Several threads: what they share, or NULL; and in a view, whose it is.  A
  ** view has the tables of its owner, and hands of its own; 'waiting' are states
  ** that have more blocks than the tree has leaves. */
  tree_share *share;
  struct collapse_tree *owner;
  const store_offer *waiting;
  uint32_t waiting_count;

  collapse_tree_hand hands[STORE_HANDS];
  block_cut *cuts;      /* one per hand, unless all states share one, */
  block_entry *entries; /* and their entries, 'entries_each' */
  uint32_t entries_each;
  uint8_t *room; /* of the hands' states, 'room_each' bytes each */
  uint32_t room_each;
  uint32_t *values; /* of the hands, then of TREE_TOGETHER offers */
  quad *keys;       /* of the hands, then those of one state */
} collapse_tree;

extern const store_class store_collapse_tree;

static inline collapse_tree *collapse_tree_of(store *s)
{
  return (collapse_tree *)s;
}

static inline uint32_t collapse_tree_max_length(const collapse_tree *s)
{
  return s->longest;
}

/* Encodes up to TREE_TOGETHER states by what changed against those at hand.
** False: no memory. */
bool collapse_tree_prepare(collapse_tree *, const store_offer *,
                           collapse_tree_probe *, uint32_t count);
/* As 'insert' of the class, for a prepared state. */
static inline store_result collapse_tree_insert(collapse_tree *s,
                                                collapse_tree_probe p,
                                                const store_offer *offer,
                                                store_handle *handle)
{
  (void)offer;
  uint32_t left = (uint32_t)(p.handle >> 32), right = (uint32_t)p.handle;
  roots *r = &s->now.tree.roots;
  if (p.shape != r->shape && !roots_locate_anew(r, left, right, &p.place))
    return STORE_FULL;
  *handle = p.handle;
  roots_result result = roots_insert(r, p.place, left, right);
  if (result == ROOTS_FULL)
    return STORE_FULL;
  return result == ROOTS_NEW ? STORE_NEW : STORE_SEEN;
}
/* The same for all of them, in order, up to the first for which there is no
** room: so many are done.  Bit i: state i is new. */
static inline uint32_t collapse_tree_insert_many(collapse_tree *s,
                                                 const collapse_tree_probe *p,
                                                 uint32_t count, uint32_t *done)
{
  return s->ways->insert(&s->now.tree.roots, p, count, done);
}
/* Whether a prepared state is there. */
static inline bool collapse_tree_has(const collapse_tree *s,
                                     collapse_tree_probe p)
{
  uint32_t left = (uint32_t)(p.handle >> 32), right = (uint32_t)p.handle;
  const roots *r = &s->now.tree.roots;
  if (p.shape != r->shape)
    p.place = roots_locate(r, left, right);
  return roots_fits(r, left, right) && roots_has(r, p.place, left, right);
}
/* The probe of a state that was prepared before, and whose handle has not
** changed since. */
static inline collapse_tree_probe collapse_tree_probe_of(const collapse_tree *s,
                                                         store_handle handle)
{
  const roots *r = &s->now.tree.roots;
  return (collapse_tree_probe){
      handle, roots_locate(r, (uint32_t)(handle >> 32), (uint32_t)handle),
      r->shape};
}
/* States may have marks, as the roots do: see there.  False: no memory. */
static inline bool collapse_tree_have_marks(collapse_tree *s)
{
  return roots_have_marks(&s->now.tree.roots);
}
static inline bool collapse_tree_is_marked(const collapse_tree *s,
                                           store_handle handle)
{
  return roots_is_marked(&s->now.tree.roots, (uint32_t)(handle >> 32),
                         (uint32_t)handle);
}
static inline void collapse_tree_foresee_mark(const collapse_tree *s,
                                              store_handle handle)
{
  roots_prefetch_mark(&s->now.tree.roots, (uint32_t)(handle >> 32),
                      (uint32_t)handle);
}
static inline void collapse_tree_mark(collapse_tree *s, store_handle handle,
                                      bool marked)
{
  roots_mark(&s->now.tree.roots, (uint32_t)(handle >> 32), (uint32_t)handle,
             marked);
}
/* The table of a child of the root. */
static inline const quads *collapse_tree_table(const block_tree *b,
                                               uint32_t child)
{
  return child < b->tree.leaves ? &b->blocks[child]
                                : &b->tree.tables[child - b->tree.leaves];
}
/* Says that the state with this handle will be wanted soon. */
static inline void collapse_tree_foresee(const collapse_tree *s,
                                         store_handle handle)
{
  const tree *t = &s->now.tree;
  if (t->packed) /* there are few tables, and none has a row for each state */
    return;
  const quads *left = collapse_tree_table(&s->now, t->left);
  const quads *right = collapse_tree_table(&s->now, t->right);
  __builtin_prefetch(&left->list[(uint32_t)(handle >> 32)]);
  __builtin_prefetch(&right->list[(uint32_t)handle]);
}
/* Loads the state with this handle as hand 'hand'; valid until the
** next 'view' of that number. */
const uint8_t *collapse_tree_view(collapse_tree *, store_handle handle,
                                  uint32_t hand, uint8_t *out,
                                  uint32_t *length);

/* The number of the last component of the state at hand. */
static inline uint32_t collapse_tree_last_slice(const collapse_tree *s,
                                                uint32_t hand)
{
  return s->hands[hand].cut->components - 1;
}

/* The components of a state that are those of the one at hand, whatever is in
** them, a bit each; UINT64_MAX: it may have others, or there are too many. */
static inline uint64_t collapse_tree_like_hand(const collapse_tree *s,
                                               uint32_t hand,
                                               const uint8_t *state,
                                               uint32_t length)
{
  const block_cut *cut = s->hands[hand].cut;
  return cut->components < 64 && blocks_are_cut_so(&s->map, state, length, cut)
             ? (UINT64_C(1) << cut->components) - 1
             : UINT64_MAX;
}

static inline void collapse_tree_approach(collapse_tree *s,
                                          collapse_tree_probe p)
{
  (void)s, (void)p; /* the one line needed was asked for by 'prepare' */
}

/* Whether handles changed since 'forget' was called last; the new handle of
** a state; the old ones are not needed any more. */
static inline bool collapse_tree_moved(const collapse_tree *s)
{
  return s->old.tree.leaves != 0;
}
store_handle collapse_tree_translate(collapse_tree *, store_handle);
/* Whether one that is not in the set could not be given its new handle: there is
** no memory, or it has more blocks than the tree has leaves.  Tables must not be
** shared while such states are translated. */
static inline bool collapse_tree_lost(const collapse_tree *s)
{
  return s->mover.failed;
}
void collapse_tree_forget(collapse_tree *);

#endif
