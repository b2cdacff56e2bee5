/* Documents: the library's report, and what the command line knows. */

#include "cli/formats/document.h"
#include "base/sha256.h"
#include "cli/common.h"
#include "cli/formats/formats.h"
#include <string.h>

/* ---- how it was asked for ----------------------------------------------- */

/* Those of the library can change the answer; the others say where it goes. */
static bool is_for_library(const option_entry *e)
{
  size_t check = offsetof(options, check), load = offsetof(options, load);
  return (e->offset >= check && e->offset < check + sizeof(nut_options)) ||
         (e->offset >= load && e->offset < load + sizeof(nut_load));
}

static void put_option(json_t *j, const given_option *g)
{
  const option_entry *e = g->entry;
  if (e->kind == KIND_LIST) {
    json_t *list = json_object_get(j, e->name);
    if (!list)
      json_put(j, e->name, list = json_array());
    json_array_append_new(list, json_shown(g->value));
  } else if (e->kind == KIND_FLAG || e->kind == KIND_LEAVE) {
    json_put(j, e->name, json_true());
  } else {
    json_put(j, e->name, json_shown(g->value));
  }
}

static json_t *options_object(const options *o)
{
  json_t *j = json_object();
  for (size_t i = 0; i < o->given.len; i++)
    if (is_for_library(o->given.data[i].entry) &&
        o->given.data[i].entry->kind != KIND_MACRO)
      put_option(j, &o->given.data[i]);
  return j;
}

static json_t *macros_array(const options *o)
{
  json_t *list = json_array();
  for (size_t i = 0; i < o->load.preprocessor_count; i++)
    json_array_append_new(list, json_shown(o->load.preprocessor[i]));
  return list;
}

static json_t *sources_array(const nut_model *m)
{
  json_t *list = json_array();
  nut_source s;
  for (size_t i = 0; (s = nut_model_source(m, i)).file; i++) {
    char digest[SHA256_TEXT];
    json_t *j = json_object();
    if (s.text)
      sha256_text(s.text, s.length, digest);
    json_put(j, "file", json_shown(s.file));
    json_put(j, "sha256", json_shown(s.text ? digest : NULL));
    json_array_append_new(list, j);
  }
  return list;
}

/* ---- places ------------------------------------------------------------- */

/* The column in characters of UTF-8 instead of bytes, from 1; 0: the text is
** not known. */
static size_t character_at(const nut_model *m, const char *file, size_t line,
                           size_t column)
{
  nut_source s;
  for (size_t i = 0; (s = nut_model_source(m, i)).file; i++)
    if (s.text && !strcmp(s.file, file))
      break;
  if (!s.file || !line || !column)
    return 0;
  const char *at = s.text, *end = s.text + s.length;
  while (--line && (at = memchr(at, '\n', (size_t)(end - at))))
    at++;
  if (!at || column - 1 > (size_t)(end - at))
    return 0;
  size_t count = 1;
  for (end = at + column - 1; at < end; at++)
    count += ((unsigned char)*at & 0xc0) != 0x80;
  return count;
}

/* An object with file, line and column learns the character, too. */
static void put_character(json_t *at, const nut_model *m)
{
  const json_t *line = json_object_get(at, "line");
  const json_t *column = json_object_get(at, "column");
  size_t n = character_at(m, json_get_text(at, "file"),
                          (size_t)json_integer_value(line),
                          (size_t)json_integer_value(column));
  if (n)
    json_put(at, "character", json_integer((json_int_t)n));
}

/* ---- what was said about the model -------------------------------------- */

static json_t *diagnostic_object(const nut_diagnostic *d)
{
  static const char *const words[] = {"error", "warning", "note"};
  json_t *j = json_object();
  json_put(j, "severity", json_shown(words[d->severity]));
  json_put(j, "file", json_shown(d->at.file));
  json_put(j, "line", json_integer(d->at.line));
  json_put(j, "column", json_integer(d->at.column));
  json_put(j, "end_line", json_integer(d->at.end_line));
  json_put(j, "end_column", json_integer(d->at.end_column));
  json_put(j, "message", json_shown(d->message));
  return j;
}

static json_t *diagnostics_array(nut_workspace *w)
{
  json_t *list = json_array();
  size_t count = 0;
  const nut_diagnostic *d = w ? nut_diagnostics(w, &count) : NULL;
  for (size_t i = 0; i < count; i++) {
    json_t *j = diagnostic_object(&d[i]);
    put_character(j, nut_workspace_model(w));
    json_array_append_new(list, j);
  }
  return list;
}

static void put_question(json_t *j, const options *o, nut_workspace *w)
{
  const nut_model *m = nut_workspace_model(w);
  json_put(j, "options", options_object(o));
  json_put(j, "defines", macros_array(o));
  json_put(j, "sources", sources_array(m));
  json_put(j, "diagnostics", diagnostics_array(w));
}

/* ---- traces ------------------------------------------------------------- */

static json_t *trace_object(const nut_trace *t)
{
  text out = {0};
  json_t *j = NULL;
  if (nut_trace_text(t, NUT_JSON, 0, (nut_style){0}, gather_text, &out))
    j = json_loadb(text_string(&out), out.len, 0, NULL);
  text_free(&out);
  return j;
}

static void put_traces(json_t *properties, const nut_result *r)
{
  size_t i;
  json_t *property;
  json_array_foreach(properties, i, property)
  {
    const nut_trace *t;
    json_t *list = json_array();
    for (size_t k = 0; (t = nut_result_trace(r, i, k)); k++)
      json_array_append_new(list, trace_object(t));
    json_put(property, "traces", list);
  }
}

/* ---- whole documents ---------------------------------------------------- */

json_t *document_of_result(const options *o, nut_workspace *w,
                           const nut_result *r, bool traces)
{
  text out = {0};
  json_t *j = NULL;
  if (nut_result_text(r, NUT_JSON, (nut_style){0}, gather_text, &out))
    j = json_loadb(text_string(&out), out.len, 0, NULL);
  text_free(&out);
  if (!j)
    return NULL;
  json_t *properties = json_object_get(j, "properties"), *property;
  size_t i;
  json_array_foreach(properties, i, property) put_character(
      json_object_get(property, "location"), nut_workspace_model(w));
  if (traces)
    put_traces(properties, r);
  put_question(j, o, w);
  return j;
}

json_t *document_of_error(const options *o, nut_workspace *w, nut_verdict v,
                          const char *messages)
{
  json_t *j = json_object();
  const nut_model *m = nut_workspace_model(w);
  json_put(j, "nutshell", json_shown(nut_version()));
  json_put(j, "command", json_shown(o->command->name));
  json_put(j, "file", json_shown(model_name(o)));
  json_put(j, "language", json_shown(nut_model_language(m)));
  json_put(j, "verdict", json_shown(nut_verdict_name(v)));
  json_put(j, "complete", json_false());
  json_put(j, "reason", json_null());
  json_put(j, "messages", json_lines(messages));
  json_put(j, "properties", json_array());
  put_question(j, o, w);
  return j;
}

/* ---- pages -------------------------------------------------------------- */

enum { SOURCE_MOST = 1 << 20, CHART_MOST = 1000 };

static json_t *charts_array(const nut_result *r)
{
  json_t *list = json_array();
  text svg = {0};
  const nut_trace *t;
  for (size_t i = 0; i < nut_result_property_count(r); i++)
    for (size_t k = 0; (t = nut_result_trace(r, i, k)); k++) {
      text_clear(&svg);
      if (nut_trace_length(t) > CHART_MOST ||
          !nut_trace_text(t, NUT_SVG, 0, (nut_style){0}, gather_text, &svg))
        continue;
      json_t *j = json_object();
      json_put(j, "property", json_shown(nut_result_property(r, i).name));
      json_put(j, "svg", json_lines(text_string(&svg)));
      json_array_append_new(list, j);
    }
  text_free(&svg);
  return list;
}

static json_t *unreached_array(nut_result *r)
{
  json_t *list = json_array();
  size_t count = 0;
  const nut_statement *s = nut_unreached(r, &count);
  for (size_t i = 0; i < count; i++) {
    json_t *j = json_object();
    json_put(j, "file", json_shown(s[i].at.file));
    json_put(j, "line", json_integer(s[i].at.line));
    json_array_append_new(list, j);
  }
  return list;
}

static json_t *coverage_array(nut_result *r)
{
  json_t *list = json_array();
  size_t count = 0;
  const nut_coverage *s = nut_result_coverage(r, &count);
  for (size_t i = 0; i < count; i++) {
    json_t *j = json_object();
    json_put(j, "file", json_shown(s[i].at.file));
    json_put(j, "line", json_integer(s[i].at.line));
    json_put(j, "count", json_integer((json_int_t)s[i].count));
    json_array_append_new(list, j);
  }
  return list;
}

/* Texts that are shown; what is no text, such as a plug-in, is not. */
static json_t *texts_array(const nut_model *m)
{
  json_t *list = json_array();
  nut_source s;
  for (size_t i = 0; (s = nut_model_source(m, i)).file; i++) {
    json_t *all = s.text && s.length <= SOURCE_MOST
                      ? json_stringn(s.text, strnlen(s.text, s.length))
                      : NULL;
    if (!all)
      continue;
    json_t *j = json_object();
    json_put(j, "file", json_shown(s.file));
    json_put(j, "text", all);
    json_array_append_new(list, j);
  }
  return list;
}

void document_add_page(json_t *document, nut_workspace *w, nut_result *r)
{
  json_t *page = json_object();
  text whole = {0};
  json_put(page, "sources", texts_array(nut_workspace_model(w)));
  if (r) {
    nut_result_text(r, NUT_TEXT, (nut_style){.verbose = true}, gather_text,
                    &whole);
    json_put(page, "report", json_lines(text_string(&whole)));
    json_put(page, "charts", charts_array(r));
    json_put(page, "unreached", unreached_array(r));
    json_put(page, "coverage", coverage_array(r));
  }
  text_free(&whole);
  json_put(document, "page", page);
}
