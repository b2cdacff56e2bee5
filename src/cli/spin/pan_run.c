/* What pan prints: the first errors, the banner, what was searched for, figures,
** unreached statements.  The lines are those that scripts look for; the figures
** are ours. */

#include "base/arena.h"
#include "base/system/usage.h"
#include "cli/common.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/spin/pan_claim.h"
#include "cli/spin/spin_internal.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ASKED = 8, OVERHEAD = 28 };

/* A search under way. */
typedef struct pan {
  const spin_request *request;
  nut_workspace *workspace;
  nut_model *model;
  nut_result *result;
  nut_workspace
      *whole;         /* the model as it was, when its claim was made finite */
  nut_question claim; /* its name is NULL: none is in force */
  claim_facts facts;  /* of a claim that is a 'never' */
  const char *judge;  /* the property that decides it */
  bool loops;         /* loops that the claim accepts are errors */
  size_t claims;      /* how many the model has */
  const char *asked[MOST_ASKED];
  size_t asked_count;
  bool np_by_formula; /* the model has no label of progress */
  arena *arena;
} pan;

/* ---- what is asked for -------------------------------------------------- */

/* Sets the claim that is in force; false: there is none of the name. */
static bool find_claim(pan *p)
{
  const spin_request *q = p->request;
  size_t count = 0, found = 0;
  const nut_question *list = nut_questions(p->workspace, &count);
  const char *asked =
      q->claim && !strcmp(q->claim, "never_0") ? "never" : q->claim;
  const char *wanted = asked ? nut_model_find_property(p->model, asked) : NULL;
  p->claims = spin_claim_count(p->workspace);
  if (q->no_claim || q->progress)
    return true;
  if (q->claim && p->claims == 1)
    say_error("warning: only one claim defined, -N ignored\n");
  bool named = q->claim && p->claims > 1;
  for (size_t i = 0; i < count; i++) {
    if (!spin_is_claim(&list[i]))
      continue;
    bool chosen = named ? wanted && !strcmp(wanted, list[i].name) : !found;
    found++;
    if (chosen)
      p->claim = list[i];
  }
  return p->claim.name || !named;
}

static bool is_formula(const pan *p)
{
  return p->claim.name && !strcmp(p->claim.kind, "ltl");
}

/* The claim as SPIN calls it. */
static const char *claim_name(const pan *p)
{
  return is_formula(p) ? p->claim.name : p->facts.name;
}

static bool has_property(const pan *p, const char *name)
{
  const char *other;
  for (size_t i = 0; (other = nut_model_property(p->model, i)); i++)
    if (!strcmp(other, name))
      return true;
  return false;
}

static void ask(pan *p, const char *name)
{
  if (p->asked_count < MOST_ASKED && has_property(p, name))
    p->asked[p->asked_count++] = name;
}

/* As pan was compiled; more than there is, is what there is. */
static uint64_t memory_limit(const spin_request *q)
{
  size_t total, left = usage_memory_left(&total);
  return q->megabytes < left >> 20 ? q->megabytes << 20 : 0;
}

static nut_options options_of(pan *p)
{
  static const char *const progress[] = {"[]<> !np_"};
  const spin_request *q = p->request;
  nut_options o = nut_default_options();
  if (!q->no_assertions)
    ask(p, "assertions");
  if (!q->no_end_states && !p->claim.name && !q->progress)
    ask(p, "end-states");
  ask(p, "bounds");
  if (p->claim.name)
    p->asked[p->asked_count++] = p->judge;
  else if (q->acceptance && !q->safety)
    ask(p, "acceptance");
  if (q->progress && has_property(p, "non-progress")) {
    ask(p, "non-progress");
  } else if (q->progress) {
    p->np_by_formula = true;
    o.ltl = progress;
    o.ltl_count = 1;
  }
  o.properties = p->asked;
  o.property_count = p->asked_count;
  o.max_errors = q->errors;
  o.store = q->store;
  o.search = q->bfs ? NUT_BFS : NUT_DFS;
  o.shortest = q->shortest;
  o.por = q->no_reduction ? NUT_POR_OFF : NUT_POR_ON;
  o.reverse = q->reverse;
  o.shuffle = q->permute ? q->search_seed + 1 : 0;
  o.fair = q->fair ? NUT_FAIR_WEAK : NUT_FAIR_NONE;
  o.memory_bytes = memory_limit(q);
  o.seconds = (double)q->minutes * 60;
  return o;
}

/* ---- errors and trails -------------------------------------------------- */

/* The condition of a failed "assert((x==1))" as pan shows it: "(x==1)". */
static void add_condition(const nut_trace *t, text *out)
{
  size_t n = nut_trace_length(t);
  const char *words = n ? nut_trace_step(t, n - 1).text : NULL;
  if (!words || strncmp(words, "assert(", 7))
    return;
  size_t length = strlen(words);
  text_printf(out, " %.*s", (int)(length - 8), words + 7);
}

static void add_error(const pan *p, const nut_property *o, text *out)
{
  const nut_trace *t = o->trace;
  const char *ending = t ? nut_trace_ending(t) : "";
  bool loop = t && nut_trace_loop(t) >= 0;
  bool claim = p->claim.name && !strcmp(o->name, p->judge);
  const char *invariant =
      claim && is_formula(p) ? claim_invariant(p->claim.formula) : NULL;
  if (invariant)
    text_printf(out, "assertion violated  !( !(%s))", invariant);
  else if (claim && is_formula(p) && t && !loop)
    text_printf(out, "assertion violated  !( !(%s))", p->claim.name);
  else if (claim && p->facts.asserts && t && !loop)
    text_printf(out, "assertion violated  %s", p->facts.condition);
  else if (!strcmp(o->kind, "non-progress") || (loop && p->np_by_formula))
    text_add(out, "non-progress cycle");
  else if (loop || !strcmp(o->kind, "ltl") || !strcmp(o->kind, "acceptance"))
    text_add(out, "acceptance cycle");
  else if (!strcmp(o->kind, "never"))
    text_add(out, "end state in claim reached");
  else
    text_add(out, *ending ? ending : "error");
  if (!strcmp(ending, "assertion violated") && t)
    add_condition(t, out);
}

/* "m.pml.trail"; with a number when there may be several. */
static const char *trail_name(const pan *p, size_t number)
{
  const spin_request *q = p->request;
  const char *base = spin_base_name(q->file);
  const char *suffix = q->suffix ? q->suffix : "trail";
  if (q->all_trails)
    return arena_printf(p->arena, "%s%zu.%s", base, number, suffix);
  return arena_printf(p->arena, "%s.%s", base, suffix);
}

static void write_trail(const pan *p, const nut_trace *t, size_t number)
{
  const char *name = trail_name(p, number);
  text out = {0};
  if (p->request->keep_trail && access(name, F_OK) == 0) {
    say("pan: %s exists, and -x keeps it\n", name);
    return;
  }
  if (nut_trace_text(t, NUT_TRAIL, 0, (nut_style){0}, gather_text, &out) &&
      write_file(name, &out))
    say("pan: wrote %s\n", name);
  text_free(&out);
}

static void tell_error(const pan *p, const nut_property *o)
{
  text out = {0};
  add_error(p, o, &out);
  size_t depth = o->trace ? nut_trace_length(o->trace) : 0;
  if (depth && nut_trace_loop(o->trace) < 0)
    depth--;
  say("pan:1: %s (at depth %zu)\n", text_string(&out), depth);
  text_free(&out);
}

typedef struct pan_errors {
  uint64_t count;
  nut_property first;
} pan_errors;

static void take_error(const nut_property *o, pan_errors *e)
{
  if (!e->count)
    e->first = *o;
  e->count += o->errors ? o->errors : 1;
}

/* In the order of the properties: what a step does wrong comes before loops,
** which pan sees when it goes back. */
static void find_errors(const pan *p, pan_errors *e)
{
  for (size_t i = 0; i < nut_result_property_count(p->result); i++) {
    nut_property o = nut_result_property(p->result, i);
    if (o.verdict == NUT_VIOLATED)
      take_error(&o, e);
  }
}

static void write_all_trails(const pan *p)
{
  size_t number = 0;
  for (size_t i = 0; i < nut_result_property_count(p->result); i++) {
    const nut_trace *t;
    for (size_t k = 0; (t = nut_result_trace(p->result, i, k)); k++)
      if (nut_result_property(p->result, i).verdict == NUT_VIOLATED)
        write_trail(p, t, ++number);
  }
}

/* The first error is told.  Its trail is written when it is the last one, too;
** with -e there is a trail for each assertion, or property, that fails.  Returns
** how many errors there are. */
static uint64_t tell_errors(const pan *p)
{
  uint64_t most = p->request->errors;
  pan_errors e = {0};
  find_errors(p, &e);
  if (!e.count)
    return 0;
  tell_error(p, &e.first);
  if (p->request->all_trails)
    write_all_trails(p);
  else if (most && e.count >= most && e.first.trace)
    write_trail(p, e.first.trace, 1);
  return most && e.count > most ? most : e.count;
}

/* Old trails would be taken for answers: those of the same names. */
static void remove_trails(const pan *p)
{
  if (p->request->keep_trail)
    return;
  for (size_t i = 1; unlink(trail_name(p, i)) == 0; i++)
    if (!p->request->all_trails)
      break;
}

/* ---- what was searched for ---------------------------------------------- */

static void tell_claim(const pan *p)
{
  const spin_request *q = p->request;
  if (p->claim.name)
    say("\tnever claim         \t+ (%s)\n", claim_name(p));
  else if (q->progress)
    say("\tnever claim         \t+ (:np_:)\n");
  else
    say("\tnever claim         \t- (%s)\n",
        q->no_claim ? "not selected" : "none specified");
}

/* As pan is compiled by -search, unless it is asked for loops. */
static bool is_safety(const pan *p)
{
  const spin_request *q = p->request;
  bool implied = !q->is_pan && !q->acceptance && !q->progress && !is_formula(p);
  return q->safety || q->bfs || implied;
}

static void tell_cycles(const pan *p)
{
  const spin_request *q = p->request;
  const char *fair = q->fair ? "enabled" : "disabled";
  bool loops =
      p->claim.name ? p->loops : q->acceptance && has_property(p, "acceptance");
  if (is_safety(p))
    say("\tcycle checks       \t- (disabled by -DSAFETY)\n");
  else if (q->progress)
    say("\tnon-progress cycles \t+ (fairness %s)\n", fair);
  else if (loops)
    say("\tacceptance   cycles \t+ (fairness %s)\n", fair);
  else
    say("\tacceptance   cycles \t- (not selected)\n");
}

static void tell_checks(const pan *p)
{
  const spin_request *q = p->request;
  bool claim = p->claim.name || q->progress;
  say("\n%s search for:\n", !q->store                      ? "Full statespace"
                            : strstr(q->store, "bitstate") ? "Bit statespace"
                                                           : "Hash-Compact 4");
  tell_claim(p);
  say("\tassertion violations\t%s\n", q->no_assertions
                                          ? "- (disabled by -A flag)"
                                      : claim ? "+ (if within scope of claim)"
                                              : "+");
  tell_cycles(p);
  say("\tinvalid end states\t%s\n", q->no_end_states ? "- (disabled by -E flag)"
                                    : claim ? "- (disabled by never claim)"
                                            : "+");
}

/* ---- figures ------------------------------------------------------------ */

static double megabytes(uint64_t bytes)
{
  return (double)bytes / (1 << 20);
}

static void tell_figures(const pan *p, uint64_t errors)
{
  nut_figures f = nut_result_figures(p->result);
  uint64_t matched = f.transitions > f.states ? f.transitions - f.states : 0;
  say("\nState-vector %" PRIu64 " byte, depth reached %" PRIu64
      ", errors: %" PRIu64 "\n",
      f.state_bytes, f.depth, errors);
  say("%9.8g states, stored\n", (double)f.states);
  say("%9.8g states, matched\n", (double)matched);
  say("%9.8g transitions (= stored+matched)\n",
      (double)f.states + (double)matched);
  say("%9.8g atomic steps\n", (double)f.atomic_steps);
  say("hash conflicts:         0 (resolved)\n\n");
  say("Stats on memory usage (in Megabytes):\n");
  say("%9.3f\tequivalent memory usage for states (stored*(State-vector + "
      "overhead))\n",
      megabytes(f.states * (f.state_bytes + OVERHEAD)));
  say("%9.3f\tactual memory usage for states\n", megabytes(f.store_bytes));
  say("%9.3f\ttotal actual memory usage\n\n\n", megabytes(f.memory_bytes));
}

static void tell_unreached_in(const nut_statement *list, size_t count,
                              const char *type, int32_t all)
{
  int32_t states = 0, last = 0;
  if (!strcmp(type, ":init:"))
    say("unreached in init\n");
  else
    say("unreached in proctype %s\n", type);
  for (size_t i = 0; i < count; i++) {
    if (strcmp(list[i].process_type, type))
      continue;
    say("\t%s:%u, state %d, \"%s\"\n", list[i].at.file ? list[i].at.file : "?",
        list[i].at.line, list[i].number, list[i].text);
    states += list[i].number != last;
    last = list[i].number;
  }
  say("\t(%d of %d states)\n", states, all);
}

static void tell_unreached(const pan *p)
{
  size_t count = 0;
  int32_t all;
  const char *type;
  const nut_statement *list = nut_unreached(p->result, &count);
  for (size_t i = 0; (type = nut_model_process_type(p->model, i, &all)); i++)
    tell_unreached_in(list, count, type, all);
}

static void tell_end(const pan *p)
{
  nut_figures f = nut_result_figures(p->result);
  say("\npan: elapsed time %.3g seconds\n", f.seconds);
  if (f.seconds > 0.1)
    say("pan: rate %9.8g states/second\n", (double)f.states / f.seconds);
}

/* Why the search did not come to its end, in pan's words. */
static void tell_limit(const pan *p)
{
  const char *why = nut_result_reason(p->result);
  if (!why || nut_result_complete(p->result))
    return;
  if (strstr(why, "memory"))
    say("pan: reached -DMEMLIM bound\npan: out of memory\n");
  else if (strstr(why, "time"))
    say("Time limit of %6.3g minutes exceeded\n", (double)p->request->minutes);
  else if (strstr(why, "interrupt"))
    say("Interrupted\n");
}

static int report(const pan *p)
{
  uint64_t errors = tell_errors(p);
  tell_limit(p);
  nut_verdict v = nut_result_verdict(p->result);
  bool enough = p->request->errors && errors >= p->request->errors;
  bool stopped =
      enough || (v == NUT_UNKNOWN && !nut_result_complete(p->result));
  say("\n(%s)\n", SPIN_BANNER);
  if (stopped)
    say("Warning: Search not completed\n");
  if (p->request->bfs)
    say("\t+ Breadth-First Search\n");
  if (!p->request->no_reduction)
    say("\t+ Partial Order Reduction\n");
  tell_checks(p);
  tell_figures(p, errors);
  if (!p->request->no_unreached && !stopped && nut_result_complete(p->result))
    tell_unreached(p);
  tell_end(p);
  return SPIN_DONE;
}

/* ---- the search --------------------------------------------------------- */

/* Opens the model again with a claim that accepts no loop. */
static bool make_finite(pan *p)
{
  text model = {0}, made = {0};
  bool good = nut_preprocessed(p->model, gather_text, &model);
  if (good && is_formula(p)) {
    text_add_bytes(&made, text_string(&model), model.len);
    good = claim_add_refutation(p->claim.formula, &made);
  } else if (good) {
    claim_make_finite(text_string(&model), model.len, &made);
  }
  nut_workspace *w = good ? spin_open_text(p->request, &made) : NULL;
  size_t count = 0;
  const nut_question *list = w ? nut_questions(w, &count) : NULL;
  if (w) {
    p->whole = p->workspace;
    p->workspace = w;
    p->model = nut_workspace_model(w);
  }
  for (size_t i = 0; i < count; i++)
    if (!strcmp(list[i].kind, "never") &&
        (is_formula(p) || !strcmp(list[i].name, p->claim.name)))
      p->judge = list[i].name;
  text_free(&model);
  text_free(&made);
  return w;
}

/* Without -a, only what the claim sees in a finite run counts, as in pan. */
static bool settle_claim(pan *p)
{
  const spin_request *q = p->request;
  if (!p->claim.name)
    return true;
  p->judge = p->claim.name;
  bool accepts = true, labels = true;
  if (!is_formula(p)) {
    text model = {0};
    nut_preprocessed(p->model, gather_text, &model);
    p->facts =
        claim_facts_of(p->arena, text_string(&model), model.len, p->claim.name);
    accepts = p->facts.accepts;
    labels = p->facts.labels || has_property(p, "acceptance");
    text_free(&model);
  }
  bool asked = q->acceptance || (!q->is_pan && is_formula(p));
  bool invariant = is_formula(p) && claim_invariant(p->claim.formula);
  p->loops = labels && asked && !q->safety && !q->bfs;
  if (labels && !asked && !q->safety)
    say_error("warning: never claim + accept labels requires -a flag to fully "
              "verify\n");
  return p->loops || !accepts || invariant || make_finite(p);
}

static int search(pan *p)
{
  if (!find_claim(p)) {
    say("pan: error: cannot find claim '%s'\n", p->request->claim);
    return SPIN_FAILED;
  }
  if (!settle_claim(p))
    return SPIN_FAILED;
  if (p->claim.name && p->claims > 1)
    say("pan: ltl formula %s\n", claim_name(p));
  remove_trails(p);
  nut_options o = options_of(p);
  progress_line line;
  progress_attach(&line, &o);
  o.interrupt = &interrupt_flag;
  p->result = nut_check(p->model, &o);
  progress_clear(&line);
  if (nut_result_verdict(p->result) != NUT_ERROR && p->result)
    return report(p);
  say_error(nut_result_messages(p->result));
  return SPIN_FAILED;
}

int spin_search(const spin_request *q)
{
  pan p = {.request = q, .workspace = spin_open(q)};
  if (!p.workspace)
    return SPIN_FAILED;
  p.model = nut_workspace_model(p.workspace);
  p.arena = arena_create();
  int status = search(&p);
  nut_result_free(p.result);
  arena_destroy(p.arena);
  nut_close(p.workspace);
  nut_close(p.whole);
  return status;
}
