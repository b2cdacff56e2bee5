#include "api/handle.h"
#include "base/alloc.h"

nut_options nut_default_options(void)
{
  return (nut_options){.hashes = 3,
                       .max_errors = 1,
                       .deadlocks = true,
                       .liveness = true,
                       .por = NUT_POR_ON,
                       .merge = true,
                       .reset_dead = true,
                       .algorithm = NUT_ALGORITHM_AUTO};
}

static void do_tell(void *result)
{
  nut_result *r = result;
  account_tell(&r->account, &r->asked.outcome);
  for (size_t i = 0; i < r->account.answers.len; i++) {
    const told_answer *t = &r->account.answers.data[i];
    vec_push(&r->traces, ((nut_trace){t->story, t->answer->question->name}));
  }
}

static nut_result *examine(nut_model *m, const nut_options *o, bool count)
{
  nut_options usual = nut_default_options();
  nut_result *r = mem_try_alloc(sizeof *r);
  if (!r)
    return NULL;
  verification_start(&r->asked, m, count);
  mem_budget *outer = verification_run(&r->asked, o ? o : &usual, count);
  if (!mem_protect(do_tell, r))
    verification_give_up(&r->asked);
  limits_leave(outer);
  return r;
}

nut_result *nut_check(nut_model *m, const nut_options *o)
{
  return examine(m, o, false);
}

nut_result *nut_count(nut_model *m, const nut_options *o)
{
  return examine(m, o, true);
}

void nut_result_free(nut_result *r)
{
  if (!r)
    return;
  mem_budget *outer = limits_enter(r->asked.limits);
  account_free(&r->account);
  verification_free(&r->asked);
  vec_free(&r->traces);
  limits_leave(outer);
  mem_free(r, sizeof *r);
}
