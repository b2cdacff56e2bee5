/* The system's C compiler: $CC, or cc, gcc, clang in $PATH; run without a
** shell. */

#include "base/alloc.h"
#include "base/system/path.h"
#include "base/system/spawn.h"
#include "program/native/native_internal.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

/* What a compiler may take: far more than it needs for what we give it, and
** less than hurts. */
enum {
  WORK_SECONDS = 300,
  CLOCK_TIMES = 4, /* so many times as long by the clock */
  LOG_MAX = 1 << 16,
  FILE_MAX = 1 << 28,
  LINE_MAX_SHOWN = 200,
  WORDS_MAX = 40,
  OTHER_WORDS = 8 /* names, key, headers, the end */
};
static const size_t MEMORY_MAX = (size_t)4 << 30;

/* Integers wrap around as the model's do; the text is ours, so warnings would
** help nobody. */
/* clang-format off */
#define FLAGS(FLAG)                                                            \
  FLAG("-fwrapv") FLAG("-std=gnu11") FLAG("-w") FLAG("-fPIC")                  \
  FLAG("-shared") FLAG("-fvisibility=hidden") FLAG("-x") FLAG("c")
/* clang-format on */

/* C that somebody else wrote may look at memory in any way.  Its mistakes are
** shown at their places, where columns are bytes: a tab is one. */
#define CAREFUL(FLAG) FLAG("-fno-strict-aliasing") FLAG("-ftabstop=1")

#define FLAG(text) text " "
const char compiler_flags[] = FLAGS(FLAG);
const char compiler_careful_flags[] = CAREFUL(FLAG);
#undef FLAG

/* Seconds of gcc 12 for a megabyte of text are 8 in the first row and 4 in the
** second.  -O0 would take 2.5, but code is then slower than the interpreter;
** -O2 takes half as long again as -O1 and gains 2 ns a step, which pays from
** some 100 million steps on. */
typedef struct level {
  size_t most; /* bytes of text */
  const char *flags[LEVEL_FLAGS];
} level;

static const level levels[] = {{256 << 10, {"-O1", "-UNUT_LARGE"}},
                               {SIZE_MAX, {"-O1", "-DNUT_LARGE"}}};

const char *const *compiler_level(size_t length)
{
  const level *l = levels;
  while (length > l->most)
    l++;
  return l->flags;
}

/* ---- finding it ------------------------------------------------------- */

/* As seen from everywhere: the compiler works elsewhere. */
static bool find_program(const char *name, char path[PATH_MAX])
{
  char found[PATH_MAX];
  return path_find_program(name, found) && path_absolute(found, path);
}

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
  if (wish && split_words(c, wish) && find_program(c->word[0], c->path)) {
    identify(c);
    return true;
  }
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
    if (split_words(c, usual[i]) && find_program(usual[i], c->path)) {
      identify(c);
      return true;
    }
  return false;
}

/* ---- running it ------------------------------------------------------- */

/* The first line of the compiler's complaints. */
static void note_failure(const char *log, char note[NOTE_MAX])
{
  int length = (int)strcspn(log, "\r\n");
  snprintf(note, NOTE_MAX, "the C compiler failed%s%.*s", length ? ": " : "",
           length < LINE_MAX_SHOWN ? length : LINE_MAX_SHOWN, log);
}

static void note_result(spawn_result result, const spawn *s,
                        char note[NOTE_MAX])
{
  switch (result) {
  case SPAWN_DONE:
  case SPAWN_LARGE:
    note_failure(text_string(s->messages), note);
    return;
  case SPAWN_MISSING:
  case SPAWN_FAILED:
    if (s->error)
      snprintf(note, NOTE_MAX, "the C compiler cannot be started: %s",
               strerror(s->error));
    else
      note_failure(text_string(s->messages), note);
    return;
  case SPAWN_SLOW:
    snprintf(note, NOTE_MAX, "the C compiler takes too long");
    return;
  case SPAWN_STOPPED:
    snprintf(note, NOTE_MAX, "the C compiler was stopped");
    return;
  }
}

/* Our environment, but for the place of temporary files: those of a compiler
** that is killed would stay. */
static void make_environment(compiler_job *job)
{
  size_t count = 0, n = 0;
  while (environ[count])
    count++;
  job->environment = mem_alloc((count + 2) * sizeof *job->environment);
  job->environment_count = count + 2;
  for (size_t i = 0; i < count; i++)
    if (strncmp(environ[i], "TMPDIR=", 7) != 0)
      job->environment[n++] = environ[i];
  job->environment[n++] = "TMPDIR=.";
  job->environment[n] = NULL;
}

/* All words of the command, NULL behind the last. */
static void make_words(const compiler *c, const compiler_job *job,
                       const char *define, const char *include,
                       const char *argv[WORDS_MAX])
{
#define FLAG(text) text,
  static const char *const flags[] = {FLAGS(FLAG)};
  static const char *const careful[] = {CAREFUL(FLAG)};
#undef FLAG
  enum {
    FLAG_COUNT = sizeof flags / sizeof *flags,
    CAREFUL_COUNT = sizeof careful / sizeof *careful
  };
  _Static_assert(COMPILER_WORDS + LEVEL_FLAGS + FLAG_COUNT + CAREFUL_COUNT +
                         OTHER_WORDS <
                     WORDS_MAX,
                 "there is room for all words");
  size_t n = 0;
  for (size_t i = 0; i < c->word_count; i++)
    argv[n++] = c->word[i];
  for (size_t i = 0; i < LEVEL_FLAGS; i++)
    argv[n++] = compiler_level(job->source_length)[i];
  for (size_t i = 0; i < FLAG_COUNT; i++)
    argv[n++] = flags[i];
  argv[n++] = define;
  for (size_t i = 0; job->foreign && i < CAREFUL_COUNT; i++)
    argv[n++] = careful[i];
  if (job->include)
    argv[n++] = include;
  argv[n++] = JOB_SOURCE;
  argv[n++] = "-o";
  argv[n++] = JOB_OBJECT;
  argv[n++] = "-lm";
  argv[n] = NULL;
}

bool compiler_run(const compiler *c, compiler_job *job, char note[NOTE_MAX])
{
  const char *argv[WORDS_MAX];
  char define[KEY_MAX + 20], include[PATH_MAX + 2];
  unsigned work = job->work_seconds ? job->work_seconds : WORK_SECONDS;
  snprintf(define, sizeof define, "-DNUT_KEY=\"%s\"", job->key);
  /* One word: a folder whose name begins with '@' or '-' is no option. */
  snprintf(include, sizeof include, "-I%s", job->include ? job->include : "");
  make_words(c, job, define, include, argv);
  make_environment(job);
  spawn s = {.arguments = argv,
             .program = c->path,
             .environment = job->environment,
             .folder = &job->place.folder,
             .messages = &job->log,
             .messages_max = LOG_MAX,
             .work_seconds = work,
             .clock_seconds = CLOCK_TIMES * work,
             .memory_max = job->memory_max ? job->memory_max : MEMORY_MAX,
             .file_max = FILE_MAX,
             .stop = job->stop,
             .context = job->context,
             .wake = job->wake};
  spawn_result result = spawn_run(&s);
  if (result == SPAWN_DONE && s.status == 0)
    return true;
  note_result(result, &s, note);
  return false;
}
