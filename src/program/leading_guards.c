/* Many edges, few of which can be executed: a Petri net is one location with
** an edge for each transition.  A guard that is a conjunction begins with its
** lead; when that is a byte of the globals, and 0, the guard is false and
** nothing else of it matters.  Edges that stand side by side and have the same
** lead are passed over together, and so are those whose leads lie in the same
** eight bytes, when all these are 0.
**
**   edge  guard       lead_count  word_count
**   t1    p3 && q1        2           5      bytes 0..7 all 0: go on behind t5
**   t2    p3 && q7        0           0      p3 = 0: go on with t3
**   t3    p5 && ...       3           0
**   ...
**
** Always: passing over changes no answer, because no guard that is passed over
** could be a fault before its lead is 0. */

#include "program/interp/worker.h"

enum { EDGES_MIN = 16, NO_LEAD = -1 };

static int64_t byte_of(const node *n)
{
  return n->op == NODE_G8 ? n->value : NO_LEAD;
}

/* Offset of the byte that must not be 0. */
static int64_t lead_of(const cedge *e)
{
  const node *n = e->guard;
  if (!n || e->comm || e->flags & (EDGE_ELSE | EDGE_DSTEP))
    return NO_LEAD;
  while (n->op == NODE_AND)
    n = n->a;
  if (n->op == NODE_GE && n->b->op == NODE_CONST && n->b->value > 0)
    return byte_of(n->a);
  return byte_of(n);
}

/* The variable of a lead starts as 0, and so, likely, it often is. */
static bool is_empty_at_first(const cedge *e)
{
  const node *n = e->guard;
  while (n->op == NODE_AND || n->op == NODE_GE)
    n = n->a;
  return !n->source->ref->var->init.len;
}

/* How many edges from the first on are alike; 'shift' is 0 for bytes, 3 for
** eight of them. */
static uint32_t count_alike(const cedge *first, uint32_t most, int shift)
{
  int64_t lead = lead_of(first);
  uint32_t n = 1;
  while (n < most && first[n].rank == first->rank &&
         lead_of(&first[n]) != NO_LEAD &&
         lead_of(&first[n]) >> shift == lead >> shift &&
         (!shift || is_empty_at_first(&first[n])))
    n++;
  return n;
}

void code_find_leads(const layout *l, cedge *edges, uint32_t count)
{
  if (count < EDGES_MIN)
    return;
  uint32_t word_end = 0;
  for (uint32_t i = 0, same; i < count; i += same) {
    int64_t lead = lead_of(&edges[i]);
    same = 1;
    if (lead == NO_LEAD)
      continue;
    same = count_alike(&edges[i], count - i, 0);
    edges[i].lead = (uint32_t)lead;
    edges[i].lead_count = same > 1 ? same : 0;
    if (i < word_end || !is_empty_at_first(&edges[i]) ||
        (lead | 7) >= (int64_t)l->globals_end)
      continue;
    uint32_t alike = count_alike(&edges[i], count - i, 3);
    edges[i].word_count = alike > same ? alike : 0;
    word_end = i + alike;
  }
}
