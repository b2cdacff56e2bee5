/* 'diff': two versions of a model compared. */

#include "cli/common.h"
#include "cli/output.h"
#include <string.h>

/* The options with one of the two models. */
static nut_workspace *open_one(const options *o, size_t index, int *status)
{
  options one = *o;
  one.files.data = o->files.data + index;
  one.files.len = one.files.cap = 1;
  return open_model(&one, status);
}

static int report(const options *o, const nut_diff *d)
{
  text out = {0};
  int status = (int)nut_diff_verdict(d);
  if (status == STATUS_BAD)
    complain("%s", nut_diff_reason(d));
  bool to_output = o->json && (!*o->json || !strcmp(o->json, "-"));
  if (o->json && nut_diff_text(d, NUT_JSON, style_of(o), gather_text, &out)) {
    if (to_output)
      say_text(&out);
    else if (!write_file(o->json, &out))
      status = STATUS_BAD;
  }
  text_clear(&out);
  if (!to_output && status != STATUS_BAD &&
      nut_diff_text(d, NUT_TEXT, style_of(o), gather_text, &out))
    say_text(&out);
  text_free(&out);
  return status;
}

int command_diff(const options *o)
{
  int status = STATUS_BAD;
  arena *a = arena_create();
  option_list names = split_names(a, o->observe);
  nut_workspace *old = outputs_good(o) ? open_one(o, 0, &status) : NULL;
  nut_workspace *newer = old ? open_one(o, 1, &status) : NULL;
  if (newer) {
    nut_diff_options asked = {names.data, names.len, o->spec};
    nut_diff *d = nut_compare(old, newer, &asked);
    status = d ? report(o, d) : complain("out of memory");
    const char *kind;
    size_t changes;
    int only;
    const nut_trace *t = d ? nut_diff_trace(d, &only, &kind, &changes) : NULL;
    if (t && !write_traces(o, t, NULL, NULL))
      status = STATUS_BAD;
    nut_diff_free(d);
  }
  nut_close(newer);
  nut_close(old);
  vec_free(&names);
  arena_destroy(a);
  return status;
}
