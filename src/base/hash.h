/* Hash functions.  'hash_bytes' is xxHash's XXH3, the same value on every
** machine of the same byte order. */

#ifndef NUT_BASE_HASH_H
#define NUT_BASE_HASH_H

#define XXH_INLINE_ALL
#include <stddef.h>
#include <stdint.h>
#include <xxhash.h>

static inline uint64_t hash_bytes(const void *data, size_t length)
{
  return XXH3_64bits(data, length);
}

/* A bijection that mixes all bits (the finaliser of splitmix64). */
static inline uint64_t hash_mix(uint64_t x)
{
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

#endif
