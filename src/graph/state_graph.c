/* The explicit graph of all states: each by its number, with the numbers of its
** successors and predecessors. */

#include "base/alloc.h"
#include "graph/graph_internal.h"

enum { GRAPH_LOOK_EVERY = 128 };

static bool graph_impatient(void *context)
{
  state_graph *g = context;
  if (limits_reached(g->options.limits))
    g->reason = g->options.limits->reason;
  return g->reason != REASON_NONE;
}

static uint32_t number_of(state_graph *g, const successor *s)
{
  return field_read(&g->states, g->batch.bytes.data + s->start, s->length) - 1;
}

const uint8_t *graph_state(const state_graph *g, uint32_t state,
                           uint32_t *length)
{
  uint32_t start = g->states.starts.data[state];
  *length = g->states.starts.data[state + 1] - start;
  return g->states.slices.data + start;
}

/* A net has outgrown the types of its places: the graph would be wrong. */
static bool has_overflow(const state_graph *g)
{
  for (size_t i = 0; i < g->batch.faults.len; i++)
    if (g->batch.faults.data[i].kind == FAULT_OVERFLOW)
      return g->options.net;
  return false;
}

static void expand(state_graph *g, uint32_t state)
{
  uint32_t length;
  const uint8_t *bytes = graph_state(g, state, &length);
  vec_resize(&g->state, length);
  memcpy(g->state.data, bytes, length);
  program_successors(g->worker, g->state.data, length, &g->batch);
  if (has_overflow(g))
    g->reason = REASON_OUTGROWN;
  for (size_t i = 0; i < g->batch.list.len; i++)
    vec_push(&g->targets, number_of(g, &g->batch.list.data[i]));
  vec_push(&g->first, (uint32_t)g->targets.len);
}

/* The same edges by their targets. */
static void turn_around(state_graph *g)
{
  vec_resize(&g->first_source, (size_t)g->count + 1);
  vec_resize(&g->sources, g->targets.len);
  uint32_t *first = g->first_source.data;
  for (size_t i = 0; i < g->targets.len; i++)
    first[g->targets.data[i] + 1]++;
  for (uint32_t i = 0; i < g->count; i++)
    first[i + 1] += first[i];
  /* Each place moves on as it is filled; the last is then that of the next
  ** state, so that all are moved back by one. */
  for (uint32_t s = 0; s < g->count; s++)
    for (uint32_t i = g->first.data[s]; i < g->first.data[s + 1]; i++)
      g->sources.data[first[g->targets.data[i]]++] = s;
  memmove(first + 1, first, g->count * sizeof *first);
  first[0] = 0;
}

static void explore_graph(state_graph *g)
{
  program_initial(g->worker, &g->batch);
  if (!g->batch.list.len) {
    g->reason = REASON_ERRORS;
    return;
  }
  number_of(g, &g->batch.list.data[0]);
  vec_push(&g->first, 0);
  for (uint32_t i = 0; i + 1 < g->states.starts.len; i++) {
    if (g->states.starts.len > g->max_states ||
        g->states.slices.len > UINT32_MAX / 2 ||
        g->targets.len > UINT32_MAX / 2)
      return;
    if (i % GRAPH_LOOK_EVERY == 0)
      graph_impatient(g);
    expand(g, i);
    if (g->reason != REASON_NONE || g->batch.abandoned)
      return;
  }
  g->count = (uint32_t)g->states.starts.len - 1;
  turn_around(g);
  g->complete = true;
}

static void make_graph(void *graph)
{
  state_graph *g = graph;
  g->worker = worker_create(g->program);
  worker_set_patience(g->worker, graph_impatient, g);
  if (program_hidden(g->program))
    g->reason = REASON_HIDDEN_SETS;
  else
    explore_graph(g);
}

static void undo_graph(void *graph)
{
  graph_destroy(graph);
}

state_graph *graph_create(program *p, const symbolic_options *o,
                          uint64_t max_states)
{
  state_graph *g = mem_alloc(sizeof *g);
  g->program = p;
  g->options = *o;
  g->max_states = max_states;
  g->states.kind = FIELD_STATE;
  mem_protect_undo(make_graph, undo_graph, g);
  return g;
}

void graph_destroy(state_graph *g)
{
  if (!g)
    return;
  batch_free(&g->batch);
  vec_free(&g->states.slices);
  vec_free(&g->states.starts);
  index_destroy(&g->states.numbers);
  vec_free(&g->state);
  vec_free(&g->targets);
  vec_free(&g->first);
  vec_free(&g->sources);
  vec_free(&g->first_source);
  worker_destroy(g->worker);
  mem_free(g, sizeof *g);
}

bool graph_complete(const state_graph *g)
{
  return g->complete;
}

reason graph_reason(const state_graph *g)
{
  return g->reason;
}

uint64_t graph_states(const state_graph *g)
{
  return g->count;
}
