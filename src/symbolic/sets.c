/* Sets of reachable states: where an expression is true, what lies before and
** after.
**
** Boolean operators become operations on sets.  A comparison of sums of
** variables is computed on the diagram as it is; any other expression is
** evaluated by the program, once for each combination of values that the
** reachable states have in the fields it reads. */

#include "symbolic/inside.h"
#include "symbolic/linear.h"

/* ---- keeping ------------------------------------------------------------ */

/* Unites, cuts or subtracts with the first argument safe from collections. */
typedef mdd set_operation(mdd_manager *, mdd, mdd);

static mdd combine_sets(symbolic_space *s, const expr *a, const expr *b,
                        bool negate_a, set_operation *operation)
{
  mdd x = symbolic_states_of(s, a);
  if (negate_a)
    x = mdd_minus(s->manager, s->reachable, x);
  if (mdd_ref(s->manager, x) == MDD_FULL)
    return MDD_FULL;
  mdd y = symbolic_states_of(s, b);
  mdd result = operation(s->manager, x, y);
  mdd_unref(s->manager, x);
  return result;
}

/* ---- other expressions -------------------------------------------------- */

/* Puts the vector in 's->tuple' into a state. */
static bool put_vector(symbolic_space *s, const uint32_t *fields, size_t count)
{
  vec_resize(&s->state, s->initial_length);
  memcpy(s->state.data, s->initial, s->initial_length);
  for (size_t i = 0; i < count; i++)
    if (!field_write(s, &s->fields.data[fields[i]], s->tuple.data[i]))
      return false;
  return true;
}

/* The vectors for which the expression is true. */
static mdd true_vectors(symbolic_space *s, const expr *e, mdd vectors,
                        const uint32_t *fields, uint32_t count)
{
  mdd found = MDD_EMPTY;
  vec_resize(&s->tuple, count);
  bool more = mdd_first(s->manager, vectors, s->tuple.data);
  for (uint32_t n = 1; more; n++) {
    fault_kind wrong = FAULT_NONE;
    if (!put_vector(s, fields, count) ||
        (n % 256 == 0 && symbolic_impatient(s)))
      return MDD_FULL;
    int32_t value = program_evaluate(s->worker, e, s->state.data,
                                     (uint32_t)s->state.len, &wrong);
    if (wrong != FAULT_NONE) {
      symbolic_stop(s, REASON_PROPOSITION);
      return MDD_FULL;
    }
    if (value)
      found = s->scratch[0] =
          mdd_insert(s->manager, found, s->tuple.data, count);
    if (found == MDD_FULL)
      return MDD_FULL;
    more = mdd_next(s->manager, vectors, s->tuple.data, count);
  }
  return found;
}

static mdd evaluate(symbolic_space *s, const expr *e)
{
  uint32_t n = (uint32_t)s->fields.len, count = 0;
  mdd_touch *touch = ARENA_ARRAY(s->arena, mdd_touch, n + 1);
  uint32_t *fields = ARENA_ARRAY(s->arena, uint32_t, n);
  for (uint32_t level = 0; level < n; level++) {
    const field *f = &s->fields.data[s->order.data[level]];
    if (!linear_reads(s, e, f))
      continue;
    touch[level] = MDD_READ;
    fields[count++] = s->order.data[level];
  }
  if (!count)
    touch[0] = MDD_READ, fields[count++] = s->order.data[0];
  mdd_shape *shape = mdd_shape_create(s->manager, touch, n);
  if (!shape)
    return MDD_FULL;
  mdd vectors = mdd_project(s->manager, s->reachable, shape), result = MDD_FULL;
  if (mdd_ref(s->manager, vectors) != MDD_FULL) {
    mdd found = true_vectors(s, e, vectors, fields, count);
    result = mdd_image(s->manager, s->reachable, found, shape, 0);
    mdd_unref(s->manager, vectors);
  }
  s->scratch[0] = MDD_EMPTY;
  mdd_shape_destroy(shape);
  return result;
}

/* Whether an expression compared with 0 is a truth value. */
static bool tests_truth(const expr *e)
{
  switch (e->args[0]->op) {
  case OP_NOT:
  case OP_AND:
  case OP_OR:
  case OP_IMPLY:
  case OP_LT:
  case OP_LE:
  case OP_GT:
  case OP_GE:
  case OP_EQ:
  case OP_NE:
    return e->args[1]->op == OP_CONST && !e->args[1]->value;
  default:
    return false;
  }
}

mdd symbolic_states_of(symbolic_space *s, const expr *e)
{
  mdd_manager *m = s->manager;
  linear sum;
  bool truth = (e->op == OP_NE || e->op == OP_EQ) && tests_truth(e);
  if (truth && e->op == OP_NE)
    return symbolic_states_of(s, e->args[0]);
  switch (truth ? OP_NOT : e->op) {
  case OP_CONST:
    return e->value ? s->reachable : MDD_EMPTY;
  case OP_NOT:
    return mdd_minus(m, s->reachable, symbolic_states_of(s, e->args[0]));
  case OP_AND:
    return combine_sets(s, e->args[0], e->args[1], false, mdd_intersect);
  case OP_OR:
    return combine_sets(s, e->args[0], e->args[1], false, mdd_union);
  case OP_IMPLY:
    return combine_sets(s, e->args[0], e->args[1], true, mdd_union);
  default:
    if (linear_read(s, e, &sum))
      return linear_states(s, &sum);
    return evaluate(s, e);
  }
}

/* ---- steps -------------------------------------------------------------- */

mdd symbolic_before(symbolic_space *s, mdd states)
{
  mdd_manager *m = s->manager;
  mdd *found = &s->scratch[1];
  if (mdd_ref(m, states) == MDD_FULL)
    return MDD_FULL;
  *found = MDD_EMPTY;
  for (uint32_t i = 0; i < s->groups.len && *found != MDD_FULL; i++) {
    mdd some = mdd_system_preimage(s->system, i, states, s->reachable);
    *found = mdd_union(m, *found, some);
  }
  mdd_unref(m, states);
  mdd result = *found;
  *found = MDD_EMPTY;
  return result;
}

mdd symbolic_after(symbolic_space *s, mdd states)
{
  mdd_manager *m = s->manager;
  mdd *found = &s->scratch[1];
  if (mdd_ref(m, states) == MDD_FULL)
    return MDD_FULL;
  *found = MDD_EMPTY;
  for (uint32_t i = 0; i < s->groups.len && *found != MDD_FULL; i++) {
    mdd some = mdd_system_image(s->system, i, states);
    *found = mdd_union(m, *found, some);
  }
  mdd_unref(m, states);
  mdd result = *found;
  *found = MDD_EMPTY;
  return result;
}

/* By chaining: each group goes on from what those before it have found. */
mdd symbolic_reaching(symbolic_space *s, mdd states, mdd within)
{
  mdd_manager *m = s->manager;
  mdd *found = &s->scratch[1];
  if (states == MDD_FULL || mdd_ref(m, within) == MDD_FULL)
    return MDD_FULL;
  *found = states;
  for (mdd before = MDD_EMPTY; *found != before && *found != MDD_FULL;) {
    before = *found;
    if (mdd_ref(m, before) == MDD_FULL)
      break;
    for (uint32_t i = 0; i < s->groups.len && *found != MDD_FULL; i++) {
      mdd some = mdd_system_preimage(s->system, i, *found, within);
      *found = mdd_union(m, *found, some);
    }
    mdd_unref(m, before);
  }
  mdd_unref(m, within);
  mdd result = *found;
  *found = MDD_EMPTY;
  return result;
}

/* ---- single states ------------------------------------------------------ */

uint32_t symbolic_pick(symbolic_space *s, mdd states, const uint8_t **state)
{
  vec_resize(&s->tuple, s->fields.len);
  if (!mdd_first(s->manager, states, s->tuple.data) ||
      !put_vector(s, s->order.data, s->fields.len))
    return 0;
  *state = s->state.data;
  return (uint32_t)s->state.len;
}
