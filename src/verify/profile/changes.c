/* Changes of the model that may save states, each tried by counting. */

#include "base/alloc.h"
#include "model/merging.h"
#include "search/search.h"
#include "verify/profile/profile.h"
#include <stdlib.h>

enum { BEST = 3 };

const char *model_change_name(model_change kind)
{
  static const char *const words[] = {"steps", "reset", "range"};
  return words[kind];
}

/* What is to be tried: of a process type, a variable, or both. */
typedef struct candidate {
  model_change kind;
  const process_type *process;
  size_t variable; /* in profile.variables */
  double promise;
} candidate;

typedef struct trying {
  profile *to;
  merging *merging;
  VEC(candidate) list;
  model *changed;
  program *program;
  diags *diags;
  type *types;
  search_result result;
} trying;

/* ---- candidates --------------------------------------------------------- */

static bool is_merged_in(const trying *t, const process_type *p)
{
  for (size_t i = 0; i < p->edges.len; i++)
    if (t->merging->merged[p->edges.data[i]->index])
      return true;
  return false;
}

static bool is_dead_after(const trying *t, const edge *e, const var *v)
{
  const var **dead = t->merging->dead[e->index];
  for (; dead && *dead; dead++)
    if (*dead == v)
      return true;
  return false;
}

static bool can_reset(const trying *t, const profiled_variable *v)
{
  if (!v->var || !v->owner || !v->is_number)
    return false;
  for (size_t i = 0; i < v->owner->edges.len; i++)
    if (is_dead_after(t, v->owner->edges.data[i], v->var))
      return true;
  return false;
}

/* Not one that has a few special values. */
static bool can_halve(const profiled_variable *v)
{
  int64_t room = (int64_t)v->hi - v->lo + 1;
  return v->var && !v->owner && v->is_number && room >= 3 &&
         v->var->type.kind != TYPE_MTYPE && (int64_t)v->values * 4 >= room * 3;
}

static int by_promise(const void *x, const void *y)
{
  const candidate *a = x, *b = y;
  return a->promise < b->promise ? 1 : a->promise > b->promise ? -1 : 0;
}

static void find_candidates(trying *t)
{
  const profile *p = t->to;
  const model *m = program_model(p->program);
  for (size_t i = 0; i < m->processes.len; i++)
    if (is_merged_in(t, m->processes.data[i]))
      vec_push(&t->list,
               ((candidate){CHANGE_STEPS, m->processes.data[i], 0, 1e9}));
  for (size_t i = 0; i < p->variables.len; i++) {
    const profiled_variable *v = &p->variables.data[i];
    if (v->factor < 1.01)
      continue;
    if (can_reset(t, v))
      vec_push(&t->list, ((candidate){CHANGE_RESET, v->owner, i, v->factor}));
    if (can_halve(v))
      vec_push(&t->list, ((candidate){CHANGE_RANGE, NULL, i, v->factor}));
  }
  if (t->list.len)
    qsort(t->list.data, t->list.len, sizeof *t->list.data, by_promise);
  if (t->list.len > PROFILE_TRIES)
    t->list.len = PROFILE_TRIES;
}

/* ---- changing ----------------------------------------------------------- */

/* The edges of the copy have the numbers of the model's. */
static void join_steps(trying *t, const process_type *p)
{
  for (size_t i = 0; i < p->edges.len; i++) {
    uint32_t index = p->edges.data[i]->index;
    if (t->merging->merged[index])
      t->changed->edges.data[index]->flags |= EDGE_ATOMIC;
    if (t->merging->released[index])
      t->changed->edges.data[index]->flags &= ~(uint32_t)EDGE_ATOMIC;
  }
}

static void reset_variable(trying *t, const profiled_variable *v)
{
  model *m = t->changed;
  const process_type *p = v->owner;
  for (size_t i = 0; i < p->edges.len; i++) {
    if (!is_dead_after(t, p->edges.data[i], v->var))
      continue;
    edge *e = m->edges.data[p->edges.data[i]->index];
    var *own = m->processes.data[p->index]->locals.data[v->var->index];
    effect *f = model_add_effect(m, e, EFFECT_ASSIGN, e->where);
    f->target = ref_new(m, own, NULL, NULL, e->where);
    f->value = expr_const(m, 0, e->where);
  }
}

static int32_t half_of(const profiled_variable *v)
{
  return (int32_t)(v->lo + ((int64_t)v->hi - v->lo) / 2);
}

static void limit_range(trying *t, const profiled_variable *v)
{
  const model *m = t->changed;
  t->types = ARENA_ARRAY(t->to->arena, type, m->globals.len + 1);
  for (size_t i = 0; i < m->globals.len; i++)
    t->types[i] = m->globals.data[i]->type;
  t->types[v->var->index] = type_range(v->lo, half_of(v));
}

static void change(trying *t, const candidate *c)
{
  const profiled_variable *v = &t->to->variables.data[c->variable];
  t->types = NULL;
  switch (c->kind) {
  case CHANGE_STEPS:
    join_steps(t, c->process);
    break;
  case CHANGE_RESET:
    reset_variable(t, v);
    break;
  case CHANGE_RANGE:
    limit_range(t, v);
    break;
  }
}

/* ---- counting ----------------------------------------------------------- */

static reason is_enough(void *states, const uint8_t *state, uint32_t length)
{
  uint64_t *left = states;
  (void)state;
  (void)length;
  return *left && --*left ? REASON_NONE : REASON_DECIDED;
}

/* The states of the changed model; 0: not fewer, or not known. */
static uint64_t count(trying *t)
{
  program_options o = {.types = t->types};
  uint64_t left = t->to->states + 1;
  t->program = program_create(t->changed, &o, t->diags);
  if (!t->program)
    return 0;
  search_options s = search_defaults();
  s.limits = t->to->limits;
  s.count = true;
  s.on_state = is_enough;
  s.state_context = &left;
  search_run(t->program, &s, &t->result);
  return t->result.complete ? t->result.stats.states : 0;
}

static void give_back(trying *t)
{
  search_result_free(&t->result);
  program_destroy(t->program);
  t->program = NULL;
  if (t->changed)
    model_destroy(t->changed);
  t->changed = NULL;
}

/* ---- what came of it ---------------------------------------------------- */

static int by_number(const void *x, const void *y)
{
  uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return a < b ? -1 : a > b;
}

/* The lines of the merged steps of a process: "5, 7, 9". */
static void add_lines(const trying *t, const process_type *p, text *out)
{
  enum { FEW = 8 };
  const model *m = program_model(t->to->program);
  VEC(uint32_t) lines = {0};
  uint32_t shown = 0;
  for (size_t i = 0; i < p->edges.len; i++)
    if (t->merging->merged[p->edges.data[i]->index])
      vec_push(&lines,
               source_position(m->sources, p->edges.data[i]->where).line);
  if (lines.len)
    qsort(lines.data, lines.len, sizeof *lines.data, by_number);
  for (size_t i = 0; i < lines.len; i++) {
    if (i && lines.data[i] == lines.data[i - 1])
      continue;
    if (++shown <= FEW)
      text_printf(out, "%s%u", shown > 1 ? ", " : "", lines.data[i]);
  }
  if (shown > FEW)
    text_add(out, ", ...");
  vec_free(&lines);
}

static const char *words_for(const trying *t, const candidate *c, span *where)
{
  const profiled_variable *v = &t->to->variables.data[c->variable];
  text out = {0};
  *where = v->var ? v->var->where : NO_SPAN;
  switch (c->kind) {
  case CHANGE_STEPS:
    *where = c->process->where;
    text_printf(&out, "in %s, join (d_step, atomic) to what follows: line ",
                c->process->name);
    add_lines(t, c->process, &out);
    break;
  case CHANGE_RESET:
    text_printf(&out, "reset %s to 0 after its last use", v->name);
    break;
  case CHANGE_RANGE:
    text_printf(&out, "let %s go up to %d, not %d", v->name, half_of(v), v->hi);
    break;
  }
  const char *words = arena_copy(t->to->arena, text_string(&out), out.len);
  text_free(&out);
  return words;
}

static int by_states(const void *x, const void *y)
{
  const profiled_change *a = x, *b = y;
  return a->states < b->states ? -1 : a->states > b->states;
}

static void try_all(void *trying_)
{
  trying *t = trying_;
  profile *p = t->to;
  const model *m = program_model(p->program);
  t->diags = diags_create(m->sources);
  t->merging = merging_create(m, NULL, 0);
  find_candidates(t);
  for (size_t i = 0; i < t->list.len; i++) {
    const candidate *c = &t->list.data[i];
    t->changed = p->again(p->context);
    if (!t->changed || t->changed->edges.len != m->edges.len)
      return;
    change(t, c);
    uint64_t states = count(t);
    give_back(t);
    profiled_change made = {.kind = c->kind, .states = states};
    made.words = words_for(t, c, &made.where);
    if (states && states < p->states)
      vec_push(&p->changes, made);
    if (limits_are_due(p->limits))
      return;
  }
}

void profile_try_changes(profile *p)
{
  trying t = {.to = p};
  if (p->again)
    mem_protect(try_all, &t);
  give_back(&t);
  merging_destroy(t.merging);
  diags_destroy(t.diags);
  vec_free(&t.list);
  if (p->changes.len)
    qsort(p->changes.data, p->changes.len, sizeof *p->changes.data, by_states);
  if (p->changes.len > BEST)
    p->changes.len = BEST;
}
