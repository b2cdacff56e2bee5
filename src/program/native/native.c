/* Chooses between interpreter and native code for each state, compiles in the
** background, compares when asked to. */

#include "program/native/native.h"
#include "base/alloc.h"
#include "program/embed/embed.h"
#include "program/native/native_internal.h"
#include <stdio.h>

_Static_assert(
    sizeof(nut_successor) == sizeof(successor) &&
        offsetof(nut_successor, start) == offsetof(successor, start) &&
        offsetof(nut_successor, length) == offsetof(successor, length) &&
        offsetof(nut_successor, edge) == offsetof(successor, edge) &&
        offsetof(nut_successor, process) == offsetof(successor, process) &&
        offsetof(nut_successor, others) == offsetof(successor, others) &&
        offsetof(nut_successor, changed) == offsetof(successor, changed) &&
        offsetof(nut_successor, steps) == offsetof(successor, steps),
    "native code writes the host's successors");
_Static_assert(sizeof(nut_touch) == sizeof(process_touch) &&
                   offsetof(nut_touch, writes) ==
                       offsetof(process_touch, writes) &&
                   (int)NUT_PROCESSES == (int)POSITIONS_MAX,
               "and what processes touch");
_Static_assert((int)NUT_PROCESSES == (int)PROCESS_LIMIT &&
                   (int)NUT_CHANNELS == (int)CHANNEL_LIMIT &&
                   (int)NUT_STATE == (int)STATE_MAX,
               "native code has the host's limits");

enum {
  /* States after which a worker looks for compiled code, and after which it
  ** has a compiler started.  Smaller models are done before. */
  LOOK_AFTER = 1000,
  LEAVE_AFTER = 5000, /* from here on it pays for the next run alone */
  COMPILE_AFTER = 20000,
  /* Native code that gives most states back is not worth asking. */
  JUDGE_AFTER = 4096,
  FIRST_ROOM = 1 << 14,
  ROOM_MAX = 1 << 30 /* states that need more are for the interpreter */
};

/* ---- the engine of a program ------------------------------------------ */

void program_set_engine(program *p, const engine_options *o)
{
  native_engine_destroy(p->native);
  p->native = NULL;
  bool plugged = p->model->flags & MODEL_HAS_PLUGIN;
  p->doubts_plugin = o->check;
  if (o->kind == NUT_ENGINE_INTERPRETED ||
      (plugged && o->kind == NUT_ENGINE_AUTO))
    return;
  native_engine *n = p->native = mem_alloc(sizeof *n);
  n->program = p;
  n->kind = o->kind;
  n->check = o->check;
  n->keeping = o->cache;
  n->folder = o->folder ? mem_copy_string(o->folder) : NULL;
  pthread_mutex_init(&n->lock, NULL);
  native_set_limits(n, o);
  if (o->kind != NUT_ENGINE_NATIVE)
    return;
  native_emit(n);
  if (atomic_load(&n->state) == BUILD_EMITTED) {
    native_compile(n);
    native_wait(n);
  }
}

void native_engine_destroy(native_engine *n)
{
  if (!n)
    return;
  bool leaves = native_may_leave(n);
  native_stop(n);
  if (leaves)
    native_leave(n);
  mem_give_back(n->charged);
  native_unload(n);
  if (n->cache_is_open)
    cache_close(&n->cache);
  pthread_mutex_destroy(&n->lock);
  text_free(&n->source);
  mem_free_string(n->folder);
  mem_free(n, sizeof *n);
}

const char *program_engine(const program *p)
{
  return p->native && atomic_load(&p->native->code) ? "native" : "interpreted";
}

const char *program_engine_note(const program *p)
{
  const native_engine *n = p->native;
  return n && atomic_load(&n->state) == BUILD_FAILED ? n->note : NULL;
}

const char *program_engine_error(const program *p)
{
  const native_engine *n = p->native;
  return n && atomic_load(&n->differs) ? n->difference : NULL;
}

/* Without code yet: the next thing to be done, when it is time for it.  One
** worker does it, the others go on. */
static void think_of_compiling(native_engine *n, uint64_t states)
{
  int wanted = states == LOOK_AFTER ? BUILD_NONE : BUILD_EMITTED;
  if (atomic_load(&n->state) != wanted || pthread_mutex_trylock(&n->lock) != 0)
    return;
  if (atomic_load(&n->state) == BUILD_NONE)
    native_emit(n);
  else if (atomic_load(&n->state) == BUILD_EMITTED)
    native_compile(n);
  pthread_mutex_unlock(&n->lock);
}

/* ---- the engine of a worker ------------------------------------------- */

/* The memory lent to native code; it grows when a state needs more.  Every
** size is right at any moment, because an allocation may not come back. */
static void lend_more(native_worker *w)
{
  nut_run *x = w->run;
  size_t bytes = w->frame_bytes ? 2 * w->frame_bytes : FIRST_ROOM;
  size_t frames = w->frame_capacity ? 2 * w->frame_capacity : 64;
  x->frame_bytes = mem_resize(x->frame_bytes, w->frame_bytes, bytes);
  w->frame_bytes = bytes;
  x->frame_bytes_end = x->frame_bytes + bytes;
  x->frames = mem_resize(x->frames, w->frame_capacity * sizeof *x->frames,
                         mem_product(frames, sizeof *x->frames));
  w->frame_capacity = frames;
  x->frames_end = x->frames + frames;
  x->current = mem_resize(x->current, w->current, bytes);
  w->current = bytes;
  x->sent = mem_resize(x->sent, w->sent, bytes);
  w->sent = bytes;
  x->scratch = (uint32_t)bytes;
}

void native_worker_destroy(native_worker *w)
{
  if (!w)
    return;
  if (w->run) {
    nut_run *x = w->run;
    mem_free(x->frame_bytes, w->frame_bytes);
    mem_free(x->frames, w->frame_capacity * sizeof *x->frames);
    mem_free(x->current, w->current);
    mem_free(x->sent, w->sent);
    mem_free(x, sizeof *x);
  }
  batch_free(&w->other);
  text_free(&w->what);
  mem_free(w->reached,
           w->reached ? w->engine->program->model->edges.len + 1 : 0);
  mem_free(w, sizeof *w);
}

void worker_engine_figures(const worker *w, engine_figures *f)
{
  *f = (engine_figures){0};
  if (w->native)
    *f = w->native->figures;
}

/* ---- one state -------------------------------------------------------- */

/* Of what native code does not write itself. */
static inline void clear_answer(batch *b)
{
  vec_clear(&b->faults);
  vec_clear(&b->steps);
  vec_clear(&b->record_bytes);
  if (b->output.len)
    text_clear(&b->output);
}

/* Makes room for twice as much in a batch; false when that is enough. */
static bool grow_batch(native_worker *w, batch *b)
{
  if (b->bytes.cap > ROOM_MAX)
    return false;
  vec_clear(&b->bytes);
  vec_clear(&b->list);
  vec_grow(&b->bytes, b->bytes.cap ? 2 * b->bytes.cap : FIRST_ROOM);
  vec_grow(&b->list, b->list.cap ? 2 * b->list.cap : 64);
  /* A worker fills many batches: each that is still small must not make what
  ** they share twice as large. */
  if (w->frame_bytes < b->bytes.cap)
    lend_more(w);
  return true;
}

/* Lends the batch to native code; there is an array, however small. */
static inline void lend_batch(native_worker *w, batch *b, uint8_t *reached)
{
  nut_run *x = w->run;
  nut_successor *list = (nut_successor *)b->list.data;
  x->touches = b->touches.len ? (nut_touch *)b->touches.data : w->untold;
  x->out = (nut_out){.bytes = b->bytes.data,
                     .end = b->bytes.data + b->bytes.cap,
                     .list = list,
                     .list_end = list + b->list.cap,
                     .first = b->bytes.data,
                     .reached = reached};
}

static inline void take_answer(const nut_run *x, batch *b)
{
  clear_answer(b);
  b->bytes.len = (size_t)(x->out.bytes - x->out.first);
  b->list.len = (size_t)(x->out.list - (nut_successor *)b->list.data);
  b->blocked = x->blocked;
  b->invalid_end = x->invalid_end;
  b->atomic_steps = x->atomic_steps;
  b->touched = true;
}

/* Runs native code into the batch.  0 or NUT_BAIL. */
static int run_native(worker *m, const nut_native *native, const uint8_t *state,
                      uint32_t length, batch *b, uint8_t *reached)
{
  native_worker *w = m->native;
  int result = NUT_ROOM;
  while (result == NUT_ROOM) {
    if ((!b->bytes.cap || !b->list.cap) && !grow_batch(w, b))
      return NUT_BAIL;
    lend_batch(w, b, reached);
    result = native->successors(w->run, state, length);
    if (result == 0)
      take_answer(w->run, b);
    else if (result == NUT_ROOM && !grow_batch(w, b))
      return NUT_BAIL;
  }
  return result;
}

/* Compares native code with the interpreter, whose answer is the one given. */
static void check_native(worker *m, const nut_native *native,
                         const uint8_t *state, uint32_t length, batch *b)
{
  native_worker *w = m->native;
  native_engine *n = w->engine;
  size_t edges = n->program->model->edges.len;
  if (!w->reached)
    w->reached = mem_alloc(edges + 1);
  int result = run_native(m, native, state, length, &w->other, w->reached);
  interpret_successors(m, state, length, b);
  w->figures.interpreted++;
  if (result == NUT_BAIL) {
    memcpy(w->reached, m->reached, edges);
    w->figures.given_back++;
    return;
  }
  w->figures.native++;
  const char *difference = native_difference(b, &w->other, &w->what);
  if (!difference)
    difference =
        native_reached_difference(m->reached, w->reached, edges, &w->what);
  if (difference && pthread_mutex_trylock(&n->lock) == 0) {
    if (!atomic_load(&n->differs))
      snprintf(n->difference, sizeof n->difference, "%s", difference);
    atomic_store(&n->differs, true);
    pthread_mutex_unlock(&n->lock);
  }
}

/* No native code yet: it may be time to think of it. */
static bool leave_it(native_worker *w)
{
  uint64_t states = ++w->figures.interpreted;
  if (states == LEAVE_AFTER)
    atomic_store(&w->engine->pays, true);
  if (states == LOOK_AFTER || states == COMPILE_AFTER)
    think_of_compiling(w->engine, states);
  return false;
}

/* Native code gave a state back. */
static bool note_bail(native_worker *w)
{
  w->figures.interpreted++;
  w->hopeless = ++w->figures.given_back >= JUDGE_AFTER &&
                w->figures.given_back > w->figures.native;
  if (w->hopeless)
    w->quick = NULL;
  return false;
}

/* The first state, and all as long as there is no native code or more is to be
** done than to ask it. */
static __attribute__((noinline)) bool
successors_with_care(worker *m, const uint8_t *state, uint32_t length, batch *b)
{
  if (!m->native) {
    m->native = mem_alloc(sizeof *m->native);
    m->native->engine = m->program->native;
  }
  native_worker *w = m->native;
  const nut_native *native =
      atomic_load_explicit(&w->engine->code, memory_order_acquire);
  if (!native || b->record || w->hopeless)
    return leave_it(w);
  if (!w->run) {
    w->run = mem_alloc(sizeof *w->run);
    w->run->embed = embed_from_native;
    w->run->embed_host = m;
  }
  if (w->engine->check) {
    check_native(m, native, state, length, b);
    return true;
  }
  w->quick = native->successors;
  if (run_native(m, native, state, length, b, m->reached) != 0)
    return note_bail(w);
  w->figures.native++;
  return true;
}

bool native_successors(worker *m, const uint8_t *state, uint32_t length,
                       batch *b)
{
  native_worker *w = m->native;
  if (!w || !w->quick || b->record || !b->bytes.cap || !b->list.cap)
    return successors_with_care(m, state, length, b);
  lend_batch(w, b, m->reached);
  int result = w->quick(w->run, state, length);
  if (result == NUT_ROOM)
    return successors_with_care(m, state, length, b);
  if (result != 0)
    return note_bail(w);
  take_answer(w->run, b);
  w->figures.native++;
  return true;
}
