#include "store/tree/tree_plan.h"

/* Plans the nodes over the elements from .. to-1 and returns the index of
** what stands for them all: the element itself, or a node over up to four parts
** of equal size. */
static uint16_t plan_part(tree_plan *p, uint32_t from, uint32_t to)
{
  uint32_t n = to - from, parts = n < 4 ? n : 4;
  tree_node node = {
      {TREE_NO_CHILD, TREE_NO_CHILD, TREE_NO_CHILD, TREE_NO_CHILD}};
  if (n == 1)
    return (uint16_t)from;
  for (uint32_t i = 0; i < parts; i++)
    node.child[i] =
        plan_part(p, from + n * i / parts, from + n * (i + 1) / parts);
  p->nodes[p->inner] = node;
  return (uint16_t)(p->leaves + p->inner++);
}

void tree_plan_even(tree_plan *p, uint32_t leaves)
{
  p->leaves = leaves < 2 ? 2 : leaves;
  p->inner = 0;
  uint32_t half = (p->leaves + 1) / 2;
  p->left = plan_part(p, 0, half);
  p->right = plan_part(p, half, p->leaves);
}
