/* A static order of the levels: FORCE (Aloul, Markov, Sakallah 2003).  Each
** group pulls the fields that it touches towards their centre; the fields are
** sorted by where they are pulled to, again and again.  What is kept is the
** order with the smallest sum of spans, where the span of a group is the
** distance from its first level to its last. */

#include "symbolic/symbolic_internal.h"
#include <stdlib.h>

enum { ROUNDS_MAX = 300, PATIENCE = 30 };

typedef struct pulled {
  double to;
  uint32_t field;
} pulled;

static int by_place(const void *a, const void *b)
{
  const pulled *x = a, *y = b;
  if (x->to != y->to)
    return x->to < y->to ? -1 : 1;
  return x->field < y->field ? -1 : x->field > y->field;
}

/* The length of a state, which all groups touch, is the last level and pulls
** nothing: so events begin where their other fields do. */
static bool is_outside(const symbolic_space *s, uint32_t number)
{
  return number == s->length_field;
}

static uint64_t span_of(const symbolic_space *s, const group *g,
                        const uint32_t *place)
{
  uint32_t least = UINT32_MAX, most = 0;
  for (size_t i = 0; i < g->fields.len; i++) {
    if (is_outside(s, g->fields.data[i]))
      continue;
    uint32_t p = place[g->fields.data[i]];
    least = p < least ? p : least;
    most = p > most ? p : most;
  }
  return most > least ? most - least : 0;
}

static uint64_t cost_of(const symbolic_space *s, const uint32_t *place)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < s->groups.len; i++)
    sum += span_of(s, &s->groups.data[i], place);
  return sum;
}

static void pull(const symbolic_space *s, uint32_t *place, pulled *list,
                 uint32_t *degree)
{
  size_t n = s->fields.len;
  for (uint32_t i = 0; i < n; i++) {
    list[i] = (pulled){0, i};
    degree[i] = 0;
  }
  for (size_t i = 0; i < s->groups.len; i++) {
    const group *g = &s->groups.data[i];
    double centre = 0;
    size_t count = 0;
    for (size_t k = 0; k < g->fields.len; k++)
      if (!is_outside(s, g->fields.data[k])) {
        centre += place[g->fields.data[k]];
        count++;
      }
    centre /= (double)(count ? count : 1);
    for (size_t k = 0; k < g->fields.len; k++) {
      if (is_outside(s, g->fields.data[k]))
        continue;
      list[g->fields.data[k]].to += centre;
      degree[g->fields.data[k]]++;
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    list[i].to = degree[i] ? list[i].to / degree[i] : place[i];
    if (is_outside(s, i))
      list[i].to = (double)n;
  }
  qsort(list, n, sizeof *list, by_place);
  for (uint32_t i = 0; i < n; i++)
    place[list[i].field] = i;
}

static void improve(symbolic_space *s, uint32_t *best)
{
  size_t n = s->fields.len;
  uint32_t *place = ARENA_ARRAY(s->arena, uint32_t, n);
  uint32_t *degree = ARENA_ARRAY(s->arena, uint32_t, n);
  pulled *list = ARENA_ARRAY(s->arena, pulled, n);
  uint64_t least = cost_of(s, best);
  memcpy(place, best, n * sizeof *place);
  for (unsigned i = 0, idle = 0; i < ROUNDS_MAX && idle < PATIENCE; i++) {
    pull(s, place, list, degree);
    uint64_t cost = cost_of(s, place);
    idle++;
    if (cost < least) {
      least = cost;
      idle = 0;
      memcpy(best, place, n * sizeof *place);
    }
  }
}

void order_choose(symbolic_space *s)
{
  uint32_t n = (uint32_t)s->fields.len;
  uint32_t *place = ARENA_ARRAY(s->arena, uint32_t, n);
  for (uint32_t i = 0; i < n; i++)
    place[i] = i;
  if (s->options.asked.order != NUT_ORDER_DECLARED)
    improve(s, place);
  vec_resize(&s->order, n);
  for (uint32_t i = 0; i < n; i++) {
    s->fields.data[i].level = place[i];
    s->order.data[place[i]] = i;
  }
}
