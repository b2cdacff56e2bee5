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
  uint32_t *next = mem_alloc((g->count + (size_t)1) * sizeof *next);
  memcpy(next, first, g->count * sizeof *next);
  for (uint32_t s = 0; s < g->count; s++)
    for (uint32_t i = g->first.data[s]; i < g->first.data[s + 1]; i++)
      g->sources.data[next[g->targets.data[i]]++] = s;
  mem_free(next, (g->count + (size_t)1) * sizeof *next);
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
static void walk_backwards(const state_graph *g, const uint8_t *through,
                           uint8_t *goal)
{
  VEC(uint32_t) waiting = {0};
  for (uint32_t s = 0; s < g->count; s++)
    if (goal[s])
      vec_push(&waiting, s);
  while (waiting.len) {
    uint32_t s = vec_pop(&waiting);
    for (uint32_t i = g->first_source.data[s]; i < g->first_source.data[s + 1];
         i++) {
      uint32_t before = g->sources.data[i];
      if (goal[before] || !through[before])
        continue;
      goal[before] = 1;
      vec_push(&waiting, before);
    }
  }
  vec_free(&waiting);
}

/* ---- for ever ----------------------------------------------------------- */

typedef struct visit {
  uint32_t state, next;
} visit;

typedef struct tarjan {
  const state_graph *graph;
  const uint8_t *within;
  uint8_t *good; /* states of components in which a fair run can stay */
  const state_set *constraints;
  size_t constraint_count;
  uint32_t *index, *low; /* from 1; 0: not visited */
  uint32_t clock;
  VEC(visit) path;
  VEC(uint32_t) open;
  uint8_t *is_open;
} tarjan;

/* A component from 'from' on in 'open': can a run stay in it, fairly? */
static bool is_good(const tarjan *t, size_t from)
{
  const state_graph *g = t->graph;
  uint32_t s = t->open.data[from];
  bool turns = t->open.len - from > 1 || is_stuck(g, s);
  for (uint32_t i = g->first.data[s]; i < g->first.data[s + 1]; i++)
    turns |= g->targets.data[i] == s;
  for (size_t k = 0; turns && k < t->constraint_count; k++) {
    bool met = false;
    for (size_t i = from; i < t->open.len && !met; i++)
      met = t->constraints[k].data[t->open.data[i]];
    turns = met;
  }
  return turns;
}

static void close_component(tarjan *t, uint32_t root)
{
  size_t from = t->open.len;
  while (t->open.data[--from] != root)
    ;
  bool good = is_good(t, from);
  for (size_t i = from; i < t->open.len; i++) {
    t->is_open[t->open.data[i]] = 0;
    t->good[t->open.data[i]] = good;
  }
  t->open.len = from;
}

static void enter(tarjan *t, uint32_t s)
{
  t->index[s] = t->low[s] = ++t->clock;
  t->is_open[s] = 1;
  vec_push(&t->open, s);
  vec_push(&t->path, ((visit){s, t->graph->first.data[s]}));
}

static void visit_from(tarjan *t, uint32_t start)
{
  const state_graph *g = t->graph;
  enter(t, start);
  while (t->path.len) {
    visit *v = &vec_last(&t->path);
    uint32_t s = v->state;
    if (v->next < g->first.data[s + 1]) {
      uint32_t to = g->targets.data[v->next++];
      if (!t->within[to])
        continue;
      if (!t->index[to])
        enter(t, to);
      else if (t->is_open[to] && t->index[to] < t->low[s])
        t->low[s] = t->index[to];
      continue;
    }
    t->path.len--;
    if (t->path.len) {
      uint32_t up = vec_last(&t->path).state;
      t->low[up] = t->low[s] < t->low[up] ? t->low[s] : t->low[up];
    }
    if (t->low[s] == t->index[s])
      close_component(t, s);
  }
}

/* Cuts 'within' down to the states from which it can hold for ever. */
static void stay_within(const state_graph *g, const state_set *constraints,
                        size_t count, uint8_t *within)
{
  size_t n = g->count;
  tarjan t = {.graph = g,
              .within = within,
              .constraints = constraints,
              .constraint_count = count};
  t.good = mem_alloc(n + 1);
  t.is_open = mem_alloc(n + 1);
  t.index = mem_alloc((n + 1) * sizeof *t.index);
  t.low = mem_alloc((n + 1) * sizeof *t.low);
  for (uint32_t s = 0; s < n; s++)
    if (within[s] && !t.index[s])
      visit_from(&t, s);
  walk_backwards(g, within, t.good);
  memcpy(within, t.good, n);
  vec_free(&t.path);
  vec_free(&t.open);
  mem_free(t.good, n + 1);
  mem_free(t.is_open, n + 1);
  mem_free(t.index, (n + 1) * sizeof *t.index);
  mem_free(t.low, (n + 1) * sizeof *t.low);
}

/* ---- formulas ----------------------------------------------------------- */

typedef struct judging {
  state_graph *graph;
  const ctl_options *options;
  VEC(state_set) constraints;
  state_set fair;
  bool failed; /* an atom has no value in some state */
} judging;

static bool value_of(judging *j, const expr *e, uint32_t state)
{
  fault_kind wrong = FAULT_NONE;
  uint32_t length;
  const uint8_t *bytes = state_bytes(j->graph, state, &length);
  int32_t value = program_evaluate(j->graph->worker, e, bytes, length, &wrong);
  j->failed |= wrong != FAULT_NONE;
  return value != 0;
}

static void judge_atom(judging *j, const expr *e, state_set *out)
{
  vec_resize(out, j->graph->count);
  for (uint32_t s = 0; s < j->graph->count; s++)
    out->data[s] = value_of(j, e, s);
}

static void keep_fair(const judging *j, state_set *x)
{
  if (j->constraints.len)
    for (uint32_t s = 0; s < j->graph->count; s++)
      x->data[s] &= j->fair.data[s];
}

static void judge_next(const judging *j, state_set *x)
{
  const state_graph *g = j->graph;
  state_set goal = {0};
  keep_fair(j, x);
  vec_resize(&goal, g->count);
  memcpy(goal.data, x->data, g->count);
  for (uint32_t s = 0; s < g->count; s++) {
    bool some = is_stuck(g, s) && j->options->stutter && goal.data[s];
    for (uint32_t i = g->first.data[s]; i < g->first.data[s + 1]; i++)
      some |= goal.data[g->targets.data[i]];
    x->data[s] = some;
  }
  vec_free(&goal);
}

static void judge(judging *j, const ctl *f, state_set *out);

static void judge_pair(judging *j, const ctl *f, state_set *out)
{
  state_set y = {0};
  judge(j, f->a, out);
  judge(j, f->b, &y);
  if (f->op == CTL_EU) {
    keep_fair(j, &y);
    walk_backwards(j->graph, out->data, y.data);
    memcpy(out->data, y.data, j->graph->count);
  }
  for (uint32_t s = 0; s < j->graph->count && f->op != CTL_EU; s++)
    out->data[s] =
        f->op == CTL_AND ? out->data[s] & y.data[s] : out->data[s] | y.data[s];
  vec_free(&y);
}

/* The states that satisfy a reduced formula. */
static void judge(judging *j, const ctl *f, state_set *out)
{
  uint32_t n = j->graph->count;
  switch (f->op) {
  case CTL_ATOM:
    judge_atom(j, f->atom, out);
    break;
  case CTL_NOT:
    judge(j, f->a, out);
    for (uint32_t s = 0; s < n; s++)
      out->data[s] = !out->data[s];
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
    stay_within(j->graph, j->constraints.data, j->constraints.len, out->data);
    break;
  default:
    vec_resize(out, n);
    memset(out->data, 1, n);
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
static bool graph_run_to(const state_graph *g, const uint8_t *x,
                         const uint8_t *y, ctl_run *way)
{
  VEC(uint32_t) parents = {0}, queue = {0};
  uint32_t found = UINT32_MAX;
  vec_resize(&parents, g->count); /* + 1; the initial one has itself */
  parents.data[0] = 1;
  vec_push(&queue, 0);
  for (size_t at = 0; at < queue.len && found == UINT32_MAX; at++) {
    uint32_t s = queue.data[at];
    if (y[s])
      found = s;
    for (uint32_t i = g->first.data[s]; x[s] && i < g->first.data[s + 1]; i++) {
      uint32_t to = g->targets.data[i];
      if (parents.data[to])
        continue;
      parents.data[to] = s + 1;
      vec_push(&queue, to);
    }
  }
  vec_clear(&queue);
  for (uint32_t s = found; found != UINT32_MAX;) {
    vec_push(&queue, s);
    if (!s)
      break;
    s = parents.data[s] - 1;
  }
  for (size_t i = queue.len; i-- > 0;)
    graph_run_add(g, way, queue.data[i]);
  vec_free(&parents);
  vec_free(&queue);
  return found != UINT32_MAX;
}

/* For ever within z, always by the first step that allows it. */
static void graph_run_within(const state_graph *g, const uint8_t *z,
                             ctl_run *way)
{
  VEC(uint32_t) place = {0}; /* on the run, + 1 */
  uint32_t s = 0, n = 0;
  vec_resize(&place, g->count);
  while (!place.data[s]) {
    place.data[s] = ++n;
    graph_run_add(g, way, s);
    for (uint32_t i = g->first.data[s]; i < g->first.data[s + 1]; i++)
      if (z[g->targets.data[i]]) {
        s = g->targets.data[i];
        break;
      }
  }
  way->loop = place.data[s] - 1;
  vec_free(&place);
}

static bool graph_explain(judging *j, const ctl *f, bool holds, ctl_run *way);

static bool explain_path(judging *j, const ctl *f, ctl_run *way)
{
  bool until = f->op == CTL_EU, good = false;
  const ctl *goal = until ? f->b : f->a;
  state_set x = {0}, y = {0};
  judge(j, goal, &y);
  keep_fair(j, &y);
  if (until) {
    judge(j, f->a, &x);
    good = graph_run_to(j->graph, x.data, y.data, way);
  } else {
    graph_run_add(j->graph, way, 0);
    for (uint32_t i = 0; i < j->graph->first.data[1] && !good; i++) {
      good = y.data[j->graph->targets.data[i]];
      if (good)
        graph_run_add(j->graph, way, j->graph->targets.data[i]);
    }
  }
  way->goal = goal;
  vec_free(&x);
  vec_free(&y);
  return good;
}

static bool graph_explain(judging *j, const ctl *f, bool holds, ctl_run *way)
{
  state_set x = {0};
  bool good = false;
  switch (f->op) {
  case CTL_NOT:
    return graph_explain(j, f->a, !holds, way);
  case CTL_AND:
  case CTL_OR:
    if (holds == (f->op == CTL_AND))
      return false; /* two reasons, not one run */
    judge(j, f->a, &x);
    good = graph_explain(j, x.data[0] == holds ? f->a : f->b, holds, way);
    break;
  case CTL_EU:
  case CTL_EX:
    return holds && explain_path(j, f, way);
  case CTL_EG:
    good = holds && !j->constraints.len;
    if (good) {
      judge(j, f, &x);
      graph_run_within(j->graph, x.data, way);
    }
    break;
  default:
    break;
  }
  vec_free(&x);
  return good;
}

/* ---- from outside ------------------------------------------------------- */

static void begin_judging(judging *j)
{
  for (size_t i = 0; i < j->options->fair_count; i++) {
    vec_push(&j->constraints, (state_set){0});
    judge_atom(j, j->options->fair[i], &vec_last(&j->constraints));
  }
  vec_resize(&j->fair, j->graph->count);
  memset(j->fair.data, 1, j->graph->count);
  if (j->constraints.len)
    stay_within(j->graph, j->constraints.data, j->constraints.len,
                j->fair.data);
}

verdict graph_ctl(state_graph *g, const ctl *f, const ctl_options *o,
                  ctl_run *way)
{
  judging j = {.graph = g, .options = o};
  state_set found = {0};
  begin_judging(&j);
  judge(&j, f, &found);
  verdict answer = j.failed        ? VERDICT_UNKNOWN
                   : found.data[0] ? VERDICT_HOLDS
                                   : VERDICT_VIOLATED;
  if (j.failed)
    g->reason = REASON_PROPOSITION;
  if (way && !j.failed && !graph_explain(&j, f, answer == VERDICT_HOLDS, way))
    ctl_run_free(way);
  for (size_t i = 0; i < j.constraints.len; i++)
    vec_free(&j.constraints.data[i]);
  vec_free(&j.constraints);
  vec_free(&j.fair);
  vec_free(&found);
  return answer;
}
