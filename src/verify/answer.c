#include "verify/answer.h"

#include "search/trace/trace.h"

void answer_traced(answer *a, trace_result result, const limits *l)
{
  a->untold = result == TRACE_NO_MEMORY ? limits_why(l) : REASON_NONE;
  if (result != TRACE_IMPOSSIBLE)
    return;
  a->verdict = VERDICT_UNKNOWN;
  a->reason = REASON_REPLAY;
}

const char *answer_reason(const answer *a)
{
  if (a->why)
    return a->why;
  return a->reason == REASON_NONE ? NULL : reason_text(a->reason);
}

const char *answer_method_name(answer_method method)
{
  static const char *const words[] = {NULL,   "explicit",       "symbolic",
                                      "walk", "state-equation", "reductions"};
  return words[method];
}

void answer_forget_runs(answer *a)
{
  if (!a->tree)
    trace_destroy(a->trace);
  for (size_t i = 0; a->tree && i < a->tree->branches.len; i++)
    trace_destroy(a->tree->branches.data[i].trace);
  if (a->tree) {
    vec_free(&a->tree->branches);
    vec_free(&a->tree->notes);
  }
  a->tree = NULL;
  a->trace = NULL;
}

void answer_free(answer *a)
{
  for (size_t i = 0; i < a->violations.len; i++)
    trace_destroy(a->violations.data[i].trace);
  vec_free(&a->violations);
  trace_destroy(a->other);
  answer_forget_runs(a);
}

void answers_free(answer_list *list)
{
  for (size_t i = 0; i < list->len; i++)
    answer_free(&list->data[i]);
  vec_free(list);
}
