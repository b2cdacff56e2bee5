/* Synchronous systems: a step is one edge of every process, all at once.
**
** Each edge is first executed alone, in the state before the step; what it
** wrote is noted.  A successor is then put together from one such move of each
** process: its own component, and the globals it wrote.  Two processes that
** write the same global in one step are a fault, as none of them is first. */

#include "program/interp/worker.h"

/* Bytes of the globals that a move wrote. */
typedef struct patch {
  uint32_t offset, bytes;
} patch;

/* One executable edge of a process, and the state it makes alone. */
typedef struct move {
  const cedge *edge;
  size_t state; /* in moves.bytes */
  size_t first_patch, patches;
  uint64_t changed;
} move;

/* It belongs to the worker, which keeps it from step to step. */
typedef struct moves {
  const origin *origin;
  uint32_t processes;
  VEC(move) list;
  VEC(size_t) first;  /* moves of process i: first[i] .. first[i + 1] */
  VEC(size_t) chosen; /* one of each process */
  VEC(patch) patches;
  VEC(uint8_t) bytes;
} moves;

static void look_at_origin(worker *m, const moves *all, uint32_t process)
{
  m->state = (uint8_t *)(uintptr_t)all->origin->state;
  m->length = all->origin->length;
  set_self(m, process);
}

/* ---- what each process can do ------------------------------------------ */

/* The executable edges of one process.  A fault in a guard counts as a try;
** '*tried' tells. */
static void find_moves(worker *m, moves *all, uint32_t process, bool *tried)
{
  size_t before = all->list.len;
  look_at_origin(m, all, process);
  const clocation *at = location_of(m, process);
  for (uint32_t i = 0; i < at->count; i++) {
    const cedge *e = &m->code->edges[at->first + i];
    bool possible =
        e->flags & EDGE_ELSE ? all->list.len == before : can_execute(m, e);
    if (m->raised.len && tried_in_vain(m, e))
      *tried = true;
    else if (possible)
      vec_push(&all->list, ((move){.edge = e}));
  }
}

/* Executes an effect and notes which globals it writes. */
static void do_noting(worker *m, moves *all, const cedge *e, uint32_t i)
{
  const ceffect *f = &e->effects[i];
  uint32_t at;
  if (f->kind == EFFECT_ASSIGN && f->target->base == BASE_STATE &&
      address_find(m, f->target, &at))
    vec_push(&all->patches, ((patch){at, keep_bytes(f->target->keep)}));
  cedge one = *e;
  one.effects = &e->effects[i];
  one.effect_count = 1;
  if (!m->fatal)
    do_effects(m, &one);
}

/* Makes the move alone; false when it ends in a fault. */
static bool make_move(worker *m, moves *all, uint32_t process, move *v)
{
  const cedge *e = v->edge;
  begin_step(m, all->origin->state, all->origin->length);
  set_self(m, process);
  v->first_patch = all->patches.len;
  for (uint32_t i = 0; i < e->effect_count && !m->fatal; i++)
    do_noting(m, all, e, i);
  v->patches = all->patches.len - v->first_patch;
  bool fatal = m->fatal;
  if (!fatal)
    set_location(m, process, e->target);
  note_executed(m, e);
  v->changed = m->changed;
  v->state = all->bytes.len;
  vec_grow(&all->bytes, m->length);
  memcpy(all->bytes.data + v->state, m->state, m->length);
  all->bytes.len += m->length;
  if (m->raised.len) {
    uint32_t link = m->link;
    record_step(m, e, 0);
    flush_faults(m, e);
    m->link = link;
  }
  return !fatal;
}

/* Keeps the moves that can be made. */
static void make_moves(worker *m, moves *all)
{
  size_t kept = 0, next = 0;
  for (uint32_t i = 0; i < all->processes; i++) {
    size_t end = all->first.data[i + 1];
    all->first.data[i] = kept;
    for (; next < end; next++) {
      move v = all->list.data[next];
      if (make_move(m, all, i, &v))
        all->list.data[kept++] = v;
    }
  }
  all->first.data[all->processes] = all->list.len = kept;
}

/* ---- putting them together --------------------------------------------- */

static const move *chosen(const moves *all, uint32_t process)
{
  return &all->list.data[all->chosen.data[process]];
}

static bool overlaps(const moves *all, const move *a, const move *b)
{
  for (size_t i = 0; i < a->patches; i++)
    for (size_t k = 0; k < b->patches; k++) {
      patch p = all->patches.data[a->first_patch + i];
      patch q = all->patches.data[b->first_patch + k];
      if (p.offset < q.offset + q.bytes && q.offset < p.offset + p.bytes)
        return true;
    }
  return false;
}

/* Copies what the move of 'process' changed; notes a conflict. */
static void apply(worker *m, const moves *all, uint32_t process)
{
  const move *v = chosen(all, process);
  const uint8_t *from = all->bytes.data + v->state;
  uint32_t own = m->shape.process_offset[process];
  uint32_t size = m->layout->processes[m->shape.process_type[process]].size;
  memcpy(m->state + own, from + own, size);
  for (size_t i = 0; i < v->patches; i++) {
    patch p = all->patches.data[v->first_patch + i];
    memcpy(m->state + p.offset, from + p.offset, p.bytes);
  }
  for (uint32_t i = 0; i < process && !m->fatal; i++)
    if (overlaps(all, chosen(all, i), v))
      raise_fault(m, FAULT_CONFLICT, v->edge->source->where);
}

static void combine(worker *m, const moves *all)
{
  const origin *o = all->origin;
  const cedge *first = chosen(all, 0)->edge;
  way by = {.changed = o->way.changed, .first_edge = first->index};
  uint32_t link = m->link;
  begin_step(m, o->state, o->length);
  for (uint32_t i = 0; i < all->processes; i++) {
    apply(m, all, i);
    by.changed |= chosen(all, i)->changed;
  }
  for (uint32_t i = 0; i < all->processes; i++) {
    set_self(m, i);
    record_step(m, chosen(all, i)->edge, i ? STEP_PARTNER : 0);
  }
  set_self(m, 0);
  bool fatal = m->fatal;
  flush_faults(m, first);
  if (!fatal)
    finish_step(m, first, &by);
  m->link = link;
}

/* Moves to the next choice; false after the last. */
static bool choose_next(moves *all)
{
  for (uint32_t i = 0; i < all->processes; i++) {
    if (++all->chosen.data[i] < all->first.data[i + 1])
      return true;
    all->chosen.data[i] = all->first.data[i];
  }
  return false;
}

/* All combinations; none when some process has no move. */
static void combine_all(worker *m, moves *all)
{
  for (uint32_t i = 0; i < all->processes; i++) {
    if (all->first.data[i] == all->first.data[i + 1])
      return;
    vec_push(&all->chosen, all->first.data[i]);
  }
  do
    combine(m, all);
  while (choose_next(all) && !out_of_patience(m));
}

static moves *no_moves(worker *m, const origin *o)
{
  if (!m->moves)
    m->moves = mem_alloc(sizeof(moves));
  moves *all = m->moves;
  all->origin = o;
  all->processes = m->shape.processes;
  vec_clear(&all->list);
  vec_clear(&all->first);
  vec_clear(&all->chosen);
  vec_clear(&all->patches);
  vec_clear(&all->bytes);
  return all;
}

bool expand_synchronous(worker *m, const origin *o)
{
  moves *all = no_moves(m, o);
  bool tried = false, all_can = true;
  for (uint32_t i = 0; i < all->processes; i++) {
    size_t before = all->list.len;
    vec_push(&all->first, before);
    find_moves(m, all, i, &tried);
    all_can &= all->list.len > before;
  }
  vec_push(&all->first, all->list.len);
  if (all_can) {
    make_moves(m, all);
    combine_all(m, all);
  }
  return all_can || tried;
}

void moves_destroy(moves *all)
{
  if (!all)
    return;
  vec_free(&all->list);
  vec_free(&all->first);
  vec_free(&all->chosen);
  vec_free(&all->patches);
  vec_free(&all->bytes);
  mem_free(all, sizeof *all);
}
