/* The folder of compiled models: what is damaged is not used, what is too much
** goes, and nobody else can put anything there. */

#include "program/native_inside.h"
#include "unit.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[200];

static void make_place(void)
{
  snprintf(folder, sizeof folder, "/tmp/nutshell-test-XXXXXX");
  assert_non_null(mkdtemp(folder));
}

static size_t files_in(const char *path)
{
  size_t n = 0;
  DIR *d = opendir(path);
  if (!d)
    return 0;
  for (struct dirent *e; (e = readdir(d));)
    n += e->d_name[0] != '.';
  closedir(d);
  return n;
}

static void remove_place(const char *path)
{
  DIR *d = opendir(path);
  for (struct dirent *e; d && (e = readdir(d));)
    unlinkat(dirfd(d), e->d_name, 0);
  if (d)
    closedir(d);
  rmdir(path);
}

static void put(const char *path, const char *data, size_t length)
{
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  assert_true(file >= 0);
  assert_int_equal(write(file, data, length), length);
  close(file);
}

/* ---- tests ------------------------------------------------------------ */

static void seals(void **unused)
{
  (void)unused;
  cache c;
  char note[NOTE_MAX], path[PATH_MAX];
  make_place();
  assert_true(cache_open(&c, folder, note));
  cache_path(&c, "0123", path);
  assert_false(cache_is_sound(path));
  put(path, "hello", 5);
  assert_false(cache_is_sound(path));
  assert_true(cache_seal(path));
  assert_true(cache_is_sound(path));
  struct stat s;
  assert_int_equal(stat(path, &s), 0);
  /* Every single damaged byte is noticed, and every shorter file. */
  for (off_t i = 0; i < s.st_size; i++) {
    char byte;
    int file = open(path, O_RDWR);
    assert_int_equal(pread(file, &byte, 1, i), 1);
    byte ^= 1;
    assert_int_equal(pwrite(file, &byte, 1, i), 1);
    assert_false(cache_is_sound(path));
    byte ^= 1;
    assert_int_equal(pwrite(file, &byte, 1, i), 1);
    close(file);
  }
  assert_true(cache_is_sound(path));
  for (off_t i = s.st_size - 1; i >= 0; i--) {
    assert_int_equal(truncate(path, i), 0);
    assert_false(cache_is_sound(path));
  }
  cache_close(&c);
  remove_place(folder);
}

/* What others can write to is not used; a temporary folder is, and goes. */
static void private_only(void **unused)
{
  (void)unused;
  cache c;
  char note[NOTE_MAX], path[PATH_MAX], other[PATH_MAX];
  make_place();
  assert_int_equal(chmod(folder, 0777), 0);
  assert_true(cache_open(&c, folder, note));
  assert_true(c.temporary);
  assert_string_not_equal(c.folder, folder);
  snprintf(other, sizeof other, "%s", c.folder);
  cache_path(&c, "1", path);
  put(path, "x", 1);
  cache_temporary(&c, ".c", path);
  put(path, "x", 1);
  assert_int_equal(files_in(other), 2);
  cache_close(&c);
  assert_int_not_equal(access(other, F_OK), 0);
  remove_place(folder);
}

/* Without a home that is there nothing is made for it. */
static void homeless(void **unused)
{
  (void)unused;
  cache c;
  char note[NOTE_MAX], home[PATH_MAX], path[PATH_MAX];
  make_place();
  snprintf(home, sizeof home, "%s", getenv("HOME") ? getenv("HOME") : "/");
  snprintf(path, sizeof path, "%s/none", folder);
  setenv("HOME", path, 1);
  setenv("XDG_CACHE_HOME", "", 1);
  assert_true(cache_open(&c, NULL, note));
  assert_true(c.temporary);
  assert_int_not_equal(access(path, F_OK), 0);
  cache_close(&c);
  setenv("HOME", folder, 1);
  assert_true(cache_open(&c, NULL, note));
  assert_false(c.temporary);
  snprintf(path, sizeof path, "%s/.cache/nutshell", folder);
  assert_string_equal(c.folder, path);
  cache_close(&c);
  rmdir(path);
  snprintf(path, sizeof path, "%s/.cache", folder);
  rmdir(path);
  setenv("HOME", home, 1);
  unsetenv("XDG_CACHE_HOME");
  remove_place(folder);
}

static void no_links(void **unused)
{
  (void)unused;
  cache c;
  char note[NOTE_MAX], path[PATH_MAX], link_path[PATH_MAX];
  make_place();
  assert_true(cache_open(&c, folder, note));
  cache_path(&c, "1", path);
  cache_path(&c, "2", link_path);
  put(path, "x", 1);
  assert_true(cache_seal(path));
  assert_int_equal(symlink(path, link_path), 0);
  assert_false(cache_is_sound(link_path));
  cache_close(&c);
  remove_place(folder);
}

/* The oldest go first; unfinished files only when they are old. */
static void bounds(void **unused)
{
  (void)unused;
  enum { MANY = 1030, KEPT = 1000 };
  cache c;
  char note[NOTE_MAX], path[PATH_MAX], key[20];
  make_place();
  assert_true(cache_open(&c, folder, note));
  for (int i = 0; i < MANY; i++) {
    struct timespec t[2] = {{1000000 + i, 0}, {1000000 + i, 0}};
    snprintf(key, sizeof key, "%04d", i);
    cache_path(&c, key, path);
    put(path, "x", 1);
    assert_int_equal(utimensat(AT_FDCWD, path, t, 0), 0);
  }
  struct timespec old[2] = {{1000, 0}, {1000, 0}};
  cache_temporary(&c, ".c", path);
  put(path, "x", 1);
  assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
  cache_temporary(&c, ".c", path);
  put(path, "x", 1);
  cache_trim(&c);
  assert_int_equal(files_in(folder), KEPT + 1);
  cache_path(&c, "0029", path);
  assert_int_not_equal(access(path, F_OK), 0);
  cache_path(&c, "0030", path);
  assert_int_equal(access(path, F_OK), 0);
  cache_close(&c);
  remove_place(folder);
}

UNIT_MAIN(UNIT(seals), UNIT(private_only), UNIT(homeless), UNIT(no_links),
          UNIT(bounds))
