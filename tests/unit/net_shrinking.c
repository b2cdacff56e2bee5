#include "net/shrink/shrinking.h"

#include "base/hash.h"
#include "net_kit.h"
#include <stdlib.h>

enum { CLAIMS = 3, ROUNDS = 12 };

/* NUT_NETS makes more of them. */
static uint32_t net_count(void)
{
  const char *asked = getenv("NUT_NETS");
  return asked ? (uint32_t)atoi(asked) : 600;
}

/* ---- nets with something to remove ----------------------------------------- */

typedef struct pencil {
  petri_arc arcs[200];
  uint32_t first[60], count, transitions, places;
  int32_t tokens[KIT_ROOM];
} pencil;

static void end_transition(pencil *x)
{
  x->first[++x->transitions] = x->count;
}

static void put_arc(pencil *x, uint32_t place, int32_t take, int32_t put,
                    int32_t below)
{
  if (take || put || below)
    x->arcs[x->count++] = (petri_arc){place, take, put, below};
}

/* A transition becomes two with a place between; sometimes there are two ways
** out of it, and weights. */
static void split(pencil *x, const petri *n, uint32_t t, random_state *dice)
{
  uint32_t between = x->places++;
  int32_t unit = 1 + (random_below(dice, 4) == 0);
  int32_t times = 1 + (random_below(dice, 3) == 0);
  bool behind = random_below(dice, 2);
  x->tokens[between] = random_below(dice, 4) ? 0 : unit;
  for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++)
    put_arc(x, n->arcs[i].place, n->arcs[i].take, 0, n->arcs[i].below);
  put_arc(x, between, 0, behind ? unit * times : unit, 0);
  end_transition(x);
  for (uint32_t way = 0; way < 1 + random_below(dice, 2); way++) {
    for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++)
      if (!way || random_below(dice, 2))
        put_arc(x, n->arcs[i].place, 0, n->arcs[i].put, 0);
    put_arc(x, between, behind ? unit : unit * times, 0, 0);
    end_transition(x);
  }
}

/* A place that is a multiple of another, perhaps with more tokens. */
static void copy_place(pencil *x, random_state *dice)
{
  uint32_t from = (uint32_t)random_below(dice, x->places), to = x->places++;
  int32_t times = 1 + (int32_t)random_below(dice, 2);
  pencil old = *x;
  x->count = x->transitions = 0;
  x->tokens[to] = times * x->tokens[from] + (int32_t)random_below(dice, 2);
  for (uint32_t t = 0; t < old.transitions; t++) {
    for (uint32_t i = old.first[t]; i < old.first[t + 1]; i++) {
      const petri_arc *a = &old.arcs[i];
      put_arc(x, a->place, a->take, a->put, a->below);
      if (a->place == from)
        put_arc(x, to, times * a->take, times * a->put, 0);
    }
    end_transition(x);
  }
}

/* One transition more waits until a place has few tokens. */
static void add_inhibitor(pencil *x, random_state *dice)
{
  uint32_t place = (uint32_t)random_below(dice, x->places);
  uint32_t to = (uint32_t)random_below(dice, x->places);
  put_arc(x, place, place == to, place == to,
          1 + (int32_t)random_below(dice, 2));
  if (place != to)
    put_arc(x, to, 1, 0, 0);
  end_transition(x);
}

/* Moves in a circle. */
static void add_circle(pencil *x, random_state *dice)
{
  uint32_t from = (uint32_t)random_below(dice, x->places);
  uint32_t to = (uint32_t)random_below(dice, x->places);
  for (int i = 0; i < 2 && from != to; i++) {
    put_arc(x, i ? to : from, 1, 0, 0);
    put_arc(x, i ? from : to, 0, 1, 0);
    end_transition(x);
  }
}

/* A place that is taken from and put into one by one gets two values: every
** transition that takes from it is there for each of them. */
static petri *coloured_net(arena *a, random_state *dice, uint32_t *block)
{
  const petri *n = kit_net(a, dice);
  uint32_t twin = n->place_count, p = (uint32_t)random_below(dice, twin);
  pencil x = {.places = twin + 1};
  memcpy(x.tokens, n->tokens, n->place_count * sizeof *n->tokens);
  x.tokens[twin] = (int32_t)random_below(dice, 2);
  for (uint32_t i = 0; i < twin; i++)
    block[i] = i;
  block[twin] = p;
  for (uint32_t t = 0; t < n->transition_count; t++)
    for (uint32_t value = 0; value < 2; value++) {
      bool takes = false;
      for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++) {
        const petri_arc *arc = &n->arcs[i];
        bool here = arc->place == p;
        takes |= here && arc->take;
        uint32_t from = here && value ? twin : arc->place;
        uint32_t to = here && random_below(dice, 2) ? twin : arc->place;
        if (from == to)
          put_arc(&x, from, arc->take, arc->put, arc->below);
        else {
          put_arc(&x, from, arc->take, 0, arc->below);
          put_arc(&x, to, 0, arc->put, 0);
        }
      }
      end_transition(&x);
      /* Now and then a value is treated in another way. */
      if (!takes || random_below(dice, 12) == 0)
        break;
    }
  return petri_make(a, x.places, x.tokens, x.transitions, x.arcs, x.first);
}

static petri *rich_net(arena *a, random_state *dice)
{
  const petri *n = kit_net(a, dice);
  pencil x = {.places = n->place_count};
  memcpy(x.tokens, n->tokens, n->place_count * sizeof *n->tokens);
  for (uint32_t t = 0; t < n->transition_count; t++) {
    if (x.places < KIT_ROOM - 1 && random_below(dice, 3) == 0) {
      split(&x, n, t, dice);
      continue;
    }
    for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++)
      put_arc(&x, n->arcs[i].place, n->arcs[i].take, n->arcs[i].put,
              n->arcs[i].below);
    end_transition(&x);
  }
  if (random_below(dice, 3) == 0)
    add_circle(&x, dice);
  if (random_below(dice, 3) == 0)
    add_inhibitor(&x, dice);
  if (random_below(dice, 3) == 0)
    copy_place(&x, dice);
  return petri_make(a, x.places, x.tokens, x.transitions, x.arcs, x.first);
}

/* ---- graphs ------------------------------------------------------------------ */

/* The markings of a net with a step into each of them. */
typedef struct graph {
  kit_space space;
  uint32_t parent[KIT_MARKINGS], step[KIT_MARKINGS];
} graph;

/* The marking after t; -1: it is not enabled, or not known. */
static int after(const graph *g, const petri *n, uint32_t i, uint32_t t)
{
  int32_t next[KIT_ROOM];
  memcpy(next, g->space.markings[i], sizeof next);
  if (!petri_enabled(n, t, next) || !petri_fire(n, t, next))
    return -1;
  for (uint32_t k = 0; k < g->space.count; k++)
    if (!memcmp(g->space.markings[k], next, n->place_count * sizeof *next))
      return (int)k;
  return -1;
}

static void explore(graph *g, const petri *n)
{
  kit_explore(&g->space, n);
  for (uint32_t i = 0; i < g->space.count; i++)
    g->parent[i] = i ? UINT32_MAX : 0;
  for (uint32_t i = 0; i < g->space.count; i++)
    for (uint32_t t = 0; t < n->transition_count; t++) {
      int to = after(g, n, i, t);
      if (to < 0 || g->parent[to] != UINT32_MAX)
        continue;
      g->parent[to] = i;
      g->step[to] = t;
    }
}

/* A path to the first marking of which a claim (NULL: dead) is true. */
static bool find_path(const graph *g, const petri *n, const claim *c,
                      uint32_t *path, size_t *length)
{
  uint32_t at = 0;
  while (at < g->space.count && !(c ? claim_holds(c, g->space.markings[at])
                                    : petri_is_dead(n, g->space.markings[at])))
    at++;
  if (at == g->space.count)
    return false;
  *length = 0;
  for (uint32_t i = at; i; i = g->parent[i])
    (*length)++;
  for (size_t k = *length; at; at = g->parent[at])
    path[--k] = g->step[at];
  return true;
}

static int by_value(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* What can be seen from the start within some steps: markings with the same
** claims and the same sets of successors have the same hash. */
static uint64_t appearance(const graph *g, const petri *n,
                           const claim *const *claims)
{
  static uint64_t now[KIT_MARKINGS], next[KIT_MARKINGS];
  for (int round = 0; round <= ROUNDS; round++) {
    for (uint32_t i = 0; i < g->space.count; i++) {
      uint64_t seen[60], hash = 0;
      size_t count = 0;
      for (int c = 0; c < CLAIMS; c++)
        hash = hash * 2 + claim_holds(claims[c], g->space.markings[i]);
      for (uint32_t t = 0; round && t < n->transition_count; t++) {
        int to = after(g, n, i, t);
        if (to >= 0)
          seen[count++] = now[to];
      }
      qsort(seen, count, sizeof *seen, by_value);
      hash = hash_mix(hash + (count ? 77 : 0));
      for (size_t k = 0; k < count; k++)
        if (!k || seen[k] != seen[k - 1])
          hash = hash_mix(hash ^ seen[k]);
      next[i] = hash;
    }
    memcpy(now, next, sizeof now);
  }
  return now[0];
}

/* ---- the test ------------------------------------------------------------------ */

typedef struct testing {
  random_state dice;
  graph *large, *small;
  uint32_t uses[SHRINK_RULES_], lifted;
  uint32_t block[KIT_ROOM]; /* of the net at hand */
  bool summed[KIT_ROOM];
} testing;

/* The same is reachable, and the path leads there in the net as it was. */
static void check_goal(testing *x, const petri *net, const shrinking *s,
                       const claim *c, const claim *there)
{
  static uint32_t path[KIT_MARKINGS];
  int32_t marking[KIT_ROOM];
  size_t length;
  firing_path lifted = {0};
  const petri *small = shrinking_net(s);
  bool can = kit_reaches(&x->large->space, net, c);
  bool found = find_path(x->small, small, there, path, &length);
  assert_int_equal(can, found);
  if (!found)
    return;
  assert_true(shrinking_lift(s, path, length, !c, &lifted));
  assert_true(petri_replay(net, lifted.data, lifted.len, marking));
  assert_true(c ? claim_holds(c, marking) : petri_is_dead(net, marking));
  x->lifted += lifted.len > length;
  vec_free(&lifted);
}

static void see(const claim *c, bool *visible)
{
  for (uint32_t i = 0; i < c->count; i++)
    if (c->op == CLAIM_SUM)
      visible[c->terms[i].place] = true;
    else
      see(c->parts[i], visible);
}

static void check_wish(testing *x, arena *a, const petri *net,
                       const claim *const *claims, shrink_wish wish)
{
  const claim *there[CLAIMS];
  shrinking *s = shrinking_make(net, &wish);
  const petri *small = shrinking_net(s);
  for (int i = 0; i < SHRINK_RULES_; i++)
    x->uses[i] += shrinking_uses(s, (shrink_rule)i);
  explore(x->small, small);
  if (x->small->space.complete) {
    for (int c = 0; c < CLAIMS && wish.visible; c++) {
      there[c] = shrinking_claim(s, a, claims[c]);
      assert_non_null(there[c]);
      if (wish.kinds & SHRINK_REACH)
        check_goal(x, net, s, claims[c], there[c]);
    }
    if (wish.kinds & SHRINK_DEAD)
      check_goal(x, net, s, NULL, NULL);
    if (wish.kinds & SHRINK_TREES)
      assert_true(appearance(x->small, small, there) ==
                  appearance(x->large, net, claims));
    if (wish.kinds & SHRINK_COUNT)
      assert_int_equal(x->small->space.count, x->large->space.count);
  } else
    assert_false(wish.kinds & SHRINK_COUNT);
  shrinking_destroy(s);
}

/* A claim about a place with two values is one about both. */
static const claim *about_blocks(testing *x, arena *a, const petri *net)
{
  claim_term terms[KIT_ROOM];
  uint32_t count = 0,
           block = (uint32_t)random_below(&x->dice, net->place_count);
  int32_t factor = random_below(&x->dice, 2) ? 1 : -1;
  block = x->block[block];
  for (uint32_t p = 0; p < net->place_count; p++)
    if (x->block[p] == block) {
      terms[count++] = (claim_term){p, factor};
      x->summed[p] = true;
    }
  return claim_sum(a, terms, count,
                   factor * (int64_t)random_below(&x->dice, 3));
}

static void check_net(testing *x, arena *a, const petri *net, bool coloured)
{
  bool visible[KIT_ROOM] = {0};
  const claim *claims[CLAIMS];
  uint32_t depth = (uint32_t)random_below(&x->dice, 2);
  memset(x->summed, 0, sizeof x->summed);
  for (int c = 0; c < CLAIMS; c++) {
    /* Few visible places: most of the claims are about the same ones. */
    claims[c] = coloured ? about_blocks(x, a, net)
                : c && random_below(&x->dice, 2)
                    ? claim_not(a, claims[0])
                    : kit_claim(a, &x->dice, net, depth);
    if (!coloured)
      see(claims[c], visible);
  }
  explore(x->large, net);
  if (!x->large->space.complete)
    return;
  static const unsigned kinds[] = {SHRINK_REACH, SHRINK_DEAD, SHRINK_STATIC,
                                   SHRINK_SIMILAR, SHRINK_ANY};
  for (int rule = 0; rule <= SHRINK_RULES_; rule++)
    for (int k = 0; k < 5; k++)
      check_wish(
          x, a, net, claims,
          (shrink_wish){
              kinds[k], rule < SHRINK_RULES_ ? 1u << rule : SHRINK_ALL_RULES,
              kinds[k] == SHRINK_DEAD ? NULL : visible,
              coloured ? x->block : NULL,
              coloured && kinds[k] != SHRINK_DEAD ? x->summed : NULL, NULL});
}

/* With each rule alone and with all together, what is asked of a net made by
** chance is answered by the smaller one, and runs are lifted. */
static void answers_are_kept(void **state)
{
  (void)state;
  testing x = {.large = mem_alloc(sizeof(graph)),
               .small = mem_alloc(sizeof(graph))};
  uint32_t nets = net_count();
  random_seed(&x.dice, nets == 600 ? 22 : 2222);
  for (uint32_t i = 0; i < nets; i++) {
    arena *a = arena_create();
    bool coloured = i % 4 == 3;
    check_net(&x, a,
              coloured ? coloured_net(a, &x.dice, x.block)
                       : rich_net(a, &x.dice),
              coloured);
    arena_destroy(a);
  }
  for (int i = 0; i < SHRINK_RULES_; i++) {
    print_message("rule %d: %u times\n", i, x.uses[i]);
    assert_true(x.uses[i] > nets / 30);
  }
  print_message("longer paths lifted: %u\n", x.lifted);
  assert_true(x.lifted > nets / 4);
  mem_free(x.large, sizeof(graph));
  mem_free(x.small, sizeof(graph));
}

/* A net with the question whether its last place, or a dead marking, is reached;
** nets made by chance are seldom like this. */
static void check_example(uint32_t places, const int32_t *tokens,
                          uint32_t transitions, const petri_arc *arcs,
                          const uint32_t *first, bool dead,
                          const uint32_t *block)
{
  testing x = {.large = mem_alloc(sizeof(graph)),
               .small = mem_alloc(sizeof(graph))};
  bool visible[KIT_ROOM] = {0};
  arena *a = arena_create();
  const petri *net = petri_make(a, places, tokens, transitions, arcs, first);
  const claim *marked = claim_at_least(a, places - 1, 1);
  const claim *claims[CLAIMS] = {marked, marked, marked};
  visible[places - 1] = !dead;
  explore(x.large, net);
  for (int rule = 0; rule <= SHRINK_RULES_; rule++)
    check_wish(
        &x, a, net, claims,
        (shrink_wish){dead ? SHRINK_DEAD : SHRINK_REACH,
                      rule < SHRINK_RULES_ ? 1u << rule : SHRINK_ALL_RULES,
                      dead ? NULL : visible, block, NULL, NULL});
  arena_destroy(a);
  mem_free(x.large, sizeof(graph));
  mem_free(x.small, sizeof(graph));
}

/* h: a -> p + c, f: p -> q, u: c -> v while q is empty: after f it is too
** late, so f may not follow at once. */
static void who_waits_for_few_tokens_is_not_passed(void **state)
{
  (void)state;
  petri_arc arcs[] = {{0, 1, 0, 0}, {1, 0, 1, 0}, {2, 0, 1, 0}, {1, 1, 0, 0},
                      {3, 0, 1, 0}, {2, 1, 0, 0}, {3, 0, 0, 1}, {4, 0, 1, 0}};
  check_example(5, (int32_t[]){1, 0, 0, 0, 0}, 3, arcs,
                (uint32_t[]){0, 3, 5, 8}, false, NULL);
}

/* h: a -> 2 p, f: p -> q, g: p -> r, u: q + r -> v: the tokens of p may go
** different ways. */
static void several_units_go_different_ways(void **state)
{
  (void)state;
  petri_arc arcs[] = {{0, 1, 0, 0}, {1, 0, 2, 0}, {1, 1, 0, 0},
                      {2, 0, 1, 0}, {1, 1, 0, 0}, {3, 0, 1, 0},
                      {2, 1, 0, 0}, {3, 1, 0, 0}, {4, 0, 1, 0}};
  check_example(5, (int32_t[]){1, 0, 0, 0, 0}, 4, arcs,
                (uint32_t[]){0, 2, 4, 6, 9}, false, NULL);
}

/* h: a -> p + a is no filler that can wait: it is always enabled, so that
** nothing is dead though f: p + b -> c is. */
static void who_needs_nothing_keeps_alive(void **state)
{
  (void)state;
  petri_arc arcs[] = {
      {0, 1, 0, 0}, {1, 0, 1, 0}, {1, 1, 0, 0}, {2, 1, 0, 0}, {0, 0, 1, 0}};
  check_example(3, (int32_t[]){2, 0, 1}, 2, arcs, (uint32_t[]){0, 2, 5}, true,
                NULL);
  /* Two ways into p that take nothing from others. */
  petri_arc more[] = {{0, 1, 0, 0}, {1, 0, 1, 0}, {0, 1, 0, 0},
                      {2, 0, 1, 0}, {1, 1, 0, 0}, {2, 1, 0, 0}};
  check_example(3, (int32_t[]){2, 0, 0}, 3, more, (uint32_t[]){0, 2, 4, 6},
                true, NULL);
}

/* A place with two values, a token each: who takes two of a value cannot fire,
** though there are two; who waits until a value has none can, though the other
** has one. */
static void values_are_told_apart(void **state)
{
  (void)state;
  const uint32_t block[] = {0, 0, 1};
  petri_arc two[] = {{0, 2, 0, 0}, {2, 0, 1, 0}, {1, 2, 0, 0}, {2, 0, 1, 0}};
  check_example(3, (int32_t[]){1, 1, 0}, 2, two, (uint32_t[]){0, 2, 4}, false,
                block);
  petri_arc few[] = {{0, 0, 0, 1}, {2, 0, 1, 2}, {1, 0, 0, 1}, {2, 0, 1, 2}};
  check_example(3, (int32_t[]){1, 0, 0}, 2, few, (uint32_t[]){0, 2, 4}, false,
                block);
}

/* ---- formulas without 'next' ------------------------------------------------- */

enum { FORMULA_PARTS = 12 };

/* A graph of markings, with sets of them. */
typedef struct steps {
  const petri *net;
  kit_space space;
  uint32_t after[KIT_MARKINGS][60], count[KIT_MARKINGS];
} steps;

static uint32_t find_marking(const steps *g, const int32_t *m)
{
  uint32_t i = 0;
  while (memcmp(g->space.markings[i], m, g->net->place_count * sizeof *m))
    i++;
  return i;
}

static bool fill_graph(steps *g, const petri *n)
{
  g->net = n;
  kit_explore(&g->space, n);
  for (uint32_t i = 0; i < g->space.count && g->space.complete; i++) {
    g->count[i] = 0;
    for (uint32_t t = 0; t < n->transition_count; t++) {
      int32_t next[KIT_ROOM + 1];
      memcpy(next, g->space.markings[i], n->place_count * sizeof *next);
      if (petri_enabled(n, t, next) && petri_fire(n, t, next))
        g->after[i][g->count[i]++] = find_marking(g, next);
    }
  }
  return g->space.complete;
}

/* Some run has 'a' until 'b'; with 'all', every run has. */
static void until(const steps *g, const bool *a, const bool *b, bool all,
                  bool *out)
{
  bool changed = true;
  memcpy(out, b, g->space.count * sizeof *out);
  while (changed) {
    changed = false;
    for (uint32_t i = 0; i < g->space.count; i++) {
      uint32_t good = 0;
      for (uint32_t k = 0; k < g->count[i]; k++)
        good += out[g->after[i][k]];
      if (!out[i] && a[i] && good && (!all || good == g->count[i]))
        changed = out[i] = true;
    }
  }
}

/* Formulas as programs: part i is made of earlier ones. */
typedef struct formula_part {
  uint32_t kind, a, b; /* 0: a claim */
  const claim *claim, *small;
} formula_part;

static bool evaluate(const steps *g, const formula_part *list, bool small)
{
  static bool value[FORMULA_PARTS][KIT_MARKINGS], all[KIT_MARKINGS];
  memset(all, true, sizeof all);
  for (uint32_t i = 0; i < FORMULA_PARTS; i++) {
    const formula_part *x = &list[i];
    for (uint32_t m = 0; m < g->space.count; m++)
      value[i][m] = x->kind == 0 ? claim_holds(small ? x->small : x->claim,
                                               g->space.markings[m])
                    : x->kind == 1 ? !value[x->a][m]
                                   : value[x->a][m] && value[x->b][m];
    if (x->kind >= 3)
      until(g, x->kind < 5 ? all : value[x->b], value[x->a], x->kind & 1,
            value[i]);
  }
  return value[FORMULA_PARTS - 1][0];
}

static const claim *visible_claim(arena *a, random_state *dice,
                                  const uint32_t *seen)
{
  claim_term term = {seen[random_below(dice, 2)],
                     random_below(dice, 2) ? 1 : -1};
  return claim_sum(a, &term, 1,
                   term.factor > 0 ? (int64_t)random_below(dice, 2)
                                   : -1 - (int64_t)random_below(dice, 2));
}

/* Branching: any.  Linear: "on all runs" of claims, which is of linear time:
** in the end p; p until q; again and again p. */
static void random_formula(arena *a, random_state *dice, bool linear,
                           const uint32_t *seen, formula_part *list)
{
  for (uint32_t i = 0; i < FORMULA_PARTS; i++) {
    formula_part *x = &list[i];
    *x =
        (formula_part){.kind = i < 4 ? 0 : 1 + (uint32_t)random_below(dice, 6)};
    if (i < 4)
      x->claim = visible_claim(a, dice, seen);
    else {
      x->a = (uint32_t)random_below(dice, i);
      x->b = (uint32_t)random_below(dice, i);
    }
  }
  if (!linear)
    return;
  for (uint32_t i = 4; i < FORMULA_PARTS; i++)
    list[i] = (formula_part){.kind = 2, .a = i - 1, .b = i - 1};
  uint32_t p = (uint32_t)random_below(dice, 4);
  uint32_t q = (uint32_t)random_below(dice, 4);
  switch (random_below(dice, 3)) {
  case 0:
    list[4] = (formula_part){.kind = 3, .a = p};
    break;
  case 1:
    list[4] = (formula_part){.kind = 5, .a = p, .b = q};
    break;
  default: /* always in the end: not (some run: in the end not ...) */
    list[4] = (formula_part){.kind = 3, .a = p};
    list[5] = (formula_part){.kind = 1, .a = 4};
    list[6] = (formula_part){.kind = 4, .a = 5};
    list[7] = (formula_part){.kind = 1, .a = 6};
  }
}

/* How many were compared; the nets of both are small. */
static uint32_t compare_formulas(arena *a, random_state *dice, const petri *n,
                                 unsigned kind, uint32_t *changed)
{
  static steps full, reduced;
  formula_part list[FORMULA_PARTS];
  uint32_t seen[2] = {(uint32_t)random_below(dice, n->place_count),
                      (uint32_t)random_below(dice, n->place_count)};
  bool visible[KIT_ROOM] = {0};
  visible[seen[0]] = visible[seen[1]] = true;
  shrink_wish wish = {kind, SHRINK_ALL_RULES, visible, NULL, NULL, NULL};
  shrinking *s = shrinking_make(n, &wish);
  if (!fill_graph(&full, n) || !fill_graph(&reduced, shrinking_net(s))) {
    shrinking_destroy(s);
    return 0;
  }
  *changed += reduced.space.count < full.space.count;
  for (uint32_t i = 0; i < 20; i++) {
    random_formula(a, dice, kind == SHRINK_LINEAR, seen, list);
    for (uint32_t k = 0; k < FORMULA_PARTS; k++)
      if (!list[k].kind) {
        list[k].small = shrinking_claim(s, a, list[k].claim);
        assert_non_null(list[k].small);
      }
    assert_int_equal(evaluate(&full, list, false),
                     evaluate(&reduced, list, true));
  }
  shrinking_destroy(s);
  return 20;
}

static void formulas_are_kept(void **state)
{
  (void)state;
  random_state dice;
  random_seed(&dice, 21);
  uint32_t compared = 0, changed = 0;
  for (uint32_t round = 0; round < 2 * net_count(); round++) {
    arena *a = arena_create();
    compared += compare_formulas(a, &dice, rich_net(a, &dice),
                                 round & 1 ? SHRINK_LINEAR : SHRINK_BRANCHING,
                                 &changed);
    arena_destroy(a);
  }
  print_message("%u formulas, %u nets with fewer markings\n", compared,
                changed);
  assert_true(compared > net_count() && changed > net_count() / 20);
}

/* The formula has the same value in the net and in the smaller one; the places of
** its claims, which are marked or not, are visible. */
static void check_formula(const petri *n, unsigned kind, formula_part *list,
                          const uint32_t *places, uint32_t count, bool is_true)
{
  static steps full, reduced;
  arena *a = arena_create();
  bool visible[KIT_ROOM] = {0};
  for (uint32_t i = 0; i < count; i++)
    visible[places[i]] = true;
  shrink_wish wish = {kind, SHRINK_ALL_RULES, visible, NULL, NULL, NULL};
  shrinking *s = shrinking_make(n, &wish);
  for (uint32_t i = 0; i < FORMULA_PARTS; i++)
    if (i < count) {
      list[i].claim = claim_at_least(a, places[i], 1);
      list[i].small = shrinking_claim(s, a, list[i].claim);
    } else if (!list[i].kind) /* the one before, again */
      list[i] = (formula_part){.kind = 2, .a = i - 1, .b = i - 1};
  assert_true(fill_graph(&full, n) && fill_graph(&reduced, shrinking_net(s)));
  assert_int_equal(evaluate(&full, list, false), is_true);
  assert_int_equal(evaluate(&reduced, list, true), is_true);
  shrinking_destroy(s);
  arena_destroy(a);
}

/* h: a -> p + w, f: p -> q, g: p -> r, q -> v, r -> x.  After h there is still a
** choice; w and some run to v and some run to x: true there. */
static void choices_are_not_made_early(void **state)
{
  (void)state;
  petri_arc arcs[] = {{0, 1, 0, 0}, {1, 0, 1, 0}, {6, 0, 1, 0}, {1, 1, 0, 0},
                      {2, 0, 1, 0}, {1, 1, 0, 0}, {3, 0, 1, 0}, {2, 1, 0, 0},
                      {4, 0, 1, 0}, {3, 1, 0, 0}, {5, 0, 1, 0}};
  arena *a = arena_create();
  petri *n = petri_make(a, 7, (int32_t[]){1, 0, 0, 0, 0, 0, 0}, 5, arcs,
                        (uint32_t[]){0, 3, 5, 7, 9, 11});
  formula_part list[FORMULA_PARTS] = {{0},
                                      {0},
                                      {0},
                                      {.kind = 4, .a = 0},
                                      {.kind = 4, .a = 1},
                                      {.kind = 2, .a = 3, .b = 4},
                                      {.kind = 2, .a = 5, .b = 2},
                                      {.kind = 4, .a = 6}};
  check_formula(n, SHRINK_BRANCHING, list, (uint32_t[]){4, 5, 6}, 3, true);
  arena_destroy(a);
}

/* h: a -> p, g: a -> v, f: p + b -> w, d: b -> e.  After h and d nothing happens
** any more, and neither v nor w comes. */
static void who_waits_does_not_miss_an_end(void **state)
{
  (void)state;
  petri_arc arcs[] = {{0, 1, 0, 0}, {1, 0, 1, 0}, {0, 1, 0, 0},
                      {2, 0, 1, 0}, {1, 1, 0, 0}, {3, 1, 0, 0},
                      {4, 0, 1, 0}, {3, 1, 0, 0}, {5, 0, 1, 0}};
  arena *a = arena_create();
  petri *n = petri_make(a, 6, (int32_t[]){1, 0, 0, 1, 0, 0}, 4, arcs,
                        (uint32_t[]){0, 2, 4, 7, 9});
  formula_part list[FORMULA_PARTS] = {{0},
                                      {0},
                                      {.kind = 1, .a = 0},
                                      {.kind = 1, .a = 1},
                                      {.kind = 2, .a = 2, .b = 3},
                                      {.kind = 1, .a = 4},
                                      {.kind = 3, .a = 5}};
  check_formula(n, SHRINK_LINEAR, list, (uint32_t[]){2, 4}, 2, false);
  arena_destroy(a);
}

UNIT_MAIN(UNIT(formulas_are_kept), UNIT(choices_are_not_made_early),
          UNIT(who_waits_does_not_miss_an_end), UNIT(values_are_told_apart),
          UNIT(answers_are_kept), UNIT(who_waits_for_few_tokens_is_not_passed),
          UNIT(several_units_go_different_ways),
          UNIT(who_needs_nothing_keeps_alive))
