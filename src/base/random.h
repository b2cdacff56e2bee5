/* Reproducible pseudo-random numbers (xoshiro256**, seeded by splitmix64). */

#ifndef NUT_BASE_RANDOM_H
#define NUT_BASE_RANDOM_H

#include <stdint.h>

typedef struct random_state {
  uint64_t s[4];
} random_state;

void random_seed(random_state *, uint64_t seed);
uint64_t random_next(random_state *);
/* Uniform in 0 .. n-1; n must not be 0. */
uint64_t random_below(random_state *, uint64_t n);

#endif
