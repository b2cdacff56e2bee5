/* Starts mpirun, hands on what rank 0 says, and owns message and exit status.
**
** Of the standard error of the launcher we know the lines of rank 0 by a mark; what
** the launcher itself says is told only when the run ends without a status.  Its
** standard output is kept until the end, since MPICH writes there, too. */

#include "base/alloc.h"
#include "cli/common.h"
#include "cli/interrupt.h"
#include "cli/kept/kept_words.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/ranks/started.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOK_MS = 100, SAID_MOST = 4000 };

typedef struct starter {
  const options *options;
  arena *arena;
  bool is_mpich;
  char program[PATH_MAX];
  word_list words;
  pid_t launcher;
  int control, reports, messages; /* its standard input, output and error */
  bool was_told;                  /* to end */
  text report;                    /* its standard output */
  text line;     /* of its standard error, that is being read */
  text said;     /* by the launcher itself */
  text progress; /* the last line */
  progress_line shown;
  int status; /* below 0: not known */
} starter;

/* ---- the command line ---------------------------------------------------- */

static bool is_in_path(const char *name)
{
  const char *path = getenv("PATH");
  bool found = false;
  while (path && *path && !found) {
    size_t length = strcspn(path, ":");
    text whole = {0};
    text_printf(&whole, "%.*s/%s", (int)length, path, name);
    found = access(text_string(&whole), X_OK) == 0;
    text_free(&whole);
    path += length + (path[length] == ':');
  }
  return found;
}

static bool has_module(const starter *s, const char *library)
{
  static const char *const places[] = {"", "../lib/nutshell/"};
  int folder = (int)(strrchr(s->program, '/') + 1 - s->program);
  bool found = false;
  for (size_t i = 0; i < sizeof places / sizeof *places && !found; i++) {
    text path = {0};
    text_printf(&path, "%.*s%snutshell-%s.so", folder, s->program, places[i],
                library);
    found = access(text_string(&path), R_OK) == 0;
    text_free(&path);
  }
  return found;
}

/* The first library that has a launcher and a module. */
static bool choose_library(starter *s)
{
  ssize_t n = readlink("/proc/self/exe", s->program, sizeof s->program - 1);
  if (n <= 0)
    return complain("--ranks: the program does not find itself") < 0;
  s->program[n] = 0;
  s->is_mpich = false;
  if (is_in_path("mpirun.openmpi") && has_module(s, "openmpi"))
    return true;
  s->is_mpich = true;
  if (is_in_path("mpirun.mpich") && has_module(s, "mpich"))
    return true;
  complain("--ranks: there is no MPI library that the program was built for");
  note("'tools/install --mpi' gets one; then build again");
  return false;
}

/* Open MPI does not run for root unless it is told twice. */
static void allow_root(void)
{
  static const char *const names[] = {"OMPI_ALLOW_RUN_AS_ROOT",
                                      "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"};
  if (geteuid() != 0 || (getenv(names[0]) && getenv(names[1])))
    return;
  note("--ranks: Open MPI is told to run for root (%s)", names[0]);
  setenv(names[0], "1", 1);
  setenv(names[1], "1", 1);
}

/* One machine: a name, and perhaps "slots=N" or ":N".  NULL after a complaint. */
static const char *host_of(starter *s, char *line, unsigned number)
{
  char *name = line + strspn(line, " \t");
  size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrst"
                               "uvwxyz0123456789._-");
  char *rest = name + length + strspn(name + length, " \t");
  bool has_slots = !strncmp(rest, "slots=", 6) || *rest == ':';
  long slots = 1;
  if (has_slots)
    slots = strtol(rest + (*rest == ':' ? 1 : 6), &rest, 10);
  rest += strspn(rest, " \t\n");
  if (!length || *name == '-' || *rest || slots < 1 || slots > 4096) {
    complain("--hosts %s: line %u is not 'NAME' or 'NAME slots=N'",
             s->options->hosts, number);
    return NULL;
  }
  return arena_printf(s->arena, "%.*s:%ld", (int)length, name, slots);
}

/* All machines as one word; NULL after a complaint. */
static const char *read_hosts(starter *s)
{
  FILE *file = fopen(s->options->hosts, "re");
  const char *all = "";
  char line[1024];
  if (!file) {
    complain("--hosts: cannot read %s: %s", s->options->hosts, strerror(errno));
    return NULL;
  }
  for (unsigned number = 1; all && fgets(line, sizeof line, file); number++) {
    line[strcspn(line, "#")] = 0;
    if (!line[strspn(line, " \t\n")])
      continue;
    const char *host = host_of(s, line, number);
    all = host ? arena_printf(s->arena, "%s%s%s", all, *all ? "," : "", host)
               : NULL;
  }
  fclose(file);
  if (all && !*all) {
    complain("--hosts: %s names no machine", s->options->hosts);
    return NULL;
  }
  return all;
}

static bool is_for_ranks(const given_option *g)
{
  return strcmp(g->entry->name, "ranks") && strcmp(g->entry->name, "hosts") &&
         strcmp(g->entry->name, "progress") && strcmp(g->entry->name, "color");
}

static void add_own_words(starter *s)
{
  const options *o = s->options;
  vec_push(&s->words, s->program);
  vec_push(&s->words, o->command->name);
  for (size_t i = 0; i < o->given.len; i++)
    if (is_for_ranks(&o->given.data[i]))
      vec_push(&s->words, kept_word_of(s->arena, &o->given.data[i]));
  bool coloured =
      o->color == WHEN_ALWAYS ||
      (o->color == WHEN_AUTO && output_is_terminal() && !getenv("NO_COLOR"));
  vec_push(&s->words, coloured ? "--color=always" : "--color=never");
  vec_push(&s->words, "--");
  for (size_t i = 0; i < o->files.len; i++)
    vec_push(&s->words, o->files.data[i]);
  vec_push(&s->words, NULL);
}

static bool make_words(starter *s)
{
  const char *hosts = s->options->hosts ? read_hosts(s) : NULL;
  if (s->options->hosts && !hosts)
    return false;
  vec_push(&s->words, s->is_mpich ? "mpirun.mpich" : "mpirun.openmpi");
  vec_push(&s->words, "-n");
  vec_push(&s->words,
           arena_printf(s->arena, "%u", (unsigned)s->options->ranks));
  if (hosts) {
    vec_push(&s->words, s->is_mpich ? "-hosts" : "--host");
    vec_push(&s->words, hosts);
  }
  if (!s->is_mpich) {
    static const char *const more[] = {"--oversubscribe", "--bind-to", "none",
                                       "-x", STARTED_VARIABLE};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
      vec_push(&s->words, more[i]);
    allow_root();
  }
  setenv(STARTED_VARIABLE, "1", 1);
  add_own_words(s);
  return true;
}

/* ---- running -------------------------------------------------------------- */

enum { FROM, TO }; /* ends of a pipe */

static void become_launcher(const starter *s, int ends[3][2])
{
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  setpgid(0, 0);
  dup2(ends[0][FROM], STDIN_FILENO);
  dup2(ends[1][TO], STDOUT_FILENO);
  dup2(ends[2][TO], STDERR_FILENO);
  for (int i = 0; i < 3; i++) {
    close(ends[i][FROM]);
    close(ends[i][TO]);
  }
  signal(SIGPIPE, SIG_DFL);
  execvp(s->words.data[0], (char *const *)(uintptr_t)s->words.data);
  _exit(127);
}

/* The launcher gets no signal of the terminal: what it is to do we tell rank 0, by
** its standard input.  It ends when we do. */
static bool launch(starter *s)
{
  int ends[3][2];
  for (int i = 0; i < 3; i++)
    if (pipe(ends[i]))
      return false;
  s->launcher = fork();
  if (s->launcher == 0)
    become_launcher(s, ends);
  close(ends[0][FROM]);
  close(ends[1][TO]);
  close(ends[2][TO]);
  s->control = ends[0][TO];
  s->reports = ends[1][FROM];
  s->messages = ends[2][FROM];
  return s->launcher > 0;
}

static void show_progress(starter *s)
{
  bool asked = progress_flag;
  progress_flag = 0;
  if (!progress_is_wanted(s->options) && !asked)
    return;
  progress_show(&s->shown, text_string(&s->progress));
}

/* A line that was read, without its end. */
static void hear_line(starter *s)
{
  const char *line = text_string(&s->line);
  if (line[0] != STARTED_MARK) {
    if (s->said.len < SAID_MOST && *line)
      text_printf(&s->said, "%s\n", line);
  } else if (line[1] != STARTED_MARK) {
    progress_clear(&s->shown);
    say_error(line + 1);
    say_error("\n");
  } else if (line[2] == STARTED_STATUS) {
    s->status = atoi(line + 3);
  } else {
    text_clear(&s->progress);
    text_add(&s->progress, line + 3);
    show_progress(s);
  }
  text_clear(&s->line);
}

static void hear_messages(starter *s, const char *bytes, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (bytes[i] == '\n')
      hear_line(s);
    else if (bytes[i] != '\r')
      text_add_char(&s->line, bytes[i]);
}

/* Reads what is there from one of the two; it becomes -1 at its end. */
static void hear(starter *s, int *from)
{
  char bytes[4096];
  ssize_t n = read(*from, bytes, sizeof bytes);
  if (n < 0 && (errno == EINTR || errno == EAGAIN))
    return;
  if (n <= 0) {
    close(*from);
    *from = -1;
  } else if (from == &s->messages) {
    hear_messages(s, bytes, (size_t)n);
  } else {
    text_add_bytes(&s->report, bytes, (size_t)n);
  }
}

/* False: nobody says anything more. */
static bool listen_to(starter *s)
{
  struct pollfd wait[] = {{.fd = s->messages, .events = POLLIN},
                          {.fd = s->reports, .events = POLLIN}};
  if (poll(wait, 2, LOOK_MS) > 0) {
    if (wait[0].revents)
      hear(s, &s->messages);
    if (wait[1].revents)
      hear(s, &s->reports);
  }
  return s->messages >= 0 || s->reports >= 0;
}

static void tell_ranks(starter *s)
{
  if (!interrupt_flag || s->was_told)
    return;
  s->was_told = true;
  if (write(s->control, "!", 1) != 1)
    kill(s->launcher, SIGTERM);
}

/* What the ranks said on the standard output, without what the launcher says there
** of a rank that died. */
static void say_report(starter *s)
{
  char *banner = s->status < 0 && s->is_mpich
                     ? strstr(s->report.data ? s->report.data : "", "\n====")
                     : NULL;
  if (banner)
    s->report.len = (size_t)(banner - s->report.data);
  say_text(&s->report);
}

/* There is no status: the figures, and what the launcher has to say. */
static int tell_failure(starter *s, int status)
{
  if (WIFSIGNALED(status))
    complain("the run on %u ranks ended early: the launcher was ended by "
             "signal %d",
             (unsigned)s->options->ranks, WTERMSIG(status));
  else
    complain("the run on %u ranks ended early: a rank is gone (status %d of "
             "the launcher)",
             (unsigned)s->options->ranks, WEXITSTATUS(status));
  if (s->progress.len)
    note("the last figures: %s", text_string(&s->progress));
  else if (s->said.len) {
    note("%s says:", s->words.data[0]);
    say_error(text_string(&s->said));
  }
  return STATUS_UNKNOWN;
}

static int watch_run(starter *s)
{
  int status = 0;
  if (!launch(s))
    return complain("--ranks: cannot start %s: %s", s->words.data[0],
                    strerror(errno));
  while (listen_to(s))
    tell_ranks(s);
  close(s->control);
  while (waitpid(s->launcher, &status, 0) < 0 && errno == EINTR)
    tell_ranks(s);
  progress_clear(&s->shown);
  say_report(s);
  return s->status >= 0 ? s->status : tell_failure(s, status);
}

int start_ranks(const options *o)
{
  starter s = {.options = o, .arena = arena_create(), .status = -1};
  nut_options unused = {0};
  int status = STATUS_BAD;
  progress_attach(&s.shown, &unused);
  fflush(stdout);
  if (choose_library(&s) && make_words(&s))
    status = watch_run(&s);
  text_free(&s.report);
  text_free(&s.line);
  text_free(&s.said);
  text_free(&s.progress);
  vec_free(&s.words);
  arena_destroy(s.arena);
  return status;
}
