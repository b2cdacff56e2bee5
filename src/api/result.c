/* Results and traces of the public header: asked, and written as text. */

#include "api/handle.h"
#include "base/alloc.h"
#include "program/native/native.h"
#include "report/why/explained.h"
#include "verify/vacuity/vacuity.h"
#include <assert.h>
#include <string.h>

/* The public verdicts are those of base/verdict.h. */
#define VERDICT(name, text, status)                                            \
  _Static_assert((int)NUT_##name == (int)VERDICT_##name, "the same number");
VERDICTS(VERDICT)
#undef VERDICT

static nut_verdict public_verdict(verdict v)
{
  return (nut_verdict)v;
}

const char *nut_verdict_name(nut_verdict v)
{
  return verdict_text((verdict)v);
}

nut_verdict nut_result_verdict(const nut_result *r)
{
  return r ? public_verdict(r->asked.outcome.verdict) : NUT_UNKNOWN;
}

bool nut_result_complete(const nut_result *r)
{
  return r->asked.outcome.complete;
}

const char *nut_result_reason(const nut_result *r)
{
  return r->asked.outcome.reason;
}

const char *nut_result_note(const nut_result *r)
{
  const program *searched = r ? verification_searched(&r->asked) : NULL;
  return searched ? program_engine_note(searched) : NULL;
}

const char *nut_result_remarks(const nut_result *r)
{
  return r ? text_string(&r->asked.remarks) : "";
}

const char *nut_result_messages(const nut_result *r)
{
  return r ? text_string(&r->asked.messages) : "out of memory\n";
}

nut_figures nut_result_figures(const nut_result *r)
{
  const statistics *s = &r->asked.outcome.result.stats;
  const symbolic_report *symbolic = r->asked.outcome.symbolic;
  return (nut_figures){
      .states = s->states,
      .transitions = s->transitions,
      .deadlocks = s->deadlocks,
      .depth = s->depth,
      .errors = s->errors,
      .atomic_steps = s->atomic_steps,
      .state_bytes = s->state_bytes,
      .store_bytes = s->store_bytes,
      .memory_bytes = s->memory_bytes,
      .max_token_in_place =
          r->asked.outcome.net ? r->asked.outcome.net->in_place : 0,
      .max_token_per_marking =
          r->asked.outcome.net ? r->asked.outcome.net->per_marking : 0,
      .unbounded = r->asked.outcome.net && r->asked.outcome.net->unbounded,
      .sure_token_in_place =
          r->asked.outcome.net && r->asked.outcome.net->in_place_sure,
      .sure_token_per_marking =
          r->asked.outcome.net && r->asked.outcome.net->per_marking_sure,
      .seconds = r->asked.outcome.result.seconds,
      .store = r->asked.program ? outcome_store(&r->asked.outcome) : "",
      .exact = outcome_exact(&r->asked.outcome),
      .exact_states = symbolic ? symbolic->states : NULL,
      .exact_transitions = symbolic ? symbolic->transitions : NULL,
      .exact_deadlocks = symbolic ? symbolic->deadlocks : NULL};
}

size_t nut_result_property_count(const nut_result *r)
{
  return r->asked.outcome.answers.len;
}

/* A run that was left at a limit may have answers and no traces of them. */
const nut_trace *nut_result_trace(const nut_result *r, size_t answered,
                                  size_t index)
{
  if (answered + 1 >= r->first.len)
    return NULL;
  size_t at = r->first.data[answered] + index;
  return at < r->first.data[answered + 1] ? &r->traces.data[at] : NULL;
}

nut_property nut_result_property(const nut_result *r, size_t index)
{
  assert(index < r->asked.outcome.answers.len);
  const answer *a = &r->asked.outcome.answers.data[index];
  return (nut_property){.name = a->question->name,
                        .kind = property_kind_name(a->question->kind),
                        .formula = a->question->formula,
                        .verdict = public_verdict(a->verdict),
                        .reason = answer_reason(a),
                        .has_value = a->has_value,
                        .value = a->value,
                        .errors = a->errors,
                        .trace = nut_result_trace(r, index, 0)};
}

/* ---- traces ------------------------------------------------------------- */

size_t nut_trace_length(const nut_trace *t)
{
  return t->story->steps.len;
}

/* The first question about a step makes the story complete; without memory for
** that, its steps have no changes. */
static void do_complete(void *told)
{
  story_complete(told);
}

static void know_details(const nut_trace *t)
{
  mem_protect(do_complete, t->story);
}

nut_step nut_trace_step(const nut_trace *t, size_t index)
{
  assert(index < t->story->steps.len);
  know_details(t);
  const telling *s = &t->story->steps.data[index];
  return (nut_step){.process = s->process,
                    .process_type = s->type->name,
                    .file = s->at.name,
                    .line = s->at.line,
                    .column = s->at.column,
                    .text = s->text,
                    .written = s->words,
                    .output = s->output,
                    .change_count = s->change_count,
                    .inner = s->flags & STEP_INNER,
                    .shown = s->seen,
                    .answers = s->flags & STEP_PARTNER,
                    .folded = story_is_folded(t->story, index),
                    .number = s->edge->number < 0
                                  ? -1
                                  : s->edge->number -
                                        s->edge->process->first_number + 1};
}

nut_place place_of_span(const sources *s, span where)
{
  if (!where.file)
    return (nut_place){0};
  position from = source_position(s, where), to = from;
  nut_place at = {from.name, from.line, from.column, from.line, from.column};
  if (!source_is_label(s, where.file) && where.length) {
    to = source_position(s,
                         (span){where.file, where.start + where.length - 1, 1});
    at.end_line = to.line;
    at.end_column = to.column + 1;
  }
  return at;
}

nut_place nut_trace_place(const nut_trace *t, size_t index)
{
  assert(index < t->story->steps.len);
  return place_of_span(t->story->model->sources,
                       t->story->steps.data[index].edge->where);
}

nut_change nut_trace_change(const nut_trace *t, size_t index, size_t which)
{
  assert(index < t->story->steps.len);
  const telling *s = &t->story->steps.data[index];
  assert(which < s->change_count);
  const change *c = &t->story->changes.data[s->first_change + which];
  return (nut_change){.name = c->label, .before = c->before, .after = c->after};
}

nut_explanation nut_result_explanation(const nut_result *r, size_t index)
{
  if (index >= r->account.answers.len)
    return (nut_explanation){0};
  told_explanation t = explanation_tell(&r->account.answers.data[index]);
  return (nut_explanation){t.explained, t.folded, t.not_folded,
                           t.until,     t.after,  t.not_known};
}

nut_vacuous nut_result_vacuous(const nut_result *r, size_t index, size_t which)
{
  const answer *a = index < r->account.answers.len
                        ? r->account.answers.data[index].answer
                        : NULL;
  if (!a || !a->vacuity || which >= a->vacuity->list.len)
    return (nut_vacuous){0};
  const vacuous *v = &a->vacuity->list.data[which];
  return (nut_vacuous){vacuity_kind_name(v->kind), v->part,
                       v->kind == VACUITY_PART ? v->instead : NULL};
}

nut_place nut_result_atomic_block(const nut_result *r, size_t index,
                                  const char **whose)
{
  const outcome *o = &r->asked.outcome;
  if (!o->atomic_blocks || index >= o->atomic_blocks->list.len)
    return (nut_place){0};
  const atomic_block *b = &o->atomic_blocks->list.data[index];
  position at = source_position(o->model->sources, b->where);
  *whose = b->process->name;
  return (nut_place){.file = at.name, .line = at.line, .column = at.column};
}

long nut_trace_loop(const nut_trace *t)
{
  return (long)t->story->loop;
}

const char *nut_trace_ending(const nut_trace *t)
{
  return t->story->ending ? t->story->ending : "";
}

const char *nut_trace_name(const nut_trace *t)
{
  return t->name;
}

typedef struct saving {
  arena *arena;
  const char *file;
  const char **place;
} saving;

static void do_save(void *what)
{
  saving *s = what;
  *s->place = arena_copy(s->arena, s->file, strlen(s->file));
}

bool nut_trace_saved(nut_result *r, const nut_trace *t, const char *file)
{
  saving s = {r->account.arena, file, t->file};
  return mem_protect(do_save, &s);
}
