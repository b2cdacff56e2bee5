/* Steps of several processes.  In both kinds the sender moves first, into the
** state 'sent'; its effects are done when the message has been received.
** Guards of those who receive are read in the state before the step. */

#include "program/interp/worker.h"

static void copy_message(message *to, const message *from)
{
  vec_resize(to, from->len);
  for (size_t i = 0; i < from->len; i++)
    to->data[i] = from->data[i];
}

static void keep_sent(worker *m, const cedge *e)
{
  vec_resize(&m->sent, m->length);
  memcpy(m->sent.data, m->state, m->length);
  copy_message(&m->offered, &m->message);
  m->sender = m->self;
  m->sender_edge = e;
}

static void look_at_sent(worker *m)
{
  m->state = m->sent.data;
  m->length = (uint32_t)m->sent.len;
  if (m->shape_dirty)
    shape_walk(m, m->state, m->length);
}

/* Whether the running process can answer by 'e'. */
static bool fits_offer(worker *m, const cedge *e, const origin *o)
{
  if (e->flags & EDGE_ELSE)
    return false;
  copy_message(&m->message, &m->offered);
  look_at_sent(m);
  bool possible = can_execute(m, e);
  if (possible && e->guard && !(e->flags & EDGE_DSTEP)) {
    m->state = (uint8_t *)(uintptr_t)o->state;
    possible = eval(m, e->guard);
    look_at_sent(m);
  }
  return !tried_in_vain(m, e) && possible;
}

/* Whether a process may take part in what the sender began.  Committed are
** those who were so before the step. */
static bool may_answer(worker *m, uint32_t process, const origin *o)
{
  if (process == m->sender)
    return false;
  m->state = (uint8_t *)(uintptr_t)o->state;
  bool held_back = is_held_back(m, process);
  look_at_sent(m);
  return !held_back && is_permitted(m, process);
}

/* ---- rendezvous ------------------------------------------------------- */

/* One process answers in all the ways it can. */
static bool answer(worker *m, uint32_t process, const way *sent,
                   const origin *o)
{
  uint32_t handshake = m->handshake, link = m->link, rank = 0;
  bool answered = false;
  const clocation *at = location_of(m, process);
  for (uint32_t i = 0; i < at->count; i++) {
    const cedge *e = &m->code->edges[at->first + i];
    if (answered && e->rank < rank)
      break;
    set_self(m, process);
    if (!fits_offer(m, e, o))
      continue;
    answered = true;
    rank = e->rank;
    begin_step(m, m->sent.data, (uint32_t)m->sent.len);
    if (m->executed)
      m->executed[m->sender_edge->index]++;
    if (perform(m, e, STEP_PARTNER)) {
      way answered_by = way_after(sent, process, e, m->changed);
      finish_step(m, e, &answered_by);
    }
    m->handshake = handshake;
    m->link = link;
    look_at_sent(m);
  }
  return answered;
}

bool offer(worker *m, const cedge *e, const origin *o)
{
  way sent = way_after(&o->way, m->self, e, m->changed);
  bool answered = false;
  keep_sent(m, e);
  for (uint32_t i = m->shape.processes; i-- > 0;) {
    if (may_answer(m, i, o))
      answered |= answer(m, i, &sent, o);
  }
  m->handshake = 0;
  set_self(m, m->sender);
  return answered;
}

/* ---- multicast -------------------------------------------------------- */

/* The edges by which one member can join. */
static void find_edges(worker *m, member *j, const origin *o)
{
  const clocation *at = location_of(m, j->process);
  for (uint32_t i = 0; i < at->count; i++) {
    const cedge *e = &m->code->edges[at->first + i];
    if (j->end > j->first && e->rank < m->joins.data[j->first]->rank)
      break;
    set_self(m, j->process);
    if (fits_offer(m, e, o)) {
      vec_push(&m->joins, e);
      j->end = m->joins.len;
    }
  }
}

/* All chosen edges at once: every member gets the message, then the effects
** of the sender, then those of the members. */
static void join_chosen(worker *m, const way *sent)
{
  way joined = *sent;
  begin_step(m, m->sent.data, (uint32_t)m->sent.len);
  copy_message(&m->message, &m->offered);
  m->port = 0;
  for (size_t i = 0; i < m->members.len; i++) {
    const member *j = &m->members.data[i];
    set_self(m, j->process);
    do_join(m, m->joins.data[j->chosen]->comm);
  }
  set_self(m, m->sender);
  do_effects(m, m->sender_edge);
  for (size_t i = 0; i < m->members.len && !m->fatal; i++) {
    const member *j = &m->members.data[i];
    const cedge *e = m->joins.data[j->chosen];
    set_self(m, j->process);
    note_executed(m, e);
    do_effects(m, e);
    joined = way_after(&joined, j->process, e, 0);
    set_location(m, j->process, e->target);
    record_step(m, e, STEP_PARTNER);
  }
  bool fatal = m->fatal;
  set_self(m, m->sender);
  flush_faults(m, m->sender_edge);
  joined.changed |= m->changed;
  if (!fatal)
    finish_step(m, m->sender_edge, &joined);
}

/* Moves to the next combination of edges; false after the last. */
static bool choose_next(worker *m)
{
  for (size_t i = 0; i < m->members.len; i++) {
    member *j = &m->members.data[i];
    if (++j->chosen < j->end)
      return true;
    j->chosen = j->first;
  }
  return false;
}

bool gather(worker *m, const cedge *e, const origin *o)
{
  way sent = way_after(&o->way, m->self, e, m->changed);
  uint32_t port = m->port, link = m->link;
  vec_clear(&m->members);
  vec_clear(&m->joins);
  keep_sent(m, e);
  for (uint32_t i = 0; i < m->shape.processes; i++) {
    size_t here = m->joins.len;
    member j = {i, here, here, here};
    if (!may_answer(m, i, o))
      continue;
    m->port = port;
    find_edges(m, &j, o);
    if (j.end > j.first)
      vec_push(&m->members, j);
  }
  do {
    join_chosen(m, &sent);
    m->link = link;
  } while (choose_next(m) && !out_of_patience(m));
  return true;
}
