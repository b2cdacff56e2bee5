#include "lang/command.h"

#include "base/alloc.h"
#include "base/path.h"
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
enum { BUFFER_BYTES = 1 << 16, WAITING = 5 };

/* The child and our ends of its output; -1 when closed. */
typedef struct child {
  pid_t pid; /* 0 when there is none to wait for */
  int out, err;
} child;

static void shut(int *fd)
{
  if (*fd >= 0)
    close(*fd);
  *fd = -1;
}

/* What the child reads: an anonymous file with the given contents; or -1. */
static int open_input(const char *data, size_t length)
{
  if (!data)
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
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

/* Limits the child and what it starts from now on. */
static void set_limit(pid_t pid, int what, rlim_t most)
{
  struct rlimit limit;
  if (prlimit(pid, what, NULL, &limit) || limit.rlim_cur <= most)
    return;
  limit.rlim_cur = most;
  prlimit(pid, what, &limit, NULL);
}

/* Starts the program in a process group of its own, so that whatever it starts
** can be stopped with it.  0 or an error number. */
static int spawn(child *c, const command *what, const char *path, int in,
                 int out, int err)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, 0);
  posix_spawn_file_actions_adddup2(&actions, out, 1);
  posix_spawn_file_actions_adddup2(&actions, err, 2);
  if (what->folder)
    posix_spawn_file_actions_addchdir_np(&actions, what->folder);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  int error = posix_spawn(&c->pid, path, &actions, &attributes,
                          (char *const *)(uintptr_t)what->arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/* The program is looked for from where we are: a folder in $PATH that is not
** absolute must not become one below the folder of a model. */
static int find(const command *what, char path[PATH_MAX])
{
  char found[PATH_MAX];
  if (!path_find_program(what->arguments[0], found))
    return ENOENT;
  return path_absolute(found, path) ? 0 : errno;
}

static int start(child *c, const command *what, const char *path)
{
  int out[2] = {-1, -1}, err[2] = {-1, -1}, error = 0;
  int in = open_input(what->input, what->input_length);
  if (in < 0 || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
    error = errno;
  if (!error)
    error = spawn(c, what, path, in, out[1], err[1]);
  shut(&in);
  shut(&out[1]);
  shut(&err[1]);
  c->out = out[0];
  c->err = err[0];
  if (error) {
    c->pid = 0;
    shut(&c->out);
    shut(&c->err);
    return error;
  }
  if (what->memory_max)
    set_limit(c->pid, RLIMIT_AS, what->memory_max);
  set_limit(c->pid, RLIMIT_CPU, (rlim_t)what->seconds);
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
      take(&c->err, &what->messages, COMMAND_MESSAGES_MAX);
  }
  return COMMAND_DONE;
}

/* Waits for the child, which is stopped first if it is not to go on. */
static int end(child *c, bool stop)
{
  int status = 0;
  if (stop && c->pid)
    kill(-c->pid, SIGKILL);
  shut(&c->out);
  shut(&c->err);
  while (c->pid && waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
    continue;
  c->pid = 0;
  return status;
}

static command_result attend(child *c, command *what)
{
  command_result result = listen_to(c, what);
  int status = end(c, result != COMMAND_DONE);
  if (result == COMMAND_DONE && !WIFEXITED(status))
    result = WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL
                 ? COMMAND_SLOW
                 : COMMAND_FAILED;
  what->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return result;
}

typedef struct attending {
  child *child;
  command *what;
  command_result result;
} attending;

static void do_attend(void *work)
{
  attending *a = work;
  a->result = attend(a->child, a->what);
}

/* Running out of memory must not leave the child behind. */
static void undo_attend(void *work)
{
  end(((attending *)work)->child, true);
}

command_result command_run(command *what)
{
  child c = {0, -1, -1};
  char path[PATH_MAX];
  what->error = find(what, path);
  if (!what->error)
    what->error = start(&c, what, path);
  if (what->error)
    return what->error == ENOENT ? COMMAND_MISSING : COMMAND_FAILED;
  attending work = {&c, what, COMMAND_FAILED};
  mem_protect_undo(do_attend, undo_attend, &work);
  return work.result;
}
