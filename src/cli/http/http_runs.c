/* Runs of the page: walks that grow, counterexamples and traces replayed, with
** their steps in windows, the state after any of them, and a search in them. */

#include "base/alloc.h"
#include "base/random.h"
#include "cli/common.h"
#include "cli/formats/formats.h"
#include "cli/http/http.h"
#include "cli/serve/model_rows.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 5000, WINDOW_MOST = 2000, WALK_MOST = 1000000 };

void http_run_free(http_run *r)
{
  nut_walk_free(r->walk);
  vec_free(&r->shown);
  vec_free(&r->folded);
  json_decref(r->about);
  mem_free(r, sizeof *r);
}

static http_run *find_run(http_model *m, const char *id)
{
  for (size_t i = 0; i < m->runs.len; i++)
    if (!strcmp(m->runs.data[i]->id, id))
      return m->runs.data[i];
  return NULL;
}

/* Takes over the walk; the oldest run goes when there are too many. */
static http_run *add_run(http_server *s, http_model *m, nut_walk *walk)
{
  http_run *r = mem_alloc(sizeof *r);
  *r = (http_run){.walk = walk};
  pthread_mutex_lock(&s->lock);
  snprintf(r->id, sizeof r->id, "%llu", (unsigned long long)++s->next);
  pthread_mutex_unlock(&s->lock);
  if (m->runs.len == HTTP_RUNS_MOST) {
    http_run_free(m->runs.data[0]);
    for (size_t i = 1; i < m->runs.len; i++)
      m->runs.data[i - 1] = m->runs.data[i];
    m->runs.len--;
  }
  vec_push(&m->runs, r);
  return r;
}

/* ---- what a run is ------------------------------------------------------ */

/* Finds out which steps have numbers, unless that is known. */
static void find_shown(http_run *r)
{
  const nut_trace *t = nut_walk_trace(r->walk);
  size_t n = t ? nut_trace_length(t) : 0;
  if (r->shown.len && r->shown_length == n)
    return;
  vec_clear(&r->shown);
  for (size_t i = 0; i < n; i++)
    if (nut_trace_step(t, i).shown)
      vec_push(&r->shown, (uint32_t)i);
  r->shown_length = n;
}

/* The number of steps that are shown when the first 'length' were made. */
static size_t number_at(http_run *r, size_t length)
{
  size_t low = 0, high = r->shown.len;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (r->shown.data[middle] < length)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* How many steps of the walk there are when so many numbered ones were made:
** what follows without a number belongs to the last of them. */
static size_t length_at(const http_run *r, size_t number)
{
  return number < r->shown.len ? r->shown.data[number]
                               : nut_walk_length(r->walk);
}

static json_t *tell_run(http_run *r)
{
  find_shown(r);
  const nut_trace *t = nut_walk_trace(r->walk);
  long loop = t ? nut_trace_loop(t) : -1;
  json_t *j = json_pack("{s:s,s:I,s:s,s:o}", "id", r->id, "length",
                        (json_int_t)r->shown.len, "verdict",
                        nut_verdict_name(nut_walk_verdict(r->walk)), "ending",
                        json_shown(nut_walk_ending(r->walk)));
  json_put(j, "loop",
           loop < 0 ? json_null()
                    : json_integer((json_int_t)number_at(r, (size_t)loop)));
  if (r->about)
    json_object_set(j, "about", r->about);
  if (r->replayed)
    json_put(j, "replayed", json_true());
  if (r->folded.len)
    json_put(j, "explained", json_true());
  row_put_text(j, "problem", r->problem);
  return j;
}

/* ---- states ------------------------------------------------------------- */

static json_t *moves_of(nut_workspace *w, nut_state s)
{
  size_t count = 0;
  json_t *list = json_array();
  const nut_move *m = nut_moves(w, s, &count);
  for (size_t i = 0; i < count && i < ROWS_MOST; i++) {
    json_t *row = row_of_move(&m[i], i);
    if (m[i].target)
      json_put(row, "target", json_string(nut_state_name(w, m[i].target)));
    json_array_append_new(list, row);
  }
  return list;
}

void http_put_state(json_t *j, nut_workspace *w, nut_state s)
{
  size_t count = 0;
  json_put(j, "name", json_string(nut_state_name(w, s)));
  const nut_value *v = nut_values(w, s, &count);
  json_put(j, "values", rows_of_values(v, count, ROWS_MOST));
  const nut_process *p = nut_processes(w, s, &count);
  json_put(j, "processes", rows_of_processes(p, count));
  json_put(j, "moves", moves_of(w, s));
  json_put(j, "blocked", rows_of_blocked(w, s, ROWS_MOST, NULL));
}

/* The state after so many numbered steps; inside of an atomic sequence it has no
** name, and nothing can be chosen. */
static json_t *state_of_run(nut_workspace *w, http_run *r, size_t number)
{
  json_t *j = json_object();
  size_t count = 0, length = length_at(r, number);
  nut_state s = nut_walk_state(r->walk, length);
  json_put(j, "at", json_integer((json_int_t)number));
  json_put(j, "rests", json_boolean(s));
  if (s) {
    http_put_state(j, w, s);
    return j;
  }
  const nut_value *v = nut_walk_values(r->walk, length, &count);
  json_put(j, "values", rows_of_values(v, count, ROWS_MOST));
  const nut_process *p = nut_walk_processes(r->walk, length, &count);
  json_put(j, "processes", rows_of_processes(p, count));
  json_put(j, "moves", json_array());
  json_put(j, "blocked", json_array());
  return j;
}

/* The run, and the state at its end: what most calls answer. */
static void answer_run(http_model *m, http_run *r, http_answer *a)
{
  a->body = tell_run(r);
  json_put(a->body, "state", state_of_run(m->workspace, r, r->shown.len));
}

/* ---- making one --------------------------------------------------------- */

typedef struct following {
  nut_workspace *workspace;
  nut_walk *walk;
  json_t *about;
  VEC(uint8_t) folded;
} following;

static void follow(void *what, const nut_result *result, const nut_trace *t)
{
  following *f = what;
  bool explained = false;
  f->walk = nut_walk_follow(f->workspace, t);
  for (size_t i = 0; i < nut_trace_length(t); i++) {
    bool folded = nut_trace_step(t, i).folded;
    vec_push(&f->folded, folded);
    explained |= folded;
  }
  if (!explained)
    vec_clear(&f->folded);
  (void)result;
}

static nut_walk *walk_of_check(http_server *s, http_model *m, const json_t *b,
                               following *f, http_answer *a)
{
  size_t property = (size_t)json_integer_value(json_object_get(b, "property"));
  size_t trace = (size_t)json_integer_value(json_object_get(b, "trace_number"));
  const char *id = http_text(b, "check");
  f->workspace = m->workspace;
  if (!http_check_trace(s, id, property, trace, follow, f))
    http_refuse(a, 404, "there is no such check, or it has no such run");
  else if (!f->walk)
    http_refuse(a, 422, "%s", nut_problem(m->workspace));
  else
    f->about =
        json_pack("{s:s,s:I}", "check", id, "property", (json_int_t)property);
  return f->walk;
}

/* Makes the choices of the body; false after a refusal. */
static bool take_choices(nut_workspace *w, nut_walk *walk,
                         const json_t *choices, http_answer *a)
{
  const json_t *one;
  size_t i;
  json_array_foreach(choices, i, one)
  {
    json_int_t choice = json_is_integer(one) ? json_integer_value(one) : -1;
    if (choice < 0 || (size_t)choice >= nut_walk_choices(walk)) {
      http_refuse(a, 409, "step %zu: there is no choice %lld here", i + 1,
                  (long long)choice);
      return false;
    }
    if (!nut_walk_take(walk, (size_t)choice)) {
      http_refuse(a, 422, "%s", nut_problem(w));
      return false;
    }
  }
  return true;
}

static nut_walk *walk_of_run(http_model *m, const json_t *b, http_answer *a)
{
  http_run *from = find_run(m, http_text(b, "run"));
  const json_t *at = json_object_get(b, "at");
  if (!from) {
    http_refuse(a, 404, "there is no run of this name");
    return NULL;
  }
  find_shown(from);
  size_t number = json_is_integer(at) && json_integer_value(at) >= 0
                      ? (size_t)json_integer_value(at)
                      : from->shown.len;
  nut_walk *walk = nut_walk_continue(from->walk, length_at(from, number));
  if (!walk)
    http_refuse(a, 422, "%s", nut_problem(m->workspace));
  return walk;
}

static nut_walk *walk_of_text(http_model *m, const json_t *trace,
                              http_answer *a, char problem[300])
{
  nut_walk *walk =
      nut_walk_replay(m->workspace, "the trace", json_string_value(trace),
                      json_string_length(trace));
  if (!walk)
    http_refuse(a, 422, "%s", nut_problem(m->workspace));
  else if (nut_outcome(m->workspace) != NUT_HOLDS)
    snprintf(problem, 300, "%s", nut_problem(m->workspace));
  return walk;
}

static nut_walk *new_walk(http_server *s, http_model *m, const json_t *b,
                          following *f, char problem[300], http_answer *a)
{
  nut_walk *walk = NULL;
  if (http_text(b, "check"))
    return walk_of_check(s, m, b, f, a);
  if (http_text(b, "trace"))
    return walk_of_text(m, json_object_get(b, "trace"), a, problem);
  if (http_text(b, "run"))
    return walk_of_run(m, b, a);
  walk = http_text(b, "find")
             ? nut_walk_find(m->workspace, http_text(b, "find"))
             : nut_walk_start(m->workspace);
  nut_verdict went = nut_outcome(m->workspace);
  if (!walk)
    http_refuse(a, went == NUT_ERROR ? 400 : 422, "%s",
                nut_problem(m->workspace));
  else if (went == NUT_UNKNOWN) /* there may be others of this name */
    snprintf(problem, 300, "%s", nut_problem(m->workspace));
  return walk;
}

static void make_run(http_server *s, http_model *m, const http_request *q,
                     http_answer *a)
{
  static const char *const names[] = {"choices",  "trace",        "check",
                                      "property", "trace_number", "run",
                                      "at",       "find",         NULL};
  following f = {0};
  char problem[300] = "";
  const json_t *choices = json_object_get(q->body, "choices");
  if (!http_fields(q, a, names))
    return;
  nut_walk *walk = new_walk(s, m, q->body, &f, problem, a);
  if (walk && !take_choices(m->workspace, walk, choices, a)) {
    nut_walk_free(walk);
    walk = NULL;
  }
  if (walk) {
    http_run *r = add_run(s, m, walk);
    r->about = f.about;
    for (size_t i = 0; i < f.folded.len; i++)
      vec_push(&r->folded, f.folded.data[i]);
    r->replayed = http_text(q->body, "check") || http_text(q->body, "trace");
    snprintf(r->problem, sizeof r->problem, "%s", problem);
    answer_run(m, r, a);
  } else {
    json_decref(f.about);
  }
  vec_free(&f.folded);
}

/* ---- going on ----------------------------------------------------------- */

static void take(http_model *m, http_run *r, const http_request *q,
                 http_answer *a)
{
  static const char *const names[] = {"choices", NULL};
  if (http_fields(q, a, names) &&
      take_choices(m->workspace, r->walk, json_object_get(q->body, "choices"),
                   a))
    answer_run(m, r, a);
}

static void undo(http_model *m, http_run *r, http_answer *a)
{
  if (nut_walk_undo(r->walk))
    answer_run(m, r, a);
  else
    http_refuse(a, 409, "there is nothing to undo");
}

/* By chance, for so many steps or until an expression is true (then 1 is
** returned); -1 after a refusal. */
static int go_by_chance(http_model *m, http_run *r, const json_t *b,
                        http_answer *a)
{
  json_int_t steps = json_integer_value(json_object_get(b, "steps"));
  const char *until = http_text(b, "until");
  random_state chance;
  int32_t value = 0;
  random_seed(&chance,
              (uint64_t)json_integer_value(json_object_get(b, "seed")));
  if (steps < 1 || steps > WALK_MOST) {
    http_refuse(a, 400, "'steps' is a number up to %d", WALK_MOST);
    return -1;
  }
  for (json_int_t i = 0; i < steps && !value; i++) {
    size_t choices = nut_walk_choices(r->walk);
    if (!choices || nut_is_due(m->workspace) ||
        !nut_walk_take(r->walk, random_below(&chance, choices)))
      break;
    nut_state s = until ? nut_walk_state(r->walk, nut_walk_length(r->walk)) : 0;
    if (s && !nut_evaluate(m->workspace, s, until, &value)) {
      http_refuse(a, 400, "%s", nut_problem(m->workspace));
      return -1;
    }
  }
  return value != 0;
}

/* By a shortest way, to a state in which an expression is true. */
static int go_shortest(http_model *m, http_run *r, const char *until,
                       http_answer *a)
{
  if (!until) {
    http_refuse(a, 400, "'until' must be given");
    return -1;
  }
  if (nut_walk_reach(r->walk, until))
    return 1;
  if (nut_outcome(m->workspace) != NUT_ERROR)
    return 0;
  http_refuse(a, 400, "%s", nut_problem(m->workspace));
  return -1;
}

static void go_on(http_model *m, http_run *r, const http_request *q,
                  http_answer *a)
{
  static const char *const names[] = {"steps", "seed", "until", "shortest",
                                      NULL};
  const char *until = http_text(q->body, "until");
  bool shortest = json_is_true(json_object_get(q->body, "shortest"));
  if (!http_fields(q, a, names))
    return;
  int reached =
      shortest ? go_shortest(m, r, until, a) : go_by_chance(m, r, q->body, a);
  text why = {0};
  if (reached < 0)
    return;
  if (shortest && !reached)
    text_add(&why, nut_problem(m->workspace));
  answer_run(m, r, a);
  if (until)
    json_put(a->body, "reached", json_boolean(reached));
  if (why.len)
    json_put(a->body, "because", json_shown(text_string(&why)));
  text_free(&why);
}

/* ---- looking at it ------------------------------------------------------ */

static json_t *step_row(const http_run *r, const nut_trace *t, size_t number)
{
  size_t index = r->shown.data[number];
  nut_step s = nut_trace_step(t, index);
  json_t *j = row_of_step(t, index, number + 1, ROWS_MOST);
  if (s.answers)
    json_put(j, "answers", json_true());
  if (s.number >= 0)
    json_put(j, "statement", json_integer(s.number));
  if (index < r->folded.len && r->folded.data[index])
    json_put(j, "folded", json_true());
  return j;
}

/* What the steps inside of a sequence changed that have no number. */
static void add_hidden_changes(const http_run *r, const nut_trace *t,
                               size_t number, json_t *row)
{
  size_t end = length_at(r, number + 1);
  for (size_t i = r->shown.data[number] + 1; i < end; i++)
    for (size_t k = 0; k < nut_trace_step(t, i).change_count; k++) {
      nut_change c = nut_trace_change(t, i, k);
      json_array_append_new(
          json_object_get(row, "changes"),
          json_pack("{s:o,s:o,s:o}", "name", json_shown(c.name), "before",
                    json_shown(c.before), "after", json_shown(c.after)));
    }
}

static void tell_steps(http_run *r, const http_request *q, http_answer *a)
{
  const nut_trace *t = nut_walk_trace(r->walk);
  uint64_t from = http_number(q, "from", 0);
  uint64_t count = http_number(q, "count", WINDOW_MOST);
  json_t *list = json_array();
  find_shown(r);
  if (count > WINDOW_MOST)
    count = WINDOW_MOST;
  for (uint64_t i = from; t && i < r->shown.len && i - from < count; i++) {
    json_t *row = step_row(r, t, (size_t)i);
    add_hidden_changes(r, t, (size_t)i, row);
    if (nut_walk_state(r->walk, length_at(r, (size_t)i + 1)))
      json_put(row, "rests", json_true());
    json_array_append_new(list, row);
  }
  a->body = json_pack("{s:I,s:I,s:o}", "from", (json_int_t)from, "length",
                      (json_int_t)r->shown.len, "steps", list);
}

static void tell_state(http_model *m, http_run *r, const http_request *q,
                       http_answer *a)
{
  find_shown(r);
  uint64_t at = http_number(q, "at", r->shown.len);
  if (at > r->shown.len)
    http_refuse(a, 404, "the run is not that long");
  else
    a->body = state_of_run(m->workspace, r, (size_t)at);
}

/* Numbers of the steps that a filter leaves: processes, variables, channels. */
static void tell_selected(http_run *r, const http_request *q, http_answer *a)
{
  arena *memory = arena_create();
  option_list names = split_names(memory, q->query(q->context, "only"));
  nut_selection part = {.only = names.data, .only_count = names.len};
  const nut_trace *t = nut_walk_trace(r->walk);
  const char *unknown = NULL;
  size_t count = 0;
  size_t *found = t ? nut_trace_select(t, &part, &count, &unknown) : NULL;
  find_shown(r);
  if (!found) {
    http_refuse(a, 400, "the model has no process, channel or variable '%s'",
                unknown ? unknown : "");
  } else {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
      json_array_append_new(
          list, json_integer((json_int_t)number_at(r, found[i] + 1)));
    a->body = json_pack("{s:o}", "numbers", list);
  }
  nut_selected_free(found, count);
  vec_free(&names);
  arena_destroy(memory);
}

/* Numbers of the steps that matter, when somebody has explained the run. */
static void tell_matters(http_run *r, http_answer *a)
{
  json_t *list = json_array();
  find_shown(r);
  for (size_t i = 0; i < r->shown.len; i++)
    if (r->shown.data[i] >= r->folded.len || !r->folded.data[r->shown.data[i]])
      json_array_append_new(list, json_integer((json_int_t)i + 1));
  a->body = json_pack("{s:o}", "numbers", list);
}

/* Names of the states that it rests in, each with the number of steps before. */
static void tell_names(http_model *m, http_run *r, const http_request *q,
                       http_answer *a)
{
  uint64_t from = http_number(q, "from", 0);
  json_t *list = json_array();
  find_shown(r);
  for (uint64_t i = from; i <= r->shown.len && i - from < WINDOW_MOST; i++) {
    nut_state s = nut_walk_state(r->walk, length_at(r, (size_t)i));
    if (s)
      json_array_append_new(list,
                            json_pack("{s:I,s:s}", "at", (json_int_t)i, "name",
                                      nut_state_name(m->workspace, s)));
  }
  a->body = json_pack("{s:o}", "names", list);
}

/* The processes that move in it, in the order in which they do: its lanes. */
static void tell_lanes(http_run *r, http_answer *a)
{
  const nut_trace *t = nut_walk_trace(r->walk);
  json_t *list = json_array();
  VEC(uint32_t) seen = {0};
  find_shown(r);
  for (size_t i = 0; t && i < r->shown.len; i++) {
    nut_step s = nut_trace_step(t, r->shown.data[i]);
    size_t k = 0;
    while (k < seen.len && seen.data[k] != s.process)
      k++;
    if (k < seen.len)
      continue;
    vec_push(&seen, s.process);
    json_array_append_new(list, json_pack("{s:i,s:o}", "process", s.process,
                                          "process_type",
                                          json_shown(s.process_type)));
  }
  vec_free(&seen);
  a->body = json_pack("{s:o}", "lanes", list);
}

/* The first step, from a number on, after which an expression is true. */
static void find_step(http_model *m, http_run *r, const http_request *q,
                      http_answer *a)
{
  const char *expression = q->query(q->context, "expression");
  find_shown(r);
  uint64_t i = http_number(q, "from", 0);
  for (; expression && i <= r->shown.len; i++) {
    int32_t value = 0;
    nut_state s = nut_walk_state(r->walk, length_at(r, (size_t)i));
    if (s && !nut_evaluate(m->workspace, s, expression, &value)) {
      http_refuse(a, 400, "%s", nut_problem(m->workspace));
      return;
    }
    if (s && value)
      break;
  }
  if (!expression)
    http_refuse(a, 400, "'expression' must be given");
  else
    a->body = json_pack("{s:o}", "at",
                        i <= r->shown.len ? json_integer((json_int_t)i)
                                          : json_null());
}

/* What expressions are worth after so many steps. */
static void evaluate(http_model *m, http_run *r, const http_request *q,
                     http_answer *a)
{
  static const char *const names[] = {"at", "expressions", NULL};
  const json_t *one, *list = json_object_get(q->body, "expressions");
  json_int_t at = json_integer_value(json_object_get(q->body, "at"));
  json_t *found = json_array();
  size_t i;
  find_shown(r);
  nut_state s = at < 0 ? 0 : nut_walk_state(r->walk, length_at(r, (size_t)at));
  json_array_foreach(list, i, one)
  {
    int32_t value;
    const char *expression = json_string_value(one);
    if (s && expression && nut_evaluate(m->workspace, s, expression, &value))
      json_array_append_new(found, json_pack("{s:i}", "value", value));
    else
      json_array_append_new(
          found, json_pack("{s:o}", "problem",
                           json_shown(s ? nut_problem(m->workspace)
                                        : "not between statements")));
  }
  if (http_fields(q, a, names))
    a->body = json_pack("{s:o}", "values", found);
  else
    json_decref(found);
}

static void tell_path(http_model *m, http_run *r, const http_request *q,
                      http_answer *a)
{
  size_t count = 0;
  find_shown(r);
  nut_walk *part = nut_walk_continue(
      r->walk, length_at(r, http_number(q, "at", r->shown.len)));
  const uint32_t *choices = part ? nut_walk_path(part, &count) : NULL;
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, json_integer(choices ? choices[i] : 0));
  if (part && (choices || !count)) {
    a->body = json_pack("{s:o}", "choices", list);
  } else {
    json_decref(list);
    http_refuse(a, 422, "%s", nut_problem(m->workspace));
  }
  nut_walk_free(part);
}

static void export(http_run *r, const http_request *q, http_answer *a)
{
  static const struct {
    const char *word, *type;
    nut_format format;
  } all[] = {{"json", "application/json", NUT_JSON},
             {"trail", "text/plain; charset=utf-8", NUT_TRAIL},
             {"text", "text/plain; charset=utf-8", NUT_TEXT},
             {"mermaid", "text/plain; charset=utf-8", NUT_MERMAID},
             {"svg", "image/svg+xml", NUT_SVG}};
  const char *given = q->query(q->context, "format");
  const nut_trace *t = nut_walk_trace(r->walk);
  nut_style style = {.verbose = http_number(q, "verbose", 0)};
  for (size_t i = 0; given && t && i < sizeof all / sizeof all[0]; i++) {
    if (strcmp(all[i].word, given) != 0)
      continue;
    a->type = all[i].type;
    if (!nut_trace_text(t, all[i].format, 0, style, gather_text, &a->bytes))
      http_refuse(a, 422, "this run cannot be written so");
    return;
  }
  http_refuse(a, 400, "'format' is json, trail, text, mermaid or svg");
}

static void draw(http_model *m, http_run *r, const http_request *q,
                 http_answer *a)
{
  const char *what = q->query(q->context, "what");
  bool states = what && !strcmp(what, "states");
  text out = {0};
  if (nut_draw_run(r->walk, states ? NUT_DRAW_STATES : NUT_DRAW_PROCESSES,
                   gather_text, &out))
    a->body = json_pack("{s:o}", "dot", json_lines(text_string(&out)));
  else
    http_refuse(a, 422, "%s", nut_problem(m->workspace));
  text_free(&out);
}

/* ---- routes ------------------------------------------------------------- */

static void get_request(http_model *m, http_run *r, const http_request *q,
                        http_answer *a)
{
  const char *what = q->part_count > 4 ? q->parts[4] : "";
  if (!*what)
    answer_run(m, r, a);
  else if (!strcmp(what, "steps"))
    tell_steps(r, q, a);
  else if (!strcmp(what, "state"))
    tell_state(m, r, q, a);
  else if (!strcmp(what, "select"))
    tell_selected(r, q, a);
  else if (!strcmp(what, "matters"))
    tell_matters(r, a);
  else if (!strcmp(what, "names"))
    tell_names(m, r, q, a);
  else if (!strcmp(what, "lanes"))
    tell_lanes(r, a);
  else if (!strcmp(what, "find"))
    find_step(m, r, q, a);
  else if (!strcmp(what, "path"))
    tell_path(m, r, q, a);
  else if (!strcmp(what, "export"))
    export(r, q, a);
  else if (!strcmp(what, "drawing"))
    draw(m, r, q, a);
  else
    http_refuse(a, 404, "there is nothing of this name");
}

static void post_request(http_model *m, http_run *r, const http_request *q,
                         http_answer *a)
{
  const char *what = q->part_count > 4 ? q->parts[4] : "";
  if (strcmp(what, "evaluate") != 0)
    r->shown_length = SIZE_MAX; /* the steps are to be looked at again */
  if (!strcmp(what, "take"))
    take(m, r, q, a);
  else if (!strcmp(what, "undo"))
    undo(m, r, a);
  else if (!strcmp(what, "go"))
    go_on(m, r, q, a);
  else if (!strcmp(what, "evaluate"))
    evaluate(m, r, q, a);
  else
    http_refuse(a, 404, "there is nothing of this name");
}

void http_runs_request(http_server *s, const http_request *q, http_answer *a)
{
  bool post = !strcmp(q->method, "POST"), get = !strcmp(q->method, "GET");
  http_model *m = http_model_take(s, q->parts[1], a);
  if (!m)
    return;
  http_run *r = q->part_count > 3 ? find_run(m, q->parts[3]) : NULL;
  if (q->part_count == 3 && post)
    make_run(s, m, q, a);
  else if (q->part_count > 3 && !r)
    http_refuse(a, 404, "there is no run of this name");
  else if (r && get)
    get_request(m, r, q, a);
  else if (r && post)
    post_request(m, r, q, a);
  else
    http_refuse(a, 405, "this is not done so");
  http_model_give_back(s, m);
}
