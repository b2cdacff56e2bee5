/* 'draw': processes, states or a store for Graphviz, which makes SVG of it. */

#include "base/system/spawn.h"
#include "cli/common.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "report/dot.h"
#include "search/search.h"
#include <string.h>

enum { STATES_MAX = 3000, SVG_MAX = 1 << 30, MESSAGES_MAX = 1 << 16 };

static bool is_over(void *limits_of_model)
{
  return limits_of_model ? limits_are_due(limits_of_model) : interrupt_flag;
}

/* What dot says against the graph, or against us. */
static int refuse_svg(spawn_result result, const spawn *dot)
{
  switch (result) {
  case SPAWN_STOPPED:
    complain("%s", reason_text(interrupt_flag ? REASON_INTERRUPTED
                                              : REASON_TIME_LIMIT));
    return STATUS_UNKNOWN;
  case SPAWN_MISSING:
    complain("cannot run dot: %s", strerror(dot->error));
    note("--format svg needs Graphviz; --format dot does not");
    return STATUS_BAD;
  case SPAWN_LARGE:
    return complain("the picture has more than %d MB", SVG_MAX >> 20);
  case SPAWN_DONE:
  case SPAWN_FAILED:
  case SPAWN_SLOW:
    break;
  }
  say_error(text_string(dot->messages));
  complain("dot failed; is Graphviz installed?");
  note("--format dot needs no other program");
  return STATUS_BAD;
}

int draw_svg(const text *graph, limits *l)
{
  static const char *const words[] = {"dot", "-Tsvg", NULL};
  text picture = {0}, messages = {0};
  spawn dot = {.arguments = words,
               .input = text_string(graph),
               .input_length = graph->len,
               .output = &picture,
               .output_max = SVG_MAX,
               .messages = &messages,
               .messages_max = MESSAGES_MAX,
               .stop = is_over,
               .context = l};
  int status = STATUS_HOLDS;
  spawn_result result = spawn_run(&dot);
  if (result != SPAWN_DONE || dot.status) {
    status = refuse_svg(result, &dot);
  } else {
    say_error(text_string(&messages));
    say_text(&picture);
  }
  text_free(&picture);
  text_free(&messages);
  return status;
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
  s.asked.store = o->check.store ? o->check.store : "collapse+mdd";
  s.asked.order = o->check.order;
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
  complain("'%s' keeps no diagram that could be drawn", o->check.store);
  note("those with the sets mdd, ondd, hybrid, sharing and obdd do");
  return STATUS_BAD;
}

static int make_graph(const options *o, nut_model *m, text *graph)
{
  if (o->graph == GRAPH_PROCESSES) {
    dot_processes(m->model, graph);
    return STATUS_HOLDS;
  }
  program *p = loaded_program(m, o->check.check_overflow);
  if (!p) {
    loaded_collect_messages(m);
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
      d.status = draw_svg(&d.graph, &d.model->limits);
    else
      say_text(&d.graph);
  }
  text_free(&d.graph);
  nut_model_free(d.model);
  return d.status;
}
