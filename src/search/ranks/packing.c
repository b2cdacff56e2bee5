/* Differences between states, byte by byte; see packing.h. */

#include "search/ranks/packing.h"

#include <assert.h>
#include <string.h>

/* Bits of what a state begins with. */
enum { DIFFERS = 1, ASKS = 2 };

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

/* Bytes from 'at' on that are equal, and those that are not: up to two equal
** ones among them cost less than a new start. */
static size_t equal_bytes(const uint8_t *a, const uint8_t *b, size_t at,
                          size_t end)
{
  size_t from = at;
  uint64_t x, y;
  for (; at + sizeof x <= end; at += sizeof x) {
    memcpy(&x, a + at, sizeof x);
    memcpy(&y, b + at, sizeof y);
    if (x != y)
      break;
  }
  while (at < end && a[at] == b[at])
    at++;
  return at - from;
}

static size_t other_bytes(const uint8_t *a, const uint8_t *b, size_t at,
                          size_t end)
{
  enum { LEAST_EQUAL = 3 };
  size_t from = at;
  while (at < end) {
    if (a[at] != b[at]) {
      at++;
      continue;
    }
    size_t same = equal_bytes(a, b, at, end);
    if (same >= LEAST_EQUAL || at + same == end)
      break;
    at += same;
  }
  return at - from;
}

static void put_differences(packer *p, const uint8_t *state, uint32_t length)
{
  const uint8_t *last = p->last.data;
  for (size_t at = 0; at < length;) {
    size_t same = equal_bytes(state, last, at, length);
    at += same;
    size_t other = other_bytes(state, last, at, length);
    put_number(&p->packet, same);
    put_number(&p->packet, other);
    put_bytes(&p->packet, state + at, other);
    at += other;
  }
}

void packer_add(packer *p, const uint8_t *state, uint32_t length, bool asks)
{
  bool whole = !p->states || p->last.len != length;
  put_number(&p->packet,
             (uint64_t)length << 2 | (asks ? ASKS : 0) | (whole ? 0 : DIFFERS));
  if (whole)
    put_bytes(&p->packet, state, length);
  else
    put_differences(p, state, length);
  vec_clear(&p->last);
  put_bytes(&p->last, state, length);
  p->states++;
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

/* What differs from the state before, which is as long. */
static void get_differences(reader *r, const uint8_t *before, uint8_t *to,
                            uint32_t length)
{
  for (size_t at = 0; at < length;) {
    size_t same = get_number(r), other = get_number(r);
    assert(same + other <= length - at);
    memcpy(to + at, before + at, same);
    get_bytes(r, to + at + same, other);
    at += same + other;
  }
}

void packet_unpack(const uint8_t *packet, size_t length, batch *b)
{
  reader r = {packet, packet + length};
  uint32_t before = 0;
  vec_clear(&b->list);
  vec_clear(&b->bytes);
  while (r.at < r.end) {
    uint64_t head = get_number(&r);
    uint32_t bytes = (uint32_t)(head >> 2), start = (uint32_t)b->bytes.len;
    vec_grow(&b->bytes, bytes);
    b->bytes.len += bytes;
    if (head & DIFFERS)
      get_differences(&r, b->bytes.data + before, b->bytes.data + start, bytes);
    else if (bytes)
      get_bytes(&r, b->bytes.data + start, bytes);
    vec_push(&b->list, ((successor){.start = start,
                                    .length = bytes,
                                    .edge = head & ASKS ? 1 : 0,
                                    .changed = UINT64_MAX}));
    before = start;
  }
}
