/* CTL state by state, over the graph of all states.  Sets are a byte for each
** state; until is a walk backwards from the goal, and a run for ever is found
** by strongly connected components (Tarjan), so that nothing but the formula
** is shared with the twin in ctl_sets.c. */

#include "base/alloc.h"
#include "graph/graph_internal.h"

uint8_t *graph_take_set(judging *j)
{
  if (j->used == j->sets.len)
    vec_push(&j->sets, (state_set){0});
  state_set *x = &j->sets.data[j->used];
  vec_resize(x, (size_t)j->graph->count + 1);
  memset(x->data, 0, x->len);
  j->used++;
  return x->data;
}

void graph_drop_sets(judging *j, size_t count)
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
  vec_free(&j->known);
  mem_free(j, sizeof *j);
}

/* ---- until -------------------------------------------------------------- */

bool graph_is_stuck(const state_graph *g, uint32_t s)
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
  bool turns = j->open.len - from > 1 || graph_is_stuck(g, s);
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
  t.good = graph_take_set(j);
  t.is_open = graph_take_set(j);
  vec_clear(&j->index);
  vec_resize(&j->index, n);
  vec_resize(&j->low, n);
  for (uint32_t s = 0; s < n; s++)
    if (within[s] && !j->index.data[s])
      visit_from(&t, s);
  walk_backwards(j, within, t.good);
  memcpy(within, t.good, n);
  graph_drop_sets(j, 2);
}

/* ---- formulas ----------------------------------------------------------- */

static bool value_of(judging *j, const expr *e, uint32_t state)
{
  fault_kind wrong = FAULT_NONE;
  uint32_t length;
  const uint8_t *bytes = graph_state(j->graph, state, &length);
  int32_t value = program_evaluate(j->graph->worker, e, bytes, length, &wrong);
  j->failed |= wrong != FAULT_NONE;
  return value != 0;
}

static void judge_atom(judging *j, const expr *e, uint8_t *out)
{
  for (uint32_t s = 0; s < j->graph->count; s++)
    out[s] = value_of(j, e, s);
}

void graph_keep_fair(const judging *j, uint8_t *x)
{
  if (j->constraints.len)
    for (uint32_t s = 0; s < j->graph->count; s++)
      x[s] &= j->fair[s];
}

static void judge_next(judging *j, uint8_t *x)
{
  const state_graph *g = j->graph;
  uint8_t *goal = graph_take_set(j);
  graph_keep_fair(j, x);
  memcpy(goal, x, g->count);
  for (uint32_t s = 0; s < g->count; s++) {
    bool some = graph_is_stuck(g, s) && j->options->stutter && goal[s];
    for (uint32_t i = g->first.data[s]; i < g->first.data[s + 1]; i++)
      some |= goal[g->targets.data[i]];
    x[s] = some;
  }
  graph_drop_sets(j, 1);
}

static void judge_pair(judging *j, const ctl *f, uint8_t *out)
{
  uint8_t *y = graph_take_set(j);
  graph_judge(j, f->a, out);
  graph_judge(j, f->b, y);
  if (f->op == CTL_EU) {
    graph_keep_fair(j, y);
    walk_backwards(j, out, y);
    memcpy(out, y, j->graph->count);
  }
  for (uint32_t s = 0; s < j->graph->count && f->op != CTL_EU; s++)
    out[s] = f->op == CTL_AND ? out[s] & y[s] : out[s] | y[s];
  graph_drop_sets(j, 1);
}

void graph_judge(judging *j, const ctl *f, uint8_t *out)
{
  uint32_t n = j->graph->count;
  switch (f->op) {
  case CTL_ATOM:
    judge_atom(j, f->atom, out);
    break;
  case CTL_NOT:
    graph_judge(j, f->a, out);
    for (uint32_t s = 0; s < n; s++)
      out[s] = !out[s];
    break;
  case CTL_AND:
  case CTL_OR:
  case CTL_EU:
    judge_pair(j, f, out);
    break;
  case CTL_EX:
    graph_judge(j, f->a, out);
    judge_next(j, out);
    break;
  case CTL_EG:
    graph_judge(j, f->a, out);
    stay_within(j, out);
    break;
  default:
    memset(out, 1, n);
    break;
  }
}

/* ---- from outside ------------------------------------------------------- */

static void begin_judging(judging *j)
{
  for (size_t i = 0; i < j->options->fair_count; i++) {
    uint8_t *x = graph_take_set(j);
    judge_atom(j, j->options->fair[i], x);
    vec_push(&j->constraints, x);
  }
  uint8_t *fair = graph_take_set(j);
  memset(fair, 1, j->graph->count);
  if (j->constraints.len)
    stay_within(j, fair);
  j->fair = fair;
}

static verdict answer_by_graph(judging *j, const ctl *f, ctl_tree *tree)
{
  begin_judging(j);
  uint8_t *found = graph_take_set(j);
  graph_judge(j, f, found);
  if (j->failed) {
    j->graph->reason = REASON_PROPOSITION;
    return VERDICT_UNKNOWN;
  }
  bool holds = found[0];
  ctl_guide guide = graph_guide(j);
  if (tree)
    ctl_tree_grow(tree, f, holds, &guide);
  return holds ? VERDICT_HOLDS : VERDICT_VIOLATED;
}

typedef struct graph_job {
  judging *judging;
  const ctl *formula;
  ctl_tree *tree;
  verdict answer;
} graph_job;

static void do_judge(void *job)
{
  graph_job *j = job;
  j->answer = answer_by_graph(j->judging, j->formula, j->tree);
}

static void tidy_judge(void *job)
{
  judging_destroy(((graph_job *)job)->judging);
}

verdict graph_ctl(state_graph *g, const ctl *f, const ctl_options *o,
                  ctl_tree *tree)
{
  graph_job job = {mem_alloc(sizeof *job.judging), f, tree, VERDICT_UNKNOWN};
  job.judging->graph = g;
  job.judging->options = o;
  mem_protect_tidy(do_judge, tidy_judge, &job);
  return job.answer;
}
