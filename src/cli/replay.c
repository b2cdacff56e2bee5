/* 'replay': the choices in a file executed again, and told. */

#include "base/source/source.h"
#include "cli/common.h"
#include "cli/output.h"
#include <string.h>

nut_walk *replay_file(nut_workspace *w, const char *path, int *status)
{
  sources *files = sources_create();
  const char *error = NULL;
  size_t length = 0;
  nut_walk *run = NULL;
  uint32_t file = source_read(files, path, &error);
  if (file) {
    const char *content = source_text(files, file, &length);
    run = nut_walk_replay(w, path, content, length);
    *status = (int)nut_outcome(w);
    if (!run)
      tell_problem(w);
  } else {
    *status = complain("%s", error);
  }
  sources_destroy(files);
  return run;
}

option_list split_names(arena *a, const char *names)
{
  option_list list = {0};
  while (names && *names) {
    size_t n = strcspn(names, ",");
    if (n)
      vec_push(&list, arena_copy(a, names, n));
    names += n + (names[n] != 0);
  }
  return list;
}

/* The steps, or those that were asked for.  False after a complaint. */
static bool tell_steps(const options *o, const nut_trace *trace, text *out)
{
  nut_style style = style_of(o);
  if (!o->only && !o->from && !o->to_step && !o->show_state)
    return nut_trace_text(trace, NUT_TEXT, 0, style, gather_text, out);
  arena *a = arena_create();
  option_list names = split_names(a, o->only);
  nut_selection part = {names.data, names.len, o->from, o->to_step,
                        o->show_state};
  const char *unknown = NULL;
  bool good =
      nut_trace_part_text(trace, &part, style, gather_text, out, &unknown);
  if (unknown)
    complain("--only %s: the model has no process, channel or variable of this "
             "name",
             unknown);
  vec_free(&names);
  arena_destroy(a);
  return good || !unknown;
}

/* Tells the run, then what was wrong with it. */
static int tell(const options *o, nut_workspace *w, nut_walk *run, int status)
{
  text out = {0};
  const nut_trace *trace = nut_walk_trace(run);
  size_t steps = nut_walk_steps(run);
  if (!o->quiet && !tell_steps(o, trace, &out)) {
    text_free(&out);
    return STATUS_BAD;
  }
  text_printf(&out, "%s%zu step%s: %s\n", o->quiet ? "" : "\n", steps,
              steps == 1 ? "" : "s", nut_walk_ending(run));
  say_text(&out);
  text_free(&out);
  if (status != STATUS_HOLDS)
    tell_problem(w);
  return write_traces(o, trace, NULL, NULL) ? status : STATUS_BAD;
}

int command_replay(const options *o)
{
  int status = STATUS_BAD;
  nut_workspace *w = outputs_good(o) ? open_model(o, &status) : NULL;
  if (!w)
    return status;
  nut_walk *run = replay_file(w, o->files.data[1], &status);
  if (run)
    status = tell(o, w, run, status);
  nut_walk_free(run);
  nut_close(w);
  return status;
}
