/* Checks read and write sets by changing what is said to be unread.
**
** In a state s every scalar (a cell) gets another value, one at a time.  For
** every step that says that it does not look at the cell, the changed state s'
** must have the same step, and it must do the same:
**
**      s  --step-->  t        t' = t, but for the cell itself, which is either
**      |             |        written in both or in neither
**      s' --step-->  t'
**
** And whatever differs between s and t must be in the step's writes.  A step of
** several processes looks at and writes what each of its edges does, each seen
** from its own process.
**
** Atomic sequences are taken apart beforehand, so that every step is seen: the
** sets of an edge do not depend on what comes after it. */

#ifndef NUT_TESTS_SHAKE_H
#define NUT_TESTS_SHAKE_H

#include "base/alloc.h"
#include "base/hash.h"
#include "base/random.h"
#include "model/access.h"
#include "program/machine.h"

typedef enum {
  CELL_VARIABLE,
  CELL_LOCATION,
  CELL_PRIORITY,
  CELL_LAST,
  CELL_TRACE,
  CELL_LENGTH,
  CELL_FIELD
} cell_kind;

typedef struct cell {
  cell_kind kind;
  uint32_t offset, bytes;
  uint32_t process; /* whose, or NO_PROCESS */
  const process_type *type;
  const var *root; /* VARIABLE */
  uint32_t element;
  uint32_t channel; /* LENGTH, FIELD: class */
  const var *var;   /* VARIABLE: the innermost declaration */
  keep keep;        /* VARIABLE, FIELD */
  int32_t lo, hi;   /* values it may get */
} cell;

/* What a step comes to: a state, or a fault. */
typedef struct outcome {
  const batch *batch;
  uint32_t first, count; /* its steps in batch.steps */
  fault_kind fault;
  const uint8_t *bytes;
  uint32_t length;
} outcome;
typedef VEC(outcome) outcomes;

typedef struct shake {
  const model *m;
  program *program;
  worker *worker;
  access_sets *access;
  uint8_t **places; /* by process type and location: see find_locations */
  random_state random;
  uint32_t states_max, cells_max; /* cells tried in each state */
  batch base, other;
  outcomes from, to;
  VEC(cell) cells;
  size_t changeable; /* so many of them can be changed, the first ones */
  VEC(uint8_t) changed;
  VEC(uint8_t) states; /* reached so far, one after the other */
  VEC(size_t) starts;  /* one more than states */
  VEC(uint64_t) seen;  /* their hashes, open addressing */
  uint64_t checked;    /* steps compared */
  uint64_t shaken;     /* states */
  uint32_t failures;
  text report; /* the first failures */
} shake;

/* ---- the cells of a state --------------------------------------------- */

static void add_cell(shake *s, cell c)
{
  vec_push(&s->cells, c);
}

static void add_cells_of_var(shake *s, const cell *pattern, const var *v,
                             uint32_t offset, uint32_t *element)
{
  uint32_t stride = type_bytes(&v->type);
  for (uint32_t i = 0; i < v->length; i++) {
    const record *r = v->type.record;
    uint32_t at = offset + i * stride;
    if (v->type.kind == TYPE_RECORD) {
      for (size_t k = 0; k < r->fields.len; k++)
        add_cells_of_var(s, pattern, r->fields.data[k],
                         at + layout_field_offset(r, r->fields.data[k]),
                         element);
      continue;
    }
    cell c = *pattern;
    c.kind = CELL_VARIABLE;
    c.offset = at;
    c.keep = keep_of_var(v);
    c.bytes = keep_bytes(c.keep);
    c.element = (*element)++;
    c.var = v;
    c.lo = v->type.lo;
    c.hi = v->type.hi;
    add_cell(s, c);
  }
}

static void add_root_cells(shake *s, cell pattern, const var *v,
                           uint32_t offset)
{
  uint32_t element = 0;
  pattern.root = v;
  add_cells_of_var(s, &pattern, v, offset, &element);
}

static void add_global_cells(shake *s)
{
  const layout *l = &s->program->layout;
  cell none = {.process = NO_PROCESS};
  if (l->has_last)
    add_cell(s, (cell){.kind = CELL_LAST,
                       .offset = l->last_offset,
                       .bytes = 1,
                       .process = NO_PROCESS,
                       .hi = 254});
  if (l->has_trace) {
    const process_type *t = s->m->processes.data[s->program->code.trace];
    add_cell(s, (cell){.kind = CELL_TRACE,
                       .offset = l->trace_offset,
                       .bytes = 2,
                       .process = NO_PROCESS,
                       .hi = (int32_t)t->locations.len - 1});
  }
  for (size_t i = 0; i < s->m->globals.len; i++)
    add_root_cells(s, none, s->m->globals.data[i], l->globals[i]);
}

static void add_process_cells(shake *s, uint32_t number, const process_type *t,
                              uint32_t offset)
{
  const process_layout *l = &s->program->layout.processes[t->index];
  cell c = {.process = number, .type = t};
  c.kind = CELL_LOCATION;
  c.offset = offset + l->location_offset;
  c.bytes = l->location_bytes;
  c.hi = (int32_t)t->locations.len - 1;
  add_cell(s, c);
  if (l->priority_offset) {
    c.kind = CELL_PRIORITY;
    c.offset = offset + l->priority_offset;
    c.bytes = 1;
    c.lo = 1;
    c.hi = 255;
    add_cell(s, c);
  }
  for (size_t i = 0; i < t->locals.len; i++)
    add_root_cells(s, (cell){.process = number, .type = t}, t->locals.data[i],
                   offset + l->locals[i]);
}

/* Places in a channel: those with messages, or the empty ones, which are
** written but never changed by us. */
static void add_message_cells(shake *s, const channel_type *t, uint32_t class,
                              uint32_t offset, uint32_t first, uint32_t end)
{
  const channel_layout *l = &s->program->layout.channels[t->index];
  for (uint32_t i = first; i < end; i++)
    for (uint32_t k = 0; k < l->field_count; k++) {
      cell c = {.kind = CELL_FIELD, .process = NO_PROCESS, .channel = class};
      c.offset = offset + l->first + i * l->message_size + l->fields[k];
      c.keep = l->keeps[k];
      c.bytes = keep_bytes(c.keep);
      c.lo = t->fields.data[k].lo;
      c.hi = t->fields.data[k].hi;
      add_cell(s, c);
    }
}

static void add_channel_cells(shake *s, const uint8_t *state, const shape *h,
                              uint32_t number, bool empty_places)
{
  const channel_type *t = s->m->channels.data[h->channel_type[number]];
  const channel_layout *l = &s->program->layout.channels[t->index];
  uint32_t class = access_channel(s->access, number, t);
  uint32_t at = h->channel_offset[number];
  cell c = {.kind = CELL_LENGTH, .process = NO_PROCESS, .channel = class};
  if (!t->capacity)
    return;
  c.offset = at + l->length_offset;
  c.bytes = 1;
  c.hi = (int32_t)t->capacity;
  if (empty_places) {
    add_message_cells(s, t, class, at, state[c.offset], t->capacity);
    return;
  }
  add_cell(s, c);
  add_message_cells(s, t, class, at, 0, state[c.offset]);
}

static void find_cells(shake *s, const uint8_t *state, uint32_t length)
{
  shape h;
  shape_of(s->program, state, length, &h);
  vec_clear(&s->cells);
  add_global_cells(s);
  for (uint32_t i = 0; i < h.processes; i++)
    add_process_cells(s, i, s->m->processes.data[h.process_type[i]],
                      h.process_offset[i]);
  for (uint32_t i = 1; i <= h.channels; i++)
    add_channel_cells(s, state, &h, i, false);
  s->changeable = s->cells.len;
  for (uint32_t i = 1; i <= h.channels; i++)
    add_channel_cells(s, state, &h, i, true);
}

/* The slot of a cell as process 'looking' sees it. */
static uint32_t slot_of_cell(const shake *s, const cell *c, uint32_t looking)
{
  bool remote = c->process != looking;
  switch (c->kind) {
  case CELL_VARIABLE:
    return access_variable(s->access, c->root, c->element, remote);
  case CELL_LOCATION:
    return access_location(s->access, c->type, remote);
  case CELL_PRIORITY:
    return access_priority(s->access, c->type, remote);
  case CELL_LAST:
    return access_shared(s->access, SLOT_LAST);
  case CELL_TRACE:
    return access_shared(s->access, SLOT_TRACE);
  case CELL_LENGTH:
    return access_length(s->access, c->channel);
  case CELL_FIELD:
    return access_messages(s->access, c->channel);
  }
  return 0;
}

/* Marks the locations that a process can reach and rest at.  In others (the end
** behind an endless loop) the program may rely on it not being there. */
static void find_locations(const process_type *t, uint32_t at, uint8_t *found)
{
  const location *l = &t->locations.data[at];
  if (found[at])
    return;
  found[at] = l->flags & LOC_DSTEP ? 2 : 1;
  for (uint32_t i = 0; i < l->edge_count; i++) {
    const edge *e = t->order.data[l->first_edge + i];
    if (e->flags & EDGE_DSTEP)
      find_locations(t, e->block, found);
    else
      find_locations(t, e->target, found);
  }
}

/* Any value of its type, mostly a small one, as models use them; of large types
** always, so that loops that count do not count for ever. */
static int32_t pick_value(shake *s, const cell *c)
{
  int64_t values = (int64_t)c->hi - c->lo + 1, first = c->lo;
  bool large = values > 256;
  if (values > 6 && (large || random_below(&s->random, 4))) {
    values = large ? 20 : 6;
    first = c->lo <= 0 && c->hi >= 20 ? 0 : first;
  }
  return (int32_t)(first + (int64_t)random_below(&s->random, (uint64_t)values));
}

/* Gives the cell another value of its type; false when it has none.  A longer
** channel has a message of zeros more. */
static bool change_cell(shake *s, const cell *c, uint8_t *state)
{
  uint8_t *at = state + c->offset, old[4];
  memcpy(old, at, c->bytes);
  int32_t value = pick_value(s, c);
  switch (c->kind) {
  case CELL_VARIABLE:
  case CELL_FIELD:
    keep_write(c->keep, at, value);
    break;
  case CELL_LENGTH:
    *at = (uint8_t)(*at < c->hi ? *at + 1 : *at);
    break;
  case CELL_LOCATION:
    if (s->places[c->type->index][value] != 1)
      return false;
    /* fall through */
  default:
    at[0] = (uint8_t)value;
    if (c->bytes == 2)
      at[1] = (uint8_t)(value >> 8);
  }
  return memcmp(old, at, c->bytes) != 0;
}

/* ---- outcomes --------------------------------------------------------- */

/* A fault while a process was asked whether it may move has no step. */
static void find_outcomes(const batch *b, outcomes *list)
{
  vec_clear(list);
  for (size_t i = 0; i < b->list.len; i++) {
    const successor *n = &b->list.data[i];
    vec_push(list, ((outcome){b, n->first_step, n->steps, FAULT_NONE,
                              b->bytes.data + n->start, n->length}));
  }
  for (size_t i = 0; i < b->faults.len; i++) {
    const fault *f = &b->faults.data[i];
    if (f->steps)
      vec_push(list, ((outcome){b, f->first_step, f->steps, f->kind, NULL, 0}));
  }
}

/* The next step at or after 'i' that is not inside a d_step. */
static const step *outer_step(const outcome *o, uint32_t *i)
{
  for (; *i < o->count; ++*i) {
    const step *st = &o->batch->steps.data[o->first + *i];
    if (!(st->flags & STEP_INNER)) {
      ++*i;
      return st;
    }
  }
  return NULL;
}

/* The same edges of the same processes. */
static bool same_step(const outcome *a, const outcome *b)
{
  uint32_t i = 0, k = 0;
  for (;;) {
    const step *x = outer_step(a, &i), *y = outer_step(b, &k);
    if (!x || !y)
      return x == y;
    if (x->process != y->process || x->edge != y->edge || x->flags != y->flags)
      return false;
  }
}

typedef enum { LOOKS, WRITES } touch_kind;

static bool touches(const shake *s, const outcome *o, const cell *c,
                    touch_kind kind)
{
  const step *st;
  for (uint32_t i = 0; (st = outer_step(o, &i));) {
    const edge_access *x = &s->access->edges[st->edge];
    uint32_t slot = slot_of_cell(s, c, st->process);
    if (kind == WRITES
            ? slots_have(x->writes, slot)
            : slots_have(x->tests, slot) || slots_have(x->reads, slot))
      return true;
  }
  return false;
}

/* ---- failures --------------------------------------------------------- */

enum { REPORTS_MAX = 5 };

static void complain(shake *s, const outcome *o, const cell *c,
                     const char *what)
{
  const step *st;
  if (s->failures++ >= REPORTS_MAX)
    return;
  text_printf(&s->report, "%s", what);
  if (c && o->count) {
    text_add(&s->report, ": ");
    slot_print(s->access,
               slot_of_cell(s, c, o->batch->steps.data[o->first].process),
               &s->report);
    if (c->process != NO_PROCESS)
      text_printf(&s->report, " of process %u", c->process);
  }
  text_add_char(&s->report, '\n');
  for (uint32_t i = 0; (st = outer_step(o, &i));) {
    text_printf(&s->report, "  process %u, ", st->process);
    access_print_edge(s->access, s->m->edges.data[st->edge], &s->report);
  }
}

/* ---- checks ----------------------------------------------------------- */

/* Whatever the step changed is in its writes. */
static void check_writes(shake *s, const outcome *o, const uint8_t *state,
                         uint32_t length)
{
  const step *st;
  bool counted = false;
  if (o->fault)
    return;
  for (uint32_t i = 0; (st = outer_step(o, &i));)
    counted |= slots_have(s->access->edges[st->edge].writes,
                          access_shared(s->access, SLOT_PROCESSES));
  if (o->length != length && !counted)
    complain(s, o, NULL, "processes come or go unsaid");
  for (size_t i = 0; i < s->cells.len; i++) {
    const cell *c = &s->cells.data[i];
    if (c->offset + c->bytes <= o->length &&
        memcmp(o->bytes + c->offset, state + c->offset, c->bytes) == 0)
      continue;
    if (!touches(s, o, c, WRITES))
      complain(s, o, c, "written unsaid");
  }
}

/* 'o' in the state, 'p' in the changed state; 'c' is the changed cell. */
static bool same_outcome(const shake *s, const outcome *o, const outcome *p,
                         const cell *c, const uint8_t *state)
{
  if (o->fault != p->fault || o->length != p->length)
    return false;
  if (o->fault)
    return true;
  if (c->offset + c->bytes > o->length)
    return memcmp(o->bytes, p->bytes, o->length) == 0;
  uint32_t end = c->offset + c->bytes;
  if (memcmp(o->bytes, p->bytes, c->offset) != 0 ||
      memcmp(o->bytes + end, p->bytes + end, o->length - end) != 0)
    return false;
  if (memcmp(o->bytes + c->offset, p->bytes + c->offset, c->bytes) == 0)
    return true;
  return memcmp(o->bytes + c->offset, state + c->offset, c->bytes) == 0 &&
         memcmp(p->bytes + c->offset, s->changed.data + c->offset, c->bytes) ==
             0;
}

/* The n-th outcome of the same step as 'o', or NULL. */
static const outcome *find_same(const outcomes *list, const outcome *o,
                                uint32_t n)
{
  for (size_t i = 0; i < list->len; i++)
    if (same_step(&list->data[i], o) && n-- == 0)
      return &list->data[i];
  return NULL;
}

/* How many outcomes of the same step stand before 'o'. */
static uint32_t count_before(const outcomes *list, const outcome *o)
{
  uint32_t n = 0;
  for (const outcome *x = list->data; x != o; x++)
    n += same_step(x, o);
  return n;
}

static void compare_steps(shake *s, const cell *c, const uint8_t *state)
{
  for (size_t i = 0; i < s->from.len; i++) {
    const outcome *o = &s->from.data[i];
    if (touches(s, o, c, LOOKS))
      continue;
    s->checked++;
    const outcome *p = find_same(&s->to, o, count_before(&s->from, o));
    if (!p)
      complain(s, o, c, "no longer possible after a change");
    else if (!same_outcome(s, o, p, c, state))
      complain(s, o, c, "does something else after a change");
  }
  for (size_t i = 0; i < s->to.len; i++) {
    const outcome *p = &s->to.data[i];
    if (!touches(s, p, c, LOOKS) &&
        !find_same(&s->from, p, count_before(&s->to, p)))
      complain(s, p, c, "possible only after a change");
  }
}

enum { TRIES = 3 };

static void shake_cell(shake *s, const cell *c, const uint8_t *state,
                       uint32_t length)
{
  for (int i = 0; i < TRIES; i++) {
    memcpy(s->changed.data, state, length);
    if (!change_cell(s, c, s->changed.data))
      continue;
    program_successors(s->worker, s->changed.data, length, &s->other);
    find_outcomes(&s->other, &s->to);
    compare_steps(s, c, state);
  }
}

/* ---- states ----------------------------------------------------------- */

static bool see(shake *s, const uint8_t *state, uint32_t length)
{
  uint64_t h = hash_bytes(state, length) | 1;
  size_t at = h & (s->seen.len - 1);
  for (; s->seen.data[at]; at = (at + 1) & (s->seen.len - 1))
    if (s->seen.data[at] == h)
      return false;
  s->seen.data[at] = h;
  return true;
}

static void keep_state(shake *s, const uint8_t *state, uint32_t length)
{
  if (s->starts.len > 4 * s->states_max || !see(s, state, length))
    return;
  vec_grow(&s->states, length);
  memcpy(s->states.data + s->states.len, state, length);
  s->states.len += length;
  vec_push(&s->starts, s->states.len);
}

static void shake_state(shake *s, const uint8_t *state, uint32_t length)
{
  s->shaken++;
  program_successors(s->worker, state, length, &s->base);
  find_outcomes(&s->base, &s->from);
  find_cells(s, state, length);
  vec_resize(&s->changed, length);
  for (size_t i = 0; i < s->from.len; i++)
    check_writes(s, &s->from.data[i], state, length);
  size_t n = s->changeable;
  for (size_t i = 0; i < n && i < s->cells_max; i++) {
    size_t pick = n <= s->cells_max ? i : random_below(&s->random, n);
    shake_cell(s, &s->cells.data[pick], state, length);
  }
  for (size_t i = 0; i < s->base.list.len; i++)
    keep_state(s, s->base.bytes.data + s->base.list.data[i].start,
               s->base.list.data[i].length);
}

static size_t pick_young(shake *s)
{
  size_t n = s->starts.len - 1;
  return n - 1 - random_below(&s->random, n < 16 ? n : 16);
}

/* Shakes up to 'states_max' reachable states, old ones and young ones in turn,
** so that some are far from the start. */
static void shake_run(shake *s)
{
  VEC(uint8_t) state = {0};
  s->base.record = s->other.record = true;
  vec_resize(&s->seen, (size_t)1 << 16);
  vec_push(&s->starts, 0);
  program_initial(s->worker, &s->base);
  keep_state(s, s->base.bytes.data, s->base.list.data[0].length);
  size_t old = 0;
  for (uint32_t i = 0; i < s->states_max && old + 1 < s->starts.len; i++) {
    size_t at = i % 2 ? pick_young(s) : old++;
    uint32_t length = (uint32_t)(s->starts.data[at + 1] - s->starts.data[at]);
    vec_resize(&state, length);
    memcpy(state.data, s->states.data + s->starts.data[at], length);
    shake_state(s, state.data, length);
  }
  vec_free(&state);
}

/* ---- all of it -------------------------------------------------------- */

static shake *shake_create(model *m, diags *d, uint32_t states_max)
{
  shake *s = mem_alloc(sizeof *s);
  for (size_t i = 0; i < m->edges.len; i++)
    m->edges.data[i]->flags &= ~(uint32_t)EDGE_ATOMIC;
  s->m = m;
  s->states_max = states_max;
  s->cells_max = 150;
  random_seed(&s->random, 1);
  s->places = ARENA_ARRAY(m->arena, uint8_t *, m->processes.len + 1);
  for (size_t i = 0; i < m->processes.len; i++) {
    const process_type *t = m->processes.data[i];
    s->places[i] = ARENA_ARRAY(m->arena, uint8_t, t->locations.len + 1);
    find_locations(t, t->start, s->places[i]);
  }
  s->access = access_create(m);
  s->program = program_create(m, NULL, d);
  if (s->program)
    s->worker = worker_create(s->program);
  return s;
}

/* Forgets what was found, to run again. */
static void shake_reset(shake *s)
{
  vec_clear(&s->states);
  vec_clear(&s->starts);
  vec_free(&s->seen);
  text_clear(&s->report);
  s->failures = 0;
  random_seed(&s->random, 1);
}

static void shake_destroy(shake *s)
{
  batch_free(&s->base);
  batch_free(&s->other);
  vec_free(&s->from);
  vec_free(&s->to);
  vec_free(&s->cells);
  vec_free(&s->changed);
  vec_free(&s->states);
  vec_free(&s->starts);
  vec_free(&s->seen);
  text_free(&s->report);
  worker_destroy(s->worker);
  program_destroy(s->program);
  access_destroy(s->access);
  mem_free(s, sizeof *s);
}

#endif
