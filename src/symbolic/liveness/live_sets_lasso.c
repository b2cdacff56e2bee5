/* From sets to a run: a way to where an accepted run can stay, and a loop there
** that has everything needed (Clarke, Grumberg, McMillan, Zhao 1995).
**
** A loop begins at an anchor, meets one need after the other by shortest ways,
** and goes back.  Where there is no way back the last state lies in a smaller
** strongly connected component and becomes the anchor. */

#include "search/liveness/live.h"
#include "symbolic/liveness/live_sets_internal.h"

/* Steps and anchors after which a run is given up. */
enum { ROUTE_MAX = 100000, ANCHORS_MAX = 1000 };

static symbolic_set meet(live_sets *l, symbolic_set a, symbolic_set b)
{
  return set_intersect(l->space->library, a, b);
}

/* ---- points ------------------------------------------------------------- */

static bool add_point(live_sets *l, live_route *route, symbolic_set state,
                      uint32_t place)
{
  vec_grow(route, 1);
  if (set_ref(l->space->library, state) == SET_FULL)
    return false;
  vec_push(route, ((live_point){state, place}));
  return true;
}

static void clear_route(live_sets *l, live_route *route)
{
  while (route->len)
    set_unref(l->space->library, vec_pop(route).state);
}

static void clear_layers(live_sets *l)
{
  while (l->layers.len)
    set_unref(l->space->library, vec_pop(&l->layers));
}

void live_forget_route(live_sets *l)
{
  clear_layers(l);
  clear_route(l, &l->route);
  clear_route(l, &l->part);
}

/* ---- shortest ways ------------------------------------------------------ */

/* Where a way may go: sets by place, and whether in one component only. */
typedef struct live_bounds {
  const symbolic_set *allowed;
  bool inside;
} live_bounds;

static bool may_take(const live_sets *l, const live_move *m,
                     const live_bounds *b)
{
  return !b->inside || l->scc[m->from] == l->scc[m->to];
}

/* Makes what is in 'last' the next layer, and adds it to 'reach'. */
static bool add_layer(live_sets *l)
{
  bool any = false;
  for (uint32_t q = 0; q < l->places; q++) {
    vec_grow(&l->layers, 1);
    if (set_ref(l->space->library, l->last[q]) == SET_FULL)
      return false;
    vec_push(&l->layers, l->last[q]);
    any |= l->last[q] != SET_EMPTY;
    l->reach[q] = set_union(l->space->library, l->reach[q], l->last[q]);
    if (l->reach[q] == SET_FULL)
      return false;
  }
  return any && !symbolic_impatient(l->space);
}

static const symbolic_set *last_layer(const live_sets *l)
{
  return l->layers.data + l->layers.len - l->places;
}

/* All that one more step leads to, and was not met before. */
static bool next_layer(live_sets *l, const live_bounds *b)
{
  set_library *m = l->space->library;
  const symbolic_set *from = last_layer(l);
  for (uint32_t q = 0; q < l->places; q++)
    l->last[q] = SET_EMPTY;
  for (size_t i = 0; i < l->moves.len; i++) {
    const live_move *move = &l->moves.data[i];
    if (from[move->from] == SET_EMPTY || !may_take(l, move, b))
      continue;
    l->keep[0] = meet(l, from[move->from], l->labels[i]);
    l->keep[0] = live_after(l, l->keep[0]);
    l->keep[0] = meet(l, l->keep[0], b->allowed[move->to]);
    l->keep[0] = set_minus(m, l->keep[0], l->reach[move->to]);
    l->last[move->to] = set_union(m, l->last[move->to], l->keep[0]);
    if (l->last[move->to] == SET_FULL)
      return false;
  }
  return add_layer(l);
}

/* The first place at which the last layer has something of the goal, or
** 'places'. */
static uint32_t place_of_goal(live_sets *l)
{
  uint32_t q = 0;
  while (q < l->places && meet(l, last_layer(l)[q], l->goal[q]) == SET_EMPTY)
    q++;
  return q;
}

/* A point of a layer from which a move leads to the point. */
static bool step_back(live_sets *l, const symbolic_set *layer,
                      const live_bounds *b, live_point to)
{
  for (size_t i = 0; i < l->moves.len; i++) {
    const live_move *m = &l->moves.data[i];
    if (m->to != to.place || layer[m->from] == SET_EMPTY || !may_take(l, m, b))
      continue;
    l->keep[0] = meet(l, layer[m->from], l->labels[i]);
    l->keep[0] = meet(l, l->keep[0], live_before(l, to.place, to.state));
    if (l->keep[0] != SET_EMPTY)
      return add_point(l, &l->part, symbolic_single(l->space, l->keep[0]),
                       m->from);
  }
  return false;
}

/* Goes back through the layers from a point of the goal, and adds the way to
** the route, at whose end it begins. */
static bool walk_back(live_sets *l, const live_bounds *b, uint32_t place)
{
  symbolic_set last = meet(l, last_layer(l)[place], l->goal[place]);
  bool good = add_point(l, &l->part, symbolic_single(l->space, last), place);
  for (size_t i = l->layers.len / l->places - 1; good && i-- > 0;)
    good = step_back(l, l->layers.data + i * l->places, b, vec_last(&l->part));
  for (size_t i = l->part.len - good; good && i-- > 0;)
    good =
        add_point(l, &l->route, l->part.data[i].state, l->part.data[i].place);
  clear_route(l, &l->part);
  return good && l->route.len < ROUTE_MAX;
}

/* Goes from the end of the route to a point of 'goal'. */
static bool walk(live_sets *l, const symbolic_set *allowed, bool inside)
{
  live_bounds b = {allowed, inside};
  live_point from = vec_last(&l->route);
  for (uint32_t q = 0; q < l->places; q++)
    l->last[q] = l->reach[q] = SET_EMPTY;
  l->last[from.place] = from.state;
  bool good = add_layer(l);
  while (good && place_of_goal(l) == l->places)
    good = next_layer(l, &b);
  good = good && walk_back(l, &b, place_of_goal(l));
  clear_layers(l);
  return good;
}

/* ---- loops -------------------------------------------------------------- */

/* Where a step from one state, that has what is needed, leads to. */
static symbolic_set targets_of(live_sets *l, symbolic_set state,
                               const live_need *need)
{
  if (need && need->turns &&
      (need->strong || meet(l, state, l->idle[need->number]) == SET_EMPTY))
    return symbolic_after_by(l->space, need->number, state);
  return live_after(l, state);
}

/* Goes to where a step that has what is needed leads into a set, within the
** core of the component, and takes it. */
static bool walk_to_need(live_sets *l, const live_need *need,
                         const symbolic_set *into)
{
  uint32_t scc = l->scc[vec_last(&l->route).place];
  for (uint32_t q = 0; q < l->places; q++) {
    bool here = l->scc[q] == scc;
    l->goal[q] = here ? live_giving(l, q, need, into) : SET_EMPTY;
    if (here)
      l->goal[q] = meet(l, l->goal[q], l->core[q]);
  }
  if (!walk(l, l->core, true))
    return false;
  live_point at = vec_last(&l->route);
  for (size_t i = 0; i < l->moves.len; i++) {
    const live_move *m = &l->moves.data[i];
    bool gives = !need || need->turns || m->marks >> need->number & 1;
    if (m->from != at.place || l->scc[m->to] != scc || !gives ||
        meet(l, at.state, l->labels[i]) == SET_EMPTY)
      continue;
    symbolic_set next = meet(l, targets_of(l, at.state, need), into[m->to]);
    if (next != SET_EMPTY)
      return add_point(l, &l->route, symbolic_single(l->space, next), m->to);
  }
  return false;
}

/* A process that must move if it can has no way to a step where it never can
** again: then nothing is asked of it.  The run is judged in the end. */
static bool meet_all_needs(live_sets *l)
{
  bool moves = false;
  for (size_t i = 0; i < l->needs.len; i++) {
    const live_need *need = &l->needs.data[i];
    bool met = walk_to_need(l, need, l->core);
    moves |= met;
    if (!met && !need->strong)
      return false;
  }
  return moves || walk_to_need(l, NULL, l->core);
}

/* Goes back to a point of the route; what was tried in vain is taken back. */
static bool close_loop(live_sets *l, size_t anchor)
{
  size_t length = l->route.len;
  live_point y = l->route.data[anchor];
  for (uint32_t q = 0; q < l->places; q++)
    l->target[q] = SET_EMPTY;
  l->target[y.place] = y.state;
  live_point end = vec_last(&l->route);
  /* The last step may have closed it. */
  bool closed = end.place == y.place && end.state == y.state;
  closed = closed || walk_to_need(l, NULL, l->target);
  while (!closed && l->route.len > length)
    set_unref(l->space->library, vec_pop(&l->route).state);
  return closed;
}

/* From the end of the route, which is in a core; the last point is the one at
** which the loop begins. */
static bool find_loop(live_sets *l, size_t *loop)
{
  live_list_needs(l, l->scc[vec_last(&l->route).place]);
  for (int tries = 0; tries < ANCHORS_MAX; tries++) {
    *loop = l->route.len - 1;
    if (!meet_all_needs(l) || symbolic_impatient(l->space))
      return false;
    if (close_loop(l, *loop))
      return true;
  }
  return false;
}

/* ---- the trace ---------------------------------------------------------- */

/* Where runs end that need not go on: before a move to a sure place. */
static symbolic_set ends_at(live_sets *l, uint32_t place)
{
  l->keep[0] = SET_EMPTY;
  for (size_t i = 0; i < l->moves.len; i++)
    if (l->moves.data[i].from == place && live_is_sure(l, l->moves.data[i].to))
      l->keep[0] = set_union(l->space->library, l->keep[0], l->labels[i]);
  return l->keep[0];
}

bool live_find_route(live_sets *l, size_t *loop)
{
  uint32_t first = l->observer.initial;
  *loop = SIZE_MAX;
  l->target = live_array(l, l->places);
  if (!l->target)
    return false;
  if (!add_point(l, &l->route, l->start, first))
    return false;
  if (live_is_sure(l, first))
    return true;
  for (uint32_t q = 0; q < l->places; q++)
    l->goal[q] = set_union(l->space->library, ends_at(l, q), l->core[q]);
  if (!walk(l, l->begins, false))
    return false;
  live_point at = vec_last(&l->route);
  if (meet(l, at.state, ends_at(l, at.place)) != SET_EMPTY)
    return true;
  return find_loop(l, loop);
}

/* What the route is to the program, which stays in its last state once it is
** blocked. */
static trace_claim claim_of(live_sets *l, size_t loop, size_t *length)
{
  size_t n = 0;
  while (n < l->route.len &&
         meet(l, l->route.data[n].state, l->stays[0]) == SET_EMPTY)
    n++;
  bool stays = n < l->route.len;
  *length = stays ? n + 1 : n;
  if (loop == SIZE_MAX)
    return (trace_claim){.end = TRACE_PREFIX};
  if (stays)
    return (trace_claim){.end = TRACE_STAYS, .loop = n};
  return (trace_claim){.end = TRACE_LOOP, .loop = loop};
}

static trace_result make_trace(live_sets *l, size_t loop, trace **made)
{
  program *p = l->space->program;
  size_t length;
  trace_claim claim = claim_of(l, loop, &length);
  for (size_t i = 0; i < length; i++)
    if (!symbolic_run_add(l->space, &l->run, l->route.data[i].state))
      return TRACE_NO_MEMORY;
  l->replayer = worker_create(p);
  trace_path path = {length, ctl_run_next, &l->run};
  trace_result done = trace_build(l->replayer, p, &path, &claim, made);
  if (done == TRACE_MADE)
    done = trace_verify(l->replayer, p, *made);
  if (done == TRACE_MADE)
    done = lasso_judge(p, l->replayer, &l->observer, l->fair, *made);
  if (done != TRACE_MADE) {
    trace_destroy(*made);
    *made = NULL;
  }
  return done;
}

trace_result live_show(live_sets *l, trace **made)
{
  size_t loop;
  if (!live_find_route(l, &loop))
    return TRACE_NO_MEMORY;
  return make_trace(l, loop, made);
}
