/* Collections of both kinds of diagrams, and tables that grow, which are left in
** the middle because time is up: sets can be read as before, and nothing more is
** made. */

#include "unit.h"

#include "base/alloc.h"
#include "base/random.h"
#include "dd/mdd/mdd.h"
#include "dd/robdd/robdd.h"

enum { LENGTH = 4, BITS = 48 };

static uint64_t looks, due_at; /* 0: never */

static bool grant_all(mem_budget *b, long long wanted)
{
  (void)b, (void)wanted;
  return true;
}

static bool is_never_over(mem_budget *b)
{
  (void)b;
  return false;
}

static bool is_due(const mem_budget *b)
{
  (void)b;
  looks++;
  return due_at && looks >= due_at;
}

static mem_budget budget = {
    .grant = grant_all, .is_over = is_never_over, .is_due = is_due};

static uint64_t value_of(bignum *count)
{
  uint64_t result;
  assert_true(bignum_to_u64(count, &result));
  bignum_free(count);
  return result;
}

/* ---- decision diagrams with many values --------------------------------- */

static uint64_t members(const mdd_manager *m, mdd set)
{
  bignum count = {0};
  assert_true(mdd_count(m, set, &count));
  return value_of(&count);
}

static void random_tuple(random_state *random, uint32_t *tuple)
{
  for (int i = 0; i < LENGTH; i++)
    tuple[i] = (uint32_t)random_below(random, 300);
}

/* 'kept' and as much garbage; some 150,000 nodes each. */
static void fill_manager(mdd_manager *m, mdd *kept)
{
  random_state random;
  random_seed(&random, 7);
  uint32_t tuple[LENGTH];
  mdd_set_least_garbage(m, UINT32_MAX / 4);
  mdd garbage = MDD_EMPTY;
  for (int i = 0; i < 150000; i++) {
    random_tuple(&random, tuple);
    assert_int_not_equal(mdd_add(m, kept, tuple, LENGTH), MDD_NO_ROOM);
    random_tuple(&random, tuple);
    assert_int_not_equal(mdd_add(m, &garbage, tuple, LENGTH), MDD_NO_ROOM);
  }
}

/* Whether the collection was left, with the n-th look at the clock. */
static bool leave_collection(uint64_t n, mdd_kind kind, bool owning)
{
  mdd_manager *m = mdd_create(kind, SIZE_MAX);
  mdd kept = MDD_EMPTY;
  assert_true(mdd_protect(m, &kept, 1));
  looks = due_at = 0;
  fill_manager(m, &kept);
  uint32_t tuple[LENGTH] = {0}, strange[LENGTH] = {999, 999, 999, 999};
  assert_true(mdd_first(m, kept, tuple));
  if (!owning)
    assert_int_equal(mdd_union(m, kept, kept), kept);
  uint64_t before = members(m, kept);
  uint32_t nodes = mdd_figures(m).nodes;
  looks = 0;
  due_at = n;
  mdd_collect(m);
  bool left = looks == n;
  assert_int_equal(members(m, kept), before);
  assert_true(mdd_contains(m, kept, tuple, LENGTH));
  due_at = 0;
  if (left) {
    assert_int_equal(mdd_figures(m).nodes, nodes);
    assert_int_equal(mdd_insert(m, kept, strange, LENGTH), MDD_FULL);
    assert_int_equal(mdd_add(m, &kept, strange, LENGTH), MDD_NO_ROOM);
    assert_int_equal(members(m, kept), before);
  } else {
    assert_true(mdd_figures(m).nodes < nodes);
    assert_null(mdd_check(m));
    assert_int_equal(mdd_add(m, &kept, strange, LENGTH), MDD_NEW);
    assert_int_equal(members(m, kept), before + 1);
  }
  mdd_unprotect(m, &kept);
  mdd_destroy(m);
  return left;
}

/* Marking, and sweeping what lives and what does not. */
static void sets_of_values(void **state)
{
  (void)state;
  mem_budget *before = mem_use_budget(&budget);
  uint64_t n = 1;
  while (leave_collection(n, MDD_VALUES, n % 2))
    n++;
  assert_true(n > 4);
  assert_true(leave_collection(1, MDD_RANGES, true));
  mem_use_budget(before);
}

/* The unique table gets more buckets while nodes are made. */
static void more_nodes(void **state)
{
  (void)state;
  mem_budget *before = mem_use_budget(&budget);
  mdd_manager *m = mdd_create(MDD_VALUES, SIZE_MAX);
  mdd set = MDD_EMPTY;
  assert_true(mdd_protect(m, &set, 1));
  mdd_set_least_garbage(m, UINT32_MAX / 4);
  random_state random;
  random_seed(&random, 7);
  uint32_t tuple[LENGTH];
  looks = 0;
  due_at = 1;
  uint64_t count = 0;
  mdd_outcome outcome;
  do {
    random_tuple(&random, tuple);
    outcome = mdd_add(m, &set, tuple, LENGTH);
    count += outcome == MDD_NEW;
  } while (outcome != MDD_NO_ROOM && count < 1000000);
  due_at = 0;
  assert_int_equal(outcome, MDD_NO_ROOM);
  assert_int_equal(looks, 1);
  assert_true(count > 10000);
  assert_int_equal(members(m, set), count);
  mdd_unprotect(m, &set);
  mdd_destroy(m);
  mem_use_budget(before);
}

/* ---- binary decision diagrams -------------------------------------------- */

static uint64_t assignments(robdd_manager *m, robdd f)
{
  bignum count = {0};
  assert_true(robdd_count(m, f, BITS, &count));
  return value_of(&count);
}

static robdd add_random(robdd_manager *m, robdd f, random_state *random)
{
  uint8_t values[BITS];
  uint64_t bits = random_next(random);
  for (int i = 0; i < BITS; i++)
    values[i] = bits >> i & 1;
  return robdd_add_assignment(m, f, values);
}

static bool leave_binary(uint64_t n)
{
  robdd_manager *m = robdd_create(BITS, SIZE_MAX);
  robdd kept[2] = {ROBDD_FALSE, ROBDD_FALSE};
  assert_true(robdd_protect(m, kept, 2));
  looks = due_at = 0;
  robdd_set_least_garbage(m, 1 << 28);
  random_state random;
  random_seed(&random, 7);
  for (int i = 0; i < 10000; i++) {
    kept[0] = add_random(m, kept[0], &random);
    kept[1] = add_random(m, kept[1], &random);
  }
  kept[1] = ROBDD_FALSE;
  uint64_t before = assignments(m, kept[0]);
  uint32_t nodes = robdd_figures(m).nodes;
  looks = 0;
  due_at = n;
  robdd_collect(m);
  bool left = looks == n;
  due_at = 0;
  assert_int_equal(assignments(m, kept[0]), before);
  robdd more = add_random(m, kept[0], &random);
  if (left) {
    assert_int_equal(robdd_figures(m).nodes, nodes);
    assert_int_equal(more, ROBDD_FULL);
    assert_false(robdd_reorder(m));
    assert_int_equal(assignments(m, kept[0]), before);
  } else {
    assert_null(robdd_check(m));
    assert_int_equal(assignments(m, more), before + 1);
  }
  robdd_unprotect(m, kept);
  robdd_destroy(m);
  return left;
}

static void functions(void **state)
{
  (void)state;
  mem_budget *before = mem_use_budget(&budget);
  uint64_t n = 1;
  while (leave_binary(n))
    n++;
  assert_true(n > 4);
  mem_use_budget(before);
}

UNIT_MAIN(UNIT(sets_of_values), UNIT(more_nodes), UNIT(functions))
