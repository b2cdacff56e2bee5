#include "net/lasting.h"

#include "net_kit.h"

/* What never fires again according to the net does not, from any marking. */
static void what_is_left_out_never_fires(void **state)
{
  static kit_space space, later;
  (void)state;
  random_state dice;
  random_seed(&dice, 4);
  uint32_t refuted = 0, asked = 0;
  for (uint32_t round = 0; round < 1500; round++) {
    arena *a = arena_create();
    petri *n = kit_net(a, &dice);
    bool *may = ARENA_ARRAY(a, bool, n->transition_count + 1);
    kit_explore(&space, n);
    for (uint32_t i = 0; i < space.count && i < 20; i++) {
      petri *there = petri_make(a, n->place_count, space.markings[i],
                                n->transition_count, n->arcs, n->first);
      lasting_may_fire(a, n, space.markings[i], may);
      kit_explore(&later, there);
      for (uint32_t t = 0; t < n->transition_count; t++) {
        asked++;
        refuted += !may[t];
        if (!may[t])
          assert_false(kit_reaches(&later, there, claim_fireable(a, there, t)));
      }
    }
    arena_destroy(a);
  }
  assert_true(refuted > asked / 20 && refuted < asked);
}

UNIT_MAIN(UNIT(what_is_left_out_never_fires))
