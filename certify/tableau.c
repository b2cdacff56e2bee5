/* The observer of a formula, as docs/model.md defines it ("Observers of infinite
** runs"): what must be true is a set of formulas; a place is the least products
** of what that asks for now, and for later. */

#include "certify.h"

#include <stdlib.h>
#include <string.h>

typedef enum {
  IS_FALSE,
  IS_TRUE,
  LEAF,
  NOT_LEAF,
  AND,
  OR,
  NEXT,
  UNTIL,
  RELEASE
} formula_kind;

typedef struct formula {
  formula_kind kind;
  uint32_t a, b;
  const list *leaf; /* the condition as it is written, */
  node *condition;
  products means;
} formula;

struct tableau {
  model *model;
  formula formulas[FORMULAS];
  uint32_t count, made;
  products *places;
  size_t place_count, place_cap;
  int8_t known[FORMULAS]; /* of leaves in the state at hand: 1 false, 2 true */
};

/* ---- formulas ------------------------------------------------------------- */

static uint32_t make(tableau *t, formula_kind kind, uint32_t a, uint32_t b,
                     const list *leaf)
{
  uint32_t i = 0;
  for (; i < t->count; i++) {
    const formula *o = &t->formulas[i];
    if (o->kind == kind && o->a == a && o->b == b &&
        (!leaf || are_same(leaf, o->leaf)))
      return i;
  }
  if (t->count == FORMULAS)
    give_up("a formula is too large");
  t->formulas[t->count++] =
      (formula){.kind = kind, .a = a, .b = b, .leaf = leaf};
  if (leaf)
    t->formulas[i].condition = read_condition(t->model, leaf);
  return i;
}

static uint32_t normal(tableau *, const list *, bool negated);

/* The operands from left to right, then the formula. */
static uint32_t normal_two(tableau *t, formula_kind kind, const list *l,
                           bool negates_first, bool negates_second)
{
  uint32_t a = normal(t, item(l, 1), negates_first);
  uint32_t b = normal(t, item(l, 2), negates_second);
  return make(t, kind, a, b, NULL);
}

/* b U (a && b), or b R (a || b). */
static uint32_t normal_weak(tableau *t, bool until, const list *l, bool negated)
{
  uint32_t b = normal(t, item(l, 2), negated);
  uint32_t a = normal(t, item(l, 1), negated);
  uint32_t both = make(t, until ? AND : OR, a, b, NULL);
  return make(t, until ? UNTIL : RELEASE, b, both, NULL);
}

/* true U a, or false R a. */
static uint32_t normal_one(tableau *t, bool until, const list *l, bool negated)
{
  uint32_t first = make(t, until ? IS_TRUE : IS_FALSE, 0, 0, NULL);
  uint32_t a = normal(t, item(l, 1), negated);
  return make(t, until ? UNTIL : RELEASE, first, a, NULL);
}

/* The formula, or its negation, with negations before leaves only. */
static uint32_t normal(tableau *t, const list *l, bool negated)
{
  enum { MADE_MOST = 100000 };
  uint32_t a;
  if (++t->made > MADE_MOST)
    give_up("a formula is too large");
  if (is_word(l, "true") || is_word(l, "false"))
    return make(t, is_word(l, "true") != negated ? IS_TRUE : IS_FALSE, 0, 0,
                NULL);
  if (is_about(l, "is"))
    return make(t, negated ? NOT_LEAF : LEAF, 0, 0, item(l, 1));
  if (is_about(l, "not"))
    return normal(t, item(l, 1), !negated);
  if (is_about(l, "next")) {
    a = normal(t, item(l, 1), negated);
    return make(t, NEXT, a, 0, NULL);
  }
  if (is_about(l, "eventually") || is_about(l, "always"))
    return normal_one(t, is_about(l, "eventually") != negated, l, negated);
  if (is_about(l, "and") || is_about(l, "or"))
    return normal_two(t, is_about(l, "and") != negated ? AND : OR, l, negated,
                      negated);
  if (is_about(l, "implies"))
    return normal_two(t, negated ? AND : OR, l, !negated, negated);
  if (is_about(l, "equivalent")) {
    a = normal_two(t, AND, l, false, negated);
    return make(t, OR, a, normal_two(t, AND, l, true, !negated), NULL);
  }
  if (is_about(l, "until") || is_about(l, "release"))
    return normal_two(t, is_about(l, "until") != negated ? UNTIL : RELEASE, l,
                      negated, negated);
  if (is_about(l, "strongrelease") || is_about(l, "weakuntil"))
    return normal_weak(t, is_about(l, "strongrelease") != negated, l, negated);
  damaged("a formula has something unknown");
}

/* ---- sets ------------------------------------------------------------------- */

bool is_in(const set *s, uint32_t number)
{
  return s->words[number / 64] >> number % 64 & 1;
}

static void add(set *s, uint32_t number)
{
  s->words[number / 64] |= UINT64_C(1) << number % 64;
}

static bool is_within(const set *a, const set *b)
{
  uint64_t more = 0;
  for (int i = 0; i < SET_WORDS; i++)
    more |= a->words[i] & ~b->words[i];
  return !more;
}

/* As numbers, of which formula i is bit i. */
static int compare(const set *a, const set *b)
{
  for (int i = SET_WORDS; i-- > 0;)
    if (a->words[i] != b->words[i])
      return a->words[i] < b->words[i] ? -1 : 1;
  return 0;
}

/* ---- products ---------------------------------------------------------------- */

static bool asks_less(const product *p, const product *q)
{
  return is_within(&p->has, &q->has) && is_within(&p->next, &q->next);
}

/* Whether a leaf and its negation are asked for. */
static bool is_impossible(const tableau *t, const set *has)
{
  for (uint32_t i = 0; i < t->count; i++)
    for (uint32_t k = 0; is_in(has, i) && k < i; k++)
      if (is_in(has, k) && t->formulas[i].leaf && t->formulas[k].leaf &&
          are_same(t->formulas[i].leaf, t->formulas[k].leaf))
        return true;
  return false;
}

/* Only the least products are kept, and those that are possible. */
static void add_product(const tableau *t, products *to, product p)
{
  enum { PRODUCTS_MOST = 4096 };
  size_t kept = 0;
  if (is_impossible(t, &p.has))
    return;
  for (size_t i = 0; i < to->len; i++)
    if (asks_less(&to->data[i], &p))
      return;
  for (size_t i = 0; i < to->len; i++)
    if (!asks_less(&p, &to->data[i]))
      to->data[kept++] = to->data[i];
  if (kept == PRODUCTS_MOST)
    give_up("a formula is too large");
  to->data = grow(to->data, &to->cap, kept + 1, sizeof p);
  to->data[kept] = p;
  to->len = kept + 1;
}

static void multiply(const tableau *t, products *to, const products *a,
                     const products *b)
{
  for (size_t i = 0; i < a->len; i++)
    for (size_t k = 0; k < b->len; k++) {
      product p = a->data[i];
      for (int w = 0; w < SET_WORDS; w++) {
        p.has.words[w] |= b->data[k].has.words[w];
        p.next.words[w] |= b->data[k].next.words[w];
      }
      add_product(t, to, p);
    }
}

static void add_all(const tableau *t, products *to, const products *more)
{
  for (size_t i = 0; i < more->len; i++)
    add_product(t, to, more->data[i]);
}

/* What a formula asks for; those of its operands are known. */
static void find_meaning(tableau *t, uint32_t number)
{
  formula *f = &t->formulas[number];
  const products *a = &t->formulas[f->a].means, *b = &t->formulas[f->b].means;
  products other = {0};
  product p = {0};
  if (f->leaf || f->kind == UNTIL)
    add(&p.has, number);
  if (f->kind >= NEXT)
    add(&p.next, f->kind == NEXT ? f->a : number);
  if (f->kind == AND)
    multiply(t, &f->means, a, b);
  if (f->kind == OR || f->kind == RELEASE)
    add_all(t, f->kind == OR ? &f->means : &other, a);
  if (f->kind == OR || f->kind == UNTIL)
    add_all(t, &f->means, b);
  if (f->kind == UNTIL ||
      f->kind == RELEASE) { /* b or a later; b and a or later */
    add_product(t, &other, p);
    multiply(t, &f->means, f->kind == UNTIL ? a : b, &other);
  } else if (f->kind != IS_FALSE && f->kind != AND && f->kind != OR) {
    add_product(t, &f->means, p);
  }
  free(other.data);
}

/* ---- places -------------------------------------------------------------------- */

static int by_sets(const void *a, const void *b)
{
  const product *p = a, *q = b;
  int order = compare(&p->has, &q->has);
  return order ? order : compare(&p->next, &q->next);
}

/* The place where all these formulas must be true; equal ones are one. */
static uint32_t find_place(tableau *t, const set *all)
{
  enum { PLACES_MOST = 4096 };
  products made = {0};
  uint32_t i = 0;
  add_product(t, &made, (product){0});
  for (uint32_t f = 0; f < t->count; f++)
    if (is_in(all, f)) {
      products next = {0};
      multiply(t, &next, &made, &t->formulas[f].means);
      free(made.data);
      made = next;
    }
  if (made.len)
    qsort(made.data, made.len, sizeof *made.data, by_sets);
  for (; i < t->place_count; i++) {
    bool same = t->places[i].len == made.len;
    for (size_t k = 0; same && k < made.len; k++)
      same = !by_sets(&t->places[i].data[k], &made.data[k]);
    if (same)
      break;
  }
  if (i == PLACES_MOST)
    give_up("a formula is too large");
  if (i < t->place_count) {
    free(made.data);
  } else {
    t->places = grow(t->places, &t->place_cap, i + 1u, sizeof *t->places);
    t->places[t->place_count++] = made;
  }
  return i;
}

tableau *read_tableau(model *m, const list *l)
{
  tableau *t = have(sizeof *t);
  set first = {{0}};
  t->model = m;
  add(&first, normal(t, l, true));
  for (uint32_t i = 0; i < t->count; i++)
    find_meaning(t, i);
  find_place(t, &first);
  for (uint32_t i = 0; i < t->place_count; i++)
    for (size_t k = 0; k < t->places[i].len; k++) {
      set next = t->places[i].data[k].next;
      uint32_t target = find_place(t, &next);
      t->places[i].data[k].target = target;
    }
  return t;
}

/* ---- asking it -------------------------------------------------------------------- */

const products *tableau_place(const tableau *t, uint32_t place)
{
  if (place >= t->place_count)
    damaged("the observer has no such place");
  return &t->places[place];
}

bool is_until(const tableau *t, uint32_t number)
{
  return number < t->count && t->formulas[number].kind == UNTIL;
}

void tableau_forget(tableau *t)
{
  memset(t->known, 0, sizeof t->known);
}

bool are_true(tableau *t, engine *e, const set *has, const state *s,
              bool timeout)
{
  for (uint32_t i = 0; i < t->count; i++) {
    const formula *f = &t->formulas[i];
    if (!f->leaf || !is_in(has, i))
      continue;
    if (!t->known[i])
      t->known[i] = value_in(e, f->condition, s, timeout) ? 2 : 1;
    if ((t->known[i] == 2) != (f->kind == LEAF))
      return false;
  }
  return true;
}
