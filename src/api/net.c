#include "api/net.h"

#include "api/ctl.h"
#include "lang/pnml/pnml.h"
#include "program/layout.h"
#include <string.h>

/* What an examination asks for: name, what decides it. */
typedef enum {
  ASK_NOTHING,  /* cannot be decided here */
  ASK_TOKENS,   /* the whole state space with its tokens */
  ASK_DEADLOCK, /* end states */
  ASK_FORMULAS,
  ASK_ONE_SAFE,
  ASK_QUASI_LIVE,
  ASK_STABLE
} ask_kind;

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
    {"Liveness", ASK_NOTHING},
};
enum { EXAMINATIONS = sizeof examinations / sizeof examinations[0] };

struct net_watch {
  const pnml_net *net;
  const char *examination;  /* or NULL */
  const question *question; /* the examination as one, or NULL */
  ask_kind asks;
  pnml_formulas formulas;
  const question **questions; /* by formula */
  bool examined;              /* the options ask for something special */
  /* By place, in the order of the net. */
  uint32_t *offsets;
  keep *keeps;
  bool in_bytes; /* each place is one byte of a state */
  int32_t *first, *most, *now;
  bool *changed;
  uint32_t still;   /* places whose tokens never changed so far */
  uint32_t idle;    /* symbolic: transitions that never fire */
  bool begun;       /* the initial state was seen */
  uint64_t *bounds; /* by formula, of FORMULA_BOUND */
  net_figures figures;
  const char *why; /* it ended for the growth of a place; or NULL */
};
typedef struct net_watch net_watch;

/* ---- what is asked ------------------------------------------------------ */

static bool complain_of_model(nut_result *r)
{
  nut_collect_messages(r->model);
  text_add(&r->messages, text_string(&r->model->messages));
  return false;
}

static bool find_examination(nut_result *r, const char *name)
{
  net_watch *w = r->net;
  for (size_t i = 0; i < EXAMINATIONS; i++)
    if (!strcmp(examinations[i].name, name)) {
      property p = {.kind = PROPERTY_EXAMINATION,
                    .name = examinations[i].name,
                    .where = NO_SPAN};
      w->examination = examinations[i].name;
      w->asks = examinations[i].asks;
      w->question = questions_add(&r->questions, &p);
      return true;
    }
  text_printf(&r->messages, "there is no examination '%s'\nthere are:", name);
  for (size_t i = 0; i < EXAMINATIONS; i++)
    text_printf(&r->messages, " %s", examinations[i].name);
  text_add_char(&r->messages, '\n');
  return false;
}

/* Invariants, reachability and formulas become questions, to be answered in one
** run. */
static question *add_question(nut_result *r, const pnml_formula *f)
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
  return questions_add(&r->questions, &p);
}

static bool read_formulas(nut_result *r, const char *path)
{
  nut_model *m = r->model;
  net_watch *w = r->net;
  const char *error = NULL;
  uint32_t file = source_read(m->sources, path, &error);
  if (!file) {
    text_printf(&r->messages, "%s\n", error);
    return false;
  }
  if (!pnml_read_formulas(m->model, m->diags, file, &w->formulas))
    return complain_of_model(r);
  w->questions =
      ARENA_ARRAY(r->outcome.arena, const question *, w->formulas.count + 1);
  for (uint32_t i = 0; i < w->formulas.count; i++)
    w->questions[i] = add_question(r, &w->formulas.list[i]);
  return true;
}

bool net_prepare(nut_result *r, const nut_options *o)
{
  nut_model *m = r->model;
  bool is_net = m->model->language->is_net;
  if (!is_net) {
    if (o->formulas || o->examination)
      text_add(&r->messages, "formulas and examinations of the Model Checking "
                             "Contest are for Petri nets (.pnml)\n");
    return !o->formulas && !o->examination;
  }
  net_watch *w = r->net = ARENA_NEW(r->outcome.arena, net_watch);
  w->net = pnml_net_of(m->model);
  w->examined = o->formulas || o->examination;
  if (!w->examined)
    return true;
  questions_select_none(&r->questions);
  w->asks = ASK_FORMULAS;
  if (o->examination && !find_examination(r, o->examination))
    return false;
  if (w->asks == ASK_FORMULAS && !o->formulas) {
    text_printf(&r->messages, "the examination %s needs a file of formulas\n",
                w->examination);
    return false;
  }
  if (w->asks == ASK_DEADLOCK)
    questions_find(&r->questions, property_kind_name(PROPERTY_END_STATES))
        ->selected = true;
  return w->asks != ASK_FORMULAS || read_formulas(r, o->formulas);
}

/* ---- watching ----------------------------------------------------------- */

static void begin(net_watch *w)
{
  w->begun = true;
  w->still = w->net->place_count;
  memcpy(w->first, w->now, w->net->place_count * sizeof *w->first);
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
  if (sum > w->figures.per_marking)
    w->figures.per_marking = sum;
  if (!w->begun)
    begin(w);
}

static void note_changes(net_watch *w)
{
  for (uint32_t i = 0; i < w->net->place_count; i++)
    if (!w->changed[i] && w->now[i] != w->first[i]) {
      w->changed[i] = true;
      w->still--;
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
  return enough ? REASON_DECIDED : REASON_NONE;
}

static bool has_kind(const net_watch *w, formula_kind kind)
{
  for (uint32_t i = 0; i < w->formulas.count; i++)
    if (w->formulas.list[i].kind == kind)
      return true;
  return false;
}

/* Tables for the program as it is now. */
static void make_tables(nut_result *r)
{
  net_watch *w = r->net;
  arena *a = r->outcome.arena;
  const layout *l = program_layout(r->program);
  uint32_t n = w->net->place_count + 1;
  w->offsets = ARENA_ARRAY(a, uint32_t, n);
  w->keeps = ARENA_ARRAY(a, keep, n);
  w->first = ARENA_ARRAY(a, int32_t, n);
  w->most = ARENA_ARRAY(a, int32_t, n);
  w->now = ARENA_ARRAY(a, int32_t, n);
  w->changed = ARENA_ARRAY(a, bool, n);
  w->bounds = ARENA_ARRAY(a, uint64_t, w->formulas.count + 1);
  w->figures = (net_figures){0};
  w->begun = false;
  w->in_bytes = true;
  for (uint32_t i = 0; i + 1 < n; i++) {
    const var *v = w->net->places[i].var;
    w->offsets[i] = l->globals[v->index];
    w->keeps[i] = keep_of_var(v);
    w->in_bytes &= keep_bytes(w->keeps[i]) == 1 && w->keeps[i].lo == 0;
  }
}

/* Places of 32 bits can make sums that are too great. */
static bool has_wide_places(const net_watch *w)
{
  for (uint32_t i = 0; i < w->net->place_count; i++)
    if (w->net->places[i].var->type.hi == PNML_TOKENS_MAX)
      return true;
  return false;
}

void net_attach(nut_result *r, bool count, search_options *s)
{
  net_watch *w = r->net;
  if (!w)
    return;
  make_tables(r);
  s->stop_at_overflow = true;
  if (w->examined) {
    s->once = true;
    s->max_errors = 0;
    if (w->asks == ASK_FORMULAS && !has_kind(w, FORMULA_INVARIANT) &&
        !has_kind(w, FORMULA_REACH) && !has_kind(w, FORMULA_BOUND) &&
        !has_kind(w, FORMULA_LTL))
      w->asks = ASK_NOTHING;
  }
  bool tokens = w->examined && w->asks != ASK_DEADLOCK &&
                w->asks != ASK_QUASI_LIVE &&
                (w->asks != ASK_FORMULAS || has_kind(w, FORMULA_BOUND));
  if (count || tokens || has_wide_places(w)) {
    s->on_state = on_state;
    s->state_context = w;
  }
}

void net_measure(nut_result *r, symbolic_space *space,
                 const symbolic_figures *f)
{
  net_watch *w = r->net;
  arena *a = r->outcome.arena;
  if (!w)
    return;
  w->begun = true;
  w->figures.in_place = (uint64_t)f->most_in_level;
  w->figures.per_marking = (uint64_t)f->most_in_all;
  w->still = (uint32_t)f->still;
  w->idle = (uint32_t)f->idle;
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
static const pnml_place *unbounded_place(const nut_result *r, const trace *t,
                                         const pnml_place *grown)
{
  const net_watch *w = r->net;
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

/* Gives the places more room; false with the reason why it is no use. */
static bool make_room(nut_result *r, const search_result *found)
{
  net_watch *w = r->net;
  arena *a = r->outcome.arena;
  const pnml_place *p = pnml_place_at(r->model->model, found->outgrown);
  if (!p)
    return false;
  int32_t had = p->var->type.hi;
  const pnml_place *endless = unbounded_place(r, found->overflow, p);
  if (endless)
    w->why = arena_printf(a, "place '%s' is unbounded", endless->id);
  else if (!pnml_widen(r->model->model, p))
    w->why = arena_printf(a, "place '%s' has more than %d tokens", p->id, had);
  if (w->why)
    return false;
  text_printf(&r->remarks,
              "place '%s' has more than %d token%s: begun anew with more "
              "room\n",
              p->id, had, had == 1 ? "" : "s");
  return true;
}

bool net_begins_anew(nut_result *r, search_result *found)
{
  if (!r->net || found->reason != REASON_OUTGROWN || !make_room(r, found))
    return false;
  search_result_free(found);
  program_destroy(r->program);
  r->program = nut_program(r->model, true);
  if (!r->program)
    mem_give_up();
  return true;
}

/* ---- answers ------------------------------------------------------------ */

/* An answer that is not known yet. */
static answer *add_open(nut_result *r, const question *q)
{
  answer *a = outcome_add(&r->outcome, q);
  const outcome *o = &r->outcome;
  if (o->complete && !outcome_exact(o))
    a->reason = REASON_LOSSY_STORE;
  else if (!o->complete)
    a->reason = o->result.reason;
  return a;
}

/* 'yes' is known to be so, or known to be not, even before the end; at the end
** the other. */
static void add_answer(nut_result *r, bool early, verdict if_early)
{
  const outcome *o = &r->outcome;
  answer *w = add_open(r, r->net->question);
  bool sure = o->complete && outcome_exact(o);
  verdict other = if_early == VERDICT_HOLDS ? VERDICT_VIOLATED : VERDICT_HOLDS;
  if (early)
    w->verdict = if_early;
  else if (sure)
    w->verdict = other;
  if (w->verdict != VERDICT_UNKNOWN)
    w->reason = REASON_NONE;
}

static bool all_fired(const nut_result *r)
{
  const search_result *found = &r->outcome.result;
  if (r->outcome.symbolic)
    return r->outcome.complete && !r->net->idle;
  for (size_t i = 0; i < found->reached.len; i++)
    if (!found->reached.data[i])
      return false;
  return true;
}

static void answer_formulas(nut_result *r)
{
  net_watch *w = r->net;
  bool sure = r->outcome.complete && outcome_exact(&r->outcome);
  for (uint32_t i = 0; i < w->formulas.count; i++) {
    const pnml_formula *f = &w->formulas.list[i];
    const question *q = w->questions[i];
    if (f->kind == FORMULA_OTHER)
      outcome_add(&r->outcome, q)->reason = REASON_NOT_CHECKED;
    if (f->kind != FORMULA_BOUND)
      continue;
    answer *made = add_open(r, q);
    if (sure) {
      made->verdict = VERDICT_HOLDS;
      made->reason = REASON_NONE;
      made->has_value = true;
      made->value = w->bounds[i];
    }
  }
}

void net_conclude(nut_result *r)
{
  net_watch *w = r->net;
  if (!w)
    return;
  if (w->begun)
    r->outcome.net = &w->figures;
  if (!w->examined)
    return;
  switch (w->asks) {
  case ASK_NOTHING:
    if (!w->formulas.count)
      outcome_add(&r->outcome, w->question)->reason = REASON_NOT_CHECKED;
    break;
  case ASK_ONE_SAFE:
    add_answer(r, w->figures.in_place > 1, VERDICT_VIOLATED);
    break;
  case ASK_QUASI_LIVE:
    add_answer(r, all_fired(r), VERDICT_HOLDS);
    break;
  case ASK_STABLE:
    add_answer(r, w->begun && !w->still, VERDICT_VIOLATED);
    break;
  case ASK_TOKENS:
  case ASK_DEADLOCK:
  case ASK_FORMULAS:
    break;
  }
  answer_formulas(r);
}

void net_explain(nut_result *r)
{
  if (!r->net || !r->net->why)
    return;
  r->outcome.reason = r->net->why;
  for (size_t i = 0; i < r->outcome.answers.len; i++) {
    answer *a = &r->outcome.answers.data[i];
    if (a->verdict == VERDICT_UNKNOWN)
      a->why = r->net->why;
  }
}
