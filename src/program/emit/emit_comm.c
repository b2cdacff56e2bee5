/* Sends and receives as C. */

#include "program/emit/emit_internal.h"
#include "runtime/abi.h"

/* Queues up to this size are shifted as a whole. */
enum { SHIFT_MAX = 256 };

typedef struct comm_job {
  const cedge *arc;
  edge_body *begin, *end;
} comm_job;

/* The same edge is written again for another layout. */
static void start_over(emitter *e, read_mode mode)
{
  e->mode = mode;
  vec_clear(&e->written);
  emit_changes_none(e);
}

static void channel_changed(emitter *e, const site *at)
{
  text_add(&e->bits, " | ");
  emit_site_bit(e, at, &e->bits);
}

/* The running process has just used the channel. */
static void event_here(emitter *e, const site *at, bool reads)
{
  text *number = emit_text(e);
  emit_site_number(e, at, number);
  emit_after_event(e, at, reads, "pid", text_string(number));
  emit_done(e, number);
}

/* ---- messages --------------------------------------------------------- */

/* Field 'i' of the message that is sent, as the channel will hold it. */
static void field_value(emitter *e, const ccomm *c, const channel_layout *l,
                        uint32_t i, text *out)
{
  text *value = emit_text(e);
  if (i < c->arg_count)
    emit_value(e, c->args[i].value, value);
  else
    emit_constant(l->keeps[i].kind >= KEEP_RANGE8 ? l->keeps[i].lo : 0, value);
  emit_truncated(e, l->keeps[i], text_string(value), out);
  emit_done(e, value);
}

/* All fields are read before the first is written. */
static void declare_message(emitter *e, const ccomm *c, const channel_layout *l)
{
  for (uint32_t i = 0; i < l->field_count; i++) {
    text *value = emit_text(e);
    field_value(e, c, l, i, value);
    emit_line(e, "const int32_t m%u = %s;", i, text_string(value));
    emit_done(e, value);
  }
}

/* 'slot' becomes the place before the first message that is not smaller. */
static void find_slot(emitter *e, const channel_layout *l)
{
  emit_line(e, "uint32_t slot = 0;");
  emit_line(e, "const uint8_t *a = %s + q + %u;", emit_whole_state(e),
            l->first);
  emit_open(e, "for (; slot < count; slot++, a += %u) {", l->message_size);
  for (uint32_t i = 0; i < l->field_count; i++) {
    text *have = emit_text(e), *offset = emit_text(e);
    text_printf(offset, "%u", l->fields[i]);
    emit_load(l->keeps[i], "a", text_string(offset), have);
    emit_line(e, "if (%s < m%u) continue;", text_string(have), i);
    emit_line(e, "if (%s > m%u) break;", text_string(have), i);
    emit_done(e, have);
    emit_done(e, offset);
  }
  emit_line(e, "break;");
  emit_close(e);
}

static void put_message(emitter *e, const channel_layout *l)
{
  for (uint32_t i = 0; i < l->field_count; i++) {
    text *value = emit_text(e), *offset = emit_text(e);
    text_printf(value, "m%u", i);
    text_printf(offset, "%u", l->fields[i]);
    emit_put(e, l->keeps[i], "b", text_string(offset), text_string(value));
    emit_done(e, value);
    emit_done(e, offset);
  }
}

/* ---- rendezvous: the sender ------------------------------------------- */

/* Whether the send can be tried at all: when nobody waits at the channel it is
** not worth a copy of the state.  But faults must be found in any case. */
static void open_if_awaited(emitter *e, const site *at, const cedge *arc,
                            const channel_layout *l)
{
  text *value = emit_text(e);
  for (uint32_t i = 0; i < l->field_count; i++)
    field_value(e, arc->comm, l, i, value);
  bool careful = emit_can_bail(text_string(value));
  emit_done(e, value);
  if (careful)
    emit_open(e, "{");
  else if (at->known)
    emit_open(e, "if (waits_%u(x, s)) {",
              (uint32_t)(at->known - e->known.data));
  else
    emit_open(e, "if (waits_any(x, s)) {");
}

static void rendezvous_send(emitter *e, const site *at, const channel_layout *l,
                            const cedge *arc)
{
  text *number = emit_text(e), *changed = emit_text(e);
  if (l->field_count > NUT_FIELDS)
    e->problem = "a rendezvous with many fields";
  open_if_awaited(e, at, arc, l);
  for (uint32_t i = 0; i < l->field_count; i++) {
    text *value = emit_text(e);
    field_value(e, arc->comm, l, i, value);
    emit_line(e, "x->message[%u] = %s;", i, text_string(value));
    emit_done(e, value);
  }
  emit_line(e, "if (!(d = nut_begin_send(x, s, %s))) goto room;",
            emit_length(e));
  e->mode = FROM_BOTH;
  text_printf(number, "%u", arc->target);
  emit_set_location(e, text_string(number));
  text_clear(number);
  emit_site_number(e, at, number);
  emit_changes(e, changed);
  emit_line(e, "x->handshake = %s;", text_string(number));
  emit_line(e, "x->before = s;");
  if (e->meets_with_effects || e->code->has_only)
    emit_line(e, "x->sender = (nut_sender){%u, pid, self, mine};", arc->index);
  emit_line(e, "if ((r = nut_offer(x, %s, pid, %u, %s)) < 0) return r;",
            emit_length(e), arc->index, text_string(changed));
  if (e->wants_moved)
    emit_line(e, "moved |= r;");
  emit_close(e);
  emit_done(e, number);
  emit_done(e, changed);
}

/* ---- sending ---------------------------------------------------------- */

static void send_body(emitter *e, const site *at, const channel_layout *l,
                      void *context)
{
  const comm_job *job = context;
  const ccomm *c = job->arc->comm;
  read_mode mode = e->mode;
  if (!channel_takes(l, c->arg_count, false) ||
      (l->capacity == 0 && e->block)) {
    emit_line(e, "goto bail;"); /* nobody can answer inside a d_step */
    return;
  }
  if (l->capacity == 0) {
    rendezvous_send(e, at, l, job->arc);
    start_over(e, mode);
    return;
  }
  emit_line(e, "const uint32_t count = %s[q + %u];", emit_whole_state(e),
            l->length_offset);
  emit_open(e, "if (count < %u) {", l->capacity);
  job->begin(e, job->arc);
  declare_message(e, c, l);
  if (c->sorted) {
    find_slot(e, l);
    emit_line(e, "uint8_t *b = nut_insert(d + q + %u, slot, count, %u);",
              l->first, l->message_size);
  } else {
    emit_line(e, "uint8_t *b = d + q + %u + count * %u;", l->first,
              l->message_size);
  }
  put_message(e, l);
  emit_line(e, "d[q + %u] = count + 1;", l->length_offset);
  channel_changed(e, at);
  event_here(e, at, false);
  job->end(e, job->arc);
  emit_close(e);
  start_over(e, mode);
}

/* ---- receiving -------------------------------------------------------- */

/* The condition under which there is a message 'b' to be received. */
static void open_receive(emitter *e, const ccomm *c, const channel_layout *l)
{
  const char *state = emit_whole_state(e);
  text *fits = emit_text(e);
  emit_fits(e, c, l, "b", fits);
  emit_line(e, "const uint8_t *b = %s + q + %u;", state, l->first);
  if (c->anywhere) {
    emit_line(e, "const uint32_t count = %s[q + %u];", state, l->length_offset);
    emit_line(e, "uint32_t slot = 0;");
    emit_line(e, "while (slot < count && !(%s)) slot++, b += %u;",
              text_string(fits), l->message_size);
    emit_open(e, "if (slot < count) {");
  } else {
    emit_line(e, "const uint32_t count = %s[q + %u];", state, l->length_offset);
    emit_open(e, "if (count && %s) {", text_string(fits));
  }
  emit_done(e, fits);
}

static void remove_received(emitter *e, const ccomm *c, const channel_layout *l)
{
  uint32_t total = l->capacity * l->message_size;
  if (c->anywhere)
    emit_line(e, "nut_remove(d + q + %u, slot, count, %u);", l->first,
              l->message_size);
  else if (total > SHIFT_MAX)
    emit_line(e, "nut_remove(d + q + %u, 0, count, %u);", l->first,
              l->message_size);
  else
    emit_line(e, "nut_shift(d + q + %u, %u, %u);", l->first, total,
              l->message_size);
  emit_line(e, "d[q + %u] = count - 1;", l->length_offset);
}

static void receive_body(emitter *e, const site *at, const channel_layout *l,
                         void *context)
{
  const comm_job *job = context;
  const ccomm *c = job->arc->comm;
  read_mode mode = e->mode;
  if (l->capacity == 0 && !c->copy)
    return; /* only as an answer */
  if (l->capacity == 0 || !channel_takes(l, c->arg_count, c->copy)) {
    emit_line(e, "goto bail;"); /* a fault, if there is a message */
    return;
  }
  open_receive(e, c, l);
  job->begin(e, job->arc);
  for (uint32_t i = 0; i < c->arg_count && i < l->field_count; i++) {
    text *value = emit_text(e), *offset = emit_text(e);
    text_printf(offset, "%u", l->fields[i]);
    emit_load(l->keeps[i], "b", text_string(offset), value);
    if (c->args[i].kind == ARG_STORE)
      emit_line(e, "const int32_t m%u = %s;", i, text_string(value));
    emit_done(e, value);
    emit_done(e, offset);
  }
  if (!c->copy) {
    remove_received(e, c, l);
    channel_changed(e, at);
  }
  for (uint32_t i = 0; i < c->arg_count && i < l->field_count; i++) {
    text *value = emit_text(e);
    text_printf(value, "m%u", i);
    if (c->args[i].kind == ARG_STORE)
      emit_store(e, c->args[i].target, text_string(value));
    emit_done(e, value);
  }
  event_here(e, at, true);
  job->end(e, job->arc);
  emit_close(e);
  start_over(e, mode);
}

void emit_comm(emitter *e, const cedge *arc, edge_body *begin, edge_body *end)
{
  if (arc->comm->kind == COMM_MULTICAST) {
    emit_multicast(e, arc);
    return;
  }
  comm_job job = {arc, begin, end};
  site at = emit_site(e, arc->comm->channel);
  emit_open_site(e, &at);
  emit_each_layout(e, &at, arc->comm,
                   arc->comm->kind == COMM_SEND ? send_body : receive_body,
                   &job);
  emit_close(e);
}

/* ---- rendezvous: the receiver ----------------------------------------- */

bool emit_may_answer(const emitter *e, const ccomm *c)
{
  if (!e->has_rendezvous || c->kind != COMM_RECEIVE || c->copy)
    return false;
  site at = emit_site(e, c->channel);
  return !at.known || e->layout->channels[at.known->kind].capacity == 0;
}

/* The rendezvous layout with the fewest fields; of an answer only their number
** matters. */
static const channel_layout *offered_layout(const emitter *e, const site *at)
{
  const layout *l = e->layout;
  const channel_layout *least = NULL;
  if (at->known)
    return &l->channels[at->known->kind];
  for (uint32_t i = 0; i < l->channel_types; i++)
    if (l->channels[i].capacity == 0 &&
        (!least || l->channels[i].field_count < least->field_count))
      least = &l->channels[i];
  return least;
}

/* Whether the answer takes all that any sender may offer. */
static bool answers_fit(const emitter *e, const site *at, const ccomm *c)
{
  const layout *l = e->layout;
  if (at->known)
    return l->channels[at->known->kind].field_count == c->arg_count;
  for (uint32_t i = 0; i < l->channel_types; i++)
    if (l->channels[i].capacity == 0 &&
        l->channels[i].field_count != c->arg_count)
      return false;
  return true;
}

void emit_answer(emitter *e, const cedge *arc, edge_body *begin, edge_body *end)
{
  const ccomm *c = arc->comm;
  text *number = emit_text(e), *condition = emit_text(e);
  site at = emit_site(e, c->channel);
  const channel_layout *l = offered_layout(e, &at);
  if (!answers_fit(e, &at, c))
    e->problem = "a receive with another number of values";
  emit_channel_number(e, &at, number);
  emit_fits(e, c, l, NULL, condition);
  if (arc->guard && e->block)
    e->problem = "a guard of a rendezvous in a d_step";
  if (arc->guard) {
    text_add(condition, " && ");
    e->mode = FROM_BEFORE;
    emit_value(e, arc->guard, condition);
    e->mode = FROM_SOURCE;
  }
  emit_open(e, "if ((uint32_t)(%s) == x->handshake && %s) {",
            text_string(number), text_string(condition));
  begin(e, arc);
  emit_after_event(e, &at, false, "x->sender.process", "x->handshake");
  for (uint32_t i = 0; i < c->arg_count && i < l->field_count; i++) {
    text *value = emit_text(e);
    text_printf(value, "x->message[%u]", i);
    if (c->args[i].kind == ARG_STORE)
      emit_store(e, c->args[i].target, text_string(value));
    emit_done(e, value);
  }
  emit_after_event(e, &at, true, "pid", "x->handshake");
  if (e->meets_with_effects) {
    emit_line(e, "if ((r = model_sender_effects(x, d)) < 0) goto bail;");
    text_add(&e->bits, " | x->sender_changed");
    e->mode = FROM_COPY;
  }
  end(e, arc);
  emit_close(e);
  emit_done(e, number);
  emit_done(e, condition);
}

/* ---- rendezvous: what the sender does after it ------------------------ */

void emit_late_function(emitter *e, const char *verb, edge_body *body,
                        const cedge *arc, const char *refusal)
{
  text *changed = emit_text(e);
  e->process = &e->code->processes[arc->source->process->index];
  e->problem = refusal;
  e->mode = FROM_COPY;
  e->died = e->grows = false;
  vec_clear(&e->written);
  emit_changes_none(e);
  emit_line(e, "static int %s_%u(nut_run *x, uint8_t *d, uint32_t pid,", verb,
            arc->index);
  emit_open(e, "    uint32_t self, uint64_t mine) {");
  size_t start = e->out->len;
  if (!refusal)
    body(e, arc);
  emit_changes(e, changed);
  emit_line(e, "x->sender_changed |= %s;", text_string(changed));
  emit_line(e, "return 0;");
  if (e->problem || e->died)
    e->out->len = start;
  emit_line(e, "bail: return NUT_BAIL;");
  emit_close(e);
  emit_done(e, changed);
}

static void effects_of_sender(emitter *e, const cedge *arc)
{
  emit_late_function(e, "effects", emit_effects, arc,
                     emit_creates(arc) ? "a process created in a rendezvous"
                                       : NULL);
}

static bool has_late_effects(const cedge *k)
{
  return k->comm && k->comm->kind == COMM_SEND && k->effect_count;
}

void emit_sender_effects(emitter *e)
{
  if (!e->meets_with_effects)
    return;
  for (size_t i = 0; i < e->model->edges.len; i++)
    if (has_late_effects(&e->code->edges[i]))
      effects_of_sender(e, &e->code->edges[i]);
  emit_open(e, "NUT_INLINE int model_sender_effects(nut_run *x, uint8_t *d) {");
  emit_line(e, "const nut_sender *by = &x->sender;");
  emit_line(e, "x->sender_changed = 0;");
  emit_open(e, "switch (by->edge) {");
  for (size_t i = 0; i < e->model->edges.len; i++)
    if (has_late_effects(&e->code->edges[i]))
      emit_line(e,
                "case %u: return effects_%u(x, d, by->process, by->self, "
                "by->mine);",
                e->code->edges[i].index, e->code->edges[i].index);
  emit_close(e);
  emit_line(e, "return 0;");
  emit_close(e);
}
