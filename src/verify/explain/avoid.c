/* Until when an error can be avoided: E[] !error, backwards along the run.
**
** From the last state before the error, then from the one before that, all that
** can happen without the error is searched, by Tarjan's algorithm.  A run that
** ends without it, or a component in which a run can stay for ever (and, if
** fairness was asked for, can be fair), is a way out.  States from which there is
** none are never looked at again: so all searches together see each state once.
** What the error is: the same statement failing in the same place, the same
** expression false, or any invalid end.  Steps that fail otherwise are not made
** either. */

#include "base/alloc.h"
#include "base/numbering.h"
#include "program/movers.h"
#include "search/trace/next_steps.h"
#include "verify/explain/explain.h"
#include <string.h>

enum { STATES_MOST = 200000 };

typedef struct way_edge {
  uint32_t target; /* or NOWHERE: the step is the error */
  uint32_t process;
  process_set movers; /* who moves by it, which is more than that one */
} way_edge;

#define NOWHERE UINT32_MAX

typedef struct way_node {
  size_t first_edge;
  uint32_t edges, index, low;
  bool on_stack, ends; /* a run may end here */
  /* The component it belongs to, or what is left of one; 0: none.  For strong
  ** fairness these are searched by themselves. */
  uint32_t region, part_index, part_low;
} way_node;

typedef struct visit {
  uint32_t node, next;
} visit;

typedef struct ways {
  explaining *e;
  numbering states;
  VEC(way_node) nodes; /* by number of the state, from 0 */
  VEC(way_edge) edges;
  VEC(visit) visits;
  VEC(uint32_t) stack; /* of Tarjan's algorithm */
  next_steps next;
  VEC(uint8_t) state;
  uint32_t index, regions;
  /* Strong fairness: what is left of components, and the search in it. */
  VEC(uint32_t) pending, current, part_stack;
  VEC(size_t) pending_starts;
  VEC(visit) part_visits;
  uint32_t part_index;
  bool found;
  const char *why; /* it cannot be told */
} ways;

/* ---- steps without the error -------------------------------------------- */

static bool is_error_state(ways *w, const uint8_t *state, uint32_t length)
{
  const trace *t = w->e->trace;
  trace_claim claim = {.end = TRACE_INVARIANT, .expr = t->expr};
  return t->end == TRACE_INVARIANT &&
         trace_claim_holds(w->e->worker, &claim, state, length);
}

static uint32_t node_of(ways *w, const uint8_t *state, uint32_t length)
{
  uint32_t number = numbering_add(&w->states, state, length);
  if (number > w->nodes.len)
    vec_resize(&w->nodes, number);
  return number - 1;
}

static void add_edge(ways *w, const next_step *s)
{
  const batch *b = &w->next.batch;
  if (s->fault != NEXT_NONE || s->successor == NEXT_NONE) {
    vec_push(&w->edges, ((way_edge){NOWHERE, s->process, {{0}}}));
    return;
  }
  const successor *to = &b->list.data[s->successor];
  const uint8_t *state = b->bytes.data + to->start;
  bool fails = is_error_state(w, state, to->length);
  uint32_t target = fails ? NOWHERE : node_of(w, state, to->length);
  vec_push(&w->edges,
           ((way_edge){target, to->process, movers_recorded(b, to)}));
}

/* Finds the edges of a node, and whether a run may end there. */
static void expand(ways *w, uint32_t node)
{
  uint32_t length;
  const uint8_t *state = numbering_get(&w->states, node + 1, &length);
  /* The bytes move when states are added. */
  vec_resize(&w->state, length);
  memcpy(w->state.data, state, length);
  next_find(&w->next, w->e->worker, w->state.data, length);
  const batch *b = &w->next.batch;
  size_t first = w->edges.len;
  for (size_t i = 0; i < w->next.list.len; i++)
    add_edge(w, &w->next.list.data[i]);
  way_node *n = &w->nodes.data[node];
  n->first_edge = first;
  n->edges = (uint32_t)(w->edges.len - first);
  n->ends =
      b->blocked && (!b->invalid_end || w->e->trace->end != TRACE_INVALID_END);
  if (b->abandoned || b->stuck)
    w->why = "a process does not come out of an atomic sequence";
  else if (numbering_count(&w->states) > STATES_MOST)
    w->why = "too many states would have to be looked at";
  else if (limits_reached(w->e->limits))
    w->why = reason_text(limits_why(w->e->limits));
}

/* ---- fairness ----------------------------------------------------------- */

typedef struct process_marks {
  process_set moves;
  uint32_t always[POSITIONS_MAX + 1]; /* states in which it can */
} process_marks;

/* Who moves among nodes of one region, and who can. */
static size_t mark_processes(const ways *w, const uint32_t *list, size_t count,
                             uint32_t region, process_marks *m)
{
  size_t inside = 0;
  memset(m, 0, sizeof *m);
  for (size_t i = 0; i < count; i++) {
    const way_node *n = &w->nodes.data[list[i]];
    bool seen[POSITIONS_MAX + 1] = {false};
    for (uint32_t k = 0; k < n->edges; k++) {
      const way_edge *e = &w->edges.data[n->first_edge + k];
      uint32_t p = e->process <= POSITIONS_MAX ? e->process : 0;
      m->always[p] += !seen[p];
      seen[p] = true;
      if (e->target == NOWHERE || w->nodes.data[e->target].region != region)
        continue;
      for (size_t j = 0; j < PROCESS_WORDS; j++)
        m->moves.words[j] |= e->movers.words[j];
      inside++;
    }
  }
  return inside;
}

/* A process that can always move in the component moves in it. */
static bool is_weakly_fair(const ways *w, const uint32_t *list, size_t count,
                           uint32_t region)
{
  process_marks m;
  if (!mark_processes(w, list, count, region, &m))
    return false;
  for (uint32_t p = 0; p <= POSITIONS_MAX; p++)
    if (m.always[p] == count && !process_set_has(&m.moves, p))
      return false;
  return true;
}

/* Whether somebody can move in a node who does not move in its region. */
static bool is_unfair(const ways *w, const way_node *n, const process_marks *m)
{
  for (uint32_t k = 0; k < n->edges; k++) {
    uint32_t p = w->edges.data[n->first_edge + k].process;
    if (!process_set_has(&m->moves, p <= POSITIONS_MAX ? p : 0))
      return true;
  }
  return false;
}

/* A component of what is left is complete: the last nodes of the stack.  True:
** it is fair.  Otherwise the nodes in which somebody can move who does not are
** taken away, and the rest is looked at again. */
static bool leave_part(ways *w, uint32_t node)
{
  process_marks m;
  size_t first = w->part_stack.len, end = first, start = w->pending.len;
  uint32_t region = ++w->regions;
  do
    w->nodes.data[w->part_stack.data[--first]].region = region;
  while (w->part_stack.data[first] != node);
  const uint32_t *list = w->part_stack.data + first;
  size_t inside = mark_processes(w, list, end - first, region, &m);
  for (size_t i = first; inside && i < end; i++)
    if (!is_unfair(w, &w->nodes.data[w->part_stack.data[i]], &m))
      vec_push(&w->pending, w->part_stack.data[i]);
  bool fair = inside && w->pending.len - start == end - first;
  w->part_stack.len = first;
  if (w->pending.len > start)
    vec_push(&w->pending_starts, start);
  return fair;
}

static void enter_part(ways *w, uint32_t node)
{
  way_node *n = &w->nodes.data[node];
  n->part_index = n->part_low = ++w->part_index;
  vec_push(&w->part_stack, node);
  vec_push(&w->part_visits, ((visit){node, 0}));
}

/* The nodes with this region, from one of them on. */
static bool search_part(ways *w, uint32_t root, uint32_t region)
{
  enter_part(w, root);
  while (w->part_visits.len) {
    visit *top = &vec_last(&w->part_visits);
    way_node *n = &w->nodes.data[top->node];
    if (top->next < n->edges) {
      uint32_t to = w->edges.data[n->first_edge + top->next++].target;
      const way_node *t = to == NOWHERE ? NULL : &w->nodes.data[to];
      if (!t || t->region != region)
        continue;
      if (!t->part_index)
        enter_part(w, to);
      else if (t->part_index < n->part_low)
        n->part_low = t->part_index;
      continue;
    }
    uint32_t node = vec_pop(&w->part_visits).node, low = n->part_low;
    if (low == n->part_index && leave_part(w, node))
      return true;
    if (w->part_visits.len) {
      way_node *up = &w->nodes.data[vec_last(&w->part_visits).node];
      up->part_low =
          low < up->part_low && n->region == region ? low : up->part_low;
    }
  }
  return false;
}

/* A process that can move in a loop moves in it: as search/liveness/fairness.c
** has it, after Emerson and Lei. */
static bool is_strongly_fair(ways *w, const uint32_t *list, size_t count)
{
  bool fair = false;
  vec_clear(&w->pending);
  vec_clear(&w->pending_starts);
  vec_push(&w->pending_starts, 0);
  for (size_t i = 0; i < count; i++)
    vec_push(&w->pending, list[i]);
  while (w->pending_starts.len && !fair) {
    size_t start = vec_pop(&w->pending_starts);
    uint32_t region = ++w->regions;
    vec_clear(&w->current);
    for (size_t i = start; i < w->pending.len; i++) {
      way_node *n = &w->nodes.data[w->pending.data[i]];
      n->region = region;
      n->part_index = 0;
      vec_push(&w->current, w->pending.data[i]);
    }
    w->pending.len = start;
    vec_clear(&w->part_visits);
    vec_clear(&w->part_stack);
    for (size_t i = 0; i < w->current.len && !fair; i++)
      if (w->nodes.data[w->current.data[i]].region == region)
        fair = search_part(w, w->current.data[i], region);
  }
  return fair;
}

static bool is_way_out(ways *w, const uint32_t *list, size_t count,
                       uint32_t region)
{
  process_marks m;
  switch (w->e->fair) {
  case NUT_FAIR_NONE:
    return mark_processes(w, list, count, region, &m) > 0;
  case NUT_FAIR_WEAK:
    return is_weakly_fair(w, list, count, region);
  case NUT_FAIR_STRONG:
    return is_strongly_fair(w, list, count);
  }
  return false;
}

/* ---- components --------------------------------------------------------- */

static void enter(ways *w, uint32_t node)
{
  expand(w, node);
  way_node *n = &w->nodes.data[node];
  n->index = n->low = ++w->index;
  n->on_stack = true;
  w->found |= n->ends;
  vec_push(&w->stack, node);
  vec_push(&w->visits, ((visit){node, 0}));
}

/* A component is complete: the last nodes of the stack, from 'node' on. */
static void leave_component(ways *w, uint32_t node)
{
  size_t first = w->stack.len;
  uint32_t region = ++w->regions;
  do {
    way_node *n = &w->nodes.data[w->stack.data[--first]];
    n->on_stack = false;
    n->region = region;
  } while (w->stack.data[first] != node);
  w->found |=
      is_way_out(w, w->stack.data + first, w->stack.len - first, region);
  w->stack.len = first;
}

static void leave(ways *w)
{
  uint32_t node = vec_pop(&w->visits).node;
  const way_node *n = &w->nodes.data[node];
  if (n->low == n->index)
    leave_component(w, node);
  if (w->visits.len) {
    way_node *up = &w->nodes.data[vec_last(&w->visits).node];
    if (n->on_stack && n->low < up->low)
      up->low = n->low;
  }
}

static void follow(ways *w, uint32_t from, uint32_t to)
{
  if (to == NOWHERE)
    return;
  const way_node *t = &w->nodes.data[to];
  way_node *n = &w->nodes.data[from];
  if (!t->index) {
    enter(w, to);
  } else if (t->on_stack) {
    if (t->index < n->low)
      n->low = t->index;
    /* There is a loop: who asks for no fairness asks for no more. */
    w->found |= w->e->fair == NUT_FAIR_NONE;
  }
}

/* Whether there is a way out from this state. */
static bool search_from(ways *w, const uint8_t *state, uint32_t length)
{
  uint32_t node = node_of(w, state, length);
  if (!w->nodes.data[node].index)
    enter(w, node);
  while (w->visits.len && !w->found && !w->why) {
    visit *top = &vec_last(&w->visits);
    const way_node *n = &w->nodes.data[top->node];
    if (top->next < n->edges)
      follow(w, top->node, w->edges.data[n->first_edge + top->next++].target);
    else
      leave(w);
  }
  return w->found;
}

static void look_for_ways(void *work)
{
  ways *w = work;
  const trace *t = w->e->trace;
  explanation *to = w->e->to;
  /* The last state of a fault is not rested in; otherwise it is the error. */
  size_t end = t->steps.len - (t->end != TRACE_FAULT);
  to->after = t->steps.len - 1;
  for (size_t i = end; i-- > 0 && !w->why;) {
    uint32_t length;
    const uint8_t *state = trace_state(t, i, &length);
    if (!t->steps.data[i].rest)
      continue;
    if (search_from(w, state, length)) {
      to->avoidable = AVOIDABLE_UNTIL;
      to->until = i;
      return;
    }
    to->after = i;
  }
  if (!w->why)
    to->avoidable = AVOIDABLE_NEVER;
}

static void free_ways(ways *w)
{
  numbering_free(&w->states);
  vec_free(&w->nodes);
  vec_free(&w->edges);
  vec_free(&w->visits);
  vec_free(&w->stack);
  vec_free(&w->state);
  vec_free(&w->pending);
  vec_free(&w->current);
  vec_free(&w->part_stack);
  vec_free(&w->pending_starts);
  vec_free(&w->part_visits);
  next_free(&w->next);
}

void explain_avoidance(explaining *e)
{
  const trace *t = e->trace;
  ways w = {.e = e};
  bool finite = t->end == TRACE_FAULT || t->end == TRACE_INVARIANT ||
                t->end == TRACE_INVALID_END;
  if (!finite || !t->steps.len)
    w.why = "it is a run that has no end";
  else if (!mem_protect(look_for_ways, &w))
    w.why = reason_text(limits_why(e->limits));
  if (w.why) {
    e->to->avoidable = AVOIDABLE_UNKNOWN;
    e->to->not_known = w.why;
  }
  free_ways(&w);
}
