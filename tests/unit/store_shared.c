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
#define ROOTS_PART 3 /* small tables grow by parts, too */

#include "../../src/store/roots/root_grow.c"
#include "../../src/store/roots/root_set.c"
#include "../../src/store/tree/quads.c"

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

/* So large that there are enough buckets, and room for all, also in the homes
** that get more than others. */
static void fill_up(roots *r, uint64_t seed)
{
  random_state random;
  random_seed(&random, seed);
  for (uint32_t i = 0; i < 3000; i++) {
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

/* ---- growth by parts ------------------------------------------------------ */

/* Numbers of pairs, from 1, with their marks as if they had been drawn. */
typedef struct drawn {
  uint32_t left, right;
  bool marked;
} drawn;

static drawn draw(uint64_t seed, uint32_t number)
{
  random_state random;
  random_seed(&random, seed * 100000 + number);
  uint32_t left = random_below(&random, 40), right = number * 7;
  return (drawn){left, right, random_below(&random, 3) != 0};
}

static void check_drawn(const roots *r, uint64_t seed, uint32_t count)
{
  assert_true(roots_check(r));
  assert_int_equal(r->count, count);
  for (uint32_t i = 1; i <= count; i++) {
    drawn d = draw(seed, i), other = d;
    assert_true(
        roots_has(r, roots_locate(r, d.left, d.right), d.left, d.right));
    assert_int_equal(roots_is_marked(r, d.left, d.right), d.marked);
    other.right++;
    if (roots_fits(r, other.left, other.right))
      assert_false(roots_has(r, roots_locate(r, other.left, other.right),
                             other.left, other.right));
  }
}

static void add_drawn(roots *r, roots_share *s, drawn d)
{
  roots_note(r, d.left, d.right);
  if (!roots_fits(r, d.left, d.right))
    assert_true(roots_make_room(r, s));
  roots_place p = roots_locate(r, d.left, d.right);
  assert_int_equal(roots_insert(r, p, d.left, d.right), ROOTS_NEW);
  roots_mark(r, d.left, d.right, d.marked);
}

/* Makes the table so small that many pairs are away from their homes, at the end
** of a part too, and some are spilled. */
static void pack(roots *r, roots_share *s)
{
  uint64_t buckets = r->count * 100 / (r->slots * 96) + 1;
  assert_true(rebuild(r, buckets, r->left_bits, r->right_bits, s));
}

/* The table grows, and its keys become wider, again and again, by up to five
** helpers; whether it has marks or not, it holds what was put. */
static void growth_by_parts(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    roots r;
    roots_share s = {.threads = 2, .helpers = &all_help};
    uint32_t count = 0;
    assert_true(roots_create(&r, SIZE_MAX) && roots_have_marks(&r));
    for (uint32_t steps = 0; steps < 14; steps++) {
      uint32_t more = 100 * (uint32_t)seed + count / 4;
      for (; more; more--)
        add_drawn(&r, &s, draw(seed, ++count));
      r.limit = r.count; /* as if it were full */
      s.refused = 1;
      uint64_t shape = r.shape;
      assert_true(roots_make_room(&r, &s) && r.shape > shape);
      check_drawn(&r, seed, count);
      pack(&r, &s);
      check_drawn(&r, seed, count);
    }
    roots_destroy(&r);
  }
}

/* Copies together put no more pairs than the set has room for, however many are
** left when they ask. */
static void leases(void **state)
{
  (void)state;
  enum { BEFORE = 2000, LAST = 5000 };
  for (uint64_t wanted = 0; wanted < 300; wanted += 1 + wanted / 20) {
    roots r;
    roots_share s = {.threads = 2, .helpers = &all_help};
    assert_true(roots_create(&r, SIZE_MAX) && roots_have_marks(&r));
    add_drawn(&r, &s, draw(1, LAST));
    for (uint32_t i = 1; i < BEFORE; i++)
      add_drawn(&r, &s, draw(1, i));
    uint64_t most = r.limit - r.count, room = wanted < most ? wanted : most;
    assert_true(r.limit > r.count + 9);
    r.limit = r.count + room;
    roots lent[2] = {roots_lend(&r, &s), roots_lend(&r, &s)};
    uint64_t put = 0;
    for (uint32_t i = BEFORE; i < LAST; i++) {
      drawn d = draw(1, i);
      roots *to = &lent[i % 2];
      put += roots_insert(to, roots_locate(to, d.left, d.right), d.left,
                          d.right) == ROOTS_NEW;
    }
    assert_int_equal(put, room);
    roots_take_back(&r, &lent[0]);
    roots_take_back(&r, &lent[1]);
    assert_int_equal(r.count, BEFORE + room);
    roots_destroy(&r);
  }
}

typedef struct room_asked {
  roots set;
  roots_share share;
  bool made;
} room_asked;

static void ask_for_room(void *context)
{
  room_asked *a = context;
  a->made = roots_make_room(&a->set, &a->share);
}

/* Any allocation fails, also one of a helper: the table is as it was, or the work
** is left. */
static void growth_fails(void **state)
{
  (void)state;
  uint32_t failures = 0;
  for (uint32_t widens = 0; widens < 2; widens++)
    for (uint64_t n = 1; n < 30; n++) {
      room_asked a = {.share = {.threads = 2, .helpers = &all_help}};
      assert_true(roots_create(&a.set, SIZE_MAX) && roots_have_marks(&a.set));
      for (uint32_t i = 1; i <= 9000; i++)
        add_drawn(&a.set, &a.share, draw(n, i));
      a.set.limit = a.set.count;
      a.set.rights |= widens << a.set.right_bits;
      a.share.refused = 1;
      mem_fail_at(n);
      bool returned = mem_protect(ask_for_room, &a);
      mem_fail_at(0);
      failures += !returned || !a.made;
      if (returned)
        check_drawn(&a.set, n, 9000);
      roots_destroy(&a.set);
    }
  assert_true(failures >= 10 && failures < 58);
}

UNIT_MAIN(UNIT(tuples), UNIT(pairs), UNIT(states), UNIT(look_alikes),
          UNIT(growth_by_parts), UNIT(growth_fails), UNIT(leases))
