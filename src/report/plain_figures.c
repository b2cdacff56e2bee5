/* The figures of a run: one line for those who want an answer, all of them for
** those who ask, and where the memory went. */

#include "report/memory_use.h"
#include "report/plain.h"
#include <string.h>

/* Below so many states the space that each takes says nothing. */
enum { MANY_STATES = 1000 };

/* A number in decimal, in groups of three digits. */
static void add_digits(const char *digits, text *out)
{
  size_t n = strlen(digits);
  for (size_t i = 0; i < n; i++) {
    text_add_char(out, digits[i]);
    if (n > 4 && i + 1 < n && (n - i - 1) % 3 == 0)
      text_add_char(out, ' ');
  }
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

static void add_cost(const outcome *o, text *out)
{
  text_printf(out, "%.2f s, ", o->result.seconds);
  text_add_size(out, o->result.stats.memory_bytes);
  text_add(out, " of memory\n");
}

/* What no marking exceeds, also of those that were not seen. */
static void add_token_bounds(const net_figures *n, text *out)
{
  text_add(out, "  by invariants, never more than ");
  if (n->has_place_bound) {
    plain_counted(n->place_bound, "token", "tokens", out);
    text_add(out, n->has_marking_bound ? " in a place, " : " in a place\n");
  }
  if (n->has_marking_bound) {
    plain_counted(n->marking_bound, "token", "tokens", out);
    text_add(out, " in a marking\n");
  }
}

static void add_net_figures(const outcome *o, text *out)
{
  if (o->net->unbounded) {
    text_add(out, "  there is no bound to its tokens\n");
    return;
  }
  if (o->complete || o->net->per_marking) {
    text_add(out, "  at most ");
    plain_counted(o->net->in_place, "token", "tokens", out);
    text_add(out, " in a place, ");
    text_add_number(out, o->net->per_marking);
    text_add(out, " in a marking\n");
  }
  if (o->net->has_place_bound || o->net->has_marking_bound)
    add_token_bounds(o->net, out);
}

static void add_exact(const char *digits, const char *one, const char *many,
                      text *out)
{
  add_digits(digits, out);
  text_printf(out, " %s", strcmp(digits, "1") ? many : one);
}

/* ---- sets of states ----------------------------------------------------- */

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

static void add_symbolic_counts(const outcome *o, text *out)
{
  const symbolic_report *r = o->symbolic;
  text_add(out, "  ");
  add_exact(r->states, "state", "states", out);
  if (o->complete) {
    text_add(out, ", ");
    add_exact(r->transitions, "transition", "transitions", out);
    text_add(out, ", ");
    add_exact(r->deadlocks, "deadlock", "deadlocks", out);
  }
}

static void add_symbolic_line(const outcome *o, text *out)
{
  add_symbolic_counts(o, out);
  text_add(out, ", symbolic, ");
  add_cost(o, out);
}

static void add_symbolic_figures(const outcome *o, text *out)
{
  const symbolic_report *r = o->symbolic;
  const symbolic_figures *f = &r->figures;
  add_symbolic_counts(o, out);
  text_add_char(out, '\n');
  if (o->net)
    add_net_figures(o, out);
  text_add(out, "  symbolic, by ");
  text_add(out, strategy_text(r->strategy));
  text_add(out, r->base == NUT_BASE_BDD ? " over bits: " : ": ");
  add_sizes(f, SIZES_WORK, out);
  text_add(out, "\n  ");
  add_sizes(f, SIZES_NODES, out);
  text_add(out, "; ");
  add_cost(o, out);
}

/* ---- states one by one -------------------------------------------------- */

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

static void add_store(const outcome *o, text *out)
{
  const statistics *s = &o->result.stats;
  text_printf(out, "  store %s: ", outcome_store(o));
  text_add_size(out, s->store_bytes);
  if (s->states >= MANY_STATES) {
    text_printf(out, ", %.1f bytes per state of ",
                (double)s->store_bytes / (double)s->states);
    add_statistics(s, LINE_LENGTH, out);
  }
  if (!o->result.store->exact)
    add_loss(o, out);
  if (o->result.store_figures.nodes) {
    text_add(out, ", ");
    plain_counted(o->result.store_figures.nodes, "node", "nodes", out);
  }
  text_add_char(out, '\n');
}

static void add_line(const outcome *o, text *out)
{
  const statistics *s = &o->result.stats;
  text_add(out, "  ");
  plain_counted(s->states, "state", "states", out);
  text_add(out, ", ");
  plain_counted(s->transitions, "transition", "transitions", out);
  text_add(out, ", depth ");
  text_add_number(out, s->depth);
  text_add(out, ", ");
  add_cost(o, out);
  if (!o->result.store->exact)
    add_store(o, out);
}

static void add_reduction(const outcome *o, text *out)
{
  if (o->result.por_off)
    text_printf(out, "  no reduction: %s\n", o->result.por_off);
  for (size_t i = 0; i < o->answers.len; i++) {
    const answer *a = &o->answers.data[i];
    if (a->por_off && a->por_off != o->result.por_off)
      text_printf(out, "  no reduction for %s: %s\n", a->question->name,
                  a->por_off);
  }
}

/* What each thread did, what ends of levels and growing tables cost. */
static void add_threads(const outcome *o, text *out)
{
  const search_result *r = &o->result;
  for (size_t i = 0; r->team.len > 1 && i < r->team.len; i++) {
    const thread_figures *t = &r->team.data[i];
    text_printf(out, "  thread %zu: ", i + 1);
    add_phrase(t->expanded, "% state expanded, ", "% states expanded, ", out);
    add_phrase(t->states, "% found, ", "% found, ", out);
    add_phrase(t->transitions, "% transition, ", "% transitions, ", out);
    text_printf(out, "waited %.2f s\n", t->waited);
  }
  if (r->growths) {
    text_add(out, "  tables grew ");
    add_phrase(r->growths, "once", "% times", out);
    text_printf(out, " while all waited, %.2f s\n", r->growing);
  }
  if (r->runs.met) {
    text_add(out, "  infinite runs left to one thread, a loop was met: ");
    add_phrase(r->runs.met, "% property\n", "% properties\n", out);
  }
  if (r->runs.iterations || r->runs.sweeps) {
    text_add(out, "  infinite runs by all threads: ");
    add_phrase(r->runs.told, "% property, ", "% properties, ", out);
    add_phrase(r->runs.iterations, "% turn, ", "% turns, ", out);
    add_phrase(r->runs.sweeps, "% sweep\n", "% sweeps\n", out);
  }
}

/* What a limit has cut off. */
static void add_expected(const outcome *o, text *out)
{
  const nut_expected *e = &o->result.expected;
  if (!(e->high > 0))
    return;
  text_add(out, "  expected in all: ");
  text_add_range(out, e->low, e->high);
  text_add(out, " states\n");
}

/* What was done when memory was used up. */
static void add_disk(const outcome *o, bool verbose, text *out)
{
  const disk_figures *d = &o->result.disk;
  if (!d->spilled_at)
    return;
  text_add(out, d->is_dense ? "  denser in memory from " : "  on disk from ");
  plain_counted(d->spilled_at, "state", "states", out);
  text_add(out, " on: ");
  text_add_size(out, d->bytes);
  text_add(out, d->is_dense ? ", set emptied "
                : d->is_memory
                    ? " (in memory: the directory is no disk), memory "
                      "emptied "
                    : ", memory emptied ");
  add_phrase(d->spills, "once", "% times", out);
  if (d->renewals)
    add_phrase(d->renewals, ", tables once", ", tables % times", out);
  if (verbose) {
    text_add(out, ", read ");
    text_add_size(out, d->read);
    text_add(out, ", written ");
    text_add_size(out, d->written);
    add_phrase(d->passes, ", % pass", ", % passes", out);
    add_phrase(d->merges, ", % merge", ", % merges", out);
  }
  text_add_char(out, '\n');
}

/* How evenly the states are divided, and what went between ranks. */
static void add_ranks(const outcome *o, text *out)
{
  const rank_figures *r = &o->result.ranks;
  double mean = r->count ? (double)o->result.stats.states / r->count : 0;
  if (!r->most_states || !(mean > 0))
    return;
  text_printf(out, "  largest rank: %.2f of the mean; sent: ",
              (double)r->most_states / mean);
  text_add_size(out, r->bytes);
  add_phrase(r->messages, " in % message", " in % messages", out);
  text_printf(out, "; waited %.2f s\n", r->rested);
}

static void add_all(const outcome *o, bool verbose, text *out)
{
  const statistics *s = &o->result.stats;
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
  if (s->deep_states) {
    text_add(out, "\n  beside it, depth first: ");
    add_statistics(s, LINE_DEEP, out);
  }
  text_add_char(out, '\n');
  add_expected(o, out);
  if (o->net)
    add_net_figures(o, out);
  add_store(o, out);
  text_add(out, o->result.order == NUT_BFS ? "  breadth-first, "
                                           : "  depth-first, ");
  if (o->result.por != REDUCE_OFF)
    text_printf(out, "%s sets, ", reduce_kind_name(o->result.por));
  if (o->result.ranks.count)
    text_printf(out, "%u ranks, ", (unsigned)o->result.ranks.count);
  if (o->result.threads > 1)
    text_printf(out, "%u threads, ", (unsigned)o->result.threads);
  add_cost(o, out);
  memory_print(o, out);
  add_disk(o, verbose, out);
  add_reduction(o, out);
  if (verbose)
    add_threads(o, out);
  if (verbose)
    add_ranks(o, out);
  if (o->result.threads_off)
    text_printf(out, "  one thread: %s\n", o->result.threads_off);
}

void plain_figures(const outcome *o, bool all, bool verbose, text *out)
{
  if (!o->program)
    return; /* nothing was run */
  if (o->symbolic && all)
    add_symbolic_figures(o, out);
  else if (o->symbolic)
    add_symbolic_line(o, out);
  else if (!o->result.store)
    text_printf(out, "  no state space was needed, %.2f s\n",
                o->result.seconds);
  else if (all)
    add_all(o, verbose, out);
  else {
    add_line(o, out);
    add_expected(o, out);
    add_disk(o, verbose, out);
  }
}
