/* CTL by sets of states: fixpoints over the reachable ones, backwards. */

#include "base/alloc.h"
#include "symbolic/ctl.h"
#include "symbolic/inside.h"

/* Steps of a lasso that are tried before it is given up. */
enum { LASSO_MAX = 4000 };

typedef VEC(mdd) mdd_list; /* counted */

/* Answering one question.  It owns what takes memory, so that nothing is lost
** when there is no more. */
typedef struct checking {
  symbolic_space *space;
  mdd_manager *manager;
  const ctl_options *options;
  mdd stuck; /* counted: states without successors */
  mdd fair;  /* counted: states from which a fair run begins; all without
             ** constraints */
  mdd_list constraints;
  mdd_list layers, states; /* of a run being made */
} checking;

/* ---- sets --------------------------------------------------------------- */

static mdd guard(checking *c, mdd states)
{
  return mdd_ref(c->manager, states);
}

static mdd drop(checking *c, mdd states, mdd result)
{
  mdd_unref(c->manager, states);
  return result;
}

/* States with a step into the set, or in it and stuck. */
static mdd before_or_stuck(checking *c, mdd states)
{
  if (guard(c, states) == MDD_FULL)
    return MDD_FULL;
  mdd before = symbolic_before(c->space, states);
  if (guard(c, before) == MDD_FULL)
    return drop(c, states, MDD_FULL);
  mdd stays = mdd_intersect(c->manager, c->stuck, states);
  mdd result = mdd_union(c->manager, before, stays);
  mdd_unref(c->manager, before);
  return drop(c, states, result);
}

/* One constraint: the states of 'z' that have a step, within 'x', towards
** states of 'z' in which it is true. */
static mdd towards(checking *c, mdd z, mdd x, mdd constraint)
{
  if (guard(c, z) == MDD_FULL)
    return MDD_FULL;
  mdd goal = mdd_intersect(c->manager, z, constraint);
  mdd reach = symbolic_reaching(c->space, goal, x);
  mdd before = before_or_stuck(c, reach);
  return drop(c, z, mdd_intersect(c->manager, z, before));
}

/* The greatest set within 'x' from which x can hold for ever, fairly. */
static mdd globally(checking *c, mdd x)
{
  if (guard(c, x) == MDD_FULL)
    return MDD_FULL;
  mdd z = guard(c, x);
  for (bool more = true; more && z != MDD_FULL;) {
    mdd start = z, next = z;
    if (!c->constraints.len)
      next = mdd_intersect(c->manager, z, before_or_stuck(c, z));
    for (size_t i = 0; i < c->constraints.len && next != MDD_FULL; i++)
      next = towards(c, next, x, c->constraints.data[i]);
    more = next != start;
    if (guard(c, next) == MDD_FULL)
      next = MDD_FULL;
    mdd_unref(c->manager, z);
    z = next;
  }
  mdd_unref(c->manager, x);
  if (z != MDD_FULL)
    mdd_unref(c->manager, z);
  return z;
}

/* Unless there are constraints, every state is fair. */
static mdd fair_only(checking *c, mdd states)
{
  return c->constraints.len ? mdd_intersect(c->manager, states, c->fair)
                            : states;
}

static mdd states_with(checking *c, const ctl *f);

static mdd check_pair(checking *c, const ctl *f)
{
  mdd x = states_with(c, f->a);
  if (guard(c, x) == MDD_FULL)
    return MDD_FULL;
  mdd y = states_with(c, f->b), result;
  if (f->op == CTL_AND)
    result = mdd_intersect(c->manager, x, y);
  else if (f->op == CTL_OR)
    result = mdd_union(c->manager, x, y);
  else
    result = symbolic_reaching(c->space, fair_only(c, y), x);
  return drop(c, x, result);
}

static mdd check_next(checking *c, const ctl *f)
{
  mdd goal = fair_only(c, states_with(c, f->a));
  return c->options->stutter ? before_or_stuck(c, goal)
                             : symbolic_before(c->space, goal);
}

/* The reachable states that satisfy a reduced formula. */
static mdd states_with(checking *c, const ctl *f)
{
  mdd all = symbolic_reachable(c->space);
  switch (f->op) {
  case CTL_TRUE:
    return all;
  case CTL_ATOM:
    return symbolic_states_of(c->space, f->atom);
  case CTL_NOT:
    return mdd_minus(c->manager, all, states_with(c, f->a));
  case CTL_AND:
  case CTL_OR:
  case CTL_EU:
    return check_pair(c, f);
  case CTL_EX:
    return check_next(c, f);
  case CTL_EG:
    return globally(c, states_with(c, f->a));
  default:
    return MDD_FULL;
  }
}

/* ---- runs --------------------------------------------------------------- */

void ctl_run_free(ctl_run *way)
{
  vec_free(&way->bytes);
  vec_free(&way->starts);
  *way = (ctl_run){.loop = SIZE_MAX};
}

static bool run_add(checking *c, ctl_run *way, mdd state)
{
  const uint8_t *bytes;
  uint32_t length = symbolic_pick(c->space, state, &bytes);
  if (!way->starts.len)
    vec_push(&way->starts, 0);
  if (!length)
    return false;
  vec_grow(&way->bytes, length);
  memcpy(way->bytes.data + way->bytes.len, bytes, length);
  way->bytes.len += length;
  vec_push(&way->starts, (uint32_t)way->bytes.len);
  return true;
}

/* One state of a set, as a set. */
static mdd single(checking *c, mdd states)
{
  const uint8_t *bytes;
  if (states == MDD_EMPTY || states == MDD_FULL)
    return MDD_FULL;
  uint32_t length = symbolic_pick(c->space, states, &bytes);
  return length ? symbolic_state(c->space, bytes, length) : MDD_FULL;
}

static bool list_add(checking *c, mdd_list *list, mdd states)
{
  vec_grow(list, 1);
  if (guard(c, states) == MDD_FULL)
    return false;
  vec_push(list, states);
  return true;
}

static void list_clear(checking *c, mdd_list *list)
{
  while (list->len)
    mdd_unref(c->manager, vec_pop(list));
}

/* Layers of states from the initial one on, within x, up to one that has
** something of y. */
static bool find_layers(checking *c, mdd x, mdd y, mdd_list *layers)
{
  mdd_manager *m = c->manager;
  mdd seen = guard(c, symbolic_initial(c->space));
  bool good = list_add(c, layers, seen);
  while (good && mdd_intersect(m, vec_last(layers), y) == MDD_EMPTY) {
    mdd from = mdd_intersect(m, vec_last(layers), x);
    mdd next = mdd_minus(m, symbolic_after(c->space, from), seen);
    good = next != MDD_EMPTY && list_add(c, layers, next);
    if (!good)
      break;
    mdd more = mdd_union(m, seen, next);
    good = guard(c, more) != MDD_FULL;
    mdd_unref(m, seen);
    seen = good ? more : MDD_EMPTY;
  }
  mdd_unref(m, seen);
  return good;
}

/* Goes back through the layers from a state of y; the states, last first. */
static bool walk_back(checking *c, mdd x, mdd y, const mdd_list *layers,
                      mdd_list *states)
{
  mdd_manager *m = c->manager;
  mdd at = single(c, mdd_intersect(m, vec_last(layers), y));
  if (!list_add(c, states, at))
    return false;
  for (size_t i = layers->len - 1; i-- > 0;) {
    mdd before = symbolic_before(c->space, at);
    before = mdd_intersect(m, before, layers->data[i]);
    at = single(c, mdd_intersect(m, before, x));
    if (!list_add(c, states, at))
      return false;
  }
  return true;
}

static bool run_to(checking *c, mdd x, mdd y, ctl_run *way)
{
  bool good = find_layers(c, x, y, &c->layers) &&
              walk_back(c, x, y, &c->layers, &c->states);
  for (size_t i = c->states.len; good && i-- > 0;)
    good = run_add(c, way, c->states.data[i]);
  list_clear(c, &c->layers);
  list_clear(c, &c->states);
  return good;
}

/* From the initial state for ever within z, which allows it. */
static bool run_within(checking *c, mdd z, ctl_run *way)
{
  mdd_list *states = &c->states;
  mdd at = symbolic_initial(c->space);
  bool good = true, closed = false;
  while (good && !closed && states->len < LASSO_MAX) {
    for (size_t i = 0; i < states->len && !closed; i++)
      if (states->data[i] == at) {
        way->loop = i;
        closed = true;
      }
    if (closed)
      break;
    good = list_add(c, states, at) && run_add(c, way, at);
    mdd next = good ? symbolic_after(c->space, at) : MDD_FULL;
    if (next == MDD_EMPTY) {
      way->loop = states->len - 1;
      closed = true;
    } else {
      at = single(c, mdd_intersect(c->manager, next, z));
      good = at != MDD_FULL;
    }
  }
  list_clear(c, states);
  return good && closed;
}

/* A run that shows that the initial state satisfies f, or does not. */
static bool explain(checking *c, const ctl *f, bool holds, ctl_run *way)
{
  mdd start = symbolic_initial(c->space);
  switch (f->op) {
  case CTL_NOT:
    return explain(c, f->a, !holds, way);
  case CTL_AND:
  case CTL_OR: {
    if (holds == (f->op == CTL_AND))
      return false; /* two reasons, not one run */
    mdd x = states_with(c, f->a);
    bool first = x != MDD_FULL &&
                 (mdd_intersect(c->manager, x, start) != MDD_EMPTY) == holds;
    return explain(c, first ? f->a : f->b, holds, way);
  }
  case CTL_EU:
  case CTL_EX: {
    bool until = f->op == CTL_EU;
    if (!holds)
      return false;
    mdd x = guard(c, until ? states_with(c, f->a) : start);
    mdd y = guard(c, fair_only(c, states_with(c, until ? f->b : f->a)));
    bool good = x != MDD_FULL && y != MDD_FULL;
    if (good && until)
      good = run_to(c, x, y, way);
    else if (good) {
      mdd after = mdd_intersect(c->manager, symbolic_after(c->space, start), y);
      good = run_add(c, way, start) && after != MDD_EMPTY &&
             after != MDD_FULL && run_add(c, way, after);
    }
    mdd_unref(c->manager, x);
    mdd_unref(c->manager, y);
    way->goal = until ? f->b : f->a;
    return good;
  }
  case CTL_EG: {
    if (!holds || c->constraints.len)
      return false;
    mdd z = guard(c, states_with(c, f));
    bool good = z != MDD_FULL && run_within(c, z, way);
    mdd_unref(c->manager, z);
    return good;
  }
  default:
    return false;
  }
}

/* ---- from outside ------------------------------------------------------- */

static bool begin(checking *c)
{
  mdd all = symbolic_reachable(c->space);
  mdd stuck = mdd_minus(c->manager, all, symbolic_before(c->space, all));
  if (guard(c, stuck) == MDD_FULL)
    return false;
  c->stuck = stuck;
  for (size_t i = 0; i < c->options->fair_count; i++) {
    mdd x = symbolic_states_of(c->space, c->options->fair[i]);
    if (!list_add(c, &c->constraints, x))
      return false;
  }
  mdd fair = c->constraints.len ? globally(c, all) : all;
  if (guard(c, fair) == MDD_FULL)
    return false;
  c->fair = fair;
  return true;
}

static verdict answer_by_sets(checking *c, const ctl *f, ctl_run *way)
{
  mdd found = begin(c) ? states_with(c, f) : MDD_FULL;
  found = mdd_intersect(c->manager, found, symbolic_initial(c->space));
  if (found == MDD_FULL)
    return VERDICT_UNKNOWN;
  bool holds = found != MDD_EMPTY;
  if (way && !explain(c, f, holds, way))
    ctl_run_free(way);
  return holds ? VERDICT_HOLDS : VERDICT_VIOLATED;
}

static void checking_destroy(checking *c)
{
  mdd_unref(c->manager, c->stuck);
  mdd_unref(c->manager, c->fair);
  list_clear(c, &c->constraints);
  list_clear(c, &c->layers);
  list_clear(c, &c->states);
  vec_free(&c->constraints);
  vec_free(&c->layers);
  vec_free(&c->states);
  mem_free(c, sizeof *c);
}

verdict symbolic_ctl(symbolic_space *s, const ctl *f, const ctl_options *o,
                     ctl_run *way)
{
  checking *const c = mem_alloc(sizeof *c);
  jmp_buf here;
  jmp_buf *volatile outer = mem_guard(&here);
  *c = (checking){.space = s, .manager = symbolic_manager(s), .options = o};
  if (setjmp(here)) {
    checking_destroy(c);
    mem_pass_on(outer);
  }
  verdict answer = answer_by_sets(c, f, way);
  mem_guard(outer);
  checking_destroy(c);
  if (answer == VERDICT_UNKNOWN)
    symbolic_stop(s, REASON_OUT_OF_MEMORY);
  return answer;
}
