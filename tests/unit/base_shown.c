/* What is harmless on a terminal, and in names of files. */

#include "unit.h"

#include "base/source/shown.h"

#include <string.h>

static void expect(arena *a, const char *given, const char *wanted)
{
  assert_string_equal(shown(a, given), wanted);
  assert_string_equal(shown(a, wanted), wanted); /* and again */
  text t = {0};
  text_add_shown(&t, given, strlen(given));
  assert_string_equal(text_string(&t), wanted);
  text_free(&t);
}

static void escapes(void **state)
{
  (void)state;
  arena *a = arena_create();
  expect(a, "plain \\ text ~", "plain \\ text ~");
  expect(a, "a\nb\tc\033[31m\177", "a\\nb\\tc\\x1b[31m\\x7f");
  /* Letters, the first and last of each length. */
  expect(a, "\xc2\xa0\xdf\xbf\xe0\xa0\x80\xef\xbf\xbd",
         "\xc2\xa0\xdf\xbf\xe0\xa0\x80\xef\xbf\xbd");
  expect(a, "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf",
         "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf");
  /* C1 as characters. */
  expect(a, "\xc2\x80\xc2\x9b\xc2\x9f", "\\u0080\\u009b\\u009f");
  /* Marks of direction, and their neighbours. */
  expect(a, "\xd8\x9b\xd8\x9c\xd8\x9d", "\xd8\x9b\\u061c\xd8\x9d");
  expect(a, "\xe2\x80\x8d\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\x90",
         "\xe2\x80\x8d\\u200e\\u200f\xe2\x80\x90");
  expect(a, "\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xae\xe2\x80\xaf",
         "\xe2\x80\xa7\\u2028\\u202e\xe2\x80\xaf");
  expect(a, "\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa",
         "\xe2\x81\xa5\\u2066\\u2069\xe2\x81\xaa");
  assert_null(shown(a, NULL));
  arena_destroy(a);
}

static void not_characters(void **state)
{
  (void)state;
  arena *a = arena_create();
  expect(a, "\x9b", "\\x9b");
  expect(a, "\xff\xfe", "\\xff\\xfe");
  expect(a, "\xc0\x8a", "\\xc0\\x8a");          /* too long a form of \n */
  expect(a, "\xe0\x80\x8a", "\\xe0\\x80\\x8a"); /* likewise */
  expect(a, "\xe0\x9f\xbf", "\\xe0\\x9f\\xbf");
  expect(a, "\xf0\x8f\xbf\xbf", "\\xf0\\x8f\\xbf\\xbf");
  expect(a, "\xed\xa0\x80", "\\xed\\xa0\\x80"); /* half of a pair */
  expect(a, "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
  expect(a, "\xe2\x80", "\\xe2\\x80"); /* cut off */
  expect(a, "\xe2\x80x", "\\xe2\\x80x");
  arena_destroy(a);
}

static void file_parts(void **state)
{
  (void)state;
  arena *a = arena_create();
  char many[300];
  memset(many, 'a', sizeof many);
  many[sizeof many - 1] = 0;
  assert_string_equal(shown_file_part(a, "Az09_.-"), "Az09_.-");
  assert_string_equal(shown_file_part(a, "../x"), "_._x");
  assert_string_equal(shown_file_part(a, "-x"), "_x");
  assert_string_equal(shown_file_part(a, "a b\n\xc3\xbc"), "a_b___");
  assert_string_equal(shown_file_part(a, ""), "");
  assert_int_equal(strlen(shown_file_part(a, many)), 100);
  arena_destroy(a);
}

UNIT_MAIN(UNIT(escapes), UNIT(not_characters), UNIT(file_parts))
