/* The preprocessor: what it makes of text, and where that comes from.
**
**     unit-promela_preprocess --print FILE...   prints what becomes of each file
**
** tests/run-preprocess compares this with the system's preprocessor. */

#include "unit.h"

#include "base/alloc.h"
#include "base/system/path.h"
#include "lang/promela/preprocess/preprocess.h"

#include <stdio.h>

typedef struct context {
  arena *mem;
  sources *sources;
  diags *diags;
  pml_macros *macros;
  uint32_t file, made;
} context;

static void open_context(context *c)
{
  c->mem = arena_create();
  c->sources = sources_create();
  c->diags = diags_create(c->sources);
}

static void close_context(context *c)
{
  diags_destroy(c->diags);
  sources_destroy(c->sources);
  arena_destroy(c->mem);
}

static void expand(context *c, uint32_t file, const char *folder)
{
  pml_preprocessing how = {file, NULL, 0, folder, &c->macros};
  c->file = file;
  source_show_folder(c->sources, folder);
  c->made = pml_expand(c->mem, c->sources, c->diags, &how);
}

/* Adds the text with one blank or one line break for all that stand together,
** and without the lines that tell where it comes from. */
static void add_plainly(const context *c, text *out)
{
  size_t length;
  const char *p = source_text(c->sources, c->made, &length), *end = p + length;
  bool fresh = true;
  char gap = 0;
  for (; p < end; p++) {
    if (*p == '\n' || (fresh && *p == '#')) {
      while (*p != '\n')
        p++;
      fresh = true;
      gap = '\n';
      continue;
    }
    fresh = false;
    if (*p == ' ' || *p == '\t') {
      gap = gap ? gap : ' ';
      continue;
    }
    if (gap && out->len)
      text_add_char(out, gap);
    gap = 0;
    text_add_char(out, *p);
  }
}

/* ---- tests --------------------------------------------------------------- */

typedef struct example {
  const char *text, *result; /* or the first message */
} example;

static void check_examples(const example *e, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    context c = {0};
    text out = {0};
    open_context(&c);
    expand(&c, source_add(c.sources, "test.pml", e[i].text, strlen(e[i].text)),
           "");
    if (c.made)
      add_plainly(&c, &out);
    else
      text_add(&out, diags_get(c.diags, 0)->message);
    assert_string_equal(text_string(&out), e[i].result);
    text_free(&out);
    close_context(&c);
  }
}

#define CHECK(examples)                                                        \
  check_examples(examples, sizeof examples / sizeof *examples)

static void test_texts(void **state)
{
  static const example examples[] = {
      {"a -> b :: c --> d", "a -> b :: c --> d"},
      {"a/* x */b // y\nc", "a b\nc"},
      {"1..N \"a//b\" '\"' don't /* open", "1..N \"a//b\" '\"' don't /* open"},
      {"ab\\\ncd e\\ \nf", "abcd\nef"},
      {"x \\\ny+\\\nz w", "x\ny+z\nw"},
      {"a /*\n*/ b", "a\nb"},
      {"a\\\n\\", "a\\"},
      {"#if 0\nisn't /* \n#else\nyes\n#endif", "yes"},
  };
  (void)state;
  CHECK(examples);
}

static void test_macros(void **state)
{
  static const example examples[] = {
      {"#define N 3\nx = N; NN 'N' \"N\"", "x = 3; NN 'N' \"N\""},
      {"#define a b\n#define b a\na b a", "a b a"},
      {"#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2*9*g"},
      {"#define f(x) [x]\nf f (1) f\n(2) z", "f [1] [2]\nz"},
      {"#define f(x,y) x-y\nf((1,2),\n3)", "(1,2)-3"},
      {"#define e\n#define m -\nm-m e-e>", "- - - - >"},
      {"#define s(x) #x\ns( a  \"b\\n\" 'c' )", "\"a \\\"b\\\\n\\\" 'c'\""},
      {"#define c(x,y) x##y\n#define ab 7\nc(a,b) c(,b) c(a,)", "7 b a"},
      {"#define v(a, ...) a(__VA_ARGS__)\nv(f,1,2) v(g)", "f(1,2) g()"},
      {"#define v(a, r...) a(1, ##r)\nv(f,2) v(g) v(h,)", "f(1,2) g(1) h(1,)"},
      {"#define f(x) x\nf(\n#undef f\nf\n) f(2)", "f\nf(2)"},
      {"#define L __LINE__\n#define f(x) x L\nL f(\nL\nL) __LINE__",
       "3 4 5 3\n5"},
      {"__FILE__ __COUNTER__ __COUNTER__ __INCLUDE_LEVEL__",
       "\"test.pml\" 0 1 0"},
      {"linux unix __STDC_VERSION__", "1 1 199901L"},
      {"#undef linux\nlinux", "linux"},
      {"#define c(x,y) x##y\nc(a,\\)",
       "'##' does not make one token of 'a' and '\\'"},
  };
  (void)state;
  CHECK(examples);
}

static void test_conditions(void **state)
{
  static const example examples[] = {
      {"#if 1 + 2 * 3 == 7 && -1 < 0\ny\n#endif", "y"},
      {"#if -1 < 0u\ny\n#else\nn\n#endif", "n"},
      {"#if 1 ? 0 : 1/0\ny\n#elif 1 || 1/0\nz\n#endif", "z"},
      {"#if 1 << 63 < 0 && -8 >> 1 == -4 && 1 << -1 == 0\ny\n#endif", "y"},
      {"#if 'a' == 97 && '\\n' == 10 && 'ab' == 24930 && '\\377' < 0\n"
       "y\n#endif",
       "y"},
      {"#define X\n#if defined X && !defined(Y)\ny\n#endif", "y"},
      {"#if 0x10 + 010 + 0b1 == 25 && 1ULL\ny\n#endif", "y"},
      {"#if 0\n#if 1/0\n#elif (\n#endif\n#nonsense\n#else\ny\n#endif", "y"},
      {"#if 0\n#elif 0\n#elif 1\na\n#elif 1/0\nb\n#else\nc\n#endif", "a"},
      {"#if (2 || 3) != 1 || (0, 1) != 1 || ~0 != -1 || 7 % -4 != 3\nn\n#endif",
       ""},
  };
  (void)state;
  CHECK(examples);
}

/* ---- places -------------------------------------------------------------- */

/* The place of the first 'bytes' in the made text, as "line:column" where it is
** written and where its origin is. */
static void check_place(const context *c, const char *bytes,
                        const char *written, const char *origin)
{
  size_t length;
  const char *all = source_text(c->sources, c->made, &length);
  const char *found = strstr(all, bytes);
  char buffer[40];
  assert_non_null(found);
  span where = {c->made, (uint32_t)(found - all), (uint32_t)strlen(bytes)};
  position p = source_position(c->sources, source_written(c->sources, where));
  snprintf(buffer, sizeof buffer, "%u:%u", p.line, p.column);
  assert_string_equal(buffer, written);
  p = source_position(c->sources, where);
  snprintf(buffer, sizeof buffer, "%u:%u", p.line, p.column);
  assert_string_equal(buffer, origin);
}

static void test_places(void **state)
{
  static const char model[] = "#define in(x) x alpha\n"
                              "#define out(y) in(y beta) gamma\n"
                              "one two out(delta) three\n"
                              "\n"
                              "/* \n"
                              "*/ four fi\\\n"
                              "ve\n";
  context c = {0};
  text excerpt = {0};
  (void)state;
  open_context(&c);
  expand(&c, source_add(c.sources, "test.pml", model, strlen(model)), "");
  check_place(&c, "two", "3:5", "3:5");
  check_place(&c, "alpha", "1:17", "3:9");
  check_place(&c, "beta", "2:21", "3:9");
  check_place(&c, "gamma", "2:27", "3:9");
  check_place(&c, "delta", "3:13", "3:9");
  check_place(&c, "three", "3:20", "3:20");
  check_place(&c, "four", "6:4", "6:4");
  check_place(&c, "five", "6:9", "6:9");
  /* A span from one macro's text to another place is told by its ends. */
  size_t length;
  const char *all = source_text(c.sources, c.made, &length);
  const char *from = strstr(all, "alpha"), *to = strstr(all, "three") + 5;
  source_excerpt(c.sources,
                 (span){c.made, (uint32_t)(from - all), (uint32_t)(to - from)},
                 &excerpt);
  assert_string_equal(text_string(&excerpt), "out(delta) three");
  text_free(&excerpt);
  close_context(&c);
}

/* ---- failures ------------------------------------------------------------ */

static const char everything[] =
    "#define f(x, ...) x ## 1 #x g(__VA_ARGS__)\n#define g(x) [x]\n"
    "#if defined(f) && 1 < 2\nf(a, b) f(g(c),\n__LINE__)\n#endif\n"
    "#line 7 \"made\"\nend\n";

static void expand_everything(void *with)
{
  context *c = with;
  open_context(c);
  expand(c, source_add(c->sources, "test.pml", everything, strlen(everything)),
         "");
}

static void test_no_memory(void **state)
{
  bool done = false;
  (void)state;
  for (uint64_t n = 1; !done; n++) {
    context c = {0};
    done = unit_gets_through(n, expand_everything, &c);
    close_context(&c);
    assert_int_equal(mem_live(), 0);
  }
}

/* A formula with an error leaves the macros as they were. */
static void test_again(void **state)
{
  static const char model[] = "#define f(x) x\n#define g f(\n";
  context c = {0};
  text out = {0};
  (void)state;
  open_context(&c);
  expand(&c, source_add(c.sources, "test.pml", model, strlen(model)), "");
  assert_true(c.made);
  expand(&c, source_add(c.sources, "1", "f(g", 3), "");
  assert_false(c.made);
  expand(&c, source_add(c.sources, "2", "g 5) f(6)", 9), "");
  assert_true(c.made);
  add_plainly(&c, &out);
  assert_string_equal(text_string(&out), "5 6");
  text_free(&out);
  close_context(&c);
}

/* ---- files for tests/run-preprocess ------------------------------------- */

static void print_file(const char *path)
{
  context c = {0};
  text out = {0};
  const char *error = NULL;
  open_context(&c);
  uint32_t file = source_read(c.sources, path, &error);
  char *folder = arena_copy(c.mem, path, path_folder_length(path));
  if (file)
    expand(&c, file, folder);
  size_t length = 0;
  const char *bytes = source_text(c.sources, c.made, &length);
  if (!c.made && file) {
    diags_print(c.diags, &out);
    bytes = text_string(&out);
    length = out.len;
  }
  printf("@file %s %zu\n", c.made ? "good" : "bad", length);
  fwrite(bytes, 1, length, stdout);
  printf("\n");
  text_free(&out);
  close_context(&c);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      UNIT(test_texts),  UNIT(test_macros),    UNIT(test_conditions),
      UNIT(test_places), UNIT(test_no_memory), UNIT(test_again),
  };
  if (argc > 1 && !strcmp(argv[1], "--print")) {
    for (int i = 2; i < argc; i++)
      print_file(argv[i]);
    return 0;
  }
  if (argc > 1)
    cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
