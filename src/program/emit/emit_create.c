/* run: a process is appended to the state, with the channels of its locals. */

#include "program/emit/emit_internal.h"

/* Longer arrays are initialised by a loop. */
enum { UNROLL_MAX = 8 };

bool emit_creates(const cedge *arc)
{
  for (uint32_t i = 0; i < arc->effect_count; i++)
    if (arc->effects[i].value && arc->effects[i].value->op == NODE_RUN)
      return true;
  return false;
}

static void put_tag(emitter *e, const char *at, uint32_t tag)
{
  if (e->layout->tag_bytes == 1)
    emit_line(e, "%s[0] = %u;", at, tag);
  else
    emit_line(e, "nut_put16(%s, %u);", at, tag);
}

/* Claims 'bytes' zeroed bytes behind the state and points 'name' at them. */
static void append(emitter *e, const char *name, uint32_t bytes)
{
  emit_line(e, "if (n + %uu > NUT_STATE) goto bail;", bytes);
  emit_line(e, "if (n + %uu > (size_t)(%s - d)) goto room;", bytes,
            e->room_end);
  emit_line(e, "uint8_t *%s = d + n;", name);
  emit_line(e, "memset(%s, 0, %u);", name, bytes);
}

/* Element at 'offset' (C text) of the new process becomes 'value'. */
static void init_place(emitter *e, const cinit *c, const char *offset,
                       const char *value)
{
  text *kept = emit_text(e);
  emit_truncated(e, c->target->keep, value, kept);
  emit_put(e, c->target->keep, "w", offset, text_string(kept));
  emit_done(e, kept);
}

static void init_channel(emitter *e, const cinit *c, const char *offset)
{
  uint32_t kind = c->channel->index;
  emit_open(e, "{");
  emit_line(e, "if (x->channels == NUT_CHANNELS) goto bail;");
  append(e, "v", e->layout->channels[kind].size);
  put_tag(e, "v", e->layout->process_types + kind);
  emit_line(e, "const uint32_t k = nut_add_channel(x, %u, n);", kind);
  emit_line(e, "n += %u;", e->layout->channels[kind].size);
  init_place(e, c, offset, "(int32_t)k");
  emit_close(e);
}

/* The value that element 'i' gets, as C. */
static void init_value(emitter *e, const cinit *c, uint32_t i,
                       const char *offset)
{
  text *value = emit_text(e);
  if (c->channel) {
    init_channel(e, c, offset);
    return;
  }
  if (c->value_count != 1 && i >= c->value_count)
    return;
  emit_value(e, c->values[c->value_count == 1 ? 0 : i], value);
  init_place(e, c, offset, text_string(value));
  emit_done(e, value);
}

static void init_variable(emitter *e, const cinit *c)
{
  text *name = emit_text(e), *offset = emit_text(e);
  emit_offset(e, BASE_SELF, e->made, c->target->offset, name);
  if (c->length > UNROLL_MAX && (c->channel || c->value_count == 1)) {
    text_printf(offset, "%s + j * %u", text_string(name), c->stride);
    emit_open(e, "for (uint32_t j = 0; j < %u; j++) {", c->length);
    init_value(e, c, 0, text_string(offset));
    emit_close(e);
  } else {
    for (uint32_t i = 0; i < c->length; i++) {
      text_clear(offset);
      text_printf(offset, "%s + %u", text_string(name), i * c->stride);
      init_value(e, c, i, text_string(offset));
    }
  }
  emit_done(e, name);
  emit_done(e, offset);
}

/* Arguments are values of the creator, taken before there is a new process. */
static void declare_arguments(emitter *e, const crun *r)
{
  for (uint32_t i = 0; i < r->arg_count; i++) {
    text *value = emit_text(e);
    emit_value(e, r->args[i], value);
    emit_line(e, "const int32_t c%u = %s;", i, text_string(value));
    emit_done(e, value);
  }
}

static void fill_process(emitter *e, const crun *r, const cprocess *p)
{
  read_mode mode = e->mode;
  e->made = p->source;
  e->mode = FROM_COPY;
  for (uint32_t i = 0; i < p->parameter_count && i < r->arg_count; i++) {
    text *value = emit_text(e);
    text_printf(value, "c%u", i);
    emit_store(e, p->parameters[i], text_string(value));
    emit_done(e, value);
  }
  for (uint32_t i = 0; i < p->init_count; i++)
    init_variable(e, &p->inits[i]);
  e->made = NULL;
  e->mode = mode;
}

/* Values that embedded C gives to the memory it has in a process. */
static bool starts_in_c(const emitter *e, const cprocess *p)
{
  for (size_t i = 0; i < e->model->c_memory.len; i++) {
    const embed_memory *m = &e->model->c_memory.data[i];
    if (m->owner == p->source && m->initial)
      return true;
  }
  return false;
}

void emit_run(emitter *e, const crun *r, const address *target)
{
  const cprocess *p = &e->code->processes[r->process];
  const process_layout *l = &e->layout->processes[r->process];
  if (starts_in_c(e, p))
    e->problem = "a new process with initial values in C";
  emit_open(e, "{ /* run %s */", e->types[r->process]);
  declare_arguments(e, r);
  emit_line(e, "if (x->processes == NUT_PROCESSES) goto bail;");
  emit_line(e, "made = x->processes;");
  append(e, "w", l->size);
  put_tag(e, "w", r->process);
  if (l->location_bytes == 1)
    emit_line(e, "w[%s] = %u;", e->locations[r->process], p->start);
  else
    emit_line(e, "nut_put16(w + %s, %u);", e->locations[r->process], p->start);
  emit_line(e, "nut_add_process(x, %u, n);", r->process);
  emit_line(e, "n += %u;", l->size);
  /* Writing to the new process must not look like writing to this one. */
  size_t written = e->written.len;
  fill_process(e, r, p);
  e->written.len = written;
  e->all_changed = true;
  emit_close(e);
  if (target)
    emit_store(e, target, "(int32_t)made");
}
