/* Differences between states, byte by byte; see packing.h. */

#include "search/ranks/packing.h"

#include <assert.h>
#include <string.h>

/* Bits of what a state begins with. */
enum { DIFFERS = 1, ASKS = 2 };

enum { WORD = 8 };

static void put_number(rank_bytes *to, uint64_t number)
{
  for (; number >= 128; number >>= 7)
    vec_push(to, (uint8_t)(number | 128));
  vec_push(to, (uint8_t)number);
}

static void put_bytes(rank_bytes *to, const uint8_t *bytes, size_t length)
{
  vec_grow(to, length);
  memcpy(to->data + to->len, bytes, length);
  to->len += length;
}

static uint64_t word_at(const uint8_t *state, uint32_t at, uint32_t length)
{
  uint64_t word = 0;
  memcpy(&word, state + at, length - at < WORD ? length - at : WORD);
  return word;
}

/* Both states have this length. */
static void put_differences(rank_bytes *to, const uint8_t *last,
                            const uint8_t *state, uint32_t length)
{
  uint32_t words = (length + WORD - 1) / WORD, masks = (words + 7) / 8;
  vec_grow(to, masks + (size_t)words * (1 + WORD));
  uint8_t *which = to->data + to->len, *out = which + masks;
  memset(which, 0, masks);
  for (uint32_t i = 0; i < words; i++) {
    uint64_t word = word_at(state, i * WORD, length);
    uint64_t other = word ^ word_at(last, i * WORD, length);
    if (!other)
      continue;
    which[i / 8] |= (uint8_t)(1u << i % 8);
    uint8_t *mask = out++;
    for (*mask = 0; other;) {
      unsigned byte = (unsigned)__builtin_ctzll(other) / 8;
      *mask |= (uint8_t)(1u << byte);
      *out++ = (uint8_t)(word >> 8 * byte);
      other &= ~(UINT64_C(255) << 8 * byte);
    }
  }
  to->len = (size_t)(out - to->data);
}

void packer_add(packer *p, const uint8_t *state, uint32_t length, bool asks)
{
  uint64_t bit = asks ? ASKS : 0;
  if (p->states && p->last.len == length) {
    put_number(&p->packet, bit | DIFFERS);
    put_differences(&p->packet, p->last.data, state, length);
  } else {
    put_number(&p->packet, (uint64_t)length << 2 | bit);
    put_bytes(&p->packet, state, length);
  }
  vec_clear(&p->last);
  put_bytes(&p->last, state, length);
  p->states++;
}

void packer_add_step(packer *p, const uint8_t *state, uint32_t length,
                     uint64_t gains)
{
  put_number(&p->packet, gains);
  packer_add(p, state, length, false);
}

void packer_clear(packer *p)
{
  vec_clear(&p->packet);
  p->states = 0;
}

void packer_free(packer *p)
{
  vec_free(&p->packet);
  vec_free(&p->last);
}

/* ---- and back ------------------------------------------------------------ */

typedef struct reader {
  const uint8_t *at, *end;
} reader;

static uint64_t get_number(reader *r)
{
  uint64_t number = 0;
  for (int shift = 0; r->at < r->end; shift += 7) {
    uint8_t byte = *r->at++;
    number |= (uint64_t)(byte & 127) << shift;
    if (byte < 128)
      break;
  }
  return number;
}

static void get_bytes(reader *r, uint8_t *to, size_t length)
{
  assert(length <= (size_t)(r->end - r->at));
  memcpy(to, r->at, length);
  r->at += length;
}

/* Changes a state, which is as the one before, to what follows. */
static void get_differences(reader *r, uint8_t *state, uint32_t length)
{
  uint32_t words = (length + WORD - 1) / WORD;
  const uint8_t *which = r->at;
  r->at += (words + 7) / 8;
  for (uint32_t i = 0; i < words; i++) {
    if (!(which[i / 8] >> i % 8 & 1))
      continue;
    for (unsigned mask = *r->at++; mask; mask &= mask - 1)
      state[i * WORD + (uint32_t)__builtin_ctz(mask)] = *r->at++;
  }
  assert(r->at <= r->end);
}

void packet_unpack(const uint8_t *packet, size_t length, batch *b,
                   packet_gains *gains)
{
  reader r = {packet, packet + length};
  uint32_t before = 0, bytes = 0;
  vec_clear(&b->list);
  vec_clear(&b->bytes);
  if (gains)
    vec_clear(gains);
  while (r.at < r.end) {
    if (gains)
      vec_push(gains, get_number(&r));
    uint64_t head = get_number(&r);
    uint32_t start = (uint32_t)b->bytes.len;
    bytes = head & DIFFERS ? bytes : (uint32_t)(head >> 2);
    vec_grow(&b->bytes, bytes);
    b->bytes.len += bytes;
    uint8_t *state = b->bytes.data + start;
    if (head & DIFFERS) {
      memcpy(state, b->bytes.data + before, bytes);
      get_differences(&r, state, bytes);
    } else if (bytes) {
      get_bytes(&r, state, bytes);
    }
    vec_push(&b->list, ((successor){.start = start,
                                    .length = bytes,
                                    .edge = head & ASKS ? 1 : 0,
                                    .changed = UINT64_MAX}));
    before = start;
  }
}
