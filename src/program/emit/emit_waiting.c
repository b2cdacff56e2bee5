/* Who waits at a rendezvous channel.  Most sends over such a channel find
** nobody; a look at the locations of all processes tells so before anything is
** copied.  "waits" may be too generous, never too strict. */

#include "program/emit/emit_internal.h"

/* The edge may answer over 'k' (NULL: over any rendezvous channel). */
static bool comm_waits(const emitter *e, const ccomm *c, const known_channel *k)
{
  if (!c || !emit_may_answer(e, c))
    return false;
  site at = emit_site(e, c->channel);
  return !k || !at.known || at.known == k;
}

static bool location_waits(const emitter *e, const cprocess *p,
                           const clocation *at, const known_channel *k)
{
  for (uint32_t i = 0; i < at->count; i++) {
    const cedge *arc = &e->code->edges[at->first + i];
    if (arc->flags & EDGE_DSTEP
            ? location_waits(e, p, &p->locations[arc->block], k)
            : comm_waits(e, arc->comm, k))
      return true;
  }
  return false;
}

static bool process_waits(const emitter *e, const cprocess *p,
                          const known_channel *k)
{
  for (size_t i = 0; i < p->source->locations.len; i++)
    if (location_waits(e, p, &p->locations[i], k))
      return true;
  return false;
}

static void table_of(emitter *e, const cprocess *p, const known_channel *k,
                     const char *name)
{
  text *line = emit_text(e);
  for (size_t i = 0; i < p->source->locations.len; i++)
    text_printf(line, "%s%d", i ? "," : "",
                location_waits(e, p, &p->locations[i], k));
  emit_line(e, "static const uint8_t %s_%u[] = {%s};", name, p->source->index,
            text_string(line));
  emit_done(e, line);
}

/* In a fixed layout: the tables of all processes, one after the other. */
static void ask_each(emitter *e, const known_channel *k, const char *name)
{
  const shape *s = e->shape;
  for (uint32_t i = 0; i < s->processes; i++) {
    uint32_t kind = s->process_type[i];
    text *at = emit_text(e), *where = emit_text(e);
    if (!process_waits(e, &e->code->processes[kind], k))
      continue;
    text_printf(at, "%u", s->process_offset[i]);
    emit_location(e, "s", text_string(at), kind, where);
    emit_line(e, "found |= %s_%u[%s];", name, kind, text_string(where));
    emit_done(e, at);
    emit_done(e, where);
  }
}

static void ask_by_type(emitter *e, const known_channel *k, const char *name)
{
  emit_open(e, "for (uint32_t i = 0; i < x->processes && !found; i++) {");
  emit_line(e, "const uint32_t at = x->process_offset[i];");
  emit_open(e, "switch (x->process_type[i]) {");
  for (uint32_t i = 0; i < e->layout->process_types; i++) {
    text *where = emit_text(e);
    if (!process_waits(e, &e->code->processes[i], k))
      continue;
    emit_location(e, "s", "at", i, where);
    emit_line(e, "case %u: found = %s_%u[%s]; break;", i, name, i,
              text_string(where));
    emit_done(e, where);
  }
  emit_close(e);
  emit_close(e);
}

static void waiting_at(emitter *e, const known_channel *k, const char *name)
{
  for (uint32_t i = 0; i < e->layout->process_types; i++)
    if (process_waits(e, &e->code->processes[i], k))
      table_of(e, &e->code->processes[i], k, name);
  emit_open(e, "NUT_INLINE int %s(const nut_run *x, const uint8_t *s) {", name);
  emit_line(e, "uint32_t found = 0;");
  if (e->fixed)
    ask_each(e, k, name);
  else
    ask_by_type(e, k, name);
  emit_line(e, "return (int)found;");
  emit_close(e);
  emit_line(e, "%s", "");
}

void emit_waiting(emitter *e)
{
  if (!e->has_rendezvous)
    return;
  for (size_t i = 0; i < e->known.len; i++) {
    text *name = emit_text(e);
    if (e->layout->channels[e->known.data[i].kind].capacity)
      continue;
    text_printf(name, "waits_%zu", i);
    waiting_at(e, &e->known.data[i], text_string(name));
    emit_done(e, name);
  }
  waiting_at(e, NULL, "waits_any");
}
