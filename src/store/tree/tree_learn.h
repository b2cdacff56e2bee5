/* Learns from states seen how their blocks are best put together.
**
** What a tree costs beyond its roots are the entries of its tables: one for
** every value that a block, or a cluster of blocks under a node, has.  Parts of
** the state that depend on each other should be neighbours in the tree, for
** then they have few values together.  On a sample of states, cut into units
** (codec/blocks.h), we count:
**
**   1. neighbouring units become one cluster as long as it has not many more
**      values than they have by themselves;
**   2. of all clusters those two are joined that have the fewest values
**      together, until two are left, the children of the root (two have at least
**      as many as each, so that most need not be counted);
**   3. a cluster that fits into a block is one, gathered from wherever its units
**      stand, and what is below it is left out;
**   4. a node whose children fit into its parent's four places is left out,
**      those with the most values first, and its table with it.
**
** Where eight clusters or fewer are left in step 2, they could also stand side by
** side in the two numbers of a root (packed nodes, tree_plan.h): roots become
** wider then, and there are no rows for what clusters have together.  The best of
** these plans is taken when that costs less, and the tree would cost so much
** without that it is worth the time. */

#ifndef NUT_STORE_TREE_TREE_LEARN_H
#define NUT_STORE_TREE_TREE_LEARN_H

#include "store/tree/block_tree.h"

enum { LEARN_UNITS = BLOCK_UNITS, LEARN_STATES = 1 << 14 };

/* Counts pairs, again and again: one of the slots with the stamp of this time is
** a pair of this time. */
typedef struct pair_slot {
  uint64_t pair;
  uint32_t number, stamp;
} pair_slot;

typedef struct pair_counter {
  pair_slot *slots; /* open addressing */
  uint32_t mask, stamp;
} pair_counter;

/* One for up to so many states; false: no memory. */
bool pair_counter_create(pair_counter *, uint32_t states);
void pair_counter_destroy(pair_counter *);

/* Unit u of state s has number[u * room + s]; 0: there is none. */
typedef struct sample {
  uint32_t units, states, room;
  uint64_t population;         /* states that it is taken from */
  uint32_t unit_bytes;         /* as in 'block_plan' */
  uint32_t even;               /* the first units are in all states */
  uint32_t bytes[LEARN_UNITS]; /* of the longest string */
  uint32_t *numbers;
  pair_counter pairs; /* for all that is counted */
} sample;

bool sample_create(sample *, uint32_t states); /* false: no memory */
void sample_destroy(sample *);

/* The number of different pairs (a[i], b[i]); 'joined' gets their numbers, from
** 1 on, and may be NULL or one of both. */
uint32_t learn_join(pair_counter *, const uint32_t *a, const uint32_t *b,
                    uint32_t states, uint32_t *joined);

/* What tables cost, in rows that they are likely to get.
**
** 'near' is cautious: rows to come are estimated from the numbers that one state,
** or two, alone have (Chao 1984), up to LEARN_FUTURE for each state of the sample.
** 'far' goes on as the numbers grew from half of the sample to the whole (Heaps'
** law), to LEARN_GROWTH times as many states as there are: so it is seen that a
** table will always have a row for every few states, and whether to pack is judged by
** it. */
enum { LEARN_FUTURE = 64, LEARN_GROWTH = 4 };
/* Packing must save a row for so many states, which is most of a byte each. */
enum { LEARN_WORTH = 32 };
typedef struct learn_cost {
  uint64_t near, far;
} learn_cost;

/* Of a table with these numbers; 0: no memory. */
learn_cost learn_cost_of(sample *, const uint32_t *numbers);

/* What roots cost when their keys have so many bits (root_set.h), in rows; at
** LEARN_GROWTH times as many states. */
uint64_t learn_roots(uint64_t population, uint32_t bits);

/* Makes a plan, and says what its tables would cost; 'far' with its roots.
** False: no memory, or nothing to plan. */
bool learn_plan(sample *, block_tree_plan *, learn_cost *);
/* Whether it packs nodes. */
static inline bool learn_packs(const block_tree_plan *p)
{
  return p->tree.bits[0][0] || p->tree.bits[1][0];
}

#endif
