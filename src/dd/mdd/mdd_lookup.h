/* A copy of diagrams that answers quickly whether a tuple is in a set, and
** nothing else.
**
** A node of a manager (mdd_internal.h) is made to be found and changed: arcs
** are looked for by bisection.  Here the children of a node stand where the
** value says, or where its hash says, if values are far apart:
**
**   dense    word  0      span: how many values there is room for
**                  1      the least value
**                  2 ...  the child of each value, 0: there is none
**   hashed   word  0      flag, and the binary logarithm of the slots
**                  1      not used
**                  2 ...  slots: value, child; a child of 0: empty
**
** 0 is the empty set, 1 the unit.  The way of the last tuple is remembered, so
** that the next one is followed only from where it differs: the successors of
** a state begin alike.
**
** Always: in a hashed node at least a quarter of the slots is empty; a value
** is found before the first empty slot from its home on.
**
** The fields are public for the inline functions; others leave them alone. */

#ifndef NUT_DD_MDD_MDD_LOOKUP_H
#define NUT_DD_MDD_MDD_LOOKUP_H

#include "base/system/reserve.h"
#include "dd/mdd/mdd.h"

typedef struct mdd_lookup {
  uint32_t *words;
  uint32_t top;      /* words in use */
  size_t max_bytes;  /* that they may take */
  uint32_t *roots;   /* of the sets copied, in their order */
  size_t root_count; /* 0: nothing was copied */
  /* The last tuple: its values up to 'depth', and the nodes they lead to. */
  uint32_t *values, *path;
  uint32_t depth, path_room;
  size_t last_root;
  reserve memory;
} mdd_lookup;

#define MDD_LOOKUP_HASHED ((uint32_t)1 << 31)

bool mdd_lookup_create(mdd_lookup *, size_t max_bytes); /* false: no memory */
void mdd_lookup_destroy(mdd_lookup *); /* an all-zero one is fine */
/* Copies these sets, which a manager of the kind MDD_VALUES holds, and forgets
** those of before.  The copy may take 'max_bytes'.  False: no memory; the copy
** is then empty and must not be asked. */
bool mdd_lookup_build(mdd_lookup *, const mdd_manager *, const mdd *sets,
                      size_t count, size_t max_bytes);
void mdd_lookup_clear(mdd_lookup *); /* no copy any more; memory goes back */
size_t mdd_lookup_bytes(const mdd_lookup *);
/* Whether the copy has the same nodes as the sets it was made of. */
bool mdd_lookup_check(const mdd_lookup *, const mdd_manager *, const mdd *sets,
                      size_t count);

static inline bool mdd_lookup_ready(const mdd_lookup *l)
{
  return l->root_count;
}

static inline uint32_t mdd_lookup_home(uint32_t value, uint32_t bits)
{
  return value * UINT32_C(0x9e3779b1) >> (32 - bits);
}

static inline uint32_t mdd_lookup_slot(const uint32_t *node, uint32_t value)
{
  uint32_t bits = node[0] & ~MDD_LOOKUP_HASHED;
  uint32_t mask = ((uint32_t)1 << bits) - 1;
  const uint32_t *slots = node + 2;
  for (uint32_t i = mdd_lookup_home(value, bits);; i = (i + 1) & mask)
    if (slots[2 * i] == value || !slots[2 * i + 1])
      return slots[2 * i + 1];
}

/* The child for a value, or 0. */
static inline uint32_t mdd_lookup_child(const uint32_t *node, uint32_t value)
{
  uint32_t head = node[0];
  if (head & MDD_LOOKUP_HASHED)
    return mdd_lookup_slot(node, value);
  uint32_t place = value - node[1];
  return place < head ? node[2 + place] : 0;
}

/* Whether the tuple is in the set number 'which', whose tuples have that
** length. */
static inline bool mdd_lookup_contains(mdd_lookup *l, size_t which,
                                       const uint32_t *tuple, uint32_t length)
{
  if (which >= l->root_count || !l->roots[which])
    return false;
  uint32_t i = 0, *values = l->values, *path = l->path;
  if (l->last_root != which) {
    l->last_root = which;
    path[0] = l->roots[which];
  } else {
    while (i < l->depth && values[i] == tuple[i])
      i++;
  }
  uint32_t node = path[i];
  while (i < length) {
    values[i] = tuple[i];
    node = mdd_lookup_child(l->words + node, tuple[i]);
    if (!node)
      break;
    path[++i] = node;
  }
  l->depth = i;
  return node;
}

#endif
