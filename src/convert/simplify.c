/* Walks the expressions of a model to replace them, and puts ends, 'provided'
** and the order of creation into guards. */

#include "convert/simplify.h"

static const span nowhere = {0};

expr *simplify_both(model *m, expr *a, expr *b)
{
  return !a ? b : !b ? a : expr_new(m, OP_AND, a, b, NULL, nowhere);
}

void simplify_assign(model *m, edge *e, ref *to, expr *value)
{
  effect *f = model_add_effect(m, e, EFFECT_ASSIGN, nowhere);
  f->target = to;
  f->value = value;
}

/* ---- expressions ------------------------------------------------------- */

typedef struct visiting {
  expr_visitor *visit;
  void *context;
  process_type *owner;
} visiting;

static void visit_expr(const visiting *v, expr *e);

static void visit_ref(const visiting *v, const ref *r)
{
  for (; r; r = r->field)
    visit_expr(v, r->index);
}

static void visit_comm(const visiting *v, const comm *c)
{
  visit_expr(v, c->channel);
  for (size_t i = 0; i < c->args.len; i++) {
    visit_expr(v, c->args.data[i].value);
    visit_ref(v, c->args.data[i].target);
  }
}

static void visit_expr(const visiting *v, expr *e)
{
  if (!e)
    return;
  for (int i = 0; i < 3; i++)
    visit_expr(v, e->args[i]);
  visit_ref(v, e->ref);
  if (e->poll)
    visit_comm(v, e->poll);
  v->visit(v->context, v->owner, e);
}

static void visit_edge(const visiting *v, const edge *e)
{
  visit_expr(v, e->guard);
  if (e->comm)
    visit_comm(v, e->comm);
  for (size_t i = 0; i < e->effects.len; i++) {
    visit_ref(v, e->effects.data[i]->target);
    visit_expr(v, e->effects.data[i]->value);
  }
}

void simplify_visit(model *m, expr_visitor *visit, void *context)
{
  for (size_t i = 0; i < m->processes.len; i++) {
    process_type *p = m->processes.data[i];
    visiting v = {visit, context, p};
    visit_expr(&v, p->provided);
    for (size_t k = 0; k < p->edges.len; k++)
      visit_edge(&v, p->edges.data[k]);
  }
  for (size_t i = 0; i < m->properties.len; i++) {
    visiting v = {visit, context, NULL};
    visit_expr(&v, m->properties.data[i].expr);
  }
}

/* ---- the end of processes ---------------------------------------------- */

static bool dies(const edge *e)
{
  for (size_t i = 0; i < e->effects.len; i++)
    if (e->effects.data[i]->kind == EFFECT_DIE)
      return true;
  return false;
}

static bool is_mortal(const process_type *p)
{
  for (size_t i = 0; i < p->edges.len; i++)
    if (dies(p->edges.data[i]))
      return true;
  return false;
}

enum { GONE = -2 }; /* the number of the location, the last, of the dead */

/* That the process of this number is gone. */
static expr *is_gone(model *m, uint32_t number)
{
  process_type *p = m->initial.data[number];
  if (vec_last(&p->locations).number != GONE)
    return expr_const(m, 0, nowhere);
  expr *e = expr_new(m, OP_AT, expr_const(m, (int32_t)number, nowhere), NULL,
                     NULL, nowhere);
  e->process = p;
  e->location = (uint32_t)p->locations.len - 1;
  return e;
}

/* Only the youngest can end: whoever is younger is gone. */
static expr *younger_are_gone(model *m, const process_type *p)
{
  expr *all = NULL;
  uint32_t first = 0;
  while (first < m->initial.len && m->initial.data[first] != p)
    first++;
  for (uint32_t i = first + 1; i < m->initial.len; i++) {
    expr *older =
        expr_new(m, OP_GE, expr_new(m, OP_PID, NULL, NULL, NULL, nowhere),
                 expr_const(m, (int32_t)i, nowhere), NULL, nowhere);
    all = simplify_both(
        m, all, expr_new(m, OP_OR, older, is_gone(m, i), NULL, nowhere));
  }
  return all;
}

enum { DEPTH_MAX = 16 }; /* of records in records */

/* Sets everything behind 'v' to what it has when nobody is there.  'path' is
** the way to it, of 'depth' references. */
static void reset_var(model *m, edge *e, var *v, ref **path, size_t depth)
{
  for (uint32_t i = 0; i < v->length && depth < DEPTH_MAX; i++) {
    path[depth] = ref_new(
        m, v, v->flags & VAR_ARRAY ? expr_const(m, (int32_t)i, nowhere) : NULL,
        NULL, nowhere);
    if (v->type.kind == TYPE_RECORD) {
      record *r = v->type.record;
      for (size_t k = 0; k < r->fields.len; k++)
        reset_var(m, e, r->fields.data[k], path, depth + 1);
      continue;
    }
    ref *whole = NULL;
    for (size_t k = depth + 1; k-- > 0;)
      whole = ref_new(m, path[k]->var, path[k]->index, whole, nowhere);
    bool has_zero = v->type.lo <= 0 && v->type.hi >= 0;
    simplify_assign(m, e, whole,
                    expr_const(m, has_zero ? 0 : v->type.lo, nowhere));
  }
}

static void end_by_moving(model *m, process_type *p, edge *e, uint32_t gone)
{
  ref *path[DEPTH_MAX];
  size_t kept = 0;
  for (size_t i = 0; i < e->effects.len; i++)
    if (e->effects.data[i]->kind != EFFECT_DIE)
      e->effects.data[kept++] = e->effects.data[i];
  e->effects.len = kept;
  e->guard = simplify_both(m, e->guard, younger_are_gone(m, p));
  e->target = gone;
  for (size_t i = 0; i < p->locals.len; i++)
    reset_var(m, e, p->locals.data[i], path, 0);
}

static void count_living(void *context, process_type *owner, expr *e)
{
  model *m = context;
  (void)owner;
  if (e->op != OP_NR_PR)
    return;
  expr *sum = expr_const(m, (int32_t)m->initial.len, nowhere);
  for (uint32_t i = 0; i < m->initial.len; i++)
    sum = expr_new(m, OP_SUB, sum, is_gone(m, i), NULL, nowhere);
  *e = *sum;
}

static void simplify_ends(model *m)
{
  for (size_t i = 0; i < m->processes.len; i++)
    if (is_mortal(m->processes.data[i]))
      model_add_location(m, m->processes.data[i], LOC_END, GONE, nowhere);
  simplify_visit(m, count_living, m);
  for (size_t i = 0; i < m->processes.len; i++) {
    process_type *p = m->processes.data[i];
    for (size_t k = 0; k < p->edges.len; k++)
      if (dies(p->edges.data[k]))
        end_by_moving(m, p, p->edges.data[k], (uint32_t)p->locations.len - 1);
  }
  m->flags &= ~(uint32_t)MODEL_HAS_DEATH;
}

/* ---- who may move ------------------------------------------------------ */

static void simplify_provided(model *m, process_type *p)
{
  for (size_t i = 0; i < p->edges.len && p->provided; i++)
    p->edges.data[i]->guard =
        simplify_both(m, p->provided, p->edges.data[i]->guard);
  p->provided = NULL;
}

/* Whether 'e' is not executable when 'before' is. */
static bool must_wait(const process_type *p, size_t e, size_t before)
{
  const edge *a = p->edges.data[e], *b = p->edges.data[before];
  if (a->source != b->source || e == before || b->rank < a->rank)
    return false;
  return b->rank > a->rank || ((a->flags & EDGE_ELSE) && before < e);
}

/* The edges of a process by their source, in their order. */
typedef struct by_source {
  VEC(uint32_t) first; /* by location: the first edge plus 1, or 0 */
  VEC(uint32_t) next;  /* by edge, likewise */
} by_source;

static void sort_by_source(const process_type *p, by_source *s)
{
  vec_resize(&s->first, p->locations.len);
  vec_resize(&s->next, p->edges.len);
  for (size_t i = p->edges.len; i-- > 0;) {
    uint32_t *first = &s->first.data[p->edges.data[i]->source];
    s->next.data[i] = *first;
    *first = (uint32_t)i + 1;
  }
}

/* Says by a guard that no edge that comes first can be executed; false when
** that cannot be said. */
static bool wait_for_others(model *m, const process_type *p, const by_source *s,
                            size_t index, expr **guard)
{
  *guard = p->edges.data[index]->guard;
  uint32_t at = s->first.data[p->edges.data[index]->source];
  for (; at; at = s->next.data[at - 1]) {
    size_t i = at - 1;
    const edge *b = p->edges.data[i];
    if (!must_wait(p, index, i))
      continue;
    if (b->comm || (b->flags & (EDGE_ELSE | EDGE_DSTEP)))
      return false;
    expr *can = b->guard ? b->guard : expr_const(m, 1, nowhere);
    *guard =
        simplify_both(m, *guard, expr_new(m, OP_NOT, can, NULL, NULL, nowhere));
  }
  return true;
}

/* All guards are made before one is changed: they look at each other. */
static void simplify_order(model *m, process_type *p)
{
  VEC(expr *) guards = {0};
  by_source sorted = {0};
  bool fine = true;
  sort_by_source(p, &sorted);
  for (size_t i = 0; i < p->edges.len && fine; i++) {
    expr *guard;
    fine = wait_for_others(m, p, &sorted, i, &guard);
    vec_push(&guards, guard);
  }
  for (size_t i = 0; i < p->edges.len && fine; i++) {
    edge *e = p->edges.data[i];
    e->guard = guards.data[i];
    e->flags &= ~(uint32_t)EDGE_ELSE;
    e->rank = 0;
  }
  vec_free(&guards);
  vec_free(&sorted.first);
  vec_free(&sorted.next);
}

void simplify(model *m, const abilities *t)
{
  if (m->flags & (MODEL_HAS_RUN | MODEL_HAS_C | MODEL_HAS_PLUGIN))
    return; /* it is refused anyway */
  simplify_channels(m, t);
  simplify_ends(m);
  for (size_t i = 0; i < m->processes.len; i++) {
    process_type *p = m->processes.data[i];
    if (p->kind != PROCESS_NORMAL && p->kind != PROCESS_INIT)
      continue;
    simplify_provided(m, p);
    simplify_order(m, p);
    simplify_atomic(m, p);
  }
}
