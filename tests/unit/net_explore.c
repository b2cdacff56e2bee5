#include "net/explore.h"

#include "net_kit.h"

enum { NETS = 3000, CLAIMS = 4 };

typedef struct tally {
  uint32_t reached, refuted;
} tally;

static void check_goal(const petri *net, const claim *c, const kit_space *space,
                       limits *none, tally *sum)
{
  int32_t marking[KIT_PLACES];
  bool can = kit_reaches(space, net, c);
  for (int all = 0; all < 2; all++) {
    firing_path path = {0};
    explore_end end = explore_run(net, c, all, KIT_MARKINGS + 1, none, &path);
    assert_int_equal(end, can ? EXPLORE_REACHED : EXPLORE_REFUTED);
    if (can) {
      assert_true(petri_replay(net, path.data, path.len, marking));
      assert_true(c ? claim_holds(c, marking) : petri_is_dead(net, marking));
    }
    sum->reached += can;
    sum->refuted += !can;
    vec_free(&path);
  }
}

/* With stubborn sets and without, the same is found as by looking at all
** markings, and the paths lead there. */
static void answers_are_true(void **state)
{
  (void)state;
  random_state dice;
  kit_space *space = mem_alloc(sizeof *space);
  tally sum = {0};
  limits none;
  limits_start(&none, &(limits_asked){0});
  random_seed(&dice, 11);
  for (uint32_t i = 0; i < NETS; i++) {
    arena *a = arena_create();
    const petri *net = kit_net(a, &dice);
    kit_explore(space, net);
    for (int c = 0; c < CLAIMS && space->complete; c++)
      check_goal(net, c ? kit_claim(a, &dice, net, 2) : NULL, space, &none,
                 &sum);
    arena_destroy(a);
  }
  assert_true(sum.reached > NETS && sum.refuted > NETS);
  mem_free(space, sizeof *space);
}

/* Tokens that walk independently in N rings of two places: for a claim about
** one of them a few markings are enough, of 2^N. */
static void few_markings_are_enough(void **state)
{
  (void)state;
  enum { RINGS = 20 };
  limits none;
  limits_start(&none, &(limits_asked){0});
  arena *a = arena_create();
  petri_arc arcs[4 * RINGS];
  uint32_t first[2 * RINGS + 1] = {0};
  int32_t tokens[2 * RINGS] = {0};
  for (uint32_t i = 0; i < 2 * RINGS; i++) {
    arcs[2 * i] = (petri_arc){i, 1, 0, 0};
    arcs[2 * i + 1] = (petri_arc){i ^ 1, 0, 1, 0};
    first[i + 1] = 2 * i + 2;
    tokens[i] = i % 2 == 0;
  }
  const petri *net = petri_make(a, 2 * RINGS, tokens, 2 * RINGS, arcs, first);
  firing_path path = {0};
  const claim *two = claim_at_least(a, 1, 2);
  assert_int_equal(explore_run(net, two, false, 1000, &none, &path),
                   EXPLORE_REFUTED);
  assert_int_equal(explore_run(net, two, true, 1000, &none, &path),
                   EXPLORE_ENDED);
  assert_int_equal(explore_run(net, NULL, false, 1000, &none, &path),
                   EXPLORE_REFUTED);
  vec_free(&path);
  arena_destroy(a);
}

/* t: a -> p, u: b -> v while p is empty, and two that only look at v: of p and
** v, p is nearer, but u has to come first. */
static void who_waits_comes_first(void **state)
{
  (void)state;
  limits none;
  limits_start(&none, &(limits_asked){0});
  arena *a = arena_create();
  petri_arc arcs[] = {{0, 1, 0, 0}, {2, 0, 1, 0}, {1, 1, 0, 0}, {2, 0, 0, 1},
                      {3, 0, 1, 0}, {3, 1, 1, 0}, {3, 1, 1, 0}};
  const petri *net = petri_make(a, 4, (int32_t[]){1, 1, 0, 0}, 4, arcs,
                                (uint32_t[]){0, 2, 5, 6, 7});
  firing_path path = {0};
  const claim *both[] = {claim_at_least(a, 2, 1), claim_at_least(a, 3, 1)};
  assert_int_equal(explore_run(net, claim_join(a, CLAIM_AND, both, 2), false,
                               100, &none, &path),
                   EXPLORE_REACHED);
  vec_free(&path);
  arena_destroy(a);
}

UNIT_MAIN(UNIT(who_waits_comes_first), UNIT(answers_are_true),
          UNIT(few_markings_are_enough))
