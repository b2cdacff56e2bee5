/* Reduction: equal nodes become one, from the last layer upwards.  The table
** holds the nodes met so far, which are marked; it is empty before and
** afterwards. */

#include "store/diagram/sharing_internal.h"

static uint32_t reduced(sharing *s, uint32_t node);

/* One father less; the last one takes the node along.  Nodes without fathers
** are not in the table: those there have been met by way of a father. */
static void drop(sharing *s, uint32_t node)
{
  if (node == SHARING_END || --s->words[node + AT_FATHERS] & SHARING_FATHERS)
    return;
  uint32_t count;
  const uint32_t *sons = sharing_sons(s, node, &count);
  for (uint32_t i = 0; i < count; i++)
    drop(s, sons[i]);
  sharing_give(s, node);
}

/* Each son is exchanged for the one that stands for all its equals. */
static void reduce_sons(sharing *s, uint32_t node)
{
  uint32_t count, sum = 0;
  sharing_sons(s, node, &count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t *sons = sharing_sons(s, node, &count);
    uint32_t old = sons[i], new = reduced(s, old);
    sum += sharing_hash_son(new);
    if (new == old)
      continue;
    sons[i] = new;
    sharing_keep(s, new);
    drop(s, old);
  }
  if (count > 1)
    s->words[node + AT_SUM] = sum;
}

/* Recursion is as deep as the tuples are long. */
static uint32_t reduced(sharing *s, uint32_t node)
{
  if (node == SHARING_END || s->words[node + AT_FATHERS] & SHARING_MARK)
    return node;
  reduce_sons(s, node);
  uint32_t found = sharing_find(s, node);
  if (found)
    return found;
  s->words[node + AT_FATHERS] |= SHARING_MARK;
  sharing_link(s, node);
  return node;
}

static void unmark(sharing *s, uint32_t node)
{
  if (node == SHARING_END || !(s->words[node + AT_FATHERS] & SHARING_MARK))
    return;
  s->words[node + AT_FATHERS] &= ~SHARING_MARK;
  uint32_t count;
  const uint32_t *sons = sharing_sons(s, node, &count);
  for (uint32_t i = 0; i < count; i++)
    unmark(s, sons[i]);
}

void sharing_reduce(sharing *s)
{
  if (!s->reduce_every)
    return;
  for (uint32_t n = 1; n < s->lengths; n++)
    if (s->roots[n])
      reduce_sons(s, s->roots[n]);
  for (uint32_t n = 1; n < s->lengths; n++) {
    uint32_t count = 0;
    const uint32_t *sons =
        s->roots[n] ? sharing_sons(s, s->roots[n], &count) : NULL;
    for (uint32_t i = 0; i < count; i++)
      unmark(s, sons[i]);
  }
  sharing_empty_table(s);
  s->known = 0;
  s->unreduced = 0;
  s->reductions++;
}
