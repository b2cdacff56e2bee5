#include "net/shrink/counting.h"

#include "net/shrink/shrinking.h"
#include "net_kit.h"
#include <stdlib.h>

/* NUT_NETS makes more of them. */
static uint32_t net_count(void)
{
  const char *asked = getenv("NUT_NETS");
  return asked ? (uint32_t)atoi(asked) : 4000;
}

/* ---- nets with something to join -------------------------------------------- */

typedef struct pencil {
  petri_arc arcs[60][KIT_ROOM]; /* by transition and place */
  uint32_t transitions, places;
  int32_t tokens[KIT_ROOM];
} pencil;

static void add_move(pencil *x, uint32_t from, uint32_t to)
{
  petri_arc *arcs = x->arcs[x->transitions++];
  memset(arcs, 0, sizeof x->arcs[0]);
  arcs[from].take = arcs[to].put = 1;
}

/* What somebody takes from p, he takes from q. */
static void redirect(pencil *x, uint32_t p, uint32_t q, random_state *dice)
{
  for (uint32_t t = 0; t < x->transitions; t++) {
    petri_arc *from = &x->arcs[t][p], *to = &x->arcs[t][q];
    if (random_below(dice, 2)) {
      to->take = from->take;
      from->take = 0;
    }
    if (random_below(dice, 12) == 0) {
      to->put = from->put;
      from->put = 0;
    }
  }
}

/* A place behind p, and sometimes a way back. */
static void add_behind(pencil *x, random_state *dice)
{
  uint32_t p = (uint32_t)random_below(dice, x->places), q = x->places++;
  x->tokens[q] = random_below(dice, 8) == 0;
  redirect(x, p, q, dice);
  add_move(x, p, q);
  if (random_below(dice, 3) == 0)
    add_move(x, q, p);
  if (random_below(dice, 6) == 0)
    x->arcs[x->transitions - 1][random_below(dice, x->places)].below =
        1 + (int32_t)random_below(dice, 2);
}

/* A place that is the sum of two. */
static void add_sum(pencil *x, random_state *dice)
{
  uint32_t p = (uint32_t)random_below(dice, x->places);
  uint32_t q = (uint32_t)random_below(dice, x->places), sum = x->places++;
  int32_t times = 1 + (random_below(dice, 4) == 0);
  x->tokens[sum] = x->tokens[p] + times * x->tokens[q] +
                   (int32_t)(random_below(dice, 4) == 0);
  for (uint32_t t = 0; t < x->transitions; t++) {
    petri_arc *a = &x->arcs[t][p], *b = &x->arcs[t][q], *c = &x->arcs[t][sum];
    int32_t more = a->put - a->take + times * (b->put - b->take);
    c->take = more < 0 ? -more : 0;
    c->put = more > 0 ? more : 0;
    if (random_below(dice, 4) == 0) {
      int32_t most = a->take + times * b->take + (random_below(dice, 9) == 0);
      c->put += most > c->take ? most - c->take : 0;
      c->take = most > c->take ? most : c->take;
    }
  }
}

static petri *made_of(arena *a, const pencil *x)
{
  petri_arc arcs[60 * KIT_ROOM];
  uint32_t first[61] = {0}, count = 0;
  for (uint32_t t = 0; t < x->transitions; t++) {
    for (uint32_t p = 0; p < x->places; p++) {
      petri_arc arc = x->arcs[t][p];
      arc.place = p;
      if (arc.take || arc.put || arc.below)
        arcs[count++] = arc;
    }
    first[t + 1] = count;
  }
  return petri_make(a, x->places, x->tokens, x->transitions, arcs, first);
}

static petri *rich_net(arena *a, random_state *dice)
{
  const petri *n = kit_net(a, dice);
  pencil x = {.places = n->place_count, .transitions = n->transition_count};
  memcpy(x.tokens, n->tokens, n->place_count * sizeof *n->tokens);
  for (uint32_t t = 0; t < n->transition_count; t++)
    for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++)
      x.arcs[t][n->arcs[i].place] = n->arcs[i];
  while (x.places < KIT_ROOM && random_below(dice, 5))
    if (random_below(dice, 3))
      add_behind(&x, dice);
    else
      add_sum(&x, dice);
  return made_of(a, &x);
}

/* ---- what a marking stands for ------------------------------------------------ */

static uint64_t ways(int64_t tokens, uint32_t leaves)
{
  uint64_t found = 1;
  for (uint32_t i = 1; i < leaves; i++)
    found = found * (uint64_t)(tokens + i) / i;
  return found;
}

static uint64_t weight_of(const counting *c, const counting_view *v,
                          const int32_t *m)
{
  uint64_t all = 1;
  for (uint32_t p = 0; p < counting_net(c)->place_count; p++) {
    int64_t tokens = m[p];
    for (uint32_t i = 0; v && i < v->count; i++)
      if (v->arcs[i].place == p) {
        tokens -= v->arcs[i].take;
        if (tokens < 0 || (v->arcs[i].below && m[p] >= v->arcs[i].below))
          return 0;
      }
    all *= ways(tokens, counting_leaves(c, p));
  }
  return all;
}

static bool is_dead(const counting *c, const int32_t *m)
{
  counting_dead d = counting_when_dead(c);
  for (uint32_t i = 0; i < d.filled_count; i++)
    if (m[d.filled[i]])
      return false;
  for (uint32_t i = 0; i < d.count; i++) {
    bool is_true = true;
    for (uint32_t k = 0; k < d.views[i].count; k++) {
      const petri_arc *x = &d.views[i].arcs[k];
      is_true &=
          m[x->place] >= x->take && (!x->below || m[x->place] < x->below);
    }
    if (is_true)
      return false;
  }
  return true;
}

typedef struct figures {
  uint64_t markings, arcs, dead;
} figures;

static figures counted(const counting *c, const kit_space *s)
{
  const counting_view *views;
  uint32_t count = counting_views(c, &views);
  figures f = {0};
  for (uint32_t i = 0; i < s->count; i++) {
    f.markings += weight_of(c, NULL, s->markings[i]);
    f.dead += is_dead(c, s->markings[i]);
    for (uint32_t k = 0; k < count; k++)
      f.arcs += views[k].times * weight_of(c, &views[k], s->markings[i]);
  }
  return f;
}

static figures truth(const petri *n, const kit_space *s)
{
  figures f = {.markings = s->count};
  for (uint32_t i = 0; i < s->count; i++) {
    f.dead += petri_is_dead(n, s->markings[i]);
    for (uint32_t t = 0; t < n->transition_count; t++)
      f.arcs += petri_enabled(n, t, s->markings[i]);
  }
  return f;
}

static void sums_are_kept(const petri *n, const counting *c, const kit_space *s,
                          const kit_space *small, random_state *dice)
{
  int64_t factors[KIT_ROOM] = {0}, out[KIT_ROOM] = {0}, base;
  for (uint32_t p = 0; p < n->place_count; p++)
    factors[p] = (int64_t)random_below(dice, 3);
  int64_t most = 0, found = INT64_MIN;
  for (uint32_t i = 0; i < s->count; i++) {
    int64_t sum = 0;
    for (uint32_t p = 0; p < n->place_count; p++)
      sum += factors[p] * s->markings[i][p];
    most = sum > most ? sum : most;
  }
  assert_true(counting_sum(c, factors, out, &base));
  for (uint32_t i = 0; i < small->count; i++) {
    int64_t sum = base;
    for (uint32_t p = 0; p < counting_net(c)->place_count; p++)
      sum += out[p] * small->markings[i][p];
    found = sum > found ? sum : found;
  }
  assert_int_equal(found, most);
}

/* Each rule that joins alone, all of them, and none. */
static unsigned rules_of(uint32_t round)
{
  const unsigned all = SHRINK_ALL_RULES, few = 1u << SHRINK_RULE_DEAD;
  const unsigned kinds[] = {all,
                            all,
                            few | 1u << SHRINK_RULE_BEHIND,
                            few | 1u << SHRINK_RULE_MOVES,
                            few | 1u << SHRINK_RULE_IMPLICIT,
                            0};
  return kinds[round % 6];
}

static void markings_are_counted(void **state)
{
  static kit_space space, small;
  (void)state;
  random_state dice;
  random_seed(&dice, 9);
  uint32_t compared = 0, smaller = 0, joined = 0, implied = 0;
  for (uint32_t round = 0; round < net_count(); round++) {
    arena *a = arena_create();
    const petri *n = rich_net(a, &dice);
    kit_explore(&space, n);
    if (space.complete) {
      counting *c = counting_make(n, rules_of(round), NULL);
      kit_explore(&small, counting_net(c));
      assert_true(small.complete);
      figures x = truth(n, &space), y = counted(c, &small);
      if (memcmp(&x, &y, sizeof x))
        fail_msg("net %u: %lu %lu %lu, not %lu %lu %lu", round,
                 (unsigned long)y.markings, (unsigned long)y.arcs,
                 (unsigned long)y.dead, (unsigned long)x.markings,
                 (unsigned long)x.arcs, (unsigned long)x.dead);
      sums_are_kept(n, c, &space, &small, &dice);
      compared++;
      smaller += small.count < space.count;
      joined += counting_joined(c) > 0;
      implied += counting_uses(c, SHRINK_RULE_IMPLICIT) > 0;
      counting_destroy(c);
    }
    arena_destroy(a);
  }
  /* The rules were needed, all of them. */
  if (getenv("NUT_NETS"))
    print_message("%u compared, %u smaller, %u joined, %u implied\n", compared,
                  smaller, joined, implied);
  assert_true(compared > net_count() / 4);
  assert_true(smaller > compared / 50 && joined > compared / 20);
  assert_true(implied > compared / 50);
}

UNIT_MAIN(UNIT(markings_are_counted))
