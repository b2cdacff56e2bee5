/* The system's C compiler: $CC, or cc, gcc, clang in $PATH; run without a
** shell. */

#include "base/path.h"
#include "program/native_inside.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* -O2 takes nearly twice as long (0.1 to 0.3 s more) and gains 2 ns per step:
** that pays only from some 100 million steps on.  Integers wrap around as the
** model's do; the text is ours, so warnings would help nobody. */
/* clang-format off */
#define FLAGS(FLAG)                                                            \
  FLAG("-O1") FLAG("-fwrapv") FLAG("-std=gnu11") FLAG("-w") FLAG("-fPIC")      \
  FLAG("-shared") FLAG("-fvisibility=hidden") FLAG("-x") FLAG("c")
/* clang-format on */

/* C that somebody else wrote may look at memory in any way.  Its mistakes are
** shown at their places, where columns are bytes: a tab is one. */
#define CAREFUL(FLAG) FLAG("-fno-strict-aliasing") FLAG("-ftabstop=1")

#define FLAG(text) text " "
const char compiler_flags[] = FLAGS(FLAG);
const char compiler_careful_flags[] = CAREFUL(FLAG);
#undef FLAG

/* ---- finding it ------------------------------------------------------- */

/* $CC may have further words: "ccache gcc". */
static bool split_words(compiler *c, const char *from)
{
  char *rest = NULL;
  if (strlen(from) >= sizeof c->words)
    return false;
  memcpy(c->words, from, strlen(from) + 1);
  c->word_count = 0;
  for (char *w = strtok_r(c->words, " \t", &rest); w;
       w = strtok_r(NULL, " \t", &rest)) {
    if (c->word_count == COMPILER_WORDS)
      return false;
    c->word[c->word_count++] = w;
  }
  return c->word_count > 0;
}

/* Path, size and time of the program, which differ after an update. */
static void identify(compiler *c)
{
  struct stat s = {0};
  char real[PATH_MAX];
  if (!realpath(c->path, real))
    snprintf(real, sizeof real, "%s", c->path);
  (void)!stat(real, &s);
  int n = snprintf(c->identity, sizeof c->identity, "%s %lld %lld.%ld", real,
                   (long long)s.st_size, (long long)s.st_mtim.tv_sec,
                   s.st_mtim.tv_nsec);
  for (size_t i = 1; i < c->word_count && n < (int)sizeof c->identity; i++)
    n += snprintf(c->identity + n, sizeof c->identity - (size_t)n, " %s",
                  c->word[i]);
}

bool compiler_find(compiler *c)
{
  static const char *const usual[] = {"cc", "gcc", "clang"};
  const char *wish = getenv("CC");
  if (wish && split_words(c, wish) && path_find_program(c->word[0], c->path)) {
    identify(c);
    return true;
  }
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
    if (split_words(c, usual[i]) && path_find_program(usual[i], c->path)) {
      identify(c);
      return true;
    }
  return false;
}

/* ---- running it ------------------------------------------------------- */

/* The first line of the compiler's complaints. */
static void note_failure(const char *log, char note[NOTE_MAX])
{
  char line[200] = "";
  int file = open(log, O_RDONLY | O_CLOEXEC);
  ssize_t n = file < 0 ? -1 : read(file, line, sizeof line - 1);
  if (file >= 0)
    close(file);
  line[n > 0 ? n : 0] = 0;
  line[strcspn(line, "\r\n")] = 0;
  snprintf(note, NOTE_MAX, "the C compiler failed%s%s", line[0] ? ": " : "",
           line);
}

/* Whoever wants to end the compiler reads '*child', so the process must still
** be there, dead or alive, when that is set back. */
static bool wait_for(pid_t pid, atomic_int *child)
{
  siginfo_t end = {0};
  int status, mine = pid;
  while (waitid(P_PID, (id_t)pid, &end, WEXITED | WNOWAIT) < 0 &&
         errno == EINTR)
    ;
  atomic_compare_exchange_strong(child, &mine, 0);
  return waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

/* In a group of its own, so that it can be ended with all its children; with
** signals as a program expects to find them. */
static int start_child(const compiler *c, char *const *argv, const char *log,
                       pid_t *child)
{
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  sigset_t none, all;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, log, O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  posix_spawnattr_init(&how);
  sigemptyset(&none);
  sigemptyset(&all);
  sigaddset(&all, SIGINT);
  sigaddset(&all, SIGTERM);
  sigaddset(&all, SIGPIPE);
  sigaddset(&all, SIGXFSZ);
  posix_spawnattr_setpgroup(&how, 0);
  posix_spawnattr_setsigmask(&how, &none);
  posix_spawnattr_setsigdefault(&how, &all);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP |
                                     POSIX_SPAWN_SETSIGMASK |
                                     POSIX_SPAWN_SETSIGDEF);
  int error = posix_spawn(child, c->path, &files, &how, argv, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  return error;
}

bool compiler_run(const compiler *c, const compiler_job *job, atomic_int *child,
                  char note[NOTE_MAX])
{
#define FLAG(text) text,
  static const char *const flags[] = {FLAGS(FLAG)};
  static const char *const careful[] = {CAREFUL(FLAG)};
#undef FLAG
  enum {
    FLAG_COUNT = sizeof flags / sizeof *flags,
    CAREFUL_COUNT = sizeof careful / sizeof *careful
  };
  const char *argv[COMPILER_WORDS + FLAG_COUNT + CAREFUL_COUNT + 10];
  char define[KEY_MAX + 20], include[PATH_MAX + 2];
  size_t n = 0;
  pid_t pid;
  snprintf(define, sizeof define, "-DNUT_KEY=\"%s\"", job->key);
  for (size_t i = 0; i < c->word_count; i++)
    argv[n++] = c->word[i];
  for (size_t i = 0; i < FLAG_COUNT; i++)
    argv[n++] = flags[i];
  argv[n++] = define;
  for (size_t i = 0; job->foreign && i < CAREFUL_COUNT; i++)
    argv[n++] = careful[i];
  if (job->include) {
    snprintf(include, sizeof include, "-I%s", job->include);
    argv[n++] = include;
  }
  argv[n++] = job->source;
  argv[n++] = "-o";
  argv[n++] = job->object;
  argv[n++] = "-lm";
  argv[n] = NULL;
  int error = start_child(c, (char *const *)(uintptr_t)argv, job->log, &pid);
  if (error) {
    snprintf(note, NOTE_MAX, "the C compiler cannot be started: %s",
             strerror(error));
    return false;
  }
  int none = 0;
  if (!atomic_compare_exchange_strong(child, &none, pid))
    kill(-pid, SIGTERM);
  bool good = wait_for(pid, child);
  if (!good)
    note_failure(job->log, note);
  return good;
}
