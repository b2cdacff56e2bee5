/* nutshell convert: a model in another language. */

#include "cli/common.h"
#include "cli/output.h"

static int write_output(const options *o, const text *out)
{
  if (!o->output) {
    say_text(out);
    return STATUS_HOLDS;
  }
  if (same_file(o->output, o->files.data[0]))
    return complain("'%s' is the model itself", o->output);
  return write_file(o->output, out) ? STATUS_HOLDS : STATUS_BAD;
}

int command_convert(const options *o)
{
  static const nut_format formats[] = {[TO_PROMELA] = NUT_PROMELA,
                                       [TO_DVE] = NUT_DVE,
                                       [TO_PNML] = NUT_PNML,
                                       [TO_DOT] = NUT_DOT,
                                       [TO_MODEL] = NUT_MODEL};
  int status;
  text out = {0};
  nut_workspace *w = open_model(o, &status);
  if (!w)
    return status;
  if (nut_convert(w, formats[o->to], gather_text, &out)) {
    if (*nut_hint(w))
      note("%s", nut_hint(w));
    status = write_output(o, &out);
  } else {
    status = tell_problem(w);
  }
  text_free(&out);
  nut_close(w);
  return status;
}
