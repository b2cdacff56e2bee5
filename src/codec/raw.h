/* The codec 'raw': a state as it is.  Its tuple has one element per byte and
** is the state itself, so nothing is computed and nothing is copied: the set
** reads the bytes where the program wrote them. */

#ifndef NUT_CODEC_RAW_H
#define NUT_CODEC_RAW_H

#include <stdint.h>

typedef struct raw_code {
  const uint8_t *bytes;
  uint32_t length;
} raw_code;

static inline raw_code raw_encode(const uint8_t *state, uint32_t length)
{
  return (raw_code){state, length};
}

#endif
