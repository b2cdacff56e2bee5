/* Observers of formulas, claims and progress: made, and asked where they can
** move. */

#include "search/observer/observer.h"

#include "base/alloc.h"

#include <assert.h>
#include <string.h>

/* Places of the observer for non-progress cycles. */
enum { WAITING, STUCK };

/* ---- formulas ---------------------------------------------------------- */

static reason create_formula(observer *o, const property *p, bool generalised)
{
  if (!p->ltl)
    return REASON_NOT_CHECKED;
  o->context = ltl_create();
  o->formula = ltl_intern(o->context, p->ltl);
  for (uint32_t i = 0; i < ltl_atom_count(o->context); i++)
    vec_push(&o->conditions, ltl_atom_condition(o->context, i));
  o->automaton =
      buchi_translate(o->context, ltl_unary(o->context, LTL_NOT, o->formula),
                      (buchi_options){.generalised = generalised});
  if (!o->automaton || o->automaton->state_count > OBSERVER_PLACES_MAX)
    return REASON_FORMULA;
  o->letter_words = (uint32_t)(o->conditions.len / 64 + 1);
  if (o->letter_words < o->automaton->words)
    o->letter_words = o->automaton->words;
  o->letter = mem_alloc(o->letter_words * sizeof *o->letter);
  o->initial = o->automaton->initial;
  o->places = o->automaton->state_count;
  o->marks = generalised ? o->automaton->marks : 1;
  return REASON_NONE;
}

/* ---- claims ------------------------------------------------------------ */

/* Claims look and do nothing: only conditions and assertions are understood. */
static bool is_plain_edge(const edge *e)
{
  if (e->comm || e->flags & EDGE_DSTEP)
    return false;
  for (size_t i = 0; i < e->effects.len; i++) {
    effect_kind kind = e->effects.data[i]->kind;
    if (kind == EFFECT_ASSIGN || kind == EFFECT_EVAL)
      return false;
  }
  return true;
}

static reason create_claim(observer *o, const property *p)
{
  const process_type *claim = p->observer;
  if (!claim || claim->locals.len ||
      claim->locations.len >= OBSERVER_PLACES_MAX)
    return REASON_CLAIM;
  for (size_t i = 0; i < claim->edges.len; i++)
    if (!is_plain_edge(claim->edges.data[i]))
      return REASON_CLAIM;
  o->claim = claim;
  o->initial = claim->start;
  o->failed = (uint32_t)claim->locations.len;
  o->places = o->failed + 1;
  o->marks = 1;
  return REASON_NONE;
}

reason observer_create(observer *o, worker *w, const property *p,
                       bool generalised)
{
  *o = (observer){.kind = p->kind, .worker = w, .places = 1, .marks = 1};
  switch (p->kind) {
  case PROPERTY_LTL:
    return create_formula(o, p, generalised);
  case PROPERTY_NEVER:
    return create_claim(o, p);
  case PROPERTY_NON_PROGRESS:
    o->places = 2;
    return REASON_NONE;
  case PROPERTY_ACCEPTANCE:
    return REASON_NONE;
  default:
    return REASON_NOT_CHECKED;
  }
}

void observer_share(observer *o, const observer *other, worker *w)
{
  *o = (observer){.kind = other->kind,
                  .worker = w,
                  .initial = other->initial,
                  .places = other->places,
                  .marks = other->marks,
                  .failed = other->failed,
                  .claim = other->claim,
                  .formula = other->formula,
                  .automaton = other->automaton,
                  .is_shared = true};
  for (size_t i = 0; i < other->conditions.len; i++)
    vec_push(&o->conditions, other->conditions.data[i]);
  if (other->letter)
    o->letter = mem_alloc(other->letter_words * sizeof *o->letter);
  o->letter_words = other->letter_words;
}

void observer_free(observer *o)
{
  if (!o->is_shared) {
    buchi_destroy(o->automaton);
    ltl_destroy(o->context);
  }
  mem_free(o->letter, o->letter ? o->letter_words * sizeof *o->letter : 0);
  vec_free(&o->conditions);
  vec_free(&o->moves);
  vec_free(&o->pending);
}

/* ---- looking ----------------------------------------------------------- */

static bool is_true(observer *o, const expr *e, const uint8_t *state,
                    uint32_t length)
{
  fault_kind failed = FAULT_NONE;
  int32_t value = program_evaluate(o->worker, e, state, length, &failed);
  o->fault |= failed != FAULT_NONE;
  return value;
}

bool observer_read_letter(observer *o, const uint8_t *state, uint32_t length)
{
  memset(o->letter, 0, o->letter_words * sizeof *o->letter);
  for (size_t i = 0; i < o->conditions.len; i++)
    if (is_true(o, o->conditions.data[i], state, length))
      o->letter[i / 64] |= UINT64_C(1) << i % 64;
  return !o->fault;
}

void observer_teach(observer *o, const uint8_t *state, uint32_t length)
{
  for (size_t i = 0; i < o->conditions.len; i++)
    is_true(o, o->conditions.data[i], state, length);
  for (size_t i = 0; o->claim && i < o->claim->edges.len; i++) {
    const edge *e = o->claim->edges.data[i];
    if (e->guard)
      is_true(o, e->guard, state, length);
    for (size_t k = 0; k < e->effects.len; k++)
      if (e->effects.data[k]->kind == EFFECT_ASSERT)
        is_true(o, e->effects.data[k]->value, state, length);
  }
}

static void add_move(observer *o, uint32_t target, uint64_t marks)
{
  for (size_t i = 0; i < o->moves.len; i++)
    if (o->moves.data[i].target == target && o->moves.data[i].marks == marks)
      return;
  vec_push(&o->moves, ((observer_move){target, marks}));
}

static bool look_formula(observer *o, uint32_t place, const uint8_t *state,
                         uint32_t length)
{
  const buchi *b = o->automaton;
  if (!observer_read_letter(o, state, length))
    return false;
  const buchi_state *s = b->states + place;
  for (uint32_t i = 0; i < s->edge_count; i++) {
    const buchi_edge *e = b->edges + s->first_edge + i;
    if (buchi_edge_allows(b, e, o->letter))
      add_move(o, e->target, b->by_state && !b->marks ? 1 : e->marks);
  }
  return true;
}

static bool asserts(observer *o, const edge *e, const uint8_t *state,
                    uint32_t length)
{
  for (size_t i = 0; i < e->effects.len; i++)
    if (e->effects.data[i]->kind == EFFECT_ASSERT &&
        !is_true(o, e->effects.data[i]->value, state, length))
      return false;
  return true;
}

/* The edges of a claim at one of its places.  After an atomic one the claim
** moves on in the same state. */
static void look_place(observer *o, uint32_t place, uint64_t marks,
                       const uint8_t *state, uint32_t length)
{
  const location *at = o->claim->locations.data + place;
  bool moved = false;
  for (uint32_t i = 0; i < at->edge_count; i++) {
    const edge *e = o->claim->order.data[at->first_edge + i];
    if (e->flags & EDGE_ELSE ? moved
                             : e->guard && !is_true(o, e->guard, state, length))
      continue;
    moved = true;
    if (!asserts(o, e, state, length))
      add_move(o, o->failed, marks);
    else if (e->flags & EDGE_ATOMIC)
      vec_push(&o->pending, e->target);
    else
      add_move(o, e->target, marks);
  }
}

static bool look_claim(observer *o, uint32_t place, const uint8_t *state,
                       uint32_t length)
{
  uint64_t marks = observer_accepts(o, place, state, length);
  vec_clear(&o->pending);
  vec_push(&o->pending, place);
  for (size_t i = 0; i < o->pending.len; i++) {
    bool seen = false;
    for (size_t k = 0; k < i; k++)
      seen |= o->pending.data[k] == o->pending.data[i];
    if (!seen)
      look_place(o, o->pending.data[i], marks, state, length);
  }
  return !o->fault;
}

static void look_progress(observer *o, uint32_t place, const uint8_t *state,
                          uint32_t length)
{
  bool np = !program_is_at(o->worker, state, length, LOC_PROGRESS);
  if (place == WAITING)
    add_move(o, WAITING, 0);
  if (np)
    add_move(o, STUCK, place == STUCK);
}

bool observer_look(observer *o, uint32_t place, const uint8_t *state,
                   uint32_t length)
{
  vec_clear(&o->moves);
  o->fault = false;
  switch (o->kind) {
  case PROPERTY_LTL:
    return look_formula(o, place, state, length);
  case PROPERTY_NEVER:
    return look_claim(o, place, state, length);
  case PROPERTY_NON_PROGRESS:
    look_progress(o, place, state, length);
    return true;
  default:
    add_move(o, 0, observer_accepts(o, 0, state, length));
    return true;
  }
}

bool observer_accepts(observer *o, uint32_t place, const uint8_t *state,
                      uint32_t length)
{
  switch (o->kind) {
  case PROPERTY_LTL:
    assert(o->automaton->by_state);
    return !o->automaton->marks || o->automaton->states[place].accepting;
  case PROPERTY_NEVER:
    return (place < o->claim->locations.len &&
            o->claim->locations.data[place].flags & LOC_ACCEPT) ||
           program_is_at(o->worker, state, length, LOC_ACCEPT);
  case PROPERTY_NON_PROGRESS:
    return place == STUCK;
  default:
    return program_is_at(o->worker, state, length, LOC_ACCEPT);
  }
}

bool observer_is_sure(const observer *o, uint32_t place)
{
  if (o->kind == PROPERTY_LTL)
    return o->automaton->states[place].accepts_all;
  return o->kind == PROPERTY_NEVER &&
         (place == o->failed ||
          (o->claim->kind == PROCESS_NEVER &&
           o->claim->locations.data[place].flags & LOC_END));
}
