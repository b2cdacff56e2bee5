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

#include "dependence.h"
#include "shake_cells.h"

/* ---- outcomes --------------------------------------------------------- */

/* A fault while a process was asked whether it may move has no step.  In a
** synchronous model a fault has the step of one process, though it comes only
** when all others can move: it is not compared. */
static void find_outcomes(const shake *s, const batch *b, outcomes *list)
{
  vec_clear(list);
  for (size_t i = 0; i < b->list.len; i++) {
    const successor *n = &b->list.data[i];
    vec_push(list, ((outcome){b, n->first_step, n->steps, FAULT_NONE,
                              b->bytes.data + n->start, n->length}));
  }
  for (size_t i = 0; i < b->faults.len; i++) {
    const fault *f = &b->faults.data[i];
    if (f->steps && !(s->m->flags & MODEL_SYNCHRONOUS))
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

static bool has_slot(const edge_access *x, uint32_t slot, touch_kind kind)
{
  return kind == WRITES
             ? slots_have(x->writes, slot)
             : slots_have(x->tests, slot) || slots_have(x->reads, slot);
}

static bool touches(const shake *s, const outcome *o, const cell *c,
                    touch_kind kind)
{
  const step *st;
  for (uint32_t i = 0; (st = outer_step(o, &i));) {
    const edge_access *x = &s->access->edges[st->edge];
    if (has_slot(x, slot_of_cell(s, c, st->process), kind) ||
        (c->kind == CELL_QUEUE &&
         has_slot(x, access_messages(s->access, c->channel), kind)))
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
    find_outcomes(s, &s->other, &s->to);
    compare_steps(s, c, state);
  }
}

/* ---- order ------------------------------------------------------------ */

typedef bool relation(const access_sets *, const edge *, const edge *);

/* Whether edges of two steps are so related. */
static bool related(const shake *s, const outcome *o, const outcome *p,
                    relation *is)
{
  const step *x, *y;
  for (uint32_t i = 0; (x = outer_step(o, &i));)
    for (uint32_t k = 0; (y = outer_step(p, &k));)
      if (is(s->access, s->m->edges.data[x->edge], s->m->edges.data[y->edge]))
        return true;
  return false;
}

static bool share_process(const outcome *o, const outcome *p)
{
  const step *x, *y;
  for (uint32_t i = 0; (x = outer_step(o, &i));)
    for (uint32_t k = 0; (y = outer_step(p, &k));)
      if (x->process == y->process)
        return true;
  return false;
}

/* A step that needs no partner, of a process that is not new. */
static bool is_alone(const shake *s, const outcome *o)
{
  uint32_t i = 0;
  const step *first = outer_step(o, &i);
  return !outer_step(o, &i) && first->process < s->processes &&
         !(s->access->edges[first->edge].flags & ACCESS_MEETS);
}

enum { ORDER_MAX = 16 };

/* After step 'o' came 'to': what was not there before depends on 'o'. */
static void check_enabling(shake *s, const outcome *o)
{
  for (size_t i = 0; i < s->to.len; i++) {
    const outcome *p = &s->to.data[i];
    if (is_alone(s, p) && !share_process(o, p) && !find_same(&s->from, p, 0) &&
        !related(s, o, p, access_depends))
      complain(s, p, NULL, "becomes possible by an independent step");
  }
}

/* Two steps that do not disturb each other can be made in both orders, and lead
** to the same state.  'after[i][k]' is a hash of the state after i, then k. */
static void check_order(shake *s)
{
  uint64_t after[ORDER_MAX][ORDER_MAX] = {{0}};
  size_t n = s->from.len < ORDER_MAX ? s->from.len : ORDER_MAX;
  for (size_t i = 0; i < n; i++) {
    const outcome *o = &s->from.data[i];
    if (o->fault)
      continue;
    program_successors(s->worker, o->bytes, o->length, &s->other);
    find_outcomes(s, &s->other, &s->to);
    check_enabling(s, o);
    for (size_t k = 0; k < n; k++) {
      const outcome *p = find_same(&s->to, &s->from.data[k], 0);
      if (p && !p->fault)
        after[i][k] = hash_bytes(p->bytes, p->length) | 1;
    }
  }
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < i; k++) {
      const outcome *o = &s->from.data[i], *p = &s->from.data[k];
      if (o->fault || p->fault || share_process(o, p) ||
          related(s, o, p, access_disturbs))
        continue;
      s->ordered++;
      if (!after[i][k] || after[i][k] != after[k][i])
        complain(s, o, NULL, "disturbed by, or disturbs, another step");
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
  find_outcomes(s, &s->base, &s->from);
  find_cells(s, state, length);
  vec_resize(&s->changed, length);
  for (size_t i = 0; i < s->from.len; i++)
    check_writes(s, &s->from.data[i], state, length);
  check_order(s);
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
