/* The numbers in a state, with their ranges (base/fields.h). */

#include "program/interp/worker.h"

/* A variable with more elements is described by its bytes alone: a table about
** it would be larger than what a codec can win. */
enum { ELEMENTS_MAX = 1 << 14 };

/* A list under construction, in the arena of the model. */
typedef struct draft {
  arena *arena;
  state_field *list;
  uint32_t count, room;
} draft;

static state_field *add(draft *d, uint32_t offset, uint32_t bytes,
                        uint32_t most)
{
  if (d->count == d->room) {
    state_field *old = d->list;
    d->room = 2 * d->room + 8;
    d->list = ARENA_ARRAY(d->arena, state_field, d->room);
    for (uint32_t i = 0; i < d->count; i++)
      d->list[i] = old[i];
  }
  state_field f = {offset, most, (uint8_t)bytes, false};
  d->list[d->count] = f;
  return &d->list[d->count++];
}

static uint32_t all_values(uint32_t bytes)
{
  return bytes >= 4 ? UINT32_MAX : (1u << 8 * bytes) - 1;
}

/* A value that is kept in this way; 'most' as small as its type tells. */
static void add_value(draft *d, uint32_t offset, keep k, uint32_t mtypes)
{
  uint32_t bytes = keep_bytes(k), most = all_values(bytes);
  if (k.kind >= KEEP_BITS8 && k.kind <= KEEP_BITS32 && k.bits < 32)
    most = (1u << k.bits) - 1;
  else if (k.kind >= KEEP_RANGE8)
    most = (uint32_t)((int64_t)k.hi - k.lo);
  else if (mtypes && mtypes < most)
    most = mtypes;
  add(d, offset, bytes, most)->is_signed =
      k.kind == KEEP_S16 || k.kind == KEEP_S32;
}

static uint32_t mtypes_of(const model *m, const type *t)
{
  return t->kind == TYPE_MTYPE ? (uint32_t)m->mtypes.len : 0;
}

static void add_var(draft *d, const program *p, const var *v, uint32_t offset)
{
  uint32_t stride = type_bytes(layout_type(&p->layout, v));
  if (v->length > ELEMENTS_MAX || d->count > ELEMENTS_MAX)
    return;
  for (uint32_t i = 0; i < v->length; i++) {
    uint32_t at = offset + i * stride;
    if (v->type.kind != TYPE_RECORD) {
      add_value(d, at, layout_keep(&p->layout, v),
                mtypes_of(p->model, &v->type));
      continue;
    }
    const record *r = v->type.record;
    for (size_t k = 0; k < r->fields.len; k++)
      add_var(d, p, r->fields.data[k], at + r->fields.data[k]->offset);
  }
}

/* What was drafted; the draft starts over. */
static field_list finish(draft *d)
{
  field_list result = {d->list, d->count};
  *d = (draft){.arena = d->arena};
  return result;
}

static field_list fields_of_globals(draft *d, const program *p)
{
  const layout *l = &p->layout;
  const model *m = p->model;
  if (l->has_last)
    add(d, l->last_offset - l->hidden, 1, 255);
  if (l->has_trace)
    add(d, l->trace_offset - l->hidden, 2, 65535);
  for (size_t i = 0; i < m->globals.len; i++)
    if (!(m->globals.data[i]->flags & VAR_HIDDEN))
      add_var(d, p, m->globals.data[i], l->globals[i] - l->hidden);
  return finish(d);
}

static field_list fields_of_process(draft *d, const program *p, uint32_t which)
{
  const process_layout *l = &p->layout.processes[which];
  const process_type *t = p->model->processes.data[which];
  uint32_t locations = (uint32_t)t->locations.len;
  add(d, l->location_offset, l->location_bytes, locations ? locations - 1 : 0);
  if (l->priority_offset)
    add(d, l->priority_offset, 1, 255);
  for (size_t i = 0; i < t->locals.len; i++)
    add_var(d, p, t->locals.data[i], l->locals[i]);
  return finish(d);
}

static field_list fields_of_channel(draft *d, const program *p, uint32_t which)
{
  const channel_layout *l = &p->layout.channels[which];
  const channel_type *t = p->model->channels.data[which];
  if (l->length_bytes)
    add(d, l->length_offset, l->length_bytes, l->capacity);
  for (uint32_t i = 0; i < l->capacity && d->count <= ELEMENTS_MAX; i++)
    for (uint32_t k = 0; k < l->field_count; k++)
      add_value(d, l->first + i * l->message_size + l->fields[k], l->keeps[k],
                mtypes_of(p->model, &t->fields.data[k]));
  return finish(d);
}

/* The types of the entities in the order of their components. */
static const uint16_t *tags_of(const program *p)
{
  const shape *s = p->initial_shape;
  uint16_t *tags = ARENA_ARRAY(p->model->arena, uint16_t, s->components + 1u);
  uint32_t slices = p->layout.slices;
  for (uint32_t i = 0; i < s->processes; i++)
    tags[s->process_component[i] - slices] = s->process_type[i];
  for (uint32_t i = 1; i <= s->channels; i++)
    if (p->layout.channels[s->channel_type[i]].size)
      tags[s->channel_component[i] - slices] =
          (uint16_t)(p->layout.process_types + s->channel_type[i]);
  return tags;
}

const field_map *program_fields(program *p)
{
  const layout *l = &p->layout;
  arena *a = p->model->arena;
  draft d = {.arena = a};
  if (p->fields)
    return p->fields;
  field_map *map = ARENA_NEW(a, field_map);
  field_list *lists =
      ARENA_ARRAY(a, field_list, l->process_types + l->channel_types + 1u);
  *map = (field_map){.globals = fields_of_globals(&d, p), .by_tag = lists};
  for (uint32_t i = 0; i < l->process_types; i++)
    lists[i] = fields_of_process(&d, p, i);
  for (uint32_t i = 0; i < l->channel_types; i++)
    lists[l->process_types + i] = fields_of_channel(&d, p, i);
  if (l->fixed)
    map->tags = tags_of(p);
  p->fields = map;
  return map;
}
