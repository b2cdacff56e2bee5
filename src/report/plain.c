/* Lines of a report: verdict, answers, figures.  Traces are in plain_story.c,
** trees in plain_tree.c. */

#include "report/plain.h"
#include "base/source/shown.h"
#include "report/unreached.h"
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

/* The same for a number in decimal. */
static void add_digits(const char *digits, text *out)
{
  size_t n = strlen(digits);
  for (size_t i = 0; i < n; i++) {
    text_add_char(out, digits[i]);
    if (n > 4 && i + 1 < n && (n - i - 1) % 3 == 0)
      text_add_char(out, ' ');
  }
}

static void add_counted(uint64_t n, const char *one, const char *many,
                        text *out)
{
  text_add_number(out, n);
  text_printf(out, " %s", n == 1 ? one : many);
}

/* "% states", with the number in the place of %. */
static void add_phrase(uint64_t n, const char *one, const char *many, text *out)
{
  for (const char *c = n == 1 ? one : many; *c; c++)
    if (*c == '%')
      text_add_number(out, n);
    else
      text_add_char(out, *c);
}

/* The figures of one line, separated by commas. */
static void add_statistics(const statistics *s, figure_line line, text *out)
{
  const char *comma = "";
  for (size_t i = 0; i < statistic_count; i++) {
    const statistic *f = &statistic_table[i];
    if (f->line != line)
      continue;
    text_add(out, comma);
    add_phrase(statistic_value(s, f), f->one, f->many, out);
    comma = ", ";
  }
}

/* ---- properties --------------------------------------------------------- */

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
    add_counted(s->shown - before, "step", "steps", out);
    text_add(out, " after ");
    add_counted(before, "step", "steps", out);
    break;
  case TRACE_PREFIX:
    text_add(out, "after ");
    add_counted(s->shown, "step", "steps", out);
    text_add(out, ", whatever follows");
    break;
  default:
    text_add(out,
             r->answer->question->formula ? trace_end_text(s->end) : s->ending);
    text_add(out, " after ");
    add_counted(s->shown, "step", "steps", out);
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
    add_counted(a->tree->branches.len - 1, "branch", "branches", out);
  }
  if (a->has_value) {
    text_add(out, "at most ");
    add_counted(a->value, "token", "tokens", out);
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
    add_counted(a->errors, "error", "errors", out);
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
  text_add_char(out, '\n');
  text_free(&remark);
}

static void add_answers(const account *a, plain_style style, text *out)
{
  const outcome *o = a->outcome;
  size_t width = 0;
  for (size_t i = 0; i < a->answers.len; i++) {
    size_t n = strlen(a->answers.data[i].answer->question->name);
    width = n > width && n <= 40 ? n : width;
  }
  for (size_t i = 0; i < a->answers.len; i++)
    add_answer(&a->answers.data[i], width, style, out);
  if (o->left_out > 0) {
    text_add(out, "  (");
    add_counted(o->left_out, "property", "properties", out);
    text_add(out, " of infinite runs left out: --no-liveness)\n");
  }
}

static void add_verdict_line(const outcome *o, plain_style style, text *out)
{
  if (!style.quiet)
    text_add_char(out, '\n');
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
  if (!o->result.stuck || style.quiet)
    return;
  text_add(out, "  ");
  account_add_hint(o, out);
  text_add_char(out, '\n');
}

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

/* Where a run went wrong: ", FILE:LINE", or who waits there. */
static void add_place(story *s, text *out)
{
  position at = s->where;
  if (s->end == TRACE_INVALID_END)
    add_stuck(s, out);
  if (s->end != TRACE_FAULT)
    return;
  if (!at.name && s->steps.len)
    at = vec_last(&s->steps).at;
  text_add(out, at.name ? ", " : "");
  add_position(at, out);
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
    if (r->story)
      add_place(r->story, &remark);
    text_printf(out, "  %s%s%s\n", r->answer->question->name,
                remark.len ? ": " : "", text_string(&remark));
    text_free(&remark);
  }
}

/* ---- figures ------------------------------------------------------------ */

static void add_net_figures(const outcome *o, text *out)
{
  if (o->net->unbounded) {
    text_add(out, "\n  there is no bound to its tokens");
    return;
  }
  text_add(out, "\n  at most ");
  add_counted(o->net->in_place, "token", "tokens", out);
  text_add(out, " in a place, ");
  text_add_number(out, o->net->per_marking);
  text_add(out, " in a marking");
}

static void add_exact(const char *digits, const char *one, const char *many,
                      text *out)
{
  add_digits(digits, out);
  text_printf(out, " %s", strcmp(digits, "1") ? many : one);
}

typedef enum { SIZES_NONE, SIZES_WORK, SIZES_NODES } sizes_line;

static void add_sizes(const symbolic_figures *f, sizes_line shown, text *out)
{
  const char *comma = "";
#define SIZE(name, line, one, many, rare, meaning)                             \
  if (SIZES_##line == shown && (f->name || !rare)) {                           \
    text_add(out, comma);                                                      \
    add_phrase(f->name, one, many, out);                                       \
    comma = ", ";                                                              \
  }
  SYMBOLIC_SIZES(SIZE)
#undef SIZE
}

static void add_symbolic_figures(const outcome *o, text *out)
{
  const symbolic_report *r = o->symbolic;
  const symbolic_figures *f = &r->figures;
  text_add(out, "  ");
  add_exact(r->states, "state", "states", out);
  if (o->complete) {
    text_add(out, ", ");
    add_exact(r->transitions, "transition", "transitions", out);
    text_add(out, ", ");
    add_exact(r->deadlocks, "deadlock", "deadlocks", out);
  }
  if (o->net)
    add_net_figures(o, out);
  text_add(out, "\n  symbolic, by ");
  text_add(out, strategy_text(r->strategy));
  text_add(out, r->base == NUT_BASE_BDD ? " over bits: " : ": ");
  add_sizes(f, SIZES_WORK, out);
  text_add(out, "\n  ");
  add_sizes(f, SIZES_NODES, out);
  text_printf(out, "; %.2f s, ", o->result.seconds);
  text_add_size(out, o->result.stats.memory_bytes);
  text_add(out, " of memory\n");
}

/* What a lossy store has probably lost: a part, or hardly anything. */
static void add_loss(const outcome *o, text *out)
{
  double coverage = outcome_coverage(o);
  text_add(out, " (may lose states: ");
  if (coverage < 0.9999)
    text_printf(out, "expected coverage %.2f%%)", 100 * coverage);
  else
    text_printf(out, "omission probability %.1e)",
                o->result.store_figures.lost);
}

static void add_figures(const outcome *o, text *out)
{
  if (!o->program)
    return; /* nothing was run */
  const statistics *s = &o->result.stats;
  if (o->symbolic) {
    add_symbolic_figures(o, out);
    return;
  }
  if (!o->result.store) {
    text_printf(out, "  no state space was needed, %.2f s\n",
                o->result.seconds);
    return;
  }
  text_add(out, "  ");
  add_statistics(s, LINE_STATES, out);
  if (s->product_states && s->product_states != s->states) {
    text_add(out, "\n  with automata: ");
    add_statistics(s, LINE_PRODUCTS, out);
  }
  if (s->shallow_states) {
    text_add(out, "\n  beside it, level by level: ");
    add_statistics(s, LINE_SHALLOW, out);
  }
  if (o->net)
    add_net_figures(o, out);
  text_printf(out, "\n  store %s: ", outcome_store(o));
  text_add_size(out, s->store_bytes);
  if (s->states > 0)
    text_printf(out, ", %.1f bytes per state",
                (double)s->store_bytes / (double)s->states);
  text_add(out, " of ");
  add_statistics(s, LINE_LENGTH, out);
  if (o->result.store && !o->result.store->exact)
    add_loss(o, out);
  if (o->result.store_figures.nodes) {
    text_add(out, ", ");
    add_counted(o->result.store_figures.nodes, "node", "nodes", out);
  }
  text_printf(out, "\n  %s, ",
              o->result.order == NUT_BFS ? "breadth-first" : "depth-first");
  if (o->result.por != REDUCE_OFF)
    text_printf(out, "%s sets, ", reduce_kind_name(o->result.por));
  text_printf(out, "%.2f s, ", o->result.seconds);
  text_add_size(out, s->memory_bytes);
  text_add(out, " of memory\n");
  if (o->result.por_off)
    text_printf(out, "  no reduction: %s\n", o->result.por_off);
  for (size_t i = 0; i < o->answers.len; i++) {
    const answer *a = &o->answers.data[i];
    if (a->por_off && a->por_off != o->result.por_off)
      text_printf(out, "  no reduction for %s: %s\n", a->question->name,
                  a->por_off);
  }
}

/* ---- whole reports ------------------------------------------------------ */

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
  if (r->branches)
    plain_tree(r, style, out);
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
  if (!style.quiet)
    add_answers(a, style, out);
  add_verdict_line(o, style, out);
  if (style.quiet) {
    add_violations(a, out);
    return;
  }
  add_figures(o, out);
  for (size_t i = 0; i < a->answers.len; i++)
    if (a->answers.data[i].story)
      add_counterexample(&a->answers.data[i], style, out);
  if (o->complete && o->result.walked)
    plain_unreached(o, style, out);
}

void plain_count(const account *a, plain_style style, text *out)
{
  const outcome *o = a->outcome;
  if (!style.quiet)
    add_answers(a, style, out);
  add_verdict_line(o, style, out);
  if (!style.quiet)
    add_figures(o, out);
}
