/* The folder of compiled models: $XDG_CACHE_HOME/nutshell, ~/.cache/nutshell,
** or a temporary one.  A file is named after the hash of everything it was
** made from, so it never becomes wrong; it can only be damaged, which its last
** bytes tell:
**
**   | shared object ... | magic 8 | length 8 | checksum 8 |
**
** Files are made in folders of their own, 'tmp-...', and renamed when they are
** complete, so two runs at a time do not see each other's halves.
**
** What is in it is executed.  So everything goes by descriptors: of the folder,
** whose way was checked when it was opened (base/system/folder.h), and of the
** file, which is checked, and loaded by the same descriptor. */

#include "base/hash.h"
#include "base/system/folder.h"
#include "program/native/native_internal.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
  CACHE_FILES = 1000,             /* kept at most */
  CACHE_BYTES = 64 * 1024 * 1024, /* together */
  STALE_SECONDS = 3600            /* unfinished work older than this goes */
};
static const char seal_magic[8] = {'n', 'u', 't', 's', 'e', 'a', 'l', '1'};

typedef struct seal {
  char magic[8];
  uint64_t length, checksum;
} seal;

/* ---- the folder ------------------------------------------------------- */

/* 'base' is what an option or the environment names.  It must be ours, and is
** made only if it is to be: what root does in the home of somebody else must
** not depend on them, nor be in their way.  The folder below must be
** private. */
static bool use_folder(cache *c, const char *base, bool make, const char *rest)
{
  int n = snprintf(c->path, sizeof c->path, "%s%s", base, rest);
  if (n <= 0 || (size_t)n >= sizeof c->path)
    return false;
  int around = folder_open(base, make);
  bool good = around >= 0 && folder_is_ours(around);
  if (around >= 0)
    close(around);
  c->folder = good ? folder_open(c->path, true) : -1;
  if (c->folder >= 0 && folder_is_private(c->folder) &&
      faccessat(c->folder, ".", W_OK | X_OK, AT_EACCESS) == 0)
    return true;
  if (c->folder >= 0)
    close(c->folder);
  c->folder = -1;
  return false;
}

/* Where temporary folders are made.  The last resort needs no check: what is
** made there is private and held by its descriptor. */
static int open_temporary(char path[PATH_MAX])
{
  const char *wish = getenv("TMPDIR");
  int folder = wish && strlen(wish) < PATH_MAX ? folder_open(wish, false) : -1;
  snprintf(path, PATH_MAX, "%s", folder < 0 ? "/tmp" : wish);
  if (folder < 0)
    folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return folder;
}

/* A folder of this run alone. */
static bool use_temporary(cache *c)
{
  char around[PATH_MAX];
  uint64_t random = 0;
  c->parent = open_temporary(around);
  if (c->parent < 0 || getrandom(&random, sizeof random, 0) < 0)
    return false;
  snprintf(c->name, sizeof c->name, "nutshell-%016llx",
           (unsigned long long)random);
  int n = snprintf(c->path, sizeof c->path, "%s/%s", around, c->name);
  c->folder = n > 0 ? folder_make(c->parent, c->name) : -1;
  return c->folder >= 0;
}

nut_cache cache_allowed(nut_cache wish)
{
  const char *allowed = getenv("NUTSHELL_CACHE");
  if (wish == NUT_CACHE_OFF || (allowed && strcmp(allowed, "off") == 0))
    return NUT_CACHE_OFF;
  return allowed && strcmp(allowed, "run") == 0 ? NUT_CACHE_RUN : wish;
}

bool cache_open(cache *c, const char *folder, bool kept, char note[NOTE_MAX])
{
  const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  bool has_xdg = xdg && xdg[0];
  *c = (cache){.folder = -1, .parent = -1};
  if (kept && folder && use_folder(c, folder, true, ""))
    return true;
  if (kept && !folder && has_xdg && use_folder(c, xdg, true, "/nutshell"))
    return true;
  if (kept && !folder && !has_xdg && home &&
      use_folder(c, home, false, "/.cache/nutshell"))
    return true;
  if (use_temporary(c))
    return true;
  cache_close(c);
  snprintf(note, NOTE_MAX, "there is no folder to compile in");
  return false;
}

bool cache_is_temporary(const cache *c)
{
  return c->parent >= 0;
}

void cache_close(cache *c)
{
  if (c->folder >= 0)
    close(c->folder);
  if (c->parent >= 0) {
    folder_remove(c->parent, c->name);
    close(c->parent);
  }
  c->folder = c->parent = -1;
}

/* ---- making files ----------------------------------------------------- */

bool cache_begin(const cache *c, workshop *w)
{
  static atomic_uint count;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  snprintf(w->name, sizeof w->name, "tmp-%ld-%lx-%u", (long)getpid(),
           (unsigned long)now.tv_nsec, atomic_fetch_add(&count, 1));
  w->folder = folder_make(c->folder, w->name);
  return w->folder >= 0;
}

void cache_end(const cache *c, workshop *w)
{
  if (w->folder < 0)
    return;
  close(w->folder);
  w->folder = -1;
  folder_remove(c->folder, w->name);
}

/* Compilers give the file the rights that the user's umask leaves. */
int cache_product(const workshop *w, const char *name)
{
  struct stat s;
  int file = openat(w->folder, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (file >= 0 && (fstat(file, &s) != 0 || !S_ISREG(s.st_mode) ||
                    s.st_uid != geteuid() || fchmod(file, 0600) != 0)) {
    close(file);
    file = -1;
  }
  return file;
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

/* Adds length and checksum to a file. */
static bool add_seal(int file)
{
  struct stat s;
  seal end = {.length = 0};
  memcpy(end.magic, seal_magic, sizeof end.magic);
  if (fstat(file, &s) != 0 || s.st_size <= 0 ||
      !checksum_of(file, (uint64_t)s.st_size, &end.checksum))
    return false;
  end.length = (uint64_t)s.st_size;
  return write(file, &end, sizeof end) == (ssize_t)sizeof end;
}

static bool seal_holds(int file)
{
  struct stat s;
  seal end;
  uint64_t sum;
  if (fstat(file, &s) != 0 || !S_ISREG(s.st_mode) || s.st_uid != geteuid() ||
      s.st_mode & (S_IWGRP | S_IWOTH) || s.st_size <= (off_t)sizeof end)
    return false;
  off_t at = s.st_size - (off_t)sizeof end;
  return pread(file, &end, sizeof end, at) == (ssize_t)sizeof end &&
         !memcmp(end.magic, seal_magic, sizeof end.magic) &&
         end.length == (uint64_t)at && checksum_of(file, end.length, &sum) &&
         sum == end.checksum;
}

static void file_name(const char *key, char name[NAME_MAX + 1])
{
  snprintf(name, NAME_MAX + 1, "%s.so", key);
}

/* A file in use is as good as a new one: it shall not be removed first. */
int cache_find(const cache *c, const char *key)
{
  char name[NAME_MAX + 1];
  file_name(key, name);
  int file = openat(c->folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (file >= 0 && !seal_holds(file)) {
    close(file);
    return -1;
  }
  if (file >= 0)
    (void)!futimens(file, NULL);
  return file;
}

bool cache_keep(const cache *c, const workshop *w, const char *from, int file,
                const char *key)
{
  char name[NAME_MAX + 1];
  file_name(key, name);
  return add_seal(file) && renameat(w->folder, from, c->folder, name) == 0;
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
  const char *dot = strrchr(name, '.');
  bool unfinished = !strncmp(name, "tmp-", 4);
  if ((!unfinished && (!dot || strcmp(dot, ".so") != 0)) ||
      fstatat(folder, name, &s, AT_SYMLINK_NOFOLLOW) != 0)
    return;
  if (unfinished) {
    if (now - s.st_mtime > STALE_SECONDS)
      folder_remove(folder, name);
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
  int folder = openat(c->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *d = folder < 0 ? NULL : fdopendir(folder);
  if (!d) {
    if (folder >= 0)
      close(folder);
    return false;
  }
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
