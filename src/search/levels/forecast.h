/* How many states a search level by level will find, judged by the curve of its
** levels so far.
**
** Let d(x) be the depth at which x states were met.  While levels grow at a
** steady rate, each doubling of the states takes as many levels as the one
** before; near the end it takes more and more.  So with the states S met now
**
**   bend (f) = log ((d(S) - d(S/f)) / (d(S/f) - d(S/f^2))) / log f
**
** and its mean for f = 2 and f = 1.4 an interval for the number of all states is
** looked up in a table.  bench/forecast fits the table to one half of many
** models, judges it by the other half, and is a twin of this arithmetic. */

#ifndef NUT_SEARCH_LEVELS_FORECAST_H
#define NUT_SEARCH_LEVELS_FORECAST_H

#include "base/vec.h"
#include "nutshell.h"
#include <stdbool.h>
#include <stdint.h>

enum {
  FORECAST_FIRST_LEVEL = 8,    /* no forecast before, */
  FORECAST_LEAST_STATES = 500, /* nor with fewer states, */
  FORECAST_LEVELS = 1 << 16    /* nor with more levels: there is no end */
};

typedef struct forecast {
  VEC(uint64_t) met; /* states up to each level that is complete */
} forecast;

void forecast_free(forecast *);
/* The next level is complete: so many states up to it. */
void forecast_add(forecast *, uint64_t states);
/* The number of all states, when there are so many now; false: no forecast. */
bool forecast_states(const forecast *, uint64_t now, nut_expected *);
/* The bend of the curve, for 'forecast_states'. */
double forecast_bend(const forecast *);

#endif
