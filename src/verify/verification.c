/* Makes a verdict: from questions to answers, within the limits. */

#include "verify/verification.h"

#include "nutshell-config.h"
#include "program/native/native.h"
#include "verify/ask.h"
#include "verify/ctl_check.h"
#include "verify/explain/explain.h"
#include "verify/kept/disk_use.h"
#include "verify/kept/kept.h"
#include "verify/nets/net_front.h"
#include "verify/plan.h"
#include "verify/ranked/ranked.h"
#include "verify/state_coding.h"
#include "verify/vacuity/vacuity.h"
#include <string.h>

const program *verification_searched(const verification *v)
{
  return v->squeezed ? v->squeezed : v->program;
}

expr *verification_condition(verification *v, uint32_t file)
{
  model *m = v->annex;
  return m->language->condition(m, v->model->diags, file);
}

bool verification_complain(verification *v)
{
  diags_print(v->model->diags, &v->messages);
  return false;
}

/* A run that a limit or a signal has ended leaves nothing behind. */
static void leave_compiler(verification *v)
{
  program *searched = v->squeezed ? v->squeezed : v->program;
  if (searched && (v->outcome.verdict == VERDICT_HOLDS ||
                   v->outcome.verdict == VERDICT_VIOLATED))
    program_leave_compiler(searched);
}

/* Compiled code that was caught in a mistake makes nothing certain. */
static void judge_engine(verification *v)
{
  const program *searched = verification_searched(v);
  const char *error = program_engine_error(searched);
  v->outcome.engine = program_engine(searched);
  if (!error)
    return;
  v->outcome.verdict = VERDICT_UNKNOWN;
  v->outcome.complete = false;
  v->outcome.reason = arena_copy(v->outcome.arena, error, strlen(error));
}

/* The limits of loading go on, unless the check has some of its own. */
static void set_limits(limits *l, const nut_options *o)
{
  limits_asked asked = {o->seconds, o->memory_bytes,
                        o->interrupt ? o->interrupt : l->asked.interrupt,
                        l->asked.tell};
  if (o->seconds > 0 || o->memory_bytes || o->interrupt)
    limits_restart(l, &asked);
  else
    limits_open(l);
}

void verification_start(verification *v, loaded *m, bool count)
{
  v->model = m;
  v->limits = m ? &m->limits : &v->own_limits;
  v->outcome.command = count ? "count" : "check";
  v->outcome.version = NUT_VERSION;
  v->outcome.engine = "interpreted";
  v->outcome.file = m ? m->file : "";
  v->outcome.language = m ? m->language : "promela";
  v->outcome.verdict = VERDICT_ERROR;
}

typedef struct verification_job {
  verification *verification;
  const nut_options *options;
  bool count;
} verification_job;

static void do_verify(void *job)
{
  verification_job *j = job;
  verification *v = j->verification;
  /* Whatever the limits, there is a report. */
  limits_close(v->limits);
  v->outcome.arena = arena_create();
  set_limits(v->limits, j->options);
  if (!ask_questions(v, j->options, j->count) ||
      !disk_use_start(v, j->options, j->count) ||
      !ranked_start(v, j->options, j->count) ||
      !kept_start(v, j->options, j->count))
    return;
  plan_run(v, j->options, j->count);
  if (!kept_conclude(v)) {
    v->outcome.verdict = VERDICT_ERROR;
    return;
  }
  if (!j->count)
    vacuity_look(v, j->options);
  if (j->options->explain && !j->count)
    explain_answers(v, j->options);
  judge_engine(v);
  leave_compiler(v);
  kept_forget(v);
}

void verification_give_up(verification *v)
{
  v->outcome.verdict = VERDICT_UNKNOWN;
  v->outcome.complete = false;
  v->outcome.reason = reason_text(limits_why(v->limits));
}

mem_budget *verification_run(verification *v, const nut_options *o, bool count)
{
  verification_job job = {v, o, count};
  diags *d = v->model ? v->model->diags : NULL;
  size_t before = d ? diags_count(d) : 0;
  mem_budget *outer = limits_enter(v->limits);
  if (!mem_protect(do_verify, &job))
    verification_give_up(v);
  /* What is wrong with the question is none of the model's. */
  if (d)
    diags_cut(d, before);
  limits_close(v->limits);
  return outer;
}

void verification_free(verification *v)
{
  kept_free(v);
  coding_free(v);
  front_free(v);
  outcome_free(&v->outcome);
  ctl_free(v);
  program_destroy(v->squeezed);
  program_destroy(v->program);
  model_annex_free(v->annex);
  text_free(&v->messages);
  text_free(&v->remarks);
  questions_free(&v->questions);
}
