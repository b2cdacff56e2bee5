/* Diagnostics as one types, and checks: a check has a thread and a workspace of
** its own, so that the editor goes on meanwhile. */

#include "base/alloc.h"
#include "cli/common.h"
#include "cli/formats/formats.h"
#include "cli/lsp/lsp.h"
#include "cli/output.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { JOBS_MOST = 4 };

/* What may be spent on a text that is being typed. */
static const double READ_SECONDS = 5;
static const uint64_t READ_BYTES = UINT64_C(512) << 20;
static const uint64_t CHECK_BYTES = UINT64_C(4) << 30;

static nut_load how_to_load(const lsp_server *s, const document *d,
                            char folder[4096])
{
  nut_load load = nut_load_defaults();
  load.language = d->language.name;
  load.within = document_root(s, d, folder);
  load.seconds = READ_SECONDS;
  load.memory_bytes = READ_BYTES;
  return load;
}

/* ---- diagnostics -------------------------------------------------------- */

static bool is_here(const document *d, const nut_place *at)
{
  return at->file && !strcmp(at->file, d->path);
}

static json_t *place_range(const lsp_server *s, const document *d,
                           const nut_place *at)
{
  uint32_t from = offset_at(d, at->line, at->column);
  uint32_t end =
      at->end_line ? offset_at(d, at->end_line, at->end_column) : from;
  return range_of(s, d, from, end > from ? end : from);
}

/* What is wrong in a file that the model includes stands in the first line. */
static json_t *diagnostic_of(const lsp_server *s, const document *d,
                             const nut_diagnostic *g)
{
  text message = {0};
  if (!is_here(d, &g->at) && g->at.file && g->at.line)
    text_printf(&message, "%s:%u: ", g->at.file, g->at.line);
  text_add(&message, g->message);
  nut_place nowhere = {0};
  json_t *j = json_pack(
      "{s:o,s:i,s:s,s:o,s:[]}", "range",
      place_range(s, d, is_here(d, &g->at) ? &g->at : &nowhere), "severity",
      g->severity == NUT_SEVERITY_ERROR ? 1 : 2, "source", "nutshell",
      "message", json_lines(text_string(&message)), "relatedInformation");
  text_free(&message);
  return j;
}

/* Notes belong to what is before them. */
static void add_note(const lsp_server *s, const document *d,
                     const nut_diagnostic *g, json_t *list)
{
  json_t *last = json_array_get(list, json_array_size(list) - 1);
  if (!last)
    return;
  if (is_here(d, &g->at) && g->at.line) {
    json_array_append_new(json_object_get(last, "relatedInformation"),
                          json_pack("{s:{s:s,s:o},s:o}", "location", "uri",
                                    d->uri, "range", place_range(s, d, &g->at),
                                    "message", json_lines(g->message)));
    return;
  }
  text message = {0};
  text_printf(&message, "%s\n%s",
              json_string_value(json_object_get(last, "message")), g->message);
  json_object_set_new(last, "message", json_lines(text_string(&message)));
  text_free(&message);
}

void check_publish(lsp_server *s, document *d)
{
  char folder[4096];
  nut_load load = how_to_load(s, d, folder);
  nut_workspace *w = nut_open_text(d->path, d->content, d->length, &load);
  size_t count = 0;
  const nut_diagnostic *all = w ? nut_diagnostics(w, &count) : NULL;
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++)
    if (all[i].severity == NUT_SEVERITY_NOTE)
      add_note(s, d, &all[i], list);
    else
      json_array_append_new(list, diagnostic_of(s, d, &all[i]));
  nut_close(w);
  rpc_notify(&s->rpc, "textDocument/publishDiagnostics",
             json_pack("{s:s,s:I,s:o}", "uri", d->uri, "version", d->version,
                       "diagnostics", list));
  d->dirty = false;
}

/* ---- lenses ------------------------------------------------------------- */

static json_t *lens(const lsp_server *s, const document *d, uint32_t offset,
                    const char *title, const char *property)
{
  return json_pack("{s:o,s:{s:s,s:s,s:[s,o]}}", "range",
                   range_of(s, d, offset, offset), "command", "title", title,
                   "command", "nutshell.check", "arguments", d->uri,
                   property ? json_shown(property) : json_null());
}

json_t *check_lenses(lsp_server *s, document *d)
{
  char folder[4096];
  nut_load load = how_to_load(s, d, folder);
  text title = {0};
  json_t *list = json_array();
  pthread_mutex_lock(&s->lock);
  text_printf(&title, "check%s%s", d->verdict ? ": " : "",
              d->verdict ? d->verdict : "");
  pthread_mutex_unlock(&s->lock);
  json_array_append_new(list, lens(s, d, 0, text_string(&title), NULL));
  nut_workspace *w = nut_open_text(d->path, d->content, d->length, &load);
  size_t count = 0;
  const nut_question *all = w && nut_model_good(nut_workspace_model(w))
                                ? nut_questions(w, &count)
                                : NULL;
  for (size_t i = 0; i < count; i++) {
    if (!is_here(d, &all[i].at) || !all[i].at.line)
      continue;
    text_clear(&title);
    text_printf(&title, "check %s", all[i].name);
    json_array_append_new(
        list, lens(s, d, offset_at(d, all[i].at.line, all[i].at.column),
                   text_string(&title), all[i].name));
  }
  nut_close(w);
  text_free(&title);
  return list;
}

/* ---- checks ------------------------------------------------------------- */

struct check_job {
  lsp_server *server;
  pthread_t thread;
  json_t *id;
  char *uri, *property;
  nut_workspace *workspace;
  bool done; /* under the lock of the server */
};

static void add_traces(const nut_result *r, text *out)
{
  const nut_trace *t;
  nut_style style = {0};
  for (size_t i = 0; i < nut_result_property_count(r); i++)
    for (size_t k = 0; (t = nut_result_trace(r, i, k)); k++) {
      text_printf(out, "%s\n", nut_result_property(r, i).name);
      nut_trace_text(t, NUT_TEXT, 0, style, gather_text, out);
      text_add_char(out, '\n');
    }
}

/* "violated: mutex, end-states". */
static void add_summary(const nut_result *r, text *out)
{
  bool first = true;
  text_add(out, nut_verdict_name(nut_result_verdict(r)));
  for (size_t i = 0; i < nut_result_property_count(r); i++) {
    nut_property p = nut_result_property(r, i);
    if (p.verdict != NUT_VIOLATED)
      continue;
    text_printf(out, "%s%s", first ? ": " : ", ", p.name);
    first = false;
  }
  if (nut_result_verdict(r) == NUT_UNKNOWN && nut_result_reason(r))
    text_printf(out, " (%s)", nut_result_reason(r));
}

/* Where the trace is written to be shown: below a folder of ours. */
static bool write_trace(lsp_server *s, const text *trace, text *path)
{
  static const char name[] = "/counterexample.txt";
  if (!s->folder[0]) {
    snprintf(s->folder, sizeof s->folder, "/tmp/nutshell-lsp-XXXXXX");
    if (!mkdtemp(s->folder))
      s->folder[0] = 0;
  }
  if (!s->folder[0])
    return false;
  text_printf(path, "%s%s", s->folder, name);
  return write_file(text_string(path), trace);
}

static void show_trace(lsp_server *s, const text *trace)
{
  text path = {0}, uri = {0};
  if (s->shows && trace->len && write_trace(s, trace, &path)) {
    text_printf(&uri, "file://%s", text_string(&path));
    rpc_send(&s->rpc,
             json_pack("{s:s,s:i,s:s,s:{s:s,s:b}}", "jsonrpc", "2.0", "id",
                       ++s->sent, "method", "window/showDocument", "params",
                       "uri", text_string(&uri), "takeFocus", 0));
  }
  text_free(&path);
  text_free(&uri);
}

/* The lens of the document tells the verdict from now on. */
static void keep_verdict(check_job *j, const text *summary)
{
  lsp_server *s = j->server;
  pthread_mutex_lock(&s->lock);
  document *d = document_find(s, j->uri);
  if (d) {
    mem_free_string(d->verdict);
    d->verdict = mem_copy_string(text_string(summary));
  }
  pthread_mutex_unlock(&s->lock);
  if (s->refreshes)
    rpc_send(&s->rpc,
             json_pack("{s:s,s:i,s:s}", "jsonrpc", "2.0", "id", ++s->sent,
                       "method", "workspace/codeLens/refresh"));
}

static void report(check_job *j, const nut_result *r)
{
  lsp_server *s = j->server;
  text summary = {0}, whole = {0}, trace = {0};
  enum { ERROR = 1, WARNING = 2, INFO = 3 };
  nut_verdict v = nut_result_verdict(r);
  add_summary(r, &summary);
  nut_result_text(r, NUT_TEXT, (nut_style){0}, gather_text, &whole);
  if (v == NUT_ERROR)
    text_add(&whole, nut_result_messages(r));
  add_traces(r, &trace);
  rpc_notify(&s->rpc, "window/showMessage",
             json_pack("{s:i,s:o}", "type",
                       v == NUT_HOLDS      ? INFO
                       : v == NUT_VIOLATED ? WARNING
                                           : ERROR,
                       "message", json_lines(text_string(&summary))));
  show_trace(s, &trace);
  keep_verdict(j, &summary);
  rpc_answer(&s->rpc, j->id,
             json_pack("{s:s,s:o,s:o,s:o}", "verdict", nut_verdict_name(v),
                       "summary", json_lines(text_string(&summary)), "report",
                       json_lines(text_string(&whole)), "trace",
                       json_lines(text_string(&trace))));
  text_free(&summary);
  text_free(&whole);
  text_free(&trace);
}

static void *run_check(void *job)
{
  check_job *j = job;
  nut_options o = nut_default_options();
  const char *names[] = {j->property};
  o.seconds = j->server->seconds;
  o.memory_bytes = CHECK_BYTES;
  if (j->property) {
    o.properties = names;
    o.property_count = 1;
  }
  nut_model *m = nut_workspace_model(j->workspace);
  nut_result *r = m && nut_model_good(m) ? nut_check(m, &o) : NULL;
  if (r)
    report(j, r);
  else
    rpc_refuse(&j->server->rpc, j->id, RPC_FAILED,
               m ? "the model has errors" : "there is not enough memory");
  nut_result_free(r);
  pthread_mutex_lock(&j->server->lock);
  nut_workspace *w = j->workspace;
  j->workspace = NULL; /* nobody cancels it any more */
  pthread_mutex_unlock(&j->server->lock);
  nut_close(w);
  pthread_mutex_lock(&j->server->lock);
  j->done = true;
  pthread_mutex_unlock(&j->server->lock);
  return NULL;
}

static void free_parts(check_job *j)
{
  json_decref(j->id);
  mem_free_string(j->uri);
  mem_free_string(j->property);
  mem_free(j, sizeof *j);
}

static void free_job(check_job *j)
{
  pthread_join(j->thread, NULL);
  free_parts(j);
}

void check_collect(lsp_server *s)
{
  for (size_t i = 0; i < s->jobs.len; i++) {
    pthread_mutex_lock(&s->lock);
    bool done = s->jobs.data[i]->done;
    pthread_mutex_unlock(&s->lock);
    if (!done)
      continue;
    free_job(s->jobs.data[i]);
    s->jobs.data[i--] = s->jobs.data[--s->jobs.len];
  }
}

bool check_begin(lsp_server *s, const json_t *id, document *d,
                 const char *property)
{
  char folder[4096];
  check_collect(s);
  if (s->jobs.len == JOBS_MOST)
    return false;
  nut_load load = how_to_load(s, d, folder);
  check_job *j = mem_alloc(sizeof *j);
  j->server = s;
  j->id = json_deep_copy(id);
  j->uri = mem_copy_string(d->uri);
  j->property = property ? mem_copy_string(property) : NULL;
  j->workspace = nut_open_text(d->path, d->content, d->length, &load);
  if (pthread_create(&j->thread, NULL, run_check, j) != 0) {
    nut_close(j->workspace);
    free_parts(j);
    return false;
  }
  vec_push(&s->jobs, j);
  return true;
}

void check_cancel(lsp_server *s, const json_t *id)
{
  pthread_mutex_lock(&s->lock);
  for (size_t i = 0; i < s->jobs.len; i++) {
    check_job *j = s->jobs.data[i];
    if (j->workspace && (!id || json_equal(id, j->id)))
      nut_cancel(j->workspace);
  }
  pthread_mutex_unlock(&s->lock);
}

void check_finish(lsp_server *s)
{
  check_cancel(s, NULL);
  for (size_t i = 0; i < s->jobs.len; i++)
    free_job(s->jobs.data[i]);
  vec_free(&s->jobs);
  if (!s->folder[0])
    return;
  text path = {0};
  text_printf(&path, "%s/counterexample.txt", s->folder);
  unlink(text_string(&path));
  rmdir(s->folder);
  text_free(&path);
}
