/* A net becomes a model: variables and places are globals, every module is a
** process that stays where it is, every transition one edge of it.  All
** effects of an edge read the state before the step.
**
** Always: a place holds 0 to 255 tokens, and one token more is a fault; so a
** net that is not safe is still explored as it is. */

#include "lang/lpn/lpn_net.h"

#include <string.h>

enum { TOKENS_MAX = 255, MODULES_MAX = 255, EDGES_MAX = 1024 };

static expr *read_var(net *n, var *v, span where)
{
  return expr_var(n->m, ref_new(n->m, v, NULL, NULL, where), where);
}

static void assign(net *n, edge *e, var *v, expr *value, span where)
{
  effect *f = model_add_effect(n->m, e, EFFECT_ASSIGN, where);
  f->target = ref_new(n->m, v, NULL, NULL, where);
  f->value = value;
}

/* ---- variables and places ---------------------------------------------- */

/* One variable for all modules with this name.  Whoever assigns to it says its
** first value. */
static void merge(net *n, const net_variable *v)
{
  uint32_t at = net_find(&n->variable_of, v->name);
  if (at == NET_NONE) {
    net_enter(&n->variable_of, n->m->arena, v->name,
              (uint32_t)n->variables.len);
    arena_push(n->m->arena, &n->variables, *v);
    return;
  }
  net_variable *old = &n->variables.data[at];
  if (old->integer != v->integer) {
    diag_error(n->diags, v->where, "'%s' is Boolean in one module only",
               v->name);
    diag_note(n->diags, old->where, "the other declaration is here");
  }
  bool owns = v->role != NET_INPUT && old->role == NET_INPUT;
  if (v->given && (owns || !old->given)) {
    old->given = true;
    old->first = v->first;
  }
  if (owns)
    old->role = v->role;
}

static void lower_variable(net *n, uint32_t i)
{
  const net_variable *v = &n->variables.data[i];
  if (n->vars.data[i])
    return;
  var *made = model_add_global(
      n->m, v->name, type_scalar(v->integer ? TYPE_INT : TYPE_BOOL), v->where);
  if (v->first)
    vec_push(&made->init, expr_const(n->m, v->first, v->where));
  n->vars.data[i] = made;
}

static void lower_named(net *n, const char *name)
{
  uint32_t at = name ? net_find(&n->variable_of, name) : NET_NONE;
  if (at != NET_NONE)
    lower_variable(n, at);
}

static void lower_place(net *n, const net_module *module, net_place *p)
{
  const char *name = p->name;
  if (p->var)
    return;
  if (n->modules.len > 1 || net_find(&n->variable_of, name) != NET_NONE)
    name = name_of(n->m->names,
                   arena_printf(n->m->arena, "%s.%s", module->name, name));
  p->var = model_add_global(n->m, name, type_range(0, TOKENS_MAX), p->where);
  if (p->tokens)
    vec_push(&p->var->init, expr_const(n->m, (int32_t)p->tokens, p->where));
}

/* What one transition changes gets places side by side in a state: stores
** share parts of states, and parts repeat when little of the system changes
** them. */
static void lower_together(net *n, net_module *module, const net_transition *t)
{
  lower_named(n, t->signal);
  for (uint32_t i = 0; i < t->assignments.len; i++)
    lower_named(n, t->assignments.data[i].name);
  for (uint32_t i = 0; i < t->pre.len; i++)
    lower_place(n, module, &module->places.data[t->pre.data[i]]);
  for (uint32_t i = 0; i < t->post.len; i++)
    lower_place(n, module, &module->places.data[t->post.data[i]]);
}

static void lower_globals(net *n)
{
  for (uint32_t i = 0; i < n->variables.len; i++)
    arena_push(n->m->arena, &n->vars, NULL);
  for (uint32_t i = 0; i < n->modules.len; i++) {
    net_module *m = n->modules.data[i];
    for (uint32_t k = 0; k < m->transitions.len; k++)
      lower_together(n, m, &m->transitions.data[k]);
    for (uint32_t k = 0; k < m->places.len; k++)
      lower_place(n, m, &m->places.data[k]);
  }
  for (uint32_t i = 0; i < n->variables.len; i++)
    lower_variable(n, i);
}

/* ---- transitions ------------------------------------------------------- */

static bool is_among(const uint32_t *list, uint32_t count, uint32_t x)
{
  for (uint32_t i = 0; i < count; i++)
    if (list[i] == x)
      return true;
  return false;
}

/* What the places say, then the rest. */
static expr *lower_enabled(net *n, const net_module *module, net_transition *t)
{
  VEC(expr *) parts = {0};
  for (uint32_t i = 0; i < t->pre.len; i++)
    arena_push(n->m->arena, &parts,
               read_var(n, module->places.data[t->pre.data[i]].var, t->where));
  if (t->guard) {
    t->condition = net_lower_truth(n, module, t->guard);
    if (!t->condition)
      return NULL;
    arena_push(n->m->arena, &parts, t->condition);
  }
  expr *made = expr_join(n->m, OP_AND, parts.data, parts.len);
  return made ? made : expr_const(n->m, 1, t->where);
}

static void move_tokens(net *n, const net_module *module,
                        const net_transition *t, edge *e)
{
  for (int into = 0; into < 2; into++) {
    const uint32_t *list = into ? t->post.data : t->pre.data;
    const uint32_t *other = into ? t->pre.data : t->post.data;
    size_t count = into ? t->post.len : t->pre.len;
    size_t others = into ? t->pre.len : t->post.len;
    for (uint32_t i = 0; i < count; i++) {
      if (is_among(other, others, list[i]))
        continue;
      var *place = module->places.data[list[i]].var;
      expr *one = expr_const(n->m, 1, t->where);
      assign(n, e, place,
             expr_new(n->m, into ? OP_ADD : OP_SUB,
                      read_var(n, place, t->where), one, NULL, t->where),
             t->where);
    }
  }
}

static void move_signal(net *n, const net_transition *t, edge *e)
{
  if (!t->signal)
    return;
  var *v = n->vars.data[net_find(&n->variable_of, t->signal)];
  expr *value = expr_const(n->m, t->direction == '+', t->where);
  if (t->direction == '~')
    value =
        expr_new(n->m, OP_NOT, read_var(n, v, t->where), NULL, NULL, t->where);
  assign(n, e, v, value, t->where);
}

/* 'choice' counts through the values of all intervals of the transition. */
static bool lower_assignment(net *n, const net_module *module, edge *e,
                             const net_assignment *a, uint32_t *choice)
{
  uint32_t at = net_find(&n->variable_of, a->name);
  if (at == NET_NONE) {
    diag_error(n->diags, a->where, "there is no variable '%s'", a->name);
    return false;
  }
  var *v = n->vars.data[at];
  for (size_t i = 0; i < e->effects.len; i++)
    if (e->effects.data[i]->target->var == v) {
      diag_error(n->diags, a->where, "'%s' is assigned to twice", a->name);
      return false;
    }
  expr *value;
  if (a->value->kind == NET_INTERVAL) {
    int32_t least = a->value->args[0]->value;
    uint32_t count = (uint32_t)(a->value->args[1]->value - least) + 1;
    value = expr_const(n->m, least + (int32_t)(*choice % count), a->where);
    *choice /= count;
    if (v->type.kind == TYPE_BOOL)
      value->value = value->value != 0;
  } else if (v->type.kind == TYPE_BOOL) {
    value = net_lower_truth(n, module, a->value);
  } else {
    value = net_lower_expr(n, module, a->value);
  }
  if (value)
    assign(n, e, v, value, a->where);
  return value;
}

/* Effects read the state before the step, assertions speak of the one after
** it.  Comes after all assignments of the edge. */
static bool lower_asserts(net *n, const net_module *module,
                          const net_transition *t, edge *e)
{
  VEC(expr *) made = {0};
  for (uint32_t i = 0; i < t->asserts.len; i++) {
    expr *x = net_lower_truth(n, module, t->asserts.data[i]);
    if (!x)
      return false;
    arena_push(n->m->arena, &made, expr_before(n->m, e, x));
  }
  for (uint32_t i = 0; i < made.len; i++)
    model_add_effect(n->m, e, EFFECT_ASSERT, t->asserts.data[i]->where)->value =
        made.data[i];
  return true;
}

static uint32_t count_choices(net *n, const net_transition *t)
{
  uint64_t count = 1;
  for (uint32_t i = 0; i < t->assignments.len; i++) {
    const net_expr *e = t->assignments.data[i].value;
    if (e->kind != NET_INTERVAL)
      continue;
    count *= (uint64_t)((int64_t)e->args[1]->value - e->args[0]->value + 1);
    if (count > EDGES_MAX) {
      diag_error(n->diags, t->where, "'%s' has more than %d ways to fire",
                 t->name, EDGES_MAX);
      return 0;
    }
  }
  return (uint32_t)count;
}

static void lower_transition(net *n, net_module *module, net_transition *t)
{
  uint32_t choices = count_choices(n, t);
  t->enabled = lower_enabled(n, module, t);
  if (!t->enabled)
    return;
  if (t->persists) {
    const char *name = arena_printf(n->m->arena, "%s is enabled", t->name);
    t->kept = model_add_global(n->m, name, type_scalar(TYPE_BOOL), t->where);
    t->kept->flags |= VAR_SCRATCH;
    vec_push(&t->kept->init, t->enabled);
  }
  for (uint32_t k = 0; k < choices; k++) {
    edge *e = model_add_edge(n->m, module->process, 0, 0, t->where);
    uint32_t choice = k;
    e->flags = EDGE_PARALLEL;
    e->number = -1;
    e->text = t->name;
    e->guard = t->kept ? read_var(n, t->kept, t->where) : t->enabled;
    arena_push(n->m->arena, &t->edges, e);
    move_tokens(n, module, t, e);
    move_signal(n, t, e);
    for (uint32_t i = 0; i < t->assignments.len; i++)
      if (!lower_assignment(n, module, e, &t->assignments.data[i], &choice))
        return;
    if (!lower_asserts(n, module, t, e))
      return;
  }
}

/* ---- persistence ------------------------------------------------------- */

/* Whether 'e' takes a token that 'u' needs. */
static bool takes_from(const net_module *module, const net_transition *u,
                       const edge *e)
{
  for (size_t i = 0; i < e->effects.len; i++)
    for (uint32_t k = 0; k < u->pre.len; k++)
      if (e->effects.data[i]->kind == EFFECT_ASSIGN &&
          e->effects.data[i]->target->var ==
              module->places.data[u->pre.data[k]].var &&
          e->effects.data[i]->value->op == OP_SUB)
        return true;
  return false;
}

/* A persistent transition that was enabled stays so, whatever its guard,
** until a token of its places is taken. */
static void keep_enabled(net *n, const net_module *module, net_transition *u)
{
  for (size_t i = 0; i < n->m->edges.len; i++) {
    edge *e = n->m->edges.data[i];
    expr *then = expr_before(n->m, e, u->enabled);
    bool takes = takes_from(module, u, e);
    if (e->guard->op == OP_VAR && e->guard->ref->var == u->kept)
      takes = true;
    if (then == u->enabled && !takes)
      continue;
    if (!takes)
      then = expr_new(n->m, OP_OR, read_var(n, u->kept, u->where), then, NULL,
                      u->where);
    else
      then = expr_new(n->m, OP_NE, then, expr_const(n->m, 0, u->where), NULL,
                      u->where);
    assign(n, e, u->kept, then, u->where);
  }
}

static void keep_all_enabled(net *n)
{
  for (uint32_t i = 0; i < n->modules.len; i++)
    for (uint32_t k = 0; k < n->modules.data[i]->transitions.len; k++) {
      net_transition *t = &n->modules.data[i]->transitions.data[k];
      if (!t->kept)
        continue;
      keep_enabled(n, n->modules.data[i], t);
    }
  for (uint32_t i = 0; i < n->modules.len; i++)
    for (uint32_t k = 0; k < n->modules.data[i]->transitions.len; k++) {
      net_transition *t = &n->modules.data[i]->transitions.data[k];
      if (t->kept)
        t->enabled = read_var(n, t->kept, t->where);
    }
}

/* ---- all of it --------------------------------------------------------- */

static void lower_module(net *n, net_module *module)
{
  module->process =
      model_add_process(n->m, module->name, PROCESS_NORMAL, module->where);
  module->process->active = 1;
  vec_push(&n->m->initial, module->process);
  model_add_location(n->m, module->process, 0, 0, module->where);
  for (uint32_t i = 0; i < module->transitions.len && !diags_full(n->diags);
       i++)
    lower_transition(n, module, &module->transitions.data[i]);
}

/* Modules are told apart by their names. */
static void check_names(net *n)
{
  for (uint32_t i = 0; i < n->modules.len; i++)
    for (uint32_t k = 0; k < i; k++)
      if (n->modules.data[i]->name == n->modules.data[k]->name) {
        const char *made =
            arena_printf(n->m->arena, "%s_%u", n->modules.data[i]->name, i + 1);
        n->modules.data[i]->name = name_of(n->m->names, made);
      }
}

bool net_lower(net *n)
{
  size_t before = diags_errors(n->diags);
  if (n->modules.len > MODULES_MAX) {
    diag_error(n->diags, NO_SPAN, "more than %d modules", MODULES_MAX);
    return false;
  }
  check_names(n);
  for (uint32_t i = 0; i < n->modules.len; i++)
    for (uint32_t k = 0; k < n->modules.data[i]->variables.len; k++)
      merge(n, &n->modules.data[i]->variables.data[k]);
  net_guess_signals(n);
  lower_globals(n);
  for (uint32_t i = 0; i < n->modules.len; i++)
    lower_module(n, n->modules.data[i]);
  if (diags_errors(n->diags) > before)
    return false;
  keep_all_enabled(n);
  net_judge(n);
  return diags_errors(n->diags) == before;
}
