/* What differs between two results of searches, but for what tells of time and
** memory. */

#ifndef NUT_TESTS_SAME_RESULT_H
#define NUT_TESTS_SAME_RESULT_H

#include "search/search.h"
#include <string.h>

static inline bool is_same_trace(const trace *a, const trace *b)
{
  if (!a || !b)
    return a == b;
  if (a->end != b->end || a->steps.len != b->steps.len ||
      a->bytes.len != b->bytes.len ||
      memcmp(a->bytes.data, b->bytes.data, a->bytes.len))
    return false;
  for (size_t i = 0; i < a->steps.len; i++)
    if (a->steps.data[i].edge != b->steps.data[i].edge ||
        a->steps.data[i].process != b->steps.data[i].process)
      return false;
  return true;
}

static inline const char *differing_answer(const answer *x, const answer *y)
{
  if (x->verdict != y->verdict || x->errors != y->errors ||
      x->reason != y->reason || x->untold != y->untold || x->por != y->por ||
      !x->por_off != !y->por_off || !x->trivial != !y->trivial)
    return "an answer";
  if (!is_same_trace(x->trace, y->trace))
    return "a trace";
  if (x->violations.len != y->violations.len)
    return "the number of places";
  for (size_t i = 0; i < x->violations.len; i++) {
    const violation *v = &x->violations.data[i], *w = &y->violations.data[i];
    if (v->kind != w->kind || v->edge != w->edge || v->errors != w->errors ||
        v->where.start != w->where.start || !is_same_trace(v->trace, w->trace))
      return "a place";
  }
  return NULL;
}

static inline const char *result_difference(const search_result *a,
                                            const search_result *b)
{
  for (size_t i = 0; i < statistic_count; i++) {
    const statistic *row = &statistic_table[i];
    bool is_measured = strstr(row->key, "bytes") &&
                       row->offset != offsetof(statistics, state_bytes);
    if (!is_measured &&
        statistic_value(&a->stats, row) != statistic_value(&b->stats, row))
      return row->key[0] ? row->key : "a figure without name";
  }
  if (a->verdict != b->verdict || a->reason != b->reason ||
      a->complete != b->complete)
    return "verdict";
  if (a->stuck != b->stuck || a->endless != b->endless ||
      a->stuck_edge != b->stuck_edge || a->stuck_process != b->stuck_process)
    return "stuck";
  /* Products may reach more than a walk that has ended early, which is not
  ** told. */
  bool told = a->reached.len && (a->complete || !a->stats.product_states);
  if (a->reached.len != b->reached.len ||
      (told && memcmp(a->reached.data, b->reached.data, a->reached.len)))
    return "reached";
  if (a->answers.len != b->answers.len || a->por != b->por)
    return "answers";
  const char *wrong = NULL;
  for (size_t i = 0; i < a->answers.len && !wrong; i++)
    wrong = differing_answer(&a->answers.data[i], &b->answers.data[i]);
  return wrong;
}

#endif
