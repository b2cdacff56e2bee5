#include "report/unreached.h"
#include <inttypes.h>
#include <stdlib.h>

enum { UNREACHED_MAX = 20 }; /* lines, unless the user wants all */

static bool is_observer(const process_type *p)
{
  return p->kind != PROCESS_NORMAL && p->kind != PROCESS_INIT;
}

static bool same_statement(const edge *a, const edge *b)
{
  return a == b || (a->number >= 0 && a->number == b->number);
}

/* 'e' is the first edge of its statement, and none of them was executed. */
static bool is_unreached(const outcome *o, const edge *e)
{
  const process_type *p = e->process;
  if (e->flags & EDGE_UNSEEN)
    return false;
  for (size_t i = 0; i < p->edges.len; i++) {
    const edge *other = p->edges.data[i];
    if (!same_statement(e, other))
      continue;
    if (other->index < e->index ||
        search_edge_reached(&o->result, other->index))
      return false;
  }
  return true;
}

static bool ends_process(const edge *e)
{
  for (size_t i = 0; i < e->effects.len; i++)
    if (e->effects.data[i]->kind == EFFECT_DIE)
      return true;
  return false;
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
  for (size_t i = 0; i < p->edges.len; i++)
    if (is_unreached(o, p->edges.data[i]))
      vec_push(list, p->edges.data[i]);
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
  text_printf(out, "%s:%u", at.name ? at.name : "?", at.line);
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
  if (e->text)
    text_add(&statement, e->text);
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
