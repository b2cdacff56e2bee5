/* Processes and channels come into a state, and the youngest process leaves
** it. */

#include "program/interp/worker.h"

/* Makes 'bytes' more room after the state, zeroed, and counts them to it.
** The state is the tail of the batch's bytes.  A state that grows too large is
** out of memory. */
static void extend_state(worker *m, uint32_t bytes)
{
  if (bytes > STATE_MAX - m->length)
    mem_give_up();
  vec_grow(&m->batch->bytes, m->length + bytes);
  m->state = m->batch->bytes.data + m->batch->bytes.len;
  memset(m->state + m->length, 0, bytes);
  m->length += bytes;
}

int32_t channel_create(worker *m, const channel_type *t)
{
  const layout *l = m->layout;
  uint32_t at = m->length;
  if (m->shape.channels >= CHANNEL_LIMIT) {
    raise_fault(m, FAULT_CHANNELS, t->where);
    return 0;
  }
  extend_state(m, l->channels[t->index].size);
  shape_put_tag(l, m->state + at, l->process_types + t->index);
  shape_add_channel(&m->shape, t->index, at, l->channels[t->index].size);
  m->shape_dirty = true;
  m->changed = UINT64_MAX;
  return (int32_t)m->shape.channels;
}

/* Writes element 'i' of the variable that 'c' initialises. */
static void init_element(worker *m, const cinit *c, uint32_t i, int32_t value)
{
  uint32_t at = c->target->offset + i * c->stride;
  if (c->target->base == BASE_SELF)
    at += m->self_offset;
  keep k = c->target->keep;
  if (!keep_write(k, m->state + at, value) &&
      (m->program->options.check_overflow || k.kind >= KEEP_RANGE8))
    raise_fault(m, FAULT_OVERFLOW, c->target->where);
}

void run_inits(worker *m, const cinit *inits, uint32_t count)
{
  for (uint32_t k = 0; k < count; k++) {
    const cinit *c = &inits[k];
    for (uint32_t i = 0; i < c->length; i++) {
      if (c->channel)
        init_element(m, c, i, channel_create(m, c->channel));
      else if (c->value_count == 1)
        init_element(m, c, i, eval(m, c->values[0]));
      else if (i < c->value_count)
        init_element(m, c, i, eval(m, c->values[i]));
    }
  }
}

void process_add(worker *m, uint32_t type_index)
{
  const layout *l = m->layout;
  const cprocess *p = &m->code->processes[type_index];
  const process_layout *pl = &l->processes[type_index];
  uint32_t at = m->length, number = m->shape.processes;
  extend_state(m, pl->size);
  shape_put_tag(l, m->state + at, type_index);
  shape_add_process(&m->shape, type_index, at);
  m->shape_dirty = true;
  if (pl->priority_offset)
    m->state[at + pl->priority_offset] = (uint8_t)p->source->priority;
  set_location(m, number, p->start);
  m->changed = UINT64_MAX;
}

/* Arguments are evaluated by the creator, before the new process exists. */
int32_t process_create(worker *m, const crun *r)
{
  const cprocess *p = &m->code->processes[r->process];
  uint32_t self = m->self, number = m->shape.processes;
  size_t first = m->values.len;
  if (number >= PROCESS_LIMIT) {
    raise_fault(m, FAULT_PROCESSES, p->source->where);
    return 0;
  }
  for (uint32_t i = 0; i < r->arg_count; i++)
    put_value(m, r->args[i]);
  int32_t priority = r->priority ? eval(m, r->priority) : 0;
  process_add(m, r->process);
  set_self(m, number);
  if (r->priority && m->layout->has_priority)
    m->state[m->self_offset +
             m->layout->processes[r->process].priority_offset] =
        (uint8_t)priority;
  for (uint32_t i = 0; i < p->parameter_count && i < r->arg_count; i++)
    address_write(m, p->parameters[i], m->values.data[first + i]);
  run_inits(m, p->inits, p->init_count);
  embed_init_process(m);
  set_self(m, self);
  m->values.len = first;
  return (int32_t)number;
}

/* The channels created after the youngest process go with it. */
void process_remove_last(worker *m)
{
  shape *s = &m->shape;
  uint32_t at = s->process_offset[--s->processes];
  while (s->channels && s->channel_offset[s->channels] > at)
    s->channels--;
  s->components = m->layout->slices + s->processes + s->channels;
  m->length = at;
  m->shape_dirty = true;
  m->changed = UINT64_MAX;
}
