#include "net/random_walk.h"

#include "net_kit.h"

enum { NETS = 4000, GOALS = 6, STEPS = 3000 };

/* What a walk says it has reached can be reached, and the paths lead there; what
** cannot be reached is not; on small nets almost everything is found. */
static void check_net(random_state *dice, kit_space *space, uint32_t seed,
                      uint32_t *there, uint32_t *found)
{
  arena *a = arena_create();
  const petri *net = kit_net(a, dice);
  walk_goal goals[GOALS] = {0};
  int32_t marking[KIT_PLACES];
  limits none;
  limits_start(&none, &(limits_asked){0});
  for (int g = 1; g < GOALS; g++)
    goals[g].claim = kit_claim(a, dice, net, 2);
  kit_explore(space, net);
  walk *w = walk_create(net, goals, GOALS, seed);
  assert_true(walk_run(w, STEPS, true, &none));
  for (uint32_t g = 1; g < GOALS; g++)
    assert_true(walk_towards(w, g, 200, &none));
  for (int g = 0; g < GOALS; g++) {
    bool can = kit_reaches(space, net, goals[g].claim);
    *there += space->complete && can;
    *found += space->complete && goals[g].reached;
    assert_true(can || !space->complete || !goals[g].reached);
    if (!goals[g].reached)
      continue;
    assert_true(
        petri_replay(net, goals[g].path.data, goals[g].path.len, marking));
    assert_true(goals[g].claim ? claim_holds(goals[g].claim, marking)
                               : petri_is_dead(net, marking));
  }
  assert_true(walk_unbounded(w) == UINT32_MAX || !space->complete);
  for (uint32_t t = 0; space->complete && t < net->transition_count; t++)
    assert_true(!walk_saw_enabled(w, t) ||
                kit_reaches(space, net, claim_fireable(a, net, t)));
  for (uint32_t p = 0; space->complete && p < net->place_count; p++) {
    bool changes = false;
    for (uint32_t i = 0; i < space->count; i++)
      changes |= space->markings[i][p] != net->tokens[p];
    assert_true(changes || !walk_saw_change(w, p));
  }
  walk_destroy(w);
  walk_goals_free(goals, GOALS);
  arena_destroy(a);
}

static void walks_are_true(void **state)
{
  (void)state;
  random_state dice;
  kit_space *space = mem_alloc(sizeof *space);
  uint32_t there = 0, found = 0;
  random_seed(&dice, 22);
  for (uint32_t i = 0; i < NETS; i++)
    check_net(&dice, space, i, &there, &found);
  assert_true(there > NETS && found > there - there / 50);
  mem_free(space, sizeof *space);
}

/* p -> p + q grows; with an inhibitor arc on q it does not follow. */
static void growth_is_seen(void **state)
{
  (void)state;
  limits none;
  limits_start(&none, &(limits_asked){0});
  for (int inhibited = 0; inhibited < 2; inhibited++) {
    arena *a = arena_create();
    petri_arc arcs[] = {{0, 1, 1, 0}, {1, 0, 1, inhibited ? 5 : 0}};
    const petri *net =
        petri_make(a, 2, (int32_t[]){1, 0}, 1, arcs, (uint32_t[]){0, 2});
    walk *w = walk_create(net, NULL, 0, 1);
    walk_run(w, 1000, true, &none);
    walk_run(w, 1000, false, &none);
    assert_true(walk_unbounded(w) == (inhibited ? UINT32_MAX : 1));
    walk_destroy(w);
    arena_destroy(a);
  }
}

typedef struct failing {
  arena *arena;
  const petri *net;
  walk_goal goal;
  walk *walk;
} failing;

static void *create_failing(void)
{
  failing *f = mem_alloc(sizeof *f);
  random_state dice;
  random_seed(&dice, 7);
  f->arena = arena_create();
  f->net = kit_net(f->arena, &dice);
  f->goal.claim = kit_claim(f->arena, &dice, f->net, 2);
  return f;
}

static void work_failing(void *context)
{
  failing *f = context;
  limits none;
  limits_start(&none, &(limits_asked){0});
  f->walk = walk_create(f->net, &f->goal, 1, 1);
  walk_run(f->walk, 500, true, &none);
}

static void destroy_failing(void *context)
{
  failing *f = context;
  walk_destroy(f->walk);
  walk_goals_free(&f->goal, 1);
  arena_destroy(f->arena);
  mem_free(f, sizeof *f);
}

static void memory_may_run_out(void **state)
{
  (void)state;
  assert_true(unit_fail_each(create_failing, work_failing, destroy_failing) >
              2);
}

UNIT_MAIN(UNIT(walks_are_true), UNIT(growth_is_seen), UNIT(memory_may_run_out))
