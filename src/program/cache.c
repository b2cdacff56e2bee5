/* The folder of compiled models: $XDG_CACHE_HOME/nutshell, ~/.cache/nutshell,
** or a temporary one.  A file is named after the hash of everything it was
** made from, so it never becomes wrong; it can only be damaged, which its last
** bytes tell:
**
**   | shared object ... | magic 8 | length 8 | checksum 8 |
**
** Files are made under other names and renamed when they are complete, so two
** runs at a time do not see each other's halves. */

#include "base/hash.h"
#include "program/native_inside.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
  CACHE_FILES = 1000,             /* kept at most */
  CACHE_BYTES = 64 * 1024 * 1024, /* together */
  STALE_SECONDS = 3600            /* unfinished files older than this go */
};
static const char seal_magic[8] = {'n', 'u', 't', 's', 'e', 'a', 'l', '1'};

typedef struct seal {
  char magic[8];
  uint64_t length, checksum;
} seal;

/* ---- the folder ------------------------------------------------------- */

/* Only we may write there: what is in it will be executed. */
static bool is_private(const char *path)
{
  struct stat s;
  return lstat(path, &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == geteuid() &&
         !(s.st_mode & (S_IWGRP | S_IWOTH));
}

/* Makes the folder and those above it. */
static bool make_folder(const char *path)
{
  char part[PATH_MAX];
  size_t n = strlen(path);
  if (n >= sizeof part)
    return false;
  memcpy(part, path, n + 1);
  for (size_t i = 1; i < n; i++) {
    if (part[i] != '/')
      continue;
    part[i] = 0;
    mkdir(part, 0700);
    part[i] = '/';
  }
  return mkdir(part, 0700) == 0 || errno == EEXIST;
}

static bool use_folder(cache *c, const char *base, const char *rest)
{
  int n = snprintf(c->folder, sizeof c->folder, "%s%s", base, rest);
  return n > 0 && (size_t)n < sizeof c->folder && c->folder[0] == '/' &&
         make_folder(c->folder) && is_private(c->folder) &&
         access(c->folder, W_OK) == 0;
}

bool cache_open(cache *c, const char *folder, char note[NOTE_MAX])
{
  const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  const char *temp = getenv("TMPDIR");
  bool has_xdg = xdg && xdg[0];
  c->temporary = false;
  if (folder && use_folder(c, folder, ""))
    return true;
  if (!folder && has_xdg && use_folder(c, xdg, "/nutshell"))
    return true;
  if (!folder && !has_xdg && home && access(home, X_OK) == 0 &&
      use_folder(c, home, "/.cache/nutshell"))
    return true;
  c->temporary = true;
  int n = snprintf(c->folder, sizeof c->folder, "%s/nutshell-XXXXXX",
                   temp && temp[0] == '/' ? temp : "/tmp");
  if (n > 0 && (size_t)n < sizeof c->folder && mkdtemp(c->folder))
    return true;
  snprintf(note, NOTE_MAX, "there is no folder to compile in");
  return false;
}

static bool is_ours(const char *name)
{
  const char *dot = strrchr(name, '.');
  return dot && (!strcmp(dot, ".so") || !strncmp(name, "tmp-", 4));
}

static void remove_all(const cache *c)
{
  DIR *d = opendir(c->folder);
  for (struct dirent *e; d && (e = readdir(d));)
    if (is_ours(e->d_name))
      unlinkat(dirfd(d), e->d_name, 0);
  if (d)
    closedir(d);
  rmdir(c->folder);
}

void cache_close(const cache *c)
{
  if (c->temporary)
    remove_all(c);
}

void cache_path(const cache *c, const char *key, char path[PATH_MAX])
{
  snprintf(path, PATH_MAX, "%s/%s.so", c->folder, key);
}

void cache_temporary(const cache *c, const char *suffix, char path[PATH_MAX])
{
  static atomic_uint count;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  snprintf(path, PATH_MAX, "%s/tmp-%ld-%lx-%u%s", c->folder, (long)getpid(),
           (unsigned long)now.tv_nsec, atomic_fetch_add(&count, 1), suffix);
}

/* ---- seals ------------------------------------------------------------ */

/* Checksum of the first 'length' bytes of an open file. */
static bool checksum_of(int file, uint64_t length, uint64_t *sum)
{
  XXH3_state_t state;
  unsigned char block[1 << 14];
  XXH3_64bits_reset(&state);
  if (lseek(file, 0, SEEK_SET) != 0)
    return false;
  while (length) {
    size_t want = length < sizeof block ? (size_t)length : sizeof block;
    ssize_t got = read(file, block, want);
    if (got <= 0)
      return false;
    XXH3_64bits_update(&state, block, (size_t)got);
    length -= (uint64_t)got;
  }
  *sum = XXH3_64bits_digest(&state);
  return true;
}

bool cache_seal(const char *path)
{
  struct stat s;
  seal end = {.length = 0};
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0)
    return false;
  memcpy(end.magic, seal_magic, sizeof end.magic);
  bool good = fstat(file, &s) == 0 && s.st_size > 0 &&
              checksum_of(file, (uint64_t)s.st_size, &end.checksum);
  end.length = (uint64_t)s.st_size;
  good = good && write(file, &end, sizeof end) == (ssize_t)sizeof end;
  return close(file) == 0 && good;
}

static bool seal_holds(int file)
{
  struct stat s;
  seal end;
  uint64_t sum;
  if (fstat(file, &s) != 0 || !S_ISREG(s.st_mode) || s.st_uid != geteuid() ||
      s.st_size <= (off_t)sizeof end)
    return false;
  off_t at = s.st_size - (off_t)sizeof end;
  return pread(file, &end, sizeof end, at) == (ssize_t)sizeof end &&
         !memcmp(end.magic, seal_magic, sizeof end.magic) &&
         end.length == (uint64_t)at && checksum_of(file, end.length, &sum) &&
         sum == end.checksum;
}

/* A file in use is as good as a new one: it shall not be removed first. */
bool cache_is_sound(const char *path)
{
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0)
    return false;
  bool good = seal_holds(file);
  if (good)
    (void)!futimens(file, NULL);
  close(file);
  return good;
}

/* ---- bounds ----------------------------------------------------------- */

/* The oldest complete file, and what all of them take. */
typedef struct survey {
  char oldest[NAME_MAX + 1];
  time_t age;
  uint64_t files, bytes;
} survey;

static void look_at_file(int folder, const char *name, time_t now, survey *v)
{
  struct stat s;
  if (!is_ours(name) || fstatat(folder, name, &s, AT_SYMLINK_NOFOLLOW) != 0)
    return;
  if (!strncmp(name, "tmp-", 4)) {
    if (now - s.st_mtime > STALE_SECONDS)
      unlinkat(folder, name, 0);
    return;
  }
  v->files++;
  v->bytes += (uint64_t)s.st_size;
  if (!v->oldest[0] || s.st_mtime < v->age) {
    snprintf(v->oldest, sizeof v->oldest, "%s", name);
    v->age = s.st_mtime;
  }
}

/* Removes one file when there are too many; answers whether it did. */
static bool trim_one(const cache *c)
{
  survey v = {.files = 0};
  DIR *d = opendir(c->folder);
  if (!d)
    return false;
  time_t now = time(NULL);
  for (struct dirent *e; (e = readdir(d));)
    look_at_file(dirfd(d), e->d_name, now, &v);
  bool many = v.files > CACHE_FILES || v.bytes > CACHE_BYTES;
  bool gone = many && v.files > 1 && unlinkat(dirfd(d), v.oldest, 0) == 0;
  closedir(d);
  return gone;
}

void cache_trim(const cache *c)
{
  while (trim_one(c))
    ;
}
