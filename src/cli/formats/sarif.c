/* SARIF 2.1.0 (OASIS), for servers that show results of analyses.
**
**   run of SARIF       all models of the command
**   rule               a kind of property: "assertions", "ltl"; or "model", what
**                      is wrong with a text that could not be read
**   result             a property: its kind is pass, fail or open
**   code flow          the counterexample, a location for each step
**
** Results that are not 'fail' have the level 'none', as the standard wants it.
** Columns count characters: the standard does not know bytes. */

#include "cli/formats/formats.h"
#include <string.h>

/* ---- places ------------------------------------------------------------- */

/* The name of a file as a relative reference: what is not allowed in one is
** written in percent; a colon in the first part would be a scheme. */
static json_t *uri_of(const char *file)
{
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv"
                              "wxyz0123456789-._~/";
  text out = {0};
  if (file[0] == '/')
    text_add(&out, "file://");
  for (const char *p = file; *p; p++)
    if (strchr(plain, *p))
      text_add_char(&out, *p);
    else
      text_printf(&out, "%%%02X", (unsigned char)*p);
  json_t *uri = json_string(text_string(&out));
  text_free(&out);
  return uri;
}

static json_t *message_object(const char *string)
{
  json_t *j = json_object();
  json_put(j, "text", json_lines(*string ? string : "no text"));
  return j;
}

/* 'at' has file and line, perhaps a character; without them it is the whole
** file. */
static json_t *location_object(const char *file, const json_t *at)
{
  const char *place = json_get_text(at, "file");
  json_int_t line = json_integer_value(json_object_get(at, "line"));
  json_t *j = json_object(), *physical = json_object(),
         *artifact = json_object();
  json_put(artifact, "uri", uri_of(*place ? place : file));
  json_put(physical, "artifactLocation", artifact);
  if (*place && line > 0) {
    const json_t *character = json_object_get(at, "character");
    json_t *region = json_object();
    json_put(region, "startLine", json_integer(line));
    if (json_integer_value(character) > 0)
      json_put(region, "startColumn",
               json_integer(json_integer_value(character)));
    json_put(physical, "region", region);
  }
  json_put(j, "physicalLocation", physical);
  return j;
}

/* ---- traces ------------------------------------------------------------- */

static json_t *step_object(const char *file, const json_t *step)
{
  json_t *j = json_object();
  json_t *at = location_object(file, json_object_get(step, "location"));
  text words = {0};
  text_printf(&words, "%s(%lld): %s", json_get_text(step, "process_type"),
              (long long)json_integer_value(json_object_get(step, "process")),
              json_get_text(step, "text"));
  json_put(at, "message", message_object(text_string(&words)));
  text_free(&words);
  json_put(j, "location", at);
  return j;
}

/* NULL: the trace has no steps, of which the standard wants one. */
static json_t *flow_object(const char *file, const json_t *trace)
{
  json_t *places = json_array(), *step;
  size_t i;
  json_array_foreach(json_object_get(trace, "steps"), i, step)
      json_array_append_new(places, step_object(file, step));
  if (!json_array_size(places)) {
    json_decref(places);
    return NULL;
  }
  json_t *thread = json_object(), *threads = json_array(),
         *flow = json_object();
  json_put(thread, "locations", places);
  json_array_append_new(threads, thread);
  json_put(flow, "threadFlows", threads);
  return flow;
}

static void put_flows(json_t *result, const char *file, const json_t *property)
{
  json_t *flows = json_array(), *trace;
  size_t i;
  json_array_foreach(json_object_get(property, "traces"), i, trace)
  {
    json_t *flow = flow_object(file, trace);
    if (flow)
      json_array_append_new(flows, flow);
  }
  if (json_array_size(flows))
    json_object_set(result, "codeFlows", flows);
  json_decref(flows);
}

/* ---- results ------------------------------------------------------------ */

/* The index of a rule, which is made when it is not there. */
static json_int_t rule_index(json_t *rules, const char *id)
{
  size_t i;
  json_t *rule;
  json_array_foreach(rules, i, rule)
  {
    if (!strcmp(json_get_text(rule, "id"), id))
      return (json_int_t)i;
  }
  rule = json_object();
  text words = {0};
  text_printf(&words,
              strcmp(id, "model") ? "properties of the kind '%s'"
                                  : "a %s that cannot be read",
              id);
  json_put(rule, "id", json_lines(id));
  json_put(rule, "shortDescription", message_object(text_string(&words)));
  text_free(&words);
  json_array_append_new(rules, rule);
  return (json_int_t)json_array_size(rules) - 1;
}

static json_t *result_object(json_t *rules, const char *rule, const char *level,
                             const char *kind, const char *message)
{
  json_t *j = json_object();
  json_put(j, "ruleId", json_lines(rule));
  json_put(j, "ruleIndex", json_integer(rule_index(rules, rule)));
  json_put(j, "kind", json_string(kind));
  json_put(j, "level", json_string(level));
  json_put(j, "message", message_object(message));
  return j;
}

static void put_location(json_t *result, const char *file, const json_t *at)
{
  json_t *list = json_array();
  json_array_append_new(list, location_object(file, at));
  json_put(result, "locations", list);
}

static void property_message(const json_t *p, text *out)
{
  const char *message = json_get_text(p, "message");
  const char *why = json_get_text(p, "reason");
  const char *note = json_get_text(p, "note");
  text_printf(out, "%s: %s", json_get_text(p, "name"),
              json_get_text(p, "verdict"));
  if (*message || *why)
    text_printf(out, ": %s", *message ? message : why);
  if (*note)
    text_printf(out, " (%s)", note);
}

static json_t *property_result(json_t *rules, const char *file, const json_t *p)
{
  const char *found = json_get_text(p, "verdict");
  bool fails = !strcmp(found, "violated"), holds = !strcmp(found, "holds");
  text message = {0};
  property_message(p, &message);
  json_t *j =
      result_object(rules, json_get_text(p, "kind"), fails ? "error" : "none",
                    fails   ? "fail"
                    : holds ? "pass"
                            : "open",
                    text_string(&message));
  text_free(&message);
  put_location(j, file, json_object_get(p, "location"));
  put_flows(j, file, p);
  return j;
}

/* False: a model could not be read. */
static bool add_run(const json_t *run, json_t *rules, json_t *results)
{
  const char *file = json_get_text(run, "file");
  bool refused = !strcmp(json_get_text(run, "verdict"), "error");
  size_t i, before = json_array_size(results);
  json_t *j;
  json_array_foreach(json_object_get(run, "diagnostics"), i, j)
  {
    json_t *one = result_object(rules, "model", json_get_text(j, "severity"),
                                "fail", json_get_text(j, "message"));
    put_location(one, file, j);
    json_array_append_new(results, one);
  }
  if (refused && json_array_size(results) == before) {
    json_t *one = result_object(rules, "model", "error", "fail",
                                json_get_text(run, "messages"));
    put_location(one, file, NULL);
    json_array_append_new(results, one);
  }
  json_array_foreach(json_object_get(run, "properties"), i, j)
      json_array_append_new(results, property_result(rules, file, j));
  return !refused;
}

void format_sarif(const json_t *all, text *out)
{
  json_t *rules = json_array(), *results = json_array(), *run;
  bool good = true;
  size_t i;
  json_array_foreach(json_object_get(all, "runs"), i, run) good &=
      add_run(run, rules, results);
  json_t *log =
      json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:[{s:b}], s:s, s:o}]}",
                "$schema", "https://json.schemastore.org/sarif-2.1.0.json",
                "version", "2.1.0", "runs", "tool", "driver", "name",
                "Nutshell", "version", json_get_text(all, "nutshell"), "rules",
                rules, "invocations", "executionSuccessful", good, "columnKind",
                "unicodeCodePoints", "results", results);
  json_add_document(log, out);
  json_decref(log);
}
