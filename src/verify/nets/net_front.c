#include "verify/nets/net_front.h"

#include "base/nearest.h"
#include "net/firing.h"
#include "net/of_formulas.h"
#include "net/state_equation.h"
#include "net/walk.h"
#include "verify/ctl_check.h"
#include "verify/nets/examination_internal.h"
#include <stdlib.h>
#include <string.h>

/* A question with the marking that decides it. */
typedef struct front_item {
  question *question;
  const claim *claim; /* the goal of the same number; NULL: a dead marking */
  verdict if_reached; /* the other one if it cannot be */
  verdict found;      /* VERDICT_UNKNOWN: not decided */
  answer_method method;
  bool has_value;
  int64_t value; /* PROPERTY_UPPER_BOUND: the bound that is looked for */
  bool shown;    /* the path is told as a run */
  const temporal *temporal; /* of linear or branching time; or NULL */
} front_item;

struct front {
  arena *arena;
  petri *net;
  place_map map;
  uint32_t steps; /* bits of front_step */
  bool asked;
  front_item *items;
  walk_goal *goals; /* one for each item, then those of formulas */
  uint32_t count, goal_count;
  goal_state *states; /* of the latter, by number among them */
  /* The last goals: the most tokens in a place and in a marking that the
  ** equation allows; with the numbers, or -1. */
  int64_t most_in_place, most_in_all;
  equation *equation;
  bool proved;        /* the equation has been asked, and would say the same */
  bool everywhere;    /* each transition and place is to be seen */
  uint32_t unbounded; /* a place, or UINT32_MAX */
  walk *walk;         /* at work */
  worker *worker;
};

/* ---- the option --------------------------------------------------------- */

static const char *const step_names[] = {
#define STEP(name, text, meaning) text,
    FRONT_STEPS(STEP)
#undef STEP
};

static bool add_step(verification *v, front *f, const char *word, size_t length)
{
  char name[32] = {0};
  memcpy(name, word, length < sizeof name ? length : sizeof name - 1);
  for (uint32_t i = 0; i < FRONT_STEPS_; i++)
    if (!strcmp(name, step_names[i])) {
      f->steps |= 1u << i;
      return true;
    }
  const char *near = nearest_word(name, step_names, FRONT_STEPS_);
  text_printf(&v->messages, "--net-steps: there is no step '%s'\n", name);
  if (near)
    text_printf(&v->messages, "the nearest one is '%s'\n", near);
  return false;
}

bool front_prepare(verification *v, const nut_options *o)
{
  front *f = v->net->front = mem_alloc(sizeof *f);
  const char *at = o->net_steps;
  f->unbounded = UINT32_MAX;
  f->steps = (1u << FRONT_STEPS_) - 1;
  if (!at || !strcmp(at, "all"))
    return true;
  f->steps = 0;
  f->asked = true;
  if (!strcmp(at, "none"))
    return true;
  for (; *at; at += *at == ',') {
    size_t length = strcspn(at, ",");
    if (!add_step(v, f, at, length))
      return false;
    at += length;
  }
  return true;
}

bool front_is_asked(const verification *v)
{
  return v->net && v->net->front && v->net->front->asked &&
         v->net->front->steps;
}

void front_free(verification *v)
{
  front *f = v->net ? v->net->front : NULL;
  if (!f)
    return;
  walk_destroy(f->walk);
  walk_goals_free(f->goals, f->goals ? f->goal_count : 0);
  equation_destroy(f->equation);
  worker_destroy(f->worker);
  arena_destroy(f->arena);
  mem_free(f, sizeof *f);
  v->net->front = NULL;
}

/* ---- goals -------------------------------------------------------------- */

static void add_item(front *f, question *q, const claim *c, verdict if_reached,
                     bool shown)
{
  f->items[f->count++] = (front_item){.question = q,
                                      .claim = c,
                                      .if_reached = if_reached,
                                      .found = VERDICT_UNKNOWN,
                                      .shown = shown};
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
    if (v->net->net->transition_group_count)
      add_item(f, q, NULL, VERDICT_VIOLATED, false);
    break;
  case ASK_QUASI_LIVE:
  case ASK_STABLE:
    f->everywhere = true;
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

/* Whether nothing but the number of markings counts. */
static bool is_counted(const verification *v)
{
  return v->net->examined && v->net->asks == ASK_TOKENS;
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

/* One for each item, those that formulas ask for, and those of tokens. */
static void make_goals(front *f, const pnml_net *net, bool tokens)
{
  uint32_t most = f->count + 2, extra = 0;
  for (uint32_t i = 0; i < f->count; i++)
    most += f->items[i].temporal ? temporal_size(f->items[i].temporal) : 0;
  const claim **list = ARENA_ARRAY(f->arena, const claim *, most + 1);
  for (uint32_t i = 0; i < f->count; i++)
    if (f->items[i].temporal)
      f->items[i].temporal =
          temporal_goals(f->arena, f->items[i].temporal, list, &extra);
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

static void begin(verification *v, bool count)
{
  front *f = v->net->front;
  f->arena = arena_create();
  f->net = petri_of_pnml(f->arena, v->net->net);
  f->map = place_map_of(f->arena, v->model->model, v->net->net);
  size_t room = v->questions.list.len + 1;
  f->items = ARENA_ARRAY(f->arena, front_item, room);

  if (f->steps & 1u << FRONT_EQUATION)
    f->equation = equation_create(f->net, v->limits);
  for (size_t i = 0; i < v->questions.list.len; i++)
    if (v->questions.list.data[i]->selected && !count)
      add_question(v, v->questions.list.data[i]);
  set_bounds(v);
  make_goals(f, v->net->net, count || is_counted(v));
}

/* ---- deciding ----------------------------------------------------------- */

static void decide(front *f, uint32_t i, verdict found, answer_method method)
{
  front_item *it = &f->items[i];
  if (it->found != VERDICT_UNKNOWN)
    return;
  it->found = found;
  it->method = method;
  it->question->selected = false;
  f->goals[i].done = true;
}

static verdict other(verdict v)
{
  return v == VERDICT_HOLDS ? VERDICT_VIOLATED : VERDICT_HOLDS;
}

static bool is_open(const front *f, uint32_t i)
{
  return f->items[i].found == VERDICT_UNKNOWN;
}

static ask_kind asked_of(const verification *v, uint32_t i)
{
  const question *q = v->net->front->items[i].question;
  return q->kind == PROPERTY_EXAMINATION ? v->net->asks : ASK_NOTHING;
}

/* Whether one of a group was seen: a transition enabled, a place changing. */
static bool saw_group(const front *f, const pnml_group *g,
                      bool (*saw)(const walk *, uint32_t))
{
  for (uint32_t i = 0; f->walk && i < g->count; i++)
    if (saw(f->walk, g->first + i))
      return true;
  return false;
}

static bool saw_all(const front *f, const pnml_group *groups, uint32_t count,
                    bool (*saw)(const walk *, uint32_t))
{
  for (uint32_t g = 0; g < count; g++)
    if (!saw_group(f, &groups[g], saw))
      return false;
  return true;
}

/* What the goals of formulas say, and what is true or false whatever they do. */
static void judge_formulas(verification *v)
{
  front *f = v->net->front;
  int32_t *scratch = ARENA_ARRAY(f->arena, int32_t, f->net->place_count + 1);
  for (uint32_t i = f->count; i < f->goal_count; i++)
    if (f->goals[i].reached)
      f->states[i - f->count] = GOAL_REACHED;
  for (uint32_t i = 0; i < f->count; i++) {
    front_item *it = &f->items[i];
    if (!it->temporal || !is_open(f, i))
      continue;
    temporal_facts known = {.net = f->net,
                            .arena = f->arena,
                            .known = f->equation ? equation_knows : NULL,
                            .context = f->equation,
                            .goals = f->states,
                            .scratch = scratch,
                            .stays = it->question->kind == PROPERTY_LTL};
    unsigned facts = temporal_facts_of(&known, it->temporal);
    if (facts & (FACT_ALL_TRUE | FACT_ALL_FALSE))
      decide(f, i, facts & FACT_ALL_TRUE ? VERDICT_HOLDS : VERDICT_VIOLATED,
             f->equation ? METHOD_EQUATION : METHOD_WALK);
  }
}

static void judge_walk(verification *v)
{
  front *f = v->net->front;
  const pnml_net *net = v->net->net;
  for (uint32_t i = 0; i < f->count; i++) {
    ask_kind asks = asked_of(v, i);
    if (asks == ASK_QUASI_LIVE &&
        saw_all(f, net->transition_groups, net->transition_group_count,
                walk_saw_enabled))
      decide(f, i, VERDICT_HOLDS, METHOD_WALK);
    if (asks == ASK_STABLE &&
        saw_all(f, net->place_groups, net->place_group_count, walk_saw_change))
      decide(f, i, VERDICT_VIOLATED, METHOD_WALK);
    if (f->goals[i].reached)
      decide(f, i, f->items[i].if_reached, METHOD_WALK);
  }
  if (walk_unbounded(f->walk) != UINT32_MAX)
    f->unbounded = walk_unbounded(f->walk);
}

/* Whether a walk could find out more. */
static bool is_worth_walking(const verification *v)
{
  const front *f = v->net->front;
  if (!(f->steps & 1u << FRONT_WALKS))
    return false;
  for (uint32_t i = 0; i < f->goal_count; i++)
    if (!f->goals[i].done || (f->everywhere && i < f->count && is_open(f, i)))
      return true;
  return !f->count && f->unbounded == UINT32_MAX; /* has it an end? */
}

/* What was seen on earlier walks is seen on these again, or not: goals remember
** it, and so does the walk for transitions and places. */
static void take_walks(verification *v, uint64_t steps, uint64_t guided)
{
  front *f = v->net->front;
  if (!is_worth_walking(v))
    return;
  bool polled = limits_set_polled(v->limits, true);
  if (!f->walk)
    f->walk = walk_create(f->net, f->goals, f->goal_count, 1);
  bool goes_on = walk_run(f->walk, steps, f->everywhere, v->limits);
  for (uint32_t i = 0; i < f->goal_count && goes_on; i++)
    goes_on = walk_towards(f->walk, i, guided, v->limits);
  judge_walk(v);
  limits_set_polled(v->limits, polled);
}

/* ---- proving ------------------------------------------------------------ */

static bool refuted(front *f, const claim *c)
{
  enum { PROGRAMS = 400 };
  c = claim_simplify(f->arena, c, equation_knows, f->equation);
  return c->op == CLAIM_FALSE || equation_refutes(f->equation, c, PROGRAMS);
}

/* A transition that never fires makes a net neither live nor quasi-live. */
static bool some_transition_is_dead(const verification *v)
{
  front *f = v->net->front;
  const pnml_net *net = v->net->net;
  for (uint32_t g = 0; g < net->transition_group_count; g++) {
    const pnml_group *x = &net->transition_groups[g];
    if (saw_group(f, x, walk_saw_enabled))
      continue;
    const claim **parts = ARENA_ARRAY(f->arena, const claim *, x->count + 1);
    for (uint32_t i = 0; i < x->count; i++)
      parts[i] = claim_fireable(f->arena, f->net, x->first + i);
    if (limits_reached(v->limits))
      return false;
    if (refuted(f, claim_join(f->arena, CLAIM_OR, parts, x->count)))
      return true;
  }
  return false;
}

static bool never_changes(front *f, uint32_t p)
{
  claim_term less = {p, 1}, more = {p, -1};
  int32_t tokens = f->net->tokens[p];
  return refuted(f, claim_sum(f->arena, &less, 1, (int64_t)tokens - 1)) &&
         refuted(f, claim_sum(f->arena, &more, 1, -(int64_t)tokens - 1));
}

static bool group_never_changes(front *f, const pnml_group *g)
{
  for (uint32_t i = 0; i < g->count; i++)
    if (!never_changes(f, g->first + i))
      return false;
  return true;
}

static bool some_place_is_stable(const verification *v)
{
  front *f = v->net->front;
  const pnml_net *net = v->net->net;
  for (uint32_t g = 0; g < net->place_group_count; g++)
    if (!saw_group(f, &net->place_groups[g], walk_saw_change) &&
        !limits_reached(v->limits) &&
        group_never_changes(f, &net->place_groups[g]))
      return true;
  return false;
}

static void prove(verification *v, uint32_t i)
{
  front *f = v->net->front;
  front_item *it = &f->items[i];
  const claim *c = it->claim ? it->claim : claim_dead(f->arena, f->net);
  switch (asked_of(v, i)) {
  case ASK_LIVE:
    if (some_transition_is_dead(v))
      decide(f, i, VERDICT_VIOLATED, METHOD_EQUATION);
    return;
  case ASK_QUASI_LIVE:
    if (some_transition_is_dead(v))
      decide(f, i, VERDICT_VIOLATED, METHOD_EQUATION);
    return;
  case ASK_STABLE:
    if (some_place_is_stable(v))
      decide(f, i, VERDICT_HOLDS, METHOD_EQUATION);
    return;
  case ASK_NOTHING:
  case ASK_TOKENS:
  case ASK_DEADLOCK:
  case ASK_FORMULAS:
  case ASK_ONE_SAFE:
    break;
  }
  if (it->question->kind != PROPERTY_UPPER_BOUND && !it->temporal &&
      refuted(f, c))
    decide(f, i, other(it->if_reached), METHOD_EQUATION);
}

/* Goals of formulas. */
static void prove_goals(verification *v)
{
  front *f = v->net->front;
  for (uint32_t i = f->count; f->equation && !f->proved && i < f->goal_count;
       i++)
    if (!f->goals[i].done && !limits_reached(v->limits) &&
        refuted(f, f->goals[i].claim)) {
      f->goals[i].done = true;
      f->states[i - f->count] = GOAL_REFUTED;
    }
}

/* ---- a round ------------------------------------------------------------ */

static bool is_left(const verification *v)
{
  for (size_t i = 0; i < v->questions.list.len; i++) {
    const question *q = v->questions.list.data[i];
    if (q->selected && q->kind != PROPERTY_ASSERTIONS &&
        q->kind != PROPERTY_BOUNDS)
      return true;
  }
  return false;
}

/* The program must have room for what the walks have seen. */
static void make_room(verification *v)
{
  front *f = v->net->front;
  int32_t *most = ARENA_ARRAY(f->arena, int32_t, f->net->place_count + 1);
  bool grown = false;
  for (uint32_t i = 0; i < f->count; i++)
    if (f->goals[i].reached && f->items[i].shown)
      firing_most(f->net, f->goals[i].path.data, f->goals[i].path.len, most);
  for (uint32_t p = 0; p < f->net->place_count; p++) {
    const pnml_place *place = &v->net->net->places[p];
    while (v->net->types[place->var->index].hi < most[p] &&
           pnml_widen(v->model->model, place, v->net->types))
      grown = true;
  }
  if (grown)
    examination_make_program(v);
}

/* A run that goes in circles is made shorter, once. */
static void shorten(front *f)
{
  for (uint32_t i = 0; i < f->count; i++)
    if (f->goals[i].reached && f->items[i].shown)
      f->goals[i].path.len =
          firing_shorten(f->arena, f->net, f->goals[i].claim,
                         f->goals[i].path.data, f->goals[i].path.len);
}

/* A few steps find what is easy to find; then proofs, which are cheap, settle
** most of what cannot be found; then walks go on. */
bool front_run(verification *v, bool count, uint64_t times)
{
  enum { FEW_STEPS = 1 << 15, STEPS = 1 << 18, GUIDED_STEPS = 1 << 12 };
  front *f = v->net->front;
  if (!f->steps)
    return false;
  if (!f->arena)
    begin(v, count);
  take_walks(v, FEW_STEPS, 0);
  for (uint32_t i = 0; f->equation && !f->proved && i < f->count; i++)
    if (is_open(f, i) && !limits_reached(v->limits))
      prove(v, i);
  prove_goals(v);
  judge_formulas(v);
  f->proved = true;
  take_walks(v, times * STEPS, times * GUIDED_STEPS);
  judge_formulas(v);
  shorten(f);
  make_room(v);
  if (!front_is_unbounded(v))
    return !count && !is_counted(v) && !is_left(v);
  examination_is_unbounded(v, v->net->net->places[f->unbounded].id);
  return count || is_counted(v) || !is_left(v);
}

bool front_answers_trees(verification *v)
{
  if (!v->net || !v->net->front || v->net->front->arena)
    return false;
  front_run(v, false, 1);
  return !questions_ask(&v->questions, ABOUT_TREES);
}

bool front_is_unbounded(const verification *v)
{
  return v->net && v->net->front && v->net->front->unbounded != UINT32_MAX;
}

/* ---- telling ------------------------------------------------------------ */

bool front_decides(const verification *v, const question *q)
{
  const front *f = v->net ? v->net->front : NULL;
  for (uint32_t i = 0; f && i < f->count; i++)
    if (f->items[i].question == q)
      return f->items[i].found != VERDICT_UNKNOWN;
  return false;
}

/* The edge of each transition. */
static uint32_t *edges_of(verification *v, arena *a)
{
  const model *m = v->model->model;
  uint32_t *edges = ARENA_ARRAY(a, uint32_t, v->net->net->transition_count + 1);
  for (size_t i = 0; i < m->edges.len; i++) {
    const pnml_node *n = pnml_find(v->net->net, m->edges.data[i]->text);
    if (n && n->kind == PNML_TRANSITION)
      edges[n->index] = (uint32_t)i;
  }
  return edges;
}

static trace_claim claim_of(const question *q)
{
  const expr *e = q->property ? q->property->expr : NULL;
  trace_end end = q->kind == PROPERTY_REACH        ? TRACE_WITNESS
                  : q->kind == PROPERTY_END_STATES ? TRACE_INVALID_END
                                                   : TRACE_INVARIANT;
  return (trace_claim){.end = end, .expr = e};
}

/* Whether the program, too, sees at the end what the walk has seen. */
static bool ends_as_claimed(front *f, trace *t, const trace_claim *wanted)
{
  uint32_t length;
  if (wanted->end == TRACE_INVALID_END)
    return t->end == TRACE_INVALID_END;
  const uint8_t *state = trace_state(t, t->steps.len - 1, &length);
  if (!trace_claim_holds(f->worker, wanted, state, length))
    return false;
  t->end = wanted->end;
  t->expr = wanted->expr;
  return true;
}

/* The path as a run of the program; false: the program cannot follow it. */
static bool tell(verification *v, uint32_t i, const uint32_t *edges, answer *a)
{
  front *f = v->net->front;
  size_t length = f->goals[i].path.len, followed = 0;
  choice *choices = ARENA_ARRAY(f->arena, choice, length + 1);
  trace_claim wanted = claim_of(a->question);
  for (size_t k = 0; k < length; k++)
    choices[k] = (choice){0, edges[f->goals[i].path.data[k]]};
  if (!f->worker)
    f->worker = worker_create(v->program);
  a->trace = trail_replay(f->worker, v->program, CHOICE_EDGES, choices, length,
                          &followed);
  if (!a->trace || followed != length || !ends_as_claimed(f, a->trace, &wanted))
    return false;
  return trace_verify(f->worker, v->program, a->trace) == TRACE_MADE;
}

static void add_front_answer(verification *v, uint32_t i, const uint32_t *edges)
{
  front *f = v->net->front;
  const front_item *it = &f->items[i];
  answer *a = outcome_add(&v->outcome, it->question);
  a->verdict = it->found;
  a->method = it->method;
  a->has_value = it->has_value;
  a->value = (uint64_t)it->value;
  if (!f->goals[i].reached || !it->shown)
    return;
  a->errors = 1;
  if (tell(v, i, edges, a))
    return;
  trace_destroy(a->trace);
  a->trace = NULL;
  a->verdict = VERDICT_UNKNOWN;
  a->reason = REASON_REPLAY;
}

/* Rows that no engine had to fill, because there is nothing to find out. */
static void add_rows_by_definition(verification *v)
{
  for (size_t i = 0; i < v->questions.list.len; i++) {
    const question *q = v->questions.list.data[i];
    bool has = false;
    if (!q->selected ||
        (q->kind != PROPERTY_ASSERTIONS && q->kind != PROPERTY_BOUNDS))
      continue;
    for (size_t k = 0; k < v->outcome.answers.len; k++)
      has |= v->outcome.answers.data[k].question == q;
    if (!has)
      outcome_add(&v->outcome, q)->verdict = VERDICT_HOLDS;
  }
}

static size_t rank_of(const questions *all, const question *q)
{
  size_t i = 0;
  while (i < all->list.len && all->list.data[i] != q)
    i++;
  return i;
}

/* By insertion: engines give their answers in the order of the questions. */
static void sort_answers(verification *v)
{
  answer *list = v->outcome.answers.data;
  for (size_t i = 1; i < v->outcome.answers.len; i++)
    for (size_t k = i;
         k > 0 && rank_of(&v->questions, list[k].question) <
                      rank_of(&v->questions, list[k - 1].question);
         k--) {
      answer swapped = list[k];
      list[k] = list[k - 1];
      list[k - 1] = swapped;
    }
}

/* Of a net that could not be counted, the most tokens may be known. */
static void tell_tokens(verification *v)
{
  front *f = v->net->front;
  net_figures *known = &v->net->figures;
  const walk_goal *last = f->goals + f->goal_count;
  if (v->outcome.complete || known->unbounded)
    return;
  known->in_place_sure = f->most_in_place >= 0 && last[-2].reached;
  known->per_marking_sure = f->most_in_all >= 0 && last[-1].reached;
  if (known->in_place_sure)
    known->in_place = (uint64_t)f->most_in_place;
  if (known->per_marking_sure)
    known->per_marking = (uint64_t)f->most_in_all;
  if (known->in_place_sure || known->per_marking_sure)
    v->outcome.net = known;
}

void front_conclude(verification *v)
{
  front *f = v->net ? v->net->front : NULL;
  if (!f || !f->arena)
    return;
  if (f->most_in_place >= 0 || f->most_in_all >= 0)
    tell_tokens(v);
  const uint32_t *edges = edges_of(v, f->arena);
  bool any = false;
  for (uint32_t i = 0; i < f->count; i++)
    if (!is_open(f, i)) {
      any = true;
      add_front_answer(v, i, edges);
    }
  if (!any)
    return;
  add_rows_by_definition(v);
  sort_answers(v);
}
