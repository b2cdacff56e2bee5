/* Steps: edges that are executed, alone or by several processes, atomic
** sequences, and so the successors of a state. */

#include "certify.h"

#include <string.h>

static const edge *choose(engine *, const location *, bool with_else);

/* A d_step can start when one of its first edges can; its else always, but for
** a rendezvous.  It joins nobody.  Only the youngest process can end. */
static bool can_execute(engine *e, const edge *g)
{
  if (g->block)
    return !e->port && choose(e, g->block, !e->handshake);
  if (e->handshake || e->port)
    return g->comm && can_answer(e, g->comm);
  if (g->guard && !value_of(e, g->guard))
    return false;
  if (!g->comm)
    return !g->dies || e->self + 1 == e->s->processes;
  return g->comm->op == OP_multicast ||
         (g->comm->op != OP_join && can_communicate(e, g->comm));
}

/* The first edge of the running process that can be executed, or an else. */
static const edge *choose(engine *e, const location *at, bool with_else)
{
  for (const edge *g = at->edges; g < at->end; g++)
    if (g->flags & ELSE ? with_else : can_execute(e, g))
      return g;
  return NULL;
}

bool can_do_something(engine *e, uint32_t process)
{
  e->self = process;
  return choose(e, place_of(e->model, e->s, process), !e->handshake);
}

/* ---- effects --------------------------------------------------------------- */

void do_effects(engine *e, const nodes *effects, bool are_parallel)
{
  static numbers values;
  if (are_parallel)
    values.len = 0; /* others may be done within it, by RUN */
  for (size_t i = 0; i < effects->len && are_parallel; i++) {
    bool assigns = effects->data[i]->op == OP_assign;
    int32_t value = assigns ? value_of(e, effects->data[i]->args[1]) : 0;
    *more(&values) = value;
  }
  for (size_t i = 0; i < effects->len; i++) {
    const node *f = effects->data[i];
    if (f->op == OP_assign)
      assign(e, f->args[0],
             are_parallel ? values.data[i] : value_of(e, f->args[1]));
    else if (f->op == OP_die)
      remove_process(e);
    else
      for (uint32_t k = 0; k < f->count; k++)
        if (!value_of(e, f->args[k]) && f->op == OP_assert)
          refuse("an assertion is violated");
  }
}

static void do_effects_of(engine *e, uint32_t process, const edge *g)
{
  e->self = process;
  do_effects(e, &g->effects, g->flags & PARALLEL);
}

static void do_edge(engine *e, const edge *g)
{
  bool answers = e->handshake != 0;
  uint32_t self = e->self;
  if (g->comm && g->comm->op == OP_receive)
    do_receive(e, g->comm);
  else if (g->comm)
    do_send(e, g->comm);
  if (answers)
    do_effects_of(e, e->sender, e->sender_edge);
  e->self = self;
  if (!e->handshake && !e->port)
    do_effects_of(e, self, g);
}

static void run_block(engine *e, const location *at)
{
  enum { STEPS_MOST = 1 << 28 };
  const process_type *p = type_of(e->model, e->s, e->self);
  for (int steps = 1; at->flags & INNER; steps++) {
    const edge *g = choose(e, at, true);
    if (!g)
      refuse("a d_step cannot go on");
    if (steps > STEPS_MOST)
      give_up("a d_step takes more than %d steps", STEPS_MOST);
    do_edge(e, g);
    at = &p->locations.data[g->target];
    if (e->handshake || e->port)
      refuse("a d_step waits for a rendezvous");
  }
}

static void execute(engine *e, const edge *g)
{
  uint32_t self = e->self;
  if (g->block)
    run_block(e, g->block);
  else
    do_edge(e, g);
  if (self < e->s->processes)
    e->s->row[e->s->process_at[self] + 1] = (int32_t)g->target;
  if (e->model->flags & LAST)
    e->s->row[e->model->last_at] = (uint8_t)self;
}

/* ---- who may move ----------------------------------------------------------- */

static bool is_provided(engine *e, uint32_t process)
{
  const node *provided = type_of(e->model, e->s, process)->provided;
  e->self = process;
  return !provided || value_of(e, provided);
}

/* It is provided, and no process of higher priority can move. */
static bool is_permitted(engine *e, uint32_t process)
{
  bool may = is_provided(e, process);
  if (!(e->model->flags & PRIORITIES))
    return may;
  for (uint32_t i = 0; may && i < e->s->processes; i++)
    may = *priority_of(e->s, i) <= *priority_of(e->s, process) ||
          !is_provided(e, i) || !can_do_something(e, i);
  return may;
}

/* Because others are at committed locations before the step, and it is not. */
static bool is_held_back(const engine *e, uint32_t process)
{
  return e->model->has_committed &&
         !(place_of(e->model, e->before, process)->flags & COMMITTED) &&
         how_many_at(e->model, e->before, COMMITTED);
}

static bool may_move(engine *e, uint32_t process)
{
  e->s = e->before;
  return is_permitted(e, process) && !is_held_back(e, process);
}

/* Whether the state inside an atomic sequence has been continued before; only
** long expansions ask, and so end. */
static bool seen_before(engine *e)
{
  enum { FREELY = 1000 };
  if (++e->expansion < FREELY)
    return false;
  state_pack(e->s, &e->packed);
  put_number(&e->packed, (int32_t)e->self);
  put_bytes(&e->packed, (const uint8_t *)&e->moved, sizeof e->moved);
  return !strings_add(&e->seen, &e->packed, 0);
}

/* The state is a successor or, after an atomic edge, waits to be continued. */
static void finish(engine *e, const edge *g)
{
  if (!(g->flags & ATOMIC)) {
    state_pack(e->s, &e->packed);
    e->found(e->context, &e->packed, 0);
  } else if (!seen_before(e)) {
    frame *f = more(&e->frames);
    state_copy(&f->state, e->s);
    f->process = e->self;
    f->mover = e->mover;
    f->moved = e->moved;
  }
}

/* ---- who takes part, and by which edges ------------------------------------- */

/* Of each process the edges by which it can take part, and which is chosen. */
typedef struct party {
  LIST(const edge *) ways[MOST];
  size_t chosen[MOST];
} party;

/* NULL: it does not take part. */
static const edge *way_of(const party *p, uint32_t process)
{
  return p->ways[process].len ? p->ways[process].data[p->chosen[process]]
                              : NULL;
}

static bool choose_next(party *p, uint32_t processes)
{
  for (uint32_t i = 0; i < processes; i++) {
    if (++p->chosen[i] < p->ways[i].len)
      return true;
    p->chosen[i] = 0;
  }
  return false;
}

/* ---- rendezvous and multicast ------------------------------------------------- */

/* Whether the running process can take part by 'g'.  Guards are read before the
** step. */
static bool fits(engine *e, const edge *g)
{
  state *now = e->s;
  if (!can_execute(e, g))
    return false;
  if (!g->guard || g->block || now == e->before)
    return true;
  e->s = e->before;
  bool is_true = value_of(e, g->guard);
  e->s = now;
  return is_true;
}

/* The edges by which a process takes part, those of the highest rank: in an offer
** or, where all move at once, in that. */
static void find_ways(engine *e, party *p, uint32_t process)
{
  const location *at = place_of(e->model, e->s, process);
  const edge *found = NULL;
  bool answers = e->handshake || e->port;
  p->ways[process].len = p->chosen[process] = 0;
  if (answers && (process == e->sender || is_held_back(e, process) ||
                  !is_permitted(e, process)))
    return;
  e->self = process;
  for (const edge *g = at->edges; g < at->end; g++) {
    if (found && g->rank < found->rank)
      break;
    if (g->flags & ELSE ? !answers && !found : fits(e, g))
      *more(&p->ways[process]) = found = g;
  }
}

static void copy_offer(engine *e)
{
  state_copy(&e->received, &e->sent);
  e->s = &e->received;
  set_message(&e->message, e->offered.data, e->offered.len);
}

/* Everybody gets the message, then the effects of the sender, then theirs. */
static void join_chosen(engine *e, const party *p)
{
  const edge *g;
  copy_offer(e);
  e->port = 0;
  for (uint32_t i = 0; i < e->sent.processes; i++)
    if ((g = way_of(p, i))) {
      e->self = i;
      crowd_add(&e->moved, i);
      store_fields(e, g->comm);
    }
  do_effects_of(e, e->sender, e->sender_edge);
  for (uint32_t i = 0; i < e->sent.processes; i++)
    if ((g = way_of(p, i))) {
      do_effects_of(e, i, g);
      e->s->row[e->s->process_at[i] + 1] = (int32_t)g->target;
    }
  e->self = e->sender;
  finish(e, e->sender_edge);
}

/* What the running process has sent by 'g' is received.  False: by nobody. */
static bool offer(engine *e, const edge *g)
{
  static party p;
  uint32_t handshake = e->handshake;
  crowd moved = e->moved;
  bool received = e->port;
  state_copy(&e->sent, e->s);
  e->s = &e->sent;
  set_message(&e->offered, e->message.data, e->message.len);
  e->sender = e->self;
  e->sender_edge = g;
  for (uint32_t i = 0; i < e->sent.processes; i++)
    find_ways(e, &p, i);
  if (e->port)
    do
      join_chosen(e, &p);
    while (choose_next(&p, e->sent.processes));
  for (uint32_t i = 0; handshake && i < e->sent.processes; i++)
    for (size_t k = 0; k < p.ways[i].len; k++) {
      copy_offer(e);
      e->handshake = handshake;
      e->self = i;
      e->moved = moved;
      crowd_add(&e->moved, i);
      execute(e, p.ways[i].data[k]);
      finish(e, p.ways[i].data[k]);
      received = true;
    }
  return received;
}

/* ---- all at once ---------------------------------------------------------------- */

/* Adds to 's' what the process does alone, in the state before the step. */
static void add_move(engine *e, uint32_t process, const edge *g, state *s)
{
  state *alone = e->s = &e->sent;
  size_t at = e->before->process_at[process], known = e->written->len;
  size_t size = e->model->locals_at + type_of(e->model, s, process)->vars.size;
  state_copy(alone, e->before);
  e->self = process;
  do_effects(e, &g->effects, false);
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

static bool expand_synchronous(engine *e)
{
  static party p;
  static numbers written;
  uint32_t processes = e->before->processes;
  bool all_can = processes;
  e->s = e->before;
  for (uint32_t i = 0; i < processes; i++) {
    find_ways(e, &p, i);
    all_can &= way_of(&p, i) != NULL;
  }
  if (!all_can)
    return false;
  e->written = &written;
  do {
    state_copy(&e->received, e->before);
    written.len = 0;
    for (uint32_t i = 0; i < processes; i++)
      add_move(e, i, way_of(&p, i), &e->received);
    e->s = &e->received;
    e->self = 0;
    finish(e, way_of(&p, 0));
  } while (choose_next(&p, processes));
  e->written = NULL;
  return true;
}

/* ---- all steps -------------------------------------------------------------- */

/* Executes an edge that can be.  False: a send that nobody received. */
static bool take(engine *e, const edge *g)
{
  bool taken = true;
  crowd moved = e->moved;
  crowd_add(&e->moved, e->self);
  state_copy(&e->next, e->before);
  e->s = &e->next;
  execute(e, g);
  if (e->port || e->handshake)
    taken = offer(e, g);
  else
    finish(e, g);
  e->handshake = e->port = 0;
  e->moved = moved;
  return taken;
}

/* All steps of one process.  Answers whether it has any. */
static bool expand_process(engine *e, uint32_t process)
{
  const location *at = place_of(e->model, e->before, process);
  const edge *taken = NULL;
  for (const edge *g = at->edges; g < at->end; g++) {
    if (taken && g->rank < taken->rank)
      break;
    e->s = e->before;
    e->self = process;
    if ((g->flags & ELSE ? !taken : can_execute(e, g)) && take(e, g))
      taken = g;
  }
  return taken;
}

static bool expand_all(engine *e)
{
  bool moved = false;
  e->mover = NOBODY;
  e->moved = (crowd){{0}};
  if (e->model->flags & SYNCHRONOUS)
    return expand_synchronous(e);
  for (uint32_t i = e->before->processes; i-- > 0;) {
    e->mover = i;
    moved |= may_move(e, i) && expand_process(e, i);
  }
  return moved;
}

/* Continues the youngest waiting state: its process moves on, or, when it is
** blocked, gives up control and the state is a successor like any other. */
static void continue_frames(engine *e)
{
  e->before = &e->continued;
  while (e->frames.len) {
    const frame *f = &e->frames.data[--e->frames.len];
    uint32_t process = f->process;
    e->mover = f->mover;
    e->moved = f->moved;
    state_copy(e->before, &f->state);
    if (may_move(e, process) && expand_process(e, process))
      continue;
    state_pack(e->before, &e->packed);
    e->found(e->context, &e->packed, 0);
  }
}

bool expand(engine *e, state *before, bool *waits)
{
  e->before = before;
  e->expansion = 0;
  *waits = !expand_all(e);
  e->timeout = *waits;
  bool moved = !*waits || expand_all(e);
  e->timeout = false;
  continue_frames(e);
  if (e->seen.count)
    strings_clear(&e->seen);
  return moved;
}

bool ends_well(const model *m, const state *s)
{
  if (how_many_at(m, s, AT_END) < s->processes)
    return false;
  return !m->trace || !s->processes ||
         m->trace->locations.data[s->row[m->trace_at]].flags & AT_END;
}

int32_t value_in(engine *e, const node *n, state *s, bool timeout)
{
  e->s = s;
  e->self = NOBODY;
  e->timeout = timeout;
  int32_t value = value_of(e, n);
  e->timeout = false;
  return value;
}

void initial_state(engine *e, state *s)
{
  const model *m = e->model;
  s->len = m->count_at + 2;
  s->row = grow(s->row, &s->cap, s->len + 1, sizeof *s->row);
  if (m->trace)
    s->row[m->trace_at] = (int32_t)m->trace->start;
  e->s = s;
  e->self = NOBODY;
  for (size_t i = 0; i < m->initial_channels.len; i++)
    add_channel(e, (uint32_t)m->initial_channels.data[i]);
  do_effects(e, &m->system.starts[0], false);
  do_effects(e, &m->system.starts[1], false);
  for (size_t i = 0; i < m->initial.len; i++)
    add_process(e, (uint32_t)m->initial.data[i], NULL);
}
