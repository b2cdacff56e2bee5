/* The successors of a state. */

#include "certify.h"

#include <string.h>

/* ---- who may move ----------------------------------------------------------- */

static bool is_provided(engine *e, uint32_t process)
{
  const process_type *p = type_of(e->model, e->s, process);
  if (!p->provided)
    return true;
  e->self = process;
  return value_of(e, p->provided);
}

static int32_t priority_in(const engine *e, uint32_t process)
{
  return e->s->row[e->s->process_at[process] + PRIORITY_AT];
}

/* Whether some process of higher priority can move. */
static bool must_wait(engine *e, uint32_t process)
{
  int32_t mine = priority_in(e, process);
  for (uint32_t i = 0; i < e->s->processes; i++)
    if (i != process && priority_in(e, i) > mine && is_provided(e, i) &&
        can_do_something(e, i))
      return true;
  return false;
}

bool is_held_back(const engine *e, uint32_t process)
{
  const model *m = e->model;
  if (!m->has_committed || place_of(m, e->s, process)->is_committed)
    return false;
  for (uint32_t i = 0; i < e->s->processes; i++)
    if (place_of(m, e->s, i)->is_committed)
      return true;
  return false;
}

bool is_permitted(engine *e, uint32_t process)
{
  return is_provided(e, process) &&
         !(e->model->has_priorities && must_wait(e, process));
}

bool may_move(engine *e, uint32_t process)
{
  return is_permitted(e, process) && !is_held_back(e, process);
}

/* ---- one process -------------------------------------------------------------- */

/* Whether the state inside an atomic sequence has been continued before; only
** long expansions ask, and so end. */
static bool seen_before(engine *e, const state *s)
{
  enum { FREELY = 1000 };
  static bytes packed;
  if (++e->expansion < FREELY)
    return false;
  if (!e->seen)
    e->seen = strings_create();
  state_pack(s, &packed);
  put_number(&packed, (int32_t)e->self);
  return !strings_add(e->seen, packed.data, packed.len, 0);
}

void finish(engine *e, const edge *g, const state *s)
{
  if (!g->is_atomic) {
    e->found(e->context, s);
    return;
  }
  if (seen_before(e, s))
    return;
  e->frames = grow(e->frames, &e->frame_cap, e->waiting + 1, sizeof *e->frames);
  frame *f = &e->frames[e->waiting++];
  state_copy(&f->state, s);
  f->process = e->self;
  f->mover = e->mover;
}

/* Executes an edge that can be.  False: a send that nobody received. */
static bool take(engine *e, const edge *g, const state *before)
{
  state *s = &e->spare[0];
  bool taken = true;
  state_copy(s, before);
  e->s = s;
  execute(e, g);
  if (e->port || e->handshake)
    taken = offer(e, g, before);
  else
    finish(e, g, s);
  e->handshake = e->port = 0;
  return taken;
}

/* All steps of one process.  Answers whether it has any. */
static bool expand_process(engine *e, const state *before, uint32_t process)
{
  bool moved = false;
  uint32_t rank = 0;
  const process_type *p = type_of(e->model, before, process);
  const location *at = place_of(e->model, before, process);
  for (uint32_t i = 0; i < at->count; i++) {
    const edge *g = &p->edges[at->first + i];
    if (moved && g->rank < rank)
      break;
    e->s = (state *)(uintptr_t)before;
    e->self = process;
    if (g->is_else ? moved : !can_execute(e, g))
      continue;
    if (take(e, g, before)) {
      moved = true;
      rank = g->rank;
    }
  }
  return moved;
}

static bool expand_all(engine *e, const state *before)
{
  bool moved = false;
  e->s = (state *)(uintptr_t)before;
  e->mover = NOBODY;
  if (e->model->is_synchronous)
    return expand_synchronous(e, before);
  for (uint32_t i = before->processes; i-- > 0;) {
    e->s = (state *)(uintptr_t)before;
    e->mover = i;
    if (may_move(e, i))
      moved |= expand_process(e, before, i);
  }
  return moved;
}

/* ---- atomic sequences ----------------------------------------------------------- */

/* Continues the youngest waiting state: its process moves on, or, when it is
** blocked, gives up control and the state is a successor like any other. */
static void continue_frames(engine *e)
{
  state *s = &e->spare[3];
  while (e->waiting) {
    frame *f = &e->frames[--e->waiting];
    uint32_t process = f->process;
    e->mover = f->mover;
    state_copy(s, &f->state);
    e->s = s;
    if (may_move(e, process) && expand_process(e, s, process))
      continue;
    e->found(e->context, s);
  }
}

bool expand(engine *e, const state *before, bool *waits)
{
  e->waiting = 0;
  e->expansion = 0;
  e->timeout = false;
  bool moved = expand_all(e, before);
  *waits = !moved;
  if (!moved) {
    e->timeout = true;
    moved = expand_all(e, before);
    e->timeout = false;
  }
  continue_frames(e);
  if (e->seen)
    strings_clear(e->seen);
  return moved;
}

/* ---- single states ----------------------------------------------------------------- */

bool ends_well(engine *e, const state *s)
{
  const model *m = e->model;
  for (uint32_t i = 0; i < s->processes; i++)
    if (!place_of(m, s, i)->is_end)
      return false;
  if (m->trace == NO_TRACE || !s->processes)
    return true;
  return m->processes[m->trace].locations[s->row[m->trace_at]].is_end;
}

int32_t value_in(engine *e, const node *n, const state *s, bool timeout)
{
  e->s = (state *)(uintptr_t)s;
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
  if (m->trace != NO_TRACE)
    s->row[m->trace_at] = (int32_t)m->processes[m->trace].start;
  e->s = s;
  e->self = NOBODY;
  for (uint32_t i = 0; i < m->initial_channel_count; i++)
    add_channel(e, m->initial_channels[i]);
  run_starts(e, &m->system, true);
  run_starts(e, &m->system, false);
  for (uint32_t i = 0; i < m->initial_count; i++) {
    add_process(e, m->initial[i]);
    e->self = i;
    run_starts(e, &m->processes[m->initial[i]], false);
    e->self = NOBODY;
  }
}
