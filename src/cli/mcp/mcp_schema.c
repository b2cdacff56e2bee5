/* What the tools are called and take.  The schema that a client is shown and the
** test of what it sends are made of the same list. */

#include "cli/mcp/mcp.h"
#include <math.h>
#include <string.h>

#define TEXT(name, words)                                                      \
  "\"" name "\":{\"type\":\"string\",\"description\":\"" words "\"},"
#define TEXTS(name, words)                                                     \
  "\"" name "\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"          \
  "\"description\":\"" words "\"},"

/* What all tools take. */
#define MODEL                                                                  \
  TEXT("file", "the model, a file of the workspace")                           \
  TEXT("language", "promela, dve, gaston, lpn, stg or pnml; by the ending "    \
                   "unless it is given")                                       \
  TEXTS("defines", "macros for the preprocessor: N=3")                         \
  "\"memory_mb\":{\"type\":\"integer\",\"minimum\":16,"                        \
  "\"description\":\"limit of memory, 2048 unless it is given\"},"             \
  "\"seconds\":{\"type\":\"number\",\"exclusiveMinimum\":0,"                   \
  "\"maximum\":3600,\"description\":\"limit of time for the whole call\"}"

#define QUESTIONS                                                              \
  TEXT("property", "check only the property of this name")                     \
  TEXTS("ltl", "formulas that are true of every run: [] (a -> <> b)")          \
  TEXTS("invariants", "conditions that are true in every state")               \
  TEXT("fair", "which infinite runs count: none, weak or strong")              \
  "\"shortest\":{\"type\":\"boolean\",\"description\":\"find a shortest "      \
  "counterexample\"},"

static const mcp_entry entries[] = {
    {"load",
     "Reads a model and tells what it consists of: language, properties, "
     "processes and variables of the first state; or what is wrong with it, "
     "with places.",
     mcp_load, "{" MODEL "}"},
    {"check",
     "Checks everything a model asks for, or what is asked for here, over all "
     "reachable states.  The verdict is holds, violated, unknown (a limit was "
     "reached) or error.",
     mcp_check, "{" QUESTIONS MODEL "}"},
    {"explain",
     "Checks a model and tells the counterexample step by step: who does what "
     "where, what changes, and at a deadlock who waits for what.",
     mcp_explain, "{" QUESTIONS MODEL "}"},
    {"step",
     "Walks through the states of a model: makes the choices given, from the "
     "first state on, and tells the state, what can happen next, and what "
     "cannot and why.",
     mcp_step,
     "{\"choices\":{\"type\":\"array\",\"items\":{\"type\":\"integer\","
     "\"minimum\":0},\"description\":\"which of the moves is made, from 0, one "
     "after the other\"}," MODEL "}"},
    {"replay",
     "Executes a trace (JSON of 'nutshell check --trace') or a trail of SPIN "
     "again, and tells it step by step, and whether it fits the model.",
     mcp_replay,
     "{" TEXT("trace", "the text of the trace, or")
         TEXT("trace_file", "a file of the workspace that has it") MODEL "}"}};

enum { ENTRIES = sizeof entries / sizeof entries[0] };

const mcp_entry *mcp_find(const char *name)
{
  for (size_t i = 0; name && i < ENTRIES; i++)
    if (!strcmp(entries[i].name, name))
      return &entries[i];
  return NULL;
}

static json_t *properties_of(const mcp_entry *e)
{
  return json_loads(e->properties, 0, NULL);
}

json_t *mcp_list(void)
{
  json_t *list = json_array();
  for (size_t i = 0; i < ENTRIES; i++)
    json_array_append_new(
        list, json_pack("{s:s,s:s,s:{s:s,s:o,s:[s,s],s:b},s:{s:b,s:b}}", "name",
                        entries[i].name, "description", entries[i].summary,
                        "inputSchema", "type", "object", "properties",
                        properties_of(&entries[i]), "required", "file",
                        "seconds", "additionalProperties", 0, "annotations",
                        "readOnlyHint", 1, "openWorldHint", 0));
  return json_pack("{s:o}", "tools", list);
}

static bool is_of_type(const char *type, const json_t *value)
{
  return !strcmp(type, "string")    ? json_is_string(value)
         : !strcmp(type, "integer") ? json_is_integer(value)
         : !strcmp(type, "number")  ? json_is_number(value)
         : !strcmp(type, "boolean") ? json_is_boolean(value)
                                    : json_is_array(value);
}

static bool fits(const json_t *rule, const json_t *value)
{
  const char *type = json_string_value(json_object_get(rule, "type"));
  const json_t *items = json_object_get(rule, "items"), *one;
  const json_t *least = json_object_get(rule, "minimum");
  size_t i;
  if (!is_of_type(type, value))
    return false;
  if (least && json_integer_value(value) < json_integer_value(least))
    return false;
  if (!strcmp(type, "array"))
    json_array_foreach(value, i, one) if (!fits(items, one)) return false;
  return true;
}

bool mcp_fits(const mcp_entry *e, const json_t *arguments, text *why)
{
  json_t *rules = properties_of(e);
  const char *name = NULL;
  json_t *value;
  bool good = json_is_object(arguments);
  if (!good)
    text_add(why, "the arguments are no object");
  json_object_foreach((json_t *)(uintptr_t)arguments, name, value)
  {
    const json_t *rule = json_object_get(rules, name);
    if (good && (!rule || !fits(rule, value))) {
      text_printf(why,
                  rule ? "'%.60s' is not what it should be"
                       : "there is no argument '%.60s'",
                  name);
      good = false;
    }
  }
  double seconds = json_number_value(json_object_get(arguments, "seconds"));
  bool timed = isfinite(seconds) && seconds > 0 && seconds <= MCP_SECONDS_MOST;
  if (good && !timed)
    text_printf(why, "'seconds', a limit of time, must be given, at most %d",
                MCP_SECONDS_MOST);
  else if (good && !json_object_get(arguments, "file"))
    text_add(why, "'file' must be given");
  good = good && timed && json_object_get(arguments, "file");
  json_decref(rules);
  return good;
}
