/* Time and memory of the process, asked of the system. */

#include "base/system/usage.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

double usage_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

size_t usage_resident(void)
{
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file)
    return 0;
  unsigned long long total, resident;
  int read = fscanf(file, "%llu %llu", &total, &resident);
  fclose(file);
  return read == 2 ? (size_t)resident * (size_t)sysconf(_SC_PAGESIZE) : 0;
}

static FILE *open_below(const char *root, const char *name)
{
  char path[700];
  int length = snprintf(path, sizeof path, "%s%s", root, name);
  return length < 0 || (size_t)length >= sizeof path ? NULL : fopen(path, "r");
}

/* A line 'name: N kB' of a file, in bytes; SIZE_MAX: it is not there. */
static size_t memory_in(const char *root, const char *path, const char *name)
{
  FILE *file = open_below(root, path);
  if (!file)
    return SIZE_MAX;
  char line[128];
  unsigned long long kib = 0;
  bool found = false;
  size_t length = strlen(name);
  while (!found && fgets(line, sizeof line, file))
    found = !strncmp(line, name, length) &&
            sscanf(line + length, ": %llu kB", &kib) == 1;
  fclose(file);
  return found ? (size_t)kib << 10 : SIZE_MAX;
}

/* 'getrusage' counts what the process that started this one had, too. */
size_t usage_resident_peak(void)
{
  size_t peak = memory_in("", "/proc/self/status", "VmHWM");
  if (peak != SIZE_MAX)
    return peak;
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage))
    return 0;
  return (size_t)usage.ru_maxrss << 10;
}

/* ---- control groups ------------------------------------------------------ */

/* The files of a version: where its folders are, the limit, what is used. */
typedef struct group_files {
  const char *top, *limit, *used;
} group_files;

static const group_files version_1 = {
    "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"};
static const group_files version_2 = {"/sys/fs/cgroup", "memory.max",
                                      "memory.current"};

/* A number in a file of a control group; SIZE_MAX for none ("max"). */
static size_t read_number(const char *root, const char *folder,
                          const char *name)
{
  char path[600];
  int length = snprintf(path, sizeof path, "%s/%s", folder, name);
  if (length < 0 || (size_t)length >= sizeof path)
    return SIZE_MAX;
  FILE *file = open_below(root, path);
  if (!file)
    return SIZE_MAX;
  unsigned long long value;
  int read = fscanf(file, "%llu", &value);
  fclose(file);
  return read == 1 ? (size_t)value : SIZE_MAX;
}

/* The tightest of the group in 'path' and those around it. */
static void look_at_groups(const char *root, const group_files *f,
                           const char *path, size_t *left, size_t *total)
{
  char folder[500];
  snprintf(folder, sizeof folder, "%s%.*s", f->top, (int)strcspn(path, "\n"),
           path);
  while (strlen(folder) >= strlen(f->top)) {
    size_t limit = read_number(root, folder, f->limit);
    /* Version 1 says "none" by a number that no machine has. */
    bool is_limited = limit < SIZE_MAX / 4;
    size_t used = is_limited ? read_number(root, folder, f->used) : SIZE_MAX;
    if (used != SIZE_MAX) {
      size_t here = limit > used ? limit - used : 0;
      *left = here < *left ? here : *left;
      *total = limit < *total ? limit : *total;
    }
    char *slash = strrchr(folder, '/');
    if (!slash)
      break;
    *slash = 0;
  }
}

/* Lines are 'number:controllers:path'; version 2 has no controllers. */
static void look_at_line(const char *root, const char *line, size_t *left,
                         size_t *total)
{
  const char *controllers = strchr(line, ':');
  const char *path = controllers ? strchr(controllers + 1, ':') : NULL;
  if (!path)
    return;
  size_t length = (size_t)(path - controllers - 1);
  if (!length)
    look_at_groups(root, &version_2, path + 1, left, total);
  else if (memmem(controllers + 1, length, "memory", 6))
    look_at_groups(root, &version_1, path + 1, left, total);
}

size_t usage_memory_left_below(const char *root, size_t *total)
{
  size_t left = memory_in(root, "/proc/meminfo", "MemAvailable");
  *total = memory_in(root, "/proc/meminfo", "MemTotal");
  FILE *file = open_below(root, "/proc/self/cgroup");
  if (!file)
    return left;
  char line[400];
  while (fgets(line, sizeof line, file))
    look_at_line(root, line, &left, total);
  fclose(file);
  return left;
}

/* Global: what the system said last, and when, since short runs ask several
** times within a millisecond or two; how much memory is free is a guess in any
** case, and decides nothing but whether there is enough. */
static struct {
  pthread_mutex_t lock;
  double asked;
  size_t left, total;
} last = {.lock = PTHREAD_MUTEX_INITIALIZER};

size_t usage_memory_left(size_t *total)
{
  static const double soon = 0.005;
  pthread_mutex_lock(&last.lock);
  double now = usage_seconds();
  if (!last.asked || now - last.asked > soon) {
    last.left = usage_memory_left_below("", &last.total);
    last.asked = now;
  }
  size_t left = last.left;
  *total = last.total;
  pthread_mutex_unlock(&last.lock);
  return left;
}
