/* Tuples as trees of numbered nodes (recursive indexing; Laarman, van de Pol,
** Weber, "Parallel recursive state compression for free", SPIN 2011):
**
**   tuple   a b c d e f g      root (p,q)              in 'roots', compact
**                              /        \
**                    p=(a,b,c,d)     q=(e,f,g,0)       each inner node has a
**                                                      table ('quads'), equal
**                                                      tuples are stored once
**
** A tuple that differs from one at hand in a few elements needs new lookups
** only on the way from these elements to the root.  Where we differ from the
** paper: inner nodes have up to four children, so that these ways are short; a
** table per inner node keeps the numbers small; and the roots, which are as
** many as the states, are a set without numbers that quotients its keys.  The
** pair at the root is the handle of a tuple.
**
** 'values' below is an array of tree_values() numbers: the elements of the
** tuple, then the inner nodes, children before parents, without the root, then
** a 0 for children that are missing, and what makes it whole rows of four.
**
** A packed node (tree_plan.h) whose children have outgrown their bits is in its
** table after all, and its number says so.
**
** Always: a tuple occurs at most once in its table, and a packed node is there
** only if its children do not fit; handles and numbers stay valid until
** tree_destroy. */

#ifndef NUT_STORE_TREE_TREE_H
#define NUT_STORE_TREE_TREE_H

#include "store/roots/root_set.h"
#include "store/tree/quads.h"
#include "store/tree/tree_plan.h"

typedef uint64_t tree_handle; /* left << 32 | right, of the root */

/* In the number of a packed node: it is in the table all the same. */
#define TREE_IN_TABLE (UINT32_C(1) << TREE_PACKED)

typedef struct tree_lanes {
  uint32_t bits[4], shifts[4]; /* of the children */
} tree_lanes;

/* So many bits for each; how many there are in all. */
uint32_t tree_lanes_set(tree_lanes *, const uint8_t bits[4]);
/* The children in a number that is not TREE_IN_TABLE. */
static inline quad tree_lanes_split(const tree_lanes *p, uint32_t number)
{
  uint32_t value[4];
  for (int k = 0; k < 4; k++)
    value[k] = number >> p->shifts[k] & ((UINT32_C(1) << p->bits[k]) - 1);
  return quad_of(value[0], value[1], value[2], value[3]);
}

typedef struct tree {
  uint32_t leaves; /* elements of a tuple, at least 2 */
  uint32_t inner;  /* inner nodes without the root */
  uint32_t words;  /* of 64 bits, for a set of inner nodes */
  uint32_t heights;
  tree_node *nodes;     /* inner nodes, with indices into values */
  uint16_t left, right; /* children of the root */
  uint64_t *above;      /* for each leaf: the inner nodes above it */
  uint64_t *levels;     /* for each height, lowest first: its inner nodes */
  quads *tables;        /* for each inner node */
  uint64_t packed;      /* of the first 64 inner nodes, those that are */
  tree_lanes lanes[2];  /* of the left and the right child of the root */
  roots roots;
} tree;

bool tree_create(tree *, const tree_plan *, size_t max_bytes);
void tree_destroy(tree *);
size_t tree_bytes(const tree *);
bool tree_check(const tree *);

static inline uint32_t tree_values(const tree *t)
{
  return (t->leaves + t->inner + 4) / 4 * 4;
}

static inline tree_handle tree_root(const tree *t, const uint32_t *values)
{
  return (uint64_t)values[t->left] << 32 | values[t->right];
}

/* Computes all inner nodes from the elements.  False: no memory. */
bool tree_encode(tree *, uint32_t *values);
/* Recomputes the nodes in 'dirty' ('words' of them per tuple) of up to
** TREE_TOGETHER tuples, whose values stand one after the other.  Level by
** level for all of them, so that the memory fetches overlap. */
enum { TREE_TOGETHER = 32 };
bool tree_refresh_many(tree *, uint32_t *values, const uint64_t *dirty,
                       uint32_t count);
static inline quad tree_quad_below(const tree *t, const uint32_t *values,
                                   uint32_t node)
{
  const uint16_t *child = t->nodes[node].child;
  return quad_of(values[child[0]], values[child[1]], values[child[2]],
                 values[child[3]]);
}

static inline bool tree_is_packed(const tree *t, uint32_t node)
{
  return node < 64 && t->packed >> node & 1;
}

static inline const tree_lanes *tree_lanes_of(const tree *t, uint32_t node)
{
  return &t->lanes[t->leaves + node != t->left];
}

/* The same for what has outgrown its bits. */
uint32_t tree_pack_away(tree *, const uint32_t *values, uint32_t node);

/* The number of a packed node, given what is below it; QUADS_FULL as there. */
static inline uint32_t tree_pack(tree *t, const uint32_t *values, uint32_t node)
{
  const tree_lanes *p = tree_lanes_of(t, node);
  const uint16_t *child = t->nodes[node].child;
  uint32_t packed = 0, beyond = 0;
  for (int k = 0; k < 4; k++) {
    uint32_t value = values[child[k]];
    beyond |= value >> p->bits[k];
    packed |= value << p->shifts[k];
  }
  return __builtin_expect(beyond != 0, 0) ? tree_pack_away(t, values, node)
                                          : packed;
}

/* What is below a packed node with this number. */
static inline quad tree_unpack(const tree *t, uint32_t node, uint32_t number)
{
  if (__builtin_expect(number & TREE_IN_TABLE, 0))
    return quads_get(&t->tables[node], number & ~TREE_IN_TABLE);
  return tree_lanes_split(tree_lanes_of(t, node), number);
}

/* The largest number that an inner node may have by now. */
uint32_t tree_most(const tree *, const quads *blocks, uint32_t node);

/* Bits for packed nodes (tree_plan.h) with which all that is there by now has room
** in them, and where there are enough bits four times as much.  False: there are
** too few. */
bool tree_plan_bits(const tree *, const quads *blocks, uint8_t bits[2][4]);

/* The nodes of one height in one word of all tuples, which have 'words'. */
enum { TREE_WORK = 128 }; /* nodes recomputed together */
static inline bool tree_refresh_word(tree *t, uint32_t *values,
                                     const uint64_t *dirty, uint32_t count,
                                     uint32_t h, uint32_t w, uint32_t words)
{
  quads_query list[TREE_WORK];
  uint32_t n = 0, stride = tree_values(t);
  uint64_t level = t->levels[h * words + w];
  for (uint32_t i = 0; i < count; i++) {
    uint64_t nodes = dirty[i * words + w] & level;
    uint32_t *own = values + (size_t)i * stride;
    for (; nodes; nodes &= nodes - 1) {
      uint32_t node = w * 64 + (uint32_t)__builtin_ctzll(nodes);
      quads *table = &t->tables[node];
      uint32_t *number = &own[t->leaves + node];
      if (__builtin_expect(t->packed != 0, 0) && tree_is_packed(t, node)) {
        *number = tree_pack(t, own, node);
        if (*number == QUADS_FULL)
          return false;
        continue;
      }
      quad q = tree_quad_below(t, own, node);
      if (quads_is_near(table)) {
        *number = quads_number(table, q, quad_hash(q));
        if (*number == QUADS_FULL)
          return false;
        continue;
      }
      if (n == TREE_WORK) {
        if (!quads_answer(list, n))
          return false;
        n = 0;
      }
      quads_ask(&list[n++], table, q, number);
    }
  }
  return quads_answer(list, n);
}

/* Fills in all values of the tuple with this handle. */
static inline void tree_decode(const tree *t, tree_handle handle,
                               uint32_t *values)
{
  uint32_t inner = t->inner, *numbers = values + t->leaves;
  const quads *tables = t->tables;
  const tree_node *nodes = t->nodes;
  uint32_t left = t->left, right = t->right;
  numbers[inner] = 0;
  values[left] = (uint32_t)(handle >> 32);
  values[right] = (uint32_t)handle;
  uint64_t packed = t->packed;
  for (uint32_t i = inner; i-- > 0;) {
    quad q = __builtin_expect(packed != 0, 0) && tree_is_packed(t, i)
                 ? tree_unpack(t, i, numbers[i])
                 : quads_get(&tables[i], numbers[i]);
    const uint16_t *child = nodes[i].child;
    values[child[0]] = (uint32_t)q.low;
    values[child[1]] = (uint32_t)(q.low >> 32);
    values[child[2]] = (uint32_t)q.high;
    values[child[3]] = (uint32_t)(q.high >> 32);
  }
}

#endif
