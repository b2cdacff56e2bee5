/* 'nutshell mcp [FOLDER]': the protocol, and a thread for each call. */

#include "cli/mcp/mcp.h"
#include "base/alloc.h"
#include "base/vec.h"
#include "cli/commands.h"
#include "cli/formats/formats.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/serve/rpc.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CALLS_MOST = 4 };

typedef struct assistant assistant;

typedef struct running {
  assistant *server;
  pthread_t thread;
  json_t *id, *arguments;
  const mcp_entry *tool;
  mcp_call call;
  bool done; /* under the lock of the server */
} running;

struct assistant {
  rpc rpc;
  char root[4096];
  bool structured; /* the client takes answers as JSON */
  VEC(running *) calls;
  pthread_mutex_t lock;
};

static const char *text_at(const json_t *j, const char *key)
{
  return json_string_value(json_object_get(j, key));
}

/* ---- the beginning ------------------------------------------------------ */

static json_t *initialize(assistant *s, const json_t *p)
{
  static const char *const versions[] = {"2025-06-18", "2025-03-26",
                                         "2024-11-05"};
  const char *asked = text_at(p, "protocolVersion"), *chosen = versions[0];
  for (size_t i = 0; asked && i < sizeof versions / sizeof versions[0]; i++)
    if (!strcmp(versions[i], asked))
      chosen = versions[i];
  s->structured = chosen == versions[0];
  return json_pack(
      "{s:s,s:{s:{}},s:{s:s,s:s},s:s}", "protocolVersion", chosen,
      "capabilities", "tools", "serverInfo", "name", "nutshell", "version",
      nut_version(), "instructions",
      "Nutshell checks models of concurrent systems (Promela, DVE, Petri nets "
      "and others).  'load' reads a model, 'check' gives verdicts, 'explain' "
      "the "
      "counterexample, 'step' walks through states, 'replay' executes a trace. "
      " "
      "Files are those of the workspace; every call needs 'seconds'.");
}

/* ---- calls -------------------------------------------------------------- */

static void answer_call(running *r, json_t *found)
{
  assistant *s = r->server;
  char *words = found ? json_dumps(found, JSON_INDENT(1)) : NULL;
  json_t *said =
      words ? json_string(words) : json_lines(text_string(&r->call.problem));
  json_t *j =
      json_pack("{s:[{s:s,s:o}],s:b}", "content", "type", "text", "text",
                said ? said : json_string("?"), "isError", found == NULL);
  if (found && s->structured)
    json_object_set(j, "structuredContent", found);
  rpc_answer(&s->rpc, r->id, j);
  free(words);
  json_decref(found);
}

static void *run_call(void *running_call)
{
  running *r = running_call;
  json_t *found = r->tool->work(&r->call);
  if (!found && !r->call.problem.len)
    text_add(&r->call.problem, "the limit of time or memory was reached");
  answer_call(r, found);
  pthread_mutex_lock(&r->server->lock);
  r->done = true;
  pthread_mutex_unlock(&r->server->lock);
  return NULL;
}

static void free_call(running *r)
{
  json_decref(r->id);
  json_decref(r->arguments);
  text_free(&r->call.problem);
  pthread_mutex_destroy(&r->call.lock);
  mem_free(r, sizeof *r);
}

/* Gives back the calls that have ended, or waits for all. */
static void collect(assistant *s, bool all)
{
  for (size_t i = 0; i < s->calls.len; i++) {
    running *r = s->calls.data[i];
    pthread_mutex_lock(&s->lock);
    bool done = r->done;
    pthread_mutex_unlock(&s->lock);
    if (!done && !all)
      continue;
    pthread_join(r->thread, NULL);
    free_call(r);
    s->calls.data[i--] = s->calls.data[--s->calls.len];
  }
}

static void call_tool(assistant *s, const json_t *id, const json_t *p)
{
  json_t *arguments = json_object_get(p, "arguments");
  const mcp_entry *tool = mcp_find(text_at(p, "name"));
  text why = {0};
  collect(s, false);
  if (!tool)
    rpc_refuse(&s->rpc, id, RPC_BAD_PARAMETERS, "there is no such tool");
  else if (!mcp_fits(tool, arguments, &why))
    rpc_refuse(&s->rpc, id, RPC_BAD_PARAMETERS, text_string(&why));
  else if (s->calls.len >= CALLS_MOST)
    rpc_refuse(&s->rpc, id, RPC_FAILED, "there are too many calls already");
  else {
    running *r = mem_alloc(sizeof *r);
    *r = (running){.server = s,
                   .id = json_deep_copy(id),
                   .arguments = json_deep_copy(arguments),
                   .tool = tool};
    r->call = (mcp_call){.arguments = r->arguments, .root = s->root};
    pthread_mutex_init(&r->call.lock, NULL);
    if (pthread_create(&r->thread, NULL, run_call, r) == 0) {
      vec_push(&s->calls, r);
    } else {
      rpc_refuse(&s->rpc, id, RPC_FAILED, "no thread can be started");
      free_call(r);
    }
  }
  text_free(&why);
}

static void cancel(assistant *s, const json_t *id)
{
  for (size_t i = 0; id && i < s->calls.len; i++)
    if (json_equal(s->calls.data[i]->id, id))
      mcp_cancel(&s->calls.data[i]->call);
}

/* ---- messages ----------------------------------------------------------- */

static void take(assistant *s, const json_t *message)
{
  const json_t *id = json_object_get(message, "id");
  const json_t *p = json_object_get(message, "params");
  const char *method = text_at(message, "method");
  if (!method) {
    if (!json_object_get(message, "result") &&
        !json_object_get(message, "error"))
      rpc_refuse(&s->rpc, id, RPC_NOT_REQUEST, "this is no request");
  } else if (!id) {
    if (!strcmp(method, "notifications/cancelled"))
      cancel(s, json_object_get(p, "requestId"));
  } else if (!strcmp(method, "initialize"))
    rpc_answer(&s->rpc, id, initialize(s, p));
  else if (!strcmp(method, "ping"))
    rpc_answer(&s->rpc, id, json_object());
  else if (!strcmp(method, "tools/list"))
    rpc_answer(&s->rpc, id, mcp_list());
  else if (!strcmp(method, "tools/call"))
    call_tool(s, id, p);
  else
    rpc_refuse(&s->rpc, id, RPC_NO_METHOD, "there is no such method");
}

int command_mcp(const options *o)
{
  assistant s = {.structured = false};
  const char *folder = o->files.len ? o->files.data[0] : ".";
  json_t *message;
  if (chdir(folder) || !getcwd(s.root, sizeof s.root))
    return complain("%s: %s", folder, strerror(errno));
  signal(SIGPIPE, SIG_IGN);
  pthread_mutex_init(&s.lock, NULL);
  rpc_open(&s.rpc, RPC_LINES, STDOUT_FILENO);
  while ((message = rpc_wait(&s.rpc, STDIN_FILENO))) {
    take(&s, message);
    json_decref(message);
  }
  /* What was asked for is answered, unless nobody is there any more; all have a
  ** limit of time. */
  bool gone = s.rpc.failed || interrupt_flag;
  for (size_t i = 0; gone && i < s.calls.len; i++)
    mcp_cancel(&s.calls.data[i]->call);
  collect(&s, true);
  vec_free(&s.calls);
  rpc_close(&s.rpc);
  pthread_mutex_destroy(&s.lock);
  return STATUS_HOLDS;
}
