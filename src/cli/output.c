/* Writing, with failures noticed: streams, devices, and files that are there
** as a whole or not at all. */

#include "cli/output.h"
#include "base/alloc.h"
#include "base/source/shown.h"
#include "cli/commands.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* This process is one of several, of which another one speaks; or what it says
** goes through a launcher, to a place that only that one knows. */
static bool silent, is_handed_on;

void be_handed_on(void)
{
  is_handed_on = true;
}

void fall_silent(void)
{
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
  }
  silent = true;
}

bool is_silent(void)
{
  return silent;
}

void say(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  vfprintf(stdout, format, args);
  va_end(args);
}

void say_text(const text *t)
{
  fwrite(text_string(t), 1, t->len, stdout);
}

/* What begins each line of the standard error, if it is not 0; and whether the
** next byte begins one. */
static char line_mark;
static bool in_line;

void mark_error_lines(char mark)
{
  line_mark = mark;
}

static void put_error(const char *bytes, size_t length)
{
  if (!line_mark) {
    fwrite(bytes, 1, length, stderr);
    return;
  }
  for (size_t i = 0; i < length; i++) {
    if (!in_line)
      fputc(line_mark, stderr);
    fputc(bytes[i], stderr);
    in_line = bytes[i] != '\n';
  }
  fflush(stderr);
}

void say_error(const char *string)
{
  fflush(stdout);
  put_error(string, strlen(string));
}

/* One line on the standard error.  What it is about, a name of a file perhaps,
** is made harmless.  Takes no memory: that may be what we complain about. */
static void say_line(const char *begin, const char *format, va_list args)
{
  char line[2 * PATH_MAX], escape[SHOWN_ESCAPE];
  fflush(stdout);
  put_error(begin, strlen(begin));
  vsnprintf(line, sizeof line, format, args);
  for (const char *p = line, *end = line + strlen(line); p < end;) {
    size_t n = shown_bytes(p, end);
    if (n) {
      put_error(p, n);
      p += n;
    } else {
      p += shown_escape(p, end, escape);
      put_error(escape, strlen(escape));
    }
  }
  put_error("\n", 1);
}

int complain(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  say_line("nutshell: ", format, args);
  va_end(args);
  return STATUS_BAD;
}

void note(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  say_line("nutshell: note: ", format, args);
  va_end(args);
}

/* Writes all bytes; false with errno set when some could not be. */
static bool write_all(int file, const text *content)
{
  const char *data = text_string(content);
  size_t left = content->len;
  while (left > 0) {
    ssize_t n = write(file, data, left);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    data += n;
    left -= (size_t)n;
  }
  return true;
}

static bool write_device(const char *path, const text *content)
{
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  bool good = write_all(file, content);
  int problem = errno;
  if (close(file) != 0 && good)
    return false;
  errno = problem;
  return good;
}

/* The permissions a newly made file gets. */
static mode_t usual_mode(void)
{
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

/* 'temporary' ends in XXXXXX and lies in the folder of 'target'.  A file that
** existed keeps its permissions. */
static bool write_beside(char *temporary, const char *target, mode_t mode,
                         const text *content)
{
  int file = mkstemp(temporary);
  if (file < 0)
    return false;
  bool good = write_all(file, content) && fchmod(file, mode) == 0;
  int problem = errno;
  if (close(file) != 0 && good) {
    good = false;
    problem = errno;
  }
  if (good && rename(temporary, target) != 0) {
    good = false;
    problem = errno;
  }
  if (!good)
    unlink(temporary);
  errno = problem;
  return good;
}

static bool write_regular(const char *path, mode_t mode, const text *content)
{
  /* A symbolic link stays one: what it leads to is replaced. */
  char resolved[PATH_MAX];
  const char *target = realpath(path, resolved) ? resolved : path;
  text temporary = {0};
  text_printf(&temporary, "%s.XXXXXX", target);
  bool good = write_beside(temporary.data, target, mode, content);
  int problem = errno;
  text_free(&temporary);
  errno = problem;
  return good;
}

bool write_file(const char *path, const text *content)
{
  if (strcmp(path, "-") == 0) {
    say_text(content);
    return true;
  }
  struct stat info;
  bool exists = stat(path, &info) == 0;
  bool good;
  if (silent)
    return true;
  if (exists && S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    good = false;
  } else if (exists && !S_ISREG(info.st_mode)) {
    fflush(stdout);
    good = write_device(path, content);
  } else {
    mode_t mode = exists ? info.st_mode & 07777 : usual_mode();
    good = write_regular(path, mode, content);
  }
  if (!good)
    complain("cannot write %s: %s", path, strerror(errno));
  return good;
}

/* A file beside 'path', which is gone again at once. */
static bool can_write_beside(const char *path)
{
  char resolved[PATH_MAX];
  text temporary = {0};
  text_printf(&temporary, "%s.XXXXXX",
              realpath(path, resolved) ? resolved : path);
  int file = mkstemp(temporary.data), problem = errno;
  if (file >= 0) {
    unlink(temporary.data);
    close(file);
  }
  text_free(&temporary);
  errno = problem;
  return file >= 0;
}

bool can_write_file(const char *path)
{
  struct stat info;
  bool exists = stat(path, &info) == 0, good;
  if (silent || strcmp(path, "-") == 0)
    return true;
  if (exists && S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    good = false;
  } else if (exists && !S_ISREG(info.st_mode)) {
    good = access(path, W_OK) == 0;
  } else {
    good = can_write_beside(path);
  }
  if (!good)
    complain("cannot write %s: %s", path, strerror(errno));
  return good;
}

bool same_file(const char *a, const char *b)
{
  struct stat x, y;
  return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
         x.st_ino == y.st_ino;
}

int finish_output(int status)
{
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout))
    return status;
  /* A reader that went away (nutshell ... | head) wants no more. */
  if (errno == EPIPE)
    return status;
  return complain("cannot write the standard output%s%s", errno ? ": " : "",
                  errno ? strerror(errno) : "");
}

bool output_is_terminal(void)
{
  return !is_handed_on && isatty(STDOUT_FILENO);
}

size_t error_width(size_t usual)
{
  struct winsize size;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col)
    return usual;
  return size.ws_col;
}

bool error_is_terminal(void)
{
  return !is_handed_on && isatty(STDERR_FILENO);
}
