/* nutshell properties: what a check of a model decides. */

#include "cli/common.h"
#include "cli/output.h"
#include <string.h>

static void tell_question(const nut_question *q, int width)
{
  text out = {0};
  text_printf(&out, "%-*s  %s", width, q->name, q->kind);
  if (q->at.file && q->at.line)
    text_printf(&out, "  %s:%u", q->at.file, q->at.line);
  if (q->formula)
    text_printf(&out, "  %s", q->formula);
  say("%s\n", text_string(&out));
  text_free(&out);
}

int command_properties(const options *o)
{
  int status;
  nut_workspace *w = open_model(o, &status);
  if (!w)
    return status;
  size_t count = 0;
  int width = 0;
  const nut_question *list = nut_questions(w, &count);
  for (size_t i = 0; i < count; i++)
    if ((int)strlen(list[i].name) > width)
      width = (int)strlen(list[i].name);
  for (size_t i = 0; i < count; i++)
    if (o->quiet)
      say("%s\n", list[i].name);
    else
      tell_question(&list[i], width);
  nut_close(w);
  return STATUS_HOLDS;
}
