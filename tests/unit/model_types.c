#include "unit.h"

#include "model/model.h"

static void sizes(void **state)
{
  (void)state;
  type t = type_scalar(TYPE_BIT);
  assert_int_equal(type_bytes(&t), 1);
  t = type_scalar(TYPE_SHORT);
  assert_int_equal(type_bytes(&t), 2);
  t = type_scalar(TYPE_INT);
  assert_int_equal(type_bytes(&t), 4);
  t = type_unsigned(8);
  assert_int_equal(type_bytes(&t), 1);
  t = type_unsigned(9);
  assert_int_equal(type_bytes(&t), 2);
  t = type_unsigned(17);
  assert_int_equal(type_bytes(&t), 4);
  t = type_range(0, 255);
  assert_int_equal(type_bytes(&t), 1);
  t = type_range(0, 256);
  assert_int_equal(type_bytes(&t), 2);
  t = type_range(-128, 127);
  assert_int_equal(type_bytes(&t), 1);
  t = type_range(-1, 128);
  assert_int_equal(type_bytes(&t), 2);
  t = type_range(-32769, 0);
  assert_int_equal(type_bytes(&t), 4);
}

static void limits(void **state)
{
  (void)state;
  assert_int_equal(type_scalar(TYPE_BYTE).hi, 255);
  assert_int_equal(type_scalar(TYPE_SHORT).lo, -32768);
  assert_int_equal(type_unsigned(5).hi, 31);
  assert_int_equal(type_unsigned(31).hi, INT32_MAX);
  assert_int_equal(type_unsigned(31).lo, 0);
  assert_int_equal(type_range(-3, 9).lo, -3);
}

/* What SPIN's C bit fields and integers keep of a value. */
static void truncation(void **state)
{
  (void)state;
  type bit = type_scalar(TYPE_BIT), byte = type_scalar(TYPE_BYTE);
  type small = type_scalar(TYPE_SHORT), whole = type_scalar(TYPE_INT);
  type five = type_unsigned(5), all = type_unsigned(32);
  assert_int_equal(type_truncate(&bit, 2), 0);
  assert_int_equal(type_truncate(&bit, -1), 1);
  assert_int_equal(type_truncate(&byte, 300), 44);
  assert_int_equal(type_truncate(&byte, -1), 255);
  assert_int_equal(type_truncate(&small, 32768), -32768);
  assert_int_equal(type_truncate(&small, -32769), 32767);
  assert_int_equal(type_truncate(&whole, INT32_MIN), INT32_MIN);
  assert_int_equal(type_truncate(&five, 33), 1);
  assert_int_equal(type_truncate(&five, -1), 31);
  assert_int_equal(type_truncate(&all, -1), -1);
}

/* A value that fits is kept, whatever the type. */
static void values_that_fit(void **state)
{
  (void)state;
  type types[] = {
      type_scalar(TYPE_BIT),  type_scalar(TYPE_BYTE), type_scalar(TYPE_SHORT),
      type_scalar(TYPE_CHAN), type_unsigned(3),       type_unsigned(12),
      type_range(-5, 5),      type_range(100, 40000), type_range(-40000, 7)};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    for (int64_t v = types[i].lo; v <= types[i].hi; v++)
      assert_int_equal(type_truncate(&types[i], (int32_t)v), v);
}

UNIT_MAIN(UNIT(sizes), UNIT(limits), UNIT(truncation), UNIT(values_that_fit))
