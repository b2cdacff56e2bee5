/* Grows the tree: from what is to be shown in a state to runs, forks and
** notes. */

#include "symbolic/ctl/ctl_tree.h"

#include "base/alloc.h"
#include <string.h>

/* More than that nobody reads; runs longer than that are not examined state by
** state. */
enum { BRANCHES_MAX = 20, ALONG_MAX = 4000 };

/* A state of a branch. */
typedef struct spot {
  size_t branch, state;
} spot;

typedef struct proof {
  const ctl *formula;
  spot at;
} proof;

typedef struct growing {
  ctl_tree *tree;
  const ctl_guide *guide;
  const ctl *formula; /* what the root shows, and whether it is true there */
  bool holds;
  VEC(proof) proofs; /* what is shown */
} growing;

/* ---- runs --------------------------------------------------------------- */

void ctl_run_cut(ctl_run *way, size_t states)
{
  if (way->starts.len <= states)
    return;
  way->starts.len = states + 1;
  way->bytes.len = vec_last(&way->starts);
}

size_t ctl_run_states(const ctl_run *way)
{
  return way->starts.len ? way->starts.len - 1 : 0;
}

void ctl_run_add(ctl_run *way, const uint8_t *state, uint32_t length)
{
  if (!way->starts.len)
    vec_push(&way->starts, 0);
  vec_grow(&way->starts, 1);
  vec_grow(&way->bytes, length);
  memcpy(way->bytes.data + way->bytes.len, state, length);
  way->bytes.len += length;
  vec_push(&way->starts, (uint32_t)way->bytes.len);
}

const uint8_t *ctl_run_state(const ctl_run *way, size_t i, uint32_t *length)
{
  *length = way->starts.data[i + 1] - way->starts.data[i];
  return way->bytes.data + way->starts.data[i];
}

uint32_t ctl_run_next(void *context, size_t i, const uint8_t **state)
{
  const ctl_run *way = context;
  uint32_t length;
  *state =
      ctl_run_state(way, i + 1 == way->starts.len ? way->loop : i, &length);
  return length;
}

void ctl_run_free(ctl_run *way)
{
  vec_free(&way->bytes);
  vec_free(&way->starts);
  *way = (ctl_run){.loop = SIZE_MAX};
}

void ctl_tree_free(ctl_tree *t)
{
  for (size_t i = 0; i < t->branches.len; i++)
    ctl_run_free(&t->branches.data[i].run);
  vec_free(&t->branches);
  vec_free(&t->notes);
  *t = (ctl_tree){0};
}

static ctl_run *run_of(const growing *g, spot at)
{
  return &g->tree->branches.data[at.branch].run;
}

/* The state that comes next on the run; false: the run ends. */
static bool next_spot(const growing *g, spot *at)
{
  const ctl_run *way = run_of(g, *at);
  if (at->state + 1 < ctl_run_states(way))
    at->state++;
  else if (way->loop != SIZE_MAX)
    at->state = way->loop;
  else
    return false;
  return true;
}

/* Without an answer nothing more can be shown. */
static bool is_true(growing *g, const ctl *f, spot at)
{
  uint32_t length;
  const uint8_t *state = ctl_run_state(run_of(g, at), at.state, &length);
  int truth = g->guide->satisfies(g->guide->context, f, state, length);
  g->tree->cut |= truth < 0;
  return truth > 0;
}

/* ---- what is shown already ---------------------------------------------- */

/* The latest are asked for most. */
static bool is_proved(const growing *g, const ctl *f, spot at)
{
  for (size_t i = g->proofs.len; i-- > 0;) {
    const proof *p = &g->proofs.data[i];
    if (p->formula == f && p->at.branch == at.branch && p->at.state == at.state)
      return true;
  }
  return false;
}

/* A note about all runs from a state.  States of a branch come in turn, the
** last one first. */
static void add_note(growing *g, const ctl *f, spot at)
{
  for (size_t i = 0; i < g->tree->notes.len; i++) {
    ctl_note *n = &g->tree->notes.data[i];
    if (n->formula != f || n->branch != at.branch || at.state > n->last ||
        at.state + 1 < n->first)
      continue;
    if (at.state < n->first)
      n->first = at.state;
    return;
  }
  vec_push(&g->tree->notes, ((ctl_note){f, at.branch, at.state, at.state}));
}

static void show(growing *, const ctl *, bool holds, spot at);

/* What 'f' asks of the states before 'end', back to 'from'. */
static void show_along(growing *g, const ctl *f, size_t branch, size_t from,
                       size_t end)
{
  if (f->op == CTL_TRUE || f->op == CTL_ATOM)
    return;
  if (end - from > ALONG_MAX) {
    g->tree->cut = true;
    return;
  }
  while (end-- > from)
    show(g, f, true, (spot){branch, end});
}

/* Until, by the states that follow on the run. */
static bool until_on_run(growing *g, const ctl *f, spot at)
{
  spot to = at;
  size_t left = ctl_run_states(run_of(g, at)) + 1;
  bool proved = false;
  while (!is_true(g, f->b, to) && !proved) {
    if (g->tree->cut || !left-- || !is_true(g, f->a, to) || !next_spot(g, &to))
      return false;
    proved = is_proved(g, f, to);
  }
  if (!proved)
    show(g, f->b, true, to);
  const ctl_run *way = run_of(g, at);
  size_t states = ctl_run_states(way), loop = way->loop;
  if (to.state < at.state) { /* around the loop */
    show_along(g, f->a, at.branch, loop, to.state);
    to.state = states;
  }
  show_along(g, f->a, at.branch, at.state, to.state);
  return true;
}

/* For ever, by the loop of the run. */
static bool always_on_run(growing *g, const ctl *f, spot at)
{
  const ctl_run *way = run_of(g, at);
  size_t states = ctl_run_states(way), loop = way->loop;
  if (loop == SIZE_MAX)
    return false;
  size_t from = at.state < loop ? at.state : loop;
  for (size_t i = from; i < states; i++)
    if (!is_true(g, f->a, (spot){at.branch, i}))
      return false;
  show_along(g, f->a, at.branch, from, states);
  return true;
}

static bool next_on_run(growing *g, const ctl *f, spot at)
{
  if (!next_spot(g, &at) || !is_true(g, f->a, at))
    return false;
  show(g, f->a, true, at);
  return true;
}

static bool is_on_run(growing *g, const ctl *f, spot at)
{
  switch (f->op) {
  case CTL_EU:
    return until_on_run(g, f, at);
  case CTL_EG:
    return always_on_run(g, f, at);
  default:
    return next_on_run(g, f, at);
  }
}

/* ---- branches ----------------------------------------------------------- */

/* The first branch is there from the beginning, as the initial state alone. */
static size_t new_branch(growing *g, spot at)
{
  ctl_tree *t = g->tree;
  if (!t->branches.data[0].shows)
    return 0;
  vec_push(&t->branches,
           ((ctl_branch){.parent = at.branch, .run.loop = SIZE_MAX}));
  const ctl_run *from = run_of(g, at);
  ctl_run *way = &vec_last(&t->branches).run;
  for (size_t i = 0; i <= at.state; i++) {
    uint32_t length;
    const uint8_t *state = ctl_run_state(from, i, &length);
    ctl_run_add(way, state, length);
  }
  return t->branches.len - 1;
}

static void give_up(growing *g, size_t branch)
{
  ctl_tree *t = g->tree;
  t->cut = true;
  if (branch)
    ctl_run_free(&vec_pop(&t->branches).run);
  else
    ctl_run_cut(&t->branches.data[0].run, 1);
}

static void show_by_branch(growing *g, const ctl *f, spot at)
{
  ctl_tree *t = g->tree;
  if (t->branches.len >= BRANCHES_MAX) {
    t->cut = true;
    return;
  }
  size_t branch = new_branch(g, at);
  ctl_branch *b = &t->branches.data[branch];
  if (!g->guide->extend(g->guide->context, f, &b->run)) {
    give_up(g, branch);
    return;
  }
  b->shows = f;
  b->fork = at.state;
  b->run.goal = f->op == CTL_EU ? f->b : f->op == CTL_EX ? f->a : NULL;
  /* Branches may move now. */
  size_t states = ctl_run_states(&b->run);
  if (f->op == CTL_EG) {
    show_along(g, f->a, branch, at.state, states);
    return;
  }
  show(g, f->op == CTL_EU ? f->b : f->a, true, (spot){branch, states - 1});
  if (f->op == CTL_EU)
    show_along(g, f->a, branch, at.state, states - 1);
}

/* ---- formulas ----------------------------------------------------------- */

/* Whether runs can show it: no part of it is about all runs. */
static bool is_showable(const ctl *f, bool holds)
{
  switch (f->op) {
  case CTL_NOT:
    return is_showable(f->a, !holds);
  case CTL_AND:
  case CTL_OR:
    return is_showable(f->a, holds) && is_showable(f->b, holds);
  case CTL_EX:
  case CTL_EG:
    return holds && is_showable(f->a, true);
  case CTL_EU:
    return holds && is_showable(f->a, true) && is_showable(f->b, true);
  default:
    return true;
  }
}

/* One of two reasons is enough: the first, unless only the second can be
** shown. */
static const ctl *choose(growing *g, const ctl *f, bool holds, spot at)
{
  if (is_true(g, f->a, at) != holds)
    return f->b;
  if (!is_showable(f->a, holds) && is_showable(f->b, holds) &&
      is_true(g, f->b, at) == holds)
    return f->b;
  return f->a;
}

static void show_run(growing *g, const ctl *f, spot at)
{
  if (is_proved(g, f, at))
    return;
  /* There is a first run even where its first state shows everything. */
  bool first = !g->tree->branches.data[0].shows;
  if (first || (!is_on_run(g, f, at) && !g->tree->cut))
    show_by_branch(g, f, at);
  /* Only now is it proved: a loop leads back here. */
  vec_push(&g->proofs, ((proof){f, at}));
}

/* That the formula is true, or false, in a state of a branch. */
static void show(growing *g, const ctl *f, bool holds, spot at)
{
  if (g->tree->cut)
    return;
  switch (f->op) {
  case CTL_NOT:
    show(g, f->a, !holds, at);
    break;
  case CTL_AND:
  case CTL_OR:
    if (holds == (f->op == CTL_AND)) {
      show(g, f->a, holds, at);
      show(g, f->b, holds, at);
    } else {
      show(g, choose(g, f, holds, at), holds, at);
    }
    break;
  case CTL_EX:
  case CTL_EU:
  case CTL_EG:
    if (holds)
      show_run(g, f, at);
    else
      add_note(g, f, at);
    break;
  default:
    break; /* the state shows it */
  }
}

/* ---- from outside ------------------------------------------------------- */

static void grow(void *growing_tree)
{
  growing *g = growing_tree;
  ctl_tree *t = g->tree;
  vec_push(&t->branches, ((ctl_branch){.run.loop = SIZE_MAX}));
  if (g->guide->start(g->guide->context, &t->branches.data[0].run))
    show(g, g->formula, g->holds, (spot){0, 0});
  if (!t->branches.data[0].shows)
    ctl_tree_free(t);
}

static void tidy_growing(void *growing_tree)
{
  growing *g = growing_tree;
  vec_free(&g->proofs);
}

void ctl_tree_grow(ctl_tree *t, const ctl *f, bool holds,
                   const ctl_guide *guide)
{
  growing g = {.tree = t, .guide = guide, .formula = f, .holds = holds};
  mem_protect_tidy(grow, tidy_growing, &g);
}
