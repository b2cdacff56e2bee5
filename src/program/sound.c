/* Whether bytes that come from elsewhere can be a state of the program. */

#include "program/code.h"
#include "program/interp/worker.h"

/* At this many processes and channels a state is full. */
typedef struct entity_count {
  uint32_t processes, channels;
} entity_count;

static bool is_sound_process(const program *p, uint32_t kind, const uint8_t *at)
{
  const process_layout *l = &p->layout.processes[kind];
  uint32_t place = at[l->location_offset];
  if (l->location_bytes == 2)
    place |= (uint32_t)at[l->location_offset + 1] << 8;
  return place < p->model->processes.data[kind]->locations.len;
}

static bool is_sound_channel(const program *p, uint32_t kind, const uint8_t *at)
{
  const channel_layout *l = &p->layout.channels[kind];
  return channel_length_at(l, at) <= l->capacity;
}

static bool is_sound_entity(const program *p, uint32_t tag, const uint8_t *at,
                            entity_count *n)
{
  uint32_t processes = p->layout.process_types;
  if (tag < processes)
    return n->processes++ < PROCESS_LIMIT && is_sound_process(p, tag, at);
  return n->channels++ < CHANNEL_LIMIT &&
         is_sound_channel(p, tag - processes, at);
}

static bool are_fixed_sound(const program *p, const uint8_t *state)
{
  const shape *s = p->initial_shape;
  for (uint32_t i = 0; i < s->processes; i++)
    if (!is_sound_process(p, s->process_type[i], state + s->process_offset[i]))
      return false;
  for (uint32_t i = 1; i <= s->channels; i++)
    if (!is_sound_channel(p, s->channel_type[i], state + s->channel_offset[i]))
      return false;
  return true;
}

static bool is_sound_observer(const program *p, const uint8_t *state)
{
  const layout *l = &p->layout;
  uint32_t observer = p->code.trace;
  if (!l->has_trace || observer == NO_TRACE)
    return true;
  uint32_t at = state[l->trace_offset] | (uint32_t)state[l->trace_offset + 1]
                                             << 8;
  return at < p->model->processes.data[observer]->locations.len;
}

bool program_is_sound(const program *p, const uint8_t *state, uint32_t length)
{
  const layout *l = &p->layout;
  entity_count n = {0, 0};
  if (length < l->globals_end || !is_sound_observer(p, state))
    return false;
  if (l->fixed)
    return are_fixed_sound(p, state);
  for (uint32_t at = l->globals_end; at < length;) {
    uint32_t tag = shape_tag(l, state + at);
    if (!is_sound_entity(p, tag, state + at, &n))
      return false;
    at += tag < l->process_types ? l->processes[tag].size
                                 : l->channels[tag - l->process_types].size;
  }
  return true;
}
