/* What others see of a process, and steps that are merged with the one before
** (merging.h). */

#include "base/alloc.h"
#include "model/merging_internal.h"

#include <string.h>

static bool is_system(const process_type *p)
{
  return p->kind == PROCESS_NORMAL || p->kind == PROCESS_INIT;
}

/* ---- walks over expressions -------------------------------------------- */

void merging_visit_indices(const visitor *v, const ref *r)
{
  for (; r; r = r->field)
    merging_visit_expr(v, r->index);
}

/* What a communication reads; what it stores into is no reading. */
static void visit_comm(const visitor *v, const comm *c)
{
  merging_visit_expr(v, c->channel);
  for (size_t i = 0; i < c->args.len; i++) {
    merging_visit_expr(v, c->args.data[i].value);
    if (c->args.data[i].target)
      merging_visit_indices(v, c->args.data[i].target);
  }
}

void merging_visit_expr(const visitor *v, const expr *e)
{
  if (!e)
    return;
  v->see_expr(v->context, e);
  if (e->ref) {
    v->see_ref(v->context, e->ref);
    merging_visit_indices(v, e->ref);
  }
  for (int i = 0; i < 3; i++)
    merging_visit_expr(v, e->args[i]);
  if (e->poll)
    visit_comm(v, e->poll);
  if (!e->run)
    return;
  merging_visit_expr(v, e->run->priority);
  for (size_t i = 0; i < e->run->args.len; i++)
    merging_visit_expr(v, e->run->args.data[i]);
}

void merging_visit_edge(const visitor *v, const edge *e)
{
  merging_visit_expr(v, e->guard);
  if (e->comm)
    visit_comm(v, e->comm);
  for (size_t i = 0; i < e->effects.len; i++) {
    const effect *f = e->effects.data[i];
    merging_visit_expr(v, f->value);
    if (f->target)
      merging_visit_indices(v, f->target);
    for (size_t k = 0; k < f->args.len; k++)
      merging_visit_expr(v, f->args.data[k]);
  }
}

static void visit_inits(const visitor *v, const var *x)
{
  for (size_t i = 0; i < x->init.len; i++)
    merging_visit_expr(v, x->init.data[i]);
}

/* ---- what others see --------------------------------------------------- */

static void see_remote(void *context, const expr *e)
{
  sight *s = context;
  switch (e->op) {
  case OP_AT:
    s->seen_locations[e->process->index] = true;
    break;
  case OP_REMOTE:
    if (e->ref->var->owner)
      s->seen[e->ref->var->owner->index][e->ref->var->index] = true;
    break;
  case OP_LAST:
  case OP_NP:
  case OP_ENABLED:
  case OP_PC_VALUE:
  case OP_PRIORITY:
  case OP_SET_PRIORITY:
  case OP_EMBED:
    s->nothing = true;
    break;
  default:
    break;
  }
}

/* A state in which nothing can happen is told from one in which a process goes
** on by itself only by those who ask from outside. */
static void see_asked(void *context, const expr *e)
{
  sight *s = context;
  see_remote(context, e);
  s->nothing |= e->op == OP_TIMEOUT;
}

static void see_nothing(void *context, const ref *r)
{
  (void)context;
  (void)r;
}

static void see_claimed(void *context, const ref *r)
{
  sight *s = context;
  if (r->var->owner)
    s->seen[r->var->owner->index][r->var->index] = true;
}

static void look_at_type(sight *s, const visitor *v, const process_type *p)
{
  visitor claims = {see_remote, see_claimed, s};
  merging_visit_expr(v, p->provided);
  for (size_t i = 0; i < p->locals.len; i++)
    visit_inits(v, p->locals.data[i]);
  for (size_t i = 0; i < p->only_reads.len; i++)
    merging_visit_expr(&claims, p->only_reads.data[i]);
  for (size_t i = 0; i < p->only_sends.len; i++)
    merging_visit_expr(&claims, p->only_sends.data[i]);
}

static void look_at_model(sight *s)
{
  const model *m = s->model;
  arena *a = s->to->arena;
  visitor v = {see_remote, see_nothing, s};
  s->seen_locations = ARENA_ARRAY(a, bool, m->processes.len + 1);
  s->seen = ARENA_ARRAY(a, bool *, m->processes.len + 1);
  for (size_t i = 0; i < m->processes.len; i++)
    s->seen[i] = ARENA_ARRAY(a, bool, m->processes.data[i]->locals.len + 1);
  for (size_t i = 0; i < m->processes.len; i++)
    look_at_type(s, &v, m->processes.data[i]);
  for (size_t i = 0; i < m->globals.len; i++)
    visit_inits(&v, m->globals.data[i]);
  for (size_t i = 0; i < m->edges.len; i++)
    merging_visit_edge(&v, m->edges.data[i]);
  v.see_expr = see_asked;
  for (size_t i = 0; i < m->properties.len; i++)
    merging_visit_expr(&v, m->properties.data[i].expr);
  for (size_t i = 0; i < s->to->seen_count; i++)
    merging_visit_expr(&v, s->to->seen[i]);
}

/* ---- merging ----------------------------------------------------------- */

/* Set when something is read that others may change. */
static void see_foreign_expr(void *context, const expr *e)
{
  bool *foreign = context;
  bool plain = e->op <= OP_COND || e->op == OP_PID;
  *foreign |= !plain;
}

static void see_foreign_ref(void *context, const ref *r)
{
  bool *foreign = context;
  *foreign |= !r->var->owner;
}

static bool writes_for_itself(const sight *s, const edge *e)
{
  for (size_t i = 0; i < e->effects.len; i++) {
    const effect *f = e->effects.data[i];
    if (f->kind == EFFECT_EVAL || f->kind == EFFECT_DIE)
      return false;
    if (f->kind != EFFECT_ASSIGN)
      continue;
    const var *v = f->target->var;
    if (!v->owner || v->flags & VAR_HIDDEN ||
        s->seen[v->owner->index][v->index])
      return false;
  }
  return true;
}

/* An edge that concerns its process alone. */
static bool is_private(const sight *s, const edge *e)
{
  bool foreign = false;
  visitor v = {see_foreign_expr, see_foreign_ref, &foreign};
  if (e->comm || e->flags & (EDGE_ATOMIC | EDGE_DSTEP | EDGE_PARALLEL))
    return false;
  merging_visit_edge(&v, e);
  return !foreign && writes_for_itself(s, e);
}

/* A location where nobody else can interfere: one need not rest there. */
static bool is_passable(const sight *s, const process_type *p,
                        const location *at)
{
  if (at->flags & (LOC_DSTEP | LOC_COMMITTED) || !at->edge_count)
    return false;
  for (uint32_t i = 0; i < at->edge_count; i++)
    if (!is_private(s, p->order.data[at->first_edge + i]))
      return false;
  return true;
}

bool merging_ends(const edge *e)
{
  for (size_t i = 0; i < e->effects.len; i++)
    if (e->effects.data[i]->kind == EFFECT_DIE)
      return true;
  return false;
}

/* Depth first over passable locations: an edge that leads back to one on the
** way is not merged, so that every sequence has an end.  'state': 1 on the
** way, 2 done; 'turn': the next edge to look at. */
static void cut_circles(sight *s, const process_type *p, const bool *passable,
                        uint32_t from, uint8_t *state, uint32_t *turn)
{
  VEC(uint32_t) way = {0};
  bool *merged = s->to->merged;
  vec_push(&way, from);
  state[from] = 1;
  while (way.len) {
    uint32_t at = vec_last(&way);
    const location *l = &p->locations.data[at];
    if (turn[at] == l->edge_count) {
      state[at] = 2;
      way.len--;
      continue;
    }
    const edge *e = p->order.data[l->first_edge + turn[at]++];
    if (!merged[e->index] || !passable[e->target])
      continue;
    if (state[e->target] == 1) {
      merged[e->index] = false;
    } else if (!state[e->target]) {
      state[e->target] = 1;
      vec_push(&way, e->target);
    }
  }
  vec_free(&way);
}

static void merge_type(sight *s, const process_type *p)
{
  arena *a = s->to->arena;
  size_t n = p->locations.len;
  bool *passable = ARENA_ARRAY(a, bool, n + 1);
  uint8_t *state = ARENA_ARRAY(a, uint8_t, n + 1);
  uint32_t *turn = ARENA_ARRAY(a, uint32_t, n + 1);
  for (size_t i = 0; i < n; i++)
    passable[i] = is_passable(s, p, &p->locations.data[i]);
  for (size_t i = 0; i < p->edges.len; i++) {
    const edge *e = p->edges.data[i];
    bool inside = p->locations.data[e->source].flags & LOC_DSTEP;
    s->to->merged[e->index] = !inside && !merging_ends(e) &&
                              !(e->flags & EDGE_ATOMIC) && passable[e->target];
  }
  for (uint32_t i = 0; i < n; i++)
    if (passable[i] && !state[i])
      cut_circles(s, p, passable, i, state, turn);
  for (size_t i = 0; i < p->edges.len; i++)
    s->to->merged_count += s->to->merged[p->edges.data[i]->index];
}

/* ---- all of it --------------------------------------------------------- */

static bool is_suitable(const model *m)
{
  return !(m->flags & (MODEL_SYNCHRONOUS | MODEL_HAS_PRIORITY | MODEL_HAS_LAST |
                       MODEL_HAS_C | MODEL_HAS_PLUGIN));
}

static void fill(void *filled)
{
  merging *q = filled;
  const model *m = q->model;
  q->arena = arena_create();
  q->merged = ARENA_ARRAY(q->arena, bool, m->edges.len + 1);
  q->dead = ARENA_ARRAY(q->arena, const var **, m->edges.len + 1);
  sight s = {.to = q, .model = m};
  look_at_model(&s);
  if (!s.nothing && is_suitable(m))
    unread_find(&s);
  for (size_t i = 0; i < m->processes.len; i++) {
    const process_type *p = m->processes.data[i];
    if (s.nothing || !is_suitable(m) || !is_system(p))
      continue;
    if (!s.seen_locations[i] && !p->provided &&
        !(m->flags & MODEL_HAS_COMMITTED))
      merge_type(&s, p);
    dead_reset_type(&s, p);
  }
}

static void undo_fill(void *filled)
{
  merging_destroy(filled);
}

merging *merging_create(const model *m, const expr *const *seen,
                        size_t seen_count)
{
  merging *q = mem_alloc(sizeof *q);
  q->model = m;
  q->seen = seen;
  q->seen_count = seen_count;
  mem_protect_undo(fill, undo_fill, q);
  return q;
}

void merging_destroy(merging *q)
{
  if (!q)
    return;
  arena_destroy(q->arena);
  mem_free(q, sizeof *q);
}
