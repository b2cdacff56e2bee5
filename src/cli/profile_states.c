/* 'profile': where the states of a model come from. */

#include "cli/common.h"
#include "cli/output.h"
#include <string.h>

static int report(const options *o, nut_profile *p)
{
  text out = {0};
  int status = (int)nut_profile_verdict(p);
  bool to_output = o->json && (!*o->json || !strcmp(o->json, "-"));
  nut_style style = style_of(o);
  if (o->json && nut_profile_text(p, NUT_JSON, style, gather_text, &out)) {
    if (to_output)
      say_text(&out);
    else if (!write_file(o->json, &out))
      status = STATUS_BAD;
  }
  text_clear(&out);
  if (!to_output && nut_profile_text(p, NUT_TEXT, style, gather_text, &out))
    say_text(&out);
  text_free(&out);
  return status;
}

int command_profile(const options *o)
{
  int status = STATUS_BAD;
  nut_workspace *w = outputs_good(o) ? open_model(o, &status) : NULL;
  if (!w)
    return status;
  nut_profile *p = nut_profile_states(w, o->most_states);
  status = p ? report(o, p) : tell_problem(w);
  nut_profile_free(p);
  nut_close(w);
  return status;
}
