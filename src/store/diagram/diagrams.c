#include "store/diagram/diagrams.h"

#include "base/alloc.h"

#include <string.h>

/* Words of garbage that are not worth a collection.  Sets of states should be
** small while they have few of them. */
enum { LEAST_WORDS = 1 << 14 };

bool diagrams_create(diagrams *d, mdd_kind kind, size_t max_bytes)
{
  *d = (diagrams){.max_bytes = max_bytes};
  d->manager = mdd_create(kind, max_bytes);
  if (!d->manager)
    return false;
  mdd_set_least_garbage(d->manager, LEAST_WORDS);
  return true;
}

void diagrams_destroy(diagrams *d)
{
  mdd_destroy(d->manager);
  mem_free(d->roots, d->room * sizeof *d->roots);
  *d = (diagrams){0};
}

bool diagrams_reach(diagrams *d, uint32_t length)
{
  if (length < d->room)
    return true;
  size_t room = (size_t)length + length / 2 + 8;
  mdd *roots = room <= UINT32_MAX
                   ? mem_try_alloc(mem_product(room, sizeof *roots))
                   : NULL;
  if (!roots)
    return false;
  if (d->room)
    memcpy(roots, d->roots, d->room * sizeof *roots);
  if (!mdd_protect(d->manager, roots, room)) {
    mem_free(roots, room * sizeof *roots);
    return false;
  }
  if (d->roots)
    mdd_unprotect(d->manager, d->roots);
  mem_free(d->roots, d->room * sizeof *d->roots);
  d->roots = roots;
  d->room = (uint32_t)room;
  return true;
}

size_t diagrams_bytes(const diagrams *d)
{
  return mdd_figures(d->manager).bytes + d->room * sizeof *d->roots;
}

uint64_t diagrams_nodes(const diagrams *d)
{
  mdd_sizes sizes;
  if (mdd_size(d->manager, d->roots, d->room, &sizes))
    return sizes.nodes;
  return mdd_figures(d->manager).nodes;
}

/* Adds the tuples of one diagram; false when there are others than of the
** length it is for. */
static bool count_root(const diagrams *d, uint32_t length, uint64_t *count)
{
  mdd root = d->roots[length];
  if (root == MDD_EMPTY)
    return true;
  bignum n = {0};
  uint64_t small = 0;
  bool good = mdd_levels(d->manager, root) == length &&
              mdd_count(d->manager, root, &n) && bignum_to_u64(&n, &small);
  bignum_free(&n);
  *count += small;
  return good;
}

bool diagrams_check(const diagrams *d, uint64_t count)
{
  uint64_t there = 0;
  for (uint32_t n = 0; n < d->room; n++)
    if (!count_root(d, n, &there))
      return false;
  return there == count && !mdd_check(d->manager);
}

void diagrams_draw(const diagrams *d, const diagram_labels *labels, text *dot)
{
  mdd_dot(d->manager, d->roots, NULL, d->room, labels, dot);
}
