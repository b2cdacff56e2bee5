/* The copy of diagrams that is asked for tuples, against the diagrams. */

#include "unit.h"

#include "base/random.h"
#include "dd/mdd/mdd_lookup.h"

enum { SETS = 4, LENGTH = 5 };
#define NO_LIMIT ((size_t)1 << 30)

/* Sets of tuples of 0 to 3 elements and of one length more. */
typedef struct world {
  mdd_manager *m;
  mdd sets[SETS];
  mdd_lookup l;
  random_state random;
  uint32_t values; /* that an element can have */
  uint32_t stride; /* they are so far apart */
} world;

static void world_create(world *w, uint64_t seed, uint32_t values,
                         uint32_t stride)
{
  *w = (world){.values = values, .stride = stride};
  random_seed(&w->random, seed);
  w->m = mdd_create(MDD_VALUES, SIZE_MAX);
  assert_true(mdd_protect(w->m, w->sets, SETS));
  assert_true(mdd_lookup_create(&w->l, NO_LIMIT));
}

static void world_destroy(world *w)
{
  mdd_lookup_destroy(&w->l);
  mdd_unprotect(w->m, w->sets);
  mdd_destroy(w->m);
}

/* Sets 0, 1 and 2 have tuples of that length, the last one longer ones. */
static uint32_t length_of(uint32_t set)
{
  return set == SETS - 1 ? LENGTH : set;
}

static uint32_t random_tuple(world *w, uint32_t set, uint32_t *tuple)
{
  for (uint32_t i = 0; i < length_of(set); i++)
    tuple[i] = 7 + w->stride * (uint32_t)random_below(&w->random, w->values);
  return length_of(set);
}

static void add_some(world *w, unsigned count)
{
  for (unsigned i = 0; i < count; i++) {
    uint32_t tuple[LENGTH], set = (uint32_t)random_below(&w->random, SETS);
    uint32_t length = random_tuple(w, set, tuple);
    w->sets[set] = mdd_insert(w->m, w->sets[set], tuple, length);
  }
}

static void ask_some(world *w, unsigned count)
{
  uint32_t tuple[LENGTH], length = 0, set = 0;
  for (unsigned i = 0; i < count; i++) {
    if (!length || random_below(&w->random, 2)) {
      set = (uint32_t)random_below(&w->random, SETS);
      length = random_tuple(w, set, tuple);
    } else { /* as successors do, it differs in one place */
      tuple[random_below(&w->random, length)] += w->stride;
    }
    assert_int_equal(mdd_lookup_contains(&w->l, set, tuple, length),
                     mdd_contains(w->m, w->sets[set], tuple, length));
  }
  assert_false(mdd_lookup_contains(&w->l, SETS, tuple, length));
}

static void random_sets(void **state)
{
  (void)state;
  static const uint32_t shapes[][2] = {
      {2, 1}, {6, 1}, {6, 3}, {40, 1}, {40, 1000}, {300, UINT32_C(14316557)}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    world w;
    world_create(&w, i, shapes[i][0], shapes[i][1]);
    for (unsigned round = 0; round < 12; round++) {
      add_some(&w, round * 30);
      assert_true(mdd_lookup_build(&w.l, w.m, w.sets, SETS, NO_LIMIT));
      assert_true(mdd_lookup_ready(&w.l));
      assert_true(mdd_lookup_check(&w.l, w.m, w.sets, SETS));
      assert_true(mdd_lookup_bytes(&w.l) > 0);
      ask_some(&w, 2000);
    }
    mdd_lookup_clear(&w.l);
    assert_false(mdd_lookup_ready(&w.l));
    world_destroy(&w);
  }
}

/* What differs is noticed. */
static void differences(void **state)
{
  (void)state;
  world w;
  world_create(&w, 1, 5, 1);
  add_some(&w, 200);
  assert_true(mdd_lookup_build(&w.l, w.m, w.sets, SETS, NO_LIMIT));
  mdd before = w.sets[SETS - 1];
  uint32_t other[LENGTH] = {100, 100, 100, 100, 100};
  w.sets[SETS - 1] = mdd_insert(w.m, before, other, LENGTH);
  assert_false(mdd_lookup_check(&w.l, w.m, w.sets, SETS));
  assert_false(mdd_lookup_check(&w.l, w.m, w.sets, SETS - 1));
  world_destroy(&w);
}

/* Under any limit there is a whole copy or none. */
static void limits(void **state)
{
  (void)state;
  world w;
  world_create(&w, 2, 30, 5);
  add_some(&w, 300);
  bool there = false;
  for (size_t limit = 0; !there; limit = 2 * limit + 8) {
    assert_true(limit < NO_LIMIT);
    there = mdd_lookup_build(&w.l, w.m, w.sets, SETS, limit);
    assert_int_equal(there, mdd_lookup_ready(&w.l));
  }
  assert_true(mdd_lookup_check(&w.l, w.m, w.sets, SETS));
  world_destroy(&w);
}

static void failing_allocations(void **state)
{
  (void)state;
  world w;
  world_create(&w, 3, 30, 5);
  add_some(&w, 300);
  bool there = false;
  for (uint64_t n = 1; !there; n++) {
    mem_fail_at(n);
    there = mdd_lookup_build(&w.l, w.m, w.sets, SETS, NO_LIMIT);
    mem_fail_at(0);
    assert_int_equal(there, mdd_lookup_ready(&w.l));
    assert_true(n < 1000);
  }
  ask_some(&w, 1000);
  world_destroy(&w);
}

UNIT_MAIN(UNIT(random_sets), UNIT(differences), UNIT(limits),
          UNIT(failing_allocations))
