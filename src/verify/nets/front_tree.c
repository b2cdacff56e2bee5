/* Runs that show why a formula of branching time holds or not, found in a smaller
** net, as runs of the net as it was read.
**
** Each branch is a run from the start on, and is lifted as a lasso is.  Paths
** that begin alike are lifted alike, so branches still leave each other where
** they did: after what the steps up to the fork have become.  The rules that
** keep such formulas lead from a marking to one with the same answers, or
** through some that have them (docs/internals/nets.md), so what is said about
** states in between stays true.  What a branch shows is looked at again in each
** state of the run where it is about single states. */

#include "net/shrink/shrinking.h"
#include "symbolic/ctl/ctl_answer.h"
#include "verify/ctl_check.h"
#include "verify/nets/front_internal.h"

typedef struct tree_lifting {
  front *front;
  const tree_source *source;
  front_tree *made;
  firing_path lifted; /* the path at hand */
  bool good;
} tree_lifting;

/* ---- formulas ---------------------------------------------------------------- */

/* The formula with the conditions of the net as it was read; NULL: one was not
** there. */
static const ctl *read_back(arena *a, const tree_source *s, const ctl *f)
{
  ctl *made = ARENA_NEW(a, ctl);
  *made = *f;
  if (f->op == CTL_ATOM) {
    size_t i = 0;
    while (i < s->atom_count && s->atoms[i].small != f->atom)
      i++;
    made->atom = i < s->atom_count ? s->atoms[i].read : NULL;
    return made->atom ? made : NULL;
  }
  made->a = f->a ? read_back(a, s, f->a) : NULL;
  made->b = f->b ? read_back(a, s, f->b) : NULL;
  return (f->a && !made->a) || (f->b && !made->b) ? NULL : made;
}

/* ---- lifting ----------------------------------------------------------------- */

/* Where so many steps of the smaller net end in the run of the branch, which must
** begin with what they have become; SIZE_MAX: it does not. */
static size_t lifted_steps(tree_lifting *l, const front_branch *b,
                           const uint32_t *path, size_t steps)
{
  firing_path *to = &l->lifted;
  vec_clear(to);
  if (!shrinking_lift(l->source->shrinking, path, steps, false, to) ||
      to->len > b->run.length ||
      (to->len && memcmp(to->data, b->run.path, to->len * sizeof *to->data)))
    return SIZE_MAX;
  return to->len;
}

/* Whether it leaves its parent where it is said to. */
static bool leaves_parent(const front_tree *t, const front_branch *b)
{
  const front_lasso *parent = &t->branches[b->parent].run;
  return b->fork <= parent->length &&
         (!b->fork ||
          !memcmp(parent->path, b->run.path, b->fork * sizeof *parent->path));
}

static bool lift_branch(tree_lifting *l, size_t i)
{
  front *f = l->front;
  const tree_source *s = l->source;
  const answer_branch *from = &s->told->branches.data[i];
  front_branch *to = &l->made->branches[i];
  const uint32_t *path = front_path(f->arena, s->model, from->trace);
  to->parent = from->parent;
  const ctl_branch *known = &s->tree->branches.data[i];
  to->shows = read_back(f->arena, s, known->shows);
  to->goal = known->run.goal ? read_back(f->arena, s, known->run.goal) : NULL;
  if (!to->shows || !from->trace->steps.len ||
      !lasso_of(f, s->shrinking, from->trace, path, &to->run))
    return false;
  to->fork = lifted_steps(l, to, path, from->fork);
  return to->fork != SIZE_MAX && (!i || leaves_parent(l->made, to));
}

static bool lift_note(tree_lifting *l, const ctl_note *from, front_note *to)
{
  front *f = l->front;
  const tree_source *s = l->source;
  const front_branch *b = &l->made->branches[from->branch];
  const trace *t = s->told->branches.data[from->branch].trace;
  const uint32_t *path = front_path(f->arena, s->model, t);
  *to = (front_note){.branch = from->branch,
                     .formula = read_back(f->arena, s, from->formula)};
  if (from->last >= t->steps.len || !to->formula)
    return false;
  to->first = lifted_steps(l, b, path, from->first);
  to->last = lifted_steps(l, b, path, from->last);
  return to->first != SIZE_MAX && to->last != SIZE_MAX;
}

static void do_lift_tree(void *context)
{
  tree_lifting *l = context;
  const tree_source *s = l->source;
  arena *a = l->front->arena;
  size_t branches = s->told->branches.len, notes = s->tree->notes.len;
  front_tree *made = l->made = ARENA_NEW(a, front_tree);
  made->branches = ARENA_ARRAY(a, front_branch, branches + 1);
  made->notes = ARENA_ARRAY(a, front_note, notes + 1);
  made->cut = s->told->cut;
  /* Parents come first: what cannot be lifted is left out with all behind. */
  while (made->branch_count < branches && lift_branch(l, made->branch_count))
    made->branch_count++;
  made->cut |= made->branch_count < branches;
  for (size_t i = 0; i < notes; i++)
    if (s->tree->notes.data[i].branch < made->branch_count)
      made->note_count +=
          lift_note(l, &s->tree->notes.data[i], &made->notes[made->note_count]);
  l->good = made->branch_count;
}

static void tidy_lift_tree(void *context)
{
  tree_lifting *l = context;
  vec_free(&l->lifted);
}

bool tree_lift(front *f, uint32_t number, const tree_source *s)
{
  tree_lifting l = {.front = f, .source = s};
  mem_protect_tidy(do_lift_tree, tidy_lift_tree, &l);
  if (l.good)
    f->items[number].tree = l.made;
  return f->items[number].tree;
}

/* ---- telling ----------------------------------------------------------------- */

/* Whether the formula, if it is about single states, is true after a step. */
static bool is_true(worker *w, const expr *e, const trace *t, size_t after)
{
  uint32_t length;
  const uint8_t *state = trace_state(t, after, &length);
  trace_claim c = {.end = TRACE_WITNESS, .expr = e};
  return !e || trace_claim_holds(w, &c, state, length);
}

static bool is_true_until(worker *w, const expr *e, const trace *t,
                          size_t first, size_t end)
{
  while (first < end && is_true(w, e, t, first))
    first++;
  return first >= end;
}

/* Whether the run from the fork on shows what it is to show, as far as that is
** about single states. */
static bool shows(verification *v, const front_branch *b, const trace *t)
{
  worker *w = v->net->front->worker;
  const ctl *f = b->shows;
  size_t last = t->steps.len - 1;
  const expr *a = f->a ? ctl_expression(v->annex, f->a) : NULL;
  const expr *goal = f->b ? ctl_expression(v->annex, f->b) : NULL;
  switch ((int)f->op) {
  case CTL_EX:
    return b->fork < last && is_true(w, a, t, b->fork + 1);
  case CTL_EG:
    return is_true_until(w, a, t, b->fork, last + 1);
  case CTL_EU: {
    size_t reached = b->fork;
    while (goal && reached < last && !is_true(w, goal, t, reached))
      reached++;
    return is_true(w, goal, t, goal ? reached : last) &&
           is_true_until(w, a, t, b->fork, goal ? reached : last);
  }
  default:
    return false;
  }
}

static bool tell_branch(verification *v, const front_branch *b,
                        const uint32_t *edges, answer_tree *to)
{
  answer_branch branch = {.parent = b->parent,
                          .fork = b->fork,
                          .formula = ctl_written(v, b->shows, true)};
  front_lasso way = b->run;
  vec_grow(&to->branches, 1);
  if (way.end != TRACE_LOOP && way.end != TRACE_STAYS) {
    trace_claim end = ctl_claim(v, b->goal);
    way.end = end.expr ? end.end : TRACE_OPEN;
    way.expr = end.expr;
  }
  branch.trace = lasso_replay(v, &way, edges);
  if (!branch.trace)
    return false;
  vec_push(&to->branches, branch);
  return shows(v, b, branch.trace);
}

static void tell_note(verification *v, const front_note *n, answer_tree *to)
{
  answer_note note = {ctl_written(v, n->formula, false), n->branch, n->first,
                      n->last};
  vec_push(&to->notes, note);
}

bool tree_tell(verification *v, uint32_t number, const uint32_t *edges,
               answer *a)
{
  const front_tree *t = v->net->front->items[number].tree;
  a->tree = ARENA_NEW(v->outcome.arena, answer_tree);
  a->tree->cut = t->cut;
  bool good = true;
  for (size_t i = 0; i < t->branch_count && good; i++)
    good = tell_branch(v, &t->branches[i], edges, a->tree);
  for (size_t i = 0; i < t->note_count && good; i++)
    tell_note(v, &t->notes[i], a->tree);
  if (a->tree->branches.len)
    a->trace = a->tree->branches.data[0].trace;
  return good;
}
