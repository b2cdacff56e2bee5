#include "api/symbolic.h"

#include "api/ctl.h"
#include "api/languages.h"
#include "api/net.h"
#include "base/alloc.h"
#include "base/system/usage.h"
#include "symbolic/liveness/live_sets.h"
#include <string.h>

/* ---- from options ------------------------------------------------------- */

static void on_symbolic_progress(void *context, const symbolic_progress *p)
{
  const nut_options *o = context;
  nut_progress shown = {.symbolic = true,
                        .nodes = p->nodes,
                        .iterations = p->iterations,
                        .symbolic_states = p->states,
                        .memory_bytes = p->memory_bytes,
                        .seconds = p->seconds};
  o->on_progress(o->context, &shown);
}

symbolic_options symbolic_options_of(const nut_result *r, const nut_options *o)
{
  symbolic_options s = {.strategy = (strategy)o->strategy,
                        .order = o->order == NUT_ORDER_DECLARED ? ORDER_DECLARED
                                                                : ORDER_FORCE,
                        .base = (library_kind)o->base,
                        .reorder = o->reorder,
                        .net = r->net,
                        .limits = r->limits};
  if (o->on_progress) {
    s.on_progress = on_symbolic_progress;
    s.context = (void *)(uintptr_t)o;
  }
  return s;
}

/* ---- figures ------------------------------------------------------------ */

static const char *digits_of(nut_result *r, const bignum *n)
{
  char *digits = bignum_text(n);
  if (!digits)
    mem_give_up();
  const char *copy = arena_copy(r->outcome.arena, digits, strlen(digits));
  mem_free_string(digits);
  return copy;
}

static uint64_t clipped(const bignum *n)
{
  uint64_t small;
  return bignum_to_u64(n, &small) ? small : UINT64_MAX;
}

static void fill_figures(nut_result *r, symbolic_report *report,
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
  report->states = digits_of(r, &f->states);
  report->transitions = digits_of(r, &f->transitions);
  report->deadlocks = digits_of(r, &f->deadlocks);
}

/* ---- properties --------------------------------------------------------- */

static bool is_selected(const nut_result *r, const char *name)
{
  for (size_t i = 0; i < r->selected.len; i++)
    if (!strcmp(r->selected.data[i], name))
      return true;
  return !r->selected.len;
}

/* Finds the run that shows a violation, or a witness.  One that the
** interpreter cannot follow makes everything doubtful. */
static void show(symbolic_space *s, property_result *p)
{
  if (!p->errors ||
      symbolic_show(s, p->kind, p->property ? p->property->expr : NULL,
                    &p->trace) != TRACE_IMPOSSIBLE)
    return;
  p->verdict = VERDICT_UNKNOWN;
  p->reason = REASON_REPLAY;
}

static void add_property(nut_result *r, symbolic_space *s, bool count,
                         property_kind kind, const bignum *errors)
{
  search_result *found = &r->outcome.result;
  const char *name = property_kind_name(kind);
  if (!is_selected(r, name))
    return;
  property_result p = {.kind = kind, .name = name, .reason = found->reason};
  p.errors = clipped(errors);
  p.verdict = p.errors          ? VERDICT_VIOLATED
              : found->complete ? VERDICT_HOLDS
                                : VERDICT_UNKNOWN;
  if (p.verdict != VERDICT_UNKNOWN)
    p.reason = REASON_NONE;
  vec_grow(&found->properties, 1); /* nothing is lost with the trace */
  if (!count && found->complete)
    show(s, &p);
  vec_push(&found->properties, p);
}

static bool is_live(property_kind kind)
{
  return kind >= PROPERTY_NEVER && kind <= PROPERTY_LTL;
}

/* Properties of infinite runs, invariants and reachability. */
static void add_model_property(symbolic_space *s, const nut_options *o,
                               search_result *found, const property *p)
{
  property_result made = {.kind = p->kind,
                          .name = p->name,
                          .formula = p->formula,
                          .property = p,
                          .verdict = VERDICT_UNKNOWN,
                          .reason = found->reason};
  bool reach = p->kind == PROPERTY_REACH;
  if (is_live(p->kind) && o->no_liveness) {
    made.reason = REASON_NOT_CHECKED;
  } else if (is_live(p->kind)) {
    vec_grow(&found->properties, 1); /* nothing is lost with the trace */
    if (found->complete)
      symbolic_live(s, (fairness)o->fair, &made);
  } else if (!reach && p->kind != PROPERTY_INVARIANT) {
    made.reason = REASON_NOT_CHECKED;
  } else if (found->complete) {
    symbolic_set states = symbolic_states_of(s, p->expr);
    bool all = states == symbolic_reachable(s), none = states == SET_EMPTY;
    made.reason = states == SET_FULL ? symbolic_take_reason(s) : REASON_NONE;
    if (states != SET_FULL)
      made.verdict = (reach ? !none : all) ? VERDICT_HOLDS : VERDICT_VIOLATED;
    made.errors = states != SET_FULL && (reach ? !none : !all);
    vec_grow(&found->properties, 1);
    show(s, &made);
  }
  vec_push(&found->properties, made);
}

static void add_properties(nut_result *r, symbolic_space *s,
                           const symbolic_figures *f, const nut_options *o,
                           bool count, search_result *found)
{
  const model *m = r->model->model;
  add_property(r, s, count, PROPERTY_ASSERTIONS, &f->assertions);
  if (!o->no_deadlock)
    add_property(r, s, count, PROPERTY_END_STATES, &f->deadlocks);
  add_property(r, s, count, PROPERTY_BOUNDS, &f->bounds);
  for (size_t i = 0; i < m->properties.len && !count; i++)
    if (m->properties.data[i].kind > PROPERTY_BOUNDS &&
        m->properties.data[i].kind != PROPERTY_CTL &&
        is_selected(r, m->properties.data[i].name))
      add_model_property(s, o, found, &m->properties.data[i]);
  found->verdict = found->complete ? VERDICT_HOLDS : VERDICT_UNKNOWN;
  for (size_t i = 0; i < found->properties.len; i++)
    if (found->properties.data[i].verdict == VERDICT_VIOLATED)
      found->verdict = VERDICT_VIOLATED;
}

/* Nothing that was asked for by name is passed over in silence. */
static void add_others(nut_result *r)
{
  for (size_t i = 0; i < r->selected.len; i++) {
    const char *name = r->selected.data[i];
    bool there = !*name || ctl_has(r, name);
    for (size_t k = 0; k < r->outcome.rows.len && !there; k++)
      there = !strcmp(r->outcome.rows.data[k].name, name);
    if (!there)
      outcome_add_unchecked(&r->outcome, name, name, NULL);
  }
}

/* SPIN counts finding the initial state as a transition. */
static void count_start(const nut_result *r, symbolic_figures *f)
{
  bignum one = {0};
  bool good = !language_of_model(r->model->model)->counts_start ||
              (bignum_set(&one, 1) && bignum_add(&f->transitions, &one));
  bignum_free(&one);
  if (!good)
    mem_give_up();
}

/* ---- running ------------------------------------------------------------ */

static bool run_space(nut_result *r, symbolic_space *s, const nut_options *o,
                      bool count, bool last)
{
  symbolic_report *report = ARENA_NEW(r->outcome.arena, symbolic_report);
  /* In its place from the beginning, so that nothing of it is lost. */
  search_result *found = &r->outcome.result;
  *found = (search_result){0};
  report->strategy = (strategy)o->strategy;
  report->base = (library_kind)o->base;
  found->complete = symbolic_explore(s);
  if (!symbolic_measure(s, &report->figures))
    found->complete = false;
  if (!found->complete && !last) {
    symbolic_figures_free(&report->figures);
    return false;
  }
  r->outcome.symbolic = report;
  count_start(r, &report->figures);
  found->reason = symbolic_reason(s);
  fill_figures(r, report, found);
  add_properties(r, s, &report->figures, o, count, found);
  outcome_fill(&r->outcome, r->program, found);
  if (!count)
    add_others(r);
  if (found->complete)
    net_measure(r, s, &report->figures);
  net_conclude(r);
  if (!count)
    ctl_answer(r, o, s);
  return true;
}

typedef struct space_job {
  nut_result *result;
  symbolic_space *space;
  const nut_options *options;
  bool count, last, filled;
} space_job;

static void do_space(void *job)
{
  space_job *j = job;
  j->filled = run_space(j->result, j->space, j->options, j->count, j->last);
}

static void tidy_space(void *job)
{
  symbolic_destroy(((space_job *)job)->space);
}

bool symbolic_run(nut_result *r, const nut_options *o, bool count, bool last)
{
  symbolic_options options = symbolic_options_of(r, o);
  space_job job = {r,    symbolic_create(r->program, &options), o, count, last,
                   false};
  mem_protect_tidy(do_space, tidy_space, &job);
  return job.filled;
}
