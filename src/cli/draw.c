/* 'draw': processes, states or a store for Graphviz, which makes SVG of it. */

#include "base/system/spawn.h"
#include "base/verdict.h"
#include "cli/common.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include <string.h>

enum { SVG_MAX = 1 << 30, MESSAGES_MAX = 1 << 16 };

static bool is_over(void *workspace)
{
  return workspace ? nut_is_due(workspace) : interrupt_flag;
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

int draw_svg(const text *graph, nut_workspace *w)
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
               .context = w};
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

/* The graph, with the run of --trace marked; the exit status. */
static int draw_graph(const options *o, nut_workspace *w, nut_drawing what,
                      text *graph)
{
  int status = STATUS_HOLDS;
  if (!o->marked)
    return nut_draw(w, what, &o->check, gather_text, graph) ? STATUS_HOLDS
                                                            : tell_problem(w);
  if (what == NUT_DRAW_STORE)
    return complain("--trace: a store has no runs; see --graph");
  nut_walk *run = replay_file(w, o->marked, &status);
  if (run && status != STATUS_HOLDS)
    tell_problem(w);
  else if (run && !nut_draw_run(run, what, gather_text, graph))
    status = tell_problem(w);
  nut_walk_free(run);
  return status;
}

int command_draw(const options *o)
{
  static const nut_drawing drawings[] = {[GRAPH_PROCESSES] = NUT_DRAW_PROCESSES,
                                         [GRAPH_STATES] = NUT_DRAW_STATES,
                                         [GRAPH_STORE] = NUT_DRAW_STORE};
  int status;
  text graph = {0};
  if (o->format == FORMAT_HOA || o->format == FORMAT_NEVER)
    return complain("'draw' writes --format dot or svg");
  if (!store_exists(o))
    return STATUS_BAD;
  nut_workspace *w = open_model(o, &status);
  if (!w)
    return status;
  status = draw_graph(o, w, drawings[o->graph], &graph);
  if (status == STATUS_HOLDS && o->format == FORMAT_SVG)
    status = draw_svg(&graph, w);
  else if (status == STATUS_HOLDS)
    say_text(&graph);
  text_free(&graph);
  nut_close(w);
  return status;
}
