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

bool can_send(engine *e, const comm *c)
{
  int32_t number = value_of(e, c->channel);
  const channel_type *t = channel_of(e, number);
  return !t->capacity || messages_in(e->s, (uint32_t)number) < t->capacity;
}

static bool fits(engine *e, const comm *c, const int32_t *fields, size_t count)
{
  for (uint32_t i = 0; i < c->count && i < count; i++)
    if (c->args[i].kind == ARG_VALUE &&
        value_of(e, c->args[i].value) != fields[i])
      return false;
  return true;
}

/* The message that the receive takes; the number of messages: none. */
static uint32_t find_message(engine *e, const comm *c, uint32_t number)
{
  const channel_type *t = kind_of(e, number);
  uint32_t length = messages_in(e->s, number);
  uint32_t end = c->is_anywhere ? length : length > 0;
  for (uint32_t i = 0; i < end; i++)
    if (fits(e, c, message_at(e, number, i), t->count))
      return i;
  return length;
}

bool can_receive(engine *e, const comm *c)
{
  int32_t number = value_of(e, c->channel);
  const channel_type *t = channel_of(e, number);
  if (!t->capacity && c->is_copy)
    refuse("a rendezvous channel is polled");
  return t->capacity && find_message(e, c, (uint32_t)number) <
                            messages_in(e->s, (uint32_t)number);
}

static void check_fields(const comm *c, const channel_type *t)
{
  if (c->count != t->count && !(c->is_copy && c->count < t->count))
    refuse("a message has another number of values than its channel");
}

bool can_poll(engine *e, const comm *c)
{
  bool found = can_receive(e, c);
  if (found)
    check_fields(c, kind_of(e, (uint32_t)value_of(e, c->channel)));
  return found;
}

bool can_answer(engine *e, const comm *c)
{
  int32_t number = value_of(e, c->channel);
  if (c->is_copy || number < 0 || (uint32_t)number != e->handshake)
    return false;
  return fits(e, c, e->message, kind_of(e, (uint32_t)number)->count);
}

bool can_join(engine *e, const comm *c)
{
  return (uint32_t)value_of(e, c->channel) + 1 == e->port &&
         fits(e, c, e->message, e->message_len);
}

/* ---- observers of events -------------------------------------------------- */

static bool is_watched(engine *e, const process_type *p, comm_kind kind,
                       uint32_t number)
{
  for (uint32_t i = 0; i < p->edge_count; i++) {
    const comm *c = p->edges[i].comm;
    if (c && c->kind == kind && value_of(e, c->channel) == (int32_t)number)
      return true;
  }
  return false;
}

static const edge *find_event(engine *e, const process_type *p,
                              const comm *what, uint32_t number,
                              uint32_t fields)
{
  const location *at = &p->locations[e->s->row[trace_at(e->model)]];
  const edge *found = NULL;
  for (uint32_t i = 0; i < at->count; i++) {
    const edge *g = &p->edges[at->first + i];
    if (g->comm && (g->comm->kind != what->kind ||
                    value_of(e, g->comm->channel) != (int32_t)number ||
                    !fits(e, g->comm, e->message, fields)))
      continue;
    if (found)
      refuse("the trace is not deterministic");
    found = g;
  }
  return found;
}

static void observe(engine *e, const comm *what, uint32_t number,
                    uint32_t fields)
{
  const model *m = e->model;
  const process_type *p = &m->processes[m->trace];
  bool forbids = p->kind == NOTRACE;
  if (!is_watched(e, p, what->kind, number))
    return;
  const edge *g = find_event(e, p, what, number, fields);
  if (!g && !forbids)
    refuse("an event is not allowed by the trace");
  uint32_t next = g ? g->target : m->trace_end;
  e->s->row[trace_at(m)] = (int32_t)next;
  if (g && forbids && next == m->trace_end)
    refuse("a sequence of events is forbidden by the notrace");
}

/* xr and xs: nobody but processes that claim it may use the channel so. */
static void check_only(engine *e, const comm *what, uint32_t number)
{
  uint32_t self = e->self;
  bool reads = what->kind == RECEIVE;
  for (uint32_t i = 0; i < e->s->processes; i++) {
    const process_type *p = type_of(e->model, e->s, i);
    uint32_t n = reads ? p->only_read_count : p->only_send_count;
    if (i == self)
      continue;
    e->self = i;
    for (uint32_t k = 0; k < n; k++)
      if (value_of(e, reads ? p->only_reads[k] : p->only_sends[k]) ==
          (int32_t)number)
        refuse("a second %s of a channel with a claim",
               reads ? "reader" : "sender");
  }
  e->self = self;
}

static void after_event(engine *e, const comm *c, uint32_t number)
{
  if (e->model->has_only)
    check_only(e, c, number);
  if (e->model->trace != NO_TRACE && !c->is_copy)
    observe(e, c, number, kind_of(e, number)->count);
}

/* ---- doing it -------------------------------------------------------------- */

static void set_message(engine *e, const int32_t *fields, size_t count)
{
  e->message = grow(e->message, &e->message_cap, count + 1, sizeof(int32_t));
  if (count)
    memmove(e->message, fields, count * sizeof *fields);
  e->message_len = count;
}

static void prepare_message(engine *e, const comm *c, const channel_type *t)
{
  set_message(e, NULL, 0);
  e->message =
      grow(e->message, &e->message_cap, t->count + 1u, sizeof(int32_t));
  for (uint32_t i = 0; i < t->count; i++) {
    int32_t value = c->args[i].value ? value_of(e, c->args[i].value) : 0;
    keep_in(e, t->fields[i], &e->message[i], value);
  }
  e->message_len = t->count;
}

static uint32_t place_for(engine *e, const comm *c, uint32_t number)
{
  uint32_t length = messages_in(e->s, number), at = 0;
  uint32_t count = kind_of(e, number)->count;
  if (!c->is_sorted)
    return length;
  for (; at < length; at++) {
    const int32_t *have_now = message_at(e, number, at);
    uint32_t i = 0;
    while (i < count && have_now[i] == e->message[i])
      i++;
    if (i == count || have_now[i] > e->message[i])
      break;
  }
  return at;
}

/* Channels behind this one move by so many numbers. */
static void move_later(engine *e, uint32_t number, int64_t by)
{
  for (uint32_t i = number + 1; i <= e->s->channels; i++)
    e->s->channel_at[i] = (uint32_t)(e->s->channel_at[i] + by);
}

void do_send(engine *e, const comm *c)
{
  uint32_t number = (uint32_t)value_of(e, c->channel);
  const channel_type *t = kind_of(e, number);
  state *s = e->s;
  check_fields(c, t);
  prepare_message(e, c, t);
  if (!t->capacity) {
    e->handshake = number; /* an event only when somebody answers */
    return;
  }
  size_t at = (size_t)(message_at(e, number, place_for(e, c, number)) - s->row);
  s->row = grow(s->row, &s->cap, s->len + t->count + 1, sizeof *s->row);
  memmove(s->row + at + t->count, s->row + at, (s->len - at) * sizeof *s->row);
  memcpy(s->row + at, e->message, t->count * sizeof *s->row);
  s->len += t->count;
  s->row[s->channel_at[number] + 1]++;
  move_later(e, number, t->count);
  after_event(e, c, number);
}

static void remove_message(engine *e, uint32_t number, uint32_t slot)
{
  uint32_t count = kind_of(e, number)->count;
  state *s = e->s;
  size_t at = (size_t)(message_at(e, number, slot) - s->row);
  memmove(s->row + at, s->row + at + count,
          (s->len - at - count) * sizeof *s->row);
  s->len -= count;
  s->row[s->channel_at[number] + 1]--;
  move_later(e, number, -(int64_t)count);
}

static void after_rendezvous_send(engine *e, uint32_t number)
{
  uint32_t receiver = e->self;
  e->self = e->sender;
  after_event(e, e->sender_edge->comm, number);
  e->self = receiver;
}

static void store_fields(engine *e, const comm *c)
{
  for (uint32_t i = 0; i < c->count && i < e->message_len; i++)
    if (c->args[i].kind == ARG_STORE)
      assign(e, c->args[i].target, e->message[i]);
}

void do_receive(engine *e, const comm *c)
{
  uint32_t number = (uint32_t)value_of(e, c->channel);
  const channel_type *t = kind_of(e, number);
  check_fields(c, t);
  if (!t->capacity) {
    e->handshake = 0;
    after_rendezvous_send(e, number);
  } else {
    uint32_t slot = find_message(e, c, number);
    set_message(e, message_at(e, number, slot), t->count);
    if (!c->is_copy)
      remove_message(e, number, slot);
  }
  store_fields(e, c);
  after_event(e, c, number);
}

void do_multicast(engine *e, const comm *c)
{
  e->port = (uint32_t)value_of(e, c->channel) + 1;
  set_message(e, NULL, 0);
  e->message =
      grow(e->message, &e->message_cap, c->count + 1u, sizeof(int32_t));
  for (uint32_t i = 0; i < c->count; i++)
    e->message[i] = value_of(e, c->args[i].value);
  e->message_len = c->count;
}

void do_join(engine *e, const comm *c)
{
  store_fields(e, c);
}
