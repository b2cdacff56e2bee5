/* Two bits a state against an array of parents. */

#include "unit.h"

#include "base/random.h"
#include "search/walk/parents.h"

enum { STATES = 5000 };

static void compare(uint64_t seed, uint64_t most)
{
  static uint64_t parent_of[STATES];
  parents p = {0};
  number_list path = {0};
  random_state r;
  random_seed(&r, seed);
  assert_true(reserve_create(&p.bits, 1 << 20));
  uint64_t count = 1;
  for (uint64_t n = 0; n < count; n++) {
    uint64_t found = random_below(&r, most + 1);
    if (found > STATES - count)
      found = STATES - count;
    for (uint64_t i = 0; i < found; i++)
      parent_of[count++] = n;
    assert_true(parents_add(&p, found));
    for (unsigned i = 0; i < 3; i++) {
      uint64_t number = random_below(&r, count);
      parents_path(&p, number, &path);
      assert_int_equal(path.data[0], 0);
      assert_int_equal(vec_last(&path), number);
      for (size_t k = path.len - 1; k; k--)
        assert_int_equal(path.data[k - 1], parent_of[path.data[k]]);
    }
  }
  vec_free(&path);
  reserve_destroy(&p.bits);
}

static void random_trees(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++)
    compare(seed, seed % 2 ? 2 : 200);
}

static void no_memory(void **state)
{
  (void)state;
  parents p = {0};
  assert_true(reserve_create(&p.bits, 4096));
  while (parents_add(&p, 100))
    continue;
  assert_true(p.used <= 8 * 4096 && p.ones > 30000);
  reserve_destroy(&p.bits);
}

UNIT_MAIN(UNIT(random_trees), UNIT(no_memory))
