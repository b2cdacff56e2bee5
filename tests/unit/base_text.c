#include "unit.h"

#include "base/random.h"
#include "base/text/text.h"

static void basic(void **state)
{
  (void)state;
  text t = {0};
  assert_string_equal(text_string(&t), "");
  text_add(&t, "a");
  text_add_char(&t, 'b');
  text_add_bytes(&t, "cdx", 2);
  text_printf(&t, "%d%s", 12, "!");
  assert_string_equal(text_string(&t), "abcd12!");
  assert_int_equal(t.len, 7);
  text_clear(&t);
  assert_string_equal(text_string(&t), "");
  text_add(&t, "z");
  assert_string_equal(t.data, "z");
  text_free(&t);
  assert_null(t.data);
  text_free(&t);
}

static void empty_pieces(void **state)
{
  (void)state;
  text t = {0};
  text_clear(&t);
  text_add(&t, "");
  text_add_bytes(&t, NULL, 0);
  text_printf(&t, "%s", "");
  assert_int_equal(t.len, 0);
  assert_string_equal(t.data, "");
  text_add_bytes(&t, "a\0b", 3);
  assert_int_equal(t.len, 3);
  text_free(&t);
}

static void long_pieces(void **state)
{
  (void)state;
  text t = {0};
  text_printf(&t, "%1000000d", 5);
  assert_int_equal(t.len, 1000000);
  assert_int_equal(t.data[999999], '5');
  text_free(&t);
}

static void random_pieces(void **state)
{
  (void)state;
  static char twin[200000];
  size_t len = 0;
  text t = {0};
  random_state r;
  random_seed(&r, 4);
  for (int step = 0; step < 3000; step++) {
    char piece[64];
    size_t n = random_below(&r, sizeof piece);
    memset(piece, 'a' + step % 26, sizeof piece);
    if (n % 3 == 0)
      text_add_bytes(&t, piece, n);
    else if (n % 3 == 1)
      text_printf(&t, "%.*s", (int)n, piece);
    else
      text_add_char(&t, piece[n = 1]);
    memcpy(twin + len, piece, n);
    len += n;
    assert_int_equal(t.len, len);
    assert_int_equal(t.data[len], 0);
  }
  assert_memory_equal(t.data, twin, len);
  text_free(&t);
}

static void *create(void)
{
  return mem_alloc(sizeof(text));
}

static void work(void *context)
{
  text *t = context;
  for (int i = 0; i < 1000; i++)
    text_printf(t, "%d ", i);
}

static void destroy(void *context)
{
  text *t = context;
  assert_int_equal(strlen(text_string(t)), t->len);
  text_free(t);
  mem_free(t, sizeof *t);
}

static void out_of_memory(void **state)
{
  (void)state;
  assert_true(unit_fail_each(create, work, destroy) > 3);
}

UNIT_MAIN(UNIT(basic), UNIT(empty_pieces), UNIT(long_pieces),
          UNIT(random_pieces), UNIT(out_of_memory))
