#include "program/machine.h"

enum { BLOCK_STEPS_MAX = 10000000 };

const clocation *location_of(const machine *m, uint32_t process)
{
  return &m->code->processes[m->shape.process_type[process]]
              .locations[get_location(m, process)];
}

/* A d_step can start when one of its first edges can; its else always. */
static bool block_can_start(machine *m, const cedge *e)
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

static bool can_die(const machine *m, const cedge *e)
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
bool can_execute(machine *m, const cedge *e)
{
  if (e->flags & EDGE_DSTEP)
    return block_can_start(m, e);
  if (m->handshake)
    return e->comm && e->comm->kind == COMM_RECEIVE && can_answer(m, e->comm);
  if (m->port)
    return e->comm && e->comm->kind == COMM_JOIN && can_join(m, e->comm);
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

static void print_value(machine *m, text *out, char conversion, int32_t v)
{
  const char *name;
  switch (conversion) {
  case 'c':
    text_add_char(out, (char)v);
    break;
  case 'e':
    name = mtype_name_of(m->program->model, v, NULL);
    if (name)
      text_add(out, name);
    else
      text_printf(out, "%d", v);
    break;
  case 'u':
    text_printf(out, "%u", (unsigned)v);
    break;
  case 'x':
    text_printf(out, "%x", (unsigned)v);
    break;
  case 'o':
    text_printf(out, "%o", (unsigned)v);
    break;
  default:
    text_printf(out, "%d", v);
  }
}

static void print_escape(text *out, char c)
{
  switch (c) {
  case 'n':
    text_add_char(out, '\n');
    break;
  case 't':
    text_add_char(out, '\t');
    break;
  case 'r':
    break;
  default:
    text_add_char(out, c);
  }
}

/* printf: the format is the string literal as written, without quotes. */
static void print(machine *m, const ceffect *f)
{
  text *out = &m->batch->output;
  uint32_t next = 0;
  for (const char *s = f->source->format; s && *s; s++) {
    if (*s == '\\' && s[1]) {
      print_escape(out, *++s);
    } else if (*s == '%' && s[1]) {
      if (*++s == '%')
        text_add_char(out, '%');
      else if (next < f->arg_count)
        print_value(m, out, *s, eval(m, f->args[next++]));
    } else {
      text_add_char(out, *s);
    }
  }
}

static void do_effect(machine *m, const ceffect *f)
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
    if (m->batch->record)
      print(m, f);
    break;
  case EFFECT_PRINTM:
    if (m->batch->record)
      print_value(m, &m->batch->output, 'e', eval(m, f->value));
    break;
  case EFFECT_DIE:
    process_remove_last(m);
    break;
  }
}

/* All right-hand sides are read in the old state, then all is assigned. */
static void do_effects_at_once(machine *m, const cedge *e)
{
  VEC(int32_t) values = {0};
  for (uint32_t i = 0; i < e->effect_count; i++)
    vec_push(&values, e->effects[i].value ? eval(m, e->effects[i].value) : 0);
  for (uint32_t i = 0; i < e->effect_count; i++) {
    if (e->effects[i].kind == EFFECT_ASSIGN)
      address_write(m, e->effects[i].target, values.data[i]);
    else
      do_effect(m, &e->effects[i]);
  }
  vec_free(&values);
}

void do_effects(machine *m, const cedge *e)
{
  if (e->flags & EDGE_PARALLEL) {
    do_effects_at_once(m, e);
    return;
  }
  for (uint32_t i = 0; i < e->effect_count && !m->fatal; i++)
    do_effect(m, &e->effects[i]);
}

/* The receiver has the message: now the effects of the sender's edge. */
static void do_sender_effects(machine *m)
{
  uint32_t receiver = m->self;
  set_self(m, m->sender);
  do_effects(m, m->sender_edge);
  set_self(m, receiver);
}

/* The communication and effects of an edge that is not a d_step. */
static void do_edge(machine *m, const cedge *e)
{
  bool answers = m->handshake != 0;
  m->reached[e->index] = 1;
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
static const cedge *choose(machine *m, const clocation *at)
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

/* Runs until a location outside the block is reached. */
static void run_block(machine *m, const cedge *block)
{
  const clocation *locations =
      m->code->processes[m->shape.process_type[m->self]].locations;
  uint32_t at = block->block;
  for (uint32_t steps = 0; locations[at].flags & LOC_DSTEP; steps++) {
    const cedge *e = choose(m, &locations[at]);
    if (m->fatal)
      break;
    if (!e || steps > BLOCK_STEPS_MAX) {
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

void execute(machine *m, const cedge *e)
{
  uint32_t self = m->self;
  if (e->flags & EDGE_DSTEP) {
    m->reached[e->index] = 1;
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
