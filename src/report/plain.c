#include "report/plain.h"
#include "base/source/shown.h"
#include "report/unreached.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

void plain_number(uint64_t number, text *out)
{
  char digits[24];
  int n = snprintf(digits, sizeof digits, "%" PRIu64, number);
  for (int i = 0; i < n; i++) {
    text_add_char(out, digits[i]);
    /* Four digits are read at a glance; longer numbers get groups. */
    if (n > 4 && i + 1 < n && (n - i - 1) % 3 == 0)
      text_add_char(out, ' ');
  }
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

void plain_bytes(uint64_t bytes, text *out)
{
  static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
  double value = (double)bytes;
  size_t unit = 0;
  while (value >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
    value /= 1000;
    unit++;
  }
  text_printf(out, unit && value < 99.95 ? "%.1f %s" : "%.0f %s", value,
              units[unit]);
}

static void add_counted(uint64_t n, const char *one, const char *many,
                        text *out)
{
  plain_number(n, out);
  text_printf(out, " %s", n == 1 ? one : many);
}

/* ---- properties --------------------------------------------------------- */

/* How a story comes to its end. */
static void add_ending(const row *r, text *out)
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
    text_add(out, r->formula ? trace_end_text(s->end) : s->ending);
    text_add(out, " after ");
    add_counted(s->shown, "step", "steps", out);
  }
}

/* What stands behind the verdict of a row.  Where the property is an
** expression, it stands in a line of its own. */
static void add_remark(const row *r, text *out)
{
  if (r->verdict == VERDICT_UNKNOWN && r->reason) {
    text_add(out, r->reason);
  } else if (r->story && r->story->ending) {
    add_ending(r, out);
  }
  if (r->tree && r->tree->branches.len > 1) {
    text_add(out, out->len ? ", with " : "a run with ");
    add_counted(r->tree->branches.len - 1, "branch", "branches", out);
  }
  if (r->how) {
    text_add(out, out->len ? "; " : "");
    text_add(out, r->how);
  }
  if (r->has_value) {
    text_add(out, "at most ");
    add_counted(r->value, "token", "tokens", out);
  }
  if (!r->story && r->verdict == VERDICT_VIOLATED && r->kind == PROPERTY_REACH)
    text_add(out, "no such state");
  if (r->errors > 1 && r->verdict == VERDICT_VIOLATED) {
    text_add(out, out->len ? "; " : "");
    add_counted(r->errors, "error", "errors", out);
  }
}

static void add_row(const row *r, size_t width, plain_style style, text *out)
{
  text remark = {0};
  text_printf(out, "  %-*s  ", (int)width, r->name);
  plain_verdict(r->verdict, style, out);
  add_remark(r, &remark);
  if (remark.len)
    text_printf(out, "%*s%s", (int)(10 - strlen(verdict_text(r->verdict))), "",
                text_string(&remark));
  if (r->formula)
    text_printf(out, "\n  %*s  %s", (int)width, "", r->formula);
  text_add_char(out, '\n');
  text_free(&remark);
}

static void add_rows(const outcome *o, plain_style style, text *out)
{
  size_t width = 0;
  for (size_t i = 0; i < o->rows.len; i++) {
    size_t n = strlen(o->rows.data[i].name);
    width = n > width && n <= 40 ? n : width;
  }
  for (size_t i = 0; i < o->rows.len; i++)
    add_row(&o->rows.data[i], width, style, out);
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
  outcome_add_hint(o, out);
  text_add_char(out, '\n');
}

/* ---- figures ------------------------------------------------------------ */

static void add_net_figures(const outcome *o, text *out)
{
  text_add(out, "\n  at most ");
  add_counted(o->net->in_place, "token", "tokens", out);
  text_add(out, " in a place, ");
  plain_number(o->net->per_marking, out);
  text_add(out, " in a marking");
}

static void add_exact(const char *digits, const char *one, const char *many,
                      text *out)
{
  add_digits(digits, out);
  text_printf(out, " %s", strcmp(digits, "1") ? many : one);
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
  text_add(out, r->base == LIBRARY_BDD ? " over bits: " : ": ");
  add_counted(f->levels, "level", "levels", out);
  text_add(out, ", ");
  add_counted(f->groups, "group", "groups", out);
  text_add(out, ", ");
  add_counted(f->iterations, "round", "rounds", out);
  if (f->reorderings) {
    text_add(out, ", ");
    add_counted(f->reorderings, "reordering", "reorderings", out);
  }
  text_add(out, "\n  ");
  add_counted(f->nodes, "node", "nodes", out);
  text_add(out, ", at most ");
  plain_number(f->peak_nodes, out);
  text_printf(out, " at a time; %.2f s, ", o->result.seconds);
  plain_bytes(o->result.stats.memory_bytes, out);
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
  text_add(out, "  ");
  add_counted(s->states, "state", "states", out);
  text_add(out, ", ");
  add_counted(s->transitions, "transition", "transitions", out);
  text_add(out, ", depth ");
  plain_number(s->depth, out);
  text_add(out, ", ");
  add_counted(s->deadlocks, "deadlock", "deadlocks", out);
  text_add(out, ", ");
  add_counted(s->errors, "error", "errors", out);
  if (s->product_states && s->product_states != s->states) {
    text_add(out, "\n  with automata: ");
    add_counted(s->product_states, "state", "states", out);
    text_add(out, ", ");
    add_counted(s->product_transitions, "transition", "transitions", out);
  }
  if (o->net)
    add_net_figures(o, out);
  text_printf(out, "\n  store %s: ", outcome_store(o));
  plain_bytes(s->store_bytes, out);
  if (s->states > 0)
    text_printf(out, ", %.1f bytes per state",
                (double)s->store_bytes / (double)s->states);
  text_add(out, " of ");
  add_counted(s->state_bytes, "byte", "bytes", out);
  if (o->result.store && !o->result.store->exact)
    add_loss(o, out);
  if (o->result.store_figures.nodes) {
    text_add(out, ", ");
    add_counted(o->result.store_figures.nodes, "node", "nodes", out);
  }
  text_printf(out, "\n  %s, ",
              o->result.order == SEARCH_BFS ? "breadth-first" : "depth-first");
  if (o->result.por != REDUCE_OFF)
    text_printf(out, "%s sets, ", reduce_kind_name(o->result.por));
  text_printf(out, "%.2f s, ", o->result.seconds);
  plain_bytes(s->memory_bytes, out);
  text_add(out, " of memory\n");
  if (o->result.por_off)
    text_printf(out, "  no reduction: %s\n", o->result.por_off);
  for (size_t i = 0; i < o->rows.len; i++) {
    const row *r = &o->rows.data[i];
    if (r->reduction_off && r->reduction_off != o->result.por_off)
      text_printf(out, "  no reduction for %s: %s\n", r->name,
                  r->reduction_off);
  }
}

/* ---- whole reports ------------------------------------------------------ */

static void add_counterexample(const row *r, plain_style style, text *out)
{
  bool witness = r->kind == PROPERTY_REACH ||
                 (r->kind == PROPERTY_CTL && r->verdict == VERDICT_HOLDS);
  text_add_char(out, '\n');
  paint(bold, style, out);
  text_printf(out, "%s for %s", witness ? "Witness" : "Counterexample",
              r->name);
  if (r->story->ending)
    text_printf(out, ": %s", r->story->ending);
  paint(plain, style, out);
  text_add_char(out, '\n');
  plain_story(r->story, style, out);
  if (r->tree)
    plain_tree(r->tree, style, out);
  if (!r->other)
    return;
  paint(bold, style, out);
  text_add(out, "\nand the other state");
  paint(plain, style, out);
  text_add_char(out, '\n');
  plain_story(r->other, style, out);
}

void plain_check(const outcome *o, plain_style style, text *out)
{
  if (!style.quiet)
    add_rows(o, style, out);
  add_verdict_line(o, style, out);
  if (style.quiet)
    return;
  add_figures(o, out);
  for (size_t i = 0; i < o->rows.len; i++)
    if (o->rows.data[i].story)
      add_counterexample(&o->rows.data[i], style, out);
  if (o->complete && o->result.walked)
    plain_unreached(o, style, out);
}

void plain_count(const outcome *o, plain_style style, text *out)
{
  if (!style.quiet)
    add_rows(o, style, out);
  add_verdict_line(o, style, out);
  if (!style.quiet)
    add_figures(o, out);
}
