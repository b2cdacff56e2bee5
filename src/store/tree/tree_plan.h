/* The shape of a tree: which elements and nodes are the children of which.
**
** Elements have the indices 0 .. leaves-1, inner nodes follow, children before
** their parents.  The two last ones are the children of the root, which has no
** index; TREE_NO_CHILD stands where a node has fewer than four.
**
** A node below the root may be *packed*: the numbers of its children stand side
** by side in its own, each in so many bits, and no table is asked.  That is for
** nodes that have nearly as many values as there are states; a root is wider by
** some bits then, and a row of a table is saved for every state. */

#ifndef NUT_STORE_TREE_TREE_PLAN_H
#define NUT_STORE_TREE_TREE_PLAN_H

#include "base/components.h"
#include <stdint.h>

#define TREE_NO_CHILD UINT16_MAX

/* Most elements of a tuple: blocks of a state, or what other codecs have. */
enum { TREE_LEAVES = COMPONENTS_LIMIT + 64 };
enum { TREE_PACKED = 30 };

typedef struct tree_node {
  uint16_t child[4];
} tree_node;

typedef struct tree_plan {
  uint32_t leaves; /* at least 2 */
  uint32_t inner;
  uint16_t left, right; /* children of the root */
  /* Of these: the bits for each of their children, TREE_PACKED in all or fewer.
  ** All 0: it is not packed. */
  uint8_t bits[2][4];
  tree_node nodes[TREE_LEAVES + 2];
} tree_plan;

/* A tree whose nodes have parts of equal size: the first half of the elements
** left, the others right. */
void tree_plan_even(tree_plan *, uint32_t leaves);

#endif
