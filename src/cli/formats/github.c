/* Commands of GitHub's build server, which shows them at lines of the change:
**
**   ::error file=a.pml,line=3,col=4,title=assertions::assertion violated
*/

#include "cli/formats/formats.h"
#include <string.h>

/* What ends a command or a value of it is written in percent. */
static void add_escaped(const char *s, bool in_value, text *out)
{
  for (; *s; s++)
    if (strchr("%\r\n", *s) || (in_value && strchr(":,", *s)))
      text_printf(out, "%%%02X", (unsigned char)*s);
    else
      text_add_char(out, *s);
}

static void add_number(const char *name, const json_t *number, text *out)
{
  if (json_integer_value(number) > 0)
    text_printf(out, ",%s=%lld", name, (long long)json_integer_value(number));
}

/* 'at' has file, line and column, or is the file alone. */
static void add_command(const char *word, const char *file, const json_t *at,
                        const char *title, const char *message, text *out)
{
  const char *place = json_get_text(at, "file");
  text_printf(out, "::%s file=", word);
  add_escaped(*place ? place : file, true, out);
  if (*place) {
    add_number("line", json_object_get(at, "line"), out);
    add_number("col", json_object_get(at, "column"), out);
  }
  text_add(out, ",title=");
  add_escaped(title, true, out);
  text_add(out, "::");
  add_escaped(message, false, out);
  text_add_char(out, '\n');
}

static void add_property(const char *file, const json_t *p, text *out)
{
  const char *found = json_get_text(p, "verdict");
  const char *message = json_get_text(p, "message");
  const char *why = json_get_text(p, "reason");
  const char *note = json_get_text(p, "note");
  text whole = {0};
  if (!strcmp(found, "holds"))
    return;
  text_printf(&whole, "%s: %s", json_get_text(p, "name"), found);
  if (*message || *why)
    text_printf(&whole, ": %s", *message ? message : why);
  if (*note)
    text_printf(&whole, " (%s)", note);
  add_command(!strcmp(found, "violated") ? "error" : "warning", file,
              json_object_get(p, "location"), json_get_text(p, "name"),
              text_string(&whole), out);
  text_free(&whole);
}

static void add_run(const json_t *run, text *out)
{
  const char *file = json_get_text(run, "file");
  json_t *j;
  size_t i, shown = 0;
  json_array_foreach(json_object_get(run, "diagnostics"), i, j)
  {
    const char *severity = json_get_text(j, "severity");
    if (!strcmp(severity, "note"))
      continue;
    add_command(severity, file, j, "model", json_get_text(j, "message"), out);
    shown++;
  }
  json_array_foreach(json_object_get(run, "properties"), i, j)
      add_property(file, j, out);
  bool refused = !strcmp(json_get_text(run, "verdict"), "error");
  if (refused && !shown)
    add_command("error", file, NULL, "model", json_get_text(run, "messages"),
                out);
}

void format_github(const json_t *all, text *out)
{
  size_t i;
  json_t *run;
  json_array_foreach(json_object_get(all, "runs"), i, run) add_run(run, out);
}
