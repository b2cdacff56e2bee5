/* CTL state by state, over the graph of all states.  Sets are a byte for each
** state; until is a walk backwards from the goal, and a run for ever is found
** by strongly connected components (Tarjan), so that nothing but the formula
** is shared with the twin in ctl_sets.c. */

#include "base/alloc.h"
#include "search/usage.h"
#include "symbolic/ctl.h"
#include "symbolic/inside.h"

enum { GRAPH_LOOK_EVERY = 128 };

struct state_graph {
  program *program;
  symbolic_options options;
  worker *worker;
  batch batch;
  field states; /* by number, from 1; here they count from 0 */
  VEC(uint8_t) state;
  uint32_t count;
  VEC(uint32_t) targets, first; /* first: of each state in 'targets' */
  VEC(uint32_t) sources, first_source;
  reason reason;
  bool complete;
  double started;
};

typedef VEC(uint8_t) state_set;

typedef struct visit {
  uint32_t state, next;
} visit;

/* Answering one question.  All that takes memory belongs to it, so that
** nothing is lost when there is no more. */
typedef struct judging {
  state_graph *graph;
  const ctl_options *options;
  VEC(state_set) sets; /* the first 'used' are in use, the last taken first */
  size_t used;
  VEC(uint32_t) waiting, index, low, open;
  VEC(visit) path;
  VEC(const uint8_t *) constraints; /* sets */
  const uint8_t *fair;
  bool failed; /* an atom has no value in some state */
} judging;

/* An empty set, until it is dropped. */
static uint8_t *take_set(judging *j)
{
  if (j->used == j->sets.len)
    vec_push(&j->sets, (state_set){0});
  state_set *x = &j->sets.data[j->used];
  vec_resize(x, (size_t)j->graph->count + 1);
  memset(x->data, 0, x->len);
  j->used++;
  return x->data;
}

/* The sets taken last. */
static void drop_sets(judging *j, size_t count)
{
  j->used -= count;
}

static void judging_destroy(judging *j)
{
  for (size_t i = 0; i < j->sets.len; i++)
    vec_free(&j->sets.data[i]);
  vec_free(&j->sets);
  vec_free(&j->waiting);
  vec_free(&j->index);
  vec_free(&j->low);
  vec_free(&j->open);
  vec_free(&j->path);
  vec_free(&j->constraints);
  mem_free(j, sizeof *j);
}

/* ---- exploring ---------------------------------------------------------- */

static bool graph_impatient(void *context)
{
  state_graph *g = context;
  const symbolic_options *o = &g->options;
  if (o->interrupt && *o->interrupt)
    g->reason = REASON_INTERRUPTED;
  else if (o->seconds > 0 && usage_seconds() - g->started >= o->seconds)
    g->reason = REASON_TIME_LIMIT;
  else if (o->memory_bytes && usage_resident() > o->memory_bytes)
    g->reason = REASON_MEMORY_LIMIT;
  return g->reason != REASON_NONE;
}

static uint32_t number_of(state_graph *g, const successor *s)
{
  return field_read(&g->states, g->batch.bytes.data + s->start, s->length) - 1;
}

static const uint8_t *state_bytes(const state_graph *g, uint32_t state,
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
  const uint8_t *bytes = state_bytes(g, state, &length);
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

static void explore_graph(state_graph *g, uint64_t max_states)
{
  program_initial(g->worker, &g->batch);
  if (!g->batch.list.len) {
    g->reason = REASON_ERRORS;
    return;
  }
  number_of(g, &g->batch.list.data[0]);
  vec_push(&g->first, 0);
  for (uint32_t i = 0; i + 1 < g->states.starts.len; i++) {
    if (g->states.starts.len > max_states ||
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

state_graph *graph_create(program *p, const symbolic_options *o,
                          uint64_t max_states)
{
  state_graph *const g = mem_alloc(sizeof *g);
  jmp_buf here;
  jmp_buf *volatile outer = mem_guard(&here);
  if (setjmp(here)) {
    graph_destroy(g);
    mem_pass_on(outer);
  }
  g->program = p;
  g->options = *o;
  g->started = usage_seconds();
  g->states.kind = FIELD_STATE;
  g->worker = worker_create(p);
  worker_set_patience(g->worker, graph_impatient, g);
  if (program_hidden(p))
    g->reason = REASON_HIDDEN_SETS;
  else
    explore_graph(g, max_states);
  mem_guard(outer);
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

/* ---- until -------------------------------------------------------------- */

static bool is_stuck(const state_graph *g, uint32_t s)
{
  return g->first.data[s] == g->first.data[s + 1];
}

/* Adds to 'goal' all states from which it is reached through 'through'. */
static void walk_backwards(judging *j, const uint8_t *through, uint8_t *goal)
{
  const state_graph *g = j->graph;
  vec_clear(&j->waiting);
  for (uint32_t s = 0; s < g->count; s++)
    if (goal[s])
      vec_push(&j->waiting, s);
  while (j->waiting.len) {
    uint32_t s = vec_pop(&j->waiting);
    for (uint32_t i = g->first_source.data[s]; i < g->first_source.data[s + 1];
         i++) {
      uint32_t before = g->sources.data[i];
      if (goal[before] || !through[before])
        continue;
      goal[before] = 1;
      vec_push(&j->waiting, before);
    }
  }
}

/* ---- for ever ----------------------------------------------------------- */

/* Strongly connected components, after Tarjan: 'index' and 'low' count from 1,
** 0 is not visited; 'open' has the states of components not yet closed. */
typedef struct tarjan {
  judging *judging;
  const state_graph *graph;
  const uint8_t *within;
  uint8_t *good; /* states of components in which a fair run can stay */
  uint8_t *is_open;
  uint32_t clock;
} tarjan;

/* A component from 'from' on in 'open': can a run stay in it, fairly? */
static bool is_good(const tarjan *t, size_t from)
{
  const state_graph *g = t->graph;
  const judging *j = t->judging;
  uint32_t s = j->open.data[from];
  bool turns = j->open.len - from > 1 || is_stuck(g, s);
  for (uint32_t i = g->first.data[s]; i < g->first.data[s + 1]; i++)
    turns |= g->targets.data[i] == s;
  for (size_t k = 0; turns && k < j->constraints.len; k++) {
    bool met = false;
    for (size_t i = from; i < j->open.len && !met; i++)
      met = j->constraints.data[k][j->open.data[i]];
    turns = met;
  }
  return turns;
}

static void close_component(tarjan *t, uint32_t root)
{
  judging *j = t->judging;
  size_t from = j->open.len;
  while (j->open.data[--from] != root)
    ;
  bool good = is_good(t, from);
  for (size_t i = from; i < j->open.len; i++) {
    t->is_open[j->open.data[i]] = 0;
    t->good[j->open.data[i]] = good;
  }
  j->open.len = from;
}

static void enter(tarjan *t, uint32_t s)
{
  judging *j = t->judging;
  j->index.data[s] = j->low.data[s] = ++t->clock;
  t->is_open[s] = 1;
  vec_push(&j->open, s);
  vec_push(&j->path, ((visit){s, t->graph->first.data[s]}));
}

static void visit_from(tarjan *t, uint32_t start)
{
  const state_graph *g = t->graph;
  judging *j = t->judging;
  uint32_t *index = j->index.data, *low = j->low.data;
  enter(t, start);
  while (j->path.len) {
    visit *v = &vec_last(&j->path);
    uint32_t s = v->state;
    if (v->next < g->first.data[s + 1]) {
      uint32_t to = g->targets.data[v->next++];
      if (!t->within[to])
        continue;
      if (!index[to])
        enter(t, to);
      else if (t->is_open[to] && index[to] < low[s])
        low[s] = index[to];
      continue;
    }
    j->path.len--;
    if (j->path.len) {
      uint32_t up = vec_last(&j->path).state;
      low[up] = low[s] < low[up] ? low[s] : low[up];
    }
    if (low[s] == index[s])
      close_component(t, s);
  }
}

/* Cuts 'within' down to the states from which it can hold for ever. */
static void stay_within(judging *j, uint8_t *within)
{
  size_t n = j->graph->count;
  tarjan t = {.judging = j, .graph = j->graph, .within = within};
  t.good = take_set(j);
  t.is_open = take_set(j);
  vec_clear(&j->index);
  vec_resize(&j->index, n);
  vec_resize(&j->low, n);
  for (uint32_t s = 0; s < n; s++)
    if (within[s] && !j->index.data[s])
      visit_from(&t, s);
  walk_backwards(j, within, t.good);
  memcpy(within, t.good, n);
  drop_sets(j, 2);
}

/* ---- formulas ----------------------------------------------------------- */

static bool value_of(judging *j, const expr *e, uint32_t state)
{
  fault_kind wrong = FAULT_NONE;
  uint32_t length;
  const uint8_t *bytes = state_bytes(j->graph, state, &length);
  int32_t value = program_evaluate(j->graph->worker, e, bytes, length, &wrong);
  j->failed |= wrong != FAULT_NONE;
  return value != 0;
}

static void judge_atom(judging *j, const expr *e, uint8_t *out)
{
  for (uint32_t s = 0; s < j->graph->count; s++)
    out[s] = value_of(j, e, s);
}

static void keep_fair(const judging *j, uint8_t *x)
{
  if (j->constraints.len)
    for (uint32_t s = 0; s < j->graph->count; s++)
      x[s] &= j->fair[s];
}

static void judge_next(judging *j, uint8_t *x)
{
  const state_graph *g = j->graph;
  uint8_t *goal = take_set(j);
  keep_fair(j, x);
  memcpy(goal, x, g->count);
  for (uint32_t s = 0; s < g->count; s++) {
    bool some = is_stuck(g, s) && j->options->stutter && goal[s];
    for (uint32_t i = g->first.data[s]; i < g->first.data[s + 1]; i++)
      some |= goal[g->targets.data[i]];
    x[s] = some;
  }
  drop_sets(j, 1);
}

static void judge(judging *j, const ctl *f, uint8_t *out);

static void judge_pair(judging *j, const ctl *f, uint8_t *out)
{
  uint8_t *y = take_set(j);
  judge(j, f->a, out);
  judge(j, f->b, y);
  if (f->op == CTL_EU) {
    keep_fair(j, y);
    walk_backwards(j, out, y);
    memcpy(out, y, j->graph->count);
  }
  for (uint32_t s = 0; s < j->graph->count && f->op != CTL_EU; s++)
    out[s] = f->op == CTL_AND ? out[s] & y[s] : out[s] | y[s];
  drop_sets(j, 1);
}

/* The states that satisfy a reduced formula. */
static void judge(judging *j, const ctl *f, uint8_t *out)
{
  uint32_t n = j->graph->count;
  switch (f->op) {
  case CTL_ATOM:
    judge_atom(j, f->atom, out);
    break;
  case CTL_NOT:
    judge(j, f->a, out);
    for (uint32_t s = 0; s < n; s++)
      out[s] = !out[s];
    break;
  case CTL_AND:
  case CTL_OR:
  case CTL_EU:
    judge_pair(j, f, out);
    break;
  case CTL_EX:
    judge(j, f->a, out);
    judge_next(j, out);
    break;
  case CTL_EG:
    judge(j, f->a, out);
    stay_within(j, out);
    break;
  default:
    memset(out, 1, n);
    break;
  }
}

/* ---- runs --------------------------------------------------------------- */

static void graph_run_add(const state_graph *g, ctl_run *way, uint32_t state)
{
  uint32_t length;
  const uint8_t *bytes = state_bytes(g, state, &length);
  if (!way->starts.len)
    vec_push(&way->starts, 0);
  vec_grow(&way->bytes, length);
  memcpy(way->bytes.data + way->bytes.len, bytes, length);
  way->bytes.len += length;
  vec_push(&way->starts, (uint32_t)way->bytes.len);
}

/* A shortest run from the initial state through x to y; false: none. */
static bool graph_run_to(judging *j, const uint8_t *x, const uint8_t *y,
                         ctl_run *way)
{
  const state_graph *g = j->graph;
  uint32_t found = UINT32_MAX;
  vec_clear(&j->index); /* the state before, + 1; the initial one has itself */
  vec_resize(&j->index, g->count);
  vec_clear(&j->waiting);
  j->index.data[0] = 1;
  vec_push(&j->waiting, 0);
  for (size_t at = 0; at < j->waiting.len && found == UINT32_MAX; at++) {
    uint32_t s = j->waiting.data[at];
    if (y[s])
      found = s;
    for (uint32_t i = g->first.data[s]; x[s] && i < g->first.data[s + 1]; i++) {
      uint32_t to = g->targets.data[i];
      if (j->index.data[to])
        continue;
      j->index.data[to] = s + 1;
      vec_push(&j->waiting, to);
    }
  }
  vec_clear(&j->waiting);
  for (uint32_t s = found; found != UINT32_MAX;) {
    vec_push(&j->waiting, s);
    if (!s)
      break;
    s = j->index.data[s] - 1;
  }
  for (size_t i = j->waiting.len; i-- > 0;)
    graph_run_add(g, way, j->waiting.data[i]);
  return found != UINT32_MAX;
}

/* For ever within z, always by the first step that allows it. */
static void graph_run_within(judging *j, const uint8_t *z, ctl_run *way)
{
  const state_graph *g = j->graph;
  uint32_t s = 0, n = 0;
  vec_clear(&j->index); /* place on the run, + 1 */
  vec_resize(&j->index, g->count);
  while (!j->index.data[s]) {
    j->index.data[s] = ++n;
    graph_run_add(g, way, s);
    for (uint32_t i = g->first.data[s]; i < g->first.data[s + 1]; i++)
      if (z[g->targets.data[i]]) {
        s = g->targets.data[i];
        break;
      }
  }
  way->loop = j->index.data[s] - 1;
}

static bool explain_path(judging *j, const ctl *f, ctl_run *way)
{
  bool until = f->op == CTL_EU, good = false;
  const ctl *goal = until ? f->b : f->a;
  uint8_t *x = take_set(j), *y = take_set(j);
  judge(j, goal, y);
  keep_fair(j, y);
  if (until) {
    judge(j, f->a, x);
    good = graph_run_to(j, x, y, way);
  } else {
    graph_run_add(j->graph, way, 0);
    for (uint32_t i = 0; i < j->graph->first.data[1] && !good; i++) {
      good = y[j->graph->targets.data[i]];
      if (good)
        graph_run_add(j->graph, way, j->graph->targets.data[i]);
    }
  }
  way->goal = goal;
  drop_sets(j, 2);
  return good;
}

static bool graph_explain(judging *j, const ctl *f, bool holds, ctl_run *way)
{
  uint8_t *x;
  bool good = false;
  switch (f->op) {
  case CTL_NOT:
    return graph_explain(j, f->a, !holds, way);
  case CTL_AND:
  case CTL_OR:
    if (holds == (f->op == CTL_AND))
      return false; /* two reasons, not one run */
    x = take_set(j);
    judge(j, f->a, x);
    good = x[0] == holds;
    drop_sets(j, 1);
    return graph_explain(j, good ? f->a : f->b, holds, way);
  case CTL_EU:
  case CTL_EX:
    return holds && explain_path(j, f, way);
  case CTL_EG:
    if (!holds || j->constraints.len)
      return false;
    x = take_set(j);
    judge(j, f, x);
    graph_run_within(j, x, way);
    drop_sets(j, 1);
    return true;
  default:
    return false;
  }
}

/* ---- from outside ------------------------------------------------------- */

static void begin_judging(judging *j)
{
  for (size_t i = 0; i < j->options->fair_count; i++) {
    uint8_t *x = take_set(j);
    judge_atom(j, j->options->fair[i], x);
    vec_push(&j->constraints, x);
  }
  uint8_t *fair = take_set(j);
  memset(fair, 1, j->graph->count);
  if (j->constraints.len)
    stay_within(j, fair);
  j->fair = fair;
}

static verdict answer_by_graph(judging *j, const ctl *f, ctl_run *way)
{
  begin_judging(j);
  uint8_t *found = take_set(j);
  judge(j, f, found);
  if (j->failed) {
    j->graph->reason = REASON_PROPOSITION;
    return VERDICT_UNKNOWN;
  }
  bool holds = found[0];
  if (way && !graph_explain(j, f, holds, way))
    ctl_run_free(way);
  return holds ? VERDICT_HOLDS : VERDICT_VIOLATED;
}

verdict graph_ctl(state_graph *g, const ctl *f, const ctl_options *o,
                  ctl_run *way)
{
  judging *const j = mem_alloc(sizeof *j);
  jmp_buf here;
  jmp_buf *volatile outer = mem_guard(&here);
  if (setjmp(here)) {
    judging_destroy(j);
    mem_pass_on(outer);
  }
  j->graph = g;
  j->options = o;
  verdict answer = answer_by_graph(j, f, way);
  mem_guard(outer);
  judging_destroy(j);
  return answer;
}
