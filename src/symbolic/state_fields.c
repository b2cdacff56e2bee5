/* How a state falls into fields.  In a fixed layout every scalar is one, every
** location, every channel.  So it is where processes come and go, but always
** the same ones in the same places: then there is one more field, the length of
** the state, and fields behind it are 0.  Otherwise there is one field, the
** whole state. */

#include "base/alloc.h"
#include "base/hash.h"
#include "symbolic/symbolic_internal.h"
#include <assert.h>

/* Arrays with more elements become one field each. */
enum { SCALARS_MAX = 4096, FIRST_NUMBERS = 64 };

/* ---- cutting ------------------------------------------------------------ */

static field *add_field(symbolic_space *s, field_kind kind, uint32_t offset,
                        uint32_t bytes)
{
  field new = {.kind = kind, .offset = offset, .bytes = bytes, .process = -1};
  vec_push(&s->fields, new);
  return &vec_last(&s->fields);
}

typedef struct cutting {
  symbolic_space *space;
  const var *root; /* the outermost declaration */
  int32_t process;
  const process_type *type;
  uint32_t element; /* scalars of the root so far */
} cutting;

static void cut_var(cutting *c, const var *v, uint32_t offset)
{
  const layout *l = program_layout(c->space->program);
  uint32_t stride = type_bytes(layout_type(l, v));
  for (uint32_t i = 0; i < v->length; i++) {
    uint32_t at = offset + i * stride;
    if (v->type.kind == TYPE_RECORD) {
      const record *r = v->type.record;
      for (size_t k = 0; k < r->fields.len; k++)
        cut_var(c, r->fields.data[k], at + r->fields.data[k]->offset);
      continue;
    }
    field *f = add_field(c->space, FIELD_VARIABLE, at, stride);
    f->scalar = true;
    f->keep = layout_keep(l, v);
    f->process = c->process;
    f->type = c->type;
    f->var = c->root;
    f->element = c->element++;
  }
}

static void cut_root(symbolic_space *s, const var *v, uint32_t offset,
                     int32_t process, const process_type *owner)
{
  cutting c = {s, v, process, owner, 0};
  cut_var(&c, v, offset);
}

static void cut_globals(symbolic_space *s)
{
  const layout *l = program_layout(s->program);
  if (l->has_last)
    add_field(s, FIELD_LAST, l->last_offset, 1);
  for (size_t i = 0; i < s->model->globals.len; i++)
    if (!(s->model->globals.data[i]->flags & VAR_HIDDEN))
      cut_root(s, s->model->globals.data[i], l->globals[i], -1, NULL);
}

static void cut_process(symbolic_space *s, const entity *e)
{
  const process_layout *l =
      &program_layout(s->program)->processes[e->process->index];
  field *f = add_field(s, FIELD_LOCATION, e->offset + l->location_offset,
                       l->location_bytes);
  f->process = (int32_t)e->number;
  f->type = e->process;
  if (l->priority_offset) {
    f = add_field(s, FIELD_PRIORITY, e->offset + l->priority_offset, 1);
    f->process = (int32_t)e->number;
    f->type = e->process;
  }
  for (size_t i = 0; i < e->process->locals.len; i++)
    cut_root(s, e->process->locals.data[i], e->offset + l->locals[i],
             (int32_t)e->number, e->process);
}

static void cut_channel(symbolic_space *s, const entity *e)
{
  const layout *l = program_layout(s->program);
  uint32_t bytes = l->channels[e->channel->index].size;
  if (bytes <= (l->fixed ? 0 : l->tag_bytes))
    return;
  field *f = add_field(s, FIELD_CHANNEL, e->offset, bytes);
  f->channel = e->number;
  f->channel_type = e->channel;
}

/* Every byte of a state belongs to exactly one field. */
static bool is_cut_well(symbolic_space *s)
{
  const layout *l = program_layout(s->program);
  uint32_t sum = program_hidden(s->program);
  for (size_t i = 0; i < s->fields.len; i++) {
    sum += s->fields.data[i].bytes;
    if (s->fields.data[i].kind == FIELD_CHANNEL && !l->fixed)
      sum -= l->tag_bytes;
  }
  if (!l->fixed)
    sum += (uint32_t)s->tags.len * l->tag_bytes;
  return sum == s->sample_length;
}

void fields_make(symbolic_space *s)
{
  const layout *l = program_layout(s->program);
  s->sample = s->initial;
  s->sample_length = s->initial_length;
  s->length_field = NO_FIELD;
  /* Whether a blocked state is a valid end depends on the trace as well; the
  ** program knows. */
  if (!s->whole && !l->hidden && !l->has_trace &&
      (l->fixed || shapes_probe(s))) {
    entity_list *list = &s->entities;
    cut_globals(s);
    program_entities(s->program, s->sample, s->sample_length, list);
    for (size_t i = 0; i < list->len; i++) {
      if (list->data[i].process)
        cut_process(s, &list->data[i]);
      else
        cut_channel(s, &list->data[i]);
    }
    if (!l->fixed) {
      s->length_field = (uint32_t)s->fields.len;
      add_field(s, FIELD_LENGTH, 0, 0);
    }
    if (is_cut_well(s) && s->fields.len <= SCALARS_MAX)
      return;
  }
  fields_free(s);
  s->length_field = NO_FIELD;
  s->sample = s->initial;
  s->sample_length = s->initial_length;
  add_field(s, FIELD_STATE, 0, s->initial_length);
}

void fields_free(symbolic_space *s)
{
  for (size_t i = 0; i < s->fields.len; i++) {
    field *f = &s->fields.data[i];
    vec_free(&f->slices);
    vec_free(&f->starts);
    index_destroy(&f->numbers);
  }
  vec_free(&s->fields);
}

const field *field_of_global(const symbolic_space *s, const var *v,
                             uint32_t element)
{
  for (size_t i = 0; i < s->fields.len; i++) {
    const field *f = &s->fields.data[i];
    if (f->kind == FIELD_VARIABLE && f->process < 0 && f->var == v &&
        f->element == element)
      return f;
  }
  return NULL;
}

/* ---- numbering ---------------------------------------------------------- */

static bool has_slice(const field *f, uint32_t number, const uint8_t *bytes,
                      uint32_t length)
{
  uint32_t start = f->starts.data[number - 1];
  return f->starts.data[number] - start == length &&
         !memcmp(f->slices.data + start, bytes, length);
}

static uint64_t slice_hash(const field *f, uint32_t number)
{
  uint32_t start = f->starts.data[number - 1];
  return hash_bytes(f->slices.data + start, f->starts.data[number] - start);
}

static void make_index(field *f, uint32_t slots)
{
  index_destroy(&f->numbers);
  if (!index_create(&f->numbers, slots))
    mem_give_up();
  for (uint32_t i = 1; i < f->starts.len; i++) {
    if (i % MEM_MOVES == 0 && mem_is_due())
      mem_give_up();
    index_put(&f->numbers, slice_hash(f, i), i);
  }
}

static uint32_t number_slice(field *f, const uint8_t *bytes, uint32_t length)
{
  uint64_t hash = hash_bytes(bytes, length);
  if (!f->starts.len) {
    vec_push(&f->starts, 0);
    make_index(f, FIRST_NUMBERS);
  }
  for (uint32_t at = index_start(&f->numbers, hash); f->numbers.slots[at];
       at = index_next(&f->numbers, at)) {
    uint32_t number = index_number(&f->numbers, at, hash);
    if (number && has_slice(f, number, bytes, length))
      return number;
  }
  vec_grow(&f->slices, length);
  memcpy(f->slices.data + f->slices.len, bytes, length);
  f->slices.len += length;
  uint32_t number = (uint32_t)f->starts.len;
  vec_push(&f->starts, (uint32_t)f->slices.len);
  if (index_is_full(&f->numbers, number))
    make_index(f, 2 * (f->numbers.mask + 1));
  else
    index_put(&f->numbers, hash, number);
  return number;
}

uint32_t field_read(field *f, const uint8_t *state, uint32_t length)
{
  if (f->kind == FIELD_LENGTH)
    return length;
  if (f->kind != FIELD_STATE && f->offset >= length)
    return 0; /* it is not there */
  if (f->scalar)
    return (uint32_t)keep_read(f->keep, state + f->offset);
  uint32_t bytes = f->kind == FIELD_STATE ? length : f->bytes;
  return number_slice(f, state + f->offset, bytes);
}

bool field_write(symbolic_space *s, const field *f, uint32_t value)
{
  if (f->kind == FIELD_LENGTH ||
      (f->kind != FIELD_STATE && f->offset >= s->state.len))
    return true;
  if (f->scalar)
    return keep_write(f->keep, s->state.data + f->offset, (int32_t)value);
  uint32_t start = f->starts.data[value - 1];
  uint32_t length = f->starts.data[value] - start;
  if (f->kind == FIELD_STATE)
    vec_resize(&s->state, length);
  memcpy(s->state.data + f->offset, f->slices.data + start, length);
  return true;
}

bool fields_put(symbolic_space *s, const uint32_t *fields,
                const uint32_t *values, size_t count)
{
  vec_resize(&s->state, s->sample_length);
  memcpy(s->state.data, s->sample, s->sample_length);
  /* The length is the last level. */
  if (count && fields[count - 1] == s->length_field)
    s->state.len = values[count - 1];
  for (size_t i = 0; i < count; i++)
    if (!field_write(s, &s->fields.data[fields[i]], values[i]))
      return false;
  return true;
}

/* ---- who touches it ----------------------------------------------------- */

static bool has_own(const uint64_t *slots, uint32_t own, uint32_t remote,
                    bool is_own)
{
  return (is_own && slots_have(slots, own)) || slots_have(slots, remote);
}

bool field_in(const symbolic_space *s, const field *f, uint32_t process,
              const uint64_t *slots)
{
  const access_sets *a = s->access;
  bool own = f->process == (int32_t)process;
  switch (f->kind) {
  case FIELD_VARIABLE:
    if (f->process < 0)
      return slots_have(slots, access_variable(a, f->var, f->element, false));
    return has_own(slots, access_variable(a, f->var, f->element, false),
                   access_variable(a, f->var, f->element, true), own);
  case FIELD_LOCATION:
    return has_own(slots, access_location(a, f->type, false),
                   access_location(a, f->type, true), own);
  case FIELD_PRIORITY:
    return has_own(slots, access_priority(a, f->type, false),
                   access_priority(a, f->type, true), own);
  case FIELD_CHANNEL: {
    uint32_t class = access_channel(a, f->channel, f->channel_type);
    return slots_have(slots, access_length(a, class)) ||
           slots_have(slots, access_messages(a, class));
  }
  case FIELD_LAST:
    return slots_have(slots, access_shared(a, SLOT_LAST));
  case FIELD_LENGTH: /* see groups.c */
    return false;
  case FIELD_STATE:
    return true;
  }
  return true;
}
