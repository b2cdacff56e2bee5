/* Images, closures and sums over pairs of bits, against the same by other
** operations or by trying all assignments. */

#include "unit.h"

#include "base/random.h"
#include "dd/robdd/robdd_steps.h"

enum { PAIRS = 5, VARIABLES = 2 * PAIRS, STATES = 1 << PAIRS, ROUNDS = 400 };

typedef struct fixture {
  robdd_manager *m;
  random_state r;
  robdd now[PAIRS], after[PAIRS]; /* as functions */
  robdd set, relation, written, result, expected;
} fixture;

static unsigned below(fixture *x, unsigned n)
{
  return (unsigned)random_below(&x->r, n);
}

static void start(fixture *x, uint64_t seed)
{
  *x = (fixture){.m = robdd_create(VARIABLES, SIZE_MAX)};
  random_seed(&x->r, seed);
  assert_true(robdd_protect(x->m, x->now, 2 * PAIRS + 5));
  for (uint32_t i = 0; i < PAIRS; i++) {
    robdd_group(x->m, 2 * i, 2);
    x->now[i] = robdd_variable(x->m, 2 * i);
    x->after[i] = robdd_variable(x->m, 2 * i + 1);
  }
  robdd_set_least_garbage(x->m, 0);
}

static void finish(fixture *x)
{
  const char *problem = robdd_check(x->m);
  if (problem)
    fail_msg("%s", problem);
  robdd_destroy(x->m);
}

/* Some states. */
static void choose_set(fixture *x)
{
  x->set = ROBDD_FALSE;
  for (unsigned n = below(x, 12) + 1; n--;) {
    robdd cube = ROBDD_TRUE;
    unsigned state = below(x, STATES), care = below(x, STATES);
    robdd_hold(x->m);
    for (unsigned i = 0; i < PAIRS; i++)
      if (care >> i & 1)
        cube = robdd_and(x->m, cube,
                         state >> i & 1 ? x->now[i] : robdd_not(x->now[i]));
    robdd_release(x->m);
    x->set = robdd_or(x->m, x->set, cube);
  }
}

/* Some pairs of states that differ in the bits of 'writes' only, from the bit
** 'first' on. */
static void choose_relation(fixture *x, unsigned first, unsigned *writes)
{
  *writes = (below(x, STATES) >> first) << first;
  x->written = ROBDD_TRUE;
  x->relation = ROBDD_FALSE;
  for (unsigned i = 0; i < PAIRS; i++)
    if (*writes >> i & 1)
      x->written = robdd_and(x->m, x->written, x->now[i]);
  for (unsigned n = below(x, 9) + 1; n--;) {
    robdd_hold(x->m);
    robdd pair = ROBDD_TRUE;
    unsigned care = below(x, STATES), bits = below(x, STATES);
    unsigned then = below(x, STATES);
    for (unsigned i = first; i < PAIRS; i++) {
      if (care >> i & 1)
        pair = robdd_and(x->m, pair,
                         bits >> i & 1 ? x->now[i] : robdd_not(x->now[i]));
      if (*writes >> i & 1)
        pair = robdd_and(x->m, pair,
                         then >> i & 1 ? x->after[i] : robdd_not(x->after[i]));
    }
    robdd_release(x->m);
    x->relation = robdd_or(x->m, x->relation, pair);
  }
}

/* The variables of the bits in 'writes', now or after. */
static uint32_t variables_of(unsigned writes, bool after, uint32_t *list)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < PAIRS; i++)
    if (writes >> i & 1)
      list[n++] = 2 * i + after;
  return n;
}

/* f with variables 'to' in place of 'from', on none of which it depends. */
static robdd renamed(robdd_manager *m, robdd f, const uint32_t *from,
                     const uint32_t *to, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    f = robdd_and(
        m, f,
        robdd_equiv(m, robdd_variable(m, from[i]), robdd_variable(m, to[i])));
  return robdd_exists(m, f, robdd_cube(m, from, NULL, n));
}

/* Conjunction, quantification, renaming, one after the other. */
static robdd slow_image(fixture *x, robdd set, robdd relation, unsigned writes)
{
  uint32_t now[PAIRS], after[PAIRS];
  uint32_t n = variables_of(writes, false, now);
  variables_of(writes, true, after);
  robdd_hold(x->m);
  robdd both = robdd_exists(x->m, robdd_and(x->m, set, relation),
                            robdd_cube(x->m, now, NULL, n));
  both = renamed(x->m, both, after, now, n);
  robdd_release(x->m);
  return both;
}

static robdd slow_preimage(fixture *x, unsigned writes)
{
  uint32_t now[PAIRS], after[PAIRS];
  uint32_t n = variables_of(writes, false, now);
  variables_of(writes, true, after);
  robdd_hold(x->m);
  robdd both =
      robdd_and(x->m, renamed(x->m, x->set, now, after, n), x->relation);
  both = robdd_exists(x->m, both, robdd_cube(x->m, after, NULL, n));
  robdd_release(x->m);
  return both;
}

static void images(void **state)
{
  (void)state;
  fixture x;
  start(&x, 1);
  for (int i = 0; i < ROUNDS; i++) {
    unsigned writes;
    choose_set(&x);
    choose_relation(&x, 0, &writes);
    x.expected = slow_image(&x, x.set, x.relation, writes);
    x.result = robdd_image(x.m, x.set, x.relation, x.written);
    assert_int_equal(x.result, x.expected);
    x.expected = slow_preimage(&x, writes);
    x.result = robdd_preimage(x.m, x.set, x.relation, x.written);
    assert_int_equal(x.result, x.expected);
    if (i % 50 == 0)
      assert_true(robdd_reorder(x.m));
  }
  finish(&x);
}

/* ---- closures ----------------------------------------------------------- */

enum { EVENTS = 4 };

typedef struct system {
  fixture *x;
  robdd relations[EVENTS], written[EVENTS];
  unsigned writes[EVENTS];
} system_of_events;

static robdd fire(void *context, uint32_t event, robdd set)
{
  system_of_events *s = context;
  return robdd_image(s->x->m, set, s->relations[event], s->written[event]);
}

/* Event i begins at the i-th pair, and touches it, so that the levels are
** known. */
static void choose_events(system_of_events *s)
{
  fixture *x = s->x;
  for (uint32_t i = 0; i < EVENTS; i++) {
    choose_relation(x, i, &s->writes[i]);
    s->relations[i] = x->relation;
    s->written[i] = x->written;
  }
}

static void closures(void **state)
{
  (void)state;
  fixture x;
  start(&x, 2);
  system_of_events s = {.x = &x};
  assert_true(robdd_protect(x.m, s.relations, EVENTS));
  assert_true(robdd_protect(x.m, s.written, EVENTS));
  uint32_t list[EVENTS] = {0, 1, 2, 3}, tops[EVENTS] = {0, 2, 4, 6};
  for (int i = 0; i < ROUNDS; i++) {
    choose_events(&s);
    choose_set(&x);
    robdd_events events = {list, tops, EVENTS, 0, fire, &s};
    assert_true(robdd_take_keys(x.m, EVENTS, &events.key));
    x.result = robdd_close(x.m, x.set, &events, 0);
    x.expected = x.set;
    for (robdd before = ROBDD_FULL; before != x.expected;) {
      before = x.set = x.expected;
      for (uint32_t k = 0; k < EVENTS; k++)
        x.expected =
            robdd_or(x.m, x.expected,
                     slow_image(&x, x.expected, s.relations[k], s.writes[k]));
    }
    assert_int_equal(x.result, x.expected);
  }
  finish(&x);
}

/* ---- sums --------------------------------------------------------------- */

static int64_t sum_of(const int64_t *weights, unsigned bits)
{
  int64_t sum = 0;
  for (unsigned i = 0; i < PAIRS; i++)
    sum += bits >> i & 1 ? weights[2 * i] : 0;
  return sum;
}

static bool has_state(fixture *x, robdd set, unsigned bits)
{
  uint8_t values[VARIABLES] = {0};
  for (unsigned i = 0; i < PAIRS; i++)
    values[2 * i] = bits >> i & 1;
  return robdd_value(x->m, set, values);
}

static void sums(void **state)
{
  (void)state;
  fixture x;
  start(&x, 3);
  for (int n = 0; n < ROUNDS; n++) {
    int64_t weights[VARIABLES] = {0}, most = INT64_MIN, found;
    for (unsigned i = 0; i < PAIRS; i++)
      weights[2 * i] = (int64_t)below(&x, 20) - 8;
    int64_t lo = (int64_t)below(&x, 30) - 15, hi = lo + below(&x, 10);
    choose_set(&x);
    x.result = robdd_between(x.m, x.set, weights, lo, hi);
    for (unsigned bits = 0; bits < STATES; bits++) {
      int64_t sum = sum_of(weights, bits);
      bool there = has_state(&x, x.set, bits);
      assert_int_equal(has_state(&x, x.result, bits),
                       there && sum >= lo && sum <= hi);
      most = there && sum > most ? sum : most;
    }
    assert_true(robdd_greatest(x.m, x.set, weights, &found));
    assert_true(found == most);
    if (n % 50 == 0)
      assert_true(robdd_reorder(x.m));
  }
  finish(&x);
}

/* ---- patience ----------------------------------------------------------- */

static bool at_once(void *context)
{
  ++*(unsigned *)context;
  return true;
}

/* A long operation asks, ends, and leaves the manager in order. */
static void impatience(void **state)
{
  (void)state;
  enum { MANY = 30 };
  unsigned asked = 0;
  robdd_manager *m = robdd_create(2 * MANY, SIZE_MAX);
  robdd_set_patience(m, at_once, &asked);
  robdd f = ROBDD_FALSE;
  assert_true(robdd_protect(m, &f, 1));
  for (uint32_t i = 0; i < MANY && f != ROBDD_FULL; i++)
    f = robdd_or(
        m, f, robdd_and(m, robdd_variable(m, i), robdd_variable(m, MANY + i)));
  assert_int_equal(f, ROBDD_FULL);
  assert_true(asked > 0);
  f = ROBDD_FALSE;
  robdd_collect(m);
  assert_null(robdd_check(m));
  robdd_destroy(m);
}

UNIT_MAIN(UNIT(images), UNIT(closures), UNIT(sums), UNIT(impatience))
