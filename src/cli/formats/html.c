/* HTML: one page without a server, which loads nothing and runs nothing.  What
** it shows beside the documents is their 'page' (document.h): the report, the
** texts of the model, charts.  All text of a model is escaped; charts are SVG
** that we have made. */

#include "cli/formats/formats.h"
#include <stdlib.h>
#include <string.h>

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
    "'none'; style-src 'unsafe-inline'; img-src data:\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<title>Nutshell</title>\n<style>\n"
    ":root { color-scheme: light dark; }\n"
    "body { font: 15px/1.45 system-ui, sans-serif; max-width: 75rem;\n"
    "  margin: 2rem auto; padding: 0 1rem; }\n"
    "table { border-collapse: collapse; }\n"
    "td, th { padding: .15rem .7rem; text-align: left; vertical-align: top;\n"
    "  border-bottom: 1px solid #8884; }\n"
    "pre, code, .mono { font: 13px/1.45 ui-monospace, monospace; }\n"
    "pre { overflow-x: auto; padding: .6rem; border: 1px solid #8884; }\n"
    ".holds { color: #1a7f37; } .violated { color: #c4272e; font-weight: 600; "
    "}\n"
    ".unknown, .error { color: #9a6700; font-weight: 600; }\n"
    ".number { color: #888; user-select: none; }\n"
    ".never { background: #9a670022; } .fails { background: #c4272e33; }\n"
    ".chart { overflow-x: auto; background: #fff; padding: .5rem; }\n"
    "summary { cursor: pointer; font-weight: 600; margin: .6rem 0; }\n"
    "</style>\n</head>\n<body>\n";

/* ---- text --------------------------------------------------------------- */

static void add_text(text *out, const char *s)
{
  for (; *s; s++)
    if (*s == '\n' || *s == '\t')
      text_add_char(out, *s);
    else
      text_add_xml_char(out, *s);
}

static void add_field(text *out, const json_t *j, const char *key)
{
  add_text(out, json_get_text(j, key));
}

/* A verdict in its colour; the word is one of ours, and a name of a style. */
static void add_verdict(text *out, const char *word)
{
  static const char *const known[] = {"holds", "violated", "unknown", "error"};
  const char *style = "unknown";
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (!strcmp(known[i], word))
      style = known[i];
  text_printf(out, "<span class=\"%s\">", style);
  add_text(out, word);
  text_add(out, "</span>");
}

static json_int_t number_at(const json_t *j, const char *key)
{
  return json_integer_value(json_object_get(j, key));
}

/* ---- properties --------------------------------------------------------- */

static void add_place(text *out, const json_t *at)
{
  if (!number_at(at, "line"))
    return;
  text_add(out, "<code>");
  add_field(out, at, "file");
  text_printf(out, ":%lld</code>", (long long)number_at(at, "line"));
}

static void add_properties(const json_t *run, text *out)
{
  const json_t *p;
  size_t i;
  text_add(out, "<table>\n<tr><th>property<th>verdict<th>where<th>formula\n");
  json_array_foreach(json_object_get(run, "properties"), i, p)
  {
    text_add(out, "<tr><td>");
    add_field(out, p, "name");
    text_add(out, "<td>");
    add_verdict(out, json_get_text(p, "verdict"));
    text_add(out, "<td>");
    add_place(out, json_object_get(p, "location"));
    text_add(out, "<td><code>");
    add_field(out, p, "formula");
    text_add(out, "</code>\n");
  }
  text_add(out, "</table>\n");
}

/* ---- traces ------------------------------------------------------------- */

enum { LANES_MOST = 24, ROWS_MOST = 2000 };

/* The processes of a trace, in the order in which they move first. */
typedef struct lanes {
  json_int_t number[LANES_MOST];
  const char *name[LANES_MOST];
  size_t count;
} lanes;

/* LANES_MOST: there are too many. */
static size_t lane_of(lanes *l, const json_t *step)
{
  json_int_t process = number_at(step, "process");
  size_t i = 0;
  while (i < l->count && l->number[i] != process)
    i++;
  if (i == l->count && l->count < LANES_MOST) {
    l->number[l->count] = process;
    l->name[l->count++] = json_get_text(step, "process_type");
  }
  return i;
}

static void add_value(text *out, const json_t *v)
{
  if (json_is_string(v)) {
    add_text(out, json_string_value(v));
    return;
  }
  char *dumped = v ? json_dumps(v, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
  add_text(out, dumped ? dumped : "");
  free(dumped);
}

static void add_changes(text *out, const json_t *step)
{
  const json_t *c;
  size_t i;
  json_array_foreach(json_object_get(step, "changes"), i, c)
  {
    text_add(out, i ? ", " : "");
    add_field(out, c, "name");
    text_add(out, ": ");
    add_value(out, json_object_get(c, "before"));
    text_add(out, " → ");
    add_value(out, json_object_get(c, "after"));
  }
}

static void add_step(text *out, lanes *l, const json_t *step, size_t number)
{
  size_t lane = lane_of(l, step);
  text_printf(out, "<tr><td class=\"number\">%zu<td>", number);
  add_place(out, json_object_get(step, "location"));
  for (size_t i = 0; i < l->count; i++) {
    text_add(out, "<td class=\"mono\">");
    if (i == lane)
      add_field(out, step, "text");
  }
  text_add(out, "<td class=\"mono\">");
  add_changes(out, step);
  text_add_char(out, '\n');
}

static void add_trace(text *out, const json_t *trace)
{
  const json_t *steps = json_object_get(trace, "steps"), *one;
  lanes l = {.count = 0};
  size_t i;
  json_array_foreach(steps, i, one) lane_of(&l, one);
  text_add(out, "<table>\n<tr><th><th>where");
  for (i = 0; i < l.count; i++) {
    text_add(out, "<th>");
    add_text(out, l.name[i]);
    text_printf(out, "(%lld)", (long long)l.number[i]);
  }
  text_add(out, "<th>changes\n");
  json_array_foreach(steps, i, one)
  {
    if (i == ROWS_MOST) {
      text_printf(out, "<tr><td><td>and %zu more steps\n",
                  json_array_size(steps) - i);
      break;
    }
    add_step(out, &l, one, i + 1);
  }
  text_add(out, "</table>\n");
}

static void add_traces(const json_t *run, text *out)
{
  const json_t *p, *t;
  size_t i, k;
  json_array_foreach(json_object_get(run, "properties"), i, p)
  {
    json_array_foreach(json_object_get(p, "traces"), k, t)
    {
      text_add(out, "<details open><summary>Run for ");
      add_field(out, p, "name");
      text_add(out, "</summary>\n");
      add_trace(out, t);
      text_add(out, "</details>\n");
    }
  }
}

static void add_charts(const json_t *page, text *out)
{
  const json_t *c;
  size_t i;
  json_array_foreach(json_object_get(page, "charts"), i, c)
  {
    text_add(out, "<details><summary>Chart for ");
    add_field(out, c, "property");
    text_add(out, "</summary>\n<div class=\"chart\">\n");
    const char *svg = strstr(json_get_text(c, "svg"), "<svg");
    text_add(out, svg ? svg : "");
    text_add(out, "</div></details>\n");
  }
}

/* ---- sources ------------------------------------------------------------ */

static bool is_among(const json_t *list, const char *file, size_t line)
{
  const json_t *at;
  size_t i;
  json_array_foreach(
      list, i, at) if (number_at(at, "line") == (json_int_t)line &&
                       !strcmp(json_get_text(at, "file"), file)) return true;
  return false;
}

static bool fails_at(const json_t *run, const char *file, size_t line)
{
  const json_t *p;
  size_t i;
  json_array_foreach(json_object_get(run, "properties"), i, p)
  {
    const json_t *at = json_object_get(p, "location");
    if (!strcmp(json_get_text(p, "verdict"), "violated") &&
        number_at(at, "line") == (json_int_t)line &&
        !strcmp(json_get_text(at, "file"), file))
      return true;
  }
  return false;
}

static void add_source(const json_t *run, const json_t *source, text *out)
{
  const char *file = json_get_text(source, "file");
  const json_t *never =
      json_object_get(json_object_get(run, "page"), "unreached");
  const char *at = json_get_text(source, "text");
  text_add(out, "<details><summary>");
  add_text(out, file);
  text_add(out, "</summary>\n<pre>");
  text line_text = {0};
  for (size_t line = 1; *at; line++) {
    size_t n = strcspn(at, "\n");
    bool fails = fails_at(run, file, line), idle = is_among(never, file, line);
    text_clear(&line_text);
    text_add_bytes(&line_text, at, n);
    text_printf(out,
                "<span class=\"%s\"%s><span class=\"number\">%5zu  </span>",
                fails  ? "fails"
                : idle ? "never"
                       : "",
                idle ? " title=\"never executed\"" : "", line);
    add_text(out, text_string(&line_text));
    text_add(out, "</span>\n");
    at += n + (at[n] == '\n');
  }
  text_free(&line_text);
  text_add(out, "</pre></details>\n");
}

/* ---- pages -------------------------------------------------------------- */

static void add_diagnostics(const json_t *run, text *out)
{
  const char *messages = json_get_text(run, "messages");
  if (!*messages)
    return;
  text_add(out, "<pre>");
  add_text(out, messages);
  text_add(out, "</pre>\n");
}

static void add_run(const json_t *run, size_t number, text *out)
{
  const json_t *page = json_object_get(run, "page"), *s;
  size_t i;
  text_printf(out, "<section id=\"run-%zu\">\n<h2>", number);
  add_field(out, run, "file");
  text_add(out, ": ");
  add_verdict(out, json_get_text(run, "verdict"));
  text_add(out, "</h2>\n");
  if (json_is_string(json_object_get(run, "reason"))) {
    text_add(out, "<p>");
    add_field(out, run, "reason");
    text_add(out, "\n");
  }
  add_diagnostics(run, out);
  add_properties(run, out);
  add_traces(run, out);
  add_charts(page, out);
  text_add(out, "<details><summary>Report</summary>\n<pre>");
  add_field(out, page, "report");
  text_add(out, "</pre></details>\n");
  json_array_foreach(json_object_get(page, "sources"), i, s)
      add_source(run, s, out);
  text_add(out, "</section>\n");
}

static void add_overview(const json_t *all, text *out)
{
  const json_t *run;
  size_t i;
  text_add(out, "<h1>Nutshell ");
  add_field(out, all, "nutshell");
  text_add(out, ": ");
  add_verdict(out, json_get_text(all, "verdict"));
  text_add(out, "</h1>\n<table>\n<tr><th>model<th>verdict<th>states\n");
  json_array_foreach(json_object_get(all, "runs"), i, run)
  {
    text_printf(out, "<tr><td><a href=\"#run-%zu\">", i + 1);
    add_field(out, run, "file");
    text_add(out, "</a><td>");
    add_verdict(out, json_get_text(run, "verdict"));
    text_printf(out, "<td>%lld\n", (long long)number_at(run, "states"));
  }
  text_add(out, "</table>\n");
}

void format_html(const json_t *all, text *out)
{
  const json_t *run;
  size_t i;
  text_add(out, head);
  add_overview(all, out);
  json_array_foreach(json_object_get(all, "runs"), i, run)
      add_run(run, i + 1, out);
  text_add(out, "</body>\n</html>\n");
}
