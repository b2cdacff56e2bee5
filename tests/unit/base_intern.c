#include "unit.h"

#include <stdio.h>

#include "base/random.h"
#include "base/source/intern.h"

static void basic(void **state)
{
  (void)state;
  names *n = names_create();
  const char *a = name_of(n, "turn");
  assert_ptr_equal(a, name_intern(n, "turning", 4));
  assert_ptr_not_equal(a, name_of(n, "turning"));
  assert_string_equal(a, "turn");
  assert_int_equal(names_count(n), 2);
  names_destroy(n);
  names_destroy(NULL);
}

static void corner(void **state)
{
  (void)state;
  names *n = names_create();
  assert_int_equal(names_count(n), 0);
  const char *empty = name_of(n, "");
  assert_string_equal(empty, "");
  assert_ptr_equal(empty, name_intern(n, "x", 0));
  assert_string_equal(name_of(n, "\xff\x01 "), "\xff\x01 ");
  size_t length = 1 << 20;
  char *large = mem_alloc(length + 1);
  memset(large, 'm', length);
  const char *name = name_of(n, large);
  assert_ptr_equal(name, name_intern(n, large, length));
  assert_ptr_not_equal(name, name_intern(n, large, length - 1));
  mem_free(large, length + 1);
  names_destroy(n);
}

/* Pointers are equal exactly when numbers are, and survive growth. */
static void random_names(void **state)
{
  (void)state;
  enum { KINDS = 5000 };
  static const char *known[KINDS];
  memset(known, 0, sizeof known);
  size_t count = 0;
  random_state r;
  random_seed(&r, 5);
  names *n = names_create();
  for (int step = 0; step < 30000; step++) {
    unsigned i = (unsigned)random_below(&r, KINDS);
    char name[20];
    snprintf(name, sizeof name, "v%u", i);
    const char *found = name_of(n, name);
    count += !known[i];
    if (known[i])
      assert_ptr_equal(found, known[i]);
    known[i] = found;
    assert_string_equal(found, name);
    assert_int_equal(names_count(n), count);
  }
  names_destroy(n);
}

typedef struct holder {
  names *n;
} holder;

static void *create(void)
{
  return mem_alloc(sizeof(holder));
}

static void work(void *context)
{
  holder *h = context;
  h->n = names_create();
  for (int i = 0; i < 1000; i++) {
    char name[20];
    snprintf(name, sizeof name, "name%d", i);
    assert_string_equal(name_of(h->n, name), name);
  }
}

static void destroy(void *context)
{
  holder *h = context;
  names_destroy(h->n);
  mem_free(h, sizeof *h);
}

static void out_of_memory(void **state)
{
  (void)state;
  assert_true(unit_fail_each(create, work, destroy) > 5);
}

UNIT_MAIN(UNIT(basic), UNIT(corner), UNIT(random_names), UNIT(out_of_memory))
