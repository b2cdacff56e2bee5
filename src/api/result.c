#include "api/handle.h"
#include "base/alloc.h"
#include "program/native/native.h"
#include "report/chart.h"
#include "report/json.h"
#include "report/plain.h"
#include "report/tracefile.h"
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
static const nut_trace *trace_of(const nut_result *r, size_t index)
{
  bool has_one = index < r->traces.len && r->traces.data[index].story;
  return has_one ? &r->traces.data[index] : NULL;
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
                        .trace = trace_of(r, index)};
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
                    .output = s->output,
                    .change_count = s->change_count,
                    .inner = s->flags & STEP_INNER};
}

nut_change nut_trace_change(const nut_trace *t, size_t index, size_t which)
{
  assert(index < t->story->steps.len);
  const telling *s = &t->story->steps.data[index];
  assert(which < s->change_count);
  const change *c = &t->story->changes.data[s->first_change + which];
  return (nut_change){.name = c->label, .before = c->before, .after = c->after};
}

long nut_trace_loop(const nut_trace *t)
{
  return (long)t->story->loop;
}

const char *nut_trace_ending(const nut_trace *t)
{
  return t->story->ending ? t->story->ending : "";
}

/* ---- whole reports ------------------------------------------------------ */

static bool write_result(const account *a, nut_format format, text *out)
{
  const outcome *o = a->outcome;
  if (format == NUT_JSON)
    return json_account(a, out);
  if (format != NUT_TEXT || !o->program)
    return false;
  if (strcmp(o->command, "count") == 0)
    plain_count(a, (plain_style){0}, out);
  else
    plain_check(a, (plain_style){0}, out);
  return true;
}

static bool write_trace(const nut_trace *t, nut_format format, text *out)
{
  switch (format) {
  case NUT_TEXT:
    plain_story(t->story, (plain_style){.verbose = true}, out);
    return true;
  case NUT_JSON:
    return json_story(t->story, &t->property, t->property ? 1 : 0, out);
  case NUT_TRAIL:
    trail_write(t->story, out);
    return true;
  case NUT_MERMAID:
    chart_mermaid(t->story, out);
    return true;
  case NUT_SVG:
    chart_svg(t->story, out);
    return true;
  }
  return false;
}

/* What is to be written; one of the first two is NULL. */
typedef struct writing {
  const nut_result *result;
  const nut_trace *trace;
  nut_format format;
  text out;
  char *copy;
} writing;

static void do_write(void *what)
{
  writing *w = what;
  bool good = w->result ? write_result(&w->result->account, w->format, &w->out)
                        : write_trace(w->trace, w->format, &w->out);
  w->copy = good ? mem_copy_string(text_string(&w->out)) : NULL;
}

static char *write_text(const nut_result *r, const nut_trace *t,
                        nut_format format)
{
  writing w = {.result = r, .trace = t, .format = format};
  mem_protect(do_write, &w);
  text_free(&w.out);
  return w.copy;
}

char *nut_result_write(const nut_result *r, nut_format format)
{
  return write_text(r, NULL, format);
}

char *nut_trace_write(const nut_trace *t, nut_format format)
{
  return write_text(NULL, t, format);
}

void nut_text_free(char *s)
{
  mem_free_string(s);
}
