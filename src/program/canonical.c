/* Writes a state number by number, in the order of the model. */

#include "program/canonical.h"

#include "program/interp/worker.h"

typedef struct writer {
  const program *program;
  const uint8_t *state;
  canonical_bytes *out;
} writer;

static void put_number(const writer *w, int64_t value)
{
  uint32_t shifted = (uint32_t)(value + ((int64_t)1 << 31));
  for (int shift = 24; shift >= 0; shift -= 8)
    vec_push(w->out, (uint8_t)(shifted >> shift));
}

static void put_var(const writer *w, const var *v, uint32_t offset)
{
  const layout *l = &w->program->layout;
  if (v->flags & VAR_OPAQUE) {
    for (uint32_t i = 0; i < v->length; i++)
      put_number(w, w->state[offset + i]);
    return;
  }
  uint32_t stride = type_bytes(layout_type(l, v));
  for (uint32_t i = 0; i < v->length; i++, offset += stride) {
    if (v->type.kind != TYPE_RECORD) {
      put_number(w, keep_read(layout_keep(l, v), w->state + offset));
      continue;
    }
    const record *r = v->type.record;
    for (size_t k = 0; k < r->fields.len; k++)
      put_var(w, r->fields.data[k], offset + r->fields.data[k]->offset);
  }
}

static uint32_t two_bytes(const uint8_t *at)
{
  return at[0] | (uint32_t)at[1] << 8;
}

static void put_globals(const writer *w)
{
  const model *m = w->program->model;
  const layout *l = &w->program->layout;
  for (size_t i = 0; i < m->globals.len; i++)
    if (!(m->globals.data[i]->flags & VAR_HIDDEN))
      put_var(w, m->globals.data[i], l->globals[i]);
  if (l->has_last)
    put_number(w, w->state[l->last_offset]);
  if (l->has_trace)
    put_number(w, two_bytes(w->state + l->trace_offset));
}

/* '_' is written and never read: nobody can tell its value. */
static void put_hidden(const writer *w)
{
  const model *m = w->program->model;
  for (size_t i = 0; i < m->globals.len; i++) {
    const var *v = m->globals.data[i];
    if (v->flags & VAR_HIDDEN && !(v->flags & VAR_SCRATCH))
      put_var(w, v, w->program->layout.globals[i]);
  }
}

static void put_process(const writer *w, const shape *s, uint32_t number)
{
  const layout *l = &w->program->layout;
  uint32_t kind = s->process_type[number], at = s->process_offset[number];
  const process_layout *p = &l->processes[kind];
  const process_type *t = w->program->model->processes.data[kind];
  const uint8_t *where = w->state + at + p->location_offset;
  put_number(w, kind);
  put_number(w, p->location_bytes == 1 ? *where : two_bytes(where));
  if (l->has_priority)
    put_number(w, p->priority_offset ? w->state[at + p->priority_offset] : 0);
  uint32_t older = 0;
  for (uint32_t i = 1; i <= s->channels && !l->fixed; i++)
    older += s->channel_component[i] < s->process_component[number];
  if (!l->fixed)
    put_number(w, older);
  for (size_t k = 0; k < t->locals.len; k++)
    put_var(w, t->locals.data[k], at + p->locals[k]);
}

static void put_channel(const writer *w, const shape *s, uint32_t number)
{
  uint32_t kind = s->channel_type[number];
  const channel_layout *c = &w->program->layout.channels[kind];
  const uint8_t *at = w->state + s->channel_offset[number];
  uint32_t messages = channel_length_at(c, at);
  put_number(w, kind);
  put_number(w, messages);
  for (uint32_t m = 0; m < messages; m++)
    for (uint32_t f = 0; f < c->field_count; f++)
      put_number(w, keep_read(c->keeps[f], at + c->first + m * c->message_size +
                                               c->fields[f]));
}

void program_canonical(const program *p, const uint8_t *state, uint32_t length,
                       canonical_bytes *out)
{
  writer w = {p, state, out};
  shape s;
  shape_of(p, state, length, &s);
  vec_clear(out);
  put_globals(&w);
  put_number(&w, s.processes);
  for (uint32_t i = 0; i < s.processes; i++)
    put_process(&w, &s, i);
  put_number(&w, s.channels);
  for (uint32_t i = 1; i <= s.channels; i++)
    put_channel(&w, &s, i);
  put_hidden(&w);
}

int canonical_compare(const canonical_bytes *a, const canonical_bytes *b)
{
  size_t both = a->len < b->len ? a->len : b->len;
  int order = both ? memcmp(a->data, b->data, both) : 0;
  return order ? order : (a->len > b->len) - (a->len < b->len);
}
