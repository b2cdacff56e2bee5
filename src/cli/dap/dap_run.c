/* A run that one walks through: values and places at each of its steps. */

#include "base/alloc.h"
#include "base/source/source.h"
#include "cli/common.h"
#include "cli/dap/dap.h"
#include "cli/formats/formats.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- finding it --------------------------------------------------------- */

static bool lies_below(const char *path, const char *folder)
{
  size_t n = strlen(folder);
  return n && !strncmp(path, folder, n) && path[n] == '/';
}

/* The folder that was named; the current one, if the model lies below it; that
** of the model. */
static void choose_root(debug_run *r, const debug_launch *l)
{
  const char *slash = strrchr(l->model, '/');
  size_t n = slash ? (size_t)(slash - l->model) : 0;
  if (l->folder && strlen(l->folder) < sizeof r->root)
    snprintf(r->root, sizeof r->root, "%s", l->folder);
  else if (!getcwd(r->root, sizeof r->root) ||
           (slash && *l->model == '/' && !lies_below(l->model, r->root)))
    snprintf(r->root, sizeof r->root, "%.*s", (int)n, n ? l->model : "");
  if (!*r->root)
    snprintf(r->root, sizeof r->root, ".");
}

static nut_walk *walk_of_file(debug_run *r, const char *name, text *said)
{
  sources *files = sources_create();
  const char *error = NULL;
  size_t length = 0;
  sources_confine(files, r->root);
  uint32_t file = source_read(files, name, &error);
  nut_walk *walk = NULL;
  if (file) {
    const char *all = source_text(files, file, &length);
    walk = nut_walk_replay(r->workspace, name, all, length);
    if (!walk || nut_outcome(r->workspace) != NUT_HOLDS)
      text_add(said, nut_problem(r->workspace));
  } else {
    text_add(said, error);
  }
  sources_destroy(files);
  return walk;
}

/* The first counterexample of the properties asked for. */
static nut_walk *walk_of_check(debug_run *r, const debug_launch *l, text *said)
{
  nut_options o = nut_default_options();
  o.seconds = l->seconds;
  o.properties = &l->property;
  o.property_count = l->property != NULL;
  r->result = nut_check(nut_workspace_model(r->workspace), &o);
  if (!r->result || nut_result_verdict(r->result) == NUT_ERROR) {
    text_add(said, r->result ? nut_result_messages(r->result)
                             : "there is not enough memory");
    return NULL;
  }
  for (size_t i = 0; i < nut_result_property_count(r->result); i++) {
    const nut_trace *t = nut_result_trace(r->result, i, 0);
    if (!t)
      continue;
    nut_property p = nut_result_property(r->result, i);
    text_printf(said, "%s: %s, %s\n", p.name, nut_verdict_name(p.verdict),
                nut_trace_ending(t));
    return nut_walk_follow(r->workspace, t);
  }
  text_printf(said, "%s: there is no run to show\n",
              nut_verdict_name(nut_result_verdict(r->result)));
  return NULL;
}

bool run_open(debug_run *r, const debug_launch *l, text *said)
{
  nut_load load = nut_load_defaults();
  choose_root(r, l);
  load.seconds = l->seconds;
  load.within = r->root;
  r->workspace = nut_open_file(l->model, &load);
  nut_model *m = r->workspace ? nut_workspace_model(r->workspace) : NULL;
  if (!m || !nut_model_good(m)) {
    text_add(said, m ? nut_model_messages(m) : "there is not enough memory");
    return false;
  }
  r->walk =
      l->trace ? walk_of_file(r, l->trace, said) : walk_of_check(r, l, said);
  if (!r->walk)
    return false;
  nut_resume(r->workspace);
  r->length = nut_walk_length(r->walk);
  r->at = 0;
  return true;
}

void run_close(debug_run *r)
{
  nut_walk_free(r->walk);
  nut_result_free(r->result);
  nut_close(r->workspace);
  for (size_t i = 0; i < r->breakpoints.len; i++)
    mem_free_string(r->breakpoints.data[i].file);
  vec_free(&r->breakpoints);
  *r = (debug_run){0};
}

/* ---- moving ------------------------------------------------------------- */

const nut_trace *run_trace(const debug_run *r)
{
  return r->walk ? nut_walk_trace(r->walk) : NULL;
}

bool run_is_over(const debug_run *r)
{
  return r->at == r->length;
}

static bool is_shown(const debug_run *r, size_t i)
{
  return i >= r->length || nut_trace_step(run_trace(r), i).shown;
}

bool run_forward(debug_run *r)
{
  const nut_trace *t = run_trace(r);
  long loop = t ? nut_trace_loop(t) : -1;
  if (!t || (r->at == r->length && (loop < 0 || (size_t)loop >= r->length)))
    return false;
  r->at = r->at == r->length ? (size_t)loop : r->at + 1;
  while (!is_shown(r, r->at))
    r->at++;
  return true;
}

bool run_back(debug_run *r)
{
  size_t at = r->at;
  if (!run_trace(r))
    return false;
  while (at > 0) {
    at--;
    if (is_shown(r, at)) {
      r->at = at;
      return true;
    }
  }
  return false;
}

/* The statement that comes next, or was the last. */
static nut_step step_here(const debug_run *r)
{
  size_t i = r->at < r->length ? r->at : r->length - 1;
  return r->length ? nut_trace_step(run_trace(r), i) : (nut_step){0};
}

static bool names_same(const char *a, const char *b)
{
  const char *x = strrchr(a, '/'), *y = strrchr(b, '/');
  bool whole = *a == '/' && *b == '/';
  return !strcmp(whole || !x ? a : x + 1, whole || !y ? b : y + 1);
}

static bool at_breakpoint(const debug_run *r)
{
  nut_step s = step_here(r);
  if (run_is_over(r) || !s.file)
    return false;
  for (size_t i = 0; i < r->breakpoints.len; i++)
    if (r->breakpoints.data[i].line == s.line &&
        names_same(r->breakpoints.data[i].file, s.file))
      return true;
  return false;
}

bool run_on(debug_run *r, bool back)
{
  while (back ? run_back(r) : !run_is_over(r) && run_forward(r))
    if (at_breakpoint(r))
      return true;
  return false;
}

uint32_t run_process(const debug_run *r)
{
  return step_here(r).process;
}

void run_break(debug_run *r, const char *file, const json_t *lines)
{
  enum { MOST = 1000 };
  const json_t *one;
  size_t i, kept = 0;
  for (i = 0; i < r->breakpoints.len; i++)
    if (!strcmp(r->breakpoints.data[i].file, file))
      mem_free_string(r->breakpoints.data[i].file);
    else
      r->breakpoints.data[kept++] = r->breakpoints.data[i];
  r->breakpoints.len = kept;
  json_array_foreach(lines, i, one)
  {
    json_int_t line = json_integer_value(json_object_get(one, "line"));
    if (line > 0 && line < UINT32_MAX && r->breakpoints.len < MOST)
      vec_push(&r->breakpoints,
               ((breakpoint){mem_copy_string(file), (uint32_t)line}));
  }
}

/* ---- seeing ------------------------------------------------------------- */

/* The last state in which the run rests, here or before; the steps until
** there. */
static nut_state resting_state(debug_run *r, size_t *steps)
{
  nut_state s = 0;
  *steps = r->at;
  while (!(s = nut_walk_state(r->walk, *steps)) && *steps > 0)
    --*steps;
  return s;
}

json_t *run_threads(debug_run *r)
{
  json_t *list = json_array();
  size_t steps, count = 0;
  nut_state s = resting_state(r, &steps);
  const nut_process *p = s ? nut_processes(r->workspace, s, &count) : NULL;
  bool mover = !count;
  char name[300];
  for (size_t i = 0; i < count; i++) {
    snprintf(name, sizeof name, "%s(%u)", p[i].type, p[i].number);
    mover |= p[i].number == run_process(r);
    json_array_append_new(list, json_pack("{s:i,s:o}", "id", p[i].number + 1,
                                          "name", json_shown(name)));
  }
  /* One that was started inside of an atomic sequence. */
  nut_step now = step_here(r);
  if ((!count || !mover) && now.process_type) {
    snprintf(name, sizeof name, "%s(%u)", now.process_type, now.process);
    json_array_append_new(list, json_pack("{s:i,s:o}", "id", now.process + 1,
                                          "name", json_shown(name)));
  }
  return list;
}

static json_t *frame(uint32_t process, const char *what, const char *file,
                     uint32_t line, uint32_t column)
{
  json_t *j =
      json_pack("{s:i,s:o,s:i,s:i}", "id", process + 1, "name",
                json_shown(what), "line", line, "column", column ? column : 1);
  const char *slash = file ? strrchr(file, '/') : NULL;
  if (file && line)
    json_object_set_new(j, "source",
                        json_pack("{s:o,s:o}", "name",
                                  json_shown(slash ? slash + 1 : file), "path",
                                  json_shown(file)));
  return j;
}

json_t *run_frames(debug_run *r, uint32_t process)
{
  json_t *list = json_array();
  size_t steps, count = 0;
  nut_step now = step_here(r);
  char name[400];
  if (now.process == process && now.text) {
    snprintf(name, sizeof name, "%s(%u): %s", now.process_type, process,
             now.written);
    json_array_append_new(list,
                          frame(process, name, now.file, now.line, now.column));
    return list;
  }
  nut_state s = resting_state(r, &steps);
  const nut_process *p = s ? nut_processes(r->workspace, s, &count) : NULL;
  for (size_t i = 0; i < count; i++) {
    if (p[i].number != process)
      continue;
    snprintf(name, sizeof name, "%s(%u)%s%s", p[i].type, process,
             p[i].label ? ": " : "", p[i].label ? p[i].label : "");
    json_array_append_new(
        list, frame(process, name, p[i].at.file, p[i].at.line, p[i].at.column));
  }
  return list;
}

/* Whether the step changed the value, which was 'now'.  Of the one that moves,
** locals are called by their names alone. */
static bool is_changed(const nut_step *s, const nut_change *c,
                       const nut_value *v, const char *now)
{
  const char *colon = strchr(v->name, ':');
  bool own = v->process == (int32_t)s->process && colon;
  return !strcmp(c->name, own ? colon + 1 : v->name) && !strcmp(c->before, now);
}

/* What a value has become since the resting state, inside of a sequence. */
static const char *value_since(debug_run *r, size_t from, const nut_value *v)
{
  const nut_trace *t = run_trace(r);
  const char *now = v->text;
  for (size_t i = from; i < r->at; i++) {
    nut_step s = nut_trace_step(t, i);
    for (size_t k = 0; k < s.change_count; k++) {
      nut_change c = nut_trace_change(t, i, k);
      if (is_changed(&s, &c, v, now))
        now = c.after;
    }
  }
  return now;
}

json_t *run_values(debug_run *r, int32_t process)
{
  json_t *list = json_array();
  size_t steps, count = 0;
  nut_state s = resting_state(r, &steps);
  const nut_value *v = s ? nut_values(r->workspace, s, &count) : NULL;
  for (size_t i = 0; i < count; i++) {
    if (v[i].process != process)
      continue;
    const char *colon = process >= 0 ? strchr(v[i].name, ':') : NULL;
    json_array_append_new(
        list, json_pack("{s:o,s:o,s:o,s:i}", "name",
                        json_shown(colon ? colon + 1 : v[i].name), "value",
                        json_shown(value_since(r, steps, &v[i])), "type",
                        json_shown(v[i].type), "variablesReference", 0));
  }
  return list;
}

json_t *run_changes(debug_run *r)
{
  json_t *list = json_array();
  const nut_trace *t = run_trace(r);
  text value = {0};
  for (size_t k = 0; r->at && k < nut_trace_step(t, r->at - 1).change_count;
       k++) {
    nut_change c = nut_trace_change(t, r->at - 1, k);
    text_clear(&value);
    text_printf(&value, "%s -> %s", c.before, c.after);
    json_array_append_new(list,
                          json_pack("{s:o,s:o,s:i}", "name", json_shown(c.name),
                                    "value", json_shown(text_string(&value)),
                                    "variablesReference", 0));
  }
  text_free(&value);
  return list;
}

bool run_evaluate(debug_run *r, const char *expression, text *value)
{
  size_t steps, count = 0;
  int32_t number;
  nut_state s = resting_state(r, &steps);
  const nut_value *v = s ? nut_values(r->workspace, s, &count) : NULL;
  for (size_t i = 0; i < count; i++)
    if (!strcmp(v[i].name, expression)) {
      text_add(value, value_since(r, steps, &v[i]));
      return true;
    }
  if (!s || steps != r->at) {
    text_add(value, "this can be said between statements that are states only");
    return false;
  }
  if (!nut_evaluate(r->workspace, s, expression, &number)) {
    text_add(value, nut_problem(r->workspace));
    return false;
  }
  text_printf(value, "%d", number);
  return true;
}
