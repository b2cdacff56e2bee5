/* Rules about transitions: those that never fire, that do what another one does,
** that add nothing, and that nobody needs. */

#include "net/shrink/shrink_internal.h"

#include "base/hash.h"
#include <stdlib.h>
#include <string.h>

/* ---- dead --------------------------------------------------------------- */

/* What may happen, roughly: a place has as many tokens as anybody wants once
** something that may fire adds to it. */
typedef struct hoping {
  draft *draft;
  bool *grows;               /* by place */
  bool *may_fire, *is_asked; /* by transition: waits in the list */
  VEC(uint32_t) list;
} hoping;

static bool may_fire(const hoping *h, const draft_transition *t)
{
  for (uint32_t i = 0; i < t->count; i++) {
    const petri_arc *x = &t->arcs[i];
    if (x->below < 0 ||
        (x->take > h->draft->places[x->place].tokens && !h->grows[x->place]))
      return false;
    if (x->below && x->take >= x->below)
      return false;
  }
  return true;
}

static void ask(hoping *h, uint32_t t)
{
  if (h->may_fire[t] || h->is_asked[t] || h->draft->transitions.data[t].gone)
    return;
  h->is_asked[t] = true;
  arena_push(h->draft->arena, &h->list, t);
}

static void note_growth(hoping *h, const draft_transition *t)
{
  for (uint32_t i = 0; i < t->count; i++) {
    uint32_t p = t->arcs[i].place;
    if (petri_effect(&t->arcs[i]) <= 0 || h->grows[p])
      continue;
    h->grows[p] = true;
    for (size_t k = 0; k < h->draft->places[p].users.len; k++)
      ask(h, h->draft->places[p].users.data[k]);
  }
}

bool shrink_dead(draft *d)
{
  size_t count = d->transitions.len;
  hoping h = {.draft = d,
              .grows = ARENA_ARRAY(d->arena, bool, d->place_count + 1),
              .may_fire = ARENA_ARRAY(d->arena, bool, count + 1),
              .is_asked = ARENA_ARRAY(d->arena, bool, count + 1)};
  bool changed = false;
  for (uint32_t t = 0; t < count; t++)
    ask(&h, t);
  while (h.list.len) {
    uint32_t t = h.list.data[--h.list.len];
    h.is_asked[t] = false;
    if (!may_fire(&h, &d->transitions.data[t]))
      continue;
    h.may_fire[t] = true;
    note_growth(&h, &d->transitions.data[t]);
  }
  for (uint32_t t = 0; t < count; t++)
    if (!d->transitions.data[t].gone && !h.may_fire[t]) {
      draft_drop_transition(d, t);
      d->uses[SHRINK_RULE_DEAD]++;
      changed = true;
    }
  return changed;
}

/* ---- the same as another one --------------------------------------------- */

typedef struct hashed {
  uint64_t hash;
  uint32_t transition;
} hashed;

static int by_hash(const void *a, const void *b)
{
  const hashed *x = a, *y = b;
  if (x->hash != y->hash)
    return x->hash < y->hash ? -1 : 1;
  return x->transition < y->transition ? -1 : x->transition > y->transition;
}

/* Of what it changes: not of what it only looks at. */
static uint64_t effect_hash(const draft_transition *t)
{
  uint64_t hash = 0;
  for (uint32_t i = 0; i < t->count; i++)
    if (petri_effect(&t->arcs[i]))
      hash = hash_mix(hash ^ hash_mix((uint64_t)t->arcs[i].place << 32 |
                                      (uint32_t)petri_effect(&t->arcs[i])));
  return hash;
}

static const petri_arc no_arc;

static const petri_arc *arc_or_none(const draft *d, uint32_t t, uint32_t place)
{
  const petri_arc *x = draft_arc(d, t, place);
  return x ? x : &no_arc;
}

/* Whether y is enabled wherever x is. */
static bool asks_less(const draft *d, uint32_t y, uint32_t x)
{
  const draft_transition *t = &d->transitions.data[y];
  for (uint32_t i = 0; i < t->count; i++) {
    const petri_arc *mine = &t->arcs[i];
    const petri_arc *other = arc_or_none(d, x, mine->place);
    if (mine->take > other->take ||
        (mine->below && (!other->below || other->below > mine->below)))
      return false;
  }
  return true;
}

static bool has_effect_of(const draft *d, uint32_t y, uint32_t x)
{
  const draft_transition *t = &d->transitions.data[y];
  for (uint32_t i = 0; i < t->count; i++)
    if (petri_effect(&t->arcs[i]) !=
        petri_effect(arc_or_none(d, x, t->arcs[i].place)))
      return false;
  return true;
}

/* x goes when y does the same and asks for no more. */
static bool is_covered(draft *d, uint32_t x, uint32_t y)
{
  return has_effect_of(d, y, x) && has_effect_of(d, x, y) && asks_less(d, y, x);
}

static bool thin_out(draft *d, const hashed *list, uint32_t count)
{
  bool changed = false;
  for (uint32_t i = 0; i < count && draft_works(d, count); i++)
    for (uint32_t k = 0; k < count; k++) {
      uint32_t x = list[i].transition, y = list[k].transition;
      if (i == k || d->transitions.data[x].gone ||
          d->transitions.data[y].gone || !is_covered(d, x, y))
        continue;
      draft_drop_transition(d, x);
      d->uses[SHRINK_RULE_IDENTICAL]++;
      changed = true;
    }
  return changed;
}

bool shrink_identical(draft *d)
{
  hashed *list = ARENA_ARRAY(d->arena, hashed, d->transitions.len + 1);
  uint32_t count = 0;
  bool changed = false;
  for (uint32_t t = 0; t < d->transitions.len; t++)
    if (!d->transitions.data[t].gone && !d->transitions.data[t].shadow)
      list[count++] = (hashed){effect_hash(&d->transitions.data[t]), t};
  qsort(list, count, sizeof *list, by_hash);
  for (uint32_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && list[end].hash == list[i].hash;)
      end++;
    changed |= end - i > 1 && thin_out(d, list + i, end - i);
  }
  return changed;
}

/* ---- nothing added ------------------------------------------------------- */

/* It takes, or changes nothing; nobody sees or waits for it. */
static bool adds_nothing(const draft *d, const draft_transition *t)
{
  for (uint32_t i = 0; i < t->count; i++) {
    const petri_arc *x = &t->arcs[i];
    int32_t more = petri_effect(x);
    if (more > 0 || (more < 0 && (d->places[x->place].visible ||
                                  draft_is_inhibiting(d, x->place))))
      return false;
  }
  return true;
}

static bool is_without_effect(const draft_transition *t)
{
  for (uint32_t i = 0; i < t->count; i++)
    if (petri_effect(&t->arcs[i]))
      return false;
  return true;
}

/* Some other transition is enabled wherever x is: looked for among those that
** use one of its places, or ask for nothing. */
static bool is_never_alone(const draft *d, uint32_t x)
{
  const draft_transition *t = &d->transitions.data[x];
  for (uint32_t i = 0; i < t->count; i++) {
    const draft_place *p = &d->places[t->arcs[i].place];
    for (size_t k = 0; k < p->users.len; k++) {
      uint32_t y = p->users.data[k];
      if (y != x && !d->transitions.data[y].gone && asks_less(d, y, x))
        return true;
    }
  }
  return false;
}

bool shrink_neutral(draft *d)
{
  bool changed = false;
  for (uint32_t t = 0; t < d->transitions.len; t++) {
    draft_transition *x = &d->transitions.data[t];
    if (x->gone)
      continue;
    bool goes = draft_keeps(d, SHRINK_DEAD)
                    ? is_without_effect(x) && is_never_alone(d, t)
                    : adds_nothing(d, x);
    if (!goes)
      continue;
    draft_drop_transition(d, t);
    d->uses[SHRINK_RULE_NEUTRAL]++;
    changed = true;
  }
  return changed;
}

/* ---- not needed ---------------------------------------------------------- */

typedef struct needing {
  draft *draft;
  bool *place, *transition;
  VEC(uint32_t) list; /* of places */
} needing;

static void need_place(needing *n, uint32_t p)
{
  if (n->place[p])
    return;
  n->place[p] = true;
  arena_push(n->draft->arena, &n->list, p);
}

static void need_transition(needing *n, uint32_t t)
{
  const draft_transition *x = &n->draft->transitions.data[t];
  if (n->transition[t])
    return;
  n->transition[t] = true;
  for (uint32_t i = 0; i < x->count; i++)
    if (x->arcs[i].take || x->arcs[i].below)
      need_place(n, x->arcs[i].place);
}

static void find_needed(needing *n)
{
  draft *d = n->draft;
  for (uint32_t p = 0; p < d->place_count; p++)
    if (d->places[p].visible && !d->places[p].gone)
      need_place(n, p);
  while (n->list.len) {
    uint32_t p = n->list.data[--n->list.len];
    for (size_t i = 0; i < d->places[p].users.len; i++) {
      uint32_t t = d->places[p].users.data[i];
      const petri_arc *x = draft_arc(d, t, p);
      if (!d->transitions.data[t].gone && x && petri_effect(x))
        need_transition(n, t);
    }
  }
}

bool shrink_irrelevant(draft *d)
{
  needing n = {.draft = d,
               .place = ARENA_ARRAY(d->arena, bool, d->place_count + 1),
               .transition =
                   ARENA_ARRAY(d->arena, bool, d->transitions.len + 1)};
  uint32_t before = d->uses[SHRINK_RULE_IRRELEVANT];
  find_needed(&n);
  for (uint32_t t = 0; t < d->transitions.len; t++)
    if (!n.transition[t] && !d->transitions.data[t].gone) {
      draft_drop_transition(d, t);
      d->uses[SHRINK_RULE_IRRELEVANT]++;
    }
  for (uint32_t p = 0; p < d->place_count; p++)
    if (!n.place[p] && !d->places[p].gone) {
      draft_drop_place(d, p, (shrink_value){.lost = true});
      d->uses[SHRINK_RULE_IRRELEVANT]++;
    }
  return d->uses[SHRINK_RULE_IRRELEVANT] > before;
}
