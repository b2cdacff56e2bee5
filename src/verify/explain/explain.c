/* Explanations for all answers that have a run. */

#include "verify/explain/explain.h"
#include "base/alloc.h"

typedef struct explain_job {
  verification *verification;
  const nut_options *options;
  answer *answer;
  worker *worker;
} explain_job;

static void explain(void *job)
{
  explain_job *j = job;
  verification *v = j->verification;
  explanation *to = ARENA_NEW(v->outcome.arena, explanation);
  j->worker = worker_create(v->program);
  explaining e = {.program = v->program,
                  .worker = j->worker,
                  .property = j->answer->question->property,
                  .trace = j->answer->trace,
                  .limits = v->limits,
                  .arena = v->outcome.arena,
                  .fair = j->options->fair,
                  .to = to};
  if (j->answer->trace->end >= TRACE_LOOP && e.property)
    explain_lasso(&e);
  else
    explain_cone(&e);
  if (j->answer->verdict == VERDICT_VIOLATED)
    explain_avoidance(&e);
  else
    to->not_known = "it is no error";
  j->answer->explanation = to;
}

/* An answer stays what it is, whether there is room to explain it or not. */
void explain_answers(verification *v, const nut_options *o)
{
  for (size_t i = 0; i < v->outcome.answers.len; i++) {
    explain_job job = {v, o, &v->outcome.answers.data[i], NULL};
    const answer *a = job.answer;
    if (!a->trace || a->tree ||
        property_about(a->question->kind) == ABOUT_PAIRS)
      continue;
    mem_protect(explain, &job);
    worker_destroy(job.worker);
  }
}
