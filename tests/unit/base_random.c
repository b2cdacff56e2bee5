#include "unit.h"

#include "base/random.h"

/* The first numbers of xoshiro256** from the state 1, 2, 3, 4, as its
** definition gives them: seeds of users stand for this sequence. */
static void known_numbers(void **state)
{
  (void)state;
  random_state r = {{1, 2, 3, 4}};
  assert_true(random_next(&r) == 11520);
  assert_true(random_next(&r) == 0);
  assert_true(random_next(&r) == 1509978240);
  assert_true(random_next(&r) == UINT64_C(1215971899390074240));
}

static void same_seed_same_numbers(void **state)
{
  (void)state;
  random_state a, b, c;
  random_seed(&a, 42);
  random_seed(&b, 42);
  random_seed(&c, 43);
  int same = 0;
  for (int i = 0; i < 1000; i++) {
    uint64_t x = random_next(&a);
    assert_true(x == random_next(&b));
    same += x == random_next(&c);
  }
  assert_int_equal(same, 0);
}

static void below_is_uniform(void **state)
{
  (void)state;
  enum { KINDS = 10, DRAWS = 100000 };
  int counts[KINDS] = {0};
  random_state r;
  random_seed(&r, 0);
  for (int i = 0; i < DRAWS; i++) {
    uint64_t x = random_below(&r, KINDS);
    assert_true(x < KINDS);
    counts[x]++;
  }
  for (int i = 0; i < KINDS; i++)
    assert_in_range(counts[i], DRAWS / KINDS - 500, DRAWS / KINDS + 500);
}

static void corner(void **state)
{
  (void)state;
  random_state r;
  random_seed(&r, UINT64_MAX);
  for (int i = 0; i < 100; i++) {
    assert_int_equal(random_below(&r, 1), 0);
    assert_true(random_below(&r, UINT64_MAX) < UINT64_MAX);
    assert_true(random_below(&r, (UINT64_C(1) << 63) + 1) <= UINT64_C(1) << 63);
  }
}

UNIT_MAIN(UNIT(known_numbers), UNIT(same_seed_same_numbers),
          UNIT(below_is_uniform), UNIT(corner))
