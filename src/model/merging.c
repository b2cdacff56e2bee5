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

static bool is_private(const sight *s, const edge *e);

/* Whether all edges inside the block concern their process alone. */
static bool is_block_private(const sight *s, const edge *e)
{
  const process_type *p = e->process;
  uint8_t *seen = ARENA_ARRAY(s->to->arena, uint8_t, p->locations.len + 1);
  VEC(uint32_t) todo = {0};
  bool good = true;
  vec_push(&todo, e->block);
  while (todo.len && good) {
    uint32_t number = vec_pop(&todo);
    const location *at = &p->locations.data[number];
    if (seen[number] || !(at->flags & LOC_DSTEP))
      continue;
    seen[number] = 1;
    for (uint32_t i = 0; i < at->edge_count; i++) {
      const edge *inner = p->order.data[at->first_edge + i];
      good &= is_private(s, inner);
      vec_push(&todo, inner->target);
    }
  }
  vec_free(&todo);
  return good;
}

/* An edge that concerns its process alone. */
static bool is_private(const sight *s, const edge *e)
{
  bool foreign = false;
  visitor v = {see_foreign_expr, see_foreign_ref, &foreign};
  if (e->comm || e->flags & EDGE_PARALLEL)
    return false;
  if (e->flags & EDGE_DSTEP)
    return is_block_private(s, e);
  merging_visit_edge(&v, e);
  return !foreign && writes_for_itself(s, e);
}

/* ---- who is ready for a rendezvous -------------------------------------- */

static void set_unfixed(const sight *s, const ref *r)
{
  if (!r->var->owner)
    s->fixed[r->var->index] = false;
}

static void find_fixed(sight *s)
{
  const model *m = s->model;
  for (size_t i = 0; i < m->globals.len; i++)
    s->fixed[i] = m->globals.data[i]->init_channel;
  for (size_t i = 0; i < m->edges.len; i++) {
    const edge *e = m->edges.data[i];
    for (size_t k = 0; k < e->effects.len; k++)
      if (e->effects.data[k]->kind == EFFECT_ASSIGN)
        set_unfixed(s, e->effects.data[k]->target);
    for (size_t k = 0; e->comm && k < e->comm->args.len; k++)
      if (e->comm->args.data[k].target)
        set_unfixed(s, e->comm->args.data[k].target);
  }
  for (size_t i = 0; i < m->channels.len; i++)
    s->meets |= !m->channels.data[i]->capacity;
}

/* The global whose channel, or one of whose channels, the communication surely
** uses; or NULL. */
static const var *channel_of(const sight *s, const comm *c)
{
  const expr *e = c->channel;
  bool plain = e && e->op == OP_VAR && !e->ref->field && !e->ref->var->owner;
  return plain && s->fixed[e->ref->var->index] ? e->ref->var : NULL;
}

/* Whether the channel may have no room. */
static bool may_meet(const sight *s, const comm *c)
{
  if (c->kind != COMM_SEND && c->kind != COMM_RECEIVE)
    return true;
  const var *v = channel_of(s, c);
  return v ? !v->init_channel->capacity : s->meets;
}

static bool may_be_one(const sight *s, const comm *a, const comm *b)
{
  const var *one = channel_of(s, a), *other = channel_of(s, b);
  if (!one || !other)
    return true;
  const expr *i = a->channel->ref->index, *k = b->channel->ref->index;
  return one == other && !(i && k && i->op == OP_CONST && k->op == OP_CONST &&
                           i->value != k->value);
}

static bool waits_for_partner(const sight *s, const edge *e)
{
  return e->comm && e->comm->kind != COMM_RECEIVE && may_meet(s, e->comm);
}

static bool answers(const sight *s, const edge *e)
{
  return e->comm && e->comm->kind != COMM_SEND && may_meet(s, e->comm);
}

/* How many edges of the location may answer a rendezvous. */
static uint32_t count_answers(const sight *s, const process_type *p,
                              uint32_t number)
{
  const location *at = &p->locations.data[number];
  uint32_t count = 0;
  for (uint32_t i = 0; i < at->edge_count; i++)
    count += answers(s, p->order.data[at->first_edge + i]);
  return count;
}

/* Whether a process comes to the location in the middle of a sequence that
** concerns others already. */
static bool is_in_sequence(const sight *s, const process_type *p,
                           uint32_t number)
{
  for (size_t i = 0; i < p->edges.len; i++) {
    const edge *e = p->edges.data[i];
    if (e->target == number && e->flags & EDGE_ATOMIC && !s->idle[e->index])
      return true;
  }
  return p->locations.data[number].flags & LOC_DSTEP;
}

/* Whether what a process does at the location depends on who is ready, when it
** can send there: in the middle of a sequence, which then goes on or stops, and
** beside an 'else' or an edge of another rank. */
static bool asks_at(const sight *s, const process_type *p, uint32_t number)
{
  const location *at = &p->locations.data[number];
  for (uint32_t i = 0; i < at->edge_count; i++) {
    const edge *e = p->order.data[at->first_edge + i];
    if (e->flags & EDGE_ELSE || e->rank)
      return true;
  }
  return is_in_sequence(s, p, number);
}

/* Whether somebody asks if a process is at the location, to meet it. */
static bool is_asked_for(const sight *s, const process_type *p, uint32_t number)
{
  const location *at = &p->locations.data[number];
  for (uint32_t i = 0; i < at->edge_count; i++) {
    const edge *e = p->order.data[at->first_edge + i];
    for (size_t k = 0; answers(s, e) && k < s->model->edges.len; k++)
      if (s->asks[k] && may_be_one(s, s->model->edges.data[k]->comm, e->comm))
        return true;
  }
  return false;
}

/* Whether the atomic sequence may as well begin behind the edge: by one that
** nobody sees, and where nobody can make use of a process that rests there,
** unless it always does. */
static bool can_release(const sight *s, const edge *e)
{
  const process_type *p = e->process;
  uint32_t ready = count_answers(s, p, e->target);
  return !ready || ready == p->locations.data[e->target].edge_count;
}

static bool has_ranks(const process_type *p, uint32_t number)
{
  const location *at = &p->locations.data[number];
  for (uint32_t i = 0; i < at->edge_count; i++)
    if (p->order.data[at->first_edge + i]->rank)
      return true;
  return false;
}

/* Whether nobody sees where processes of the type are. */
static bool is_unseen(const sight *s, const process_type *p)
{
  return is_system(p) && !s->seen_locations[p->index] && !p->provided &&
         !(s->model->flags & MODEL_HAS_COMMITTED);
}

/* Finds the edges that begin atomic sequences and might be released, whether they
** are or not: who asks behind them asks for nobody. */
static void find_idle(sight *s)
{
  const model *m = s->model;
  for (size_t i = 0; i < m->edges.len; i++) {
    const edge *e = m->edges.data[i];
    s->idle[i] = e->flags & EDGE_ATOMIC && is_unseen(s, e->process) &&
                 is_private(s, e) && can_release(s, e) &&
                 !has_ranks(e->process, e->source) &&
                 !is_asked_for(s, e->process, e->source);
  }
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < m->edges.len; i++)
      if (s->idle[i] && is_in_sequence(s, m->edges.data[i]->process,
                                       m->edges.data[i]->source)) {
        s->idle[i] = false;
        again = true;
      }
  }
}

/* Notes who asks.  Answers whether there is somebody who was not known to.  A
** multicast always does. */
static bool find_asking(sight *s)
{
  bool found = false;
  find_idle(s);
  for (size_t i = 0; i < s->model->edges.len; i++) {
    const edge *e = s->model->edges.data[i];
    if (s->asks[i] || !is_system(e->process) || !waits_for_partner(s, e))
      continue;
    s->asks[i] =
        e->comm->kind != COMM_SEND || asks_at(s, e->process, e->source);
    found |= s->asks[i];
  }
  return found;
}

/* ---- locations that are passed ------------------------------------------ */

/* Without which the edge cannot be executed; NULL: not known. */
static const expr *condition_of(const edge *e)
{
  const process_type *p = e->process;
  if (!(e->flags & EDGE_DSTEP))
    return e->guard;
  const location *at = &p->locations.data[e->block];
  return at->edge_count == 1 ? p->order.data[at->first_edge]->guard : NULL;
}

/* Whether at most one edge of the location can be executed at a time. */
static bool is_decided(const process_type *p, const location *at)
{
  for (uint32_t i = 0; i < at->edge_count; i++) {
    const edge *e = p->order.data[at->first_edge + i];
    const expr *one = condition_of(e);
    for (uint32_t k = 0; k < i; k++) {
      const expr *other = condition_of(p->order.data[at->first_edge + k]);
      if (!(e->flags & EDGE_ELSE) &&
          !(one && other && expr_excludes(one, other)))
        return false;
    }
  }
  return true;
}

/* A location where nobody else can interfere: one need not rest there.  Where
** it matters who is ready for a rendezvous one must, before one is. */
static bool is_passable(const sight *s, const process_type *p,
                        const location *at)
{
  if (at->flags & (LOC_DSTEP | LOC_COMMITTED) || !at->edge_count)
    return false;
  for (uint32_t i = 0; i < at->edge_count; i++) {
    const edge *e = p->order.data[at->first_edge + i];
    if (!is_private(s, e) || (e->flags & EDGE_ATOMIC && !can_release(s, e)) ||
        is_asked_for(s, p, e->target))
      return false;
  }
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

/* Finds what is merged, given the locations that can be passed. */
static void merge_at(sight *s, const process_type *p, const bool *passable)
{
  arena *a = s->to->arena;
  size_t n = p->locations.len;
  uint8_t *state = ARENA_ARRAY(a, uint8_t, n + 1);
  uint32_t *turn = ARENA_ARRAY(a, uint32_t, n + 1);
  for (size_t i = 0; i < p->edges.len; i++) {
    const edge *e = p->edges.data[i];
    bool inside = p->locations.data[e->source].flags & LOC_DSTEP;
    s->to->merged[e->index] = !inside && !merging_ends(e) &&
                              !(e->flags & EDGE_ATOMIC) && passable[e->target];
  }
  for (uint32_t i = 0; i < n; i++)
    if (passable[i] && !state[i])
      cut_circles(s, p, passable, i, state, turn);
}

static bool begins_sequence(const process_type *p, const location *at)
{
  for (uint32_t i = 0; i < at->edge_count; i++)
    if (p->order.data[at->first_edge + i]->flags & EDGE_ATOMIC)
      return true;
  return false;
}

/* Whether every way to the location goes on there.  Behind a rendezvous it is
** the receiver who goes on. */
static bool is_never_rested_at(const sight *s, const process_type *p,
                               uint32_t number)
{
  for (size_t i = 0; i < p->edges.len; i++) {
    const edge *e = p->edges.data[i];
    if (e->target == number &&
        (!s->to->merged[e->index] || waits_for_partner(s, e)))
      return false;
  }
  return p->start != number;
}

/* A sequence is released where no process rests before it, nor has a choice:
** otherwise there could be more states, not fewer. */
static void merge_type(sight *s, const process_type *p)
{
  size_t n = p->locations.len;
  bool *passable = ARENA_ARRAY(s->to->arena, bool, n + 1);
  for (size_t i = 0; i < n; i++)
    passable[i] = is_passable(s, p, &p->locations.data[i]);
  for (bool again = true; again;) {
    again = false;
    merge_at(s, p, passable);
    for (uint32_t i = 0; i < n; i++)
      if (passable[i] && begins_sequence(p, &p->locations.data[i]) &&
          !(is_never_rested_at(s, p, i) &&
            is_decided(p, &p->locations.data[i]))) {
        passable[i] = false;
        again = true;
      }
  }
  for (size_t i = 0; i < p->edges.len; i++) {
    const edge *e = p->edges.data[i];
    s->to->released[e->index] = e->flags & EDGE_ATOMIC && passable[e->source];
    s->to->merged_count += s->to->merged[e->index];
  }
}

/* Sequences that are released ask for nobody; those that are not may. */
static void merge_types(sight *s)
{
  const model *m = s->model;
  s->fixed = ARENA_ARRAY(s->to->arena, bool, m->globals.len + 1);
  s->idle = ARENA_ARRAY(s->to->arena, bool, m->edges.len + 1);
  s->asks = ARENA_ARRAY(s->to->arena, bool, m->edges.len + 1);
  find_fixed(s);
  do {
    s->to->merged_count = 0;
    for (size_t i = 0; i < m->processes.len; i++) {
      const process_type *p = m->processes.data[i];
      if (is_unseen(s, p))
        merge_type(s, p);
    }
  } while (find_asking(s));
}

/* ---- all of it --------------------------------------------------------- */

/* Whether all that is read is seen, and one process moves at a time. */
static bool is_seen(const model *m)
{
  return !(m->flags & (MODEL_SYNCHRONOUS | MODEL_HAS_C | MODEL_HAS_PLUGIN));
}

/* Whether nobody sees who moved. */
static bool is_suitable(const model *m)
{
  return !(m->flags & (MODEL_HAS_PRIORITY | MODEL_HAS_LAST));
}

static void fill(void *filled)
{
  merging *q = filled;
  const model *m = q->model;
  q->arena = arena_create();
  q->merged = ARENA_ARRAY(q->arena, bool, m->edges.len + 1);
  q->released = ARENA_ARRAY(q->arena, bool, m->edges.len + 1);
  q->dead = ARENA_ARRAY(q->arena, const var **, m->edges.len + 1);
  sight s = {.to = q, .model = m};
  look_at_model(&s);
  if (is_seen(m))
    unread_find(&s);
  if (s.nothing || !is_seen(m) || !is_suitable(m))
    return;
  merge_types(&s);
  for (size_t i = 0; i < m->processes.len; i++)
    if (is_system(m->processes.data[i]))
      dead_reset_type(&s, m->processes.data[i]);
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
