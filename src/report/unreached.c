/* Collects the statements in order of the source, and says where a process
** never ends. */

#include "report/unreached.h"
#include "report/reachable_locations.h"
#include <inttypes.h>
#include <stdlib.h>

enum { UNREACHED_MAX = 20 }; /* lines, unless the user wants all */

static bool is_observer(const process_type *p)
{
  return p->kind != PROCESS_NORMAL && p->kind != PROCESS_INIT;
}

/* Edges of one statement stand together, the first of them first. */
static int compare_statements(const void *x, const void *y)
{
  const edge *a = *(const edge *const *)x, *b = *(const edge *const *)y;
  if (a->number != b->number)
    return a->number < b->number ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

static bool same_statement(const edge *a, const edge *b)
{
  return a == b || (a->number >= 0 && a->number == b->number);
}

/* Adds the first edge of each statement none of whose edges was executed. */
static void collect_statements(const outcome *o, const edge_list *sorted,
                               edge_list *list)
{
  for (size_t i = 0, end; i < sorted->len; i = end) {
    const edge *first = sorted->data[i];
    bool reached = false;
    for (end = i; end < sorted->len; end++) {
      if (!same_statement(first, sorted->data[end]))
        break;
      reached |= search_edge_reached(&o->result, sorted->data[end]->index);
    }
    if (!reached && !(first->flags & EDGE_UNSEEN))
      vec_push(list, first);
  }
}

/* The end of a process that has a loop without an exit before it is no news. */
static void drop_false_end(const outcome *o, const process_type *p,
                           edge_list *list, size_t from)
{
  const bool *marked = reachable_locations(p, o->arena);
  size_t kept = from;
  for (size_t i = from; i < list->len; i++)
    if (!ends_process(list->data[i]) || marked[list->data[i]->source])
      list->data[kept++] = list->data[i];
  list->len = kept;
}

/* By place; the end of a process comes last. */
static int compare_places(const void *x, const void *y)
{
  const edge *a = *(const edge *const *)x, *b = *(const edge *const *)y;
  if (ends_process(a) != ends_process(b))
    return ends_process(a) ? 1 : -1;
  if (a->where.file != b->where.file)
    return a->where.file < b->where.file ? -1 : 1;
  if (a->where.start != b->where.start)
    return a->where.start < b->where.start ? -1 : 1;
  return a->index < b->index ? -1 : 1;
}

static void collect_from(const outcome *o, const process_type *p,
                         edge_list *list)
{
  size_t first = list->len;
  if (is_observer(p))
    return;
  edge_list sorted = {0};
  for (size_t i = 0; i < p->edges.len; i++)
    vec_push(&sorted, p->edges.data[i]);
  if (sorted.len)
    qsort(sorted.data, sorted.len, sizeof *sorted.data, compare_statements);
  collect_statements(o, &sorted, list);
  vec_free(&sorted);
  if (list->len > first)
    drop_false_end(o, p, list, first);
  if (list->len > first)
    qsort(list->data + first, list->len - first, sizeof *list->data,
          compare_places);
}

void unreached_collect(const outcome *o, edge_list *list)
{
  for (size_t i = 0; i < o->model->processes.len; i++)
    collect_from(o, o->model->processes.data[i], list);
}

static void add_where(const model *m, const edge *e, text *out)
{
  position at = source_position(m->sources, e->where);
  if (at.line)
    text_printf(out, "%s:%u", at.name, at.line);
}

static size_t widest(const model *m, const edge_list *list, size_t count)
{
  text where = {0};
  size_t width = 0;
  for (size_t i = 0; i < count; i++) {
    text_clear(&where);
    add_where(m, list->data[i], &where);
    width = where.len > width ? where.len : width;
  }
  text_free(&where);
  return width;
}

static void add_statement(const model *m, const edge *e, size_t width,
                          text *out)
{
  text where = {0}, statement = {0};
  add_where(m, e, &where);
  if (edge_words(e))
    text_add(&statement, edge_words(e));
  else
    edge_print(m, e, &statement);
  text_printf(out, "    %-*s  %s\n", (int)width, text_string(&where),
              text_string(&statement));
  text_free(&where);
  text_free(&statement);
}

void plain_unreached(const outcome *o, plain_style style, text *out)
{
  edge_list list = {0};
  unreached_collect(o, &list);
  size_t shown = list.len;
  if (shown > UNREACHED_MAX && !style.verbose)
    shown = UNREACHED_MAX;
  size_t width = widest(o->model, &list, shown);
  if (shown > 0)
    text_printf(out, "\n%zu statement%s never executed\n", list.len,
                list.len == 1 ? " is" : "s are");
  for (size_t i = 0; i < shown; i++) {
    const process_type *p = list.data[i]->process;
    if (i == 0 || list.data[i - 1]->process != p)
      text_printf(out, "  in %s\n", p->name);
    add_statement(o->model, list.data[i], width, out);
  }
  if (shown < list.len)
    text_printf(out, "  ... and %zu more: --verbose shows all\n",
                list.len - shown);
  vec_free(&list);
}
