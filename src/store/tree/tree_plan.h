/* The shape of a tree: which elements and nodes are the children of which.
**
** Elements have the indices 0 .. leaves-1, inner nodes follow, children before
** their parents.  The two last ones are the children of the root, which has no
** index; TREE_NO_CHILD stands where a node has fewer than four. */

#ifndef NUT_STORE_TREE_TREE_PLAN_H
#define NUT_STORE_TREE_TREE_PLAN_H

#include "base/components.h"
#include <stdint.h>

#define TREE_NO_CHILD UINT16_MAX

/* Most elements of a tuple: blocks of a state, or what other codecs have. */
enum { TREE_LEAVES = COMPONENTS_LIMIT + 64 };

typedef struct tree_node {
  uint16_t child[4];
} tree_node;

typedef struct tree_plan {
  uint32_t leaves; /* at least 2 */
  uint32_t inner;
  uint16_t left, right; /* children of the root */
  tree_node nodes[TREE_LEAVES + 2];
} tree_plan;

/* A tree whose nodes have parts of equal size: the first half of the elements
** left, the others right. */
void tree_plan_even(tree_plan *, uint32_t leaves);

#endif
