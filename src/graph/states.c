/* Explores breadth-first up to a number of states, and keeps states and steps.
** */

#include "graph/states.h"
#include "base/alloc.h"
#include "store/store.h"
#include <string.h>

typedef struct explorer {
  states *to;
  worker *worker;
  batch batch;
  const store_class *kind;
  store *store;
  size_t limit;
  limits *limits;
  VEC(uint8_t) state; /* the one that is expanded */
  states_result result;
} explorer;

/* Notes a state.  Its number goes into '*number'. */
static states_result note_state(explorer *x, const successor *s,
                                store_handle *number)
{
  states *to = x->to;
  uint32_t hidden = program_hidden(to->program);
  const uint8_t *state = x->batch.bytes.data + s->start;
  store_result r = x->kind->insert(x->store, state + hidden, s->length - hidden,
                                   STORE_NO_HANDLE, UINT64_MAX, number);
  if (r == STORE_FULL)
    return STATES_NO_MEMORY;
  if (r == STORE_SEEN)
    return STATES_DONE;
  if (to->list.len >= x->limit)
    return STATES_TOO_MANY;
  known_state k = {.start = to->bytes.len, .length = s->length};
  vec_grow(&to->bytes, s->length);
  memcpy(to->bytes.data + to->bytes.len, state, s->length);
  to->bytes.len += s->length;
  vec_push(&to->list, k);
  return STATES_DONE;
}

static void note_faults(const batch *b, known_state *k)
{
  k->blocked = b->blocked;
  k->invalid_end = b->invalid_end;
  for (size_t i = 0; i < b->faults.len; i++)
    if (fault_goes_on(b->faults.data[i].kind))
      k->asserts = true;
    else
      k->fault = true;
}

/* Who answers the first step of a rendezvous. */
static void note_answer(const explorer *x, const successor *s, known_step *k)
{
  const step *second = x->batch.steps.data + s->first_step + 1;
  if (s->steps < 2 || !(second->flags & STEP_PARTNER))
    return;
  k->answer = program_model(x->to->program)->edges.data[second->edge];
  k->partner = second->process;
}

static states_result expand(explorer *x, uint32_t index)
{
  states *to = x->to;
  known_state *k = &to->list.data[index];
  vec_resize(&x->state, k->length);
  memcpy(x->state.data, to->bytes.data + k->start, k->length);
  program_successors(x->worker, x->state.data, k->length, &x->batch);
  note_faults(&x->batch, k);
  if (x->batch.abandoned)
    return STATES_STOPPED;
  const model *m = program_model(to->program);
  for (size_t i = 0; i < x->batch.list.len; i++) {
    const successor *s = &x->batch.list.data[i];
    store_handle number;
    states_result r = note_state(x, s, &number);
    if (r != STATES_DONE)
      return r;
    known_step found = {.from = index,
                        .to = (uint32_t)number,
                        .process = s->process,
                        .edge = m->edges.data[s->edge]};
    note_answer(x, s, &found);
    vec_push(&to->steps, found);
  }
  return STATES_DONE;
}

static states_result explore(explorer *x)
{
  store_handle number;
  states_result r = STATES_DONE;
  x->batch.record = true;
  program_initial(x->worker, &x->batch);
  if (x->batch.list.len > 0)
    r = note_state(x, &x->batch.list.data[0], &number);
  for (uint32_t i = 0; r == STATES_DONE && i < x->to->list.len; i++)
    r = limits_poll(x->limits) ? STATES_STOPPED : expand(x, i);
  return r;
}

static bool is_impatient(void *l)
{
  return limits_reached(l);
}

static void do_explore(void *explorer_at_work)
{
  explorer *x = explorer_at_work;
  program *p = x->to->program;
  x->kind = store_find("raw+table"); /* dense: numbers are indices */
  x->store = store_create(x->kind, program_map(p), SIZE_MAX);
  if (!x->store)
    return;
  x->worker = worker_create(p);
  worker_set_patience(x->worker, is_impatient, x->limits);
  x->result = explore(x);
}

static void tidy_up(void *explorer_at_work)
{
  explorer *x = explorer_at_work;
  worker_destroy(x->worker);
  if (x->store)
    x->kind->destroy(x->store);
  batch_free(&x->batch);
  vec_free(&x->state);
}

states_result states_explore(program *p, size_t limit, limits *l, states *to)
{
  explorer x = {
      .to = to, .limit = limit, .limits = l, .result = STATES_NO_MEMORY};
  *to = (states){.program = p};
  mem_protect_tidy(do_explore, tidy_up, &x);
  return x.result;
}

void states_free(states *s)
{
  vec_free(&s->list);
  vec_free(&s->steps);
  vec_free(&s->bytes);
}
