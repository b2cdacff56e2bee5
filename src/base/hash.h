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

/* Both halves of a product, put together. */
static inline uint64_t hash_fold(uint64_t a, uint64_t b)
{
  __extension__ typedef unsigned __int128 wide;
  wide both = (wide)a * b;
  return (uint64_t)both ^ (uint64_t)(both >> 64);
}

/* For short strings: a multiplication for each eight bytes, and no call.
** 'hash_padded' gives the same for a string with eight zeros behind it, and
** reads it as it was perhaps written a moment ago: by words. */
static inline uint64_t hash_padded(const uint8_t *data, size_t length)
{
  uint64_t h = UINT64_C(0x9e3779b97f4a7c15) + length, word;
  for (size_t at = 0; at < length; at += 8) {
    __builtin_memcpy(&word, data + at, 8);
    h = hash_fold(h ^ UINT64_C(0xa0761d6478bd642f),
                  word ^ UINT64_C(0xe7037ed1a0b428db));
  }
  return hash_fold(h ^ UINT64_C(0x8ebc6af09c88c6e3),
                   UINT64_C(0x589965cc75374cc3));
}

static inline uint64_t hash_short(const void *string, size_t length)
{
  const uint8_t *data = (const uint8_t *)string;
  uint64_t h = UINT64_C(0x9e3779b97f4a7c15) + length;
  for (size_t at = 0; at < length; at += 8) {
    uint64_t word = 0;
    size_t left = length - at;
    __builtin_memcpy(&word, data + at, left < 8 ? left : 8);
    h = hash_fold(h ^ UINT64_C(0xa0761d6478bd642f),
                  word ^ UINT64_C(0xe7037ed1a0b428db));
  }
  return hash_fold(h ^ UINT64_C(0x8ebc6af09c88c6e3),
                   UINT64_C(0x589965cc75374cc3));
}

/* A bijection that mixes all bits (the finaliser of splitmix64). */
static inline uint64_t hash_mix(uint64_t x)
{
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

#endif
