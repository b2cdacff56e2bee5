/* 'replay': the choices in a file executed again, and told. */

#include "base/source/source.h"
#include "cli/common.h"
#include "cli/output.h"

/* Replays the trace file as it is; NULL after a complaint. */
static nut_walk *replay_file(nut_workspace *w, const char *path, int *status)
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

/* Tells the run, then what was wrong with it. */
static int tell(const options *o, nut_workspace *w, nut_walk *run, int status)
{
  text out = {0};
  const nut_trace *trace = nut_walk_trace(run);
  size_t steps = nut_walk_steps(run);
  if (!o->quiet)
    nut_trace_text(trace, NUT_TEXT, 0, style_of(o), gather_text, &out);
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
