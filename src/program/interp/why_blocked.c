/* Reasons why edges cannot be executed; see program/blocked.h. */

#include "program/blocked.h"
#include "program/interp/worker.h"

const char *blocked_kind_name(blocked_kind kind)
{
  static const char *const words[] = {
#define BLOCK(name, text) text,
      BLOCKS(BLOCK)
#undef BLOCK
  };
  return words[kind];
}

void blocked_free(blocked_steps *b)
{
  vec_free(&b->list);
  vec_free(&b->possible);
}

/* ---- what can be executed ---------------------------------------------- */

static const possible_step *find_possible(const blocked_steps *b,
                                          uint32_t process, uint32_t index)
{
  for (size_t i = 0; i < b->possible.len; i++)
    if (b->possible.data[i].process == process &&
        b->possible.data[i].edge == index)
      return &b->possible.data[i];
  return NULL;
}

static void add_possible(blocked_steps *b, const step *s, bool answers)
{
  for (size_t i = 0; i < b->possible.len; i++) {
    possible_step *p = &b->possible.data[i];
    if (p->process == s->process && p->edge == s->edge) {
      p->answers &= answers;
      return;
    }
  }
  vec_push(&b->possible, ((possible_step){s->process, s->edge, answers}));
}

/* The value of an expression, whose faults are somebody else's concern. */
static int32_t ask(worker *m, const node *n)
{
  int32_t value = eval(m, n);
  vec_clear(&m->raised);
  m->fatal = false;
  return value;
}

static const cedge *edge_at(const worker *m, uint32_t index)
{
  return &m->code->edges[m->program->edge_of[index]];
}

/* The channel of a communication; NULL: there is none. */
static const channel_layout *find_channel(worker *m, const ccomm *c,
                                          int32_t *number)
{
  *number = ask(m, c->channel);
  if (*number < 1 || (uint32_t)*number > m->shape.channels)
    return NULL;
  return &m->layout->channels[m->shape.channel_type[*number]];
}

static bool is_rendezvous_send(worker *m, const step *s)
{
  int32_t number;
  const cedge *e = edge_at(m, s->edge);
  if (!e->comm || e->comm->kind != COMM_SEND)
    return false;
  set_self(m, s->process);
  const channel_layout *l = find_channel(m, e->comm, &number);
  return l && !l->capacity;
}

/* The edges of the first step of a path: one; two of a rendezvous; those of all
** who take part. */
static void note_first(worker *m, const batch *from, uint32_t first,
                       uint32_t count, blocked_steps *b)
{
  bool together = m->program->model->flags & MODEL_SYNCHRONOUS;
  if (!count)
    return;
  const step *steps = &from->steps.data[first];
  add_possible(b, &steps[0], false);
  if (count > 1 && is_rendezvous_send(m, &steps[0]))
    add_possible(b, &steps[1], true);
  for (uint32_t i = 1; i < count && steps[i].flags & STEP_PARTNER; i++)
    add_possible(b, &steps[i], !together);
}

static bool at_timeout(const worker *m, const batch *from)
{
  bool has = m->program->model->flags & MODEL_HAS_TIMEOUT;
  return has && (from->blocked ||
                 (from->steps.len && from->steps.data[0].flags & STEP_TIMEOUT));
}

/* ---- reasons ----------------------------------------------------------- */

static bool says_guard(worker *m, const cedge *e, blocked_step *s)
{
  if (!e->guard || ask(m, e->guard))
    return false;
  s->kind = BLOCKED_GUARD;
  s->condition = e->source->guard;
  if (!m->timeout) {
    m->timeout = true;
    if (ask(m, e->guard))
      s->kind = BLOCKED_TIMEOUT;
    m->timeout = false;
  }
  return true;
}

static bool says_channel(worker *m, const ccomm *c, blocked_step *s)
{
  if (c->kind == COMM_MULTICAST)
    return false;
  s->kind = BLOCKED_PARTNER;
  if (c->kind == COMM_JOIN)
    return true;
  const channel_layout *l = find_channel(m, c, &s->channel);
  if (!l)
    return false;
  if (!l->capacity)
    return true;
  uint32_t length = channel_length(m, s->channel);
  bool possible =
      c->kind == COMM_SEND ? length < l->capacity : can_receive(m, c);
  s->kind = c->kind == COMM_SEND ? BLOCKED_FULL
            : length             ? BLOCKED_MESSAGE
                                 : BLOCKED_EMPTY;
  vec_clear(&m->raised);
  m->fatal = false;
  return !possible;
}

/* What keeps the running process from executing the edge, as far as the edge
** itself is concerned; false: nothing. */
static bool says_edge(worker *m, const cedge *e, blocked_step *s)
{
  if (!(e->flags & EDGE_DSTEP)) {
    if (says_guard(m, e, s) || (e->comm && says_channel(m, e->comm, s)))
      return true;
    s->kind = BLOCKED_YOUNGER;
    return !e->comm && !can_die(m, e);
  }
  /* A d_step can start when one of its first edges can. */
  const clocation *at =
      &m->code->processes[m->shape.process_type[m->self]].locations[e->block];
  blocked_step first = *s;
  for (uint32_t i = 0; i < at->count; i++) {
    const cedge *inner = &m->code->edges[at->first + i];
    blocked_step reason = *s;
    if (inner->flags & EDGE_ELSE || !says_edge(m, inner, &reason))
      return false;
    if (!i)
      first = reason;
  }
  *s = first;
  return at->count > 0;
}

static int64_t find_committed(const worker *m)
{
  for (uint32_t i = 0; i < m->shape.processes; i++)
    if (location_of(m, i)->flags & LOC_COMMITTED)
      return i;
  return -1;
}

/* What keeps the process from moving at all; false: nothing. */
static bool says_process(worker *m, uint32_t process, blocked_step *s)
{
  const cprocess *p = &m->code->processes[m->shape.process_type[process]];
  if (m->program->model->flags & MODEL_SYNCHRONOUS)
    return false;
  set_self(m, process);
  if (p->provided && !ask(m, p->provided)) {
    s->kind = BLOCKED_PROVIDED;
    s->condition = p->source->provided;
    return true;
  }
  bool permitted = is_permitted(m, process);
  vec_clear(&m->raised);
  m->fatal = false;
  s->kind = BLOCKED_PRIORITY;
  if (permitted && is_held_back(m, process)) {
    s->kind = BLOCKED_COMMITTED;
    s->other = find_committed(m);
  }
  return !permitted || s->kind == BLOCKED_COMMITTED;
}

/* Whether the process has begun a step by an edge before this one, and, if
** asked for, of a higher rank. */
static bool has_earlier(const blocked_steps *b, const cedge *first,
                        const cedge *e, uint32_t process, bool higher)
{
  for (; first < e; first++) {
    const possible_step *p = find_possible(b, process, first->index);
    if (p && !p->answers && (!higher || first->rank > e->rank))
      return true;
  }
  return false;
}

/* A process of a synchronous system that cannot move. */
static int64_t find_stuck(worker *m, const blocked_steps *b)
{
  for (uint32_t i = 0; i < m->shape.processes; i++) {
    const clocation *at = location_of(m, i);
    bool moves = false;
    for (uint32_t k = 0; k < at->count; k++) {
      const cedge *e = &m->code->edges[at->first + k];
      blocked_step s = {0};
      set_self(m, i);
      moves |= find_possible(b, i, e->index) || e->flags & EDGE_ELSE ||
               !says_edge(m, e, &s);
    }
    if (!moves)
      return i;
  }
  return -1;
}

static void explain(worker *m, blocked_steps *b, const cedge *e,
                    uint32_t process)
{
  bool together = m->program->model->flags & MODEL_SYNCHRONOUS;
  const clocation *at = location_of(m, process);
  const cedge *first = &m->code->edges[at->first];
  blocked_step s = {.process = process, .edge = e->index, .other = -1};
  bool said = says_process(m, process, &s);
  set_self(m, process);
  if (!said && e->flags & EDGE_ELSE) {
    s.kind = BLOCKED_ELSE;
    said = has_earlier(b, first, e, process, false);
  } else if (!said) {
    said = says_edge(m, e, &s);
  }
  if (!said) {
    s.kind = BLOCKED_UNLESS;
    said = has_earlier(b, first, e, process, true);
  }
  if (!said)
    s.kind = together ? BLOCKED_OTHERS : BLOCKED_ENDLESS;
  if (!said && together)
    s.other = find_stuck(m, b);
  vec_push(&b->list, s);
}

void blocked_find(worker *m, const uint8_t *state, uint32_t length,
                  const batch *from, blocked_steps *b)
{
  vec_clear(&b->list);
  vec_clear(&b->possible);
  m->state = (uint8_t *)(uintptr_t)state;
  m->length = length;
  m->handshake = m->port = 0;
  shape_walk(m, state, length);
  for (size_t i = 0; i < from->list.len; i++)
    note_first(m, from, from->list.data[i].first_step, from->list.data[i].steps,
               b);
  for (size_t i = 0; i < from->faults.len; i++)
    note_first(m, from, from->faults.data[i].first_step,
               from->faults.data[i].steps, b);
  m->timeout = at_timeout(m, from);
  for (uint32_t i = 0; i < m->shape.processes; i++) {
    const clocation *at = location_of(m, i);
    for (uint32_t k = 0; k < at->count; k++) {
      const cedge *e = &m->code->edges[at->first + k];
      if (!find_possible(b, i, e->index))
        explain(m, b, e, i);
    }
  }
  m->timeout = false;
}
