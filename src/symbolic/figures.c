/* Figures of an explored space. */

#include "search/usage.h"
#include "symbolic/inside.h"

/* The reachable states in which a group has one of these outcomes. */
static mdd states_of_class(symbolic_space *s, const group *g, mdd vectors)
{
  mdd_touch *touch = ARENA_ARRAY(s->arena, mdd_touch, s->fields.len);
  for (size_t i = 0; i < g->fields.len; i++)
    touch[s->fields.data[g->fields.data[i]].level] = MDD_READ;
  mdd_shape *shape =
      mdd_shape_create(s->manager, touch, (uint32_t)s->fields.len);
  if (!shape)
    return MDD_FULL;
  /* A relation that only reads is a restriction. */
  mdd result = mdd_image(s->manager, s->reachable, vectors, shape, 0);
  mdd_shape_destroy(shape);
  return result;
}

static bool add_times(bignum *sum, const bignum *count, uint32_t times)
{
  bignum part = {0};
  bool good = bignum_copy(&part, count) && bignum_multiply(&part, times) &&
              bignum_add(sum, &part);
  bignum_free(&part);
  return good;
}

/* Adds the states in which a group can act to 'scratch[3]', and its figures. */
static bool add_states(symbolic_space *s, mdd states, effects_count n,
                       symbolic_figures *f)
{
  bignum count = {0};
  if (states != MDD_FULL)
    s->scratch[3] = mdd_union(s->manager, s->scratch[3], states);
  if (states == MDD_FULL || s->scratch[3] == MDD_FULL)
    return false;
  bool good = !f || (mdd_count(s->manager, states, &count) &&
                     add_times(&f->transitions, &count, n.successors) &&
                     add_times(&f->assertions, &count, n.assertions) &&
                     add_times(&f->bounds, &count, n.bounds));
  bignum_free(&count);
  return good;
}

/* 'scratch[4]' keeps the set while others are made. */
static bool add_group_figures(symbolic_space *s, uint32_t index,
                              symbolic_figures *f)
{
  const group *g = &s->groups.data[index];
  if (g->shifts.len) {
    s->scratch[4] = mdd_system_enabled(s->system, index, s->reachable);
    if (f && s->scratch[4] == MDD_EMPTY)
      f->idle++;
    return add_states(s, s->scratch[4], (effects_count){1, 0, 0}, f);
  }
  for (size_t i = 0; i < g->classes.len; i++) {
    const outcome_class *c = &g->classes.data[i];
    if (!c->counts.successors && !c->counts.assertions && !c->counts.bounds)
      continue;
    s->scratch[4] = states_of_class(s, g, c->vectors);
    if (!add_states(s, s->scratch[4], c->counts, f))
      return false;
  }
  return true;
}

/* Sets 'blocked'; with 'f', its figures too. */
static bool find_blocked(symbolic_space *s, symbolic_figures *f)
{
  s->scratch[3] = MDD_EMPTY;
  bool good = true;
  for (uint32_t i = 0; i < s->groups.len && good; i++)
    good = add_group_figures(s, i, f);
  s->blocked =
      good ? mdd_minus(s->manager, s->reachable, s->scratch[3]) : MDD_FULL;
  s->has_blocked = s->blocked != MDD_FULL;
  if (!s->has_blocked)
    s->blocked = MDD_EMPTY;
  s->scratch[3] = s->scratch[4] = MDD_EMPTY;
  return s->has_blocked;
}

mdd symbolic_blocked(symbolic_space *s)
{
  return s->has_blocked || find_blocked(s, NULL) ? s->blocked : MDD_FULL;
}

/* Cuts a set down to the states in which a process is at a valid end. */
static mdd at_end(symbolic_space *s, mdd states, const field *f)
{
  mdd_touch *touch = ARENA_ARRAY(s->arena, mdd_touch, s->fields.len);
  mdd_shape *shape;
  mdd ends = MDD_EMPTY;
  touch[f->level] = MDD_READ;
  for (uint32_t i = 1; i < f->starts.len && ends != MDD_FULL; i++) {
    const uint8_t *slice = f->slices.data + f->starts.data[i - 1];
    uint32_t at = f->bytes == 1 ? slice[0] : slice[0] | slice[1] << 8;
    if (f->type->locations.data[at].flags & LOC_END)
      ends = mdd_insert(s->manager, ends, &i, 1);
  }
  s->scratch[5] = ends;
  shape = mdd_shape_create(s->manager, touch, (uint32_t)s->fields.len);
  if (!shape || ends == MDD_FULL) {
    mdd_shape_destroy(shape);
    return MDD_FULL;
  }
  mdd result = mdd_image(s->manager, states, ends, shape, 0);
  mdd_shape_destroy(shape);
  return result;
}

/* Whole states: the program itself says which blocked ones are valid. */
static bool count_invalid_singly(symbolic_space *s, symbolic_figures *f)
{
  uint32_t number;
  uint64_t invalid = 0;
  bool more = mdd_first(s->manager, s->blocked, &number);
  for (; more; more = mdd_next(s->manager, s->blocked, &number, 1)) {
    field_write(s, &s->fields.data[0], number);
    program_successors(s->worker, s->state.data, (uint32_t)s->state.len,
                       &s->batch);
    invalid += s->batch.invalid_end;
  }
  return bignum_set(&f->deadlocks, invalid);
}

static bool count_deadlocks(symbolic_space *s, symbolic_figures *f)
{
  if (s->fields.data[0].kind == FIELD_STATE)
    return count_invalid_singly(s, f);
  mdd valid = s->blocked;
  for (size_t i = 0; i < s->fields.len && valid != MDD_FULL; i++)
    if (s->fields.data[i].kind == FIELD_LOCATION)
      valid = s->scratch[6] = at_end(s, valid, &s->fields.data[i]);
  s->scratch[6] = mdd_minus(s->manager, s->blocked, valid);
  return s->scratch[6] != MDD_FULL &&
         mdd_count(s->manager, s->scratch[6], &f->deadlocks);
}

/* Nets: the greatest number of tokens in a place and in a marking. */
static bool measure_tokens(symbolic_space *s, symbolic_figures *f)
{
  int32_t *factors = ARENA_ARRAY(s->arena, int32_t, s->fields.len);
  uint32_t *most = ARENA_ARRAY(s->arena, uint32_t, s->fields.len);
  uint32_t *least = ARENA_ARRAY(s->arena, uint32_t, s->fields.len);
  if (!mdd_extremes(s->manager, s->reachable, least, most))
    return false;
  for (size_t i = 0; i < s->fields.len; i++) {
    const field *x = &s->fields.data[i];
    factors[x->level] = x->scalar;
    if (x->scalar && most[x->level] > f->most_in_level)
      f->most_in_level = most[x->level];
    f->still += x->scalar && most[x->level] == least[x->level];
  }
  return mdd_greatest(s->manager, s->reachable, factors, &f->most_in_all);
}

bool symbolic_measure(symbolic_space *s, symbolic_figures *f)
{
  mdd_sizes sizes = {0};
  if (!s->manager)
    return true;
  if (s->reachable == MDD_FULL) { /* not even the first state fitted */
    symbolic_stop(s, s->options.memory_bytes ? REASON_MEMORY_LIMIT
                                             : REASON_OUT_OF_MEMORY);
    return false;
  }
  mdd_statistics all = mdd_figures(s->manager);
  f->levels = s->fields.len;
  f->groups = s->groups.len;
  f->iterations = s->iterations;
  f->peak_nodes = all.peak_nodes;
  f->bytes = all.bytes;
  f->seconds = usage_seconds() - s->started;
  bool good = mdd_size(s->manager, &s->reachable, 1, &sizes) &&
              mdd_count(s->manager, s->reachable, &f->states);
  f->nodes = sizes.nodes;
  if (s->reason != REASON_NONE)
    return good;
  good = good && find_blocked(s, f) &&
         mdd_count(s->manager, s->blocked, &f->blocked) &&
         count_deadlocks(s, f) && (!s->options.net || measure_tokens(s, f));
  f->seconds = usage_seconds() - s->started;
  if (!good)
    symbolic_stop(s, s->options.memory_bytes ? REASON_MEMORY_LIMIT
                                             : REASON_OUT_OF_MEMORY);
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
  return mdd_greatest(s->manager, s->reachable, factors, greatest);
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
