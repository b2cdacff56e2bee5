/* Walks a path folder by folder, and makes and removes folders below a
** descriptor. */

#include "base/system/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH_MAX = 8 };

/* A descriptor that is only a place: reading needs no permission here. */
enum { PLACE = O_PATH | O_NOFOLLOW | O_CLOEXEC };

/* ---- the walk --------------------------------------------------------- */

/* Where we are and what is left to go. */
typedef struct way {
  int at;
  char rest[PATH_MAX];
  bool make;
} way;

static bool is_trusted(const struct stat *s)
{
  return (s->st_uid == 0 || s->st_uid == geteuid()) &&
         (!(s->st_mode & (S_IWGRP | S_IWOTH)) || s->st_mode & S_ISVTX);
}

/* Goes to a folder that has just been opened; false when it is no place to
** trust. */
static bool go_to(way *w, int next)
{
  struct stat s;
  if (next < 0)
    return false;
  if (w->at >= 0)
    close(w->at);
  w->at = next;
  return fstat(next, &s) == 0 && S_ISDIR(s.st_mode) && is_trusted(&s);
}

/* Puts what a link says in front of the rest, which gets longer each time:
** links in a circle end when there is no room.  Who made the link chooses where
** it leads, so that must be root or us. */
static bool follow(way *w, int link, const struct stat *s)
{
  char target[PATH_MAX], rest[PATH_MAX];
  ssize_t n = readlinkat(link, "", target, sizeof target - 1);
  if (n <= 0 || (s->st_uid != 0 && s->st_uid != geteuid()))
    return false;
  target[n] = 0;
  memcpy(rest, w->rest, strlen(w->rest) + 1);
  int length = snprintf(w->rest, sizeof w->rest, "%s/%s", target, rest);
  if (length < 0 || (size_t)length >= sizeof w->rest)
    return false;
  return target[0] != '/' || go_to(w, open("/", PLACE | O_DIRECTORY));
}

/* Opens one part of the path, which is made if it is to be. */
static int open_part(const way *w, const char *name)
{
  int next = openat(w->at, name, PLACE);
  if (next < 0 && errno == ENOENT && w->make &&
      (mkdirat(w->at, name, 0700) == 0 || errno == EEXIST))
    next = openat(w->at, name, PLACE);
  return next;
}

/* Takes the first part off the rest and goes there. */
static bool step(way *w)
{
  char name[NAME_MAX + 1];
  struct stat s;
  size_t start = strspn(w->rest, "/");
  size_t length = strcspn(w->rest + start, "/");
  if (length > NAME_MAX)
    return false;
  memcpy(name, w->rest + start, length);
  name[length] = 0;
  memmove(w->rest, w->rest + start + length,
          strlen(w->rest + start + length) + 1);
  if (!length || !strcmp(name, "."))
    return true;
  int next = open_part(w, name);
  if (next < 0 || fstat(next, &s) != 0 || !S_ISLNK(s.st_mode))
    return go_to(w, next);
  bool good = follow(w, next, &s);
  close(next);
  return good;
}

int folder_open(const char *path, bool make)
{
  way w = {.at = -1, .make = make};
  size_t length = strlen(path);
  if (path[0] != '/' || length >= sizeof w.rest)
    return -1;
  memcpy(w.rest, path, length + 1);
  bool good = go_to(&w, open("/", PLACE | O_DIRECTORY));
  while (good && w.rest[0])
    good = step(&w);
  int folder = -1;
  if (good)
    folder = openat(w.at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (w.at >= 0)
    close(w.at);
  return folder;
}

bool folder_is_ours(int folder)
{
  struct stat s;
  return fstat(folder, &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == geteuid();
}

bool folder_is_private(int folder)
{
  struct stat s;
  return folder_is_ours(folder) && fstat(folder, &s) == 0 &&
         !(s.st_mode & (S_IRWXG | S_IRWXO));
}

/* ---- below ------------------------------------------------------------ */

int folder_make(int parent, const char *name)
{
  if (mkdirat(parent, name, 0700) != 0)
    return -1;
  int folder =
      openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder >= 0 && !folder_is_private(folder)) {
    close(folder);
    folder = -1;
  }
  return folder;
}

static void remove_below(int parent, const char *name, unsigned depth)
{
  if (unlinkat(parent, name, 0) == 0 || depth > DEPTH_MAX)
    return;
  int folder =
      openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *d = folder < 0 ? NULL : fdopendir(folder);
  for (struct dirent *e; d && (e = readdir(d));)
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
      remove_below(folder, e->d_name, depth + 1);
  if (d)
    closedir(d);
  else if (folder >= 0)
    close(folder);
  unlinkat(parent, name, AT_REMOVEDIR);
}

void folder_remove(int parent, const char *name)
{
  remove_below(parent, name, 0);
}
