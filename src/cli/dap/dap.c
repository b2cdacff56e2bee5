/* 'nutshell dap': requests of a debugger, and their answers. */

#include "cli/dap/dap.h"
#include "base/alloc.h"
#include "cli/commands.h"
#include "cli/formats/formats.h"
#include "cli/options.h"
#include "cli/serve/rpc.h"
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { GLOBALS = 1, CHANGES = 2, LOCALS = 3 }; /* LOCALS + process */

typedef struct adapter {
  rpc rpc;
  debug_run run;
  bool open, over;
  json_int_t sent;
} adapter;

/* ---- messages ----------------------------------------------------------- */

static void tell(adapter *a, const char *event, json_t *body)
{
  rpc_send(&a->rpc,
           json_pack("{s:I,s:s,s:s,s:o}", "seq", ++a->sent, "type", "event",
                     "event", event, "body", body ? body : json_object()));
}

static void answer(adapter *a, const json_t *request, json_t *body)
{
  rpc_send(&a->rpc,
           json_pack("{s:I,s:s,s:I,s:b,s:O,s:o}", "seq", ++a->sent, "type",
                     "response", "request_seq",
                     json_integer_value(json_object_get(request, "seq")),
                     "success", 1, "command",
                     json_object_get(request, "command"), "body",
                     body ? body : json_object()));
}

static void decline(adapter *a, const json_t *request, const char *why)
{
  rpc_send(&a->rpc,
           json_pack("{s:I,s:s,s:I,s:b,s:O,s:o}", "seq", ++a->sent, "type",
                     "response", "request_seq",
                     json_integer_value(json_object_get(request, "seq")),
                     "success", 0, "command",
                     json_object_get(request, "command"), "message",
                     json_lines(why)));
}

static void say_to(adapter *a, const char *words)
{
  tell(a, "output",
       json_pack("{s:s,s:o}", "category", "console", "output",
                 json_lines(words)));
}

static void stop(adapter *a, const char *cause)
{
  const nut_trace *t = run_trace(&a->run);
  text words = {0};
  bool over = run_is_over(&a->run);
  if (over)
    text_printf(&words, "%s\n", nut_trace_ending(t));
  if (over && nut_trace_loop(t) >= 0)
    text_add(&words, "The run repeats from here: the next step begins the loop "
                     "again.\n");
  if (words.len)
    say_to(a, text_string(&words));
  tell(a, "stopped",
       json_pack("{s:s,s:i,s:b,s:o}", "reason", over ? "exception" : cause,
                 "threadId", run_process(&a->run) + 1, "allThreadsStopped", 1,
                 "text", json_lines(over ? nut_trace_ending(t) : "")));
  text_free(&words);
}

/* ---- requests ----------------------------------------------------------- */

static const char *text_at(const json_t *j, const char *key)
{
  return json_string_value(json_object_get(j, key));
}

static void initialize(adapter *a, const json_t *q, const json_t *p)
{
  (void)p;
  answer(a, q,
         json_pack("{s:b,s:b,s:b,s:b}", "supportsStepBack", 1,
                   "supportsConfigurationDoneRequest", 1,
                   "supportsEvaluateForHovers", 1, "supportsTerminateRequest",
                   1));
  tell(a, "initialized", NULL);
}

static void launch(adapter *a, const json_t *q, const json_t *p)
{
  double seconds = json_number_value(json_object_get(p, "seconds"));
  debug_launch l = {.model = text_at(p, "program"),
                    .trace = text_at(p, "trace"),
                    .property = text_at(p, "property"),
                    .folder = text_at(p, "cwd"),
                    .seconds = seconds > 0 && seconds < 86400 ? seconds : 60};
  text said = {0};
  if (a->open) {
    decline(a, q, "there is a run already");
    return;
  }
  a->open = l.model && run_open(&a->run, &l, &said);
  if (a->open) {
    answer(a, q, NULL);
    say_to(a, text_string(&said));
  } else {
    run_close(&a->run);
    decline(a, q, l.model ? text_string(&said) : "'program' is missing");
    tell(a, "terminated", NULL);
  }
  text_free(&said);
}

static void begin(adapter *a, const json_t *q, const json_t *p)
{
  (void)p;
  answer(a, q, NULL);
  if (a->open)
    stop(a, "entry");
}

static void set_breakpoints(adapter *a, const json_t *q, const json_t *p)
{
  const json_t *lines = json_object_get(p, "breakpoints");
  const char *file = text_at(json_object_get(p, "source"), "path");
  json_t *list = json_array();
  for (size_t i = 0; i < json_array_size(lines); i++)
    json_array_append_new(
        list, json_pack("{s:b,s:O}", "verified", file != NULL, "line",
                        json_object_get(json_array_get(lines, i), "line")));
  if (file)
    run_break(&a->run, file, lines);
  answer(a, q, json_pack("{s:o}", "breakpoints", list));
}

static void threads(adapter *a, const json_t *q, const json_t *p)
{
  (void)p;
  answer(a, q, json_pack("{s:o}", "threads", run_threads(&a->run)));
}

static void stack_trace(adapter *a, const json_t *q, const json_t *p)
{
  json_int_t thread = json_integer_value(json_object_get(p, "threadId"));
  json_t *frames = run_frames(&a->run, thread > 0 ? (uint32_t)thread - 1 : 0);
  answer(a, q,
         json_pack("{s:I,s:o}", "totalFrames",
                   (json_int_t)json_array_size(frames), "stackFrames", frames));
}

static json_t *scope_row(const char *name, json_int_t number)
{
  return json_pack("{s:s,s:I,s:b}", "name", name, "variablesReference", number,
                   "expensive", 0);
}

static void scopes(adapter *a, const json_t *q, const json_t *p)
{
  json_int_t frame = json_integer_value(json_object_get(p, "frameId"));
  answer(a, q,
         json_pack("{s:[o,o,o]}", "scopes",
                   scope_row("Locals", LOCALS + (frame > 0 ? frame - 1 : 0)),
                   scope_row("Globals", GLOBALS),
                   scope_row("Changed by the last step", CHANGES)));
}

static void variables(adapter *a, const json_t *q, const json_t *p)
{
  json_int_t n = json_integer_value(json_object_get(p, "variablesReference"));
  json_t *list = n == GLOBALS   ? run_values(&a->run, -1)
                 : n == CHANGES ? run_changes(&a->run)
                 : n >= LOCALS && n < LOCALS + 256
                     ? run_values(&a->run, (int32_t)(n - LOCALS))
                     : json_array();
  answer(a, q, json_pack("{s:o}", "variables", list));
}

static void evaluate(adapter *a, const json_t *q, const json_t *p)
{
  const char *expression = text_at(p, "expression");
  text value = {0};
  if (expression && run_evaluate(&a->run, expression, &value))
    answer(a, q,
           json_pack("{s:o,s:i}", "result", json_shown(text_string(&value)),
                     "variablesReference", 0));
  else
    decline(a, q, text_string(&value));
  text_free(&value);
}

static void step_forward(adapter *a, const json_t *q, const json_t *p)
{
  (void)p;
  answer(a, q, NULL);
  if (run_forward(&a->run))
    stop(a, "step");
  else
    tell(a, "terminated", NULL);
}

static void step_back(adapter *a, const json_t *q, const json_t *p)
{
  (void)p;
  answer(a, q, NULL);
  stop(a, run_back(&a->run) ? "step" : "entry");
}

static void go_on(adapter *a, const json_t *q, const json_t *p)
{
  bool was_over = run_is_over(&a->run);
  (void)p;
  answer(a, q, json_pack("{s:b}", "allThreadsContinued", 1));
  if (was_over)
    tell(a, "terminated", NULL);
  else
    stop(a, run_on(&a->run, false) ? "breakpoint" : "step");
}

static void go_back(adapter *a, const json_t *q, const json_t *p)
{
  (void)p;
  answer(a, q, NULL);
  stop(a, run_on(&a->run, true) ? "breakpoint" : "entry");
}

static void end(adapter *a, const json_t *q, const json_t *p)
{
  (void)p;
  answer(a, q, NULL);
  a->over = !strcmp(text_at(q, "command"), "disconnect");
  if (!a->over)
    tell(a, "terminated", NULL);
}

static void nothing(adapter *a, const json_t *q, const json_t *p)
{
  (void)p;
  answer(a, q, NULL);
}

/* ---- which is whose ----------------------------------------------------- */

typedef void handler(adapter *, const json_t *request, const json_t *arguments);

static const struct {
  const char *name;
  handler *work;
  bool runs; /* it needs a run */
} handlers[] = {{"initialize", initialize, false},
                {"launch", launch, false},
                {"setBreakpoints", set_breakpoints, false},
                {"setExceptionBreakpoints", nothing, false},
                {"configurationDone", begin, false},
                {"threads", threads, true},
                {"stackTrace", stack_trace, true},
                {"scopes", scopes, true},
                {"variables", variables, true},
                {"evaluate", evaluate, true},
                {"next", step_forward, true},
                {"stepIn", step_forward, true},
                {"stepOut", step_forward, true},
                {"stepBack", step_back, true},
                {"continue", go_on, true},
                {"reverseContinue", go_back, true},
                {"pause", nothing, true},
                {"terminate", end, false},
                {"disconnect", end, false}};

static void take(adapter *a, const json_t *message)
{
  const char *type = text_at(message, "type");
  const char *name = text_at(message, "command");
  if (!type || strcmp(type, "request") != 0 || !name)
    return;
  for (size_t i = 0; i < sizeof handlers / sizeof handlers[0]; i++) {
    if (strcmp(handlers[i].name, name) != 0)
      continue;
    if (handlers[i].runs && !a->open)
      decline(a, message, "there is no run");
    else
      handlers[i].work(a, message, json_object_get(message, "arguments"));
    return;
  }
  decline(a, message, "there is no such command");
}

int command_dap(const options *o)
{
  adapter a = {.sent = 0};
  json_t *message;
  (void)o;
  signal(SIGPIPE, SIG_IGN);
  rpc_open(&a.rpc, RPC_HEADERS, STDOUT_FILENO);
  while (!a.over && (message = rpc_wait(&a.rpc, STDIN_FILENO))) {
    take(&a, message);
    json_decref(message);
  }
  run_close(&a.run);
  rpc_close(&a.rpc);
  return STATUS_HOLDS;
}
