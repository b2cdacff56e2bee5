/* Steps of several processes: rendezvous, multicast, and all at once.  In the
** first two the sender moves first; its effects are done when the message has
** been received.  Guards of those who receive are read in the state before. */

#include "certify.h"

#include <string.h>

/* ---- who takes part, and by which edges ------------------------------------- */

/* One who takes part: by one of the edges first .. end - 1 of a list. */
typedef struct member {
  uint32_t process;
  size_t first, end, chosen;
} member;

typedef struct party {
  const edge **edges;
  size_t count, cap;
  member list[MOST];
  uint32_t members;
} party;

static void add_edge(party *p, const edge *g)
{
  p->edges = grow(p->edges, &p->cap, p->count + 1, sizeof *p->edges);
  p->edges[p->count++] = g;
}

/* The edges of the process are all there; without any it does not take part. */
static bool add_member(party *p, uint32_t process, size_t first)
{
  if (p->count == first)
    return false;
  p->list[p->members++] = (member){process, first, p->count, first};
  return true;
}

static bool choose_next(party *p)
{
  for (uint32_t i = 0; i < p->members; i++) {
    member *m = &p->list[i];
    if (++m->chosen < m->end)
      return true;
    m->chosen = m->first;
  }
  return false;
}

/* ---- rendezvous and multicast ------------------------------------------------- */

/* Whether the running process can answer by 'g'. */
static bool fits_offer(engine *e, const edge *g, state *sent,
                       const state *before)
{
  if (g->is_else)
    return false;
  set_message(&e->message, e->offered.data, e->offered.len);
  e->s = sent;
  bool possible = can_execute(e, g);
  if (possible && g->guard && !g->has_block) {
    e->s = (state *)(uintptr_t)before;
    possible = value_of(e, g->guard);
    e->s = sent;
  }
  return possible;
}

/* Committed are those who were so before the step. */
static bool may_answer(engine *e, uint32_t process, state *sent,
                       const state *before)
{
  if (process == e->sender)
    return false;
  e->s = (state *)(uintptr_t)before;
  bool held_back = is_held_back(e, process);
  e->s = sent;
  return !held_back && is_permitted(e, process);
}

/* Adds the edges by which a process answers, those of the highest rank. */
static void find_answers(engine *e, party *p, uint32_t process, state *sent,
                         const state *before)
{
  const process_type *type = type_of(e->model, sent, process);
  const location *at = place_of(e->model, sent, process);
  size_t first = p->count;
  for (uint32_t i = 0; i < at->count; i++) {
    const edge *g = &type->edges[at->first + i];
    if (p->count > first && g->rank < p->edges[first]->rank)
      break;
    e->self = process;
    if (fits_offer(e, g, sent, before))
      add_edge(p, g);
  }
  add_member(p, process, first);
}

/* Every member gets the message, then the effects of the sender, then theirs. */
static void join_chosen(engine *e, const party *p, state *s)
{
  e->port = 0;
  for (uint32_t i = 0; i < p->members; i++) {
    e->self = p->list[i].process;
    store_fields(e, p->edges[p->list[i].chosen]->comm);
  }
  e->self = e->sender;
  do_effects(e, e->sender_edge);
  for (uint32_t i = 0; i < p->members; i++) {
    const edge *g = p->edges[p->list[i].chosen];
    e->self = p->list[i].process;
    do_effects(e, g);
    s->row[s->process_at[e->self] + 1] = (int32_t)g->target;
  }
  e->self = e->sender;
  finish(e, e->sender_edge, s);
}

static state *begin(engine *e, const state *sent)
{
  state_copy(&e->spare[2], sent);
  e->s = &e->spare[2];
  set_message(&e->message, e->offered.data, e->offered.len);
  return e->s;
}

/* What the running process has sent by 'g' is received.  False: by nobody. */
bool offer(engine *e, const edge *g, const state *before)
{
  static party p;
  state *sent = &e->spare[1];
  uint32_t handshake = e->handshake, port = e->port;
  state_copy(sent, e->s);
  p.count = p.members = 0;
  set_message(&e->offered, e->message.data, e->message.len);
  e->sender = e->self;
  e->sender_edge = g;
  for (uint32_t i = 0; i < sent->processes; i++)
    if (may_answer(e, i, sent, before)) {
      e->handshake = handshake;
      e->port = port;
      find_answers(e, &p, i, sent, before);
    }
  if (port) {
    do
      join_chosen(e, &p, begin(e, sent));
    while (choose_next(&p));
    return true;
  }
  for (uint32_t i = 0; i < p.members; i++)
    for (size_t k = p.list[i].first; k < p.list[i].end; k++) {
      state *s = begin(e, sent);
      e->self = p.list[i].process;
      e->handshake = handshake;
      execute(e, p.edges[k]);
      finish(e, p.edges[k], s);
    }
  return p.members;
}

/* ---- all at once ---------------------------------------------------------------- */

static bool find_moves(engine *e, party *p, uint32_t process,
                       const state *before)
{
  const process_type *type = type_of(e->model, before, process);
  const location *at = place_of(e->model, before, process);
  size_t first = p->count;
  for (uint32_t i = 0; i < at->count; i++) {
    const edge *g = &type->edges[at->first + i];
    e->s = (state *)(uintptr_t)before;
    e->self = process;
    if (g->is_else ? p->count == first : can_execute(e, g))
      add_edge(p, g);
  }
  return add_member(p, process, first);
}

/* Adds to 's' what the process does alone, in the state before the step. */
static void add_move(engine *e, uint32_t process, const edge *g, state *s,
                     const state *before)
{
  state *alone = &e->spare[1];
  size_t at = before->process_at[process], known = e->written->len;
  size_t size = e->model->locals_at + type_of(e->model, before, process)->size;
  edge one = *g;
  one.is_parallel = false;
  state_copy(alone, before);
  e->s = alone;
  e->self = process;
  do_effects(e, &one);
  alone->row[at + 1] = (int32_t)g->target;
  memcpy(s->row + at, alone->row + at, size * sizeof *s->row);
  for (size_t i = known; i < e->written->len; i++) {
    int32_t number = e->written->data[i];
    for (size_t k = 0; k < known; k++)
      if (e->written->data[k] == number)
        refuse("two processes write a variable at once");
    s->row[number] = alone->row[number];
  }
}

bool expand_synchronous(engine *e, const state *before)
{
  static party p;
  static numbers written;
  state *s = &e->spare[2];
  bool all_can = before->processes;
  p.count = p.members = 0;
  for (uint32_t i = 0; i < before->processes; i++)
    all_can &= find_moves(e, &p, i, before);
  if (!all_can)
    return false;
  e->written = &written;
  do {
    state_copy(s, before);
    written.len = 0;
    for (uint32_t i = 0; i < p.members; i++)
      add_move(e, i, p.edges[p.list[i].chosen], s, before);
    e->self = 0;
    finish(e, p.edges[p.list[0].chosen], s);
  } while (choose_next(&p));
  e->written = NULL;
  return true;
}
