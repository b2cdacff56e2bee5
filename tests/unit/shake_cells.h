/* The scalars of a state that shake.h changes, one at a time. */

#ifndef NUT_TESTS_SHAKE_CELLS_H
#define NUT_TESTS_SHAKE_CELLS_H

#include "base/alloc.h"
#include "base/hash.h"
#include "base/random.h"
#include "model/access/access.h"
#include "program/interp/worker.h"

typedef enum {
  CELL_VARIABLE,
  CELL_LOCATION,
  CELL_PRIORITY,
  CELL_LAST,
  CELL_TRACE,
  CELL_LENGTH, /* gets a message of zeros more */
  CELL_QUEUE,  /* all of a channel, which loses its last message */
  CELL_FIELD
} cell_kind;

typedef struct cell {
  cell_kind kind;
  uint32_t offset, bytes;
  uint32_t process; /* whose, or NO_PROCESS */
  const process_type *type;
  const var *root; /* VARIABLE */
  uint32_t element;
  uint32_t channel;          /* LENGTH, QUEUE, FIELD: class */
  uint32_t last, last_bytes; /* QUEUE: its last message */
  const var *var;            /* VARIABLE: the innermost declaration */
  keep keep;                 /* VARIABLE, FIELD */
  int32_t lo, hi;            /* values it may get */
} cell;

/* What a step comes to: a state, or a fault. */
typedef struct outcome {
  const batch *batch;
  uint32_t first, count; /* its steps in batch.steps */
  fault_kind fault;
  const uint8_t *bytes;
  uint32_t length;
} outcome;
typedef VEC(outcome) outcomes;

typedef struct shake {
  const model *m;
  program *program;
  worker *worker;
  access_sets *access;
  uint8_t **places; /* by process type and location: see find_locations */
  random_state random;
  uint32_t states_max, cells_max; /* cells tried in each state */
  batch base, other;
  outcomes from, to;
  VEC(cell) cells;
  uint32_t processes; /* in the state they belong to */
  size_t changeable;  /* so many of them can be changed, the first ones */
  VEC(uint8_t) changed;
  VEC(uint8_t) states; /* reached so far, one after the other */
  VEC(size_t) starts;  /* one more than states */
  VEC(uint64_t) seen;  /* their hashes, open addressing */
  uint64_t checked;    /* steps compared */
  uint64_t ordered;    /* pairs of steps made in both orders */
  uint64_t shaken;     /* states */
  uint32_t failures;
  text report; /* the first failures */
} shake;

/* ---- the cells of a state --------------------------------------------- */

static void add_cell(shake *s, cell c)
{
  vec_push(&s->cells, c);
}

static void add_cells_of_var(shake *s, const cell *pattern, const var *v,
                             uint32_t offset, uint32_t *element)
{
  uint32_t stride = type_bytes(&v->type);
  for (uint32_t i = 0; i < v->length; i++) {
    const record *r = v->type.record;
    uint32_t at = offset + i * stride;
    if (v->type.kind == TYPE_RECORD) {
      for (size_t k = 0; k < r->fields.len; k++)
        add_cells_of_var(s, pattern, r->fields.data[k],
                         at + r->fields.data[k]->offset, element);
      continue;
    }
    cell c = *pattern;
    c.kind = CELL_VARIABLE;
    c.offset = at;
    c.keep = keep_of_var(v);
    c.bytes = keep_bytes(c.keep);
    c.element = (*element)++;
    c.var = v;
    c.lo = v->type.lo;
    c.hi = v->type.hi;
    add_cell(s, c);
  }
}

static void add_root_cells(shake *s, cell pattern, const var *v,
                           uint32_t offset)
{
  uint32_t element = 0;
  pattern.root = v;
  add_cells_of_var(s, &pattern, v, offset, &element);
}

static void add_global_cells(shake *s)
{
  const layout *l = &s->program->layout;
  cell none = {.process = NO_PROCESS};
  if (l->has_last)
    add_cell(s, (cell){.kind = CELL_LAST,
                       .offset = l->last_offset,
                       .bytes = 1,
                       .process = NO_PROCESS,
                       .hi = 254});
  if (l->has_trace) {
    const process_type *t = s->m->processes.data[s->program->code.trace];
    add_cell(s, (cell){.kind = CELL_TRACE,
                       .offset = l->trace_offset,
                       .bytes = 2,
                       .process = NO_PROCESS,
                       .hi = (int32_t)t->locations.len - 1});
  }
  for (size_t i = 0; i < s->m->globals.len; i++)
    add_root_cells(s, none, s->m->globals.data[i], l->globals[i]);
}

static void add_process_cells(shake *s, uint32_t number, const process_type *t,
                              uint32_t offset)
{
  const process_layout *l = &s->program->layout.processes[t->index];
  cell c = {.process = number, .type = t};
  c.kind = CELL_LOCATION;
  c.offset = offset + l->location_offset;
  c.bytes = l->location_bytes;
  c.hi = (int32_t)t->locations.len - 1;
  add_cell(s, c);
  if (l->priority_offset) {
    c.kind = CELL_PRIORITY;
    c.offset = offset + l->priority_offset;
    c.bytes = 1;
    c.lo = 1;
    c.hi = 255;
    add_cell(s, c);
  }
  for (size_t i = 0; i < t->locals.len; i++)
    add_root_cells(s, (cell){.process = number, .type = t}, t->locals.data[i],
                   offset + l->locals[i]);
}

/* Places in a channel: those with messages, or the empty ones, which are
** written but never changed by us. */
static void add_message_cells(shake *s, const channel_type *t, uint32_t class,
                              uint32_t offset, uint32_t first, uint32_t end)
{
  const channel_layout *l = &s->program->layout.channels[t->index];
  for (uint32_t i = first; i < end; i++)
    for (uint32_t k = 0; k < l->field_count; k++) {
      cell c = {.kind = CELL_FIELD, .process = NO_PROCESS, .channel = class};
      c.offset = offset + l->first + i * l->message_size + l->fields[k];
      c.keep = l->keeps[k];
      c.bytes = keep_bytes(c.keep);
      c.lo = t->fields.data[k].lo;
      c.hi = t->fields.data[k].hi;
      add_cell(s, c);
    }
}

static void add_channel_cells(shake *s, const uint8_t *state, const shape *h,
                              uint32_t number, bool empty_places)
{
  const channel_type *t = s->m->channels.data[h->channel_type[number]];
  const channel_layout *l = &s->program->layout.channels[t->index];
  uint32_t class = access_channel(s->access, number, t);
  uint32_t at = h->channel_offset[number];
  cell c = {.kind = CELL_LENGTH, .process = NO_PROCESS, .channel = class};
  if (!t->capacity)
    return;
  c.offset = at + l->length_offset;
  c.bytes = 1;
  c.hi = (int32_t)t->capacity;
  if (empty_places) {
    add_message_cells(s, t, class, at, state[c.offset], t->capacity);
    return;
  }
  add_cell(s, c);
  add_message_cells(s, t, class, at, 0, state[c.offset]);
  if (!state[c.offset])
    return;
  c.kind = CELL_QUEUE;
  c.bytes = l->size - l->length_offset;
  c.last_bytes = l->message_size;
  c.last = at + l->first + (state[c.offset] - 1u) * c.last_bytes;
  add_cell(s, c);
}

static void find_cells(shake *s, const uint8_t *state, uint32_t length)
{
  shape h;
  shape_of(s->program, state, length, &h);
  vec_clear(&s->cells);
  add_global_cells(s);
  for (uint32_t i = 0; i < h.processes; i++)
    add_process_cells(s, i, s->m->processes.data[h.process_type[i]],
                      h.process_offset[i]);
  for (uint32_t i = 1; i <= h.channels; i++)
    add_channel_cells(s, state, &h, i, false);
  s->processes = h.processes;
  s->changeable = s->cells.len;
  for (uint32_t i = 1; i <= h.channels; i++)
    add_channel_cells(s, state, &h, i, true);
}

/* The slot of a cell as process 'looking' sees it. */
static uint32_t slot_of_cell(const shake *s, const cell *c, uint32_t looking)
{
  bool remote = c->process != looking;
  switch (c->kind) {
  case CELL_VARIABLE:
    return access_variable(s->access, c->root, c->element, remote);
  case CELL_LOCATION:
    return access_location(s->access, c->type, remote);
  case CELL_PRIORITY:
    return access_priority(s->access, c->type, remote);
  case CELL_LAST:
    return access_shared(s->access, SLOT_LAST);
  case CELL_TRACE:
    return access_shared(s->access, SLOT_TRACE);
  case CELL_LENGTH:
  case CELL_QUEUE:
    return access_length(s->access, c->channel);
  case CELL_FIELD:
    return access_messages(s->access, c->channel);
  }
  return 0;
}

/* Marks the locations that a process can reach and rest at.  In others (the end
** behind an endless loop) the program may rely on it not being there. */
static void find_locations(const process_type *t, uint32_t at, uint8_t *found)
{
  const location *l = &t->locations.data[at];
  if (found[at])
    return;
  found[at] = l->flags & LOC_DSTEP ? 2 : 1;
  for (uint32_t i = 0; i < l->edge_count; i++) {
    const edge *e = t->order.data[l->first_edge + i];
    if (e->flags & EDGE_DSTEP)
      find_locations(t, e->block, found);
    else
      find_locations(t, e->target, found);
  }
}

/* Any value of its type, mostly a small one, as models use them; of large types
** always, so that loops that count do not count for ever. */
static int32_t pick_value(shake *s, const cell *c)
{
  int64_t values = (int64_t)c->hi - c->lo + 1, first = c->lo;
  bool large = values > 256;
  if (values > 6 && (large || random_below(&s->random, 4))) {
    values = large ? 20 : 6;
    first = c->lo <= 0 && c->hi >= 20 ? 0 : first;
  }
  return (int32_t)(first + (int64_t)random_below(&s->random, (uint64_t)values));
}

static void remove_last_message(const cell *c, uint8_t *state)
{
  state[c->offset]--;
  memset(state + c->last, 0, c->last_bytes);
}

/* Gives the cell another value of its type; false when it has none. */
static bool change_cell(shake *s, const cell *c, uint8_t *state)
{
  uint8_t *at = state + c->offset, old[4];
  if (c->kind == CELL_QUEUE) {
    remove_last_message(c, state);
    return true;
  }
  memcpy(old, at, c->bytes);
  int32_t value = pick_value(s, c);
  switch (c->kind) {
  case CELL_VARIABLE:
  case CELL_FIELD:
    keep_write(c->keep, at, value);
    break;
  case CELL_LENGTH:
    *at = (uint8_t)(*at < c->hi ? *at + 1 : *at);
    break;
  case CELL_LOCATION:
    if (s->places[c->type->index][value] != 1)
      return false;
    /* fall through */
  default:
    at[0] = (uint8_t)value;
    if (c->bytes == 2)
      at[1] = (uint8_t)(value >> 8);
  }
  return memcmp(old, at, c->bytes) != 0;
}

#endif
