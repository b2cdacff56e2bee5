#include "base/random.h"

#include "base/hash.h"

#include <assert.h>

/* Blackman and Vigna, "Scrambled linear pseudorandom number generators". */

void random_seed(random_state *r, uint64_t seed)
{
  /* splitmix64 visits every number once: the state cannot be all zero. */
  for (int i = 0; i < 4; i++)
    r->s[i] = hash_mix(seed += UINT64_C(0x9e3779b97f4a7c15));
}

static uint64_t rotate(uint64_t x, unsigned bits)
{
  return x << bits | x >> (64 - bits);
}

uint64_t random_next(random_state *r)
{
  uint64_t *s = r->s;
  uint64_t result = rotate(s[1] * 5, 7) * 9;
  uint64_t shifted = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = rotate(s[3], 45);
  return result;
}

uint64_t random_below(random_state *r, uint64_t n)
{
  assert(n);
  /* The first 2^64 mod n numbers would make small results more likely. */
  uint64_t surplus = (0 - n) % n;
  uint64_t x;
  do
    x = random_next(r);
  while (x < surplus);
  return x % n;
}
