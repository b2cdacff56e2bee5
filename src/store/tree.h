/* Tuples as binary trees of pairs (recursive indexing; Laarman, van de Pol,
** Weber, "Parallel recursive state compression for free", SPIN 2011):
**
**   tuple   a b c d e         root (p,q)         in 'roots', compact
**                             /        \
**                         p=(a,b)     q=(c,r)    each inner node has a table
**                                        |       of its own ('pairs'), equal
**                                     r=(d,e)    pairs are stored once
**
** A tuple that differs from one at hand in a few elements needs new lookups
** only on the way from these elements to the root.  Where we differ from the
** paper: a table per inner node keeps the numbers small, and the roots, which
** are as many as the states, are a set without numbers that quotients its
** keys.  The root pair itself is the handle of a tuple.
**
** 'values' below is an array of tree_values() numbers: first the elements of
** the tuple, then the inner nodes, children before parents, without the root.
**
** Always: a pair occurs at most once in its table; handles and numbers stay
** valid until tree_destroy. */

#ifndef NUT_STORE_TREE_H
#define NUT_STORE_TREE_H

#include "store/pairs.h"
#include "store/roots.h"

typedef uint64_t tree_handle; /* left << 32 | right, of the root */

typedef struct tree_node {
  uint16_t left, right; /* indices into values */
} tree_node;

typedef struct tree {
  uint32_t leaves;  /* elements of a tuple, at least 2 */
  uint32_t inner;   /* inner nodes without the root: leaves - 2 */
  uint32_t words;   /* of 64 bits, for a set of inner nodes */
  tree_node *nodes; /* inner nodes, then the root */
  uint64_t *above;  /* for each leaf: the inner nodes above it */
  uint64_t *levels; /* for each height, lowest first: the nodes of it */
  uint32_t heights;
  pairs *tables; /* for each inner node */
  roots roots;
} tree;

bool tree_create(tree *, uint32_t leaves, size_t max_bytes);
void tree_destroy(tree *);
size_t tree_bytes(const tree *);
bool tree_check(const tree *);

static inline uint32_t tree_values(const tree *t)
{
  return t->leaves + t->inner;
}

static inline tree_handle tree_root(const tree *t, const uint32_t *values)
{
  const tree_node *root = &t->nodes[t->inner];
  return pair_of(values[root->left], values[root->right]);
}

/* Recomputes inner node 'i'.  False: no memory. */
static inline bool tree_refresh(tree *t, uint32_t *values, uint32_t i)
{
  uint32_t number = pairs_number(&t->tables[i], values[t->nodes[i].left],
                                 values[t->nodes[i].right]);
  values[t->leaves + i] = number;
  return number != PAIRS_FULL;
}

/* Computes all inner nodes from the elements.  False: no memory. */
bool tree_encode(tree *, uint32_t *values);
/* Recomputes the nodes in 'dirty' ('words' of them per tuple) of up to
** TREE_TOGETHER tuples, whose values stand one after the other.  Level by
** level for all of them, so that the memory fetches overlap. */
enum { TREE_TOGETHER = 32 };
bool tree_refresh_many(tree *, uint32_t *values, const uint64_t *dirty,
                       uint32_t count);
/* Fills in all values of the tuple with this handle. */
void tree_decode(const tree *, tree_handle, uint32_t *values);

#endif
