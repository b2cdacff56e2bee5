/* The annotated source, the variables, and what to change. */

#include "report/cover/profiled.h"
#include "base/source/shown.h"
#include "nutshell-config.h"
#include "report/cover/listing.h"
#include "report/json.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 29, MOST_VARIABLES = 20 };

/* ---- statements --------------------------------------------------------- */

static int by_place(const void *x, const void *y)
{
  const told_edge *a = x, *b = y;
  if (a->where.file != b->where.file)
    return a->where.file < b->where.file ? -1 : 1;
  if (a->at.line != b->at.line)
    return a->at.line < b->at.line ? -1 : 1;
  return a->edge->index < b->edge->index ? -1 : a->edge->index > b->edge->index;
}

static bool is_same(const told_edge *a, const edge *e)
{
  return a->edge->process == e->process && e->number >= 0 &&
         a->edge->number == e->number;
}

void profile_statements(const profile *p, told_edges *list)
{
  const model *m = program_model(p->program);
  for (size_t i = 0; p->edges && i < m->edges.len; i++) {
    const edge *e = m->edges.data[i];
    const profiled_edge *from = &p->edges[i];
    size_t k = 0;
    if (!from->transitions)
      continue;
    while (k < list->len && !is_same(&list->data[k], e))
      k++;
    if (k == list->len)
      vec_push(list,
               ((told_edge){.edge = e,
                            .where = source_origin(m->sources, e->where),
                            .at = source_position(m->sources, e->where)}));
    profiled_edge *to = &list->data[k].sum;
    to->transitions += from->transitions;
    to->states += from->states;
    to->values += from->values;
  }
  if (list->len)
    qsort(list->data, list->len, sizeof *list->data, by_place);
}

typedef struct margin {
  const told_edges *list;
  size_t next, end;
} margin;

static void add_margin(void *context, uint32_t line, text *out)
{
  margin *m = context;
  profiled_edge sum = {0};
  size_t first = m->next;
  for (; m->next < m->end && m->list->data[m->next].at.line == line;
       m->next++) {
    sum.states += m->list->data[m->next].sum.states;
    sum.transitions += m->list->data[m->next].sum.transitions;
    sum.values += m->list->data[m->next].sum.values;
  }
  if (m->next > first)
    text_printf(out, "%9" PRIu64 " %11" PRIu64 " %7" PRIu64, sum.states,
                sum.transitions, sum.values);
}

static void add_sources(const profile *p, const told_edges *list, text *out)
{
  const sources *s = program_model(p->program)->sources;
  for (size_t i = 0, end; i < list->len; i = end) {
    uint32_t file = list->data[i].where.file;
    for (end = i; end < list->len && list->data[end].where.file == file;)
      end++;
    if (!file || source_is_label(s, file) || source_is_hidden(s, file))
      continue;
    text_printf(out, "\n%s\n%9s %11s %7s |\n", list->data[i].at.name, "states",
                "transitions", "values");
    listing_source(s, file, WIDTH, add_margin, &(margin){list, i, end}, out);
  }
}

/* ---- variables ---------------------------------------------------------- */

typedef VEC(const profiled_variable *) variable_list;

static int by_factor(const void *x, const void *y)
{
  const profiled_variable *a = *(const profiled_variable *const *)x;
  const profiled_variable *b = *(const profiled_variable *const *)y;
  if (a->factor != b->factor)
    return a->factor > b->factor ? -1 : 1;
  return strcmp(a->name, b->name);
}

static void sort_variables(const profile *p, variable_list *list)
{
  for (size_t i = 0; i < p->variables.len; i++)
    vec_push(list, &p->variables.data[i]);
  if (list->len)
    qsort(list->data, list->len, sizeof *list->data, by_factor);
}

static void add_variables(const profile *p, plain_style style, text *out)
{
  variable_list list = {0};
  sort_variables(p, &list);
  size_t shown =
      style.verbose || list.len < MOST_VARIABLES ? list.len : MOST_VARIABLES;
  int width = 8;
  for (size_t i = 0; i < shown; i++) {
    int n = (int)strlen(list.data[i]->name);
    width = n > width && n < 40 ? n : width;
  }
  if (shown)
    text_printf(out, "\n%-*s %16s %9s %11s %9s\n", width, "variable",
                "states by factor", "values", "changes", "states");
  for (size_t i = 0; i < shown; i++) {
    const profiled_variable *v = list.data[i];
    char factor[40];
    if (v->error > 0)
      snprintf(factor, sizeof factor, "%.2f +- %.2f", v->factor, v->error);
    else
      snprintf(factor, sizeof factor, "%.2f", v->factor);
    text_printf(out, "%-*s %16s %9" PRIu64 " %11" PRIu64 " %9" PRIu64 "\n",
                width, v->name, factor, v->values, v->changes, v->states);
  }
  if (shown < list.len)
    text_printf(out, "... and %zu more: --verbose shows all\n",
                list.len - shown);
  vec_free(&list);
}

/* ---- the whole ---------------------------------------------------------- */

static void add_changes(const profile *p, text *out)
{
  const sources *s = program_model(p->program)->sources;
  if (!p->complete) {
    text_add(out, "\nno changes were tried: not all states were seen\n");
    return;
  }
  text_add(out, p->changes.len ? "\nwhat would save states, tried:\n"
                               : "\nnone of the changes tried saves states\n");
  for (size_t i = 0; i < p->changes.len; i++) {
    const profiled_change *c = &p->changes.data[i];
    position at = source_position(s, c->where);
    text_printf(out, "  %5.1f%%  ",
                100.0 * ((double)p->states - (double)c->states) /
                    (double)p->states);
    if (at.name)
      text_printf(out, "%s:%u  ", at.name, at.line);
    text_printf(out, "%s (", c->words);
    text_add_number(out, c->states);
    text_add(out, " states)\n");
  }
}

void profile_print(const profile *p, const char *file, plain_style style,
                   text *out)
{
  told_edges list = {0};
  text_add_shown(out, file, strlen(file));
  text_add(out, ": ");
  plain_counted(p->states, "state", "states", out);
  text_add(out, ", ");
  plain_counted(p->transitions, "transition", "transitions", out);
  if (!p->complete)
    text_printf(out, " (not all: %s)",
                p->reason != REASON_NONE ? reason_text(p->reason)
                                         : "--states was reached");
  text_add_char(out, '\n');
  if (style.quiet)
    return;
  profile_statements(p, &list);
  add_sources(p, &list, out);
  vec_free(&list);
  add_variables(p, style, out);
  add_changes(p, out);
}

static void put(json_t *j, const char *key, json_t *value)
{
  json_object_set_new(j, key, value);
}

static json_t *number(uint64_t n)
{
  return json_integer((json_int_t)n);
}

static json_t *statements_array(const profile *p)
{
  told_edges list = {0};
  json_t *all = json_array();
  profile_statements(p, &list);
  for (size_t i = 0; i < list.len; i++) {
    const told_edge *t = &list.data[i];
    json_t *j = json_object();
    put(j, "process_type", json_text(t->edge->process->name));
    put(j, "file", json_text(t->at.name));
    put(j, "line", json_integer(t->at.line));
    put(j, "column", json_integer(t->at.column));
    put(j, "text", json_text(edge_words(t->edge)));
    put(j, "states", number(t->sum.states));
    put(j, "transitions", number(t->sum.transitions));
    put(j, "values", number(t->sum.values));
    json_array_append_new(all, j);
  }
  vec_free(&list);
  return all;
}

static json_t *variables_array(const profile *p)
{
  variable_list list = {0};
  json_t *all = json_array();
  sort_variables(p, &list);
  for (size_t i = 0; i < list.len; i++) {
    const profiled_variable *v = list.data[i];
    json_t *j = json_object();
    put(j, "name", json_text(v->name));
    put(j, "factor", json_real(round(v->factor * 1000) / 1000));
    put(j, "error", json_real(round(v->error * 1000) / 1000));
    put(j, "values", number(v->values));
    put(j, "changes", number(v->changes));
    put(j, "states", number(v->states));
    json_array_append_new(all, j);
  }
  vec_free(&list);
  return all;
}

static json_t *changes_array(const profile *p)
{
  const sources *s = program_model(p->program)->sources;
  json_t *all = json_array();
  for (size_t i = 0; i < p->changes.len; i++) {
    const profiled_change *c = &p->changes.data[i];
    position at = source_position(s, c->where);
    json_t *j = json_object();
    put(j, "kind", json_text(model_change_name(c->kind)));
    put(j, "file", json_text(at.name));
    put(j, "line", json_integer(at.line));
    put(j, "text", json_text(c->words));
    put(j, "states", number(c->states));
    json_array_append_new(all, j);
  }
  return all;
}

bool profile_json(const profile *p, const char *file, text *out)
{
  json_t *j = json_object();
  put(j, "nutshell", json_text(NUT_VERSION));
  put(j, "format", json_text("profile"));
  put(j, "file", json_text(file));
  put(j, "states", number(p->states));
  put(j, "transitions", number(p->transitions));
  put(j, "complete", json_boolean(p->complete));
  put(j, "reason", json_text(p->reason ? reason_text(p->reason) : NULL));
  put(j, "statements", statements_array(p));
  put(j, "variables", variables_array(p));
  put(j, "changes", changes_array(p));
  return json_finish(j, out);
}
