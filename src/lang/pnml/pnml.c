/* The net as a model: places are variables, transitions are edges whose guards
** ask first for what is likely to fail. */

#include "lang/pnml/pnml.h"

#include "lang/loading.h"

#include <stdlib.h>

/* ---- types of places --------------------------------------------------- */

/* What a place can be kept in, in the order of growth. */
static type width_type(uint32_t width)
{
  switch (width) {
  case 0:
    return type_scalar(TYPE_BIT);
  case 1:
    return type_scalar(TYPE_BYTE);
  case 2:
    return type_unsigned(16);
  default:
    /* A sum that wraps around is negative, so it does not fit either. */
    return type_range(0, PNML_TOKENS_MAX);
  }
}

enum { WIDTHS = 4, WIDTH_BIT = 0, WIDTH_BYTE = 1 };

static uint32_t width_of(const pnml_place *p, const type *types)
{
  uint32_t width = 0;
  while (width < WIDTHS - 1 && types[p->var->index].hi > width_type(width).hi)
    width++;
  return width;
}

static uint32_t first_width(const pnml_place *p)
{
  uint32_t width = p->safe ? WIDTH_BIT : WIDTH_BYTE;
  int32_t most = p->tokens > p->room ? p->tokens : p->room;
  while (width < WIDTHS - 1 && most > width_type(width).hi)
    width++;
  return width;
}

const pnml_net *pnml_net_of(const model *m)
{
  return m->front_end;
}

const pnml_place *pnml_place_at(const model *m, span where)
{
  const pnml_net *net = pnml_net_of(m);
  for (uint32_t i = 0; i < net->place_count; i++)
    if (net->places[i].where.start == where.start)
      return &net->places[i];
  return NULL;
}

type *pnml_types(const model *m, arena *a)
{
  type *types = ARENA_ARRAY(a, type, m->globals.len + 1);
  for (size_t i = 0; i < m->globals.len; i++)
    types[i] = m->globals.data[i]->type;
  return types;
}

bool pnml_widen(const model *m, const pnml_place *grown, type *types)
{
  const pnml_net *net = pnml_net_of(m);
  uint32_t next = width_of(grown, types) + 1;
  if (next == WIDTHS)
    return false;
  for (uint32_t i = 0; i < net->place_count; i++)
    if (width_of(&net->places[i], types) < next)
      types[net->places[i].var->index] = width_type(next);
  return true;
}

/* ---- expressions ------------------------------------------------------- */

expr *pnml_tokens(model *m, const pnml_place *p, span where)
{
  return expr_var(m, ref_new(m, p->var, NULL, NULL, where), where);
}

/* The conditions of a transition, each as early as it is likely to fail: a
** place without tokens at the start, where few expect tokens, comes first. */
static int by_likely_failure(const void *a, const void *b)
{
  const expr *const *x = a, *const *y = b;
  const var *v = ((*x)->op == OP_VAR ? *x : (*x)->args[0])->ref->var;
  const var *w = ((*y)->op == OP_VAR ? *y : (*y)->args[0])->ref->var;
  bool early = !v->init.len, other = !w->init.len;
  if (early != other)
    return early ? -1 : 1;
  return v->index < w->index ? -1 : v->index > w->index;
}

static uint32_t conditions(model *m, const pnml_net *net,
                           const pnml_transition *t, expr **list)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < t->touch_count; i++) {
    const pnml_touch *x = &t->touches[i];
    const pnml_place *p = &net->places[x->place];
    /* A number of tokens is true when there are any. */
    if (x->take == 1)
      list[n++] = pnml_tokens(m, p, t->where);
    else if (x->take)
      list[n++] = expr_new(m, OP_GE, pnml_tokens(m, p, t->where),
                           expr_const(m, x->take, t->where), NULL, t->where);
    if (x->below)
      list[n++] = expr_new(m, OP_LT, pnml_tokens(m, p, t->where),
                           expr_const(m, x->below, t->where), NULL, t->where);
  }
  qsort(list, n, sizeof *list, by_likely_failure);
  return n;
}

static expr *guard_of(model *m, const pnml_net *net, const pnml_transition *t)
{
  expr **list = ARENA_ARRAY(m->arena, expr *, 2 * t->touch_count + 1);
  uint32_t n = conditions(m, net, t, list);
  return expr_join(m, OP_AND, list, n);
}

/* Always a truth value, unlike the guard. */
expr *pnml_fireable(model *m, const pnml_transition *t, span where)
{
  if (!t->guard)
    return expr_const(m, 1, where);
  return expr_new(m, OP_NE, t->guard, expr_const(m, 0, where), NULL, where);
}

expr *pnml_tokens_of_node(model *m, const pnml_node *n, span where)
{
  expr **list = ARENA_ARRAY(m->arena, expr *, n->count + 1);
  for (uint32_t i = 0; i < n->count; i++)
    list[i] = pnml_tokens(m, &pnml_net_of(m)->places[n->index + i], where);
  return n->count ? expr_join(m, OP_ADD, list, n->count)
                  : expr_const(m, 0, where);
}

expr *pnml_fireable_node(model *m, const pnml_node *n, span where)
{
  expr **list = ARENA_ARRAY(m->arena, expr *, n->count + 1);
  for (uint32_t i = 0; i < n->count; i++)
    list[i] =
        pnml_fireable(m, &pnml_net_of(m)->transitions[n->index + i], where);
  return n->count ? expr_join(m, OP_OR, list, n->count)
                  : expr_const(m, 0, where);
}

/* ---- the model --------------------------------------------------------- */

static void lower_place(model *m, pnml_place *p)
{
  p->var = model_add_global(m, p->id, width_type(WIDTH_BIT), p->where);
  p->var->type = width_type(first_width(p));
  if (p->tokens)
    vec_push(&p->var->init, expr_const(m, p->tokens, p->where));
}

/* One assignment for each place whose number of tokens changes.  They concern
** different places, so their order does not matter. */
static void lower_effects(model *m, const pnml_net *net,
                          const pnml_transition *t, edge *e)
{
  for (uint32_t i = 0; i < t->touch_count; i++) {
    const pnml_touch *x = &t->touches[i];
    const pnml_place *p = &net->places[x->place];
    int32_t more = x->put - x->take;
    if (!more)
      continue;
    effect *f = model_add_effect(m, e, EFFECT_ASSIGN, t->where);
    /* The place's own span: an overflow tells which place it is about. */
    f->target = ref_new(m, p->var, NULL, NULL, p->where);
    f->value = expr_new(
        m, more > 0 ? OP_ADD : OP_SUB, pnml_tokens(m, p, t->where),
        expr_const(m, more > 0 ? more : -more, t->where), NULL, t->where);
  }
}

static void lower_transition(model *m, const pnml_net *net,
                             const pnml_transition *t, process_type *process)
{
  edge *e = model_add_edge(m, process, 0, 0, t->where);
  e->guard = t->guard;
  e->text = t->id;
  lower_effects(m, net, t, e);
}

/* The place that the guard looks at first; UINT32_MAX: none. */
static uint32_t first_looked_at(const pnml_transition *t)
{
  const expr *e = t->guard;
  while (e && e->op != OP_VAR)
    e = e->args[0];
  return e ? e->ref->var->index : UINT32_MAX;
}

static int by_first_place(const void *a, const void *b)
{
  const pnml_transition *t = *(pnml_transition *const *)a;
  const pnml_transition *u = *(pnml_transition *const *)b;
  uint32_t x = first_looked_at(t), y = first_looked_at(u);
  if (x != y)
    return x < y ? -1 : 1;
  return t < u ? -1 : t > u;
}

/* Transitions that look at the same place first, or at places that lie side by
** side in a state, become edges side by side: the program passes over all of
** them at once when the places are empty (program/leading_guards.c). */
static void lower_transitions(model *m, const pnml_net *net,
                              process_type *process)
{
  pnml_transition **list =
      ARENA_ARRAY(m->arena, pnml_transition *, net->transition_count + 1);
  for (uint32_t i = 0; i < net->transition_count; i++) {
    list[i] = &net->transitions[i];
    list[i]->guard = guard_of(m, net, list[i]);
  }
  qsort(list, net->transition_count, sizeof *list, by_first_place);
  for (uint32_t i = 0; i < net->transition_count; i++)
    lower_transition(m, net, list[i], process);
}

static void lower_net(model *m, pnml_net *net)
{
  for (uint32_t i = 0; i < net->place_count; i++)
    lower_place(m, &net->places[net->ranked[i]]);
  process_type *process =
      model_add_process(m, "net", PROCESS_NORMAL, net->where);
  process->active = 1;
  model_add_location(m, process, 0, 0, net->where);
  vec_push(&m->initial, process);
  lower_transitions(m, net, process);
}

static void lower_file(loading *g, void *with)
{
  pnml_net *net = with;
  g->model->front_end = net;
  lower_net(g->model, net);
  if (model_check(g->model, g->diags))
    return;
  model_destroy(g->model);
  g->model = NULL;
}

model *pnml_model(arena *a, names *n, sources *s, diags *d, pnml_net *net,
                  const char *name)
{
  loading g = {.arena = a, .diags = d};
  g.model = model_create(a, n, s, &pnml_facts);
  g.model->file = name;
  loading_run(&g, lower_file, net);
  return g.model;
}

model *pnml_read(arena *a, names *n, sources *s, diags *d, uint32_t file)
{
  pnml_net *net = pnml_read_net(a, n, s, d, file);
  return net ? pnml_model(a, n, s, d, net, source_name(s, file)) : NULL;
}

const model_language pnml_facts = {.name = "pnml",
                                   .endings = ".pnml.xml",
                                   .comment = "<!--",
                                   .comment_end = "-->",
                                   .is_net = true,
                                   .no_assertions = true,
                                   .no_bounds = true,
                                   .condition = pnml_read_condition,
                                   .picture = pnml_picture};
