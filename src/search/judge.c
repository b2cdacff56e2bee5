/* Questions about steps, states and runs: which are taken, what violates them,
** and what the run answers in the end. */

#include "search/search_internal.h"

#include <assert.h>
#include <string.h>

static void add_answer(search *r, const question *q)
{
  vec_push(&r->result->answers,
           ((answer){.question = q, .verdict = VERDICT_UNKNOWN}));
}

static void take_question(search *r, const question *q)
{
  uint32_t index = (uint32_t)r->result->answers.len;
  switch (property_about(q->kind)) {
  case ABOUT_STEPS:
    r->property_of[q->kind] = index;
    r->undecided++;
    break;
  case ABOUT_STATES:
    vec_push(&r->checks, ((state_check){q->property->expr, index}));
    r->undecided++;
    break;
  case ABOUT_RUNS:
    break;
  case ABOUT_PAIRS:
    add_answer(r, q);
    /* Nothing the search could find would decide it. */
    vec_last(&r->result->answers).reason = REASON_NOT_CHECKED;
    return;
  case ABOUT_TREES:
  case ABOUT_SPACE:
    return; /* somebody else's */
  }
  add_answer(r, q);
}

/* Where nobody asked, the model does. */
static const questions *questions_of(search *r)
{
  search_result *result = r->result;
  if (r->options->questions)
    return r->options->questions;
  result->arena = arena_create();
  questions_start(&result->own, result->arena, program_model(r->program));
  return &result->own;
}

void search_take_questions(search *r)
{
  const questions *all = questions_of(r);
  for (size_t i = 0; i < sizeof r->property_of / sizeof *r->property_of; i++)
    r->property_of[i] = PROPERTY_NONE;
  for (size_t i = 0; i < all->list.len; i++) {
    const question *q = all->list.data[i];
    bool counted = property_about(q->kind) == ABOUT_STEPS;
    if (q->selected && (counted || !r->options->count))
      take_question(r, q);
  }
  r->judges_states = r->checks.len || r->options->on_state;
}

static bool is_about_runs(const answer *a)
{
  return property_about(a->question->kind) == ABOUT_RUNS;
}

bool search_wants_states(const search *r)
{
  const search_result *result = r->result;
  bool infinite = false;
  bool other = r->options->on_state || r->options->asked.coverage;
  for (size_t i = 0; i < result->answers.len; i++) {
    bool is_live = is_about_runs(&result->answers.data[i]);
    infinite |= is_live;
    other |= !is_live;
  }
  return other || !infinite || !r->options->asked.liveness;
}

/* ---- what was found ---------------------------------------------------- */

/* The path to the state being expanded and perhaps one state more. */
typedef struct way {
  search *search;
  const uint8_t *last;
  uint32_t last_length;
} way;

static uint32_t next_on_way(void *context, size_t i, const uint8_t **state)
{
  way *w = context;
  if (i < w->search->places.len)
    return w->search->state_at(w->search, w->search->places.data[i], state);
  *state = w->last;
  return w->last_length;
}

/* Whether a trace shows what was claimed. */
static bool shows(search *r, const trace *t, const trace_claim *claim)
{
  uint32_t length;
  if (claim->end != TRACE_INVARIANT && claim->end != TRACE_WITNESS)
    return t->end == claim->end;
  const uint8_t *state = trace_state(t, t->steps.len - 1, &length);
  return trace_claim_holds(r->teller, claim, state, length);
}

/* Whether the plain program goes on behind the step, if it can, and the one
** searched does not. */
static bool is_released(const search *r, const trace_step *s)
{
  const edge *e = program_model(r->program)->edges.data[s->edge];
  return e->flags & EDGE_ATOMIC && !program_keeps_control(r->program, e);
}

/* Where the process of step 'i' moves next, or the end of the trace. */
static size_t find_next(const trace *t, size_t i)
{
  uint16_t process = t->steps.data[i].process;
  for (i++; i < t->steps.len; i++)
    if (t->steps.data[i].process == process)
      return i;
  return i;
}

static void add_choice(search *r, const trace_step *s)
{
  vec_push(&r->choices, ((choice){s->process, s->edge}));
}

/* A released step that is to come, and where its process moves next. */
typedef struct late_step {
  size_t step, next;
} late_step;

/* The steps of a trace.  One that is released comes when its process goes on:
** nobody sees it, and before that the plain program may not rest behind it.  When
** the process never does, it comes last where the claim is that nothing can
** happen, and otherwise not at all.  (A process that answers a rendezvous there
** always rests before.) */
static void list_choices(search *r, const trace *t, bool all)
{
  VEC(late_step) late = {0};
  for (size_t i = 1; i < t->steps.len; i++) {
    const trace_step *s = &t->steps.data[i];
    if (s->flags & STEP_INNER)
      continue;
    for (size_t k = 0; k < late.len; k++)
      if (late.data[k].next == i) {
        add_choice(r, &t->steps.data[late.data[k].step]);
        late.data[k] = late.data[--late.len];
        break;
      }
    size_t next = is_released(r, s) ? find_next(t, i) : 0;
    if (next &&
        (next == t->steps.len || !(t->steps.data[next].flags & STEP_PARTNER)))
      vec_push(&late, ((late_step){i, next}));
    else
      add_choice(r, s);
  }
  for (size_t k = 0; all && k < late.len; k++)
    add_choice(r, &t->steps.data[late.data[k].step]);
  vec_free(&late);
}

/* Tells a trace of the program searched as one of the plain program: that can
** do the same steps, and has the states between them. */
static trace_result retell(search *r, const trace_claim *claim, trace **made)
{
  size_t followed = 0;
  vec_clear(&r->choices);
  if (!r->teller)
    r->teller = worker_create(r->options->plain);
  list_choices(r, *made,
               claim->end != TRACE_FAULT && claim->end != TRACE_INVARIANT &&
                   claim->end != TRACE_WITNESS);
  choice_kind kind = claim->end == TRACE_FAULT ? CHOICE_EDGES : CHOICE_MADE;
  trace *told = trail_replay(r->teller, r->options->plain, kind,
                             r->choices.data, r->choices.len, &followed);
  bool good = told && followed == r->choices.len && shows(r, told, claim);
  trace_destroy(*made);
  *made = good ? told : NULL;
  if (!good)
    trace_destroy(told);
  if (good && (claim->end == TRACE_INVARIANT || claim->end == TRACE_WITNESS)) {
    told->end = claim->end;
    told->expr = claim->expr;
  }
  if (!good)
    return told ? TRACE_IMPOSSIBLE : TRACE_NO_MEMORY;
  return trace_verify(r->teller, r->options->plain, told);
}

/* The worker of replays is always an interpreter, and a second one, so that
** nothing the search does is part of the evidence. */
static trace_result make_long_trace(search *r, const trace_claim *claim,
                                    const successor *last, trace **made)
{
  if (!r->replayer)
    r->replayer = worker_create(r->program);
  way w = {r, NULL, 0};
  vec_clear(&r->places);
  if (!r->initial)
    r->find_path(r, &r->places);
  if (last) {
    w.last = r->batch->bytes.data + last->start + r->hidden;
    w.last_length = last->length - r->hidden;
  }
  trace_path path = {r->places.len + (last != NULL), next_on_way, &w};
  trace_result result =
      trace_build(r->replayer, r->program, &path, claim, made);
  if (result != TRACE_MADE)
    return result;
  result = trace_verify(r->replayer, r->program, *made);
  if (result == TRACE_MADE && r->options->plain)
    result = retell(r, claim, made);
  if (result == TRACE_MADE)
    return result;
  trace_destroy(*made);
  *made = NULL;
  return result;
}

/* Long traces take time, and do not ask for it. */
trace_result search_trace(search *r, const trace_claim *claim,
                          const successor *last, trace **made)
{
  bool polled = limits_set_polled(r->watch.limits, false);
  trace_result result = make_long_trace(r, claim, last, made);
  limits_set_polled(r->watch.limits, polled);
  return result;
}

struct checkpoint *search_keeper(const search *r)
{
  const answer_list *answers = &r->result->answers;
  for (size_t i = 0; i < answers->len; i++)
    if (answers->data[i].untold != REASON_NONE)
      return NULL;
  return r->options->prefix ? NULL : r->options->checkpoint;
}

bool search_enter(search *r, answer *p, uint64_t count)
{
  bool first = !p->errors, witness = p->question->kind == PROPERTY_REACH;
  p->errors += count;
  if (first) {
    p->verdict = witness ? VERDICT_HOLDS : VERDICT_VIOLATED;
    /* Violations usually end a run only by their number. */
    r->undecided -= !is_about_runs(p) && (witness || r->options->once);
  }
  if (!witness)
    r->result->stats.errors += count;
  return first;
}

void search_stop_if_enough(search *r)
{
  const search_options *options = r->options;
  if (!r->undecided)
    watch_stop(&r->watch, REASON_DECIDED);
  if (!options->count && options->asked.max_errors &&
      r->result->stats.errors >= options->asked.max_errors)
    watch_stop(&r->watch, REASON_ERRORS);
}

/* Enters a violation, or a witness, and stops the run when it was the last
** one asked for.  'last' is a successor of the state being expanded that the
** trace must include. */
static void found(search *r, uint32_t index, const trace_claim *claim,
                  const successor *last)
{
  if (index == PROPERTY_NONE)
    return;
  const search_options *options = r->options;
  answer *p = r->result->answers.data + index;
  if (search_enter(r, p, 1) && !options->count) {
    p->untold = REASON_OUT_OF_MEMORY; /* if it runs out below */
    answer_traced(p, search_trace(r, claim, last, &p->trace), r->watch.limits);
  }
  search_stop_if_enough(r);
}

void search_adopt(search *r, answer *found)
{
  for (size_t i = 0; i < r->result->answers.len; i++) {
    answer *p = r->result->answers.data + i;
    if (p->question != found->question || p->errors)
      continue;
    search_enter(r, p, 1);
    p->verdict = found->verdict;
    p->reason = found->reason;
    p->untold = found->untold;
    p->trace = found->trace;
    found->trace = NULL;
    p->violations = found->violations;
    found->violations = (violation_list){0};
    p->por = found->por;
    p->por_off = found->por_off;
    p->trivial = found->trivial;
    if (!is_about_runs(p))
      search_stop_if_enough(r);
  }
}

violation *search_violation_at(answer *p, const fault *f)
{
  for (size_t i = 0; i < p->violations.len; i++) {
    violation *v = p->violations.data + i;
    if (v->kind == f->kind && v->edge == f->edge &&
        v->where.file == f->where.file && v->where.start == f->where.start)
      return v;
  }
  return NULL;
}

/* Counts a failing step for the place where it fails; the first of each place
** gets a trace of its own, but that of the first place is the answer's. */
static void enter_place(search *r, uint32_t index, const trace_claim *claim)
{
  answer *p = r->result->answers.data + index;
  const fault f = r->batch->faults.data[claim->fault];
  violation *known = search_violation_at(p, &f);
  if (known) {
    known->errors++;
    return;
  }
  if (p->violations.len >= VIOLATIONS_MAX)
    return;
  bool traced = p->violations.len > 0 && !r->options->count;
  vec_push(&p->violations,
           ((violation){
               .kind = f.kind, .edge = f.edge, .where = f.where, .errors = 1}));
  if (traced)
    search_trace(r, claim, NULL, &vec_last(&p->violations).trace);
}

/* Whether the expansion has made values that do not fit, so that the run must
** end. */
static bool has_outgrown(search *r)
{
  for (size_t i = 0; i < r->batch->faults.len; i++) {
    if (r->batch->faults.data[i].kind != FAULT_OVERFLOW)
      continue;
    trace_claim claim = {.end = TRACE_FAULT, .fault = i};
    r->result->outgrown = r->batch->faults.data[i].where;
    search_trace(r, &claim, NULL, &r->result->overflow);
    watch_stop(&r->watch, REASON_OUTGROWN);
    return true;
  }
  return false;
}

void search_judge_expansion(search *r)
{
  statistics *stats = &r->result->stats;
  if (r->options->stop_at_overflow && has_outgrown(r))
    return;
  for (size_t i = 0; i < r->batch->faults.len && !r->watch.stop; i++) {
    property_kind kind = fault_property(r->batch->faults.data[i].kind);
    assert(property_about(kind) == ABOUT_STEPS);
    trace_claim claim = {.end = TRACE_FAULT, .fault = i};
    uint32_t index = r->property_of[kind];
    found(r, index, &claim, NULL);
    if (index != PROPERTY_NONE)
      enter_place(r, index, &claim);
  }
  if (!r->batch->blocked || r->initial)
    return;
  stats->blocked++;
  if (!r->batch->invalid_end)
    return;
  stats->deadlocks++;
  trace_claim claim = {.end = TRACE_INVALID_END};
  if (!r->watch.stop)
    found(r, r->property_of[PROPERTY_END_STATES], &claim, NULL);
}

trace_claim search_claim_of(const search *r, const state_check *check)
{
  property_kind kind = r->result->answers.data[check->property].question->kind;
  return (trace_claim){
      .end = kind == PROPERTY_REACH ? TRACE_WITNESS : TRACE_INVARIANT,
      .expr = check->expr,
  };
}

void search_judge_state(search *r, size_t index)
{
  const successor *next = r->batch->list.data + index;
  const uint8_t *state = r->batch->bytes.data + next->start;
  const search_options *options = r->options;
  reason enough = options->on_state ? options->on_state(options->state_context,
                                                        state, next->length)
                                    : REASON_NONE;
  if (enough != REASON_NONE)
    watch_stop(&r->watch, enough);
  for (size_t i = 0; i < r->checks.len && !r->watch.stop; i++) {
    const state_check *check = r->checks.data + i;
    trace_claim claim = search_claim_of(r, check);
    if (trace_claim_holds(r->worker, &claim, state, next->length))
      found(r, check->property, &claim, next);
  }
}

/* ---- verdicts ---------------------------------------------------------- */

static void decide_property(const search_result *run_result, answer *p)
{
  if (p->errors || p->reason != REASON_NONE || is_about_runs(p))
    return; /* found, known to be out of reach, or decided elsewhere */
  bool exact = run_result->store->exact;
  if (run_result->complete && exact)
    p->verdict =
        p->question->kind == PROPERTY_REACH ? VERDICT_VIOLATED : VERDICT_HOLDS;
  else if (run_result->complete)
    p->reason = REASON_LOSSY_STORE;
  else
    p->reason = run_result->reason;
}

void search_decide(search *r)
{
  search_result *result = r->result;
  result->complete = !r->watch.stop && !r->watch.truncated;
  if (r->watch.truncated && !r->watch.stop)
    result->reason = REASON_DEPTH_LIMIT;
  /* Without any property a run that is not complete knows nothing. */
  result->verdict = result->complete || result->reason == REASON_DECIDED
                        ? VERDICT_HOLDS
                        : VERDICT_UNKNOWN;
  reason unknown = REASON_NONE;
  for (size_t i = 0; i < result->answers.len; i++) {
    answer *p = result->answers.data + i;
    decide_property(result, p);
    if (p->verdict == VERDICT_UNKNOWN && unknown == REASON_NONE)
      unknown = p->reason;
  }
  if (r->live_reason != REASON_NONE) {
    result->complete = false;
    result->reason = r->live_reason;
  }
  if (unknown != REASON_NONE) {
    result->verdict = VERDICT_UNKNOWN;
    if (result->reason == REASON_NONE)
      result->reason = unknown;
  }
  for (size_t i = 0; i < result->answers.len; i++)
    if (result->answers.data[i].verdict == VERDICT_VIOLATED)
      result->verdict = VERDICT_VIOLATED;
}
