/* Values of expressions, and what is assigned; processes and channels come and
** go. */

#include "certify.h"

#include <string.h>

/* ---- variables ------------------------------------------------------------ */

void keep_in(engine *e, keep k, int32_t *to, int32_t value)
{
  uint64_t whole = k.is_range ? 0 : UINT64_C(1) << k.bits;
  int64_t stays = k.is_range ? value : (int64_t)((uint64_t)value & (whole - 1));
  if (k.is_signed && stays >> (k.bits - 1))
    stays -= (int64_t)whole;
  bool fits = k.is_range ? value >= k.lo && value <= k.hi : stays == value;
  if (!fits && (k.is_range || e->model->checks_overflow))
    refuse("%d does not fit the type of its variable", value);
  if (to)
    *to = (int32_t)stays;
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
  if (e->written && to && n->op == OP_global) {
    numbers *w = e->written;
    w->data = grow(w->data, &w->cap, w->len + 1, sizeof *w->data);
    w->data[w->len++] = (int32_t)(to - e->s->row);
  }
}

static int32_t read_number(engine *e, const node *n, uint32_t process)
{
  if (n->is_hidden)
    refuse("a hidden variable is read");
  return *number_at(e, n, process);
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

static size_t channels_at(const state *s)
{
  if (s->channels)
    return s->channel_at[1] - 1;
  return s->len - 1;
}

int32_t add_channel(engine *e, uint32_t kind)
{
  state *s = e->s;
  if (s->channels == MOST)
    refuse("there are too many channels");
  size_t count_at = channels_at(s);
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
  size_t at = channels_at(s), size = m->locals_at + p->size;
  uint32_t self = e->self;
  if (s->processes == MOST)
    refuse("there are too many processes");
  if (p->kind != PROCESS)
    damaged("an observer is started");
  insert(s, at, size);
  s->row[at] = (int32_t)kind;
  s->row[at + 1] = (int32_t)p->start;
  if (m->has_priorities)
    s->row[at + PRIORITY_AT] = (uint8_t)p->priority;
  if (m->is_changing)
    s->row[at + m->locals_at - 1] = (int32_t)s->channels;
  s->row[m->count_at]++;
  e->self = s->processes++;
  s->process_at[e->self] = (uint32_t)at;
  for (uint32_t i = 1; i <= s->channels; i++)
    s->channel_at[i] += (uint32_t)size;
  run_starts(e, p, true);
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
  uint32_t older = (uint32_t)s->row[at + m->locals_at - 1];
  size_t rest = channels_at(s);
  if (older > s->channels)
    damaged("a process has more older channels than there are");
  size_t end = older < s->channels ? s->channel_at[older + 1] : s->len;
  s->row[rest] = (int32_t)older;
  memmove(s->row + at, s->row + rest, (end - rest) * sizeof *s->row);
  s->len = at + (end - rest);
  s->row[m->count_at]--;
  state_walk(m, s);
}

void run_starts(engine *e, const process_type *p, bool defaults)
{
  for (uint32_t i = 0; i < p->start_count; i++) {
    const start_value *v = &p->starts[i];
    if (v->is_default != defaults)
      continue;
    int32_t value =
        v->value ? value_of(e, v->value) : add_channel(e, v->channel);
    size_t at = v->at;
    if (e->self != NOBODY)
      at += e->s->process_at[e->self] + e->model->locals_at;
    keep_in(e, v->keep, v->is_hidden ? NULL : &e->s->row[at], value);
  }
}

static int32_t create(engine *e, const node *n)
{
  const process_type *p = &e->model->processes[n->process];
  uint32_t self = e->self, number = e->s->processes;
  int32_t args[MOST + 2];
  if (n->count > MOST + 1)
    damaged("a process is started with too many values");
  for (uint32_t i = 0; i < n->count; i++)
    args[i] = value_of(e, n->args[i]);
  add_process(e, n->process);
  state *s = e->s;
  size_t at = s->process_at[number];
  if (n->count > (uint32_t)n->value && e->model->has_priorities)
    s->row[at + PRIORITY_AT] = (uint8_t)args[n->value];
  for (uint32_t i = 0; i < p->parameters && (int32_t)i < n->value; i++)
    keep_in(e, p->vars[i].keep,
            &s->row[at + e->model->locals_at + p->vars[i].at], args[i]);
  e->self = number;
  run_starts(e, p, false);
  e->self = self;
  return (int32_t)number;
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

static int32_t process_value(engine *e, const node *n, int32_t number)
{
  if (number < 0 || (uint32_t)number >= e->s->processes)
    return 0;
  if (n->op == OP_ENABLED)
    return is_enabled(e, (uint32_t)number);
  if (n->op == OP_PC_VALUE)
    return place_of(e->model, e->s, (uint32_t)number)->number;
  if (!e->model->has_priorities)
    return 1;
  size_t at = e->s->process_at[number] + PRIORITY_AT;
  if (n->op == OP_SET_PRIORITY)
    e->s->row[at] = (uint8_t)value_of(e, n->args[1]);
  return e->s->row[at];
}

bool no_progress(const model *m, const state *s)
{
  for (uint32_t i = 0; i < s->processes; i++)
    if (place_of(m, s, i)->is_progress)
      return false;
  return true;
}

/* ---- channels and arithmetic ---------------------------------------------- */

static int32_t channel_value(engine *e, operator o, int32_t number)
{
  const channel_type *c = channel_of(e, number);
  uint32_t length = messages_in(e->s, (uint32_t)number);
  bool full = c->capacity && length >= c->capacity;
  return o == OP_LEN      ? (int32_t)length
         : o == OP_EMPTY  ? length == 0
         : o == OP_NEMPTY ? length > 0
                          : full == (o == OP_FULL);
}

static int32_t divide(operator o, int32_t a, int32_t b)
{
  if (!b)
    refuse("a division by zero");
  if (b == -1)
    return o == OP_DIV ? (int32_t)(0 - (uint32_t)a) : 0;
  return o == OP_DIV ? a / b : a % b;
}

/* clang-format off */
#define BINARIES(OP)                                                           \
  OP(ADD, (int32_t)(x + y)) OP(SUB, (int32_t)(x - y))                          \
  OP(MUL, (int32_t)(x * y)) OP(DIV, divide(o, a, b)) OP(MOD, divide(o, a, b))  \
  OP(BITAND, a & b) OP(BITOR, a | b) OP(BITXOR, a ^ b)                         \
  OP(SHL, (int32_t)(x << (y & 31))) OP(SHR, a >> (y & 31))                     \
  OP(LT, a < b) OP(LE, a <= b) OP(GT, a > b) OP(GE, a >= b)                    \
  OP(EQ, a == b) OP(NE, a != b)
/* clang-format on */

static int32_t compute(operator o, int32_t a, int32_t b)
{
  uint32_t x = (uint32_t)a, y = (uint32_t)b;
  switch (o) {
#define OP(name, result)                                                       \
  case OP_##name:                                                              \
    return result;
    BINARIES(OP)
#undef OP
  default:
    damaged("an expression has something that has no value");
  }
}

int32_t value_of(engine *e, const node *n)
{
  node *const *args = n->args;
  uint32_t other;
  switch (n->op) {
  case OP_number:
    return n->value;
  case OP_global:
  case OP_local:
    return read_number(e, n, e->self);
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
  case OP_POLL:
    return can_poll(e, args[0]);
  case OP_RUN:
    return create(e, n);
  case OP_AT:
    other = find_process(e, n, 0);
    return other != NOBODY &&
           e->s->row[e->s->process_at[other] + 1] == n->value;
  case OP_REMOTE:
    other = find_process(e, n, 1);
    return other == NOBODY ? 0 : read_number(e, args[0], other);
  case OP_PID:
    return (int32_t)e->self;
  case OP_NR_PR:
    return (int32_t)e->s->processes;
  case OP_LAST:
    return e->s->row[e->model->last_at];
  case OP_TIMEOUT:
    return e->timeout;
  case OP_NP:
    return no_progress(e->model, e->s);
  case OP_LEN:
  case OP_EMPTY:
  case OP_NEMPTY:
  case OP_FULL:
  case OP_NFULL:
    return channel_value(e, n->op, value_of(e, args[0]));
  case OP_ENABLED:
  case OP_PC_VALUE:
  case OP_PRIORITY:
  case OP_SET_PRIORITY:
    return process_value(e, n, value_of(e, args[0]));
  default:
    if (n->count != 2)
      damaged("an expression has something that has no value");
    other = (uint32_t)value_of(e, args[0]);
    return compute(n->op, (int32_t)other, value_of(e, args[1]));
  }
}
