#include "base/system/cores.h"

#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a group may use, in whole processors: "max 100000" or "150000 100000". */
static uint32_t quota_of(const char *path)
{
  FILE *file = fopen(path, "re");
  double quota, period;
  if (!file)
    return CORES_MOST;
  bool limited = fscanf(file, "%lf %lf", &quota, &period) == 2 && period > 0;
  fclose(file);
  if (!limited || quota >= period * CORES_MOST)
    return CORES_MOST;
  uint32_t whole = (uint32_t)(quota / period);
  return whole + (whole * period < quota || !whole);
}

/* The quota of the group and of all those around it. */
static uint32_t look_up(const char *root, char *group)
{
  uint32_t most = CORES_MOST;
  for (char *end = group + strlen(group);; *end = '\0') {
    char path[PATH_MAX];
    int length =
        snprintf(path, sizeof path, "%s/sys/fs/cgroup%s/cpu.max", root, group);
    uint32_t own = length < (int)sizeof path ? quota_of(path) : CORES_MOST;
    most = own < most ? own : most;
    end = strrchr(group, '/');
    if (!end)
      return most;
  }
}

uint32_t cores_of_groups(const char *root)
{
  char path[PATH_MAX], line[PATH_MAX];
  uint32_t most = CORES_MOST;
  int length = snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
  FILE *file = length < (int)sizeof path ? fopen(path, "re") : NULL;
  while (file && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, "0::", 3))
      continue;
    uint32_t own = look_up(root, line + 3);
    most = own < most ? own : most;
  }
  if (file)
    fclose(file);
  return most;
}

uint32_t cores_of_make(uint32_t cores, const char *flags)
{
  const char *jobs = flags && strstr(flags, "--jobserver-") ? flags : NULL;
  while (jobs && (jobs = strstr(jobs, "-j")) &&
         ((jobs > flags && jobs[-1] != ' ') || jobs[2] < '1' || jobs[2] > '9'))
    jobs += 2;
  if (!jobs)
    return cores;
  long most = strtol(jobs + 2, NULL, 10);
  return most < (long)cores ? cores / (uint32_t)most : 1;
}

uint32_t cores_available(void)
{
  const char *asked = getenv("NUTSHELL_THREADS");
  long wanted = asked ? strtol(asked, NULL, 10) : 0;
  if (wanted > 0)
    return wanted < CORES_MOST ? (uint32_t)wanted : CORES_MOST;
  cpu_set_t bound;
  int cores =
      sched_getaffinity(0, sizeof bound, &bound) ? 1 : CPU_COUNT(&bound);
  uint32_t quota = cores_of_groups("");
  uint32_t most = cores < 1 ? 1 : (uint32_t)cores;
  return cores_of_make(most < quota ? most : quota, getenv("MAKEFLAGS"));
}
