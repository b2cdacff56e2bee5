/* Sets of reachable states: where an expression is true, what lies before and
** after.
**
** Boolean operators become operations on sets.  A comparison of sums of
** variables is computed on the diagram as it is; any other expression is
** evaluated by the program, once for each combination of values that the
** reachable states have in the fields it reads. */

#include "symbolic/linear.h"
#include "symbolic/symbolic_internal.h"

/* ---- keeping ------------------------------------------------------------ */

/* Unites, cuts or subtracts with the first argument safe from collections. */
typedef symbolic_set set_operation(set_library *, symbolic_set, symbolic_set);

static symbolic_set combine_sets(symbolic_space *s, const expr *a,
                                 const expr *b, bool negate_a,
                                 set_operation *operation)
{
  symbolic_set x = symbolic_states_of(s, a);
  if (negate_a)
    x = set_minus(s->library, s->reachable, x);
  if (set_ref(s->library, x) == SET_FULL)
    return SET_FULL;
  symbolic_set y = symbolic_states_of(s, b);
  symbolic_set result = operation(s->library, x, y);
  set_unref(s->library, x);
  return result;
}

/* ---- other expressions -------------------------------------------------- */

/* The vectors for which the expression is true. */
static symbolic_set true_vectors(symbolic_space *s, const expr *e,
                                 symbolic_set vectors, const uint32_t *fields,
                                 uint32_t count)
{
  symbolic_set found = SET_EMPTY;
  vec_resize(&s->tuple, count);
  bool more = cut_first(s->cut, vectors, s->tuple.data);
  for (uint32_t n = 1; more; n++) {
    fault_kind wrong = FAULT_NONE;
    if (!fields_put(s, fields, s->tuple.data, count) ||
        (n % 256 == 0 && symbolic_impatient(s)))
      return SET_FULL;
    int32_t value = program_evaluate(s->worker, e, s->state.data,
                                     (uint32_t)s->state.len, &wrong);
    if (wrong != FAULT_NONE) {
      symbolic_stop(s, REASON_PROPOSITION);
      return SET_FULL;
    }
    if (value)
      found = s->scratch[0] = cut_insert(s->cut, found, s->tuple.data);
    if (found == SET_FULL)
      return SET_FULL;
    more = cut_next(s->cut, vectors, s->tuple.data);
  }
  return found;
}

static symbolic_set evaluate(symbolic_space *s, const expr *e)
{
  uint32_t n = (uint32_t)s->fields.len, count = 0;
  bool local = s->length_field != NO_FIELD &&
               linear_reads(s, e, &s->fields.data[s->length_field]);
  uint32_t *levels = ARENA_ARRAY(s->arena, uint32_t, n);
  uint32_t *fields = ARENA_ARRAY(s->arena, uint32_t, n);
  for (uint32_t level = 0; level < n; level++) {
    const field *f = &s->fields.data[s->order.data[level]];
    /* What belongs to a process may not be there; the length, which is the
    ** last level, tells. */
    if (f->kind == FIELD_LENGTH ? !local : !linear_reads(s, e, f))
      continue;
    local |= f->process >= 0 || f->channel;
    levels[count] = level;
    fields[count++] = s->order.data[level];
  }
  if (!count)
    fields[count++] = s->order.data[0];
  if (!symbolic_cut(s, levels, count))
    return SET_FULL;
  symbolic_set vectors = cut_project(s->cut, s->reachable), result = SET_FULL;
  if (set_ref(s->library, vectors) != SET_FULL) {
    symbolic_set found = true_vectors(s, e, vectors, fields, count);
    result = cut_restrict(s->cut, s->reachable, found);
    set_unref(s->library, vectors);
  }
  s->scratch[0] = SET_EMPTY;
  symbolic_uncut(s);
  return result;
}

/* Whether an expression compared with 0 is a truth value. */
static bool tests_truth(const expr *e)
{
  return op_is_truth(e->args[0]->op) && e->args[1]->op == OP_CONST &&
         !e->args[1]->value;
}

symbolic_set symbolic_states_of(symbolic_space *s, const expr *e)
{
  set_library *m = s->library;
  linear sum;
  bool truth = (e->op == OP_NE || e->op == OP_EQ) && tests_truth(e);
  if (truth && e->op == OP_NE)
    return symbolic_states_of(s, e->args[0]);
  switch (truth ? OP_NOT : e->op) {
  case OP_CONST:
    return e->value ? s->reachable : SET_EMPTY;
  case OP_NOT:
    return set_minus(m, s->reachable, symbolic_states_of(s, e->args[0]));
  case OP_AND:
    return combine_sets(s, e->args[0], e->args[1], false, set_intersect);
  case OP_OR:
    return combine_sets(s, e->args[0], e->args[1], false, set_union);
  case OP_IMPLY:
    return combine_sets(s, e->args[0], e->args[1], true, set_union);
  default:
    if (linear_read(s, e, &sum))
      return linear_states(s, &sum);
    return evaluate(s, e);
  }
}

/* ---- locations ---------------------------------------------------------- */

/* Whether the slice with a number has a process at such a location. */
static bool slice_is_at(symbolic_space *s, const field *f, uint32_t number,
                        uint32_t flags)
{
  if (f->kind == FIELD_STATE)
    return field_write(s, f, number) &&
           program_is_at(s->worker, s->state.data, (uint32_t)s->state.len,
                         flags);
  const uint8_t *slice = f->slices.data + f->starts.data[number - 1];
  uint32_t at = f->bytes == 1 ? slice[0] : slice[0] | slice[1] << 8;
  return f->type->locations.data[at].flags & flags;
}

/* A process that is not there has no slice. */
static symbolic_set states_at(symbolic_space *s, const field *f, uint32_t flags)
{
  symbolic_set found = SET_EMPTY;
  if (!symbolic_cut(s, &f->level, 1))
    return SET_FULL;
  for (uint32_t i = 1; i < f->starts.len && found != SET_FULL; i++)
    if (slice_is_at(s, f, i, flags))
      found = s->scratch[5] = cut_insert(s->cut, found, &i);
  symbolic_set result = cut_restrict(s->cut, s->reachable, found);
  s->scratch[5] = SET_EMPTY;
  symbolic_uncut(s);
  return result;
}

symbolic_set symbolic_states_at(symbolic_space *s, uint32_t flags)
{
  symbolic_set *found = &s->scratch[6];
  *found = SET_EMPTY;
  for (size_t i = 0; i < s->fields.len && *found != SET_FULL; i++) {
    const field *f = &s->fields.data[i];
    if (f->kind == FIELD_LOCATION || f->kind == FIELD_STATE)
      *found = set_union(s->library, *found, states_at(s, f, flags));
  }
  symbolic_set result = *found;
  *found = SET_EMPTY;
  return result;
}

/* ---- steps -------------------------------------------------------------- */

/* Which steps are looked at. */
typedef enum { ALL_STEPS, BEGUN_BY, MADE_BY } step_choice;

static bool is_chosen(const group *g, step_choice which, uint32_t process)
{
  bool is_begun = g->partner == NOBODY && g->process == process;
  switch (which) {
  case ALL_STEPS:
    return g->partner == NOBODY;
  case BEGUN_BY:
    return is_begun;
  case MADE_BY:
    return is_begun || g->partner == process;
  }
  return false;
}

/* The images of all groups that are chosen, or their preimages, together. */
static symbolic_set neighbours(symbolic_space *s, symbolic_set states,
                               bool before, step_choice which, uint32_t process)
{
  set_library *m = s->library;
  symbolic_set *found = &s->scratch[1];
  if (set_ref(m, states) == SET_FULL)
    return SET_FULL;
  *found = SET_EMPTY;
  for (uint32_t i = 0; i < s->groups.len && *found != SET_FULL; i++) {
    if (!is_chosen(&s->groups.data[i], which, process))
      continue;
    symbolic_set some = before ? set_preimage(m, i, states, s->reachable)
                               : set_image(m, i, states);
    *found = set_union(m, *found, some);
  }
  set_unref(m, states);
  symbolic_set result = *found;
  *found = SET_EMPTY;
  return result;
}

symbolic_set symbolic_before(symbolic_space *s, symbolic_set states)
{
  return neighbours(s, states, true, ALL_STEPS, 0);
}

symbolic_set symbolic_before_by(symbolic_space *s, uint32_t process,
                                symbolic_set states)
{
  return neighbours(s, states, true, MADE_BY, process);
}

symbolic_set symbolic_can_begin(symbolic_space *s, uint32_t process)
{
  return neighbours(s, s->reachable, true, BEGUN_BY, process);
}

symbolic_set symbolic_after(symbolic_space *s, symbolic_set states)
{
  return neighbours(s, states, false, ALL_STEPS, 0);
}

symbolic_set symbolic_after_by(symbolic_space *s, uint32_t process,
                               symbolic_set states)
{
  return neighbours(s, states, false, MADE_BY, process);
}

/* By chaining: each group goes on from what those before it have found. */
symbolic_set symbolic_reaching(symbolic_space *s, symbolic_set states,
                               symbolic_set within)
{
  set_library *m = s->library;
  symbolic_set *found = &s->scratch[1];
  if (states == SET_FULL || set_ref(m, within) == SET_FULL)
    return SET_FULL;
  *found = states;
  for (symbolic_set before = SET_EMPTY;
       *found != before && *found != SET_FULL;) {
    before = *found;
    if (set_ref(m, before) == SET_FULL)
      break;
    for (uint32_t i = 0; i < s->step_groups && *found != SET_FULL; i++) {
      symbolic_set some = set_preimage(s->library, i, *found, within);
      *found = set_union(m, *found, some);
    }
    set_unref(m, before);
  }
  set_unref(m, within);
  symbolic_set result = *found;
  *found = SET_EMPTY;
  return result;
}

/* ---- single states ------------------------------------------------------ */

uint32_t symbolic_pick(symbolic_space *s, symbolic_set states,
                       const uint8_t **state)
{
  vec_resize(&s->tuple, s->fields.len);
  if (!set_first(s->library, states, s->tuple.data) ||
      !fields_put(s, s->order.data, s->tuple.data, s->fields.len))
    return 0;
  *state = s->state.data;
  return (uint32_t)s->state.len;
}
