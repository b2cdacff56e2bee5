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

/* No two blocks have a line in common, nor has one with a block of the usual
** kind beside it. */
static void blocks_apart(void **state)
{
  (void)state;
  enum { BLOCKS = 60 };
  uint8_t *apart[BLOCKS];
  void *usual[BLOCKS];
  size_t sum = 0;
  for (size_t i = 0; i < BLOCKS; i++) {
    size_t bytes = i * 5;
    apart[i] = i % 2 ? mem_alloc_apart(bytes) : mem_try_alloc_apart(bytes);
    assert_non_null(apart[i]);
    assert_int_equal((uintptr_t)apart[i] % MEM_APART, 0);
    for (size_t k = 0; k < bytes; k++)
      assert_int_equal(apart[i][k], 0);
    memset(apart[i], 7, bytes);
    usual[i] = mem_alloc(8);
    uintptr_t end = (uintptr_t)apart[i] + bytes, line = end / MEM_APART;
    if (end % MEM_APART)
      assert_int_not_equal((uintptr_t)usual[i] / MEM_APART, line);
    sum += bytes + 8;
    assert_int_equal(mem_live(), sum);
  }
  mem_fail_at(1);
  assert_null(mem_try_alloc_apart(1));
  mem_fail_at(0);
  assert_null(mem_try_alloc_apart(SIZE_MAX));
  assert_null(mem_try_alloc_apart(PTRDIFF_MAX - 16));
  assert_int_equal(mem_live(), sum);
  for (size_t i = 0; i < BLOCKS; i++) {
    mem_free(apart[i], i * 5);
    mem_free(usual[i], 8);
  }
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

/* What the protected calls below have come to, as digits. */
typedef struct record {
  int steps;
} record;

static void note(void *context, int digit)
{
  record *r = context;
  r->steps = 10 * r->steps + digit;
}

static void fail_inside(void *context)
{
  note(context, 2);
  mem_give_up();
}

static void tidy(void *context)
{
  note(context, 3);
}

static void nest(void *context)
{
  note(context, 1);
  assert_false(mem_protect(fail_inside, context));
  note(context, 4);
  mem_resize(NULL, 0, SIZE_MAX);
  note(context, 9);
}

static void nest_undo(void *context)
{
  note(context, 1);
  mem_protect_undo(fail_inside, tidy, context);
  note(context, 9);
}

static void nest_tidy(void *context)
{
  note(context, 1);
  mem_protect_tidy(fail_inside, tidy, context);
  note(context, 9);
}

static void go_through(void *context)
{
  note(context, 5);
}

static void protected_calls_nest(void **state)
{
  (void)state;
  record r = {0};
  assert_false(mem_protect(nest, &r));
  assert_int_equal(r.steps, 124);
  r.steps = 0;
  assert_false(mem_protect(nest_undo, &r));
  assert_int_equal(r.steps, 123);
  r.steps = 0;
  assert_false(mem_protect(nest_tidy, &r));
  assert_int_equal(r.steps, 123);
}

static void what_goes_through(void **state)
{
  (void)state;
  record r = {0};
  assert_true(mem_protect(go_through, &r));
  mem_protect_undo(go_through, tidy, &r);
  assert_int_equal(r.steps, 55);
  mem_protect_tidy(go_through, tidy, &r);
  assert_int_equal(r.steps, 5553);
}

UNIT_MAIN(UNIT(basic), UNIT(zero_bytes), UNIT(blocks_apart), UNIT(products),
          UNIT(random_blocks), UNIT(failure_is_counted),
          UNIT(protected_calls_nest), UNIT(what_goes_through))
