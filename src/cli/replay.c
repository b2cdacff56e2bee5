/* 'replay': the choices in a file executed again, and told. */

#include "base/source/source.h"
#include "cli/common.h"
#include "cli/formats/formats.h"
#include "cli/output.h"
#include "cli/serve/model_rows.h"
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

static void complain_only(const char *unknown)
{
  complain("--only %s: the model has no process, channel or variable of this "
           "name",
           unknown ? unknown : "");
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
    complain_only(unknown);
  vec_free(&names);
  arena_destroy(a);
  return good || !unknown;
}

/* ---- as JSON ------------------------------------------------------------ */

static json_t *values_after(nut_walk *run, size_t steps)
{
  size_t count = 0;
  const nut_value *v = nut_walk_values(run, steps, &count);
  json_t *j = json_object();
  for (size_t i = 0; i < count; i++)
    json_put(j, v[i].name, json_shown(v[i].text));
  return j;
}

/* Leaves the steps that were asked for.  False after a complaint. */
static bool leave_part(const options *o, const nut_trace *trace, json_t *j)
{
  arena *a = arena_create();
  option_list names = split_names(a, o->only);
  nut_selection part = {names.data, names.len, o->from, o->to_step, false};
  const char *unknown = NULL;
  size_t count = 0;
  size_t *chosen = nut_trace_select(trace, &part, &count, &unknown);
  const json_t *all = json_object_get(j, "steps");
  json_t *kept = json_array();
  for (size_t i = 0; chosen && i < count; i++)
    json_array_append(kept, json_array_get(all, chosen[i]));
  json_put(j, "steps", kept);
  bool good = chosen;
  if (!good)
    complain_only(unknown);
  nut_selected_free(chosen, count);
  vec_free(&names);
  arena_destroy(a);
  return good;
}

/* What cannot be executed after so many steps, and why; null inside of an atomic
** sequence. */
static json_t *blocked_after(nut_workspace *w, nut_walk *run, size_t steps)
{
  nut_state s = nut_walk_state(run, steps);
  return s ? rows_of_blocked(w, s, SIZE_MAX, NULL) : json_null();
}

/* The trace as '--trace' writes it, with all values after each step; with
** '--state' also what is blocked there. */
static bool write_values(const options *o, nut_workspace *w, nut_walk *run)
{
  const nut_trace *trace = nut_walk_trace(run);
  text out = {0};
  json_t *j = NULL, *step;
  size_t i;
  if (trace &&
      nut_trace_text(trace, NUT_JSON, 0, style_of(o), gather_text, &out))
    j = json_loadb(text_string(&out), out.len, 0, NULL);
  text_clear(&out);
  json_put(j, "initial", values_after(run, 0));
  json_array_foreach(json_object_get(j, "steps"), i, step)
  {
    json_put(step, "values", values_after(run, i + 1));
    if (o->show_state)
      json_put(step, "blocked", blocked_after(w, run, i + 1));
  }
  bool good =
      j && (!(o->only || o->from || o->to_step) || leave_part(o, trace, j)) &&
      json_add_document(j, &out) && write_file(*o->json ? o->json : "-", &out);
  json_decref(j);
  text_free(&out);
  return good;
}

/* ---- the command -------------------------------------------------------- */

/* Tells the run, then what was wrong with it. */
static int tell(const options *o, nut_workspace *w, nut_walk *run, int status)
{
  text out = {0};
  const nut_trace *trace = nut_walk_trace(run);
  size_t steps = nut_walk_steps(run);
  bool told = o->json && !*o->json; /* the standard output is taken */
  if (!trace)
    return tell_problem(w);
  if (o->json && !write_values(o, w, run))
    return STATUS_BAD;
  if (!o->quiet && !told && !tell_steps(o, trace, &out)) {
    text_free(&out);
    return STATUS_BAD;
  }
  text_printf(&out, "%s%zu step%s: %s\n", o->quiet ? "" : "\n", steps,
              steps == 1 ? "" : "s", nut_walk_ending(run));
  if (!told)
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
