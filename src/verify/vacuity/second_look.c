/* A walk over the states after the check: which left sides of implications in
** invariants ever happen, and where atomic sequences block.  That a thing happens
** is seen before all states are; that it never does, only then. */

#include "base/alloc.h"
#include "verify/vacuity/vacuity.h"

/* The left side of an invariant that is an implication. */
typedef struct left_side {
  answer *answer;
  const expr *expr;
  bool happens;
} left_side;

typedef struct second_look {
  verification *verification;
  worker *worker;
  VEC(left_side) sides;
  bool **inside; /* by type and location: in the middle of an atomic sequence */
  uint32_t atomic; /* places that can block, by their shape, not seen to yet */
  /* The walk ends behind 'until' states; what is found there puts that off by
  ** 'patience', to 'most' at most. */
  uint64_t states, until, patience, most;
  batch batch;
  search_result result;
  process_position positions[POSITIONS_MAX];
} second_look;

/* ---- what is looked for ------------------------------------------------- */

static void find_sides(second_look *l)
{
  outcome *o = &l->verification->outcome;
  for (size_t i = 0; i < o->answers.len; i++) {
    answer *a = &o->answers.data[i];
    const property *p = a->question->property;
    if (a->question->kind == PROPERTY_INVARIANT && p->expr &&
        p->expr->op == OP_IMPLY && a->verdict == VERDICT_HOLDS)
      vec_push(&l->sides, ((left_side){a, p->expr->args[0], false}));
  }
}

/* Whether a process that comes there can always go on. */
static bool never_blocks(const process_type *p, uint32_t at)
{
  const location *l = &p->locations.data[at];
  for (uint32_t i = 0; i < l->edge_count; i++) {
    const edge *e = p->order.data[l->first_edge + i];
    if (e->flags & EDGE_ELSE ||
        (!e->guard && !e->comm && !(e->flags & EDGE_DSTEP)))
      return true;
  }
  return !l->edge_count;
}

static void find_atomic(second_look *l)
{
  const outcome *o = &l->verification->outcome;
  size_t types = o->model->processes.len;
  l->inside = ARENA_ARRAY(o->arena, bool *, types + 1);
  for (size_t i = 0; i < types; i++) {
    const process_type *p = o->model->processes.data[i];
    l->inside[i] = ARENA_ARRAY(o->arena, bool, p->locations.len + 1);
    for (size_t k = 0; k < p->edges.len; k++) {
      const edge *e = p->edges.data[k];
      if (!(e->flags & EDGE_ATOMIC) || never_blocks(p, e->target) ||
          (p->kind != PROCESS_NORMAL && p->kind != PROCESS_INIT))
        continue;
      l->atomic += !l->inside[i][e->target];
      l->inside[i][e->target] = true;
    }
  }
}

/* ---- the walk ----------------------------------------------------------- */

static bool can_move(second_look *l, const uint8_t *state, uint32_t length,
                     uint32_t process)
{
  program_successors(l->worker, state, length, &l->batch);
  for (size_t i = 0; i < l->batch.list.len; i++)
    if (l->batch.list.data[i].process == process)
      return true;
  for (size_t i = 0; i < l->batch.faults.len; i++)
    if (l->batch.faults.data[i].process == process)
      return true;
  return l->batch.abandoned;
}

static void add_block(second_look *l, const process_type *p, uint32_t at)
{
  outcome *o = &l->verification->outcome;
  const location *where = &p->locations.data[at];
  const edge *e = p->order.data[where->first_edge];
  if (!o->atomic_blocks)
    o->atomic_blocks = ARENA_NEW(o->arena, atomic_blocks);
  arena_push(o->arena, &o->atomic_blocks->list,
             ((atomic_block){p, at, e->where}));
  l->inside[p->index][at] = false; /* once is enough */
  l->atomic--;
  uint64_t until = l->states + l->patience;
  if (!l->sides.len)
    l->until = until < l->most ? until : l->most;
}

static void look_at_processes(second_look *l, const uint8_t *state,
                              uint32_t length)
{
  const verification *v = l->verification;
  uint32_t count = program_positions(v->program, state, length, l->positions);
  for (uint32_t i = 0; i < count; i++) {
    const process_position *at = &l->positions[i];
    if (l->inside[at->type][at->location] && !can_move(l, state, length, i))
      add_block(l, v->outcome.model->processes.data[at->type], at->location);
  }
}

static reason look_at_state(void *context, const uint8_t *state,
                            uint32_t length)
{
  second_look *l = context;
  bool is_over = true;
  for (size_t i = 0; i < l->sides.len; i++) {
    fault_kind failed = FAULT_NONE;
    left_side *s = &l->sides.data[i];
    s->happens |=
        program_evaluate(l->worker, s->expr, state, length, &failed) ||
        failed != FAULT_NONE;
    is_over &= s->happens;
  }
  if (l->atomic)
    look_at_processes(l, state, length);
  is_over &= !l->atomic;
  return is_over || ++l->states > l->until ? REASON_DECIDED : REASON_NONE;
}

/* Sorted by place, as they are told. */
static void sort_blocks(const outcome *o)
{
  size_t n = o->atomic_blocks ? o->atomic_blocks->list.len : 0;
  for (size_t i = 1; i < n; i++)
    for (size_t k = i; k > 0; k--) {
      atomic_block *a = &o->atomic_blocks->list.data[k - 1], *b = a + 1, c = *a;
      if (a->where.start <= b->where.start)
        break;
      *a = *b;
      *b = c;
    }
}

static uint64_t larger(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

/* That a left side never happens is known when all states are; that a sequence
** blocks shows early, others soon after the first, and a look, interpreted, is to
** take no longer than the check. */
static void set_bounds(second_look *l)
{
  uint64_t checked = l->verification->outcome.result.stats.states;
  l->most = larger(checked / 4, VACUITY_MOST);
  l->patience = larger(checked / 16, VACUITY_PATIENCE);
  l->until = l->sides.len ? VACUITY_STATES : l->patience;
}

static void walk(void *look)
{
  second_look *l = look;
  verification *v = l->verification;
  find_sides(l);
  find_atomic(l);
  if (!l->sides.len && !l->atomic)
    return;
  set_bounds(l);
  l->worker = worker_create(v->program);
  search_options s = search_defaults();
  s.limits = v->limits;
  s.count = true;
  s.on_state = look_at_state;
  s.state_context = l;
  search_run(v->program, &s, &l->result);
  for (size_t i = 0; l->result.complete && i < l->sides.len; i++) {
    const left_side *side = &l->sides.data[i];
    text out = {0};
    if (side->happens)
      continue;
    expr_print(v->annex, side->expr, &out);
    const char *part = arena_copy(v->outcome.arena, text_string(&out), out.len);
    text_free(&out);
    vacuity_add(v, side->answer,
                (vacuous){.kind = VACUITY_LEFT_SIDE, .part = part});
  }
  sort_blocks(&v->outcome);
}

void vacuity_second_look(verification *v)
{
  second_look l = {.verification = v};
  limits_begin_work(v->limits, 2 * VACUITY_LOOKS);
  mem_protect(walk, &l);
  limits_end_turn(v->limits);
  vec_free(&l.sides);
  batch_free(&l.batch);
  search_result_free(&l.result);
  worker_destroy(l.worker);
}
