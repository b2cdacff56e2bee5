/* Which acts keep the rest from being put off for ever.
**
** For infinite runs every circle of the reduced space must have a state in
** which nothing was left out.  Here that is a matter of the model alone: some
** acts are sticky, and a state whose choice would have an enabled sticky or
** visible act is expanded fully.  Every circle has one, because a circle gives
** back what it takes:
**
**   counters     processes of a role at a location, messages in a channel,
**                variables that cannot wrap around
**   an act       changes some counters for sure, upwards or downwards; others
**                it may change
**
** An act that surely lowers a counter is on a circle only together with one
** that may raise it.  So acts are taken away as long as one changes a counter
** that none of those left can change back; when there is no such act, one is
** made sticky and taken away, until none is left.  Suppose a circle has no
** sticky act, and look at the one of its acts that was taken away first: it
** changed a counter that no other act of the circle changes back, which cannot
** be.  The halves of a rendezvous are looked at singly, since what they change
** adds up.
**
** Roles come one by one, while the search is under way, and what was said of
** the acts of a role stays so: only acts of the new one are made sticky.  That
** is enough, since without them all others could be taken away before.  After
** CIRCLED_MAX roles each further one is looked at alone, by its locations: then
** every circle that it has a part in is broken by itself.
**
** That the choice depends on nothing but the state lets it be the same in both
** searches of the nested one, and for all states of an observer. */

#include "base/alloc.h"
#include "reduce/reduce_internal.h"

#include <assert.h>

enum { UP = 1, DOWN = 2 };

/* What an act does to a counter. */
typedef struct change {
  uint32_t counter;
  uint8_t surely; /* UP or DOWN; 0: not known */
  uint8_t may;    /* a set of UP, DOWN */
} change;

typedef struct candidate {
  act *act;
  uint32_t first, count; /* in 'changes' */
  bool gone;
} candidate;

typedef struct breaker {
  relations *relations;
  const number_list *roles;
  uint32_t of; /* the newest of them */
  bool alone;  /* there is one role, and locations are all that counts */
  uint32_t first_channel, channels, first_variable, counters;
  VEC(change) changes;
  VEC(candidate) list;
  /* By counter: how many acts that are left may change it upwards, and
  ** downwards. */
  VEC(uint32_t) ways[2];
  VEC(uint32_t) first_places; /* of the first location, by place in 'roles' */
} breaker;

static void add_change(breaker *b, uint32_t counter, uint8_t surely,
                       uint8_t may)
{
  vec_push(&b->changes, ((change){counter, surely, may}));
}

/* ---- locations --------------------------------------------------------- */

/* Processes that are made may have any role of their type. */
static void change_offspring(breaker *b)
{
  const relations *r = b->relations;
  for (size_t i = 0; i < r->offspring.len; i++) {
    uint32_t of = r->roles.data[r->offspring.data[i]].kind;
    for (size_t k = 0; k < b->roles->len; k++)
      if (r->roles.data[b->roles->data[k]].kind == of)
        add_change(b, b->first_places.data[k] + r->kinds[of].type->start, 0,
                   UP);
  }
}

static void change_locations(breaker *b, const act *a, uint32_t first)
{
  const edge *e = a->edge;
  const location_list *rest = &a->resting;
  bool stays = false, sure = !(a->flags & ACT_RUNS);
  for (uint32_t i = 0; i < rest->count; i++)
    stays |= rest->data[i] == e->source;
  if (!stays)
    add_change(b, first + e->source, sure ? DOWN : 0, DOWN);
  else if (rest->count > 1 || a->flags & ACT_DIES)
    add_change(b, first + e->source, 0, DOWN);
  for (uint32_t i = 0; i < rest->count; i++)
    if (rest->data[i] != e->source) {
      bool only = rest->count == 1 && !(a->flags & ACT_DIES);
      add_change(b, first + rest->data[i], sure && only ? UP : 0, UP);
    }
  if (a->flags & ACT_RUNS)
    change_offspring(b);
}

/* ---- channels ---------------------------------------------------------- */

/* Whether the act is its first edge alone, and that does what it says. */
static bool is_single(const act *a)
{
  return a->single && !(a->edge->flags & EDGE_DSTEP);
}

static void change_channels(breaker *b, const act *a)
{
  const relations *r = b->relations;
  const comm *c = a->edge->comm;
  uint32_t in = USE_SEND | USE_SORTED, out = USE_RECEIVE | USE_PICK;
  for (size_t i = 0; i < a->uses.len; i++) {
    uint32_t flags = a->uses.data[i].flags, number = a->uses.data[i].channel;
    uint32_t length = access_length(r->access, number);
    if (number >= b->channels || !slots_have(a->writes, length))
      continue;
    uint8_t may = (uint8_t)((flags & in ? UP : 0) | (flags & out ? DOWN : 0));
    if (!may || flags & USE_CREATE)
      may = UP | DOWN;
    bool sure = is_single(a) && c && a->uses.len == 1 && !c->copy &&
                r->access->channels.data[number].type->capacity &&
                may != (UP | DOWN);
    add_change(b, b->first_channel + number, sure ? may : 0, may);
  }
}

/* ---- variables --------------------------------------------------------- */

/* A value that does not fit ends the run, it never wraps around. */
static bool is_counter(const breaker *b, const var *v)
{
  return v->length == 1 && v->type.kind != TYPE_RECORD &&
         (v->type.kind == TYPE_RANGE ||
          program_checks_overflow(b->relations->program));
}

static bool is_var(const expr *e, const var *v)
{
  return e->op == OP_VAR && e->ref->var == v && !e->ref->index &&
         !e->ref->field;
}

/* The value assigned is the old one and a constant that is not 0. */
static uint8_t direction_of(const effect *f)
{
  const expr *e = f->value;
  if ((e->op != OP_ADD && e->op != OP_SUB) ||
      !is_var(e->args[0], f->target->var) || e->args[1]->op != OP_CONST ||
      !e->args[1]->value)
    return 0;
  return (e->op == OP_ADD) == (e->args[1]->value > 0) ? UP : DOWN;
}

/* How the edge changes the variable, when it assigns to it once. */
static uint8_t find_direction(const edge *e, const var *v)
{
  uint8_t found = 0;
  uint32_t assignments = 0;
  for (size_t i = 0; i < e->effects.len; i++) {
    const effect *f = e->effects.data[i];
    if (f->kind != EFFECT_ASSIGN || f->target->var != v)
      continue;
    assignments++;
    found = direction_of(f);
  }
  return assignments == 1 && !e->comm ? found : 0;
}

static void change_variables(breaker *b, const act *a)
{
  const relations *r = b->relations;
  for (uint32_t i = 0; i < a->write_list.count; i++) {
    slot_info s = access_slot(r->access, a->write_list.data[i]);
    if (s.kind != SLOT_VARIABLE || s.var->owner || s.var->is_field ||
        !is_counter(b, s.var))
      continue;
    uint8_t way = is_single(a) ? find_direction(a->edge, s.var) : 0;
    add_change(b, b->first_variable + s.var->index, way, way ? way : UP | DOWN);
  }
}

/* ---- taking away ------------------------------------------------------- */

/* High: is hardly ever part of a small choice. */
static uint32_t score_of(const relations *r, const act *a)
{
  uint32_t score = 0;
  for (uint32_t i = 0; i < a->all_list.count; i++) {
    slot_info s = access_slot(r->access, a->all_list.data[i]);
    if (!s.process)
      score += s.kind == SLOT_VARIABLE ? 4 : 1;
  }
  return score;
}

static void count_ways(breaker *b, const candidate *c, uint32_t by)
{
  for (uint32_t i = 0; i < c->count; i++) {
    const change *x = &b->changes.data[c->first + i];
    b->ways[0].data[x->counter] += x->may & UP ? by : 0;
    b->ways[1].data[x->counter] += x->may & DOWN ? by : 0;
  }
}

static bool is_on_no_circle(const breaker *b, const candidate *c)
{
  for (uint32_t i = 0; i < c->count; i++) {
    const change *x = &b->changes.data[c->first + i];
    if ((x->surely == UP && !b->ways[1].data[x->counter]) ||
        (x->surely == DOWN && !b->ways[0].data[x->counter]))
      return true;
  }
  return false;
}

static void take_away(breaker *b, candidate *c)
{
  c->gone = true;
  count_ways(b, c, UINT32_MAX); /* that is, -1 */
}

static void take_harmless(breaker *b)
{
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < b->list.len; i++) {
      candidate *c = &b->list.data[i];
      if (c->gone || !is_on_no_circle(b, c))
        continue;
      take_away(b, c);
      again = true;
    }
  }
}

static candidate *best_left(breaker *b, uint32_t of)
{
  candidate *best = NULL;
  uint32_t most = 0;
  for (size_t i = 0; i < b->list.len; i++) {
    candidate *c = &b->list.data[i];
    if (c->gone || c->act->role != of)
      continue;
    uint32_t score = score_of(b->relations, c->act);
    if (best && score <= most)
      continue;
    best = c;
    most = score;
  }
  return best;
}

static void number_counters(breaker *b)
{
  const relations *r = b->relations;
  for (size_t i = 0; i < b->roles->len; i++) {
    const role *o = &r->roles.data[b->roles->data[i]];
    vec_push(&b->first_places, b->counters);
    b->counters += (uint32_t)r->kinds[o->kind].type->locations.len;
  }
  b->first_channel = b->counters;
  b->channels = access_first_channels(r->access);
  b->counters += b->channels;
  b->first_variable = b->counters;
  b->counters += (uint32_t)r->model->globals.len;
  for (int i = 0; i < 2; i++)
    vec_resize(&b->ways[i], b->counters + 1);
}

/* Acts that are visible or wild are never chosen, unless all are. */
static void add_candidates(breaker *b)
{
  const relations *r = b->relations;
  for (size_t i = 0; i < b->roles->len; i++) {
    const role *o = &r->roles.data[b->roles->data[i]];
    for (uint32_t k = 0; k < r->kinds[o->kind].count; k++) {
      act *a = r->acts.data[o->first + k];
      candidate c = {.act = a, .first = (uint32_t)b->changes.len};
      if (a->flags & (ACT_VISIBLE | ACT_WILD | ACT_STICKY))
        continue;
      change_locations(b, a, b->first_places.data[i]);
      if (!b->alone) {
        change_channels(b, a);
        change_variables(b, a);
      }
      c.count = (uint32_t)b->changes.len - c.first;
      vec_push(&b->list, c);
      count_ways(b, &c, 1);
    }
  }
}

static void break_circles(breaker *b, uint32_t of)
{
  number_counters(b);
  add_candidates(b);
  for (;;) {
    take_harmless(b);
    candidate *c = best_left(b, of);
    if (!c)
      break;
    c->act->flags |= ACT_STICKY;
    take_away(b, c);
  }
  for (size_t i = 0; i < b->list.len; i++)
    assert(b->list.data[i].gone);
}

static void do_break(void *work)
{
  breaker *b = work;
  break_circles(b, b->of);
}

static void tidy_breaker(void *work)
{
  breaker *b = work;
  vec_free(&b->changes);
  vec_free(&b->list);
  vec_free(&b->first_places);
  for (int i = 0; i < 2; i++)
    vec_free(&b->ways[i]);
}

void reduce_break_circles(relations *r, uint32_t of)
{
  number_list single = {&of, 1, 1};
  breaker b = {.relations = r, .roles = &r->circled, .of = of};
  if (!r->liveness || r->roles.data[of].broken)
    return;
  r->roles.data[of].broken = true;
  b.alone = r->circled.len == CIRCLED_MAX;
  if (b.alone)
    b.roles = &single;
  else
    vec_push(&r->circled, of);
  mem_protect_tidy(do_break, tidy_breaker, &b);
}
