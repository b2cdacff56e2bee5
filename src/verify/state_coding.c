/* Watches the codes of states, and finds the runs to those in conflict. */

#include "verify/state_coding.h"

#include "base/alloc.h"
#include "lang/lpn/lpn.h"
#include "program/layout.h"
#include "store/table/table.h"

#include <string.h>

enum { CSC, USC, KINDS };
static const char *const names_of[KINDS] = {"csc", "usc"};

/* The first conflict of a kind, and the runs that show it. */
typedef struct conflict {
  bool asked;
  uint64_t count;
  uint8_t *state; /* the later one of the two */
  uint32_t length;
  questions goals; /* the two states */
  search_result runs;
  bool has_runs;
} conflict;

struct coding_watch {
  verification *result;
  const net_coding *coding;
  worker *worker;
  uint32_t *offsets; /* of the signals in a state */
  table codes;
  /* By number of a code: what its first state excites, 'width' bytes each. */
  VEC(uint8_t) excited;
  uint8_t *code, *now;
  uint32_t code_bytes, width;
  conflict conflicts[KINDS];
  uint64_t errors, max_errors;
  bool full;
};
typedef struct coding_watch coding_watch;

static void set_bit(uint8_t *bits, uint32_t i, bool value)
{
  if (value)
    bits[i / 8] |= (uint8_t)(1 << i % 8);
}

/* ---- watching ----------------------------------------------------------- */

static void read_code(coding_watch *w, const uint8_t *state)
{
  memset(w->code, 0, w->code_bytes);
  for (uint32_t i = 0; i < w->coding->signal_count; i++)
    set_bit(w->code, i, state[w->offsets[i]]);
}

static void read_excited(coding_watch *w, const uint8_t *state, uint32_t length)
{
  fault_kind failed = FAULT_NONE;
  memset(w->now, 0, w->width);
  for (uint32_t i = 0; i < w->coding->excited_count; i++)
    set_bit(w->now, i,
            program_evaluate(w->worker, w->coding->excited[i], state, length,
                             &failed));
}

static void note_conflict(coding_watch *w, int kind, const uint8_t *state,
                          uint32_t length)
{
  conflict *c = &w->conflicts[kind];
  if (!c->asked)
    return;
  w->errors++;
  if (c->count++)
    return;
  c->state = ARENA_ARRAY(w->result->outcome.arena, uint8_t, length + 1);
  memcpy(c->state, state, length);
  c->length = length;
}

/* Called with every new state. */
static reason on_state(void *context, const uint8_t *state, uint32_t length)
{
  coding_watch *w = context;
  store_handle number;
  read_code(w, state);
  read_excited(w, state, length);
  uint64_t hash = table_hash(w->code, w->code_bytes);
  switch (table_insert(&w->codes, w->code, w->code_bytes, hash, &number)) {
  case STORE_FULL:
    w->full = true;
    return REASON_OUT_OF_MEMORY;
  case STORE_NEW:
    for (uint32_t i = 0; i < w->width; i++)
      vec_push(&w->excited, w->now[i]);
    return REASON_NONE;
  case STORE_SEEN:
    break;
  }
  note_conflict(w, USC, state, length);
  if (memcmp(w->excited.data + number * w->width, w->now, w->width) != 0)
    note_conflict(w, CSC, state, length);
  return w->max_errors && w->errors >= w->max_errors ? REASON_ERRORS
                                                     : REASON_NONE;
}

static bool is_asked(const verification *v, const char *name)
{
  const question *q = questions_find(&v->questions, name);
  return q && q->kind == PROPERTY_CODING && q->selected;
}

void coding_attach(verification *v, const nut_options *o, search_options *s)
{
  const model *m = v->model->model;
  const net_coding *c = m->language->has_signals ? lpn_coding_of(m) : NULL;
  if (s->count || !c || (!is_asked(v, "csc") && !is_asked(v, "usc")))
    return;
  arena *a = v->outcome.arena;
  const layout *l = program_layout(v->program);
  coding_watch *w = v->coding = ARENA_NEW(a, coding_watch);
  w->result = v;
  w->coding = c;
  w->max_errors = o->max_errors;
  w->code_bytes = c->signal_count / 8 + 1;
  w->width = c->excited_count / 8 + 1;
  w->code = ARENA_ARRAY(a, uint8_t, w->code_bytes);
  w->now = ARENA_ARRAY(a, uint8_t, w->width);
  w->offsets = ARENA_ARRAY(a, uint32_t, c->signal_count + 1);
  for (uint32_t i = 0; i < c->signal_count; i++)
    w->offsets[i] = l->globals[c->signals[i]->index];
  for (int kind = 0; kind < KINDS; kind++)
    w->conflicts[kind].asked = is_asked(v, names_of[kind]);
  w->worker = worker_create(v->program);
  w->full = !table_create(&w->codes, limits_room(v->limits) / 2);
  if (w->full)
    return;
  s->on_state = on_state;
  s->state_context = w;
}

/* ---- the states of a conflict ------------------------------------------- */

static expr *has_value(verification *v, var *x, const uint8_t *state)
{
  model *m = v->annex;
  const layout *l = program_layout(v->program);
  int32_t value = keep_read(layout_keep(l, x), state + l->globals[x->index]);
  expr *now = expr_var(m, ref_new(m, x, NULL, NULL, NO_SPAN), NO_SPAN);
  return expr_new(m, OP_EQ, now, expr_const(m, value, NO_SPAN), NULL, NO_SPAN);
}

/* All of these variables have the values of the state. */
static expr *agrees(verification *v, var *const *list, size_t count,
                    const uint8_t *state)
{
  model *m = v->annex;
  expr **parts = ARENA_ARRAY(m->arena, expr *, count + 1);
  for (size_t i = 0; i < count; i++)
    parts[i] = has_value(v, list[i], state);
  return expr_join(m, OP_AND, parts, count);
}

static expr *is_state(verification *v, const uint8_t *state)
{
  const model *m = v->model->model;
  return agrees(v, m->globals.data, m->globals.len, state);
}

/* Another state than that of the conflict: for CSC, that excites others. */
static expr *differs(verification *v, int kind, const conflict *x)
{
  model *m = v->annex;
  const net_coding *c = v->coding->coding;
  if (kind == USC)
    return expr_new(m, OP_NOT, is_state(v, x->state), NULL, NULL, NO_SPAN);
  expr **parts = ARENA_ARRAY(m->arena, expr *, c->excited_count + 1);
  read_excited(v->coding, x->state, x->length);
  for (uint32_t i = 0; i < c->excited_count; i++) {
    int32_t here = v->coding->now[i / 8] >> i % 8 & 1;
    parts[i] = expr_new(m, OP_NE, c->excited[i], expr_const(m, here, NO_SPAN),
                        NULL, NO_SPAN);
  }
  return expr_join(m, OP_OR, parts, c->excited_count);
}

static expr *conflicts_with(verification *v, int kind, const conflict *x)
{
  const net_coding *c = v->coding->coding;
  expr *same = agrees(v, c->signals, c->signal_count, x->state);
  return expr_new(v->annex, OP_AND, same, differs(v, kind, x), NULL, NO_SPAN);
}

static void add_goal(questions *q, const char *name, expr *e)
{
  property p = {.kind = PROPERTY_REACH, .name = name, .expr = e};
  questions_add(q, &p);
}

/* Looks for both states. */
static void find_runs(verification *v, int kind, const search_options *usual)
{
  conflict *c = &v->coding->conflicts[kind];
  search_options s = search_defaults();
  s.asked.search = NUT_BFS;
  s.asked.store = usual->asked.store;
  s.limits = usual->limits;
  s.questions = &c->goals;
  questions_start(&c->goals, v->outcome.arena, v->model->model);
  questions_select_none(&c->goals);
  add_goal(&c->goals, "one state", conflicts_with(v, kind, c));
  add_goal(&c->goals, "the other state", is_state(v, c->state));
  search_run(v->program, &s, &c->runs);
  c->has_runs = true;
}

/* ---- answers ------------------------------------------------------------ */

/* What the last state of a run excites: "{a, b}". */
static void add_excited(coding_watch *w, const trace *t, text *out)
{
  uint32_t length;
  bool first = true;
  const uint8_t *state = trace_state(t, t->steps.len - 1, &length);
  read_excited(w, state, length);
  text_add_char(out, '{');
  for (uint32_t i = 0; i < w->coding->excited_count; i++)
    if (w->now[i / 8] >> i % 8 & 1) {
      text_printf(out, "%s%s", first ? "" : ", ", w->coding->outputs[i]->name);
      first = false;
    }
  text_add_char(out, '}');
}

/* "two states have the code !a b; they excite {x} and {}" */
static const char *describe(verification *v, int kind, const conflict *c)
{
  coding_watch *w = v->coding;
  text out = {0};
  text_add(&out, "two states have the code");
  read_code(w, c->state);
  for (uint32_t i = 0; i < w->coding->signal_count; i++)
    text_printf(&out, " %s%s", w->code[i / 8] >> i % 8 & 1 ? "" : "!",
                w->coding->signals[i]->name);
  if (kind == CSC) {
    text_add(&out, "; they excite ");
    add_excited(w, c->runs.answers.data[0].trace, &out);
    text_add(&out, " and ");
    add_excited(w, c->runs.answers.data[1].trace, &out);
  }
  const char *made = arena_copy(v->outcome.arena, text_string(&out), out.len);
  text_free(&out);
  return made;
}

/* Takes the traces over from the run that looked for them. */
static void show_runs(verification *v, answer *a, int kind, conflict *c)
{
  answer_list *found = &c->runs.answers;
  bool both = found->len == 2 && found->data[0].trace && found->data[1].trace;
  if (both)
    a->ending = describe(v, kind, c);
  trace **runs[] = {&a->trace, &a->other};
  for (size_t i = 0; i < 2 && i < found->len; i++) {
    *runs[i] = found->data[i].trace;
    found->data[i].trace = NULL;
  }
  if (both)
    return;
  a->verdict = VERDICT_UNKNOWN;
  a->why = "the states of a conflict could not be reached again";
}

static void fill_answer(verification *v, answer *w, int kind,
                        const search_options *s)
{
  coding_watch *watch = v->coding;
  conflict *c = &watch->conflicts[kind];
  const outcome *o = &v->outcome;
  w->reason = REASON_NONE;
  w->errors = c->count;
  if (c->count) {
    w->verdict = VERDICT_VIOLATED;
    find_runs(v, kind, s);
    show_runs(v, w, kind, c);
  } else if (watch->full) {
    w->reason = REASON_OUT_OF_MEMORY;
  } else if (o->complete && o->result.store->exact) {
    w->verdict = VERDICT_HOLDS;
  } else {
    w->reason = o->complete ? REASON_LOSSY_STORE : o->result.reason;
  }
}

void coding_conclude(verification *v, const search_options *s)
{
  if (!v->coding)
    return;
  v->outcome.result.stats.errors += v->coding->errors;
  for (size_t i = 0; i < v->outcome.answers.len; i++) {
    answer *a = &v->outcome.answers.data[i];
    for (int kind = 0; kind < KINDS; kind++)
      if (a->question->kind == PROPERTY_CODING &&
          !strcmp(a->question->name, names_of[kind]))
        fill_answer(v, a, kind, s);
  }
}

void coding_free(verification *v)
{
  coding_watch *w = v->coding;
  if (!w)
    return;
  for (int kind = 0; kind < KINDS; kind++) {
    questions_free(&w->conflicts[kind].goals);
    if (w->conflicts[kind].has_runs)
      search_result_free(&w->conflicts[kind].runs);
  }
  worker_destroy(w->worker);
  table_destroy(&w->codes);
  vec_free(&w->excited);
}
