/* Learning a tree from a sample: counts, and plans that put together what
** belongs together. */

#include "unit.h"

#include "base/random.h"
#include "store/tree/tree_learn.h"

static uint32_t count_pairs(const uint32_t *a, const uint32_t *b, unsigned n)
{
  uint32_t count = 0;
  for (unsigned i = 0; i < n; i++) {
    unsigned k = 0;
    while (a[k] != a[i] || b[k] != b[i])
      k++;
    count += k == i;
  }
  return count;
}

static void joins(void **state)
{
  (void)state;
  enum { COUNT = 500 };
  uint32_t a[COUNT], b[COUNT], joined[COUNT];
  random_state r;
  random_seed(&r, 1);
  for (unsigned i = 0; i < COUNT; i++) {
    a[i] = (uint32_t)random_below(&r, 12);
    b[i] = (uint32_t)random_below(&r, 12);
  }
  uint32_t most = 0;
  pair_counter pairs;
  assert_true(pair_counter_create(&pairs, COUNT));
  uint32_t count = learn_join(&pairs, a, b, COUNT, joined);
  for (unsigned i = 0; i < COUNT; i++) {
    most = joined[i] > most ? joined[i] : most;
    for (unsigned k = 0; k < i; k++)
      assert_int_equal(joined[i] == joined[k], a[i] == a[k] && b[i] == b[k]);
  }
  assert_int_equal(count, most);
  /* What was counted before does not matter. */
  for (unsigned i = 0; i < COUNT; i++)
    assert_int_equal(learn_join(&pairs, a, b, i, NULL), count_pairs(a, b, i));
  pair_counter_destroy(&pairs);
}

/* Every element and every inner node has one parent, and children come first.
** Marks the elements that are below the left child of the root. */
static void check_tree(const tree_plan *p, bool *is_left)
{
  unsigned parents[2 * LEARN_UNITS] = {0};
  bool left[2 * LEARN_UNITS] = {false};
  uint32_t all = p->leaves + p->inner;
  for (uint32_t i = 0; i < p->inner; i++)
    for (int k = 0; k < 4; k++) {
      uint32_t child = p->nodes[i].child[k];
      if (child == TREE_NO_CHILD)
        continue;
      assert_true(child < p->leaves + i);
      parents[child]++;
    }
  parents[p->left]++;
  parents[p->right]++;
  for (uint32_t i = 0; i < all; i++)
    assert_int_equal(parents[i], 1);
  left[p->left] = true;
  for (uint32_t i = all; i-- > p->leaves;)
    for (int k = 0; k < 4 && left[i]; k++)
      if (p->nodes[i - p->leaves].child[k] != TREE_NO_CHILD)
        left[p->nodes[i - p->leaves].child[k]] = true;
  for (uint32_t i = 0; i < p->leaves; i++)
    is_left[i] = left[i];
}

/* Component i and component COUNT - 1 - i have the same value. */
static void twins_meet(void **state)
{
  (void)state;
  enum { COUNT = 8, STATES = 4000 };
  sample s;
  random_state r;
  random_seed(&r, 2);
  assert_true(sample_create(&s, STATES));
  s.units = s.even = COUNT;
  s.states = STATES;
  s.population = STATES;
  for (unsigned c = 0; c < COUNT; c++)
    s.bytes[c] = 10; /* no two share a block */
  for (unsigned i = 0; i < STATES; i++)
    for (unsigned c = 0; c < COUNT / 2; c++) {
      uint32_t value = 1 + (uint32_t)random_below(&r, 40);
      s.numbers[c * STATES + i] = value;
      s.numbers[(COUNT - 1 - c) * STATES + i] = value;
    }
  block_tree_plan plan;
  learn_cost cost;
  bool is_left[2 * LEARN_UNITS];
  assert_true(learn_plan(&s, &plan, &cost));
  assert_int_equal(plan.tree.leaves, COUNT);
  check_tree(&plan.tree, is_left);
  const uint8_t *of = plan.blocks.of;
  for (unsigned c = 0; c < COUNT / 2; c++)
    assert_int_equal(is_left[of[c]], is_left[of[COUNT - 1 - c]]);
  sample_destroy(&s);
}

/* Short components that hardly vary share a block. */
static void blocks_are_shared(void **state)
{
  (void)state;
  enum { COUNT = 6, STATES = 1000 };
  sample s;
  assert_true(sample_create(&s, STATES));
  s.units = s.even = COUNT;
  s.states = STATES;
  s.population = STATES;
  for (unsigned c = 0; c < COUNT; c++) {
    s.bytes[c] = 5;
    for (unsigned i = 0; i < STATES; i++)
      s.numbers[c * STATES + i] = 1 + (i >> c) % 2;
  }
  block_tree_plan plan;
  learn_cost cost;
  bool is_left[2 * LEARN_UNITS];
  assert_true(learn_plan(&s, &plan, &cost));
  assert_int_equal(plan.tree.leaves, 2);
  for (unsigned c = 0; c < COUNT; c++)
    assert_int_equal(plan.blocks.of[c], plan.blocks.of[c / 3 * 3]);
  assert_int_equal(plan.blocks.blocks, 2);
  assert_int_equal(cost.near, 8 + 8);
  check_tree(&plan.tree, is_left);
  sample_destroy(&s);
}

/* As 'twins_meet', with twins that fit into a block: there they meet, wherever
** they stand, and nothing is counted for them alone. */
static void twins_are_gathered(void **state)
{
  (void)state;
  enum { COUNT = 6, STATES = 4000 };
  sample s;
  random_state r;
  random_seed(&r, 3);
  for (uint32_t even = 0; even <= COUNT; even += COUNT) {
    assert_true(sample_create(&s, STATES));
    s.units = COUNT;
    s.even = even; /* in all states, or in none */
    s.states = STATES;
    s.population = STATES;
    for (unsigned c = 0; c < COUNT; c++)
      s.bytes[c] = 8 - !even;
    for (unsigned i = 0; i < STATES; i++)
      for (unsigned c = 0; c < COUNT / 2; c++) {
        uint32_t value = 1 + (uint32_t)random_below(&r, 200);
        s.numbers[c * STATES + i] = value;
        s.numbers[(COUNT - 1 - c) * STATES + i] = value;
      }
    block_tree_plan plan;
    learn_cost cost;
    bool is_left[2 * LEARN_UNITS];
    assert_true(learn_plan(&s, &plan, &cost));
    assert_int_equal(plan.blocks.blocks, COUNT / 2);
    assert_int_equal(plan.blocks.even, even ? 7 : 0);
    for (unsigned c = 0; c < COUNT / 2; c++)
      assert_int_equal(plan.blocks.of[c], plan.blocks.of[COUNT - 1 - c]);
    check_tree(&plan.tree, is_left);
    sample_destroy(&s);
  }
}

/* What everybody has is all there is; of what one has each there may be more, up
** to a limit. */
static void costs(void **state)
{
  (void)state;
  enum { COUNT = 600 };
  uint32_t numbers[COUNT];
  sample s;
  assert_true(sample_create(&s, COUNT));
  s.states = COUNT;
  s.population = 64 * COUNT;
  for (uint32_t i = 0; i < COUNT; i++)
    numbers[i] = 7 + i % 200;
  assert_int_equal(learn_cost_of(&s, numbers).near, 200);
  assert_int_equal(learn_cost_of(&s, numbers).far, 200);
  numbers[0] = 1000; /* one alone, and one that is left twice */
  assert_int_equal(learn_cost_of(&s, numbers).near, 201);
  for (uint32_t i = 0; i < 20; i++)
    numbers[i] = 1000 + i; /* 20 alone, 20 twice */
  assert_int_equal(learn_cost_of(&s, numbers).near, 220 + 20 * 20 / 42);
  for (uint32_t i = 0; i < COUNT; i++)
    numbers[i] = COUNT - i;
  assert_int_equal(learn_cost_of(&s, numbers).near,
                   COUNT + COUNT * LEARN_FUTURE);
  assert_int_equal(learn_cost_of(&s, numbers).far, LEARN_GROWTH * 64 * COUNT);
  for (uint32_t i = 0; i < COUNT; i++) /* twice as many in each second half */
    numbers[i] = i / 2;
  assert_int_equal(learn_cost_of(&s, numbers).far,
                   LEARN_GROWTH * 64 * COUNT / 2);
  sample_destroy(&s);
}

/* Three parts that have nothing to do with each other: every two of them have
** nearly as many values together as there are states.  They are packed, and have
** room; where they fill many bits, or the whole is small, they are not. */
static void independent_parts(void **state)
{
  (void)state;
  enum { COUNT = 3, STATES = 8000 };
  block_tree_plan plan;
  bool is_left[2 * LEARN_UNITS];
  for (int kind = 0; kind < 2; kind++) {
    sample s;
    learn_cost cost;
    random_state r;
    random_seed(&r, 4);
    assert_true(sample_create(&s, STATES));
    s.units = s.even = COUNT;
    s.states = STATES;
    s.population = 10 * STATES;
    for (unsigned c = 0; c < COUNT; c++) {
      s.bytes[c] = 10;
      for (unsigned i = 0; i < STATES; i++)
        s.numbers[c * STATES + i] =
            1 + (uint32_t)random_below(&r, kind ? 1 << 30 : 300);
    }
    assert_true(learn_plan(&s, &plan, &cost));
    check_tree(&plan.tree, is_left);
    assert_int_equal(learn_packs(&plan), !kind);
    for (int side = 0; side < 2; side++) {
      uint32_t bits = 0;
      for (int k = 0; k < 4; k++)
        bits += plan.tree.bits[side][k];
      assert_true(bits == 0 || bits == TREE_PACKED);
    }
    if (!kind)
      assert_true(cost.far < 3 * 300 + learn_roots(s.population, 40));
    sample_destroy(&s);
  }
}

UNIT_MAIN(UNIT(joins), UNIT(costs), UNIT(twins_meet), UNIT(blocks_are_shared),
          UNIT(twins_are_gathered), UNIT(independent_parts))
