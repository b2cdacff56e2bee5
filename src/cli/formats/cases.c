#include "cli/formats/cases.h"
#include "cli/formats/formats.h"
#include <string.h>

const char *case_file(const json_t *run)
{
  return json_get_text(run, "file");
}

static case_result result_of(const char *word)
{
  if (!strcmp(word, "holds") || !strcmp(word, "ok"))
    return CASE_OK;
  return !strcmp(word, "violated") || !strcmp(word, "failed") ? CASE_FAILED
                                                              : CASE_NO_ANSWER;
}

/* "a.pml:3:4: " where the object has a place. */
static void add_place(const json_t *j, text *out)
{
  const char *file = json_get_text(j, "file");
  if (*file)
    text_printf(out, "%s:%lld:%lld: ", file,
                (long long)json_integer_value(json_object_get(j, "line")),
                (long long)json_integer_value(json_object_get(j, "column")));
}

static void add_property(const json_t *p, case_list *list)
{
  result_case c = {.name = json_get_text(p, "name"),
                   .kind = json_get_text(p, "kind"),
                   .result = result_of(json_get_text(p, "verdict"))};
  if (c.result != CASE_OK) {
    const json_t *at = json_object_get(p, "location");
    const char *message = json_get_text(p, "message");
    const char *why = json_get_text(p, "reason");
    add_place(at, &c.message);
    text_add(&c.message, *message ? message
                         : *why   ? why
                                  : json_get_text(p, "verdict"));
    if (json_is_string(json_object_get(p, "text")))
      text_printf(&c.message, " at %s", json_get_text(p, "text"));
    if (json_is_string(json_object_get(p, "note")))
      text_printf(&c.message, " (%s)", json_get_text(p, "note"));
  }
  vec_push(list, c);
}

static void add_expectation(const json_t *e, case_list *list)
{
  result_case c = {.name = json_get_text(e, "expectation"),
                   .kind = "expectation",
                   .result = result_of(json_get_text(e, "result"))};
  size_t i;
  json_t *line;
  json_array_foreach(json_object_get(e, "problems"), i, line)
      text_printf(&c.message, "%s%s", i ? "\n" : "", json_string_value(line));
  vec_push(list, c);
}

/* What could not be read is a case of its own. */
static void add_error(const json_t *run, case_list *list)
{
  result_case c = {.name = "model", .kind = "input", .result = CASE_NO_ANSWER};
  const char *messages = json_get_text(run, "messages");
  const char *why = json_get_text(run, "reason");
  text_add(&c.message, *messages ? messages : *why ? why : "no answer");
  while (c.message.len && c.message.data[c.message.len - 1] == '\n')
    c.message.data[--c.message.len] = 0;
  vec_push(list, c);
}

void cases_of(const json_t *run, case_list *list)
{
  size_t i;
  json_t *j;
  json_array_foreach(json_object_get(run, "properties"), i, j)
      add_property(j, list);
  json_array_foreach(json_object_get(run, "expectations"), i, j)
      add_expectation(j, list);
  if (!list->len)
    add_error(run, list);
}

void cases_free(case_list *list)
{
  for (size_t i = 0; i < list->len; i++)
    text_free(&list->data[i].message);
  vec_free(list);
}
