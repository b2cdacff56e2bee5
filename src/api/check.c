#include "api/coding.h"
#include "api/ctl.h"
#include "api/formula.h"
#include "api/handle.h"
#include "api/net.h"
#include "api/properties.h"
#include "api/symbolic.h"
#include "base/alloc.h"
#include "nutshell-config.h"
#include "program/native/native.h"
#include <string.h>

nut_options nut_default_options(void)
{
  return (nut_options){.max_errors = 1,
                       .por = NUT_POR_ON,
                       .merge = true,
                       .reset_dead = true,
                       .algorithm = NUT_ALGORITHM_AUTO};
}

/* ---- preparing ---------------------------------------------------------- */

static bool wrong(nut_result *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool wrong(nut_result *r, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  text_vprintf(&r->messages, format, args);
  text_add_char(&r->messages, '\n');
  va_end(args);
  return false;
}

static bool names_exist(nut_result *r, const nut_options *o)
{
  const char *name;
  for (size_t i = 0; i < o->property_count; i++) {
    if (questions_find(&r->questions, o->properties[i]))
      continue;
    wrong(r, "there is no property '%s'", o->properties[i]);
    text_add(&r->messages, "the model has:");
    for (size_t k = 0; (name = question_name(r->model->model, k)); k++)
      text_printf(&r->messages, " %s", name);
    text_add_char(&r->messages, '\n');
    return false;
  }
  return true;
}

static bool complain_of_formula(nut_result *r)
{
  nut_collect_messages(r->model);
  text_add(&r->messages, text_string(&r->model->messages));
  return false;
}

/* Adds the expressions of one option as questions. */
static bool add_expressions(nut_result *r, property_kind kind,
                            const char *const *list, size_t count)
{
  nut_model *m = r->model;
  const model_language *l = m->model->language;
  for (size_t i = 0; i < count; i++) {
    const char *name = property_kind_name(kind);
    if (i > 0)
      name = arena_printf(m->arena, "%s-%zu", name, i + 1);
    uint32_t file = source_add(m->sources, name, list[i], strlen(list[i]));
    expr *e = l->condition(m->model, m->diags, file);
    if (!e)
      return complain_of_formula(r);
    const char *formula = arena_copy(m->arena, list[i], strlen(list[i]));
    property p = {.kind = kind,
                  .name = name,
                  .formula = formula,
                  .expr = e,
                  .where = e->where};
    questions_add(&r->questions, &p);
  }
  return true;
}

/* A name for one more formula: ltl, ltl-2, ... */
static const char *next_ltl_name(nut_result *r)
{
  const char *name = "ltl";
  for (unsigned n = 2; questions_has(&r->questions, name); n++)
    name = arena_printf(r->model->arena, "ltl-%u", n);
  return name;
}

/* Adds the formulas of --ltl. */
static bool add_ltl(nut_result *r, const nut_options *o)
{
  nut_model *m = r->model;
  for (size_t i = 0; i < o->ltl_count; i++) {
    const char *name = next_ltl_name(r), *string = o->ltl[i];
    uint32_t file = source_add(m->sources, name, string, strlen(string));
    const ltl *t = formula_read(m, file);
    if (!t)
      return complain_of_formula(r);
    property p = {.kind = PROPERTY_LTL,
                  .name = name,
                  .formula = arena_copy(m->arena, string, strlen(string)),
                  .ltl = t,
                  .where = NO_SPAN};
    questions_add(&r->questions, &p);
  }
  return true;
}

/* Those named, and in any case what an option asks for. */
static void select_questions(nut_result *r, const nut_options *o)
{
  if (o->property_count)
    questions_select_foreign(&r->questions);
  for (size_t i = 0; i < o->property_count; i++)
    questions_find(&r->questions, o->properties[i])->selected = true;
  if (o->no_deadlock)
    questions_find(&r->questions, property_kind_name(PROPERTY_END_STATES))
        ->selected = false;
}

static bool prepare(nut_result *r, const nut_options *o)
{
  nut_model *m = r->model;
  if (!nut_model_good(m)) {
    text_add(&r->messages, nut_model_messages(m));
    if (nut_model_verdict(m) == NUT_UNKNOWN) {
      r->outcome.verdict = VERDICT_UNKNOWN;
      r->outcome.reason = reason_text(limits_why(r->limits));
    }
    return false;
  }
  if (o->store && !store_find(o->store)) {
    const char *why = store_refusal(o->store);
    return wrong(r, "there is no store '%s'%s%s", o->store, why ? ": " : "",
                 why ? why : "");
  }
  if (o->symbolic && o->order > NUT_ORDER_DEPENDENCY)
    return wrong(r, "symbolic sets have the orders 'force' and 'declared'");
  questions_start(&r->questions, r->outcome.arena, m->model);
  if (!names_exist(r, o) ||
      !add_expressions(r, PROPERTY_INVARIANT, o->invariants,
                       o->invariant_count) ||
      !add_expressions(r, PROPERTY_REACH, o->reach, o->reach_count) ||
      !add_ltl(r, o) || !ctl_prepare(r, o) ||
      (o->property_file && !properties_read(r, o->property_file)))
    return false;
  select_questions(r, o);
  if (!net_prepare(r, o))
    return false;
  r->program = nut_program(m, o->check_overflow);
  return r->program || complain_of_formula(r);
}

/* ---- running ------------------------------------------------------------ */

typedef struct listener {
  const nut_options *options;
} listener;

static nut_progress progress_of(const progress *p)
{
  return (nut_progress){.states = p->states,
                        .transitions = p->transitions,
                        .depth = p->depth,
                        .waiting = p->frontier,
                        .memory_bytes = p->memory_bytes,
                        .store_bytes = p->store_bytes,
                        .nodes = p->nodes,
                        .seconds = p->seconds,
                        .states_per_second = p->states_per_second};
}

static void on_progress(void *context, const progress *p)
{
  const nut_options *o = ((listener *)context)->options;
  nut_progress shown = progress_of(p);
  o->on_progress(o->context, &shown);
}

static void on_growth(void *context, const progress *p)
{
  const nut_options *o = ((listener *)context)->options;
  nut_progress shown = progress_of(p);
  o->on_growth(o->growth_context, &shown);
}

static reduce_kind reduction_of(nut_por por)
{
  return por == NUT_POR_OFF     ? REDUCE_OFF
         : por == NUT_POR_AMPLE ? REDUCE_AMPLE
                                : REDUCE_STUBBORN;
}

/* The order of elements in a store; by itself it is that of the model. */
static element_order elements_of(nut_order order)
{
  switch (order) {
  case NUT_ORDER_DEPENDENCY:
    return ELEMENTS_DEPENDENCY;
  case NUT_ORDER_VARYING:
    return ELEMENTS_VARYING;
  case NUT_ORDER_LEARNED:
    return ELEMENTS_LEARNED;
  case NUT_ORDER_INTERLEAVED:
    return ELEMENTS_INTERLEAVED;
  default:
    return ELEMENTS_DECLARATION;
  }
}

static search_options options_of(const nut_options *o, bool count,
                                 const nut_result *r, listener *l)
{
  search_options s = search_defaults();
  s.order = o->shortest || o->search == NUT_BFS ? SEARCH_BFS : SEARCH_DFS;
  s.store = o->store ? store_find(o->store) : NULL;
  s.set.buffer_bytes = o->buffer_bytes;
  s.set.reduce_every = o->reduce_every;
  s.set.hashes = o->hashes;
  s.elements = elements_of(o->order);
  s.limits = r->limits;
  s.depth = o->depth;
  s.max_errors = o->max_errors;
  s.count = count;
  s.por = o->shortest ? REDUCE_OFF : reduction_of(o->por);
  s.no_liveness = o->no_liveness;
  s.algorithm = (search_algorithm)o->algorithm;
  s.fair = (fairness)o->fair;
  s.questions = &r->questions;
  if (o->on_progress) {
    s.on_progress = on_progress;
    s.context = l;
  }
  if (o->on_growth) {
    s.on_growth = on_growth;
    s.growth_context = l;
  }
  return s;
}

static void set_engine(nut_result *r, const nut_options *o)
{
  engine_options engine = {.kind = (engine_kind)o->engine,
                           .check = o->check_engine,
                           .limits = r->limits};
  program_set_engine(r->squeezed ? r->squeezed : r->program, &engine);
}

/* Whether some question concerns more than single states and steps. */
static bool looks_further(const nut_result *r, const nut_options *o)
{
  return questions_ask(&r->questions, ABOUT_TREES) ||
         questions_ask(&r->questions, ABOUT_PAIRS) ||
         (!o->no_liveness && questions_ask(&r->questions, ABOUT_RUNS));
}

/* A run that shall be as short as possible is counted in all its steps. */
static void choose_program(nut_result *r, const nut_options *o, bool count,
                           search_options *s)
{
  if (count || o->shortest || looks_further(r, o) ||
      !(o->merge || o->reset_dead) || s->on_state)
    return;
  expr_list seen = {0};
  for (size_t i = 0; i < r->questions.list.len; i++) {
    const question *q = r->questions.list.data[i];
    if (q->foreign && q->property->expr)
      vec_push(&seen, q->property->expr);
  }
  r->squeezed = nut_squeezed_program(r->model, o, &seen);
  vec_free(&seen);
  if (r->squeezed)
    s->plain = r->program;
}

/* State by state.  When time or memory runs out and it is not the 'last' that
** is tried, nothing is filled, and '*why' says which it was: false. */
static bool run_explicit(nut_result *r, const nut_options *o, bool count,
                         bool last, reason *why)
{
  /* It belongs to the outcome at once: memory may run out below. */
  search_result *found = &r->outcome.result;
  listener l = {o};
  search_options s = options_of(o, count, r, &l);
  do {
    net_attach(r, count, &s);
    coding_attach(r, o, &s);
    if (!r->net)
      choose_program(r, o, count, &s);
    set_engine(r, o);
    search_run(s.plain ? r->squeezed : r->program, &s, found);
  } while (net_begins_anew(r, found));
  bool late = !found->complete && (found->reason == REASON_TIME_LIMIT ||
                                   found->reason == REASON_MEMORY_LIMIT ||
                                   found->reason == REASON_OUT_OF_MEMORY);
  if (late && !last) {
    *why = found->reason;
    search_result_free(found);
    return false;
  }
  if (found->stats.transitions && !r->model->model->language->counts_start)
    found->stats.transitions--;
  outcome_fill(&r->outcome, r->program);
  net_conclude(r);
  coding_conclude(r, &s);
  if (!count)
    ctl_answer(r, o, NULL);
  return true;
}

/* Whether the options leave it to us how states are kept. */
static bool may_choose(const nut_result *r, const nut_options *o)
{
  return r->net && !o->store && !o->depth && o->search == NUT_DFS &&
         o->engine == NUT_ENGINE_AUTO && !o->check_engine;
}

/* Counts a net state by state for a while, then by sets of states, then again,
** each time for longer, until one of them is through.  What is begun anew
** costs less than what is done last. */
static void run_either(nut_result *r, const nut_options *o)
{
  reason why = REASON_NONE;
  for (double turn = 2;; turn *= 5) {
    bool last = turn >= limits_left(r->limits);
    if (!last)
      limits_begin_turn(r->limits, turn);
    bool done = run_explicit(r, o, true, last, &why);
    limits_end_turn(r->limits);
    if (done)
      return;
    /* More time does not help where memory is short. */
    last = why != REASON_TIME_LIMIT || 2 * turn >= limits_left(r->limits);
    if (!last)
      limits_begin_turn(r->limits, 2 * turn);
    done = symbolic_run(r, o, true, last);
    limits_end_turn(r->limits);
    if (done)
      return;
  }
}

static void run_search(nut_result *r, const nut_options *o, bool count)
{
  if (o->symbolic)
    symbolic_run(r, o, count, true);
  else if (count && may_choose(r, o))
    run_either(r, o);
  else
    run_explicit(r, o, count, true, &(reason){REASON_NONE});
  if (o->no_liveness)
    outcome_drop_liveness(&r->outcome);
  outcome_judge(&r->outcome);
  net_explain(r);
}

/* Compiled code that was caught in a mistake makes nothing certain. */
static void judge_engine(nut_result *r)
{
  const program *searched = r->squeezed ? r->squeezed : r->program;
  const char *error = program_engine_error(searched);
  r->outcome.engine = program_engine(searched);
  if (!error)
    return;
  r->outcome.verdict = VERDICT_UNKNOWN;
  r->outcome.complete = false;
  r->outcome.reason = arena_copy(r->outcome.arena, error, strlen(error));
}

/* The limits of loading go on, unless the check has some of its own. */
static void set_limits(limits *l, const nut_options *o)
{
  limits_asked asked = {o->seconds, o->memory_bytes, o->interrupt,
                        l->asked.tell};
  if (o->seconds > 0 || o->memory_bytes || o->interrupt)
    limits_restart(l, &asked);
  else
    limits_open(l);
}

static nut_result *new_result(nut_model *m, const char *command)
{
  nut_result *r = mem_try_alloc(sizeof *r);
  if (!r)
    return NULL;
  r->model = m;
  r->limits = m ? &m->limits : &r->own_limits;
  r->outcome.command = command;
  r->outcome.version = NUT_VERSION;
  r->outcome.engine = "interpreted";
  r->outcome.file = m ? m->file : "";
  r->outcome.language = nut_model_language(m);
  r->outcome.verdict = VERDICT_ERROR;
  return r;
}

typedef struct examination {
  nut_result *result;
  const nut_options *options;
  bool count;
} examination;

static void work(void *what)
{
  examination *e = what;
  /* Whatever the limits, there is a report. */
  limits_close(e->result->limits);
  e->result->outcome.arena = arena_create();
  set_limits(e->result->limits, e->options);
  if (!prepare(e->result, e->options))
    return;
  run_search(e->result, e->options, e->count);
  judge_engine(e->result);
}

/* Reports are made after all limits. */
static void do_tell(void *result)
{
  nut_result *r = result;
  account_tell(&r->account, &r->outcome);
  for (size_t i = 0; i < r->account.answers.len; i++) {
    const told_answer *t = &r->account.answers.data[i];
    vec_push(&r->traces, ((nut_trace){t->story, t->answer->question->name}));
  }
}

/* What was found out is not certain any more, for want of memory or time. */
static void give_up(nut_result *r)
{
  r->outcome.verdict = VERDICT_UNKNOWN;
  r->outcome.complete = false;
  r->outcome.reason = reason_text(limits_why(r->limits));
}

static nut_result *examine(nut_model *m, const nut_options *o, bool count)
{
  nut_options usual = nut_default_options();
  uint32_t flags = m && m->model ? m->model->flags : 0;
  nut_result *r = new_result(m, count ? "count" : "check");
  if (!r)
    return NULL;
  examination e = {r, o ? o : &usual, count};
  mem_budget *outer = limits_enter(r->limits);
  if (!mem_protect(work, &e))
    give_up(r);
  limits_close(r->limits);
  if (!mem_protect(do_tell, r))
    give_up(r);
  limits_leave(outer);
  /* What the questions of the options need belongs to this run alone. */
  if (m && m->model)
    m->model->flags = flags;
  return r;
}

nut_result *nut_check(nut_model *m, const nut_options *o)
{
  return examine(m, o, false);
}

nut_result *nut_count(nut_model *m, const nut_options *o)
{
  return examine(m, o, true);
}

void nut_result_free(nut_result *r)
{
  if (!r)
    return;
  mem_budget *outer = limits_enter(r->limits);
  coding_free(r);
  account_free(&r->account);
  outcome_free(&r->outcome);
  ctl_free(r);
  program_destroy(r->squeezed);
  program_destroy(r->program);
  text_free(&r->messages);
  text_free(&r->remarks);
  questions_free(&r->questions);
  vec_free(&r->traces);
  limits_leave(outer);
  mem_free(r, sizeof *r);
}
