/* Numbers as bytes, the small ones as one.  The first byte tells how many
** follow, so numbers stand one after the other without any marks:
**
**   0 .. 240           the number itself
**   241 .. 250, x      241 .. 2800     (241 + 256 * (first - 241) + x)
**   251, x, y          2801 .. 68336   (little-endian, from 2801)
**   252, four bytes    the rest
**
** Every number has one code, which does not depend on how large others are:
** tables behind it can grow without anything being written again. */

#ifndef NUT_CODEC_NUMBER_H
#define NUT_CODEC_NUMBER_H

#include <stdint.h>
#include <string.h>

enum { NUMBER_MOST = 5 }; /* bytes */

static inline uint8_t *number_write(uint8_t *out, uint32_t n)
{
  if (n <= 240) {
    *out = (uint8_t)n;
    return out + 1;
  }
  if (n <= 2800) {
    n -= 241;
    out[0] = (uint8_t)(241 + n / 256);
    out[1] = (uint8_t)n;
    return out + 2;
  }
  if (n <= 68336) {
    n -= 2801;
    out[0] = 251;
    out[1] = (uint8_t)n;
    out[2] = (uint8_t)(n >> 8);
    return out + 3;
  }
  out[0] = 252;
  memcpy(out + 1, &n, sizeof n);
  return out + 5;
}

static inline const uint8_t *number_read(const uint8_t *in, uint32_t *n)
{
  if (in[0] <= 240) {
    *n = in[0];
    return in + 1;
  }
  if (in[0] <= 250) {
    *n = 241 + 256 * (in[0] - 241u) + in[1];
    return in + 2;
  }
  if (in[0] == 251) {
    *n = 2801 + (in[1] | (uint32_t)in[2] << 8);
    return in + 3;
  }
  memcpy(n, in + 1, sizeof *n);
  return in + 5;
}

#endif
