#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/random.h"
#include "base/text/text.h"
#include "dd/mdd/mdd.h"

static void assert_sound(const mdd_manager *m)
{
  const char *problem = mdd_check(m);
  if (problem)
    fail_msg("%s", problem);
}

static uint64_t members(const mdd_manager *m, mdd set)
{
  bignum count = {0};
  uint64_t result;
  assert_true(mdd_count(m, set, &count));
  assert_true(bignum_to_u64(&count, &result));
  bignum_free(&count);
  return result;
}

static void basic(void **state)
{
  (void)state;
  mdd_manager *m = mdd_create(MDD_VALUES, SIZE_MAX);
  mdd s = MDD_EMPTY;
  assert_true(mdd_protect(m, &s, 1));
  /* The set drawn in mdd.h. */
  uint32_t tuples[][3] = {
      {0, 1, 5}, {0, 2, 5}, {3, 1, 5}, {3, 2, 5}, {3, 2, 6}};
  for (int i = 0; i < 5; i++) {
    assert_false(mdd_contains(m, s, tuples[i], 3));
    s = mdd_insert(m, s, tuples[i], 3);
    assert_true(mdd_contains(m, s, tuples[i], 3));
    assert_int_equal(mdd_insert(m, s, tuples[i], 3), s);
  }
  assert_int_equal(members(m, s), 5);
  assert_int_equal(mdd_levels(m, s), 3);
  mdd_sizes sizes;
  assert_true(mdd_size(m, &s, 1, &sizes));
  assert_int_equal(sizes.nodes, 5);
  assert_int_equal(sizes.arcs, 9);
  assert_int_equal(mdd_arcs(m, s), 2);
  assert_int_equal(mdd_arc_at(m, s, 1).lo, 3);
  uint32_t t[3];
  int n = 0;
  for (bool more = mdd_first(m, s, t); more; more = mdd_next(m, s, t, 3))
    assert_memory_equal(t, tuples[n++], sizeof t);
  assert_int_equal(n, 5);
  assert_sound(m);
  mdd_unprotect(m, &s);
  mdd_destroy(m);
  mdd_destroy(NULL);
}

static void corner(void **state)
{
  (void)state;
  mdd_manager *m = mdd_create(MDD_RANGES, SIZE_MAX);
  assert_int_equal(mdd_tuple(m, NULL, 0), MDD_UNIT);
  assert_int_equal(members(m, MDD_UNIT), 1);
  assert_int_equal(members(m, MDD_EMPTY), 0);
  assert_int_equal(mdd_union(m, MDD_UNIT, MDD_EMPTY), MDD_UNIT);
  assert_int_equal(mdd_minus(m, MDD_UNIT, MDD_UNIT), MDD_EMPTY);
  assert_int_equal(mdd_union(m, MDD_FULL, MDD_EMPTY), MDD_FULL);
  assert_false(mdd_first(m, MDD_EMPTY, NULL));
  mdd s = MDD_EMPTY;
  assert_int_equal(mdd_add(m, &s, NULL, 0), MDD_NEW);
  assert_int_equal(mdd_add(m, &s, NULL, 0), MDD_SEEN);
  assert_int_equal(s, MDD_UNIT);
  /* All numbers of 32 bits are one range. */
  mdd_arc halves[] = {{0, INT32_MAX, MDD_UNIT},
                      {(uint32_t)INT32_MAX + 1, UINT32_MAX, MDD_UNIT}};
  mdd all = mdd_node(m, halves, 2);
  assert_int_equal(mdd_arcs(m, all), 1);
  assert_true(members(m, all) == UINT64_C(1) << 32);
  mdd_hold(m);
  uint32_t seven = 7;
  mdd others = mdd_minus(m, all, mdd_tuple(m, &seven, 1));
  assert_int_equal(mdd_arcs(m, others), 2);
  assert_int_equal(mdd_insert(m, others, &seven, 1), all);
  mdd_release(m);
  assert_sound(m);
  mdd_destroy(m);
}

/* ---- against naive sets ------------------------------------------------ */

/* Tuples of three values out of eight, some of them neighbours; a naive set
** says for each of the 512 whether it is in. */
enum { KINDS = 8, LENGTH = 3, UNIVERSE = KINDS * KINDS * KINDS };

static const uint32_t value_of[KINDS] = {
    0, 1, 2, 3, 1000, 1001, UINT32_MAX - 1, UINT32_MAX};

typedef struct naive {
  bool in[UNIVERSE];
} naive;

static void tuple_of(int number, uint32_t *tuple)
{
  for (int i = LENGTH; i--; number /= KINDS)
    tuple[i] = value_of[number % KINDS];
}

static void assert_same(const mdd_manager *m, mdd set, const naive *n)
{
  uint32_t tuple[LENGTH], walk[LENGTH];
  uint64_t count = 0;
  bool more = mdd_first(m, set, walk);
  for (int i = 0; i < UNIVERSE; i++) {
    tuple_of(i, tuple);
    assert_int_equal(mdd_contains(m, set, tuple, LENGTH), n->in[i]);
    if (!n->in[i])
      continue;
    count++;
    assert_true(more);
    assert_memory_equal(tuple, walk, sizeof walk);
    more = mdd_next(m, set, walk, LENGTH);
  }
  assert_false(more);
  assert_int_equal(members(m, set), count);
}

enum { SETS = 6, OWNED = 2 };

typedef struct world {
  mdd_manager *m;
  mdd sets[SETS]; /* the first OWNED ones are changed by mdd_add only */
  naive naives[SETS];
  random_state r;
} world;

static int below(world *w, uint64_t n)
{
  return (int)random_below(&w->r, n);
}

/* Mostly from one corner, so that there are ranges and equal parts. */
static int random_tuple(world *w)
{
  int a = below(w, KINDS), b = below(w, 4), c = below(w, KINDS);
  if (below(w, 4) == 0)
    b = below(w, KINDS);
  return (a * KINDS + b) * KINDS + c;
}

static void add_step(world *w)
{
  int i = below(w, OWNED), number = random_tuple(w);
  uint32_t tuple[LENGTH];
  tuple_of(number, tuple);
  mdd_outcome outcome = mdd_add(w->m, &w->sets[i], tuple, LENGTH);
  assert_int_equal(outcome, w->naives[i].in[number] ? MDD_SEEN : MDD_NEW);
  w->naives[i].in[number] = true;
}

static void set_step(world *w)
{
  int a = below(w, SETS), b = below(w, SETS);
  int to = OWNED + below(w, SETS - OWNED);
  int op = below(w, 4), number = random_tuple(w);
  uint32_t tuple[LENGTH];
  tuple_of(number, tuple);
  mdd x = w->sets[a], y = w->sets[b];
  w->sets[to] = op == 0   ? mdd_union(w->m, x, y)
                : op == 1 ? mdd_intersect(w->m, x, y)
                : op == 2 ? mdd_minus(w->m, x, y)
                          : mdd_insert(w->m, x, tuple, LENGTH);
  naive result;
  for (int i = 0; i < UNIVERSE; i++) {
    bool p = w->naives[a].in[i], q = w->naives[b].in[i];
    result.in[i] = op == 0   ? p || q
                   : op == 1 ? p && q
                   : op == 2 ? p && !q
                             : p || i == number;
  }
  w->naives[to] = result;
  assert_same(w->m, w->sets[to], &w->naives[to]);
}

static void twin_steps(mdd_kind kind, uint64_t seed)
{
  static world w;
  w = (world){.m = mdd_create(kind, SIZE_MAX)};
  random_seed(&w.r, seed);
  assert_true(mdd_protect(w.m, w.sets, SETS));
  for (int step = 0; step < 4000; step++) {
    int what = below(&w, 100);
    /* Long runs of one kind, because the other ends what is owned. */
    if (step / 100 % 3 < 2 || what < 10)
      add_step(&w);
    else
      set_step(&w);
    if (what == 50)
      mdd_collect(w.m);
    if (what == 60) {
      int i = below(&w, SETS);
      w.sets[i] = MDD_EMPTY;
      memset(&w.naives[i], 0, sizeof w.naives[i]);
    }
    if (what == 70) {
      mdd kept = mdd_ref(w.m, w.sets[0]);
      for (int i = 0; i < 5; i++)
        add_step(&w);
      mdd_unref(w.m, kept);
    }
    if (step % 5 == 0) {
      assert_sound(w.m);
      int i = below(&w, SETS);
      assert_same(w.m, w.sets[i], &w.naives[i]);
    }
  }
  for (int i = 0; i < SETS; i++)
    assert_same(w.m, w.sets[i], &w.naives[i]);
  mdd_unprotect(w.m, w.sets);
  mdd_destroy(w.m);
}

static void values_against_naive(void **state)
{
  (void)state;
  for (uint64_t seed = 41; seed < 44; seed++)
    twin_steps(MDD_VALUES, seed);
}

static void ranges_against_naive(void **state)
{
  (void)state;
  for (uint64_t seed = 51; seed < 54; seed++)
    twin_steps(MDD_RANGES, seed);
}

/* What was counted by mdd_ref is not changed by mdd_add. */
static void kept_sets_stay(void **state)
{
  (void)state;
  static world w;
  for (int kind = 0; kind < 2; kind++) {
    w = (world){.m = mdd_create((mdd_kind)kind, SIZE_MAX)};
    random_seed(&w.r, 45);
    assert_true(mdd_protect(w.m, w.sets, SETS));
    for (int round = 0; round < 300; round++) {
      add_step(&w);
      mdd kept[OWNED];
      naive before[OWNED];
      for (int i = 0; i < OWNED; i++) {
        kept[i] = mdd_ref(w.m, w.sets[i]);
        before[i] = w.naives[i];
      }
      for (int i = 0; i < 10; i++)
        add_step(&w);
      if (round % 3 == 0)
        mdd_collect(w.m);
      for (int i = 0; i < 10; i++)
        add_step(&w);
      for (int i = 0; i < OWNED; i++) {
        assert_same(w.m, kept[i], &before[i]);
        mdd_unref(w.m, kept[i]);
      }
      assert_sound(w.m);
      if (round % 20 == 0) {
        memset(w.naives, 0, sizeof w.naives);
        memset(w.sets, 0, sizeof w.sets);
      }
    }
    mdd_unprotect(w.m, w.sets);
    mdd_destroy(w.m);
  }
}

/* ---- larger ------------------------------------------------------------ */

enum { LONG = 14, MANY = 4000 };

static int compare_tuples(const void *a, const void *b)
{
  const uint32_t *x = a, *y = b;
  for (int i = 0; i < LONG; i++)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}

/* Long tuples with large values against a sorted array; all ways to build the
** set end in the same node. */
static void against_sorted_array(void **state)
{
  (void)state;
  static uint32_t tuples[MANY][LONG];
  random_state r;
  random_seed(&r, 46);
  for (int kind = 0; kind < 2; kind++) {
    mdd_manager *m = mdd_create((mdd_kind)kind, SIZE_MAX);
    mdd sets[4] = {0};
    assert_true(mdd_protect(m, sets, 4));
    for (int i = 0; i < MANY; i++)
      for (int j = 0; j < LONG; j++)
        tuples[i][j] =
            (uint32_t)(random_next(&r) >>
                       (j % 5 == 0 ? 62 : 32 + random_below(&r, 32)));
    for (int i = 0; i < MANY; i++)
      assert_int_not_equal(mdd_add(m, &sets[0], tuples[i], LONG), MDD_NO_ROOM);
    for (int i = MANY; i--;) {
      sets[1] = mdd_insert(m, sets[1], tuples[i], LONG);
      sets[3] = mdd_tuple(m, tuples[i], LONG);
      sets[2] = mdd_union(m, sets[2], sets[3]);
    }
    assert_int_equal(sets[0], sets[1]);
    assert_int_equal(sets[0], sets[2]);
    assert_sound(m);
    qsort(tuples, MANY, sizeof *tuples, compare_tuples);
    int distinct = 0;
    for (int i = 0; i < MANY; i++)
      if (!distinct || compare_tuples(tuples[distinct - 1], tuples[i]))
        memmove(tuples[distinct++], tuples[i], sizeof *tuples);
    assert_int_equal(members(m, sets[0]), distinct);
    uint32_t walk[LONG];
    int n = 0;
    for (bool more = mdd_first(m, sets[0], walk); more;
         more = mdd_next(m, sets[0], walk, LONG))
      assert_memory_equal(walk, tuples[n++], sizeof walk);
    assert_int_equal(n, distinct);
    mdd_unprotect(m, sets);
    mdd_destroy(m);
  }
}

/* A level with 100,000 values, in ascending and in descending order. */
static void wide_level(void **state)
{
  (void)state;
  enum { COUNT = 100000 };
  for (int kind = 0; kind < 2; kind++) {
    mdd_manager *m = mdd_create((mdd_kind)kind, SIZE_MAX);
    mdd s[3] = {0};
    assert_true(mdd_protect(m, s, 3));
    for (uint32_t i = 0; i < COUNT; i++) {
      uint32_t up[] = {1, 3 * i, 2}, down[] = {1, 3 * (COUNT - i) + 1, 2};
      assert_int_equal(mdd_add(m, &s[0], up, 3), MDD_NEW);
      if (kind == 0 || i < COUNT / 50)
        assert_int_equal(mdd_add(m, &s[1], down, 3), MDD_NEW);
    }
    uint64_t second = kind == 0 ? COUNT : COUNT / 50;
    assert_int_equal(members(m, s[0]), COUNT);
    s[2] = mdd_union(m, s[0], s[1]);
    assert_int_equal(members(m, s[2]), COUNT + second);
    assert_int_equal(mdd_minus(m, s[2], s[0]), s[1]);
    assert_int_equal(mdd_intersect(m, s[0], s[1]), MDD_EMPTY);
    assert_sound(m);
    /* Nothing is left but the nodes in use. */
    mdd_collect(m);
    mdd_sizes sizes;
    assert_true(mdd_size(m, s, 3, &sizes));
    assert_int_equal(mdd_figures(m).nodes, sizes.nodes);
    mdd_unprotect(m, s);
    mdd_destroy(m);
  }
}

static void many_levels(void **state)
{
  (void)state;
  enum { DEEP = 3000 };
  static uint32_t tuple[DEEP];
  random_state r;
  random_seed(&r, 47);
  mdd_manager *m = mdd_create(MDD_VALUES, SIZE_MAX);
  mdd s[2] = {0};
  assert_true(mdd_protect(m, s, 2));
  for (int i = 0; i < 300; i++) {
    tuple[random_below(&r, DEEP)] = (uint32_t)random_below(&r, 3);
    assert_int_not_equal(mdd_add(m, &s[i % 2], tuple, DEEP), MDD_NO_ROOM);
  }
  mdd_hold(m);
  mdd both = mdd_union(m, s[0], s[1]);
  assert_int_equal(mdd_minus(m, both, s[0]), mdd_minus(m, s[1], s[0]));
  assert_true(mdd_contains(m, both, tuple, DEEP));
  assert_int_equal(mdd_levels(m, both), DEEP);
  assert_sound(m);
  mdd_release(m);
  mdd_unprotect(m, s);
  mdd_collect(m);
  assert_int_equal(mdd_figures(m).nodes, 0);
  mdd_destroy(m);
}

/* Counters that run through all their values are one range per level. */
static void full_spaces_are_small(void **state)
{
  (void)state;
  enum { SIDE = 40 };
  mdd_manager *m = mdd_create(MDD_RANGES, SIZE_MAX);
  mdd s = MDD_EMPTY;
  assert_true(mdd_protect(m, &s, 1));
  for (uint32_t i = 0; i < SIDE * SIDE * SIDE; i++) {
    uint32_t t[] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
    assert_int_equal(mdd_add(m, &s, t, 3), MDD_NEW);
  }
  mdd_sizes sizes;
  assert_true(mdd_size(m, &s, 1, &sizes));
  assert_int_equal(sizes.nodes, 3);
  assert_int_equal(sizes.arcs, 3);
  assert_int_equal(members(m, s), SIDE * SIDE * SIDE);
  assert_sound(m);
  mdd_unprotect(m, &s);
  mdd_destroy(m);
}

static void several_managers(void **state)
{
  (void)state;
  enum { MANAGERS = 6 };
  mdd_manager *m[MANAGERS];
  mdd s[MANAGERS] = {0};
  for (int i = 0; i < MANAGERS; i++) {
    m[i] = mdd_create(i % 2 ? MDD_RANGES : MDD_VALUES, SIZE_MAX);
    mdd_set_garbage(m[i], 1);
    assert_true(mdd_protect(m[i], &s[i], 1));
  }
  for (uint32_t step = 0; step < 3000; step++)
    for (uint32_t i = 0; i < MANAGERS; i++) {
      uint32_t t[] = {step % (i + 2), step / 7 % 50, step * 7919 % 1000};
      s[i] = mdd_insert(m[i], s[i], t, 3);
    }
  for (uint32_t i = 0; i < MANAGERS; i++) {
    for (uint32_t step = 0; step < 3000; step++) {
      uint32_t t[] = {step % (i + 2), step / 7 % 50, step * 7919 % 1000};
      assert_true(mdd_contains(m[i], s[i], t, 3));
    }
    assert_sound(m[i]);
    mdd_unprotect(m[i], &s[i]);
    mdd_destroy(m[i]);
  }
}

/* ---- without memory ---------------------------------------------------- */

enum { FAULT_TUPLES = 6000 };

static void fault_tuple(uint32_t i, uint32_t *t)
{
  t[0] = i % 7;
  t[1] = i * 2654435761u >> 22;
  t[2] = i / 3;
  t[3] = i * 40503u >> 16 & 1023;
}

/* True when all was done; s holds valid sets whatever happens. */
static bool fault_work(mdd_manager *m, mdd *s)
{
  bool ok = true;
  for (uint32_t i = 0; i < FAULT_TUPLES; i++) {
    uint32_t t[4];
    fault_tuple(i, t);
    if (i % 5) {
      mdd_outcome outcome = mdd_add(m, &s[0], t, 4);
      ok = ok && outcome != MDD_NO_ROOM;
      assert_int_equal(mdd_contains(m, s[0], t, 4), outcome != MDD_NO_ROOM);
    } else if (i % 50 == 0) {
      mdd more = mdd_insert(m, s[1], t, 4);
      ok = ok && more != MDD_FULL;
      s[1] = more == MDD_FULL ? s[1] : more;
    }
  }
  mdd both = mdd_union(m, s[0], s[1]);
  ok = ok && both != MDD_FULL;
  mdd_touch touch[] = {MDD_SKIP, MDD_READ, MDD_SKIP, MDD_READ};
  mdd_shape *shape = mdd_shape_create(m, touch, 4);
  mdd part = shape ? mdd_project(m, both, shape) : MDD_FULL;
  mdd_hold(m);
  mdd back = shape ? mdd_image(m, both, part, shape, 0) : MDD_FULL;
  mdd_release(m);
  ok = ok && back == both;
  mdd_shape_destroy(shape);
  bignum count = {0};
  mdd_sizes sizes;
  mdd few = mdd_tuple(m, (uint32_t[]){1, 2}, 2);
  ok = few != MDD_FULL && mdd_count(m, few, &count) && ok;
  ok = mdd_size(m, s, 2, &sizes) && ok;
  bignum_free(&count);
  return ok;
}

static void every_allocation_fails(void **state)
{
  (void)state;
  for (int kind = 0; kind < 2; kind++) {
    bool done = false;
    uint64_t n = 1;
    for (; !done; n++) {
      mdd_manager *m = mdd_create((mdd_kind)kind, SIZE_MAX);
      mdd s[2] = {0};
      assert_true(mdd_protect(m, s, 2));
      mem_fail_at(n);
      done = fault_work(m, s);
      mem_fail_at(0);
      assert_sound(m);
      assert_true(fault_work(m, s));
      assert_sound(m);
      mdd_unprotect(m, s);
      mdd_destroy(m);
    }
    assert_true(n > 10);
    for (n = 1; n < 30; n++) {
      mem_fail_at(n);
      mdd_manager *m = mdd_create((mdd_kind)kind, SIZE_MAX);
      mem_fail_at(0);
      mdd_destroy(m);
      if (m)
        break;
    }
    assert_true(n < 30);
  }
}

static void limit(void **state)
{
  (void)state;
  mdd_manager *m = mdd_create(MDD_VALUES, 1 << 18);
  mdd s = MDD_EMPTY;
  assert_true(mdd_protect(m, &s, 1));
  uint32_t i = 0, t[4];
  for (;; i++) {
    fault_tuple(i, t);
    if (mdd_add(m, &s, t, 4) == MDD_NO_ROOM)
      break;
  }
  assert_true(i > 1000);
  assert_true(mdd_figures(m).bytes <= 1 << 18);
  assert_int_equal(mdd_union(m, s, s), s);
  for (uint32_t j = 0; j < i; j++) {
    fault_tuple(j, t);
    assert_true(mdd_contains(m, s, t, 4));
  }
  assert_sound(m);
  mdd_unprotect(m, &s);
  mdd_destroy(m);
}

static void pictures(void **state)
{
  (void)state;
  mdd_manager *m = mdd_create(MDD_RANGES, SIZE_MAX);
  mdd_hold(m);
  mdd s = MDD_EMPTY;
  for (uint32_t i = 1; i < 8; i++)
    s = mdd_insert(m, s, (uint32_t[]){i == 4 ? 9 : i, 3}, 2);
  mdd sets[] = {s, MDD_EMPTY};
  text out = {0};
  assert_true(
      mdd_dot(m, sets, (const char *[]){"seen \"", NULL}, 2, NULL, &out));
  const char *dot = text_string(&out);
  assert_non_null(strstr(dot, "digraph"));
  assert_non_null(strstr(dot, "label=\"1..3,5..7,9\""));
  assert_non_null(strstr(dot, "label=\"seen \\\"\""));
  assert_non_null(strstr(dot, "set 1 (empty)"));
  text_free(&out);
  mdd_release(m);
  mdd_destroy(m);
}

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A random walk over tuples of 20 elements, one or two changed at a time, as a
** search sees them.  Times are printed, not judged. */
static void speed(void **state)
{
  (void)state;
  enum { ELEMENTS = 20, STEPS = 200000 };
  const char *ways[] = {"add, values", "add, ranges", "insert, values"};
  for (int way = 0; way < 3; way++) {
    mdd_manager *m = mdd_create(way == 1 ? MDD_RANGES : MDD_VALUES, SIZE_MAX);
    random_state r;
    random_seed(&r, 48);
    mdd s = MDD_EMPTY;
    assert_true(mdd_protect(m, &s, 1));
    uint32_t t[ELEMENTS] = {0};
    double begin = seconds();
    int steps = way == 2 ? STEPS / 4 : STEPS;
    for (int i = 0; i < steps; i++) {
      uint64_t x = random_next(&r);
      t[x % ELEMENTS] = (uint32_t)(x >> 32) % 4;
      if (way == 2)
        s = mdd_insert(m, s, t, ELEMENTS);
      else
        mdd_add(m, &s, t, ELEMENTS);
    }
    double middle = seconds();
    uint64_t found = 0;
    random_seed(&r, 48);
    memset(t, 0, sizeof t);
    for (int i = 0; i < steps; i++) {
      uint64_t x = random_next(&r);
      t[x % ELEMENTS] = (uint32_t)(x >> 32) % 4;
      found += mdd_contains(m, s, t, ELEMENTS);
    }
    double end = seconds();
    assert_int_equal(found, steps);
    mdd_sizes sizes;
    assert_true(mdd_size(m, &s, 1, &sizes));
    printf("# %s: %.2f us each, lookup %.2f us, %.1f bytes a tuple\n",
           ways[way], (middle - begin) * 1e6 / steps,
           (end - middle) * 1e6 / steps,
           (double)sizes.bytes / (double)members(m, s));
    mdd_unprotect(m, &s);
    mdd_destroy(m);
  }
}

UNIT_MAIN(UNIT(basic), UNIT(corner), UNIT(values_against_naive),
          UNIT(ranges_against_naive), UNIT(kept_sets_stay),
          UNIT(against_sorted_array), UNIT(wide_level), UNIT(many_levels),
          UNIT(full_spaces_are_small), UNIT(several_managers),
          UNIT(every_allocation_fails), UNIT(limit), UNIT(pictures),
          UNIT(speed))
