#include "unit.h"

#include <math.h>

#include "base/random.h"
#include "dd/bignum.h"
#include "dd/node_map.h"

__extension__ typedef unsigned __int128 u128;

static u128 value_of(const bignum *b)
{
  u128 value = 0;
  assert_true(b->len <= 4);
  for (size_t i = b->len; i--;)
    value = value << 32 | b->words[i];
  return value;
}

static void set_wide(bignum *b, u128 value)
{
  bignum low = {0};
  assert_true(bignum_set(b, (uint64_t)(value >> 64)));
  assert_true(bignum_shift_left(b, 64));
  assert_true(bignum_set(&low, (uint64_t)value));
  assert_true(bignum_add(b, &low));
  bignum_free(&low);
}

static void assert_text(const bignum *b, const char *expected)
{
  char *digits = bignum_text(b);
  assert_string_equal(digits, expected);
  mem_free_string(digits);
}

static void basic(void **state)
{
  (void)state;
  bignum b = {0}, c = {0};
  assert_text(&b, "0");
  assert_true(bignum_set(&b, UINT64_MAX));
  assert_text(&b, "18446744073709551615");
  assert_true(bignum_set(&c, 1));
  assert_true(bignum_add(&b, &c));
  assert_text(&b, "18446744073709551616");
  uint64_t small;
  assert_false(bignum_to_u64(&b, &small));
  bignum_subtract(&b, &c);
  assert_true(bignum_to_u64(&b, &small) && small == UINT64_MAX);
  assert_true(bignum_set(&b, 1000000000));
  assert_true(bignum_multiply(&b, 1000000000));
  assert_true(bignum_multiply(&b, 7));
  assert_text(&b, "7000000000000000000");
  bignum_subtract(&b, &b);
  assert_text(&b, "0");
  assert_true(bignum_shift_left(&b, 1000));
  assert_text(&b, "0");
  bignum_free(&b);
  bignum_free(&c);
}

/* 2^1000 has 302 digits, and half of its double is itself. */
static void large(void **state)
{
  (void)state;
  bignum b = {0}, c = {0};
  assert_true(bignum_set(&b, 1));
  assert_true(bignum_shift_left(&b, 1000));
  char *digits = bignum_text(&b);
  assert_int_equal(strlen(digits), 302);
  assert_memory_equal(digits, "10715086071862673209", 20);
  mem_free_string(digits);
  assert_true(bignum_to_double(&b) == ldexp(1, 1000));
  assert_true(bignum_copy(&c, &b));
  assert_true(bignum_add(&c, &c));
  bignum_shift_right(&c, 1);
  assert_int_equal(bignum_compare(&b, &c), 0);
  bignum_shift_right(&c, 1);
  assert_true(bignum_compare(&b, &c) > 0 && bignum_compare(&c, &b) < 0);
  bignum_shift_right(&c, 5000);
  assert_text(&c, "0");
  assert_true(bignum_shift_left(&b, 100000));
  assert_true(isinf(bignum_to_double(&b)));
  bignum_free(&b);
  bignum_free(&c);
}

/* Against the compiler's 128-bit numbers. */
static void random_operations(void **state)
{
  (void)state;
  random_state r;
  random_seed(&r, 11);
  bignum b = {0}, c = {0};
  for (int step = 0; step < 20000; step++) {
    uint64_t x = random_next(&r) >> random_below(&r, 64);
    uint64_t y = random_next(&r) >> random_below(&r, 64);
    unsigned shift = (unsigned)random_below(&r, 63);
    u128 wide = (u128)x << shift;
    set_wide(&b, wide);
    assert_true(value_of(&b) == wide);
    assert_true(bignum_set(&c, y));
    assert_int_equal(bignum_compare(&b, &c), (wide > y) - (wide < y));
    assert_true(bignum_add(&b, &c));
    assert_true(value_of(&b) == wide + y);
    bignum_subtract(&b, &c);
    assert_true(value_of(&b) == wide);
    bignum_shift_right(&b, shift);
    assert_true(value_of(&b) == x);
    assert_true(bignum_multiply(&b, y));
    assert_true(value_of(&b) == (u128)x * y);
    double exact = (double)x * (double)y;
    assert_true(fabs(bignum_to_double(&b) - exact) <= exact * 1e-15);
  }
  bignum_free(&b);
  bignum_free(&c);
}

/* Every operation without memory leaves the number as it was. */
static void no_memory(void **state)
{
  (void)state;
  for (uint64_t n = 1; n < 12; n++) {
    bignum b = {0}, c = {0};
    mem_fail_at(n);
    bool ok = bignum_set(&b, 5) && bignum_copy(&c, &b) &&
              bignum_shift_left(&c, 300) && bignum_add(&b, &c) &&
              bignum_multiply(&b, UINT64_MAX);
    char *digits = bignum_text(&b);
    mem_fail_at(0);
    if (digits)
      mem_free_string(digits);
    assert_true(ok || n < 8);
    assert_true(bignum_add(&b, &c));
    bignum_free(&b);
    bignum_free(&c);
  }
}

/* The map that counts and roots are kept in, against an array. */
static void map_random(void **state)
{
  (void)state;
  enum { KEYS = 3000 };
  static uint32_t twin[KEYS];
  memset(twin, 0, sizeof twin);
  random_state r;
  random_seed(&r, 12);
  dd_map map = {0};
  for (int step = 0; step < 60000; step++) {
    uint32_t key = (uint32_t)random_below(&r, KEYS);
    assert_int_equal(dd_map_get(&map, key), twin[key]);
    if (random_below(&r, 2))
      *dd_map_at(&map, key) = twin[key] = (uint32_t)random_below(&r, 3);
  }
  dd_map_free(&map);
}

UNIT_MAIN(UNIT(basic), UNIT(large), UNIT(random_operations), UNIT(no_memory),
          UNIT(map_random))
