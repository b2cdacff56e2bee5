/* Explores breadth-first up to a number of states, and keeps states and steps.
** */

#include "graph/states.h"
#include "store/store.h"
#include <string.h>

typedef struct explorer {
  states *to;
  worker *worker;
  batch batch;
  const store_class *kind;
  store *store;
  size_t limit;
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

static states_result expand(explorer *x, uint32_t index)
{
  VEC(uint8_t) state = {0};
  states *to = x->to;
  known_state *k = &to->list.data[index];
  vec_resize(&state, k->length);
  memcpy(state.data, to->bytes.data + k->start, k->length);
  program_successors(x->worker, state.data, k->length, &x->batch);
  note_faults(&x->batch, k);
  vec_free(&state);
  if (x->batch.abandoned)
    return STATES_STOPPED;
  const model *m = program_model(to->program);
  for (size_t i = 0; i < x->batch.list.len; i++) {
    const successor *s = &x->batch.list.data[i];
    store_handle number;
    states_result r = note_state(x, s, &number);
    if (r != STATES_DONE)
      return r;
    known_step found = {index, (uint32_t)number, s->process,
                        m->edges.data[s->edge]};
    vec_push(&to->steps, found);
  }
  return STATES_DONE;
}

static states_result explore(explorer *x, limits *l)
{
  store_handle number;
  states_result r = STATES_DONE;
  program_initial(x->worker, &x->batch);
  if (x->batch.list.len > 0)
    r = note_state(x, &x->batch.list.data[0], &number);
  for (uint32_t i = 0; r == STATES_DONE && i < x->to->list.len; i++)
    r = limits_poll(l) ? STATES_STOPPED : expand(x, i);
  return r;
}

static bool is_impatient(void *l)
{
  return limits_reached(l);
}

states_result states_explore(program *p, size_t limit, limits *l, states *to)
{
  explorer x = {.to = to, .limit = limit};
  states_result r = STATES_NO_MEMORY;
  *to = (states){.program = p};
  x.kind = store_find("raw+table"); /* dense: numbers are indices */
  x.store = store_create(x.kind, program_map(p), SIZE_MAX);
  if (x.store) {
    x.worker = worker_create(p);
    worker_set_patience(x.worker, is_impatient, l);
    r = explore(&x, l);
    worker_destroy(x.worker);
    x.kind->destroy(x.store);
  }
  batch_free(&x.batch);
  return r;
}

void states_free(states *s)
{
  vec_free(&s->list);
  vec_free(&s->steps);
  vec_free(&s->bytes);
}
