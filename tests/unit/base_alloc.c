#include "unit.h"

#include "base/random.h"

static void basic(void **state)
{
  (void)state;
  char *p = mem_alloc(100);
  for (int i = 0; i < 100; i++)
    assert_int_equal(p[i], 0);
  assert_int_equal(mem_live(), 100);
  memset(p, 7, 100);
  p = mem_resize(p, 100, 1000);
  for (int i = 0; i < 100; i++)
    assert_int_equal(p[i], 7);
  assert_int_equal(mem_live(), 1000);
  p = mem_resize(p, 1000, 10);
  assert_int_equal(mem_live(), 10);
  mem_free(p, 10);
  mem_free(NULL, 0);
  char *s = mem_copy_string("nut");
  assert_string_equal(s, "nut");
  assert_int_equal(mem_live(), 4);
  mem_free_string(s);
  mem_free_string(NULL);
}

static void zero_bytes(void **state)
{
  (void)state;
  void *p = mem_alloc(0);
  assert_non_null(p);
  p = mem_resize(p, 0, 0);
  assert_non_null(p);
  mem_free(p, 0);
}

static void products(void **state)
{
  (void)state;
  assert_int_equal(mem_product(0, SIZE_MAX), 0);
  assert_int_equal(mem_product(3, 5), 15);
  assert_true(mem_product(SIZE_MAX, 1) == SIZE_MAX);
  assert_true(mem_product(SIZE_MAX / 2, 3) == SIZE_MAX);
  assert_null(mem_try_alloc(mem_product(SIZE_MAX, 2)));
  assert_null(mem_try_resize(NULL, 0, SIZE_MAX));
}

/* Live bytes are the sum of the blocks, whatever the order of operations. */
static void random_blocks(void **state)
{
  (void)state;
  enum { BLOCKS = 50 };
  void *blocks[BLOCKS] = {0};
  size_t sizes[BLOCKS] = {0}, sum = 0;
  random_state r;
  random_seed(&r, 1);
  for (int step = 0; step < 5000; step++) {
    size_t i = random_below(&r, BLOCKS);
    size_t bytes = random_below(&r, 300);
    sum += bytes - sizes[i];
    blocks[i] = mem_resize(blocks[i], sizes[i], bytes);
    sizes[i] = bytes;
    assert_int_equal(mem_live(), sum);
  }
  for (int i = 0; i < BLOCKS; i++)
    mem_free(blocks[i], sizes[i]);
}

static void failure_is_counted(void **state)
{
  (void)state;
  mem_fail_at(3);
  void *a = mem_try_alloc(1), *b = mem_try_alloc(2);
  assert_non_null(a);
  assert_non_null(b);
  assert_null(mem_try_alloc(1));
  assert_null(mem_try_resize(a, 1, 10));
  mem_fail_at(0);
  assert_int_equal(mem_live(), 3);
  mem_free(a, 1);
  mem_free(b, 2);
}

static void guards_nest(void **state)
{
  (void)state;
  jmp_buf outer, inner;
  assert_null(mem_guard(&outer));
  volatile int jumps = 0;
  if (setjmp(outer))
    jumps += 10;
  else {
    jmp_buf *previous = mem_guard(&inner);
    assert_ptr_equal(previous, &outer);
    if (setjmp(inner))
      jumps += 1;
    else
      mem_alloc(SIZE_MAX);
    mem_guard(previous);
    mem_resize(NULL, 0, SIZE_MAX);
  }
  assert_int_equal(jumps, 11);
  mem_guard(NULL);
}

UNIT_MAIN(UNIT(basic), UNIT(zero_bytes), UNIT(products), UNIT(random_blocks),
          UNIT(failure_is_counted), UNIT(guards_nest))
