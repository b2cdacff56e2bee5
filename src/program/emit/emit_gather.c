/* Multicast as C: what the sender begins, who joins, and what they do; the
** runtime (gather.h) puts it together.  Only in a fixed layout, where nobody
** comes or goes. */

#include "program/emit/emit_internal.h"
#include "runtime/abi.h"

static bool is_kind(const cedge *arc, comm_kind kind)
{
  return arc->comm && arc->comm->kind == kind && !(arc->flags & EDGE_DSTEP);
}

bool emit_joins(const cedge *arc)
{
  return is_kind(arc, COMM_JOIN) && !(arc->flags & EDGE_ELSE);
}

/* ---- the sender -------------------------------------------------------- */

void emit_multicast(emitter *e, const cedge *arc)
{
  const ccomm *c = arc->comm;
  text *value = emit_text(e), *changed = emit_text(e);
  if (!e->fixed || e->block || (arc->flags & EDGE_ATOMIC) ||
      c->arg_count > NUT_FIELDS)
    e->problem = "a multicast of an odd kind";
  for (uint32_t i = 0; i < c->arg_count && i < NUT_FIELDS; i++) {
    text_clear(value);
    emit_value(e, c->args[i].value, value);
    emit_line(e, "x->message[%u] = %s;", i, text_string(value));
  }
  text_clear(value);
  emit_value(e, c->channel, value);
  emit_line(e, "x->handshake = (uint32_t)(%s);", text_string(value));
  emit_line(e, "if (!(d = nut_begin_send(x, s, %s))) goto room;",
            emit_length(e));
  e->mode = FROM_BOTH;
  text_clear(value);
  text_printf(value, "%u", arc->target);
  emit_set_location(e, text_string(value));
  emit_changes(e, changed);
  emit_line(e, "x->before = s;");
  emit_line(e, "x->sender = (nut_sender){%u, pid, self, mine};", arc->index);
  emit_line(e, "if ((r = nut_gather(x, %s, %s)) < 0) return r;", emit_length(e),
            text_string(changed));
  if (e->wants_moved)
    emit_line(e, "moved = 1;");
  emit_done(e, value);
  emit_done(e, changed);
}

/* ---- who joins --------------------------------------------------------- */

/* The values are compared in the state in which the sender has moved, the
** guard is that of the state before. */
void emit_join(emitter *e, const cedge *arc)
{
  const ccomm *c = arc->comm;
  text *condition = emit_text(e);
  emit_value(e, c->channel, condition);
  text_add(condition, " == (int32_t)x->handshake");
  for (uint32_t i = 0; i < c->arg_count; i++) {
    if (c->args[i].kind != ARG_VALUE)
      continue;
    text_printf(condition, " && x->message[%u] == ", i);
    emit_value(e, c->args[i].value, condition);
  }
  if (arc->guard) {
    text_add(condition, " && ");
    e->mode = FROM_BEFORE;
    emit_value(e, arc->guard, condition);
    e->mode = FROM_SOURCE;
  }
  emit_open(e, "if (%s) {", text_string(condition));
  emit_line(e, "if (!nut_join(x, %u, pid, self, mine)) goto bail;", arc->index);
  if (e->wants_moved)
    emit_line(e, "moved = 1;");
  emit_close(e);
  emit_done(e, condition);
}

/* ---- what they do ------------------------------------------------------ */

static void store_message(emitter *e, const cedge *arc)
{
  const ccomm *c = arc->comm;
  for (uint32_t i = 0; i < c->arg_count; i++) {
    text *value = emit_text(e);
    text_printf(value, "x->message[%u]", i);
    if (c->args[i].kind == ARG_STORE)
      emit_store(e, c->args[i].target, text_string(value));
    emit_done(e, value);
  }
}

static void take_part(emitter *e, const cedge *arc)
{
  text *target = emit_text(e);
  emit_effects(e, arc);
  text_printf(target, "%u", arc->target);
  if (is_kind(arc, COMM_JOIN))
    emit_set_location(e, text_string(target));
  emit_done(e, target);
}

static void late_function(emitter *e, const char *verb, edge_body *body,
                          const cedge *arc)
{
  bool refused = emit_creates(arc) || arc->comm->arg_count > NUT_FIELDS;
  emit_late_function(e, verb, body, arc,
                     refused ? "a process created in a multicast" : NULL);
}

/* Those of all edges of these kinds, and one that chooses among them. */
static void late_functions(emitter *e, const char *verb, edge_body *body,
                           const char *chooser, bool of_sender)
{
  size_t count = e->gathers ? e->model->edges.len : 0;
  for (size_t i = 0; i < count; i++) {
    const cedge *arc = &e->code->edges[i];
    if (is_kind(arc, COMM_JOIN) || (of_sender && is_kind(arc, COMM_MULTICAST)))
      late_function(e, verb, body, arc);
  }
  emit_line(e, "static int __attribute__((unused))");
  emit_open(e, "%s(nut_run *x, uint8_t *d, const nut_sender *who) {", chooser);
  emit_open(e, "switch (who->edge) {");
  for (size_t i = 0; i < count; i++) {
    const cedge *arc = &e->code->edges[i];
    if (is_kind(arc, COMM_JOIN) || (of_sender && is_kind(arc, COMM_MULTICAST)))
      emit_line(e,
                "case %u: return %s_%u(x, d, who->process, who->self, "
                "who->mine);",
                arc->index, verb, arc->index);
  }
  emit_close(e);
  emit_line(e, "return NUT_BAIL;");
  emit_close(e);
  emit_line(e, "%s", "");
}

void emit_gatherings(emitter *e)
{
  for (size_t i = 0; i < e->model->edges.len; i++)
    e->gathers |= e->fixed && is_kind(&e->code->edges[i], COMM_MULTICAST);
  late_functions(e, "receives", store_message, "model_receives", false);
  late_functions(e, "takes_part", take_part, "model_takes_part", true);
}
