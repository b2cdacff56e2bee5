/* The tools: models read, checked, explained, walked through. */

#include "base/source/source.h"
#include "base/vec.h"
#include "cli/common.h"
#include "cli/formats/formats.h"
#include "cli/mcp/mcp.h"
#include "cli/serve/model_rows.h"
#include <string.h>

/* More of a list is left out, and said to be. */
enum { ROWS_MOST = 500, TEXT_MOST = 20000, CHOICES_MOST = 10000 };

/* ---- arguments ---------------------------------------------------------- */

static const char *text_at(const json_t *j, const char *key)
{
  return json_string_value(json_object_get(j, key));
}

typedef VEC(const char *) word_list;

static void read_words(const json_t *j, const char *key, word_list *to)
{
  const json_t *one;
  size_t i;
  json_array_foreach(json_object_get(j, key), i, one)
      vec_push(to, json_string_value(one));
}

/* ---- opening ------------------------------------------------------------ */

void mcp_cancel(mcp_call *c)
{
  pthread_mutex_lock(&c->lock);
  c->cancelled = true;
  if (c->workspace)
    nut_cancel(c->workspace);
  pthread_mutex_unlock(&c->lock);
}

static void publish(mcp_call *c, nut_workspace *w)
{
  pthread_mutex_lock(&c->lock);
  c->workspace = w;
  if (w && c->cancelled)
    nut_cancel(w);
  pthread_mutex_unlock(&c->lock);
}

static nut_workspace *open_workspace(mcp_call *c)
{
  const json_t *a = c->arguments;
  nut_load load = nut_load_defaults();
  word_list given = {0};
  VEC(char *) macros = {0};
  arena *memory = arena_create();
  json_int_t megabytes = json_integer_value(json_object_get(a, "memory_mb"));
  read_words(a, "defines", &given);
  for (size_t i = 0; i < given.len; i++)
    vec_push(&macros, arena_printf(memory, "-D%s", given.data[i]));
  load.preprocessor = (const char *const *)macros.data;
  load.preprocessor_count = macros.len;
  load.language = text_at(a, "language");
  load.within = c->root;
  load.seconds = json_number_value(json_object_get(a, "seconds"));
  load.memory_bytes = (uint64_t)(megabytes ? megabytes : 2048) << 20;
  nut_workspace *w = nut_open_file(text_at(a, "file"), &load);
  vec_free(&macros);
  vec_free(&given);
  arena_destroy(memory);
  publish(c, w);
  if (!w)
    text_add(&c->problem, "there is not enough memory");
  return w;
}

static void close_workspace(mcp_call *c, nut_workspace *w)
{
  publish(c, NULL);
  nut_close(w);
}

/* The same for a model that must be good. */
static nut_workspace *open_good(mcp_call *c)
{
  nut_workspace *w = open_workspace(c);
  if (!w || nut_model_good(nut_workspace_model(w)))
    return w;
  text_add(&c->problem, nut_model_messages(nut_workspace_model(w)));
  close_workspace(c, w);
  return NULL;
}

/* ---- parts of answers --------------------------------------------------- */

static json_t *new_answer(void)
{
  return json_pack("{s:s,s:s}", "schema", MCP_SCHEMA, "version", nut_version());
}

/* Notes how much of a list was left out. */
static void put_left_out(json_t *j, const char *key, size_t all)
{
  if (all > ROWS_MOST)
    json_object_set_new(j, key, json_integer((json_int_t)(all - ROWS_MOST)));
}

/* The steps of a run; of a long one the last, which lead to the error. */
static void put_run(json_t *j, const nut_trace *t)
{
  json_t *list = json_array();
  size_t all = 0, number = 0, n = nut_trace_length(t);
  long loop = nut_trace_loop(t);
  for (size_t i = 0; i < n; i++)
    all += nut_trace_step(t, i).shown;
  for (size_t i = 0; i < n; i++) {
    if (!nut_trace_step(t, i).shown)
      continue;
    number++;
    if ((long)i == loop)
      json_object_set_new(j, "loop_begins_with",
                          json_integer((json_int_t)number));
    if (number + ROWS_MOST > all)
      json_array_append_new(list, row_of_step(t, i, number, ROWS_MOST));
  }
  json_object_set_new(j, "steps", list);
  put_left_out(j, "first_steps_left_out", all);
  row_put_text(j, "ending", nut_trace_ending(t));
}

static void put_state(json_t *j, nut_workspace *w, nut_state s)
{
  size_t count = 0;
  const nut_value *v = nut_values(w, s, &count);
  json_object_set_new(j, "values", rows_of_values(v, count, ROWS_MOST));
  put_left_out(j, "values_left_out", count);
  const nut_process *p = nut_processes(w, s, &count);
  json_object_set_new(j, "processes", rows_of_processes(p, count));
}

/* What cannot be executed in a state, and why. */
static void put_blocked(json_t *j, nut_workspace *w, nut_state s)
{
  size_t count = 0;
  json_object_set_new(j, "blocked", rows_of_blocked(w, s, ROWS_MOST, &count));
  put_left_out(j, "blocked_left_out", count);
}

/* ---- load --------------------------------------------------------------- */

json_t *mcp_load(mcp_call *c)
{
  nut_workspace *w = open_workspace(c);
  if (!w)
    return NULL;
  nut_model *m = nut_workspace_model(w);
  json_t *j = new_answer();
  json_object_set_new(j, "good", json_boolean(nut_model_good(m)));
  json_object_set_new(j, "language", json_shown(nut_model_language(m)));
  json_object_set_new(j, "diagnostics", rows_of_diagnostics(w, ROWS_MOST));
  if (!nut_model_good(m))
    row_put_text(j, "messages", nut_model_messages(m));
  json_object_set_new(j, "properties",
                      nut_model_good(m) ? rows_of_questions(w, ROWS_MOST)
                                        : json_array());
  nut_state s = nut_model_good(m) ? nut_initial(w) : 0;
  if (s)
    put_state(j, w, s);
  close_workspace(c, w);
  return j;
}

/* ---- check and explain -------------------------------------------------- */

static bool read_fairness(mcp_call *c, nut_options *o)
{
  static const struct {
    const char *word;
    nut_fair fair;
  } all[] = {
#define CHOICE(name, word) {word, name},
      NUT_FAIRS(CHOICE)
#undef CHOICE
  };
  const char *given = text_at(c->arguments, "fair");
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (!given || !strcmp(all[i].word, given)) {
      o->fair = all[i].fair;
      return true;
    }
  text_add(&c->problem, "'fair' is none, weak or strong");
  return false;
}

static nut_result *run_check(mcp_call *c, nut_workspace *w)
{
  nut_options o = nut_default_options();
  word_list ltl = {0}, invariants = {0};
  const char *property = text_at(c->arguments, "property");
  nut_result *r = NULL;
  read_words(c->arguments, "ltl", &ltl);
  read_words(c->arguments, "invariants", &invariants);
  o.ltl = ltl.data;
  o.ltl_count = ltl.len;
  o.invariants = invariants.data;
  o.invariant_count = invariants.len;
  o.properties = &property;
  o.property_count = property != NULL;
  o.shortest = json_is_true(json_object_get(c->arguments, "shortest"));
  if (read_fairness(c, &o)) {
    r = nut_check(nut_workspace_model(w), &o);
    if (!r)
      text_add(&c->problem, "there is not enough memory");
  }
  vec_free(&ltl);
  vec_free(&invariants);
  return r;
}

static json_t *property_row(const nut_result *r, size_t i)
{
  nut_property p = nut_result_property(r, i);
  json_t *j =
      json_pack("{s:o,s:o,s:s}", "name", json_shown(p.name), "kind",
                json_shown(p.kind), "verdict", nut_verdict_name(p.verdict));
  row_put_text(j, "formula", p.formula);
  row_put_text(j, "reason", p.reason);
  return j;
}

static void put_figures(json_t *j, const nut_result *r)
{
  nut_figures f = nut_result_figures(r);
  json_object_set_new(j, "figures",
                      json_pack("{s:I,s:I,s:I,s:f,s:I}", "states",
                                (json_int_t)f.states, "transitions",
                                (json_int_t)f.transitions, "depth",
                                (json_int_t)f.depth, "seconds", f.seconds,
                                "memory_bytes", (json_int_t)f.memory_bytes));
}

static void put_report(json_t *j, const nut_result *r)
{
  text whole = {0};
  nut_result_text(r, NUT_TEXT, (nut_style){0}, gather_text, &whole);
  if (whole.len > TEXT_MOST) {
    whole.len = TEXT_MOST;
    while (whole.len && whole.data[whole.len - 1] != '\n')
      whole.len--;
    whole.data[whole.len] = 0;
    text_add(&whole, "(the rest is left out)\n");
  }
  row_put_text(j, "report", text_string(&whole));
  text_free(&whole);
}

/* The verdict, with properties and figures; NULL: what was asked for is not
** there. */
static json_t *verdict_of(mcp_call *c, const nut_result *r)
{
  if (nut_result_verdict(r) == NUT_ERROR) {
    text_add(&c->problem, nut_result_messages(r));
    return NULL;
  }
  json_t *j = new_answer(), *rows = json_array();
  json_object_set_new(j, "verdict",
                      json_string(nut_verdict_name(nut_result_verdict(r))));
  row_put_text(j, "reason", nut_result_reason(r));
  json_object_set_new(j, "complete", json_boolean(nut_result_complete(r)));
  for (size_t i = 0; i < nut_result_property_count(r) && i < ROWS_MOST; i++)
    json_array_append_new(rows, property_row(r, i));
  json_object_set_new(j, "properties", rows);
  put_figures(j, r);
  return j;
}

/* The counterexample, and who waits for what where it ends. */
static void put_explanation(json_t *j, nut_workspace *w, const nut_result *r)
{
  const nut_trace *t = NULL;
  size_t i = 0;
  for (; i < nut_result_property_count(r); i++)
    if ((t = nut_result_trace(r, i, 0)))
      break;
  if (!t)
    return;
  row_put_text(j, "property", nut_result_property(r, i).name);
  put_run(j, t);
  nut_walk *walk = nut_walk_follow(w, t);
  nut_state last = walk ? nut_walk_state(walk, nut_walk_length(walk)) : 0;
  if (last) {
    put_state(j, w, last);
    put_blocked(j, w, last);
  }
  nut_walk_free(walk);
}

static json_t *check_with(mcp_call *c, bool explains)
{
  nut_workspace *w = open_good(c);
  nut_result *r = w ? run_check(c, w) : NULL;
  json_t *j = r ? verdict_of(c, r) : NULL;
  if (j && explains)
    put_explanation(j, w, r);
  else if (j)
    put_report(j, r);
  nut_result_free(r);
  close_workspace(c, w);
  return j;
}

json_t *mcp_check(mcp_call *c)
{
  return check_with(c, false);
}

json_t *mcp_explain(mcp_call *c)
{
  return check_with(c, true);
}

/* ---- step and replay ---------------------------------------------------- */

static void put_moves(json_t *j, nut_walk *walk)
{
  json_t *list = json_array();
  size_t count = nut_walk_choices(walk);
  for (size_t i = 0; i < count && i < ROWS_MOST; i++) {
    nut_move m = nut_walk_choice(walk, i);
    json_array_append_new(list, row_of_move(&m, i));
  }
  json_object_set_new(j, "moves", list);
  put_left_out(j, "moves_left_out", count);
}

/* Makes the choices; false: one of them is not there. */
static bool make_choices(mcp_call *c, nut_walk *walk)
{
  const json_t *choices = json_object_get(c->arguments, "choices"), *one;
  size_t i;
  if (json_array_size(choices) > CHOICES_MOST) {
    text_printf(&c->problem, "there are more than %d choices", CHOICES_MOST);
    return false;
  }
  json_array_foreach(choices, i, one)
  {
    json_int_t choice = json_integer_value(one);
    if ((size_t)choice < nut_walk_choices(walk) &&
        nut_walk_take(walk, (size_t)choice))
      continue;
    text_printf(&c->problem, "choice %zu: there is no move %lld", i + 1,
                (long long)choice);
    return false;
  }
  return true;
}

static json_t *tell_walk(nut_workspace *w, nut_walk *walk)
{
  json_t *j = new_answer();
  nut_state s = nut_walk_state(walk, nut_walk_length(walk));
  const nut_trace *t = nut_walk_trace(walk);
  if (t)
    put_run(j, t);
  json_object_set_new(j, "verdict",
                      json_string(nut_verdict_name(nut_walk_verdict(walk))));
  row_put_text(j, "ending", nut_walk_ending(walk));
  if (s) {
    put_state(j, w, s);
    put_blocked(j, w, s);
  }
  put_moves(j, walk);
  return j;
}

json_t *mcp_step(mcp_call *c)
{
  nut_workspace *w = open_good(c);
  nut_walk *walk = w ? nut_walk_start(w) : NULL;
  json_t *j = NULL;
  if (w && !walk)
    text_add(&c->problem, nut_problem(w));
  if (walk && make_choices(c, walk))
    j = tell_walk(w, walk);
  nut_walk_free(walk);
  close_workspace(c, w);
  return j;
}

/* The trace of the arguments, from the text or from a file; "" with the
** problem. */
static void read_trace(mcp_call *c, text *out)
{
  const char *given = text_at(c->arguments, "trace");
  const char *name = text_at(c->arguments, "trace_file"), *error = NULL;
  size_t length = 0;
  if (given || !name) {
    text_add(given ? out : &c->problem,
             given ? given : "'trace' or 'trace_file' must be given");
    return;
  }
  sources *files = sources_create();
  sources_confine(files, c->root);
  uint32_t file = source_read(files, name, &error);
  if (file) {
    const char *all = source_text(files, file, &length);
    text_add_bytes(out, all, length);
  } else {
    text_add(&c->problem, error);
  }
  sources_destroy(files);
}

json_t *mcp_replay(mcp_call *c)
{
  text trace = {0};
  read_trace(c, &trace);
  nut_workspace *w = c->problem.len ? NULL : open_good(c);
  nut_walk *walk =
      w ? nut_walk_replay(w, "trace", text_string(&trace), trace.len) : NULL;
  json_t *j = NULL;
  if (walk) {
    bool good = nut_outcome(w) == NUT_HOLDS;
    text problem = {0};
    text_add(&problem, nut_problem(w));
    j = tell_walk(w, walk);
    json_object_set_new(j, "fits", json_boolean(good));
    row_put_text(j, "problem", text_string(&problem));
    text_free(&problem);
  } else if (w) {
    text_add(&c->problem, nut_problem(w));
  }
  nut_walk_free(walk);
  close_workspace(c, w);
  text_free(&trace);
  return j;
}
