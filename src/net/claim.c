/* Makes claims as small as they can be made by looking at them, and
** evaluates them. */

#include "net/claim.h"

#include <stdlib.h>
#include <string.h>

const claim *claim_const(arena *a, bool value)
{
  claim *c = ARENA_NEW(a, claim);
  c->op = value ? CLAIM_TRUE : CLAIM_FALSE;
  return c;
}

/* ---- sums --------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
  const claim_term *x = a, *y = b;
  return x->place < y->place ? -1 : x->place > y->place;
}

/* Terms of the same place become one; those without effect go.  The new count.
*/
static uint32_t merge_terms(claim_term *list, uint32_t count)
{
  uint32_t kept = 0;
  qsort(list, count, sizeof *list, by_place);
  for (uint32_t i = 0; i < count;) {
    claim_term sum = list[i];
    for (i++; i < count && list[i].place == sum.place; i++)
      sum.factor += list[i].factor;
    if (sum.factor)
      list[kept++] = sum;
  }
  return kept;
}

const claim *claim_sum(arena *a, const claim_term *terms, uint32_t count,
                       int64_t limit)
{
  claim_term *own = ARENA_ARRAY(a, claim_term, count + 1);
  if (count)
    memcpy(own, terms, count * sizeof *own);
  count = merge_terms(own, count);
  if (!count)
    return claim_const(a, limit >= 0);
  claim *c = ARENA_NEW(a, claim);
  *c = (claim){CLAIM_SUM, count, limit, own, NULL};
  return c;
}

/* ---- joins -------------------------------------------------------------- */

static uint32_t joined_count(claim_op op, const claim *c)
{
  return c->op == op ? c->count : 1;
}

const claim *claim_join(arena *a, claim_op op, const claim *const *list,
                        uint32_t count)
{
  claim_op neutral = op == CLAIM_AND ? CLAIM_TRUE : CLAIM_FALSE;
  uint32_t room = 0, n = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (list[i]->op <= CLAIM_TRUE && list[i]->op != neutral)
      return list[i];
    room += joined_count(op, list[i]);
  }
  const claim **parts = ARENA_ARRAY(a, const claim *, room + 1);
  for (uint32_t i = 0; i < count; i++) {
    if (list[i]->op == neutral)
      continue;
    if (list[i]->op != op)
      parts[n++] = list[i];
    for (uint32_t k = 0; list[i]->op == op && k < list[i]->count; k++)
      parts[n++] = list[i]->parts[k];
  }
  if (n < 2)
    return n ? parts[0] : claim_const(a, neutral == CLAIM_TRUE);
  claim *c = ARENA_NEW(a, claim);
  *c = (claim){op, n, 0, NULL, parts};
  return c;
}

static const claim *not_sum(arena *a, const claim *c)
{
  claim_term *terms = ARENA_ARRAY(a, claim_term, c->count + 1);
  for (uint32_t i = 0; i < c->count; i++)
    terms[i] = (claim_term){c->terms[i].place, -c->terms[i].factor};
  return claim_sum(a, terms, c->count, -c->limit - 1);
}

const claim *claim_not(arena *a, const claim *c)
{
  switch (c->op) {
  case CLAIM_FALSE:
  case CLAIM_TRUE:
    return claim_const(a, c->op == CLAIM_FALSE);
  case CLAIM_SUM:
    return not_sum(a, c);
  case CLAIM_AND:
  case CLAIM_OR:
    break;
  }
  const claim **parts = ARENA_ARRAY(a, const claim *, c->count + 1);
  for (uint32_t i = 0; i < c->count; i++)
    parts[i] = claim_not(a, c->parts[i]);
  return claim_join(a, c->op == CLAIM_AND ? CLAIM_OR : CLAIM_AND, parts,
                    c->count);
}

/* ---- about transitions -------------------------------------------------- */

const claim *claim_at_least(arena *a, uint32_t place, int32_t least)
{
  return claim_sum(a, &(claim_term){place, -1}, 1, -(int64_t)least);
}

const claim *claim_fireable(arena *a, const petri *n, uint32_t t)
{
  uint32_t arcs = n->first[t + 1] - n->first[t], count = 0;
  const claim **parts = ARENA_ARRAY(a, const claim *, 2 * arcs + 1);
  for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++) {
    const petri_arc *x = &n->arcs[i];
    if (x->take)
      parts[count++] = claim_at_least(a, x->place, x->take);
    if (x->below < 0)
      return claim_const(a, false);
    if (x->below)
      parts[count++] =
          claim_sum(a, &(claim_term){x->place, 1}, 1, x->below - 1);
  }
  return claim_join(a, CLAIM_AND, parts, count);
}

const claim *claim_dead(arena *a, const petri *n)
{
  const claim **parts = ARENA_ARRAY(a, const claim *, n->transition_count + 1);
  for (uint32_t t = 0; t < n->transition_count; t++)
    parts[t] = claim_not(a, claim_fireable(a, n, t));
  return claim_join(a, CLAIM_AND, parts, n->transition_count);
}

/* ---- in a marking ------------------------------------------------------- */

int64_t claim_value(const claim *c, const int32_t *marking)
{
  int64_t sum = 0;
  for (uint32_t i = 0; i < c->count; i++)
    sum += (int64_t)c->terms[i].factor * marking[c->terms[i].place];
  return sum;
}

bool claim_holds(const claim *c, const int32_t *marking)
{
  switch (c->op) {
  case CLAIM_FALSE:
  case CLAIM_TRUE:
    return c->op == CLAIM_TRUE;
  case CLAIM_SUM:
    return claim_value(c, marking) <= c->limit;
  case CLAIM_AND:
  case CLAIM_OR:
    break;
  }
  bool all = c->op == CLAIM_AND;
  for (uint32_t i = 0; i < c->count; i++)
    if (claim_holds(c->parts[i], marking) != all)
      return !all;
  return all;
}

int64_t claim_distance(const claim *c, const int32_t *marking)
{
  enum { DISTANT = 1 << 20 };
  if (c->op <= CLAIM_TRUE)
    return c->op == CLAIM_TRUE ? 0 : DISTANT;
  if (c->op == CLAIM_SUM) {
    int64_t over = claim_value(c, marking) - c->limit;
    return over > 0 ? over : 0;
  }
  int64_t found = c->op == CLAIM_AND ? 0 : INT64_MAX;
  for (uint32_t i = 0; i < c->count; i++) {
    int64_t d = claim_distance(c->parts[i], marking);
    if (c->op == CLAIM_AND)
      found += d;
    else if (d < found)
      found = d;
  }
  return found;
}

const claim *claim_simplify(arena *a, const claim *c, claim_known *known,
                            void *context)
{
  if (c->op <= CLAIM_TRUE)
    return c;
  if (c->op == CLAIM_SUM) {
    int sure = known(context, c);
    return sure < 0 ? c : claim_const(a, sure);
  }
  const claim **parts = ARENA_ARRAY(a, const claim *, c->count + 1);
  for (uint32_t i = 0; i < c->count; i++)
    parts[i] = claim_simplify(a, c->parts[i], known, context);
  return claim_join(a, c->op, parts, c->count);
}
