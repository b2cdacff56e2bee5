/* Asks smaller nets for what is open: walks and proofs there, then the engines,
** as of a net of its own.  What is found is lifted and replayed in the net as it
** was read. */

#include "net/explore.h"
#include "net/shrink/shrinking.h"
#include "net/to_pnml.h"
#include "verify/nets/front_internal.h"
#include "verify/plan.h"
#include <string.h>

/* A question to the engines about the smaller net. */
typedef struct small_question {
  const question *question;
  uint32_t goal; /* of 'goals'; of a bound: the item */
  bool bound;
  int64_t base; /* bound: what is added to it */
} small_question;

struct front_smaller {
  arena *arena;
  bool dead; /* what is looked for is a dead marking; else claims */
  shrinking *shrinking;
  walk_goal *goals;
  uint32_t *of; /* by goal: its number in the front */
  uint32_t count;
  walk *walk;
  equation *equation;
  bool proved;
  firing_path lifted, found;
  /* Engines. */
  struct nut_model model;
  verification engines;
  bool begun, over;
  small_question *asked;
  uint32_t asked_count;
};

/* ---- making ------------------------------------------------------------- */

void front_see(const claim *c, bool *visible)
{
  for (uint32_t i = 0; i < c->count; i++)
    if (c->op == CLAIM_SUM)
      visible[c->terms[i].place] = true;
    else
      front_see(c->parts[i], visible);
}

static const pnml_formula *bound_of(const verification *v, const question *q)
{
  for (uint32_t k = 0; k < v->net->formulas.count; k++)
    if (v->net->questions[k] == q &&
        v->net->formulas.list[k].kind == FORMULA_BOUND)
      return &v->net->formulas.list[k];
  return NULL;
}

static bool is_open_bound(const verification *v, uint32_t i)
{
  const front *f = v->net->front;
  return f->items[i].question->kind == PROPERTY_UPPER_BOUND &&
         front_is_open(f, i) && bound_of(v, f->items[i].question);
}

/* Whether it is of this kind, and nobody has reached it. */
static bool is_wanted(const front *f, uint32_t i, bool dead)
{
  return !f->goals[i].done && dead == !f->goals[i].claim;
}

static uint32_t see_all(const verification *v, bool dead, bool *visible)
{
  const front *f = v->net->front;
  uint32_t found = 0;
  for (uint32_t i = 0; i < f->goal_count; i++)
    if (is_wanted(f, i, dead)) {
      found++;
      if (!dead)
        front_see(f->goals[i].claim, visible);
    }
  for (uint32_t i = 0; i < f->count && !dead; i++)
    if (is_open_bound(v, i)) {
      const pnml_formula *b = bound_of(v, f->items[i].question);
      for (uint32_t k = 0; k < b->place_count; k++)
        visible[b->places[k]] = true;
      found++;
    }
  return found;
}

/* The places that a place of a coloured net has become are a block. */
static const uint32_t *blocks_of(const verification *v, arena *a)
{
  const pnml_net *net = v->net->net;
  if (!net->coloured)
    return NULL;
  uint32_t *block = ARENA_ARRAY(a, uint32_t, net->place_count + 1);
  for (uint32_t g = 0; g < net->place_group_count; g++)
    for (uint32_t i = 0; i < net->place_groups[g].count; i++)
      block[net->place_groups[g].first + i] = g;
  return block;
}

/* Marks blocks of which a sum has some places, or not all in the same way. */
static void note_parts(const verification *v, const claim *c, int32_t *factor,
                       bool *in_parts)
{
  const pnml_net *net = v->net->net;
  for (uint32_t i = 0; c->op >= CLAIM_AND && i < c->count; i++)
    note_parts(v, c->parts[i], factor, in_parts);
  if (c->op != CLAIM_SUM)
    return;
  for (uint32_t i = 0; i < c->count; i++)
    factor[c->terms[i].place] = c->terms[i].factor;
  for (uint32_t g = 0; g < net->place_group_count; g++)
    for (uint32_t k = 1; k < net->place_groups[g].count; k++)
      in_parts[g] |= factor[net->place_groups[g].first + k] !=
                     factor[net->place_groups[g].first];
  for (uint32_t i = 0; i < c->count; i++)
    factor[c->terms[i].place] = 0;
}

/* Places that all claims see together with their block are summed, and no
** longer visible.  Bounds are asked place by place. */
static bool *separate_sums(const verification *v, arena *a, bool dead,
                           bool *visible)
{
  const front *f = v->net->front;
  const pnml_net *net = v->net->net;
  bool *summed = ARENA_ARRAY(a, bool, net->place_count + 1);
  bool *in_parts = ARENA_ARRAY(a, bool, net->place_group_count + 1);
  int32_t *factor = ARENA_ARRAY(a, int32_t, net->place_count + 1);
  for (uint32_t i = 0; i < f->goal_count && !dead; i++)
    if (is_wanted(f, i, dead))
      note_parts(v, f->goals[i].claim, factor, in_parts);
  for (uint32_t i = 0; i < f->count && !dead; i++)
    if (is_open_bound(v, i))
      return summed;
  for (uint32_t g = 0; g < net->place_group_count; g++)
    for (uint32_t k = 0; k < net->place_groups[g].count; k++) {
      uint32_t p = net->place_groups[g].first + k;
      summed[p] = visible[p] && !in_parts[g];
      visible[p] &= in_parts[g];
    }
  return summed;
}

static void add_goals(front_smaller *s, const front *f)
{
  s->goals = ARENA_ARRAY(s->arena, walk_goal, f->goal_count + 1);
  s->of = ARENA_ARRAY(s->arena, uint32_t, f->goal_count + 1);
  for (uint32_t i = 0; i < f->goal_count; i++) {
    if (!is_wanted(f, i, s->dead))
      continue;
    const claim *c =
        s->dead ? NULL
                : shrinking_claim(s->shrinking, s->arena, f->goals[i].claim);
    if (!s->dead && !c)
      continue;
    s->of[s->count] = i;
    s->goals[s->count++].claim = c;
  }
}

static void tell(verification *v, const front_smaller *s)
{
  const petri *n = v->net->front->net, *small = shrinking_net(s->shrinking);
  text_printf(&v->remarks,
              "%s: %u of %u places and %u of %u transitions are left (",
              s->dead ? "for dead markings" : "for what is looked for",
              small->place_count, n->place_count, small->transition_count,
              n->transition_count);
  const char *comma = "";
  for (int i = 0; i < SHRINK_RULES_; i++) {
    uint32_t uses = shrinking_uses(s->shrinking, (shrink_rule)i);
    if (!uses)
      continue;
    text_printf(&v->remarks, "%s%s %u", comma, shrink_rule_text((shrink_rule)i),
                uses);
    comma = ", ";
  }
  text_add(&v->remarks, ")\n");
}

/* NULL: there is nothing to ask, or the net does not become smaller.  In its
** place at once, so that it is given back whatever happens. */
static void make_smaller(verification *v, bool dead, front_smaller **where)
{
  front *f = v->net->front;
  bool *visible = ARENA_ARRAY(f->arena, bool, f->net->place_count + 1);
  if (!see_all(v, dead, visible))
    return;
  front_smaller *s = *where = mem_alloc(sizeof *s);
  s->dead = dead;
  s->arena = arena_create();
  bool *summed = NULL;
  if (v->net->net->coloured)
    summed = separate_sums(v, s->arena, dead, visible);
  shrink_wish wish = {dead ? SHRINK_DEAD : SHRINK_REACH,
                      SHRINK_ALL_RULES,
                      visible,
                      blocks_of(v, s->arena),
                      summed,
                      v->limits};
  bool polled = limits_set_polled(v->limits, true);
  s->shrinking = shrinking_make(f->net, &wish);
  limits_set_polled(v->limits, polled);
  s->over = shrinking_net(s->shrinking) == f->net;
  if (s->over)
    return;
  tell(v, s);
  add_goals(s, f);
}

static void free_one(front_smaller *s)
{
  if (!s)
    return;
  if (s->begun)
    verification_free(&s->engines);
  model_destroy(s->model.own);
  walk_destroy(s->walk);
  equation_destroy(s->equation);
  walk_goals_free(s->goals, s->count);
  vec_free(&s->lifted);
  shrinking_destroy(s->shrinking);
  arena_destroy(s->arena);
  mem_free(s, sizeof *s);
}

void smaller_free(front *f)
{
  free_one(f->reaching);
  free_one(f->dying);
  f->reaching = f->dying = NULL;
}

/* ---- what was found ------------------------------------------------------ */

/* Only what the net as it was read can do counts. */
static void lift(front *f, front_smaller *s, uint32_t i, const uint32_t *path,
                 size_t length)
{
  const claim *c = f->goals[s->of[i]].claim;
  int32_t *marking = ARENA_ARRAY(s->arena, int32_t, f->net->place_count + 1);
  vec_clear(&s->lifted);
  if (!shrinking_lift(s->shrinking, path, length, s->dead, &s->lifted) ||
      !petri_replay(f->net, s->lifted.data, s->lifted.len, marking) ||
      !(c ? claim_holds(c, marking) : petri_is_dead(f->net, marking)))
    return;
  front_reach(f, s->of[i], s->lifted.data, s->lifted.len, METHOD_SMALLER);
}

static void take_over_walks(front *f, front_smaller *s)
{
  for (uint32_t i = 0; i < s->count; i++)
    if (s->goals[i].reached && !f->goals[s->of[i]].done)
      lift(f, s, i, s->goals[i].path.data, s->goals[i].path.len);
}

/* Goals that others have decided are of no interest. */
static bool is_any_open(const front *f, front_smaller *s)
{
  bool any = false;
  for (uint32_t i = 0; i < s->count; i++) {
    s->goals[i].done |= f->goals[s->of[i]].done;
    any |= !s->goals[i].done;
  }
  return any;
}

/* ---- walks and proofs ---------------------------------------------------- */

static void judge_constants(front *f, front_smaller *s)
{
  const petri *n = shrinking_net(s->shrinking);
  for (uint32_t i = 0; i < s->count; i++) {
    const claim *c = s->goals[i].claim;
    if (c && c->op == CLAIM_FALSE)
      front_refute(f, s->of[i], METHOD_SMALLER);
    else if (c ? claim_holds(c, n->tokens) : petri_is_dead(n, n->tokens))
      lift(f, s, i, NULL, 0);
    else if (!n->transition_count)
      front_refute(f, s->of[i], METHOD_SMALLER);
  }
}

static void walk_smaller(verification *v, front_smaller *s, uint64_t times)
{
  enum { STEPS = 1 << 17, GUIDED_STEPS = 1 << 12 };
  front *f = v->net->front;
  if (!(f->steps & 1u << FRONT_WALKS) || !is_any_open(f, s))
    return;
  bool polled = limits_set_polled(v->limits, true);
  if (!s->walk)
    s->walk = walk_create(shrinking_net(s->shrinking), s->goals, s->count, 2);
  bool goes_on = walk_run(s->walk, times * STEPS, false, v->limits);
  for (uint32_t i = 0; i < s->count && goes_on; i++)
    if (!s->goals[i].done)
      goes_on = walk_towards(s->walk, i, times * GUIDED_STEPS, v->limits);
  limits_set_polled(v->limits, polled);
  take_over_walks(f, s);
}

static void prove_smaller(verification *v, front_smaller *s)
{
  front *f = v->net->front;
  const petri *n = shrinking_net(s->shrinking);
  if (!front_proves(f) || s->proved || !is_any_open(f, s))
    return;
  s->proved = true;
  s->equation = equation_create(n, v->limits, f->steps & 1u << FRONT_EQUATION);
  for (uint32_t i = 0; s->equation && i < s->count; i++) {
    const claim *c = s->goals[i].claim;
    if (!s->goals[i].done && !limits_reached(v->limits) &&
        front_refutes(v, s->equation, s->arena,
                      c ? c : claim_dead(s->arena, n)))
      front_refute(f, s->of[i], METHOD_SMALLER);
  }
}

/* ---- engines --------------------------------------------------------------- */

void front_make_model(verification *v, arena *a, const petri *net,
                      const uint32_t *origin, loaded *m)
{
  *m = (loaded){.arena = a,
                .names = v->model->names,
                .sources = v->model->sources,
                .diags = v->model->diags,
                .file = v->model->file,
                .language = v->model->language};
  pnml_net *made = pnml_of_petri(a, net, v->net->net, origin);
  m->own = pnml_model(a, m->names, m->sources, m->diags, made, m->file);
  m->model = m->own;
  if (!m->model)
    mem_give_up();
}

static void make_model(verification *v, front_smaller *s)
{
  const petri *n = shrinking_net(s->shrinking);
  uint32_t *origin = ARENA_ARRAY(s->arena, uint32_t, n->place_count + 1);
  for (uint32_t p = 0; p < n->place_count; p++)
    origin[p] = shrinking_origin(s->shrinking, p);
  front_make_model(v, s->arena, n, origin, &s->model);
}

static void note_asked(front_smaller *s, const question *q, uint32_t goal)
{
  s->asked[s->asked_count++] = (small_question){.question = q, .goal = goal};
}

static void ask_goals(front_smaller *s)
{
  verification *e = &s->engines;
  if (s->dead) {
    question *q =
        questions_find(&e->questions, property_kind_name(PROPERTY_END_STATES));
    q->selected = true;
    note_asked(s, q, 0);
    return;
  }
  for (uint32_t i = 0; i < s->count; i++) {
    expr *x =
        s->goals[i].done ? NULL : claim_to_expr(e->annex, s->goals[i].claim);
    if (!x)
      continue;
    property p = {.kind = PROPERTY_REACH,
                  .name = arena_printf(s->arena, "goal-%u", i),
                  .expr = x,
                  .where = NO_SPAN};
    note_asked(s, questions_add(&e->questions, &p), i);
  }
}

/* The places of a bound as they are now; false: some counts more than once. */
static bool translate_bound(front_smaller *s, const pnml_formula *from,
                            pnml_formula *to, int64_t *base)
{
  to->places = ARENA_ARRAY(s->arena, uint32_t, from->place_count + 1);
  for (uint32_t k = 0; k < from->place_count; k++) {
    shrink_value x = shrinking_value(s->shrinking, from->places[k]);
    if (x.lost || x.factor > 1)
      return false;
    *base += x.base;
    if (x.factor)
      to->places[to->place_count++] = x.place;
  }
  for (uint32_t k = 1; k < to->place_count; k++)
    for (uint32_t i = 0; i < k; i++)
      if (to->places[i] == to->places[k])
        return false;
  return true;
}

static void ask_bounds(verification *v, front_smaller *s)
{
  front *f = v->net->front;
  net_watch *w = s->engines.net;
  w->formulas.list = ARENA_ARRAY(s->arena, pnml_formula, f->count + 1);
  w->questions = ARENA_ARRAY(s->arena, const question *, f->count + 1);
  for (uint32_t i = 0; i < f->count; i++) {
    pnml_formula *to = &w->formulas.list[w->formulas.count];
    const question *outer = f->items[i].question;
    int64_t base = 0;
    if (!is_open_bound(v, i) ||
        !translate_bound(s, bound_of(v, outer), to, &base)) {
      *to = (pnml_formula){0};
      continue;
    }
    property p = {
        .kind = PROPERTY_UPPER_BOUND, .name = outer->name, .where = NO_SPAN};
    const question *q = questions_add(&s->engines.questions, &p);
    to->kind = FORMULA_BOUND;
    to->id = outer->name;
    w->questions[w->formulas.count++] = q;
    note_asked(s, q, i);
    s->asked[s->asked_count - 1].bound = true;
    s->asked[s->asked_count - 1].base = base;
  }
}

void front_start_engines(verification *v, loaded *m, verification *e)
{
  verification_start(e, m, false);
  e->limits = v->limits;
  e->outcome.arena = arena_create();
  e->annex = model_annex(m->model);
  questions_start(&e->questions, e->outcome.arena, m->model);
  questions_select_none(&e->questions);
  net_watch *w = e->net = ARENA_NEW(e->outcome.arena, net_watch);
  w->net = pnml_net_of(m->model);
  w->types = pnml_types(m->model, e->outcome.arena);
  w->examined = true;
  w->asks = ASK_DEADLOCK;
}

void front_make_program(loaded *m, verification *e)
{
  program_options options = {.check_overflow = true};
  e->program = program_create(e->annex, &options, m->diags);
  if (!e->program)
    mem_give_up();
}

static void begin_engines(verification *v, front_smaller *s)
{
  verification *e = &s->engines;
  make_model(v, s);
  s->begun = true;
  front_start_engines(v, &s->model, e);
  s->asked = ARENA_ARRAY(s->arena, small_question,
                         s->count + v->net->front->count + 1);
  if (!s->dead)
    ask_bounds(v, s);
  if (e->net->formulas.count)
    e->net->asks = ASK_FORMULAS;
  ask_goals(s);
  front_make_program(&s->model, e);
}

uint32_t *front_path(arena *a, const model *m, const trace *t)
{
  uint32_t *path = ARENA_ARRAY(a, uint32_t, t->steps.len + 1);
  for (size_t i = 1; i < t->steps.len; i++)
    path[i - 1] =
        pnml_transition_number(m->edges.data[t->steps.data[i].edge]->text);
  return path;
}

static void take_over_bound(front *f, const small_question *q, const answer *a)
{
  front_item *it = &f->items[q->goal];
  if (a->verdict != VERDICT_HOLDS || !a->has_value ||
      !front_is_open(f, q->goal))
    return;
  it->value = (int64_t)a->value + q->base;
  it->has_value = true;
  front_settle(f, q->goal, VERDICT_HOLDS, METHOD_SMALLER);
}

/* Found: the trace is lifted.  Not found, and it was all: refuted. */
static void take_over_goal(front *f, front_smaller *s, const small_question *q,
                           const answer *a)
{
  bool found = a->verdict == (s->dead ? VERDICT_VIOLATED : VERDICT_HOLDS);
  for (uint32_t i = q->goal; i < (s->dead ? s->count : q->goal + 1); i++) {
    if (f->goals[s->of[i]].done || a->verdict == VERDICT_UNKNOWN)
      continue;
    if (!found)
      front_refute(f, s->of[i], METHOD_SMALLER);
    else if (a->trace && a->trace->steps.len)
      lift(f, s, i, front_path(s->arena, s->model.model, a->trace),
           a->trace->steps.len - 1);
  }
}

static void take_over_answers(front *f, front_smaller *s)
{
  const answer_list *found = &s->engines.outcome.answers;
  for (size_t i = 0; i < found->len; i++)
    for (uint32_t k = 0; k < s->asked_count; k++) {
      const small_question *q = &s->asked[k];
      if (q->question != found->data[i].question)
        continue;
      if (q->bound)
        take_over_bound(f, q, &found->data[i]);
      else
        take_over_goal(f, s, q, &found->data[i]);
    }
}

static void run_engines(verification *v, const nut_options *o, front_smaller *s,
                        uint64_t times)
{
  nut_options mine = *o;
  mine.engine = NUT_ENGINE_INTERPRETED;
  mine.on_progress = NULL;
  mine.max_errors = 0;
  if (!s->begun)
    begin_engines(v, s);
  s->over = plan_turn(&s->engines, &mine, times) ||
            examination_is_endless(&s->engines);
  take_over_answers(v->net->front, s);
}

/* ---- a round --------------------------------------------------------------- */

static bool is_any_bound_open(const verification *v)
{
  for (uint32_t i = 0; i < v->net->front->count; i++)
    if (is_open_bound(v, i))
      return true;
  return false;
}

static void run_one(verification *v, const nut_options *o, front_smaller *s,
                    uint64_t times)
{
  front *f = v->net->front;
  if (!s || s->over)
    return;
  if (times == 1)
    judge_constants(f, s);
  prove_smaller(v, s);
  walk_smaller(v, s, times);
  if ((is_any_open(f, s) || (!s->dead && is_any_bound_open(v))) &&
      !limits_reached(v->limits))
    run_engines(v, o, s, times);
}

void smaller_run(verification *v, const nut_options *o, uint64_t times)
{
  front *f = v->net->front;
  if (times == 1 && !f->reaching)
    make_smaller(v, false, &f->reaching);
  if (times == 1 && !f->dying)
    make_smaller(v, true, &f->dying);
  run_one(v, o, f->reaching, times);
  run_one(v, o, f->dying, times);
}

/* ---- one goal alone ---------------------------------------------------------- */

typedef struct alone_job {
  verification *verification;
  uint32_t goal;
  uint64_t most; /* markings */
  front_smaller smaller;
} alone_job;

/* What is lifted is told as that of the smaller nets above. */
static void do_alone(void *context)
{
  alone_job *j = context;
  verification *v = j->verification;
  front *f = v->net->front;
  front_smaller *s = &j->smaller;
  const claim *c = f->goals[j->goal].claim;
  firing_path *path = &s->found;
  s->dead = !c;
  s->arena = arena_create();
  s->of = ARENA_ARRAY(s->arena, uint32_t, 1);
  s->of[0] = j->goal;
  bool *visible = ARENA_ARRAY(s->arena, bool, f->net->place_count + 1);
  if (c)
    front_see(c, visible);
  unsigned rules = f->steps & 1u << FRONT_SMALLER ? SHRINK_ALL_RULES : 0;
  shrink_wish wish = {
      c ? SHRINK_REACH : SHRINK_DEAD, rules, visible, NULL, NULL, v->limits};
  s->shrinking = shrinking_make(f->net, &wish);
  const claim *small = c ? shrinking_claim(s->shrinking, s->arena, c) : NULL;
  if (c && !small)
    return;
  explore_end end = explore_run(shrinking_net(s->shrinking), small, false,
                                j->most, v->limits, path);
  if (end == EXPLORE_REACHED)
    lift(f, s, 0, path->data, path->len);
  else if (end == EXPLORE_REFUTED)
    front_refute(f, j->goal, METHOD_SMALLER);
}

static void tidy_alone(void *context)
{
  front_smaller *s = &((alone_job *)context)->smaller;
  vec_free(&s->lifted);
  vec_free(&s->found);
  shrinking_destroy(s->shrinking);
  arena_destroy(s->arena);
}

void smaller_run_alone(verification *v, uint64_t times)
{
  enum { MARKINGS = 5000 };
  front *f = v->net->front;
  bool polled = limits_set_polled(v->limits, true);
  for (uint32_t i = 0; i < f->goal_count && !limits_reached(v->limits); i++) {
    alone_job job = {v, i, times * MARKINGS, {0}};
    if (!f->goals[i].done)
      mem_protect_tidy(do_alone, tidy_alone, &job);
  }
  limits_set_polled(v->limits, polled);
}
