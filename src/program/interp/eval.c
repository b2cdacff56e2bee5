/* Values of expressions, faults, and where a variable is in the state. */

#include "program/interp/worker.h"

const char *fault_text(fault_kind kind)
{
  static const char *const texts[] = {"no fault",
#define FAULT(name, text, property) text,
                                      FAULTS(FAULT)
#undef FAULT
  };
  return texts[kind];
}

property_kind fault_property(fault_kind kind)
{
  static const property_kind properties[] = {PROPERTY_ASSERTIONS,
#define FAULT(name, text, property) property,
                                             FAULTS(FAULT)
#undef FAULT
  };
  return properties[kind];
}

bool fault_goes_on(fault_kind kind)
{
  return kind == FAULT_ASSERT || kind == FAULT_READER || kind == FAULT_SENDER ||
         kind == FAULT_TRACE || kind == FAULT_NOTRACE || kind == FAULT_REPORTED;
}

void raise_fault(worker *m, fault_kind kind, span where)
{
  if (!fault_goes_on(kind)) {
    if (m->fatal)
      return; /* what follows a fatal fault is noise */
    m->fatal = true;
  }
  vec_push(&m->raised, ((raised){kind, where}));
}

void set_self(worker *m, uint32_t process)
{
  m->self = process;
  m->self_offset = process == NO_PROCESS ? 0 : m->shape.process_offset[process];
}

uint32_t get_location(const worker *m, uint32_t process)
{
  const process_layout *p =
      &m->layout->processes[m->shape.process_type[process]];
  const uint8_t *at =
      m->state + m->shape.process_offset[process] + p->location_offset;
  return p->location_bytes == 1 ? at[0] : (uint32_t)(at[0] | at[1] << 8);
}

void set_location(worker *m, uint32_t process, uint32_t target)
{
  const process_layout *p =
      &m->layout->processes[m->shape.process_type[process]];
  uint8_t *at =
      m->state + m->shape.process_offset[process] + p->location_offset;
  at[0] = (uint8_t)target;
  if (p->location_bytes == 2)
    at[1] = (uint8_t)(target >> 8);
  m->changed |= component_bit(m->shape.process_component[process]);
}

/* ---- variables -------------------------------------------------------- */

bool address_find(worker *m, const address *a, uint32_t *offset)
{
  uint32_t at = a->offset;
  if (a->base == BASE_SELF)
    at += m->self_offset;
  for (uint32_t i = 0; i < a->dimensions; i++) {
    const dimension *d = &a->dims[i];
    uint32_t index = (uint32_t)eval(m, d->index);
    if (index >= d->bound) {
      raise_fault(m, FAULT_BOUNDS, a->where);
      return false;
    }
    at += index * d->stride;
  }
  *offset = at;
  return true;
}

int32_t address_read(worker *m, const address *a)
{
  uint32_t at;
  return address_find(m, a, &at) ? keep_read(a->keep, m->state + at) : 0;
}

void address_write(worker *m, const address *a, int32_t value)
{
  uint32_t at;
  if (!address_find(m, a, &at))
    return;
  bool fits = keep_write(a->keep, m->state + at, value);
  if (!fits &&
      (m->program->options.check_overflow || a->keep.kind >= KEEP_RANGE8))
    raise_fault(m, FAULT_OVERFLOW, a->where);
  if (a->base == BASE_SELF)
    m->changed |= component_bit(m->shape.process_component[m->self]);
  else if (!a->hidden)
    m->changed |= layout_slices_of(m->layout, at, keep_bytes(a->keep));
}

/* ---- processes as values ---------------------------------------------- */

/* The process a remote reference means: by number, or, for -1, the only one
** of its type.  NO_PROCESS when there is none of that type and number. */
static uint32_t find_remote(const worker *m, uint32_t kind, int32_t number)
{
  const shape *s = &m->shape;
  if (number >= 0)
    return (uint32_t)number < s->processes && s->process_type[number] == kind
               ? (uint32_t)number
               : NO_PROCESS;
  for (uint32_t i = 0; i < s->processes; i++)
    if (s->process_type[i] == kind)
      return i;
  return NO_PROCESS;
}

static int32_t eval_remote(worker *m, const node *n)
{
  uint32_t at,
      other = find_remote(m, (uint32_t)n->value, n->a ? eval(m, n->a) : -1);
  if (other == NO_PROCESS) /* as SPIN: its variables are 0 */
    return 0;
  if (!address_find(m, n->u.address, &at))
    return 0;
  if (n->u.address->base == BASE_REMOTE)
    at += m->shape.process_offset[other];
  return keep_read(n->u.address->keep, m->state + at);
}

/* enabled(pid): some edge of the process could be executed, not asking
** whether a rendezvous finds a partner, nor for 'provided'.  An edge that asks
** the same question is a fault: two that ask each other would never end. */
static int32_t eval_enabled(worker *m, const node *n)
{
  int32_t number = eval(m, n->a);
  if (number < 0 || (uint32_t)number >= m->shape.processes)
    return 0;
  if (m->asks_enabled || (uint32_t)number == m->self) {
    raise_fault(m, FAULT_ENABLED, n->source->where);
    return 0;
  }
  uint32_t self = m->self;
  bool found = false;
  m->asks_enabled = true;
  set_self(m, (uint32_t)number);
  const clocation *at = location_of(m, (uint32_t)number);
  for (uint32_t i = 0; i < at->count && !found; i++) {
    const cedge *e = &m->code->edges[at->first + i];
    found = e->flags & EDGE_ELSE ? !m->handshake : can_execute(m, e);
  }
  m->asks_enabled = false;
  set_self(m, self);
  return found;
}

static int32_t eval_priority(worker *m, const node *n)
{
  int32_t number = eval(m, n->a);
  if (number < 0 || (uint32_t)number >= m->shape.processes)
    return 0;
  const process_layout *p =
      &m->layout->processes[m->shape.process_type[number]];
  uint8_t *at = m->state + m->shape.process_offset[number] + p->priority_offset;
  if (!p->priority_offset)
    return 1;
  if (n->op == NODE_SET_PRIORITY) {
    *at = (uint8_t)eval(m, n->b);
    m->changed |= component_bit(m->shape.process_component[number]);
  }
  return *at;
}

/* np_: no process stands at a progress location. */
static int32_t eval_no_progress(const worker *m)
{
  for (uint32_t i = 0; i < m->shape.processes; i++)
    if (location_of(m, i)->flags & LOC_PROGRESS)
      return 0;
  return 1;
}

static int32_t eval_process(worker *m, const node *n)
{
  int32_t number;
  uint32_t other;
  switch ((node_op)n->op) {
  case NODE_PID:
    return (int32_t)m->self;
  case NODE_NR_PR:
    return (int32_t)m->shape.processes;
  case NODE_LAST:
    return m->state[m->layout->last_offset];
  case NODE_TIMEOUT:
    return m->timeout;
  case NODE_NP:
    return eval_no_progress(m);
  case NODE_ENABLED:
    return eval_enabled(m, n);
  case NODE_PRIORITY:
  case NODE_SET_PRIORITY:
    return eval_priority(m, n);
  case NODE_PC_VALUE:
    number = eval(m, n->a);
    if (number < 0 || (uint32_t)number >= m->shape.processes)
      return 0;
    return m->code->processes[m->shape.process_type[number]]
        .source->locations.data[get_location(m, (uint32_t)number)]
        .number;
  case NODE_AT:
    other = find_remote(m, n->u.process, n->a ? eval(m, n->a) : -1);
    return other != NO_PROCESS && get_location(m, other) == (uint32_t)n->value;
  case NODE_REMOTE:
    return eval_remote(m, n);
  case NODE_RUN:
    return process_create(m, n->u.run);
  default:
    return 0;
  }
}

/* ---- channels as values ----------------------------------------------- */

/* A rendezvous channel has room and no message: as SPIN has it. */
static int32_t eval_channel(worker *m, const node *n)
{
  if (n->op == NODE_POLL)
    return can_poll(m, n->u.comm);
  int32_t number = eval(m, n->a);
  const channel_layout *c = channel_find(m, number, n);
  if (!c)
    return 0;
  uint32_t length = channel_length(m, number);
  bool full = c->capacity && length >= c->capacity;
  switch ((node_op)n->op) {
  case NODE_LEN:
    return (int32_t)length;
  case NODE_EMPTY:
    return length == 0;
  case NODE_NEMPTY:
    return length > 0;
  case NODE_FULL:
    return full;
  case NODE_NFULL:
    return !full;
  default:
    return 0;
  }
}

/* ---- arithmetic ------------------------------------------------------- */

static int32_t divide(worker *m, const node *n, int32_t a, int32_t b)
{
  if (b == 0) {
    raise_fault(m, FAULT_DIVISION, n->source->where);
    return 0;
  }
  if (b == -1)
    return n->op == NODE_DIV ? (int32_t) - (uint32_t)a : 0;
  return n->op == NODE_DIV ? a / b : a % b;
}

/* Shifts by 32 or more, or by less than 0, are not defined in C; x86 takes
** the count modulo 32, and so does a SPIN verifier there. */
static int32_t shift(const node *n, int32_t a, int32_t b)
{
  uint32_t by = (uint32_t)b & 31;
  return n->op == NODE_SHL ? (int32_t)((uint32_t)a << by) : a >> by;
}

static int32_t load16(const uint8_t *p)
{
  int16_t v;
  memcpy(&v, p, 2);
  return v;
}

static int32_t load32(const uint8_t *p)
{
  int32_t v;
  memcpy(&v, p, 4);
  return v;
}

static int32_t load_indexed(worker *m, const node *n, uint32_t base)
{
  uint32_t index = (uint32_t)eval(m, n->a);
  if (index >= n->u.x.bound) {
    raise_fault(m, FAULT_BOUNDS, n->source->where);
    return 0;
  }
  return m->state[base + (uint32_t)n->value + index * n->u.x.stride];
}

/* The value comes first: it may use the stack, and move it. */
void put_value(worker *m, const node *n)
{
  int32_t value = n ? eval(m, n) : 0;
  vec_push(&m->values, value);
}

/* Operators with two operands that are both evaluated, the first one first; a
** and b are their values, whose arithmetic wraps around.
**
**   X(name, value) */
/* clang-format off */
#define BINARIES(X)                                                            \
  X(EQ, a == b)                                                                \
  X(NE, a != b)                                                                \
  X(LT, (int32_t)a < (int32_t)b)                                               \
  X(LE, (int32_t)a <= (int32_t)b)                                              \
  X(GT, (int32_t)a > (int32_t)b)                                               \
  X(GE, (int32_t)a >= (int32_t)b)                                              \
  X(ADD, (int32_t)(a + b))                                                     \
  X(SUB, (int32_t)(a - b))                                                     \
  X(MUL, (int32_t)(a * b))                                                     \
  X(BITAND, (int32_t)(a & b))                                                  \
  X(BITOR, (int32_t)(a | b))                                                   \
  X(BITXOR, (int32_t)(a ^ b))                                                  \
  X(DIV, divide(m, n, (int32_t)a, (int32_t)b))                                 \
  X(MOD, divide(m, n, (int32_t)a, (int32_t)b))                                 \
  X(SHL, shift(n, (int32_t)a, (int32_t)b))                                     \
  X(SHR, shift(n, (int32_t)a, (int32_t)b))
/* clang-format on */

int32_t eval(worker *m, const node *n)
{
  uint32_t a, b;
  switch ((node_op)n->op) {
  case NODE_CONST:
    return n->value;
  case NODE_G8:
    return m->state[n->value];
  case NODE_L8:
    return m->state[m->self_offset + (uint32_t)n->value];
  case NODE_GX8:
    return load_indexed(m, n, 0);
  case NODE_LX8:
    return load_indexed(m, n, m->self_offset);
  case NODE_G16:
    return load16(m->state + n->value);
  case NODE_L16:
    return load16(m->state + m->self_offset + n->value);
  case NODE_G32:
    return load32(m->state + n->value);
  case NODE_L32:
    return load32(m->state + m->self_offset + n->value);
  case NODE_LOAD:
    return address_read(m, n->u.address);
  case NODE_NOT:
    return !eval(m, n->a);
  case NODE_NEG:
    return (int32_t) - (uint32_t)eval(m, n->a);
  case NODE_COMPL:
    return ~eval(m, n->a);
  case NODE_AND:
    return eval(m, n->a) && eval(m, n->b);
  case NODE_OR:
    return eval(m, n->a) || eval(m, n->b);
  case NODE_IMPLY:
    return !eval(m, n->a) || eval(m, n->b);
  case NODE_COND:
    return eval(m, n->a) ? eval(m, n->b) : eval(m, n->c);
#define BINARY(name, value)                                                    \
  case NODE_##name:                                                            \
    a = (uint32_t)eval(m, n->a);                                               \
    b = (uint32_t)eval(m, n->b);                                               \
    return value;
    BINARIES(BINARY)
#undef BINARY
  case NODE_LEN:
  case NODE_EMPTY:
  case NODE_NEMPTY:
  case NODE_FULL:
  case NODE_NFULL:
  case NODE_POLL:
    return eval_channel(m, n);
  case NODE_VAR:
  case NODE_RUN:
  case NODE_PID:
  case NODE_NR_PR:
  case NODE_LAST:
  case NODE_TIMEOUT:
  case NODE_NP:
  case NODE_ENABLED:
  case NODE_PC_VALUE:
  case NODE_PRIORITY:
  case NODE_SET_PRIORITY:
  case NODE_AT:
  case NODE_REMOTE:
    return eval_process(m, n);
  case NODE_EMBED:
    return embed_eval(m, n);
  }
  return 0;
}
