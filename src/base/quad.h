/* Sixteen bytes as one value: four numbers of 32 bits, or a piece of a state.
 */

#ifndef NUT_BASE_QUAD_H
#define NUT_BASE_QUAD_H

#include <stdbool.h>
#include <stdint.h>

typedef struct quad {
  uint64_t low, high; /* first and second, third and fourth number */
} quad;

static inline bool quad_equal(quad a, quad b)
{
  return a.low == b.low && a.high == b.high;
}

static inline quad quad_of(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
  return (quad){(uint64_t)b << 32 | a, (uint64_t)d << 32 | c};
}

/* Both halves of the product of both halves.  Low and high bits are as good as
** each other. */
static inline uint64_t quad_hash(quad q)
{
  __extension__ typedef unsigned __int128 wide;
  uint64_t a = q.low ^ UINT64_C(0x9e3779b97f4a7c15);
  uint64_t b = q.high ^ UINT64_C(0xc2b2ae3d27d4eb4f);
  return a * b ^ (uint64_t)((wide)a * b >> 64);
}

#endif
