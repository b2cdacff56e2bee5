#include "unit.h"

#include "base/random.h"
#include "base/source/source.h"

typedef struct fixture {
  sources *s;
  diags *d;
  text out;
} fixture;

static fixture with(const char *string)
{
  fixture f = {0};
  f.s = sources_create();
  f.d = diags_create(f.s);
  source_add(f.s, "x.pml", string, strlen(string));
  return f;
}

static void done(fixture *f)
{
  text_free(&f->out);
  diags_destroy(f->d);
  sources_destroy(f->s);
}

/* Prints all and compares. */
static void assert_printed(fixture *f, const char *expected)
{
  text_clear(&f->out);
  diags_print(f->d, &f->out);
  assert_string_equal(text_string(&f->out), expected);
}

static void basic(void **state)
{
  (void)state;
  fixture f = with("byte turn;\n\n  turn = trun;\n");
  diag_error(f.d, ((span){1, 21, 4}), "'%s' is not declared", "trun");
  diag_note(f.d, ((span){1, 5, 4}), "the nearest name is 'turn'");
  diag_warn(f.d, NO_SPAN, "no init");
  assert_int_equal(diags_errors(f.d), 1);
  assert_int_equal(diags_count(f.d), 3);
  assert_int_equal(diags_get(f.d, 1)->level, DIAG_NOTE);
  assert_false(diags_full(f.d));
  assert_printed(&f, "x.pml:3:10: error: 'trun' is not declared\n"
                     "    3 |   turn = trun;\n"
                     "      |          ^~~~\n"
                     "x.pml:1:6: note: the nearest name is 'turn'\n"
                     "warning: no init\n");
  done(&f);
  diags_destroy(NULL);
}

/* Whatever order they are found in, notes stay with what they explain. */
static void order_of_the_source(void **state)
{
  (void)state;
  fixture f = with("ab\ncd\n");
  diag_error(f.d, ((span){1, 4, 1}), "third");
  diag_note(f.d, ((span){1, 0, 1}), "of the third");
  diag_warn(f.d, ((span){1, 0, 1}), "first");
  diag_note(f.d, ((span){1, 4, 1}), "of the first");
  diag_error(f.d, ((span){1, 1, 1}), "second");
  diag_warn(f.d, NO_SPAN, "without a place");
  diag_error(f.d, ((span){1, 0, 1}), "behind it");
  static const char *const wanted[] = {
      "first",        "of the first",    "second",   "third",
      "of the third", "without a place", "behind it"};
  assert_int_equal(diags_count(f.d), 7);
  for (size_t i = 0; i < 7; i++)
    assert_string_equal(diags_get(f.d, i)->message, wanted[i]);
  diags_cut(f.d, 5);
  diag_note(f.d, NO_SPAN, "last");
  assert_string_equal(diags_get(f.d, 5)->message, "last");
  done(&f);
}

/* A text made of another with a macro, which is used twice: what is wrong with
** the macro is told once, with its first use. */
static void made_texts(void **state)
{
  (void)state;
  fixture f = with("#define go trun\ngo go a b\n");
  text made = {0};
  source_recipe recipe = {0};
  text_add(&made, "trun trun a b");
  for (uint32_t i = 0; i < 2; i++) {
    vec_push(&recipe.uses, ((source_use){{1, 16 + 3 * i, 2}, "go", 0}));
    vec_push(&recipe.pieces, ((source_piece){5 * i, i + 1, 0, {1, 11, 4}}));
  }
  vec_push(&recipe.pieces, ((source_piece){10, 0, 0, {1, 22, 3}}));
  uint32_t file = source_add_made(f.s, "x.pml", &made, &recipe);
  for (uint32_t i = 0; i < 2; i++)
    diag_error(f.d, ((span){file, 5 * i, 4}), "'trun' is not declared");
  diag_error(f.d, ((span){file, 12, 1}), "what?");
  assert_printed(&f, "x.pml:1:12: error: 'trun' is not declared\n"
                     "    1 | #define go trun\n"
                     "      |            ^~~~\n"
                     "x.pml:2:1: note: in the expansion of macro 'go'\n"
                     "x.pml:2:9: error: what?\n"
                     "    2 | go go a b\n"
                     "      |         ^\n");
  assert_int_equal(diags_errors(f.d), 2);
  /* From the second use to the end, as the user wrote it. */
  text_clear(&f.out);
  source_excerpt(f.s, (span){file, 5, 8}, &f.out);
  assert_string_equal(text_string(&f.out), "go a b");
  done(&f);
}

static void tabs(void **state)
{
  (void)state;
  fixture f = with("\ta\tbc");
  diag_error(f.d, ((span){1, 3, 2}), "m");
  diag_error(f.d, ((span){1, 1, 3}), "m");
  diag_error(f.d, ((span){1, 0, 1}), "m");
  assert_printed(&f, "x.pml:1:1: error: m\n"
                     "    1 |         a       bc\n"
                     "      | ^~~~~~~~\n"
                     "x.pml:1:2: error: m\n"
                     "    1 |         a       bc\n"
                     "      |         ^~~~~~~~~\n"
                     "x.pml:1:4: error: m\n"
                     "    1 |         a       bc\n"
                     "      |                 ^~\n");
  done(&f);
}

static void ends(void **state)
{
  (void)state;
  fixture f = with("ab\r\ncd\n");
  diag_error(f.d, ((span){1, 2, 0}), "line end");
  diag_error(f.d, ((span){1, 0, 6}), "several lines");
  diag_error(f.d, ((span){1, 99, 1}), "file end");
  diag_error(f.d, ((span){1, 4, UINT32_MAX}), "endless");
  assert_printed(&f, "x.pml:1:1: error: several lines\n"
                     "    1 | ab\n"
                     "      | ^~\n"
                     "x.pml:1:3: error: line end\n"
                     "    1 | ab\n"
                     "      |   ^\n"
                     "x.pml:2:1: error: endless\n"
                     "    2 | cd\n"
                     "      | ^~\n"
                     "x.pml:3:1: error: file end\n"
                     "    3 | \n"
                     "      | ^\n");
  done(&f);
}

static void strange_bytes(void **state)
{
  (void)state;
  fixture f = with("\x1b[31m \xc3\xa4 \xff x");
  diag_error(f.d, ((span){1, 11, 1}), "bell\a \xe2\x82\xac \xe2\x82");
  diag_error(f.d, ((span){1, 7, 1}), "within a character");
  assert_printed(&f, "x.pml:1:8: error: within a character\n"
                     "    1 | ?[31m \xc3\xa4 ? x\n"
                     "      |       ^\n"
                     "x.pml:1:12: error: bell? \xe2\x82\xac ??\n"
                     "    1 | ?[31m \xc3\xa4 ? x\n"
                     "      |           ^\n");
  done(&f);
}

/* A line of a megabyte is shown around the caret only. */
static void long_lines(void **state)
{
  (void)state;
  enum { LENGTH = 1 << 20 };
  char *line = mem_alloc(LENGTH + 1);
  memset(line, 'm', LENGTH);
  line[LENGTH / 2] = '!';
  fixture f = with(line);
  diag_error(f.d, ((span){1, LENGTH / 2, LENGTH}), "m");
  diags_print(f.d, &f.out);
  assert_true(f.out.len < 300);
  const char *mark = strchr(f.out.data, '!'), *caret = strchr(mark, '^');
  assert_non_null(caret);
  /* Both lines have prefixes of equal length: the caret is below the mark. */
  const char *second = strchr(mark, '\n') + 1;
  const char *first = strchr(f.out.data, '\n') + 1;
  assert_int_equal(mark - first, caret - second);
  assert_non_null(strstr(f.out.data, "| ...mmm"));
  assert_non_null(strstr(f.out.data, "mmm...\n"));
  done(&f);
  mem_free(line, LENGTH + 1);
}

static void long_messages(void **state)
{
  (void)state;
  fixture f = with("x");
  text name = {0};
  for (int i = 0; i < 300000; i++)
    text_add(&name, "\xc3\xa4");
  diag_error(f.d, NO_SPAN, "x'%s' is not declared", text_string(&name));
  const char *message = diags_get(f.d, 0)->message;
  assert_true(strlen(message) < 500);
  assert_non_null(strstr(message, "\xa4...\xc3"));
  assert_non_null(strstr(message, "' is not declared"));
  text_free(&name);
  done(&f);
}

static void too_many(void **state)
{
  (void)state;
  fixture f = with("x");
  for (int i = 0; i < DIAG_MAX; i++) {
    assert_false(diags_full(f.d));
    diag_error(f.d, ((span){1, 0, 1}), "e%d", i);
    diag_note(f.d, ((span){1, 0, 1}), "n%d", i);
  }
  assert_true(diags_full(f.d));
  assert_int_equal(diags_count(f.d), 2 * DIAG_MAX);
  diag_error(f.d, NO_SPAN, "one more");
  diag_note(f.d, NO_SPAN, "its note");
  diag_warn(f.d, NO_SPAN, "and another");
  assert_int_equal(diags_count(f.d), 2 * DIAG_MAX);
  diags_print(f.d, &f.out);
  assert_non_null(strstr(f.out.data, "2 more not shown\n"));
  assert_null(strstr(f.out.data, "one more"));
  done(&f);
}

/* A flood of warnings is cut, but an error after it still counts. */
static void flood(void **state)
{
  (void)state;
  fixture f = with("x");
  for (int i = 0; i < 100000; i++)
    diag_warn(f.d, NO_SPAN, "w");
  for (int i = 0; i < 100000; i++)
    diag_note(f.d, NO_SPAN, "n");
  assert_true(diags_count(f.d) < 1000);
  assert_int_equal(diags_errors(f.d), 0);
  diag_error(f.d, NO_SPAN, "e");
  assert_int_equal(diags_errors(f.d), 1);
  done(&f);
}

/* Any bytes, any span: every line printed is short and printable. */
static void random_bytes(void **state)
{
  (void)state;
  random_state r;
  random_seed(&r, 8);
  for (int round = 0; round < 300; round++) {
    enum { MOST = 600 };
    char bytes[MOST];
    size_t n = random_below(&r, MOST);
    for (size_t i = 0; i < n; i++)
      bytes[i] = (char)random_next(&r);
    fixture f = with("");
    uint32_t file = source_add(f.s, "y", bytes, n);
    for (int i = 0; i < 10; i++)
      diag_error(f.d,
                 ((span){file, (uint32_t)random_below(&r, MOST),
                         (uint32_t)random_below(&r, MOST)}),
                 "%.*s", (int)(n % 50), bytes);
    diags_print(f.d, &f.out);
    size_t carets = 0;
    for (size_t i = 0; i < f.out.len; i++) {
      unsigned char c = (unsigned char)f.out.data[i];
      assert_true(c == '\n' || (c >= ' ' && c != 0x7f));
      carets += c == '^';
    }
    assert_true(carets >= 10);
    done(&f);
  }
}

static void *create(void)
{
  fixture *f = mem_alloc(sizeof *f);
  *f = with("\tone\n\ttwo\n");
  return f;
}

static void work(void *context)
{
  fixture *f = context;
  for (uint32_t i = 0; i < 15; i++)
    diag_error(f->d, ((span){1, i, 2}), "error number %u", i);
  diags_print(f->d, &f->out);
}

static void destroy(void *context)
{
  fixture *f = context;
  done(f);
  mem_free(f, sizeof *f);
}

static void out_of_memory(void **state)
{
  (void)state;
  assert_true(unit_fail_each(create, work, destroy) > 30);
}

UNIT_MAIN(UNIT(basic), UNIT(order_of_the_source), UNIT(made_texts), UNIT(tabs),
          UNIT(ends), UNIT(strange_bytes), UNIT(long_lines),
          UNIT(long_messages), UNIT(too_many), UNIT(flood), UNIT(random_bytes),
          UNIT(out_of_memory))
