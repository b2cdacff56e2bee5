/* Our diagrams against those of BuDDy: the same random operations in both, and
** after each the results are compared as functions and by their numbers of
** satisfying assignments. */

#include "unit.h"

#include <bdd.h>
#include <stdio.h>
#include <time.h>

#include "base/random.h"
#include "dd/robdd/robdd.h"

enum { VARIABLES = 12, FUNCTIONS = 40, STEPS = 8000, MOST_VARIABLES = 30 };

static size_t total_nodes; /* compared, to see that the test is worth it */

typedef struct twins {
  robdd_manager *m;
  robdd ours[FUNCTIONS];
  BDD theirs[FUNCTIONS];
  random_state r;
} twins;

static void quiet(int before, bddGbcStat *s)
{
  (void)before, (void)s;
}

static unsigned below(twins *t, unsigned n)
{
  return (unsigned)random_below(&t->r, n);
}

/* Once only, since all of BuDDy is global. */
static void start_buddy(void)
{
  if (bdd_isrunning())
    return;
  bdd_init(100000, 100000);
  bdd_gbc_hook(quiet);
  bdd_setcacheratio(2);
  bdd_setvarnum(MOST_VARIABLES);
}

static void start(twins *t, uint64_t seed)
{
  start_buddy();
  random_seed(&t->r, seed);
  t->m = robdd_create(VARIABLES, SIZE_MAX);
  for (int i = 0; i < FUNCTIONS; i++) {
    unsigned v = below(t, VARIABLES);
    t->ours[i] = robdd_variable(t->m, v);
    t->theirs[i] = bdd_ithvar((int)v);
  }
  assert_true(robdd_protect(t->m, t->ours, FUNCTIONS));
}

static void finish(twins *t)
{
  assert_null(robdd_check(t->m));
  robdd_unprotect(t->m, t->ours);
  robdd_destroy(t->m);
  for (int i = 0; i < FUNCTIONS; i++)
    bdd_delref(t->theirs[i]);
}

/* Their function as one of ours.  Small enough to go without a memory of what
** was translated: the computed table finds what is equal. */
static robdd translate(robdd_manager *m, BDD f)
{
  if (f == bddtrue || f == bddfalse)
    return f == bddtrue ? ROBDD_TRUE : ROBDD_FALSE;
  robdd low = translate(m, bdd_low(f)), high = translate(m, bdd_high(f));
  return robdd_ite(m, robdd_variable(m, (uint32_t)bdd_var(f)), high, low);
}

static void assert_same(twins *t, robdd ours, BDD theirs)
{
  robdd_hold(t->m);
  assert_int_equal(ours, translate(t->m, theirs));
  robdd_release(t->m);
  bignum count = {0};
  assert_true(robdd_count(t->m, ours, VARIABLES, &count));
  /* BuDDy counts over all variables it has. */
  double others = 1 << (MOST_VARIABLES - VARIABLES);
  assert_true(bignum_to_double(&count) * others == bdd_satcount(theirs));
  bignum_free(&count);
  total_nodes += (size_t)bdd_nodecount(theirs);
}

/* A random set of variables, as a cube of both. */
static unsigned some_variables(twins *t, uint32_t *variables)
{
  unsigned count = 0;
  for (uint32_t v = 0; v < VARIABLES; v++)
    if (below(t, 6) == 0)
      variables[count++] = v;
  return count;
}

static BDD their_cube(const uint32_t *variables, const uint8_t *values,
                      unsigned count)
{
  BDD cube = bddtrue;
  for (unsigned i = count; i--;) {
    bdd_addref(cube);
    BDD literal = !values || values[i] ? bdd_ithvar((int)variables[i])
                                       : bdd_nithvar((int)variables[i]);
    BDD more = bdd_and(literal, cube);
    bdd_delref(cube);
    cube = more;
  }
  return cube;
}

static void quantify_both(twins *t, unsigned i, robdd *ours, BDD *theirs)
{
  uint32_t variables[VARIABLES];
  unsigned count = some_variables(t, variables);
  robdd cube = robdd_cube(t->m, variables, NULL, count);
  BDD other = bdd_addref(their_cube(variables, NULL, count));
  *ours = robdd_exists(t->m, t->ours[i], cube);
  *theirs = bdd_exist(t->theirs[i], other);
  bdd_delref(other);
}

static void random_step(twins *t, robdd *ours, BDD *theirs)
{
  unsigned i = below(t, FUNCTIONS), j = below(t, FUNCTIONS);
  unsigned k = below(t, FUNCTIONS), v = below(t, VARIABLES);
  robdd f = t->ours[i], g = t->ours[j], h = t->ours[k];
  BDD a = t->theirs[i], b = t->theirs[j], c = t->theirs[k];
  switch (below(t, 10)) {
  case 0:
    *ours = robdd_and(t->m, f, g), *theirs = bdd_and(a, b);
    break;
  case 1:
    *ours = robdd_or(t->m, f, g), *theirs = bdd_or(a, b);
    break;
  case 2:
    *ours = robdd_xor(t->m, f, g), *theirs = bdd_xor(a, b);
    break;
  case 3:
    *ours = robdd_not(f), *theirs = bdd_not(a);
    break;
  case 4:
    *ours = robdd_ite(t->m, f, g, h), *theirs = bdd_ite(a, b, c);
    break;
  case 5:
    *ours = robdd_equiv(t->m, f, g), *theirs = bdd_biimp(a, b);
    break;
  case 6:
    *ours = robdd_minus(t->m, f, g), *theirs = bdd_apply(a, b, bddop_diff);
    break;
  case 7:
    *ours = robdd_variable(t->m, v), *theirs = bdd_ithvar((int)v);
    break;
  default:
    quantify_both(t, i, ours, theirs);
  }
}

/* A function of six variables with a random table, made from its rows. */
static void renew(twins *t, unsigned place)
{
  enum { INPUTS = 6 };
  uint64_t table = random_next(&t->r);
  uint32_t inputs[INPUTS];
  for (uint32_t i = 0; i < INPUTS; i++)
    inputs[i] = 2 * i + below(t, 2);
  robdd ours = ROBDD_FALSE;
  BDD theirs = bddfalse;
  robdd_hold(t->m);
  for (unsigned row = 0; row < 1 << INPUTS; row++) {
    uint8_t values[INPUTS];
    for (unsigned i = 0; i < INPUTS; i++)
      values[i] = row >> i & 1;
    if (!(table >> row & 1))
      continue;
    ours = robdd_or(t->m, ours, robdd_cube(t->m, inputs, values, INPUTS));
    BDD cube = bdd_addref(their_cube(inputs, values, INPUTS));
    BDD more = bdd_addref(bdd_or(theirs, cube));
    bdd_delref(theirs);
    bdd_delref(cube);
    theirs = more;
  }
  robdd_release(t->m);
  bdd_delref(t->theirs[place]);
  t->ours[place] = ours;
  t->theirs[place] = theirs;
}

static void run(twins *t, int steps, bool reorder)
{
  for (int step = 0; step < steps; step++) {
    robdd ours;
    BDD theirs;
    random_step(t, &ours, &theirs);
    assert_true(ours != ROBDD_FULL && theirs >= 0);
    unsigned place = below(t, FUNCTIONS);
    bdd_addref(theirs);
    bdd_delref(t->theirs[place]);
    t->ours[place] = ours;
    t->theirs[place] = theirs;
    assert_same(t, ours, theirs);
    if (step % 50 == 0)
      robdd_collect(t->m);
    if (reorder && step % 200 == 100)
      assert_true(robdd_reorder(t->m));
    if (reorder && step % 7 == 0)
      assert_true(robdd_swap_levels(t->m, below(t, VARIABLES - 1)));
    if (step % 500 == 0)
      assert_null(robdd_check(t->m));
    /* Functions tend to become constant; start over now and then. */
    if (step % 2 == 0)
      renew(t, below(t, FUNCTIONS));
  }
}

static void same_order(void **state)
{
  (void)state;
  static twins t;
  start(&t, 31);
  run(&t, STEPS, false);
  assert_true(total_nodes > 50 * STEPS);
  finish(&t);
}

static void while_reordering(void **state)
{
  (void)state;
  static twins t;
  start(&t, 32);
  run(&t, STEPS, true);
  finish(&t);
}

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The carry out of an adder whose numbers are not interleaved: many nodes.
** Times are printed, not judged. */
static void speed(void **state)
{
  (void)state;
  enum { BITS = MOST_VARIABLES / 2 };
  double begin = seconds();
  robdd_manager *m = robdd_create(2 * BITS, SIZE_MAX);
  robdd carry = ROBDD_FALSE;
  assert_true(robdd_protect(m, &carry, 1));
  for (uint32_t i = 0; i < BITS; i++) {
    robdd a = robdd_variable(m, i), b = robdd_variable(m, BITS + i);
    robdd_hold(m);
    carry = robdd_or(m, robdd_and(m, a, b),
                     robdd_and(m, carry, robdd_xor(m, a, b)));
    robdd_release(m);
  }
  double middle = seconds();
  start_buddy();
  BDD theirs = bddfalse;
  for (int i = 0; i < BITS; i++) {
    BDD a = bdd_ithvar(i), b = bdd_ithvar(BITS + i);
    BDD sum = bdd_addref(bdd_xor(a, b));
    BDD pass = bdd_addref(bdd_and(theirs, sum));
    BDD both = bdd_addref(bdd_and(a, b));
    BDD new = bdd_addref(bdd_or(both, pass));
    bdd_delref(sum), bdd_delref(pass), bdd_delref(both), bdd_delref(theirs);
    theirs = new;
  }
  double end = seconds();
  bignum count = {0};
  assert_true(robdd_count(m, carry, 2 * BITS, &count));
  assert_true(bignum_to_double(&count) == bdd_satcount(theirs));
  printf("# adder: ours %.3f s, %zu nodes; BuDDy %.3f s, %d nodes\n",
         middle - begin, robdd_size(m, &carry, 1), end - middle,
         bdd_nodecount(theirs));
  bdd_delref(theirs);
  bignum_free(&count);
  robdd_unprotect(m, &carry);
  robdd_destroy(m);
}

UNIT_MAIN(UNIT(same_order), UNIT(while_reordering), UNIT(speed))
