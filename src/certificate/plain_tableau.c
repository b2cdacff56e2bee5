/* From a formula to the places of its observer. */

#include "certificate/plain_tableau.h"

#include "base/alloc.h"
#include "certificate/model_text.h"
#include <stdlib.h>
#include <string.h>

/* ---- formulas ------------------------------------------------------------ */

/* The number of a formula that is made of others, old or new. */
static uint32_t make(plain_tableau *t, tableau_formula f)
{
  uint32_t number = 0;
  text_clear(&t->leaf);
  if (f.leaf)
    model_text_expr(f.leaf, &t->leaf);
  for (; number < t->formulas.len; number++) {
    const tableau_formula *o = &t->formulas.data[number];
    if (o->kind == f.kind && o->a == f.a && o->b == f.b &&
        !strcmp(text_string(&t->leaves.data[number]), text_string(&t->leaf)))
      return number;
  }
  t->too_large |= number == TABLEAU_FORMULAS;
  if (t->too_large)
    return 0;
  vec_push(&t->leaves, t->leaf);
  t->leaf = (text){0};
  vec_push(&t->formulas, f);
  if (f.kind == TABLEAU_LEAF || f.kind == TABLEAU_NOT_LEAF)
    t->literals |= formula_only(number);
  if (f.kind == TABLEAU_UNTIL)
    t->untils |= formula_only(number);
  return number;
}

static uint32_t make_two(plain_tableau *t, tableau_kind kind, uint32_t a,
                         uint32_t b)
{
  return make(t, (tableau_formula){.kind = kind, .a = a, .b = b});
}

static uint32_t normal(plain_tableau *, const ltl *, bool negated);

/* Both operands, then the formula. */
static uint32_t normal_two(plain_tableau *t, tableau_kind kind, const ltl *f,
                           bool negated)
{
  uint32_t a = normal(t, f->a, negated);
  uint32_t b = normal(t, f->b, negated);
  return make_two(t, kind, a, b);
}

/* (a && b) || (!a && !b); negated (!a || !b) && (a || b). */
static uint32_t normal_equal(plain_tableau *t, const ltl *f, bool negated)
{
  tableau_kind inner = negated ? TABLEAU_OR : TABLEAU_AND;
  uint32_t left = normal_two(t, inner, f, negated);
  uint32_t right = normal_two(t, inner, f, !negated);
  return make_two(t, negated ? TABLEAU_AND : TABLEAU_OR, left, right);
}

/* b R (a || b), and b U (a && b): 'a' until 'b', strong or weak. */
static uint32_t normal_weak(plain_tableau *t, const ltl *f, bool until,
                            bool negated)
{
  uint32_t b = normal(t, f->b, negated);
  uint32_t a = normal(t, f->a, negated);
  uint32_t both = make_two(t, until ? TABLEAU_AND : TABLEAU_OR, a, b);
  return make_two(t, until ? TABLEAU_UNTIL : TABLEAU_RELEASE, b, both);
}

/* true U a, or false R a. */
static uint32_t normal_one(plain_tableau *t, const ltl *f, bool until,
                           bool negated)
{
  uint32_t first = make_two(t, until ? TABLEAU_TRUE : TABLEAU_FALSE, 0, 0);
  uint32_t a = normal(t, f->a, negated);
  return make_two(t, until ? TABLEAU_UNTIL : TABLEAU_RELEASE, first, a);
}

/* The formula, or its negation, with negations before leaves only. */
static uint32_t normal(plain_tableau *t, const ltl *f, bool negated)
{
  uint32_t a;
  t->too_large |= ++t->made > TABLEAU_MADE;
  if (t->too_large)
    return 0;
  switch ((ltl_op)f->op) {
  case LTL_FALSE:
  case LTL_TRUE:
    a = (f->op == LTL_TRUE) != negated;
    return make_two(t, a ? TABLEAU_TRUE : TABLEAU_FALSE, 0, 0);
  case LTL_ATOM:
    return make(
        t, (tableau_formula){.kind = negated ? TABLEAU_NOT_LEAF : TABLEAU_LEAF,
                             .leaf = f->condition});
  case LTL_NOT:
    return normal(t, f->a, !negated);
  case LTL_NEXT:
    a = normal(t, f->a, negated);
    return make_two(t, TABLEAU_NEXT, a, 0);
  case LTL_EVENTUALLY:
  case LTL_ALWAYS:
    return normal_one(t, f, (f->op == LTL_EVENTUALLY) != negated, negated);
  case LTL_AND:
  case LTL_OR:
    return normal_two(t,
                      (f->op == LTL_AND) != negated ? TABLEAU_AND : TABLEAU_OR,
                      f, negated);
  case LTL_IMPLIES:
    a = normal(t, f->a, !negated);
    return make_two(t, negated ? TABLEAU_AND : TABLEAU_OR, a,
                    normal(t, f->b, negated));
  case LTL_EQUIV:
    return normal_equal(t, f, negated);
  case LTL_UNTIL:
  case LTL_RELEASE:
    return normal_two(
        t, (f->op == LTL_UNTIL) != negated ? TABLEAU_UNTIL : TABLEAU_RELEASE, f,
        negated);
  case LTL_WEAK_UNTIL:
  case LTL_STRONG_RELEASE:
    return normal_weak(t, f, (f->op == LTL_STRONG_RELEASE) != negated, negated);
  case LTL_OP_COUNT:
    break;
  }
  return 0;
}

/* ---- products -------------------------------------------------------------- */

/* Whether a leaf and its negation are asked for. */
static bool is_impossible(const plain_tableau *t, formula_set has)
{
  has &= t->literals;
  for (uint32_t i = 0; i < t->formulas.len; i++)
    for (uint32_t k = 0; k < i && has & formula_only(i); k++)
      if (has & formula_only(k) && !strcmp(text_string(&t->leaves.data[i]),
                                           text_string(&t->leaves.data[k])))
        return true;
  return false;
}

static bool asks_less(const tableau_product *p, const tableau_product *q)
{
  return !(p->has & ~q->has) && !(p->next & ~q->next);
}

/* Adds a product, unless one that asks for less is there; those that ask for
** more go. */
static void add_product(plain_tableau *t, tableau_products *to,
                        const tableau_product *p)
{
  size_t kept = 0;
  if (is_impossible(t, p->has))
    return;
  for (size_t i = 0; i < to->len; i++)
    if (asks_less(&to->data[i], p))
      return;
  for (size_t i = 0; i < to->len; i++)
    if (!asks_less(p, &to->data[i]))
      to->data[kept++] = to->data[i];
  to->len = kept;
  t->too_large |= to->len == TABLEAU_PRODUCTS;
  if (!t->too_large)
    vec_push(to, *p);
}

/* All products of one of 'a' with one of 'b'. */
static void multiply(plain_tableau *t, tableau_products *to,
                     const tableau_products *a, const tableau_products *b)
{
  for (size_t i = 0; i < a->len && !t->too_large; i++)
    for (size_t k = 0; k < b->len && !t->too_large; k++) {
      tableau_product p = a->data[i];
      p.has |= b->data[k].has;
      p.next |= b->data[k].next;
      add_product(t, to, &p);
    }
}

static void add_all(plain_tableau *t, tableau_products *to,
                    const tableau_products *more)
{
  for (size_t i = 0; i < more->len; i++)
    add_product(t, to, &more->data[i]);
}

/* The formula itself, put off or not, is true of the rest. */
static tableau_product later(uint32_t formula, bool put_off)
{
  return (tableau_product){.has = put_off ? formula_only(formula) : 0,
                           .next = formula_only(formula)};
}

/* What a formula asks for; operands have smaller numbers and are known. */
static void find_meaning(plain_tableau *t, uint32_t formula)
{
  const tableau_formula *f = &t->formulas.data[formula];
  tableau_products *to = &t->meanings.data[formula];
  const tableau_products *a = &t->meanings.data[f->a];
  const tableau_products *b = &t->meanings.data[f->b];
  tableau_product p = {0};
  vec_clear(&t->one);
  switch (f->kind) {
  case TABLEAU_FALSE:
    return;
  case TABLEAU_LEAF:
  case TABLEAU_NOT_LEAF:
    p.has = formula_only(formula);
    add_product(t, to, &p);
    return;
  case TABLEAU_TRUE:
    add_product(t, to, &p);
    return;
  case TABLEAU_AND:
    multiply(t, to, a, b);
    return;
  case TABLEAU_OR:
    add_all(t, to, a);
    add_all(t, to, b);
    return;
  case TABLEAU_NEXT:
    p = later(f->a, false);
    add_product(t, to, &p);
    return;
  case TABLEAU_UNTIL: /* b, or a and later */
    vec_push(&t->one, later(formula, true));
    multiply(t, to, a, &t->one);
    add_all(t, to, b);
    return;
  case TABLEAU_RELEASE: /* b, and a or later */
    add_all(t, &t->one, a);
    p = later(formula, false);
    add_product(t, &t->one, &p);
    multiply(t, to, b, &t->one);
    return;
  }
}

/* ---- places ------------------------------------------------------------------ */

static int by_sets(const void *a, const void *b)
{
  const tableau_product *p = a, *q = b;
  int order = (p->has > q->has) - (p->has < q->has);
  return order ? order : (p->next > q->next) - (p->next < q->next);
}

static bool are_equal(const tableau_products *a, const tableau_products *b)
{
  bool same = a->len == b->len;
  for (size_t i = 0; same && i < a->len; i++)
    same = !by_sets(&a->data[i], &b->data[i]);
  return same;
}

/* The place where all these formulas must be true. */
static uint32_t find_place(plain_tableau *t, formula_set all)
{
  tableau_products *made = &t->product;
  vec_clear(made);
  vec_push(made, ((tableau_product){0}));
  for (uint32_t i = 0; i < t->formulas.len && !t->too_large; i++)
    if (all & formula_only(i)) {
      vec_clear(&t->next);
      multiply(t, &t->next, made, &t->meanings.data[i]);
      tableau_products swap = *made;
      *made = t->next;
      t->next = swap;
    }
  if (made->len)
    qsort(made->data, made->len, sizeof *made->data, by_sets);
  for (uint32_t i = 0; i < t->places.len; i++)
    if (are_equal(&t->places.data[i], made))
      return i;
  t->too_large |= t->places.len == TABLEAU_PLACES;
  vec_push(&t->places, *made);
  *made = (tableau_products){0};
  return (uint32_t)t->places.len - 1;
}

void plain_tableau_make(plain_tableau *t, const ltl *f)
{
  *t = (plain_tableau){0};
  uint32_t whole = normal(t, f, true);
  for (uint32_t i = 0; i < t->formulas.len && !t->too_large; i++) {
    vec_push(&t->meanings, ((tableau_products){0}));
    find_meaning(t, i);
  }
  if (!t->too_large)
    find_place(t, formula_only(whole));
  for (size_t i = 0; i < t->places.len && !t->too_large; i++)
    for (size_t k = 0; k < t->places.data[i].len && !t->too_large; k++) {
      formula_set next = t->places.data[i].data[k].next;
      uint32_t target = find_place(t, next);
      t->places.data[i].data[k].target = target;
      mem_poll();
    }
}

void plain_tableau_free(plain_tableau *t)
{
  for (size_t i = 0; i < t->leaves.len; i++)
    text_free(&t->leaves.data[i]);
  for (size_t i = 0; i < t->meanings.len; i++)
    vec_free(&t->meanings.data[i]);
  for (size_t i = 0; i < t->places.len; i++)
    vec_free(&t->places.data[i]);
  vec_free(&t->leaves);
  vec_free(&t->formulas);
  vec_free(&t->meanings);
  vec_free(&t->places);
  text_free(&t->leaf);
  vec_free(&t->one);
  vec_free(&t->product);
  vec_free(&t->next);
}
