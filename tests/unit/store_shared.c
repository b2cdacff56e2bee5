/* The tests of a shared store with a pause, by chance, between any two stores of
** an insertion: of the bytes of a slot, its mark and its tag, of a row and the
** slot that names it.  Whoever could see half of an insertion does so here, also
** on few processors.  The tables are compiled once more, with the pauses. */

#include <sched.h>
#include <stdint.h>

static _Thread_local uint64_t chance;

/* One in four waits; of these one in sixteen lets others run, and the rest wait
** for up to a thousand turns. */
static void pause_by_chance(void)
{
  chance = (chance + (uint64_t)(uintptr_t)&chance) * 6364136223846793005U + 1;
  uint64_t drawn = chance >> 40;
  if (drawn % 4)
    return;
  if (drawn / 4 % 16 == 0)
    sched_yield();
  else
    for (volatile uint64_t turns = drawn / 16 % 1024; turns; turns--)
      ;
}

#define SPIN_PAUSE() pause_by_chance()

#include "../../src/store/tree/quads.c"
#include "../../src/store/tree/root_set.c"

#define SHARED_PAUSES
#include "store_shared_tree.c"

/* ---- look-alikes ---------------------------------------------------------- */

/* Of a slot that is half written, with its tag but without its other bytes, one
** would think that it has the pair whose other bytes are zero.  So while some
** members put pairs into a bucket, others ask for the one with their tag and
** zeros, which each time nobody has put yet. */
enum { HOMES = 128, BUSY = 5 };

static uint64_t alike[HOMES][BUSY + 1]; /* keys; the last is asked for */
static atomic_uint turn_of[HOMES];

static void insert_key(roots *r, uint64_t key, atomic_uint *news)
{
  uint32_t left = (uint32_t)(key >> r->right_bits);
  uint32_t right = (uint32_t)(key & roots_mask(r->right_bits));
  roots_place p = roots_locate(r, left, right);
  roots_result result = roots_insert(r, p, left, right);
  if (result == ROOTS_FULL)
    atomic_fetch_add(news, 1000);
  else if (result == ROOTS_NEW)
    atomic_fetch_add(news, 1);
}

/* Pairs of a home with the same tag: back from home and rest to the pair. */
static void find_alike(const roots *r)
{
  first_keys keys = first_keys_of(r);
  assert_true(r->bucket_count > HOMES && keys.step > 64 * (BUSY + 1));
  for (uint32_t home = 0; home < HOMES; home++) {
    uint64_t first = next_first_key(&keys) + home % 16;
    for (uint32_t i = 0; i < BUSY; i++)
      alike[home][i] = unscramble(first + 16 * (4 * i + 1), r->bits);
    alike[home][BUSY] = unscramble(first, r->bits);
  }
}

static void *insert_alike(void *work)
{
  member *m = work;
  crew *c = m->crew;
  for (uint32_t home = 0; home < HOMES; home++) {
    atomic_uint *news = &c->news[home * (BUSY + 1)];
    atomic_fetch_add(&turn_of[home], 1);
    while (atomic_load(&turn_of[home]) < c->count)
      sched_yield();
    for (uint32_t i = 0; i < BUSY && m->index == 0; i++)
      insert_key(&m->lent, alike[home][i], &news[i]);
    for (uint32_t i = 0; i < home % 8 && m->index; i++)
      pause_by_chance();
    if (m->index)
      insert_key(&m->lent, alike[home][BUSY], &news[BUSY]);
  }
  return NULL;
}

/* So large that there are enough buckets, and room for all. */
static void fill_up(roots *r, uint64_t seed)
{
  random_state random;
  random_seed(&random, seed);
  for (uint32_t i = 0; i < 5000; i++) {
    uint32_t left = random_below(&random, 1024);
    uint32_t right = random_below(&random, 1024);
    assert_true(roots_fits(r, left, right) || roots_widen(r, left, right));
    roots_insert(r, roots_locate(r, left, right), left, right);
  }
}

static void look_alikes(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    crew *c = crew_create(2, MOST, seed);
    assert_true(roots_create(&c->roots, SIZE_MAX));
    fill_up(&c->roots, seed);
    c->share.threads = c->count;
    assert_true(roots_make_room(&c->roots, &c->share));
    find_alike(&c->roots);
    for (uint32_t h = 0; h < HOMES; h++) {
      atomic_store(&turn_of[h], 0);
      for (uint32_t i = 0; i <= BUSY; i++) {
        uint32_t left = (uint32_t)(alike[h][i] >> c->roots.right_bits);
        uint32_t right =
            (uint32_t)(alike[h][i] & roots_mask(c->roots.right_bits));
        if (roots_has(&c->roots, roots_locate(&c->roots, left, right), left,
                      right))
          atomic_store(&c->news[h * (BUSY + 1) + i], 1);
      }
    }
    for (uint32_t i = 0; i < c->count; i++)
      c->members[i].lent = roots_lend(&c->roots, &c->share);
    work_once(c, insert_alike);
    for (uint32_t i = 0; i < c->count; i++)
      roots_take_back(&c->roots, &c->members[i].lent);
    assert_true(roots_check(&c->roots));
    for (uint32_t i = 0; i < HOMES * (BUSY + 1); i++)
      assert_int_equal(atomic_load(&c->news[i]), 1);
    roots_destroy(&c->roots);
    mem_free(c, sizeof *c);
  }
}

UNIT_MAIN(UNIT(tuples), UNIT(pairs), UNIT(states), UNIT(look_alikes))
