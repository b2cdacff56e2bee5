/* Examinations of the Model Checking Contest, and the tokens of Petri nets. */

#include "verify/nets/examination_internal.h"

#include "base/text/list_text.h"
#include "base/text/nearest.h"
#include "program/layout.h"
#include "verify/ctl_check.h"
#include "verify/nets/net_front.h"
#include <string.h>

static const struct {
  const char *name;
  ask_kind asks;
} examinations[] = {
    {"StateSpace", ASK_TOKENS},
    {"ReachabilityDeadlock", ASK_DEADLOCK},
    {"ReachabilityCardinality", ASK_FORMULAS},
    {"ReachabilityFireability", ASK_FORMULAS},
    {"UpperBounds", ASK_FORMULAS},
    {"CTLCardinality", ASK_FORMULAS},
    {"CTLFireability", ASK_FORMULAS},
    {"LTLCardinality", ASK_FORMULAS},
    {"LTLFireability", ASK_FORMULAS},
    {"OneSafe", ASK_ONE_SAFE},
    {"QuasiLiveness", ASK_QUASI_LIVE},
    {"StableMarking", ASK_STABLE},
    {"Liveness", ASK_LIVE},
};
enum { EXAMINATIONS = sizeof examinations / sizeof examinations[0] };

/* ---- what is asked ------------------------------------------------------ */

static void complain_of_name(verification *v, const char *name)
{
  nearest near = {.name = name, .more = 2};
  for (size_t i = 0; i < EXAMINATIONS; i++)
    nearest_try(&near, examinations[i].name);
  for (size_t i = 0; i < EXAMINATIONS && !near.best; i++)
    if (*name && strstr(examinations[i].name, name))
      near.best = examinations[i].name;
  text_printf(&v->messages, "there is no examination '%s'\n", name);
  if (near.best)
    text_printf(&v->messages, "did you mean '%s'?\n", near.best);
  text_add(&v->messages, "there are:");
  for (size_t i = 0; i < EXAMINATIONS; i++)
    text_printf(&v->messages, " %s", examinations[i].name);
  text_add_char(&v->messages, '\n');
}

static bool find_examination(verification *v, const char *name)
{
  net_watch *w = v->net;
  for (size_t i = 0; i < EXAMINATIONS; i++)
    if (!strcmp(examinations[i].name, name)) {
      property p = {.kind = PROPERTY_EXAMINATION,
                    .name = examinations[i].name,
                    .where = NO_SPAN};
      w->examination = examinations[i].name;
      w->asks = examinations[i].asks;
      w->question = questions_add(&v->questions, &p);
      return true;
    }
  complain_of_name(v, name);
  return false;
}

/* Invariants, reachability and formulas become questions, to be answered in one
** run. */
static question *add_question(verification *v, const pnml_formula *f)
{
  static const property_kind kinds[] = {[FORMULA_REACH] = PROPERTY_REACH,
                                        [FORMULA_INVARIANT] =
                                            PROPERTY_INVARIANT,
                                        [FORMULA_BOUND] = PROPERTY_UPPER_BOUND,
                                        [FORMULA_CTL] = PROPERTY_CTL,
                                        [FORMULA_LTL] = PROPERTY_LTL,
                                        [FORMULA_OTHER] = PROPERTY_TEMPORAL};
  bool plain = f->kind == FORMULA_BOUND || f->kind == FORMULA_OTHER;
  property p = {.kind = kinds[f->kind],
                .name = f->id,
                .formula = plain ? NULL : f->text,
                .expr = f->expr,
                .ltl = f->ltl,
                .ctl = f->ctl,
                .where = f->where};
  return questions_add(&v->questions, &p);
}

static bool read_formulas(verification *v, const char *path)
{
  loaded *m = v->model;
  net_watch *w = v->net;
  const char *error = NULL;
  uint32_t file = source_read(m->sources, path, &error);
  if (!file) {
    text_printf(&v->messages, "%s\n", error);
    return false;
  }
  if (!pnml_read_formulas(v->annex, m->diags, file, &w->formulas))
    return verification_complain(v);
  w->questions =
      ARENA_ARRAY(v->outcome.arena, const question *, w->formulas.count + 1);
  for (uint32_t i = 0; i < w->formulas.count; i++)
    w->questions[i] = add_question(v, &w->formulas.list[i]);
  return true;
}

/* Markings of a net whose values are not told apart stand for others. */
static bool can_count(verification *v)
{
  const char *merged = v->net->net->merged;
  if (merged)
    text_printf(&v->messages,
                "the markings of this net cannot be counted: it is too large "
                "to be unfolded, and the values of %s are not told apart\n",
                merged);
  return !merged;
}

bool examination_prepare(verification *v, const nut_options *o, bool count)
{
  loaded *m = v->model;
  bool is_net = m->model->language->is_net;
  if (!is_net) {
    if (o->formulas || o->examination)
      text_add(&v->messages, "formulas and examinations of the Model Checking "
                             "Contest are for Petri nets (.pnml)\n");
    return !o->formulas && !o->examination;
  }
  net_watch *w = v->net = ARENA_NEW(v->outcome.arena, net_watch);
  w->net = pnml_net_of(m->model);
  w->types = pnml_types(m->model, v->outcome.arena);
  w->examined = o->formulas || o->examination;
  if (!front_prepare(v, o) || (count && !can_count(v)))
    return false;
  if (!w->examined)
    return true;
  questions_select_none(&v->questions);
  w->asks = ASK_FORMULAS;
  if (o->examination && !find_examination(v, o->examination))
    return false;
  if (w->asks == ASK_TOKENS && !can_count(v))
    return false;
  if (w->asks == ASK_FORMULAS && !o->formulas) {
    text_printf(&v->messages, "the examination %s needs a file of formulas\n",
                w->examination);
    return false;
  }
  if (w->asks == ASK_DEADLOCK)
    questions_find(&v->questions, property_kind_name(PROPERTY_END_STATES))
        ->selected = true;
  return w->asks != ASK_FORMULAS || read_formulas(v, o->formulas);
}

bool examination_needs_sets(const verification *v)
{
  return v->net && v->net->examined && v->net->asks == ASK_LIVE;
}

nut_order examination_order(const verification *v, nut_order asked)
{
  return examination_has_order(v) ? v->net->order : asked;
}

bool examination_has_order(const verification *v)
{
  return v->net && v->net->compared;
}

void examination_set_order(verification *v, nut_order best)
{
  static const char *const words[] = {NUT_ORDERS(CHOICE_TEXT)};
  v->net->order = best;
  v->net->compared = true;
  text_printf(&v->remarks, "order of levels: %s\n", words[best]);
}

/* ---- watching ----------------------------------------------------------- */

static void begin(net_watch *w)
{
  w->begun = true;
  w->still = w->net->place_group_count;
  memcpy(w->first, w->now, w->net->place_count * sizeof *w->first);
}

/* Coloured: a place of the file has the tokens of all its values. */
static void count_groups(net_watch *w)
{
  for (uint32_t g = 0; g < w->net->place_group_count; g++) {
    const pnml_group *x = &w->net->place_groups[g];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < x->count; i++)
      sum += (uint64_t)w->now[x->first + i];
    if (sum > w->figures.in_place)
      w->figures.in_place = sum;
  }
}

static void count_tokens(net_watch *w, const uint8_t *state)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < w->net->place_count; i++) {
    const uint8_t *at = state + w->offsets[i];
    int32_t tokens = w->in_bytes ? *at : keep_read(w->keeps[i], at);
    w->now[i] = tokens;
    sum += (uint64_t)tokens;
    if (tokens > w->most[i]) {
      w->most[i] = tokens;
      if ((uint64_t)tokens > w->figures.in_place)
        w->figures.in_place = (uint64_t)tokens;
    }
  }
  if (w->net->coloured)
    count_groups(w);
  if (sum > w->figures.per_marking)
    w->figures.per_marking = sum;
  if (!w->begun)
    begin(w);
}

/* By place of the file: the number of its tokens, whatever their values, is
** another. */
static void note_changes(net_watch *w)
{
  for (uint32_t g = 0; g < w->net->place_group_count; g++) {
    const pnml_group *x = &w->net->place_groups[g];
    int64_t more = 0;
    if (w->changed[g])
      continue;
    for (uint32_t i = x->first; i < x->first + x->count; i++)
      more += (int64_t)w->now[i] - w->first[i];
    w->changed[g] = more != 0;
    w->still -= more != 0;
  }
}

static void note_bounds(net_watch *w)
{
  for (uint32_t i = 0; i < w->formulas.count; i++) {
    const pnml_formula *f = &w->formulas.list[i];
    uint64_t sum = 0;
    for (uint32_t k = 0; k < f->place_count; k++)
      sum += (uint64_t)w->now[f->places[k]];
    if (sum > w->bounds[i])
      w->bounds[i] = sum;
  }
}

/* Expressions over tokens are computed with 32 bits: a greater sum ends the
** run, because they could be wrong from there on. */
static bool is_too_much(net_watch *w)
{
  if (w->figures.per_marking <= PNML_TOKENS_MAX)
    return false;
  w->why = "a marking has more tokens than can be counted";
  return true;
}

/* Many transitions may be enabled in each marking, so turns that are counted in
** expansions alone would be long. */
static bool is_turn_over(net_watch *w)
{
  if (!w->allowed)
    return false;
  w->allowed -=
      w->allowed > w->net->place_count ? w->net->place_count : w->allowed - 1;
  return w->allowed == 1;
}

void examination_allow(verification *v, uint64_t places)
{
  v->net->allowed = places;
}

/* Called with every new state; whether enough is known. */
static reason on_state(void *context, const uint8_t *state, uint32_t length)
{
  net_watch *w = context;
  (void)length;
  if (w->asks == ASK_NOTHING && w->examined)
    return REASON_DECIDED;
  count_tokens(w, state);
  note_bounds(w);
  if (w->asks == ASK_STABLE)
    note_changes(w);
  bool enough = is_too_much(w) ||
                (w->asks == ASK_ONE_SAFE && w->figures.in_place > 1) ||
                (w->asks == ASK_STABLE && !w->still);
  return enough            ? REASON_DECIDED
         : is_turn_over(w) ? REASON_TIME_LIMIT
                           : REASON_NONE;
}

/* ---- by several threads -------------------------------------------------- */

static void make_counters(net_watch *w, arena *a)
{
  uint32_t n = w->net->place_count + 1;
  w->first = ARENA_ARRAY(a, int32_t, n);
  w->most = ARENA_ARRAY(a, int32_t, n);
  w->now = ARENA_ARRAY(a, int32_t, n);
  w->changed = ARENA_ARRAY(a, bool, w->net->place_group_count + 1);
  w->bounds = ARENA_ARRAY(a, uint64_t, w->formulas.count + 1);
  w->begun = false;
}

/* A watch that has seen nothing. */
static void *split_watch(void *context)
{
  const net_watch *w = context;
  net_watch *made = ARENA_ARRAY(w->arena, net_watch, 1);
  *made = *w;
  made->figures = (net_figures){.unbounded = w->figures.unbounded};
  make_counters(made, w->arena);
  return made;
}

/* Only for counting: nothing else is asked. */
static void watch_stored(void *viewer, const uint8_t *state, uint32_t length)
{
  net_watch *w = viewer;
  (void)length;
  count_tokens(w, state);
  (void)is_too_much(w);
}

static void join_watch(void *context, const void *viewer)
{
  net_watch *w = context;
  const net_watch *own = viewer;
  w->begun |= own->begun;
  if (own->figures.in_place > w->figures.in_place)
    w->figures.in_place = own->figures.in_place;
  if (own->figures.per_marking > w->figures.per_marking)
    w->figures.per_marking = own->figures.per_marking;
  if (own->why)
    w->why = own->why;
}

static uint32_t greatest(void *context, uint64_t *list[SEARCH_GREATEST])
{
  net_watch *w = context;
  list[0] = &w->figures.in_place;
  list[1] = &w->figures.per_marking;
  return SEARCH_GREATEST;
}

static bool has_kind(const net_watch *w, formula_kind kind)
{
  for (uint32_t i = 0; i < w->formulas.count; i++)
    if (w->formulas.list[i].kind == kind)
      return true;
  return false;
}

/* Tables for the program as it is now. */
static void make_tables(verification *v)
{
  net_watch *w = v->net;
  arena *a = v->outcome.arena;
  const layout *l = program_layout(v->program);
  uint32_t n = w->net->place_count + 1;
  w->offsets = ARENA_ARRAY(a, uint32_t, n);
  w->keeps = ARENA_ARRAY(a, keep, n);
  w->arena = a;
  w->figures = (net_figures){.unbounded = w->figures.unbounded};
  make_counters(w, a);
  w->in_bytes = true;
  for (uint32_t i = 0; i + 1 < n; i++) {
    const var *place = w->net->places[i].var;
    w->offsets[i] = l->globals[place->index];
    w->keeps[i] = layout_keep(l, place);
    w->in_bytes &= keep_bytes(w->keeps[i]) == 1 && w->keeps[i].lo == 0;
  }
}

/* Places of 32 bits can make sums that are too great. */
static bool has_wide_places(const net_watch *w)
{
  for (uint32_t i = 0; i < w->net->place_count; i++)
    if (w->types[w->net->places[i].var->index].hi == PNML_TOKENS_MAX)
      return true;
  return false;
}

void examination_attach(verification *v, bool count, search_options *s)
{
  net_watch *w = v->net;
  if (!w)
    return;
  make_tables(v);
  s->stop_at_overflow = true;
  if (w->examined) {
    s->once = true;
    s->asked.max_errors = 0;
    if (w->asks == ASK_FORMULAS && !has_kind(w, FORMULA_INVARIANT) &&
        !has_kind(w, FORMULA_REACH) && !has_kind(w, FORMULA_BOUND) &&
        !has_kind(w, FORMULA_LTL))
      w->asks = ASK_NOTHING;
  }
  bool tokens = w->examined && w->asks != ASK_DEADLOCK &&
                w->asks != ASK_QUASI_LIVE &&
                (w->asks != ASK_FORMULAS || has_kind(w, FORMULA_BOUND));
  /* A run by levels counts tokens at its end, and uses all threads. */
  bool by_levels = s->asked.search == NUT_BFS && !s->asked.store &&
                   !s->asked.coverage && !has_wide_places(w);
  if (count && (v->kept || by_levels)) {
    s->on_stored = watch_stored;
    s->split_viewer = split_watch;
    s->join_viewer = join_watch;
    s->greatest = greatest;
  } else if (count || tokens || has_wide_places(w))
    s->on_state = on_state;
  s->state_context = w;
}

/* One of a group of transitions is enabled. */
static const expr *group_enabled(verification *v, const pnml_group *g)
{
  pnml_node node = {.index = g->first, .count = g->count};
  return pnml_fireable_node(v->annex, &node, v->net->net->where);
}

/* Whether a transition can fire again from every marking; false with the reason
** why that is not known. */
static bool can_always_fire(verification *v, symbolic_space *s,
                            const pnml_group *g)
{
  symbolic_set all = symbolic_reachable(s);
  symbolic_set found = symbolic_states_of(s, group_enabled(v, g));
  if (found != SET_FULL)
    found = symbolic_reaching(s, found, all);
  if (found == SET_FULL)
    v->net->live_reason = symbolic_take_reason(s);
  return found == all;
}

/* A net is live when each transition can fire again from every marking.  Most
** live nets can always return to the first marking; then it is enough that each
** transition fires somewhere. */
static bool is_live(verification *v, symbolic_space *s)
{
  net_watch *w = v->net;
  symbolic_set all = symbolic_reachable(s), dead = symbolic_blocked(s);
  if (dead == SET_FULL)
    w->live_reason = symbolic_take_reason(s);
  if (w->idle || dead != SET_EMPTY)
    return !w->net->transition_group_count;
  symbolic_set home = symbolic_reaching(s, symbolic_initial(s), all);
  if (home == SET_FULL)
    w->live_reason = symbolic_take_reason(s);
  if (home == all || home == SET_FULL)
    return home == all;
  for (uint32_t i = 0; i < w->net->transition_group_count; i++)
    if (!can_always_fire(v, s, &w->net->transition_groups[i]))
      return false;
  return true;
}

/* The place has as many tokens as at the start, whatever their values. */
static const expr *group_stays(verification *v, const pnml_group *g)
{
  model *m = v->annex;
  span where = v->net->net->where;
  expr **list = ARENA_ARRAY(m->arena, expr *, g->count + 1);
  int64_t sum = 0;
  for (uint32_t i = 0; i < g->count; i++) {
    const pnml_place *p = &v->net->net->places[g->first + i];
    list[i] = pnml_tokens(m, p, p->where);
    sum += p->tokens;
  }
  if (!g->count)
    return expr_const(m, 1, where);
  return expr_new(m, OP_EQ, expr_join(m, OP_ADD, list, g->count),
                  expr_const(m, (int32_t)sum, where), NULL, where);
}

static int64_t greatest_of(verification *v, symbolic_space *s,
                           const pnml_group *g)
{
  const var **list = ARENA_ARRAY(v->outcome.arena, const var *, g->count + 1);
  int64_t sum = 0;
  for (uint32_t i = 0; i < g->count; i++)
    list[i] = v->net->net->places[g->first + i].var;
  if (!symbolic_greatest(s, list, g->count, &sum))
    mem_give_up();
  return sum;
}

static symbolic_set states_or_leave(symbolic_space *s, const expr *e)
{
  symbolic_set found = symbolic_states_of(s, e);
  if (found == SET_FULL)
    mem_give_up();
  return found;
}

/* The figures of a coloured net speak of its own places and transitions. */
static void measure_groups(verification *v, symbolic_space *s)
{
  net_watch *w = v->net;
  const pnml_net *net = w->net;
  w->figures.in_place = w->still = w->idle = 0;
  for (uint32_t g = 0; g < net->place_group_count; g++) {
    uint64_t most = (uint64_t)greatest_of(v, s, &net->place_groups[g]);
    if (most > w->figures.in_place)
      w->figures.in_place = most;
    if (w->asks == ASK_STABLE)
      w->still += states_or_leave(s, group_stays(v, &net->place_groups[g])) ==
                  symbolic_reachable(s);
  }
  if (w->asks != ASK_QUASI_LIVE && w->asks != ASK_LIVE)
    return;
  for (uint32_t g = 0; g < net->transition_group_count; g++)
    w->idle +=
        states_or_leave(s, group_enabled(v, &net->transition_groups[g])) ==
        SET_EMPTY;
}

void examination_take_figures(verification *v, const symbolic_figures *f)
{
  net_watch *w = v->net;
  w->begun = true;
  w->figures.in_place = (uint64_t)f->most_in_level;
  w->figures.per_marking = (uint64_t)f->most_in_all;
  w->still = (uint32_t)f->still;
  w->idle = (uint32_t)f->idle;
}

void examination_measure(verification *v, symbolic_space *space,
                         const symbolic_figures *f)
{
  net_watch *w = v->net;
  arena *a = v->outcome.arena;
  if (!w)
    return;
  examination_take_figures(v, f);
  if (w->net->coloured)
    measure_groups(v, space);
  if (w->asks == ASK_LIVE)
    w->live = is_live(v, space);
  w->bounds = ARENA_ARRAY(a, uint64_t, w->formulas.count + 1);
  for (uint32_t i = 0; i < w->formulas.count; i++) {
    const pnml_formula *b = &w->formulas.list[i];
    const var **list = ARENA_ARRAY(a, const var *, b->place_count + 1);
    int64_t sum = 0;
    for (uint32_t k = 0; k < b->place_count; k++)
      list[k] = w->net->places[b->places[k]].var;
    if (b->kind == FORMULA_BOUND &&
        !symbolic_greatest(space, list, b->place_count, &sum))
      mem_give_up();
    w->bounds[i] = (uint64_t)sum;
  }
}

/* ---- growth ------------------------------------------------------------- */

/* The place that grows without bound, when the run shows it: the state before
** the overflow covers an earlier one, so that what lies between them can be
** done again and again.  Only without inhibitor arcs. */
static const pnml_place *unbounded_place(const verification *v, const trace *t,
                                         const pnml_place *grown)
{
  const net_watch *w = v->net;
  uint32_t length;
  if (w->net->inhibited || !t || t->steps.len < 3)
    return NULL;
  const uint8_t *last = trace_state(t, t->steps.len - 2, &length);
  for (size_t k = t->steps.len - 2; k-- > 0;) {
    const uint8_t *early = trace_state(t, k, &length);
    const pnml_place *more = NULL;
    uint32_t i = 0;
    for (; i < w->net->place_count; i++) {
      int32_t a = keep_read(w->keeps[i], early + w->offsets[i]);
      int32_t b = keep_read(w->keeps[i], last + w->offsets[i]);
      if (a > b)
        break;
      if (a < b && (!more || &w->net->places[i] == grown))
        more = &w->net->places[i];
    }
    if (i == w->net->place_count && more)
      return more;
  }
  return NULL;
}

void examination_is_unbounded(verification *v, const char *place)
{
  net_watch *w = v->net;
  w->why = arena_printf(v->outcome.arena, "place '%s' is unbounded", place);
  w->figures.unbounded = true;
}

bool examination_is_endless(const verification *v)
{
  return v->net && v->net->figures.unbounded;
}

/* Gives a place more room, and all others as much; false: there is no more. */
static bool widen(verification *v, const pnml_place *p)
{
  net_watch *w = v->net;
  int32_t had = w->types[p->var->index].hi;
  if (w->growths == NET_GROWTHS_MAX ||
      !pnml_widen(v->model->model, p, w->types))
    return false;
  w->grown[w->growths++] = (uint32_t)(p - w->net->places);
  text_printf(&v->remarks,
              "place '%s' has more than %d token%s: started over with more "
              "room\n",
              p->id, had, had == 1 ? "" : "s");
  return true;
}

uint32_t examination_growths(const verification *v, const uint32_t **places)
{
  *places = v->net ? v->net->grown : NULL;
  return v->net ? v->net->growths : 0;
}

bool examination_grow_again(verification *v, const uint32_t *places,
                            size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (!v->net || places[i] >= v->net->net->place_count ||
        !widen(v, &v->net->net->places[places[i]]))
      return false;
  if (count)
    examination_make_program(v);
  return true;
}

/* Gives the places more room; false with the reason why it is no use. */
static bool make_room(verification *v, const search_result *found)
{
  net_watch *w = v->net;
  arena *a = v->outcome.arena;
  const pnml_place *p = pnml_place_at(v->model->model, found->outgrown);
  if (!p)
    return false;
  int32_t had = w->types[p->var->index].hi;
  const pnml_place *endless = unbounded_place(v, found->overflow, p);
  if (endless)
    examination_is_unbounded(v, endless->id);
  else if (!widen(v, p))
    w->why = arena_printf(a, "place '%s' has more than %d tokens", p->id, had);
  return !w->why;
}

void examination_make_program(verification *v)
{
  program_destroy(v->program);
  program_options options = {.check_overflow = true, .types = v->net->types};
  v->program = program_create(v->annex, &options, v->model->diags);
  if (!v->program)
    mem_give_up();
}

bool examination_starts_over(verification *v, search_result *found)
{
  if (!v->net || found->reason != REASON_OUTGROWN || !make_room(v, found))
    return false;
  search_result_free(found);
  examination_make_program(v);
  return true;
}

/* ---- answers ------------------------------------------------------------ */

/* An answer that is not known yet. */
static answer *add_open(verification *v, const question *q)
{
  answer *a = outcome_add(&v->outcome, q);
  const outcome *o = &v->outcome;
  if (o->complete && !outcome_exact(o))
    a->reason = REASON_LOSSY_STORE;
  else if (!o->complete)
    a->reason = o->result.reason;
  return a;
}

/* 'yes' is known to be so, or known to be not, even before the end; at the end
** the other. */
static void add_answer(verification *v, bool early, verdict if_early)
{
  const outcome *o = &v->outcome;
  answer *w = add_open(v, v->net->question);
  bool sure = o->complete && outcome_exact(o);
  verdict other = if_early == VERDICT_HOLDS ? VERDICT_VIOLATED : VERDICT_HOLDS;
  if (early)
    w->verdict = if_early;
  else if (sure)
    w->verdict = other;
  if (w->verdict != VERDICT_UNKNOWN)
    w->reason = REASON_NONE;
}

/* Whether some transition of each group has fired. */
static bool all_groups_fired(const verification *v)
{
  const search_result *found = &v->outcome.result;
  const pnml_net *net = v->net->net;
  const model *m = v->model->model;
  bool *fired = ARENA_ARRAY(v->outcome.arena, bool, net->transition_count + 1);
  for (size_t i = 0; i < found->reached.len; i++)
    if (found->reached.data[i])
      fired[pnml_find(net, m->edges.data[i]->text)->index] = true;
  for (uint32_t g = 0; g < net->transition_group_count; g++) {
    const pnml_group *x = &net->transition_groups[g];
    uint32_t i = 0;
    while (i < x->count && !fired[x->first + i])
      i++;
    if (i == x->count)
      return false;
  }
  return true;
}

static bool all_fired(const verification *v)
{
  const search_result *found = &v->outcome.result;
  if (v->outcome.symbolic)
    return v->outcome.complete && !v->net->idle;
  if (v->net->net->coloured)
    return all_groups_fired(v);
  for (size_t i = 0; i < found->reached.len; i++)
    if (!found->reached.data[i])
      return false;
  return true;
}

static void answer_liveness(verification *v)
{
  answer *a = add_open(v, v->net->question);
  if (!v->outcome.complete)
    return;
  a->reason = v->net->live_reason;
  if (a->reason == REASON_NONE)
    a->verdict = v->net->live ? VERDICT_HOLDS : VERDICT_VIOLATED;
}

static void answer_formulas(verification *v)
{
  net_watch *w = v->net;
  bool sure = v->outcome.complete && outcome_exact(&v->outcome);
  for (uint32_t i = 0; i < w->formulas.count; i++) {
    const pnml_formula *f = &w->formulas.list[i];
    const question *q = w->questions[i];
    if (front_decides(v, q))
      continue;
    if (f->kind == FORMULA_OTHER)
      outcome_add(&v->outcome, q)->reason = REASON_NOT_CHECKED;
    if (f->kind != FORMULA_BOUND)
      continue;
    answer *made = add_open(v, q);
    if (sure) {
      made->verdict = VERDICT_HOLDS;
      made->reason = REASON_NONE;
      made->has_value = true;
      made->value = w->bounds[i];
    }
  }
}

static void answer_examination(verification *v)
{
  net_watch *w = v->net;
  switch (w->asks) {
  case ASK_NOTHING:
    if (!w->formulas.count)
      outcome_add(&v->outcome, w->question)->reason = REASON_NOT_CHECKED;
    break;
  case ASK_ONE_SAFE:
    add_answer(v, w->figures.in_place > 1, VERDICT_VIOLATED);
    break;
  case ASK_QUASI_LIVE:
    add_answer(v, all_fired(v), VERDICT_HOLDS);
    break;
  case ASK_STABLE:
    add_answer(v, w->begun && !w->still, VERDICT_VIOLATED);
    break;
  case ASK_LIVE:
    answer_liveness(v);
    break;
  case ASK_TOKENS:
  case ASK_DEADLOCK:
  case ASK_FORMULAS:
    break;
  }
}

void examination_conclude(verification *v)
{
  net_watch *w = v->net;
  if (!w)
    return;
  if (w->begun || w->figures.unbounded)
    v->outcome.net = &w->figures;
  if (!w->examined)
    return;
  if (!front_decides(v, w->question))
    answer_examination(v);
  answer_formulas(v);
}

void examination_explain(verification *v)
{
  if (!v->net || !v->net->why)
    return;
  if (v->outcome.verdict != VERDICT_HOLDS)
    v->outcome.reason = v->net->why;
  for (size_t i = 0; i < v->outcome.answers.len; i++) {
    answer *a = &v->outcome.answers.data[i];
    if (a->verdict == VERDICT_UNKNOWN)
      a->why = v->net->why;
  }
}
