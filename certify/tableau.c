/* The observer of a formula, as docs/model.md defines it ("Observers of infinite
** runs"): what must be true is a set of formulas; a place is the least products
** of what that asks for now, and for later. */

#include "certify.h"

#include <stdlib.h>

/* A formula and its dual stand side by side. */
typedef enum {
  IS_FALSE,
  IS_TRUE,
  LEAF,
  NOT_LEAF,
  AND,
  OR,
  UNTIL,
  RELEASE,
  NEXT
} formula_kind;

enum { FORMULAS = 64, MOST_MADE = 100000, MOST_PRODUCTS = 4096 };

typedef struct formula {
  formula_kind kind;
  uint32_t a, b;
  const list *leaf; /* the condition as it is written, */
  node *condition;
  products means;
} formula;

static set only(uint32_t number)
{
  return UINT64_C(1) << number;
}

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
  t->untils |= kind == UNTIL ? only(i) : 0;
  return i;
}

/* The formula, or its negation, with negations before leaves only; operands come
** before it, the left one first. */
static uint32_t normal(tableau *t, const list *l, bool negated)
{
  static const char *const words[] = {"and", "or", "until", "release"};
  uint32_t which = about_which(l, words, 4), a, b;
  if (++t->made > MOST_MADE)
    give_up("a formula is too large");
  if (is_word(l, "true") || is_word(l, "false"))
    return make(t, IS_FALSE + (is_word(l, "true") != negated), 0, 0, NULL);
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

/* Only the least products are kept, and those that are possible. */
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
  to->data = grow(to->data, &to->cap, kept + 1, sizeof p);
  to->data[kept] = p;
  to->len = kept + 1;
}

static void multiply(const tableau *t, products *to, const products *a,
                     const products *b)
{
  for (size_t i = 0; i < a->len; i++)
    for (size_t k = 0; k < b->len; k++)
      add_product(t, to,
                  (product){.has = a->data[i].has | b->data[k].has,
                            .next = a->data[i].next | b->data[k].next});
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
  products *to = &f->means, later = {0};
  switch (f->kind) {
  case IS_FALSE:
    break;
  case IS_TRUE:
    add_product(t, to, (product){0});
    break;
  case LEAF:
  case NOT_LEAF:
    add_product(t, to, (product){.has = only(number)});
    break;
  case AND:
    multiply(t, to, a, b);
    break;
  case OR:
    add_all(t, to, a);
    add_all(t, to, b);
    break;
  case NEXT:
    add_product(t, to, (product){.next = only(f->a)});
    break;
  case UNTIL:
    add_all(t, to, b);
    add_product(t, &later,
                (product){.has = only(number), .next = only(number)});
    multiply(t, to, a, &later);
    break;
  case RELEASE:
    add_all(t, &later, a);
    add_product(t, &later, (product){.next = only(number)});
    multiply(t, to, b, &later);
  }
  free(later.data);
}

/* ---- places -------------------------------------------------------------------- */

static int by_sets(const void *a, const void *b)
{
  const product *p = a, *q = b;
  int order = (p->has > q->has) - (p->has < q->has);
  return order ? order : (p->next > q->next) - (p->next < q->next);
}

/* The place where all these formulas must be true; equal ones are one. */
static uint32_t find_place(tableau *t, set all)
{
  products made = {0};
  uint32_t i = 0;
  add_product(t, &made, (product){0});
  for (uint32_t f = 0; f < t->count; f++)
    if (all & only(f)) {
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
      return i;
  }
  if (i == MOST_PRODUCTS)
    give_up("a formula is too large");
  t->places = grow(t->places, &t->place_cap, i + 1u, sizeof *t->places);
  t->places[t->place_count++] = made;
  return i;
}

void read_tableau(tableau *t, const list *l)
{
  t->formulas = have(FORMULAS * sizeof *t->formulas);
  uint32_t whole = normal(t, l, true);
  for (uint32_t i = 0; i < t->count; i++)
    find_meaning(t, i);
  find_place(t, only(whole));
  for (uint32_t i = 0; i < t->place_count; i++)
    for (size_t k = 0; k < t->places[i].len; k++) {
      uint32_t target = find_place(t, t->places[i].data[k].next);
      t->places[i].data[k].target = target;
    }
}

bool are_true(tableau *t, engine *e, set has, const state *s, bool timeout)
{
  for (uint32_t i = 0; i < t->count; i++) {
    const formula *f = &t->formulas[i];
    if (!f->leaf || !(has & only(i)))
      continue;
    if (!(t->known & only(i)) && value_in(e, f->condition, s, timeout))
      t->is_true |= only(i);
    else if (!(t->known & only(i)))
      t->is_true &= ~only(i);
    t->known |= only(i);
    if (!(t->is_true & only(i)) == (f->kind == LEAF))
      return false;
  }
  return true;
}
