/* Fires transitions by chance, and keeps up what depends on the marking. */

#include "net/random_walk.h"

#include "base/random.h"
#include <string.h>

#define NOWHERE UINT32_MAX
enum { FIRST_LENGTH = 1000, LONGEST = 1 << 18 };

/* A claim of a goal with what is known of it now.  Nodes of a goal come after
** their parents. */
typedef struct node {
  const claim *claim;
  uint32_t parent; /* NOWHERE: the root, */
  uint32_t goal;   /* of this goal */
  int64_t value;   /* SUM: of its terms; AND: parts that are false; OR: true */
  bool holds;
} node;

/* A sum that a place is part of. */
typedef struct watcher {
  uint32_t node;
  int32_t factor;
} watcher;

struct walk {
  const petri *net;
  walk_goal *goals;
  uint32_t goal_count;
  random_state dice;
  VEC(node) nodes;
  uint32_t *first_watcher; /* by place, and the end */
  watcher *watchers;
  int32_t *marking;
  /* By transition: conditions that are not met; where it stands among the
  ** enabled ones. */
  uint32_t *unmet, *position;
  uint32_t *enabled;
  uint32_t enabled_count;
  uint64_t *fired;
  bool *was_enabled, *has_changed;
  uint32_t enabled_left, change_left;
  VEC(uint32_t) path; /* since the start of the run */
  /* Found on this run: which goal, after how many steps. */
  VEC(uint32_t) found;
  VEC(size_t) found_at;
  bool *pending;  /* by goal: it is among them */
  uint32_t *root; /* by goal: its node */
  uint32_t open;  /* goals that are not done */
  uint64_t steps, length;
  bool seldom; /* this run prefers what fired seldom */
  /* Covering: an earlier marking of the run, the step it is from, its sum. */
  int32_t *early;
  size_t early_at, early_for;
  int64_t early_sum, sum;
  /* Found on this run: between these steps something has grown; or 0, 0. */
  size_t growth_from, growth_at;
  bool *inhibits; /* by place: some arc looks whether it has few tokens */
  uint32_t unbounded;
  arena *arena;
};

/* ---- making ------------------------------------------------------------- */

static uint32_t add_node(walk *w, const claim *c, uint32_t parent,
                         uint32_t goal)
{
  uint32_t number = (uint32_t)w->nodes.len;
  vec_push(&w->nodes, ((node){.claim = c, .parent = parent, .goal = goal}));
  if (c->op == CLAIM_AND || c->op == CLAIM_OR)
    for (uint32_t i = 0; i < c->count; i++)
      add_node(w, c->parts[i], number, goal);
  return number;
}

static void index_watchers(walk *w)
{
  uint32_t places = w->net->place_count, all = 0;
  uint32_t *first = ARENA_ARRAY(w->arena, uint32_t, places + 2);
  for (size_t i = 0; i < w->nodes.len; i++) {
    const claim *c = w->nodes.data[i].claim;
    for (uint32_t k = 0; c->op == CLAIM_SUM && k < c->count; k++, all++)
      first[c->terms[k].place + 2]++;
  }
  for (uint32_t p = 2; p < places + 2; p++)
    first[p] += first[p - 1];
  w->watchers = ARENA_ARRAY(w->arena, watcher, all + 1);
  for (size_t i = 0; i < w->nodes.len; i++) {
    const claim *c = w->nodes.data[i].claim;
    for (uint32_t k = 0; c->op == CLAIM_SUM && k < c->count; k++)
      w->watchers[first[c->terms[k].place + 1]++] =
          (watcher){(uint32_t)i, c->terms[k].factor};
  }
  w->first_watcher = first;
}

static void make_tables(walk *w)
{
  arena *a = w->arena;
  uint32_t places = w->net->place_count, transitions = w->net->transition_count;
  w->marking = ARENA_ARRAY(a, int32_t, places + 1);
  w->early = ARENA_ARRAY(a, int32_t, places + 1);
  w->inhibits = ARENA_ARRAY(a, bool, places + 1);
  w->has_changed = ARENA_ARRAY(a, bool, places + 1);
  w->unmet = ARENA_ARRAY(a, uint32_t, transitions + 1);
  w->position = ARENA_ARRAY(a, uint32_t, transitions + 1);
  w->enabled = ARENA_ARRAY(a, uint32_t, transitions + 1);
  w->fired = ARENA_ARRAY(a, uint64_t, transitions + 1);
  w->was_enabled = ARENA_ARRAY(a, bool, transitions + 1);
  w->pending = ARENA_ARRAY(a, bool, w->goal_count + 1);
  w->root = ARENA_ARRAY(a, uint32_t, w->goal_count + 1);
  for (uint32_t i = 0; i < w->net->first[transitions]; i++)
    w->inhibits[w->net->arcs[i].place] |= w->net->arcs[i].below != 0;
}

typedef struct making {
  walk *walk;
} making;

static void do_make(void *job)
{
  walk *w = ((making *)job)->walk;
  w->arena = arena_create();
  make_tables(w);
  for (uint32_t g = 0; g < w->goal_count; g++) {
    if (w->goals[g].claim && !w->goals[g].done)
      w->root[g] = add_node(w, w->goals[g].claim, NOWHERE, g);
  }
  index_watchers(w);
}

static void undo_make(void *job)
{
  walk_destroy(((making *)job)->walk);
}

walk *walk_create(const petri *net, walk_goal *goals, uint32_t count,
                  uint64_t seed)
{
  walk *w = mem_alloc(sizeof *w);
  making job = {w};
  w->net = net;
  w->goals = goals;
  w->goal_count = count;
  w->length = FIRST_LENGTH;
  w->unbounded = NOWHERE;
  w->enabled_left = net->transition_count;
  w->change_left = net->place_count;
  random_seed(&w->dice, seed);
  mem_protect_undo(do_make, undo_make, &job);
  return w;
}

void walk_destroy(walk *w)
{
  if (!w)
    return;
  vec_free(&w->nodes);
  vec_free(&w->path);
  vec_free(&w->found);
  vec_free(&w->found_at);
  arena_destroy(w->arena);
  mem_free(w, sizeof *w);
}

void walk_goals_free(walk_goal *goals, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    vec_free(&goals[i].path);
}

/* ---- claims ------------------------------------------------------------- */

static void note_goal(walk *w, uint32_t goal)
{
  if (w->pending[goal])
    return;
  w->pending[goal] = true;
  vec_push(&w->found, goal);
  vec_push(&w->found_at, w->path.len);
}

/* In the middle of a step claims hold that do not at its end. */
static void drop_passing(walk *w, size_t before)
{
  size_t kept = before;
  for (size_t i = before; i < w->found.len; i++) {
    uint32_t goal = w->found.data[i];
    w->pending[goal] = w->nodes.data[w->root[goal]].holds;
    if (w->pending[goal]) {
      w->found.data[kept] = goal;
      w->found_at.data[kept++] = w->found_at.data[i];
    }
  }
  w->found.len = w->found_at.len = kept;
}

static void forget_found(walk *w)
{
  for (size_t i = 0; i < w->found.len; i++)
    w->pending[w->found.data[i]] = false;
  vec_clear(&w->found);
  vec_clear(&w->found_at);
}

/* A node has become what it was not; tells those above. */
static void flip(walk *w, node *n)
{
  for (;;) {
    n->holds = !n->holds;
    if (n->parent == NOWHERE) {
      if (n->holds && !w->goals[n->goal].done)
        note_goal(w, n->goal);
      return;
    }
    node *up = &w->nodes.data[n->parent];
    bool all = up->claim->op == CLAIM_AND;
    up->value += n->holds == all ? -1 : 1;
    if (up->holds == (all ? !up->value : up->value > 0))
      return;
    n = up;
  }
}

static void update_claims(walk *w, uint32_t place, int32_t change)
{
  for (uint32_t i = w->first_watcher[place]; i < w->first_watcher[place + 1];
       i++) {
    node *n = &w->nodes.data[w->watchers[i].node];
    n->value += (int64_t)w->watchers[i].factor * change;
    if (n->holds != (n->value <= n->claim->limit))
      flip(w, n);
  }
}

/* From nothing; parts come after what they are part of. */
static void start_claims(walk *w)
{
  for (size_t i = 0; i < w->nodes.len; i++)
    w->nodes.data[i].value = 0;
  for (size_t i = w->nodes.len; i-- > 0;) {
    node *n = &w->nodes.data[i];
    bool all = n->claim->op == CLAIM_AND;
    if (n->claim->op == CLAIM_SUM)
      n->value = claim_value(n->claim, w->marking);
    n->holds = n->claim->op == CLAIM_SUM  ? n->value <= n->claim->limit
               : all                      ? !n->value
               : n->claim->op == CLAIM_OR ? n->value > 0
                                          : n->claim->op == CLAIM_TRUE;
    if (n->parent == NOWHERE) {
      if (n->holds && !w->goals[n->goal].done)
        note_goal(w, n->goal);
      continue;
    }
    node *up = &w->nodes.data[n->parent];
    up->value += (up->claim->op == CLAIM_AND) != n->holds;
  }
}

/* ---- enabled transitions ------------------------------------------------ */

static void enable(walk *w, uint32_t t)
{
  w->position[t] = w->enabled_count;
  w->enabled[w->enabled_count++] = t;
}

static void disable(walk *w, uint32_t t)
{
  uint32_t last = w->enabled[--w->enabled_count];
  w->enabled[w->position[t]] = last;
  w->position[last] = w->position[t];
}

static uint32_t unmet_conditions(const petri_arc *a, int32_t tokens)
{
  return (tokens < a->take) + (a->below && tokens >= a->below);
}

static void update_enabled(walk *w, uint32_t place, int32_t before,
                           int32_t after)
{
  const petri *net = w->net;
  for (uint32_t i = net->first_use[place]; i < net->first_use[place + 1]; i++) {
    const petri_use *u = &net->uses[i];
    const petri_arc *a = &net->arcs[u->arc];
    uint32_t was = unmet_conditions(a, before), is = unmet_conditions(a, after);
    if (was == is)
      continue;
    uint32_t now = w->unmet[u->transition] + is - was;
    if (!w->unmet[u->transition])
      disable(w, u->transition);
    w->unmet[u->transition] = now;
    if (!now)
      enable(w, u->transition);
  }
}

static void start_enabled(walk *w)
{
  const petri *net = w->net;
  w->enabled_count = 0;
  for (uint32_t t = 0; t < net->transition_count; t++) {
    w->unmet[t] = 0;
    for (uint32_t i = net->first[t]; i < net->first[t + 1]; i++)
      w->unmet[t] +=
          unmet_conditions(&net->arcs[i], w->marking[net->arcs[i].place]);
    if (!w->unmet[t])
      enable(w, t);
  }
}

/* ---- believing ---------------------------------------------------------- */

static void take_goal(walk *w, uint32_t goal, size_t length)
{
  walk_goal *g = &w->goals[goal];
  if (g->done)
    return;
  vec_resize(&g->path, length);
  if (length)
    memcpy(g->path.data, w->path.data, length * sizeof *g->path.data);
  g->done = g->reached = true;
  w->open--;
}

static bool goal_holds(const walk *w, uint32_t goal, const int32_t *marking)
{
  const claim *c = w->goals[goal].claim;
  return c ? claim_holds(c, marking) : petri_is_dead(w->net, marking);
}

/* Notes what is seen in one marking of a replay. */
static void see_marking(walk *w, const int32_t *marking)
{
  for (uint32_t p = 0; w->change_left && p < w->net->place_count; p++)
    if (!w->has_changed[p] && marking[p] != w->net->tokens[p]) {
      w->has_changed[p] = true;
      w->change_left--;
    }
}

static void see_fired(walk *w, uint32_t t)
{
  if (w->was_enabled[t])
    return;
  w->was_enabled[t] = true;
  w->enabled_left--;
}

/* Goes the way of the run again, slowly, and believes what it sees. */
static void confirm(walk *w, bool everywhere)
{
  int32_t *marking = w->early; /* the run is over: nobody needs it */
  size_t next = 0;
  if (!everywhere && !w->found.len)
    return;
  memcpy(marking, w->net->tokens, w->net->place_count * sizeof *marking);
  for (size_t i = 0;; i++) {
    for (; next < w->found.len && w->found_at.data[next] == i; next++)
      if (goal_holds(w, w->found.data[next], marking))
        take_goal(w, w->found.data[next], i);
    if (everywhere && w->change_left)
      see_marking(w, marking);
    if (i == w->path.len || (next == w->found.len && !everywhere))
      break;
    uint32_t t = w->path.data[i];
    if (!petri_enabled(w->net, t, marking))
      break; /* a mistake of ours: nothing behind it counts */
    see_fired(w, t);
    if (!petri_fire(w->net, t, marking))
      break;
  }
  forget_found(w);
}

/* ---- covering ----------------------------------------------------------- */

static void remember(walk *w)
{
  memcpy(w->early, w->marking, w->net->place_count * sizeof *w->early);
  w->early_at = w->path.len;
  w->early_sum = w->sum;
  w->early_for = 2 * w->early_for + 2;
}

/* The place that has grown where 'late' covers 'early'; NOWHERE: it does not. */
static uint32_t covering(const walk *w, const int32_t *early,
                         const int32_t *late)
{
  uint32_t more = NOWHERE;
  for (uint32_t p = 0; p < w->net->place_count; p++) {
    if (late[p] < early[p] || (late[p] > early[p] && w->inhibits[p]))
      return NOWHERE;
    if (late[p] > early[p])
      more = p;
  }
  return more;
}

/* Cheap where there are not more tokens than there were. */
static void look_for_growth(walk *w)
{
  if (w->sum > w->early_sum && w->unbounded == NOWHERE && !w->growth_at &&
      covering(w, w->early, w->marking) != NOWHERE) {
    w->growth_from = w->early_at;
    w->growth_at = w->path.len;
  }
  if (w->path.len - w->early_at >= w->early_for)
    remember(w);
}

static void confirm_growth(walk *w)
{
  if (w->growth_at &&
      petri_replay(w->net, w->path.data, w->growth_from, w->early) &&
      petri_replay(w->net, w->path.data, w->growth_at, w->marking))
    w->unbounded = covering(w, w->early, w->marking);
}

/* ---- running ------------------------------------------------------------ */

static void start_run(walk *w)
{
  memcpy(w->marking, w->net->tokens, w->net->place_count * sizeof *w->marking);
  vec_clear(&w->path);
  forget_found(w);
  w->growth_at = 0;
  w->sum = 0;
  for (uint32_t p = 0; p < w->net->place_count; p++)
    w->sum += w->marking[p];
  w->early_for = 0;
  start_claims(w);
  start_enabled(w);
  remember(w);
}

static uint32_t pick(walk *w)
{
  uint32_t a = w->enabled[random_below(&w->dice, w->enabled_count)];
  if (!w->seldom)
    return a;
  uint32_t b = w->enabled[random_below(&w->dice, w->enabled_count)];
  return w->fired[b] < w->fired[a] ? b : a;
}

static bool is_full(const walk *w, uint32_t t)
{
  const petri *net = w->net;
  for (uint32_t i = net->first[t]; i < net->first[t + 1]; i++)
    if (w->marking[net->arcs[i].place] > PETRI_TOKENS_MAX - net->arcs[i].put)
      return true;
  return false;
}

/* False: a place is full. */
static bool step(walk *w, uint32_t t)
{
  const petri *net = w->net;
  size_t found = w->found.len;
  if (is_full(w, t))
    return false;
  vec_push(&w->path, t);
  w->fired[t]++;
  w->steps++;
  for (uint32_t i = net->first[t]; i < net->first[t + 1]; i++) {
    const petri_arc *a = &net->arcs[i];
    int32_t change = petri_effect(a), before = w->marking[a->place];
    if (!change)
      continue;
    w->marking[a->place] = before + change;
    w->sum += change;
    update_enabled(w, a->place, before, before + change);
    update_claims(w, a->place, change);
  }
  if (w->found.len > found)
    drop_passing(w, found);
  look_for_growth(w);
  return true;
}

static void note_dead(walk *w)
{
  for (uint32_t g = 0; g < w->goal_count; g++)
    if (!w->goals[g].claim && !w->goals[g].done)
      note_goal(w, g);
}

static bool is_enough(const walk *w, bool everywhere)
{
  return !w->open && (!everywhere || (!w->enabled_left && !w->change_left));
}

/* Others may have settled some of them meanwhile. */
static void count_open(walk *w)
{
  w->open = 0;
  for (uint32_t g = 0; g < w->goal_count; g++)
    w->open += !w->goals[g].done;
}

/* One run, and what it has shown. */
static void run(walk *w, bool everywhere, limits *l)
{
  uint64_t run_end = w->steps + w->length;
  start_run(w);
  while (w->enabled_count && w->steps < run_end)
    if (!step(w, pick(w)) || (w->steps % 1024 == 0 && limits_reached(l)))
      break;
  if (!w->enabled_count)
    note_dead(w);
  confirm(w, everywhere);
  confirm_growth(w);
  w->seldom = !w->seldom;
  if (w->seldom && w->length < LONGEST)
    w->length += w->length / 4;
  w->steps++; /* a net where nothing can happen has an end, too */
}

bool walk_run(walk *w, uint64_t steps, bool everywhere, limits *l)
{
  uint64_t end = w->steps + steps;
  count_open(w);
  while (w->steps < end && !is_enough(w, everywhere)) {
    run(w, everywhere, l);
    if (l->reason != REASON_NONE)
      return false;
  }
  return true;
}

bool walk_looking(walk *w, uint64_t steps, walk_look *look, void *context,
                  limits *l)
{
  uint64_t end = w->steps + steps;
  while (w->steps < end) {
    run(w, false, l);
    if (l->reason != REASON_NONE)
      return false;
    if (look(context, w->marking, w->path.data, w->path.len))
      break;
  }
  return true;
}

/* ---- with a goal -------------------------------------------------------- */

static int64_t distance_after(walk *w, const claim *c, uint32_t t)
{
  const petri *net = w->net;
  if (is_full(w, t))
    return INT64_MAX;
  for (uint32_t i = net->first[t]; i < net->first[t + 1]; i++)
    w->marking[net->arcs[i].place] += petri_effect(&net->arcs[i]);
  int64_t found = claim_distance(c, w->marking);
  for (uint32_t i = net->first[t]; i < net->first[t + 1]; i++)
    w->marking[net->arcs[i].place] -= petri_effect(&net->arcs[i]);
  return found;
}

/* The best of some enabled transitions, now and then any. */
static uint32_t pick_towards(walk *w, const claim *c)
{
  enum { LOOKED_AT = 12, ANY = 8 };
  uint32_t best = w->enabled[random_below(&w->dice, w->enabled_count)];
  if (random_below(&w->dice, ANY) == 0)
    return best;
  int64_t least = distance_after(w, c, best);
  for (uint32_t i = 0; i < LOOKED_AT; i++) {
    uint32_t t =
        w->enabled[i < w->enabled_count && w->enabled_count <= LOOKED_AT
                       ? i
                       : random_below(&w->dice, w->enabled_count)];
    int64_t d = distance_after(w, c, t);
    if (d < least) {
      least = d;
      best = t;
    }
  }
  return best;
}

bool walk_towards(walk *w, uint32_t goal, uint64_t steps, limits *l)
{
  const claim *c = w->goals[goal].claim;
  uint64_t end = w->steps + steps;
  while (c && w->steps < end && !w->goals[goal].done) {
    uint64_t run_end = w->steps + FIRST_LENGTH;
    start_run(w);
    while (w->enabled_count && w->steps < run_end && w->steps < end &&
           !w->pending[goal])
      if (!step(w, pick_towards(w, c)) ||
          (w->steps % 64 == 0 && limits_reached(l)))
        break;
    confirm(w, false);
    w->steps++;
    if (l->reason != REASON_NONE)
      return false;
  }
  return true;
}

/* ---- what was seen ------------------------------------------------------ */

bool walk_saw_enabled(const walk *w, uint32_t t)
{
  return w->was_enabled[t];
}

bool walk_saw_change(const walk *w, uint32_t place)
{
  return w->has_changed[place];
}

uint32_t walk_unbounded(const walk *w)
{
  return w->unbounded;
}
