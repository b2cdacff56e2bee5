/* Adds counters where they can matter, and looks for solutions they exclude. */

#include "net/proof/counters.h"

#include "base/vec.h"
#include <string.h>

enum { COUNTERS_MAX = 300 };

/* t looks at p, which has too few tokens at the start. */
typedef struct look {
  uint32_t transition, place;
  uint32_t fired, filled; /* the counters of both */
} look;

struct counters {
  const petri *net;
  VEC(look) looks;
};

typedef struct counting {
  arena *arena;
  const petri *net;
  uint32_t *of_transition, *of_place; /* their counters, or 0 */
  uint32_t places;                    /* with counters */
} counting;

static void note_look(counting *c, counters *to, uint32_t t, uint32_t p)
{
  if (!c->of_transition[t])
    c->of_transition[t] = c->places++;
  if (!c->of_place[p])
    c->of_place[p] = c->places++;
  arena_push(c->arena, &to->looks,
             ((look){t, p, c->of_transition[t], c->of_place[p]}));
}

static void find_looks(counting *c, counters *to)
{
  const petri *n = c->net;
  for (uint32_t t = 0; t < n->transition_count; t++)
    for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++) {
      const petri_arc *x = &n->arcs[i];
      if (x->take > n->tokens[x->place] && petri_effect(x) >= 0 &&
          c->places + 2 <= n->place_count + COUNTERS_MAX)
        note_look(c, to, t, x->place);
    }
}

/* The arcs of t, and those to counters. */
static uint32_t copy_arcs(const counting *c, uint32_t t, petri_arc *out)
{
  const petri *n = c->net;
  uint32_t count = n->first[t + 1] - n->first[t];
  memcpy(out, n->arcs + n->first[t], count * sizeof *out);
  if (c->of_transition[t])
    out[count++] = (petri_arc){c->of_transition[t], 0, 1, 0};
  for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++)
    if (petri_effect(&n->arcs[i]) > 0 && c->of_place[n->arcs[i].place])
      out[count++] = (petri_arc){c->of_place[n->arcs[i].place], 0, 1, 0};
  return count;
}

static petri *net_with_counters(const counting *c)
{
  const petri *n = c->net;
  uint32_t most = 2 * n->first[n->transition_count] + n->transition_count;
  petri_arc *arcs = ARENA_ARRAY(c->arena, petri_arc, most + 1);
  uint32_t *first = ARENA_ARRAY(c->arena, uint32_t, n->transition_count + 1);
  int32_t *tokens = ARENA_ARRAY(c->arena, int32_t, c->places + 1);
  memcpy(tokens, n->tokens, n->place_count * sizeof *tokens);
  for (uint32_t t = 0; t < n->transition_count; t++)
    first[t + 1] = first[t] + copy_arcs(c, t, arcs + first[t]);
  return petri_make(c->arena, c->places, tokens, n->transition_count, arcs,
                    first);
}

counters *counters_make(arena *a, const petri *n)
{
  counters *made = ARENA_NEW(a, counters);
  counting c = {.arena = a,
                .net = n,
                .of_transition =
                    ARENA_ARRAY(a, uint32_t, n->transition_count + 1),
                .of_place = ARENA_ARRAY(a, uint32_t, n->place_count + 1),
                .places = n->place_count};
  made->net = n;
  if (n->place_count)
    find_looks(&c, made);
  if (made->looks.len)
    made->net = net_with_counters(&c);
  return made;
}

const petri *counters_net(const counters *c)
{
  return c->net;
}

const claim *counters_doubt(const counters *c, arena *a, const double *values)
{
  const double *tokens = values + c->net->transition_count;
  for (size_t i = 0; i < c->looks.len; i++) {
    const look *x = &c->looks.data[i];
    if (tokens[x->fired] < 1e-3 || tokens[x->filled] > 1 - 1e-3)
      continue;
    const claim *parts[] = {claim_sum(a, &(claim_term){x->fired, 1}, 1, 0),
                            claim_at_least(a, x->filled, 1)};
    return claim_join(a, CLAIM_OR, parts, 2);
  }
  return NULL;
}
