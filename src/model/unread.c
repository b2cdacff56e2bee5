/* Variables that are written and never read (merging.h): what is assigned to
** them makes no difference, and neither does what such an assignment reads. */

#include "base/alloc.h"
#include "model/merging_internal.h"

typedef struct readers {
  sight *sight;
  bool changed;
} readers;

static bool *flag_of(const merging *q, const var *v)
{
  return v->owner ? &q->unread_locals[v->owner->index][v->index]
                  : &q->unread_globals[v->index];
}

bool merging_is_unread(const merging *q, const var *v)
{
  return q->unread_globals && !v->is_field && *flag_of(q, v);
}

static void see_read(void *context, const ref *r)
{
  readers *s = context;
  bool *unread = flag_of(s->sight->to, r->var);
  s->changed |= *unread;
  *unread = false;
}

static void see_any_expr(void *context, const expr *e)
{
  (void)context;
  (void)e;
}

/* A variable with one resting value, whose values are of no consequence when
** they are written either: a range may be left, and a parameter gets its value
** from a run. */
static bool is_candidate(const var *v)
{
  return !(v->flags & (VAR_HIDDEN | VAR_OPAQUE | VAR_PARAM)) &&
         v->type.kind != TYPE_RECORD && v->type.kind != TYPE_RANGE &&
         !v->init_channel && v->init.len <= 1 &&
         (!v->init.len || v->init.data[0]->op == OP_CONST);
}

/* Whether the element is surely there, or the target of the assignment: that is
** looked for in any case, with the same fault. */
static bool is_there(const ref *r, const ref *target)
{
  if (r->field)
    return false;
  if (!r->index || ref_same(r, target))
    return true;
  return r->index->op == OP_CONST && r->index->value >= 0 &&
         (uint32_t)r->index->value < r->var->length;
}

/* Whether evaluating it, to be assigned to 'target', does nothing and cannot
** fail where the target is there. */
static bool is_pure(const expr *e, const ref *target)
{
  if (!e)
    return true;
  if (e->op > OP_COND || e->op == OP_DIV || e->op == OP_MOD)
    return false;
  if (e->op == OP_VAR && !is_there(e->ref, target))
    return false;
  return is_pure(e->args[0], target) && is_pure(e->args[1], target) &&
         is_pure(e->args[2], target);
}

static bool has_run(const expr *e)
{
  return e && (e->op == OP_RUN || has_run(e->args[0]) || has_run(e->args[1]) ||
               has_run(e->args[2]));
}

bool merging_can_forget(const effect *f)
{
  return is_pure(f->value, f->target);
}

/* What an effect reads, if its target is read. */
static void visit_effect(const visitor *v, const effect *f)
{
  readers *s = v->context;
  bool unread =
      f->kind == EFFECT_ASSIGN && *flag_of(s->sight->to, f->target->var);
  if (unread && has_run(f->value)) {
    see_read(v->context, f->target);
    unread = false;
  }
  if (!unread || !merging_can_forget(f))
    merging_visit_expr(v, f->value);
  if (f->target)
    merging_visit_indices(v, f->target);
  for (size_t k = 0; k < f->args.len; k++)
    merging_visit_expr(v, f->args.data[k]);
}

/* A message is received into an element only if the element is there: such an
** array counts as read. */
static void visit_received(const visitor *v, const comm *c)
{
  for (size_t i = 0; c && i < c->args.len; i++) {
    const comm_arg *a = &c->args.data[i];
    if (a->kind == ARG_STORE && (a->target->index || a->target->field))
      see_read(v->context, a->target);
  }
}

static void visit_edge(const visitor *v, const edge *e)
{
  edge rest = *e;
  rest.effects.len = 0;
  merging_visit_edge(v, &rest);
  visit_received(v, e->comm);
  for (size_t i = 0; i < e->effects.len; i++)
    visit_effect(v, e->effects.data[i]);
}

static void visit_list(const visitor *v, expr *const *list, size_t count)
{
  for (size_t i = 0; i < count; i++)
    merging_visit_expr(v, list[i]);
}

static void visit_vars(const visitor *v, var *const *list, size_t count)
{
  for (size_t i = 0; i < count; i++)
    visit_list(v, list[i]->init.data, list[i]->init.len);
}

/* All that reads but edges. */
static void visit_rest(const visitor *v, const sight *s)
{
  const model *m = s->model;
  visit_vars(v, m->globals.data, m->globals.len);
  for (size_t i = 0; i < m->processes.len; i++) {
    const process_type *p = m->processes.data[i];
    merging_visit_expr(v, p->provided);
    visit_vars(v, p->locals.data, p->locals.len);
    visit_list(v, p->only_reads.data, p->only_reads.len);
    visit_list(v, p->only_sends.data, p->only_sends.len);
  }
  for (size_t i = 0; i < m->properties.len; i++)
    merging_visit_expr(v, m->properties.data[i].expr);
  for (size_t i = 0; i < s->to->seen_count; i++)
    merging_visit_expr(v, s->to->seen[i]);
}

static bool *candidates(arena *a, var *const *list, size_t count)
{
  bool *flags = ARENA_ARRAY(a, bool, count + 1);
  for (size_t i = 0; i < count; i++)
    flags[i] = is_candidate(list[i]);
  return flags;
}

void unread_find(sight *s)
{
  const model *m = s->model;
  merging *q = s->to;
  readers found = {.sight = s, .changed = true};
  visitor v = {see_any_expr, see_read, &found};
  q->unread_globals = candidates(q->arena, m->globals.data, m->globals.len);
  q->unread_locals = ARENA_ARRAY(q->arena, bool *, m->processes.len + 1);
  for (size_t i = 0; i < m->processes.len; i++) {
    const process_type *p = m->processes.data[i];
    q->unread_locals[p->index] =
        candidates(q->arena, p->locals.data, p->locals.len);
  }
  visit_rest(&v, s);
  while (found.changed) {
    found.changed = false;
    for (size_t i = 0; i < m->edges.len; i++)
      visit_edge(&v, m->edges.data[i]);
  }
}
