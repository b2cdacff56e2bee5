/* Runs the engines that answer the questions of a check. */

#include "verify/plan.h"

#include "program/native/native.h"
#include "verify/by_sets.h"
#include "verify/ctl_check.h"
#include "verify/kept/disk_use.h"
#include "verify/kept/kept.h"
#include "verify/nets/examination.h"
#include "verify/nets/net_front.h"
#include "verify/ranked/ranked.h"
#include "verify/state_coding.h"

static search_options options_of(const nut_options *o, bool count,
                                 const verification *v)
{
  return (search_options){.asked = *o,
                          .limits = v->limits,
                          .count = count,
                          .shallow = true,
                          .condenses = disk_use_suits(v, o, count),
                          .questions = &v->questions};
}

static void set_engine(verification *v, const nut_options *o)
{
  /* Only the interpreter counts what it executes. */
  engine_options engine = {.kind =
                               o->coverage ? NUT_ENGINE_INTERPRETED : o->engine,
                           .check = o->check_engine,
                           .cache = o->ranks ? NUT_CACHE_RUN : o->cache,
                           .limits = v->limits};
  program *p = v->squeezed ? v->squeezed : v->program;
  program_set_engine(p, &engine);
  program_set_order(p, o->reverse, o->shuffle);
}

typedef VEC(const expr *) expr_list;

/* Whether some question concerns more than single states and steps. */
static bool looks_further(const verification *v, const nut_options *o)
{
  return questions_ask(&v->questions, ABOUT_TREES) ||
         questions_ask(&v->questions, ABOUT_PAIRS) ||
         (o->liveness && questions_ask(&v->questions, ABOUT_RUNS));
}

/* The expressions of questions that are not the model's own: what they look at
** makes a difference. */
static void list_seen(const verification *v, expr_list *seen)
{
  for (size_t i = 0; i < v->questions.list.len; i++) {
    const question *q = v->questions.list.data[i];
    if (q->foreign && q->property->expr)
      vec_push(seen, q->property->expr);
  }
}

/* A program for finite runs that leaves out steps and values of no account, or
** NULL when there are none. */
static program *squeezed_program(const verification *v, const nut_options *o)
{
  expr_list seen = {0};
  list_seen(v, &seen);
  program_options options = {.check_overflow = o->check_overflow,
                             .merge = o->merge,
                             .reset_dead = o->reset_dead,
                             .seen = seen.data,
                             .seen_count = seen.len};
  program *p = program_create(v->annex, &options, v->model->diags);
  vec_free(&seen);
  if (p && program_merged(p))
    return p;
  program_destroy(p);
  return NULL;
}

/* A run that shall be as short as possible is counted in all its steps. */
static void choose_program(verification *v, const nut_options *o, bool count,
                           search_options *s)
{
  if (count || o->shortest || looks_further(v, o) ||
      !(o->merge || o->reset_dead) || s->on_state)
    return;
  v->squeezed = squeezed_program(v, o);
  if (v->squeezed)
    s->plain = v->program;
}

/* A turn that is over, though the command is not, leaves nothing behind. */
static bool is_turn_over(const verification *v, const search_result *found)
{
  return !found->complete && !limits_are_due(v->limits) &&
         (found->reason == REASON_TIME_LIMIT ||
          found->reason == REASON_MEMORY_LIMIT ||
          found->reason == REASON_OUT_OF_MEMORY);
}

/* State by state.  When a turn or memory runs out and it is not the 'last' that
** is tried, nothing is filled, and '*why' says which it was: false. */
static bool run_explicit(verification *v, const nut_options *o, bool count,
                         bool last, reason *why)
{
  /* It belongs to the outcome at once: memory may run out below. */
  search_result *found = &v->outcome.result;
  search_options s = options_of(o, count, v);
  do {
    examination_attach(v, count, &s);
    coding_attach(v, o, &s);
    kept_attach(v, &s);
    ranked_attach(o, &s);
    if (!v->net)
      choose_program(v, o, count, &s);
    set_engine(v, o);
    search_run(s.plain ? v->squeezed : v->program, &s, found);
  } while (examination_starts_over(v, found));
  if (found->not_resumed)
    return true;
  if (!last &&
      (is_turn_over(v, found) || (!count && examination_is_endless(v)))) {
    *why = found->reason;
    search_result_free(found);
    return false;
  }
  if (found->stats.transitions && !v->model->model->language->counts_start)
    found->stats.transitions--;
  outcome_fill(&v->outcome, v->program);
  examination_conclude(v);
  coding_conclude(v, &s);
  if (!count)
    ctl_answer(v, o, NULL);
  return true;
}

/* Whether the options leave it to us how states are kept.  Formulas of branching
** time have a choice of their own; several ranks go state by state. */
static bool may_choose(const verification *v, const nut_options *o, bool count)
{
  return v->net && !v->kept && !o->ranks && !o->store && !o->coverage &&
         !o->depth && o->search == NUT_SEARCH_AUTO && !o->shortest &&
         o->engine == NUT_ENGINE_AUTO && !o->check_engine && !o->on_growth &&
         o->fair == NUT_FAIR_NONE &&
         (count || !questions_ask(&v->questions, ABOUT_TREES));
}

/* Turns of a net, in looks at the clock: 64 markings, or 4096 operations on
** nodes.  Each turn is so many times as long as the one before. */
enum { EXPLICIT_LOOKS = 1000, SETS_LOOKS = 1000, LONGER = 4 };
/* Where tokens are counted in each marking, in places looked at. */
enum { EXPLICIT_PLACES = 1 << 25 };

/* A marking takes the longer to expand the more transitions there are. */
static uint64_t explicit_looks(const verification *v, uint64_t times)
{
  enum { USUAL = 64 };
  uint64_t edges = v->model->model->edges.len;
  return 1 + times * EXPLICIT_LOOKS * USUAL / (USUAL + edges);
}

bool plan_turn(verification *v, const nut_options *o, uint64_t times)
{
  reason why = REASON_TIME_LIMIT;
  limits_begin_work(v->limits, explicit_looks(v, times));
  bool done = run_explicit(v, o, false, false, &why);
  limits_end_turn(v->limits);
  if (done || examination_is_endless(v))
    return done;
  if (times > 1)
    symbolic_compare_orders(v, o);
  limits_begin_work(v->limits, times * SETS_LOOKS);
  done = symbolic_run(v, o, false, false);
  limits_end_turn(v->limits);
  return done;
}

/* Nothing is left to search for: what is known is the outcome. */
static void run_nothing(verification *v)
{
  v->outcome.result.reason = REASON_DECIDED;
  outcome_fill(&v->outcome, v->program);
  examination_conclude(v);
}

/* By sets, in a turn that is so many times as long as the first, or to the end;
** to count, a smaller net may do. */
static bool run_by_sets(verification *v, const nut_options *o, bool count,
                        uint64_t times, bool last)
{
  space_stand_in instead;
  bool smaller = front_has_stand_in(v, o, count, &instead);
  if (!last)
    limits_begin_work(v->limits, times * SETS_LOOKS);
  return smaller ? symbolic_run_instead(v, o, count, last, &instead)
                 : symbolic_run(v, o, count, last);
}

/* Where reductions were asked for, a smaller net is counted before all else. */
static bool counts_smaller(verification *v, const nut_options *o, bool count)
{
  space_stand_in instead;
  return !examination_is_endless(v) &&
         front_has_stand_in(v, o, count, &instead) &&
         run_by_sets(v, o, count, 1, false);
}

/* Goes through a net state by state for a while, then by walks and proofs that
** need no state space, then by sets of states, then again, each time for longer,
** until everything is answered.  What is started over costs less than what is done
** last; and because turns are counted in work, the same engine answers on every
** machine. */
static void run_either(verification *v, const nut_options *asked, bool count)
{
  nut_options alone = *asked;
  const nut_options *o = &alone;
  reason why = REASON_TIME_LIMIT;
  bool sets_full = false, first = !front_is_asked(v);
  /* The length of a turn must not depend on how many share it. */
  alone.threads = asked->threads ? 1 : 0;
  for (uint64_t times = 1;; times *= LONGER) {
    /* Steps that were asked for come before all else. */
    if (!first && times == 1 && front_run(v, o, count, times)) {
      run_nothing(v);
      return;
    }
    bool counted = !first && times == 1 && counts_smaller(v, o, count);
    limits_end_turn(v->limits);
    if (counted)
      return;
    bool last = sets_full || examination_is_endless(v);
    if (!last)
      limits_begin_work(v->limits, explicit_looks(v, times));
    examination_allow(v, last ? 0 : times * EXPLICIT_PLACES);
    bool done = run_explicit(v, last ? asked : o, count, last, &why);
    limits_end_turn(v->limits);
    if (done)
      return;
    if ((first || times > 1) && front_run(v, o, count, times)) {
      run_nothing(v);
      return;
    }
    /* Sets of a net without bounds have no end. */
    if (examination_is_endless(v))
      continue;
    /* More time does not help where memory is short. */
    last = why != REASON_TIME_LIMIT;
    if (times > 1)
      symbolic_compare_orders(v, o);
    done = run_by_sets(v, o, count, times, last);
    sets_full = !done && limits_why(v->limits) != REASON_TIME_LIMIT;
    limits_end_turn(v->limits);
    if (done)
      return;
  }
}

/* Only sets of states can say yes, but others may say no: in turns, a short one
** of sets first, because most nets are small. */
static void run_sets(verification *v, const nut_options *o, bool count)
{
  bool turns = v->net && o->order == NUT_ORDER_FORCE, sets_full = false;
  for (uint64_t times = 1; turns && !sets_full; times *= LONGER) {
    limits_begin_work(v->limits, times * SETS_LOOKS / LONGER);
    bool done = symbolic_run(v, o, count, false);
    sets_full = !done && limits_why(v->limits) != REASON_TIME_LIMIT;
    limits_end_turn(v->limits);
    if (done)
      return;
    if (!o->symbolic && front_run(v, o, count, times)) {
      run_nothing(v);
      return;
    }
    if (times > 1)
      symbolic_compare_orders(v, o);
    /* Nobody else takes turns: the order was all that could be chosen. */
    turns = !o->symbolic || times == 1;
  }
  if (!turns && v->net && !o->symbolic && front_run(v, o, count, 1)) {
    run_nothing(v);
    return;
  }
  symbolic_run(v, o, count, true);
}

/* Why there was one thread, where the search itself has not said so. */
static void tell_threads(verification *v, const nut_options *o)
{
  search_result *found = &v->outcome.result;
  if (v->net && o->threads > 1 && found->threads <= 1 && !found->threads_off)
    found->threads_off = "turns of a net are searched by one";
}

void plan_run(verification *v, const nut_options *o, bool count)
{
  /* Of a net something may be decided long before time is up: it must not be
  ** lost.  All that takes long looks at the limits by itself. */
  bool polled = limits_set_polled(v->limits, v->net != NULL);
  if (front_is_asked(v) && questions_ask(&v->questions, ABOUT_TREES) &&
      front_run(v, o, count, 1))
    run_nothing(v);
  else if (o->symbolic || examination_needs_sets(v))
    run_sets(v, o, count);
  else if (may_choose(v, o, count))
    run_either(v, o, count);
  else
    run_explicit(v, o, count, true, &(reason){REASON_NONE});
  if (!o->liveness)
    outcome_drop_liveness(&v->outcome);
  front_conclude(v);
  limits_set_polled(v->limits, polled);
  outcome_define(&v->outcome);
  v->outcome.result.seconds = limits_seconds(v->limits);
  tell_threads(v, o);
  outcome_judge(&v->outcome);
  examination_explain(v);
}
