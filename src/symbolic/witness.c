/* Runs to a set of states, and to what is wrong in a model.
**
** Layers are made from the initial state on, each one step further, until one
** has something of the goal; then a state of each layer is picked, backwards.
** That gives a shortest run, but the layers of a large space are unwieldy. When
** they have too many nodes, stages are made from the goal on, backwards: each
** is the one before and what a single group leads into it from.  A state that
** is in a stage and not in those before gets into them by a step of that group,
** so that the run is found state by state.
**
** What is found is replayed by the interpreter before anybody hears of it. */

#include "symbolic/ctl/ctl_answer.h"
#include "symbolic/symbolic_internal.h"

symbolic_set symbolic_single(symbolic_space *s, symbolic_set states)
{
  vec_resize(&s->tuple, s->fields.len);
  if (states == SET_FULL || !set_first(s->library, states, s->tuple.data))
    return SET_FULL;
  return set_tuple(s->library, s->tuple.data);
}

bool symbolic_keep(symbolic_space *s, set_list *list, symbolic_set states)
{
  vec_grow(list, 1);
  if (set_ref(s->library, states) == SET_FULL)
    return false;
  vec_push(list, states);
  return true;
}

void symbolic_drop(symbolic_space *s, set_list *list)
{
  while (list->len)
    set_unref(s->library, vec_pop(list));
}

/* ---- runs --------------------------------------------------------------- */

bool symbolic_run_add(symbolic_space *s, ctl_run *way, symbolic_set states)
{
  const uint8_t *bytes;
  uint32_t length = symbolic_pick(s, states, &bytes);
  if (length)
    ctl_run_add(way, bytes, length);
  return length;
}

/* ---- shortest ways ------------------------------------------------------ */

enum { LAYER_NODES_MAX = 30000 }; /* of all layers */

/* 'scratch[7]' has all states of the layers. */
static bool find_layers(symbolic_space *s, symbolic_set from,
                        symbolic_set within, symbolic_set goal)
{
  set_library *b = s->library;
  symbolic_set *seen = &s->scratch[7];
  size_t nodes = 0, all = 0;
  *seen = from;
  bool good = symbolic_keep(s, &s->layers, from);
  while (good && set_intersect(b, vec_last(&s->layers), goal) == SET_EMPTY) {
    symbolic_set last = set_intersect(b, vec_last(&s->layers), within);
    symbolic_set next = set_minus(b, symbolic_after(s, last), *seen);
    if (next == SET_EMPTY || symbolic_impatient(s) ||
        !symbolic_keep(s, &s->layers, next))
      return false;
    *seen = set_union(b, *seen, next);
    good = *seen != SET_FULL && set_nodes(b, vec_last(&s->layers), &nodes);
    all += nodes;
    if (all > LAYER_NODES_MAX)
      return false;
  }
  return good;
}

static bool walk_back(symbolic_space *s, symbolic_set within, symbolic_set goal)
{
  set_library *b = s->library;
  symbolic_set at =
      symbolic_single(s, set_intersect(b, vec_last(&s->layers), goal));
  if (!symbolic_keep(s, &s->route, at))
    return false;
  for (size_t i = s->layers.len - 1; i-- > 0;) {
    symbolic_set before = symbolic_before(s, at);
    before = set_intersect(b, before, s->layers.data[i]);
    at = symbolic_single(s, set_intersect(b, before, within));
    if (!symbolic_keep(s, &s->route, at))
      return false;
  }
  return true;
}

/* ---- stages ------------------------------------------------------------- */

/* 'layers' are the stages, 'stages' the groups that made them (the first has
** none); until one has the state to begin from. */
static bool find_stages(symbolic_space *s, symbolic_set from,
                        symbolic_set within, symbolic_set goal)
{
  set_library *b = s->library;
  vec_clear(&s->stages);
  vec_push(&s->stages, 0);
  if (!symbolic_keep(s, &s->layers, goal))
    return false;
  for (size_t before = 0; before < s->layers.len;) {
    before = s->layers.len;
    for (uint32_t i = 0; i < s->step_groups; i++) {
      symbolic_set at = vec_last(&s->layers);
      symbolic_set more = set_union(b, at, set_preimage(b, i, at, within));
      if (more == at)
        continue;
      vec_push(&s->stages, i);
      if (symbolic_impatient(s) || !symbolic_keep(s, &s->layers, more))
        return false;
      if (set_intersect(b, more, from) != SET_EMPTY)
        return true;
    }
    if (before == s->layers.len)
      return false;
  }
  return false;
}

/* The first stage, up to one that has it, with a state. */
static size_t stage_of(symbolic_space *s, symbolic_set state, size_t last)
{
  size_t first = 0;
  while (first < last) {
    size_t middle = (first + last) / 2;
    if (set_intersect(s->library, state, s->layers.data[middle]) == SET_EMPTY)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

static bool walk_through(symbolic_space *s, symbolic_set from, ctl_run *way)
{
  set_library *b = s->library;
  symbolic_set *at = &s->scratch[7];
  *at = from;
  size_t stage = stage_of(s, *at, s->layers.len - 1);
  bool first = ctl_run_states(way) > 0;
  for (; first || symbolic_run_add(s, way, *at); first = false) {
    if (!stage)
      return true;
    symbolic_set next = set_image(b, s->stages.data[stage], *at);
    next = set_intersect(b, next, s->layers.data[stage - 1]);
    *at = symbolic_single(s, next);
    if (*at == SET_FULL)
      return false;
    stage = stage_of(s, *at, stage - 1);
  }
  return false;
}

/* ---- ways --------------------------------------------------------------- */

static bool shortest_way(symbolic_space *s, symbolic_set from,
                         symbolic_set within, symbolic_set goal, ctl_run *way)
{
  bool good = find_layers(s, from, within, goal) && walk_back(s, within, goal);
  size_t i = s->route.len - (good && ctl_run_states(way));
  while (good && i-- > 0)
    good = symbolic_run_add(s, way, s->route.data[i]);
  symbolic_drop(s, &s->layers);
  symbolic_drop(s, &s->route);
  return good;
}

bool symbolic_way(symbolic_space *s, symbolic_set from, symbolic_set within,
                  symbolic_set goal, ctl_run *way)
{
  size_t before = ctl_run_states(way);
  bool good = shortest_way(s, from, within, goal, way);
  if (!good && !symbolic_impatient(s)) {
    ctl_run_cut(way, before);
    good = find_stages(s, from, within, goal) && walk_through(s, from, way);
    symbolic_drop(s, &s->layers);
  }
  s->scratch[7] = SET_EMPTY;
  return good;
}

/* ---- what is wrong ------------------------------------------------------ */

/* The states that show a violation, or a witness. */
static symbolic_set states_showing(symbolic_space *s, property_kind kind,
                                   const expr *e)
{
  switch (kind) {
  case PROPERTY_END_STATES:
    return s->wrong[WRONG_END];
  case PROPERTY_ASSERTIONS:
    return s->wrong[WRONG_ASSERTION];
  case PROPERTY_BOUNDS:
    return s->wrong[WRONG_BOUNDS];
  case PROPERTY_INVARIANT:
    return set_minus(s->library, s->reachable, symbolic_states_of(s, e));
  case PROPERTY_REACH:
    return symbolic_states_of(s, e);
  default:
    return SET_EMPTY;
  }
}

/* The first fault of this kind in the last state of the run. */
static size_t fault_of(symbolic_space *s, property_kind kind)
{
  const ctl_run *way = &s->way;
  uint32_t start = way->starts.data[way->starts.len - 2];
  program_successors(s->worker, way->bytes.data + start,
                     vec_last(&way->starts) - start, &s->batch);
  for (size_t i = 0; i < s->batch.faults.len; i++)
    if (fault_property(s->batch.faults.data[i].kind) == kind)
      return i;
  return 0;
}

static trace_claim claim_about(symbolic_space *s, property_kind kind,
                               const expr *e)
{
  switch (kind) {
  case PROPERTY_END_STATES:
    return (trace_claim){.end = TRACE_INVALID_END};
  case PROPERTY_INVARIANT:
    return (trace_claim){.end = TRACE_INVARIANT, .expr = e};
  case PROPERTY_REACH:
    return (trace_claim){.end = TRACE_WITNESS, .expr = e};
  default:
    return (trace_claim){.end = TRACE_FAULT, .fault = fault_of(s, kind)};
  }
}

trace_result symbolic_show(symbolic_space *s, property_kind kind, const expr *e,
                           trace **made)
{
  symbolic_set goal = states_showing(s, kind, e);
  ctl_run_free(&s->way);
  if (set_ref(s->library, goal) == SET_FULL)
    return TRACE_NO_MEMORY;
  bool found = symbolic_way(s, s->start, s->reachable, goal, &s->way);
  set_unref(s->library, goal);
  if (!found)
    return TRACE_NO_MEMORY;
  trace_claim claim = claim_about(s, kind, e);
  trace_path path = {s->way.starts.len - 1, ctl_run_next, &s->way};
  trace_result done = trace_build(s->worker, s->program, &path, &claim, made);
  if (done == TRACE_MADE)
    done = trace_verify(s->worker, s->program, *made);
  if (done != TRACE_MADE) {
    trace_destroy(*made);
    *made = NULL;
  }
  return done;
}
