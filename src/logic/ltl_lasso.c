/* Fills a table of truth, subformula by position, in two rounds backwards
** along the word. */

#include "logic/ltl_lasso.h"

#include "base/alloc.h"
#include "logic/ltl_internal.h"
#include <assert.h>

/* Numbers the subformulas of f, operands first; 'order' gets them. */
static void number_all(ltl_context *c, const ltl *f)
{
  if (!f || c->numbers.data[f->id])
    return;
  number_all(c, f->a);
  number_all(c, f->b);
  vec_push(&c->order, f);
  c->numbers.data[f->id] = (uint32_t)c->order.len;
}

static bool proposition_at(const lasso *w, uint32_t i, uint32_t atom)
{
  return w->letters[(size_t)i * w->words + atom / 64] >> atom % 64 & 1;
}

/* The value at position i, from those of the operands there and from the
** formula's own value one position later. */
static bool value_at(const lasso *w, const ltl *f, uint32_t i, bool a, bool b,
                     bool a_later, bool later)
{
  switch ((ltl_op)f->op) {
  case LTL_FALSE:
    return false;
  case LTL_TRUE:
    return true;
  case LTL_ATOM:
    return proposition_at(w, i, f->atom);
  case LTL_NOT:
    return !a;
  case LTL_NEXT:
    return a_later;
  case LTL_EVENTUALLY:
    return a || later;
  case LTL_ALWAYS:
    return a && later;
  case LTL_AND:
    return a && b;
  case LTL_OR:
    return a || b;
  case LTL_IMPLIES:
    return !a || b;
  case LTL_EQUIV:
    return a == b;
  case LTL_UNTIL:
  case LTL_WEAK_UNTIL:
    return b || (a && later);
  case LTL_RELEASE:
  case LTL_STRONG_RELEASE:
    return b && (a || later);
  case LTL_OP_COUNT:
    break;
  }
  return false;
}

/* Fills the row of one formula.  The equation between a position and the next
** has a least and a greatest solution; strong operators mean the least one,
** weak operators the greatest.  Going backwards, the second round is right
** whatever the first one knew about the position after the last. */
static void fill_row(const lasso *w, const ltl *f, const uint8_t *a,
                     const uint8_t *b, uint8_t *row)
{
  bool later =
      f->op == LTL_ALWAYS || f->op == LTL_WEAK_UNTIL || f->op == LTL_RELEASE;
  for (int round = 0; round < 2; round++) {
    for (uint32_t i = w->length; i-- > 0;) {
      uint32_t after = i + 1 < w->length ? i + 1 : w->loop;
      row[i] = value_at(w, f, i, a && a[i], b && b[i], a && a[after], later);
      later = row[i];
    }
    later = row[w->loop];
  }
}

bool lasso_satisfies(ltl_context *c, const lasso *w, const ltl *f)
{
  assert(w->loop < w->length);
  vec_clear(&c->order);
  vec_clear(&c->numbers);
  vec_resize(&c->numbers, c->count);
  number_all(c, f);
  size_t bytes = mem_product(c->order.len, w->length);
  uint8_t *rows = mem_alloc(bytes);
  for (size_t i = 0; i < c->order.len; i++) {
    const ltl *it = c->order.data[i];
    const uint8_t *operands[2] = {NULL, NULL};
    if (it->a)
      operands[0] = rows + (size_t)(c->numbers.data[it->a->id] - 1) * w->length;
    if (it->b)
      operands[1] = rows + (size_t)(c->numbers.data[it->b->id] - 1) * w->length;
    fill_row(w, it, operands[0], operands[1], rows + i * w->length);
  }
  bool result = rows[(c->order.len - 1) * w->length];
  mem_free(rows, bytes);
  return result;
}
