#include "api/handle.h"
#include "base/alloc.h"

nut_options nut_default_options(void)
{
  return (nut_options){.search = NUT_SEARCH_AUTO,
                       .hashes = 3,
                       .max_errors = 1,
                       .deadlocks = true,
                       .liveness = true,
                       .por = NUT_POR_ON,
                       .merge = true,
                       .reset_dead = true,
                       .algorithm = NUT_ALGORITHM_AUTO,
                       .checkpoint_every = 600,
                       .checkpoint_grace = 10};
}

/* The traces of one answer: its own, the second of a pair, those of other places
** that fail, and branches, of which the first is its own. */
static void add_traces(nut_result *r, told_answer *t)
{
  const char *shows = t->answer->question->name;
  arena *a = r->account.arena;
  if (t->story)
    vec_push(&r->traces, ((nut_trace){t->story, shows, shows, &t->trace_file}));
  if (t->other)
    vec_push(&r->traces,
             ((nut_trace){t->other, shows, arena_printf(a, "%s-other", shows),
                          &t->other_file}));
  for (size_t i = 1; t->violations && i < t->answer->violations.len; i++)
    if (t->violations[i].story)
      vec_push(&r->traces, ((nut_trace){t->violations[i].story, shows,
                                        arena_printf(a, "%s-%zu", shows, i + 1),
                                        &t->violations[i].trace_file}));
  for (size_t i = 1; t->branches && i < t->answer->tree->branches.len; i++)
    vec_push(&r->traces,
             ((nut_trace){t->branches[i].story, shows,
                          arena_printf(a, "%s-branch-%zu", shows, i),
                          &t->branches[i].trace_file}));
}

static void do_tell(void *result)
{
  nut_result *r = result;
  account_tell(&r->account, &r->asked.outcome);
  for (size_t i = 0; i < r->account.answers.len; i++) {
    vec_push(&r->first, r->traces.len);
    add_traces(r, &r->account.answers.data[i]);
  }
  vec_push(&r->first, r->traces.len);
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
  vec_free(&r->first);
  limits_leave(outer);
  mem_free(r, sizeof *r);
}
