/* Folders of our own below one of the user's; see scratch.h. */

#include "base/system/scratch.h"

#include "base/alloc.h"
#include "base/system/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#define PREFIX "nutshell-disk-"
enum {
  NAME_ROOM = 40,
  DIGITS = 16,
  TRIES = 16,
  WAITS = 250, /* for who makes a folder just now, */
  WAIT_MILLISECONDS = 20,
  TMPFS = 0x01021994,
  RAMFS = (int)0x858458f6
};

struct scratch {
  int parent, folder;
  char name[NAME_ROOM];
};

/* ---- leftovers ------------------------------------------------------------ */

static bool is_our_name(const char *name)
{
  size_t prefix = strlen(PREFIX);
  return !strncmp(name, PREFIX, prefix) && strlen(name + prefix) == DIGITS &&
         strspn(name + prefix, "0123456789abcdef") == DIGITS;
}

/* Nobody who lives has it: it is ours, and its lock is free. */
static bool is_left_over(int parent, const char *name)
{
  int folder =
      openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0)
    return false;
  bool is_free = folder_is_ours(folder) && !flock(folder, LOCK_EX | LOCK_NB);
  close(folder);
  return is_free;
}

static void remove_leftovers(int parent)
{
  int again = openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *d = again < 0 ? NULL : fdopendir(again);
  if (!d) {
    if (again >= 0)
      close(again);
    return;
  }
  for (struct dirent *e; (e = readdir(d));)
    if (is_our_name(e->d_name) && is_left_over(parent, e->d_name))
      folder_remove(parent, e->d_name);
  closedir(d);
}

/* ---- making one ----------------------------------------------------------- */

/* Others hold the lock for a moment only. */
static bool lock_parent(int parent)
{
  for (int i = 0; i < WAITS; i++) {
    if (!flock(parent, LOCK_EX | LOCK_NB))
      return true;
    if (errno != EWOULDBLOCK && errno != EINTR)
      return false;
    nanosleep(&(struct timespec){.tv_nsec = WAIT_MILLISECONDS * 1000000L},
              NULL);
  }
  return false;
}

static bool make_folder(scratch *s)
{
  for (int i = 0; i < TRIES; i++) {
    uint64_t number;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
      return false;
    snprintf(s->name, sizeof s->name, PREFIX "%016llx",
             (unsigned long long)number);
    s->folder = folder_make(s->parent, s->name);
    if (s->folder >= 0)
      return true;
    if (errno != EEXIST)
      return false;
  }
  return false;
}

scratch *scratch_create(const char *dir)
{
  scratch *s = mem_alloc(sizeof *s);
  s->folder = -1;
  s->parent = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  bool made = false;
  if (s->parent >= 0 && lock_parent(s->parent)) {
    remove_leftovers(s->parent);
    made = make_folder(s) && !flock(s->folder, LOCK_EX | LOCK_NB);
    int why = errno;
    flock(s->parent, LOCK_UN);
    errno = why;
  }
  if (made)
    return s;
  int why = errno;
  scratch_destroy(s);
  errno = why;
  return NULL;
}

void scratch_destroy(scratch *s)
{
  if (!s)
    return;
  if (s->folder >= 0) {
    folder_remove(s->parent, s->name);
    close(s->folder);
  }
  if (s->parent >= 0)
    close(s->parent);
  mem_free(s, sizeof *s);
}

int scratch_open(scratch *s)
{
  int file = openat(s->folder, "run",
                    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file >= 0)
    unlinkat(s->folder, "run", 0);
  return file;
}

bool scratch_is_memory(const scratch *s)
{
  struct statfs f;
  return !fstatfs(s->folder, &f) &&
         ((uint32_t)f.f_type == TMPFS || (uint32_t)f.f_type == (uint32_t)RAMFS);
}
