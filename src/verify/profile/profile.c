/* The walk, and what it notes. */

#include "verify/profile/profile.h"
#include "base/alloc.h"
#include "base/hash.h"
#include <math.h>
#include <string.h>

typedef struct byte_range {
  uint32_t start, length;
} byte_range;

typedef struct profiling {
  profile *to;
  worker *worker;
  batch batch;
  numbering states;
  VEC(uint8_t) state, masked;
  entity_list entities;
  VEC(byte_range) ranges;      /* of all variables, one after the other */
  VEC(uint32_t) firsts;        /* of each variable, and the end */
  VEC(uint64_t) before, after; /* hashes of the values, by variable */
} profiling;

/* ---- variables ---------------------------------------------------------- */

static void add_variable(profile *p, profiled_variable v)
{
  v.least = ARENA_ARRAY(p->arena, uint64_t, PROFILE_SAMPLE);
  v.recent = ARENA_ARRAY(p->arena, uint64_t, PROFILE_RECENT);
  v.lo = INT32_MAX;
  v.hi = INT32_MIN;
  vec_push(&p->variables, v);
}

static bool is_of_interest(const var *v)
{
  return !(v->flags & (VAR_SCRATCH | VAR_HIDDEN)) && v->type.kind != TYPE_CHAN;
}

static bool is_number(const var *v)
{
  return v->length == 1 && v->type.kind != TYPE_RECORD &&
         !(v->flags & VAR_OPAQUE);
}

static void list_variables(profile *p)
{
  const model *m = program_model(p->program);
  for (size_t i = 0; i < m->globals.len; i++) {
    const var *v = m->globals.data[i];
    if (is_of_interest(v))
      add_variable(p, (profiled_variable){.name = v->name,
                                          .var = v,
                                          .is_number = is_number(v)});
  }
  for (size_t i = 0; i < m->processes.len; i++) {
    const process_type *t = m->processes.data[i];
    if (t->kind != PROCESS_NORMAL && t->kind != PROCESS_INIT)
      continue;
    for (size_t k = 0; k < t->locals.len; k++)
      if (is_of_interest(t->locals.data[k]))
        add_variable(p, (profiled_variable){
                            .name = arena_printf(p->arena, "%s:%s", t->name,
                                                 t->locals.data[k]->name),
                            .var = t->locals.data[k],
                            .owner = t,
                            .is_number = is_number(t->locals.data[k])});
  }
  for (size_t i = 0; i < m->channels.len; i++)
    if (m->channels.data[i]->capacity)
      add_variable(p, (profiled_variable){.name = m->channels.data[i]->name,
                                          .channel = m->channels.data[i]});
}

static uint32_t bytes_of(const var *v, const layout *l)
{
  if (v->flags & VAR_OPAQUE)
    return v->length;
  return v->length * type_bytes(layout_type(l, v));
}

/* Where the variables are in a state. */
static void find_ranges(profiling *w, const uint8_t *state, uint32_t length)
{
  profile *p = w->to;
  const layout *l = program_layout(p->program);
  program_entities(p->program, state, length, &w->entities);
  vec_clear(&w->ranges);
  vec_clear(&w->firsts);
  for (size_t i = 0; i < p->variables.len; i++) {
    const profiled_variable *v = &p->variables.data[i];
    vec_push(&w->firsts, (uint32_t)w->ranges.len);
    if (!v->owner && v->var) {
      vec_push(&w->ranges,
               ((byte_range){l->globals[v->var->index], bytes_of(v->var, l)}));
      continue;
    }
    for (size_t k = 0; k < w->entities.len; k++) {
      const entity *e = &w->entities.data[k];
      if (v->owner && e->process == v->owner)
        vec_push(
            &w->ranges,
            ((byte_range){
                e->offset + l->processes[v->owner->index].locals[v->var->index],
                bytes_of(v->var, l)}));
      if (v->channel && e->channel == v->channel) {
        const channel_layout *c = &l->channels[v->channel->index];
        vec_push(&w->ranges, ((byte_range){e->offset + c->length_offset,
                                           c->size - c->length_offset}));
      }
    }
  }
  vec_push(&w->firsts, (uint32_t)w->ranges.len);
}

/* The value of a variable, all its parts together, as a hash. */
static uint64_t value_of(const profiling *w, const uint8_t *state, size_t i)
{
  uint64_t h = i;
  for (uint32_t k = w->firsts.data[i]; k < w->firsts.data[i + 1]; k++) {
    const byte_range *r = &w->ranges.data[k];
    h = hash_fold(h ^ UINT64_C(0x9e3779b97f4a7c15),
                  hash_bytes(state + r->start, r->length) |
                      1); /* the factor is not 0 */
  }
  return h;
}

/* ---- the sample --------------------------------------------------------- */

static void sift(profiled_variable *v, uint32_t i)
{
  for (;;) {
    uint32_t son = 2 * i + 1;
    if (son + 1 < v->kept && v->least[son + 1] > v->least[son])
      son++;
    if (son >= v->kept || v->least[son] <= v->least[i])
      return;
    uint64_t up = v->least[son];
    v->least[son] = v->least[i];
    v->least[i] = up;
    i = son;
  }
}

/* Keeps the hash if it is one of the least, each once. */
static void sample(profiled_variable *v, uint64_t hash)
{
  if (v->kept == PROFILE_SAMPLE && hash >= v->least[0]) {
    v->has_more |= hash > v->least[0];
    return;
  }
  uint64_t *recent = &v->recent[hash & (PROFILE_RECENT - 1)];
  if (*recent == hash)
    return;
  *recent = hash;
  for (uint32_t i = 0; i < v->kept; i++)
    if (v->least[i] == hash)
      return;
  if (v->kept == PROFILE_SAMPLE) {
    v->has_more = true;
    v->least[0] = hash;
    sift(v, 0);
    return;
  }
  v->least[v->kept++] = hash;
  for (uint32_t i = v->kept / 2; v->kept == PROFILE_SAMPLE && i-- > 0;)
    sift(v, i);
}

/* The k-th least of n numbers by chance is about k/n of the way. */
static void estimate(const profile *p, profiled_variable *v)
{
  double different = v->kept;
  if (v->has_more) {
    different = (PROFILE_SAMPLE - 1) / ((double)v->least[0] * 0x1p-64);
    v->error = 1.96 / sqrt(PROFILE_SAMPLE - 2);
  }
  v->factor = different > 0 ? (double)p->states / different : 1;
  if (v->factor < 1)
    v->factor = 1;
  v->error *= v->factor;
}

/* ---- the walk ----------------------------------------------------------- */

static void note_number(profiled_variable *v, const profiling *w,
                        const uint8_t *state, size_t i)
{
  const layout *l = program_layout(w->to->program);
  for (uint32_t k = w->firsts.data[i]; k < w->firsts.data[i + 1]; k++) {
    int32_t value =
        keep_read(layout_keep(l, v->var), state + w->ranges.data[k].start);
    v->lo = value < v->lo ? value : v->lo;
    v->hi = value > v->hi ? value : v->hi;
  }
}

/* A new state: its values, and itself without each variable. */
static uint64_t note_state(profiling *w, const uint8_t *state, uint32_t length)
{
  profile *p = w->to;
  uint64_t fresh = 0;
  uint32_t hidden = program_hidden(p->program);
  vec_resize(&w->masked, length);
  memcpy(w->masked.data, state, length);
  for (size_t i = 0; i < p->variables.len; i++) {
    profiled_variable *v = &p->variables.data[i];
    uint64_t value = w->after.data[i];
    uint32_t before = numbering_count(&v->seen);
    fresh +=
        numbering_add(&v->seen, (const uint8_t *)&value, sizeof value) > before;
    if (v->is_number)
      note_number(v, w, state, i);
    for (uint32_t k = w->firsts.data[i]; k < w->firsts.data[i + 1]; k++)
      memset(w->masked.data + w->ranges.data[k].start, 0,
             w->ranges.data[k].length);
    sample(v, hash_bytes(w->masked.data + hidden, length - hidden));
    for (uint32_t k = w->firsts.data[i]; k < w->firsts.data[i + 1]; k++)
      memcpy(w->masked.data + w->ranges.data[k].start,
             state + w->ranges.data[k].start, w->ranges.data[k].length);
  }
  p->states++;
  return fresh;
}

static void find_values(profiling *w, const uint8_t *state, uint32_t length,
                        bool before)
{
  size_t n = w->to->variables.len;
  find_ranges(w, state, length);
  vec_resize(&w->before, n);
  vec_resize(&w->after, n);
  for (size_t i = 0; i < n; i++)
    (before ? w->before.data : w->after.data)[i] = value_of(w, state, i);
}

static void note_successor(profiling *w, const successor *s)
{
  profile *p = w->to;
  const uint8_t *state = w->batch.bytes.data + s->start;
  uint32_t count = numbering_count(&w->states);
  bool is_new = numbering_add(&w->states, state, s->length) > count;
  profiled_edge *e = &p->edges[s->edge];
  p->transitions++;
  e->transitions++;
  find_values(w, state, s->length, false);
  for (size_t i = 0; i < p->variables.len; i++)
    if (w->before.data[i] != w->after.data[i]) {
      p->variables.data[i].changes++;
      p->variables.data[i].states += is_new;
    }
  if (!is_new)
    return;
  e->states++;
  e->values += note_state(w, state, s->length);
}

static void walk(profiling *w)
{
  profile *p = w->to;
  for (uint32_t at = 1; at <= numbering_count(&w->states); at++) {
    uint32_t length;
    if (p->most && p->states >= p->most)
      return;
    if (limits_poll(p->limits)) {
      p->reason = limits_why(p->limits);
      return;
    }
    const uint8_t *state = numbering_get(&w->states, at, &length);
    vec_resize(&w->state, length);
    memcpy(w->state.data, state, length);
    program_successors(w->worker, w->state.data, length, &w->batch);
    if (w->batch.abandoned) {
      p->reason = limits_why(p->limits);
      return;
    }
    find_values(w, w->state.data, length, true);
    for (size_t i = 0; i < w->batch.list.len; i++)
      note_successor(w, &w->batch.list.data[i]);
  }
  p->complete = true;
}

static bool is_impatient(void *of)
{
  return limits_reached(of);
}

static void do_profile(void *profiling_)
{
  profiling *w = profiling_;
  profile *p = w->to;
  batch *b = &w->batch;
  p->edges = ARENA_ARRAY(p->arena, profiled_edge,
                         program_model(p->program)->edges.len + 1);
  list_variables(p);
  w->worker = worker_create(p->program);
  worker_set_patience(w->worker, is_impatient, p->limits);
  program_initial(w->worker, b);
  const successor *first = &b->list.data[0];
  const uint8_t *state = b->bytes.data + first->start;
  numbering_add(&w->states, state, first->length);
  find_values(w, state, first->length, false);
  note_state(w, state, first->length);
  walk(w);
}

static void free_profiling(profiling *w)
{
  worker_destroy(w->worker);
  batch_free(&w->batch);
  numbering_free(&w->states);
  vec_free(&w->state);
  vec_free(&w->masked);
  vec_free(&w->entities);
  vec_free(&w->ranges);
  vec_free(&w->firsts);
  vec_free(&w->before);
  vec_free(&w->after);
}

void profile_run(profile *p)
{
  profiling w = {.to = p};
  if (!mem_protect(do_profile, &w))
    p->reason = limits_why(p->limits);
  free_profiling(&w);
  for (size_t i = 0; i < p->variables.len; i++) {
    profiled_variable *v = &p->variables.data[i];
    v->values = numbering_count(&v->seen);
    estimate(p, v);
    numbering_free(&v->seen);
  }
  if (p->complete && !limits_are_due(p->limits))
    profile_try_changes(p);
}

void profile_free(profile *p)
{
  for (size_t i = 0; i < p->variables.len; i++)
    numbering_free(&p->variables.data[i].seen);
  vec_free(&p->variables);
  vec_free(&p->changes);
}
