/* HTML: one page without a server, which loads nothing and runs nothing.  What
** it shows beside the documents is their 'page' (document.h): the report, the
** texts of the model, charts.  All text of a model is escaped; charts are SVG
** that we have made. */

#include "base/alloc.h"
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
    ".never { background: #9a670033; } .fails { background: #c4272e55; }\n"
    ".heat1 { background: #0969da12; } .heat2 { background: #0969da24; }\n"
    ".heat3 { background: #0969da3c; } .heat4 { background: #0969da58; }\n"
    ".heat5 { background: #0969da7c; } .wide { overflow-x: auto; }\n"
    ".loop td { border-top: 2px solid #c4272e; }\n"
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

/* A statement as the user wrote it. */
static void add_statement(text *out, const json_t *step)
{
  add_field(out, step, json_object_get(step, "written") ? "written" : "text");
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

/* Without its folders, which whoever points at it is told. */
static void add_place(text *out, const json_t *at)
{
  const char *file = json_get_text(at, "file"), *slash = strrchr(file, '/');
  if (!number_at(at, "line"))
    return;
  text_add(out, "<code title=\"");
  add_text(out, file);
  text_add(out, "\">");
  add_text(out, slash ? slash + 1 : file);
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

/* A process that starts, with its parameters, or ends. */
static void add_process_change(text *out, const json_t *c)
{
  add_field(out, c, "process_type");
  text_printf(out, "(%lld) %ss", (long long)number_at(c, "process"),
              json_get_text(c, "kind"));
  if (!*json_get_text(c, "after"))
    return;
  text_add(out, " (");
  add_field(out, c, "after");
  text_add(out, ")");
}

static void add_changes(text *out, const json_t *step)
{
  const json_t *c;
  size_t i;
  json_array_foreach(json_object_get(step, "changes"), i, c)
  {
    text_add(out, i ? ", " : "");
    if (!json_object_get(c, "name")) {
      add_process_change(out, c);
      continue;
    }
    add_field(out, c, "name");
    text_add(out, ": ");
    add_value(out, json_object_get(c, "before"));
    text_add(out, " → ");
    add_value(out, json_object_get(c, "after"));
  }
}

static void add_step(text *out, lanes *l, const json_t *step, size_t number,
                     bool loops)
{
  size_t lane = lane_of(l, step);
  text_printf(out, "<tr%s><td class=\"number\">%zu<td>",
              loops ? " class=\"loop\" title=\"the loop begins here\"" : "",
              number);
  add_place(out, json_object_get(step, "location"));
  for (size_t i = 0; i < l->count; i++) {
    text_add(out, "<td class=\"mono\">");
    if (i == lane)
      add_statement(out, step);
  }
  text_add(out, "<td class=\"mono\">");
  add_changes(out, step);
  text_add_char(out, '\n');
}

static void add_lanes(text *out, lanes *l, const json_t *steps)
{
  const json_t *one;
  size_t i;
  json_array_foreach(steps, i, one) lane_of(l, one);
  text_add(out, "<tr><th><th>where");
  for (i = 0; i < l->count; i++) {
    text_add(out, "<th>");
    add_text(out, l->name[i]);
    text_printf(out, "(%lld)", (long long)l->number[i]);
  }
  text_add(out, "<th>changes\n");
}

/* Who waits for what where nothing can happen. */
static void add_blocked(text *out, const json_t *trace)
{
  const json_t *b;
  size_t i;
  text_add(out, "<p>");
  add_field(out, trace, "ending");
  if (json_is_integer(json_object_get(trace, "loop")))
    text_add(out, ": the loop begins at the line in red");
  text_add_char(out, '\n');
  json_array_foreach(json_object_get(trace, "blocked"), i, b)
  {
    text_add(out, i ? "<br>" : "<p>");
    add_field(out, b, "process_type");
    text_printf(out, "(%lld) waits at ", (long long)number_at(b, "process"));
    add_place(out, b);
    text_add(out, " <code>");
    add_statement(out, b);
    text_add(out, "</code>: ");
    add_field(out, b, "because");
    text_add_char(out, '\n');
  }
}

static void add_trace(text *out, const json_t *trace)
{
  const json_t *steps = json_object_get(trace, "steps"), *one;
  const json_t *loop = json_object_get(trace, "loop");
  lanes l = {.count = 0};
  size_t i, number = 0;
  text_add(out, "<div class=\"wide\"><table>\n");
  add_lanes(out, &l, steps);
  json_array_foreach(steps, i, one)
  {
    if (number == ROWS_MOST) {
      text_printf(out, "<tr><td><td>and %zu more steps\n",
                  json_array_size(steps) - i);
      break;
    }
    if (!json_object_get(one, "unseen"))
      add_step(out, &l, one, ++number,
               json_is_integer(loop) &&
                   json_integer_value(loop) == (json_int_t)i);
  }
  text_add(out, "</table></div>\n");
  add_blocked(out, trace);
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

/* What is known of a line of the source. */
typedef struct line_facts {
  bool fails, never;
  bool counted; /* it has statements that were counted */
  json_int_t count;
} line_facts;

/* Facts of all lines of a file, from 1. */
typedef struct file_facts {
  const char *file;
  line_facts *lines;
  size_t count;
} file_facts;

/* The facts of the line of a place; NULL: it is in another file. */
static line_facts *facts_at(const file_facts *f, const json_t *at)
{
  json_int_t line = number_at(at, "line");
  if (line < 1 || line > (json_int_t)f->count ||
      strcmp(json_get_text(at, "file"), f->file) != 0)
    return NULL;
  return &f->lines[line - 1];
}

static file_facts facts_of(const json_t *run, const char *file,
                           const char *source)
{
  const json_t *page = json_object_get(run, "page"), *one;
  file_facts f = {.file = file, .count = 1};
  line_facts *at;
  size_t i;
  for (const char *c = source; *c; c++)
    f.count += *c == '\n';
  f.lines = mem_alloc(f.count * sizeof *f.lines);
  json_array_foreach(json_object_get(run, "properties"), i, one)
  {
    at = facts_at(&f, json_object_get(one, "location"));
    if (at && !strcmp(json_get_text(one, "verdict"), "violated"))
      at->fails = true;
  }
  json_array_foreach(json_object_get(page, "unreached"), i, one)
  {
    if ((at = facts_at(&f, one)))
      at->never = true;
  }
  json_array_foreach(json_object_get(page, "coverage"), i, one)
  {
    if ((at = facts_at(&f, one))) {
      at->counted = true;
      at->count += number_at(one, "count");
    }
  }
  return f;
}

/* Steps of the search in a line as one of five shades, a factor of 16 each. */
static const char *style_of_line(const line_facts *f, bool complete)
{
  static const char *const heat[] = {"heat1", "heat2", "heat3", "heat4",
                                     "heat5"};
  size_t shade = 0;
  for (json_int_t n = f->count; n >= 16 && shade < 4; n /= 16)
    shade++;
  if (f->fails)
    return "fails";
  if (f->never || (f->counted && !f->count && complete))
    return "never";
  return f->counted && f->count ? heat[shade] : "";
}

static void add_source_line(text *out, const line_facts *f, bool complete,
                            bool counts, size_t line)
{
  const char *style = style_of_line(f, complete);
  text_printf(out, "<span class=\"%s\"%s>", style,
              strcmp(style, "never") ? "" : " title=\"never executed\"");
  if (counts && f->counted)
    text_printf(out, "<span class=\"number\">%10lld </span>",
                (long long)f->count);
  else if (counts)
    text_add(out, "<span class=\"number\">           </span>");
  text_printf(out, "<span class=\"number\">%5zu  </span>", line);
}

static void add_source(const json_t *run, const json_t *source, text *out)
{
  const char *file = json_get_text(source, "file");
  const char *at = json_get_text(source, "text");
  bool complete = json_is_true(json_object_get(run, "complete"));
  bool counts = json_array_size(
      json_object_get(json_object_get(run, "page"), "coverage"));
  text_add(out, "<details><summary>");
  add_text(out, file);
  text_add(out, "</summary>\n");
  if (counts)
    text_printf(out,
                "<p>How often the search executed the statements of each "
                "line, darker for more%s.\n",
                complete ? ""
                         : "; the search is not complete, so 0 says nothing");
  text_add(out, "<pre>");
  text line_text = {0};
  file_facts facts = facts_of(run, file, at);
  for (size_t line = 1; *at; line++) {
    size_t n = strcspn(at, "\n");
    text_clear(&line_text);
    text_add_bytes(&line_text, at, n);
    add_source_line(out, &facts.lines[line - 1], complete, counts, line);
    add_text(out, text_string(&line_text));
    text_add(out, "</span>\n");
    at += n + (at[n] == '\n');
  }
  text_free(&line_text);
  mem_free(facts.lines, facts.count * sizeof *facts.lines);
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

/* Whether everything was searched, and how much that was. */
static void add_extent(const json_t *run, text *out)
{
  const json_t *why = json_object_get(run, "reason");
  bool complete = json_is_true(json_object_get(run, "complete"));
  text_add(out, complete ? "<p>The search is complete"
                         : "<p><strong>The search is not complete</strong>");
  if (json_is_string(why)) {
    text_add(out, ": ");
    add_text(out, json_string_value(why));
  }
  if (json_object_get(run, "states"))
    text_printf(out, "; %lld states, %lld transitions, depth %lld, %.2f s",
                (long long)number_at(run, "states"),
                (long long)number_at(run, "transitions"),
                (long long)number_at(run, "depth"),
                json_number_value(json_object_get(run, "seconds")));
  text_add(out, ".\n");
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
  add_extent(run, out);
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
