/* Values of expressions, and what is assigned; processes and channels come and
** go. */

#include "certify.h"

#include <string.h>

/* ---- variables ------------------------------------------------------------ */

static int32_t kept(keep k, int32_t value)
{
  uint32_t v = (uint32_t)value;
  if (k.is_range || k.bits == 32)
    return value;
  v &= (1u << k.bits) - 1;
  return k.is_signed && v >> (k.bits - 1) ? (int32_t)(v - (1u << k.bits))
                                          : (int32_t)v;
}

void keep_in(engine *e, keep k, int32_t *to, int32_t value)
{
  int32_t stays = kept(k, value);
  bool fits = k.is_range ? value >= k.lo && value <= k.hi : stays == value;
  if (!fits && (k.is_range || e->model->checks_overflow))
    refuse("%d does not fit the type of its variable", value);
  if (to)
    *to = stays;
}

/* Where the number is in the row; of a hidden one NULL. */
static int32_t *number_at(engine *e, const ref *r, uint32_t process)
{
  uint32_t at = r->at;
  for (uint32_t i = 0; i < r->dimensions; i++) {
    uint32_t index = (uint32_t)value_of(e, r->dims[i].index);
    if (index >= r->dims[i].bound)
      refuse("an index is out of bounds: %d", (int32_t)index);
    at += index * r->dims[i].stride;
  }
  if (r->is_hidden)
    return NULL;
  if (r->is_local)
    at += e->s->process_at[process] + locals_at(e->model);
  return &e->s->row[at];
}

void assign(engine *e, const ref *r, int32_t value)
{
  keep_in(e, r->keep, number_at(e, r, e->self), value);
}

static int32_t read_ref(engine *e, const ref *r, uint32_t process)
{
  const int32_t *at = number_at(e, r, process);
  if (!at)
    refuse("a hidden variable is read");
  return *at;
}

/* ---- processes ------------------------------------------------------------ */

/* Makes room for 'count' numbers, all 0. */
static void insert(state *s, size_t at, size_t count)
{
  s->row = grow(s->row, &s->cap, s->len + count + 1, sizeof *s->row);
  memmove(s->row + at + count, s->row + at, (s->len - at) * sizeof *s->row);
  memset(s->row + at, 0, count * sizeof *s->row);
  s->len += count;
}

static size_t channels_at(const engine *e)
{
  const state *s = e->s;
  if (s->channels)
    return s->channel_at[1] - 1;
  return s->len - 1;
}

int32_t add_channel(engine *e, uint32_t kind)
{
  state *s = e->s;
  if (s->channels == MOST)
    refuse("there are too many channels");
  size_t count_at = channels_at(e);
  size_t at = s->len;
  insert(s, at, 2);
  s->row[at] = (int32_t)kind;
  s->row[count_at]++;
  s->channel_at[++s->channels] = (uint32_t)at;
  return (int32_t)s->channels;
}

void add_process(engine *e, uint32_t kind)
{
  const model *m = e->model;
  const process_type *p = &m->processes[kind];
  state *s = e->s;
  size_t at = channels_at(e), size = locals_at(m) + p->size;
  uint32_t number = s->processes;
  if (p->kind != PROCESS)
    damaged("an observer is started");
  insert(s, at, size);
  s->row[at] = (int32_t)kind;
  s->row[at + 1] = (int32_t)p->start;
  if (m->has_priorities)
    s->row[at + priority_at(m)] = (uint8_t)p->priority;
  if (m->is_changing)
    s->row[at + locals_at(m) - 1] = (int32_t)s->channels;
  s->row[trace_at(m) + (m->trace != NO_TRACE)]++;
  s->process_at[s->processes++] = (uint32_t)at;
  for (uint32_t i = 1; i <= s->channels; i++)
    s->channel_at[i] += (uint32_t)size;
  uint32_t self = e->self;
  e->self = number;
  run_starts(e, p->starts, p->start_count, true);
  e->self = self;
}

/* The youngest process, and the channels younger than it. */
void remove_process(engine *e)
{
  const model *m = e->model;
  state *s = e->s;
  if (!s->processes || !m->is_changing)
    damaged("a process ends in a model where none does");
  uint32_t at = s->process_at[--s->processes];
  uint32_t older = (uint32_t)s->row[at + locals_at(m) - 1];
  size_t rest = channels_at(e);
  if (older > s->channels)
    damaged("a process has more older channels than there are");
  size_t end = older < s->channels ? s->channel_at[older + 1] : s->len;
  s->row[rest] = (int32_t)older;
  memmove(s->row + at, s->row + rest, (end - rest) * sizeof *s->row);
  s->len = at + (end - rest);
  s->row[trace_at(m) + (m->trace != NO_TRACE)]--;
  state_walk(m, s);
}

void run_starts(engine *e, const start_value *starts, uint32_t count,
                bool defaults)
{
  for (uint32_t k = 0; k < count; k++) {
    const start_value *v = &starts[k];
    if (v->is_default != defaults)
      continue;
    for (uint32_t i = 0; i < v->length; i++) {
      if (v->channel == NO_CHANNEL && v->count != 1 && i >= v->count)
        continue;
      int32_t value = v->channel != NO_CHANNEL
                          ? add_channel(e, v->channel)
                          : value_of(e, v->values[v->count == 1 ? 0 : i]);
      size_t at = v->at + i * v->stride;
      if (e->self != NOBODY)
        at += e->s->process_at[e->self] + locals_at(e->model);
      keep_in(e, v->keep, v->is_hidden ? NULL : &e->s->row[at], value);
    }
  }
}

static int32_t create(engine *e, const expr *x)
{
  enum { ARGS_MOST = 256 };
  int32_t args[ARGS_MOST];
  const process_type *p = &e->model->processes[x->process];
  uint32_t self = e->self, number = e->s->processes;
  if (number == MOST)
    refuse("there are too many processes");
  if (x->value_count > ARGS_MOST)
    damaged("a process is started with too many values");
  for (uint32_t i = 0; i < x->value_count; i++)
    args[i] = value_of(e, x->values[i]);
  int32_t priority = x->priority ? value_of(e, x->priority) : 0;
  add_process(e, x->process);
  e->self = number;
  state *s = e->s;
  if (x->priority && e->model->has_priorities)
    s->row[s->process_at[number] + priority_at(e->model)] = (uint8_t)priority;
  for (uint32_t i = 0; i < p->parameters && i < x->value_count; i++)
    keep_in(
        e, p->locals[i].type.keep,
        &s->row[s->process_at[number] + locals_at(e->model) + p->locals[i].at],
        args[i]);
  run_starts(e, p->starts, p->start_count, false);
  e->self = self;
  return (int32_t)number;
}

/* By number or, without one, the only process of its type. */
static uint32_t find_process(engine *e, const expr *x)
{
  const state *s = e->s;
  int32_t number = x->args[0] ? value_of(e, x->args[0]) : -1;
  uint32_t kind = x->process;
  if (number >= 0)
    return (uint32_t)number < s->processes &&
                   (uint32_t)s->row[s->process_at[number]] == kind
               ? (uint32_t)number
               : NOBODY;
  for (uint32_t i = 0; i < s->processes; i++)
    if ((uint32_t)s->row[s->process_at[i]] == kind)
      return i;
  return NOBODY;
}

static int32_t is_enabled(engine *e, int32_t number)
{
  uint32_t self = e->self;
  bool found = false;
  if (number < 0 || (uint32_t)number >= e->s->processes)
    return 0;
  if (e->asks_enabled || (uint32_t)number == self)
    refuse("enabled() asks a process that asks it");
  e->asks_enabled = true;
  e->self = (uint32_t)number;
  const process_type *p = type_of(e->model, e->s, e->self);
  const location *at = place_of(e->model, e->s, e->self);
  for (uint32_t i = 0; i < at->count && !found; i++) {
    const edge *g = &p->edges[at->first + i];
    found = g->is_else || can_execute(e, g);
  }
  e->asks_enabled = false;
  e->self = self;
  return found;
}

static int32_t priority_of(engine *e, const expr *x, int32_t number)
{
  if (number < 0 || (uint32_t)number >= e->s->processes)
    return 0;
  if (!e->model->has_priorities)
    return 1;
  size_t at = e->s->process_at[number] + priority_at(e->model);
  if (x->op == OP_SET_PRIORITY)
    e->s->row[at] = (uint8_t)value_of(e, x->args[1]);
  return e->s->row[at];
}

static int32_t no_progress(const engine *e)
{
  for (uint32_t i = 0; i < e->s->processes; i++)
    if (place_of(e->model, e->s, i)->is_progress)
      return 0;
  return 1;
}

static int32_t process_value(engine *e, const expr *x)
{
  int32_t number;
  uint32_t other;
  switch (x->op) {
  case OP_PID:
    return (int32_t)e->self;
  case OP_NR_PR:
    return (int32_t)e->s->processes;
  case OP_LAST:
    return e->s->row[last_at(e->model)];
  case OP_TIMEOUT:
    return e->timeout;
  case OP_NP:
    return no_progress(e);
  case OP_ENABLED:
    return is_enabled(e, value_of(e, x->args[0]));
  case OP_PRIORITY:
  case OP_SET_PRIORITY:
    return priority_of(e, x, value_of(e, x->args[0]));
  case OP_PC_VALUE:
    number = value_of(e, x->args[0]);
    return number < 0 || (uint32_t)number >= e->s->processes
               ? 0
               : place_of(e->model, e->s, (uint32_t)number)->number;
  case OP_AT:
    other = find_process(e, x);
    return other != NOBODY &&
           (uint32_t)e->s->row[e->s->process_at[other] + 1] == x->location;
  case OP_REMOTE:
    other = find_process(e, x);
    return other == NOBODY ? 0 : read_ref(e, x->ref, other);
  default:
    return create(e, x);
  }
}

/* ---- channels and arithmetic ----------------------------------------------- */

static int32_t channel_value(engine *e, const expr *x)
{
  if (x->op == OP_POLL)
    return can_poll(e, x->comm);
  int32_t number = value_of(e, x->args[0]);
  const channel_type *c = channel_of(e, number);
  uint32_t length = messages_in(e->s, (uint32_t)number);
  bool full = c->capacity && length >= c->capacity;
  switch (x->op) {
  case OP_LEN:
    return (int32_t)length;
  case OP_EMPTY:
    return length == 0;
  case OP_NEMPTY:
    return length > 0;
  case OP_FULL:
    return full;
  default:
    return !full;
  }
}

static int32_t divide(operator o, int32_t a, int32_t b)
{
  if (!b)
    refuse("a division by zero");
  if (b == -1)
    return o == OP_DIV ? (int32_t)(0 - (uint32_t)a) : 0;
  return o == OP_DIV ? a / b : a % b;
}

static int32_t compute(operator o, int32_t a, int32_t b)
{
  uint32_t x = (uint32_t)a, y = (uint32_t)b;
  switch (o) {
  case OP_ADD:
    return (int32_t)(x + y);
  case OP_SUB:
    return (int32_t)(x - y);
  case OP_MUL:
    return (int32_t)(x * y);
  case OP_DIV:
  case OP_MOD:
    return divide(o, a, b);
  case OP_BITAND:
    return a & b;
  case OP_BITOR:
    return a | b;
  case OP_BITXOR:
    return a ^ b;
  case OP_SHL:
    return (int32_t)(x << (y & 31));
  case OP_SHR:
    return a >> (y & 31);
  case OP_LT:
    return a < b;
  case OP_LE:
    return a <= b;
  case OP_GT:
    return a > b;
  case OP_GE:
    return a >= b;
  case OP_EQ:
    return a == b;
  default:
    return a != b;
  }
}

int32_t value_of(engine *e, const expr *x)
{
  expr *const *args = x->args;
  switch (x->op) {
  case OP_CONST:
    return x->value;
  case OP_VAR:
    return read_ref(e, x->ref, e->self);
  case OP_NEG:
    return (int32_t)(0 - (uint32_t)value_of(e, args[0]));
  case OP_NOT:
    return !value_of(e, args[0]);
  case OP_COMPL:
    return ~value_of(e, args[0]);
  case OP_AND:
    return value_of(e, args[0]) && value_of(e, args[1]);
  case OP_OR:
    return value_of(e, args[0]) || value_of(e, args[1]);
  case OP_IMPLY:
    return !value_of(e, args[0]) || value_of(e, args[1]);
  case OP_COND:
    return value_of(e, args[value_of(e, args[0]) ? 1 : 2]);
  case OP_LEN:
  case OP_EMPTY:
  case OP_NEMPTY:
  case OP_FULL:
  case OP_NFULL:
  case OP_POLL:
    return channel_value(e, x);
  case OP_RUN:
  case OP_PID:
  case OP_NR_PR:
  case OP_LAST:
  case OP_TIMEOUT:
  case OP_NP:
  case OP_ENABLED:
  case OP_PC_VALUE:
  case OP_PRIORITY:
  case OP_SET_PRIORITY:
  case OP_AT:
  case OP_REMOTE:
    return process_value(e, x);
  default: {
    int32_t a = value_of(e, args[0]);
    return compute(x->op, a, value_of(e, args[1]));
  }
  }
}
