/* Which bytes of a state an edge uses, for orders that keep together what is
** used together. */

#include "model/access/access.h"
#include "program/interp/worker.h"

/* More of one variable, or of all messages of a channel, says nothing. */
enum { BYTES_MAX = 64, GROUPS_MAX = 1 << 14 };

/* Groups under construction, in the arena of the model. */
typedef struct draft {
  const program *program;
  uint32_t *bytes, *starts;
  uint32_t count, used, room;
} draft;

static void add_byte(draft *d, uint32_t at)
{
  if (d->used == d->room) {
    uint32_t *old = d->bytes;
    d->room = 2 * d->room + 256;
    d->bytes = ARENA_ARRAY(d->program->model->arena, uint32_t, d->room);
    for (uint32_t i = 0; i < d->used; i++)
      d->bytes[i] = old[i];
  }
  d->bytes[d->used++] = at - d->program->layout.hidden;
}

static void add_bytes(draft *d, uint32_t at, uint32_t count)
{
  for (uint32_t i = 0; i < count && i < BYTES_MAX; i++)
    add_byte(d, at + i);
}

/* The bytes of a variable at 'at', or of the one element that a slot is. */
static void add_variable(draft *d, const slot_info *slot, uint32_t at)
{
  const var *v = slot->var;
  uint32_t bytes = type_bytes(layout_type(&d->program->layout, v));
  if (slot->whole || v->type.kind == TYPE_RECORD)
    add_bytes(d, at, bytes * v->length);
  else
    add_bytes(d, at + slot->element * bytes, bytes);
}

static void add_channel(draft *d, const slot_info *slot)
{
  const program *p = d->program;
  uint32_t number = slot->channel + 1;
  if (number > p->initial_shape->channels)
    return;
  const channel_layout *l =
      &p->layout.channels[p->initial_shape->channel_type[number]];
  uint32_t at = p->initial_shape->channel_offset[number];
  if (slot->kind == SLOT_LENGTH)
    add_bytes(d, at + l->length_offset, l->length_bytes);
  else
    add_bytes(d, at + l->first, l->size - l->first);
}

/* What process 'i' means by a slot; what others see of theirs is left out. */
static void add_slot(draft *d, const slot_info *slot, uint32_t i)
{
  const layout *l = &d->program->layout;
  const shape *s = d->program->initial_shape;
  uint32_t at = s->process_offset[i];
  const process_layout *own = &l->processes[s->process_type[i]];
  if (slot->remote)
    return;
  switch (slot->kind) {
  case SLOT_VARIABLE:
    if (slot->process)
      add_variable(d, slot, at + own->locals[slot->var->index]);
    else if (!(slot->var->flags & VAR_HIDDEN))
      add_variable(d, slot, l->globals[slot->var->index]);
    break;
  case SLOT_LOCATION:
    add_bytes(d, at + own->location_offset, own->location_bytes);
    break;
  case SLOT_LENGTH:
  case SLOT_MESSAGES:
    add_channel(d, slot);
    break;
  default:
    break;
  }
}

static void add_set(draft *d, const access_sets *a, const uint64_t *set,
                    uint32_t i)
{
  for (uint32_t n = slots_next(a, set, 0); n != NO_SLOT;
       n = slots_next(a, set, n + 1)) {
    slot_info slot = access_slot(a, n);
    add_slot(d, &slot, i);
  }
}

static void add_process(draft *d, const access_sets *a, uint32_t i)
{
  const program *p = d->program;
  const process_type *t =
      p->model->processes.data[p->initial_shape->process_type[i]];
  for (size_t k = 0; k < t->order.len && d->count < GROUPS_MAX; k++) {
    const edge_access *e = &a->edges[t->order.data[k]->index];
    d->starts[d->count++] = d->used;
    add_set(d, a, e->tests, i);
    add_set(d, a, e->reads, i);
    add_set(d, a, e->writes, i);
  }
}

const byte_footprints *program_footprints(program *p)
{
  arena *a = p->model->arena;
  draft d = {.program = p};
  if (p->footprints || !p->layout.fixed)
    return p->footprints;
  p->access = access_create(p->model);
  d.starts = ARENA_ARRAY(a, uint32_t, GROUPS_MAX + 1);
  for (uint32_t i = 0; i < p->initial_shape->processes; i++)
    add_process(&d, p->access, i);
  d.starts[d.count] = d.used;
  byte_footprints *made = ARENA_NEW(a, byte_footprints);
  *made = (byte_footprints){d.bytes, d.starts, d.count};
  p->footprints = made;
  access_destroy(p->access);
  p->access = NULL;
  return made;
}
