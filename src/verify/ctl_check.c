/* Reads formulas of CTL, has them checked, and replays the runs that show
** why. */

#include "verify/ctl_check.h"

#include "base/alloc.h"
#include "graph/state_graph.h"
#include "logic/ctl_parse.h"
#include "program/layout.h"
#include "verify/by_sets.h"
#include "verify/nets/net_front.h"
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

static struct ctl_questions *questions_of(verification *v)
{
  if (!v->ctl)
    v->ctl = mem_alloc(sizeof *v->ctl);
  return v->ctl;
}

void ctl_free(verification *v)
{
  if (!v->ctl)
    return;
  vec_free(&v->ctl->fair);
  ctl_tree_free(&v->ctl->tree);
  text_free(&v->ctl->formula);
  worker_destroy(v->ctl->replayer);
  mem_free(v->ctl, sizeof *v->ctl);
}

static void ctl_ask(verification *v, const char *name, const char *formula,
                    const ctl *f)
{
  property p = {.kind = PROPERTY_CTL,
                .name = name,
                .formula = formula,
                .ctl = f,
                .where = NO_SPAN};
  questions_add(&v->questions, &p);
}

const ctl_tree *ctl_last_tree(const verification *v)
{
  return v->ctl ? &v->ctl->tree : NULL;
}

/* ---- reading ------------------------------------------------------------ */

static expr *read_proposition(void *context, const char *string, size_t length,
                              span where)
{
  verification *v = context;
  (void)string, (void)length;
  return verification_condition(v, source_add_part(v->model->sources, where));
}

bool ctl_read(verification *v, const char *name, const char *formula,
              uint32_t file)
{
  loaded *m = v->model;
  ctl_reader reader = {read_proposition, v};
  const ctl *f = ctl_parse(m->arena, m->sources, file, &reader, m->diags);
  if (f)
    ctl_ask(v, name, formula, f);
  return f;
}

bool ctl_read_fair(verification *v, uint32_t file)
{
  expr *e = verification_condition(v, file);
  if (e)
    vec_push(&questions_of(v)->fair, e);
  return e;
}

bool ctl_is_fair(const verification *v)
{
  return v->ctl && v->ctl->fair.len;
}

bool ctl_prepare(verification *v, const nut_options *o)
{
  loaded *m = v->model;
  for (size_t i = 0; i < o->ctl_count; i++) {
    const char *name = i ? arena_printf(m->arena, "ctl-%zu", i + 1) : "ctl";
    const char *string = o->ctl[i];
    uint32_t file = source_add(m->sources, name, string, strlen(string));
    if (!ctl_read(v, name, arena_copy(m->arena, string, strlen(string)), file))
      return verification_complain(v);
  }
  for (size_t i = 0; i < o->ctl_fair_count; i++) {
    const char *string = o->ctl_fair[i];
    uint32_t file = source_add(m->sources, "ctl", string, strlen(string));
    if (!ctl_read_fair(v, file))
      return verification_complain(v);
  }
  return true;
}

/* ---- showing ------------------------------------------------------------ */

trace_claim ctl_claim(verification *v, const ctl *goal)
{
  bool wrong = goal && goal->op == CTL_NOT;
  const expr *e =
      goal ? ctl_expression(v->annex, wrong ? goal->a : goal) : NULL;
  if (!e)
    return (trace_claim){.end = TRACE_PREFIX};
  return (trace_claim){.end = wrong ? TRACE_INVARIANT : TRACE_WITNESS,
                       .expr = e};
}

/* What the run is to show: a loop, or a state of which an expression is true;
** nothing more when the formula goes on from its end. */
static trace_claim claim_of(verification *v, const ctl_run *way, size_t states)
{
  if (way->loop == states - 1)
    return (trace_claim){.end = TRACE_STAYS, .loop = way->loop};
  if (way->loop != SIZE_MAX)
    return (trace_claim){.end = TRACE_LOOP, .loop = way->loop};
  return ctl_claim(v, way->goal);
}

/* Replays the run; NULL when that is not possible. */
static trace *replay(verification *v, ctl_run *way)
{
  size_t states = way->starts.len ? way->starts.len - 1 : 0;
  trace *made = NULL;
  if (!states)
    return NULL;
  trace_claim claim = claim_of(v, way, states);
  trace_path path = {states + (claim.end == TRACE_LOOP), ctl_run_next, way};
  if (!v->ctl->replayer)
    v->ctl->replayer = worker_create(v->program);
  worker *w = v->ctl->replayer;
  trace_result done = trace_build(w, v->program, &path, &claim, &made);
  /* A loop of one state may be a step to itself, not an end. */
  if (done != TRACE_MADE && claim.end == TRACE_STAYS) {
    claim = (trace_claim){.end = TRACE_LOOP, .loop = way->loop};
    path.length = states + 1;
    done = trace_build(w, v->program, &path, &claim, &made);
  }
  if (done != TRACE_MADE)
    return NULL;
  if (made->end == TRACE_PREFIX)
    made->end = TRACE_OPEN; /* the formula goes on from here */
  return made;
}

const char *ctl_written(verification *v, const ctl *f, bool holds)
{
  text *out = &questions_of(v)->formula;
  text_clear(out);
  ctl_print(v->model->model, ctl_restore(v->outcome.arena, f, holds), out);
  return arena_copy(v->outcome.arena, text_string(out), out->len);
}

/* A replayed run becomes the next branch of the answer.  What needs memory
** belongs to somebody before more of it is needed. */
static bool add_branch(verification *v, answer_tree *to, const ctl_branch *b)
{
  answer_branch branch = {.parent = b->parent,
                          .fork = b->fork,
                          .formula = ctl_written(v, b->shows, true)};
  vec_grow(&to->branches, 1);
  branch.trace = replay(v, (ctl_run *)(uintptr_t)&b->run);
  if (!branch.trace)
    return false;
  vec_push(&to->branches, branch);
  return true;
}

/* Branches come after their parents; so when one cannot be replayed, it and
** all that follow are left out. */
static void fill_tree(verification *v, answer *a)
{
  const ctl_tree *t = &v->ctl->tree;
  answer_tree *to = a->tree;
  to->cut = t->cut;
  for (size_t i = 0; i < t->branches.len && to->branches.len == i; i++)
    to->cut |= !add_branch(v, to, &t->branches.data[i]);
  for (size_t i = 0; i < t->notes.len; i++) {
    const ctl_note *n = &t->notes.data[i];
    if (n->branch >= to->branches.len)
      continue;
    answer_note note = {ctl_written(v, n->formula, false), n->branch, n->first,
                        n->last};
    vec_push(&to->notes, note);
  }
}

static void add_ctl_answer(verification *v, const question *q, verdict found,
                           reason why, answer_method method)
{
  answer *a = outcome_add(&v->outcome, q);
  a->verdict = found;
  a->method = method;
  a->reason = found == VERDICT_UNKNOWN ? why : REASON_NONE;
  if (found == VERDICT_UNKNOWN || !v->ctl->tree.branches.len)
    return;
  a->tree = ARENA_NEW(v->outcome.arena, answer_tree);
  fill_tree(v, a);
  if (a->tree->branches.len) {
    a->trace = a->tree->branches.data[0].trace;
  } else {
    vec_free(&a->tree->branches);
    a->tree = NULL;
  }
}

/* ---- answering ---------------------------------------------------------- */

/* Either the graph or the space answers. */
static void answer_all(verification *v, const nut_options *o, state_graph *g,
                       symbolic_space *s)
{
  struct ctl_questions *q = questions_of(v);
  ctl_options options = {.stutter = o->ctl_end == NUT_CTL_STUTTER ||
                                    (o->ctl_end == NUT_CTL_AUTO && !v->net),
                         .fair = q->fair.data,
                         .fair_count = q->fair.len};
  for (size_t i = 0; i < v->questions.list.len; i++) {
    const question *asked = v->questions.list.data[i];
    if (!asked->selected || asked->kind != PROPERTY_CTL)
      continue;
    const ctl *f = ctl_reduce(v->outcome.arena, asked->property->ctl);
    ctl_tree_free(&q->tree);
    verdict found = VERDICT_UNKNOWN;
    if (g)
      found = graph_ctl(g, f, &options, &q->tree);
    else if (symbolic_reason(s) == REASON_NONE)
      found = symbolic_ctl(s, f, &options, &q->tree);
    add_ctl_answer(v, asked, found, g ? graph_reason(g) : symbolic_reason(s),
                   g ? METHOD_EXPLICIT : METHOD_SYMBOLIC);
  }
}

/* One of the two engines, and what it is asked for. */
typedef struct engine_job {
  verification *result;
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

static bool has_answer(const verification *v, const question *q)
{
  for (size_t i = 0; i < v->outcome.answers.len; i++)
    if (v->outcome.answers.data[i].question == q)
      return true;
  return false;
}

/* What was found out before a limit stays; the rest is unknown. */
static void leave_open(verification *v, answer_method method)
{
  for (size_t i = 0; i < v->questions.list.len; i++) {
    const question *q = v->questions.list.data[i];
    if (q->selected && q->kind == PROPERTY_CTL && !has_answer(v, q))
      add_ctl_answer(v, q, VERDICT_UNKNOWN, limits_why(v->limits), method);
  }
}

static void run_engine(engine_job *j)
{
  verification *v = j->result;
  bool done = mem_protect(do_answer, j);
  symbolic_destroy(j->space);
  graph_destroy(j->graph);
  if (done)
    return;
  limits_close(v->limits); /* it is over; what is left is to be told */
  leave_open(v, j->space ? METHOD_SYMBOLIC : METHOD_EXPLICIT);
}

static void answer_by_sets(verification *v, const nut_options *o)
{
  symbolic_options options = symbolic_options_of(v, o);
  run_engine(&(engine_job){v, o, NULL, symbolic_create(v->program, &options)});
}

/* False: there are too many states. */
static bool answer_one_by_one(verification *v, const nut_options *o)
{
  symbolic_options options = symbolic_options_of(v, o);
  bool alike = program_layout(v->program)->fixed;
  bool polled = limits_set_polled(v->limits, true);
  state_graph *g =
      graph_create(v->program, &options, alike ? FEW_STATES : MANY_STATES);
  limits_set_polled(v->limits, polled);
  bool complete = graph_complete(g);
  run_engine(&(engine_job){v, o, g, NULL});
  return complete;
}

void ctl_answer(verification *v, const nut_options *o, symbolic_space *s)
{
  if (!questions_ask(&v->questions, ABOUT_TREES))
    return;
  if (s)
    answer_all(v, o, NULL, s);
  else if (!answer_one_by_one(v, o) && !front_answers_trees(v, o))
    answer_by_sets(v, o);
}
