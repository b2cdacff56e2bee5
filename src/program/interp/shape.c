#include "program/interp/worker.h"

uint32_t shape_tag(const layout *l, const uint8_t *at)
{
  return l->tag_bytes == 1 ? at[0] : (uint32_t)(at[0] | at[1] << 8);
}

void shape_put_tag(const layout *l, uint8_t *at, uint32_t tag)
{
  if (l->tag_bytes)
    at[0] = (uint8_t)tag;
  if (l->tag_bytes == 2)
    at[1] = (uint8_t)(tag >> 8);
}

void shape_add_process(shape *s, uint32_t type_index, uint32_t offset)
{
  uint32_t i = s->processes++;
  s->process_offset[i] = offset;
  s->process_type[i] = (uint16_t)type_index;
  s->process_component[i] = (uint16_t)s->components++;
}

void shape_add_channel(shape *s, uint32_t type_index, uint32_t offset,
                       uint32_t bytes)
{
  uint32_t i = ++s->channels;
  s->channel_offset[i] = offset;
  s->channel_type[i] = (uint16_t)type_index;
  s->channel_component[i] = (uint16_t)s->components;
  s->components += bytes > 0;
}

static void walk_tags(const layout *l, const uint8_t *state, uint32_t length,
                      shape *s)
{
  s->processes = s->channels = 0;
  s->components = l->slices;
  for (uint32_t at = l->globals_end; at < length;) {
    uint32_t tag = shape_tag(l, state + at);
    if (tag < l->process_types) {
      shape_add_process(s, tag, at);
      at += l->processes[tag].size;
    } else {
      uint32_t bytes = l->channels[tag - l->process_types].size;
      shape_add_channel(s, tag - l->process_types, at, bytes);
      at += bytes;
    }
  }
}

void shape_walk(worker *m, const uint8_t *state, uint32_t length)
{
  m->shape_dirty = false;
  if (!m->layout->fixed)
    walk_tags(m->layout, state, length, &m->shape);
}

void shape_of(const program *p, const uint8_t *state, uint32_t length, shape *s)
{
  if (p->layout.fixed)
    *s = *p->initial_shape;
  else
    walk_tags(&p->layout, state, length, s);
}

void program_entities(const program *p, const uint8_t *state, uint32_t length,
                      entity_list *list)
{
  shape s;
  shape_of(p, state, length, &s);
  vec_clear(list);
  for (uint32_t i = 0; i < s.processes; i++) {
    const process_type *t = p->model->processes.data[s.process_type[i]];
    vec_push(list, ((entity){i, s.process_offset[i], t, NULL}));
  }
  for (uint32_t i = 1; i <= s.channels; i++) {
    const channel_type *t = p->model->channels.data[s.channel_type[i]];
    vec_push(list, ((entity){i, s.channel_offset[i], NULL, t}));
  }
}
