/* Makes goals of questions: markings that decide them. */

#include "verify/nets/front_internal.h"

#include "verify/ctl_check.h"

/* ---- goals -------------------------------------------------------------- */

static void add_item(front *f, question *q, const claim *c, verdict if_reached,
                     bool shown)
{
  front_item *it = &f->items[f->count];
  *it = (front_item){.question = q,
                     .claim = c,
                     .if_reached = if_reached,
                     .found = VERDICT_UNKNOWN,
                     .shown = shown,
                     .goal = f->count,
                     .both = if_reached != VERDICT_UNKNOWN};
  f->count++;
}

/* A place of the file, with all its values, has two tokens or more. */
static const claim *any_place_above_one(front *f, const pnml_net *net)
{
  uint32_t count = net->place_group_count;
  const claim **parts = ARENA_ARRAY(f->arena, const claim *, count + 1);
  for (uint32_t g = 0; g < count; g++) {
    const pnml_group *x = &net->place_groups[g];
    claim_term *terms = ARENA_ARRAY(f->arena, claim_term, x->count + 1);
    for (uint32_t i = 0; i < x->count; i++)
      terms[i] = (claim_term){x->first + i, -1};
    parts[g] = claim_sum(f->arena, terms, x->count, -2);
  }
  return claim_join(f->arena, CLAIM_OR, parts, count);
}

/* The sum of the places of a bound is the greatest number that the equation
** allows, or more; false: it allows any. */
static bool bound_claim(front *f, const pnml_formula *b, front_item *it)
{
  claim_term *terms = ARENA_ARRAY(f->arena, claim_term, b->place_count + 1);
  for (uint32_t i = 0; i < b->place_count; i++)
    terms[i] = (claim_term){b->places[i], 1};
  if (!f->equation ||
      !equation_most(f->equation, terms, b->place_count, &it->value))
    return false;
  for (uint32_t i = 0; i < b->place_count; i++)
    terms[i].factor = -1;
  it->claim = claim_sum(f->arena, terms, b->place_count, -it->value);
  return true;
}

static void add_examination(verification *v, question *q)
{
  front *f = v->net->front;
  switch (v->net->asks) {
  case ASK_ONE_SAFE:
    add_item(f, q, any_place_above_one(f, v->net->net), VERDICT_VIOLATED,
             false);
    break;
  case ASK_LIVE:
    if (!v->net->net->transition_group_count)
      break;
    add_item(f, q, NULL, VERDICT_VIOLATED, false);
    f->items[f->count - 1].both = false;
    break;
  case ASK_QUASI_LIVE:
  case ASK_STABLE:
    f->everywhere = v->net->asks == ASK_QUASI_LIVE || !v->net->net->coloured;
    add_item(f, q, claim_const(f->arena, false), VERDICT_UNKNOWN, false);
    break;
  case ASK_NOTHING:
  case ASK_TOKENS:
  case ASK_DEADLOCK:
  case ASK_FORMULAS:
    break;
  }
}

static void add_formula(front *f, question *q, const temporal *t)
{
  if (!t)
    return;
  add_item(f, q, claim_const(f->arena, false), VERDICT_UNKNOWN, false);
  f->items[f->count - 1].temporal = t;
}

static void add_question(verification *v, question *q)
{
  front *f = v->net->front;
  bool reach = q->kind == PROPERTY_REACH;
  const claim *c;
  if (f->late && q->kind != PROPERTY_CTL)
    return;
  switch (q->kind) {
  case PROPERTY_REACH:
  case PROPERTY_INVARIANT:
    c = claim_of_expr(f->arena, &f->map, q->property->expr, !reach);
    if (c)
      add_item(f, q, c, reach ? VERDICT_HOLDS : VERDICT_VIOLATED, true);
    break;
  case PROPERTY_END_STATES:
    add_item(f, q, NULL, VERDICT_VIOLATED, true);
    break;
  case PROPERTY_EXAMINATION:
    add_examination(v, q);
    break;
  case PROPERTY_UPPER_BOUND:
    add_item(f, q, claim_const(f->arena, false), VERDICT_HOLDS, false);
    f->items[f->count - 1].both = false; /* it does not say what is reached */
    break;
  case PROPERTY_LTL:
    add_formula(f, q, temporal_of_ltl(f->arena, &f->map, q->property->ltl));
    break;
  case PROPERTY_CTL:
    if (!ctl_is_fair(v))
      add_formula(f, q, temporal_of_ctl(f->arena, &f->map, q->property->ctl));
    break;
  case PROPERTY_ASSERTIONS:
  case PROPERTY_BOUNDS:
  case PROPERTY_NEVER:
  case PROPERTY_ACCEPTANCE:
  case PROPERTY_NON_PROGRESS:
  case PROPERTY_CODING:
  case PROPERTY_TEMPORAL:
  case PROPERTY_KINDS_:
    break;
  }
}

static void set_bounds(verification *v)
{
  front *f = v->net->front;
  for (uint32_t i = 0; i < f->count; i++)
    for (uint32_t k = 0; k < v->net->formulas.count; k++)
      if (v->net->questions[k] == f->items[i].question &&
          v->net->formulas.list[k].kind == FORMULA_BOUND)
        f->items[i].has_value =
            bound_claim(f, &v->net->formulas.list[k], &f->items[i]);
}

/* No walk finds what is never true. */
static bool is_constant(const claim *c)
{
  return c && c->op == CLAIM_FALSE;
}

/* The greatest sum of some places that the equation allows; -1: any. */
static int64_t most_of(front *f, uint32_t first, uint32_t count)
{
  int64_t most;
  claim_term *terms = ARENA_ARRAY(f->arena, claim_term, count + 1);
  for (uint32_t i = 0; i < count; i++)
    terms[i] = (claim_term){first + i, 1};
  return f->equation && equation_most(f->equation, terms, count, &most) ? most
                                                                        : -1;
}

static const claim *sum_at_least(front *f, uint32_t first, uint32_t count,
                                 int64_t least)
{
  claim_term *terms = ARENA_ARRAY(f->arena, claim_term, count + 1);
  for (uint32_t i = 0; i < count; i++)
    terms[i] = (claim_term){first + i, -1};
  return claim_sum(f->arena, terms, count, -least);
}

/* A marking with the most tokens in all, and one with the most in a place. */
static void add_token_goals(front *f, const pnml_net *net, const claim **list,
                            uint32_t *count)
{
  uint32_t groups = net->place_group_count;
  const claim **parts = ARENA_ARRAY(f->arena, const claim *, groups + 1);
  f->most_in_all = most_of(f, 0, net->place_count);
  f->most_in_place = 0;
  for (uint32_t g = 0; g < groups && f->most_in_place >= 0; g++) {
    const pnml_group *x = &net->place_groups[g];
    int64_t most = most_of(f, x->first, x->count);
    if (most < 0 || most > f->most_in_place)
      f->most_in_place = most;
  }
  for (uint32_t g = 0; g < groups; g++)
    parts[g] = sum_at_least(f, net->place_groups[g].first,
                            net->place_groups[g].count, f->most_in_place);
  list[(*count)++] = f->most_in_place < 0
                         ? claim_const(f->arena, false)
                         : claim_join(f->arena, CLAIM_OR, parts, groups);
  list[(*count)++] = f->most_in_all < 0
                         ? claim_const(f->arena, false)
                         : sum_at_least(f, 0, net->place_count, f->most_in_all);
}

/* The place has more tokens than at the start, or fewer. */
static const claim *changes(front *f, const pnml_group *g)
{
  claim_term *terms = ARENA_ARRAY(f->arena, claim_term, g->count + 1);
  int64_t sum = 0;
  for (uint32_t i = 0; i < g->count; i++) {
    terms[i] = (claim_term){g->first + i, 1};
    sum += f->net->tokens[g->first + i];
  }
  const claim *parts[] = {claim_sum(f->arena, terms, g->count, sum - 1),
                          sum_at_least(f, g->first, g->count, sum + 1)};
  return claim_join(f->arena, CLAIM_OR, parts, 2);
}

static void add_stable_goals(front *f, const pnml_net *net, const claim **list,
                             uint32_t *count)
{
  f->first_stable = f->count + *count;
  f->stable_count = net->place_group_count;
  for (uint32_t g = 0; g < net->place_group_count; g++)
    list[(*count)++] = changes(f, &net->place_groups[g]);
}

/* One for each item, those that formulas ask for, and those of tokens. */
static void make_goals(verification *v, bool tokens)
{
  front *f = v->net->front;
  const pnml_net *net = v->net->net;
  bool stable = f->count && v->net->asks == ASK_STABLE && net->coloured;
  uint32_t most = f->count + 2 + net->place_group_count, extra = 0;
  for (uint32_t i = 0; i < f->count; i++)
    most += f->items[i].temporal ? temporal_size(f->items[i].temporal) : 0;
  const claim **list = ARENA_ARRAY(f->arena, const claim *, most + 1);
  for (uint32_t i = 0; i < f->count; i++)
    if (f->items[i].temporal)
      f->items[i].temporal =
          temporal_goals(f->arena, f->items[i].temporal, list, &extra);
  if (stable)
    add_stable_goals(f, net, list, &extra);
  f->most_in_place = f->most_in_all = -1;
  if (tokens)
    add_token_goals(f, net, list, &extra);
  f->goals = ARENA_ARRAY(f->arena, walk_goal, f->count + extra + 1);
  f->states = ARENA_ARRAY(f->arena, goal_state, extra + 1);
  f->goal_count = f->count + extra;
  for (uint32_t i = 0; i < f->goal_count; i++) {
    const claim *c = i < f->count ? f->items[i].claim : list[i - f->count];
    f->goals[i] = (walk_goal){.claim = c, .done = is_constant(c)};
  }
}

void front_begin(verification *v, bool count)
{
  front *f = v->net->front;
  f->arena = arena_create();
  f->net = petri_of_pnml(f->arena, v->net->net);
  f->map = place_map_of(f->arena, v->model->model, v->net->net);
  size_t room = v->questions.list.len + 1;
  f->items = ARENA_ARRAY(f->arena, front_item, room);

  if (front_proves(f))
    f->equation =
        equation_create(f->net, v->limits, f->steps & 1u << FRONT_EQUATION);
  for (size_t i = 0; i < v->questions.list.len; i++)
    if (v->questions.list.data[i]->selected && !count)
      add_question(v, v->questions.list.data[i]);
  set_bounds(v);
  make_goals(v, count || front_is_counted(v));
}
