/* Differences between states, byte by byte; see packing.h. */

#include "search/ranks/packing.h"

#include "codec/codec.h"
#include "search/ranks/state_words.h"
#include <assert.h>

/* Bits of what a state begins with. */
enum { DIFFERS = 1, ASKS = 2 };

enum { NUMBER_MOST = 10 }; /* bytes of a number */

static uint8_t *put_number(uint8_t *to, uint64_t number)
{
  for (; number >= 128; number >>= 7)
    *to++ = (uint8_t)(number | 128);
  *to++ = (uint8_t)number;
  return to;
}

/* A bit for each byte that is not 0. */
static inline uint32_t bytes_set(uint64_t word)
{
  const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
  uint64_t high = (((word & low) + low) | word) & ~low;
  return (uint32_t)((high >> 7) * UINT64_C(0x0102040810204080) >> 56);
}

/* Both states have this length; the other one becomes the state. */
static uint8_t *put_differences(uint8_t *which, uint8_t *last,
                                const uint8_t *state, uint32_t length)
{
  uint32_t words = state_words(length), masks = (words + 7) / 8;
  uint8_t *out = which + masks;
  memset(which, 0, masks);
  for (uint32_t i = 0; i < words; i++, last += STATE_WORD) {
    uint64_t word = state_word(state, i, length);
    uint64_t other = word ^ state_word_load(last);
    if (!other)
      continue;
    memcpy(last, &word, STATE_WORD);
    which[i / 8] |= (uint8_t)(1u << i % 8);
    uint32_t mask = bytes_set(other);
    *out++ = (uint8_t)mask;
    for (; mask; mask &= mask - 1)
      *out++ = (uint8_t)(word >> 8 * (unsigned)__builtin_ctz(mask));
  }
  return out;
}

/* The state before is this one, as whole words. */
static void keep_last(packer *p, const uint8_t *state, uint32_t length)
{
  uint32_t words = state_words(length);
  vec_clear(&p->last);
  vec_grow(&p->last, (size_t)words * STATE_WORD);
  for (uint32_t i = 0; i < words; i++) {
    uint64_t word = state_word(state, i, length);
    memcpy(p->last.data + (size_t)i * STATE_WORD, &word, STATE_WORD);
  }
  p->last.len = length;
}

void packer_add(packer *p, const uint8_t *state, uint32_t length, bool asks)
{
  uint64_t bit = asks ? ASKS : 0;
  size_t words = state_words(length);
  vec_grow(&p->packet,
           NUMBER_MOST + (words + 7) / 8 + words * (1 + STATE_WORD));
  uint8_t *to = p->packet.data + p->packet.len;
  if (p->states && p->last.len == length) {
    *to++ = (uint8_t)(bit | DIFFERS);
    to = put_differences(to, p->last.data, state, length);
  } else {
    to = put_number(to, (uint64_t)length << 2 | bit);
    if (length)
      memcpy(to, state, length);
    to += length;
    keep_last(p, state, length);
  }
  p->packet.len = (size_t)(to - p->packet.data);
  p->states++;
}

void packer_add_step(packer *p, const uint8_t *state, uint32_t length,
                     uint64_t gains)
{
  vec_grow(&p->packet, NUMBER_MOST);
  uint8_t *to = p->packet.data + p->packet.len;
  p->packet.len += (size_t)(put_number(to, gains) - to);
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

/* Makes a state of the one before and what follows.  Whole words are read and
** written: what comes behind the state is not used yet. */
static void get_differences(reader *r, uint8_t *state, const uint8_t *before,
                            uint32_t length)
{
  uint32_t words = state_words(length);
  const uint8_t *which = r->at, *at = which + (words + 7) / 8;
  for (uint32_t i = 0; i < words; i++, state += STATE_WORD) {
    uint64_t word = state_word_load(before + (size_t)i * STATE_WORD);
    memcpy(state, &word, STATE_WORD);
    if (!(which[i / 8] >> i % 8 & 1))
      continue;
    for (unsigned mask = *at++; mask; mask &= mask - 1)
      state[(uint32_t)__builtin_ctz(mask)] = *at++;
  }
  r->at = at;
  assert(r->at <= r->end);
}

/* One that is told by what differs from the one at 'before', as long. */
static void add_state(reader *r, batch *b, uint64_t head, uint32_t before,
                      uint32_t bytes)
{
  size_t start = b->bytes.len;
  vec_grow(&b->bytes, (size_t)bytes + STATE_WORD + CODEC_SLACK);
  uint8_t *state = b->bytes.data + start;
  if (head & DIFFERS)
    get_differences(r, state, b->bytes.data + before, bytes);
  else if (bytes)
    get_bytes(r, state, bytes);
  b->bytes.len += bytes;
  vec_push(&b->list, ((successor){.start = (uint32_t)start,
                                  .length = bytes,
                                  .edge = head & ASKS ? 1 : 0,
                                  .changed = UINT64_MAX}));
}

void packet_unpack(const uint8_t *packet, size_t length, batch *b,
                   packet_gains *gains)
{
  reader r = {packet, packet + length};
  uint32_t before = 0, bytes = 0;
  vec_clear(&b->list);
  vec_clear(&b->bytes);
  vec_grow(&b->list, PACKET_STATES);
  if (gains)
    vec_clear(gains);
  while (r.at < r.end) {
    if (gains)
      vec_push(gains, get_number(&r));
    uint64_t head = get_number(&r);
    uint32_t start = (uint32_t)b->bytes.len;
    bytes = head & DIFFERS ? bytes : (uint32_t)(head >> 2);
    add_state(&r, b, head, before, bytes);
    before = start;
  }
}
