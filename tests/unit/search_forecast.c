/* The forecast of the number of states: curves of which the bend is known, the
** table, and when there is none. */

#include "search/levels/forecast.h"
#include "unit.h"

#include <math.h>

/* A curve in which each level has 'factor' times the states of the one before,
** up to so many levels. */
static forecast exponential(double factor, size_t levels)
{
  forecast f = {0};
  double states = 1, level = 1;
  for (size_t i = 0; i < levels; i++) {
    forecast_add(&f, (uint64_t)states);
    level *= factor;
    states += level;
  }
  return f;
}

/* States grow as a power of the depth. */
static forecast power(double exponent, size_t levels)
{
  forecast f = {0};
  for (size_t i = 0; i < levels; i++)
    forecast_add(&f, (uint64_t)pow((double)i + 1, exponent));
  return f;
}

/* Levels are a bell around 'peak'; of all levels the first 'levels'. */
static forecast bell(double peak, double width, size_t levels, double *all)
{
  forecast f = {0};
  double met = 0;
  *all = 0;
  for (double i = 0; i < 3 * peak; i++) {
    double level = 1 + 1e5 * exp(-(i - peak) * (i - peak) / 2 / width / width);
    *all += level;
    if (i >= (double)levels)
      continue;
    met += level;
    forecast_add(&f, (uint64_t)met);
  }
  return f;
}

/* Steady growth has no bend; in a power of the depth each doubling takes the
** same factor more. */
static void bends_are_those_of_the_curve(void **state)
{
  (void)state;
  forecast steady = exponential(2, 30);
  assert_true(fabs(forecast_bend(&steady)) < 0.01);
  forecast_free(&steady);
  for (double exponent = 1; exponent < 5; exponent++) {
    forecast f = power(exponent, 400);
    assert_true(fabs(forecast_bend(&f) - 1 / exponent) < 0.02);
    forecast_free(&f);
  }
}

/* The nearer the end, the more the curve bends. */
static void bells_bend_more_and_more(void **state)
{
  (void)state;
  double before = -1, all;
  for (size_t levels = 40; levels <= 140; levels += 20) {
    forecast f = bell(80, 20, levels, &all);
    double bend = forecast_bend(&f);
    assert_true(bend > before);
    before = bend;
    nut_expected e;
    uint64_t now = f.met.data[f.met.len - 1];
    assert_true(forecast_states(&f, now, &e));
    assert_true((double)now <= e.low && e.low <= e.likely);
    assert_true(e.likely <= e.high);
    if (levels == 80) /* half of the states */
      assert_true(e.low < all && all < e.high);
    forecast_free(&f);
  }
}

static void what_is_known_is_no_longer_expected(void **state)
{
  (void)state;
  double all;
  forecast f = bell(80, 20, 80, &all);
  nut_expected e, later;
  assert_true(forecast_states(&f, f.met.data[79], &e));
  uint64_t more = (uint64_t)(e.likely * 1.1);
  assert_true(forecast_states(&f, more, &later));
  assert_true(later.low == (double)more && later.likely == (double)more);
  assert_true(later.high == e.high);
  more = (uint64_t)(e.high * 2);
  assert_true(forecast_states(&f, more, &later));
  assert_true(later.low == later.high && later.high == (double)more);
  forecast_free(&f);
}

static void some_curves_have_none(void **state)
{
  (void)state;
  nut_expected e;
  forecast empty = {0};
  assert_false(forecast_states(&empty, 1, &e));
  assert_true(e.low == 0 && e.high == 0);
  forecast few_levels = exponential(10, FORECAST_FIRST_LEVEL);
  assert_false(forecast_states(&few_levels, 1000000, &e));
  forecast_add(&few_levels, UINT64_C(20000000));
  assert_true(forecast_states(&few_levels, 1000000, &e));
  forecast_free(&few_levels);
  forecast few_states = power(1, FORECAST_LEAST_STATES - 1);
  assert_false(forecast_states(&few_states, 400, &e));
  forecast_add(&few_states, FORECAST_LEAST_STATES);
  assert_true(forecast_states(&few_states, FORECAST_LEAST_STATES, &e));
  forecast_free(&few_states);
  forecast deep = power(1, FORECAST_LEVELS);
  assert_true(forecast_states(&deep, FORECAST_LEVELS, &e));
  for (unsigned i = 1; i < 10; i++)
    forecast_add(&deep, FORECAST_LEVELS + i);
  assert_false(forecast_states(&deep, FORECAST_LEVELS + 9, &e));
  forecast_free(&deep);
}

UNIT_MAIN(UNIT(bends_are_those_of_the_curve), UNIT(bells_bend_more_and_more),
          UNIT(what_is_known_is_no_longer_expected),
          UNIT(some_curves_have_none))
