/* Cores that a process may use, below a root made up for the test. */

#include "unit.h"

#include "base/system/cores.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/nutshell-cores-XXXXXX";

static void put_file(const char *path, const char *content)
{
  char whole[200];
  snprintf(whole, sizeof whole, "%s%s", root, path);
  for (char *c = whole + strlen(root) + 1; *c; c++)
    if (*c == '/') {
      *c = '\0';
      mkdir(whole, 0700);
      *c = '/';
    }
  FILE *file = fopen(whole, "w");
  assert_non_null(file);
  fputs(content, file);
  fclose(file);
}

static void remove_all(void)
{
  char command[200];
  snprintf(command, sizeof command, "rm -r %s", root);
  assert_int_equal(system(command), 0);
}

static void quotas(void **state)
{
  (void)state;
  assert_non_null(mkdtemp(root));
  assert_int_equal(cores_of_groups(root), CORES_MOST);
  put_file("/proc/self/cgroup", "1:name=x:/y\n0::/a/b\n");
  assert_int_equal(cores_of_groups(root), CORES_MOST);
  put_file("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  assert_int_equal(cores_of_groups(root), CORES_MOST);
  put_file("/sys/fs/cgroup/a/cpu.max", "250000 100000\n");
  assert_int_equal(cores_of_groups(root), 3);
  put_file("/sys/fs/cgroup/a/b/cpu.max", "50000 100000\n");
  assert_int_equal(cores_of_groups(root), 1);
  remove_all();
}

static void environment(void **state)
{
  (void)state;
  unsetenv("NUTSHELL_THREADS");
  unsetenv("MAKEFLAGS");
  uint32_t cores = cores_available();
  assert_true(cores >= 1 && cores <= CORES_MOST);
  setenv("NUTSHELL_THREADS", "7", 1);
  assert_int_equal(cores_available(), 7);
  setenv("NUTSHELL_THREADS", "100000", 1);
  assert_int_equal(cores_available(), CORES_MOST);
  setenv("NUTSHELL_THREADS", "none", 1);
  assert_int_equal(cores_available(), cores);
  unsetenv("NUTSHELL_THREADS");
}

static void shares_of_make(void **state)
{
  (void)state;
  assert_int_equal(cores_of_make(8, NULL), 8);
  assert_int_equal(cores_of_make(8, "k -- A=-j4"), 8);
  assert_int_equal(cores_of_make(8, " -j4 --jobserver-auth=3,4"), 2);
  assert_int_equal(cores_of_make(8, "k -j3 --jobserver-auth=fifo:/x-j9"), 2);
  assert_int_equal(cores_of_make(8, "-j1 --jobserver-fds=3,4"), 8);
  assert_int_equal(cores_of_make(8, " -j16 --jobserver-auth=3,4"), 1);
  assert_int_equal(cores_of_make(2, " --jobserver-auth=3,4 -j2"), 1);
  assert_int_equal(cores_of_make(8, " --jobserver-auth=3,4 -jx"), 8);
  setenv("MAKEFLAGS", " -j100000 --jobserver-auth=3,4", 1);
  assert_int_equal(cores_available(), 1);
  unsetenv("MAKEFLAGS");
}

UNIT_MAIN(UNIT(quotas), UNIT(environment), UNIT(shares_of_make))
