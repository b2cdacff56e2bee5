/* Transitions, their synchronisation, guards and effects; assertions. */

#include "lang/dve/lower.h"

#include <string.h>

/* ---- synchronisation --------------------------------------------------- */

static uint32_t count_values(const dve_sync *y)
{
  uint32_t n = 0;
  for (const dve_expr *e = y->values; e; e = e->next)
    n++;
  return n;
}

/* One of the process itself or of the file, or of the process that is named. */
static channel_info *find_channel(const dve_context *c, const dve_sync *y)
{
  dve_lower *l = c->l;
  const dve_name *name = &y->channel;
  const process_info *owner = c->self;
  if (y->process.name && !(owner = dve_find_process(c, &y->process)))
    return NULL;
  symbol *s = scopes_find(&l->symbols, owner, false, name->name);
  if (!s && !y->process.name)
    s = scopes_find(&l->symbols, NULL, false, name->name);
  if (s && s->kind == SYMBOL_CHANNEL)
    return s->channel;
  diag_error(l->diags, name->where, "'%s' is not a channel", name->name);
  const symbol *near =
      symbols_nearest(&l->symbols, owner, SYMBOL_CHANNEL, name->name);
  if (s)
    diag_note(l->diags, s->as.where, "declared here");
  else if (near)
    diag_note(l->diags, near->as.where, "the nearest name is '%s'",
              near->as.name);
  return NULL;
}

/* The first use of an untyped channel says how many values it carries.  They
** have no type: a 32-bit field keeps them as they are. */
static void learn_fields(channel_info *ch, const dve_sync *y, uint32_t n)
{
  if (ch->used || ch->source->typed)
    return;
  ch->used = true;
  ch->first_use = y->where;
  for (uint32_t i = 0; i < n; i++)
    vec_push(&ch->type->fields, type_scalar(TYPE_INT));
}

/* A receive may leave out the variables of a typed channel. */
static bool check_count(dve_lower *l, channel_info *ch, const dve_sync *y)
{
  uint32_t n = count_values(y), has;
  learn_fields(ch, y, n);
  has = (uint32_t)ch->type->fields.len;
  if (n == has || (ch->source->typed && !y->sends && !n))
    return true;
  diag_error(l->diags, y->where, "channel '%s' carries %u value%s, not %u",
             ch->source->name.name, has, has == 1 ? "" : "s", n);
  diag_note(l->diags,
            ch->source->typed ? ch->source->name.where : ch->first_use,
            ch->source->typed ? "declared here" : "first used here");
  return false;
}

static bool add_value(const dve_context *c, comm *to, const dve_expr *e,
                      bool sends)
{
  comm_arg a = {.kind = sends ? ARG_VALUE : ARG_STORE};
  if (sends)
    a.value = dve_lower_expr(c, e);
  else
    a.target = dve_lower_target(c, e);
  if (!a.value && !a.target)
    return false;
  vec_push(&to->args, a);
  return true;
}

static void lower_sync(const dve_context *c, const dve_sync *y, edge *to)
{
  model *m = c->l->m;
  channel_info *ch = find_channel(c, y);
  if (!ch || !check_count(c->l, ch, y))
    return;
  expr *number = expr_const(m, (int32_t)ch->number, y->channel.where);
  number->label = ch->source->name.name;
  comm *made =
      comm_new(m, y->sends ? COMM_SEND : COMM_RECEIVE, number, y->where);
  for (const dve_expr *e = y->values; e; e = e->next)
    if (!add_value(c, made, e, y->sends))
      return;
  while (made->args.len < ch->type->fields.len) /* what is left out */
    vec_push(&made->args, ((comm_arg){.kind = ARG_IGNORE}));
  to->comm = made;
}

/* ---- transitions ------------------------------------------------------- */

static expr *lower_guard(const dve_context *c, const dve_expr *list)
{
  expr *all = NULL;
  uint32_t count = 0;
  for (const dve_expr *e = list; e; e = e->next) {
    if (++count > SCAN_DEPTH_MAX) {
      diag_error(c->l->diags, e->where, "a guard of more than %d conditions",
                 SCAN_DEPTH_MAX);
      break;
    }
    expr *one = dve_lower_expr(c, e);
    if (one && all)
      all = expr_new(c->l->m, OP_AND, all, one, NULL, e->where);
    else if (one)
      all = one;
  }
  return all;
}

static void lower_effects(const dve_context *c, const dve_effect *list,
                          edge *to)
{
  for (const dve_effect *f = list; f; f = f->next) {
    ref *target = dve_lower_target(c, f->target);
    expr *value = dve_lower_expr(c, f->value);
    if (!target || !value)
      continue;
    effect *made = model_add_effect(c->l->m, to, EFFECT_ASSIGN, f->where);
    made->target = target;
    made->value = value;
  }
}

/* What only some processes may do. */
static bool check_parts(dve_lower *l, const process_info *p,
                        const dve_transition *t)
{
  bool watches = p->number < 0;
  if (t->sync && watches)
    diag_error(l->diags, t->sync->where,
               "the property watches; it cannot synchronise");
  else if (t->sync && l->module->synchronous)
    diag_error(l->diags, t->sync->where,
               "channels cannot be used in a synchronous system");
  else if (t->effects && watches)
    diag_error(l->diags, t->effects->where,
               "the property watches; it cannot change variables");
  else
    return true;
  return false;
}

static void lower_transition(dve_lower *l, const process_info *p,
                             const dve_transition *t)
{
  dve_context c = {.l = l, .self = p};
  const symbol *from = dve_find_state(l, p, &t->from);
  const symbol *to = dve_find_state(l, p, &t->to);
  if (!from || !to || !check_parts(l, p, t))
    return;
  edge *e =
      model_add_edge(l->m, p->type, from->location, to->location, t->where);
  e->text = t->text;
  e->guard = lower_guard(&c, t->guard);
  if (t->sync)
    lower_sync(&c, t->sync, e);
  lower_effects(&c, t->effects, e);
}

void dve_lower_transitions(dve_lower *l, const process_info *p)
{
  const dve_transition *t = p->source->transitions;
  for (; t && !diags_full(l->diags); t = t->next)
    lower_transition(l, p, t);
}

/* ---- assertions -------------------------------------------------------- */

/* 'assert s: e' of P holds when e is true in every state in which P is in s:
** an invariant, seen from outside. */
static void lower_assertion(dve_lower *l, const process_info *p,
                            const dve_assertion *a)
{
  model *m = l->m;
  dve_context c = {.l = l, .self = p, .outside = true};
  const symbol *s = dve_find_state(l, p, &a->state);
  expr *condition = dve_lower_expr(&c, a->condition);
  if (!s || !condition)
    return;
  expr *at = expr_new(m, OP_AT, expr_const(m, p->number, a->state.where), NULL,
                      NULL, a->state.where);
  at->process = p->type;
  at->location = s->location;
  at->label = s->as.name;
  const char *process = p->source->name.name;
  property *made = model_add_property(
      m, PROPERTY_INVARIANT,
      arena_printf(m->arena, "assert %s.%s", process, s->as.name), a->where);
  made->formula =
      arena_printf(m->arena, "%s.%s imply (%s)", process, s->as.name, a->text);
  made->expr = expr_new(m, OP_IMPLY, at, condition, NULL, a->where);
}

void dve_lower_assertions(dve_lower *l, const process_info *p)
{
  const dve_assertion *a = p->source->assertions;
  if (a && p->number < 0) {
    diag_error(l->diags, a->where, "the property cannot have assertions");
    return;
  }
  for (; a && !diags_full(l->diags); a = a->next)
    lower_assertion(l, p, a);
}
