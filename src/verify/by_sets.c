/* Answers questions by sets of states. */

#include "verify/by_sets.h"

#include "base/alloc.h"
#include "base/system/usage.h"
#include "logic/buchi/buchi.h"
#include "symbolic/liveness/live_sets.h"
#include "verify/ctl_check.h"
#include "verify/nets/examination.h"
#include <math.h>
#include <string.h>

/* ---- from options ------------------------------------------------------- */

symbolic_options symbolic_options_of(const verification *v,
                                     const nut_options *o)
{
  symbolic_options made = {.asked = *o, .net = v->net, .limits = v->limits};
  made.asked.order = examination_order(v, o->order);
  return made;
}

/* ---- orders ------------------------------------------------------------- */

typedef struct order_job {
  symbolic_space *space;
  double states;
} order_job;

static void do_order(void *job)
{
  order_job *j = job;
  bool all = symbolic_explore(j->space);
  j->states = all ? HUGE_VAL : symbolic_states_so_far(j->space);
}

static void tidy_order(void *job)
{
  symbolic_destroy(((order_job *)job)->space);
}

/* How many states an order finds with a fixed number of operations. */
static double try_order(verification *v, const nut_options *o, nut_order order)
{
  enum { LOOKS = 100 };
  symbolic_options options = symbolic_options_of(v, o);
  options.asked.order = order;
  options.asked.strategy = NUT_CHAINING;
  options.asked.on_progress = NULL;
  order_job job = {symbolic_create(v->program, &options), 0};
  bool polled = limits_set_polled(v->limits, true);
  limits_begin_work(v->limits, LOOKS);
  mem_protect_tidy(do_order, tidy_order, &job);
  limits_end_turn(v->limits);
  limits_set_polled(v->limits, polled);
  return job.states;
}

/* Places stand unit by unit where a net has units: so that is one of them. */
void symbolic_compare_orders(verification *v, const nut_options *o)
{
  static const nut_order tried[] = {NUT_ORDER_FORCE, NUT_ORDER_DECLARED,
                                    NUT_ORDER_BANDWIDTH};
  nut_order best = NUT_ORDER_FORCE;
  double most = -1;
  if (!v->net || o->order != NUT_ORDER_FORCE || examination_has_order(v))
    return;
  for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
    double states = limits_are_due(v->limits) ? -1 : try_order(v, o, tried[i]);
    if (states <= most)
      continue;
    most = states;
    best = tried[i];
  }
  examination_set_order(v, best);
}

/* ---- figures ------------------------------------------------------------ */

static const char *digits_of(verification *v, const bignum *n)
{
  char *digits = bignum_text(n);
  if (!digits)
    mem_give_up();
  const char *copy = arena_copy(v->outcome.arena, digits, strlen(digits));
  mem_free_string(digits);
  return copy;
}

static uint64_t clipped(const bignum *n)
{
  uint64_t small;
  return bignum_to_u64(n, &small) ? small : UINT64_MAX;
}

static void fill_figures(verification *v, symbolic_report *report,
                         search_result *found)
{
  const symbolic_figures *f = &report->figures;
  statistics *stats = &found->stats;
  bignum errors = {0};
  if (!bignum_copy(&errors, &f->deadlocks) ||
      !bignum_add(&errors, &f->assertions) || !bignum_add(&errors, &f->bounds))
    mem_give_up();
  stats->errors = clipped(&errors);
  bignum_free(&errors);
  stats->states = clipped(&f->states);
  stats->transitions = clipped(&f->transitions);
  stats->deadlocks = clipped(&f->deadlocks);
  stats->blocked = clipped(&f->blocked);
  stats->store_bytes = f->bytes;
  stats->memory_bytes = usage_resident_peak();
  found->seconds = f->seconds;
  report->states = digits_of(v, &f->states);
  report->transitions = digits_of(v, &f->transitions);
  report->deadlocks = digits_of(v, &f->deadlocks);
}

/* ---- properties --------------------------------------------------------- */

/* Finds the run that shows a violation, or a witness.  One that the
** interpreter cannot follow makes everything doubtful. */
static void show(symbolic_space *s, answer *a)
{
  const property *p = a->question->property;
  if (a->errors)
    answer_traced(
        a, symbolic_show(s, a->question->kind, p ? p->expr : NULL, &a->trace),
        symbolic_limits(s));
}

static const bignum *errors_of(const symbolic_figures *f, property_kind kind)
{
  return kind == PROPERTY_ASSERTIONS   ? &f->assertions
         : kind == PROPERTY_END_STATES ? &f->deadlocks
                                       : &f->bounds;
}

static void answer_steps(symbolic_space *s, const symbolic_figures *f,
                         const search_result *found, bool count, answer *a)
{
  a->errors = clipped(errors_of(f, a->question->kind));
  a->verdict = a->errors         ? VERDICT_VIOLATED
               : found->complete ? VERDICT_HOLDS
                                 : VERDICT_UNKNOWN;
  if (a->verdict != VERDICT_UNKNOWN)
    a->reason = REASON_NONE;
  if (!count && found->complete)
    show(s, a);
}

static void answer_states(symbolic_space *s, answer *a)
{
  bool reach = a->question->kind == PROPERTY_REACH;
  symbolic_set states = symbolic_states_of(s, a->question->property->expr);
  bool all = states == symbolic_reachable(s), none = states == SET_EMPTY;
  a->reason = states == SET_FULL ? symbolic_take_reason(s) : REASON_NONE;
  if (states != SET_FULL)
    a->verdict = (reach ? !none : all) ? VERDICT_HOLDS : VERDICT_VIOLATED;
  a->errors = states != SET_FULL && (reach ? !none : !all);
  show(s, a);
}

static void answer_one(symbolic_space *s, const symbolic_figures *f,
                       const nut_options *o, const search_result *found,
                       bool count, answer *a)
{
  switch (property_about(a->question->kind)) {
  case ABOUT_STEPS:
    answer_steps(s, f, found, count, a);
    break;
  case ABOUT_STATES:
    if (found->complete)
      answer_states(s, a);
    break;
  case ABOUT_RUNS:
    if (!o->liveness)
      a->reason = REASON_NOT_CHECKED;
    else if (found->complete)
      symbolic_live(s, o->fair, a);
    break;
  case ABOUT_PAIRS:
  case ABOUT_TREES:
  case ABOUT_SPACE:
    a->reason = REASON_NOT_CHECKED;
    break;
  }
}

/* Formulas of branching time and questions of the contest have answers of
** their own. */
static bool is_answered_here(const question *q, bool count)
{
  property_scope about = property_about(q->kind);
  return q->selected && about != ABOUT_TREES && about != ABOUT_SPACE &&
         (!count || about == ABOUT_STEPS);
}

static void answer_questions(verification *v, symbolic_space *s,
                             const symbolic_figures *f, const nut_options *o,
                             bool count, search_result *found)
{
  found->verdict = found->complete ? VERDICT_HOLDS : VERDICT_UNKNOWN;
  for (size_t i = 0; i < v->questions.list.len; i++) {
    const question *q = v->questions.list.data[i];
    if (!is_answered_here(q, count))
      continue;
    /* In its place at once: nothing is lost with the trace. */
    vec_push(&found->answers, ((answer){.question = q,
                                        .verdict = VERDICT_UNKNOWN,
                                        .reason = found->reason}));
    answer *a = &vec_last(&found->answers);
    answer_one(s, f, o, found, count, a);
    if (a->verdict == VERDICT_VIOLATED)
      found->verdict = VERDICT_VIOLATED;
  }
}

/* SPIN counts finding the initial state as a transition. */
static void count_start(const verification *v, symbolic_figures *f)
{
  bignum one = {0};
  bool good = !v->model->model->language->counts_start ||
              (bignum_set(&one, 1) && bignum_add(&f->transitions, &one));
  bignum_free(&one);
  if (!good)
    mem_give_up();
}

/* ---- running ------------------------------------------------------------ */

typedef struct space_job {
  verification *result;
  symbolic_space *space;
  const nut_options *options;
  const space_stand_in *instead; /* or NULL */
  bool count, last, filled;
} space_job;

static bool measure(const space_job *j, symbolic_figures *f)
{
  return j->instead ? j->instead->measure(j->instead->context, j->space, f)
                    : symbolic_measure(j->space, f);
}

/* A formula that is true, or false, of every model: its negation accepts no
** word, or all. */
typedef struct trivial_look {
  const ltl *formula;
  ltl_context *context;
  buchi *negation;
  const char *found;
} trivial_look;

static void look_at_negation(void *look)
{
  trivial_look *l = look;
  l->context = ltl_create();
  const ltl *f = ltl_intern(l->context, l->formula);
  l->negation = buchi_translate(l->context, ltl_negate(l->context, f),
                                (buchi_options){.generalised = true});
  if (l->negation && (l->negation->empty || l->negation->universal))
    l->found = l->negation->empty ? "true" : "false";
}

static const char *trivial_value(const ltl *formula)
{
  trivial_look l = {.formula = formula};
  mem_protect(look_at_negation, &l);
  buchi_destroy(l.negation);
  ltl_destroy(l.context);
  return l.found;
}

/* What searches state by state tell as well: the place of a step that fails, and
** formulas that say nothing of the model. */
static void tell_more(verification *v)
{
  for (size_t i = 0; i < v->outcome.answers.len; i++) {
    answer *a = &v->outcome.answers.data[i];
    const property *p = a->question->property;
    const trace *t = a->trace;
    if (t && t->end == TRACE_FAULT && !a->violations.len)
      vec_push(&a->violations, ((violation){.kind = t->fault,
                                            .edge = t->fault_edge,
                                            .where = t->where,
                                            .errors = 1}));
    if (p && p->ltl && a->verdict != VERDICT_UNKNOWN && !a->trivial)
      a->trivial = trivial_value(p->ltl);
  }
}

static bool run_space(const space_job *j)
{
  verification *v = j->result;
  symbolic_space *s = j->space;
  const nut_options *o = j->options;
  symbolic_report *report = ARENA_NEW(v->outcome.arena, symbolic_report);
  /* In its place from the beginning, so that nothing of it is lost. */
  search_result *found = &v->outcome.result;
  *found = (search_result){0};
  report->strategy = o->strategy;
  report->base = o->base;
  bool polled = limits_set_polled(v->limits, true);
  found->complete = symbolic_explore(s);
  if (!measure(j, &report->figures))
    found->complete = false;
  if (!found->complete && !j->last && !limits_are_due(v->limits)) {
    limits_set_polled(v->limits, polled);
    symbolic_figures_free(&report->figures);
    return false;
  }
  /* All states are known: what is left belongs to no turn. */
  if (found->complete)
    limits_end_turn(v->limits);
  v->outcome.symbolic = report;
  count_start(v, &report->figures);
  found->reason = symbolic_reason(s);
  fill_figures(v, report, found);
  answer_questions(v, s, &report->figures, o, j->count, found);
  limits_set_polled(v->limits, polled);
  outcome_fill(&v->outcome, v->program);
  tell_more(v);
  if (found->complete && j->instead)
    examination_take_figures(v, &report->figures);
  else if (found->complete)
    examination_measure(v, s, &report->figures);
  examination_conclude(v);
  if (!j->count && !j->instead)
    ctl_answer(v, o, s);
  return true;
}

static void do_space(void *job)
{
  space_job *j = job;
  j->filled = run_space(j);
}

static void tidy_space(void *job)
{
  symbolic_destroy(((space_job *)job)->space);
}

bool symbolic_run(verification *v, const nut_options *o, bool count, bool last)
{
  symbolic_options options = symbolic_options_of(v, o);
  space_job job = {.result = v,
                   .space = symbolic_create(v->program, &options),
                   .options = o,
                   .count = count,
                   .last = last};
  mem_protect_tidy(do_space, tidy_space, &job);
  return job.filled;
}

bool symbolic_run_instead(verification *v, const nut_options *o, bool count,
                          bool last, const space_stand_in *instead)
{
  symbolic_options options = symbolic_options_of(v, o);
  space_job job = {.result = v,
                   .space = symbolic_create(instead->program, &options),
                   .options = o,
                   .instead = instead,
                   .count = count,
                   .last = last};
  mem_protect_tidy(do_space, tidy_space, &job);
  return job.filled;
}
