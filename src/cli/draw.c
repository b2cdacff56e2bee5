#include "cli/common.h"
#include "cli/output.h"
#include "report/dot.h"
#include "search/search.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { STATES_MAX = 3000 };

/* Starts 'dot' reading from 'input'; its output is ours. */
static bool start_dot(int input, pid_t *child)
{
  char *words[] = {"dot", "-Tsvg", NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  int problem = posix_spawnp(child, "dot", &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  errno = problem;
  return problem == 0;
}

static int finish_dot(pid_t child)
{
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return STATUS_HOLDS;
  complain("dot failed; is Graphviz installed?");
  note("--format dot needs no other program");
  return STATUS_BAD;
}

int draw_svg(const text *graph)
{
  int ends[2];
  pid_t child;
  const char *data = text_string(graph);
  size_t left = graph->len;
  if (pipe2(ends, O_CLOEXEC) != 0)
    return complain("cannot make a pipe: %s", strerror(errno));
  bool started = start_dot(ends[0], &child);
  int problem = errno;
  close(ends[0]);
  while (started && left > 0) {
    ssize_t n = write(ends[1], data, left);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      break;
    data += n;
    left -= (size_t)n;
  }
  close(ends[1]);
  if (started)
    return finish_dot(child);
  complain("cannot run dot: %s", strerror(problem));
  note("--format svg needs Graphviz; --format dot does not");
  return STATUS_BAD;
}

/* Why there is no graph. */
static int refuse(states_result why, const limits *l)
{
  switch (why) {
  case STATES_TOO_MANY:
    complain("the model has more than %d states: too many to draw", STATES_MAX);
    note("'nutshell count' tells how many there are");
    return STATUS_BAD;
  case STATES_NO_MEMORY:
    complain("out of memory");
    return STATUS_UNKNOWN;
  case STATES_STOPPED:
    complain("%s", reason_text(limits_why(l)));
    return STATUS_UNKNOWN;
  case STATES_DONE:
    break;
  }
  return STATUS_HOLDS;
}

/* The diagram in which a store keeps the states. */
static int draw_store(const options *o, program *p, limits *l, text *graph)
{
  search_options s = search_defaults();
  search_result result;
  s.store = store_find(o->store ? o->store : "collapse+mdd");
  s.elements =
      (element_order)(o->order > NUT_ORDER_DECLARED ? o->order - 1 : 0);
  s.count = true;
  s.limits = l;
  s.drawing = graph;
  search_run(p, &s, &result);
  bool complete = result.complete;
  reason why = result.reason;
  search_result_free(&result);
  if (!complete) {
    complain("%s", reason_text(why));
    return STATUS_UNKNOWN;
  }
  if (graph->len)
    return STATUS_HOLDS;
  complain("'%s' keeps no diagram that could be drawn", o->store);
  note("those with the sets mdd, ondd, hybrid, sharing and obdd do");
  return STATUS_BAD;
}

static int make_graph(const options *o, nut_model *m, text *graph)
{
  enum { GRAPH_STATES = 1, GRAPH_STORE = 2 };
  if (o->graph != GRAPH_STATES && o->graph != GRAPH_STORE) {
    dot_processes(m->model, graph);
    return STATUS_HOLDS;
  }
  program *p = nut_program(m, o->check_overflow);
  if (!p) {
    nut_collect_messages(m);
    say_error(nut_model_messages(m));
    return STATUS_BAD;
  }
  int status =
      o->graph == GRAPH_STORE
          ? draw_store(o, p, &m->limits, graph)
          : refuse(dot_states(p, STATES_MAX, &m->limits, graph), &m->limits);
  program_destroy(p);
  return status;
}

/* The command under way. */
typedef struct drawing {
  const options *options;
  nut_model *model;
  text graph;
  int status;
} drawing;

static void do_draw(void *work)
{
  drawing *d = work;
  d->status = make_graph(d->options, d->model, &d->graph);
}

int command_draw(const options *o)
{
  drawing d = {.options = o, .status = STATUS_UNKNOWN};
  if (o->format == FORMAT_HOA || o->format == FORMAT_NEVER)
    return complain("'draw' writes --format dot or svg");
  if (!store_exists(o))
    return STATUS_BAD;
  d.model = load_model(o, &d.status);
  if (!d.model)
    return d.status;
  d.status = STATUS_UNKNOWN;
  work_within_limits(d.model, do_draw, &d);
  if (d.status == STATUS_HOLDS) {
    if (o->format == FORMAT_SVG)
      d.status = draw_svg(&d.graph);
    else
      say_text(&d.graph);
  }
  text_free(&d.graph);
  nut_model_free(d.model);
  return d.status;
}
