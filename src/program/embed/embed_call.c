/* Calling embedded C.
**
** A crash of the user's code must not be one of ours: the signals that it can
** cause are caught while it runs, and become a fault of the step. */

#include "program/embed/embed_internal.h"
#include <setjmp.h>
#include <signal.h>

/* What a call in this thread jumps to when it cannot go on, and to whom it
** belongs.  A signal handler has no other way to know. */
static _Thread_local sigjmp_buf *way_out;
static _Thread_local embedded *running;

/* ---- what the host does for it ----------------------------------------- */

static void say(const char *what, size_t length)
{
  embedded *e = running;
  if (length > e->said_room - e->said_length) {
    size_t room = 2 * (e->said_room + length);
    char *more = mem_try_resize(e->said, e->said_room, room);
    if (!more)
      return;
    e->said = more;
    e->said_room = room;
  }
  memcpy(e->said + e->said_length, what, length);
  e->said_length += length;
}

static void give_up(int why)
{
  siglongjmp(*way_out, why);
}

static void complain(void)
{
  running->complained = true;
}

const nut_embed_host embed_host = {say, give_up, complain};

/* ---- crashes ---------------------------------------------------------- */

/* clang-format off */
#define SIGNALS(SIGNAL)                                                        \
  SIGNAL(SIGSEGV) SIGNAL(SIGBUS) SIGNAL(SIGFPE) SIGNAL(SIGILL) SIGNAL(SIGABRT)
/* clang-format on */

#define SIGNAL(number) number,
static const int crashes[] = {SIGNALS(SIGNAL)};
#undef SIGNAL
enum { CRASHES = sizeof crashes / sizeof *crashes };

/* What was done about them before; set once, under 'once'. */
static struct sigaction before[CRASHES];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Our own crashes stay what they are: the instruction is tried again, with the
** signal's former treatment. */
static void on_crash(int number)
{
  if (way_out)
    siglongjmp(*way_out, number);
  for (size_t i = 0; i < CRASHES; i++)
    if (crashes[i] == number)
      sigaction(number, &before[i], NULL);
}

/* C that never stops calling itself leaves no room for a handler, so that has
** a stack of its own: in the thread that loads the model. */
static void catch_all(void)
{
  static char room[1 << 16];
  stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_flags = SA_NODEFER | SA_ONSTACK};
  action.sa_handler = on_crash;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < CRASHES; i++)
    sigaction(crashes[i], &action, &before[i]);
}

void embed_catch_signals(void)
{
  pthread_once(&once, catch_all);
}

/* ---- calls ------------------------------------------------------------- */

typedef enum { CALL_START, CALL_START_PROCESS, CALL_RUN } call_kind;

static nut_embed_call call_of(worker *m)
{
  const layout *l = m->layout;
  nut_embed_call c = {.state = m->state,
                      .globals = l->globals,
                      .processes = m->shape.processes,
                      .channels = m->shape.channels};
  if (l->has_last)
    c.last = m->state[l->last_offset];
  if (m->self == NO_PROCESS || m->self >= m->shape.processes)
    return c;
  c.type = m->shape.process_type[m->self];
  c.number = m->self;
  c.process = m->state + m->self_offset;
  c.locals = l->processes[c.type].locals;
  return c;
}

/* 0, or why it did not come back. */
static int guarded_call(embedded *e, call_kind kind, uint32_t piece,
                        const nut_embed_call *c, int *value)
{
  sigjmp_buf here;
  way_out = &here;
  running = e;
  e->said_length = 0;
  e->complained = false;
  /* The handler blocks no signal, so there is no mask to be restored. */
  volatile int why = sigsetjmp(here, 0);
  if (!why && kind == CALL_START)
    e->code->start(c);
  else if (!why && kind == CALL_START_PROCESS)
    e->code->start_process(c);
  else if (!why)
    *value = e->code->run(piece, c);
  way_out = NULL;
  running = NULL;
  return why;
}

/* One call after the other: there is one set of C variables.  What statements
** print is told when steps are recorded, which only one thread does. */
static int call(worker *m, call_kind kind, uint32_t piece, bool writes,
                span where)
{
  embedded *e = m->program->model->embedded;
  nut_embed_call c = call_of(m);
  int value = 0;
  pthread_mutex_lock(&e->lock);
  int why = guarded_call(e, kind, piece, &c, &value);
  bool complained = e->complained;
  pthread_mutex_unlock(&e->lock);
  if (writes && m->batch->record)
    text_add_bytes(&m->batch->output, e->said, e->said_length);
  if (complained)
    raise_fault(m, FAULT_REPORTED, where);
  if (why == NUT_EMBED_COMPLAINS)
    m->fatal = true; /* told already: there is just no successor */
  else if (why)
    raise_fault(m, why == NUT_EMBED_OVERFLOWS ? FAULT_OVERFLOW : FAULT_CRASH,
                where);
  return value;
}

/* What the running process and the globals have may have changed. */
static void mark_changed(worker *m)
{
  m->changed |= (UINT64_C(1) << m->layout->slices) - 1;
  if (m->self < m->shape.processes)
    m->changed |= component_bit(m->shape.process_component[m->self]);
}

int32_t embed_eval(worker *m, const node *n)
{
  const embed_code *c = &m->program->model->c_code.data[n->value];
  bool writes = c->kind == EMBED_RUNS;
  if (writes)
    mark_changed(m);
  int value = call(m, CALL_RUN, (uint32_t)n->value, writes, c->where);
  if (c->kind == EMBED_TEST && !value)
    raise_fault(m, FAULT_CONDITION, c->where);
  return value;
}

void embed_init(worker *m)
{
  if (m->program->model->flags & MODEL_HAS_C)
    call(m, CALL_START, 0, false, NO_SPAN);
}

void embed_init_process(worker *m)
{
  if (m->program->model->flags & MODEL_HAS_C)
    call(m, CALL_START_PROCESS, 0, false, NO_SPAN);
}

/* Native code has found the process and copied the state; it says itself what
** has changed.  Whatever is not as it should be is told by the interpreter. */
int embed_from_native(nut_run *x, uint32_t piece, uint8_t *state,
                      uint32_t process, uint32_t self, uint32_t kind)
{
  worker *m = x->embed_host;
  const layout *l = m->layout;
  embedded *e = m->program->model->embedded;
  nut_embed_call c = {.state = state,
                      .globals = l->globals,
                      .process = state + self,
                      .locals = l->processes[kind].locals,
                      .type = kind,
                      .number = process,
                      .processes = l->fixed ? m->shape.processes : x->processes,
                      .channels = l->fixed ? m->shape.channels : x->channels,
                      .last = l->has_last ? state[l->last_offset] : 0};
  int value = 0;
  pthread_mutex_lock(&e->lock);
  int why = guarded_call(e, CALL_RUN, piece, &c, &value);
  bool complained = e->complained;
  pthread_mutex_unlock(&e->lock);
  x->embed_value = value;
  bool tests = m->program->model->c_code.data[piece].kind == EMBED_TEST;
  return !why && !complained && (value || !tests);
}
