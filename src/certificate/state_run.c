/* Sorts states by their bytes, and writes them as runs. */

#include "certificate/state_run.h"

#include "base/alloc.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { BLOCK_BYTES = 1 << 18, HEAD_BYTES = 24, CHECK_BYTES = 4 };

/* ---- numbers and blocks ------------------------------------------------ */

static void put_bytes(byte_list *to, uint64_t value, int count, bool highest)
{
  for (int i = 0; i < count; i++) {
    int shift = 8 * (highest ? count - 1 - i : i);
    vec_push(to, (uint8_t)(value >> shift));
  }
}

/* Numbers from 0 to 254 are one byte; see docs/certificates.md. */
enum { LONG_NUMBER = 255 };

void put_packed_number(byte_list *to, uint32_t n)
{
  vec_push(to, (uint8_t)(n < LONG_NUMBER ? n : LONG_NUMBER));
  if (n >= LONG_NUMBER)
    put_bytes(to, n, 4, true);
}

void put_canonical(byte_list *to, const uint8_t *canonical, size_t length)
{
  for (size_t i = 0; i + 4 <= length; i += 4) {
    const uint8_t *p = canonical + i;
    uint32_t shifted = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
                       (uint32_t)p[2] << 8 | p[3];
    put_packed_number(to, shifted - (UINT32_C(1) << 31));
  }
}

static uint32_t get_packed_number(const uint8_t **at)
{
  const uint8_t *p = *at;
  bool is_long = *p == LONG_NUMBER;
  *at = p + (is_long ? 5 : 1);
  return is_long ? (uint32_t)p[1] << 24 | (uint32_t)p[2] << 16 |
                       (uint32_t)p[3] << 8 | p[4]
                 : *p;
}

typedef struct block_work {
  block_kind kind;
  uint32_t count;
  const void *raw;
  size_t length;
  size_t written;
  byte_list out;
  nut_sink *sink;
  void *context;
} block_work;

static void do_write_block(void *work)
{
  block_work *w = work;
  uLongf packed = compressBound((uLong)w->length);
  vec_resize(&w->out, HEAD_BYTES + packed);
  uint8_t *data = w->out.data + HEAD_BYTES;
  if (compress2(data, &packed, w->raw, (uLong)w->length, 6) != Z_OK)
    mem_give_up();
  if (packed >= w->length) {
    packed = (uLongf)w->length;
    if (packed)
      memcpy(data, w->raw, packed);
  }
  vec_clear(&w->out);
  put_bytes(&w->out, w->kind, 4, false);
  put_bytes(&w->out, w->count, 4, false);
  put_bytes(&w->out, w->length, 8, false);
  put_bytes(&w->out, packed, 8, false);
  w->out.len += packed;
  put_bytes(&w->out, crc32_z(0, w->out.data, w->out.len), CHECK_BYTES, false);
  w->written = w->out.len;
  w->sink(w->context, (const char *)w->out.data, w->out.len);
}

static void tidy_block(void *work)
{
  block_work *w = work;
  vec_free(&w->out);
}

size_t write_block(block_kind kind, uint32_t count, const void *raw,
                   size_t length, nut_sink *sink, void *context)
{
  block_work w = {kind, count, raw, length, 0, {0}, sink, context};
  mem_protect_tidy(do_write_block, tidy_block, &w);
  return w.written;
}

/* ---- writing a run ------------------------------------------------------- */

/* A rank while it is sorted, behind its state. */
enum { RANK_BYTES = 4 };

typedef struct run_writer {
  byte_list block, last; /* last: the state before */
  byte_list ranks;       /* of the states of the block */
  uint64_t rank_bytes;   /* so far */
  bool ranked;
  uint32_t count; /* of the block */
  uint64_t states;
  nut_sink *sink;
  void *context;
} run_writer;

static void flush_block(run_writer *w)
{
  if (w->count)
    write_block(w->ranked ? BLOCK_PRODUCT : BLOCK_STATES, w->count,
                w->block.data, w->block.len, w->sink, w->context);
  if (w->count && w->ranked)
    w->rank_bytes += write_block(BLOCK_RANKS, w->count, w->ranks.data,
                                 w->ranks.len, w->sink, w->context);
  vec_clear(&w->ranks);
  vec_clear(&w->block);
  vec_clear(&w->last);
  w->count = 0;
}

static void write_state(run_writer *w, const uint8_t *state, size_t length)
{
  size_t shared = 0;
  if (w->ranked) {
    uint32_t rank = 0;
    for (length -= RANK_BYTES; shared < RANK_BYTES; shared++)
      rank = rank << 8 | state[length + shared];
    put_packed_number(&w->ranks, rank);
    shared = 0;
  }
  while (shared < length && shared < w->last.len &&
         state[shared] == w->last.data[shared])
    shared++;
  put_packed_number(&w->block, (uint32_t)shared);
  put_packed_number(&w->block, (uint32_t)(length - shared));
  vec_grow(&w->block, length - shared);
  memcpy(w->block.data + w->block.len, state + shared, length - shared);
  w->block.len += length - shared;
  vec_resize(&w->last, length);
  memcpy(w->last.data, state, length);
  w->count++;
  w->states++;
  if (w->block.len >= BLOCK_BYTES)
    flush_block(w);
}

static void run_writer_free(run_writer *w)
{
  vec_free(&w->block);
  vec_free(&w->last);
  vec_free(&w->ranks);
}

/* ---- reading one again ----------------------------------------------------- */

typedef struct run {
  byte_list bytes; /* blocks */
  size_t at;       /* the next block */
  byte_list block;
  const uint8_t *next; /* in the block */
  uint32_t left;
  byte_list state;
} run;

static uint64_t little(const uint8_t *p, int count)
{
  uint64_t value = 0;
  for (int i = count; i-- > 0;)
    value = value << 8 | p[i];
  return value;
}

static void open_block(run *r)
{
  const uint8_t *head = r->bytes.data + r->at;
  uint64_t raw = little(head + 8, 8), packed = little(head + 16, 8);
  uLongf length = (uLongf)raw;
  vec_resize(&r->block, raw);
  if (packed == raw)
    memcpy(r->block.data, head + HEAD_BYTES, raw);
  else if (uncompress(r->block.data, &length, head + HEAD_BYTES,
                      (uLong)packed) != Z_OK)
    mem_give_up();
  r->left = (uint32_t)little(head + 4, 4);
  r->next = r->block.data;
  r->at += HEAD_BYTES + packed + CHECK_BYTES;
}

/* Goes on to the next state; false at the end. */
static bool run_next(run *r)
{
  if (!r->left && r->at == r->bytes.len)
    return false;
  if (!r->left)
    open_block(r);
  size_t shared = get_packed_number(&r->next);
  size_t rest = get_packed_number(&r->next);
  vec_resize(&r->state, shared + rest);
  memcpy(r->state.data + shared, r->next, rest);
  r->next += rest;
  r->left--;
  return true;
}

static void run_free(run *r)
{
  vec_free(&r->bytes);
  vec_free(&r->block);
  vec_free(&r->state);
}

static int compare_bytes(const uint8_t *a, size_t m, const uint8_t *b, size_t n)
{
  int order = memcmp(a, b, m < n ? m : n);
  return order ? order : (m > n) - (m < n);
}

/* ---- sorting --------------------------------------------------------------- */

/* A state of the buffer, and eight bytes of it that are compared first. */
typedef struct place {
  uint64_t key;
  uint32_t at, length;
} place;

struct state_sorter {
  size_t room;
  bool ranked;
  byte_list bytes;
  VEC(place) places;
  VEC(run) runs;
  run_writer writer;
  VEC(uint32_t) heap; /* runs, the least state first */
};

state_sorter *state_sorter_create(size_t buffer_bytes, bool ranked)
{
  state_sorter *s = mem_alloc(sizeof *s);
  s->room = buffer_bytes;
  s->ranked = ranked;
  return s;
}

void state_sorter_destroy(state_sorter *s)
{
  if (!s)
    return;
  vec_free(&s->bytes);
  vec_free(&s->places);
  for (size_t i = 0; i < s->runs.len; i++)
    run_free(&s->runs.data[i]);
  vec_free(&s->runs);
  run_writer_free(&s->writer);
  vec_free(&s->heap);
  mem_free(s, sizeof *s);
}

static uint64_t key_from(const uint8_t *p, size_t left)
{
  uint64_t key = 0;
  for (size_t i = 0; i < 8; i++)
    key = key << 8 | (i < left ? p[i] : 0);
  return key;
}

static int by_key(const void *a, const void *b)
{
  uint64_t x = ((const place *)a)->key, y = ((const place *)b)->key;
  return (x > y) - (x < y);
}

static void sort_by_insertion(const uint8_t *bytes, place *list, size_t count)
{
  for (size_t i = 1; i < count; i++)
    for (size_t k = i; k > 0; k--) {
      place a = list[k - 1], b = list[k];
      if (compare_bytes(bytes + a.at, a.length, bytes + b.at, b.length) < 0)
        break;
      list[k] = a;
      list[k - 1] = b;
    }
}

/* States that are equal up to 'depth', which none of them is shorter than. */
static void sort_places(const uint8_t *bytes, place *list, size_t count,
                        uint32_t depth)
{
  enum { FEW = 8 };
  if (count <= FEW) {
    sort_by_insertion(bytes, list, count);
    return;
  }
  for (size_t i = 0; i < count; i++)
    list[i].key = key_from(bytes + list[i].at + depth, list[i].length - depth);
  qsort(list, count, sizeof *list, by_key);
  for (size_t i = 0, end; i < count; i = end) {
    size_t longer = i; /* those that end are put first */
    for (end = i; end < count && list[end].key == list[i].key; end++)
      if (list[end].length < depth + 8) {
        place ends = list[end];
        list[end] = list[longer];
        list[longer++] = ends;
      }
    sort_by_insertion(bytes, list + i, longer - i);
    if (end > longer)
      sort_places(bytes, list + longer, end - longer, depth + 8);
  }
}

static void gather_bytes(void *to, const char *bytes, size_t length)
{
  byte_list *list = to;
  vec_grow(list, length);
  memcpy(list->data + list->len, bytes, length);
  list->len += length;
}

/* The states of the buffer become a run. */
static void make_run(state_sorter *s)
{
  if (!s->places.len)
    return;
  sort_places(s->bytes.data, s->places.data, s->places.len, 0);
  vec_push(&s->runs, ((run){0}));
  s->writer.sink = gather_bytes;
  s->writer.context = &vec_last(&s->runs).bytes;
  for (size_t i = 0; i < s->places.len; i++)
    write_state(&s->writer, s->bytes.data + s->places.data[i].at,
                s->places.data[i].length);
  flush_block(&s->writer);
  vec_clear(&s->bytes);
  vec_clear(&s->places);
}

void state_sorter_add(state_sorter *s, const uint8_t *state, size_t length)
{
  size_t taken = s->bytes.len + s->places.len * sizeof *s->places.data;
  if (taken + length > s->room || s->bytes.len + length > UINT32_MAX)
    make_run(s);
  place p = {0, (uint32_t)s->bytes.len, (uint32_t)length};
  vec_push(&s->places, p);
  vec_grow(&s->bytes, length);
  memcpy(s->bytes.data + s->bytes.len, state, length);
  s->bytes.len += length;
}

void state_sorter_add_ranked(state_sorter *s, byte_list *state, uint32_t rank)
{
  put_bytes(state, rank, RANK_BYTES, true);
  state_sorter_add(s, state->data, state->len);
}

uint64_t state_sorter_rank_bytes(const state_sorter *s)
{
  return s->writer.rank_bytes;
}

/* ---- merging ---------------------------------------------------------------- */

static bool is_before(const state_sorter *s, uint32_t a, uint32_t b)
{
  const run *x = &s->runs.data[a], *y = &s->runs.data[b];
  return compare_bytes(x->state.data, x->state.len, y->state.data,
                       y->state.len) < 0;
}

/* The run at the top has another state: it finds its place. */
static void sift_down(state_sorter *s, size_t at)
{
  for (;;) {
    size_t least = 2 * at + 1;
    if (least >= s->heap.len)
      return;
    if (least + 1 < s->heap.len &&
        is_before(s, s->heap.data[least + 1], s->heap.data[least]))
      least++;
    if (!is_before(s, s->heap.data[least], s->heap.data[at]))
      return;
    uint32_t swap = s->heap.data[at];
    s->heap.data[at] = s->heap.data[least];
    s->heap.data[least] = swap;
    at = least;
  }
}

uint64_t state_sorter_finish(state_sorter *s, nut_sink *sink, void *context)
{
  make_run(s);
  vec_free(&s->bytes);
  vec_free(&s->places);
  for (uint32_t i = 0; i < s->runs.len; i++)
    if (run_next(&s->runs.data[i]))
      vec_push(&s->heap, i);
  for (size_t i = s->heap.len; i-- > 0;)
    sift_down(s, i);
  s->writer.sink = sink;
  s->writer.context = context;
  s->writer.states = 0;
  s->writer.ranked = s->ranked;
  while (s->heap.len) {
    run *r = &s->runs.data[s->heap.data[0]];
    write_state(&s->writer, r->state.data, r->state.len);
    if (!run_next(r))
      s->heap.data[0] = vec_pop(&s->heap);
    sift_down(s, 0);
  }
  flush_block(&s->writer);
  return s->writer.states;
}
