#include "unit.h"

#include "lang/dve/dve.h"
#include "lang/dve/m4.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct fixture {
  arena *arena;
  sources *sources;
  diags *diags;
  uint32_t file;
  filter_command ran;
  m4_map map;
  bool fine;
} fixture;

static void expand(fixture *f, const char *content, const dve_options *options)
{
  *f = (fixture){.arena = arena_create(), .sources = sources_create()};
  f->diags = diags_create(f->sources);
  f->file = source_add(f->sources, "test.mdve", content, strlen(content));
  f->fine = m4_expand(f->arena, f->sources, f->diags, f->file, options, &f->ran,
                      &f->map);
}

static const char *output(const fixture *f)
{
  size_t n;
  assert_true(f->fine);
  return source_text(f->sources, f->map.output, &n);
}

static void end(fixture *f)
{
  text_free(&f->ran.output);
  text_free(&f->ran.messages);
  diags_destroy(f->diags);
  sources_destroy(f->sources);
  arena_destroy(f->arena);
}

static void macros(void **state)
{
  (void)state;
  fixture f;
  expand(&f, "default(N, 3)N forloop(i, 1, N, `<i>')forloop(i, 2, 1, `x')",
         NULL);
  assert_string_equal(output(&f), "3 <1><2><3>");
  end(&f);
  const char *arguments[] = {"-DN=1 + 1"};
  dve_options options = {arguments, 1};
  expand(&f,
         "default(`N', 3)N forloop(`i', 0, N, `i`'forloop(`j', 0, i, `.')')",
         &options);
  assert_string_equal(output(&f), "1 + 1 0.1..2...");
  end(&f);
}

/* The word at 'piece' in the output lies there in the source. */
static void assert_place(const fixture *f, const char *piece, uint32_t line,
                         uint32_t column)
{
  const char *all = output(f), *at = strstr(all, piece);
  assert_non_null(at);
  position p =
      source_position(f->sources, m4_locate(&f->map, (uint32_t)(at - all),
                                            (uint32_t)strlen(piece)));
  assert_int_equal(p.line, line);
  assert_int_equal(p.column, column);
}

static void places(void **state)
{
  (void)state;
  fixture f;
  expand(&f,
         "byte first;\n"
         "define(`TWO', `here\nand $1')dnl\n"
         "  TWO(made)\n"
         "last\n",
         NULL);
  assert_string_equal(output(&f), "byte first;\n  here\nand made\nlast\n");
  assert_place(&f, "first", 1, 6);
  assert_place(&f, "here", 2, 16); /* a word that stands there once */
  assert_place(&f, "made", 4, 7);  /* on the line itself */
  assert_place(&f, "last", 5, 1);
  end(&f);
  expand(&f, "define(`A', `x$1 x$1')dnl\n\n   A(1)\n", NULL);
  assert_place(&f, "x1", 3, 4); /* made by a macro: the line */
  end(&f);
}

static void refused(void **state)
{
  (void)state;
  static const char *const commands[] = {"syscmd(`touch %s')",
                                         "esyscmd(`touch %s')",
                                         "builtin(`syscmd', `touch %s')",
                                         "indir(`syscmd', `touch %s')",
                                         "debugfile(`%s')",
                                         "maketemp(`%s')",
                                         "mkstemp(`%s')",
                                         "defn(`syscmd')(`touch %s')"};
  char folder[] = "/tmp/nutshell-m4-XXXXXX", path[64], line[200];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/made", folder);
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    fixture f;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(line, sizeof line, commands[i], path);
#pragma GCC diagnostic pop
    expand(&f, line, NULL);
    end(&f);
    assert_int_not_equal(access(path, F_OK), 0);
  }
  assert_int_equal(rmdir(folder), 0);
}

static void failures(void **state)
{
  (void)state;
  fixture f;
  expand(&f, "one\ndefine(`two', `three\n", NULL);
  assert_false(f.fine);
  assert_int_equal(diags_errors(f.diags), 1);
  assert_int_equal(
      source_position(f.sources, diags_get(f.diags, 0)->where).line, 2);
  end(&f);
  expand(&f, "define(`again', `again again')again", NULL);
  assert_false(f.fine);
  end(&f);
}

static void missing(void **state)
{
  (void)state;
  fixture f;
  char *path = mem_copy_string(getenv("PATH"));
  setenv("PATH", "/nonexistent", 1);
  expand(&f, "byte x;", NULL);
  setenv("PATH", path, 1);
  mem_free_string(path);
  assert_false(f.fine);
  assert_non_null(strstr(diags_get(f.diags, 0)->message, "m4"));
  end(&f);
}

UNIT_MAIN(UNIT(macros), UNIT(places), UNIT(refused), UNIT(failures),
          UNIT(missing))
