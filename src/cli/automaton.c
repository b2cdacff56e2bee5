/* nutshell automaton: a formula as a Buchi automaton. */

#include "cli/common.h"
#include "cli/output.h"

static nut_format format_of(const options *o)
{
  switch (o->format) {
  case FORMAT_HOA:
    return NUT_HOA;
  case FORMAT_DOT:
  case FORMAT_SVG:
    return NUT_DOT;
  default:
    return NUT_NEVER;
  }
}

int command_automaton(const options *o)
{
  char *messages = NULL;
  text out = {0};
  int status = STATUS_BAD;
  if (o->generalised && (o->format == FORMAT_AUTO || o->format == FORMAT_NEVER))
    return complain("a never claim cannot be generalised; use --format hoa");
  nut_verdict v = nut_automaton(o->files.data[0], o->negate, o->generalised,
                                format_of(o), gather_text, &out, &messages);
  if (messages)
    say_error(messages);
  nut_text_free(messages);
  if (v == NUT_HOLDS && o->format == FORMAT_SVG)
    status = draw_svg(&out, NULL);
  else if (v == NUT_HOLDS)
    status = (say_text(&out), STATUS_HOLDS);
  else if (v == NUT_UNKNOWN)
    complain("the automaton of this formula is too large");
  text_free(&out);
  return status;
}
