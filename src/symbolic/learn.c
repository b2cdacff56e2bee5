/* What the program says about short vectors.  A vector is put into the initial
** state, in the place of the fields that its group touches; the group's own
** successors do not depend on the rest. */

#include "symbolic/inside.h"

/* The state with the vector in it; false: it does not fit. */
static bool fill_state(symbolic_space *s, const group *g)
{
  vec_resize(&s->state, s->initial_length);
  memcpy(s->state.data, s->initial, s->initial_length);
  for (size_t i = 0; i < g->fields.len; i++)
    if (!field_write(s, &s->fields.data[g->fields.data[i]], s->tuple.data[i]))
      return false;
  return true;
}

static bool belongs(const group *g, uint32_t process, uint32_t edge_index)
{
  return !g->edge || (g->process == process && g->edge->index == edge_index);
}

/* Adds the pair of the vector and what it becomes in a successor. */
static mdd add_pair(symbolic_space *s, const group *g, const successor *next,
                    mdd relation)
{
  const uint8_t *bytes = s->batch.bytes.data + next->start;
  vec_clear(&s->pairs);
  for (size_t i = 0; i < g->fields.len; i++) {
    field *f = &s->fields.data[g->fields.data[i]];
    vec_push(&s->pairs, s->tuple.data[i]);
    if (g->written.data[i])
      vec_push(&s->pairs, field_read(f, bytes, next->length));
  }
  return mdd_insert(s->manager, relation, s->pairs.data,
                    (uint32_t)s->pairs.len);
}

static bool add_to_class(symbolic_space *s, group *g, effects_count n)
{
  size_t i = 0;
  while (i < g->classes.len &&
         (g->classes.data[i].counts.successors != n.successors ||
          g->classes.data[i].counts.assertions != n.assertions ||
          g->classes.data[i].counts.bounds != n.bounds))
    i++;
  if (i == g->classes.len)
    vec_push(&g->classes, ((outcome_class){n, MDD_EMPTY}));
  outcome_class *c = &g->classes.data[i];
  mdd more = mdd_insert(s->manager, c->vectors, s->tuple.data,
                        (uint32_t)g->fields.len);
  if (mdd_ref(s->manager, more) == MDD_FULL)
    return false;
  mdd_unref(s->manager, c->vectors);
  c->vectors = more;
  return true;
}

/* Faults of the group's own steps.  Which step began one with a fault is known
** only when steps are recorded, so the program is asked once more. */
static void count_faults(symbolic_space *s, const group *g, effects_count *n)
{
  if (!s->batch.faults.len)
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

/* Asks the program about the vector in 's->tuple'. */
static mdd learn_vector(symbolic_space *s, group *g, mdd relation)
{
  effects_count n = {0};
  if (!fill_state(s, g))
    return MDD_FULL;
  program_successors(s->worker, s->state.data, (uint32_t)s->state.len,
                     &s->batch);
  if (s->batch.abandoned)
    return MDD_FULL;
  count_faults(s, g, &n);
  for (size_t i = 0; i < s->batch.list.len; i++) {
    const successor *next = &s->batch.list.data[i];
    if (!belongs(g, next->process, next->edge))
      continue;
    n.successors++;
    relation = add_pair(s, g, next, relation);
    s->scratch[0] = relation;
    if (relation == MDD_FULL)
      return MDD_FULL;
  }
  return add_to_class(s, g, n) ? relation : MDD_FULL;
}

mdd group_learn(void *space, uint32_t event, mdd fresh)
{
  symbolic_space *s = space;
  group *g = &s->groups.data[event];
  uint32_t length = (uint32_t)g->fields.len;
  mdd relation = s->scratch[0] = MDD_EMPTY;
  vec_resize(&s->tuple, length);
  bool more = mdd_first(s->manager, fresh, s->tuple.data);
  for (uint32_t n = 1; more && relation != MDD_FULL; n++) {
    relation = learn_vector(s, g, relation);
    if (n % 256 == 0 && symbolic_impatient(s))
      relation = MDD_FULL;
    more = mdd_next(s->manager, fresh, s->tuple.data, length);
  }
  s->scratch[0] = MDD_EMPTY;
  return relation;
}
