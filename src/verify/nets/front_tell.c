/* Makes answers of what the front end has decided: walks become runs of the
** program. */

#include "net/to_pnml.h"
#include "verify/nets/front_internal.h"

/* ---- telling ------------------------------------------------------------ */

bool front_decides(const verification *v, const question *q)
{
  const front *f = v->net ? v->net->front : NULL;
  for (uint32_t i = 0; f && i < f->count; i++)
    if (f->items[i].question == q)
      return f->items[i].found != VERDICT_UNKNOWN;
  return false;
}

/* The edge of each transition. */
static uint32_t *edges_of(verification *v, arena *a)
{
  const model *m = v->model->model;
  uint32_t *edges = ARENA_ARRAY(a, uint32_t, v->net->net->transition_count + 1);
  for (size_t i = 0; i < m->edges.len; i++) {
    const pnml_node *n = pnml_find(v->net->net, m->edges.data[i]->text);
    if (n && n->kind == PNML_TRANSITION)
      edges[n->index] = (uint32_t)i;
  }
  return edges;
}

/* Formulas: the marking at the end is the one that decides. */
static trace_claim claim_of_goal(verification *v, const claim *c, bool holds)
{
  model *m = v->annex;
  const expr *e =
      claim_to_expr(m, holds ? c : claim_not(v->net->front->arena, c));
  return (trace_claim){.end = holds ? TRACE_WITNESS : TRACE_INVARIANT,
                       .expr = e};
}

static trace_claim claim_of(verification *v, uint32_t i)
{
  const front_item *it = &v->net->front->items[i];
  const question *q = it->question;
  if (it->temporal)
    return claim_of_goal(v, v->net->front->goals[it->goal].claim,
                         it->found == VERDICT_HOLDS);
  const expr *e = q->property ? q->property->expr : NULL;
  trace_end end = q->kind == PROPERTY_REACH        ? TRACE_WITNESS
                  : q->kind == PROPERTY_END_STATES ? TRACE_INVALID_END
                                                   : TRACE_INVARIANT;
  return (trace_claim){.end = end, .expr = e};
}

/* Whether the program, too, sees at the end what the walk has seen. */
static bool ends_as_claimed(front *f, trace *t, const trace_claim *wanted)
{
  uint32_t length;
  if (wanted->end == TRACE_INVALID_END)
    return t->end == TRACE_INVALID_END;
  const uint8_t *state = trace_state(t, t->steps.len - 1, &length);
  if (!trace_claim_holds(f->worker, wanted, state, length))
    return false;
  t->end = wanted->end;
  t->expr = wanted->expr;
  return true;
}

/* The path as a run of the program; false: the program cannot follow it. */
static bool tell(verification *v, uint32_t i, const uint32_t *edges, answer *a)
{
  front *f = v->net->front;
  const walk_goal *g = &f->goals[f->items[i].goal];
  size_t length = g->path.len, followed = 0;
  choice *choices = ARENA_ARRAY(f->arena, choice, length + 1);
  trace_claim wanted = claim_of(v, i);

  for (size_t k = 0; k < length; k++)
    choices[k] = (choice){0, edges[g->path.data[k]]};
  if (!f->worker)
    f->worker = worker_create(v->program);
  a->trace = trail_replay(f->worker, v->program, CHOICE_EDGES, choices, length,
                          &followed);
  if (!a->trace || followed != length || !ends_as_claimed(f, a->trace, &wanted))
    return false;
  if (trace_verify(f->worker, v->program, a->trace) != TRACE_MADE)
    return false;
  /* All infinite runs that go on from there are wrong. */
  if (a->question->kind == PROPERTY_LTL)
    a->trace->end = TRACE_PREFIX;
  return true;
}

static void add_front_answer(verification *v, uint32_t i, const uint32_t *edges)
{
  front *f = v->net->front;
  const front_item *it = &f->items[i];
  answer *a = outcome_add(&v->outcome, it->question);
  a->verdict = it->found;
  a->method = it->method;
  a->has_value = it->has_value;
  a->value = (uint64_t)it->value;
  if (!it->lasso && !it->tree &&
      (!front_is_told(f, i) ||
       (it->temporal && !claim_of(v, i).expr))) { /* cannot be written down */
    if (it->question->kind == PROPERTY_LTL && it->found == VERDICT_VIOLATED &&
        !v->net->examined && lasso_find(v, i, edges, a))
      a->errors = 1;
    return;
  }
  a->errors = it->tree ? 0 : 1;
  if (it->tree    ? tree_tell(v, i, edges, a)
      : it->lasso ? lasso_tell(v, i, edges, a)
                  : tell(v, i, edges, a))
    return;
  answer_forget_runs(a);
  a->verdict = VERDICT_UNKNOWN;
  a->reason = REASON_REPLAY;
}

/* Rows that no engine had to fill, because there is nothing to find out. */
static void add_rows_by_definition(verification *v)
{
  for (size_t i = 0; i < v->questions.list.len; i++) {
    const question *q = v->questions.list.data[i];
    bool has = false;
    if (!q->selected ||
        (q->kind != PROPERTY_ASSERTIONS && q->kind != PROPERTY_BOUNDS))
      continue;
    for (size_t k = 0; k < v->outcome.answers.len; k++)
      has |= v->outcome.answers.data[k].question == q;
    if (!has)
      outcome_add(&v->outcome, q)->verdict = VERDICT_HOLDS;
  }
}

static size_t rank_of(const questions *all, const question *q)
{
  size_t i = 0;
  while (i < all->list.len && all->list.data[i] != q)
    i++;
  return i;
}

/* By insertion: engines give their answers in the order of the questions. */
static void sort_answers(verification *v)
{
  answer *list = v->outcome.answers.data;
  for (size_t i = 1; i < v->outcome.answers.len; i++)
    for (size_t k = i;
         k > 0 && rank_of(&v->questions, list[k].question) <
                      rank_of(&v->questions, list[k - 1].question);
         k--) {
      answer swapped = list[k];
      list[k] = list[k - 1];
      list[k - 1] = swapped;
    }
}

/* Of a net that could not be counted, the most tokens may be known. */
static void tell_tokens(verification *v)
{
  front *f = v->net->front;
  net_figures *known = &v->net->figures;
  const walk_goal *last = f->goals + f->goal_count;
  if (v->outcome.complete || known->unbounded)
    return;
  known->in_place_sure = f->most_in_place >= 0 && last[-2].reached;
  known->per_marking_sure = f->most_in_all >= 0 && last[-1].reached;
  if (known->in_place_sure)
    known->in_place = (uint64_t)f->most_in_place;
  if (known->per_marking_sure)
    known->per_marking = (uint64_t)f->most_in_all;
  known->has_place_bound = f->most_in_place >= 0;
  known->has_marking_bound = f->most_in_all >= 0;
  known->place_bound = (uint64_t)f->most_in_place;
  known->marking_bound = (uint64_t)f->most_in_all;
  v->outcome.net = known;
}

void front_conclude(verification *v)
{
  front *f = v->net ? v->net->front : NULL;
  if (!f || !f->arena)
    return;
  if (f->most_in_place >= 0 || f->most_in_all >= 0)
    tell_tokens(v);
  const uint32_t *edges = edges_of(v, f->arena);
  bool any = false;
  for (uint32_t i = 0; i < f->count; i++)
    if (!front_is_open(f, i)) {
      any = true;
      add_front_answer(v, i, edges);
    }
  if (!any)
    return;
  add_rows_by_definition(v);
  sort_answers(v);
}
