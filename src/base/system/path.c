#include "base/system/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool path_absolute(const char *path, char absolute[PATH_MAX])
{
  char here[PATH_MAX] = "";
  if (path[0] != '/' && !getcwd(here, sizeof here))
    return false;
  const char *between = here[0] == '/' && here[1] ? "/" : "";
  int n = snprintf(absolute, PATH_MAX, "%s%s%s", here, between, path);
  if (n > 0 && n < PATH_MAX && absolute[0] == '/')
    return true;
  errno = ENAMETOOLONG;
  return false;
}

size_t path_folder_length(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? (size_t)(slash - path) + 1 : 0;
}

static bool is_program(const char *path)
{
  struct stat s;
  return stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, X_OK) == 0;
}

bool path_find_program(const char *name, char path[PATH_MAX])
{
  const char *folders = getenv("PATH");
  if (strchr(name, '/')) {
    int n = snprintf(path, PATH_MAX, "%s", name);
    return n > 0 && n < PATH_MAX && is_program(path);
  }
  for (const char *at = folders ? folders : "/usr/bin:/bin"; *at;) {
    size_t n = strcspn(at, ":");
    int length = snprintf(path, PATH_MAX, "%.*s/%s", (int)n, at, name);
    if (n && length < PATH_MAX && is_program(path))
      return true;
    at += n + (at[n] == ':');
  }
  return false;
}
