/* Runs through the explicit graph, for trees of runs (ctl_tree.h): shortest
** ways, found breadth-first. */

#include "graph/graph_internal.h"

/* The states of a formula, found once; nothing else may be in use. */
static const uint8_t *states_of(judging *j, const ctl *f)
{
  for (size_t i = 0; i < j->known.len; i++)
    if (j->known.data[i].formula == f)
      return j->known.data[i].states;
  uint8_t *states = graph_take_set(j);
  graph_judge(j, f, states);
  vec_push(&j->known, ((judged){f, states}));
  return states;
}

static uint32_t number_of(judging *j, const uint8_t *state, uint32_t length)
{
  return field_read(&j->graph->states, state, length) - 1;
}

static void add_state(const judging *j, ctl_run *way, uint32_t state)
{
  uint32_t length;
  const uint8_t *bytes = graph_state(j->graph, state, &length);
  ctl_run_add(way, bytes, length);
}

static uint32_t last_state(judging *j, const ctl_run *way)
{
  uint32_t length;
  const uint8_t *bytes = ctl_run_state(way, ctl_run_states(way) - 1, &length);
  return number_of(j, bytes, length);
}

/* ---- ways --------------------------------------------------------------- */

/* 'index' has the state before, + 1; 'waiting' the states in their order.
** The first is a state without one before it, even if it is met again. */
static uint32_t search_goal(judging *j, uint32_t from, const uint8_t *through,
                            const uint8_t *goal, bool moving)
{
  const state_graph *g = j->graph;
  vec_clear(&j->index);
  vec_resize(&j->index, g->count);
  vec_clear(&j->waiting);
  vec_push(&j->waiting, from);
  for (size_t at = 0; at < j->waiting.len; at++) {
    uint32_t s = j->waiting.data[at];
    if (goal[s] && (at || !moving))
      return s;
    for (uint32_t i = g->first.data[s]; through[s] && i < g->first.data[s + 1];
         i++) {
      uint32_t to = g->targets.data[i];
      if (j->index.data[to] || (to == from && !moving))
        continue;
      j->index.data[to] = s + 1;
      vec_push(&j->waiting, to);
    }
  }
  return UINT32_MAX;
}

/* Adds a shortest way from the last state of the run through a set to a state
** of the goal, by at least one step if it is 'moving'; false: there is none. */
static bool walk_to(judging *j, const uint8_t *through, const uint8_t *goal,
                    bool moving, ctl_run *way)
{
  uint32_t from = last_state(j, way);
  uint32_t s = search_goal(j, from, through, goal, moving);
  if (s == UINT32_MAX)
    return false;
  vec_clear(&j->waiting);
  while (s != from || (moving && !j->waiting.len)) {
    vec_push(&j->waiting, s);
    s = j->index.data[s] - 1;
  }
  while (j->waiting.len)
    add_state(j, way, vec_pop(&j->waiting));
  return true;
}

/* ---- for ever ----------------------------------------------------------- */

/* Always by the first step that stays in z. */
static bool stay_in(judging *j, const uint8_t *z, ctl_run *way)
{
  const state_graph *g = j->graph;
  uint32_t s = last_state(j, way);
  size_t n = ctl_run_states(way);
  vec_clear(&j->index); /* place on the way, + 1 */
  vec_resize(&j->index, g->count);
  for (j->index.data[s] = (uint32_t)n;; j->index.data[s] = (uint32_t)++n) {
    for (uint32_t i = g->first.data[s]; i < g->first.data[s + 1]; i++)
      if (z[g->targets.data[i]]) {
        s = g->targets.data[i];
        break;
      }
    if (j->index.data[s])
      break;
    add_state(j, way, s);
  }
  way->loop = j->index.data[s] - 1;
  return true;
}

/* Goes to one constraint after the other, by at least one step. */
static bool meet_constraints(judging *j, const uint8_t *z, uint8_t *goal,
                             ctl_run *way)
{
  for (size_t k = 0; k < j->constraints.len; k++) {
    for (uint32_t s = 0; s < j->graph->count; s++)
      goal[s] = z[s] & j->constraints.data[k][s];
    if (!walk_to(j, z, goal, k == 0, way))
      return false;
  }
  return true;
}

/* From an anchor to one constraint after the other and back.  Where there is
** no way back, the last state lies in a component further down and becomes the
** anchor, so that this ends.  A state of z without steps meets all. */
static bool stay_fairly(judging *j, const uint8_t *z, ctl_run *way)
{
  uint8_t *goal = graph_take_set(j);
  bool closed = false, good = true;
  while (good && !closed) {
    uint32_t anchor = last_state(j, way);
    way->loop = ctl_run_states(way) - 1;
    if (graph_is_stuck(j->graph, anchor))
      break;
    good = meet_constraints(j, z, goal, way);
    memset(goal, 0, j->graph->count);
    goal[anchor] = 1;
    closed = good &&
             (last_state(j, way) == anchor || walk_to(j, z, goal, true, way));
    if (closed) /* the run goes on with the anchor */
      ctl_run_cut(way, ctl_run_states(way) - 1);
  }
  graph_drop_sets(j, 1);
  return good;
}

/* ---- the guide ---------------------------------------------------------- */

static bool start(void *context, ctl_run *way)
{
  add_state(context, way, 0);
  return true;
}

static int satisfies(void *context, const ctl *f, const uint8_t *state,
                     uint32_t length)
{
  judging *j = context;
  const uint8_t *states = states_of(j, f);
  return states[number_of(j, state, length)];
}

/* One step, or none where the last state repeats for ever. */
static bool step_into(judging *j, const uint8_t *goal, ctl_run *way)
{
  const state_graph *g = j->graph;
  uint32_t s = last_state(j, way);
  if (graph_is_stuck(g, s)) {
    way->loop = ctl_run_states(way) - 1;
    return true;
  }
  for (uint32_t i = g->first.data[s]; i < g->first.data[s + 1]; i++)
    if (goal[g->targets.data[i]]) {
      add_state(j, way, g->targets.data[i]);
      return true;
    }
  return false;
}

static bool extend(void *context, const ctl *f, ctl_run *way)
{
  judging *j = context;
  bool always = f->op == CTL_EG, good;
  const uint8_t *x = states_of(j, always ? f : f->a);
  const uint8_t *y = states_of(j, f->op == CTL_EU ? f->b : f->a);
  if (always)
    return j->constraints.len ? stay_fairly(j, x, way) : stay_in(j, x, way);
  uint8_t *goal = graph_take_set(j);
  memcpy(goal, y, j->graph->count);
  graph_keep_fair(j, goal);
  good = f->op == CTL_EU ? walk_to(j, x, goal, false, way)
                         : step_into(j, goal, way);
  graph_drop_sets(j, 1);
  return good;
}

ctl_guide graph_guide(judging *j)
{
  return (ctl_guide){j, start, satisfies, extend};
}
