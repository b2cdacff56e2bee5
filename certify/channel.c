/* Channels: whether a communication can happen, what it does, and what an
** observer of events says to it. */

#include "certify.h"

#include <string.h>

static const channel_type *kind_of(const engine *e, uint32_t number)
{
  return &e->model->channels[e->s->row[e->s->channel_at[number]]];
}

const channel_type *channel_of(engine *e, int32_t number)
{
  if (number < 1 || (uint32_t)number > e->s->channels)
    refuse("a channel is used that is not there: %d", number);
  return kind_of(e, (uint32_t)number);
}

static int32_t *message_at(const engine *e, uint32_t number, uint32_t slot)
{
  return &e->s->row[e->s->channel_at[number] + 2 +
                    slot * kind_of(e, number)->count];
}

/* ---- can it be done? ------------------------------------------------------ */

/* The arguments of a communication stand behind its channel. */
static bool fits(engine *e, const node *c, const int32_t *fields, size_t count)
{
  for (uint32_t i = 1; i < c->count && i <= count; i++)
    if (c->args[i]->op != OP_store && c->args[i]->op != OP_any &&
        value_of(e, c->args[i]) != fields[i - 1])
      return false;
  return true;
}

/* The message that the receive takes; the number of messages: none. */
static uint32_t find_message(engine *e, const node *c, uint32_t number)
{
  uint32_t length = messages_in(e->s, number);
  uint32_t end = c->value & ANYWHERE ? length : length > 0;
  for (uint32_t i = 0; i < end; i++)
    if (fits(e, c, message_at(e, number, i), kind_of(e, number)->count))
      return i;
  return length;
}

static void check_fields(const node *c, const channel_type *t)
{
  uint32_t count = c->count - 1;
  if (count != t->count && !(c->value & COPY && count < t->count))
    refuse("a message has another number of values than its channel");
}

/* Of a send or receive alone. */
bool can_communicate(engine *e, const node *c)
{
  int32_t number = value_of(e, c->args[0]);
  const channel_type *t = channel_of(e, number);
  uint32_t length = messages_in(e->s, (uint32_t)number);
  if (c->op == OP_send)
    return !t->capacity || length < t->capacity;
  if (!t->capacity && c->value & COPY)
    refuse("a rendezvous channel is polled");
  return t->capacity && find_message(e, c, (uint32_t)number) < length;
}

bool can_poll(engine *e, const node *c)
{
  bool found = can_communicate(e, c);
  if (found)
    check_fields(c, channel_of(e, value_of(e, c->args[0])));
  return found;
}

/* Whether it fits a rendezvous or multicast in progress. */
bool can_answer(engine *e, const node *c)
{
  uint32_t number = (uint32_t)value_of(e, c->args[0]);
  bool meets = e->handshake ? number == e->handshake && c->op == OP_receive &&
                                  !(c->value & COPY)
                            : number + 1 == e->port && c->op == OP_join;
  return meets && fits(e, c, e->message.data, e->message.len);
}

/* ---- observers of events -------------------------------------------------- */

static bool is_watched(engine *e, const process_type *p, const node *what,
                       uint32_t number)
{
  for (uint32_t i = 0; i < p->edge_count; i++) {
    const node *c = p->edges[i].comm;
    if (c && c->op == what->op && value_of(e, c->args[0]) == (int32_t)number)
      return true;
  }
  return false;
}

static const edge *find_event(engine *e, const process_type *p,
                              const node *what, uint32_t number)
{
  const location *at = &p->locations[e->s->row[e->model->trace_at]];
  const edge *found = NULL;
  for (uint32_t i = 0; i < at->count; i++) {
    const edge *g = &p->edges[at->first + i];
    if (g->comm && (g->comm->op != what->op ||
                    value_of(e, g->comm->args[0]) != (int32_t)number ||
                    !fits(e, g->comm, e->message.data, e->message.len)))
      continue;
    if (found)
      refuse("the trace is not deterministic");
    found = g;
  }
  return found;
}

static void observe(engine *e, const node *what, uint32_t number)
{
  const model *m = e->model;
  const process_type *p = &m->processes[m->trace];
  bool forbids = p->kind == NOTRACE;
  if (!is_watched(e, p, what, number))
    return;
  const edge *g = find_event(e, p, what, number);
  if (!g && !forbids)
    refuse("an event is not allowed by the trace");
  uint32_t next = g ? g->target : m->trace_end;
  e->s->row[m->trace_at] = (int32_t)next;
  if (g && forbids && next == m->trace_end)
    refuse("a sequence of events is forbidden by the notrace");
}

/* xr and xs: nobody but processes that claim it may use the channel so. */
static void check_only(engine *e, const node *what, uint32_t number)
{
  uint32_t self = e->self;
  bool sends = what->op == OP_send;
  for (uint32_t i = 0; i < e->s->processes; i++) {
    const process_type *p = type_of(e->model, e->s, i);
    if (i == self)
      continue;
    e->self = i;
    for (uint32_t k = 0; k < p->only_count[sends]; k++)
      if (value_of(e, p->only[sends][k]) == (int32_t)number)
        refuse("a second %s of a channel with a claim",
               sends ? "sender" : "reader");
  }
  e->self = self;
}

static void after_event(engine *e, const node *c, uint32_t number)
{
  if (e->model->has_only)
    check_only(e, c, number);
  if (e->model->trace != NO_TRACE && !(c->value & COPY))
    observe(e, c, number);
}

/* ---- doing it -------------------------------------------------------------- */

void set_message(numbers *m, const int32_t *fields, size_t count)
{
  m->data = grow(m->data, &m->cap, count + 1, sizeof *m->data);
  if (count && fields)
    memmove(m->data, fields, count * sizeof *fields);
  m->len = count;
}

static uint32_t place_for(engine *e, const node *c, uint32_t number)
{
  uint32_t length = messages_in(e->s, number), at = 0;
  uint32_t count = kind_of(e, number)->count;
  if (!(c->value & SORTED))
    return length;
  for (; at < length; at++) {
    const int32_t *have_now = message_at(e, number, at);
    uint32_t i = 0;
    while (i < count && have_now[i] == e->message.data[i])
      i++;
    if (i == count || have_now[i] > e->message.data[i])
      break;
  }
  return at;
}

/* A message more, or one less, at 'slot' of the channel. */
static void change_channel(engine *e, uint32_t number, uint32_t slot, bool adds)
{
  state *s = e->s;
  size_t count = kind_of(e, number)->count;
  size_t at = (size_t)(message_at(e, number, slot) - s->row);
  size_t from = adds ? at : at + count, to = adds ? at + count : at;
  s->row = grow(s->row, &s->cap, s->len + count + 1, sizeof *s->row);
  memmove(s->row + to, s->row + from, (s->len - from) * sizeof *s->row);
  s->len = s->len + to - from;
  s->row[s->channel_at[number] + 1] += adds ? 1 : -1;
  for (uint32_t i = number + 1; i <= s->channels; i++)
    s->channel_at[i] = (uint32_t)(s->channel_at[i] + to - from);
  if (adds && count)
    memcpy(s->row + at, e->message.data, count * sizeof *s->row);
}

/* A multicast has no channel, but a port. */
void do_send(engine *e, const node *c)
{
  uint32_t number = (uint32_t)value_of(e, c->args[0]), count = c->count - 1;
  const channel_type *t = NULL;
  if (c->op == OP_send) {
    t = kind_of(e, number);
    check_fields(c, t);
  }
  set_message(&e->message, NULL, count);
  for (uint32_t i = 0; i < count; i++) {
    int32_t value = value_of(e, c->args[i + 1]);
    e->message.data[i] = value;
    if (t)
      keep_in(e, t->fields[i], &e->message.data[i], value);
  }
  if (!t) {
    e->port = number + 1;
  } else if (!t->capacity) {
    e->handshake = number; /* an event only when somebody answers */
  } else {
    change_channel(e, number, place_for(e, c, number), true);
    after_event(e, c, number);
  }
}

void store_fields(engine *e, const node *c)
{
  for (uint32_t i = 1; i < c->count && i <= e->message.len; i++)
    if (c->args[i]->op == OP_store)
      assign(e, c->args[i]->args[0], e->message.data[i - 1]);
}

void do_receive(engine *e, const node *c)
{
  uint32_t number = (uint32_t)value_of(e, c->args[0]), receiver = e->self;
  const channel_type *t = kind_of(e, number);
  check_fields(c, t);
  if (!t->capacity) {
    e->handshake = 0;
    e->self = e->sender;
    after_event(e, e->sender_edge->comm, number);
    e->self = receiver;
  } else {
    uint32_t slot = find_message(e, c, number);
    set_message(&e->message, message_at(e, number, slot), t->count);
    if (!(c->value & COPY))
      change_channel(e, number, slot, false);
  }
  store_fields(e, c);
  after_event(e, c, number);
}
