#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "base/source/source.h"

static uint32_t add(sources *s, const char *string)
{
  return source_add(s, "x.pml", string, strlen(string));
}

static void assert_at(const sources *s, uint32_t file, uint32_t start,
                      uint32_t line, uint32_t column)
{
  position p = source_position(s, (span){file, start, 0});
  assert_int_equal(p.line, line);
  assert_int_equal(p.column, column);
}

static void positions(void **state)
{
  (void)state;
  sources *s = sources_create();
  uint32_t f = add(s, "ab\n\ncd");
  assert_int_equal(f, 1);
  assert_at(s, f, 0, 1, 1);
  assert_at(s, f, 2, 1, 3);
  assert_at(s, f, 3, 2, 1);
  assert_at(s, f, 4, 3, 1);
  assert_at(s, f, 6, 3, 3);
  assert_at(s, f, 1000, 3, 3); /* clamped to the end */
  assert_string_equal(source_position(s, (span){f, 0, 0}).name, "x.pml");
  assert_int_equal(source_line_start(s, f, 0), 0);
  assert_int_equal(source_line_start(s, f, 1), 0);
  assert_int_equal(source_line_start(s, f, 3), 4);
  assert_int_equal(source_line_start(s, f, 4), 6);
  sources_destroy(s);
  sources_destroy(NULL);
}

static void no_file(void **state)
{
  (void)state;
  sources *s = sources_create();
  size_t length = 7;
  assert_string_equal(source_text(s, 0, &length), "");
  assert_int_equal(length, 0);
  assert_string_equal(source_name(s, 0), "");
  assert_int_equal(source_position(s, NO_SPAN).line, 0);
  assert_int_equal(source_line_start(s, 0, 5), 0);
  assert_int_equal(source_find(s, "x.pml"), 0);
  uint32_t empty = add(s, "");
  assert_at(s, empty, 0, 1, 1);
  assert_int_equal(source_find(s, "x.pml"), empty);
  assert_int_equal(source_add(s, "huge", "", (64 << 20) + 1), 0);
  sources_destroy(s);
}

/* Against counting line breaks one by one. */
static void random_positions(void **state)
{
  (void)state;
  random_state r;
  random_seed(&r, 7);
  char string[2001];
  for (size_t i = 0; i < 2000; i++)
    string[i] = random_below(&r, 15) ? 'a' : '\n';
  string[2000] = 0;
  sources *s = sources_create();
  uint32_t f = add(s, string), line = 1, column = 1;
  for (uint32_t i = 0; i <= 2000; i++) {
    assert_at(s, f, i, line, column);
    if (column == 1)
      assert_int_equal(source_line_start(s, f, line), i);
    column = string[i] == '\n' ? (line++, 1) : column + 1;
  }
  sources_destroy(s);
}

static void excerpts(void **state)
{
  (void)state;
  sources *s = sources_create();
  uint32_t f = add(s, "x = y  +\n\t 1;\n");
  text t = {0};
  source_excerpt(s, (span){f, 0, 13}, &t);
  assert_string_equal(text_string(&t), "x = y  + 1;");
  text_clear(&t);
  source_excerpt(s, (span){f, 4, 1000}, &t);
  assert_string_equal(text_string(&t), "y  + 1; ");
  text_clear(&t);
  source_excerpt(s, (span){f, 1000, UINT32_MAX}, &t);
  source_excerpt(s, NO_SPAN, &t);
  assert_string_equal(text_string(&t), "");
  text_free(&t);
  sources_destroy(s);
}

/* Writes a file of 'bytes' bytes into the current temporary directory. */
static char *make_file(size_t bytes)
{
  static char path[] = "/tmp/nutshell-unit-XXXXXX";
  memcpy(path + sizeof path - 7, "XXXXXX", 6);
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, "int x;\n", bytes < 7 ? bytes : 7),
                   bytes < 7 ? bytes : 7);
  assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
  close(fd);
  return path;
}

static void reading(void **state)
{
  (void)state;
  static const size_t sizes[] = {0, 7, 16383, 16384, 16385, 100000, 64 << 20};
  sources *s = sources_create();
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const char *path = make_file(sizes[i]), *error = NULL;
    uint32_t f = source_read(s, path, &error);
    assert_null(error);
    assert_int_equal(f, i + 1);
    size_t length;
    const char *string = source_text(s, f, &length);
    assert_int_equal(length, sizes[i]);
    assert_int_equal(string[length], 0);
    assert_string_equal(source_name(s, f), path);
    assert_int_equal(source_find(s, path), f);
    unlink(path);
  }
  sources_destroy(s);
}

static void refusals(void **state)
{
  (void)state;
  sources *s = sources_create();
  const char *error = NULL;
  assert_int_equal(source_read(s, "/nonexistent/x.pml", &error), 0);
  assert_string_equal(error, "cannot read '/nonexistent/x.pml': "
                             "No such file or directory");
  assert_int_equal(source_read(s, "/tmp", &error), 0);
  assert_string_equal(error, "cannot read '/tmp': it is a directory");
  const char *path = make_file((64 << 20) + 1);
  assert_int_equal(source_read(s, path, &error), 0);
  assert_non_null(strstr(error, "longer than 64 MiB"));
  unlink(path);
  assert_int_equal(source_read(s, "/dev/zero", &error), 0);
  assert_non_null(strstr(error, "longer than 64 MiB"));
  assert_int_equal(add(s, "after failures"), 1);
  sources_destroy(s);
}

static char *put(text *path, const char *folder, const char *name)
{
  text_clear(path);
  text_printf(path, "%s/%s", folder, name);
  return path->data;
}

static void write_file(const char *path)
{
  int fd = open(path, O_WRONLY | O_CREAT, 0600);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, "secret\n", 7), 7);
  close(fd);
}

/* Files in the folder 'd' may be shown; those in 'de', a longer name, and what
** links in 'd' lead to may not. */
static void folders(void **state)
{
  (void)state;
  char root[] = "/tmp/nutshell-unit-XXXXXX";
  static const char *const names[] = {"d/in", "de/out", "d/link", "d/up/out",
                                      "d/missing"};
  static const bool shows[] = {true, false, false, false, false};
  static const char *const made[] = {"d/link", "d/up", "d/in", "de/out"};
  text path = {0}, target = {0};
  assert_non_null(mkdtemp(root));
  assert_int_equal(mkdir(put(&path, root, "d"), 0700), 0);
  assert_int_equal(mkdir(put(&path, root, "de"), 0700), 0);
  write_file(put(&path, root, "d/in"));
  write_file(put(&path, root, "de/out"));
  put(&target, root, "de/out");
  assert_int_equal(symlink(target.data, put(&path, root, "d/link")), 0);
  assert_int_equal(symlink("../de", put(&path, root, "d/up")), 0);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    sources *s = sources_create();
    size_t length;
    source_show_folder(s, put(&path, root, "d"));
    uint32_t f = source_include(s, put(&path, root, names[i]));
    assert_true(f != 0);
    assert_int_equal(source_include(s, path.data), f);
    assert_int_equal(source_is_hidden(s, f), !shows[i]);
    assert_int_equal(source_is_label(s, f), !shows[i]);
    assert_int_equal(source_hides(s), !shows[i]);
    source_text(s, f, &length);
    assert_int_equal(length, shows[i] ? 7 : 0);
    sources_destroy(s);
  }
  for (size_t i = 0; i < sizeof made / sizeof *made; i++)
    unlink(put(&path, root, made[i]));
  rmdir(put(&path, root, "d"));
  rmdir(put(&path, root, "de"));
  rmdir(root);
  text_free(&path);
  text_free(&target);
}

static void labels(void **state)
{
  (void)state;
  sources *s = sources_create();
  uint32_t f = source_add_label(s, "made.src");
  assert_int_equal(source_add_label(s, "made.src"), f);
  assert_true(source_is_label(s, f));
  assert_false(source_is_hidden(s, f));
  assert_false(source_hides(s));
  assert_int_equal(source_line_start(s, f, 7), 6);
  position p = source_position(s, (span){f, 6, 0});
  assert_string_equal(p.name, "made.src");
  assert_int_equal(p.line, 7);
  assert_int_equal(p.column, 0);
  char name[20];
  for (unsigned i = 0; f && i < 5000; i++) {
    snprintf(name, sizeof name, "l%u", i);
    f = source_add_label(s, name);
  }
  assert_int_equal(f, 0);
  source_distrust(s);
  assert_true(source_hides(s));
  sources_destroy(s);
}

static const char *file_path;

static void *create(void)
{
  return sources_create();
}

static void work(void *context)
{
  sources *s = context;
  const char *error = NULL;
  uint32_t f = add(s, "a\nb\n");
  if (!source_read(s, file_path, &error))
    mem_alloc(SIZE_MAX); /* refused for want of memory: say so to the loop */
  for (int i = 0; i < 100; i++)
    f = add(s, "c\nd");
  assert_at(s, f, 2, 2, 1);
}

static void destroy(void *context)
{
  sources_destroy(context);
}

static void out_of_memory(void **state)
{
  (void)state;
  file_path = make_file(100000);
  assert_true(unit_fail_each(create, work, destroy) > 10);
  unlink(file_path);
}

UNIT_MAIN(UNIT(positions), UNIT(no_file), UNIT(random_positions),
          UNIT(excerpts), UNIT(reading), UNIT(refusals), UNIT(folders),
          UNIT(labels), UNIT(out_of_memory))
