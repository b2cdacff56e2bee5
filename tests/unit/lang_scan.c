#include "unit.h"

#include "base/arena.h"
#include "lang/scan.h"

#include <stdio.h>

/* A language with a bit of everything. */
enum {
  K_PLUS = SCAN_OWN,
  K_SHIFT,
  K_LESS,
  K_DOTS,
  K_OPEN,
  K_CLOSE,
  K_SEMI,
  K_BEGIN
};

static const scan_word operators[] = {
    {"+", K_PLUS}, {"<", K_LESS},  {"<<", K_SHIFT}, {"..", K_DOTS},
    {"{", K_OPEN}, {"}", K_CLOSE}, {";", K_SEMI},   {NULL, 0}};
static const scan_word keywords[] = {{"begin", K_BEGIN}, {NULL, 0}};
static const scan_comment comments[] = {
    {"--", NULL, false}, {"(*", "*)", true}, {NULL, NULL, false}};
static const scan_language language = {.operators = operators,
                                       .keywords = keywords,
                                       .comments = comments,
                                       .rest_of_name = "'",
                                       .hexadecimal = true};

typedef struct fixture {
  names *names;
  sources *sources;
  diags *diags;
  scanner s;
} fixture;

static void open_bytes(fixture *f, const char *bytes, size_t length)
{
  f->names = names_create();
  f->sources = sources_create();
  f->diags = diags_create(f->sources);
  uint32_t file = source_add(f->sources, "test", bytes, length);
  assert_int_not_equal(file, 0);
  scan_begin(&f->s, &language, f->names, f->sources, f->diags);
  scan_text(&f->s, file, NULL);
}

static void open_text(fixture *f, const char *content)
{
  open_bytes(f, content, strlen(content));
}

static void close_text(fixture *f)
{
  scan_free(&f->s);
  diags_destroy(f->diags);
  sources_destroy(f->sources);
  names_destroy(f->names);
}

/* The kinds of all tokens, as text: "1 4 2 ". */
static void assert_kinds(const scanner *s, const char *wanted)
{
  text found = {0};
  for (size_t i = 0; i < s->tokens.len; i++)
    text_printf(&found, "%d ", s->tokens.data[i].kind);
  assert_string_equal(text_string(&found), wanted);
  text_free(&found);
}

static void assert_said(const fixture *f, const char *wanted)
{
  text said = {0};
  for (size_t i = 0; i < diags_count(f->diags); i++)
    text_printf(&said, "%s\n", diags_get(f->diags, i)->message);
  assert_string_equal(text_string(&said), wanted);
  text_free(&said);
}

static void tokens(void **state)
{
  (void)state;
  fixture f;
  open_text(&f, "begin a'b<<0x1F\n  beginner<1..23 -- rest\n+(* a (* b *) *);");
  assert_kinds(&f.s, "10 1 4 2 1 5 2 6 2 3 9 0 ");
  assert_said(&f, "");
  assert_string_equal(f.s.tokens.data[1].name, "a'b");
  assert_int_equal(f.s.tokens.data[3].value, 31);
  assert_true(f.s.tokens.data[0].first_of_line);
  assert_false(f.s.tokens.data[1].first_of_line);
  assert_true(f.s.tokens.data[4].first_of_line);
  assert_true(f.s.tokens.data[9].first_of_line);
  assert_int_equal(f.s.tokens.data[4].where.start, 18);
  assert_int_equal(f.s.tokens.data[4].where.length, 8);
  close_text(&f);
}

static void nothing(void **state)
{
  (void)state;
  fixture f;
  open_text(&f, "");
  assert_kinds(&f.s, "0 ");
  assert_true(scan_stuck(&f.s));
  scan_next(&f.s);
  assert_true(scan_at(&f.s, SCAN_END));
  assert_int_equal(scan_peek(&f.s, 9)->kind, SCAN_END);
  assert_false(scan_accept(&f.s, SCAN_END));
  close_text(&f);
}

static void errors(void **state)
{
  (void)state;
  fixture f;
  open_text(&f, "a ? b $%& 12x 99999999999 \xc3\xbc (* (* *)");
  assert_kinds(&f.s, "1 1 2 2 0 ");
  assert_said(&f, "'?' has no meaning here\n"
                  "these characters have no meaning here\n"
                  "a number with letters in it\n"
                  "a number larger than 2147483647\n"
                  "only ASCII characters have a meaning here\n"
                  "the comment has no end\n");
  close_text(&f);
  open_bytes(&f, "a\0\0b", 4);
  assert_kinds(&f.s, "1 1 0 ");
  assert_said(&f, "these characters have no meaning here\n");
  close_text(&f);
}

static void expected(void **state)
{
  (void)state;
  fixture f;
  open_text(&f, "a { b begin");
  assert_ptr_equal(scan_name(&f.s, "a thing", NULL), name_of(f.names, "a"));
  span opened = scan_token(&f.s)->where;
  assert_true(scan_expect(&f.s, K_OPEN));
  assert_false(scan_expect(&f.s, K_SEMI));
  assert_false(scan_expect(&f.s, SCAN_NUMBER)); /* said enough about 'b' */
  scan_next(&f.s);
  assert_null(scan_name(&f.s, "a thing", NULL));
  scan_next(&f.s);
  assert_false(scan_close(&f.s, K_CLOSE, opened));
  assert_said(&f, "expected ';', found 'b'\n"
                  "expected a thing, found 'begin'\n"
                  "expected '}', found the end of the file\n"
                  "opened here\n");
  char word[20];
  scan_kind_text(&f.s, K_BEGIN, word, sizeof word);
  assert_string_equal(word, "'begin'");
  close_text(&f);
}

static void skipping(void **state)
{
  (void)state;
  fixture f;
  open_text(&f, "a { b ; { c } } d ; e } ; f");
  const char stops[] = {K_SEMI, 0};
  scan_skip(&f.s, stops, K_OPEN, K_CLOSE);
  assert_int_equal(f.s.at, 9); /* not the ';' inside the braces */
  scan_next(&f.s);
  scan_skip(&f.s, stops, K_OPEN, K_CLOSE);
  assert_true(scan_at(&f.s, K_CLOSE));
  scan_next(&f.s);
  scan_next(&f.s);
  scan_skip(&f.s, stops, K_OPEN, K_CLOSE);
  assert_true(scan_stuck(&f.s));
  close_text(&f);
}

static void spans(void **state)
{
  (void)state;
  fixture f;
  open_text(&f, "ab   + -- c\n cd;");
  f.s.at = 3;
  span s = scan_span(&f.s, 0);
  assert_int_equal(s.start, 0);
  assert_int_equal(s.length, 15);
  text out = {0};
  scan_excerpt(&f.s, 0, 4, &out);
  assert_string_equal(text_string(&out), "ab + cd;");
  text_free(&out);
  scan_error(&f.s, 0, "too %s", "much");
  assert_said(&f, "too much\n");
  close_text(&f);
}

static void nesting(void **state)
{
  (void)state;
  fixture f;
  int deep = 0;
  open_text(&f, "a");
  while (scan_enter(&f.s))
    deep++;
  assert_false(scan_enter(&f.s));
  assert_int_equal(deep, SCAN_NESTING_MAX);
  assert_said(&f, "nested more than 1000 levels deep\n");
  while (deep--)
    scan_leave(&f.s);
  assert_int_equal(f.s.nesting, 0);
  close_text(&f);
}

/* As a preprocessor would have it: everything comes from one place. */
static span somewhere(const void *context, uint32_t start, uint32_t length)
{
  (void)start;
  return (span){*(const uint32_t *)context, 7, length};
}

static void mapped(void **state)
{
  (void)state;
  fixture f;
  open_text(&f, "");
  uint32_t file = source_add(f.sources, "made", "x + 12", 6), other = 77;
  scan_map map = {somewhere, &other};
  scan_text(&f.s, file, &map);
  assert_kinds(&f.s, "1 3 2 0 ");
  assert_int_equal(f.s.tokens.data[2].where.file, 77);
  assert_int_equal(f.s.tokens.data[2].where.start, 7);
  assert_int_equal(f.s.tokens.data[2].start, 4);
  close_text(&f);
}

static void long_name(void **state)
{
  (void)state;
  fixture f;
  size_t n = 1 << 20;
  char *name = mem_alloc(n + 1);
  memset(name, 'x', n);
  open_bytes(&f, name, n);
  assert_int_equal(strlen(f.s.tokens.data[0].name), n);
  scan_wanted(&f.s, "something short");
  assert_in_range(strlen(diags_get(f.diags, 0)->message), 1, 1000);
  close_text(&f);
  mem_free(name, n + 1);
}

UNIT_MAIN(UNIT(tokens), UNIT(nothing), UNIT(errors), UNIT(expected),
          UNIT(skipping), UNIT(spans), UNIT(nesting), UNIT(mapped),
          UNIT(long_name))
