/* CTL by sets of states: fixpoints over the reachable ones, backwards. */

#include "base/alloc.h"
#include "symbolic/ctl/ctl_tree.h"
#include "symbolic/liveness/live_sets.h"
#include "symbolic/symbolic_internal.h"

/* Steps of a lasso that are tried before it is given up. */
enum { LASSO_MAX = 4000 };

/* Answering one question.  It owns what takes memory, so that nothing is lost
** when there is no more. */
typedef struct checking {
  symbolic_space *space;
  set_library *library;
  const ctl_options *options;
  /* Counted: states without successors; states from which a fair run begins,
  ** that is all of them without constraints. */
  symbolic_set stuck, fair;
  set_list constraints;
  set_list states;        /* of a run being made */
  VEC(const ctl *) known; /* formulas whose states are in 'known_sets' */
  set_list known_sets;
} checking;

/* ---- sets --------------------------------------------------------------- */

static symbolic_set guard(checking *c, symbolic_set states)
{
  return set_ref(c->library, states);
}

static symbolic_set drop(checking *c, symbolic_set states, symbolic_set result)
{
  set_unref(c->library, states);
  return result;
}

/* States with a step into the set, or in it and stuck. */
static symbolic_set before_or_stuck(checking *c, symbolic_set states)
{
  if (guard(c, states) == SET_FULL)
    return SET_FULL;
  symbolic_set before = symbolic_before(c->space, states);
  if (guard(c, before) == SET_FULL)
    return drop(c, states, SET_FULL);
  symbolic_set stays = set_intersect(c->library, c->stuck, states);
  symbolic_set result = set_union(c->library, before, stays);
  set_unref(c->library, before);
  return drop(c, states, result);
}

/* One constraint: the states of 'z' that have a step, within 'x', towards
** states of 'z' in which it is true. */
static symbolic_set towards(checking *c, symbolic_set z, symbolic_set x,
                            symbolic_set constraint)
{
  if (guard(c, z) == SET_FULL)
    return SET_FULL;
  symbolic_set goal = set_intersect(c->library, z, constraint);
  symbolic_set reach = symbolic_reaching(c->space, goal, x);
  symbolic_set before = before_or_stuck(c, reach);
  return drop(c, z, set_intersect(c->library, z, before));
}

/* The greatest set within 'x' from which x can hold for ever, fairly. */
static symbolic_set globally(checking *c, symbolic_set x)
{
  if (guard(c, x) == SET_FULL)
    return SET_FULL;
  symbolic_set z = guard(c, x);
  for (bool more = true; more && z != SET_FULL;) {
    symbolic_set start = z, next = z;
    if (!c->constraints.len)
      next = set_intersect(c->library, z, before_or_stuck(c, z));
    for (size_t i = 0; i < c->constraints.len && next != SET_FULL; i++)
      next = towards(c, next, x, c->constraints.data[i]);
    more = next != start;
    if (guard(c, next) == SET_FULL)
      next = SET_FULL;
    set_unref(c->library, z);
    z = next;
  }
  set_unref(c->library, x);
  if (z != SET_FULL)
    set_unref(c->library, z);
  return z;
}

/* Unless there are constraints, every state is fair. */
static symbolic_set fair_only(checking *c, symbolic_set states)
{
  return c->constraints.len ? set_intersect(c->library, states, c->fair)
                            : states;
}

static symbolic_set states_with(checking *c, const ctl *f);

static symbolic_set check_pair(checking *c, const ctl *f)
{
  symbolic_set x = states_with(c, f->a);
  if (guard(c, x) == SET_FULL)
    return SET_FULL;
  symbolic_set y = states_with(c, f->b), result;
  if (f->op == CTL_AND)
    result = set_intersect(c->library, x, y);
  else if (f->op == CTL_OR)
    result = set_union(c->library, x, y);
  else
    result = symbolic_reaching(c->space, fair_only(c, y), x);
  return drop(c, x, result);
}

static symbolic_set check_next(checking *c, const ctl *f)
{
  symbolic_set goal = fair_only(c, states_with(c, f->a));
  return c->options->stutter ? before_or_stuck(c, goal)
                             : symbolic_before(c->space, goal);
}

/* The reachable states that satisfy a reduced formula. */
static symbolic_set states_with(checking *c, const ctl *f)
{
  symbolic_set all = symbolic_reachable(c->space);
  switch (f->op) {
  case CTL_TRUE:
    return all;
  case CTL_ATOM:
    return symbolic_states_of(c->space, f->atom);
  case CTL_NOT:
    return set_minus(c->library, all, states_with(c, f->a));
  case CTL_AND:
  case CTL_OR:
  case CTL_EU:
    return check_pair(c, f);
  case CTL_EX:
    return check_next(c, f);
  case CTL_EG:
    return globally(c, states_with(c, f->a));
  default:
    return SET_FULL;
  }
}

/* ---- runs --------------------------------------------------------------- */

/* The states of a formula, found once and kept; SET_FULL: no memory. */
static symbolic_set known_states(checking *c, const ctl *f)
{
  for (size_t i = 0; i < c->known.len; i++)
    if (c->known.data[i] == f)
      return c->known_sets.data[i];
  vec_grow(&c->known, 1);
  if (!symbolic_keep(c->space, &c->known_sets, states_with(c, f)))
    return SET_FULL;
  vec_push(&c->known, f);
  return vec_last(&c->known_sets);
}

static int satisfies(void *context, const ctl *f, const uint8_t *state,
                     uint32_t length)
{
  checking *c = context;
  symbolic_set all = known_states(c, f);
  if (all == SET_FULL || symbolic_impatient(c->space))
    return -1;
  symbolic_set found =
      set_intersect(c->library, symbolic_state(c->space, state, length), all);
  return found == SET_FULL ? -1 : found != SET_EMPTY;
}

static bool start(void *context, ctl_run *way)
{
  checking *c = context;
  return symbolic_run_add(c->space, way, symbolic_initial(c->space));
}

/* From a state for ever within z, which allows it. */
static bool run_within(checking *c, symbolic_set from, symbolic_set z,
                       ctl_run *way)
{
  set_list *states = &c->states;
  symbolic_set at = from;
  size_t before = ctl_run_states(way) - 1;
  bool good = true, closed = false;
  while (good && !closed && states->len < LASSO_MAX) {
    for (size_t i = 0; i < states->len && !closed; i++)
      if (states->data[i] == at) {
        way->loop = before + i;
        closed = true;
      }
    if (closed)
      break;
    good = symbolic_keep(c->space, states, at) &&
           (states->len == 1 || symbolic_run_add(c->space, way, at));
    symbolic_set next = good ? symbolic_after(c->space, at) : SET_FULL;
    if (next == SET_EMPTY) {
      way->loop = before + states->len - 1;
      closed = true;
    } else {
      at = symbolic_single(c->space, set_intersect(c->library, next, z));
      good = at != SET_FULL;
    }
  }
  symbolic_drop(c->space, states);
  return good && closed;
}

static bool run_always(checking *c, symbolic_set from, const ctl *f,
                       ctl_run *way)
{
  symbolic_set z = known_states(c, f);
  fair_question q = {from, z, c->stuck, c->constraints.data,
                     (uint32_t)c->constraints.len};
  return z != SET_FULL && (q.count ? symbolic_fair_run(c->space, &q, way)
                                   : run_within(c, from, z, way));
}

/* One step, or none where the last state repeats for ever. */
static bool run_step(checking *c, symbolic_set from, symbolic_set goal,
                     ctl_run *way)
{
  symbolic_set after = symbolic_after(c->space, from);
  if (after == SET_EMPTY) {
    way->loop = ctl_run_states(way) - 1;
    return true;
  }
  after = set_intersect(c->library, after, goal);
  return after != SET_EMPTY && after != SET_FULL &&
         symbolic_run_add(c->space, way, after);
}

static bool extend_from(checking *c, symbolic_set from, const ctl *f,
                        ctl_run *way)
{
  bool until = f->op == CTL_EU;
  if (f->op == CTL_EG)
    return run_always(c, from, f, way);
  symbolic_set x = until ? known_states(c, f->a) : SET_EMPTY;
  symbolic_set y = known_states(c, until ? f->b : f->a);
  if (x == SET_FULL || y == SET_FULL)
    return false;
  y = guard(c, fair_only(c, y));
  bool good = y != SET_FULL && (until ? symbolic_way(c->space, from, x, y, way)
                                      : run_step(c, from, y, way));
  set_unref(c->library, y);
  return good;
}

static bool extend(void *context, const ctl *f, ctl_run *way)
{
  checking *c = context;
  uint32_t length;
  const uint8_t *state = ctl_run_state(way, ctl_run_states(way) - 1, &length);
  symbolic_set from = guard(c, symbolic_state(c->space, state, length));
  if (from == SET_FULL)
    return false;
  bool good = extend_from(c, from, f, way);
  set_unref(c->library, from);
  return good;
}

/* ---- from outside ------------------------------------------------------- */

static bool begin(checking *c)
{
  symbolic_set all = symbolic_reachable(c->space);
  symbolic_set stuck =
      set_minus(c->library, all, symbolic_before(c->space, all));
  if (guard(c, stuck) == SET_FULL)
    return false;
  c->stuck = stuck;
  for (size_t i = 0; i < c->options->fair_count; i++) {
    symbolic_set x = symbolic_states_of(c->space, c->options->fair[i]);
    if (!symbolic_keep(c->space, &c->constraints, x))
      return false;
  }
  symbolic_set fair = c->constraints.len ? globally(c, all) : all;
  if (guard(c, fair) == SET_FULL)
    return false;
  c->fair = fair;
  return true;
}

static verdict answer_by_sets(checking *c, const ctl *f, ctl_tree *tree)
{
  symbolic_set found = begin(c) ? states_with(c, f) : SET_FULL;
  found = set_intersect(c->library, found, symbolic_initial(c->space));
  if (found == SET_FULL)
    return VERDICT_UNKNOWN;
  bool holds = found != SET_EMPTY;
  ctl_guide guide = {c, start, satisfies, extend};
  if (tree)
    ctl_tree_grow(tree, f, holds, &guide);
  return holds ? VERDICT_HOLDS : VERDICT_VIOLATED;
}

static void checking_destroy(checking *c)
{
  set_unref(c->library, c->stuck);
  set_unref(c->library, c->fair);
  symbolic_drop(c->space, &c->constraints);
  symbolic_drop(c->space, &c->states);
  vec_free(&c->constraints);
  symbolic_drop(c->space, &c->known_sets);
  vec_free(&c->states);
  vec_free(&c->known);
  vec_free(&c->known_sets);
  mem_free(c, sizeof *c);
}

typedef struct sets_job {
  checking *checking;
  const ctl *formula;
  ctl_tree *tree;
  verdict answer;
} sets_job;

static void do_check(void *job)
{
  sets_job *j = job;
  j->answer = answer_by_sets(j->checking, j->formula, j->tree);
}

static void tidy_check(void *job)
{
  checking_destroy(((sets_job *)job)->checking);
}

verdict symbolic_ctl(symbolic_space *s, const ctl *f, const ctl_options *o,
                     ctl_tree *tree)
{
  checking *c = mem_alloc(sizeof *c);
  *c = (checking){.space = s, .library = symbolic_library(s), .options = o};
  sets_job job = {c, f, tree, VERDICT_UNKNOWN};
  mem_protect_tidy(do_check, tidy_check, &job);
  if (job.answer == VERDICT_UNKNOWN)
    symbolic_stop(s, REASON_OUT_OF_MEMORY);
  return job.answer;
}
