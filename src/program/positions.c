/* Where the processes of a state are. */

#include "program/interp/worker.h"

_Static_assert((int)POSITIONS_MAX == (int)PROCESS_LIMIT,
               "room for all processes");

static uint32_t location_at(const process_layout *p, const uint8_t *at)
{
  at += p->location_offset;
  return p->location_bytes == 1 ? at[0] : (uint32_t)(at[0] | at[1] << 8);
}

static uint32_t fixed_positions(const program *p, const uint8_t *state,
                                process_position positions[POSITIONS_MAX])
{
  const shape *s = p->initial_shape;
  for (uint32_t i = 0; i < s->processes; i++) {
    uint32_t kind = s->process_type[i], at = s->process_offset[i];
    positions[i] = (process_position){
        kind, location_at(&p->layout.processes[kind], state + at), at};
  }
  return s->processes;
}

uint32_t program_positions(const program *p, const uint8_t *state,
                           uint32_t length,
                           process_position positions[POSITIONS_MAX])
{
  const layout *l = &p->layout;
  uint32_t n = 0;
  if (l->fixed)
    return fixed_positions(p, state, positions);
  for (uint32_t at = l->globals_end; at < length;) {
    uint32_t tag = shape_tag(l, state + at);
    if (tag >= l->process_types) {
      at += l->channels[tag - l->process_types].size;
      continue;
    }
    positions[n++] = (process_position){
        tag, location_at(&l->processes[tag], state + at), at};
    at += l->processes[tag].size;
  }
  return n;
}

static uint32_t fixed_queues(const program *p, const uint8_t *state,
                             uint32_t *messages, uint32_t most)
{
  const shape *s = p->initial_shape;
  for (uint32_t i = 1; i <= s->channels && i <= most; i++)
    messages[i] = channel_length_at(&p->layout.channels[s->channel_type[i]],
                                    state + s->channel_offset[i]);
  return s->channels < most ? s->channels : most;
}

uint32_t program_queues(const program *p, const uint8_t *state, uint32_t length,
                        uint32_t *messages, uint32_t most)
{
  const layout *l = &p->layout;
  uint32_t n = 0;
  if (l->fixed)
    return fixed_queues(p, state, messages, most);
  for (uint32_t at = l->globals_end; at < length && n < most;) {
    uint32_t tag = shape_tag(l, state + at);
    if (tag < l->process_types) {
      at += l->processes[tag].size;
      continue;
    }
    const channel_layout *c = &l->channels[tag - l->process_types];
    messages[++n] = channel_length_at(c, state + at);
    at += c->size;
  }
  return n;
}

int32_t program_local(const program *p, const uint8_t *state,
                      const process_position *at, const var *v)
{
  uint32_t offset = p->layout.processes[at->type].locals[v->index];
  return keep_read(layout_keep(&p->layout, v), state + at->offset + offset);
}

void program_local_bytes(const program *p, uint32_t kind,
                         const var *const *list, uint32_t count, uint32_t *from,
                         uint32_t *bytes)
{
  const layout *l = &p->layout;
  uint32_t end = 0;
  *from = count ? UINT32_MAX : 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = l->processes[kind].locals[list[i]->index];
    uint32_t after = at + keep_bytes(layout_keep(l, list[i]));
    *from = at < *from ? at : *from;
    end = after > end ? after : end;
  }
  *bytes = end - *from;
}

int32_t program_scalar(const program *p, const uint8_t *state,
                       const process_position *at, const var *v,
                       uint32_t element)
{
  uint32_t offset =
      v->owner ? at->offset + p->layout.processes[at->type].locals[v->index]
               : p->layout.globals[v->index];
  uint32_t stride = type_bytes(layout_type(&p->layout, v));
  return keep_read(layout_keep(&p->layout, v),
                   state + offset + element * stride);
}

bool program_checks_overflow(const program *p)
{
  return p->options.check_overflow;
}

bool program_is_fixed(const program *p)
{
  return p->layout.fixed;
}
