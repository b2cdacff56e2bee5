/* The observer of a property as moves, each with the set of states in which it
** is allowed. */

#include "symbolic/liveness/live_sets_internal.h"

static symbolic_set unite(live_sets *l, symbolic_set a, symbolic_set b)
{
  return set_union(l->space->library, a, b);
}

static symbolic_set meet(live_sets *l, symbolic_set a, symbolic_set b)
{
  return set_intersect(l->space->library, a, b);
}

/* ---- conditions --------------------------------------------------------- */

static bool find_atoms(live_sets *l)
{
  const condition_list *list = &l->observer.conditions;
  l->atoms = live_array(l, list->len);
  for (size_t i = 0; l->atoms && i < list->len; i++) {
    l->atoms[i] = symbolic_states_of(l->space, list->data[i]);
    if (l->atoms[i] == SET_FULL)
      return false;
  }
  return l->atoms;
}

/* The states that satisfy a product of literals. */
static symbolic_set product_states(live_sets *l, const uint64_t *product)
{
  const buchi *b = l->observer.automaton;
  symbolic_set *found = &l->keep[0];
  *found = symbolic_reachable(l->space);
  for (size_t i = 0; i < l->observer.conditions.len; i++) {
    uint64_t bit = UINT64_C(1) << i % 64;
    if (product[i / 64] & bit)
      *found = meet(l, *found, l->atoms[i]);
    if (product[b->words + i / 64] & bit)
      *found = set_minus(l->space->library, *found, l->atoms[i]);
  }
  return *found;
}

static symbolic_set label_states(live_sets *l, const buchi_edge *e)
{
  const buchi *b = l->observer.automaton;
  symbolic_set *all = &l->keep[1];
  *all = SET_EMPTY;
  for (uint32_t i = 0; i < e->product_count; i++)
    *all = unite(l, *all,
                 product_states(l, b->products + 2 * (size_t)b->words *
                                                     (e->first_product + i)));
  return *all;
}

/* ---- formulas ----------------------------------------------------------- */

/* A move that is allowed in some states. */
static bool add_move(live_sets *l, live_move move, symbolic_set states)
{
  vec_grow(&l->moves, 1);
  if (states == SET_EMPTY)
    return true;
  if (!symbolic_keep(l->space, &l->label_list, states))
    return false;
  vec_push(&l->moves, move);
  return true;
}

static bool make_formula(live_sets *l)
{
  const buchi *b = l->observer.automaton;
  if (!find_atoms(l))
    return false;
  for (uint32_t q = 0; q < b->state_count; q++) {
    const buchi_state *s = &b->states[q];
    l->scc[q] = s->scc;
    if (s->scc >= l->sccs)
      l->sccs = s->scc + 1;
    for (uint32_t i = s->first_edge; i < s->first_edge + s->edge_count; i++) {
      const buchi_edge *e = &b->edges[i];
      if (!add_move(l, (live_move){q, e->target, e->marks}, label_states(l, e)))
        return false;
    }
  }
  return true;
}

/* ---- claims ------------------------------------------------------------- */

/* What an edge of a claim does in the states of keep[3]: an assertion that
** fails leads to a place of its own, an atomic edge to others without a step
** of the program.  'here' are sets by place: in which states the claim passes
** there; 'there' in which it arrives. */
static bool take_claim_edge(live_sets *l, const edge *e, symbolic_set *here,
                            symbolic_set *there)
{
  set_library *m = l->space->library;
  symbolic_set *can = &l->keep[3], *failed = &there[l->observer.failed];
  for (size_t i = 0; i < e->effects.len; i++) {
    if (e->effects.data[i]->kind != EFFECT_ASSERT)
      continue;
    l->keep[4] = symbolic_states_of(l->space, e->effects.data[i]->value);
    *failed = unite(l, *failed, set_minus(m, *can, l->keep[4]));
    *can = meet(l, *can, l->keep[4]);
  }
  symbolic_set *to = e->flags & EDGE_ATOMIC ? here : there;
  symbolic_set before = to[e->target];
  l->keep[4] = before;
  to[e->target] = unite(l, before, *can);
  if (to == here && to[e->target] != before)
    vec_push(&l->pending, e->target);
  return to[e->target] != SET_FULL && *failed != SET_FULL && *can != SET_FULL;
}

/* The edges of a claim at one of its places. */
static bool take_claim_edges(live_sets *l, uint32_t place, symbolic_set *here,
                             symbolic_set *there)
{
  const process_type *claim = l->observer.claim;
  const location *at = claim->locations.data + place;
  symbolic_set *can = &l->keep[3], *moved = &l->keep[5];
  *moved = SET_EMPTY;
  for (uint32_t i = 0; i < at->edge_count; i++) {
    const edge *e = claim->order.data[at->first_edge + i];
    if (e->flags & EDGE_ELSE)
      *can = set_minus(l->space->library, here[place], *moved);
    else if (e->guard)
      *can = meet(l, here[place], symbolic_states_of(l->space, e->guard));
    else
      *can = here[place];
    *moved = unite(l, *moved, *can);
    if (*moved == SET_FULL || !take_claim_edge(l, e, here, there))
      return false;
  }
  return true;
}

/* Moves from a place, with the mark where the place or the program accepts. */
static bool add_claim_moves(live_sets *l, uint32_t place, symbolic_set accepts,
                            const symbolic_set *there)
{
  set_library *m = l->space->library;
  bool always = l->observer.claim->locations.data[place].flags & LOC_ACCEPT;
  for (uint32_t q = 0; q < l->places; q++) {
    symbolic_set marked = always ? there[q] : meet(l, there[q], accepts);
    if (!add_move(l, (live_move){place, q, 1}, marked) ||
        (!always && !add_move(l, (live_move){place, q, 0},
                              set_minus(m, there[q], accepts))))
      return false;
  }
  return true;
}

static bool make_claim(live_sets *l)
{
  symbolic_set *here = live_array(l, l->places);
  symbolic_set *there = live_array(l, l->places);
  symbolic_set *accepts = live_array(l, 1);
  if (!here || !there || !accepts)
    return false;
  accepts[0] = symbolic_states_at(l->space, LOC_ACCEPT);
  bool good = accepts[0] != SET_FULL;
  for (uint32_t q = 0; q < l->observer.failed && good; q++) {
    for (uint32_t k = 0; k < l->places; k++)
      here[k] = there[k] = SET_EMPTY;
    here[q] = symbolic_reachable(l->space);
    vec_push(&l->pending, q);
    while (good && l->pending.len)
      good = take_claim_edges(l, vec_pop(&l->pending), here, there);
    good = good && add_claim_moves(l, q, accepts[0], there);
  }
  return good;
}

/* ---- labels ------------------------------------------------------------- */

static bool make_acceptance(live_sets *l)
{
  symbolic_set all = symbolic_reachable(l->space);
  l->keep[3] = symbolic_states_at(l->space, LOC_ACCEPT);
  return add_move(l, (live_move){0, 0, 1}, l->keep[3]) &&
         add_move(l, (live_move){0, 0, 0},
                  set_minus(l->space->library, all, l->keep[3]));
}

/* From some time on, in the second place, there is no progress. */
static bool make_progress(live_sets *l)
{
  symbolic_set all = symbolic_reachable(l->space);
  symbolic_set good = symbolic_states_at(l->space, LOC_PROGRESS);
  l->keep[3] = set_minus(l->space->library, all, good);
  l->scc[0] = 1;
  l->sccs = 2;
  return add_move(l, (live_move){0, 0, 0}, all) &&
         add_move(l, (live_move){0, 1, 0}, l->keep[3]) &&
         add_move(l, (live_move){1, 1, 1}, l->keep[3]);
}

/* ---- all of them -------------------------------------------------------- */

static bool make_by_kind(live_sets *l)
{
  switch (l->observer.kind) {
  case PROPERTY_LTL:
    return make_formula(l);
  case PROPERTY_NEVER:
    return make_claim(l);
  case PROPERTY_ACCEPTANCE:
    return make_acceptance(l);
  default:
    return make_progress(l);
  }
}

bool live_make_moves(live_sets *l)
{
  l->scc = ARENA_ARRAY(l->space->arena, uint32_t, l->places);
  l->sccs = 1;
  bool good = make_by_kind(l);
  l->labels = l->label_list.data;
  return good;
}
