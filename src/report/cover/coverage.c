/* Collects statements with their counts: edges of one statement are added up. */

#include "report/cover/coverage.h"
#include "report/reachable_locations.h"
#include <stdlib.h>

bool coverage_is_known(const outcome *o)
{
  return o->model && o->result.walked && o->result.executed.len;
}

const char *coverage_incomplete(const outcome *o)
{
  if (o->result.complete && outcome_exact(o))
    return NULL;
  return o->reason ? o->reason : "not everything was explored";
}

static bool is_part_of_runs(const process_type *p)
{
  return p->kind == PROCESS_NORMAL || p->kind == PROCESS_INIT;
}

static int by_number(const void *x, const void *y)
{
  const edge *a = *(const edge *const *)x, *b = *(const edge *const *)y;
  if (a->number != b->number)
    return a->number < b->number ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

static int by_place(const void *x, const void *y)
{
  const covered *a = x, *b = y;
  if (a->where.file != b->where.file)
    return a->where.file < b->where.file ? -1 : 1;
  if (a->where.start != b->where.start)
    return a->where.start < b->where.start ? -1 : 1;
  return a->edge->index < b->edge->index ? -1 : 1;
}

static const char *words_of(const outcome *o, const edge *e)
{
  if (edge_words(e))
    return edge_words(e);
  text out = {0};
  edge_print(o->model, e, &out);
  const char *words = arena_copy(o->arena, text_string(&out), out.len);
  text_free(&out);
  return words;
}

/* Options of a selection are the edges that leave one location. */
static uint32_t choice_of(const edge *e)
{
  const location *l = &e->process->locations.data[e->source];
  return l->edge_count > 1 ? e->source + 1 : 0;
}

static void add_statement(const outcome *o, coverage *c, const edge *e,
                          uint64_t count)
{
  const sources *s = o->model->sources;
  vec_push(&c->list, ((covered){.edge = e,
                                .where = source_origin(s, e->where),
                                .at = source_position(s, e->where),
                                .words = words_of(o, e),
                                .count = count,
                                .choice = choice_of(e)}));
  c->executed += count > 0;
}

typedef VEC(const edge *) edge_list;

/* The edges of a process that stand for something the user wrote. */
static void list_edges(const outcome *o, const process_type *p, edge_list *list)
{
  const bool *possible = reachable_locations(p, o->arena);
  for (size_t i = 0; i < p->edges.len; i++) {
    const edge *e = p->edges.data[i];
    bool inside = p->locations.data[e->source].flags & LOC_DSTEP;
    if (!(e->flags & EDGE_UNSEEN) && (possible[e->source] || inside))
      vec_push(list, e);
  }
  if (list->len)
    qsort(list->data, list->len, sizeof *list->data, by_number);
}

static void collect_from(const outcome *o, const process_type *p, coverage *c)
{
  size_t first = c->list.len;
  edge_list list = {0};
  list_edges(o, p, &list);
  for (size_t i = 0, end; i < list.len; i = end) {
    const edge *e = list.data[i];
    uint64_t count = 0;
    for (end = i; end < list.len; end++) {
      if (end > i && (e->number < 0 || list.data[end]->number != e->number))
        break;
      count += o->result.executed.data[list.data[end]->index];
    }
    add_statement(o, c, e, count);
  }
  vec_free(&list);
  if (c->list.len > first)
    qsort(c->list.data + first, c->list.len - first, sizeof *c->list.data,
          by_place);
}

void coverage_collect(const outcome *o, coverage *c)
{
  for (size_t i = 0; i < o->model->processes.len; i++)
    if (is_part_of_runs(o->model->processes.data[i]))
      collect_from(o, o->model->processes.data[i], c);
}

void coverage_free(coverage *c)
{
  vec_free(&c->list);
}
