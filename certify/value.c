/* Values of expressions; what is assigned, sent and received, and what an observer
** of events says to that; processes and channels come and go. */

#include "certify.h"

#include <string.h>

/* A channel of the state: how many messages it has, and where they begin. */
typedef struct channel {
  const channel_type *type;
  int32_t number;
  uint32_t length;
  size_t at;
} channel;

/* ---- variables ------------------------------------------------------------ */

static void keep_in(engine *e, keep k, int32_t *to, int32_t value)
{
  uint32_t first = (uint32_t)k.lo, bits = (uint32_t)k.hi - first;
  bool fits = value >= k.lo && value <= k.hi;
  if (!fits && (!k.wraps || e->model->flags & OVERFLOW))
    refuse("%d does not fit the type of its variable", value);
  if (!fits)
    value = (int32_t)(first + (((uint32_t)value - first) & bits));
  if (to)
    *to = value;
}

/* Where the number is in the row; of a hidden one NULL. */
static int32_t *number_at(engine *e, const node *n, uint32_t process)
{
  uint32_t at = n->at;
  for (uint32_t i = 0; i < n->count; i++) {
    uint32_t index = (uint32_t)value_of(e, n->args[i]->args[0]);
    if (index >= (uint32_t)n->args[i]->value)
      refuse("an index is out of bounds: %d", (int32_t)index);
    at += index * n->args[i]->at;
  }
  if (n->is_hidden)
    return NULL;
  if (n->op == OP_local)
    at += e->s->process_at[process] + e->model->locals_at;
  if (at >= e->s->len)
    damaged("a variable is not in the state");
  return &e->s->row[at];
}

void assign(engine *e, const node *n, int32_t value)
{
  int32_t *to = number_at(e, n, e->self);
  keep_in(e, n->keep, to, value);
  if (e->written && to && n->op == OP_global)
    *more(e->written) = (int32_t)(to - e->s->row);
}

static int32_t read_number(engine *e, const node *n, uint32_t process)
{
  if (n->is_hidden)
    refuse("a hidden variable is read");
  return *number_at(e, n, process);
}

/* ---- processes ------------------------------------------------------------ */

void state_splice(state *s, size_t at, size_t old, size_t count)
{
  size_t rest = s->len - at - old;
  s->row = grow(s->row, &s->cap, s->len + count + 1, sizeof *s->row);
  memmove(s->row + at + count, s->row + at + old, rest * sizeof *s->row);
  memset(s->row + at, 0, count * sizeof *s->row);
  for (uint32_t i = 1; i <= s->channels; i++)
    if (s->channel_at[i] >= at)
      s->channel_at[i] = (uint32_t)(s->channel_at[i] + count - old);
  s->len = s->len + count - old;
}

static size_t channels_at(const state *s)
{
  return s->channels ? s->channel_at[1] - 1 : s->len - 1;
}

int32_t add_channel(engine *e, uint32_t kind)
{
  state *s = e->s;
  size_t at = s->len;
  if (s->channels == MOST)
    refuse("there are too many channels");
  s->row[channels_at(s)]++;
  state_splice(s, at, 0, 2);
  s->row[at] = (int32_t)kind;
  s->channel_at[++s->channels] = (uint32_t)at;
  return (int32_t)s->channels;
}

int32_t add_process(engine *e, uint32_t kind, const node *run)
{
  const model *m = e->model;
  uint32_t count = run ? run->count : 0;
  uint32_t arguments = run ? (uint32_t)run->value : 0;
  int32_t args[MOST + 2];
  if (count > MOST + 1)
    damaged("a process is started with too many values");
  for (uint32_t i = 0; i < count; i++)
    args[i] = value_of(e, run->args[i]);
  const process_type *p = &m->processes.data[kind];
  state *s = e->s;
  size_t at = channels_at(s), locals = at + m->locals_at;
  uint32_t self = e->self;
  if (s->processes == MOST)
    refuse("there are too many processes");
  if (p->kind != PROCESS)
    damaged("an observer is started");
  state_splice(s, at, 0, m->locals_at + p->vars.size);
  s->row[at] = (int32_t)kind;
  s->row[at + 1] = (int32_t)p->start;
  if (m->flags & PRIORITIES)
    s->row[at + 2] =
        (uint8_t)(count > arguments ? args[arguments] : p->priority);
  if (m->flags & CHANGING)
    s->row[locals - 1] = (int32_t)s->channels;
  s->row[m->count_at]++;
  e->self = s->processes++;
  s->process_at[e->self] = (uint32_t)at;
  do_effects(e, &p->starts[0], false);
  for (uint32_t i = 0; i < p->parameters && i < arguments; i++)
    keep_in(e, p->vars.fields.data[i].keep,
            &s->row[locals + p->vars.fields.data[i].at], args[i]);
  do_effects(e, &p->starts[1], false);
  uint32_t number = e->self;
  e->self = self;
  return (int32_t)number;
}

/* The youngest process, and the channels younger than it. */
void remove_process(engine *e)
{
  const model *m = e->model;
  state *s = e->s;
  if (!s->processes || !(m->flags & CHANGING))
    damaged("a process ends in a model where none does");
  uint32_t at = s->process_at[--s->processes];
  uint32_t older = (uint32_t)s->row[at + m->locals_at - 1];
  if (older > s->channels)
    damaged("a process has more older channels than there are");
  size_t end = older < s->channels ? s->channel_at[older + 1] : s->len;
  size_t counted = channels_at(s);
  s->channels = older;
  s->row[counted] = (int32_t)older;
  s->row[m->count_at]--;
  state_splice(s, end, s->len - end, 0);
  state_splice(s, at, counted - at, 0);
}

/* By number or, without one, the only process of its type. */
static uint32_t find_process(engine *e, const node *n, uint32_t operand)
{
  const state *s = e->s;
  int32_t number = n->count > operand ? value_of(e, n->args[operand]) : -1;
  for (uint32_t i = 0; i < s->processes; i++)
    if ((uint32_t)s->row[s->process_at[i]] == n->process &&
        (number < 0 || (uint32_t)number == i))
      return i;
  return NOBODY;
}

static int32_t is_enabled(engine *e, uint32_t process)
{
  uint32_t self = e->self;
  if (e->asks_enabled || process == self)
    refuse("enabled() asks a process that asks it");
  e->asks_enabled = true;
  bool found = can_do_something(e, process);
  e->asks_enabled = false;
  e->self = self;
  return found;
}

static int32_t process_value(engine *e, operator o, int32_t number,
                             int32_t priority)
{
  if (number < 0 || (uint32_t)number >= e->s->processes)
    return 0;
  if (o == OP_ENABLED)
    return is_enabled(e, (uint32_t)number);
  if (o == OP_PC_VALUE)
    return place_of(e->model, e->s, (uint32_t)number)->number;
  if (!(e->model->flags & PRIORITIES))
    return 1;
  int32_t *at = priority_of(e->s, (uint32_t)number);
  *at = o == OP_SET_PRIORITY ? (uint8_t)priority : *at;
  return *at;
}

/* ---- channels -------------------------------------------------------------- */

static channel find_channel(const engine *e, int32_t number)
{
  if (number < 1 || (uint32_t)number > e->s->channels)
    refuse("a channel is used that is not there: %d", number);
  size_t at = e->s->channel_at[number];
  const channel_type *type = &e->model->channels.data[e->s->row[at]];
  return (channel){type, number, (uint32_t)e->s->row[at + 1], at + 2};
}

static int32_t *message_at(const engine *e, const channel *c, uint32_t slot)
{
  return &e->s->row[c->at + slot * c->type->fields.len];
}

static int32_t channel_value(engine *e, operator o, int32_t number)
{
  channel c = find_channel(e, number);
  bool full = c.type->capacity && c.length >= c.type->capacity;
  return o == OP_LEN      ? (int32_t)c.length
         : o == OP_EMPTY  ? c.length == 0
         : o == OP_NEMPTY ? c.length > 0
                          : full == (o == OP_FULL);
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
static uint32_t find_message(engine *e, const node *c, const channel *from)
{
  uint32_t end = c->value & ANYWHERE ? from->length : from->length > 0;
  for (uint32_t i = 0; i < end; i++)
    if (fits(e, c, message_at(e, from, i), from->type->fields.len))
      return i;
  return from->length;
}

static bool check_fields(const node *c, const channel *to)
{
  size_t count = c->count - 1, fields = to->type->fields.len;
  if (count != fields && !(c->value & COPY && count < fields))
    refuse("a message has another number of values than its channel");
  return true;
}

/* Of a send or receive alone. */
bool can_communicate(engine *e, const node *c)
{
  channel x = find_channel(e, value_of(e, c->args[0]));
  uint32_t capacity = x.type->capacity;
  if (c->op == OP_send)
    return !capacity || x.length < capacity;
  if (!capacity && c->value & COPY)
    refuse("a rendezvous channel is polled");
  return capacity && find_message(e, c, &x) < x.length;
}

static bool can_poll(engine *e, const node *c)
{
  channel x = find_channel(e, value_of(e, c->args[0]));
  return can_communicate(e, c) && check_fields(c, &x);
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

/* ---- expressions ----------------------------------------------------------- */

static int32_t divide(operator o, int32_t a, int32_t b)
{
  int64_t x = a;
  if (!b)
    refuse("a division by zero");
  return (int32_t)(o == OP_DIV ? x / b : x % b);
}

/* Operators whose operands are evaluated in any case, 'a' and 'b'. */
/* clang-format off */
#define STRICT(OP)                                                             \
  OP(NEG, (int32_t)(0 - x)) OP(NOT, !a) OP(COMPL, ~a)                          \
  OP(ADD, (int32_t)(x + y)) OP(SUB, (int32_t)(x - y))                          \
  OP(MUL, (int32_t)(x * y)) OP(DIV, divide(o, a, b)) OP(MOD, divide(o, a, b))  \
  OP(BITAND, a & b) OP(BITOR, a | b) OP(BITXOR, a ^ b)                         \
  OP(SHL, (int32_t)(x << (y & 31))) OP(SHR, a >> (y & 31))                     \
  OP(LT, a < b) OP(LE, a <= b) OP(GT, a > b) OP(GE, a >= b)                    \
  OP(EQ, a == b) OP(NE, a != b)                                                \
  OP(LEN, channel_value(e, o, a)) OP(EMPTY, channel_value(e, o, a))            \
  OP(NEMPTY, channel_value(e, o, a)) OP(FULL, channel_value(e, o, a))          \
  OP(NFULL, channel_value(e, o, a)) OP(ENABLED, process_value(e, o, a, b))     \
  OP(PC_VALUE, process_value(e, o, a, b))                                      \
  OP(PRIORITY, process_value(e, o, a, b))                                      \
  OP(SET_PRIORITY, process_value(e, o, a, b)) OP(PID, (int32_t)e->self)        \
  OP(NR_PR, (int32_t)e->s->processes) OP(TIMEOUT, e->timeout)                  \
  OP(LAST, e->s->row[e->model->last_at])                                       \
  OP(NP, !how_many_at(e->model, e->s, PROGRESS))
/* clang-format on */

static int32_t compute(engine *e, operator o, int32_t a, int32_t b)
{
  uint32_t x = (uint32_t)a, y = (uint32_t)b;
  switch (o) {
#define OP(name, result)                                                       \
  case OP_##name:                                                              \
    return result;
    STRICT(OP)
#undef OP
  default:
    damaged("an expression has something that has no value");
  }
}

int32_t value_of(engine *e, const node *n)
{
  node *const *args = n->args;
  uint32_t other;
  int32_t a;
  switch (n->op) {
  case OP_number:
    return n->value;
  case OP_global:
  case OP_local:
    return read_number(e, n, e->self);
  case OP_AND:
    return value_of(e, args[0]) && value_of(e, args[1]);
  case OP_OR:
    return value_of(e, args[0]) || value_of(e, args[1]);
  case OP_IMPLY:
    return !value_of(e, args[0]) || value_of(e, args[1]);
  case OP_COND:
    return value_of(e, args[value_of(e, args[0]) ? 1 : 2]);
  case OP_POLL:
    return can_poll(e, args[0]);
  case OP_RUN:
    return add_process(e, n->process, n);
  case OP_create:
    return add_channel(e, (uint32_t)n->value);
  case OP_AT:
    other = find_process(e, n, 0);
    return other != NOBODY &&
           e->s->row[e->s->process_at[other] + 1] == n->value;
  case OP_REMOTE:
    other = find_process(e, n, 1);
    return other == NOBODY ? 0 : read_number(e, args[0], other);
  default:
    a = n->count ? value_of(e, args[0]) : 0;
    return compute(e, n->op, a, n->count == 2 ? value_of(e, args[1]) : 0);
  }
}

/* ---- observers of events -------------------------------------------------- */

/* The observer moves along the one edge that fits, if any of its edges is about
** this kind of event. */
static void observe(engine *e, const node *what, int32_t number)
{
  const model *m = e->model;
  const process_type *p = m->trace;
  const edge *found = NULL;
  bool watches = false, several = false, forbids = p->kind == NOTRACE;
  for (const edge *g = p->edges; g < p->edges + p->edge_count; g++) {
    const node *c = g->comm;
    bool same = c && c->op == what->op && value_of(e, c->args[0]) == number;
    watches |= same;
    if ((int32_t)g->source != e->s->row[m->trace_at] ||
        (c && !(same && fits(e, c, e->message.data, e->message.len))))
      continue;
    several |= found != NULL;
    found = g;
  }
  if (!watches)
    return;
  if (several)
    refuse("the trace is not deterministic");
  if (!found && !forbids)
    refuse("an event is not allowed by the trace");
  uint32_t next = found ? found->target : m->trace_end;
  e->s->row[m->trace_at] = (int32_t)next;
  if (found && forbids && next == m->trace_end)
    refuse("a sequence of events is forbidden by the notrace");
}

/* xr and xs: nobody but processes that claim it may use the channel so. */
static void check_only(engine *e, const node *what, int32_t number)
{
  uint32_t self = e->self;
  bool sends = what->op == OP_send;
  for (uint32_t i = 0; i < e->s->processes; i++) {
    const process_type *p = type_of(e->model, e->s, i);
    e->self = i;
    for (uint32_t k = 0; i != self && k < p->only[sends].len; k++)
      if (value_of(e, p->only[sends].data[k]) == number)
        refuse("a second %s of a channel with a claim",
               sends ? "sender" : "reader");
  }
  e->self = self;
}

static void after_event(engine *e, const node *c, int32_t number)
{
  check_only(e, c, number);
  if (e->model->trace && !(c->value & COPY))
    observe(e, c, number);
}

/* ---- doing it -------------------------------------------------------------- */

void set_message(numbers *m, const int32_t *fields, size_t count)
{
  m->len = 0;
  for (size_t i = 0; i < count; i++)
    *more(m) = fields[i];
}

/* Where the message goes. */
static uint32_t place_for(engine *e, const node *c, const channel *to)
{
  size_t count = to->type->fields.len;
  for (uint32_t at = 0; c->value & SORTED && at < to->length; at++) {
    const int32_t *have_now = message_at(e, to, at);
    size_t i = 0;
    while (i < count && have_now[i] == e->message.data[i])
      i++;
    if (i == count || have_now[i] > e->message.data[i])
      return at;
  }
  return to->length;
}

/* A message more, or one less, at 'slot' of the channel. */
static void change_channel(engine *e, const channel *c, uint32_t slot,
                           bool adds)
{
  size_t count = c->type->fields.len, at = c->at + slot * count;
  state_splice(e->s, at, adds ? 0 : count, adds ? count : 0);
  e->s->row[c->at - 1] += adds ? 1 : -1;
  if (adds && count)
    memcpy(e->s->row + at, e->message.data, count * sizeof *e->s->row);
}

/* A multicast has no channel, but a port. */
void do_send(engine *e, const node *c)
{
  int32_t number = value_of(e, c->args[0]);
  channel to = {0};
  if (c->op == OP_send) {
    to = find_channel(e, number);
    check_fields(c, &to);
  }
  e->message.len = 0;
  for (uint32_t i = 1; i < c->count; i++) {
    int32_t value = value_of(e, c->args[i]);
    if (to.type)
      keep_in(e, to.type->fields.data[i - 1], &value, value);
    *more(&e->message) = value;
  }
  if (!to.type) {
    e->port = (uint32_t)number + 1;
  } else if (!to.type->capacity) {
    e->handshake = (uint32_t)number; /* an event only when somebody answers */
  } else {
    change_channel(e, &to, place_for(e, c, &to), true);
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
  channel from = find_channel(e, value_of(e, c->args[0]));
  uint32_t receiver = e->self;
  check_fields(c, &from);
  if (!from.type->capacity) {
    e->handshake = 0;
    e->self = e->sender;
    after_event(e, e->sender_edge->comm, from.number);
    e->self = receiver;
  } else {
    uint32_t slot = find_message(e, c, &from);
    set_message(&e->message, message_at(e, &from, slot), from.type->fields.len);
    if (!(c->value & COPY))
      change_channel(e, &from, slot, false);
  }
  store_fields(e, c);
  after_event(e, c, from.number);
}
