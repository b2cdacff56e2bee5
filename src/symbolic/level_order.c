/* Static orders of the levels: FORCE, one of small bandwidth, or as the fields
** stand.
**
** FORCE (Aloul, Markov, Sakallah 2003): each group pulls the fields that it
** touches towards their centre; the fields are sorted by where they are pulled
** to, again and again.  What is kept is the order with the smallest sum of
** spans, where the span of a group is the distance from its first level to its
** last. */

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

/* ---- small bandwidth ------------------------------------------------------- */

/* Fields and the groups that touch them. */
typedef struct touching {
  uint32_t *first, *groups;  /* by field: groups[first[f]] .. */
  uint32_t *degree;          /* by field: how many fields its groups touch */
  bool *is_placed, *is_done; /* by field, by group */
  pulled *next;              /* fields that a field leads to */
  uint32_t *list;            /* fields in their order */
  uint32_t count;
} touching;

static void index_groups(const symbolic_space *s, touching *t)
{
  size_t n = s->fields.len, all = 0;
  for (size_t i = 0; i < s->groups.len; i++)
    all += s->groups.data[i].fields.len;
  t->first = ARENA_ARRAY(s->arena, uint32_t, n + 2);
  t->groups = ARENA_ARRAY(s->arena, uint32_t, all + 1);
  for (size_t i = 0; i < s->groups.len; i++)
    for (size_t k = 0; k < s->groups.data[i].fields.len; k++)
      t->first[s->groups.data[i].fields.data[k] + 2]++;
  for (size_t f = 2; f < n + 2; f++)
    t->first[f] += t->first[f - 1];
  for (size_t i = 0; i < s->groups.len; i++)
    for (size_t k = 0; k < s->groups.data[i].fields.len; k++) {
      uint32_t f = s->groups.data[i].fields.data[k];
      t->groups[t->first[f + 1]++] = (uint32_t)i;
      t->degree[f] += (uint32_t)s->groups.data[i].fields.len;
    }
}

static void place_field(touching *t, uint32_t of)
{
  t->is_placed[of] = true;
  t->list[t->count++] = of;
}

/* What lies beside a field, those with few neighbours first. */
static void place_neighbours(const symbolic_space *s, touching *t, uint32_t of)
{
  size_t count = 0;
  for (uint32_t i = t->first[of]; i < t->first[of + 1]; i++) {
    const group *g = &s->groups.data[t->groups[i]];
    if (t->is_done[t->groups[i]])
      continue;
    t->is_done[t->groups[i]] = true;
    for (size_t k = 0; k < g->fields.len; k++) {
      uint32_t f = g->fields.data[k];
      if (!t->is_placed[f] && !is_outside(s, f)) {
        t->is_placed[f] = true;
        t->next[count++] = (pulled){t->degree[f], f};
      }
    }
  }
  qsort(t->next, count, sizeof *t->next, by_place);
  for (size_t i = 0; i < count; i++)
    t->list[t->count++] = t->next[i].field;
}

static uint32_t loneliest(const symbolic_space *s, const touching *t)
{
  uint32_t best = UINT32_MAX;
  for (uint32_t f = 0; f < s->fields.len; f++)
    if (!t->is_placed[f] && !is_outside(s, f) &&
        (best == UINT32_MAX || t->degree[f] < t->degree[best]))
      best = f;
  return best;
}

/* Level by level from a field with few neighbours, and then backwards (Cuthill,
** McKee 1969; George 1971). */
static void narrow(symbolic_space *s, uint32_t *place)
{
  size_t n = s->fields.len;
  touching t = {.degree = ARENA_ARRAY(s->arena, uint32_t, n + 1),
                .is_placed = ARENA_ARRAY(s->arena, bool, n + 1),
                .is_done = ARENA_ARRAY(s->arena, bool, s->groups.len + 1),
                .next = ARENA_ARRAY(s->arena, pulled, n + 1),
                .list = ARENA_ARRAY(s->arena, uint32_t, n + 1)};
  uint32_t start;
  index_groups(s, &t);
  for (uint32_t at = 0; (start = loneliest(s, &t)) != UINT32_MAX;)
    for (place_field(&t, start); at < t.count; at++)
      place_neighbours(s, &t, t.list[at]);
  for (uint32_t i = 0; i < t.count; i++)
    place[t.list[i]] = t.count - 1 - i;
  if (s->length_field != NO_FIELD)
    place[s->length_field] = (uint32_t)n - 1;
}

/* ---- choosing --------------------------------------------------------------- */

void order_choose(symbolic_space *s)
{
  uint32_t n = (uint32_t)s->fields.len;
  uint32_t *place = ARENA_ARRAY(s->arena, uint32_t, n);
  for (uint32_t i = 0; i < n; i++)
    place[i] = i;
  if (s->options.asked.order == NUT_ORDER_BANDWIDTH)
    narrow(s, place);
  else if (s->options.asked.order != NUT_ORDER_DECLARED)
    improve(s, place);
  vec_resize(&s->order, n);
  for (uint32_t i = 0; i < n; i++) {
    s->fields.data[i].level = place[i];
    s->order.data[place[i]] = i;
  }
}
