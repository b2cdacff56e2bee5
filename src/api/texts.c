/* Results and traces as whole texts. */

#include "api/handle.h"
#include "base/alloc.h"
#include "report/chart/chart.h"
#include "report/cover/coverage.h"
#include "report/json.h"
#include "report/plain.h"
#include "report/tracefile.h"
#include "report/why/part.h"
#include <string.h>

/* What is to be written; one of the first two is NULL. */
typedef struct writing {
  const nut_selection *part; /* of the trace, or NULL */
  const nut_result *result;
  bool coverage; /* of the result, nothing else */
  const nut_trace *trace;
  nut_format format;
  nut_style style;
  size_t first; /* step of the trace; */
  bool single;  /* no other */
  text out;
  bool good;
  char *copy;
} writing;

static bool write_coverage(const writing *w, text *out)
{
  const outcome *o = w->result->account.outcome;
  if (!o || !coverage_is_known(o))
    return false;
  if (w->format == NUT_JSON)
    return json_coverage(o, out);
  if (w->format == NUT_LCOV)
    coverage_lcov(o, out);
  else
    coverage_print(o, out);
  return w->format == NUT_LCOV || w->format == NUT_TEXT;
}

static bool write_result(const writing *w, text *out)
{
  const account *a = &w->result->account;
  const outcome *o = a->outcome;
  if (!o)
    return false;
  if (w->format == NUT_JSON)
    return json_account(a, out);
  if (w->format != NUT_TEXT || (!o->program && o->verdict == VERDICT_ERROR))
    return false;
  if (strcmp(o->command, "count") == 0)
    plain_count(a, w->style, out);
  else
    plain_check(a, w->style, out);
  return true;
}

static bool write_steps(const writing *w, text *out)
{
  story *s = w->trace->story;
  if (w->part) {
    plain_part(s, w->part, w->style, out);
    return true;
  }
  if (!w->single) {
    plain_story_from(s, w->first, w->style, out);
    return true;
  }
  if (w->first >= s->steps.len)
    return false;
  story_details(s, w->first, w->first + 1);
  plain_step(s, w->first, w->style, out);
  return true;
}

static bool write_trace(const writing *w, text *out)
{
  const nut_trace *t = w->trace;
  switch (w->format) {
  case NUT_TEXT:
    return write_steps(w, out);
  case NUT_JSON:
    return json_story(t->story, &t->property, t->property ? 1 : 0, out);
  case NUT_TRAIL:
    trail_write(t->story, out);
    return true;
  case NUT_MERMAID:
    chart_mermaid(t->story, w->style.verbose, out);
    return true;
  case NUT_SVG:
    chart_svg(t->story, w->style.verbose, out);
    return true;
  case NUT_DOT:
  case NUT_PROMELA:
  case NUT_DVE:
  case NUT_PNML:
  case NUT_NEVER:
  case NUT_HOA:
  case NUT_MODEL:
  case NUT_LCOV:
    break;
  }
  return false;
}

static void do_write(void *what)
{
  writing *w = what;
  w->good = w->coverage ? write_coverage(w, &w->out)
            : w->result ? write_result(w, &w->out)
                        : write_trace(w, &w->out);
}

static void do_copy(void *what)
{
  writing *w = what;
  do_write(w);
  w->copy = w->good ? mem_copy_string(text_string(&w->out)) : NULL;
}

static char *copy_text(writing w)
{
  mem_protect(do_copy, &w);
  text_free(&w.out);
  return w.copy;
}

char *nut_result_write(const nut_result *r, nut_format format)
{
  return copy_text((writing){.result = r, .format = format});
}

char *nut_trace_write(const nut_trace *t, nut_format format)
{
  return copy_text((writing){
      .trace = t, .format = format, .style.verbose = format == NUT_TEXT});
}

void nut_text_free(char *s)
{
  mem_free_string(s);
}

static bool send_text(writing w, nut_sink *sink, void *context)
{
  bool good = mem_protect(do_write, &w) && w.good;
  if (good)
    sink(context, text_string(&w.out), w.out.len);
  text_free(&w.out);
  return good;
}

bool nut_result_text(const nut_result *r, nut_format format, nut_style style,
                     nut_sink *sink, void *context)
{
  return send_text((writing){.result = r, .format = format, .style = style},
                   sink, context);
}

bool nut_coverage_text(const nut_result *r, nut_format format, nut_sink *sink,
                       void *context)
{
  return send_text((writing){.result = r, .coverage = true, .format = format},
                   sink, context);
}

bool nut_trace_text(const nut_trace *t, nut_format format, size_t first,
                    nut_style style, nut_sink *sink, void *context)
{
  return send_text(
      (writing){.trace = t, .format = format, .first = first, .style = style},
      sink, context);
}

/* ---- parts of traces ---------------------------------------------------- */

bool nut_trace_part_text(const nut_trace *t, const nut_selection *part,
                         nut_style style, nut_sink *sink, void *context,
                         const char **unknown)
{
  *unknown = part_unknown(t->story->model, part);
  return !*unknown &&
         send_text((writing){.trace = t, .part = part, .style = style}, sink,
                   context);
}

typedef struct selecting {
  const nut_trace *trace;
  const nut_selection *part;
  told_steps list;
  size_t *made;
} selecting;

static void do_select(void *what)
{
  selecting *s = what;
  part_steps(s->trace->story, s->part, &s->list);
  s->made = mem_alloc(mem_product(s->list.len + 1, sizeof *s->made));
  for (size_t i = 0; i < s->list.len; i++)
    s->made[i] = s->list.data[i];
}

size_t *nut_trace_select(const nut_trace *t, const nut_selection *part,
                         size_t *count, const char **unknown)
{
  selecting s = {.trace = t, .part = part};
  *count = 0;
  *unknown = part_unknown(t->story->model, part);
  if (!*unknown && mem_protect(do_select, &s))
    *count = s.list.len;
  vec_free(&s.list);
  return s.made;
}

void nut_selected_free(size_t *list, size_t count)
{
  if (list)
    mem_free(list, mem_product(count + 1, sizeof *list));
}

bool nut_trace_step_text(const nut_trace *t, size_t index, nut_style style,
                         nut_sink *sink, void *context)
{
  return send_text(
      (writing){.trace = t, .first = index, .single = true, .style = style},
      sink, context);
}
