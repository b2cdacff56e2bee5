#include "unit.h"

#include "base/random.h"
#include "base/text/text.h"
#include "dd/robdd/robdd.h"

enum { VARIABLES = 5, ROWS = 1 << VARIABLES };

/* A function of five variables is a word: bit i is its value where variable v
** has bit v of i. */
typedef uint32_t table;

static void assert_sound(const robdd_manager *m)
{
  const char *problem = robdd_check(m);
  if (problem)
    fail_msg("%s", problem);
}

static void spread(unsigned row, uint8_t *values, unsigned count)
{
  for (unsigned v = 0; v < count; v++)
    values[v] = v < VARIABLES ? row >> v & 1 : 0;
}

static table table_of(const robdd_manager *m, robdd f)
{
  table result = 0;
  uint8_t values[64];
  for (unsigned row = 0; row < ROWS; row++) {
    spread(row, values, 64);
    result |= (table)robdd_value(m, f, values) << row;
  }
  return result;
}

/* Row by row, so that no operation under test is needed but one. */
static robdd from_table(robdd_manager *m, table t)
{
  robdd f = ROBDD_FALSE;
  uint8_t values[64];
  for (unsigned row = 0; row < ROWS; row++)
    if (t >> row & 1) {
      spread(row, values, 64);
      f = robdd_add_assignment(m, f, values);
    }
  return f;
}

static table variable_table(unsigned v)
{
  table result = 0;
  for (unsigned row = 0; row < ROWS; row++)
    result |= (table)(row >> v & 1) << row;
  return result;
}

/* t where variable v has the value b, whatever v is. */
static table fix(table t, unsigned v, bool b)
{
  table x = variable_table(v), half = b ? t & x : t & ~x;
  unsigned shift = 1u << v;
  return b ? half | half >> shift : half | half << shift;
}

static void basic(void **state)
{
  (void)state;
  robdd_manager *m = robdd_create(VARIABLES, SIZE_MAX);
  assert_int_equal(robdd_not(ROBDD_FALSE), ROBDD_TRUE);
  assert_int_equal(robdd_not(ROBDD_FULL), ROBDD_FULL);
  robdd x = robdd_variable(m, 0), y = robdd_variable(m, 1);
  robdd f = robdd_or(m, robdd_and(m, x, y), robdd_not(x));
  assert_int_equal(f, robdd_ite(m, x, y, ROBDD_TRUE));
  assert_int_equal(robdd_equiv(m, x, y), robdd_not(robdd_xor(m, x, y)));
  assert_int_equal(robdd_minus(m, x, x), ROBDD_FALSE);
  assert_int_equal(robdd_and(m, x, ROBDD_FULL), ROBDD_FULL);
  bignum count = {0};
  assert_true(robdd_count(m, f, 2, &count));
  uint64_t n;
  assert_true(bignum_to_u64(&count, &n) && n == 3);
  assert_true(robdd_count(m, f, VARIABLES, &count));
  assert_true(bignum_to_u64(&count, &n) && n == 24);
  bignum_free(&count);
  assert_int_equal(robdd_size(m, (robdd[]){x, f}, 2), 3);
  assert_sound(m);
  robdd_destroy(m);
  robdd_destroy(NULL);
}

/* All operations on random functions of five variables, against tables. */
static void against_tables(void **state)
{
  (void)state;
  random_state r;
  random_seed(&r, 21);
  robdd_manager *m = robdd_create(VARIABLES, SIZE_MAX);
  robdd f[3] = {0};
  assert_true(robdd_protect(m, f, 3));
  for (int step = 0; step < 3000; step++) {
    table t[3];
    for (int i = 0; i < 3; i++) {
      t[i] = (table)random_next(&r);
      if (random_below(&r, 4) == 0)
        t[i] &= (table)random_next(&r) & (table)random_next(&r);
      f[i] = from_table(m, t[i]);
      assert_int_equal(table_of(m, f[i]), t[i]);
    }
    unsigned v = (unsigned)random_below(&r, VARIABLES);
    robdd_hold(m);
    assert_int_equal(table_of(m, robdd_and(m, f[0], f[1])), t[0] & t[1]);
    assert_int_equal(table_of(m, robdd_or(m, f[0], f[1])), t[0] | t[1]);
    assert_int_equal(table_of(m, robdd_xor(m, f[0], f[1])), t[0] ^ t[1]);
    assert_int_equal(robdd_ite(m, f[0], f[1], f[2]),
                     from_table(m, (t[0] & t[1]) | (~t[0] & t[2])));
    robdd x = robdd_variable(m, v);
    table low = fix(t[0], v, false), high = fix(t[0], v, true);
    assert_int_equal(table_of(m, robdd_exists(m, f[0], x)), low | high);
    uint32_t two[] = {v, (v + 1) % VARIABLES};
    table one = low | high;
    assert_int_equal(
        table_of(m, robdd_exists(m, f[0], robdd_cube(m, two, NULL, 2))),
        fix(one, two[1], false) | fix(one, two[1], true));
    robdd_release(m);
    assert_sound(m);
  }
  robdd_unprotect(m, f);
  robdd_destroy(m);
}

/* Cubes are disjoint, together the function, and come to an end. */
static void enumeration(void **state)
{
  (void)state;
  random_state r;
  random_seed(&r, 23);
  robdd_manager *m = robdd_create(VARIABLES, SIZE_MAX);
  uint8_t values[VARIABLES];
  assert_false(robdd_first_cube(m, ROBDD_FALSE, values));
  assert_true(robdd_first_cube(m, ROBDD_TRUE, values));
  assert_int_equal(values[3], ROBDD_ANY);
  assert_false(robdd_next_cube(m, ROBDD_TRUE, values));
  for (int step = 0; step < 300; step++) {
    table t = (table)random_next(&r), sum = 0;
    robdd f = from_table(m, t);
    uint32_t all[VARIABLES] = {0, 1, 2, 3, 4};
    for (bool more = robdd_first_cube(m, f, values); more;
         more = robdd_next_cube(m, f, values)) {
      table cube = ~(table)0;
      uint32_t used[VARIABLES];
      uint8_t signs[VARIABLES];
      size_t n = 0;
      for (unsigned v = 0; v < VARIABLES; v++)
        if (values[v] != ROBDD_ANY) {
          cube &= values[v] ? variable_table(v) : ~variable_table(v);
          used[n] = all[v];
          signs[n++] = values[v];
        }
      robdd_hold(m);
      assert_int_equal(table_of(m, robdd_cube(m, used, signs, n)), cube);
      robdd_release(m);
      assert_int_equal(sum & cube, 0);
      sum |= cube;
    }
    assert_int_equal(sum, t);
    if (robdd_variables(m) == VARIABLES && step % 10 == 0) {
      robdd_ref(m, f);
      assert_true(robdd_swap_levels(m, (uint32_t)step / 10 % 4));
      robdd_unref(m, f);
      assert_int_equal(table_of(m, f), t);
    }
  }
  uint32_t twice[] = {1, 1};
  assert_int_equal(robdd_cube(m, twice, (uint8_t[]){0, 1}, 2), ROBDD_FALSE);
  assert_int_equal(robdd_cube(m, twice, NULL, 0), ROBDD_TRUE);
  robdd_destroy(m);
}

static void variables_later(void **state)
{
  (void)state;
  robdd_manager *m = robdd_create(0, SIZE_MAX);
  robdd f = ROBDD_FALSE;
  assert_true(robdd_protect(m, &f, 1));
  for (uint32_t v = 0; v < 200; v++) {
    assert_true(robdd_add_variables(m, 1));
    f = robdd_xor(m, f, robdd_variable(m, v));
    if (v == 50)
      assert_true(robdd_reorder(m));
  }
  assert_int_equal(robdd_size(m, &f, 1), 200);
  bignum count = {0}, half = {0};
  assert_true(robdd_count(m, f, 200, &count) && bignum_set(&half, 1) &&
              bignum_shift_left(&half, 199));
  assert_int_equal(bignum_compare(&count, &half), 0);
  bignum_free(&count);
  bignum_free(&half);
  assert_false(robdd_add_variables(m, ROBDD_MOST_VARIABLES));
  assert_int_equal(robdd_variables(m), 200);
  assert_sound(m);
  robdd_unprotect(m, &f);
  robdd_destroy(m);
}

/* Recursion as deep as the tuples of large states. */
static void many_levels(void **state)
{
  (void)state;
  enum { COUNT = 5000 };
  robdd_manager *m = robdd_create(COUNT, SIZE_MAX);
  static uint32_t all[COUNT];
  static uint8_t values[COUNT];
  for (uint32_t v = 0; v < COUNT; v++) {
    all[v] = v;
    values[v] = v % 3 == 0;
  }
  robdd f = robdd_cube(m, all, NULL, COUNT);
  robdd g = robdd_cube(m, all, values, COUNT);
  robdd h = robdd_ref(m, robdd_or(m, f, g));
  assert_int_equal(robdd_add_assignment(m, f, values), h);
  robdd_collect(m);
  assert_true(robdd_value(m, h, values));
  values[4999] ^= 1;
  assert_false(robdd_value(m, h, values));
  bignum count = {0};
  assert_true(robdd_count(m, h, COUNT, &count));
  uint64_t n;
  assert_true(bignum_to_u64(&count, &n) && n == 2);
  bignum_free(&count);
  assert_int_equal(robdd_exists(m, h, robdd_cube(m, all, NULL, COUNT)),
                   ROBDD_TRUE);
  robdd_unref(m, h);
  robdd_collect(m);
  assert_int_equal(robdd_figures(m).nodes, 0);
  robdd_destroy(m);
}

/* x0 x1 + x2 x3 + ... needs few nodes when partners are neighbours, and
** exponentially many when all first ones come first. */
static robdd pairs(robdd_manager *m, uint32_t count)
{
  robdd f = ROBDD_FALSE;
  robdd_hold(m);
  for (uint32_t i = 0; i < count; i++)
    f = robdd_or(
        m, f, robdd_and(m, robdd_variable(m, i), robdd_variable(m, count + i)));
  robdd_release(m);
  return f;
}

static void sifting_finds_partners(void **state)
{
  (void)state;
  enum { PAIRS = 10 };
  robdd_manager *m = robdd_create(2 * PAIRS, SIZE_MAX);
  robdd f = robdd_ref(m, pairs(m, PAIRS));
  assert_true(robdd_size(m, &f, 1) > 1000);
  assert_true(robdd_reorder(m));
  assert_int_equal(robdd_size(m, &f, 1), 2 * PAIRS);
  for (uint32_t i = 0; i < PAIRS; i++) {
    uint32_t a = robdd_level_of(m, i), b = robdd_level_of(m, PAIRS + i);
    assert_true(a + 1 == b || b + 1 == a);
  }
  assert_sound(m);
  assert_int_equal(pairs(m, PAIRS), f);
  assert_sound(m);
  robdd_unref(m, f);
  robdd_destroy(m);
}

/* Groups of two variables each stay together and in order. */
static void groups(void **state)
{
  (void)state;
  enum { COUNT = 16 };
  random_state r;
  random_seed(&r, 24);
  for (int round = 0; round < 20; round++) {
    robdd_manager *m = robdd_create(COUNT, SIZE_MAX);
    for (uint32_t v = 0; v + 1 < COUNT; v += 2)
      if (random_below(&r, 4))
        robdd_group(m, v, 2);
    robdd f[2] = {pairs(m, COUNT / 2), ROBDD_TRUE};
    assert_true(robdd_protect(m, f, 2));
    for (int i = 0; i < 10; i++) {
      uint32_t a = (uint32_t)random_below(&r, COUNT);
      uint32_t b = (uint32_t)random_below(&r, COUNT);
      f[1] = robdd_and(
          m, f[1],
          robdd_or(m, robdd_variable(m, a), robdd_not(robdd_variable(m, b))));
    }
    size_t before = robdd_size(m, f, 2);
    assert_true(robdd_reorder(m));
    assert_true(robdd_size(m, f, 2) <= before);
    assert_sound(m);
    assert_int_equal(pairs(m, COUNT / 2), f[0]);
    robdd_unprotect(m, f);
    robdd_destroy(m);
  }
}

/* Everything survives random exchanges, collections and reorderings. */
static void reordering_keeps_functions(void **state)
{
  (void)state;
  enum { FUNCTIONS = 12, EXTRA = 7 };
  random_state r;
  random_seed(&r, 25);
  robdd_manager *m = robdd_create(VARIABLES + EXTRA, SIZE_MAX);
  robdd f[FUNCTIONS] = {0};
  table t[FUNCTIONS] = {0};
  assert_true(robdd_protect(m, f, FUNCTIONS));
  for (int step = 0; step < 3000; step++) {
    size_t i = random_below(&r, FUNCTIONS), j = random_below(&r, FUNCTIONS);
    switch (random_below(&r, 8)) {
    case 0:
      assert_true(robdd_swap_levels(
          m, (uint32_t)random_below(&r, VARIABLES + EXTRA - 1)));
      break;
    case 1:
      robdd_collect(m);
      break;
    case 2:
      if (step % 20 == 0)
        assert_true(robdd_reorder(m));
      break;
    case 3:
      t[i] = (table)random_next(&r) | (table)random_next(&r);
      f[i] = from_table(m, t[i]);
      /* Rows mention the further variables as 0; forget them. */
      uint32_t extra[EXTRA];
      for (uint32_t v = 0; v < EXTRA; v++)
        extra[v] = VARIABLES + v;
      f[i] = robdd_exists(m, f[i], robdd_cube(m, extra, NULL, EXTRA));
      break;
    case 4:
      f[i] = robdd_and(m, f[i], robdd_not(f[j]));
      t[i] &= ~t[j];
      break;
    default:
      f[i] = robdd_xor(m, f[i], f[j]);
      t[i] ^= t[j];
    }
    for (int k = 0; k < FUNCTIONS; k++)
      assert_int_equal(table_of(m, f[k]), t[k]);
    assert_sound(m);
  }
  robdd_unprotect(m, f);
  robdd_destroy(m);
}

/* Several managers at once, reordering and collecting by themselves. */
static void several_managers(void **state)
{
  (void)state;
  enum { MANAGERS = 4, PAIRS = 12 };
  robdd_manager *m[MANAGERS];
  robdd f[MANAGERS] = {0};
  for (int i = 0; i < MANAGERS; i++) {
    m[i] = robdd_create(2 * PAIRS, SIZE_MAX);
    robdd_auto_reorder(m[i], i & 1);
    robdd_set_garbage(m[i], 10);
    assert_true(robdd_protect(m[i], &f[i], 1));
  }
  random_state r;
  random_seed(&r, 26);
  static uint8_t values[MANAGERS][400][2 * PAIRS];
  for (int step = 0; step < 400; step++)
    for (int i = 0; i < MANAGERS; i++) {
      for (int v = 0; v < 2 * PAIRS; v++)
        values[i][step][v] = random_below(&r, 2) && random_below(&r, 2);
      f[i] = robdd_add_assignment(m[i], f[i], values[i][step]);
      if (step == 200 + i)
        assert_true(robdd_reorder(m[i]));
    }
  for (int i = 0; i < MANAGERS; i++) {
    for (int step = 0; step < 400; step++)
      assert_true(robdd_value(m[i], f[i], values[i][step]));
    assert_sound(m[i]);
    robdd_unprotect(m[i], &f[i]);
    robdd_destroy(m[i]);
  }
}

static void automatic_reordering(void **state)
{
  (void)state;
  enum { PAIRS = 17 };
  robdd_manager *m = robdd_create(2 * PAIRS, SIZE_MAX);
  robdd_auto_reorder(m, true);
  robdd_set_garbage(m, 0);
  robdd f = ROBDD_FALSE;
  assert_true(robdd_protect(m, &f, 1));
  for (uint32_t i = 0; i < PAIRS; i++) {
    robdd both =
        robdd_and(m, robdd_variable(m, i), robdd_variable(m, PAIRS + i));
    f = robdd_or(m, f, both);
  }
  assert_true(robdd_figures(m).reorderings > 0);
  assert_true(robdd_size(m, &f, 1) < 40000);
  assert_sound(m);
  robdd_unprotect(m, &f);
  robdd_destroy(m);
}

/* ---- without memory ---------------------------------------------------- */

enum { FAULT_VARIABLES = 18 };

/* Work that needs many nodes; true when all of it was done. */
static bool heavy_work(robdd_manager *m, robdd *f)
{
  bignum count = {0};
  f[0] = pairs(m, FAULT_VARIABLES / 2);
  for (uint32_t i = 0; i < FAULT_VARIABLES; i++) {
    robdd part = robdd_variable(m, i);
    f[1] = robdd_xor(m, f[1], part);
    f[1] = robdd_ite(m, f[0], f[1], part);
  }
  f[2] = robdd_cube(m, (uint32_t[]){1, 5, 9}, NULL, 3);
  f[2] = robdd_exists(m, f[1], f[2]);
  bool ok = f[0] != ROBDD_FULL && f[1] != ROBDD_FULL && f[2] != ROBDD_FULL;
  ok = ok && robdd_ref(m, f[1]) != ROBDD_FULL;
  if (ok) {
    ok = robdd_reorder(m);
    ok = robdd_size(m, f, ok ? 3 : 0) != SIZE_MAX && ok;
    ok = robdd_count(m, ok ? f[2] : f[1], FAULT_VARIABLES, &count) && ok;
    ok = robdd_add_variables(m, 3) && ok;
    robdd_unref(m, f[1]);
  }
  bignum_free(&count);
  return ok;
}

static void every_allocation_fails(void **state)
{
  (void)state;
  bool done = false;
  uint64_t n = 1;
  for (; !done; n++) {
    robdd_manager *m = robdd_create(FAULT_VARIABLES, SIZE_MAX);
    robdd f[3] = {0};
    assert_true(robdd_protect(m, f, 3));
    mem_fail_at(n);
    done = heavy_work(m, f);
    mem_fail_at(0);
    assert_sound(m);
    /* With memory again, the same manager does the same work. */
    memset(f, 0, sizeof f);
    assert_true(heavy_work(m, f));
    assert_sound(m);
    robdd_unprotect(m, f);
    robdd_destroy(m);
  }
  assert_true(n > 20);
  for (n = 1; n < 30; n++) {
    mem_fail_at(n);
    robdd_manager *m = robdd_create(3, SIZE_MAX);
    mem_fail_at(0);
    robdd_destroy(m);
    if (m)
      break;
  }
  assert_true(n < 30);
}

/* A limit is kept, and what fits in it still works. */
static void limit(void **state)
{
  (void)state;
  enum { PAIRS = 14 };
  robdd_manager *m = robdd_create(2 * PAIRS, 1 << 18);
  robdd f = pairs(m, PAIRS);
  assert_int_equal(f, ROBDD_FULL);
  assert_true(robdd_figures(m).bytes <= 1 << 18);
  robdd_collect(m);
  assert_sound(m);
  robdd_hold(m);
  robdd x = robdd_variable(m, 3), y = robdd_variable(m, 5);
  assert_int_equal(robdd_and(m, x, y), robdd_and(m, y, x));
  robdd_release(m);
  robdd_destroy(m);
}

static void pictures(void **state)
{
  (void)state;
  robdd_manager *m = robdd_create(2, SIZE_MAX);
  robdd f[] = {robdd_xor(m, robdd_variable(m, 0), robdd_variable(m, 1)),
               ROBDD_TRUE};
  text out = {0};
  assert_true(robdd_dot(m, f, (const char *[]){"a \"b\"", NULL}, 2,
                        (const char *[]){"x", "y"}, &out));
  const char *dot = text_string(&out);
  assert_non_null(strstr(dot, "digraph"));
  assert_non_null(strstr(dot, "label=\"a \\\"b\\\"\""));
  assert_non_null(strstr(dot, "label=\"x\""));
  assert_non_null(strstr(dot, "style=dashed"));
  assert_non_null(strstr(dot, "arrowhead=odot"));
  text_free(&out);
  robdd_destroy(m);
}

UNIT_MAIN(UNIT(basic), UNIT(against_tables), UNIT(enumeration),
          UNIT(variables_later), UNIT(many_levels),
          UNIT(sifting_finds_partners), UNIT(groups),
          UNIT(reordering_keeps_functions), UNIT(several_managers),
          UNIT(automatic_reordering), UNIT(every_allocation_fails), UNIT(limit),
          UNIT(pictures))
