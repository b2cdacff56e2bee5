/* Jobs, graphs, and strongly connected components. */

#include "base/alloc.h"
#include "logic/buchi/buchi_internal.h"

enum { NODES_MAX = 1 << 20 };

static void job_free(buchi_job *j)
{
  for (size_t i = 0; i < j->graphs.len; i++) {
    vec_free(&j->graphs.data[i]->edges);
    vec_free(&j->graphs.data[i]->first);
    mem_free(j->graphs.data[i], sizeof(graph));
  }
  vec_free(&j->graphs);
  vec_free(&j->spare);
  boolean_cover_free(&j->cover);
  vec_free(&j->parts);
  buchi_tableau_free(j->tableau);
  buchi_destroy(j->result);
  booleans_destroy(j->functions);
  booleans_destroy(j->old_functions);
  vec_free(&j->copied);
  arena_destroy(j->scratch);
  mem_free(j, sizeof *j);
}

/* A job with what is to be done in it. */
typedef struct job_call {
  buchi_job *job;
  void (*work)(buchi_job *, void *);
  void *context;
} job_call;

static void do_job(void *what)
{
  job_call *c = what;
  c->job->functions = booleans_create(NODES_MAX);
  c->job->scratch = arena_create();
  c->work(c->job, c->context);
}

static void tidy_job(void *what)
{
  job_free(((job_call *)what)->job);
}

void buchi_run_job(uint32_t atoms, void (*work)(buchi_job *, void *),
                   void *context)
{
  job_call call = {mem_alloc(sizeof *call.job), work, context};
  call.job->atoms = atoms;
  mem_protect_tidy(do_job, tidy_job, &call);
}

void buchi_collect(buchi_job *j)
{
  vec_clear(&j->copied);
  j->spent += booleans_nodes(j->functions);
  j->old_functions = j->functions;
  j->functions = NULL;
  j->functions = booleans_create(NODES_MAX);
  for (size_t i = 0; i < j->graphs.len; i++) {
    graph *g = j->graphs.data[i];
    for (size_t k = 0; g->used && k < g->edges.len; k++)
      g->edges.data[k].label = boolean_copy(j->functions, j->old_functions,
                                            g->edges.data[k].label, &j->copied);
  }
  booleans_destroy(j->old_functions);
  j->old_functions = NULL;
}

graph *graph_new(buchi_job *j)
{
  if (!j->spare.len) {
    /* Room first: what is allocated next must have its place at once. */
    vec_grow(&j->graphs, 1);
    vec_grow(&j->spare, j->graphs.len + 1);
    graph *g = mem_alloc(sizeof *g);
    vec_push(&j->graphs, g);
    vec_push(&j->spare, g);
  }
  graph *g = vec_pop(&j->spare);
  vec_clear(&g->edges);
  vec_clear(&g->first);
  g->initial = g->marks = 0;
  g->by_state = false;
  g->used = true;
  return g;
}

void graph_release(buchi_job *j, graph *g)
{
  g->used = false;
  vec_push(&j->spare, g);
}

uint32_t graph_add_state(graph *g)
{
  vec_push(&g->first, (uint32_t)g->edges.len);
  return (uint32_t)g->first.len - 1;
}

void graph_add_edge(buchi_job *j, graph *g, graph_edge e)
{
  if (e.label == BOOLEAN_FALSE)
    return;
  for (size_t i = vec_last(&g->first); i < g->edges.len; i++) {
    graph_edge *it = &g->edges.data[i];
    if (it->target == e.target && it->marks == e.marks) {
      it->label = boolean_or(j->functions, it->label, e.label);
      return;
    }
  }
  vec_push(&g->edges, e);
}

void graph_finish(graph *g)
{
  vec_push(&g->first, (uint32_t)g->edges.len);
}

uint64_t graph_cost(const graph *g)
{
  return ((uint64_t)graph_states(g) << 32) + g->edges.len;
}

/* ---- Tarjan's algorithm, without recursion --------------------------------
 */

typedef struct walk {
  const graph *g;
  const bool *only;
  sccs c;
  uint32_t *number; /* by state, from 1; 0 = not seen */
  uint32_t *low;
  uint32_t *path, path_length;   /* states being visited */
  uint32_t *edge;                /* by state: the next edge to look at */
  uint32_t *stack, stack_length; /* states without a component yet */
  uint32_t seen;
} walk;

#define NO_COMPONENT UINT32_MAX

static void enter_state(walk *w, uint32_t q)
{
  w->number[q] = w->low[q] = ++w->seen;
  w->edge[q] = w->g->first.data[q];
  w->path[w->path_length++] = q;
  w->stack[w->stack_length++] = q;
}

static void leave_state(walk *w)
{
  uint32_t q = w->path[--w->path_length], popped;
  if (w->low[q] == w->number[q]) {
    do {
      popped = w->stack[--w->stack_length];
      w->c.of[popped] = w->c.count;
    } while (popped != q);
    w->c.count++;
  }
  if (w->path_length) {
    uint32_t parent = w->path[w->path_length - 1];
    if (w->low[q] < w->low[parent])
      w->low[parent] = w->low[q];
  }
}

static void walk_from(walk *w, uint32_t root)
{
  enter_state(w, root);
  while (w->path_length) {
    uint32_t q = w->path[w->path_length - 1];
    if (w->edge[q] == w->g->first.data[q + 1]) {
      leave_state(w);
      continue;
    }
    uint32_t i = w->edge[q]++, t = w->g->edges.data[i].target;
    if (w->only && !w->only[i])
      continue;
    if (!w->number[t])
      enter_state(w, t);
    else if (w->c.of[t] == NO_COMPONENT && w->number[t] < w->low[q])
      w->low[q] = w->number[t];
  }
}

/* Which components have a cycle, and one that takes all marks. */
static void judge_sccs(buchi_job *j, walk *w)
{
  const graph *g = w->g;
  sccs *c = &w->c;
  c->trivial = ARENA_ARRAY(j->scratch, bool, c->count);
  c->accepting = ARENA_ARRAY(j->scratch, bool, c->count);
  uint64_t *marks = ARENA_ARRAY(j->scratch, uint64_t, c->count);
  for (uint32_t i = 0; i < c->count; i++)
    c->trivial[i] = true;
  for (uint32_t q = 0; q < graph_states(g); q++)
    for (uint32_t i = g->first.data[q]; i < g->first.data[q + 1]; i++) {
      const graph_edge *e = &g->edges.data[i];
      if ((w->only && !w->only[i]) || c->of[e->target] != c->of[q])
        continue;
      c->trivial[c->of[q]] = false;
      marks[c->of[q]] |= e->marks;
    }
  for (uint32_t i = 0; i < c->count; i++)
    c->accepting[i] = !c->trivial[i] && marks[i] == graph_all_marks(g);
}

sccs graph_sccs(buchi_job *j, const graph *g, const bool *only)
{
  uint32_t n = graph_states(g);
  walk w = {.g = g, .only = only};
  w.c.of = ARENA_ARRAY(j->scratch, uint32_t, n);
  w.number = ARENA_ARRAY(j->scratch, uint32_t, n);
  w.low = ARENA_ARRAY(j->scratch, uint32_t, n);
  w.path = ARENA_ARRAY(j->scratch, uint32_t, n);
  w.edge = ARENA_ARRAY(j->scratch, uint32_t, n);
  w.stack = ARENA_ARRAY(j->scratch, uint32_t, n);
  for (uint32_t q = 0; q < n; q++)
    w.c.of[q] = NO_COMPONENT;
  for (uint32_t q = 0; q < n; q++)
    if (!w.number[q])
      walk_from(&w, q);
  judge_sccs(j, &w);
  return w.c;
}
