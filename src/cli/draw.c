#include "cli/common.h"
#include "cli/interrupt.h"
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
static int refuse(states_result why)
{
  switch (why) {
  case STATES_TOO_MANY:
    complain("the model has more than %d states: too many to draw", STATES_MAX);
    note("'nutshell count' tells how many there are");
    return STATUS_BAD;
  case STATES_NO_MEMORY:
    complain("out of memory");
    return STATUS_UNKNOWN;
  case STATES_UNFINISHED:
    complain("a sequence of steps has no end");
    return STATUS_UNKNOWN;
  case STATES_INTERRUPTED:
    complain("interrupted");
    return STATUS_UNKNOWN;
  case STATES_DONE:
    break;
  }
  return STATUS_HOLDS;
}

/* The diagram in which a store keeps the states. */
static int draw_store(const options *o, program *p, text *graph)
{
  search_options s = search_defaults();
  search_result result;
  s.store = store_find(o->store ? o->store : "collapse+mdd");
  s.elements =
      (element_order)(o->order > NUT_ORDER_DECLARED ? o->order - 1 : 0);
  s.count = true;
  s.interrupt = &interrupt_flag;
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
  int status = o->graph == GRAPH_STORE
                   ? draw_store(o, p, graph)
                   : refuse(dot_states(p, STATES_MAX, &interrupt_flag, graph));
  program_destroy(p);
  return status;
}

int command_draw(const options *o)
{
  text graph = {0};
  if (o->format == FORMAT_HOA || o->format == FORMAT_NEVER)
    return complain("'draw' writes --format dot or svg");
  if (!store_exists(o))
    return STATUS_BAD;
  nut_model *m = load_model(o);
  if (!m)
    return STATUS_BAD;
  int status = make_graph(o, m, &graph);
  if (status == STATUS_HOLDS) {
    if (o->format == FORMAT_SVG)
      status = draw_svg(&graph);
    else
      say_text(&graph);
  }
  text_free(&graph);
  nut_model_free(m);
  return status;
}
