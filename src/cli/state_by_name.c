/* 'state': the initial state, or the one that is called so, with a way to it. */

#include "cli/common.h"
#include "cli/formats/formats.h"
#include "cli/output.h"
#include <string.h>

static json_t *values_array(nut_workspace *w, nut_state s)
{
  size_t count = 0;
  const nut_value *v = nut_values(w, s, &count);
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++) {
    json_t *j = json_object();
    json_put(j, "name", json_shown(v[i].name));
    json_put(j, "type", json_shown(v[i].type));
    json_put(j, "value", json_shown(v[i].text));
    json_array_append_new(list, j);
  }
  return list;
}

static json_t *choices_array(nut_walk *walk)
{
  size_t count = 0;
  const uint32_t *choices = nut_walk_path(walk, &count);
  json_t *list = json_array();
  for (size_t i = 0; choices && i < count; i++)
    json_array_append_new(list, json_integer(choices[i]));
  return list;
}

/* A state that was found, and why there may be others of its shortened name. */
typedef struct finding {
  nut_walk *walk;
  nut_state state;
  text unsure;
} finding;

static bool write_document(const options *o, nut_workspace *w, finding *f)
{
  text out = {0};
  json_t *j = json_object();
  const char *name = nut_state_name(w, f->state);
  json_put(j, "nutshell", json_shown(nut_version()));
  json_put(j, "command", json_shown(o->command->name));
  json_put(j, "file", json_shown(model_name(o)));
  json_put(j, "name", json_shown(name));
  json_put(j, "steps", json_integer((json_int_t)nut_walk_steps(f->walk)));
  json_put(j, "choices", choices_array(f->walk));
  json_put(j, "values", values_array(w, f->state));
  if (f->unsure.len)
    json_put(j, "unsure", json_shown(text_string(&f->unsure)));
  bool good =
      json_add_document(j, &out) && write_file(*o->json ? o->json : "-", &out);
  json_decref(j);
  text_free(&out);
  return good;
}

static void tell(const options *o, nut_workspace *w, finding *f)
{
  text out = {0};
  size_t steps = nut_walk_steps(f->walk);
  text_add(&out, nut_state_name(w, f->state));
  if (!o->quiet) {
    text_printf(&out, ", %zu step%s from the start\n", steps,
                steps == 1 ? "" : "s");
    nut_state_text(w, f->state, style_of(o), gather_text, &out);
  } else {
    text_add_char(&out, '\n');
  }
  say_text(&out);
  text_free(&out);
  if (f->unsure.len)
    note("%s", text_string(&f->unsure));
}

static int show(const options *o, nut_workspace *w, finding *f)
{
  f->state = nut_walk_state(f->walk, nut_walk_length(f->walk));
  const nut_trace *t = nut_walk_trace(f->walk);
  if (!f->state || !t || !nut_state_name(w, f->state))
    return tell_problem(w);
  if (o->json && !write_document(o, w, f))
    return STATUS_BAD;
  if (!o->json)
    tell(o, w, f);
  return write_traces(o, t, NULL, NULL) ? STATUS_HOLDS : STATUS_BAD;
}

int command_state(const options *o)
{
  int status = STATUS_BAD;
  nut_workspace *w = outputs_good(o) ? open_model(o, &status) : NULL;
  finding f = {0};
  if (!w)
    return status;
  f.walk =
      o->files.len > 1 ? nut_walk_find(w, o->files.data[1]) : nut_walk_start(w);
  if (f.walk && nut_outcome(w) == NUT_UNKNOWN)
    text_add(&f.unsure, nut_problem(w));
  status = f.walk ? show(o, w, &f) : tell_problem(w);
  text_free(&f.unsure);
  nut_walk_free(f.walk);
  nut_close(w);
  return status;
}
