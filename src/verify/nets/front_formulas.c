/* Formulas of linear and branching time, each asked of a net that was made smaller
** by rules that keep it. */

#include "model/ctl.h"
#include "model/ltl.h"
#include "net/shrink/shrinking.h"
#include "net/to_pnml.h"
#include "verify/by_sets.h"
#include "verify/ctl_check.h"
#include "verify/nets/front_internal.h"
#include "verify/plan.h"

typedef struct formula_job {
  verification *verification;
  const nut_options *options;
  uint32_t item;
  uint64_t times;
  arena *arena;
  shrinking *shrinking;
  bool *visible;
  struct nut_model model;
  verification engines;
  bool begun;
  VEC(struct small_atom) atoms; /* of a formula of branching time */
} formula_job;

/* ---- formulas -------------------------------------------------------------- */

/* A condition of the net as it was read.  NULL: it is more than a claim. */
static const claim *claim_of(const formula_job *j, const expr *e)
{
  const front *f = j->verification->net->front;
  return claim_of_expr(j->arena, &f->map, e, false);
}

/* The same of the smaller net; NULL: it cannot be told. */
static expr *translated(const formula_job *j, const expr *e)
{
  const claim *c = shrinking_claim(j->shrinking, j->arena, claim_of(j, e));
  return c ? claim_to_expr(j->engines.annex, c) : NULL;
}

/* Marks what it looks at; false: a condition is more than a claim. */
static bool see_linear(formula_job *j, const ltl *f)
{
  if (f->op != LTL_ATOM)
    return (!f->a || see_linear(j, f->a)) && (!f->b || see_linear(j, f->b));
  const claim *c = f->condition ? claim_of(j, f->condition) : NULL;
  if (c)
    front_see(c, j->visible);
  return c;
}

static const ltl *linear(const formula_job *j, const ltl *f)
{
  if (f->op == LTL_ATOM) {
    expr *e = translated(j, f->condition);
    return e ? ltl_leaf(j->arena, NULL, e) : NULL;
  }
  const ltl *a = f->a ? linear(j, f->a) : NULL;
  const ltl *b = f->b ? linear(j, f->b) : NULL;
  if ((f->a && !a) || (f->b && !b))
    return NULL;
  return ltl_new(j->arena, (ltl_op)f->op, a, b);
}

static bool see_branching(formula_job *j, const ctl *f)
{
  if (f->op != CTL_ATOM)
    return (!f->a || see_branching(j, f->a)) &&
           (!f->b || see_branching(j, f->b));
  const claim *c = claim_of(j, f->atom);
  if (c)
    front_see(c, j->visible);
  return c;
}

static const ctl *branching(formula_job *j, const ctl *f)
{
  ctl *made = ARENA_NEW(j->arena, ctl);
  *made = *f;
  if (f->op == CTL_ATOM) {
    made->atom = translated(j, f->atom);
    vec_push(&j->atoms, ((struct small_atom){made->atom, f->atom}));
    return made->atom ? made : NULL;
  }
  made->a = f->a ? branching(j, f->a) : NULL;
  made->b = f->b ? branching(j, f->b) : NULL;
  return (f->a && !made->a) || (f->b && !made->b) ? NULL : made;
}

static bool says_next(const ctl *f)
{
  return f && (f->op == CTL_EX || f->op == CTL_AX || says_next(f->a) ||
               says_next(f->b));
}

/* What the rules must keep for it; 0: it cannot be asked so. */
static unsigned kinds_of(formula_job *j, const property *p)
{
  if (p->ltl)
    return !see_linear(j, p->ltl)          ? 0
           : p->ltl->facts & LTL_NEXT_FREE ? SHRINK_LINEAR
                                           : SHRINK_TREES;
  return !see_branching(j, p->ctl) ? 0
         : says_next(p->ctl)       ? SHRINK_TREES
                                   : SHRINK_BRANCHING;
}

/* ---- asking ------------------------------------------------------------------ */

static const question *add_question(formula_job *j, const question *q)
{
  property p = {.kind = q->kind, .name = q->name, .where = NO_SPAN};
  if (q->property->ltl)
    p.ltl = linear(j, q->property->ltl);
  else
    p.ctl = branching(j, q->property->ctl);
  return p.ltl || p.ctl ? questions_add(&j->engines.questions, &p) : NULL;
}

static void make_model(formula_job *j)
{
  const petri *n = shrinking_net(j->shrinking);
  uint32_t *origin = ARENA_ARRAY(j->arena, uint32_t, n->place_count + 1);
  for (uint32_t p = 0; p < n->place_count; p++)
    origin[p] = shrinking_origin(j->shrinking, p);
  front_make_model(j->verification, j->arena, n, origin, &j->model);
}

/* Formulas of branching time by sets; of linear time as all else. */
static void run_turn(formula_job *j, bool trees)
{
  enum { LOOKS = 1000 };
  nut_options mine = *j->options;
  mine.engine = NUT_ENGINE_INTERPRETED;
  mine.on_progress = NULL;
  mine.max_errors = 0;
  verification *e = &j->engines;
  if (!trees) {
    plan_turn(e, &mine, j->times);
    return;
  }
  limits_begin_work(e->limits, j->times * LOOKS);
  symbolic_run(e, &mine, false, false);
  limits_end_turn(e->limits);
}

/* There may be no run of the net as it was read; whoever does not ask as the contest
** does may wait until the search had a second turn to find one. */
static bool is_worth_waiting(const formula_job *j, verdict found)
{
  const verification *v = j->verification;
  return found == VERDICT_VIOLATED && j->times == 1 && !v->net->examined &&
         !front_is_asked(v);
}

/* Whether the run that refutes it is known in the net as it was read. */
static bool has_lasso(formula_job *j, const answer *a)
{
  front *f = j->verification->net->front;
  if (a->question->kind != PROPERTY_LTL || a->verdict != VERDICT_VIOLATED ||
      !a->trace || !a->trace->steps.len || j->verification->net->examined)
    return false;
  return lasso_lift(f, j->item, j->shrinking, a->trace,
                    front_path(j->arena, j->model.model, a->trace));
}

/* Runs that show a formula of branching time, where there are some. */
static void keep_tree(formula_job *j, const answer *a)
{
  const verification *v = j->verification;
  if (a->question->kind != PROPERTY_CTL || !a->tree || v->net->examined)
    return;
  tree_source from = {.shrinking = j->shrinking,
                      .model = j->model.model,
                      .tree = ctl_last_tree(&j->engines),
                      .told = a->tree,
                      .atoms = j->atoms.data,
                      .atom_count = j->atoms.len};
  tree_lift(v->net->front, j->item, &from);
}

static void take_over(formula_job *j, const question *q)
{
  const answer_list *found = &j->engines.outcome.answers;
  for (size_t i = 0; i < found->len; i++) {
    const answer *a = &found->data[i];
    if (a->question == q && a->verdict != VERDICT_UNKNOWN &&
        (has_lasso(j, a) || !is_worth_waiting(j, a->verdict))) {
      keep_tree(j, a);
      front_settle(j->verification->net->front, j->item, a->verdict,
                   METHOD_SMALLER);
    }
  }
}

static void do_formula(void *context)
{
  formula_job *j = context;
  verification *v = j->verification;
  front *f = v->net->front;
  front_item *it = &f->items[j->item];
  j->arena = arena_create();
  j->visible = ARENA_ARRAY(j->arena, bool, f->net->place_count + 1);
  unsigned kinds = kinds_of(j, it->question->property);
  it->unshrunk = !kinds;
  if (it->unshrunk)
    return;
  shrink_wish wish = {kinds, SHRINK_ALL_RULES, j->visible, NULL,
                      NULL,  v->limits};
  j->shrinking = shrinking_make(f->net, &wish);
  const petri *small = shrinking_net(j->shrinking);
  it->unshrunk = small == f->net || !small->place_count;
  if (it->unshrunk)
    return;
  make_model(j);
  j->begun = true;
  front_start_engines(v, &j->model, &j->engines);
  const question *q = add_question(j, it->question);
  it->unshrunk = !q;
  if (!q)
    return;
  front_make_program(&j->model, &j->engines);
  run_turn(j, it->question->property->ctl);
  take_over(j, q);
}

static void tidy_formula(void *context)
{
  formula_job *j = context;
  vec_free(&j->atoms);
  if (j->begun)
    verification_free(&j->engines);
  model_destroy(j->model.own);
  shrinking_destroy(j->shrinking);
  arena_destroy(j->arena);
}

void formulas_run(verification *v, const nut_options *o, uint64_t times)
{
  front *f = v->net->front;
  if (o->fair != NUT_FAIR_NONE)
    return;
  bool polled = limits_set_polled(v->limits, true);
  for (uint32_t i = 0; i < f->count && !limits_reached(v->limits); i++) {
    const front_item *it = &f->items[i];
    formula_job job = {
        .verification = v, .options = o, .item = i, .times = times};
    if (it->temporal && !it->unshrunk && front_is_open(f, i) &&
        (it->question->property->ltl || it->question->property->ctl))
      mem_protect_tidy(do_formula, tidy_formula, &job);
  }
  limits_set_polled(v->limits, polled);
}
