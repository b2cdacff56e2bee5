/* Channels: whether a communication can happen, what it does, and what an
** observer of events says to it. */

#include "program/interp/worker.h"

/* The bytes of channel 'number' in the current state. */
static uint8_t *channel_bytes(const worker *m, uint32_t number)
{
  return m->state + m->shape.channel_offset[number];
}

const channel_layout *channel_find(worker *m, int32_t number, const node *n)
{
  if (number < 1 || (uint32_t)number > m->shape.channels) {
    raise_fault(m, FAULT_CHANNEL, n->source->where);
    return NULL;
  }
  return &m->layout->channels[m->shape.channel_type[number]];
}

uint32_t channel_length(const worker *m, int32_t number)
{
  const channel_layout *c = &m->layout->channels[m->shape.channel_type[number]];
  return channel_length_at(c, channel_bytes(m, (uint32_t)number));
}

static void set_length(worker *m, const channel_layout *l, uint32_t number,
                       uint32_t length)
{
  uint8_t *at = channel_bytes(m, number) + l->length_offset;
  at[0] = (uint8_t)length;
  if (l->length_bytes == 2)
    at[1] = (uint8_t)(length >> 8);
  m->changed |= component_bit(m->shape.channel_component[number]);
}

static uint8_t *message_at(const worker *m, const channel_layout *c,
                           uint32_t number, uint32_t slot)
{
  return channel_bytes(m, number) + c->first + slot * c->message_size;
}

/* ---- can it be done? -------------------------------------------------- */

/* A rendezvous send is possible as far as the sender is concerned. */
bool can_send(worker *m, const ccomm *c)
{
  int32_t number = eval(m, c->channel);
  const channel_layout *l = channel_find(m, number, c->channel);
  if (!l)
    return false;
  return l->capacity == 0 || channel_length(m, number) < l->capacity ||
         m->program->model->flags & MODEL_LOSES;
}

/* The arguments that must be equal are; field i of the message is given by
** its bytes, or by 'message' for a rendezvous. */
static bool fits(worker *m, const ccomm *c, const channel_layout *l,
                 const uint8_t *bytes)
{
  for (uint32_t i = 0; i < c->arg_count && i < l->field_count; i++) {
    if (c->args[i].kind != ARG_VALUE)
      continue;
    int32_t have = bytes ? keep_read(l->keeps[i], bytes + l->fields[i])
                         : m->message.data[i];
    if (eval(m, c->args[i].value) != have)
      return false;
  }
  return true;
}

/* Position of the message that the receive takes, or NO_MESSAGE. */
static int32_t find_message(worker *m, const ccomm *c, int32_t number,
                            const channel_layout *l)
{
  uint32_t length = channel_length(m, number);
  uint32_t end = c->anywhere ? length : length > 0;
  for (uint32_t i = 0; i < end; i++)
    if (fits(m, c, l, message_at(m, l, (uint32_t)number, i)))
      return (int32_t)i;
  return NO_MESSAGE;
}

/* A rendezvous channel never holds a message: to look for one that stays there
** is a mistake. */
bool can_receive(worker *m, const ccomm *c)
{
  int32_t number = eval(m, c->channel);
  const channel_layout *l = channel_find(m, number, c->channel);
  if (l && !l->capacity && c->copy)
    raise_fault(m, FAULT_POLL, c->source->where);
  return l && l->capacity && find_message(m, c, number, l) != NO_MESSAGE;
}

/* Missing values would be read from nowhere, others would be lost. */
static void check_fields(worker *m, const ccomm *c, const channel_layout *l)
{
  if (!channel_takes(l, c->arg_count, c->copy))
    raise_fault(m, FAULT_FIELDS, c->source->where);
}

bool can_poll(worker *m, const ccomm *c)
{
  bool found = can_receive(m, c);
  if (found) {
    uint32_t number = (uint32_t)eval(m, c->channel);
    check_fields(m, c, &m->layout->channels[m->shape.channel_type[number]]);
  }
  return found;
}

bool can_answer(worker *m, const ccomm *c)
{
  int32_t number = eval(m, c->channel);
  if (c->copy || number < 0 || (uint32_t)number != m->handshake)
    return false;
  const channel_layout *l = channel_find(m, number, c->channel);
  return l && fits(m, c, l, NULL);
}

bool can_join(worker *m, const ccomm *c)
{
  if ((uint32_t)eval(m, c->channel) + 1 != m->port)
    return false;
  for (uint32_t i = 0; i < c->arg_count && i < m->message.len; i++)
    if (c->args[i].kind == ARG_VALUE &&
        eval(m, c->args[i].value) != m->message.data[i])
      return false;
  return true;
}

/* ---- observers of events ---------------------------------------------- */

static bool event_fits(worker *m, const ccomm *c, uint32_t number,
                       uint32_t fields)
{
  if (eval(m, c->channel) != (int32_t)number)
    return false;
  for (uint32_t i = 0; i < c->arg_count && i < fields; i++)
    if (c->args[i].kind == ARG_VALUE &&
        eval(m, c->args[i].value) != m->message.data[i])
      return false;
  return true;
}

/* Whether the observer watches this kind of event on this channel at all. */
static bool is_watched(worker *m, const process_type *t, comm_kind kind,
                       uint32_t number)
{
  const cprocess *p = &m->code->processes[t->index];
  for (size_t i = 0; i < t->locations.len; i++)
    for (uint32_t k = 0; k < p->locations[i].count; k++) {
      const ccomm *c = m->code->edges[p->locations[i].first + k].comm;
      if (c && c->kind == kind && eval(m, c->channel) == (int32_t)number)
        return true;
    }
  return false;
}

uint32_t trace_location(const worker *m)
{
  const uint8_t *at = m->state + m->layout->trace_offset;
  return (uint32_t)(at[0] | at[1] << 8);
}

static void set_trace_location(worker *m, uint32_t target)
{
  uint8_t *at = m->state + m->layout->trace_offset;
  at[0] = (uint8_t)target;
  at[1] = (uint8_t)(target >> 8);
  m->changed |= layout_slices_of(m->layout, m->layout->trace_offset, 2);
}

/* An edge of the observer without a communication (break, goto, the empty
** statement behind a label) takes any event, as in SPIN. */
static bool takes_event(worker *m, const cedge *e, const ccomm *what,
                        uint32_t number, uint32_t fields)
{
  return !e->comm || (e->comm->kind == what->kind &&
                      event_fits(m, e->comm, number, fields));
}

/* The edge along which the observer follows the event, or NULL.  Two that
** could be are a fault: the answer must not depend on their order. */
static const cedge *find_event(worker *m, const clocation *at,
                               const ccomm *what, uint32_t number,
                               uint32_t fields)
{
  const cedge *found = NULL;
  for (uint32_t i = 0; i < at->count; i++) {
    const cedge *e = &m->code->edges[at->first + i];
    if (!takes_event(m, e, what, number, fields))
      continue;
    if (found)
      raise_fault(m, FAULT_CHOICE, what->source->where);
    found = e;
  }
  return found;
}

/* The event 'what' with the message in 'message' just took place.  A notrace
** whose first deviation has come is over: it waits at its end. */
static void observe(worker *m, const ccomm *what, uint32_t number,
                    uint32_t fields)
{
  const cprocess *p = &m->code->processes[m->code->trace];
  bool forbids = p->source->kind == PROCESS_NOTRACE;
  if (!is_watched(m, p->source, (comm_kind)what->kind, number))
    return;
  const clocation *at = &p->locations[trace_location(m)];
  const cedge *e = find_event(m, at, what, number, fields);
  if (m->fatal)
    return;
  if (e) {
    note_executed(m, e);
    set_trace_location(m, e->target);
    if (forbids && e->target == m->code->trace_end)
      raise_fault(m, FAULT_NOTRACE, what->source->where);
  } else if (forbids) {
    set_trace_location(m, m->code->trace_end);
  } else {
    raise_fault(m, FAULT_TRACE, what->source->where);
  }
}

/* xr and xs: nobody but processes that assert it may use the channel so. */
static void check_only(worker *m, const ccomm *what, uint32_t number)
{
  uint32_t self = m->self;
  bool reads = what->kind == COMM_RECEIVE, broken = false;
  for (uint32_t i = 0; i < m->shape.processes && !broken; i++) {
    const cprocess *p = &m->code->processes[m->shape.process_type[i]];
    uint32_t n = reads ? p->only_read_count : p->only_send_count;
    const node **list = reads ? p->only_reads : p->only_sends;
    if (i == self || !n)
      continue;
    set_self(m, i);
    for (uint32_t k = 0; k < n; k++)
      broken |= eval(m, list[k]) == (int32_t)number;
  }
  set_self(m, self);
  if (broken)
    raise_fault(m, reads ? FAULT_READER : FAULT_SENDER, what->source->where);
}

/* A receive that leaves the message where it is reads the channel, but is no
** event for an observer. */
static void after_event(worker *m, const ccomm *c, uint32_t number,
                        uint32_t fields)
{
  if (m->code->has_only)
    check_only(m, c, number);
  if (m->code->trace != NO_TRACE && !c->copy)
    observe(m, c, number, fields);
}

static void after_rendezvous_send(worker *m, uint32_t number, uint32_t fields)
{
  uint32_t receiver = m->self;
  set_self(m, m->sender);
  after_event(m, m->sender_edge->comm, number, fields);
  set_self(m, receiver);
}

/* ---- doing it --------------------------------------------------------- */

/* Evaluates the arguments of a send into 'message', as the fields' types
** will hold them.  Missing arguments are 0. */
static void prepare_message(worker *m, const ccomm *c, const channel_layout *l)
{
  vec_clear(&m->message);
  for (uint32_t i = 0; i < l->field_count; i++) {
    uint8_t bytes[4] = {0};
    if (i < c->arg_count) {
      int32_t value = eval(m, c->args[i].value);
      if (!keep_write(l->keeps[i], bytes, value) &&
          (m->program->options.check_overflow ||
           l->keeps[i].kind >= KEEP_RANGE8))
        raise_fault(m, FAULT_OVERFLOW, c->source->where);
    }
    vec_push(&m->message, keep_read(l->keeps[i], bytes));
  }
}

static int compare_message(const worker *m, const channel_layout *l,
                           const uint8_t *bytes)
{
  for (uint32_t i = 0; i < l->field_count; i++) {
    int32_t have = keep_read(l->keeps[i], bytes + l->fields[i]);
    if (have != m->message.data[i])
      return have < m->message.data[i] ? -1 : 1;
  }
  return 0;
}

/* Sorted sends go before the first message that is not smaller. */
static uint32_t place_of_message(const worker *m, const ccomm *c,
                                 const channel_layout *l, uint32_t number,
                                 uint32_t length)
{
  uint32_t at = 0;
  if (!c->sorted)
    return length;
  while (at < length && compare_message(m, l, message_at(m, l, number, at)) < 0)
    at++;
  return at;
}

void do_send(worker *m, const ccomm *c)
{
  uint32_t number = (uint32_t)eval(m, c->channel);
  const channel_layout *l = &m->layout->channels[m->shape.channel_type[number]];
  check_fields(m, c, l);
  prepare_message(m, c, l);
  if (l->capacity == 0) {
    m->handshake = number; /* an event only when somebody answers */
    return;
  }
  uint32_t length = channel_length(m, (int32_t)number);
  if (length == l->capacity)
    return; /* it is lost */
  uint32_t at = place_of_message(m, c, l, number, length);
  uint8_t *to = message_at(m, l, number, at);
  memmove(to + l->message_size, to, (length - at) * l->message_size);
  for (uint32_t i = 0; i < l->field_count; i++)
    keep_write(l->keeps[i], to + l->fields[i], m->message.data[i]);
  set_length(m, l, number, length + 1);
  after_event(m, c, number, l->field_count);
}

static void remove_message(worker *m, const channel_layout *l, uint32_t number,
                           uint32_t slot)
{
  uint32_t length = channel_length(m, (int32_t)number) - 1;
  uint8_t *from = message_at(m, l, number, slot);
  memmove(from, from + l->message_size, (length - slot) * l->message_size);
  memset(message_at(m, l, number, length), 0, l->message_size);
  set_length(m, l, number, length);
}

/* Takes the message out first, then assigns its fields one after the other,
** so that 'q?i,a[i]' uses the received i. */
void do_receive(worker *m, const ccomm *c)
{
  uint32_t number = (uint32_t)eval(m, c->channel);
  const channel_layout *l = &m->layout->channels[m->shape.channel_type[number]];
  check_fields(m, c, l);
  if (l->capacity == 0) {
    m->handshake = 0;
    after_rendezvous_send(m, number, l->field_count);
  } else {
    int32_t slot = find_message(m, c, (int32_t)number, l);
    const uint8_t *bytes = message_at(m, l, number, (uint32_t)slot);
    vec_clear(&m->message);
    for (uint32_t i = 0; i < l->field_count; i++)
      vec_push(&m->message, keep_read(l->keeps[i], bytes + l->fields[i]));
    if (!c->copy)
      remove_message(m, l, number, (uint32_t)slot);
  }
  for (uint32_t i = 0; i < c->arg_count && i < l->field_count; i++)
    if (c->args[i].kind == ARG_STORE)
      address_write(m, c->args[i].target, m->message.data[i]);
  after_event(m, c, number, l->field_count);
}

void do_multicast(worker *m, const ccomm *c)
{
  m->port = (uint32_t)eval(m, c->channel) + 1;
  vec_clear(&m->message);
  for (uint32_t i = 0; i < c->arg_count; i++)
    vec_push(&m->message, eval(m, c->args[i].value));
}

void do_join(worker *m, const ccomm *c)
{
  for (uint32_t i = 0; i < c->arg_count && i < m->message.len; i++)
    if (c->args[i].kind == ARG_STORE)
      address_write(m, c->args[i].target, m->message.data[i]);
}
