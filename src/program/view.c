/* Names and values of everything in a state, for people. */

#include "base/alloc.h"
#include "program/interp/worker.h"

/* Values shown of one variable with all its elements; a larger one is shown
** up to here. */
enum { LEAVES_MAX = 4096 };

typedef struct walk {
  const program *program;
  view *view;
  const uint8_t *state;
  int32_t process;
  const process_type *type;
  uint32_t leaves;
} walk;

static void add_value(walk *w, const var *v, const char *name, uint32_t offset)
{
  keep k = layout_keep(&w->program->layout, v);
  item i = {.kind = ITEM_VARIABLE,
            .process = w->process,
            .type = w->type,
            .name = name,
            .value = keep_read(k, w->state + offset),
            .var = v};
  vec_push(&w->view->items, i);
  w->leaves++;
}

/* What is in the scratch text, which is empty then. */
static const char *keep_name(const walk *w)
{
  text *t = &w->view->scratch;
  const char *name =
      name_intern(w->program->model->names, text_string(t), t->len);
  text_clear(t);
  return name;
}

static const char *element_name(const walk *w, const var *v, const char *prefix,
                                uint32_t i)
{
  text *t = &w->view->scratch;
  text_printf(t, "%s%s", prefix, v->name);
  if (v->flags & VAR_ARRAY || v->length > 1)
    text_printf(t, "[%u]", i);
  return keep_name(w);
}

static void add_var(walk *w, const var *v, const char *prefix, uint32_t offset)
{
  uint32_t stride = type_bytes(layout_type(&w->program->layout, v));
  for (uint32_t i = 0; i < v->length && w->leaves < LEAVES_MAX; i++) {
    const char *name = element_name(w, v, prefix, i);
    uint32_t at = offset + i * stride;
    if (v->type.kind != TYPE_RECORD) {
      add_value(w, v, name, at);
      continue;
    }
    const record *r = v->type.record;
    for (size_t k = 0; k < r->fields.len; k++) {
      const var *field = r->fields.data[k];
      text_printf(&w->view->scratch, "%s%s", name, *field->name ? "." : "");
      add_var(w, field, keep_name(w), at + field->offset);
    }
  }
}

/* Memory of embedded C that has the size of a number is shown as one; nobody
** knows what is in the rest. */
static void add_opaque(walk *w, const var *v, uint32_t offset)
{
  static const uint8_t kinds[] = {
      [1] = KEEP_U8, [2] = KEEP_S16, [4] = KEEP_S32};
  if (v->length != 1 && v->length != 2 && v->length != 4)
    return;
  item i = {.kind = ITEM_VARIABLE,
            .process = w->process,
            .type = w->type,
            .name = v->name + (v->name[0] == '&'),
            .value =
                keep_read((keep){.kind = kinds[v->length]}, w->state + offset),
            .var = v};
  vec_push(&w->view->items, i);
}

static void add_root(walk *w, const var *v, uint32_t offset)
{
  w->leaves = 0;
  if (v->flags & VAR_OPAQUE) {
    add_opaque(w, v, offset);
    return;
  }
  if (!(v->flags & VAR_SCRATCH))
    add_var(w, v, "", offset);
}

static void add_process(walk *w, const process_layout *l, uint32_t offset)
{
  const uint8_t *at = w->state + offset + l->location_offset;
  item i = {.kind = ITEM_LOCATION,
            .process = w->process,
            .type = w->type,
            .name = w->type->name,
            .value = l->location_bytes == 1 ? at[0] : at[0] | at[1] << 8};
  vec_push(&w->view->items, i);
  for (size_t k = 0; k < w->type->locals.len; k++)
    add_root(w, w->type->locals.data[k], offset + l->locals[k]);
}

static void add_channel(walk *w, const channel_layout *l, const channel_type *t,
                        uint32_t offset, int32_t number)
{
  const uint8_t *at = w->state + offset;
  uint32_t length = channel_length_at(l, at);
  item i = {.kind = ITEM_CHANNEL,
            .process = -1,
            .channel = number,
            .channel_type = t,
            .name = t->name,
            .value = (int32_t)length,
            .first = (uint32_t)w->view->fields.len,
            .count = length * l->field_count};
  for (uint32_t m = 0; m < length; m++)
    for (uint32_t f = 0; f < l->field_count; f++)
      vec_push(&w->view->fields,
               keep_read(l->keeps[f],
                         at + l->first + m * l->message_size + l->fields[f]));
  vec_push(&w->view->items, i);
}

void view_read(const program *p, const uint8_t *state, uint32_t length, view *v)
{
  const model *m = p->model;
  walk w = {.program = p, .view = v, .state = state, .process = -1};
  shape s;
  vec_clear(&v->items);
  vec_clear(&v->fields);
  text_clear(&v->scratch);
  for (size_t i = 0; i < m->globals.len; i++)
    add_root(&w, m->globals.data[i], p->layout.globals[i]);
  shape_of(p, state, length, &s);
  for (uint32_t i = 0; i < s.processes; i++) {
    w.process = (int32_t)i;
    w.type = m->processes.data[s.process_type[i]];
    add_process(&w, &p->layout.processes[s.process_type[i]],
                s.process_offset[i]);
  }
  for (uint32_t i = 1; i <= s.channels; i++)
    add_channel(&w, &p->layout.channels[s.channel_type[i]],
                m->channels.data[s.channel_type[i]], s.channel_offset[i],
                (int32_t)i);
}

void view_free(view *v)
{
  vec_free(&v->items);
  vec_free(&v->fields);
  text_free(&v->scratch);
}

uint32_t program_components(const program *p, const uint8_t *state,
                            uint32_t length,
                            uint32_t offsets[COMPONENTS_MAX + 1])
{
  shape s;
  shape_of(p, state, length, &s);
  for (uint32_t i = 0; i < p->layout.slices; i++)
    offsets[i] = p->layout.hidden + (i << p->layout.slice_shift);
  for (uint32_t i = 0; i < s.processes; i++)
    offsets[s.process_component[i]] = s.process_offset[i];
  for (uint32_t i = 1; i <= s.channels; i++)
    offsets[s.channel_component[i]] = s.channel_offset[i];
  offsets[s.components] = length;
  return s.components;
}
