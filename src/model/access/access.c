/* Read and write sets of edges: what the parts of an edge touch (see
** access_expr.c), and what else decides whether it can be executed, as the
** interpreter has it (program/interp/interp.c, execute.c). */

#include "model/access/access.h"
#include "base/alloc.h"
#include "base/text/text.h"
#include "model/access/access_internal.h"
#include "model/plugged.h"

/* ---- sets ------------------------------------------------------------- */

void slots_unite(const access_sets *a, uint64_t *to, const uint64_t *from)
{
  for (uint32_t i = 0; i < a->words; i++)
    to[i] |= from[i];
}

bool slots_meet(const access_sets *a, const uint64_t *x, const uint64_t *y)
{
  for (uint32_t i = 0; i < a->words; i++)
    if (x[i] & y[i])
      return true;
  return false;
}

uint32_t slots_count(const access_sets *a, const uint64_t *set)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < a->words; i++)
    n += (uint32_t)__builtin_popcountll(set[i]);
  return n;
}

uint32_t slots_next(const access_sets *a, const uint64_t *set, uint32_t from)
{
  for (uint32_t i = from / 64; i < a->words; i++) {
    uint64_t word = set[i];
    if (i == from / 64)
      word &= ~UINT64_C(0) << from % 64;
    if (word)
      return i * 64 + (uint32_t)__builtin_ctzll(word);
  }
  return NO_SLOT;
}

/* ---- uses of channels ------------------------------------------------- */

void access_add_use(edge_access *x, uint32_t channel, uint32_t flags)
{
  size_t i = 0;
  while (i < x->uses.len && x->uses.data[i].channel != channel)
    i++;
  if (i == x->uses.len)
    vec_push(&x->uses, ((channel_use){channel, 0}));
  x->uses.data[i].flags |= flags;
}

/* ---- one edge by itself ----------------------------------------------- */

/* Parts of a state that a plug-in names; without names, all of them. */
static void add_parts(const access_sets *a, const uint32_t *list, size_t count,
                      bool known, uint64_t *to)
{
  const plugin *p = a->model->plugin;
  for (size_t i = 0; i < (known ? count : p->parts); i++) {
    const plugin_part *part = &p->part[known ? list[i] : i];
    slots_add(to, access_variable(a, part->var, part->element, false));
  }
}

static void look_at_plugged(access_sets *a, const edge *e, edge_access *x)
{
  const nut_group *g = &a->model->plugin->code->groups[e->plugged->group];
  add_parts(a, g->reads, g->read_count, g->sets, x->tests);
  add_parts(a, g->writes, g->write_count, g->sets, x->writes);
}

static void look_at_edge(access_sets *a, const edge *e)
{
  edge_access *x = &a->edges[e->index];
  looker l = {.access = a,
              .self = e->process,
              .reads = x->tests,
              .writes = x->writes,
              .checks = x->checks,
              .edge = x};
  if (e->flags & EDGE_PLUGIN)
    look_at_plugged(a, e, x);
  if (e->guard)
    look_at_guard(&l, e->guard);
  l.reads = x->plain;
  if (e->comm)
    look_at_comm(&l, e->comm, x->tests);
  /* Who joins a multicast is decided by all others. */
  if (l.asks || (e->comm && e->comm->kind == COMM_MULTICAST))
    x->flags |= ACCESS_ASKS;
  l.asks = false;
  for (size_t i = 0; i < e->effects.len; i++) {
    look_at_effect(&l, e->effects.data[i]);
    if (e->effects.data[i]->kind == EFFECT_DIE)
      slots_add(x->tests, access_shared(a, SLOT_PROCESSES));
  }
  if (l.asks)
    x->flags |= ACCESS_ASKS_LATER;
}

static bool is_in_block(const edge *e)
{
  return e->process->locations.data[e->source].flags & LOC_DSTEP;
}

/* ---- blocks ----------------------------------------------------------- */

/* Adds an edge inside the block of 'to'; those it starts with decide whether
** it can start. */
static void add_inner(access_sets *a, edge_access *to, const edge *inner,
                      bool first)
{
  const edge_access *from = &a->edges[inner->index];
  slots_unite(a, first ? to->tests : to->plain, from->tests);
  slots_unite(a, to->plain, from->plain);
  slots_unite(a, to->checks, from->checks);
  slots_unite(a, to->writes, from->writes);
  to->flags |= from->flags & ~(uint32_t)ACCESS_ASKS;
  if (from->flags & ACCESS_ASKS)
    to->flags |= first ? ACCESS_ASKS : ACCESS_ASKS_LATER;
  /* Behind the first edge a channel decides how the block goes on. */
  for (size_t i = 0; i < from->uses.len; i++)
    access_add_use(to, from->uses.data[i].channel,
                   from->uses.data[i].flags | (first ? 0 : (uint32_t)USE_POLL));
}

static void unite_block(access_sets *a, const edge *e)
{
  const process_type *p = e->process;
  edge_access *to = &a->edges[e->index];
  uint8_t *seen = ARENA_ARRAY(a->arena, uint8_t, p->locations.len);
  uint32_t *todo = ARENA_ARRAY(a->arena, uint32_t, p->locations.len);
  size_t waiting = 0;
  todo[waiting++] = e->block;
  seen[e->block] = 1;
  while (waiting) {
    uint32_t at = todo[--waiting];
    const location *l = &p->locations.data[at];
    for (uint32_t i = 0; i < l->edge_count; i++) {
      const edge *inner = p->order.data[l->first_edge + i];
      uint32_t next = inner->target;
      add_inner(a, to, inner, at == e->block);
      if (p->locations.data[next].flags & LOC_DSTEP && !seen[next]) {
        seen[next] = 1;
        todo[waiting++] = next;
      }
    }
  }
}

/* ---- who may move ----------------------------------------------------- */

static bool has_committed(const process_type *t)
{
  for (size_t i = 0; i < t->locations.len; i++)
    if (t->locations.data[i].flags & LOC_COMMITTED)
      return true;
  return false;
}

/* An edge from a place that is not committed waits for those who are at one
** that is. */
static void test_committed(access_sets *a, const edge *e, uint64_t *tests)
{
  const model *m = a->model;
  if (!(m->flags & MODEL_HAS_COMMITTED) ||
      e->process->locations.data[e->source].flags & LOC_COMMITTED)
    return;
  slots_add(tests, access_shared(a, SLOT_PROCESSES));
  for (size_t i = 0; i < m->processes.len; i++)
    if (has_committed(m->processes.data[i]))
      slots_add(tests, access_location(a, m->processes.data[i], true));
}

/* Everything about the process that decides and is left behind by each of its
** steps. */
static void look_at_process(access_sets *a, const edge *e)
{
  const model *m = a->model;
  edge_access *x = &a->edges[e->index];
  looker l = {.access = a,
              .self = e->process,
              .reads = x->tests,
              .writes = x->writes,
              .edge = x};
  uint32_t own = access_location(a, e->process, false);
  slots_add(x->tests, own);
  if (e->source != e->target || e->flags & EDGE_DSTEP)
    slots_add(x->writes, own);
  if (process_observes(e->process))
    return;
  if (e->process->provided)
    look_at_expr(&l, e->process->provided);
  if (l.asks || m->flags & MODEL_HAS_PRIORITY)
    x->flags |= ACCESS_ASKS;
  if (m->flags & MODEL_HAS_PRIORITY)
    slots_add(x->tests, access_priority(a, e->process, false));
  test_committed(a, e, x->tests);
  if (m->flags & MODEL_HAS_LAST)
    slots_add(x->writes, access_shared(a, SLOT_LAST));
}

/* Whether an edge can be executed may be decided by partners. */
static bool waits_for_partner(const edge *e, const edge_access *x)
{
  return x->flags & ACCESS_MEETS && (!e->comm || e->comm->kind == COMM_SEND);
}

/* 'else' waits for what stands before it, and what has a lower rank for all
** of higher rank. */
static void test_siblings(access_sets *a, const edge *e)
{
  const process_type *p = e->process;
  edge_access *x = &a->edges[e->index];
  const location *at = &p->locations.data[e->source];
  for (uint32_t i = 0; i < at->edge_count; i++) {
    const edge *before = p->order.data[at->first_edge + i];
    const edge_access *y = &a->edges[before->index];
    if (before == e)
      break;
    if (!(e->flags & EDGE_ELSE) && before->rank == e->rank)
      continue;
    slots_unite(a, x->tests, y->tests);
    for (size_t k = 0; k < y->uses.len; k++)
      access_add_use(x, y->uses.data[k].channel, USE_POLL);
    x->flags |= y->flags & ACCESS_ASKS;
    if (waits_for_partner(before, y))
      x->flags |= ACCESS_ASKS;
  }
}

/* ---- what any process can do ------------------------------------------ */

/* The tests of all edges, each from its own side. */
static uint64_t *find_all_tests(access_sets *a)
{
  const model *m = a->model;
  uint64_t *all = ARENA_ARRAY(a->arena, uint64_t, a->words);
  slots_add(all, access_shared(a, SLOT_PROCESSES));
  for (size_t i = 0; i < m->edges.len; i++)
    if (!process_observes(m->edges.data[i]->process) &&
        !is_in_block(m->edges.data[i]))
      slots_unite(a, all, a->edges[i].tests);
  return all;
}

static void add_all_tests(const access_sets *a, const process_type *self,
                          uint64_t *to, const uint64_t *all)
{
  const process_slots *s = &a->parts->processes[self->index];
  uint32_t base = a->shared_words * 64;
  access_add_others(a, self, to, all);
  for (uint32_t i = base + s->location; i < base + s->end; i++)
    if (slots_have(all, i))
      slots_add(to, i);
}

/* ---- all edges -------------------------------------------------------- */

enum { SETS_OF_EDGE = 5 };

edge_access *access_new_edges(access_sets *a)
{
  size_t n = a->model->edges.len;
  edge_access *edges = ARENA_ARRAY(a->arena, edge_access, n + 1);
  uint64_t *next =
      ARENA_ARRAY(a->arena, uint64_t, mem_product(n * SETS_OF_EDGE, a->words));
  for (size_t i = 0; i < n; i++) {
    uint64_t **sets[SETS_OF_EDGE] = {&edges[i].tests, &edges[i].reads,
                                     &edges[i].writes, &edges[i].plain,
                                     &edges[i].checks};
    for (int k = 0; k < SETS_OF_EDGE; k++, next += a->words)
      *sets[k] = next;
  }
  return edges;
}

static bool is_of(const edge *e, const process_type *p)
{
  return !p || e->process == p;
}

void access_look_at_edges(access_sets *a, const process_type *p)
{
  const model *m = a->model;
  for (size_t i = 0; i < m->edges.len; i++)
    if (is_of(m->edges.data[i], p) && !(m->edges.data[i]->flags & EDGE_DSTEP))
      look_at_edge(a, m->edges.data[i]);
  for (size_t i = 0; i < m->edges.len; i++)
    if (is_of(m->edges.data[i], p) && m->edges.data[i]->flags & EDGE_DSTEP)
      unite_block(a, m->edges.data[i]);
  for (size_t i = 0; i < m->edges.len; i++)
    if (is_of(m->edges.data[i], p) && !is_in_block(m->edges.data[i]))
      look_at_process(a, m->edges.data[i]);
}

void access_finish_edges(access_sets *a, const process_type *p)
{
  const model *m = a->model;
  for (size_t i = 0; i < m->edges.len; i++) {
    const edge *e = m->edges.data[i];
    edge_access *x = &a->edges[i];
    if (!is_of(e, p))
      continue;
    if (!is_in_block(e))
      test_siblings(a, e);
    if (m->flags & MODEL_SYNCHRONOUS)
      x->flags |= ACCESS_MEETS;
    if (x->flags & ACCESS_ASKS)
      add_all_tests(a, e->process, x->tests, a->parts->all_tests);
    if (x->flags & ACCESS_ASKS_LATER)
      add_all_tests(a, e->process, x->plain, a->parts->all_tests);
    slots_unite(a, x->reads, x->plain);
    slots_unite(a, x->reads, x->checks);
  }
}

static void fill(void *sets)
{
  access_sets *a = sets;
  a->arena = arena_create();
  a->parts = ARENA_NEW(a->arena, access_parts);
  access_find_assigned(a);
  access_number_channels(a);
  access_number_slots(a);
  access_know_ranges(a);
  access_find_channels(a);
  a->edges = a->generic = access_new_edges(a);
  access_look_at_edges(a, NULL);
  a->parts->all_tests = find_all_tests(a);
  access_finish_edges(a, NULL);
}

static void undo_fill(void *sets)
{
  access_destroy(sets);
}

access_sets *access_create(const model *m)
{
  access_sets *a = mem_alloc(sizeof *a);
  a->model = m;
  mem_protect_undo(fill, undo_fill, a);
  return a;
}

void access_destroy(access_sets *a)
{
  if (!a)
    return;
  for (size_t i = 0; a->generic && i < a->model->edges.len; i++) {
    vec_free(&a->generic[i].uses);
    for (size_t k = 0; k < a->special.len; k++)
      vec_free(&a->special.data[k][i].uses);
  }
  vec_free(&a->special);
  vec_free(&a->channels);
  vec_free(&a->shared_list);
  vec_free(&a->own_list);
  arena_destroy(a->arena);
  mem_free(a, sizeof *a);
}
