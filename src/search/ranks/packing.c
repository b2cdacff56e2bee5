/* Differences between states, byte by byte; see packing.h. */

#include "search/ranks/packing.h"

#include "codec/codec.h"
#include "search/ranks/state_words.h"
#include <assert.h>

/* Bits of what a state begins with; IS_ASLEEP is of whole ones. */
enum {
  DIFFERS = 1,
  ASKS = 2,
  IS_ASLEEP = 4,
  ASLEEP_SHIFT = 2,
  LENGTH_SHIFT = 3
};

enum {
  NUMBER_MOST = 10, /* bytes of a number */
  FEW_WORDS = 2,    /* of a state, that all have a mask */
  GROUP = 8         /* words that a byte tells of, where there are more */
};

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

/* One byte, if its bit is set; otherwise the next one takes its place. */
static inline void put_byte(uint8_t **to, uint64_t word, uint32_t mask,
                            uint32_t i)
{
  **to = (uint8_t)(word >> 8 * i);
  *to += mask >> i & 1;
}

/* The bytes of a word whose bits are set, one after the other, and one more behind
** them.  Nobody can foresee which these are, so there is no branch. */
static inline uint8_t *put_bytes(uint8_t *to, uint64_t word, uint32_t mask)
{
  put_byte(&to, word, mask, 0);
  put_byte(&to, word, mask, 1);
  put_byte(&to, word, mask, 2);
  put_byte(&to, word, mask, 3);
  put_byte(&to, word, mask, 4);
  put_byte(&to, word, mask, 5);
  put_byte(&to, word, mask, 6);
  put_byte(&to, word, mask, 7);
  return to;
}

/* The word of the state that is number 'i' takes the place of the other one's;
** what differs. */
static inline uint64_t exchange(uint8_t *last, const uint8_t *state, uint32_t i,
                                uint32_t length)
{
  uint8_t *at = last + (size_t)i * STATE_WORD;
  uint64_t word = state_word(state, i, length);
  uint64_t differs = word ^ state_word_load(at);
  memcpy(at, &word, STATE_WORD);
  return differs;
}

/* Both states have this length; the other one becomes the state. */
static uint8_t *put_few(uint8_t *masks, uint8_t *last, const uint8_t *state,
                        uint32_t length)
{
  uint32_t words = state_words(length);
  uint8_t *out = masks + words;
  for (uint32_t i = 0; i < words; i++) {
    uint32_t mask = bytes_set(exchange(last, state, i, length));
    masks[i] = (uint8_t)mask;
    out = put_bytes(out, state_word_load(last + (size_t)i * STATE_WORD), mask);
  }
  return out;
}

/* The same for states of more than FEW_WORDS. */
static uint8_t *put_many(uint8_t *which, uint8_t *last, const uint8_t *state,
                         uint32_t length)
{
  uint32_t words = state_words(length);
  uint8_t *out = which + (words + GROUP - 1) / GROUP;
  for (uint32_t first = 0; first < words; first += GROUP, which++) {
    uint64_t differs[GROUP];
    uint32_t count = words - first < GROUP ? words - first : GROUP, set = 0;
    for (uint32_t i = 0; i < count; i++) {
      differs[i] = exchange(last, state, first + i, length);
      set |= (uint32_t)(differs[i] != 0) << i;
    }
    *which = (uint8_t)set;
    for (; set; set &= set - 1) {
      uint32_t i = (uint32_t)__builtin_ctz(set), mask = bytes_set(differs[i]);
      *out++ = (uint8_t)mask;
      out = put_bytes(
          out, state_word_load(last + (size_t)(first + i) * STATE_WORD), mask);
    }
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

/* A whole state begins. */
static uint8_t *put_head(uint8_t *to, uint32_t length, uint32_t bits,
                         uint32_t sleepers)
{
  if (!sleepers)
    return put_number(to, (uint64_t)length << LENGTH_SHIFT | bits);
  to = put_number(to, (uint64_t)length << LENGTH_SHIFT | bits | IS_ASLEEP);
  return put_number(to, sleepers);
}

void packer_add(packer *p, const uint8_t *state, uint32_t length, bool asks,
                uint16_t asleep)
{
  uint32_t bit = asks ? ASKS : 0, sleepers = asleep >> 1;
  size_t words = state_words(length);
  assert(!(asleep & 1));
  vec_grow(&p->packet,
           2 * NUMBER_MOST + (words + 7) / 8 + words * (1 + STATE_WORD));
  uint8_t *to = p->packet.data + p->packet.len;
  if (p->states && p->last.len == length) {
    to = put_number(to, sleepers << ASLEEP_SHIFT | bit | DIFFERS);
    to = words <= FEW_WORDS ? put_few(to, p->last.data, state, length)
                            : put_many(to, p->last.data, state, length);
  } else {
    to = put_head(to, length, bit, sleepers);
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
  packer_add(p, state, length, false, 0);
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

enum { KEPT_WORDS = 16 }; /* of the state before, which are read from here */

typedef struct reader {
  const uint8_t *at, *end;
  /* The state before, if it has no more words: it was just written, in other
  ** pieces than those in which it would be read. */
  uint64_t last[KEPT_WORDS];
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

/* A byte is 1 where the bit is set. */
static inline uint64_t ones_of(uint32_t mask)
{
  const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
  uint64_t bits =
      (mask * UINT64_C(0x0101010101010101)) & UINT64_C(0x8040201008040201);
  return ((bits + low) & ~low) >> 7;
}

static inline uint64_t get_byte(const uint8_t **from, uint32_t mask, uint32_t i)
{
  uint64_t byte = **from;
  *from += mask >> i & 1;
  return byte << 8 * i;
}

/* A word in which those bytes whose bits are set are read, as 'put_bytes' wrote
** them. */
static inline uint64_t get_word(reader *r, uint64_t word, uint32_t mask)
{
  uint8_t rest[STATE_WORD] = {0};
  uint64_t ones = ones_of(mask), whole = ones * 255, read;
  size_t left = (size_t)(r->end - r->at);
  const uint8_t *from = r->at;
  if (left < STATE_WORD)
    from = memcpy(rest, from, left);
  read = get_byte(&from, mask, 0);
  read |= get_byte(&from, mask, 1);
  read |= get_byte(&from, mask, 2);
  read |= get_byte(&from, mask, 3);
  read |= get_byte(&from, mask, 4);
  read |= get_byte(&from, mask, 5);
  read |= get_byte(&from, mask, 6);
  read |= get_byte(&from, mask, 7);
  r->at += ones * UINT64_C(0x0101010101010101) >> 56;
  assert(r->at <= r->end);
  return (word & ~whole) | (read & whole);
}

/* Makes a state of the one before and what follows.  Whole words are read and
** written: what comes behind the state is not used yet. */
static void get_few(reader *r, uint8_t *state, uint32_t words)
{
  const uint8_t *masks = r->at;
  r->at += words;
  for (uint32_t i = 0; i < words; i++) {
    r->last[i] = get_word(r, r->last[i], masks[i]);
    memcpy(state + (size_t)i * STATE_WORD, &r->last[i], STATE_WORD);
  }
}

static void get_many(reader *r, uint8_t *state, const uint8_t *before,
                     uint32_t words)
{
  const uint8_t *which = r->at;
  bool is_kept = words <= KEPT_WORDS;
  r->at += (words + GROUP - 1) / GROUP;
  /* Word by word: what is behind the state before is this one. */
  for (uint32_t i = 0; i < words; i++) {
    uint64_t word =
        is_kept ? r->last[i] : state_word_load(before + (size_t)i * STATE_WORD);
    memcpy(state + (size_t)i * STATE_WORD, &word, STATE_WORD);
  }
  for (uint32_t first = 0; first < words; first += GROUP, which++)
    for (uint32_t set = *which; set; set &= set - 1) {
      uint32_t i = first + (uint32_t)__builtin_ctz(set);
      uint8_t *at = state + (size_t)i * STATE_WORD;
      uint32_t mask = *r->at++;
      uint64_t word =
          get_word(r, is_kept ? r->last[i] : state_word_load(at), mask);
      memcpy(at, &word, STATE_WORD);
      if (is_kept)
        r->last[i] = word;
    }
}

/* One that is told as a whole. */
static void get_whole(reader *r, uint8_t *state, uint32_t length)
{
  uint32_t words = state_words(length);
  get_bytes(r, state, length);
  for (uint32_t i = 0; i < words && words <= KEPT_WORDS; i++)
    r->last[i] = state_word(state, i, length);
}

/* Who is asleep in a state that begins so. */
static uint16_t get_asleep(reader *r, uint64_t head)
{
  if (head & DIFFERS)
    return (uint16_t)(head >> ASLEEP_SHIFT << 1);
  return head & IS_ASLEEP ? (uint16_t)(get_number(r) << 1) : 0;
}

/* One that is told by what differs from the one at 'before', as long, or whole. */
static void add_state(reader *r, batch *b, uint64_t head, uint32_t before,
                      uint32_t bytes)
{
  uint16_t asleep = get_asleep(r, head);
  size_t start = b->bytes.len;
  vec_grow(&b->bytes, (size_t)bytes + STATE_WORD + CODEC_SLACK);
  uint8_t *state = b->bytes.data + start;
  uint32_t words = state_words(bytes);
  if (head & DIFFERS && words <= FEW_WORDS)
    get_few(r, state, words);
  else if (head & DIFFERS)
    get_many(r, state, b->bytes.data + before, words);
  else if (bytes)
    get_whole(r, state, bytes);
  b->bytes.len += bytes;
  vec_push(&b->list, ((successor){.start = (uint32_t)start,
                                  .length = bytes,
                                  .edge = head & ASKS ? 1 : 0,
                                  .others = asleep,
                                  .changed = UINT64_MAX}));
}

void packet_unpack(const uint8_t *packet, size_t length, batch *b,
                   packet_gains *gains)
{
  reader r = {.at = packet, .end = packet + length};
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
    bytes = head & DIFFERS ? bytes : (uint32_t)(head >> LENGTH_SHIFT);
    add_state(&r, b, head, before, bytes);
    before = start;
  }
}
