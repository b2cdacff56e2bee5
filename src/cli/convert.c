/* nutshell convert: a model in another language. */

#include "convert/convert.h"
#include "cli/common.h"
#include "cli/output.h"
#include "report/dot.h"

/* The words of --to. */
enum { TO_PROMELA, TO_DVE, TO_PNML, TO_DOT };

static bool convert(const options *o, const model *m, text *out, text *why)
{
  switch (o->to) {
  case TO_PROMELA:
    return convert_to_promela(m, out, why);
  case TO_DVE:
    return convert_to_dve(m, out, why);
  case TO_PNML:
    return convert_to_pnml(m, out, why);
  default:
    dot_processes(m, out);
    return true;
  }
}

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
  static const char *const languages[] = {"Promela", "DVE", "PNML", "DOT"};
  text out = {0}, why = {0};
  nut_model *m = load_model(o);
  if (!m)
    return STATUS_BAD;
  int status = STATUS_BAD;
  if (convert(o, m->model, &out, &why))
    status = write_output(o, &out);
  else
    complain("%s cannot be written in %s: %s", o->files.data[0],
             languages[o->to], text_string(&why));
  text_free(&out);
  text_free(&why);
  nut_model_free(m);
  return status;
}
