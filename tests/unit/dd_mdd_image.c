/* Image, preimage and projection of sets of tuples, against loops over all
** tuples of a small universe. */

#include "unit.h"

#include "base/random.h"
#include "dd/mdd/mdd.h"

enum {
  KINDS = 6,
  LENGTH = 4,
  UNIVERSE = KINDS * KINDS * KINDS * KINDS,
  RULES = 40,
};

typedef struct world {
  mdd_manager *m;
  random_state r;
  mdd_touch touch[LENGTH];
  uint32_t levels; /* described by the shape */
  uint32_t rules[RULES][2 * LENGTH];
  uint32_t rule_length;
  int rule_count;
  bool in[UNIVERSE];
  mdd keep[4]; /* set, relation, result, expected */
} world;

static uint32_t below(world *w, uint32_t n)
{
  return (uint32_t)random_below(&w->r, n);
}

/* Values with gaps, so that ranges begin and end. */
static uint32_t value_of(uint32_t kind)
{
  return kind + kind / 3 * 100;
}

static void tuple_of(uint32_t number, uint32_t *tuple)
{
  for (int i = LENGTH; i--; number /= KINDS)
    tuple[i] = value_of(number % KINDS);
}

static void make_shape(world *w, bool may_write)
{
  static const mdd_touch all[] = {MDD_SKIP, MDD_READ, MDD_READ_WRITE,
                                  MDD_WRITE};
  w->levels = below(w, LENGTH + 1);
  w->rule_length = 0;
  for (uint32_t i = 0; i < LENGTH; i++) {
    w->touch[i] = i < w->levels ? all[below(w, may_write ? 4 : 3)] : MDD_SKIP;
    w->rule_length += w->touch[i] == MDD_READ_WRITE ? 2
                      : w->touch[i] == MDD_SKIP     ? 0
                                                    : 1;
  }
}

static void make_rules(world *w)
{
  w->rule_count = (int)below(w, RULES + 1);
  w->keep[1] = MDD_EMPTY;
  for (int i = 0; i < w->rule_count; i++) {
    for (uint32_t j = 0; j < w->rule_length; j++)
      w->rules[i][j] = value_of(below(w, KINDS));
    w->keep[1] = mdd_insert(w->m, w->keep[1], w->rules[i], w->rule_length);
  }
}

static void make_set(world *w)
{
  w->keep[0] = MDD_EMPTY;
  uint32_t tuple[LENGTH], density = 1 + below(w, 30);
  for (uint32_t i = 0; i < UNIVERSE; i++) {
    w->in[i] = below(w, density) == 0;
    tuple_of(i, tuple);
    if (w->in[i])
      assert_int_equal(mdd_add(w->m, &w->keep[0], tuple, LENGTH), MDD_NEW);
  }
}

/* Applies a rule to a tuple; false when it does not match. */
static bool apply(const world *w, const uint32_t *rule, const uint32_t *from,
                  uint32_t *to)
{
  for (uint32_t i = 0; i < LENGTH; i++) {
    to[i] = from[i];
    if (w->touch[i] == MDD_READ || w->touch[i] == MDD_READ_WRITE)
      if (*rule++ != from[i])
        return false;
    if (w->touch[i] == MDD_WRITE || w->touch[i] == MDD_READ_WRITE)
      to[i] = *rule++;
  }
  return true;
}

static void insert_expected(world *w, const uint32_t *tuple, uint32_t length)
{
  w->keep[3] = mdd_insert(w->m, w->keep[3], tuple, length);
  assert_true(w->keep[3] != MDD_FULL);
}

static void expect_image(world *w, bool backwards)
{
  uint32_t from[LENGTH], to[LENGTH];
  w->keep[3] = MDD_EMPTY;
  for (uint32_t i = 0; i < UNIVERSE; i++) {
    tuple_of(i, from);
    for (int j = 0; j < w->rule_count; j++)
      if (apply(w, w->rules[j], from, to)) {
        if (!backwards && w->in[i])
          insert_expected(w, to, LENGTH);
        if (backwards && mdd_contains(w->m, w->keep[0], to, LENGTH))
          insert_expected(w, from, LENGTH);
      }
  }
}

static void images(mdd_kind kind, uint64_t seed)
{
  static world w;
  w = (world){.m = mdd_create(kind, SIZE_MAX)};
  random_seed(&w.r, seed);
  assert_true(mdd_protect(w.m, w.keep, 4));
  for (int round = 0; round < 150; round++) {
    bool backwards = round % 2;
    make_shape(&w, !backwards);
    make_rules(&w);
    make_set(&w);
    mdd_shape *shape = mdd_shape_create(w.m, w.touch, w.levels);
    w.keep[2] = backwards ? mdd_preimage(w.m, w.keep[0], w.keep[1], shape, 0)
                          : mdd_image(w.m, w.keep[0], w.keep[1], shape, 0);
    expect_image(&w, backwards);
    assert_int_equal(w.keep[2], w.keep[3]);
    mdd_shape_destroy(shape);
    if (round % 10 == 0) {
      mdd_collect(w.m);
      assert_null(mdd_check(w.m));
    }
  }
  mdd_unprotect(w.m, w.keep);
  mdd_destroy(w.m);
}

static void images_of_values(void **state)
{
  (void)state;
  images(MDD_VALUES, 61);
}

static void images_of_ranges(void **state)
{
  (void)state;
  images(MDD_RANGES, 62);
}

static void projections(void **state)
{
  (void)state;
  static world w;
  for (int kind = 0; kind < 2; kind++) {
    w = (world){.m = mdd_create((mdd_kind)kind, SIZE_MAX)};
    random_seed(&w.r, 63);
    assert_true(mdd_protect(w.m, w.keep, 4));
    for (int round = 0; round < 100; round++) {
      for (uint32_t i = 0; i < LENGTH; i++)
        w.touch[i] = below(&w, 2) ? MDD_READ : MDD_SKIP;
      make_set(&w);
      mdd_shape *shape = mdd_shape_create(w.m, w.touch, LENGTH);
      w.keep[2] = mdd_project(w.m, w.keep[0], shape);
      w.keep[3] = MDD_EMPTY;
      for (uint32_t i = 0; i < UNIVERSE; i++) {
        uint32_t tuple[LENGTH], cut[LENGTH], n = 0;
        tuple_of(i, tuple);
        for (uint32_t j = 0; j < LENGTH; j++)
          if (w.touch[j] == MDD_READ)
            cut[n++] = tuple[j];
        if (w.in[i])
          insert_expected(&w, cut, n);
      }
      assert_int_equal(w.keep[2], w.keep[3]);
      mdd_shape_destroy(shape);
    }
    assert_null(mdd_check(w.m));
    mdd_unprotect(w.m, w.keep);
    mdd_destroy(w.m);
  }
}

/* Reachability: n tokens that move along a ring of places, one at a time, from
** place to place; the markings are the ways to put n tokens into k places. */
static void ring(void **state)
{
  (void)state;
  enum { PLACES = 8, TOKENS = 6 };
  mdd_manager *m = mdd_create(MDD_VALUES, SIZE_MAX);
  mdd keep[2 + PLACES] = {0};
  assert_true(mdd_protect(m, keep, 2 + PLACES));
  mdd_shape *shapes[PLACES];
  for (uint32_t p = 0; p < PLACES; p++) {
    mdd_touch touch[PLACES] = {MDD_SKIP};
    uint32_t next = (p + 1) % PLACES;
    touch[p] = touch[next] = MDD_READ_WRITE;
    shapes[p] = mdd_shape_create(m, touch, PLACES);
    for (uint32_t a = 1; a <= TOKENS; a++)
      for (uint32_t b = 0; b < TOKENS; b++) {
        uint32_t here[] = {a, a - 1, b, b + 1}, wrap[] = {b, b + 1, a, a - 1};
        keep[2 + p] = mdd_insert(m, keep[2 + p], next ? here : wrap, 4);
      }
  }
  uint32_t first[PLACES] = {TOKENS};
  keep[0] = mdd_tuple(m, first, PLACES);
  do {
    keep[1] = keep[0];
    for (uint32_t p = 0; p < PLACES; p++)
      keep[0] = mdd_union(m, keep[0],
                          mdd_image(m, keep[0], keep[2 + p], shapes[p], 0));
  } while (keep[0] != keep[1]);
  bignum count = {0};
  uint64_t n = 0;
  assert_true(mdd_count(m, keep[0], &count) && bignum_to_u64(&count, &n));
  assert_int_equal(n, 1716); /* 13 over 7 */
  bignum_free(&count);
  assert_null(mdd_check(m));
  for (uint32_t p = 0; p < PLACES; p++)
    mdd_shape_destroy(shapes[p]);
  mdd_unprotect(m, keep);
  mdd_destroy(m);
}

UNIT_MAIN(UNIT(images_of_values), UNIT(images_of_ranges), UNIT(projections),
          UNIT(ring))
