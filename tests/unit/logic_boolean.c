/* Boolean functions against truth tables of four variables. */

#include "unit.h"

#include "base/random.h"
#include "logic/boolean.h"

enum { VARIABLES = 4, ROWS = 1 << VARIABLES, ALL = (1 << ROWS) - 1 };

/* The table of a variable: bit i is its value in row i. */
static unsigned table_of_variable(unsigned v)
{
  unsigned table = 0;
  for (unsigned i = 0; i < ROWS; i++)
    table |= (i >> v & 1) << i;
  return table;
}

/* A random function and its table. */
static boolean random_function(booleans *b, random_state *r, int depth,
                               unsigned *table)
{
  unsigned other = 0;
  if (depth == 0) {
    unsigned v = (unsigned)random_below(r, VARIABLES);
    *table = table_of_variable(v);
    return boolean_variable(b, v);
  }
  boolean f = random_function(b, r, depth - 1, table);
  boolean g = random_function(b, r, depth - 1, &other);
  switch (random_below(r, 3)) {
  case 0:
    *table &= other;
    return boolean_and(b, f, g);
  case 1:
    *table |= other;
    return boolean_or(b, f, g);
  default:
    *table = ~*table & ALL;
    return boolean_not(b, f);
  }
}

static unsigned table_of_cover(const boolean_cover *c)
{
  unsigned sum = 0;
  for (size_t i = 0, at = 0; i < c->ends.len; i++) {
    unsigned product = ALL;
    for (; at < c->ends.data[i]; at++) {
      unsigned x = table_of_variable(c->literals.data[at].variable);
      product &= c->literals.data[at].positive ? x : ~x;
    }
    sum |= product;
  }
  return sum;
}

/* Equal tables are equal numbers, and covers are what they cover. */
static void random_functions(void **state)
{
  (void)state;
  random_state r;
  random_seed(&r, 7);
  booleans *b = booleans_create(100000);
  boolean_cover cover = {0};
  static boolean known[1 << ROWS];
  memset(known, 0xff, sizeof known);
  for (int i = 0; i < 3000; i++) {
    unsigned table, other;
    boolean f = random_function(b, &r, (int)random_below(&r, 6), &table);
    boolean g = random_function(b, &r, (int)random_below(&r, 6), &other);
    assert_true(known[table] == UINT32_MAX || known[table] == f);
    known[table] = f;
    assert_int_equal(boolean_implies(b, f, g), (table & ~other) == 0);
    boolean_make_cover(b, f, &cover);
    assert_int_equal(table_of_cover(&cover), table);
  }
  boolean_cover_free(&cover);
  booleans_destroy(b);
}

/* The parts exclude each other and make up the function. */
static void splitting(void **state)
{
  (void)state;
  random_state r;
  random_seed(&r, 8);
  booleans *b = booleans_create(100000);
  boolean_parts parts = {0};
  for (int i = 0; i < 1000; i++) {
    unsigned table;
    boolean f = random_function(b, &r, 5, &table);
    uint32_t bound = (uint32_t)random_below(&r, VARIABLES + 1);
    boolean_split(b, f, bound, &parts);
    boolean sum = BOOLEAN_FALSE, above = BOOLEAN_FALSE;
    for (size_t k = 0; k < parts.len; k++) {
      boolean_part p = parts.data[k];
      assert_int_equal(boolean_and(b, above, p.above), BOOLEAN_FALSE);
      above = boolean_or(b, above, p.above);
      sum = boolean_or(b, sum, boolean_and(b, p.above, p.below));
    }
    assert_int_equal(sum, f);
  }
  vec_free(&parts);
  booleans_destroy(b);
}

/* A function that is monotone in a variable has no negation of it. */
static void monotone_covers(void **state)
{
  (void)state;
  booleans *b = booleans_create(1000);
  boolean_cover cover = {0};
  boolean x = boolean_variable(b, 0), y = boolean_variable(b, 1);
  boolean z = boolean_variable(b, 2);
  boolean f = boolean_or(b, boolean_and(b, x, y), z);
  boolean_make_cover(b, f, &cover);
  assert_int_equal(cover.ends.len, 2);
  assert_int_equal(cover.literals.len, 3);
  for (size_t i = 0; i < cover.literals.len; i++)
    assert_true(cover.literals.data[i].positive);
  boolean_make_cover(b, BOOLEAN_TRUE, &cover);
  assert_int_equal(cover.ends.len, 1);
  assert_int_equal(cover.literals.len, 0);
  boolean_make_cover(b, BOOLEAN_FALSE, &cover);
  assert_int_equal(cover.ends.len, 0);
  boolean_cover_free(&cover);
  booleans_destroy(b);
}

static void limit(void **state)
{
  (void)state;
  booleans *b = booleans_create(20);
  boolean f = BOOLEAN_FALSE;
  for (uint32_t i = 0; i < 20; i++) {
    boolean x = boolean_variable(b, i);
    f = boolean_or(b, boolean_and(b, f, boolean_not(b, x)),
                   boolean_and(b, boolean_not(b, f), x));
  }
  assert_true(booleans_full(b));
  booleans_destroy(b);
}

static void copies(void **state)
{
  (void)state;
  random_state r;
  random_seed(&r, 9);
  booleans *a = booleans_create(10000), *b = booleans_create(10000);
  boolean_map map = {0};
  unsigned table, again;
  for (int i = 0; i < 200; i++) {
    boolean f = boolean_copy(b, a, random_function(a, &r, 4, &table), &map);
    boolean_cover cover = {0};
    boolean_make_cover(b, f, &cover);
    again = table_of_cover(&cover);
    boolean_cover_free(&cover);
    assert_int_equal(again, table);
  }
  vec_free(&map);
  booleans_destroy(a);
  booleans_destroy(b);
}

UNIT_MAIN(UNIT(random_functions), UNIT(splitting), UNIT(monotone_covers),
          UNIT(limit), UNIT(copies))
