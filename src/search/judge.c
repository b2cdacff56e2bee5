/* Properties: which are checked, what violates them, and what the run says
** about each in the end. */

#include "search/search_internal.h"

#include <assert.h>
#include <string.h>

static const struct {
  property_kind kind;
  const char *name;
} built_in[] = {
    {PROPERTY_ASSERTIONS, "assertions"},
    {PROPERTY_END_STATES, "end-states"},
    {PROPERTY_BOUNDS, "bounds"},
};

enum { BUILT_IN = sizeof built_in / sizeof built_in[0] };

static bool is_built_in(property_kind kind)
{
  return kind <= PROPERTY_BOUNDS;
}

static bool is_expression(property_kind kind)
{
  return kind == PROPERTY_INVARIANT || kind == PROPERTY_REACH;
}

const char *search_property_name(const model *m, size_t i)
{
  if (i < BUILT_IN)
    return built_in[i].name;
  i -= BUILT_IN;
  for (size_t k = 0; k < m->properties.len; k++)
    if (!is_built_in(m->properties.data[k].kind) && !i--)
      return m->properties.data[k].name;
  return NULL;
}

/* ---- which properties -------------------------------------------------- */

static bool is_selected(const search_options *options, const char *name)
{
  for (size_t i = 0; i < options->selected_count; i++)
    if (!strcmp(options->selected[i], name))
      return true;
  return !options->selected_count;
}

static void add_property(search *r, property_kind kind, const char *name,
                         const property *source)
{
  property_result result = {
      .kind = kind,
      .name = name,
      .formula = source ? source->formula : NULL,
      .property = source,
      .verdict = VERDICT_UNKNOWN,
  };
  vec_push(&r->result->properties, result);
}

static void choose_model_property(search *r, const property *p)
{
  uint32_t index = (uint32_t)r->result->properties.len;
  add_property(r, p->kind, p->name, p);
  if (is_expression(p->kind)) {
    state_check check = {p->expr, index};
    vec_push(&r->checks, check);
    r->undecided++;
  } else if (!live_is_about(p->kind)) {
    /* Nothing the search could find would decide it. */
    r->result->properties.data[index].reason = REASON_NOT_CHECKED;
  }
}

void search_choose_properties(search *r)
{
  const search_options *options = r->options;
  const model *m = program_model(r->program);
  for (size_t i = 0; i < BUILT_IN; i++) {
    property_kind kind = built_in[i].kind;
    r->property_of[kind] = PROPERTY_NONE;
    if (!is_selected(options, built_in[i].name) ||
        (kind == PROPERTY_END_STATES && options->no_deadlock))
      continue;
    r->property_of[kind] = (uint32_t)r->result->properties.len;
    add_property(r, kind, built_in[i].name, NULL);
    r->undecided++;
  }
  for (size_t i = 0; i < m->properties.len && !options->count; i++) {
    const property *p = m->properties.data + i;
    if (p->kind == PROPERTY_CTL ||
        (p->kind == PROPERTY_CODING && !options->selected_count))
      continue;
    if (!is_built_in(p->kind) && is_selected(options, p->name))
      choose_model_property(r, p);
  }
  r->judges_states = r->checks.len || options->on_state;
}

bool search_wants_states(const search *r)
{
  const search_result *result = r->result;
  bool infinite = false, other = r->options->on_state != NULL;
  for (size_t i = 0; i < result->properties.len; i++) {
    bool is_live = live_is_about(result->properties.data[i].kind);
    infinite |= is_live;
    other |= !is_live;
  }
  return other || !infinite || r->options->no_liveness;
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

/* Tells a trace of the program searched as one of the plain program: that can
** do the same steps, and has the states between them. */
static trace_result retell(search *r, const trace_claim *claim, trace **made)
{
  size_t followed = 0;
  vec_clear(&r->choices);
  if (!r->teller)
    r->teller = worker_create(r->options->plain);
  for (size_t i = 1; i < (*made)->steps.len; i++) {
    const trace_step *s = &(*made)->steps.data[i];
    if (!(s->flags & STEP_INNER))
      vec_push(&r->choices, ((choice){s->process, s->edge}));
  }
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
static trace_result make_trace(search *r, const trace_claim *claim,
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

/* Enters a violation, or a witness, and stops the run when it was the last
** one asked for.  'last' is a successor of the state being expanded that the
** trace must include. */
static void found(search *r, uint32_t index, const trace_claim *claim,
                  const successor *last)
{
  if (index == PROPERTY_NONE)
    return;
  const search_options *options = r->options;
  property_result *p = r->result->properties.data + index;
  bool first = !p->errors++, witness = p->kind == PROPERTY_REACH;
  if (first) {
    p->verdict = witness ? VERDICT_HOLDS : VERDICT_VIOLATED;
    /* Violations usually end a run only by their number. */
    r->undecided -= witness || options->once;
  }
  if (!witness)
    r->result->stats.errors++;
  if (first && !options->count &&
      make_trace(r, claim, last, &p->trace) == TRACE_IMPOSSIBLE) {
    p->verdict = VERDICT_UNKNOWN;
    p->reason = REASON_REPLAY;
  }
  if (!r->undecided)
    watch_stop(&r->watch, REASON_DECIDED);
  if (!options->count && options->max_errors &&
      r->result->stats.errors >= options->max_errors)
    watch_stop(&r->watch, REASON_ERRORS);
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
    make_trace(r, &claim, NULL, &r->result->overflow);
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
    assert(is_built_in(kind));
    trace_claim claim = {.end = TRACE_FAULT, .fault = i};
    found(r, r->property_of[kind], &claim, NULL);
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
    property_kind kind = r->result->properties.data[check->property].kind;
    trace_claim claim = {
        .end = kind == PROPERTY_REACH ? TRACE_WITNESS : TRACE_INVARIANT,
        .expr = check->expr,
    };
    if (trace_claim_holds(r->worker, &claim, state, next->length))
      found(r, check->property, &claim, next);
  }
}

/* ---- verdicts ---------------------------------------------------------- */

static void decide_property(const search_result *run_result, property_result *p)
{
  if (p->errors || p->reason != REASON_NONE || live_is_about(p->kind))
    return; /* found, known to be out of reach, or decided elsewhere */
  bool exact = run_result->store->exact;
  if (run_result->complete && exact)
    p->verdict = p->kind == PROPERTY_REACH ? VERDICT_VIOLATED : VERDICT_HOLDS;
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
  for (size_t i = 0; i < result->properties.len; i++) {
    property_result *p = result->properties.data + i;
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
  for (size_t i = 0; i < result->properties.len; i++)
    if (result->properties.data[i].verdict == VERDICT_VIOLATED)
      result->verdict = VERDICT_VIOLATED;
}
