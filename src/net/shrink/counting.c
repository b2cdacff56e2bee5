/* Makes a net smaller while its markings can still be counted. */

#include "net/shrink/counting.h"

#include "base/hash.h"
#include "net/shrink/shrink_internal.h"
#include <stdlib.h>
#include <string.h>

struct counting {
  arena *arena;
  const petri *first, *net;
  draft *draft;
  unsigned rules;
  limits *limits;
  /* Leaves of a place that may have tokens in a dead marking: how many there are,
  ** and the last of them; only of places that were joined. */
  uint32_t *resting, *rest;
  const draft_event **fate; /* by place that is gone */
  uint32_t *number, *origin;
  uint32_t joined;
  VEC(counting_view) views, dead;
  VEC(uint32_t) filled;
};

/* ---- joining ------------------------------------------------------------- */

/* It takes a token from one place, puts one into another, and nothing else. */
static bool is_move(const draft *d, uint32_t t, uint32_t *from, uint32_t *to)
{
  const draft_transition *x = &d->transitions.data[t];
  if (x->gone || x->shadow || x->count != 2)
    return false;
  const petri_arc *a = &x->arcs[0], *b = &x->arcs[1];
  if (a->put) {
    a = &x->arcs[1];
    b = &x->arcs[0];
  }
  *from = a->place;
  *to = b->place;
  return a->take == 1 && !a->put && !a->below && !b->take && b->put == 1 &&
         !b->below;
}

/* A transition is enabled as soon as the place has a token. */
static bool is_restless(const draft *d, uint32_t p)
{
  const draft_place *x = &d->places[p];
  for (size_t i = 0; i < x->users.len; i++) {
    const draft_transition *t = &d->transitions.data[x->users.data[i]];
    if (t->shadow && !t->gone && t->count == 1 && t->arcs[0].take == 1 &&
        !t->arcs[0].below)
      return true;
  }
  return false;
}

static uint32_t resting_in(const counting *c, uint32_t p)
{
  return draft_is_single(c->draft, p) ? !is_restless(c->draft, p)
                                      : c->resting[p];
}

static bool can_be_joined(const draft *d, uint32_t p)
{
  enum { SMALL = 1 << 20 };
  const draft_place *x = &d->places[p];
  for (size_t i = 0; i < x->users.len; i++) {
    const petri_arc *arc = draft_arc(d, x->users.data[i], p);
    if (!d->transitions.data[x->users.data[i]].gone && arc &&
        (arc->below || arc->take > SMALL || arc->put > SMALL))
      return false;
  }
  return x->tokens < SMALL && x->leaves < SMALL;
}

/* q becomes a part of p. */
static void join(counting *c, uint32_t p, uint32_t q)
{
  draft *d = c->draft;
  draft_place *to = &d->places[p], *from = &d->places[q];
  uint32_t mine = resting_in(c, p), other = resting_in(c, q);
  uint32_t rest = mine    ? (draft_is_single(d, p) ? p : c->rest[p])
                  : other ? (draft_is_single(d, q) ? q : c->rest[q])
                          : SHRINK_NONE;
  draft_tidy_users(d, q);
  for (size_t i = 0; i < from->users.len; i++) {
    uint32_t t = from->users.data[i];
    const petri_arc *x = draft_arc(d, t, p), *y = draft_arc(d, t, q);
    petri_arc sum = {p, (x ? x->take : 0) + y->take, (x ? x->put : 0) + y->put,
                     0};
    draft_set_arc(d, t, sum);
    draft_set_arc(d, t, (petri_arc){.place = q});
  }
  from->users.len = 0;
  draft_tidy_users(d, p);
  claim_term *term = ARENA_NEW(d->arena, claim_term);
  *term = (claim_term){p, 1};
  arena_push(
      d->arena, &d->events,
      ((draft_event){.place = q, .joined = true, .terms = term, .count = 1}));
  to->tokens += from->tokens;
  to->leaves += from->leaves;
  from->gone = true;
  c->resting[p] = mine + other;
  c->rest[p] = rest;
  c->joined++;
}

/* p -> q: whoever puts into q is such a move, and q has no token at the start. */
static bool is_behind(const counting *c, uint32_t p, uint32_t q)
{
  const draft *d = c->draft;
  const draft_place *x = &d->places[q];
  uint32_t from, to;
  if (p == q || x->tokens || !can_be_joined(d, p) || !can_be_joined(d, q) ||
      resting_in(c, p) + resting_in(c, q) > 1)
    return false;
  for (size_t i = 0; i < x->users.len; i++) {
    uint32_t t = x->users.data[i];
    const petri_arc *arc = draft_arc(d, t, q);
    if (d->transitions.data[t].gone || d->transitions.data[t].shadow || !arc ||
        !arc->put)
      continue;
    if (!is_move(d, t, &from, &to) || from != p || to != q)
      return false;
  }
  return true;
}

static bool join_chains(counting *c)
{
  draft *d = c->draft;
  bool changed = false;
  uint32_t from, to;
  for (uint32_t t = 0; t < d->transitions.len; t++) {
    if (!is_move(d, t, &from, &to) ||
        !draft_works(d, d->places[from].users.len + d->places[to].users.len) ||
        !is_behind(c, from, to))
      continue;
    join(c, from, to);
    changed = true;
  }
  return changed;
}

/* ---- circles --------------------------------------------------------------- */

typedef struct circle {
  counting *counting;
  uint32_t *by; /* by place: where moves came from, + 1; 0: not seen */
  VEC(uint32_t) list;
} circle;

/* Whether moves lead from a place to another; 'by' has the way. */
static bool leads(circle *x, uint32_t start, uint32_t goal)
{
  draft *d = x->counting->draft;
  uint32_t from, to;
  memset(x->by, 0, (d->place_count + 1) * sizeof *x->by);
  x->list.len = 0;
  arena_push(d->arena, &x->list, start);
  x->by[start] = start + 1;
  for (size_t i = 0; i < x->list.len; i++) {
    uint32_t p = x->list.data[i];
    if (p == goal)
      return true;
    if (!draft_works(d, d->places[p].users.len))
      return false;
    for (size_t k = 0; k < d->places[p].users.len; k++)
      if (is_move(d, d->places[p].users.data[k], &from, &to) && from == p &&
          !x->by[to] && can_be_joined(d, to)) {
        x->by[to] = p + 1;
        arena_push(d->arena, &x->list, to);
      }
  }
  return false;
}

/* The way back from 'last' to 'first' and what rests on it. */
static bool is_quiet(const circle *x, uint32_t first, uint32_t last)
{
  uint32_t resting = 0;
  for (uint32_t p = last;; p = x->by[p] - 1) {
    resting += resting_in(x->counting, p);
    if (p == first)
      return resting <= 1;
  }
}

static bool join_circles(counting *c)
{
  draft *d = c->draft;
  circle x = {.counting = c,
              .by = ARENA_ARRAY(d->arena, uint32_t, d->place_count + 1)};
  bool changed = false;
  uint32_t from, to;
  for (uint32_t t = 0; t < d->transitions.len; t++) {
    if (!is_move(d, t, &from, &to) || from == to || !can_be_joined(d, from) ||
        !can_be_joined(d, to) || !draft_works(d, d->place_count / 8) ||
        !leads(&x, to, from) || !is_quiet(&x, to, from))
      continue;
    for (uint32_t p = x.by[from] - 1, next; from != to; p = next) {
      next = x.by[p] - 1;
      join(c, from, p);
      if (p == to)
        break;
    }
    changed = true;
  }
  return changed;
}

/* ---- rules ----------------------------------------------------------------- */

/* What changes nothing leads nowhere; its shadow says where it is enabled. */
static bool drop_idle(counting *c)
{
  draft *d = c->draft;
  bool changed = false;
  for (uint32_t t = 0; t < d->transitions.len; t++) {
    draft_transition *x = &d->transitions.data[t];
    uint32_t i = 0;
    while (i < x->count && !petri_effect(&x->arcs[i]))
      i++;
    if (x->gone || x->shadow || i < x->count)
      continue;
    draft_drop_transition(d, t);
    changed = true;
  }
  return changed;
}

static bool apply(counting *c, shrink_rule rule, shrink_apply *how)
{
  draft *d = c->draft;
  return c->rules & 1u << rule &&
         draft_works(d, d->place_count + d->transitions.len) && how(d);
}

static void apply_rules(counting *c)
{
  for (bool changed = true; changed;) {
    changed = apply(c, SHRINK_RULE_DEAD, shrink_dead);
    changed |= apply(c, SHRINK_RULE_CONSTANT, shrink_constant);
    changed |= drop_idle(c);
    changed |= apply(c, SHRINK_RULE_IDENTICAL, shrink_identical);
    changed |= apply(c, SHRINK_RULE_EQUAL, shrink_equal);
    if (!changed)
      changed = apply(c, SHRINK_RULE_IMPLICIT, shrink_implicit);
    if (changed)
      continue;
    changed = c->rules & 1u << SHRINK_RULE_BEHIND && join_chains(c);
    changed |= c->rules & 1u << SHRINK_RULE_MOVES && join_circles(c);
  }
}

/* ---- from the draft to a net -------------------------------------------------- */

static void add_shadows(draft *d)
{
  const petri *n = d->net;
  for (uint32_t t = 0; t < n->transition_count; t++) {
    uint32_t count = n->first[t + 1] - n->first[t], kept = 0;
    petri_arc *arcs = ARENA_ARRAY(d->arena, petri_arc, count + 1);
    for (uint32_t i = 0; i < count; i++) {
      const petri_arc *x = &n->arcs[n->first[t] + i];
      if (x->take || x->below)
        arcs[kept++] = (petri_arc){x->place, x->take, x->take, x->below};
    }
    draft_add(d, arcs, kept, NULL);
    vec_last(&d->transitions).shadow = true;
  }
}

static petri_arc *renumbered(counting *c, const draft_transition *t)
{
  petri_arc *arcs = ARENA_ARRAY(c->arena, petri_arc, t->count + 1);
  for (uint32_t i = 0; i < t->count; i++) {
    arcs[i] = t->arcs[i];
    arcs[i].place = c->number[arcs[i].place];
  }
  return arcs;
}

static void make_net(counting *c)
{
  draft *d = c->draft;
  uint32_t places = 0, transitions = 0, arcs = 0, all = 0;
  int32_t *tokens = ARENA_ARRAY(c->arena, int32_t, d->place_count + 1);
  for (uint32_t p = 0; p < d->place_count; p++)
    if (!d->places[p].gone) {
      tokens[places] = d->places[p].tokens;
      c->origin[places] = p;
      c->number[p] = places++;
    }
  for (uint32_t t = 0; t < d->transitions.len; t++)
    all += d->transitions.data[t].count;
  petri_arc *list = ARENA_ARRAY(c->arena, petri_arc, all + 1);
  uint32_t *first = ARENA_ARRAY(c->arena, uint32_t, d->transitions.len + 1);
  for (uint32_t t = 0; t < d->transitions.len; t++) {
    const draft_transition *x = &d->transitions.data[t];
    if (x->gone || x->shadow)
      continue;
    const petri_arc *mine = renumbered(c, x);
    for (uint32_t i = 0; i < x->count; i++)
      list[arcs++] = mine[i];
    first[++transitions] = arcs;
  }
  c->net = petri_make(c->arena, places, tokens, transitions, list, first);
}

/* ---- views ------------------------------------------------------------------ */

static int by_arcs(const void *a, const void *b)
{
  const counting_view *x = a, *y = b;
  if (x->count != y->count)
    return x->count < y->count ? -1 : 1;
  return x->count ? memcmp(x->arcs, y->arcs, x->count * sizeof *x->arcs) : 0;
}

/* The same ones become one. */
static void gather_views(counting *c)
{
  counting_view *list = c->views.data;
  size_t kept = 0;
  if (c->views.len)
    qsort(list, c->views.len, sizeof *list, by_arcs);
  for (size_t i = 0; i < c->views.len; i++)
    if (kept && !by_arcs(&list[kept - 1], &list[i]))
      list[kept - 1].times += list[i].times;
    else
      list[kept++] = list[i];
  c->views.len = kept;
}

static bool can_be_true(const counting_view *v)
{
  for (uint32_t i = 0; i < v->count; i++)
    if (v->arcs[i].below < 0)
      return false;
  return true;
}

static void make_views(counting *c)
{
  const draft *d = c->draft;
  for (uint32_t t = 0; t < d->transitions.len; t++) {
    const draft_transition *x = &d->transitions.data[t];
    if (x->gone || !x->shadow)
      continue;
    counting_view view = {renumbered(c, x), x->count, 1};
    if (can_be_true(&view))
      arena_push(c->arena, &c->views, view);
  }
  gather_views(c);
}

/* ---- dead markings ------------------------------------------------------------ */

static int64_t divided_up(int64_t a, int64_t b)
{
  return a >= 0 ? (a + b - 1) / b : -(-a / b);
}

/* What 'at least so many tokens' of a place of the first net is in a marking of
** the smaller one where all tokens rest. */
typedef struct asked {
  bool decided, is_true;
  uint32_t place; /* of the smaller net */
  int64_t least;
} asked;

static asked ask_at_rest(const counting *c, uint32_t p, int64_t least)
{
  const draft *d = c->draft;
  while (c->fate[p] && !c->fate[p]->joined) {
    const draft_event *e = c->fate[p];
    if (e->implied || !e->count)
      return (asked){true, e->implied || e->base >= least, 0, 0};
    least = divided_up(least - e->base, e->terms[0].factor);
    p = e->terms[0].place;
  }
  if (least <= 0)
    return (asked){true, true, 0, 0};
  uint32_t in = p;
  while (c->fate[in])
    in = c->fate[in]->terms[0].place;
  if (!draft_is_single(d, in) && c->rest[in] != p)
    return (asked){true, false, 0, 0};
  return (asked){false, false, c->number[in], least};
}

/* Adds an arc's condition to those of a transition; false: it is never true. */
static bool add_condition(const counting *c, petri_arc *arcs, uint32_t *count,
                          const petri_arc *x)
{
  asked low =
      x->take ? ask_at_rest(c, x->place, x->take) : (asked){true, true, 0, 0};
  asked high = x->below ? ask_at_rest(c, x->place, x->below)
                        : (asked){true, false, 0, 0};
  if (x->below < 0 || (low.decided && !low.is_true) ||
      (high.decided && high.is_true))
    return false;
  for (int side = 0; side < 2; side++) {
    const asked *y = side ? &high : &low;
    uint32_t i = 0;
    if (y->decided)
      continue;
    while (i < *count && arcs[i].place != y->place)
      i++;
    if (i == *count)
      arcs[(*count)++] = (petri_arc){.place = y->place};
    if (!side && arcs[i].take < y->least)
      arcs[i].take = (int32_t)y->least;
    if (side && (!arcs[i].below || arcs[i].below > y->least))
      arcs[i].below = (int32_t)y->least;
  }
  return true;
}

static int by_place(const void *a, const void *b)
{
  const petri_arc *x = a, *y = b;
  return x->place < y->place ? -1 : x->place > y->place;
}

/* The shadow of t comes as many transitions later; where it is gone, t is never
** enabled. */
static void make_dead(counting *c)
{
  const petri *n = c->first;
  for (uint32_t t = 0; t < n->transition_count; t++) {
    uint32_t most = n->first[t + 1] - n->first[t], count = 0;
    petri_arc *arcs = ARENA_ARRAY(c->arena, petri_arc, most + 1);
    bool can = !c->draft->transitions.data[n->transition_count + t].gone;
    for (uint32_t i = n->first[t]; i < n->first[t + 1] && can; i++)
      can = add_condition(c, arcs, &count, &n->arcs[i]);
    qsort(arcs, count, sizeof *arcs, by_place);
    if (can)
      arena_push(c->arena, &c->dead, ((counting_view){arcs, count, 1}));
  }
  for (uint32_t p = 0; p < c->net->place_count; p++) {
    uint32_t of = c->origin[p];
    if (!draft_is_single(c->draft, of) && !c->resting[of])
      arena_push(c->arena, &c->filled, p);
  }
}

/* ---- making --------------------------------------------------------------------- */

static void do_make(void *context)
{
  counting *c = context;
  const petri *n = c->first;
  c->arena = arena_create();
  c->draft = draft_make(c->arena, n, NULL, SHRINK_COUNT);
  c->draft->limits = c->limits;
  c->resting = ARENA_ARRAY(c->arena, uint32_t, n->place_count + 1);
  c->rest = ARENA_ARRAY(c->arena, uint32_t, n->place_count + 1);
  c->number = ARENA_ARRAY(c->arena, uint32_t, n->place_count + 1);
  c->origin = ARENA_ARRAY(c->arena, uint32_t, n->place_count + 1);
  c->fate = ARENA_ARRAY(c->arena, const draft_event *, n->place_count + 1);
  add_shadows(c->draft);
  apply_rules(c);
  for (size_t i = 0; i < c->draft->events.len; i++)
    c->fate[c->draft->events.data[i].place] = &c->draft->events.data[i];
  make_net(c);
  make_views(c);
  make_dead(c);
}

static void undo_make(void *context)
{
  counting_destroy(context);
}

counting *counting_make(const petri *n, unsigned rules, limits *under)
{
  counting *c = mem_alloc(sizeof *c);
  c->first = n;
  c->rules = rules;
  c->limits = under;
  mem_protect_undo(do_make, undo_make, c);
  return c;
}

void counting_destroy(counting *c)
{
  if (!c)
    return;
  arena_destroy(c->arena);
  mem_free(c, sizeof *c);
}

const petri *counting_net(const counting *c)
{
  return c->net;
}

bool counting_is_smaller(const counting *c)
{
  return c->net->place_count < c->first->place_count ||
         c->net->transition_count < c->first->transition_count;
}

uint32_t counting_origin(const counting *c, uint32_t place)
{
  return c->origin[place];
}

uint32_t counting_leaves(const counting *c, uint32_t place)
{
  return c->draft->places[c->origin[place]].leaves;
}

uint32_t counting_uses(const counting *c, unsigned rule)
{
  return c->draft->uses[rule];
}

uint32_t counting_joined(const counting *c)
{
  return c->joined;
}

uint32_t counting_views(const counting *c, const counting_view **list)
{
  *list = c->views.data;
  return (uint32_t)c->views.len;
}

counting_dead counting_when_dead(const counting *c)
{
  return (counting_dead){c->filled.data, (uint32_t)c->filled.len, c->dead.data,
                         (uint32_t)c->dead.len};
}

/* ---- sums ------------------------------------------------------------------------ */

typedef struct summing {
  const counting *counting;
  int64_t *factors;
  int64_t base;
} summing;

/* Where tokens are spread in every way, all may be where they count most. */
static bool pass_event(summing *s, const draft_event *e)
{
  enum { GREATEST = 1 << 30 };
  int64_t mine = s->factors[e->place];
  s->factors[e->place] = 0;
  if (e->joined) {
    int64_t *to = &s->factors[e->terms[0].place];
    *to = *to > mine ? *to : mine;
    return true;
  }
  if (!mine)
    return true;
  s->base += mine * e->base;
  for (uint32_t i = 0; i < e->count; i++) {
    int64_t *to = &s->factors[e->terms[i].place];
    *to += mine * e->terms[i].factor;
    if (*to > GREATEST || *to < -GREATEST)
      return false;
  }
  return s->base < INT64_MAX / 4 && s->base > -INT64_MAX / 4;
}

bool counting_sum(const counting *c, const int64_t *factors, int64_t *out,
                  int64_t *base)
{
  size_t bytes = (c->first->place_count + 1) * sizeof *factors;
  summing s = {c, mem_alloc(bytes), 0};
  memcpy(s.factors, factors, bytes - sizeof *factors);
  bool good = true;
  for (size_t i = 0; i < c->draft->events.len && good; i++)
    good = pass_event(&s, &c->draft->events.data[i]);
  for (uint32_t p = 0; p < c->net->place_count; p++)
    out[p] = s.factors[c->origin[p]];
  *base = s.base;
  mem_free(s.factors, bytes);
  return good;
}
