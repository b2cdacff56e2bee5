#include "lang/promela/cpp.h"
#include "base/alloc.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* A preprocessor that needs more is caught in something like files that
** include each other; it is stopped.  The seconds of its work are few, those on
** the clock more, because the machine may be busy with other things. */
enum {
  MAX_OUTPUT = 64 << 20,
  MAX_MESSAGES = 64 << 10,
  MAX_WORK_SECONDS = 1,
  MAX_SECONDS = 5,
  MAX_MEMORY = 1 << 30
};

/* The child and what it has said so far. */
typedef struct job {
  pid_t pid;    /* 0 when there is none to wait for */
  int input;    /* what it reads; -1 when that is a file of its own */
  int out, err; /* read ends; -1 when closed */
  text *output;
  char *messages; /* MAX_MESSAGES bytes and a 0 */
  size_t message_bytes;
  bool too_large, too_slow;
} job;

bool pml_has_directives(const char *p, size_t length)
{
  const char *end = p + length;
  while (p < end) {
    while (p < end && (*p == ' ' || *p == '\t'))
      p++;
    if (p < end && *p == '#')
      return true;
    p = memchr(p, '\n', (size_t)(end - p));
    if (!p)
      return false;
    p++;
  }
  return false;
}

/*------------------------------------------------------------------------*/
/* What the preprocessor reads                                             */

/* Is this source still a file of the same size?  Then the preprocessor reads
** it itself and finds what it includes next to it.  Text from elsewhere is
** given to it as standard input. */
static bool on_disk(const char *path, size_t length)
{
  struct stat info;
  return !stat(path, &info) && S_ISREG(info.st_mode) &&
         (size_t)info.st_size == length;
}

/* An anonymous file with the given contents, or -1. */
static int memory_file(const char *data, size_t length)
{
  int fd = memfd_create("model", MFD_CLOEXEC);
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

/*------------------------------------------------------------------------*/
/* Running it                                                              */

static bool make_pipe(int ends[2])
{
  return !pipe2(ends, O_CLOEXEC);
}

static void shut(int *fd)
{
  if (*fd >= 0)
    close(*fd);
  *fd = -1;
}

/* Limits the child and what it starts from now on. */
static void set_limit(pid_t child, int what, rlim_t most)
{
  struct rlimit limit;
  if (prlimit(child, what, NULL, &limit) || limit.rlim_cur <= most)
    return;
  limit.rlim_cur = most;
  prlimit(child, what, &limit, NULL);
}

/* Starts one program; 0 or an error number. */
static int start(job *j, char *const *arguments)
{
  int out[2], err[2];
  if (!make_pipe(out))
    return errno;
  if (!make_pipe(err)) {
    int error = errno;
    close(out[0]);
    close(out[1]);
    return error;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (j->input >= 0)
    posix_spawn_file_actions_adddup2(&actions, j->input, 0);
  else
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err[1], 2);
  /* A group of its own: the preprocessor starts helpers that must die too. */
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  int error = posix_spawnp(&j->pid, arguments[0], &actions, &attributes,
                           arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(out[1]);
  close(err[1]);
  j->out = out[0];
  j->err = err[0];
  if (error) {
    j->pid = 0;
    shut(&j->out);
    shut(&j->err);
    return error;
  }
  set_limit(j->pid, RLIMIT_CPU, MAX_WORK_SECONDS);
  set_limit(j->pid, RLIMIT_AS, MAX_MEMORY);
  return 0;
}

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Reads what is there; closes the end when there will be no more. */
static size_t take(int *fd, char *buffer, size_t bytes)
{
  ssize_t n = read(*fd, buffer, bytes);
  if (n < 0 && errno == EINTR)
    return 0;
  if (n <= 0)
    shut(fd);
  return n > 0 ? (size_t)n : 0;
}

static void take_output(job *j)
{
  char buffer[1 << 16];
  size_t n = take(&j->out, buffer, sizeof buffer);
  j->too_large = j->output->len + n > MAX_OUTPUT;
  if (!j->too_large)
    text_add_bytes(j->output, buffer, n);
}

/* Messages beyond the limit are read and dropped. */
static void take_messages(job *j)
{
  char buffer[1 << 12];
  size_t n = take(&j->err, buffer, sizeof buffer);
  if (n > MAX_MESSAGES - j->message_bytes)
    n = MAX_MESSAGES - j->message_bytes;
  memcpy(j->messages + j->message_bytes, buffer, n);
  j->message_bytes += n;
}

/* Stops the child when it still runs; its status. */
static int end(job *j, bool stop)
{
  int status = 0;
  if (stop && j->pid)
    kill(-j->pid, SIGKILL);
  shut(&j->out);
  shut(&j->err);
  shut(&j->input);
  while (j->pid && waitpid(j->pid, &status, 0) < 0 && errno == EINTR)
    ;
  j->pid = 0;
  return status;
}

/* Reads both streams until they end or a limit is hit; the child's status. */
static int attend(job *j)
{
  double deadline = seconds() + MAX_SECONDS;
  while ((j->out >= 0 || j->err >= 0) && !j->too_large && !j->too_slow) {
    struct pollfd ready[2] = {{j->out, POLLIN, 0}, {j->err, POLLIN, 0}};
    int left = (int)(1000 * (deadline - seconds()));
    j->too_slow = left <= 0;
    if (j->too_slow || poll(ready, 2, left) <= 0)
      continue;
    if (ready[0].revents)
      take_output(j);
    if (ready[1].revents)
      take_messages(j);
  }
  return end(j, j->too_large || j->too_slow);
}

/*------------------------------------------------------------------------*/
/* Its messages                                                            */

/* 'file:line:column: [fatal ]error: text' becomes a diagnostic of ours. */
static bool report_line(sources *files, diags *messages, uint32_t main_file,
                        char *line)
{
  char *error = strstr(line, "error: ");
  if (!error)
    return false;
  char *what = error + strlen("error: ");
  span where = {main_file, 0, 0};
  char *colon = strchr(line, ':');
  unsigned row = 0, column = 0;
  if (colon && colon < error && sscanf(colon, ":%u:%u", &row, &column) >= 1) {
    *colon = 0;
    uint32_t file = source_find(files, line);
    if (!file && line[0] != '<')
      file = source_read_plain(files, line);
    where.file = file ? file : main_file;
    where.start = source_line_start(files, where.file, row);
    where.start += column ? column - 1 : 0;
    size_t length;
    source_text(files, where.file, &length);
    if (where.start > length)
      where.start = (uint32_t)length;
  }
  /* Advice about options of the preprocessor is of no use to our users. */
  char *advice = strstr(what, " (use -");
  if (advice)
    *advice = 0;
  /* Helpers of the preprocessor are ended when they hit a limit. */
  if (strstr(what, "signal terminated"))
    what = "it needs too much time or memory; do files include each other?";
  diag_error(messages, where, "preprocessor: %s", what);
  return true;
}

static void report(sources *files, diags *messages, uint32_t file, job *j)
{
  span where = {file, 0, 0};
  bool told = false;
  if (j->too_large)
    diag_error(messages, where,
               "preprocessor: more than %d MiB of output; do files include"
               " each other?",
               MAX_OUTPUT >> 20);
  else if (j->too_slow)
    diag_error(messages, where,
               "preprocessor: no end after %d seconds; do files include each"
               " other?",
               MAX_SECONDS);
  else {
    char *line = j->messages;
    while (*line && !diags_full(messages)) {
      char *next = strchr(line, '\n');
      if (next)
        *next++ = 0;
      told |= report_line(files, messages, file, line);
      if (!next)
        break;
      line = next;
    }
    if (!told)
      diag_error(messages, where, "the C preprocessor failed");
  }
}

/*------------------------------------------------------------------------*/

/* 'cpp ARGS... FILE', or the same through the compiler. */
static char **command(arena *mem, bool compiler, const char *const *args,
                      uint32_t arg_count, const char *path)
{
  /* The first error ends it: files that include each other would otherwise
  ** give an error per path. */
  static const char *const words[] = {
      "gcc", "-E", "-x", "c", "cpp", "-std=gnu99", "-w", "-Wfatal-errors"};
  enum { WORDS = sizeof words / sizeof *words, CPP = 4 };
  const char **list = ARENA_ARRAY(mem, const char *, WORDS + arg_count + 2);
  uint32_t n = 0;
  for (uint32_t i = compiler ? 0 : CPP; i < WORDS; i++)
    if (!compiler || i != CPP)
      list[n++] = words[i];
  for (uint32_t i = 0; i < arg_count; i++)
    list[n++] = args[i];
  list[n++] = path;
  /* posix_spawn takes 'char *const *' but does not write to the strings. */
  return (char **)(uintptr_t)list;
}

/* Starts the preprocessor, reads all it says, and reports errors. */
static bool run(arena *mem, sources *files, diags *messages, uint32_t file,
                const char *const *args, uint32_t arg_count, job *j)
{
  size_t length;
  const char *data = source_text(files, file, &length);
  const char *path = source_name(files, file);
  if (!on_disk(path, length)) {
    path = "-";
    j->input = memory_file(data, length);
  } else if (path[0] == '-')
    path = arena_printf(mem, "./%s", path);
  int error = start(j, command(mem, false, args, arg_count, path));
  if (error)
    error = start(j, command(mem, true, args, arg_count, path));
  if (error) {
    end(j, false);
    diag_error(messages, (span){file, 0, 0},
               "this model has preprocessor directives, but the C preprocessor"
               " 'cpp' cannot be started: %s",
               strerror(error));
    return false;
  }
  int status = attend(j);
  if (WIFEXITED(status) && !WEXITSTATUS(status) && !j->too_large &&
      !j->too_slow)
    return true;
  report(files, messages, file, j);
  return false;
}

bool pml_preprocess(arena *mem, sources *files, diags *messages, uint32_t file,
                    const char *const *args, uint32_t arg_count, text *out)
{
  job *j = ARENA_NEW(mem, job);
  j->input = j->out = j->err = -1;
  j->output = out;
  j->messages = arena_alloc(mem, MAX_MESSAGES + 1);
  /* Running out of memory must not leave the child behind. */
  jmp_buf here;
  jmp_buf *volatile outer = mem_guard(&here);
  if (setjmp(here)) {
    end(j, true);
    mem_pass_on(outer);
  }
  bool good = run(mem, files, messages, file, args, arg_count, j);
  mem_guard(outer);
  return good;
}
