/* Lines of a report: verdict, answers.  Traces are in plain_story.c, trees in
** plain_tree.c, figures in plain_figures.c. */

#include "report/plain.h"
#include "base/source/shown.h"
#include "model/ltl.h"
#include "report/memory_use.h"
#include "report/unreached.h"
#include "report/why/explained.h"
#include "report/why/vacuous.h"
#include "report/why/waiting.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FEW_STUCK = 3 }; /* processes named in one line */

static const char green[] = "\033[32m", red[] = "\033[31m",
                  yellow[] = "\033[33m", bold[] = "\033[1m",
                  plain[] = "\033[0m";

static void paint(const char *color, plain_style style, text *out)
{
  if (style.color)
    text_add(out, color);
}

void plain_verdict(verdict v, plain_style style, text *out)
{
  paint(v == VERDICT_HOLDS      ? green
        : v == VERDICT_VIOLATED ? red
                                : yellow,
        style, out);
  text_add(out, verdict_text(v));
  paint(plain, style, out);
}

void plain_counted(uint64_t n, const char *one, const char *many, text *out)
{
  text_add_number(out, n);
  text_printf(out, " %s", n == 1 ? one : many);
}

/* ---- properties --------------------------------------------------------- */

static void add_position(position at, text *out)
{
  if (at.name)
    text_printf(out, "%s:%u", at.name, at.line);
}

/* Those who are stuck, a few of them. */
static void add_stuck(story *s, text *out)
{
  stuck_processes found = waiting_find(s, 1);
  for (size_t i = 0; i < found.count && i < FEW_STUCK; i++) {
    const waiting *w = &found.list[i];
    text_printf(out, ", %s(%u)%s", w->type->name, w->process,
                w->at.name ? " at " : "");
    add_position(w->at, out);
  }
  if (found.count > FEW_STUCK)
    text_printf(out, ", and %zu more", found.count - FEW_STUCK);
}

/* Where a step went wrong: ", FILE:LINE". */
static void add_place(const story *s, text *out)
{
  position at = s->where;
  if (s->end != TRACE_FAULT)
    return;
  if (!at.name && s->steps.len)
    at = vec_last(&s->steps).at;
  text_add(out, at.name ? ", " : "");
  add_position(at, out);
}

/* How a story comes to its end. */
static void add_ending(const told_answer *r, text *out)
{
  const story *s = r->story;
  uint32_t before = 0;
  switch (s->end) {
  case TRACE_LOOP:
    if (s->loop > 0)
      before = s->steps.data[s->loop - 1].number;
    text_add(out, "a loop of ");
    plain_counted(s->shown - before, "step", "steps", out);
    text_add(out, " after ");
    plain_counted(before, "step", "steps", out);
    break;
  case TRACE_PREFIX:
    text_add(out, "after ");
    plain_counted(s->shown, "step", "steps", out);
    text_add(out, ", whatever follows");
    break;
  default:
    text_add(out,
             r->answer->question->formula ? trace_end_text(s->end) : s->ending);
    text_add(out, " after ");
    plain_counted(s->shown, "step", "steps", out);
    add_place(s, out);
  }
}

/* What stands behind the verdict of an answer.  Where the property is an
** expression, it stands in a line of its own. */
static void add_remark(const told_answer *r, text *out)
{
  const answer *a = r->answer;
  if (a->verdict == VERDICT_UNKNOWN && answer_reason(a)) {
    text_add(out, answer_reason(a));
  } else if (r->story && r->story->ending) {
    add_ending(r, out);
  } else if (account_untold(r)) {
    text_printf(out, "its run is not shown: %s", account_untold(r));
  }
  if (r->branches && a->tree->branches.len > 1) {
    text_add(out, out->len ? ", with " : "a run with ");
    plain_counted(a->tree->branches.len - 1, "branch", "branches", out);
  }
  if (a->has_value) {
    text_add(out, "at most ");
    plain_counted(a->value, "token", "tokens", out);
  }
  if (!r->story && a->verdict == VERDICT_VIOLATED &&
      a->question->kind == PROPERTY_REACH)
    text_add(out, "no such state");
  if (a->method) {
    text_add(out, out->len ? "; " : "");
    text_add(out, answer_method_name(a->method));
  }
  if (a->errors > 1 && a->verdict == VERDICT_VIOLATED) {
    text_add(out, out->len ? "; " : "");
    plain_counted(a->errors, "error", "errors", out);
  }
}

static void add_answer(const told_answer *r, size_t width, plain_style style,
                       text *out)
{
  const answer *a = r->answer;
  text remark = {0};
  text_printf(out, "  %-*s  ", (int)width, a->question->name);
  plain_verdict(a->verdict, style, out);
  add_remark(r, &remark);
  if (remark.len)
    text_printf(out, "%*s%s", (int)(10 - strlen(verdict_text(a->verdict))), "",
                text_string(&remark));
  if (a->question->formula)
    text_printf(out, "\n  %*s  %s", (int)width, "", a->question->formula);
  if (a->trivial)
    text_printf(out, "\n  %*s  this is %s of every model", (int)width, "",
                a->trivial);
  text_add_char(out, '\n');
  for (size_t i = 0; i < vacuous_count(a); i++) {
    text_clear(&remark);
    vacuous_add(a, i, &remark);
    text_printf(out, "  %*s  %s\n", (int)width, "", text_string(&remark));
  }
  text_free(&remark);
}

/* The formula as it was understood, with all parentheses. */
static void add_reading(const model *m, const question *q, size_t width,
                        text *out)
{
  if (!q->property || !q->property->ltl)
    return;
  text_printf(out, "  %*s  read as ", (int)width, "");
  ltl_print_all(m, q->property->ltl, out);
  text_add_char(out, '\n');
}

/* The places where steps fail, when there are several: a line each. */
static void add_places(const outcome *o, const answer *a, size_t width,
                       text *out)
{
  for (size_t i = 0; a->violations.len > 1 && i < a->violations.len; i++) {
    const violation *v = &a->violations.data[i];
    const edge *e =
        v->edge < o->model->edges.len ? o->model->edges.data[v->edge] : NULL;
    text_printf(out, "  %*s  ", (int)width, "");
    add_position(source_position(o->model->sources, v->where), out);
    if (e && edge_words(e))
      text_printf(out, "  %s", edge_words(e));
    text_printf(out, "  %s", fault_text(v->kind));
    if (v->errors > 1)
      text_printf(out, ", %" PRIu64 " times", v->errors);
    text_add_char(out, '\n');
  }
}

static void add_row(const account *a, const told_answer *r, size_t width,
                    plain_style style, text *out)
{
  const outcome *o = a->outcome;
  add_answer(r, width, style, out);
  if (o->model && style.verbose)
    add_reading(o->model, r->answer->question, width, out);
  if (o->model)
    add_places(o, r->answer, width, out);
}

/* Whether a row says something that the person in front of it did not know:
** nothing is said of what the language rules out, and what was left undecided
** when errors were found is told in one line. */
static bool has_row(const answer *a, plain_style style)
{
  return style.verbose ||
         (!a->by_definition && !(a->verdict == VERDICT_UNKNOWN &&
                                 a->reason == REASON_ERRORS && !a->why));
}

/* "  (not decided: end-states, bounds, stopped after the errors found)" */
static void add_undecided(const account *a, plain_style style, text *out)
{
  const char *before = "  (not decided: ";
  for (size_t i = 0; i < a->answers.len; i++) {
    const answer *one = a->answers.data[i].answer;
    if (has_row(one, style) || one->by_definition)
      continue;
    text_printf(out, "%s%s", before, one->question->name);
    before = ", ";
  }
  if (*before == ',')
    text_printf(out, ": %s)\n", reason_text(REASON_ERRORS));
}

static void add_answers(const account *a, plain_style style, text *out)
{
  const outcome *o = a->outcome;
  size_t width = 0;
  for (size_t i = 0; i < a->answers.len; i++) {
    size_t n = strlen(a->answers.data[i].answer->question->name);
    if (has_row(a->answers.data[i].answer, style))
      width = n > width && n <= 40 ? n : width;
  }
  for (size_t i = 0; i < a->answers.len; i++)
    if (has_row(a->answers.data[i].answer, style))
      add_row(a, &a->answers.data[i], width, style, out);
  add_undecided(a, style, out);
  if (o->left_out > 0) {
    text_add(out, "  (");
    plain_counted(o->left_out, "property", "properties", out);
    text_add(out, " of infinite runs left out: --no-liveness)\n");
  }
}

static void add_verdict_line(const outcome *o, plain_style style, text *out)
{
  paint(bold, style, out);
  text_add_shown(out, o->file, strlen(o->file));
  text_add(out, ": ");
  plain_verdict(o->verdict, style, out);
  if (o->verdict == VERDICT_UNKNOWN && o->reason)
    text_printf(out, " (%s)", o->reason);
  else if (o->verdict == VERDICT_VIOLATED && !o->complete && o->reason &&
           o->result.reason != REASON_ERRORS)
    text_printf(out, " (search not complete: %s)", o->reason);
  text_add_char(out, '\n');
}

static void add_line(text *line, text *out)
{
  if (line->len)
    text_printf(out, "  %s\n", text_string(line));
  text_clear(line);
}

/* What became of the files that keep the run. */
static void add_kept(const outcome *o, text *line, text *out)
{
  const outcome_checkpoint *c = o->checkpoint;
  if (!c || !c->goes_on)
    return;
  if (c->problem)
    text_printf(line, "the last checkpoint could not be written: %s",
                c->problem);
  else if (c->left_out)
    text_add(line, "no checkpoint was written at the end: it would have taken "
                   "longer than --grace");
  add_line(line, out);
  text_add(line, "go on with: ");
  account_add_resume(o, line);
  add_line(line, out);
  if (c->anew)
    text_printf(line, "which searches for infinite runs anew: %s", c->anew);
  add_line(line, out);
}

/* What explains the whole verdict. */
static void add_hints(const outcome *o, text *out)
{
  text hint = {0};
  if (o->result.stuck)
    account_add_hint(o, &hint);
  else if (o->result.disk.error)
    text_printf(&hint, "the disk: %s", strerror(o->result.disk.error));
  else
    memory_add_advice(o, &hint);
  add_line(&hint, out);
  add_kept(o, &hint, out);
  text_free(&hint);
}

/* What is violated, and where: a line each, for those who want no more. */
static void add_violations(const account *a, text *out)
{
  for (size_t i = 0; i < a->answers.len; i++) {
    const told_answer *r = &a->answers.data[i];
    text remark = {0};
    if (r->answer->verdict != VERDICT_VIOLATED)
      continue;
    add_remark(r, &remark);
    if (r->story && r->story->end == TRACE_INVALID_END)
      add_stuck(r->story, &remark);
    text_printf(out, "  %s%s%s\n", r->answer->question->name,
                remark.len ? ": " : "", text_string(&remark));
    text_free(&remark);
  }
}

/* ---- whole reports ------------------------------------------------------ */

/* The run to another place that fails. */
static void add_other_place(const question *q, story *s, plain_style style,
                            text *out)
{
  text_add_char(out, '\n');
  paint(bold, style, out);
  text_printf(out, "Counterexample for %s: %s", q->name, s->ending);
  add_place(s, out);
  paint(plain, style, out);
  text_add_char(out, '\n');
  plain_story(s, style, out);
}

static void add_counterexample(const told_answer *r, plain_style style,
                               text *out)
{
  const question *q = r->answer->question;
  bool witness =
      q->kind == PROPERTY_REACH ||
      (q->kind == PROPERTY_CTL && r->answer->verdict == VERDICT_HOLDS);
  text_add_char(out, '\n');
  paint(bold, style, out);
  text_printf(out, "%s for %s", witness ? "Witness" : "Counterexample",
              q->name);
  if (r->story->ending)
    text_printf(out, ": %s", r->story->ending);
  paint(plain, style, out);
  text_add_char(out, '\n');
  plain_story(r->story, style, out);
  explanation_print(r, out);
  if (r->branches)
    plain_tree(r, style, out);
  for (size_t i = 1; r->violations && i < r->answer->violations.len; i++)
    if (r->violations[i].story)
      add_other_place(q, r->violations[i].story, style, out);
  if (!r->other)
    return;
  paint(bold, style, out);
  text_add(out, "\nand the other state");
  paint(plain, style, out);
  text_add_char(out, '\n');
  plain_story(r->other, style, out);
}

void plain_check(const account *a, plain_style style, text *out)
{
  const outcome *o = a->outcome;
  add_verdict_line(o, style, out);
  if (style.quiet) {
    add_violations(a, out);
    return;
  }
  add_hints(o, out);
  add_answers(a, style, out);
  for (size_t i = 0; i < a->answers.len; i++)
    if (a->answers.data[i].story)
      add_counterexample(&a->answers.data[i], style, out);
  if (o->complete && o->result.walked)
    plain_unreached(o, style, out);
  text_add(out, o->atomic_blocks ? "\n" : "");
  atomic_blocks_print(o, style, out);
  text_add_char(out, '\n');
  plain_figures(o, style.verbose, style.verbose, out);
}

void plain_count(const account *a, plain_style style, text *out)
{
  const outcome *o = a->outcome;
  add_verdict_line(o, style, out);
  if (style.quiet)
    return;
  add_hints(o, out);
  add_answers(a, style, out);
  plain_figures(o, true, style.verbose, out);
}
