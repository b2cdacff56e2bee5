/* An edge: whether it can be executed, its effects, and blocks that run as one
** step. */

#include "program/interp/worker.h"

/* Steps of a d_step after which it is suspected to be endless; a power of 2. */
enum { SUSPECT_AFTER = 1 << 12 };

const clocation *location_of(const worker *m, uint32_t process)
{
  return &m->code->processes[m->shape.process_type[process]]
              .locations[get_location(m, process)];
}

/* A d_step can start when one of its first edges can; its else always. */
static bool block_can_start(worker *m, const cedge *e)
{
  const clocation *at =
      &m->code->processes[m->shape.process_type[m->self]].locations[e->block];
  for (uint32_t i = 0; i < at->count; i++) {
    const cedge *inner = &m->code->edges[at->first + i];
    if (inner->flags & EDGE_ELSE ? !m->handshake : can_execute(m, inner))
      return true;
  }
  return false;
}

bool can_die(const worker *m, const cedge *e)
{
  for (uint32_t i = 0; i < e->effect_count; i++)
    if (e->effects[i].kind == EFFECT_DIE && m->self + 1 != m->shape.processes)
      return false;
  return true;
}

/* For the running process in the current state; 'else', the partner of a
** rendezvous, and the guard of that partner are the caller's concern.  While
** a rendezvous or multicast is in progress only its answers can be
** executed. */
bool can_execute(worker *m, const cedge *e)
{
  if (e->flags & EDGE_DSTEP)
    return block_can_start(m, e);
  if (m->handshake)
    return e->comm && e->comm->kind == COMM_RECEIVE && can_answer(m, e->comm);
  if (m->port)
    return e->comm && e->comm->kind == COMM_JOIN && can_join(m, e->comm);
  if (e->flags & EDGE_PLUGIN)
    return plugin_has_step(m, e);
  if (e->guard && !eval(m, e->guard))
    return false;
  if (e->comm) {
    switch ((comm_kind)e->comm->kind) {
    case COMM_SEND:
      return can_send(m, e->comm);
    case COMM_RECEIVE:
      return can_receive(m, e->comm);
    case COMM_MULTICAST:
      return true;
    case COMM_JOIN:
      return false; /* only together with a multicast */
    }
  }
  return can_die(m, e);
}

/* ---- effects ---------------------------------------------------------- */

/* One value as printf shows it; 'e' is for mtypes, by the set of the variable
** where 'of' is one. */
static void print_value(worker *m, char conversion, int32_t v, const expr *of)
{
  text *out = &m->batch->output;
  const char *set = of->op == OP_VAR ? of->ref->var->mtype_set : NULL;
  const char *name = NULL;
  switch (conversion) {
  case 'c':
    text_add_char(out, (char)v);
    return;
  case 'u':
    text_printf(out, "%u", (unsigned)v);
    return;
  case 'x':
    text_printf(out, "%x", (unsigned)v);
    return;
  case 'X':
    text_printf(out, "%X", (unsigned)v);
    return;
  case 'o':
    text_printf(out, "%o", (unsigned)v);
    return;
  case 'e':
    name = mtype_name_of(m->program->model, v, set);
    break;
  }
  if (name)
    text_add(out, name);
  else
    text_printf(out, "%d", v);
}

static void print_format(worker *m, const ceffect *f, const int32_t *args)
{
  text *out = &m->batch->output;
  uint32_t next = 0;
  for (const char *s = f->source->format; s && *s; s++) {
    if (*s != '%' || !s[1])
      text_add_char(out, *s);
    else if (*++s == '%')
      text_add_char(out, '%');
    else if (next < f->arg_count) {
      print_value(m, *s, args[next], f->source->args.data[next]);
      next++;
    }
  }
}

/* The arguments are evaluated in any case: they can be at fault. */
static void print(worker *m, const ceffect *f)
{
  size_t first = m->values.len;
  if (f->value)
    put_value(m, f->value);
  for (uint32_t i = 0; i < f->arg_count; i++)
    put_value(m, f->args[i]);
  const int32_t *args = m->values.len > first ? &m->values.data[first] : NULL;
  if (m->batch->record && f->kind == EFFECT_PRINTM)
    print_value(m, 'e', args[0], f->source->value);
  else if (m->batch->record)
    print_format(m, f, args);
  m->values.len = first;
}

static void do_effect(worker *m, const ceffect *f)
{
  switch ((effect_kind)f->kind) {
  case EFFECT_ASSIGN:
    address_write(m, f->target, eval(m, f->value));
    break;
  case EFFECT_EVAL:
    eval(m, f->value);
    break;
  case EFFECT_ASSERT:
    if (!eval(m, f->value))
      raise_fault(m, FAULT_ASSERT, f->source->where);
    break;
  case EFFECT_PRINT:
  case EFFECT_PRINTM:
    print(m, f);
    break;
  case EFFECT_DIE:
    process_remove_last(m);
    break;
  }
}

/* All right-hand sides are read in the old state, then all is assigned. */
static void do_effects_at_once(worker *m, const cedge *e)
{
  size_t first = m->values.len;
  for (uint32_t i = 0; i < e->effect_count; i++)
    put_value(m, e->effects[i].value);
  for (uint32_t i = 0; i < e->effect_count; i++) {
    if (e->effects[i].kind == EFFECT_ASSIGN)
      address_write(m, e->effects[i].target, m->values.data[first + i]);
    else
      do_effect(m, &e->effects[i]);
  }
  m->values.len = first;
}

void do_effects(worker *m, const cedge *e)
{
  if (e->flags & EDGE_PLUGIN) {
    plugin_make_step(m, e);
    return;
  }
  if (e->flags & EDGE_PARALLEL) {
    do_effects_at_once(m, e);
    return;
  }
  for (uint32_t i = 0; i < e->effect_count && !m->fatal; i++)
    do_effect(m, &e->effects[i]);
}

/* The receiver has the message: now the effects of the sender's edge. */
static void do_sender_effects(worker *m)
{
  uint32_t receiver = m->self;
  set_self(m, m->sender);
  do_effects(m, m->sender_edge);
  set_self(m, receiver);
}

/* The communication and effects of an edge that is not a d_step. */
static void do_edge(worker *m, const cedge *e)
{
  bool answers = m->handshake != 0;
  note_executed(m, e);
  m->last_edge = e->index;
  m->last_process = m->self;
  if (e->comm && e->comm->kind == COMM_SEND)
    do_send(m, e->comm);
  if (e->comm && e->comm->kind == COMM_RECEIVE)
    do_receive(m, e->comm);
  if (e->comm && e->comm->kind == COMM_MULTICAST)
    do_multicast(m, e->comm);
  if (answers)
    do_sender_effects(m);
  if (!m->handshake && !m->port)
    do_effects(m, e);
}

/* ---- d_step ----------------------------------------------------------- */

/* The edge a d_step takes at a location: the first that can be executed, or
** its else. */
static const cedge *choose(worker *m, const clocation *at)
{
  for (uint32_t i = 0; i < at->count; i++) {
    const cedge *e = &m->code->edges[at->first + i];
    if (e->flags & EDGE_ELSE || can_execute(m, e))
      return e;
    if (m->fatal)
      return NULL;
  }
  return NULL;
}

/* A d_step has no choice: when it comes back to a state it has been in, it
** never ends.  The states after each power of 2 of steps are compared with all
** that follow, until the next (Brent's algorithm). */
static bool comes_back(worker *m, uint32_t at, uint64_t steps)
{
  if (steps < SUSPECT_AFTER)
    return false;
  if (steps & (steps - 1))
    return m->block_location == at && m->block_state.len == m->length &&
           !memcmp(m->block_state.data, m->state, m->length);
  m->block_location = at;
  vec_resize(&m->block_state, m->length);
  memcpy(m->block_state.data, m->state, m->length);
  return false;
}

/* Runs until a location outside the block is reached. */
static void run_block(worker *m, const cedge *block)
{
  const clocation *locations =
      m->code->processes[m->shape.process_type[m->self]].locations;
  uint32_t at = block->block;
  for (uint64_t steps = 1; locations[at].flags & LOC_DSTEP; steps++) {
    const cedge *e = choose(m, &locations[at]);
    if (m->fatal)
      break;
    if (out_of_patience(m)) {
      m->fatal = true; /* without a fault: there is just no successor */
      break;
    }
    if (!e || comes_back(m, at, steps)) {
      raise_fault(m, e ? FAULT_ENDLESS : FAULT_DSTEP, block->source->where);
      break;
    }
    do_edge(m, e);
    at = e->target;
    if (m->fatal)
      break;
    if (m->handshake) { /* nobody can answer inside a d_step */
      raise_fault(m, FAULT_DSTEP, e->source->where);
      break;
    }
    record_step(m, e, STEP_INNER);
  }
}

void execute(worker *m, const cedge *e)
{
  uint32_t self = m->self;
  if (e->flags & EDGE_DSTEP) {
    note_executed(m, e);
    record_step(m, e, 0);
    run_block(m, e);
  } else {
    do_edge(m, e);
  }
  if (m->fatal)
    return;
  /* A process that ended has no location any more. */
  if (self < m->shape.processes)
    set_location(m, self, e->target);
  if (m->layout->has_last) {
    m->state[m->layout->last_offset] = (uint8_t)self;
    m->changed |= layout_slices_of(m->layout, m->layout->last_offset, 1);
  }
}
