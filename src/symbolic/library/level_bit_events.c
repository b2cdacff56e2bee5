/* Events over bits: relations that are learned, and shifts, which are built as
** adders; images, preimages, and the closure. */

#include "base/alloc.h"
#include "symbolic/library/level_bits.h"
#include <stdlib.h>

/* Nodes, and nodes for each variable: the order of a smaller set is not worth
** improving. */
enum { SMALL_SET = 1 << 11, SMALL_LEVEL = 4 };

static bdd_library *of(set_library *b)
{
  return (bdd_library *)b;
}

/* ---- making ------------------------------------------------------------- */

static bdd_event *add_event(bdd_library *b)
{
  if (!level_bits_ready(b))
    return NULL;
  vec_grow(&b->events, 1);
  bdd_event *e = mem_alloc(sizeof *e);
  vec_push(&b->events, e);
  return robdd_protect(b->manager, &e->relation, EVENT_FUNCTIONS) ? e : NULL;
}

bool bdd_add_shift(set_library *library, const mdd_shift *shifts,
                   uint32_t count)
{
  bdd_event *e = add_event(of(library));
  for (uint32_t i = 0; e && i < count; i++) {
    vec_push(&e->shifts, shifts[i]);
    vec_push(&e->levels, shifts[i].level);
    vec_push(&e->written, shifts[i].change != 0);
  }
  return e;
}

bool bdd_add_relation(set_library *library, const mdd_touch *touch)
{
  bdd_library *b = of(library);
  bdd_event *e = add_event(b);
  for (uint32_t i = 0; e && i < b->options.levels; i++)
    if (touch[i] != MDD_SKIP) {
      vec_push(&e->levels, i);
      vec_push(&e->written, touch[i] == MDD_READ_WRITE);
    }
  return e;
}

void bdd_events_free(bdd_library *b)
{
  for (size_t i = 0; i < b->events.len; i++) {
    bdd_event *e = b->events.data[i];
    for (size_t k = 0; k < e->outcomes.len; k++)
      mem_free(e->outcomes.data[k], sizeof *e->outcomes.data[k]);
    vec_free(&e->shifts);
    vec_free(&e->levels);
    vec_free(&e->written);
    vec_free(&e->outcomes);
    mem_free(e, sizeof *e);
  }
  vec_free(&b->events);
}

/* ---- shifts ------------------------------------------------------------- */

static robdd bit(bdd_library *b, const bit_level *l, size_t i)
{
  return robdd_variable(b->manager, bit_now(l->pairs.data[i]));
}

/* The values of a level that are not negative and not below a bound. */
static robdd at_least(bdd_library *b, const bit_level *l, uint64_t bound)
{
  robdd_manager *m = b->manager;
  if (bound >> l->pairs.len)
    return ROBDD_FALSE;
  robdd result = ROBDD_TRUE;
  for (size_t i = 0; i < l->pairs.len; i++)
    result = bound >> i & 1 ? robdd_and(m, bit(b, l, i), result)
                            : robdd_or(m, bit(b, l, i), result);
  if (l->has_sign)
    result = robdd_minus(m, result, robdd_variable(m, bit_now(l->sign)));
  return result;
}

/* Value after = value now + change, in as many bits as there are. */
static robdd sum_of(bdd_library *b, const bit_level *l, int32_t change)
{
  robdd_manager *m = b->manager;
  robdd carry = ROBDD_FALSE, result = ROBDD_TRUE;
  for (size_t i = 0; i < l->pairs.len; i++) {
    bool one = (uint32_t)change >> i & 1;
    robdd now = bit(b, l, i);
    robdd after = robdd_variable(m, bit_after(l->pairs.data[i]));
    robdd sum = robdd_xor(m, now, carry);
    sum = one ? robdd_not(sum) : sum;
    carry = one ? robdd_or(m, now, carry) : robdd_and(m, now, carry);
    result = robdd_and(m, result, robdd_equiv(m, after, sum));
  }
  if (l->has_sign)
    result = robdd_minus(m, result, robdd_variable(m, bit_after(l->sign)));
  return result;
}

/* Values from which the change leads out of the bits there are. */
static robdd beyond(bdd_library *b, const mdd_shift *x)
{
  const bit_level *l = &b->levels.data[x->level];
  uint64_t end = (uint64_t)1 << l->pairs.len;
  if (x->change <= 0)
    return ROBDD_FALSE;
  return at_least(b, l,
                  end > (uint64_t)x->change ? end - (uint64_t)x->change : 0);
}

static robdd shift_allows(bdd_library *b, const mdd_shift *x)
{
  const bit_level *l = &b->levels.data[x->level];
  robdd above = at_least(b, l, (uint64_t)x->most + 1);
  return robdd_minus(b->manager, at_least(b, l, x->least), above);
}

static void build_shift(bdd_library *b, bdd_event *e)
{
  robdd_manager *m = b->manager;
  e->enabled = e->relation = ROBDD_TRUE;
  e->over = ROBDD_FALSE;
  for (size_t i = e->shifts.len; i-- > 0;) {
    const mdd_shift *x = &e->shifts.data[i];
    e->enabled = robdd_and(m, e->enabled, shift_allows(b, x));
    e->over = robdd_or(m, e->over, beyond(b, x));
    if (x->change)
      e->relation = robdd_and(m, e->relation,
                              sum_of(b, &b->levels.data[x->level], x->change));
  }
  e->over = robdd_and(m, e->over, e->enabled);
  e->relation = robdd_and(m, e->relation, robdd_minus(m, e->enabled, e->over));
}

/* Makes what depends on the bits there are. */
static bool refresh(bdd_library *b, bdd_event *e)
{
  if (e->version == b->version + 1)
    return true;
  robdd_hold(b->manager);
  vec_clear(&b->variables);
  for (size_t i = 0; i < e->levels.len; i++)
    if (e->written.data[i])
      level_bits_variables(b, e->levels.data[i], false, &b->variables);
  e->bits_written = level_bits_cube(b);
  if (e->shifts.len)
    build_shift(b, e);
  robdd_release(b->manager);
  e->version = b->version + 1;
  if (e->relation != ROBDD_FULL && e->enabled != ROBDD_FULL &&
      e->over != ROBDD_FULL && e->bits_written != ROBDD_FULL)
    return true;
  e->version = 0;
  return false;
}

/* Notes which levels a shift leads out of, from a set. */
static bool note_beyond(bdd_library *b, const bdd_event *e, robdd set)
{
  robdd_manager *m = b->manager;
  robdd leaving = b->work[1] = robdd_and(m, set, e->over);
  if (leaving == ROBDD_FALSE || leaving == ROBDD_FULL)
    return leaving == ROBDD_FALSE;
  for (size_t i = 0; i < e->shifts.len; i++) {
    const mdd_shift *x = &e->shifts.data[i];
    robdd_hold(m);
    robdd there = robdd_and(m, leaving, beyond(b, x));
    robdd_release(m);
    if (there == ROBDD_FULL)
      return false;
    uint32_t most = ((uint32_t)1 << b->levels.data[x->level].pairs.len) - 1;
    if (there == ROBDD_FALSE)
      continue;
    if (most + (uint64_t)x->change > MDD_SHIFT_MOST) {
      b->outgrown = true;
      return false;
    }
    level_bits_want(b, x->level, most + (uint32_t)x->change);
  }
  b->work[1] = ROBDD_FALSE;
  return true;
}

/* ---- learning ----------------------------------------------------------- */

static robdd *outcome_set(bdd_library *b, bdd_event *e, uint32_t outcome)
{
  for (size_t i = 0; i < e->outcomes.len; i++)
    if (e->outcomes.data[i]->outcome == outcome)
      return &e->outcomes.data[i]->vectors;
  vec_grow(&e->outcomes, 1);
  outcome_vectors *new = mem_alloc(sizeof *new);
  new->outcome = outcome;
  vec_push(&e->outcomes, new);
  return robdd_protect(b->manager, &new->vectors, 1) ? &new->vectors : NULL;
}

/* Adds the pairs of a vector and what it becomes; '*all' is false when one of
** them had no room. */
static bool add_pairs(bdd_library *b, bdd_event *e, const uint32_t *vector,
                      bool *all)
{
  size_t at = 0;
  bool good = true;
  for (uint32_t i = 0; i < e->levels.len; i++)
    level_bits_put(b, e->levels.data[i], vector[i], false);
  for (uint32_t n = 0; n < b->answer.successors && good; n++) {
    bool fits = true;
    for (size_t i = 0; i < e->levels.len; i++)
      if (e->written.data[i])
        fits &= level_bits_put(b, e->levels.data[i], b->answer.after.data[at++],
                               true);
    if (fits)
      e->relation =
          robdd_add_assignment(b->manager, e->relation, b->values.data);
    good = e->relation != ROBDD_FULL;
    *all &= fits;
  }
  for (size_t i = 0; i < e->levels.len; i++) {
    level_bits_clear(b, e->levels.data[i], false);
    level_bits_clear(b, e->levels.data[i], true);
  }
  return good;
}

static bool learn_vector(bdd_library *b, uint32_t number,
                         const uint32_t *vector)
{
  bdd_event *e = b->events.data[number];
  uint32_t count = (uint32_t)e->levels.len;
  bool all = true;
  vec_clear(&b->answer.after);
  b->answer.successors = 0;
  if (!b->options.ask(b->options.context, number, vector, &b->answer) ||
      !add_pairs(b, e, vector, &all))
    return false;
  if (!all)
    e->pending =
        level_bits_insert(b, e->pending, e->levels.data, count, vector);
  robdd *same = outcome_set(b, e, b->answer.outcome);
  if (!same || e->pending == ROBDD_FULL)
    return false;
  *same = level_bits_insert(b, *same, e->levels.data, count, vector);
  return *same != ROBDD_FULL;
}

/* Makes sure that a relation knows all states of the set. */
static bool learn(bdd_library *b, uint32_t number, robdd set)
{
  bdd_event *e = b->events.data[number];
  robdd_manager *m = b->manager;
  uint32_t count = (uint32_t)e->levels.len;
  robdd fresh = robdd_minus(m, set, e->known);
  if (fresh == ROBDD_FALSE || fresh == ROBDD_FULL)
    return fresh == ROBDD_FALSE;
  b->work[2] = level_bits_project(b, fresh, e->levels.data, count);
  if (b->work[2] == ROBDD_FULL)
    return false;
  vec_clear(&b->vectors);
  level_bits_list(b, b->work[2], e->levels.data, count, &b->vectors);
  for (size_t i = 0; i < b->vectors.len; i += count)
    if (!learn_vector(b, number, b->vectors.data + i))
      return false;
  e->known = robdd_or(m, e->known, b->work[2]);
  b->work[2] = ROBDD_FALSE;
  return e->known != ROBDD_FULL;
}

/* ---- more bits ---------------------------------------------------------- */

/* What holds of the new bits of the levels that an event touches: now, and
** after a step. */
static robdd room_of(bdd_library *b, const bdd_event *e, const robdd *room,
                     bool after)
{
  robdd all = ROBDD_TRUE;
  for (size_t i = e->levels.len; i-- > 0;) {
    uint32_t level = e->levels.data[i];
    if (!after)
      all = robdd_and(b->manager, all, room[level]);
    else if (e->written.data[i])
      all = robdd_and(b->manager, all, room[b->levels.len + level]);
  }
  return all;
}

bool bdd_events_widen(bdd_library *b, const robdd *room)
{
  robdd_manager *m = b->manager;
  bool good = true;
  for (size_t i = 0; i < b->events.len && good; i++) {
    bdd_event *e = b->events.data[i];
    if (e->shifts.len)
      continue; /* rebuilt */
    robdd now = room_of(b, e, room, false), after = room_of(b, e, room, true);
    /* What led too far is asked for once more. */
    e->known = robdd_and(m, robdd_minus(m, e->known, e->pending), now);
    e->pending = ROBDD_FALSE;
    e->relation = robdd_and(m, robdd_and(m, e->relation, now), after);
    good = e->known != ROBDD_FULL && e->relation != ROBDD_FULL;
    for (size_t k = 0; k < e->outcomes.len && good; k++) {
      robdd *vectors = &e->outcomes.data[k]->vectors;
      *vectors = robdd_and(m, *vectors, now);
      good = *vectors != ROBDD_FULL;
    }
  }
  return good;
}

/* ---- steps -------------------------------------------------------------- */

static robdd fire(void *library, uint32_t number, robdd set)
{
  bdd_library *b = library;
  bdd_event *e = b->events.data[number];
  b->work[3] = set;
  if (set == ROBDD_FULL || !refresh(b, e) ||
      !(e->shifts.len ? note_beyond(b, e, set) : learn(b, number, set)))
    return ROBDD_FULL;
  robdd result = robdd_image(b->manager, set, e->relation, e->bits_written);
  b->work[3] = ROBDD_FALSE;
  return result;
}

symbolic_set bdd_image(set_library *library, uint32_t number, symbolic_set set)
{
  bdd_library *b = of(library);
  if (b->options.impatient(b->options.context))
    return SET_FULL;
  return fire(b, number, set);
}

symbolic_set bdd_preimage(set_library *library, uint32_t number,
                          symbolic_set set, symbolic_set within)
{
  bdd_library *b = of(library);
  bdd_event *e = b->events.data[number];
  if (set == SET_FULL || within == SET_FULL ||
      b->options.impatient(b->options.context))
    return SET_FULL;
  b->work[0] = set;
  b->work[1] = within;
  robdd before = refresh(b, e) ? robdd_preimage(b->manager, set, e->relation,
                                                e->bits_written)
                               : ROBDD_FULL;
  before = robdd_and(b->manager, before, within);
  b->work[0] = b->work[1] = ROBDD_FALSE;
  return before;
}

symbolic_set bdd_enabled(set_library *library, uint32_t number,
                         symbolic_set set)
{
  bdd_library *b = of(library);
  bdd_event *e = b->events.data[number];
  b->work[0] = set;
  robdd result =
      refresh(b, e) ? robdd_and(b->manager, set, e->enabled) : ROBDD_FULL;
  b->work[0] = ROBDD_FALSE;
  return result;
}

symbolic_set bdd_outcome(set_library *library, uint32_t number,
                         uint32_t outcome, symbolic_set set)
{
  bdd_library *b = of(library);
  robdd *vectors = outcome_set(b, b->events.data[number], outcome);
  return vectors ? robdd_and(b->manager, set, *vectors) : SET_FULL;
}

/* ---- closure ------------------------------------------------------------ */

static int by_top(const void *a, const void *b)
{
  const placed_event *x = a, *y = b;
  if (x->top != y->top)
    return x->top < y->top ? -1 : 1;
  return x->event < y->event ? -1 : x->event > y->event;
}

/* The first level of the order that an event touches. */
static uint32_t top_of(bdd_library *b, const bdd_event *e)
{
  uint32_t top = UINT32_MAX;
  vec_clear(&b->variables);
  for (size_t i = 0; i < e->levels.len; i++)
    level_bits_variables(b, e->levels.data[i], false, &b->variables);
  for (size_t i = 0; i < b->variables.len; i++) {
    uint32_t level = robdd_level_of(b->manager, b->variables.data[i]);
    top = level < top ? level : top;
  }
  return top;
}

static bool order_events(bdd_library *b, robdd_events *events)
{
  size_t n = b->events.len;
  vec_resize(&b->placed, n);
  vec_resize(&b->order, n);
  vec_resize(&b->tops, n);
  for (uint32_t i = 0; i < n; i++)
    b->placed.data[i] = (placed_event){top_of(b, b->events.data[i]), i};
  if (n)
    qsort(b->placed.data, n, sizeof *b->placed.data, by_top);
  for (size_t i = 0; i < n; i++) {
    b->order.data[i] = b->placed.data[i].event;
    b->tops.data[i] = b->placed.data[i].top;
  }
  *events = (robdd_events){.list = b->order.data,
                           .tops = b->tops.data,
                           .count = (uint32_t)n,
                           .fire = fire,
                           .context = b};
  return robdd_take_keys(b->manager, events->count, &events->key);
}

/* The place before 'end' where the events with one first level begin. */
static uint32_t begin_of_level(const robdd_events *e, uint32_t end)
{
  uint32_t first = end - 1;
  while (first && e->tops[first - 1] == e->tops[first])
    first--;
  return first;
}

/* Whether the set being closed has doubled since the order was improved.  To
** find out takes a walk, which has to be worth it. */
static bool should_reorder(bdd_library *b)
{
  size_t nodes = robdd_figures(b->manager).nodes;
  if (!b->options.reorder || nodes < b->look_at)
    return false;
  b->look_at = nodes + nodes / 4;
  size_t size = robdd_size(b->manager, &b->closing, 1);
  size_t small = SMALL_SET + SMALL_LEVEL * robdd_variables(b->manager);
  return size != SIZE_MAX && size > small && size > 2 * b->sifted;
}

static void reorder(bdd_library *b)
{
  (void)robdd_reorder(b->manager);
  size_t size = robdd_size(b->manager, &b->closing, 1);
  b->sifted = size == SIZE_MAX ? 0 : size;
  b->look_at = robdd_figures(b->manager).nodes;
}

/* Level by level from the deepest up, so that the order can be improved in
** between, which is not possible within a closure. */
symbolic_set bdd_close(set_library *library, symbolic_set set)
{
  bdd_library *b = of(library);
  robdd_events events;
  if (set == SET_FULL || !order_events(b, &events))
    return SET_FULL;
  robdd *all = &b->closing;
  *all = set;
  for (uint32_t first = events.count; first && *all != ROBDD_FULL;) {
    first = begin_of_level(&events, first);
    *all = robdd_close(b->manager, *all, &events, first);
    if (*all == ROBDD_FULL || !should_reorder(b))
      continue;
    reorder(b);
    if (!order_events(b, &events))
      *all = ROBDD_FULL;
    first = events.count;
  }
  robdd result = *all;
  *all = ROBDD_FALSE;
  return result;
}
