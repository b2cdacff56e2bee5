/* Finds stubborn sets by a closure from the transitions that bring the goal
** nearer. */

#include "net/stubborn.h"

#include <string.h>

struct stubborn {
  const petri *net;
  const claim *goal;
  const int32_t *marking;
  bool *in_set;    /* by transition */
  uint32_t *todo;  /* in the set, not looked at */
  uint32_t count;  /* of these */
  uint32_t *added; /* all in the set */
  uint32_t size;
};

stubborn *stubborn_make(arena *a, const petri *n, const claim *goal)
{
  stubborn *s = ARENA_NEW(a, stubborn);
  s->net = n;
  s->goal = goal;
  s->in_set = ARENA_ARRAY(a, bool, n->transition_count + 1);
  s->todo = ARENA_ARRAY(a, uint32_t, n->transition_count + 1);
  s->added = ARENA_ARRAY(a, uint32_t, n->transition_count + 1);
  return s;
}

static void add(stubborn *s, uint32_t t)
{
  if (s->in_set[t])
    return;
  s->in_set[t] = true;
  s->todo[s->count++] = t;
  s->added[s->size++] = t;
}

/* ---- towards the goal ----------------------------------------------------- */

/* Whoever makes the sum less: those of a place with a factor above 0 who take
** from it, and the contrary.  More than need be, which does no harm. */
static void add_reducers(stubborn *s, const claim *sum)
{
  const petri *n = s->net;
  for (uint32_t i = 0; i < sum->count; i++) {
    uint32_t p = sum->terms[i].place;
    for (uint32_t k = n->first_use[p]; k < n->first_use[p + 1]; k++)
      if ((int64_t)petri_effect(&n->arcs[n->uses[k].arc]) *
              sum->terms[i].factor <
          0)
        add(s, n->uses[k].transition);
  }
}

/* How many transitions would be added, about. */
static uint64_t cost_of(const stubborn *s, const claim *c)
{
  uint64_t cost = 0;
  for (uint32_t i = 0; i < c->count; i++)
    cost += c->op == CLAIM_SUM ? s->net->first_use[c->terms[i].place + 1] -
                                     s->net->first_use[c->terms[i].place]
                               : cost_of(s, c->parts[i]);
  return cost;
}

/* The claim is false.  Of an 'and' one false part must become true. */
static void add_helpful(stubborn *s, const claim *c)
{
  const claim *best = NULL;
  switch (c->op) {
  case CLAIM_FALSE:
  case CLAIM_TRUE:
    return;
  case CLAIM_SUM:
    add_reducers(s, c);
    return;
  case CLAIM_OR:
    for (uint32_t i = 0; i < c->count; i++)
      add_helpful(s, c->parts[i]);
    return;
  case CLAIM_AND:
    break;
  }
  for (uint32_t i = 0; i < c->count; i++)
    if (!claim_holds(c->parts[i], s->marking) &&
        (!best || cost_of(s, c->parts[i]) < cost_of(s, best)))
      best = c->parts[i];
  add_helpful(s, best);
}

/* ---- closure --------------------------------------------------------------- */

typedef enum { INCREASES, DECREASES, TAKES, WAITS } use_kind;

static bool is_of_kind(const petri_arc *x, use_kind kind)
{
  switch (kind) {
  case INCREASES:
    return petri_effect(x) > 0;
  case DECREASES:
    return petri_effect(x) < 0;
  case TAKES:
    return x->take > 0;
  case WAITS:
    return x->below != 0;
  }
  return true;
}

static void add_users(stubborn *s, uint32_t place, use_kind kind)
{
  const petri *n = s->net;
  for (uint32_t k = n->first_use[place]; k < n->first_use[place + 1]; k++)
    if (is_of_kind(&n->arcs[n->uses[k].arc], kind))
      add(s, n->uses[k].transition);
}

/* Somebody must change the place before t can fire: one that few can. */
static void add_enablers(stubborn *s, uint32_t t)
{
  const petri *n = s->net;
  uint32_t best = UINT32_MAX, least = UINT32_MAX;
  use_kind how = INCREASES;
  for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++) {
    const petri_arc *x = &n->arcs[i];
    uint32_t users = n->first_use[x->place + 1] - n->first_use[x->place];
    bool lacks = s->marking[x->place] < x->take;
    bool waits = x->below && s->marking[x->place] >= x->below;
    if (x->below < 0)
      return; /* it never fires */
    if ((!lacks && !waits) || users >= least)
      continue;
    least = users;
    best = x->place;
    how = lacks ? INCREASES : DECREASES;
  }
  add_users(s, best, how);
}

/* Whom t may disable. */
static void add_disabled(stubborn *s, uint32_t t)
{
  const petri *n = s->net;
  for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++) {
    int32_t more = petri_effect(&n->arcs[i]);
    if (more)
      add_users(s, n->arcs[i].place, more < 0 ? TAKES : WAITS);
  }
}

/* Who may disable t. */
static void add_disablers(stubborn *s, uint32_t t)
{
  const petri *n = s->net;
  for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++) {
    if (n->arcs[i].take)
      add_users(s, n->arcs[i].place, DECREASES);
    if (n->arcs[i].below)
      add_users(s, n->arcs[i].place, INCREASES);
  }
}

static void close_set(stubborn *s)
{
  while (s->count) {
    uint32_t t = s->todo[--s->count];
    if (petri_enabled(s->net, t, s->marking))
      add_disabled(s, t);
    else
      add_enablers(s, t);
  }
}

static void start_anew(stubborn *s)
{
  for (uint32_t i = 0; i < s->size; i++)
    s->in_set[s->added[i]] = false;
  s->size = s->count = 0;
}

static uint32_t enabled_in(const stubborn *s, uint32_t *list)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->size; i++)
    if (petri_enabled(s->net, s->added[i], s->marking))
      list[count++] = s->added[i];
  return count;
}

static uint32_t close_and_list(stubborn *s, uint32_t *list)
{
  close_set(s);
  return enabled_in(s, list);
}

/* For a dead marking some enabled transition begins the set.  Several are tried;
** the set with the fewest enabled ones is taken. */
static uint32_t smallest_set(stubborn *s, uint32_t *list)
{
  enum { TRIED = 8 };
  const petri *n = s->net;
  uint32_t least = UINT32_MAX, tried = 0, best = UINT32_MAX;
  for (uint32_t t = 0; t < n->transition_count && tried < TRIED; t++) {
    if (!petri_enabled(n, t, s->marking))
      continue;
    tried++;
    start_anew(s);
    add(s, t);
    add_disablers(s, t);
    uint32_t count = close_and_list(s, list);
    if (count == 1)
      return count;
    if (count < least) {
      least = count;
      best = t;
    }
  }
  if (best == UINT32_MAX)
    return 0;
  start_anew(s);
  add(s, best);
  add_disablers(s, best);
  return close_and_list(s, list);
}

uint32_t stubborn_set(stubborn *s, const int32_t *marking, uint32_t *list)
{
  s->marking = marking;
  start_anew(s);
  if (!s->goal)
    return smallest_set(s, list);
  add_helpful(s, s->goal);
  return close_and_list(s, list);
}
