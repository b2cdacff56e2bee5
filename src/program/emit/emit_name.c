/* Names of variables in the emitted code: g_NAME for globals, PROCESS__NAME
** for locals; enumerators whose values are offsets. */

#include "program/emit/emit_internal.h"

/* The name with everything that C does not allow replaced, and a number
** behind it when it is taken. */
static const char *unique_name(emitter *e, const char *prefix, const char *name)
{
  text *t = emit_text(e);
  size_t before = names_count(e->names);
  text_add(t, prefix);
  for (const char *c = name; *c; c++) {
    bool good = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                (*c >= '0' && *c <= '9') || *c == '_';
    text_add_char(t, good ? *c : '_');
  }
  const char *result = name_of(e->names, text_string(t));
  size_t length = t->len;
  for (uint32_t i = 2; names_count(e->names) == before; i++) {
    t->len = length;
    text_printf(t, "_%u", i);
    result = name_of(e->names, text_string(t));
  }
  emit_done(e, t);
  return result;
}

static void find_local_names(emitter *e, const process_type *t)
{
  text *prefix = emit_text(e);
  arena *mem = e->memory;
  const char *kind = e->types[t->index] = unique_name(e, "", t->name);
  text_printf(prefix, "%s__", kind);
  e->locations[t->index] = unique_name(e, text_string(prefix), "at");
  e->locals[t->index] = ARENA_ARRAY(mem, const char *, t->locals.len + 1);
  for (size_t i = 0; i < t->locals.len; i++)
    e->locals[t->index][i] =
        unique_name(e, text_string(prefix), t->locals.data[i]->name);
  emit_done(e, prefix);
}

void emit_find_names(emitter *e)
{
  const model *m = e->model;
  arena *mem = e->memory;
  e->globals = ARENA_ARRAY(mem, const char *, m->globals.len + 1);
  e->locals = ARENA_ARRAY(mem, const char **, m->processes.len + 1);
  e->types = ARENA_ARRAY(mem, const char *, m->processes.len + 1);
  e->locations = ARENA_ARRAY(mem, const char *, m->processes.len + 1);
  for (size_t i = 0; i < m->globals.len; i++)
    e->globals[i] = unique_name(e, "g_", m->globals.data[i]->name);
  for (size_t i = 0; i < m->processes.len; i++)
    find_local_names(e, m->processes.data[i]);
}

void emit_names(emitter *e)
{
  const model *m = e->model;
  const layout *l = e->layout;
  emit_line(e, "enum { /* offsets of the globals */");
  for (size_t i = 0; i < m->globals.len; i++)
    emit_line(e, "  %s = %u,", e->globals[i], l->globals[i]);
  emit_line(e, "  model_globals_end = %u", l->globals_end);
  emit_line(e, "};\n");
  for (size_t i = 0; i < m->processes.len; i++) {
    const process_type *t = m->processes.data[i];
    emit_line(e, "enum { /* offsets in a process %s */", e->types[i]);
    for (size_t k = 0; k < t->locals.len; k++)
      emit_line(e, "  %s = %u,", e->locals[i][k], l->processes[i].locals[k]);
    emit_line(e, "  %s = %u", e->locations[i], l->processes[i].location_offset);
    emit_line(e, "};\n");
  }
}

/* The variable among 'vars' that covers 'offset', or the number of them. */
static size_t covering(const layout *l, var *const *vars,
                       const uint32_t *offsets, size_t n, uint32_t offset)
{
  for (size_t i = 0; i < n; i++) {
    uint32_t bytes = type_bytes(layout_type(l, vars[i])) * vars[i]->length;
    if (offset >= offsets[i] && offset - offsets[i] < bytes)
      return i;
  }
  return n;
}

void emit_offset(const emitter *e, uint8_t base, const process_type *t,
                 uint32_t offset, text *out)
{
  bool global = base == BASE_STATE;
  size_t n = global ? e->model->globals.len : t->locals.len;
  const uint32_t *offsets =
      global ? e->layout->globals : e->layout->processes[t->index].locals;
  size_t i =
      covering(e->layout, global ? e->model->globals.data : t->locals.data,
               offsets, n, offset);
  if (i == n) {
    text_printf(out, "%u", offset);
    return;
  }
  text_add(out, global ? e->globals[i] : e->locals[t->index][i]);
  if (offset != offsets[i])
    text_printf(out, " + %u", offset - offsets[i]);
}
