/* Collects the answers of engines and makes the verdict of them. */

#include "verify/outcome.h"

static const char *text_of(reason r)
{
  return r == REASON_NONE ? NULL : reason_text(r);
}

/* Which part of the property is violated in the last state of the trace, or
** else the property as whoever asked for it wrote it: the expression may be a
** book. */
static const char *what_is_wrong(outcome *o, program *p, const answer *a)
{
  const property *of = a->question->property;
  const char *found = a->question->formula;
  if (!of || !of->culprit_count || a->trace->end != TRACE_INVARIANT)
    return found;
  uint32_t length;
  const uint8_t *state =
      trace_state(a->trace, a->trace->steps.len - 1, &length);
  if (!o->worker)
    o->worker = worker_create(p);
  for (uint32_t i = 0; i < of->culprit_count; i++) {
    const culprit *c = &of->culprits[i];
    fault_kind failed = FAULT_NONE;
    if (program_evaluate(o->worker, c->when, state, length, &failed) && !failed)
      return arena_printf(o->arena, "%s %s%s%s", c->name, c->verb,
                          c->other ? " " : "", c->other ? c->other : "");
  }
  return found;
}

void outcome_fill(outcome *o, program *p)
{
  o->program = p;
  o->model = program_model(p);
  o->complete = o->result.complete;
  o->answers = o->result.answers;
  o->result.answers = (answer_list){0};
  for (size_t i = 0; i < o->answers.len; i++) {
    answer *a = &o->answers.data[i];
    if (a->trace && a->trace->expr && a->question->formula)
      a->ending =
          arena_printf(o->arena, "%s: %s", trace_end_text(a->trace->end),
                       what_is_wrong(o, p, a));
  }
}

answer *outcome_add(outcome *o, const question *q)
{
  vec_push(&o->answers, ((answer){.question = q, .verdict = VERDICT_UNKNOWN}));
  return &vec_last(&o->answers);
}

static bool is_ruled_out(const model_language *l, property_kind kind)
{
  return (kind == PROPERTY_ASSERTIONS && l->no_assertions) ||
         (kind == PROPERTY_BOUNDS && l->no_bounds);
}

void outcome_define(outcome *o)
{
  for (size_t i = 0; o->model && i < o->answers.len; i++) {
    answer *a = &o->answers.data[i];
    if (!is_ruled_out(o->model->language, a->question->kind) || a->errors)
      continue;
    a->verdict = VERDICT_HOLDS;
    a->reason = REASON_NONE;
    a->why = NULL;
    a->by_definition = true;
  }
}

void outcome_drop_liveness(outcome *o)
{
  size_t kept = 0;
  for (size_t i = 0; i < o->answers.len; i++) {
    if (property_is_live(o->answers.data[i].question->kind)) {
      answer_free(&o->answers.data[i]);
      o->left_out++;
    } else {
      o->answers.data[kept++] = o->answers.data[i];
    }
  }
  o->answers.len = kept;
}

bool outcome_exact(const outcome *o)
{
  return o->symbolic || (o->result.store && o->result.store->exact);
}

/* A property can hold before everything was explored: a state that was to be
** reached was. */
static bool all_hold(const outcome *o)
{
  for (size_t i = 0; i < o->answers.len; i++)
    if (o->answers.data[i].verdict != VERDICT_HOLDS)
      return false;
  return o->answers.len && !o->left_out;
}

/* Never 'holds' unless everything was explored and each property holds, or each
** holds whatever is still to be explored. */
void outcome_judge(outcome *o)
{
  o->verdict =
      o->complete && outcome_exact(o) ? VERDICT_HOLDS : VERDICT_UNKNOWN;
  o->reason = o->complete ? NULL : text_of(o->result.reason);
  if (o->complete && !outcome_exact(o))
    o->reason = reason_text(REASON_LOSSY_STORE);
  for (size_t i = 0; i < o->answers.len; i++) {
    const answer *a = &o->answers.data[i];
    if (a->verdict == VERDICT_VIOLATED) {
      o->verdict = VERDICT_VIOLATED;
    } else if (a->verdict == VERDICT_UNKNOWN) {
      if (o->verdict == VERDICT_HOLDS)
        o->verdict = VERDICT_UNKNOWN;
      if (!o->reason)
        o->reason = answer_reason(a);
    }
  }
  if (all_hold(o))
    o->verdict = VERDICT_HOLDS;
  /* Counting has no answers of its own that a violation could stand in. */
  if (o->result.verdict == VERDICT_VIOLATED && o->left_out == 0)
    o->verdict = VERDICT_VIOLATED;
}

void outcome_free(outcome *o)
{
  answers_free(&o->answers);
  worker_destroy(o->worker);
  if (o->symbolic)
    symbolic_figures_free(&o->symbolic->figures);
  search_result_free(&o->result);
  arena_destroy(o->arena);
}

double outcome_coverage(const outcome *o)
{
  double states = (double)o->result.stats.states;
  double all = states + o->result.store_figures.lost;
  return all > 0 ? states / all : 1;
}

const char *outcome_store(const outcome *o)
{
  const store_class *s = o->result.store;
  return s ? arena_printf(o->arena, "%s+%s", s->codec, s->set) : "";
}
