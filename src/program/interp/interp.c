/* Successors of a state, as docs/model.md defines them.
**
** From a stored state every process may move; after an edge that is atomic
** only the process that made it may, until it is blocked or leaves the atomic
** sequence.  States inside such sequences are not successors; they wait in
** 'frames' until they are continued.  A rendezvous is one step of two
** processes: the sender moves, then each process that can answer. */

#include "base/hash.h"
#include "base/random.h"
#include "program/interp/worker.h"
#include "program/native/native.h"

/* Bytes of states handled between two questions, and what a step counts beside
** its state. */
enum { EFFORT_MAX = 1 << 22, EFFORT_OF_STEP = 256 };

bool out_of_patience(worker *m)
{
  m->effort += m->length + EFFORT_OF_STEP;
  if (m->effort < EFFORT_MAX || !m->impatient || m->batch->abandoned)
    return m->batch->abandoned;
  m->effort = 0;
  m->asked = true;
  m->batch->abandoned = m->impatient(m->patience_context);
  return m->batch->abandoned;
}

/* ---- making successors ------------------------------------------------ */

/* Puts a copy of the source state behind the batch's bytes, to be changed. */
void begin_step(worker *m, const uint8_t *source, uint32_t length)
{
  vec_grow(&m->batch->bytes, length);
  m->state = m->batch->bytes.data + m->batch->bytes.len;
  memcpy(m->state, source, length);
  m->length = length;
  m->changed = 0;
}

/* The state just made is a successor of the stored state. */
static void emit(worker *m, const way *by)
{
  batch *b = m->batch;
  successor s = {.start = place_in_batch(b->bytes.len, m->length),
                 .length = m->length,
                 .edge = by->first_edge,
                 .process = (uint16_t)by->first_process,
                 .others = by->others,
                 .changed = by->changed};
  copy_path(m, m->link, &s.first_step, &s.steps);
  b->bytes.len += m->length;
  vec_push(&b->list, s);
}

/* Whether intermediate states are remembered: an expansion that is long, or
** that is recorded and has so many ways to the same states that their steps
** would fill the memory. */
static bool is_watched(const worker *m)
{
  enum { RECORDED_MOST = 1 << 22 };
  return m->expansion_steps > SEEN_AFTER || m->batch->steps.len > RECORDED_MOST;
}

/* The process keeps control: its state waits to be continued. */
static void keep_control(worker *m, const way *by)
{
  m->batch->atomic_steps++;
  m->expansion_steps++;
  if (m->milestone.len && at_milestone(m))
    return;
  if (is_watched(m) && seen_before(m))
    return;
  frame f = {.start = m->frame_bytes.len,
             .length = m->length,
             .process = m->self,
             .way = *by,
             .link = m->link};
  vec_grow(&m->frame_bytes, m->length);
  memcpy(m->frame_bytes.data + f.start, m->state, m->length);
  m->frame_bytes.len += m->length;
  vec_push(&m->frames, f);
}

/* What comes after edge 'e' of the running process was executed. */
void finish_step(worker *m, const cedge *e, const way *by)
{
  if (e->flags & EDGE_ATOMIC)
    keep_control(m, by);
  else
    emit(m, by);
}

way way_after(const way *before, uint32_t process, const cedge *e,
              uint64_t changed)
{
  way w = *before;
  w.changed |= changed;
  if (w.first_process == NO_PROCESS) {
    w.first_process = process;
    w.first_edge = e->index;
  } else if (w.first_process != process) {
    w.others = others_join(w.others, process);
  }
  return w;
}

/* Executes 'e' in the state begun, with its recording and faults.  Answers
** whether there is a state to go on with. */
bool perform(worker *m, const cedge *e, uint32_t flags)
{
  uint32_t link = (uint32_t)m->links.len;
  execute(m, e);
  bool fatal = m->fatal;
  if (e->flags & EDGE_DSTEP)
    record_end_of_block(m, link);
  else
    record_step(m, e, flags);
  flush_faults(m, e);
  return !fatal;
}

/* A read of the current state may have raised a fault: then the edge counts
** as tried, with a step that leads nowhere. */
bool tried_in_vain(worker *m, const cedge *e)
{
  if (!m->raised.len)
    return false;
  uint32_t link = m->link;
  record_step(m, e, m->handshake ? STEP_PARTNER : 0);
  flush_faults(m, e);
  m->link = link;
  return true;
}

static void restore_shape(worker *m, const uint8_t *state, uint32_t length)
{
  if (m->shape_dirty)
    shape_walk(m, state, length);
}

/* ---- who may move ----------------------------------------------------- */

static bool is_provided(worker *m, uint32_t process)
{
  const cprocess *p = &m->code->processes[m->shape.process_type[process]];
  if (!p->provided)
    return true;
  set_self(m, process);
  return eval(m, p->provided);
}

static uint32_t priority_of(const worker *m, uint32_t process)
{
  const process_layout *p =
      &m->layout->processes[m->shape.process_type[process]];
  return m->state[m->shape.process_offset[process] + p->priority_offset];
}

/* Whether some process of higher priority can move; while a rendezvous is in
** progress, whether it can answer. */
static bool must_wait(worker *m, uint32_t process)
{
  uint32_t mine = priority_of(m, process);
  for (uint32_t i = 0; i < m->shape.processes; i++) {
    if (i == process || priority_of(m, i) <= mine)
      continue;
    if (!is_provided(m, i))
      continue;
    set_self(m, i);
    const clocation *at = location_of(m, i);
    for (uint32_t k = 0; k < at->count; k++) {
      const cedge *e = &m->code->edges[at->first + k];
      if (e->flags & EDGE_ELSE ? !m->handshake : can_execute(m, e))
        return true;
    }
  }
  return false;
}

static bool someone_is_committed(const worker *m)
{
  for (uint32_t i = 0; i < m->shape.processes; i++)
    if (location_of(m, i)->flags & LOC_COMMITTED)
      return true;
  return false;
}

bool is_held_back(const worker *m, uint32_t process)
{
  return m->program->model->flags & MODEL_HAS_COMMITTED &&
         !(location_of(m, process)->flags & LOC_COMMITTED) &&
         someone_is_committed(m);
}

bool is_permitted(worker *m, uint32_t process)
{
  return is_provided(m, process) &&
         !(m->layout->has_priority && must_wait(m, process));
}

bool may_move(worker *m, uint32_t process)
{
  return is_permitted(m, process) && !is_held_back(m, process);
}

/* ---- one process ------------------------------------------------------ */

/* A send is executed once for each way in which it is answered. */
static bool take_offer(worker *m, const cedge *e, const origin *o)
{
  if (m->executed)
    m->executed[e->index]--;
  return offer(m, e, o);
}

static void finish_alone(worker *m, const cedge *e, const origin *o)
{
  way by = way_after(&o->way, m->self, e, m->changed);
  finish_step(m, e, &by);
}

/* Executes one edge that can be.  Answers false when it was a send that
** nobody received. */
static bool take(worker *m, const cedge *e, const origin *o)
{
  uint32_t link = m->link;
  uint8_t reached = m->reached[e->index];
  bool taken = true;
  begin_step(m, o->state, o->length);
  if (perform(m, e, 0)) {
    if (m->port)
      taken = gather(m, e, o);
    else if (m->handshake)
      taken = take_offer(m, e, o);
    else
      finish_alone(m, e, o);
  }
  if (!taken)
    m->reached[e->index] = reached;
  m->handshake = m->port = 0;
  m->link = link;
  return taken;
}

static void look_at(worker *m, const origin *o, uint32_t process)
{
  m->state = (uint8_t *)(uintptr_t)o->state;
  m->length = o->length;
  restore_shape(m, o->state, o->length);
  set_self(m, process);
}

/* How many edges from 'e' on need a byte that is 0. */
static uint32_t passed_over(const worker *m, const cedge *e)
{
  uint64_t word = 0;
  if (e->word_count) {
    memcpy(&word, m->state + (e->lead & ~7u), sizeof word);
    if (!word)
      return e->word_count;
  }
  return e->lead_count && !m->state[e->lead] ? e->lead_count : 0;
}

/* All steps of one process.  Answers whether it has any. */
static bool expand_process(worker *m, const origin *o, uint32_t process)
{
  bool moved = false;
  uint32_t rank = 0;
  look_at(m, o, process);
  const clocation *at = location_of(m, process);
  for (uint32_t i = 0; i < at->count; i++) {
    const cedge *e = &m->code->edges[at->first + i];
    if (moved && e->rank < rank)
      break;
    uint32_t over = passed_over(m, e);
    if (over) {
      i += over - 1;
      continue;
    }
    if (e->flags & EDGE_ELSE ? moved : !can_execute(m, e)) {
      if (m->raised.len)
        moved |= tried_in_vain(m, e);
      continue;
    }
    if (m->raised.len && tried_in_vain(m, e)) {
      moved = true;
      continue;
    }
    if (take(m, e, o)) {
      moved = true;
      rank = e->rank;
    }
    look_at(m, o, process);
  }
  return moved;
}

static bool expand_all(worker *m, const origin *o)
{
  bool moved = false;
  look_at(m, o, 0);
  if (m->program->model->flags & MODEL_SYNCHRONOUS)
    return expand_synchronous(m, o);
  for (uint32_t i = m->shape.processes; i-- > 0;) {
    bool may = may_move(m, i);
    if (m->raised.len) {
      flush_faults(m, NULL);
      moved = true;
    }
    if (may)
      moved |= expand_process(m, o, i);
    look_at(m, o, 0);
  }
  return moved;
}

/* ---- atomic sequences ------------------------------------------------- */

/* Continues the youngest waiting state: its process moves on, or, when it is
** blocked, gives up control and the state is a successor like any other. */
static void continue_frame(worker *m)
{
  frame f = vec_pop(&m->frames);
  vec_resize(&m->current, f.length);
  memcpy(m->current.data, m->frame_bytes.data + f.start, f.length);
  m->frame_bytes.len = f.start;
  pass_milestone(m, m->current.data, f.length, f.process);
  m->shape_dirty = true;
  m->link = f.link;
  origin o = {m->current.data, f.length, f.way};
  look_at(m, &o, 0);
  bool may = may_move(m, f.process);
  if (may && expand_process(m, &o, f.process))
    return;
  m->link = f.link;
  begin_step(m, o.state, o.length);
  emit(m, &f.way);
}

static void continue_frames(worker *m)
{
  while (m->frames.len && !out_of_patience(m))
    continue_frame(m);
  m->link = NO_LINK;
}

/* ---- public ----------------------------------------------------------- */

static void clear_batch(worker *m, batch *b)
{
  vec_clear(&b->bytes);
  vec_clear(&b->list);
  vec_clear(&b->faults);
  vec_clear(&b->steps);
  vec_clear(&b->record_bytes);
  text_clear(&b->output);
  m->printed = 0;
  b->blocked = b->invalid_end = b->abandoned = b->touched = false;
  b->atomic_steps = 0;
  m->batch = b;
  m->link = NO_LINK;
  m->handshake = m->port = 0;
  m->timeout = false;
  m->expansion_steps = 0;
  clear_milestones(m);
  m->fatal = false;
  vec_clear(&m->raised);
  vec_clear(&m->links);
  vec_clear(&m->frames);
  vec_clear(&m->frame_bytes);
}

/* As SPIN: a trace that is not at its end is asked for only while a process is
** left. */
static bool ends_badly(const worker *m)
{
  for (uint32_t i = 0; i < m->shape.processes; i++)
    if (!(location_of(m, i)->flags & LOC_END))
      return true;
  if (m->code->trace == NO_TRACE || !m->shape.processes)
    return false;
  const cprocess *trace = &m->code->processes[m->code->trace];
  return !(trace->locations[trace_location(m)].flags & LOC_END);
}

/* Whether some channel that is there has a message. */
static bool leaves_messages(const program *p, const uint8_t *state,
                            uint32_t length)
{
  uint32_t messages[CHANNEL_LIMIT + 2];
  uint32_t count = program_queues(p, state, length, messages, CHANNEL_LIMIT);
  for (uint32_t i = 1; i <= count; i++)
    if (messages[i])
      return true;
  return false;
}

/* The order that was asked for; of a state it is always the same. */
static void arrange(const program *p, const uint8_t *state, uint32_t length,
                    batch *b)
{
  size_t n = b->list.len;
  b->touched = false;
  if (p->reversed)
    for (size_t i = 0; i < n / 2; i++) {
      successor s = b->list.data[i];
      b->list.data[i] = b->list.data[n - 1 - i];
      b->list.data[n - 1 - i] = s;
    }
  if (!p->shuffled)
    return;
  random_state r;
  uint32_t hidden = p->layout.hidden;
  random_seed(&r, hash_bytes(state + hidden, length - hidden) ^ p->shuffled);
  for (size_t i = n; i > 1; i--) {
    size_t k = random_below(&r, i);
    successor s = b->list.data[i - 1];
    b->list.data[i - 1] = b->list.data[k];
    b->list.data[k] = s;
  }
}

/* Few states are looked at once more.  Apart, so that the others do not pay for
** it. */
static __attribute__((noinline)) void
finish(const program *p, const uint8_t *state, uint32_t length, batch *b)
{
  if (b->blocked && p->model->flags & MODEL_ENDS_EMPTY)
    b->invalid_end = b->invalid_end || leaves_messages(p, state, length);
  if (p->reversed || p->shuffled)
    arrange(p, state, length, b);
}

void program_successors(worker *m, const uint8_t *state, uint32_t length,
                        batch *b)
{
  const program *p = m->program;
  b->abandoned = b->stuck = m->asked = false;
  if (!p->native || !native_successors(m, state, length, b))
    interpret_successors(m, state, length, b);
  if (b->blocked || p->reversed || p->shuffled)
    finish(p, state, length, b);
}

void program_set_order(program *p, bool reversed, uint64_t seed)
{
  p->reversed = reversed;
  p->shuffled = seed;
}

bool worker_was_inside(const worker *m, uint32_t *last, uint32_t *process)
{
  *last = m->last_edge;
  *process = m->last_process;
  return m->asked;
}

/* Steps were made, but nothing came of them. */
static void note_stuck(const worker *m)
{
  batch *b = m->batch;
  b->stuck = b->abandoned || (!b->blocked && !b->list.len && !b->faults.len);
  b->stuck_edge = m->last_edge;
  b->stuck_process = m->last_process;
}

void interpret_successors(worker *m, const uint8_t *state, uint32_t length,
                          batch *b)
{
  origin o = {state, length, {.first_process = NO_PROCESS}};
  clear_batch(m, b);
  m->shape_dirty = true;
  bool moved = expand_all(m, &o);
  if (!moved && m->program->model->flags & MODEL_HAS_TIMEOUT) {
    m->timeout = true;
    moved = expand_all(m, &o);
    m->timeout = false;
  }
  b->blocked = !moved;
  if (!moved)
    b->invalid_end = ends_badly(m);
  continue_frames(m);
  note_stuck(m);
  seen_destroy(m->seen);
  m->seen = NULL;
}

void program_initial(worker *m, batch *b)
{
  const layout *l = m->layout;
  const model *of = m->program->model;
  clear_batch(m, b);
  memset(&m->shape, 0, sizeof m->shape);
  m->shape.components = l->slices;
  vec_grow(&b->bytes, l->globals_end + 1);
  m->state = b->bytes.data;
  m->length = l->globals_end;
  memset(m->state, 0, m->length);
  if (m->code->trace != NO_TRACE) {
    uint32_t start = m->code->processes[m->code->trace].start;
    m->state[l->trace_offset] = (uint8_t)start;
    m->state[l->trace_offset + 1] = (uint8_t)(start >> 8);
  }
  set_self(m, NO_PROCESS);
  for (size_t i = 0; i < of->initial_channels.len; i++)
    channel_create(m, of->initial_channels.data[i]);
  run_inits(m, m->code->inits, m->code->init_count);
  embed_init(m);
  for (size_t i = 0; i < of->initial.len; i++) {
    const cprocess *p = &m->code->processes[of->initial.data[i]->index];
    uint32_t number = m->shape.processes;
    if (number >= PROCESS_LIMIT) {
      raise_fault(m, FAULT_PROCESSES, p->source->where);
      break;
    }
    process_add(m, p->source->index);
    set_self(m, number);
    run_inits(m, p->inits, p->init_count);
    embed_init_process(m);
  }
  flush_faults(m, NULL);
  emit(m, &(way){.changed = UINT64_MAX});
}

/* Whether the value depends on that of 'timeout'.  What a process can do does,
** when it may wait for one. */
static bool asks_timeout(const model *m, const expr *e)
{
  bool found = e->op == OP_TIMEOUT ||
               (e->op == OP_ENABLED && m->flags & MODEL_HAS_TIMEOUT);
  for (const ref *r = e->ref; r; r = r->field)
    found |= r->index && asks_timeout(m, r->index);
  for (int i = 0; i < 3; i++)
    found |= e->args[i] && asks_timeout(m, e->args[i]);
  for (size_t i = 0; e->poll && i < e->poll->args.len; i++)
    found |= e->poll->args.data[i].kind == ARG_VALUE &&
             asks_timeout(m, e->poll->args.data[i].value);
  return found;
}

/* Expressions evaluated before are kept compiled; there are few. */
static const state_condition *compiled_form(worker *m, const expr *e)
{
  for (size_t i = 0; i < m->compiled.len; i++)
    if (m->compiled.data[i].node->source == e)
      return &m->compiled.data[i];
  state_condition c = {code_expression(m->program, e),
                       asks_timeout(m->program->model, e)};
  vec_push(&m->compiled, c);
  return &vec_last(&m->compiled);
}

/* Whether no step of the state is possible unless 'timeout' is true.  Another
** worker looks: this one may be asked in the middle of its own work. */
static bool is_timeout(worker *m, const uint8_t *state, uint32_t length)
{
  origin o = {state, length, {.first_process = NO_PROCESS}};
  if (!m->scout)
    m->scout = worker_create(m->program);
  worker_set_patience(m->scout, m->impatient, m->patience_context);
  clear_batch(m->scout, &m->scouted);
  m->scout->shape_dirty = true;
  bool moved = expand_all(m->scout, &o);
  seen_destroy(m->scout->seen);
  m->scout->seen = NULL;
  return !moved;
}

int32_t program_evaluate(worker *m, const expr *e, const uint8_t *state,
                         uint32_t length, fault_kind *kind)
{
  const state_condition *c = compiled_form(m, e);
  m->timeout = c->asks && is_timeout(m, state, length);
  m->state = (uint8_t *)(uintptr_t)state;
  m->length = length;
  shape_walk(m, state, length);
  set_self(m, NO_PROCESS);
  vec_clear(&m->raised);
  m->fatal = false;
  int32_t value = eval(m, c->node);
  m->timeout = false;
  if (kind)
    *kind = m->raised.len ? m->raised.data[0].kind : FAULT_NONE;
  vec_clear(&m->raised);
  m->fatal = false;
  return value;
}

bool program_is_at(worker *m, const uint8_t *state, uint32_t length,
                   uint32_t flags)
{
  m->state = (uint8_t *)(uintptr_t)state;
  m->length = length;
  shape_walk(m, state, length);
  for (uint32_t i = 0; i < m->shape.processes; i++)
    if (location_of(m, i)->flags & flags)
      return true;
  return false;
}
