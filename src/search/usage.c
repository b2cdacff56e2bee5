#include "search/usage.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define CGROUP "/sys/fs/cgroup"

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

size_t usage_resident_peak(void)
{
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage))
    return 0;
  return (size_t)usage.ru_maxrss << 10;
}

/* Memory that could be had without swapping, by the kernel's estimate. */
static size_t memory_available(void)
{
  FILE *file = fopen("/proc/meminfo", "r");
  if (!file)
    return SIZE_MAX;
  char line[128];
  unsigned long long kib = 0;
  bool found = false;
  while (!found && fgets(line, sizeof line, file))
    found = sscanf(line, "MemAvailable: %llu kB", &kib) == 1;
  fclose(file);
  return found ? (size_t)kib << 10 : SIZE_MAX;
}

/* A number in a file of a control group; SIZE_MAX for none ("max"). */
static size_t read_limit(const char *folder, const char *name)
{
  char path[600];
  int length = snprintf(path, sizeof path, "%s/%s", folder, name);
  if (length < 0 || (size_t)length >= sizeof path)
    return SIZE_MAX;
  FILE *file = fopen(path, "r");
  if (!file)
    return SIZE_MAX;
  unsigned long long value;
  int read = fscanf(file, "%llu", &value);
  fclose(file);
  return read == 1 ? (size_t)value : SIZE_MAX;
}

/* What the control groups (version 2) of this process leave: the tightest of
** its own and those around it. */
static size_t group_available(void)
{
  FILE *file = fopen("/proc/self/cgroup", "r");
  if (!file)
    return SIZE_MAX;
  char line[400], folder[500] = "";
  while (fgets(line, sizeof line, file))
    if (!strncmp(line, "0::/", 4))
      snprintf(folder, sizeof folder, CGROUP "%.*s",
               (int)strcspn(line + 3, "\n"), line + 3);
  fclose(file);
  size_t least = SIZE_MAX;
  while (strlen(folder) >= strlen(CGROUP)) {
    size_t limit = read_limit(folder, "memory.max");
    size_t used = read_limit(folder, "memory.current");
    if (limit != SIZE_MAX && used != SIZE_MAX) {
      size_t left = limit > used ? limit - used : 0;
      least = left < least ? left : least;
    }
    char *slash = strrchr(folder, '/');
    if (!slash)
      break;
    *slash = 0;
  }
  return least;
}

size_t usage_memory_room(void)
{
  size_t system = memory_available(), group = group_available();
  size_t room = system < group ? system : group;
  size_t own = usage_resident();
  return room > SIZE_MAX - own ? SIZE_MAX : room + own;
}
