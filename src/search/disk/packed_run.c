/* Blocks of whole states, written and read in order, or found by some of their
** first states; see packed_run.h. */

#include "search/disk/packed_run.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <errno.h>
#include <string.h>

enum {
  HEAD = 8,
  NUMBER = 10, /* bytes of a number, at most */
  SAMPLE = 32  /* blocks for one whose first state is kept */
};

static size_t window_bytes(const run_io *io)
{
  return (size_t)io->window * RUN_BLOCK;
}

/* What a state may take, with all that belongs to it. */
static size_t entry_bytes(uint32_t longest)
{
  return (size_t)longest + 3 * NUMBER;
}

bool packed_fits(const run_io *io, uint32_t longest)
{
  return HEAD + entry_bytes(longest) <= window_bytes(io);
}

int packed_compare(const uint8_t *a, uint32_t a_length, const uint8_t *b,
                   uint32_t b_length)
{
  if (a_length != b_length)
    return a_length < b_length ? -1 : 1;
  return a_length ? memcmp(a, b, a_length) : 0;
}

static void fail(run_io *io, int error)
{
  if (!io->error)
    io->error = error;
}

void packed_free(run_io *io, packed_run *r)
{
  run_io_close(io, r->file);
  io->bytes -= r->written;
  vec_free(&r->samples);
  vec_free(&r->sample_ends);
  *r = (packed_run){0};
}

static uint32_t sum_of(const packed_run *r, const uint8_t *block,
                       uint64_t number)
{
  return (uint32_t)hash_mix(hash_bytes(block + 4, r->block - 4) + number);
}

/* ---- writing -------------------------------------------------------------- */

static void set_bytes(packed_bytes *to, const uint8_t *from, uint32_t length)
{
  vec_resize(to, length);
  if (length)
    memcpy(to->data, from, length);
}

void packed_begin(packed_writer *w, run_io *io, packed_run *r, run_kind kind,
                  bool named, uint32_t longest)
{
  *r = (packed_run){
      .kind = kind, .named = named, .block = RUN_BLOCK, .longest = longest};
  while (r->block < HEAD + entry_bytes(longest) &&
         2 * (size_t)r->block <= window_bytes(io))
    r->block *= 2;
  if (r->block < HEAD + entry_bytes(longest))
    r->block = (uint32_t)window_bytes(io);
  w->io = io;
  w->run = r;
  w->in_window = w->states = 0;
  w->at = HEAD;
  r->file = run_io_open(io);
}

void packed_writer_free(packed_writer *w)
{
  vec_free(&w->last);
  *w = (packed_writer){0};
}

static uint8_t *block_of(const packed_writer *w)
{
  return w->io->windows[RUN_WRITING] + (size_t)w->in_window * w->run->block;
}

static void flush_window(packed_writer *w)
{
  packed_run *r = w->run;
  uint64_t bytes = (uint64_t)w->in_window * r->block;
  run_io_write(w->io, r->file, w->io->windows[RUN_WRITING], (size_t)bytes,
               (r->blocks - w->in_window) * r->block);
  r->written += bytes;
  w->in_window = 0;
}

static void end_block(packed_writer *w)
{
  packed_run *r = w->run;
  uint8_t *block = block_of(w);
  memset(block + w->at, 0, r->block - w->at);
  memcpy(block + 4, &w->states, 4);
  uint32_t sum = sum_of(r, block, r->blocks);
  memcpy(block, &sum, sizeof sum);
  r->blocks++;
  w->in_window++;
  w->at = HEAD;
  w->states = 0;
  if ((size_t)(w->in_window + 1) * r->block > window_bytes(w->io))
    flush_window(w);
}

static uint8_t *put_number(uint8_t *at, uint64_t number)
{
  for (; number >= 128; number >>= 7)
    *at++ = (uint8_t)(number | 128);
  *at++ = (uint8_t)number;
  return at;
}

static uint8_t *put_whole(uint8_t *at, const packed_state *s)
{
  at = put_number(at, (uint64_t)s->length << 2 | (uint64_t)s->marked << 1 | 1);
  if (s->length)
    memcpy(at, s->bytes, s->length);
  return at + s->length;
}

/* Up to eight bytes, the first is the lowest: not 0 where they differ. */
static uint64_t difference(const uint8_t *a, const uint8_t *b, uint32_t left)
{
  uint64_t x = 0, y = 0;
  if (left >= 8) {
    memcpy(&x, a, 8);
    memcpy(&y, b, 8);
    return x ^ y;
  }
  for (uint32_t i = 0; i < left; i++)
    x |= (uint64_t)(a[i] ^ b[i]) << 8 * i;
  return x;
}

/* Differences to the state before; NULL: they would be longer than the state. */
static uint8_t *put_differences(uint8_t *at, const uint8_t *last,
                                const packed_state *s)
{
  uint32_t found = 0, from = 0, room = s->length / 3;
  uint8_t *head = at++; /* a count below 32 */
  room = room < 31 ? room : 31;
  for (uint32_t i = 0; i < s->length; i += 8) {
    uint64_t differ = difference(last + i, s->bytes + i, s->length - i);
    for (; differ; found++) {
      uint32_t byte = (uint32_t)__builtin_ctzll(differ) / 8;
      if (found == room)
        return NULL;
      at = put_number(at, i + byte - from);
      *at++ = s->bytes[i + byte];
      from = i + byte + 1;
      differ &= ~(UINT64_C(255) << 8 * byte);
    }
  }
  if (!found) /* a list may have a state twice */
    return NULL;
  *head = (uint8_t)(found << 2 | (uint32_t)s->marked << 1);
  return at;
}

static void add_sample(packed_run *r, const packed_state *s)
{
  size_t end = r->samples.len + s->length;
  vec_grow(&r->samples, s->length);
  if (s->length)
    memcpy(r->samples.data + r->samples.len, s->bytes, s->length);
  r->samples.len = end;
  vec_push(&r->sample_ends, end);
}

void packed_put(packed_writer *w, const packed_state *s)
{
  packed_run *r = w->run;
  if (s->length > r->longest)
    fail(w->io, EOVERFLOW);
  if (w->io->error)
    return;
  if (w->states && w->at + entry_bytes(s->length) > r->block)
    end_block(w);
  if (!w->states && r->blocks % SAMPLE == 0)
    add_sample(r, s);
  uint8_t *block = block_of(w), *at = NULL;
  if (w->states && w->last.len == s->length)
    at = put_differences(block + w->at, w->last.data, s);
  if (!at)
    at = put_whole(block + w->at, s);
  if (r->named) {
    at = put_number(at, s->name >> 32);
    at = put_number(at, s->name & UINT32_MAX);
  }
  w->at = (uint32_t)(at - block);
  w->states++;
  r->count++;
  set_bytes(&w->last, s->bytes, s->length);
}

void packed_end(packed_writer *w)
{
  if (!w->run || w->io->error)
    return;
  if (w->states)
    end_block(w);
  flush_window(w);
}

/* ---- reading -------------------------------------------------------------- */

void packed_open(packed_stream *s, run_io *io, const packed_run *r,
                 uint32_t window)
{
  packed_bytes bytes = s->bytes;
  *s = (packed_stream){.io = io,
                       .run = r,
                       .window = io->windows[window],
                       .block = UINT64_MAX,
                       .bytes = bytes};
  vec_clear(&s->bytes);
  vec_grow(&s->bytes, r->longest);
}

void packed_stream_free(packed_stream *s)
{
  vec_free(&s->bytes);
  *s = (packed_stream){0};
}

static const uint8_t *block_at(const packed_stream *s)
{
  return s->window + (s->block - s->from) * s->run->block;
}

/* Goes to the start of a block; as many follow as the window has room for if it
** is read 'ahead'. */
static bool go_to(packed_stream *s, uint64_t block, bool ahead)
{
  const packed_run *r = s->run;
  uint64_t most = ahead ? window_bytes(s->io) / r->block : 1;
  if (block >= r->blocks || s->io->error)
    return false;
  if (block < s->from || block >= s->from + s->blocks) {
    s->from = block;
    s->blocks = r->blocks - block < most ? r->blocks - block : most;
    run_io_read(s->io, r->file, s->window, s->blocks * r->block,
                block * r->block);
  }
  s->block = block;
  const uint8_t *at = block_at(s);
  uint32_t sum;
  memcpy(&sum, at, sizeof sum);
  memcpy(&s->left, at + 4, sizeof s->left);
  if (!s->io->error && sum != sum_of(r, at, block))
    fail(s->io, EIO);
  s->at = HEAD;
  s->is_over = false;
  return !s->io->error;
}

static uint64_t get_number(const uint8_t **at)
{
  uint64_t number = 0;
  for (uint32_t shift = 0;; shift += 7) {
    uint8_t byte = *(*at)++;
    number |= (uint64_t)(byte & 127) << shift;
    if (byte < 128)
      return number;
  }
}

/* The next state of the block, which has one. */
static void read_state(packed_stream *s)
{
  const packed_run *r = s->run;
  const uint8_t *start = block_at(s), *at = start + s->at;
  uint8_t *bytes = s->bytes.data;
  uint64_t head = get_number(&at);
  bool marked = head & 2;
  if (head & 1) {
    s->state.length = (uint32_t)(head >> 2);
    if (s->state.length)
      memcpy(bytes, at, s->state.length);
    at += s->state.length;
    s->equal = 0;
  } else {
    uint64_t place = get_number(&at);
    s->equal = (uint32_t)place;
    bytes[place] = *at++;
    for (uint64_t more = (head >> 2) - 1; more; more--) {
      place += 1 + get_number(&at);
      bytes[place] = *at++;
    }
  }
  s->state.bytes = bytes;
  s->state.marked = r->kind == RUN_MARKS ? marked : r->kind == RUN_MARKED;
  if (r->named) {
    uint64_t left = get_number(&at);
    s->state.name = left << 32 | get_number(&at);
  }
  s->at = (uint32_t)(at - start);
  s->left--;
}

bool packed_next(packed_stream *s)
{
  while (!s->left)
    if (!go_to(s, s->block + 1, true)) {
      s->is_over = true;
      return false;
    }
  read_state(s);
  s->read++;
  return true;
}

/* ---- finding -------------------------------------------------------------- */

static int compare_sample(const packed_run *r, size_t i, const packed_state *w)
{
  size_t start = i ? r->sample_ends.data[i - 1] : 0;
  return packed_compare(r->samples.data + start,
                        (uint32_t)(r->sample_ends.data[i] - start), w->bytes,
                        w->length);
}

/* The last block from 'low' on whose first state is not behind the wanted one; or
** 'low'. */
static uint64_t block_for(packed_stream *s, uint64_t low, const packed_state *w)
{
  const packed_run *r = s->run;
  size_t first = (size_t)(low / SAMPLE), last = r->sample_ends.len;
  while (last - first > 1) {
    size_t middle = first + (last - first) / 2;
    if (compare_sample(r, middle, w) <= 0)
      first = middle;
    else
      last = middle;
  }
  uint64_t high = (uint64_t)last * SAMPLE;
  low = (uint64_t)first * SAMPLE > low ? (uint64_t)first * SAMPLE : low;
  high = high < r->blocks ? high : r->blocks;
  while (high - low > 1 && !s->io->error) {
    uint64_t middle = low + (high - low) / 2;
    if (!go_to(s, middle, false))
      break;
    read_state(s);
    if (packed_compare(s->state.bytes, s->state.length, w->bytes, w->length) <=
        0)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static uint32_t equal_bytes(const uint8_t *a, const uint8_t *b, uint32_t from,
                            uint32_t length)
{
  while (from < length && a[from] == b[from])
    from++;
  return from;
}

/* The stream is before the wanted state, which has the same length and as many
** bytes in common: goes on as long as that can be told by where states change.
** The result is the order of the state it comes to. */
static int go_on(packed_stream *s, const packed_state *w)
{
  uint32_t equal = equal_bytes(s->state.bytes, w->bytes, 0, w->length);
  while (s->left) {
    uint32_t length = s->state.length;
    read_state(s);
    if (s->state.length != length)
      return 1; /* it is longer */
    if (s->equal > equal)
      continue;
    if (s->equal < equal)
      equal = equal_bytes(s->state.bytes, w->bytes, 0, w->length);
    else
      equal = equal_bytes(s->state.bytes, w->bytes, equal, w->length);
    if (equal == w->length)
      return 0;
    if (s->state.bytes[equal] > w->bytes[equal])
      return 1;
  }
  return -1;
}

/* In the one block, not before 'from', that can have it.  The stream stays there,
** not behind it. */
static bool find_in_block(packed_stream *s, uint64_t from,
                          const packed_state *w)
{
  uint64_t block = block_for(s, from, w);
  int order = -1;
  if (s->io->error || !go_to(s, block, false))
    return false;
  while (order < 0 && s->left) {
    read_state(s);
    order =
        packed_compare(s->state.bytes, s->state.length, w->bytes, w->length);
    if (order < 0 && s->state.length == w->length)
      order = go_on(s, w);
  }
  return order == 0;
}

bool packed_find(packed_stream *s, const packed_state *w, bool is_dense)
{
  bool has_state = s->block != UINT64_MAX;
  if (s->is_over || !s->run->blocks)
    return false;
  int order = has_state ? packed_compare(s->state.bytes, s->state.length,
                                         w->bytes, w->length)
                        : -1;
  if (order < 0 && has_state && s->left && s->state.length == w->length)
    order = go_on(s, w);
  if (order < 0 && !is_dense)
    return find_in_block(s, has_state ? s->block : 0, w);
  while (order < 0 && packed_next(s)) {
    order =
        packed_compare(s->state.bytes, s->state.length, w->bytes, w->length);
    if (order < 0 && s->left && s->state.length == w->length)
      order = go_on(s, w);
  }
  return order == 0 && !s->is_over && !s->io->error;
}
