/* Preloaded into the program: counts the calls by which it writes a checkpoint
** (write, fdatasync, fsync and rename of files called *.tmp, and fsync of a
** folder) and does something at the n-th.
**
**   CRASH_AT=n    CRASH_HOW=before|after|lost|EIO|ENOSPC|short|SIGINT|SIGTERM|twice|...
**
** 'before' and 'after' kill the process around the call.  'lost' kills it after
** the call, and what was not brought to the disk is gone: bytes behind the last
** fdatasync, and a name given since the last fsync of the folder.  'short'
** writes a part of it.  'twice' is a signal, and another one while the next file
** is written.  CRASH_LOG=file gets the number of calls in the end. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { NOT_OURS, A_FILE, A_FOLDER, DESCRIPTORS = 1024 };

static long calls;
static int kinds[DESCRIPTORS];
static off_t synced; /* bytes of the file at hand that are on the disk */
static int at_hand = -1;
static char renamed[PATH_MAX], before[PATH_MAX]; /* and not synced yet */
static bool was_there;

static const char *how(void)
{
  const char *word = getenv("CRASH_HOW");
  return word ? word : "";
}

static bool is_how(const char *word)
{
  return !strcmp(how(), word);
}

static void die(void)
{
  if (is_how("lost") && at_hand >= 0 && ftruncate(at_hand, synced))
    abort();
  if (is_how("lost") && *renamed) {
    if (was_there ? rename(before, renamed) : unlink(renamed))
      abort();
  }
  kill(getpid(), SIGKILL);
}

/* One more call: whether it is the n-th, and to fail with errno. */
static bool count(bool *is_this)
{
  const char *at = getenv("CRASH_AT");
  *is_this = at && ++calls == atol(at);
  if (at && is_how("twice") && calls == atol(at) + 6) {
    sleep(3); /* a signal that comes at once is the same one */
    raise(SIGINT);
  }
  if (!at)
    calls++;
  if (!*is_this)
    return false;
  if (is_how("before"))
    die();
  if (is_how("SIGINT") || is_how("twice"))
    raise(SIGINT);
  if (is_how("SIGTERM"))
    raise(SIGTERM);
  if (is_how("SIGHUP"))
    raise(SIGHUP);
  errno = is_how("EIO") ? EIO : ENOSPC;
  return is_how("EIO") || is_how("ENOSPC");
}

static void after(bool is_this)
{
  if (is_this && (is_how("after") || is_how("lost")))
    die();
}

static int note(int fd, const char *path, int flags)
{
  size_t n = strlen(path);
  if (fd < 0 || fd >= DESCRIPTORS)
    return fd;
  kinds[fd] = NOT_OURS;
  if (flags & O_CREAT && n > 4 && !strcmp(path + n - 4, ".tmp")) {
    kinds[fd] = A_FILE;
    at_hand = fd;
    synced = 0;
  } else if (flags & O_DIRECTORY && !(flags & O_PATH)) {
    kinds[fd] = A_FOLDER;
  }
  return fd;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int open(const char *path, int flags, ...)
{
  va_list list;
  va_start(list, flags);
  int mode = flags & O_CREAT ? va_arg(list, int) : 0;
  va_end(list);
  return note(NEXT(open)(path, flags, mode), path, flags);
}

int open64(const char *path, int flags, ...)
{
  va_list list;
  va_start(list, flags);
  int mode = flags & O_CREAT ? va_arg(list, int) : 0;
  va_end(list);
  return note(NEXT(open64)(path, flags, mode), path, flags);
}

static int kind_of(int fd)
{
  return fd >= 0 && fd < DESCRIPTORS ? kinds[fd] : NOT_OURS;
}

ssize_t write(int fd, const void *bytes, size_t length)
{
  bool is_this = false;
  if (kind_of(fd) != A_FILE)
    return NEXT(write)(fd, bytes, length);
  if (count(&is_this))
    return -1;
  if (is_this && is_how("short") && length > 1)
    length /= 2;
  ssize_t n = NEXT(write)(fd, bytes, length);
  after(is_this);
  return n;
}

int fdatasync(int fd)
{
  bool is_this = false;
  struct stat status;
  if (kind_of(fd) != A_FILE)
    return NEXT(fdatasync)(fd);
  if (count(&is_this))
    return -1;
  if (!fstat(fd, &status))
    synced = status.st_size;
  after(is_this);
  return 0;
}

int fsync(int fd)
{
  bool is_this = false;
  if (kind_of(fd) != A_FOLDER)
    return NEXT(fsync)(fd);
  if (count(&is_this))
    return -1;
  *renamed = 0;
  after(is_this);
  return 0;
}

int close(int fd)
{
  if (kind_of(fd) == A_FILE)
    at_hand = -1;
  if (kind_of(fd) != NOT_OURS)
    kinds[fd] = NOT_OURS;
  return NEXT(close)(fd);
}

int rename(const char *from, const char *to)
{
  bool is_this = false;
  size_t n = strlen(from);
  if (n < 4 || strcmp(from + n - 4, ".tmp"))
    return NEXT(rename)(from, to);
  if (count(&is_this))
    return -1;
  snprintf(before, sizeof before, "%s.before", to);
  unlink(before);
  was_there = !link(to, before);
  int done = NEXT(rename)(from, to);
  snprintf(renamed, sizeof renamed, "%s", to);
  after(is_this);
  unlink(before);
  return done;
}

__attribute__((destructor)) static void tell(void)
{
  const char *name = getenv("CRASH_LOG");
  FILE *out = name ? fopen(name, "w") : NULL;
  if (!out)
    return;
  fprintf(out, "%ld\n", calls);
  fclose(out);
}
