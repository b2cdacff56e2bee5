/* Statements as data: those never reached; and the text they were read from,
** as one. */

#include "api/handle.h"
#include "api/workspace.h"
#include "base/alloc.h"
#include "report/cover/coverage.h"
#include "search/search.h"
#include <stdlib.h>
#include <string.h>

/* ---- unreached ---------------------------------------------------------- */

typedef struct collecting {
  nut_result *result;
  VEC(nut_statement) list; /* its elements are in the arena */
} collecting;

static bool is_part_of_runs(const process_type *p)
{
  return p->kind == PROCESS_NORMAL || p->kind == PROCESS_INIT;
}

/* The end of a process is its last statement. */
static int32_t statements_of(const process_type *p)
{
  int32_t most = 0;
  for (size_t i = 0; i < p->edges.len; i++)
    if (p->edges.data[i]->number - p->first_number >= most)
      most = p->edges.data[i]->number - p->first_number + 1;
  return most;
}

static nut_statement statement_of(nut_result *r, const edge *e, int32_t number)
{
  const model *m = r->asked.outcome.model;
  position at = source_position(m->sources, e->where);
  const char *words = e->text;
  if (!words) {
    text out = {0};
    edge_print(m, e, &out);
    words = arena_copy(r->account.arena, text_string(&out), out.len);
    text_free(&out);
  }
  return (nut_statement){
      .process_type = e->process->name,
      .at = {.file = at.name, .line = at.line, .column = at.column},
      .text = words,
      .number = number,
      .all = statements_of(e->process)};
}

/* Whether a process was ever there: it begins there, or a step led there. */
static bool was_reached(const outcome *o, const process_type *p, uint32_t at)
{
  if (at == p->start)
    return true;
  for (size_t i = 0; i < p->edges.len; i++)
    if (p->edges.data[i]->target == at &&
        search_edge_reached(&o->result, p->edges.data[i]->index))
      return true;
  return false;
}

/* What could be executed at a location that was never reached; jumps are no
** statements. */
static void collect_from(collecting *c, const process_type *p, uint32_t at)
{
  const location *l = &p->locations.data[at];
  for (uint32_t i = 0; i < l->edge_count; i++) {
    const edge *e = p->order.data[l->first_edge + i];
    if (!(e->flags & EDGE_UNSEEN))
      arena_push(c->result->account.arena, &c->list,
                 statement_of(c->result, e, l->number));
  }
}

static int by_number(const void *x, const void *y)
{
  const nut_statement *a = x, *b = y;
  return a->number != b->number ? (a->number < b->number ? -1 : 1) : 0;
}

static void do_collect(void *what)
{
  collecting *c = what;
  const outcome *o = &c->result->asked.outcome;
  for (size_t i = 0; i < o->model->processes.len; i++) {
    const process_type *p = o->model->processes.data[i];
    size_t first = c->list.len;
    if (!is_part_of_runs(p))
      continue;
    for (uint32_t k = 0; k < p->locations.len; k++)
      if (!(p->locations.data[k].flags & LOC_DSTEP) && !was_reached(o, p, k))
        collect_from(c, p, k);
    if (c->list.len > first)
      qsort(c->list.data + first, c->list.len - first, sizeof *c->list.data,
            by_number);
  }
}

const nut_statement *nut_unreached(nut_result *r, size_t *count)
{
  const outcome *o = &r->asked.outcome;
  collecting c = {.result = r};
  *count = 0;
  if (!o->complete || !o->model || !o->result.walked ||
      !mem_protect(do_collect, &c))
    return NULL;
  *count = c.list.len;
  return c.list.data;
}

/* ---- coverage ----------------------------------------------------------- */

typedef struct counting {
  nut_result *result;
  VEC(nut_coverage) list; /* its elements are in the arena */
} counting;

static void do_count(void *what)
{
  counting *c = what;
  coverage found = {0};
  coverage_collect(&c->result->asked.outcome, &found);
  for (size_t i = 0; i < found.list.len; i++) {
    const covered *one = &found.list.data[i];
    nut_place at = {
        .file = one->at.name, .line = one->at.line, .column = one->at.column};
    arena_push(
        c->result->account.arena, &c->list,
        ((nut_coverage){one->edge->process->name, at, one->words, one->count}));
  }
  coverage_free(&found);
}

const nut_coverage *nut_result_coverage(nut_result *r, size_t *count)
{
  counting c = {.result = r};
  *count = 0;
  if (!coverage_is_known(&r->asked.outcome) || !mem_protect(do_count, &c))
    return NULL;
  *count = c.list.len;
  return c.list.data;
}

const char *nut_model_process_type(const nut_model *m, size_t index,
                                   int32_t *statements)
{
  for (size_t i = 0; nut_model_good(m) && i < m->model->processes.len; i++) {
    const process_type *p = m->model->processes.data[i];
    if (!is_part_of_runs(p) || index-- > 0)
      continue;
    *statements = statements_of(p);
    return p->name;
  }
  return NULL;
}

/* ---- the text as it was read -------------------------------------------- */

typedef struct joining {
  const nut_model *model;
  text out;
  const char *file; /* where the next line comes from, if nothing is said */
  uint32_t line;
  bool marked; /* there is a line '#line' */
} joining;

static void add_string(text *out, const char *string)
{
  for (; *string; string++) {
    if (*string == '"' || *string == '\\')
      text_add_char(out, '\\');
    text_add_char(out, *string);
  }
}

/* One line of the made text; 'first' is what is not blank in it. */
static void add_line(joining *j, uint32_t file, size_t first, const char *line,
                     size_t length)
{
  const sources *s = j->model->sources;
  position at =
      source_position(s, source_origin(s, (span){file, (uint32_t)first, 1}));
  bool known = at.name && at.line;
  bool same = known && !strcmp(j->file, at.name);
  /* Empty lines will do, as long as all comes from the model itself. */
  while (same && !j->marked && j->line < at.line) {
    text_add_char(&j->out, '\n');
    j->line++;
  }
  if (known && (!same || j->line != at.line)) {
    text_printf(&j->out, "#line %u \"", at.line);
    add_string(&j->out, at.name);
    text_add(&j->out, "\"\n");
    j->file = at.name;
    j->line = at.line;
    j->marked = true;
  }
  text_add_bytes(&j->out, line, length);
  text_add_char(&j->out, '\n');
  j->line++;
}

static void do_join(void *what)
{
  joining *j = what;
  const sources *s = j->model->sources;
  size_t length = 0;
  uint32_t file = source_made_of(s, j->model->source);
  const char *content = source_text(s, file ? file : j->model->source, &length);
  if (!file) {
    text_add_bytes(&j->out, content, length);
    return;
  }
  j->file = source_position(s, (span){j->model->source, 0, 0}).name;
  for (size_t i = 0, end; i < length; i = end + 1) {
    const char *stop = memchr(content + i, '\n', length - i);
    end = stop ? (size_t)(stop - content) : length;
    size_t first = i + strspn(content + i, " \t");
    if (first < end)
      add_line(j, file, first, content + i, end - i);
  }
}

bool nut_preprocessed(const nut_model *m, nut_sink *sink, void *context)
{
  joining j = {.model = m, .line = 1};
  bool good = m->source && mem_protect(do_join, &j);
  if (good)
    sink(context, text_string(&j.out), j.out.len);
  text_free(&j.out);
  return good;
}
