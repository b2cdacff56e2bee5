#include "report/outcome.h"
#include "base/source/shown.h"
#include <string.h>

static const char *text_of(reason r)
{
  return r == REASON_NONE ? NULL : reason_text(r);
}

/* Which part of the property is violated in the last state of the trace, or
** else the property as whoever asked for it wrote it: the expression may be a
** book. */
static const char *what_is_wrong(outcome *o, program *p, const answer *r)
{
  const property *of = r->question->property;
  const char *found = r->question->formula;
  if (!of || !of->culprit_count || r->trace->end != TRACE_INVARIANT)
    return found;
  uint32_t length;
  const uint8_t *state =
      trace_state(r->trace, r->trace->steps.len - 1, &length);
  if (!o->worker)
    o->worker = worker_create(p);
  for (uint32_t i = 0; i < of->culprit_count && found == r->question->formula;
       i++) {
    const culprit *c = &of->culprits[i];
    fault_kind failed = FAULT_NONE;
    if (program_evaluate(o->worker, c->when, state, length, &failed) && !failed)
      found = arena_printf(o->arena, "%s %s%s%s", c->name, c->verb,
                           c->other ? " " : "", c->other ? c->other : "");
  }
  return found;
}

row *outcome_add_row(outcome *o, row new)
{
  new.name = shown(o->arena, new.name);
  new.formula = shown(o->arena, new.formula);
  vec_push(&o->rows, new);
  return &vec_last(&o->rows);
}

void outcome_fill(outcome *o, program *p, search_result *result)
{
  o->program = p;
  o->model = program_model(p);
  o->result = *result;
  o->complete = result->complete;
  for (size_t i = 0; i < result->answers.len; i++) {
    const answer *r = &result->answers.data[i];
    const question *q = r->question;
    row new = {.name = q->name,
               .kind = q->kind,
               .formula = q->formula,
               .verdict = r->verdict,
               .reason = text_of(r->reason),
               .errors = r->errors,
               .trace = r->trace,
               .reduction = r->por ? reduce_kind_name(r->por) : NULL,
               .reduction_off = r->por_off};
    outcome_add_row(o, new);
    if (!r->trace)
      continue;
    story *told = vec_last(&o->rows).story = story_create(p);
    story_tell(told, r->trace);
    if (q->formula && r->trace->expr)
      told->ending = arena_printf(o->arena, "%s: %s", trace_end_text(told->end),
                                  what_is_wrong(o, p, r));
  }
}

void outcome_add_unchecked(outcome *o, const char *name, property_kind kind,
                           const char *formula)
{
  row new = {.name = name,
             .kind = kind,
             .formula = formula,
             .verdict = VERDICT_UNKNOWN,
             .reason = reason_text(REASON_NOT_CHECKED)};
  outcome_add_row(o, new);
}

static void free_stories(row *r)
{
  if (!r->tree)
    story_destroy(r->story);
  story_destroy(r->other);
  if (!r->tree)
    return;
  for (size_t i = 0; i < r->tree->branches.len; i++)
    story_destroy(r->tree->branches.data[i].story);
  vec_free(&r->tree->branches);
  vec_free(&r->tree->notes);
}

void outcome_drop_liveness(outcome *o)
{
  size_t kept = 0;
  for (size_t i = 0; i < o->rows.len; i++) {
    if (property_is_live(o->rows.data[i].kind)) {
      free_stories(&o->rows.data[i]);
      o->left_out++;
    } else {
      o->rows.data[kept++] = o->rows.data[i];
    }
  }
  o->rows.len = kept;
}

bool outcome_exact(const outcome *o)
{
  return o->symbolic || (o->result.store && o->result.store->exact);
}

/* A row can hold before everything was explored: a state that was to be reached
** was. */
static bool all_rows_hold(const outcome *o)
{
  for (size_t i = 0; i < o->rows.len; i++)
    if (o->rows.data[i].verdict != VERDICT_HOLDS)
      return false;
  return o->rows.len && !o->left_out;
}

/* Never 'holds' unless everything was explored and each row holds, or each row
** holds whatever is still to be explored. */
void outcome_judge(outcome *o)
{
  o->verdict =
      o->complete && outcome_exact(o) ? VERDICT_HOLDS : VERDICT_UNKNOWN;
  o->reason = o->complete ? NULL : text_of(o->result.reason);
  if (o->complete && !outcome_exact(o))
    o->reason = reason_text(REASON_LOSSY_STORE);
  for (size_t i = 0; i < o->rows.len; i++) {
    const row *r = &o->rows.data[i];
    if (r->verdict == VERDICT_VIOLATED) {
      o->verdict = VERDICT_VIOLATED;
    } else if (r->verdict == VERDICT_UNKNOWN) {
      if (o->verdict == VERDICT_HOLDS)
        o->verdict = VERDICT_UNKNOWN;
      if (!o->reason)
        o->reason = r->reason;
    }
  }
  if (all_rows_hold(o))
    o->verdict = VERDICT_HOLDS;
  /* Counting has no rows of its own that a violation could stand in. */
  if (o->result.verdict == VERDICT_VIOLATED && o->left_out == 0)
    o->verdict = VERDICT_VIOLATED;
}

void outcome_free(outcome *o)
{
  for (size_t i = 0; i < o->rows.len; i++)
    free_stories(&o->rows.data[i]);
  vec_free(&o->rows);
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

void outcome_add_hint(const outcome *o, text *out)
{
  const search_result *r = &o->result;
  if (!o->model || !r->stuck || r->stuck_edge >= o->model->edges.len)
    return;
  const edge *e = o->model->edges.data[r->stuck_edge];
  position at = source_position(o->model->sources, e->where);
  text_printf(out, "%s(%u) %s an atomic sequence or d_step: %s:%u",
              e->process->name, r->stuck_process,
              r->endless ? "can never leave" : "has not left",
              at.name ? at.name : "", at.line);
}
