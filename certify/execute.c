/* An edge: whether it can be executed, its effects, and blocks that run as one
** step. */

#include "certify.h"

#include <string.h>

/* A d_step can start when one of its first edges can; its else always. */
static bool can_start(engine *e, const edge *g)
{
  const process_type *p = type_of(e->model, e->s, e->self);
  const location *at = &p->locations[g->block];
  for (uint32_t i = 0; i < at->count; i++) {
    const edge *inner = &p->edges[at->first + i];
    if (inner->is_else ? !e->handshake : can_execute(e, inner))
      return true;
  }
  return false;
}

static bool can_die(const engine *e, const edge *g)
{
  for (uint32_t i = 0; i < g->effect_count; i++)
    if (g->effects[i]->op == OP_die && e->self + 1 != e->s->processes)
      return false;
  return true;
}

bool can_execute(engine *e, const edge *g)
{
  if (g->has_block)
    return can_start(e, g);
  if (e->handshake || e->port)
    return g->comm && can_answer(e, g->comm);
  if (g->guard && !value_of(e, g->guard))
    return false;
  if (!g->comm)
    return can_die(e, g);
  return g->comm->op == OP_multicast ||
         (g->comm->op != OP_join && can_communicate(e, g->comm));
}

bool can_do_something(engine *e, uint32_t process)
{
  const process_type *p = type_of(e->model, e->s, process);
  const location *at = place_of(e->model, e->s, process);
  e->self = process;
  for (uint32_t i = 0; i < at->count; i++) {
    const edge *g = &p->edges[at->first + i];
    if (g->is_else || can_execute(e, g))
      return true;
  }
  return false;
}

/* ---- effects --------------------------------------------------------------- */

static void do_effect(engine *e, const node *f)
{
  if (f->op == OP_assign) {
    assign(e, f->args[0], value_of(e, f->args[1]));
  } else if (f->op == OP_die) {
    remove_process(e);
  } else {
    for (uint32_t i = 0; i < f->count; i++)
      if (!value_of(e, f->args[i]) && f->op == OP_assert)
        refuse("an assertion is violated");
  }
}

void do_effects(engine *e, const edge *g)
{
  static numbers values;
  set_message(&values, NULL, g->effect_count);
  for (uint32_t i = 0; i < g->effect_count && g->is_parallel; i++)
    if (g->effects[i]->op == OP_assign)
      values.data[i] = value_of(e, g->effects[i]->args[1]);
  for (uint32_t i = 0; i < g->effect_count; i++)
    if (g->is_parallel && g->effects[i]->op == OP_assign)
      assign(e, g->effects[i]->args[0], values.data[i]);
    else
      do_effect(e, g->effects[i]);
}

static void do_edge(engine *e, const edge *g)
{
  bool answers = e->handshake != 0;
  uint32_t self = e->self;
  if (g->comm && g->comm->op == OP_receive)
    do_receive(e, g->comm);
  else if (g->comm)
    do_send(e, g->comm);
  if (answers) {
    e->self = e->sender;
    do_effects(e, e->sender_edge);
    e->self = self;
  }
  if (!e->handshake && !e->port)
    do_effects(e, g);
}

/* ---- d_step ------------------------------------------------------------------ */

static const edge *choose(engine *e, const process_type *p, const location *at)
{
  for (uint32_t i = 0; i < at->count; i++) {
    const edge *g = &p->edges[at->first + i];
    if (g->is_else || can_execute(e, g))
      return g;
  }
  return NULL;
}

/* A d_step has no choice: in a state it has been in before it goes on as then,
** and never ends.  States are compared with that after the last power of two
** steps (Brent). */
static void look_for_circle(engine *e, uint32_t at, uint64_t steps)
{
  static state before;
  static uint32_t place;
  enum { SUSPECT_AFTER = 1 << 12 };
  if (steps < SUSPECT_AFTER)
    return;
  if (!(steps & (steps - 1))) {
    state_copy(&before, e->s);
    place = at;
  } else if (place == at && before.len == e->s->len &&
             !memcmp(before.row, e->s->row, before.len * sizeof *before.row)) {
    refuse("a d_step never ends");
  }
}

static void run_block(engine *e, const edge *block)
{
  const process_type *p = type_of(e->model, e->s, e->self);
  uint32_t at = block->block;
  for (uint64_t steps = 1; p->locations[at].is_inner; steps++) {
    const edge *g = choose(e, p, &p->locations[at]);
    if (!g)
      refuse("a d_step cannot go on");
    look_for_circle(e, at, steps);
    do_edge(e, g);
    at = g->target;
    if (e->handshake || e->port)
      refuse("a d_step waits for a rendezvous");
  }
}

void execute(engine *e, const edge *g)
{
  uint32_t self = e->self;
  if (g->has_block)
    run_block(e, g);
  else
    do_edge(e, g);
  if (self < e->s->processes)
    e->s->row[e->s->process_at[self] + 1] = (int32_t)g->target;
  if (e->model->has_last)
    e->s->row[e->model->last_at] = (uint8_t)self;
}
