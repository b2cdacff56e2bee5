/* Takes walks and asks for proofs until nothing is open, or the turn is over. */

#include "verify/nets/front_internal.h"

#include "base/text/nearest.h"
#include "net/firing.h"
#include "net/proof/exact.h"
#include <stdlib.h>
#include <string.h>

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
  f->most_in_place = f->most_in_all = -1;
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
  smaller_free(f);
  counting_free(f);
  walk_destroy(f->walk);
  walk_goals_free(f->goals, f->goals ? f->goal_count : 0);
  equation_destroy(f->equation);
  worker_destroy(f->worker);
  arena_destroy(f->arena);
  mem_free(f, sizeof *f);
  v->net->front = NULL;
}

/* ---- deciding ----------------------------------------------------------- */

void front_settle(front *f, uint32_t i, verdict found, answer_method method)
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

void front_reach(front *f, uint32_t goal, const uint32_t *path, size_t length,
                 answer_method method)
{
  walk_goal *g = &f->goals[goal];
  vec_clear(&g->path);
  for (size_t i = 0; i < length; i++)
    vec_push(&g->path, path[i]);
  g->reached = g->done = true;
  if (goal < f->count)
    front_settle(f, goal, f->items[goal].if_reached, method);
}

void front_refute(front *f, uint32_t goal, answer_method method)
{
  f->goals[goal].done = true;
  if (goal >= f->count)
    f->states[goal - f->count] = GOAL_REFUTED;
  else if (f->items[goal].both)
    front_settle(f, goal, other(f->items[goal].if_reached), method);
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

/* With the run that shows it, when there is one. */
static void settle_formula(front *f, uint32_t i, bool is_true)
{
  front_item *it = &f->items[i];
  uint32_t goal = temporal_shown_by(it->temporal, is_true, f->states);
  it->shown = goal != UINT32_MAX;
  if (it->shown)
    it->goal = f->count + goal;
  front_settle(f, i, is_true ? VERDICT_HOLDS : VERDICT_VIOLATED,
               it->shown || !f->equation ? METHOD_WALK : METHOD_EQUATION);
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
    if (!it->temporal || !front_is_open(f, i))
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
      settle_formula(f, i, facts & FACT_ALL_TRUE);
  }
}

/* Coloured: each place has its goal.  One that cannot be reached is stable; when
** all are reached, none is. */
static void judge_stable(verification *v)
{
  front *f = v->net->front;
  bool all = f->stable_count > 0, refuted = false;
  for (uint32_t i = f->first_stable; i < f->first_stable + f->stable_count;
       i++) {
    all &= f->goals[i].reached;
    refuted |= f->states[i - f->count] == GOAL_REFUTED;
  }
  for (uint32_t i = 0; i < f->count; i++)
    if (asked_of(v, i) == ASK_STABLE && (all || refuted))
      front_settle(f, i, all ? VERDICT_VIOLATED : VERDICT_HOLDS,
                   all ? METHOD_WALK : METHOD_EQUATION);
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
      front_settle(f, i, VERDICT_HOLDS, METHOD_WALK);
    if (asks == ASK_STABLE && !net->coloured &&
        saw_all(f, net->place_groups, net->place_group_count, walk_saw_change))
      front_settle(f, i, VERDICT_VIOLATED, METHOD_WALK);
    if (f->goals[i].reached)
      front_settle(f, i, f->items[i].if_reached, METHOD_WALK);
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
    if (!f->goals[i].done ||
        (f->everywhere && i < f->count && front_is_open(f, i)))
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

static bool may_ask_exactly(verification *v)
{
  front *f = v->net->front;
  if (!(f->steps & 1u << FRONT_EXACT))
    return false;
  if (exact_is_installed())
    return true;
  if (!f->told)
    text_add(&v->remarks, "z3 is not installed: exact proofs are left out\n");
  f->told = true;
  return false;
}

bool front_refutes(verification *v, equation *e, arena *a, const claim *c)
{
  enum { PROGRAMS = 400, EXACT_PROGRAMS = 20 };
  c = claim_simplify(a, c, equation_knows, e);
  if (c->op == CLAIM_FALSE || equation_refutes(e, c, PROGRAMS))
    return true;
  front *f = v->net->front;
  if (!equation_gave_up(e) || limits_reached(v->limits) ||
      !may_ask_exactly(v) || !f->exact_left)
    return false;
  uint32_t given =
      f->exact_left < EXACT_PROGRAMS ? f->exact_left : EXACT_PROGRAMS;
  equation_allow_exact(e, given);
  bool refuted = equation_refutes(e, c, PROGRAMS);
  f->exact_left -= given - equation_allow_exact(e, 0);
  return refuted;
}

static bool refuted(verification *v, const claim *c)
{
  front *f = v->net->front;
  return front_refutes(v, f->equation, f->arena, c);
}

/* A transition that never fires makes a net neither live nor quasi-live. */
static bool some_transition_is_dead(verification *v)
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
    if (refuted(v, claim_join(f->arena, CLAIM_OR, parts, x->count)))
      return true;
  }
  return false;
}

static bool never_changes(verification *v, uint32_t p)
{
  front *f = v->net->front;
  claim_term less = {p, 1}, more = {p, -1};
  int32_t tokens = f->net->tokens[p];
  return refuted(v, claim_sum(f->arena, &less, 1, (int64_t)tokens - 1)) &&
         refuted(v, claim_sum(f->arena, &more, 1, -(int64_t)tokens - 1));
}

static bool some_place_is_stable(verification *v)
{
  front *f = v->net->front;
  const pnml_net *net = v->net->net;
  for (uint32_t g = 0; !net->coloured && g < net->place_group_count; g++)
    if (!saw_group(f, &net->place_groups[g], walk_saw_change) &&
        !limits_reached(v->limits) &&
        never_changes(v, net->place_groups[g].first))
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
      front_settle(f, i, VERDICT_VIOLATED, METHOD_EQUATION);
    return;
  case ASK_QUASI_LIVE:
    if (some_transition_is_dead(v))
      front_settle(f, i, VERDICT_VIOLATED, METHOD_EQUATION);
    return;
  case ASK_STABLE:
    if (some_place_is_stable(v))
      front_settle(f, i, VERDICT_HOLDS, METHOD_EQUATION);
    return;
  case ASK_NOTHING:
  case ASK_TOKENS:
  case ASK_DEADLOCK:
  case ASK_FORMULAS:
  case ASK_ONE_SAFE:
    break;
  }
  if (it->both && refuted(v, c))
    front_settle(f, i, other(it->if_reached), METHOD_EQUATION);
}

/* Goals of formulas. */
static void prove_goals(verification *v)
{
  front *f = v->net->front;
  for (uint32_t i = f->count; f->equation && !f->proved && i < f->goal_count;
       i++)
    if (!f->goals[i].done && !limits_reached(v->limits) &&
        refuted(v, f->goals[i].claim)) {
      f->goals[i].done = true;
      f->states[i - f->count] = GOAL_REFUTED;
    }
  judge_stable(v);
}

static void look_for_loss(verification *v)
{
  front *f = v->net->front;
  for (uint32_t i = 0; i < f->count; i++)
    if (asked_of(v, i) == ASK_LIVE && front_is_open(f, i) &&
        front_loses_transition(v))
      front_settle(f, i, VERDICT_VIOLATED, METHOD_WALK);
}

/* ---- a round ------------------------------------------------------------ */

/* Deadlocks and formulas are questions of their own, beside the examination. */
static bool is_told_by_others(const verification *v, const question *q)
{
  return q == v->net->question &&
         (v->net->asks == ASK_DEADLOCK || v->net->asks == ASK_FORMULAS);
}

static bool is_left(const verification *v)
{
  for (size_t i = 0; i < v->questions.list.len; i++) {
    const question *q = v->questions.list.data[i];
    if (q->selected && q->kind != PROPERTY_ASSERTIONS &&
        q->kind != PROPERTY_BOUNDS && !is_told_by_others(v, q))
      return true;
  }
  return false;
}

/* The most tokens in each place on the runs that are told for an item. */
static void most_told(const front *f, uint32_t i, int32_t *most)
{
  const front_item *it = &f->items[i];
  if (front_is_told(f, i))
    firing_most(f->net, f->goals[it->goal].path.data,
                f->goals[it->goal].path.len, most);
  if (it->lasso)
    firing_most(f->net, it->lasso->path, it->lasso->length, most);
  for (size_t k = 0; it->tree && k < it->tree->branch_count; k++)
    firing_most(f->net, it->tree->branches[k].run.path,
                it->tree->branches[k].run.length, most);
}

static int32_t room_of(const verification *v, uint32_t place)
{
  return v->net->types[v->net->net->places[place].var->index].hi;
}

/* Runs that the program has no room for are not told. */
static void tell_what_fits(verification *v)
{
  front *f = v->net->front;
  for (uint32_t i = 0; i < f->count; i++) {
    int32_t *most = ARENA_ARRAY(f->arena, int32_t, f->net->place_count + 1);
    bool fits = true;
    most_told(f, i, most);
    for (uint32_t p = 0; p < f->net->place_count; p++)
      fits &= room_of(v, p) >= most[p];
    if (fits)
      continue;
    f->items[i].shown = false;
    f->items[i].lasso = NULL;
    f->items[i].tree = NULL;
  }
}

/* The program must have room for what is told. */
static void make_room(verification *v)
{
  front *f = v->net->front;
  int32_t *most = ARENA_ARRAY(f->arena, int32_t, f->net->place_count + 1);
  bool grown = false;
  for (uint32_t i = 0; i < f->count; i++)
    most_told(f, i, most);
  for (uint32_t p = 0; p < f->net->place_count; p++)
    while (room_of(v, p) < most[p] &&
           pnml_widen(v->model->model, &v->net->net->places[p], v->net->types))
      grown = true;
  if (grown)
    examination_make_program(v);
}

/* A run that goes in circles is made shorter, once. */
static void shorten(front *f)
{
  for (uint32_t i = 0; i < f->count; i++) {
    walk_goal *g = &f->goals[f->items[i].goal];
    if (front_is_told(f, i))
      g->path.len =
          firing_shorten(f->arena, f->net, g->claim, g->path.data, g->path.len);
  }
}

enum { EXACT_TURN = 16 }; /* programs for Z3 */

/* A turn of proofs is counted in entries of the dictionary that simplex goes
** through: it looks at the limits before each round.  What was not asked in time
** is asked again, for longer. */
static void prove_all(verification *v, uint64_t times)
{
  enum { ROUND = 1000 };
  const uint64_t entries = (uint64_t)1 << 31;
  front *f = v->net->front;
  if (f->proved || !f->equation)
    return;
  uint64_t size = (uint64_t)f->net->place_count * f->net->transition_count;
  limits_begin_work(v->limits, 100 + times * entries / (ROUND + size));
  for (uint32_t i = 0; i < f->count; i++)
    if (front_is_open(f, i) && !limits_reached(v->limits))
      prove(v, i);
  prove_goals(v);
  f->proved = !limits_reached(v->limits) && f->exact_left;
  limits_end_turn(v->limits);
}

/* A few steps find what is easy to find; then proofs, which are cheap, settle
** most of what cannot be found; then walks go on. */
static void take_steps(verification *v, const nut_options *o, bool count,
                       uint64_t times)
{
  enum { FEW_STEPS = 1 << 15, STEPS = 1 << 18, GUIDED_STEPS = 1 << 12 };
  front *f = v->net->front;
  f->exact_left = EXACT_TURN * (uint32_t)(times < 1000 ? times : 1000);
  if (!f->arena)
    front_begin(v, count);
  take_walks(v, FEW_STEPS, 0);
  prove_all(v, times);
  judge_formulas(v);
  take_walks(v, times * STEPS, times * GUIDED_STEPS);
  look_for_loss(v);
  judge_formulas(v);
  if (f->steps & 1u << FRONT_SMALLER && !count)
    smaller_run(v, o, times);
  if (f->steps & 1u << FRONT_STUBBORN && !count)
    smaller_run_alone(v, times);
  judge_formulas(v);
  if (f->steps & 1u << FRONT_SMALLER && !count)
    formulas_run(v, o, times);
  judge_stable(v);
  shorten(f);
  if (f->late)
    tell_what_fits(v);
  else
    make_room(v);
}

typedef struct steps_job {
  verification *verification;
  const nut_options *options;
  bool count;
  uint64_t times;
} steps_job;

static void do_steps(void *context)
{
  steps_job *j = context;
  take_steps(j->verification, j->options, j->count, j->times);
}

/* Without memory for them there are no more steps; what is decided stays. */
static void give_up_steps(front *f)
{
  f->steps = 0;
  smaller_free(f);
  walk_destroy(f->walk);
  equation_destroy(f->equation);
  f->walk = NULL;
  f->equation = NULL;
}

/* All steps look at the limits by themselves: what is decided when time is up
** is not lost. */
bool front_run(verification *v, const nut_options *o, bool count,
               uint64_t times)
{
  front *f = v->net->front;
  if (!f->steps)
    return false;
  bool polled = limits_set_polled(v->limits, true);
  steps_job job = {v, o, count, times};
  if (!mem_protect(do_steps, &job))
    give_up_steps(f);
  limits_set_polled(v->limits, polled);
  if (!front_is_unbounded(v))
    return !count && !front_is_counted(v) && !is_left(v);
  examination_is_unbounded(v, v->net->net->places[f->unbounded].id);
  return count || front_is_counted(v) || !is_left(v);
}

bool front_answers_trees(verification *v, const nut_options *o)
{
  if (!v->net || !v->net->front || v->net->front->arena)
    return false;
  v->net->front->late = true;
  front_run(v, o, false, 1);
  return !questions_ask(&v->questions, ABOUT_TREES);
}

bool front_is_unbounded(const verification *v)
{
  return v->net && v->net->front && v->net->front->unbounded != UINT32_MAX;
}
