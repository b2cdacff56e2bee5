/* 'test': every model that expects something is tried, several at a time, each
** in a process of its own; a table of what came of it.
**
**   parent ── fork ──> child: trial_run, its document through a pipe ──> parent
**
** A child that crashes spoils its own model only. */

#include "base/system/cores.h"
#include "cli/common.h"
#include "cli/formats/formats.h"
#include "cli/interrupt.h"
#include "cli/many/models.h"
#include "cli/many/trial.h"
#include "cli/output.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A trial under way. */
typedef struct runner {
  pid_t pid;
  int pipe;
  size_t model;
  text document;
} runner;

typedef struct tests {
  const options *options;
  model_list models;
  formats formats;
  VEC(runner) active;
  VEC(json_t *) documents; /* by model; NULL: not yet */
  size_t started, told;    /* models */
  size_t with, without, expectations, good;
  trial_result worst;
} tests;

/* ---- processes ---------------------------------------------------------- */

/* Never returns. */
static void be_child(const options *o, int to)
{
  /* Nobody is left behind when the parent is killed. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  text out = {0};
  json_t *document = trial_run(o);
  json_add_document(document, &out);
  json_decref(document);
  const char *bytes = text_string(&out);
  for (size_t left = out.len; left > 0;) {
    ssize_t n = write(to, bytes, left);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      _exit(1);
    bytes += n;
    left -= (size_t)n;
  }
  text_free(&out);
  _exit(0);
}

static size_t jobs_of(const options *o)
{
  return o->jobs ? (size_t)o->jobs : cores_available();
}

/* Trials that run beside each other share the cores; for the child. */
static void take_share(const options *o)
{
  size_t share = cores_available() / jobs_of(o);
  text number = {0};
  text_printf(&number, "%zu", share ? share : 1);
  setenv("NUTSHELL_THREADS", text_string(&number), 1);
  text_free(&number);
}

static bool start(tests *t, size_t model)
{
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return complain("cannot make a pipe: %s", strerror(errno)), false;
  options one = models_options(&t->models, t->options, model);
  pid_t pid = fork();
  if (pid == 0) {
    take_share(t->options);
    be_child(&one, ends[1]);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return complain("cannot start a process: %s", strerror(errno)), false;
  }
  vec_push(&t->active, ((runner){.pid = pid, .pipe = ends[0], .model = model}));
  return true;
}

/* What came of a child: its document, or that it has none. */
static void end_runner(tests *t, runner *r)
{
  int status = 0;
  while (waitpid(r->pid, &status, 0) < 0 && errno == EINTR)
    continue;
  close(r->pipe);
  json_t *j = json_loadb(text_string(&r->document), r->document.len, 0, NULL);
  if (!j || !WIFEXITED(status) || WEXITSTATUS(status)) {
    options one = models_options(&t->models, t->options, r->model);
    text why = {0};
    if (WIFSIGNALED(status))
      text_printf(&why, "the trial was ended by signal %d", WTERMSIG(status));
    else
      text_add(&why, "the trial came to no end");
    json_decref(j);
    j = trial_lost(&one, text_string(&why));
    text_free(&why);
  }
  t->documents.data[r->model] = j;
  text_free(&r->document);
}

/* Reads what is there; false: the child has closed its end. */
static bool hear(runner *r)
{
  char block[1 << 14];
  ssize_t n = read(r->pipe, block, sizeof block);
  if (n > 0)
    text_add_bytes(&r->document, block, (size_t)n);
  return n > 0 || (n < 0 && errno == EINTR);
}

static void wait_for_some(tests *t)
{
  struct pollfd ends[256];
  size_t n = t->active.len;
  for (size_t i = 0; i < n; i++)
    ends[i] = (struct pollfd){.fd = t->active.data[i].pipe, .events = POLLIN};
  if (poll(ends, (nfds_t)n, -1) < 0)
    return; /* by a signal: children have it, too, or are told below */
  size_t left = 0;
  for (size_t i = 0; i < n; i++) {
    runner *r = &t->active.data[i];
    if (!ends[i].revents || hear(r))
      t->active.data[left++] = *r;
    else
      end_runner(t, r);
  }
  t->active.len = left;
}

static void interrupt_children(const tests *t)
{
  for (size_t i = 0; i < t->active.len; i++)
    kill(t->active.data[i].pid, SIGTERM);
}

/* ---- telling ------------------------------------------------------------ */

static void tell_expectation(tests *t, const char *file, const json_t *e)
{
  trial_result r = trial_of_word(json_get_text(e, "result"));
  long long line = (long long)json_integer_value(json_object_get(e, "line"));
  t->expectations++;
  t->good += r == TRIAL_OK;
  if (t->formats.takes_output || (t->options->quiet && r == TRIAL_OK))
    return;
  text out = {0};
  text_printf(&out, "%-8s%s:%lld  %s\n", trial_word(r), file, line,
              json_get_text(e, "expectation"));
  size_t i;
  json_t *problem;
  json_array_foreach(json_object_get(e, "problems"), i, problem)
      text_printf(&out, "        %s\n", json_string_value(problem));
  say_text(&out);
  text_free(&out);
}

static void tell_model(tests *t, json_t *document)
{
  size_t i;
  json_t *e, *list = json_object_get(document, "expectations");
  const char *file = json_get_text(document, "file");
  if (!json_array_size(list)) {
    t->without++;
    json_decref(document);
    return;
  }
  t->with++;
  json_array_foreach(list, i, e) tell_expectation(t, file, e);
  trial_result r = trial_of_word(json_get_text(document, "result"));
  if (r > t->worst)
    t->worst = r;
  formats_add(&t->formats, document);
}

/* In the order of the models, whoever is ready first. */
static void tell_ready(tests *t)
{
  while (t->told < t->models.models.len && t->documents.data[t->told])
    tell_model(t, t->documents.data[t->told++]);
}

static const char *plural(size_t n)
{
  return n == 1 ? "" : "s";
}

static void tell_sum(const tests *t)
{
  size_t bad = t->expectations - t->good;
  size_t left = t->models.models.len - t->told;
  say("%s%zu model%s, %zu expectation%s: %zu as expected",
      t->options->quiet && !bad ? "" : "\n", t->with, plural(t->with),
      t->expectations, plural(t->expectations), t->good);
  if (bad)
    say(", %zu not", bad);
  if (t->without)
    say("; %zu model%s without expectations", t->without, plural(t->without));
  if (left)
    say("; %zu left out: interrupted", left);
  say("\n");
}

/* ---- the command -------------------------------------------------------- */

static int run_tests(tests *t)
{
  size_t jobs = jobs_of(t->options), count = t->models.models.len;
  vec_resize(&t->documents, count);
  bool good = true;
  while (good && (t->started < count || t->active.len)) {
    if (interrupt_flag) {
      interrupt_children(t);
      count = t->started;
    }
    while (good && t->started < count && t->active.len < jobs)
      good = start(t, t->started++);
    if (t->active.len)
      wait_for_some(t);
    tell_ready(t);
  }
  if (interrupt_flag && t->worst < TRIAL_UNKNOWN)
    t->worst = TRIAL_UNKNOWN;
  json_put(t->formats.all, "without", json_integer((json_int_t)t->without));
  if (!t->formats.takes_output)
    tell_sum(t);
  if (!formats_write(&t->formats, "result", trial_word(t->worst)) || !good)
    return STATUS_BAD;
  return trial_status(t->worst);
}

int command_test(const options *o)
{
  tests t = {.options = o};
  int status = STATUS_BAD;
  bool found = models_find(&t.models, o);
  t.models.several = true;
  if (found && formats_open(&t.formats, o, true))
    status = run_tests(&t);
  for (size_t i = t.told; i < t.documents.len; i++)
    json_decref(t.documents.data[i]);
  vec_free(&t.documents);
  vec_free(&t.active);
  formats_close(&t.formats);
  models_free(&t.models);
  return status;
}
