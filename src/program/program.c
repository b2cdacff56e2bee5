/* Programs and workers made and destroyed; components of the first state. */

#include "program/program.h"
#include "base/alloc.h"
#include "model/access/access.h"
#include "model/merging.h"
#include "program/interp/worker.h"
#include "program/native/native.h"

void batch_free(batch *b)
{
  vec_free(&b->bytes);
  vec_free(&b->list);
  vec_free(&b->faults);
  vec_free(&b->steps);
  vec_free(&b->record_bytes);
  vec_free(&b->touches);
  text_free(&b->output);
}

/* Makes the initial state once, for its shape. */
static void find_initial_shape(program *p)
{
  p->first_worker = worker_create(p);
  program_initial(p->first_worker, &p->first_batch);
  p->initial_shape = ARENA_NEW(p->model->arena, shape);
  *p->initial_shape = p->first_worker->shape;
  p->initial_length = p->first_batch.list.data[0].length;
}

/* Gives back what is needed only while a program is made. */
static void tidy_up(program *p)
{
  merging_destroy(p->merging);
  p->merging = NULL;
  vec_free(&p->inits);
  batch_free(&p->first_batch);
  worker_destroy(p->first_worker);
  p->first_worker = NULL;
  access_destroy(p->access);
  p->access = NULL;
}

/* Sizes by tag, or, in a fixed layout, the offsets of the initial state. */
static void make_map(program *p)
{
  const layout *l = &p->layout;
  component_map *m = &p->map;
  uint32_t offsets[COMPONENTS_MAX + 1];
  uint32_t *sizes = ARENA_ARRAY(p->model->arena, uint32_t,
                                l->process_types + l->channel_types + 1);
  for (uint32_t i = 0; i < l->process_types; i++)
    sizes[i] = l->processes[i].size;
  for (uint32_t i = 0; i < l->channel_types; i++)
    sizes[l->process_types + i] = l->channels[i].size;
  m->fixed = l->fixed;
  m->slices = l->slices;
  m->slice_bytes = 1u << l->slice_shift;
  m->globals_bytes = l->globals_end - l->hidden;
  m->tag_bytes = l->tag_bytes;
  m->tags = l->process_types + l->channel_types;
  m->sizes = sizes;
  if (!m->fixed)
    return;
  m->count = program_components(p, NULL, p->initial_length, offsets);
  uint32_t *fixed = ARENA_ARRAY(p->model->arena, uint32_t, m->count + 1);
  for (uint32_t i = 0; i <= m->count; i++)
    fixed[i] = offsets[i] - l->hidden;
  m->offsets = fixed;
}

typedef struct making {
  program *program;
  diags *diags;
  bool good;
} making;

static bool make(program *p, diags *d)
{
  if (!layout_create(&p->layout, p->model, p->options.types, d))
    return false;
  code_create(p);
  find_initial_shape(p);
  make_map(p);
  tidy_up(p);
  return true;
}

static void do_make(void *work)
{
  making *m = work;
  m->good = make(m->program, m->diags);
}

static void undo_make(void *work)
{
  program_destroy(((making *)work)->program);
}

program *program_create(const model *m, const program_options *o, diags *d)
{
  program *p = mem_alloc(sizeof *p);
  p->model = m;
  if (o)
    p->options = *o;
  making work = {p, d, false};
  mem_protect_undo(do_make, undo_make, &work);
  if (work.good)
    return p;
  program_destroy(p);
  return NULL;
}

void program_destroy(program *p)
{
  if (!p)
    return;
  tidy_up(p);
  native_engine_destroy(p->native);
  mem_free(p, sizeof *p);
}

const model *program_model(const program *p)
{
  return p->model;
}

const component_map *program_map(const program *p)
{
  return &p->map;
}

const layout *program_layout(const program *p)
{
  return &p->layout;
}

bool program_keeps_control(const program *p, const edge *e)
{
  return p->code.edges[p->edge_of[e->index]].flags & EDGE_ATOMIC;
}

uint32_t program_merged(const program *p)
{
  return p->merged;
}

uint32_t program_hidden(const program *p)
{
  return p->layout.hidden;
}

static size_t worker_bytes(const program *p)
{
  return sizeof(worker) + p->model->edges.len + 1;
}

static size_t counts_bytes(const program *p)
{
  return mem_product(p->model->edges.len + 1, sizeof(uint64_t));
}

worker *worker_create(program *p)
{
  /* One block, so that a failing allocation leaves nothing behind. */
  worker *w = mem_alloc_apart(worker_bytes(p));
  w->program = p;
  w->layout = &p->layout;
  w->code = &p->code;
  w->reached = (uint8_t *)(w + 1);
  if (p->initial_shape)
    w->shape = *p->initial_shape;
  return w;
}

void worker_destroy(worker *w)
{
  if (!w)
    return;
  native_worker_destroy(w->native);
  vec_free(&w->message);
  vec_free(&w->offered);
  vec_free(&w->values);
  vec_free(&w->members);
  vec_free(&w->joins);
  moves_destroy(w->moves);
  plugin_calls_destroy(w->plugged);
  vec_free(&w->compiled);
  worker_destroy(w->scout);
  batch_free(&w->scouted);
  vec_free(&w->raised);
  vec_free(&w->frames);
  vec_free(&w->frame_bytes);
  vec_free(&w->current);
  vec_free(&w->sent);
  vec_free(&w->links);
  vec_free(&w->block_state);
  vec_free(&w->milestone);
  seen_destroy(w->seen);
  if (w->executed)
    mem_free(w->executed, counts_bytes(w->program));
  mem_free(w, worker_bytes(w->program));
}

void worker_set_patience(worker *w, bool (*impatient)(void *), void *context)
{
  w->impatient = impatient;
  w->patience_context = context;
}

void worker_set_sets(worker *w, const state_sets *sets)
{
  w->sets = program_hidden(w->program) ? NULL : sets;
}

const uint8_t *worker_reached(const worker *w)
{
  return w->reached;
}

void worker_count(worker *w)
{
  if (!w->executed)
    w->executed = mem_alloc(counts_bytes(w->program));
}

const uint64_t *worker_executed(const worker *w)
{
  return w->executed;
}
