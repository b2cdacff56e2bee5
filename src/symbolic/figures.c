/* Figures of an explored space. */

#include "symbolic/symbolic_internal.h"

static bool add_times(bignum *sum, const bignum *count, uint32_t times)
{
  bignum part = {0};
  bool good = bignum_copy(&part, count) && bignum_multiply(&part, times) &&
              bignum_add(sum, &part);
  bignum_free(&part);
  return good;
}

/* Adds the states in which a group can act to 'scratch[3]', and its figures. */
static bool add_states(symbolic_space *s, symbolic_set states, effects_count n,
                       symbolic_figures *f)
{
  bignum count = {0};
  if (states != SET_FULL)
    s->scratch[3] = set_union(s->library, s->scratch[3], states);
  if (states == SET_FULL || s->scratch[3] == SET_FULL)
    return false;
  bool good = !f || (set_count(s->library, states, &count) &&
                     add_times(&f->transitions, &count, n.successors) &&
                     add_times(&f->assertions, &count, n.assertions) &&
                     add_times(&f->bounds, &count, n.bounds));
  bignum_free(&count);
  if (n.assertions)
    s->wrong[WRONG_ASSERTION] =
        set_union(s->library, s->wrong[WRONG_ASSERTION], states);
  if (n.bounds)
    s->wrong[WRONG_BOUNDS] =
        set_union(s->library, s->wrong[WRONG_BOUNDS], states);
  return good;
}

/* 'scratch[4]' keeps the set while others are made. */
static bool add_group_figures(symbolic_space *s, uint32_t index,
                              symbolic_figures *f)
{
  const group *g = &s->groups.data[index];
  if (g->shifts.len) {
    s->scratch[4] = set_enabled(s->library, index, s->reachable);
    if (f && s->scratch[4] == SET_EMPTY)
      f->idle++;
    return add_states(s, s->scratch[4], (effects_count){1, 0, 0}, f);
  }
  bool acts = false;
  for (uint32_t i = 0; i < g->outcomes.len; i++) {
    effects_count n = g->outcomes.data[i];
    if (!n.successors && !n.assertions && !n.bounds)
      continue;
    s->scratch[4] = set_outcome(s->library, index, i, s->reachable);
    acts |= s->scratch[4] != SET_EMPTY;
    if (!add_states(s, s->scratch[4], n, f))
      return false;
  }
  if (f && !acts)
    f->idle++;
  return true;
}

/* Sets 'blocked'; with 'f', its figures too. */
static bool find_blocked(symbolic_space *s, symbolic_figures *f)
{
  s->scratch[3] = SET_EMPTY;
  bool good = true;
  for (uint32_t i = 0; i < s->step_groups && good; i++)
    good = add_group_figures(s, i, f);
  s->blocked =
      good ? set_minus(s->library, s->reachable, s->scratch[3]) : SET_FULL;
  s->has_blocked = s->blocked != SET_FULL;
  if (!s->has_blocked)
    s->blocked = SET_EMPTY;
  s->scratch[3] = s->scratch[4] = SET_EMPTY;
  return s->has_blocked;
}

symbolic_set symbolic_blocked(symbolic_space *s)
{
  return s->has_blocked || find_blocked(s, NULL) ? s->blocked : SET_FULL;
}

/* Cuts a set down to the states in which a process is at a valid end. */
static symbolic_set at_end(symbolic_space *s, symbolic_set states,
                           const field *f)
{
  symbolic_set ends = SET_EMPTY;
  if (!symbolic_cut(s, &f->level, 1))
    return SET_FULL;
  const uint32_t none = 0; /* a process that is not there */
  if (s->length_field != NO_FIELD)
    ends = s->scratch[5] = cut_insert(s->cut, ends, &none);
  for (uint32_t i = 1; i < f->starts.len && ends != SET_FULL; i++) {
    const uint8_t *slice = f->slices.data + f->starts.data[i - 1];
    uint32_t at = f->bytes == 1 ? slice[0] : slice[0] | slice[1] << 8;
    if (f->type->locations.data[at].flags & LOC_END)
      ends = s->scratch[5] = cut_insert(s->cut, ends, &i);
  }
  symbolic_set result = cut_restrict(s->cut, states, ends);
  symbolic_uncut(s);
  return result;
}

/* Whole states: the program itself says which blocked ones are valid. */
static bool count_invalid_singly(symbolic_space *s, symbolic_figures *f)
{
  uint32_t number, level = 0;
  uint64_t invalid = 0;
  if (!symbolic_cut(s, &level, 1))
    return false;
  symbolic_set *found = &s->wrong[WRONG_END];
  *found = SET_EMPTY;
  bool more = cut_first(s->cut, s->blocked, &number);
  for (; more; more = cut_next(s->cut, s->blocked, &number)) {
    field_write(s, &s->fields.data[0], number);
    program_successors(s->worker, s->state.data, (uint32_t)s->state.len,
                       &s->batch);
    invalid += s->batch.invalid_end;
    if (s->batch.invalid_end)
      *found = cut_insert(s->cut, *found, &number);
  }
  *found = cut_restrict(s->cut, s->blocked, *found);
  symbolic_uncut(s);
  return *found != SET_FULL && bignum_set(&f->deadlocks, invalid);
}

static bool count_deadlocks(symbolic_space *s, symbolic_figures *f)
{
  if (s->fields.data[0].kind == FIELD_STATE)
    return count_invalid_singly(s, f);
  symbolic_set valid = s->blocked;
  for (size_t i = 0; i < s->fields.len && valid != SET_FULL; i++)
    if (s->fields.data[i].kind == FIELD_LOCATION)
      valid = s->scratch[6] = at_end(s, valid, &s->fields.data[i]);
  s->wrong[WRONG_END] = set_minus(s->library, s->blocked, valid);
  return s->wrong[WRONG_END] != SET_FULL &&
         set_count(s->library, s->wrong[WRONG_END], &f->deadlocks);
}

/* Nets: the greatest number of tokens in a place and in a marking. */
static bool measure_tokens(symbolic_space *s, symbolic_figures *f)
{
  int32_t *factors = ARENA_ARRAY(s->arena, int32_t, s->fields.len);
  uint32_t *most = ARENA_ARRAY(s->arena, uint32_t, s->fields.len);
  uint32_t *least = ARENA_ARRAY(s->arena, uint32_t, s->fields.len);
  if (!set_extremes(s->library, s->reachable, least, most))
    return false;
  for (size_t i = 0; i < s->fields.len; i++) {
    const field *x = &s->fields.data[i];
    factors[x->level] = x->scalar;
    if (x->scalar && most[x->level] > f->most_in_level)
      f->most_in_level = most[x->level];
    f->still += x->scalar && most[x->level] == least[x->level];
  }
  return set_greatest(s->library, s->reachable, factors, &f->most_in_all);
}

bool symbolic_measure_sizes(symbolic_space *s, symbolic_figures *f)
{
  if (s->reachable == SET_FULL) { /* not even the first state fitted */
    symbolic_stop(s, limits_why(s->limits));
    return false;
  }
  library_sizes all = library_sizes_of(s->library);
  f->levels = s->fields.len;
  f->groups = s->step_groups;
  f->iterations = s->iterations;
  f->peak_nodes = all.peak_nodes;
  f->bytes = all.bytes;
  f->reorderings = all.reorderings;
  f->seconds = limits_seconds(s->limits);
  return set_nodes(s->library, s->reachable, &f->nodes);
}

bool symbolic_measure(symbolic_space *s, symbolic_figures *f)
{
  if (!s->library)
    return true;
  bool good = symbolic_measure_sizes(s, f) &&
              set_count(s->library, s->reachable, &f->states);
  if (s->reason != REASON_NONE)
    return good;
  good = good && find_blocked(s, f) &&
         set_count(s->library, s->blocked, &f->blocked) &&
         count_deadlocks(s, f) && (!s->options.net || measure_tokens(s, f));
  f->seconds = limits_seconds(s->limits);
  if (!good)
    symbolic_stop(s, limits_why(s->limits));
  return good;
}

bool symbolic_greatest(symbolic_space *s, const var *const *list, size_t count,
                       int64_t *greatest)
{
  int32_t *factors = ARENA_ARRAY(s->arena, int32_t, s->fields.len);
  for (size_t i = 0; i < count; i++) {
    const field *f = field_of_global(s, list[i], 0);
    if (!f || f->kind == FIELD_STATE)
      return false;
    factors[f->level]++;
  }
  return set_greatest(s->library, s->reachable, factors, greatest);
}

void symbolic_figures_free(symbolic_figures *f)
{
  bignum_free(&f->states);
  bignum_free(&f->transitions);
  bignum_free(&f->deadlocks);
  bignum_free(&f->blocked);
  bignum_free(&f->assertions);
  bignum_free(&f->bounds);
}
