/* The folder of compiled models: what is damaged is not used, what is too much
** goes, and nobody else can put anything there. */

#include "base/system/folder.h"
#include "program/native/native_internal.h"
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

static void put_at(int at, const char *name, const char *data, size_t length)
{
  int file = openat(at, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  assert_true(file >= 0);
  assert_int_equal(write(file, data, length), length);
  close(file);
}

static void path_of(const char *key, char path[PATH_MAX])
{
  snprintf(path, PATH_MAX, "%s/%s.so", folder, key);
}

static bool is_found(const cache *c, const char *key)
{
  int file = cache_find(c, key);
  if (file >= 0)
    close(file);
  return file >= 0;
}

/* A complete file, made as the compiler's are. */
static void add_file(const cache *c, const char *key)
{
  workshop w;
  assert_true(cache_begin(c, &w));
  put_at(w.folder, "x", "hello", 5);
  int file = cache_product(&w, "x");
  assert_true(file >= 0);
  assert_true(cache_keep(c, &w, "x", file, key));
  close(file);
  cache_end(c, &w);
}

/* The folder that 'cache_open' finds for a wish is not this one. */
static void assert_avoided(const char *wish)
{
  cache c;
  char note[NOTE_MAX];
  assert_true(cache_open(&c, wish, true, note));
  assert_true(cache_is_temporary(&c));
  cache_close(&c);
}

static void assert_used(const char *wish, const char *path)
{
  cache c;
  char note[NOTE_MAX];
  assert_true(cache_open(&c, wish, true, note));
  assert_false(cache_is_temporary(&c));
  assert_string_equal(c.path, path);
  cache_close(&c);
}

/* ---- tests ------------------------------------------------------------ */

static void seals(void **unused)
{
  (void)unused;
  cache c;
  char note[NOTE_MAX], path[PATH_MAX];
  make_place();
  assert_true(cache_open(&c, folder, true, note));
  path_of("0123", path);
  assert_false(is_found(&c, "0123"));
  put_at(AT_FDCWD, path, "hello", 5);
  assert_false(is_found(&c, "0123"));
  add_file(&c, "0123");
  assert_true(is_found(&c, "0123"));
  struct stat s;
  assert_int_equal(stat(path, &s), 0);
  /* Every single damaged byte is noticed, and every shorter file. */
  for (off_t i = 0; i < s.st_size; i++) {
    char byte;
    int file = open(path, O_RDWR);
    assert_int_equal(pread(file, &byte, 1, i), 1);
    byte ^= 1;
    assert_int_equal(pwrite(file, &byte, 1, i), 1);
    assert_false(is_found(&c, "0123"));
    byte ^= 1;
    assert_int_equal(pwrite(file, &byte, 1, i), 1);
    close(file);
  }
  assert_true(is_found(&c, "0123"));
  for (off_t i = s.st_size - 1; i >= 0; i--) {
    assert_int_equal(truncate(path, i), 0);
    assert_false(is_found(&c, "0123"));
  }
  cache_close(&c);
  remove_place(folder);
}

/* What others may write to is not used, nor what they may look into; a
** temporary folder is, and goes, with all that is in it. */
static void private_only(void **unused)
{
  (void)unused;
  static const mode_t modes[] = {0777, 0720, 0702, 0750, 0705, 0710, 0701};
  cache c;
  char note[NOTE_MAX];
  make_place();
  assert_used(folder, folder);
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    assert_int_equal(chmod(folder, modes[i]), 0);
    assert_avoided(folder);
  }
  assert_true(cache_open(&c, folder, true, note));
  workshop w;
  add_file(&c, "1");
  assert_true(cache_begin(&c, &w));
  put_at(w.folder, "x", "x", 1);
  close(w.folder); /* as if we had no time to clear it */
  assert_int_equal(files_in(c.path), 2);
  assert_true(folder_is_private(c.folder));
  cache_close(&c);
  assert_int_not_equal(access(c.path, F_OK), 0);
  remove_place(folder);
}

/* Nor what lies in a folder that others may write to, unless it is sticky. */
static void private_around(void **unused)
{
  (void)unused;
  static const mode_t modes[] = {0777, 0770, 0720, 0702};
  char path[PATH_MAX];
  make_place();
  snprintf(path, sizeof path, "%s/a", folder);
  assert_int_equal(mkdir(path, 0700), 0);
  snprintf(path, sizeof path, "%s/a/b", folder);
  assert_used(path, path); /* makes it */
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    assert_int_equal(chmod(folder, modes[i]), 0);
    assert_avoided(path);
    assert_int_equal(chmod(folder, modes[i] | 01000), 0);
    assert_used(path, path);
  }
  assert_int_equal(chmod(folder, 0755), 0);
  assert_used(path, path);
  rmdir(path);
  snprintf(path, sizeof path, "%s/a", folder);
  rmdir(path);
  remove_place(folder);
}

/* As the user nobody, if we are root: what belongs to others is not used. */
static void other_owners(void **unused)
{
  (void)unused;
  enum { NOBODY = 65534 };
  char path[PATH_MAX], own[PATH_MAX], within[PATH_MAX], home[PATH_MAX];
  if (geteuid() != 0) {
    print_message("# skipped other_owners: needs root\n");
    return;
  }
  make_place();
  assert_int_equal(chmod(folder, 0755), 0);
  snprintf(path, sizeof path, "%s/theirs", folder);
  snprintf(own, sizeof own, "%s/theirs/own", folder);
  assert_int_equal(mkdir(path, 0700), 0);
  assert_int_equal(chown(path, NOBODY, NOBODY), 0);
  /* Root in a folder of somebody else, and one level below: nothing is made
  ** there, and what is there is not used. */
  assert_avoided(path);
  assert_avoided(own);
  assert_int_not_equal(access(own, F_OK), 0);
  assert_int_equal(mkdir(own, 0700), 0);
  assert_avoided(own);
  snprintf(home, sizeof home, "%s", getenv("HOME") ? getenv("HOME") : "/");
  setenv("XDG_CACHE_HOME", "", 1);
  setenv("HOME", path, 1);
  assert_avoided(NULL);
  setenv("HOME", home, 1);
  setenv("XDG_CACHE_HOME", path, 1);
  assert_avoided(NULL);
  assert_int_equal(files_in(path), 1);
  unsetenv("XDG_CACHE_HOME");
  rmdir(own);
  /* Somebody else in a folder of root's, also where theirs is within. */
  snprintf(within, sizeof within, "%s/nutshell", folder);
  assert_int_equal(mkdir(within, 0700), 0);
  assert_int_equal(chown(within, NOBODY, NOBODY), 0);
  assert_int_equal(mkdir(own, 0700), 0);
  assert_int_equal(seteuid(NOBODY), 0);
  setenv("XDG_CACHE_HOME", folder, 1);
  assert_avoided(NULL);
  unsetenv("XDG_CACHE_HOME");
  assert_avoided(own);
  assert_used(path, path);
  assert_int_equal(seteuid(0), 0);
  rmdir(within);
  rmdir(own);
  rmdir(path);
  remove_place(folder);
}

/* Without a home that is there nothing is made for it. */
static void homeless(void **unused)
{
  (void)unused;
  char home[PATH_MAX], path[PATH_MAX];
  make_place();
  snprintf(home, sizeof home, "%s", getenv("HOME") ? getenv("HOME") : "/");
  snprintf(path, sizeof path, "%s/none", folder);
  setenv("HOME", path, 1);
  setenv("XDG_CACHE_HOME", "", 1);
  assert_avoided(NULL);
  assert_int_not_equal(access(path, F_OK), 0);
  setenv("HOME", folder, 1);
  snprintf(path, sizeof path, "%s/.cache/nutshell", folder);
  assert_used(NULL, path);
  rmdir(path);
  snprintf(path, sizeof path, "%s/.cache", folder);
  rmdir(path);
  setenv("HOME", home, 1);
  unsetenv("XDG_CACHE_HOME");
  remove_place(folder);
}

/* A file is no link; folders may be, when the link is ours or root's. */
static void links(void **unused)
{
  (void)unused;
  cache c;
  char note[NOTE_MAX], path[PATH_MAX], other[PATH_MAX];
  make_place();
  assert_true(cache_open(&c, folder, true, note));
  add_file(&c, "1");
  path_of("1", path);
  path_of("2", other);
  assert_int_equal(symlink(path, other), 0);
  assert_true(is_found(&c, "1"));
  assert_false(is_found(&c, "2"));
  cache_close(&c);
  snprintf(other, sizeof other, "%s/link", folder);
  assert_int_equal(symlink(folder, other), 0);
  assert_used(other, other);
  unlink(other);
  assert_int_equal(symlink("./.././../", other), 0);
  snprintf(path, sizeof path, "%s/link%s", folder, folder);
  assert_used(path, path);
  unlink(other);
  assert_int_equal(symlink("link", other), 0);
  assert_avoided(other);
  if (geteuid() == 0) {
    unlink(other);
    assert_int_equal(symlink(folder, other), 0);
    assert_int_equal(lchown(other, 65534, 65534), 0);
    assert_avoided(other);
  }
  remove_place(folder);
}

/* What somebody could write to after all is not loaded. */
static void files_of_others(void **unused)
{
  (void)unused;
  cache c;
  char note[NOTE_MAX], path[PATH_MAX];
  make_place();
  assert_true(cache_open(&c, folder, true, note));
  add_file(&c, "1");
  path_of("1", path);
  assert_int_equal(chmod(path, 0620), 0);
  assert_false(is_found(&c, "1"));
  assert_int_equal(chmod(path, 0602), 0);
  assert_false(is_found(&c, "1"));
  assert_int_equal(chmod(path, 0644), 0);
  assert_true(is_found(&c, "1"));
  if (geteuid() == 0) {
    assert_int_equal(chown(path, 65534, 65534), 0);
    assert_false(is_found(&c, "1"));
  }
  cache_close(&c);
  remove_place(folder);
}

/* The folder is exchanged while it is in use: we go on in the one we have, and
** the other is not touched. */
static void exchanged(void **unused)
{
  (void)unused;
  cache c;
  workshop w;
  char note[NOTE_MAX], path[PATH_MAX], aside[PATH_MAX];
  make_place();
  snprintf(path, sizeof path, "%s/cache", folder);
  snprintf(aside, sizeof aside, "%s/aside", folder);
  assert_true(cache_open(&c, path, true, note));
  assert_true(cache_begin(&c, &w));
  put_at(w.folder, "x", "good", 4);
  assert_int_equal(rename(path, aside), 0);
  assert_int_equal(mkdir(path, 0700), 0);
  int file = cache_product(&w, "x");
  assert_true(cache_keep(&c, &w, "x", file, "1"));
  close(file);
  cache_end(&c, &w);
  assert_true(is_found(&c, "1"));
  cache_trim(&c);
  assert_int_equal(files_in(path), 0);
  assert_int_equal(files_in(aside), 1);
  cache_close(&c);
  remove_place(path);
  remove_place(aside);
  remove_place(folder);
}

/* The oldest go first; unfinished work only when it is old. */
static void bounds(void **unused)
{
  (void)unused;
  enum { MANY = 1030, KEPT = 1000 };
  cache c;
  workshop fresh, stale;
  char note[NOTE_MAX], path[PATH_MAX], key[20];
  make_place();
  assert_true(cache_open(&c, folder, true, note));
  for (int i = 0; i < MANY; i++) {
    struct timespec t[2] = {{1000000 + i, 0}, {1000000 + i, 0}};
    snprintf(key, sizeof key, "%04d", i);
    path_of(key, path);
    put_at(AT_FDCWD, path, "x", 1);
    assert_int_equal(utimensat(AT_FDCWD, path, t, 0), 0);
  }
  struct timespec old[2] = {{1000, 0}, {1000, 0}};
  assert_true(cache_begin(&c, &fresh));
  assert_true(cache_begin(&c, &stale));
  put_at(stale.folder, "x", "x", 1);
  assert_int_equal(futimens(stale.folder, old), 0);
  close(stale.folder);
  cache_trim(&c);
  assert_int_equal(files_in(folder), KEPT + 1);
  path_of("0029", path);
  assert_int_not_equal(access(path, F_OK), 0);
  path_of("0030", path);
  assert_int_equal(access(path, F_OK), 0);
  cache_end(&c, &fresh);
  assert_int_equal(files_in(folder), KEPT);
  cache_close(&c);
  remove_place(folder);
}

UNIT_MAIN(UNIT(seals), UNIT(private_only), UNIT(private_around),
          UNIT(other_owners), UNIT(homeless), UNIT(links),
          UNIT(files_of_others), UNIT(exchanged), UNIT(bounds))
