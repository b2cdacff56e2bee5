/* Infinite runs: the product of the model with an observer, state by state.  A
** run is wrong when it has all marks again and again: those of the observer and,
** with weak fairness, of each process "it moves or cannot".  The ranks of the
** certificate say why there is none.
**
** The observer of a formula is made here, as docs/model.md defines it: what must be
** true is a set of formulas; a place is the least products of what that asks for
** now, and for later. */

#include "certify.h"

#include <stdlib.h>
#include <string.h>

/* A set of formulas, by number. */
typedef uint64_t set;

typedef struct product {
  set has, next;
  uint32_t target;
} product;

typedef LIST(product) products;

/* A formula and its dual stand side by side. */
typedef enum { NO, YES, LEAF, NOT_LEAF, AND, OR, UNTIL, RELEASE, NEXT } shape;

enum { FORMULAS = 64, MOST_PRODUCTS = 4096 };

typedef struct formula {
  shape shape;
  uint32_t a, b;
  const list *leaf; /* the condition as it is written, */
  node *condition;  /* and read */
  products means;
} formula;

typedef struct tableau {
  model *model;
  formula formulas[FORMULAS];
  uint32_t count;
  set untils;
  LIST(products) places;
} tableau;

#define only(number) (UINT64_C(1) << (number))

/* ---- formulas ------------------------------------------------------------- */

static uint32_t make(tableau *t, shape kind, uint32_t a, uint32_t b,
                     const list *leaf)
{
  uint32_t i = 0;
  for (; i < t->count; i++) {
    const formula *o = &t->formulas[i];
    if (o->shape == kind && o->a == a && o->b == b &&
        (!leaf || are_same(leaf, o->leaf)))
      return i;
  }
  if (t->count == FORMULAS)
    give_up("a formula is too large");
  node *condition = leaf ? read_node(t->model, leaf) : NULL;
  t->formulas[t->count++] = (formula){kind, a, b, leaf, condition, {0}};
  t->untils |= kind == UNTIL ? only(i) : 0;
  return i;
}

/* The formula, or its negation, with negations before leaves only; operands come
** before it, the left one first. */
static uint32_t normal(tableau *t, const list *l, bool negated)
{
  uint32_t which = about_which(l, "and or until release"), a, b;
  if (is_word(l, "true") || is_word(l, "false"))
    return make(t, NO + (is_word(l, "true") != negated), 0, 0, NULL);
  if (is_about(l, "is"))
    return make(t, LEAF + negated, 0, 0, item(l, 1));
  if (is_about(l, "not"))
    return normal(t, item(l, 1), !negated);
  if (which == 4 && !is_about(l, "next"))
    damaged("a formula has something unknown");
  a = normal(t, item(l, 1), negated);
  if (which == 4)
    return make(t, NEXT, a, 0, NULL);
  b = normal(t, item(l, 2), negated);
  return make(t, AND + (which ^ negated), a, b, NULL);
}

/* ---- products ---------------------------------------------------------------- */

static bool asks_less(const product *p, const product *q)
{
  return !(p->has & ~q->has) && !(p->next & ~q->next);
}

static bool is_before(const product *p, const product *q)
{
  return p->has != q->has ? p->has < q->has : p->next < q->next;
}

/* Whether a leaf and its negation are asked for. */
static bool is_impossible(const tableau *t, set has)
{
  for (uint32_t i = 0; i < t->count; i++)
    for (uint32_t k = 0; k < i && has & only(i); k++)
      if (has & only(k) && t->formulas[i].leaf && t->formulas[k].leaf &&
          are_same(t->formulas[i].leaf, t->formulas[k].leaf))
        return true;
  return false;
}

/* Only the least products are kept, in order, and those that are possible. */
static void add_product(const tableau *t, products *to, product p)
{
  size_t kept = 0;
  if (is_impossible(t, p.has))
    return;
  for (size_t i = 0; i < to->len; i++)
    if (asks_less(&to->data[i], &p))
      return;
  for (size_t i = 0; i < to->len; i++)
    if (!asks_less(&p, &to->data[i]))
      to->data[kept++] = to->data[i];
  if (kept == MOST_PRODUCTS)
    give_up("a formula is too large");
  to->len = kept;
  more(to);
  for (; kept && is_before(&p, &to->data[kept - 1]); kept--)
    to->data[kept] = to->data[kept - 1];
  to->data[kept] = p;
}

static products one(set has, set next)
{
  products p = {0};
  *more(&p) = (product){.has = has, .next = next};
  return p;
}

static products both(const tableau *t, products a, products b)
{
  products all = {0};
  for (size_t i = 0; i < a.len; i++)
    for (size_t k = 0; k < b.len; k++)
      add_product(t, &all,
                  (product){.has = a.data[i].has | b.data[k].has,
                            .next = a.data[i].next | b.data[k].next});
  return all;
}

static products either(const tableau *t, products a, products b)
{
  products all = {0};
  for (size_t i = 0; i < a.len + b.len; i++)
    add_product(t, &all, i < a.len ? a.data[i] : b.data[i - a.len]);
  return all;
}

/* What formula 'i' asks for; that of its operands is known. */
static products meaning(const tableau *t, uint32_t i)
{
  const formula *f = &t->formulas[i];
  products a = t->formulas[f->a].means, b = t->formulas[f->b].means;
  switch (f->shape) {
  case NO:
    break;
  case YES:
    return one(0, 0);
  case LEAF:
  case NOT_LEAF:
    return one(only(i), 0);
  case AND:
    return both(t, a, b);
  case OR:
    return either(t, a, b);
  case NEXT:
    return one(0, only(f->a));
  case UNTIL:
    return either(t, b, both(t, a, one(only(i), only(i))));
  case RELEASE:
    return both(t, b, either(t, a, one(0, only(i))));
  }
  return (products){0};
}

/* The place where all these formulas must be true; equal ones are one. */
static uint32_t find_place(tableau *t, set all)
{
  products made = one(0, 0);
  for (uint32_t f = 0; f < t->count; f++)
    if (all & only(f)) {
      products next = both(t, made, t->formulas[f].means);
      free(made.data);
      made = next;
    }
  for (uint32_t i = 0; i < t->places.len; i++) {
    const products *p = &t->places.data[i];
    bool same = p->len == made.len;
    for (size_t k = 0; same && k < made.len; k++)
      same = !is_before(&p->data[k], &made.data[k]) &&
             !is_before(&made.data[k], &p->data[k]);
    if (same)
      return i;
  }
  if (t->places.len == MOST_PRODUCTS)
    give_up("a formula is too large");
  *more(&t->places) = made;
  return (uint32_t)t->places.len - 1;
}

/* That of the negation of a formula; how many places it has. */
static size_t read_tableau(tableau *t, const list *l)
{
  uint32_t whole = normal(t, l, true);
  for (uint32_t i = 0; i < t->count; i++)
    t->formulas[i].means = meaning(t, i);
  find_place(t, only(whole));
  for (size_t i = 0; i < t->places.len; i++)
    for (size_t k = 0; k < t->places.data[i].len; k++) {
      uint32_t target = find_place(t, t->places.data[i].data[k].next);
      t->places.data[i].data[k].target = target;
    }
  return t->places.len;
}

/* Whether all conditions of a set are true in the state. */
static bool are_true(const tableau *t, engine *e, set has, state *s, bool waits)
{
  for (uint32_t i = 0; i < t->count; i++) {
    const formula *f = &t->formulas[i];
    if (f->leaf && has & only(i) &&
        !value_in(e, f->condition, s, waits) == (f->shape == LEAF))
      return false;
  }
  return true;
}

/* Marks by number: of the observer, of processes, and that of every step. */
enum { MARK_TURN = 256, MARK_STEP = 512 };

typedef enum { FORMULA, NEVER, ACCEPTANCE, NON_PROGRESS } observer_kind;

/* A successor, in the order in which they were found. */
typedef struct successor {
  size_t start, len; /* in 'rows' */
  crowd moved;
} successor;

typedef struct runs {
  search *search;
  engine *engine;
  observer_kind kind;
  tableau tableau;
  const process_type *claim; /* or NULL */
  size_t place_size, places; /* in numbers, and how many there are */
  numbers marks;             /* by rank */
  uint32_t rank;             /* of the state of the product that is looked at */
  int32_t mark;

  state state; /* of the model, whose successors are these */
  bytes packed;
  bool waits;
  LIST(successor) successors;
  bytes rows, wanted, place; /* place: where the observer goes */
  crowd can_move;
} runs;

/* ---- steps of the model --------------------------------------------------- */

static void note(void *context, const bytes *s, uint32_t rank)
{
  runs *r = context;
  (void)rank;
  *more(&r->successors) = (successor){r->rows.len, s->len, r->engine->moved};
  put_bytes(&r->rows, s->data, s->len);
  if (r->engine->mover != NOBODY)
    crowd_add(&r->can_move, r->engine->mover);
}

/* Successors of a state, unless they are at hand.  Where nothing can happen it
** stays; but that is no lack of progress. */
static void find_successors(runs *r, const state *s)
{
  engine *e = r->engine;
  const bytes *now = &e->packed;
  state_pack(s, &e->packed);
  if (now->len == r->packed.len && !memcmp(now->data, r->packed.data, now->len))
    return;
  r->packed.len = r->successors.len = r->rows.len = 0;
  put_bytes(&r->packed, now->data, now->len);
  state_copy(&r->state, s);
  r->can_move = (crowd){{0}};
  e->found = note;
  e->context = r;
  bool moved = expand(e, &r->state, &r->waits);
  e->mover = NOBODY;
  e->moved = (crowd){{0}};
  if (!moved && r->kind != NON_PROGRESS)
    note(r, &r->packed, 0);
}

/* ---- moves of the observer -------------------------------------------------- */

/* Whether the step to a successor gives the mark of the rank; 'marks' are those
** of the observer. */
static bool is_given(const runs *r, const successor *to, set marks)
{
  uint32_t process = (uint32_t)r->mark - MARK_TURN;
  if (r->mark == MARK_STEP)
    return true;
  if (r->mark >= MARK_TURN)
    return crowd_has(&to->moved, process) || !crowd_has(&r->can_move, process);
  return marks >> r->mark & 1;
}

/* The observer moves to 'r->place', and then the model in each way it can: all
** that must be there. */
static void move(runs *r, set marks)
{
  for (size_t i = 0; i < r->successors.len; i++) {
    const successor *to = &r->successors.data[i];
    bool falls = is_given(r, to, marks);
    if (falls && !r->rank)
      refuse("a step gives the mark of the lowest rank");
    r->wanted.len = 0;
    put_bytes(&r->wanted, r->rows.data + to->start, to->len);
    put_bytes(&r->wanted, r->place.data, r->place.len);
    want(r->search, &r->wanted, r->rank - falls);
  }
}

static void move_to(runs *r, int32_t place, set marks)
{
  r->place.len = 0;
  put_number(&r->place, place);
  move(r, marks);
}

static void move_formula(runs *r, uint32_t place)
{
  const tableau *t = &r->tableau;
  for (size_t i = 0; i < t->places.data[place].len; i++) {
    const product *p = &t->places.data[place].data[i];
    if (are_true(t, r->engine, p->has, &r->state, r->waits))
      move_to(r, (int32_t)p->target, ~p->has);
  }
}

static void move_progress(runs *r, uint32_t place)
{
  if (!place)
    move_to(r, 0, 0);
  if (!how_many_at(r->engine->model, &r->state, PROGRESS))
    move_to(r, 1, place != 0);
}

/* ---- claims ------------------------------------------------------------------- */

/* A claim stands behind the state as one more process: where its place is, which
** is its location and its variables, it gets room for the rest. */
static void add_claim(const runs *r, state *s, size_t at)
{
  const model *m = r->engine->model;
  int32_t *row, place = s->row[at];
  state_splice(s, at, 1, m->locals_at);
  row = s->row + at;
  row[0] = (int32_t)(r->claim - m->processes.data);
  row[1] = place;
  s->process_at[s->processes] = (uint32_t)at;
}

/* Takes it away: its place is as it stands in the file. */
static void take_claim(runs *r, state *s)
{
  const int32_t *claim = s->row + s->process_at[s->processes];
  const location *at = place_of(r->engine->model, s, s->processes);
  if (r->claim->kind == CLAIM && at->flags & AT_END)
    refuse("the claim comes to its end");
  s->len = s->process_at[s->processes];
  r->place.len = 0;
  put_number(&r->place, claim[1]);
  for (uint32_t i = 0; i < r->claim->vars.size; i++)
    put_number(&r->place, claim[r->engine->model->locals_at + i]);
}

/* All moves of the claim in 's', behind which it stands.  After an atomic edge it
** moves on in the same state. */
static void move_claim(runs *r, const state *s, set marks, bool waits,
                       uint32_t depth)
{
  engine *e = r->engine;
  const location *at = place_of(e->model, s, s->processes);
  bool moved = false;
  if (depth > r->claim->locations.len)
    refuse("the claim does not come out of an atomic sequence");
  for (const edge *g = at->edges; g < at->end; g++) {
    state next = {0};
    state_copy(&next, s);
    e->s = &next;
    e->self = s->processes;
    e->timeout = waits;
    bool can = g->flags & ELSE ? !moved : !g->guard || value_of(e, g->guard);
    if (can)
      do_effects(e, &g->effects, g->flags & PARALLEL);
    e->timeout = false;
    if (g->comm || g->block || next.processes != s->processes ||
        next.channels != s->channels)
      damaged("a claim does more than look");
    next.row[next.process_at[next.processes] + 1] = (int32_t)g->target;
    if (can && g->flags & ATOMIC) {
      move_claim(r, &next, marks, waits, depth + 1);
    } else if (can) {
      take_claim(r, &next);
      find_successors(r, &next);
      move(r, marks);
    }
    moved |= can;
    free(next.row);
  }
}

static void look_at(void *context, const bytes *packed, uint32_t rank)
{
  runs *r = context;
  state *s = &r->search->state;
  looking_at++;
  if (rank >= r->marks.len)
    damaged("a rank has no mark");
  r->rank = rank;
  r->mark = r->marks.data[rank];
  state_unpack(r->engine->model, packed, s, r->place_size);
  size_t end = s->len -= r->place_size;
  find_successors(r, s);
  uint32_t place = (uint32_t)s->row[end];
  if (place >= r->places)
    damaged("the observer has no such place");
  bool accepts = how_many_at(r->engine->model, s, ACCEPT);
  switch (r->kind) {
  case FORMULA:
    move_formula(r, place);
    return;
  case NEVER:
    s->len += r->place_size;
    add_claim(r, s, end);
    move_claim(r, s, accepts || r->claim->locations.data[place].flags & ACCEPT,
               r->waits, 0);
    return;
  case ACCEPTANCE:
    move_to(r, 0, accepts);
    return;
  case NON_PROGRESS:
    move_progress(r, place);
  }
}

/* The initial state, and the place where the observer begins. */
static void begin(runs *r)
{
  state s = {0};
  engine *e = r->engine;
  initial_state(e, &s);
  if (r->claim) {
    size_t at = s.len;
    state_splice(&s, at, 0, r->place_size);
    s.row[at] = (int32_t)r->claim->start;
    add_claim(r, &s, at);
    e->self = s.processes;
    do_effects(e, &r->claim->starts[0], false);
    do_effects(e, &r->claim->starts[1], false);
    take_claim(r, &s);
  } else {
    put_number(&r->place, 0);
  }
  state_pack(&s, &r->wanted);
  put_bytes(&r->wanted, r->place.data, r->place.len);
  want(r->search, &r->wanted, UINT32_MAX);
}

/* ---- what is claimed ---------------------------------------------------------------- */

static bool is_mark(const runs *r, int32_t mark)
{
  set marks = r->kind == FORMULA ? r->tableau.untils : only(0);
  if (mark >= MARK_TURN && mark < MARK_STEP)
    return r->search->is_fair && mark - MARK_TURN < MOST;
  return mark == MARK_STEP || (mark >= 0 && mark < 64 && marks >> mark & 1);
}

static void read_marks(runs *r)
{
  size_t at = 0;
  bytes all = file_part(&r->search->file, MARKS);
  while (at < all.len) {
    int32_t *mark = more(&r->marks);
    if (!get_number(&all, &at, mark) || !is_mark(r, *mark))
      damaged("a rank has no mark");
  }
}

static void read_observer(runs *r, const list *claim)
{
  model *m = r->engine->model;
  r->kind =
      (observer_kind)about_which(claim, "ltl never acceptance non-progress");
  if (r->kind > NON_PROGRESS)
    damaged("something unknown is claimed");
  if (r->kind == FORMULA)
    r->places = read_tableau(&r->tableau, item(claim, 1));
  if (r->kind != NEVER)
    return;
  r->claim = &m->processes.data[index_of(item(claim, 1), m->processes.len)];
  if (r->claim->kind != CLAIM && r->claim->kind != AUTOMATON)
    damaged("a claim is missing");
  r->place_size = 1 + r->claim->vars.size;
  r->places = r->claim->locations.len;
}

void check_runs(search *x, const list *claim)
{
  runs *r = have(sizeof *r);
  *r = (runs){.search = x,
              .engine = x->engine,
              .place_size = 1,
              .places = SIZE_MAX,
              .tableau = {.model = x->engine->model}};
  read_observer(r, claim);
  read_marks(r);
  x->part = PRODUCT;
  begin(r);
  look_at_all(x, look_at, r);
}
