/* A process that is nobody's child. */

#include "base/system/outlive.h"

#include "base/system/spawn.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOWEST_PRIORITY = 19 };

static void close_between(int first, int last)
{
  if (first <= last)
    syscall(SYS_close_range, first, last, 0);
}

static bool keep_two(const int kept[2])
{
  int low = kept[0] < kept[1] ? kept[0] : kept[1];
  int high = kept[0] < kept[1] ? kept[1] : kept[0];
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  bool good = nowhere >= 0;
  for (int i = 0; good && i <= 2; i++)
    good = dup2(nowhere, i) == i;
  close_between(3, low - 1);
  close_between(low + 1, high - 1);
  close_between(high + 1, INT_MAX);
  return good;
}

static void be_alone(void (*work)(void *), void *context, const int kept[2])
{
  if (spawn_forget_signals() && keep_two(kept) && chdir("/") == 0 &&
      setpriority(PRIO_PROCESS, 0, LOWEST_PRIORITY) == 0)
    work(context);
}

void outlive(void (*work)(void *context), void *context, const int kept[2])
{
  assert(kept[0] > 2 && kept[1] > 2);
  pid_t between = fork();
  if (between == 0) {
    if (setsid() >= 0 && fork() == 0)
      be_alone(work, context, kept);
    _exit(0);
  }
  while (between > 0 && waitpid(between, NULL, 0) < 0 && errno == EINTR)
    ;
}
