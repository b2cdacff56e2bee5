/* Agglomerations: a place disappears, and who fills it and who empties it become
** one transition (G. Berthelot; S. Haddad, J.-F. Pradat-Peyre; Y. Thierry-Mieg).
**
**   behind:  H -> (p) -> F     F asks for nothing but p, so it may follow at once
**   before:  H -> (p) -> F     H gives nothing but p, so it may wait until F */

#include "net/shrink/shrink_internal.h"

#include <stdlib.h>

/* ---- one after the other -------------------------------------------------- */

static const petri_arc *next_arc(const petri_arc *arcs, uint32_t count,
                                 uint32_t *at, uint32_t place)
{
  static const petri_arc none;
  return *at < count && arcs[*at].place == place ? &arcs[(*at)++] : &none;
}

/* What an arc x, and then an arc y of the same place, ask and do together. */
static bool join_arcs(uint32_t place, const petri_arc *x, const petri_arc *y,
                      petri_arc *out)
{
  int64_t more = petri_effect(x);
  int64_t take = y->take - more;
  take = take < x->take ? x->take : take;
  int64_t put = take + more + petri_effect(y);
  int64_t below = x->below;
  if (y->below > 0) {
    int64_t other = y->below - more;
    other = other <= 0 ? -1 : other;
    below = below && below < other ? below : other;
  }
  if (x->below < 0 || y->below < 0)
    below = -1;
  *out = (petri_arc){place, (int32_t)take, (int32_t)put, (int32_t)below};
  return take <= PETRI_TOKENS_MAX && put <= PETRI_TOKENS_MAX &&
         below <= PETRI_TOKENS_MAX;
}

/* First x, then y, as one list of arcs; false: numbers are too great. */
static bool join_lists(arena *a, const draft_transition *x,
                       const draft_transition *y, draft_transition *out)
{
  uint32_t i = 0, k = 0, count = 0;
  petri_arc *arcs = ARENA_ARRAY(a, petri_arc, x->count + y->count + 1);
  while (i < x->count || k < y->count) {
    uint32_t place = i == x->count                         ? y->arcs[k].place
                     : k == y->count                       ? x->arcs[i].place
                     : x->arcs[i].place < y->arcs[k].place ? x->arcs[i].place
                                                           : y->arcs[k].place;
    const petri_arc *one = next_arc(x->arcs, x->count, &i, place);
    const petri_arc *two = next_arc(y->arcs, y->count, &k, place);
    if (!join_arcs(place, one, two, &arcs[count]))
      return false;
    count += arcs[count].take || arcs[count].put || arcs[count].below;
  }
  out->arcs = arcs;
  out->count = count;
  return true;
}

/* x so many times, then y so many times. */
static bool chain(draft *d, uint32_t x, uint32_t times_x, uint32_t y,
                  uint32_t times_y, draft_transition *out)
{
  const draft_transition *first = &d->transitions.data[x];
  const draft_transition *second = &d->transitions.data[y];
  draft_transition sum = {0};
  for (uint32_t i = 0; i < times_x; i++)
    if (!join_lists(d->arena, &sum, first, &sum))
      return false;
  for (uint32_t i = 0; i < times_y; i++)
    if (!join_lists(d->arena, &sum, second, &sum))
      return false;
  *out = sum;
  out->word =
      shrink_then(d->arena, first->word, times_x, second->word, times_y);
  return out->word->length <= SHRINK_WORD_MAX;
}

/* ---- a place between ------------------------------------------------------- */

/* Who fills a place and who empties it. */
typedef struct between {
  uint32_t place;
  uint32_t *fill, *empty;
  uint32_t fillers, emptiers;
  /* Behind: each emptier takes 'unit'.  Before: each filler puts it. */
  int32_t unit;
  uint32_t most; /* units at a time, by somebody on the other side */
} between;

/* False: somebody does both, or looks whether there are few tokens. */
static bool look_between(draft *d, uint32_t p, between *b)
{
  draft_tidy_users(d, p);
  const draft_place *x = &d->places[p];
  *b = (between){.place = p, .most = 1};
  if (x->visible || !x->users.len)
    return false;
  b->fill = ARENA_ARRAY(d->arena, uint32_t, x->users.len);
  b->empty = ARENA_ARRAY(d->arena, uint32_t, x->users.len);
  for (size_t i = 0; i < x->users.len; i++) {
    const petri_arc *arc = draft_arc(d, x->users.data[i], p);
    if (arc->below || (arc->take && arc->put))
      return false;
    if (arc->take)
      b->empty[b->emptiers++] = x->users.data[i];
    else
      b->fill[b->fillers++] = x->users.data[i];
  }
  return b->fillers && b->emptiers;
}

/* All on one side use the same number of tokens, those on the other side a
** multiple of it. */
static bool find_unit(const draft *d, between *b, bool behind)
{
  enum { MULTIPLE_MAX = 64 };
  const uint32_t *one = behind ? b->empty : b->fill;
  const uint32_t *other = behind ? b->fill : b->empty;
  uint32_t ones = behind ? b->emptiers : b->fillers;
  uint32_t others = behind ? b->fillers : b->emptiers;
  for (uint32_t i = 0; i < ones; i++) {
    const petri_arc *x = draft_arc(d, one[i], b->place);
    int32_t used = behind ? x->take : x->put;
    if (b->unit && used != b->unit)
      return false;
    b->unit = used;
  }
  for (uint32_t i = 0; i < others; i++) {
    const petri_arc *x = draft_arc(d, other[i], b->place);
    int32_t used = behind ? x->put : x->take;
    if (used % b->unit || used / b->unit > MULTIPLE_MAX)
      return false;
    if ((uint32_t)(used / b->unit) > b->most)
      b->most = (uint32_t)(used / b->unit);
  }
  /* Several units could be used by different ones. */
  return b->most == 1 || ones == 1;
}

/* The net must not grow much. */
static bool is_worth_it(const draft *d, const between *b)
{
  enum { MORE_MAX = 2, ARCS_MORE = 40 };
  uint64_t made = (uint64_t)b->fillers * b->emptiers, before = 0, fill = 0,
           empty = 0;
  if (made > b->fillers + b->emptiers + MORE_MAX)
    return false;
  for (uint32_t i = 0; i < b->fillers; i++)
    fill += d->transitions.data[b->fill[i]].count;
  for (uint32_t i = 0; i < b->emptiers; i++)
    empty += d->transitions.data[b->empty[i]].count;
  before = fill + empty;
  return fill * b->emptiers + empty * b->fillers <= 2 * before + ARCS_MORE;
}

static uint32_t units_of(const draft *d, const between *b, uint32_t t)
{
  const petri_arc *x = draft_arc(d, t, b->place);
  return (uint32_t)((x->take + x->put) / b->unit);
}

/* Every filler with every emptier; false, and nothing has changed, when it
** cannot be done. */
static bool replace(draft *d, const between *b)
{
  uint32_t count = 0;
  draft_transition *made =
      ARENA_ARRAY(d->arena, draft_transition, b->fillers * b->emptiers);
  for (uint32_t i = 0; i < b->fillers; i++)
    for (uint32_t k = 0; k < b->emptiers; k++) {
      uint32_t put = units_of(d, b, b->fill[i]);
      uint32_t take = units_of(d, b, b->empty[k]);
      if (!chain(d, b->fill[i], take, b->empty[k], put, &made[count++]))
        return false;
    }
  for (uint32_t i = 0; i < b->fillers; i++)
    draft_drop_transition(d, b->fill[i]);
  for (uint32_t k = 0; k < b->emptiers; k++)
    draft_drop_transition(d, b->empty[k]);
  for (uint32_t i = 0; i < count; i++)
    draft_add(d, made[i].arcs, made[i].count, made[i].word);
  draft_drop_place(d, b->place, (shrink_value){.lost = true});
  return true;
}

/* ---- behind ---------------------------------------------------------------- */

/* It asks for the place only, and nobody sees or minds what it gives. */
static bool follows_freely(const draft *d, uint32_t f, uint32_t p)
{
  const draft_transition *x = &d->transitions.data[f];
  for (uint32_t i = 0; i < x->count; i++) {
    const petri_arc *arc = &x->arcs[i];
    if (arc->place != p &&
        (arc->take || arc->below || d->places[arc->place].visible ||
         draft_is_inhibiting(d, arc->place)))
      return false;
  }
  return true;
}

/* Tokens that are there from the start are passed on at the start. */
static bool pass_on(draft *d, const between *b)
{
  enum { TIMES_MAX = 1000 };
  int32_t times = d->places[b->place].tokens / b->unit;
  const draft_transition *f = &d->transitions.data[b->empty[0]];
  if (b->emptiers > 1 || times > TIMES_MAX ||
      d->places[b->place].tokens % b->unit)
    return false;
  for (uint32_t i = 0; i < f->count; i++)
    if ((int64_t)d->places[f->arcs[i].place].tokens +
            (int64_t)times * f->arcs[i].put >
        PETRI_TOKENS_MAX)
      return false;
  for (uint32_t i = 0; i < f->count; i++)
    d->places[f->arcs[i].place].tokens += times * petri_effect(&f->arcs[i]);
  for (int32_t i = 0; i < times; i++)
    arena_push(d->arena, &d->start, f->word);
  return true;
}

static bool agglomerate_behind(draft *d, uint32_t p)
{
  between b;
  if (!look_between(d, p, &b) || !find_unit(d, &b, true) ||
      !is_worth_it(d, &b) || !draft_works(d, 1 + b.fillers + b.emptiers))
    return false;
  /* Before a choice more can happen than after it. */
  if (draft_keeps(d, SHRINK_BRANCHING) && b.emptiers > 1)
    return false;
  for (uint32_t i = 0; i < b.emptiers; i++)
    if (!follows_freely(d, b.empty[i], p))
      return false;
  if (d->places[p].tokens && !pass_on(d, &b))
    return false;
  return replace(d, &b);
}

/* ---- before ---------------------------------------------------------------- */

/* Whether only fillers of the place take from q. */
static bool is_for_fillers(draft *d, uint32_t q, uint32_t p)
{
  const draft_place *x = &d->places[q];
  for (size_t i = 0; i < x->users.len; i++) {
    uint32_t t = x->users.data[i];
    const petri_arc *arc = draft_arc(d, t, q);
    if (d->transitions.data[t].gone || !arc || !arc->take)
      continue;
    const petri_arc *to = draft_arc(d, t, p);
    if (!to || !to->put)
      return false;
  }
  return true;
}

/* It gives to the place only; it may wait, for what it takes stays there and
** nobody minds. */
static bool can_wait(draft *d, uint32_t h, uint32_t p)
{
  const draft_transition *x = &d->transitions.data[h];
  for (uint32_t i = 0; i < x->count; i++) {
    const petri_arc *arc = &x->arcs[i];
    if (arc->place == p)
      continue;
    if (arc->put || arc->below || d->places[arc->place].visible ||
        draft_is_inhibiting(d, arc->place) ||
        (draft_keeps_ends(d) && !is_for_fillers(d, arc->place, p)))
      return false;
  }
  return x->count > 1 || !draft_keeps_ends(d);
}

static bool agglomerate_before(draft *d, uint32_t p)
{
  between b;
  if (d->places[p].tokens || !look_between(d, p, &b) ||
      !find_unit(d, &b, false) || !is_worth_it(d, &b) ||
      !draft_works(d, 1 + b.fillers + b.emptiers))
    return false;
  for (uint32_t i = 0; i < b.fillers; i++)
    if (!can_wait(d, b.fill[i], p))
      return false;
  if (!replace(d, &b))
    return false;
  for (uint32_t i = 0; i < b.fillers; i++)
    arena_push(d->arena, &d->last, d->transitions.data[b.fill[i]].word);
  return true;
}

/* ---- the rules -------------------------------------------------------------- */

static bool try_places(draft *d, bool (*how)(draft *, uint32_t),
                       shrink_rule rule)
{
  bool changed = false;
  for (uint32_t p = 0; p < d->place_count; p++)
    if (!d->places[p].gone && how(d, p)) {
      d->uses[rule]++;
      changed = true;
    }
  return changed;
}

bool shrink_behind(draft *d)
{
  return try_places(d, agglomerate_behind, SHRINK_RULE_BEHIND);
}

bool shrink_before(draft *d)
{
  return try_places(d, agglomerate_before, SHRINK_RULE_BEFORE);
}
