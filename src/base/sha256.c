#include "base/sha256.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64 };

/* The first 32 bits of the fractions of the cube roots of the first primes. */
static const uint32_t keys[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, unsigned n)
{
  return x >> n | x << (32 - n);
}

static void spread(const unsigned char *block, uint32_t w[ROUNDS])
{
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
           (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
  for (int i = 16; i < ROUNDS; i++) {
    uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
           (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
  }
}

static void mix(uint32_t h[8], const unsigned char *block)
{
  uint32_t w[ROUNDS], v[8];
  spread(block, w);
  memcpy(v, h, sizeof v);
  for (int i = 0; i < ROUNDS; i++) {
    uint32_t s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
    uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
    uint32_t t1 = v[7] + s1 + choice + keys[i] + w[i];
    uint32_t s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
    uint32_t most = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += t1;
    v[0] = t1 + s0 + most;
  }
  for (int i = 0; i < 8; i++)
    h[i] += v[i];
}

void sha256_text(const char *bytes, size_t n, char out[SHA256_TEXT])
{
  uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  size_t whole = n / BLOCK * BLOCK, rest = n - whole;
  for (size_t i = 0; i < whole; i += BLOCK)
    mix(h, (const unsigned char *)bytes + i);
  /* The rest, a bit that is set, and the length in bits at the end of a block. */
  unsigned char last[2 * BLOCK] = {0};
  if (rest)
    memcpy(last, bytes + whole, rest);
  last[rest] = 0x80;
  size_t end = rest + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
  for (size_t i = 0; i < 8; i++)
    last[end - 1 - i] = (unsigned char)((uint64_t)n * 8 >> 8 * i);
  for (size_t i = 0; i < end; i += BLOCK)
    mix(h, last + i);
  for (int i = 0; i < 8; i++)
    snprintf(out + 8 * i, 9, "%08x", h[i]);
}
