/* Steps of several processes: rendezvous, multicast, and all at once.  In the
** first two the sender moves first; its effects are done when the message has
** been received.  Guards of those who receive are read in the state before. */

#include "certify.h"

#include <string.h>

/* ---- what a sender offers ----------------------------------------------------- */

static void keep_offer(engine *e, const edge *g)
{
  e->offered =
      grow(e->offered, &e->offered_cap, e->message_len + 1, sizeof *e->offered);
  if (e->message_len)
    memcpy(e->offered, e->message, e->message_len * sizeof *e->offered);
  e->offered_len = e->message_len;
  e->sender = e->self;
  e->sender_edge = g;
}

static void take_offer(engine *e)
{
  e->message =
      grow(e->message, &e->message_cap, e->offered_len + 1, sizeof *e->message);
  if (e->offered_len)
    memcpy(e->message, e->offered, e->offered_len * sizeof *e->message);
  e->message_len = e->offered_len;
}

/* Whether the running process can answer by 'g'. */
static bool fits_offer(engine *e, const edge *g, state *sent,
                       const state *before)
{
  if (g->is_else)
    return false;
  take_offer(e);
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

/* ---- rendezvous ------------------------------------------------------------------ */

static bool answer(engine *e, uint32_t process, state *sent,
                   const state *before)
{
  uint32_t handshake = e->handshake, rank = 0;
  bool answered = false;
  const process_type *p = type_of(e->model, sent, process);
  const location *at = place_of(e->model, sent, process);
  for (uint32_t i = 0; i < at->count; i++) {
    const edge *g = &p->edges[at->first + i];
    if (answered && g->rank < rank)
      break;
    e->self = process;
    if (!fits_offer(e, g, sent, before))
      continue;
    answered = true;
    rank = g->rank;
    state *s = &e->spare[2];
    state_copy(s, sent);
    e->s = s;
    execute(e, g);
    finish(e, g, s);
    e->handshake = handshake;
    e->s = sent;
  }
  return answered;
}

bool offer(engine *e, const edge *g, const state *before)
{
  state *sent = &e->spare[1];
  bool answered = false;
  state_copy(sent, e->s);
  keep_offer(e, g);
  for (uint32_t i = sent->processes; i-- > 0;)
    if (may_answer(e, i, sent, before))
      answered |= answer(e, i, sent, before);
  return answered;
}

/* ---- multicast ---------------------------------------------------------------------- */

/* A process that joins: by one of its edges first .. end - 1 of a list. */
typedef struct member {
  uint32_t process;
  size_t first, end, chosen;
} member;

typedef struct joining {
  const edge **edges;
  size_t count, cap;
  member list[MOST];
  uint32_t members;
} joining;

static void find_edges(engine *e, joining *j, uint32_t process, state *sent,
                       const state *before)
{
  const process_type *p = type_of(e->model, sent, process);
  const location *at = place_of(e->model, sent, process);
  member m = {process, j->count, j->count, j->count};
  for (uint32_t i = 0; i < at->count; i++) {
    const edge *g = &p->edges[at->first + i];
    if (m.end > m.first && g->rank < j->edges[m.first]->rank)
      break;
    e->self = process;
    if (!fits_offer(e, g, sent, before))
      continue;
    j->edges = grow(j->edges, &j->cap, j->count + 1, sizeof *j->edges);
    j->edges[j->count++] = g;
    m.end = j->count;
  }
  if (m.end > m.first)
    j->list[j->members++] = m;
}

/* Every member gets the message, then the effects of the sender, then theirs. */
static void join_chosen(engine *e, const joining *j, const state *sent)
{
  state *s = &e->spare[2];
  state_copy(s, sent);
  e->s = s;
  take_offer(e);
  e->port = 0;
  for (uint32_t i = 0; i < j->members; i++) {
    e->self = j->list[i].process;
    do_join(e, j->edges[j->list[i].chosen]->comm);
  }
  e->self = e->sender;
  do_effects(e, e->sender_edge);
  for (uint32_t i = 0; i < j->members; i++) {
    const edge *g = j->edges[j->list[i].chosen];
    e->self = j->list[i].process;
    do_effects(e, g);
    s->row[s->process_at[e->self] + 1] = (int32_t)g->target;
  }
  e->self = e->sender;
  finish(e, e->sender_edge, s);
}

static bool choose_next(joining *j)
{
  for (uint32_t i = 0; i < j->members; i++) {
    member *m = &j->list[i];
    if (++m->chosen < m->end)
      return true;
    m->chosen = m->first;
  }
  return false;
}

bool gather(engine *e, const edge *g, const state *before)
{
  static joining j;
  state *sent = &e->spare[1];
  uint32_t port = e->port;
  state_copy(sent, e->s);
  j.count = j.members = 0;
  keep_offer(e, g);
  for (uint32_t i = 0; i < sent->processes; i++) {
    if (!may_answer(e, i, sent, before))
      continue;
    e->port = port;
    find_edges(e, &j, i, sent, before);
  }
  do
    join_chosen(e, &j, sent);
  while (choose_next(&j));
  return true;
}

/* ---- all at once ------------------------------------------------------------------------ */

/* What an edge does alone, in the state before the step, and the globals it
** writes. */
typedef struct move {
  const edge *edge;
  state state;
  uint32_t *written;
  size_t count, cap;
} move;

typedef struct moves {
  move *list;
  size_t len, cap;
  size_t first[MOST + 1], chosen[MOST + 1];
} moves;

static move *next_move(moves *all)
{
  size_t old = all->cap;
  all->list = grow(all->list, &all->cap, all->len + 1, sizeof *all->list);
  if (all->cap > old)
    memset(all->list + old, 0, (all->cap - old) * sizeof *all->list);
  move *v = &all->list[all->len++];
  v->count = 0;
  return v;
}

/* The number of the row that an assignment to a global writes. */
static void note_written(engine *e, move *v, const ref *r)
{
  uint32_t at = r->at;
  if (r->is_local || r->is_hidden)
    return;
  for (uint32_t i = 0; i < r->dimensions; i++)
    at += (uint32_t)value_of(e, r->dims[i].index) * r->dims[i].stride;
  v->written = grow(v->written, &v->cap, v->count + 1, sizeof *v->written);
  v->written[v->count++] = at;
}

static void make_move(engine *e, move *v, const edge *g, uint32_t process,
                      const state *before)
{
  v->edge = g;
  state_copy(&v->state, before);
  e->s = &v->state;
  e->self = process;
  for (uint32_t i = 0; i < g->effect_count; i++) {
    edge one = *g;
    one.effects = &g->effects[i];
    one.effect_count = 1;
    if (g->effects[i].kind == EFFECT_ASSIGN)
      note_written(e, v, g->effects[i].target);
    do_effects(e, &one);
  }
  v->state.row[v->state.process_at[process] + 1] = (int32_t)g->target;
}

/* The moves of one process; whether there are any. */
static bool find_moves(engine *e, moves *all, uint32_t process,
                       const state *before)
{
  size_t begin = all->len;
  const process_type *p = type_of(e->model, before, process);
  const location *at = place_of(e->model, before, process);
  for (uint32_t i = 0; i < at->count; i++) {
    const edge *g = &p->edges[at->first + i];
    e->s = (state *)(uintptr_t)before;
    e->self = process;
    if (g->is_else ? all->len == begin : can_execute(e, g))
      next_move(all)->edge = g;
  }
  return all->len > begin;
}

static void check_conflict(const move *a, const move *b)
{
  for (size_t i = 0; i < a->count; i++)
    for (size_t k = 0; k < b->count; k++)
      if (a->written[i] == b->written[k])
        refuse("two processes write a variable at once");
}

static void combine(engine *e, const moves *all, const state *before)
{
  state *s = &e->spare[2];
  state_copy(s, before);
  for (uint32_t p = 0; p < before->processes; p++) {
    const move *v = &all->list[all->chosen[p]];
    size_t at = before->process_at[p];
    size_t size = locals_at(e->model) + type_of(e->model, before, p)->size;
    memcpy(s->row + at, v->state.row + at, size * sizeof *s->row);
    for (size_t i = 0; i < v->count; i++)
      s->row[v->written[i]] = v->state.row[v->written[i]];
    for (uint32_t q = 0; q < p; q++)
      check_conflict(&all->list[all->chosen[q]], v);
  }
  e->self = 0;
  finish(e, all->list[all->chosen[0]].edge, s);
}

static bool choose_other(moves *all, uint32_t processes)
{
  for (uint32_t p = 0; p < processes; p++) {
    if (++all->chosen[p] < all->first[p + 1])
      return true;
    all->chosen[p] = all->first[p];
  }
  return false;
}

bool expand_synchronous(engine *e, const state *before)
{
  static moves all;
  bool all_can = true;
  all.len = 0;
  for (uint32_t p = 0; p < before->processes; p++) {
    all.first[p] = all.chosen[p] = all.len;
    all_can &= find_moves(e, &all, p, before);
  }
  all.first[before->processes] = all.len;
  if (!all_can || !before->processes)
    return false;
  for (uint32_t p = 0; p < before->processes; p++)
    for (size_t i = all.first[p]; i < all.first[p + 1]; i++)
      make_move(e, &all.list[i], all.list[i].edge, p, before);
  do
    combine(e, &all, before);
  while (choose_other(&all, before->processes));
  return true;
}
