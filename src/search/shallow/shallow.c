/* Rounds of small breadth-first searches beside a search; see shallow.h. */

#include "search/shallow/shallow.h"

#include "search/liveness/live.h"

enum {
  GROWTH = 8,
  SHARE = 20,     /* a round begins when it is this part of the search */
  SMALL = 1 << 13 /* states for which the plain table is quick and small */
};

/* ---- when --------------------------------------------------------------- */

/* The next round, whose 'parts' are searches of one state after the other. */
static void plan_round(shallow *s, uint64_t parts)
{
  uint64_t left = SHALLOW_END / SHARE;
  left = left > s->spent ? (left - s->spent) / parts : 0;
  if (left < s->size)
    s->size = left > s->size / GROWTH ? left : 0;
  s->due = s->size ? SHARE * (s->spent + parts * s->size) : SHALLOW_END;
}

static bool is_open(const answer *a)
{
  return !a->errors && a->verdict == VERDICT_UNKNOWN &&
         a->reason == REASON_NONE;
}

/* Whether a round can answer the question of 'a', which the search has not
** answered yet. */
static bool is_asked(const search *r, const answer *a)
{
  property_scope about = property_about(a->question->kind);
  if (!is_open(a))
    return false;
  if (about == ABOUT_RUNS)
    return r->options->asked.liveness;
  return r->result->order == NUT_DFS &&
         (about == ABOUT_STEPS || about == ABOUT_STATES);
}

/* How many searches of one state after the other a round is; 0: none. */
static uint64_t count_parts(const search *r)
{
  const search_result *result = r->result;
  uint64_t runs = 0, states = 0; /* each a part */
  for (size_t i = 0; i < result->answers.len; i++) {
    const answer *a = result->answers.data + i;
    if (!is_asked(r, a))
      continue;
    if (property_about(a->question->kind) == ABOUT_RUNS)
      runs++;
    else
      states = 1;
  }
  return states + runs;
}

/* Whether rounds make sense: all that is wanted is one error, and looking at
** states more than once does no harm. */
static bool is_wanted(const search *r)
{
  const search_options *o = r->options;
  return o->shallow && !o->count && !o->on_state && !o->asked.depth &&
         !o->prefix && o->asked.max_errors == 1 &&
         !(program_model(r->program)->flags & MODEL_HAS_C);
}

/* Whether an infinite run was found. */
static bool has_lasso(const search *r)
{
  for (size_t i = 0; i < r->result->answers.len; i++) {
    const answer *a = r->result->answers.data + i;
    if (property_about(a->question->kind) == ABOUT_RUNS && a->errors)
      return true;
  }
  return false;
}

/* A depth-first search that is to give way does so at a number of states, unless
** it has found something. */
static void heed_first(search *r)
{
  if (r->first && r->shallow.due > r->first && !has_lasso(r))
    r->shallow.due = r->first;
}

void shallow_start(search *r)
{
  shallow *s = &r->shallow;
  *s = (shallow){.due = UINT64_MAX, .size = SHALLOW_FIRST};
  if (r->options->prefix) {
    s->due = r->options->prefix;
    return;
  }
  uint64_t parts = count_parts(r);
  if (is_wanted(r) && parts)
    plan_round(s, parts);
  heed_first(r);
}

void shallow_start_live(live *l)
{
  const search *r = l->asker;
  shallow *s = &l->shallow;
  *s = (shallow){.due = UINT64_MAX, .size = r->shallow.size};
  if (is_wanted(r) && s->size)
    plan_round(s, 1);
}

/* ---- a round ------------------------------------------------------------ */

/* Looks for what 'asked' asks among the first states.  False: a limit has ended
** it, and it is to be done again if the search goes on some day. */
static bool run_round(search *r, shallow *s, const questions *asked,
                      search_result *found)
{
  search_options o = *r->options;
  o.asked.search = NUT_BFS;
  o.asked.store = s->size <= SMALL ? "raw+table" : "collapse+tree";
  o.asked.algorithm = NUT_COMPONENTS;
  o.prefix = s->size;
  o.questions = asked;
  o.drawing = NULL;
  o.checkpoint = NULL;
  o.resume = NULL;
  o.asked.on_progress = NULL;
  o.asked.on_growth = NULL;
  search_run(r->program, &o, found);
  if (limits_are_due(r->watch.limits) || r->watch.limits->reason != REASON_NONE)
    return false;
  s->spent += found->stats.states;
  if (found->walked)
    s->spent += found->stats.product_states;
  r->result->stats.shallow_states = s->spent;
  s->size *= GROWTH;
  return true;
}

/* The next round of a walk, or its end. */
static void plan_walk(search *r)
{
  shallow *s = &r->shallow;
  uint64_t parts = count_parts(r);
  *s = (shallow){.due = UINT64_MAX, .size = s->size, .spent = s->spent};
  if (parts)
    plan_round(s, parts);
  if (has_lasso(r) && s->due > SHALLOW_GRACE) {
    s->size = 0;
    s->due = SHALLOW_GRACE;
  }
  heed_first(r);
}

void shallow_step(search *r)
{
  if (r->options->prefix) {
    watch_stop(&r->watch, REASON_DEPTH_LIMIT);
    return;
  }
  if (r->first && r->result->stats.states >= r->first && !has_lasso(r)) {
    r->passes = true;
    watch_stop(&r->watch, REASON_NONE);
    return;
  }
  if (!r->shallow.size) {
    r->shallow.due = UINT64_MAX;
    if (has_lasso(r))
      watch_stop(&r->watch, REASON_ERRORS);
    return;
  }
  search_result found;
  vec_clear(&r->asked.list);
  for (size_t i = 0; i < r->result->answers.len; i++) {
    const answer *a = r->result->answers.data + i;
    if (is_asked(r, a))
      vec_push(&r->asked.list, (question *)a->question);
  }
  bool over = run_round(r, &r->shallow, &r->asked, &found);
  for (size_t i = 0; i < found.answers.len; i++)
    if (found.answers.data[i].errors)
      search_adopt(r, &found.answers.data[i]);
  search_result_free(&found);
  if (over)
    plan_walk(r);
  else
    watch_left(&r->watch);
}

bool shallow_step_live(live *l)
{
  shallow *s = &l->shallow;
  search *r = l->asker;
  search_result found;
  if (!s->size) {
    s->due = UINT64_MAX;
    return false;
  }
  vec_clear(&r->asked.list);
  vec_push(&r->asked.list, (question *)l->question);
  run_round(r, s, &r->asked, &found);
  if (found.answers.len && found.answers.data[0].errors &&
      found.answers.data[0].verdict == VERDICT_VIOLATED) {
    l->trace = found.answers.data[0].trace;
    found.answers.data[0].trace = NULL;
    l->traced = TRACE_MADE;
    l->found = true;
  }
  search_result_free(&found);
  plan_round(s, 1);
  return l->found;
}
