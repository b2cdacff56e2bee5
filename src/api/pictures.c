/* Drawings, conversions and automata; the list of stores. */

#include "api/workspace.h"
#include "base/alloc.h"
#include "convert/convert.h"
#include "graph/states.h"
#include "logic/buchi/buchi.h"
#include "logic/ltl_parse.h"
#include "report/draw/dot.h"
#include "report/ranges.h"
#include "search/search.h"
#include <string.h>

/* More states than this are not written one by one. */
enum { GRAPH_MAX = 3000 };

/* So long all states are looked at for the values that occur in them. */
static const double RANGES_SECONDS = 20;

/* Does the work, which fills 'out', and hands the text over. */
static bool send_work(nut_workspace *w, mem_work *work, void *context,
                      nut_sink *sink, void *sink_context)
{
  text_clear(&w->out);
  if (!workspace_do(w, work, context))
    return false;
  sink(sink_context, text_string(&w->out), w->out.len);
  return true;
}

/* ---- drawings ----------------------------------------------------------- */

typedef struct drawing {
  nut_workspace *workspace;
  nut_drawing what;
  const nut_options *options; /* or NULL */
  const trace *run;           /* that is marked; or NULL */
} drawing;

static void draw_states(nut_workspace *w, const trace *marked)
{
  switch (
      dot_states(w->program, marked, GRAPH_MAX, &w->model->limits, &w->out)) {
  case STATES_TOO_MANY:
    workspace_refuse(w, NUT_ERROR,
                     "the model has more than %d states: too many to draw",
                     GRAPH_MAX);
    workspace_hint(w, "'nutshell count' tells how many there are");
    break;
  case STATES_NO_MEMORY:
    workspace_refuse(w, NUT_UNKNOWN, "%s", reason_text(REASON_OUT_OF_MEMORY));
    break;
  case STATES_STOPPED:
    workspace_stop(w);
    break;
  case STATES_DONE:
    break;
  }
}

/* A line for each item, empty ones included, so that lines are comparable. */
static void tell_state(void *context, const uint8_t *state, uint32_t length,
                       text *out)
{
  nut_workspace *w = context;
  view_read(w->program, state, length, &w->view);
  for (size_t i = 0; i < w->view.items.len; i++) {
    text line = {0};
    dot_add_item(w->model->model, &w->view, &w->view.items.data[i], &line);
    if (line.len)
      text_printf(out, "%s\n", text_string(&line));
    text_free(&line);
  }
}

/* The diagram in which a store keeps the states. */
static void draw_store(nut_workspace *w, const nut_options *o)
{
  search_options s = search_defaults();
  search_result result;
  s.asked.store = o && o->store ? o->store : "collapse+mdd";
  s.asked.order = o ? o->order : NUT_ORDER_FORCE;
  s.count = true;
  s.limits = &w->model->limits;
  s.drawing = &w->out;
  state_teller teller = {w, tell_state};
  s.teller = &teller;
  search_run(w->program, &s, &result);
  bool complete = result.complete;
  reason why = result.reason;
  search_result_free(&result);
  if (!complete) {
    workspace_refuse(w, NUT_UNKNOWN, "%s", reason_text(why));
  } else if (!w->out.len) {
    workspace_refuse(w, NUT_ERROR, "'%s' keeps no diagram that could be drawn",
                     s.asked.store);
    workspace_hint(
        w, "those with the sets mdd, ondd, hybrid, sharing and obdd do");
  }
}

static void do_draw(void *what)
{
  drawing *d = what;
  nut_workspace *w = d->workspace;
  bool ready = d->what == NUT_DRAW_PROCESSES ? nut_model_good(w->model)
                                             : workspace_program(w);
  if (!ready)
    return;
  switch (d->what) {
  case NUT_DRAW_PROCESSES:
    if (w->model->model->language->picture)
      dot_net(w->model->model, &w->out);
    else
      dot_processes(w->model->model, d->run, &w->out);
    break;
  case NUT_DRAW_STATES:
    draw_states(w, d->run);
    break;
  case NUT_DRAW_STORE:
    draw_store(w, d->options);
    break;
  }
}

bool nut_draw(nut_workspace *w, nut_drawing what, const nut_options *options,
              nut_sink *sink, void *context)
{
  drawing d = {w, what, options, NULL};
  return send_work(w, do_draw, &d, sink, context);
}

bool nut_draw_run(nut_walk *r, nut_drawing what, nut_sink *sink, void *context)
{
  drawing d = {walk_workspace(r), what, NULL, walk_trace(r)};
  return send_work(d.workspace, do_draw, &d, sink, context);
}

/* ---- conversions -------------------------------------------------------- */

typedef struct conversion {
  nut_workspace *workspace;
  nut_format to;
  model *own; /* writing changes the model, so it is one of its own */
  program *program;
  var_ranges seen;
  states all;
} conversion;

/* What the language cannot say step by step, it can say state by state, when
** the states are few. */
static bool find_states(conversion *c)
{
  nut_workspace *w = c->workspace;
  bool wanted = c->to != NUT_DOT && c->to != NUT_TEXT;
  return wanted && workspace_program(w) &&
         states_explore(w->program, GRAPH_MAX, &w->model->limits, &c->all) ==
             STATES_DONE &&
         c->all.list.len;
}

/* Which values occur; empty where that takes too long. */
static void find_ranges(conversion *c)
{
  nut_workspace *w = c->workspace;
  limits *l = &w->model->limits;
  c->program = loaded_program(w->model, c->own, w->check_overflow);
  if (!c->program)
    return;
  limits_begin_turn(l, RANGES_SECONDS);
  ranges_note(c->program, l, &c->seen);
  limits_end_turn(l);
  program_destroy(c->program);
  c->program = NULL;
}

static bool write_model(conversion *c, text *out, text *why)
{
  switch (c->to) {
  case NUT_PROMELA:
    return convert_to_promela(c->own, out, why);
  case NUT_DVE:
    return convert_to_dve(c->own, out, why);
  case NUT_PNML:
    return convert_to_pnml(c->own, &c->seen, out, why);
  case NUT_DOT:
    dot_processes(c->own, NULL, out);
    return true;
  default:
    model_print(c->own, out);
    return true;
  }
}

static void write_states(conversion *c, const char *why)
{
  nut_workspace *w = c->workspace;
  text_clear(&w->out);
  if (c->to == NUT_PROMELA)
    states_to_promela(&c->all, why, &w->out);
  else if (c->to == NUT_DVE)
    states_to_dve(&c->all, why, &w->out);
  else
    states_to_pnml(&c->all, why, &w->out);
  workspace_hint(w, "%s; written as the graph of its %zu states", why,
                 c->all.list.len);
}

static const char *language_name(nut_format to)
{
  return to == NUT_PROMELA ? "Promela" : to == NUT_DVE ? "DVE" : "PNML";
}

static void do_convert(void *what)
{
  conversion *c = what;
  nut_workspace *w = c->workspace;
  if (c->to == NUT_MODEL) {
    text_clear(&w->more);
    if (workspace_program(w) && !workspace_model_text(w, &w->out, &w->more))
      workspace_refuse(w, NUT_ERROR, "%s cannot be written as a model: %s",
                       w->model->file, text_string(&w->more));
    return;
  }
  bool small = find_states(c);
  text_clear(&w->more);
  c->own = handle_read_again(w->model);
  if (!c->own)
    mem_give_up();
  if (c->to == NUT_PNML)
    find_ranges(c);
  if (write_model(c, &w->out, &w->more))
    return;
  if (small) {
    write_states(c, text_string(&w->more));
    return;
  }
  workspace_refuse(w, NUT_ERROR, "%s cannot be written in %s: %s",
                   w->model->file, language_name(c->to), text_string(&w->more));
  workspace_hint(w,
                 "with no more than %d states it would be written as their "
                 "graph",
                 GRAPH_MAX);
}

static void tidy_conversion(void *what)
{
  conversion *c = what;
  program_destroy(c->program);
  var_ranges_free(&c->seen);
  model_destroy(c->own);
  states_free(&c->all);
}

static void convert_tidily(void *what)
{
  mem_protect_tidy(do_convert, tidy_conversion, what);
}

bool nut_convert(nut_workspace *w, nut_format to, nut_sink *sink, void *context)
{
  conversion c = {.workspace = w, .to = to};
  bool known = to == NUT_PROMELA || to == NUT_DVE || to == NUT_PNML ||
               to == NUT_DOT || to == NUT_TEXT || to == NUT_MODEL;
  return known && nut_model_good(w->model) &&
         send_work(w, convert_tidily, &c, sink, context);
}

/* ---- automata ----------------------------------------------------------- */

typedef struct translation {
  const char *formula;
  bool negated, generalised;
  nut_format format;
  nut_verdict verdict;
  arena *arena;
  sources *sources;
  diags *diags;
  ltl_context *context;
  buchi *automaton;
  text out, messages;
  char *copy; /* of the messages */
} translation;

/* The formula; NULL with diagnostics. */
static const ltl *read_formula(translation *t)
{
  size_t length = strlen(t->formula);
  t->arena = arena_create();
  t->sources = sources_create();
  t->diags = diags_create(t->sources);
  uint32_t file = source_add(t->sources, "formula", t->formula, length);
  if (!file) {
    text_add(&t->messages, "the formula is too long\n");
    return NULL;
  }
  const ltl *f = ltl_parse(t->arena, t->sources,
                           (span){file, 0, (uint32_t)length}, NULL, t->diags);
  diags_print(t->diags, &t->messages);
  return f && t->negated ? ltl_new(t->arena, LTL_NOT, f, NULL) : f;
}

static void write_automaton(translation *t)
{
  if (t->format == NUT_HOA)
    buchi_print_hoa(t->automaton, &t->out);
  else if (t->format == NUT_DOT)
    buchi_print_dot(t->automaton, &t->out);
  else
    buchi_print_never(t->automaton, &t->out);
}

static void do_translate(void *what)
{
  translation *t = what;
  const ltl *f = read_formula(t);
  t->copy = mem_copy_string(text_string(&t->messages));
  t->verdict = NUT_ERROR;
  if (!f)
    return;
  t->verdict = NUT_UNKNOWN;
  t->context = ltl_create();
  t->automaton =
      buchi_translate(t->context, ltl_intern(t->context, f),
                      (buchi_options){.generalised = t->generalised});
  if (!t->automaton)
    return;
  write_automaton(t);
  t->verdict = NUT_HOLDS;
}

nut_verdict nut_automaton(const char *formula, bool negated, bool generalised,
                          nut_format format, nut_sink *sink, void *context,
                          char **messages)
{
  translation t = {.formula = formula,
                   .negated = negated,
                   .generalised = generalised,
                   .format = format,
                   .verdict = NUT_UNKNOWN};
  if (!mem_protect(do_translate, &t))
    t.verdict = NUT_UNKNOWN;
  if (t.verdict == NUT_HOLDS)
    sink(context, text_string(&t.out), t.out.len);
  buchi_destroy(t.automaton);
  ltl_destroy(t.context);
  diags_destroy(t.diags);
  sources_destroy(t.sources);
  arena_destroy(t.arena);
  text_free(&t.out);
  text_free(&t.messages);
  if (messages)
    *messages = t.copy;
  else
    mem_free_string(t.copy);
  return t.verdict;
}

/* ---- stores ------------------------------------------------------------- */

nut_store nut_store_at(size_t index)
{
  for (size_t i = 0; store_classes[i]; i++)
    if (i == index)
      return (nut_store){store_classes[i]->codec, store_classes[i]->set,
                         store_classes[i]->summary, store_classes[i]->exact};
  return (nut_store){0};
}

bool nut_store_exists(const char *name, const char **why)
{
  bool known = store_find(name);
  if (why)
    *why = known ? NULL : store_refusal(name);
  return known;
}
