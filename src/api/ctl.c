#include "api/ctl.h"

#include "api/symbolic.h"
#include "base/alloc.h"
#include "graph/state_graph.h"
#include "logic/ctl_parse.h"
#include "program/layout.h"
#include <string.h>

/* Up to so many states are looked at one by one before sets are tried; more
** where a state is one level of the diagram and sets are of no use. */
enum { FEW_STATES = 200000, MANY_STATES = 20000000 };

struct ctl_questions {
  VEC(const expr *) fair;
  ctl_tree tree; /* of the question being answered */
  text formula;  /* being written */
  worker *replayer;
};

static struct ctl_questions *questions_of(nut_result *r)
{
  if (!r->ctl)
    r->ctl = mem_alloc(sizeof *r->ctl);
  return r->ctl;
}

void ctl_free(nut_result *r)
{
  if (!r->ctl)
    return;
  vec_free(&r->ctl->fair);
  ctl_tree_free(&r->ctl->tree);
  text_free(&r->ctl->formula);
  worker_destroy(r->ctl->replayer);
  mem_free(r->ctl, sizeof *r->ctl);
}

static void ctl_ask(nut_result *r, const char *name, const char *formula,
                    const ctl *f)
{
  property p = {.kind = PROPERTY_CTL,
                .name = name,
                .formula = formula,
                .ctl = f,
                .where = NO_SPAN};
  questions_add(&r->questions, &p);
}

/* ---- reading ------------------------------------------------------------ */

static expr *read_proposition(void *context, const char *string, size_t length,
                              span where)
{
  nut_model *m = context;
  (void)string, (void)length;
  uint32_t file = source_add_part(m->sources, where);
  return m->model->language->condition(m->model, m->diags, file);
}

static bool complain_of_formula(nut_result *r)
{
  nut_collect_messages(r->model);
  text_add(&r->messages, text_string(&r->model->messages));
  return false;
}

bool ctl_read(nut_result *r, const char *name, const char *formula,
              uint32_t file)
{
  nut_model *m = r->model;
  ctl_reader reader = {read_proposition, m};
  const ctl *f = ctl_parse(m->arena, m->sources, file, &reader, m->diags);
  if (f)
    ctl_ask(r, name, formula, f);
  return f;
}

bool ctl_read_fair(nut_result *r, uint32_t file)
{
  nut_model *m = r->model;
  expr *e = m->model->language->condition(m->model, m->diags, file);
  if (e)
    vec_push(&questions_of(r)->fair, e);
  return e;
}

bool ctl_prepare(nut_result *r, const nut_options *o)
{
  nut_model *m = r->model;
  for (size_t i = 0; i < o->ctl_count; i++) {
    const char *name = i ? arena_printf(m->arena, "ctl-%zu", i + 1) : "ctl";
    const char *string = o->ctl[i];
    uint32_t file = source_add(m->sources, name, string, strlen(string));
    if (!ctl_read(r, name, arena_copy(m->arena, string, strlen(string)), file))
      return complain_of_formula(r);
  }
  for (size_t i = 0; i < o->ctl_fair_count; i++) {
    const char *string = o->ctl_fair[i];
    uint32_t file = source_add(m->sources, "ctl", string, strlen(string));
    if (!ctl_read_fair(r, file))
      return complain_of_formula(r);
  }
  return true;
}

/* ---- showing ------------------------------------------------------------ */

/* What the run is to show: a loop, or a state of which an expression is true;
** nothing more when the formula goes on from its end. */
static trace_claim claim_of(nut_result *r, const ctl_run *way, size_t states)
{
  if (way->loop == states - 1)
    return (trace_claim){.end = TRACE_STAYS, .loop = way->loop};
  if (way->loop != SIZE_MAX)
    return (trace_claim){.end = TRACE_LOOP, .loop = way->loop};
  const ctl *goal = way->goal;
  bool wrong = goal && goal->op == CTL_NOT;
  const expr *e =
      goal ? ctl_expression(r->model->model, wrong ? goal->a : goal) : NULL;
  if (!e)
    return (trace_claim){.end = TRACE_PREFIX};
  return (trace_claim){.end = wrong ? TRACE_INVARIANT : TRACE_WITNESS,
                       .expr = e};
}

/* Replays the run; NULL when that is not possible. */
static trace *replay(nut_result *r, ctl_run *way)
{
  size_t states = way->starts.len ? way->starts.len - 1 : 0;
  trace *made = NULL;
  if (!states)
    return NULL;
  trace_claim claim = claim_of(r, way, states);
  trace_path path = {states + (claim.end == TRACE_LOOP), ctl_run_next, way};
  if (!r->ctl->replayer)
    r->ctl->replayer = worker_create(r->program);
  worker *w = r->ctl->replayer;
  trace_result done = trace_build(w, r->program, &path, &claim, &made);
  /* A loop of one state may be a step to itself, not an end. */
  if (done != TRACE_MADE && claim.end == TRACE_STAYS) {
    claim = (trace_claim){.end = TRACE_LOOP, .loop = way->loop};
    path.length = states + 1;
    done = trace_build(w, r->program, &path, &claim, &made);
  }
  if (done != TRACE_MADE)
    return NULL;
  if (made->end == TRACE_PREFIX)
    made->end = TRACE_OPEN; /* the formula goes on from here */
  return made;
}

static const char *written(nut_result *r, const ctl *f, bool holds)
{
  text *out = &r->ctl->formula;
  text_clear(out);
  ctl_print(r->model->model, ctl_restore(r->outcome.arena, f, holds), out);
  return arena_copy(r->outcome.arena, text_string(out), out->len);
}

/* A replayed run becomes the next branch of the answer.  What needs memory
** belongs to somebody before more of it is needed. */
static bool add_branch(nut_result *r, answer_tree *to, const ctl_branch *b)
{
  answer_branch branch = {.parent = b->parent,
                          .fork = b->fork,
                          .formula = written(r, b->shows, true)};
  vec_grow(&to->branches, 1);
  branch.trace = replay(r, (ctl_run *)(uintptr_t)&b->run);
  if (!branch.trace)
    return false;
  vec_push(&to->branches, branch);
  return true;
}

/* Branches come after their parents; so when one cannot be replayed, it and
** all that follow are left out. */
static void fill_tree(nut_result *r, answer *a)
{
  const ctl_tree *t = &r->ctl->tree;
  answer_tree *to = a->tree;
  to->cut = t->cut;
  for (size_t i = 0; i < t->branches.len && to->branches.len == i; i++)
    to->cut |= !add_branch(r, to, &t->branches.data[i]);
  for (size_t i = 0; i < t->notes.len; i++) {
    const ctl_note *n = &t->notes.data[i];
    if (n->branch >= to->branches.len)
      continue;
    answer_note note = {written(r, n->formula, false), n->branch, n->first,
                        n->last};
    vec_push(&to->notes, note);
  }
}

static void add_ctl_answer(nut_result *r, const question *q, verdict found,
                           reason why, answer_method method)
{
  answer *a = outcome_add(&r->outcome, q);
  a->verdict = found;
  a->method = method;
  a->reason = found == VERDICT_UNKNOWN ? why : REASON_NONE;
  if (found == VERDICT_UNKNOWN || !r->ctl->tree.branches.len)
    return;
  a->tree = ARENA_NEW(r->outcome.arena, answer_tree);
  fill_tree(r, a);
  if (a->tree->branches.len) {
    a->trace = a->tree->branches.data[0].trace;
  } else {
    vec_free(&a->tree->branches);
    a->tree = NULL;
  }
}

/* ---- answering ---------------------------------------------------------- */

/* Either the graph or the space answers. */
static void answer_all(nut_result *r, const nut_options *o, state_graph *g,
                       symbolic_space *s)
{
  struct ctl_questions *q = questions_of(r);
  ctl_options options = {.stutter = o->ctl_end == NUT_CTL_STUTTER ||
                                    (o->ctl_end == NUT_CTL_AUTO && !r->net),
                         .fair = q->fair.data,
                         .fair_count = q->fair.len};
  for (size_t i = 0; i < r->questions.list.len; i++) {
    const question *asked = r->questions.list.data[i];
    if (!asked->selected || asked->kind != PROPERTY_CTL)
      continue;
    const ctl *f = ctl_reduce(r->outcome.arena, asked->property->ctl);
    ctl_tree_free(&q->tree);
    verdict found = VERDICT_UNKNOWN;
    if (g)
      found = graph_ctl(g, f, &options, &q->tree);
    else if (symbolic_reason(s) == REASON_NONE)
      found = symbolic_ctl(s, f, &options, &q->tree);
    add_ctl_answer(r, asked, found, g ? graph_reason(g) : symbolic_reason(s),
                   g ? METHOD_EXPLICIT : METHOD_SYMBOLIC);
  }
}

/* One of the two engines, and what it is asked for. */
typedef struct engine_job {
  nut_result *result;
  const nut_options *options;
  state_graph *graph;
  symbolic_space *space;
} engine_job;

static void do_answer(void *job)
{
  engine_job *j = job;
  if (j->space)
    symbolic_explore(j->space);
  if (j->space || graph_complete(j->graph))
    answer_all(j->result, j->options, j->graph, j->space);
}

static bool has_answer(const nut_result *r, const question *q)
{
  for (size_t i = 0; i < r->outcome.answers.len; i++)
    if (r->outcome.answers.data[i].question == q)
      return true;
  return false;
}

/* What was found out before a limit stays; the rest is unknown. */
static void leave_open(nut_result *r, answer_method method)
{
  for (size_t i = 0; i < r->questions.list.len; i++) {
    const question *q = r->questions.list.data[i];
    if (q->selected && q->kind == PROPERTY_CTL && !has_answer(r, q))
      add_ctl_answer(r, q, VERDICT_UNKNOWN, limits_why(r->limits), method);
  }
}

static void run_engine(engine_job *j)
{
  nut_result *r = j->result;
  bool done = mem_protect(do_answer, j);
  symbolic_destroy(j->space);
  graph_destroy(j->graph);
  if (done)
    return;
  limits_close(r->limits); /* it is over; what is left is to be told */
  leave_open(r, j->space ? METHOD_SYMBOLIC : METHOD_EXPLICIT);
}

static void answer_by_sets(nut_result *r, const nut_options *o)
{
  symbolic_options options = symbolic_options_of(r, o);
  run_engine(&(engine_job){r, o, NULL, symbolic_create(r->program, &options)});
}

/* False: there are too many states. */
static bool answer_one_by_one(nut_result *r, const nut_options *o)
{
  symbolic_options options = symbolic_options_of(r, o);
  bool alike = program_layout(r->program)->fixed;
  bool polled = limits_set_polled(r->limits, true);
  state_graph *g =
      graph_create(r->program, &options, alike ? FEW_STATES : MANY_STATES);
  limits_set_polled(r->limits, polled);
  bool complete = graph_complete(g);
  run_engine(&(engine_job){r, o, g, NULL});
  return complete;
}

void ctl_answer(nut_result *r, const nut_options *o, symbolic_space *s)
{
  if (!questions_ask(&r->questions, ABOUT_TREES))
    return;
  if (s)
    answer_all(r, o, NULL, s);
  else if (!answer_one_by_one(r, o))
    answer_by_sets(r, o);
}
