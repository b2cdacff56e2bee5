#include "unit.h"

#include "base/random.h"
#include "base/vec.h"

typedef VEC(int) ints;

static void basic(void **state)
{
  (void)state;
  ints v = {0};
  for (int i = 0; i < 1000; i++)
    vec_push(&v, i);
  assert_int_equal(v.len, 1000);
  for (int i = 0; i < 1000; i++)
    assert_int_equal(v.data[i], i);
  assert_int_equal(vec_last(&v), 999);
  vec_last(&v) = 5;
  assert_int_equal(vec_pop(&v), 5);
  assert_int_equal(v.len, 999);
  size_t cap = v.cap;
  vec_clear(&v);
  assert_int_equal(v.len, 0);
  assert_int_equal(v.cap, cap);
  vec_free(&v);
  assert_null(v.data);
  assert_int_equal(v.cap, 0);
  vec_free(&v);
}

static void resize_zeroes(void **state)
{
  (void)state;
  ints v = {0};
  vec_resize(&v, 0);
  assert_null(v.data);
  for (int i = 0; i < 20; i++)
    vec_push(&v, -1);
  vec_resize(&v, 5);
  vec_resize(&v, 50);
  for (size_t i = 0; i < 50; i++)
    assert_int_equal(v.data[i], i < 5 ? -1 : 0);
  vec_free(&v);
}

static void grow_keeps_place(void **state)
{
  (void)state;
  ints v = {0};
  vec_push(&v, 1);
  vec_grow(&v, 5000);
  int *data = v.data;
  for (int i = 0; i < 5000; i++)
    vec_push(&v, i);
  assert_ptr_equal(v.data, data);
  vec_free(&v);
}

/* A vec against an array large enough. */
static void random_operations(void **state)
{
  (void)state;
  static int twin[20000];
  size_t len = 0;
  ints v = {0};
  random_state r;
  random_seed(&r, 3);
  for (int step = 0; step < 10000; step++) {
    size_t n = random_below(&r, 100);
    if (n < 60)
      vec_push(&v, step), twin[len++] = step;
    else if (n < 90 && len)
      assert_int_equal(vec_pop(&v), twin[--len]);
    else if (n >= 98) {
      size_t wanted = random_below(&r, 2000);
      for (size_t i = len; i < wanted; i++)
        twin[i] = 0;
      vec_resize(&v, wanted);
      len = wanted;
    }
    assert_int_equal(v.len, len);
    assert_true(v.len <= v.cap);
    assert_int_equal(v.cap * sizeof(int), mem_live());
  }
  assert_memory_equal(v.data, twin, len * sizeof(int));
  vec_free(&v);
}

static void *create(void)
{
  return mem_alloc(sizeof(ints));
}

static void work(void *context)
{
  ints *v = context;
  for (int i = 0; i < 1000; i++)
    vec_push(v, i);
  vec_resize(v, 100000);
}

static void destroy(void *context)
{
  ints *v = context;
  for (size_t i = 0; i < v->len && i < 1000; i++)
    assert_int_equal(v->data[i], i);
  vec_free(v);
  mem_free(v, sizeof *v);
}

static void out_of_memory(void **state)
{
  (void)state;
  assert_true(unit_fail_each(create, work, destroy) > 5);
}

static void grow_too_far(void *list)
{
  ints *v = list;
  vec_grow(v, SIZE_MAX);
}

static void resize_too_far(void *list)
{
  ints *v = list;
  vec_resize(v, SIZE_MAX / 4);
}

static void too_large(void **state)
{
  (void)state;
  ints v = {0};
  vec_push(&v, 1);
  assert_false(mem_protect(grow_too_far, &v));
  assert_false(mem_protect(resize_too_far, &v));
  assert_int_equal(v.len, 1);
  vec_free(&v);
}

UNIT_MAIN(UNIT(basic), UNIT(resize_zeroes), UNIT(grow_keeps_place),
          UNIT(random_operations), UNIT(out_of_memory), UNIT(too_large))
