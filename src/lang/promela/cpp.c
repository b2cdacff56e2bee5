#include "lang/promela/cpp.h"
#include "base/vec.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* A preprocessor that needs more is caught in something like files that
** include each other; it is stopped. */
enum { MAX_OUTPUT = 64 << 20, MAX_MESSAGES = 64 << 10, MAX_SECONDS = 3 };

/* The child and what it has said so far. */
typedef struct job {
  pid_t pid;
  int out, err; /* read ends; -1 when closed */
  text *output;
  text messages;
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

typedef VEC(char *) strings;

static void add_string(strings *list, const char *string)
{
  /* posix_spawn takes 'char *const *' but does not write to the strings. */
  vec_push(list, (char *)(uintptr_t)string);
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

/* Starts one program; 0 or an error number.  'input' -1 means none. */
static int start(job *j, strings *arguments, int input)
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
  if (input >= 0)
    posix_spawn_file_actions_adddup2(&actions, input, 0);
  else
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err[1], 2);
  /* A group of its own: the preprocessor starts helpers that must die too. */
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  int error = posix_spawnp(&j->pid, arguments->data[0], &actions, &attributes,
                           arguments->data, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(out[1]);
  close(err[1]);
  j->out = out[0];
  j->err = err[0];
  if (error) {
    shut(&j->out);
    shut(&j->err);
  }
  return error;
}

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Takes what is there; closes the end when there will be no more. */
static void take(int *fd, text *into, size_t limit, bool *too_large)
{
  char buffer[1 << 16];
  ssize_t n = read(*fd, buffer, sizeof buffer);
  if (n < 0 && errno == EINTR)
    return;
  if (n <= 0)
    shut(fd);
  else if (into->len + (size_t)n > limit)
    *too_large = true;
  else
    text_add_bytes(into, buffer, (size_t)n);
}

/* Reads both streams until they end or a limit is hit; the child's status. */
static int attend(job *j)
{
  double deadline = seconds() + MAX_SECONDS;
  bool ignored = false;
  while ((j->out >= 0 || j->err >= 0) && !j->too_large && !j->too_slow) {
    struct pollfd ready[2] = {{j->out, POLLIN, 0}, {j->err, POLLIN, 0}};
    int left = (int)(1000 * (deadline - seconds()));
    j->too_slow = left <= 0;
    if (j->too_slow || poll(ready, 2, left) <= 0)
      continue;
    if (ready[0].revents)
      take(&j->out, j->output, MAX_OUTPUT, &j->too_large);
    if (ready[1].revents)
      take(&j->err, &j->messages, MAX_MESSAGES, &ignored);
  }
  if (j->too_large || j->too_slow)
    kill(-j->pid, SIGKILL);
  shut(&j->out);
  shut(&j->err);
  int status = 0;
  while (waitpid(j->pid, &status, 0) < 0 && errno == EINTR)
    ;
  return status;
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
    const char *ignored;
    if (!file && line[0] != '<')
      file = source_read(files, line, &ignored);
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
               " each other?", MAX_OUTPUT >> 20);
  else if (j->too_slow)
    diag_error(messages, where,
               "preprocessor: no end after %d seconds; do files include each"
               " other?", MAX_SECONDS);
  else {
    char *line = (char *)(uintptr_t)text_string(&j->messages);
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
static void command(strings *list, bool compiler, const char *const *args,
                    uint32_t arg_count, const char *path)
{
  vec_clear(list);
  add_string(list, compiler ? "gcc" : "cpp");
  if (compiler) {
    add_string(list, "-E");
    add_string(list, "-x");
    add_string(list, "c");
  }
  add_string(list, "-std=gnu99");
  add_string(list, "-w");
  /* The first error ends it: files that include each other would otherwise
  ** give an error per path. */
  add_string(list, "-Wfatal-errors");
  for (uint32_t i = 0; i < arg_count; i++)
    add_string(list, args[i]);
  add_string(list, path);
  add_string(list, NULL);
}

bool pml_preprocess(sources *files, diags *messages, uint32_t file,
                    const char *const *args, uint32_t arg_count, text *out)
{
  size_t length;
  const char *data = source_text(files, file, &length);
  const char *path = source_name(files, file);
  text safe = {0};
  int input = -1;
  if (!on_disk(path, length)) {
    path = "-";
    input = memory_file(data, length);
  } else if (path[0] == '-') {
    text_printf(&safe, "./%s", path);
    path = text_string(&safe);
  }
  job j = {.out = -1, .err = -1, .output = out};
  strings list = {0};
  command(&list, false, args, arg_count, path);
  int error = start(&j, &list, input);
  if (error) {
    command(&list, true, args, arg_count, path);
    error = start(&j, &list, input);
  }
  bool good = false;
  if (error)
    diag_error(messages, (span){file, 0, 0},
               "this model has preprocessor directives, but the C preprocessor"
               " 'cpp' cannot be started: %s", strerror(error));
  else {
    int status = attend(&j);
    good = WIFEXITED(status) && !WEXITSTATUS(status) && !j.too_large &&
           !j.too_slow;
    if (!good)
      report(files, messages, file, &j);
  }
  shut(&input);
  vec_free(&list);
  text_free(&safe);
  text_free(&j.messages);
  return good;
}
