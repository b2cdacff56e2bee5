/* Coverage file by file: listings, lcov, JSON. */

#include "report/cover/coverage.h"
#include "report/cover/listing.h"
#include "report/json.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COUNTS_MAX = 4 }; /* different counts that are shown of one line */

/* The statements by file and line, whatever process they belong to. */
typedef VEC(const covered *) covered_list;

static int by_line(const void *x, const void *y)
{
  const covered *a = *(const covered *const *)x;
  const covered *b = *(const covered *const *)y;
  if (a->where.file != b->where.file)
    return a->where.file < b->where.file ? -1 : 1;
  if (a->at.line != b->at.line)
    return a->at.line < b->at.line ? -1 : 1;
  if (a->where.start != b->where.start)
    return a->where.start < b->where.start ? -1 : 1;
  return a->edge->index < b->edge->index ? -1 : a->edge->index > b->edge->index;
}

static void sort_lines(const coverage *c, covered_list *list)
{
  for (size_t i = 0; i < c->list.len; i++)
    if (c->list.data[i].at.line)
      vec_push(list, &c->list.data[i]);
  if (list->len)
    qsort(list->data, list->len, sizeof *list->data, by_line);
}

/* Where the statements of the file, or of the line, of the first one end. */
static size_t end_of_file(const covered_list *l, size_t i)
{
  uint32_t file = l->data[i]->where.file;
  while (i < l->len && l->data[i]->where.file == file)
    i++;
  return i;
}

static size_t end_of_line(const covered_list *l, size_t i, size_t end)
{
  uint32_t line = l->data[i]->at.line;
  while (i < end && l->data[i]->at.line == line)
    i++;
  return i;
}

/* ---- listings ----------------------------------------------------------- */

static void add_count(uint64_t count, text *out)
{
  if (count)
    text_printf(out, "%" PRIu64, count);
  else
    text_add(out, "never");
}

/* The counts of the statements in one line; equal neighbours once. */
static void add_counts(const covered_list *l, size_t first, size_t end,
                       text *out)
{
  size_t shown = 0;
  for (size_t i = first; i < end; i++) {
    uint64_t count = l->data[i]->count;
    if (i > first && count == l->data[i - 1]->count)
      continue;
    if (shown++)
      text_add(out, " / ");
    if (shown > COUNTS_MAX) {
      text_add(out, "...");
      return;
    }
    add_count(count, out);
  }
}

static size_t widest_counts(const covered_list *l, size_t first, size_t end)
{
  size_t width = 5;
  text counts = {0};
  for (size_t i = first, next; i < end; i = next) {
    next = end_of_line(l, i, end);
    text_clear(&counts);
    add_counts(l, i, next, &counts);
    width = counts.len > width ? counts.len : width;
  }
  text_free(&counts);
  return width;
}

/* Statements of a file whose text must not be shown. */
static void list_lines(const covered_list *l, size_t i, size_t end,
                       size_t width, text *out)
{
  text counts = {0};
  for (size_t next; i < end; i = next) {
    next = end_of_line(l, i, end);
    text_clear(&counts);
    add_counts(l, i, next, &counts);
    listing_line(width, &counts, l->data[i]->at.line, NULL, 0, out);
  }
  text_free(&counts);
}

/* The statements of a file, as they come. */
typedef struct margin {
  const covered_list *list;
  size_t next, end;
} margin;

static void add_margin(void *context, uint32_t line, text *out)
{
  margin *m = context;
  if (m->next >= m->end || m->list->data[m->next]->at.line != line)
    return;
  size_t next = end_of_line(m->list, m->next, m->end);
  add_counts(m->list, m->next, next, out);
  m->next = next;
}

static void add_summary(const outcome *o, const coverage *c, text *out)
{
  const char *why = coverage_incomplete(o);
  text_printf(out, "coverage: %zu of %zu statement%s executed", c->executed,
              c->list.len, c->list.len == 1 ? "" : "s");
  if (why)
    text_printf(out, " (search incomplete: %s)", why);
  text_add_char(out, '\n');
}

void coverage_print(const outcome *o, text *out)
{
  const sources *s = o->model->sources;
  coverage c = {0};
  covered_list l = {0};
  coverage_collect(o, &c);
  sort_lines(&c, &l);
  add_summary(o, &c, out);
  for (size_t i = 0, end; i < l.len; i = end) {
    end = end_of_file(&l, i);
    uint32_t file = l.data[i]->where.file;
    size_t width = widest_counts(&l, i, end);
    text_printf(out, "\n%s\n", l.data[i]->at.name);
    if (source_is_label(s, file) || source_is_hidden(s, file))
      list_lines(&l, i, end, width, out);
    else
      listing_source(s, file, width, add_margin, &(margin){&l, i, end}, out);
  }
  vec_free(&l);
  coverage_free(&c);
}

/* ---- lcov --------------------------------------------------------------- */

/* The options of selections in these lines; a block is a selection. */
static void add_branches(const covered_list *l, size_t i, size_t end, text *out)
{
  size_t all = 0, taken = 0;
  for (; i < end; i++) {
    const covered *c = l->data[i];
    if (!c->choice)
      continue;
    text_printf(out, "BRDA:%u,%u,%u,%" PRIu64 "\n", c->at.line, c->choice - 1,
                c->edge->index, c->count);
    all++;
    taken += c->count > 0;
  }
  text_printf(out, "BRF:%zu\nBRH:%zu\n", all, taken);
}

static void add_lines(const covered_list *l, size_t i, size_t end, text *out)
{
  size_t all = 0, executed = 0;
  for (size_t next; i < end; i = next) {
    uint64_t most = 0;
    uint32_t line = l->data[i]->at.line;
    for (next = i; next < end && l->data[next]->at.line == line; next++)
      most = l->data[next]->count > most ? l->data[next]->count : most;
    text_printf(out, "DA:%u,%" PRIu64 "\n", line, most);
    all++;
    executed += most > 0;
  }
  text_printf(out, "LF:%zu\nLH:%zu\n", all, executed);
}

void coverage_lcov(const outcome *o, text *out)
{
  coverage c = {0};
  covered_list l = {0};
  coverage_collect(o, &c);
  sort_lines(&c, &l);
  text_printf(out, "TN:%s\n",
              coverage_incomplete(o) ? "search_incomplete" : "");
  for (size_t i = 0, end; i < l.len; i = end) {
    end = end_of_file(&l, i);
    text_printf(out, "SF:%s\n", l.data[i]->at.name);
    add_branches(&l, i, end, out);
    add_lines(&l, i, end, out);
    text_add(out, "end_of_record\n");
  }
  vec_free(&l);
  coverage_free(&c);
}

/* ---- JSON --------------------------------------------------------------- */

static json_t *statement_object(const covered *c)
{
  json_t *j = json_object();
  json_object_set_new(j, "process_type", json_text(c->edge->process->name));
  json_object_set_new(j, "file", json_text(c->at.name));
  json_object_set_new(j, "line", json_integer(c->at.line));
  json_object_set_new(j, "column", json_integer(c->at.column));
  json_object_set_new(j, "text", json_text(c->words));
  json_object_set_new(j, "count", json_integer((json_int_t)c->count));
  return j;
}

json_t *coverage_object(const outcome *o)
{
  coverage c = {0};
  const char *why = coverage_incomplete(o);
  json_t *j = json_object(), *list = json_array();
  coverage_collect(o, &c);
  for (size_t i = 0; i < c.list.len; i++)
    json_array_append_new(list, statement_object(&c.list.data[i]));
  json_object_set_new(j, "complete", json_boolean(!why));
  json_object_set_new(j, "reason", json_text(why));
  json_object_set_new(j, "executed", json_integer((json_int_t)c.executed));
  json_object_set_new(j, "statements", list);
  coverage_free(&c);
  return j;
}
