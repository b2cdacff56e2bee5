#include "lang/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* A program gets the seconds it may work, and more on the clock, because the
** machine may be busy with other things. */
enum { MESSAGES_MAX = 1 << 16, BUFFER_BYTES = 1 << 16, WAITING = 5 };

/* The child and our ends of its output; -1 when closed. */
typedef struct child {
  pid_t pid;
  int out, err;
} child;

static void shut(int *fd)
{
  if (*fd >= 0)
    close(*fd);
  *fd = -1;
}

/* An anonymous file with the given contents, or -1. */
static int memory_file(const char *data, size_t length)
{
  int fd = memfd_create("input", MFD_CLOEXEC);
  while (fd >= 0 && length) {
    ssize_t n = write(fd, data, length);
    if (n < 0) {
      close(fd);
      return -1;
    }
    data += n;
    length -= (size_t)n;
  }
  if (fd >= 0)
    lseek(fd, 0, SEEK_SET);
  return fd;
}

/* Starts the program in a process group of its own, so that whatever it starts
** can be stopped with it.  0 or an error number. */
static int spawn(child *c, const command *what, int in, int out, int err)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, 0);
  posix_spawn_file_actions_adddup2(&actions, out, 1);
  posix_spawn_file_actions_adddup2(&actions, err, 2);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  int error = posix_spawnp(&c->pid, what->arguments[0], &actions, &attributes,
                           (char *const *)(uintptr_t)what->arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

static int start(child *c, const command *what)
{
  int out[2] = {-1, -1}, err[2] = {-1, -1}, error = 0;
  int in = memory_file(what->input, what->input_length);
  if (in < 0 || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
    error = errno;
  if (!error)
    error = spawn(c, what, in, out[1], err[1]);
  shut(&in);
  shut(&out[1]);
  shut(&err[1]);
  c->out = out[0];
  c->err = err[0];
  if (error) {
    shut(&c->out);
    shut(&c->err);
    return error;
  }
  struct rlimit limit = {what->memory_max, what->memory_max};
  if (what->memory_max)
    prlimit(c->pid, RLIMIT_AS, &limit, NULL);
  limit.rlim_cur = limit.rlim_max = (rlim_t)what->seconds;
  prlimit(c->pid, RLIMIT_CPU, &limit, NULL);
  return 0;
}

static double seconds_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Takes what is there, up to 'most' bytes in all; closes the end when there
** will be no more.  False when it was too much. */
static bool take(int *fd, text *into, size_t most)
{
  char buffer[BUFFER_BYTES];
  ssize_t n = read(*fd, buffer, sizeof buffer);
  if (n < 0 && errno == EINTR)
    return true;
  if (n <= 0) {
    shut(fd);
    return true;
  }
  size_t room = most - into->len;
  text_add_bytes(into, buffer, (size_t)n < room ? (size_t)n : room);
  return (size_t)n <= room;
}

/* Reads both streams until they end or a limit is hit. */
static command_result listen_to(child *c, command *what)
{
  double deadline = seconds_now() + WAITING * what->seconds;
  while (c->out >= 0 || c->err >= 0) {
    struct pollfd ready[2] = {{c->out, POLLIN, 0}, {c->err, POLLIN, 0}};
    int left = (int)(1000 * (deadline - seconds_now()));
    if (left <= 0)
      return COMMAND_SLOW;
    if (poll(ready, 2, left) <= 0)
      continue;
    if (ready[0].revents && !take(&c->out, &what->output, what->output_max))
      return COMMAND_LARGE;
    if (ready[1].revents)
      take(&c->err, &what->messages, MESSAGES_MAX);
  }
  return COMMAND_DONE;
}

command_result command_run(command *what)
{
  child c = {0, -1, -1};
  int error = start(&c, what), status = 0;
  if (error)
    return error == ENOENT ? COMMAND_MISSING : COMMAND_FAILED;
  command_result result = listen_to(&c, what);
  shut(&c.out);
  shut(&c.err);
  if (result != COMMAND_DONE)
    kill(-c.pid, SIGKILL);
  while (waitpid(c.pid, &status, 0) < 0 && errno == EINTR)
    continue;
  if (result == COMMAND_DONE && !WIFEXITED(status))
    result = WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL
                 ? COMMAND_SLOW
                 : COMMAND_FAILED;
  what->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return result;
}
