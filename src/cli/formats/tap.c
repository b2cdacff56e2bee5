/* The Test Anything Protocol, version 13. */

#include "cli/formats/cases.h"
#include "cli/formats/formats.h"
#include <stdlib.h>

/* '#' would begin a directive. */
static void add_description(const char *s, text *out)
{
  for (; *s; s++) {
    if (*s == '#' || *s == '\\')
      text_add_char(out, '\\');
    text_add_char(out, *s);
  }
}

/* A text of JSON is one of YAML. */
static void add_message(const result_case *c, text *out)
{
  json_t *message = json_lines(text_string(&c->message));
  char *dump = json_dumps(message, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
  text_printf(out, "  ---\n  result: %s\n  message: %s\n  ...\n",
              c->result == CASE_FAILED ? "failed" : "no answer",
              dump ? dump : "\"\"");
  free(dump);
  json_decref(message);
}

void format_tap(const json_t *all, text *out)
{
  text lines = {0};
  size_t number = 0, i;
  json_t *run;
  json_array_foreach(json_object_get(all, "runs"), i, run)
  {
    case_list cases = {0};
    cases_of(run, &cases);
    for (size_t k = 0; k < cases.len; k++) {
      const result_case *c = &cases.data[k];
      text_printf(&lines, "%s %zu - ", c->result == CASE_OK ? "ok" : "not ok",
                  ++number);
      add_description(case_file(run), &lines);
      text_add(&lines, ": ");
      add_description(c->name, &lines);
      text_add_char(&lines, '\n');
      if (c->result != CASE_OK)
        add_message(c, &lines);
    }
    cases_free(&cases);
  }
  text_printf(out, "TAP version 13\n1..%zu\n%s", number, text_string(&lines));
  text_free(&lines);
}
