/* Trees of tuples with packed nodes: numbers that fit their bits, numbers that do
** not, and the way back. */

#include "unit.h"

#include "base/random.h"
#include "store/tree/tree.h"

enum { LEAVES = 7, TUPLES = 3000, VALUES = 16 };

/* Left a packed node of four, one of them a node with a table; right one of two,
** or one that is not packed. */
static void make_plan(tree_plan *p, bool both)
{
  memset(p, 0, sizeof *p);
  p->leaves = LEAVES;
  p->inner = 3;
  p->nodes[0] = (tree_node){{0, 1, TREE_NO_CHILD, TREE_NO_CHILD}};
  p->nodes[1] = (tree_node){{2, 3, 4, LEAVES}};
  p->nodes[2] = (tree_node){{5, 6, TREE_NO_CHILD, TREE_NO_CHILD}};
  p->left = LEAVES + 1;
  p->right = LEAVES + 2;
  memcpy(p->bits[0], (uint8_t[]){3, 4, 5, 18}, 4);
  if (both)
    memcpy(p->bits[1], (uint8_t[]){6, 24, 0, 0}, 4);
}

static void random_tuple(random_state *r, uint32_t *values)
{
  for (uint32_t i = 0; i < LEAVES; i++)
    values[i] = (uint32_t)random_below(
        r, UINT64_C(1) << (1 + random_below(r, i == 6 ? 26 : 7)));
}

static void tuples_come_back(bool both)
{
  static uint32_t all[TUPLES][VALUES];
  static tree_handle handles[TUPLES];
  random_state r;
  tree_plan p;
  tree t;
  uint32_t outgrown = 0;
  random_seed(&r, 7 + both);
  make_plan(&p, both);
  assert_true(tree_create(&t, &p, SIZE_MAX));
  assert_int_equal(tree_values(&t) <= VALUES, 1);
  assert_int_equal(t.packed, both ? 6 : 2);
  for (uint32_t i = 0; i < TUPLES; i++) {
    uint32_t again[VALUES], *values = all[i];
    uint64_t dirty = UINT64_MAX;
    random_tuple(&r, values);
    memcpy(again, values, sizeof again);
    assert_true(tree_encode(&t, values));
    assert_true(tree_refresh_many(&t, again, &dirty, 1));
    handles[i] = tree_root(&t, values);
    assert_int_equal(handles[i], tree_root(&t, again));
    outgrown += values[t.left] >= TREE_IN_TABLE;
    assert_true(values[t.left] < 2 * TREE_IN_TABLE);
  }
  assert_true(outgrown > TUPLES / 8 && outgrown < TUPLES - TUPLES / 8);
  for (uint32_t i = 0; i < TUPLES; i++) {
    uint32_t back[VALUES];
    tree_decode(&t, handles[i], back);
    assert_memory_equal(back, all[i], LEAVES * sizeof *back);
    for (uint32_t k = 0; k < i; k++)
      assert_int_equal(handles[i] == handles[k],
                       !memcmp(all[i], all[k], LEAVES * sizeof *all[i]));
  }
  tree_destroy(&t);
}

static void packed_nodes(void **state)
{
  (void)state;
  tuples_come_back(false);
  tuples_come_back(true);
}

/* The largest number that a packed node may have follows from what its children
** have so far. */
static void largest_numbers(void **state)
{
  (void)state;
  static quads blocks[LEAVES];
  tree_plan p;
  tree t;
  make_plan(&p, true);
  assert_true(tree_create(&t, &p, SIZE_MAX));
  for (uint32_t i = 0; i < LEAVES; i++)
    blocks[i].count = i;
  assert_int_equal(tree_most(&t, blocks, 0), 0);
  assert_int_equal(tree_most(&t, blocks, 2), 6 << 6 | 63);
  blocks[6].count = 1 << 26; /* more than fit */
  assert_int_equal(tree_most(&t, blocks, 2), TREE_IN_TABLE - 1);
  uint32_t values[VALUES] = {[5] = 64};
  assert_true(tree_encode(&t, values));
  assert_int_equal(values[LEAVES + 2], TREE_IN_TABLE | 1);
  assert_int_equal(tree_most(&t, blocks, 2), TREE_IN_TABLE | 1);
  tree_destroy(&t);
}

UNIT_MAIN(UNIT(packed_nodes), UNIT(largest_numbers))
