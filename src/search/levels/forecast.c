/* The bend of the curve of levels, and what followed it in other models. */

#include "search/levels/forecast.h"

#include <math.h>

/* What bench/forecast has fitted: by how much, as a logarithm, all states
** outnumber those met so far. */
typedef struct row {
  double bend, low, likely, high;
} row;

static const row table[] = {
    {0.000, 1.326, 2.318, 2.957}, {0.100, 1.070, 2.218, 2.809},
    {0.200, 1.080, 1.867, 2.898}, {0.300, 1.147, 1.831, 3.084},
    {0.400, 0.742, 1.770, 2.889}, {0.500, 0.587, 1.446, 2.624},
    {0.650, 0.276, 0.934, 2.115}, {0.800, 0.114, 0.509, 0.874},
    {1.000, 0.107, 0.407, 0.957}, {1.300, 0.052, 0.168, 0.413},
    {1.700, 0.021, 0.114, 0.179}, {2.200, 0.025, 0.060, 0.106},
    {3.000, 0.023, 0.053, 0.053},
};

enum { ROWS = sizeof table / sizeof *table };

void forecast_free(forecast *f)
{
  vec_free(&f->met);
}

void forecast_add(forecast *f, uint64_t states)
{
  if (f->met.len <= FORECAST_LEVELS)
    vec_push(&f->met, states);
}

/* The depth at which there were so many states, which need not be whole. */
static double depth_of(const forecast *f, double states)
{
  size_t low = 0, high = f->met.len - 1;
  const uint64_t *met = f->met.data;
  if (states <= (double)met[0])
    return 0;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if ((double)met[middle] <= states)
      low = middle;
    else
      high = middle;
  }
  double before = log((double)met[low]), after = log((double)met[high]);
  return (double)low + (log(states) - before) / (after - before);
}

static double bend_for(const forecast *f, double factor)
{
  double all = (double)f->met.data[f->met.len - 1];
  double now = (double)(f->met.len - 1);
  double once = depth_of(f, all / factor);
  double twice = depth_of(f, all / factor / factor);
  return log((now - once) / (once - twice)) / log(factor);
}

double forecast_bend(const forecast *f)
{
  return (bend_for(f, 2) + bend_for(f, 1.4)) / 2;
}

static double between(double from, double to, double part)
{
  return from + (to - from) * part;
}

static row look_up(double bend)
{
  size_t i = 0;
  if (bend <= table[0].bend)
    return table[0];
  while (i + 1 < ROWS && table[i + 1].bend <= bend)
    i++;
  if (i + 1 == ROWS)
    return table[i];
  double part = (bend - table[i].bend) / (table[i + 1].bend - table[i].bend);
  return (row){bend, between(table[i].low, table[i + 1].low, part),
               between(table[i].likely, table[i + 1].likely, part),
               between(table[i].high, table[i + 1].high, part)};
}

bool forecast_states(const forecast *f, uint64_t now, nut_expected *e)
{
  *e = (nut_expected){0, 0, 0};
  if (f->met.len <= FORECAST_FIRST_LEVEL || f->met.len > FORECAST_LEVELS)
    return false;
  double all = (double)f->met.data[f->met.len - 1], known = (double)now;
  if (all < FORECAST_LEAST_STATES)
    return false;
  row r = look_up(forecast_bend(f));
  e->low = fmax(all * exp(r.low), known);
  e->likely = fmax(all * exp(r.likely), e->low);
  e->high = fmax(all * exp(r.high), e->likely);
  return true;
}
