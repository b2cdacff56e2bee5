#include "unit.h"

#include "base/random.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)

static bool all_zero(const uint8_t *p, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (p[i])
      return false;
  return true;
}

static void basic(void **state)
{
  (void)state;
  reserve r;
  assert_true(reserve_create(&r, 10 * MIB));
  assert_int_equal(r.committed, 0);
  assert_true(reserve_commit(&r, 1));
  assert_true(r.committed >= 1);
  assert_true(all_zero(r.base, r.committed));
  uint8_t *base = r.base;
  memset(r.base, 1, r.committed);
  size_t before = r.committed;
  assert_true(reserve_commit(&r, before + 1));
  assert_ptr_equal(r.base, base);
  assert_int_equal(base[before - 1], 1);
  assert_true(all_zero(base + before, r.committed - before));
  assert_true(reserve_commit(&r, 10 * MIB));
  assert_true(r.committed >= 10 * MIB);
  assert_true(r.committed <= r.limit);
  assert_false(reserve_commit(&r, r.limit + 1));
  reserve_destroy(&r);
  assert_null(r.base);
  reserve_destroy(&r);
}

/* Far more address space than memory costs nothing until it is used. */
static void large(void **state)
{
  (void)state;
  reserve r;
  assert_true(reserve_create(&r, 512 * GIB));
  assert_int_equal((uintptr_t)r.base % (2 * MIB), 0);
  assert_true(reserve_commit(&r, 20 * MIB));
  r.base[0] = r.base[20 * MIB - 1] = 1;
  assert_true(reserve_commit(&r, 40 * MIB));
  r.base[40 * MIB - 1] = 1;
  reserve_destroy(&r);
}

static void shrink(void **state)
{
  (void)state;
  reserve r;
  assert_true(reserve_create(&r, MIB));
  assert_true(reserve_commit(&r, MIB));
  memset(r.base, 9, MIB);
  reserve_shrink(&r, 100 * KIB + 1);
  assert_in_range(r.committed, 100 * KIB + 1, 104 * KIB);
  assert_int_equal(r.base[100 * KIB], 9);
  size_t kept = r.committed;
  reserve_shrink(&r, MIB);
  assert_int_equal(r.committed, kept);
  assert_true(reserve_commit(&r, MIB));
  assert_true(all_zero(r.base + kept, MIB - kept));
  reserve_shrink(&r, 0);
  assert_int_equal(r.committed, 0);
  reserve_destroy(&r);
}

/* Committed memory always reads as what was written, and 0 where nothing was
** since it was committed. */
static void random_operations(void **state)
{
  (void)state;
  enum { LIMIT = 1 << 20, EVERY = 1024 };
  static uint8_t twin[LIMIT];
  memset(twin, 0, sizeof twin);
  reserve r;
  random_state random;
  random_seed(&random, 6);
  assert_true(reserve_create(&r, LIMIT));
  for (int step = 0; step < 2000; step++) {
    size_t n = random_below(&random, LIMIT + 1);
    if (random_below(&random, 4))
      assert_true(reserve_commit(&r, n));
    else {
      reserve_shrink(&r, n);
      memset(twin + r.committed, 0, LIMIT - r.committed);
    }
    for (size_t i = 0; i < r.committed; i += EVERY) {
      assert_int_equal(r.base[i], twin[i]);
      r.base[i] = twin[i] = (uint8_t)random_next(&random);
    }
  }
  reserve_destroy(&r);
}

static void refused(void **state)
{
  (void)state;
  reserve r;
  assert_false(reserve_create(&r, SIZE_MAX));
  assert_false(reserve_create(&r, PTRDIFF_MAX / 2));
  mem_fail_at(1);
  assert_false(reserve_create(&r, MIB));
  mem_fail_at(2);
  assert_true(reserve_create(&r, MIB));
  assert_false(reserve_commit(&r, 1));
  assert_int_equal(r.committed, 0);
  mem_fail_at(0);
  assert_true(reserve_commit(&r, 1));
  reserve_destroy(&r);
  assert_true(reserve_create(&r, 0));
  assert_true(reserve_commit(&r, 0));
  reserve_destroy(&r);
}

/* An array that takes over from another counts by what it has more; what was
** dropped of the old one is given back to the system. */
static void follow(void **state)
{
  (void)state;
  reserve old, new;
  mem_budget budget = {.granted = 9 * MIB};
  mem_budget *before = mem_use_budget(&budget);
  assert_true(reserve_create(&old, 6 * MIB));
  assert_true(reserve_commit(&old, 6 * MIB));
  memset(old.base, 1, 6 * MIB);
  assert_true(reserve_follow(&new, 8 * MIB, &old));
  assert_int_equal(budget.used, 8 * MIB);
  reserve_destroy(&new);
  assert_int_equal(budget.used, 6 * MIB);
  assert_true(reserve_follow(&new, 8 * MIB, &old));
  assert_true(all_zero(new.base, 8 * MIB));
  size_t from = 0, behind = 5 * MIB + 1, kept = 5 * MIB + (MIB >> 4);
  assert_true(reserve_drop(&old, &from, 5 * MIB - 1));
  assert_int_equal(from, 5 * MIB - (MIB >> 4));
  assert_int_equal(old.base[from], 1);
  assert_false(reserve_drop(&old, &from, 5 * MIB - 1));
  assert_true(reserve_drop(&old, &from, 5 * MIB));
  assert_true(all_zero(old.base, 5 * MIB));
  assert_false(reserve_drop(&old, &behind, kept));
  assert_true(reserve_drop(&old, &behind, kept + (MIB >> 4)));
  assert_int_equal(old.base[5 * MIB], 1);
  assert_int_equal(old.base[kept - 1], 1);
  assert_true(all_zero(old.base + kept, MIB >> 4));
  assert_int_equal(old.base[kept + (MIB >> 4)], 1);
  reserve_end(&old, &new);
  assert_int_equal(budget.used, 8 * MIB);
  mem_fail_at(2);
  assert_false(reserve_follow(&old, 4 * MIB, &new));
  mem_fail_at(0);
  assert_true(reserve_follow(&old, 4 * MIB, &new));
  reserve_end(&new, &old);
  assert_int_equal(budget.used, 4 * MIB);
  reserve_destroy(&old);
  assert_int_equal(budget.used, 0);
  mem_use_budget(before);
}

UNIT_MAIN(UNIT(basic), UNIT(large), UNIT(shrink), UNIT(random_operations),
          UNIT(refused), UNIT(follow))
