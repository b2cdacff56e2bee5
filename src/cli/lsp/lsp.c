/* 'nutshell lsp': messages of an editor, and who answers them. */

#include "cli/lsp/lsp.h"
#include "base/alloc.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/output.h"
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { NOT_READY = -32002 };

/* ---- parameters --------------------------------------------------------- */

static const char *text_at(const json_t *j, const char *key)
{
  return json_string_value(json_object_get(j, key));
}

static document *document_named(const lsp_server *s, const json_t *p)
{
  return document_find(s, text_at(json_object_get(p, "textDocument"), "uri"));
}

/* ---- the beginning ------------------------------------------------------ */

static void add_root(lsp_server *s, const char *uri)
{
  char *path = path_of_uri(uri);
  if (path)
    vec_push(&s->roots, path);
}

static bool can(const json_t *p, const char *part, const char *what,
                const char *how)
{
  const json_t *j = json_object_get(json_object_get(p, "capabilities"), part);
  j = json_object_get(j, what);
  return json_is_true(json_object_get(j, how));
}

static void read_client(lsp_server *s, const json_t *p)
{
  const json_t *folders = json_object_get(p, "workspaceFolders"), *one;
  const json_t *general =
      json_object_get(json_object_get(p, "capabilities"), "general");
  size_t i;
  json_array_foreach(folders, i, one) add_root(s, text_at(one, "uri"));
  if (!s->roots.len)
    add_root(s, text_at(p, "rootUri"));
  json_array_foreach(json_object_get(general, "positionEncodings"), i, one)
  {
    const char *word = json_string_value(one);
    s->utf8 |= word && !strcmp(word, "utf-8");
  }
  s->shows = can(p, "window", "showDocument", "support");
  s->refreshes = can(p, "workspace", "codeLens", "refreshSupport");
  double seconds = json_number_value(
      json_object_get(json_object_get(p, "initializationOptions"), "seconds"));
  s->seconds = seconds > 0 && seconds < 86400 ? seconds : 60;
}

static json_t *initialize(lsp_server *s, const json_t *p)
{
  read_client(s, p);
  json_t *can_do = json_pack(
      "{s:s,s:{s:b,s:i},s:b,s:b,s:b,s:b,s:{s:b},s:b,s:{s:[s,s]},s:b,s:{s:b},"
      "s:{s:[s]}}",
      "positionEncoding", s->utf8 ? "utf-8" : "utf-16", "textDocumentSync",
      "openClose", 1, "change", 2, "hoverProvider", 1, "definitionProvider", 1,
      "referencesProvider", 1, "documentHighlightProvider", 1, "renameProvider",
      "prepareProvider", 1, "documentSymbolProvider", 1, "completionProvider",
      "triggerCharacters", ".", "@", "documentFormattingProvider", 1,
      "codeLensProvider", "resolveProvider", 0, "executeCommandProvider",
      "commands", "nutshell.check");
  return json_pack("{s:o,s:{s:s,s:s}}", "capabilities", can_do, "serverInfo",
                   "name", "nutshell", "version", nut_version());
}

/* ---- documents ---------------------------------------------------------- */

static void did_open(lsp_server *s, const json_t *p)
{
  const json_t *d = json_object_get(p, "textDocument");
  const json_t *content = json_object_get(d, "text");
  const char *uri = text_at(d, "uri");
  if (!uri || !json_is_string(content))
    return;
  pthread_mutex_lock(&s->lock);
  document *made = document_open(s, uri, json_string_value(content),
                                 json_string_length(content));
  made->version = json_integer_value(json_object_get(d, "version"));
  pthread_mutex_unlock(&s->lock);
}

/* A change of a part, or of everything. */
static void change(lsp_server *s, document *d, const json_t *c)
{
  const json_t *range = json_object_get(c, "range");
  const json_t *content = json_object_get(c, "text");
  if (!json_is_string(content))
    return;
  text new = {0};
  uint32_t from = 0, end = (uint32_t)d->length;
  if (json_is_object(range)) {
    from = offset_of(s, d, json_object_get(range, "start"));
    end = offset_of(s, d, json_object_get(range, "end"));
  }
  if (end < from)
    end = from;
  text_add_bytes(&new, d->content, from);
  text_add_bytes(&new, json_string_value(content), json_string_length(content));
  text_add_bytes(&new, d->content + end, d->length - end);
  if (new.len <= RPC_MOST)
    document_set(d, text_string(&new), new.len);
  text_free(&new);
}

static void did_change(lsp_server *s, const json_t *p)
{
  document *d = document_named(s, p);
  const json_t *one;
  size_t i;
  if (!d)
    return;
  json_array_foreach(json_object_get(p, "contentChanges"), i, one)
      change(s, d, one);
  d->version = json_integer_value(
      json_object_get(json_object_get(p, "textDocument"), "version"));
}

static void did_close(lsp_server *s, const json_t *p)
{
  document *d = document_named(s, p);
  if (!d)
    return;
  rpc_notify(&s->rpc, "textDocument/publishDiagnostics",
             json_pack("{s:s,s:[]}", "uri", d->uri, "diagnostics"));
  pthread_mutex_lock(&s->lock);
  document_close(s, d);
  pthread_mutex_unlock(&s->lock);
}

/* ---- requests about a document ------------------------------------------ */

typedef json_t *at_place(lsp_server *, document *, uint32_t offset);
typedef json_t *of_document(lsp_server *, document *);

static json_t *references(lsp_server *s, document *d, const json_t *p)
{
  const json_t *context = json_object_get(p, "context");
  return names_references(
      s, d, offset_of(s, d, json_object_get(p, "position")),
      json_is_true(json_object_get(context, "includeDeclaration")));
}

static void rename_name(lsp_server *s, const json_t *id, document *d,
                        const json_t *p)
{
  const char *why;
  json_t *edit =
      names_rename(s, d, offset_of(s, d, json_object_get(p, "position")),
                   text_at(p, "newName"), &why);
  if (edit)
    rpc_answer(&s->rpc, id, edit);
  else
    rpc_refuse(&s->rpc, id, RPC_FAILED, why);
}

static at_place *find_at_place(const char *method)
{
  static const struct {
    const char *method;
    at_place *answer;
  } all[] = {{"textDocument/hover", names_hover},
             {"textDocument/definition", names_definition},
             {"textDocument/documentHighlight", names_highlight},
             {"textDocument/completion", names_completion},
             {"textDocument/prepareRename", names_prepare_rename}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (!strcmp(all[i].method, method))
      return all[i].answer;
  return NULL;
}

static of_document *find_of_document(const char *method)
{
  static const struct {
    const char *method;
    of_document *answer;
  } all[] = {{"textDocument/documentSymbol", names_outline},
             {"textDocument/formatting", names_format},
             {"textDocument/codeLens", check_lenses}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (!strcmp(all[i].method, method))
      return all[i].answer;
  return NULL;
}

static void execute(lsp_server *s, const json_t *id, const json_t *p)
{
  const char *name = text_at(p, "command");
  const json_t *words = json_object_get(p, "arguments");
  document *d = document_find(s, json_string_value(json_array_get(words, 0)));
  const char *property = json_string_value(json_array_get(words, 1));
  if (!name || strcmp(name, "nutshell.check") != 0)
    rpc_refuse(&s->rpc, id, RPC_BAD_PARAMETERS, "there is no such command");
  else if (!d)
    rpc_refuse(&s->rpc, id, RPC_BAD_PARAMETERS, "the document is not open");
  else if (!check_begin(s, id, d, property))
    rpc_refuse(&s->rpc, id, RPC_FAILED, "there are too many checks already");
}

static void answer_about(lsp_server *s, const json_t *id, const char *method,
                         const json_t *p)
{
  document *d = document_named(s, p);
  at_place *place = find_at_place(method);
  of_document *whole = find_of_document(method);
  bool refers = !strcmp(method, "textDocument/references");
  bool renames = !strcmp(method, "textDocument/rename");
  if (!place && !whole && !refers && !renames)
    rpc_refuse(&s->rpc, id, RPC_NO_METHOD, "there is no such method");
  else if (!d)
    rpc_refuse(&s->rpc, id, RPC_BAD_PARAMETERS, "the document is not open");
  else if (place)
    rpc_answer(&s->rpc, id,
               place(s, d, offset_of(s, d, json_object_get(p, "position"))));
  else if (whole)
    rpc_answer(&s->rpc, id, whole(s, d));
  else if (refers)
    rpc_answer(&s->rpc, id, references(s, d, p));
  else
    rename_name(s, id, d, p);
}

/* ---- messages ----------------------------------------------------------- */

static void take_request(lsp_server *s, const json_t *id, const char *method,
                         const json_t *p)
{
  if (!strcmp(method, "initialize"))
    rpc_answer(&s->rpc, id, initialize(s, p));
  else if (!strcmp(method, "shutdown")) {
    s->shut = true;
    check_cancel(s, NULL);
    rpc_answer(&s->rpc, id, json_null());
  } else if (s->shut)
    rpc_refuse(&s->rpc, id, RPC_NOT_REQUEST, "the server was shut down");
  else if (!s->seconds)
    rpc_refuse(&s->rpc, id, NOT_READY, "'initialize' comes first");
  else if (!strcmp(method, "workspace/executeCommand"))
    execute(s, id, p);
  else
    answer_about(s, id, method, p);
}

static void take_notice(lsp_server *s, const char *method, const json_t *p)
{
  if (!strcmp(method, "exit"))
    s->over = true;
  else if (!strcmp(method, "$/cancelRequest"))
    check_cancel(s, json_object_get(p, "id"));
  else if (!s->seconds || s->shut)
    return;
  else if (!strcmp(method, "textDocument/didOpen"))
    did_open(s, p);
  else if (!strcmp(method, "textDocument/didChange"))
    did_change(s, p);
  else if (!strcmp(method, "textDocument/didClose"))
    did_close(s, p);
}

static void take(lsp_server *s, const json_t *message)
{
  const json_t *id = json_object_get(message, "id");
  const char *method = text_at(message, "method");
  const json_t *p = json_object_get(message, "params");
  if (method && id)
    take_request(s, id, method, p);
  else if (method)
    take_notice(s, method, p);
  else if (!json_object_get(message, "result") &&
           !json_object_get(message, "error"))
    rpc_refuse(&s->rpc, id, RPC_NOT_REQUEST, "this is no request");
}

/* Documents are read when nothing else is to be done, so that those who type
** quickly do not wait. */
static void read_documents(lsp_server *s)
{
  struct pollfd in = {STDIN_FILENO, POLLIN, 0};
  for (size_t i = 0; i < s->documents.len; i++) {
    if (!s->documents.data[i]->dirty)
      continue;
    if (s->rpc.in.len > s->rpc.used || poll(&in, 1, 0) > 0)
      return;
    check_publish(s, s->documents.data[i]);
  }
}

static void close_server(lsp_server *s)
{
  check_finish(s);
  while (s->documents.len)
    document_close(s, s->documents.data[0]);
  vec_free(&s->documents);
  for (size_t i = 0; i < s->roots.len; i++)
    mem_free_string(s->roots.data[i]);
  vec_free(&s->roots);
  rpc_close(&s->rpc);
  pthread_mutex_destroy(&s->lock);
}

int command_lsp(const options *o)
{
  lsp_server s = {.seconds = 0};
  json_t *message;
  (void)o;
  signal(SIGPIPE, SIG_IGN);
  pthread_mutex_init(&s.lock, NULL);
  rpc_open(&s.rpc, RPC_HEADERS, STDOUT_FILENO);
  while (!s.over && (message = rpc_wait(&s.rpc, STDIN_FILENO))) {
    take(&s, message);
    json_decref(message);
    check_collect(&s);
    read_documents(&s);
  }
  /* An end without a word is the editor's, which is not there any more. */
  int status = s.over && s.shut ? STATUS_HOLDS : STATUS_VIOLATED;
  close_server(&s);
  return status;
}
