/* What the program says about short vectors.  A vector is put into the sample
** of a state, in the place of the fields that its group touches; the group's
** own successors do not depend on the rest. */

#include "symbolic/symbolic_internal.h"

static bool belongs(const group *g, uint32_t process, uint32_t edge_index)
{
  return !g->edge || (g->process == process && g->edge->index == edge_index);
}

/* Whether successor 'k' is one of the group's. */
static bool is_of(symbolic_space *s, const group *g, size_t k)
{
  const successor *next = &s->batch.list.data[k];
  if (!belongs(g, next->process, next->edge))
    return false;
  if (g->partner == NOBODY)
    return true;
  process_set all =
      movers_find(&s->movers, s->state.data, (uint32_t)s->state.len, next, k);
  return process_set_has(&all, g->partner);
}

/* What the vector becomes in a successor. */
static void add_after(symbolic_space *s, const group *g, const successor *next,
                      library_answer *to)
{
  const uint8_t *bytes = s->batch.bytes.data + next->start;
  for (size_t i = 0; i < g->fields.len; i++) {
    field *f = &s->fields.data[g->fields.data[i]];
    if (g->written.data[i])
      vec_push(&to->after, field_read(f, bytes, next->length));
  }
  to->successors++;
}

static uint32_t number_of_outcome(group *g, effects_count n)
{
  uint32_t i = 0;
  while (i < g->outcomes.len &&
         (g->outcomes.data[i].successors != n.successors ||
          g->outcomes.data[i].assertions != n.assertions ||
          g->outcomes.data[i].bounds != n.bounds))
    i++;
  if (i == g->outcomes.len)
    vec_push(&g->outcomes, n);
  return i;
}

/* Faults of the group's own steps.  Which step began one with a fault is known
** only when steps are recorded, so the program is asked once more. */
static void count_faults(symbolic_space *s, const group *g, effects_count *n)
{
  if (!s->batch.faults.len || g->partner != NOBODY)
    return;
  s->batch.record = true;
  program_successors(s->worker, s->state.data, (uint32_t)s->state.len,
                     &s->batch);
  s->batch.record = false;
  for (size_t i = 0; i < s->batch.faults.len; i++) {
    const fault *f = &s->batch.faults.data[i];
    const step *first = s->batch.steps.data + f->first_step;
    if (!(f->steps ? belongs(g, first->process, first->edge)
                   : belongs(g, f->process, f->edge)))
      continue;
    if (fault_property(f->kind) == PROPERTY_ASSERTIONS)
      n->assertions++;
    else
      n->bounds++;
  }
}

bool group_ask(void *space, uint32_t event, const uint32_t *vector,
               library_answer *to)
{
  symbolic_space *s = space;
  group *g = &s->groups.data[event];
  effects_count n = {0};
  if ((++s->asked % 256 == 0 && symbolic_impatient(s)) ||
      !fields_put(s, g->fields.data, vector, g->fields.len))
    return false;
  program_successors(s->worker, s->state.data, (uint32_t)s->state.len,
                     &s->batch);
  if (s->batch.abandoned)
    return false;
  count_faults(s, g, &n);
  movers_begin(&s->movers, s->worker);
  for (size_t i = 0; i < s->batch.list.len; i++) {
    const successor *next = &s->batch.list.data[i];
    if (!is_of(s, g, i))
      continue;
    s->strayed |=
        !shapes_fit(s, s->batch.bytes.data + next->start, next->length);
    if (s->strayed && !s->whole)
      return false;
    n.successors++;
    add_after(s, g, next, to);
  }
  to->outcome = number_of_outcome(g, n);
  return true;
}
