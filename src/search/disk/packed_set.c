/* Sorting, merging and asking for whole states; see packed_set.h. */

#include "search/disk/packed_set.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

void packed_set_free(run_io *io, packed_set *s)
{
  for (size_t i = 0; i < s->runs.len; i++)
    packed_free(io, &s->runs.data[i]);
  vec_free(&s->runs);
}

bool packed_work_room(packed_work *w, size_t bytes)
{
  bytes = bytes / sizeof(packed_place) * sizeof(packed_place);
  mem_free(w->room, w->room_bytes);
  w->room = bytes ? mem_try_alloc(bytes) : NULL;
  w->room_bytes = w->room ? bytes : 0;
  w->used = w->places = 0;
  return w->room || !bytes;
}

void packed_work_free(packed_work *w, run_io *io)
{
  for (size_t i = 0; i < RUN_MERGE; i++)
    packed_stream_free(&w->streams[i]);
  packed_writer_free(&w->writer);
  packed_free(io, &w->made);
  packed_free(io, &w->wanted);
  packed_set_free(io, &w->sorted);
  packed_work_room(w, 0);
}

/* ---- merging -------------------------------------------------------------- */

/* Streams that still have a state, in the order of these, of equal ones the
** youngest first. */
typedef struct merger {
  packed_stream *streams;
  size_t order[RUN_MERGE], count;
} merger;

static int compare_heads(const merger *m, size_t a, size_t b)
{
  const packed_state *x = &m->streams[a].state, *y = &m->streams[b].state;
  return packed_compare(x->bytes, x->length, y->bytes, y->length);
}

static bool comes_before(const merger *m, size_t a, size_t b)
{
  int order = compare_heads(m, a, b);
  return order < 0 || (!order && a > b);
}

/* All from 'at' on are in order but the first of them, which comes to its place.
** Most often it is there: states of a run are alike. */
static void put_in_order(merger *m, size_t at)
{
  size_t moved = m->order[at], low = at + 1, high = m->count;
  if (low == high || comes_before(m, moved, m->order[low]))
    return;
  for (low++; low < high;) {
    size_t middle = low + (high - low) / 2;
    if (comes_before(m, moved, m->order[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  memmove(m->order + at, m->order + at + 1, (low - at - 1) * sizeof *m->order);
  m->order[low - 1] = moved;
}

/* Goes on in the stream at this place of the order. */
static void advance(merger *m, size_t at)
{
  if (packed_next(&m->streams[m->order[at]])) {
    put_in_order(m, at);
    return;
  }
  m->count--;
  memmove(m->order + at, m->order + at + 1, (m->count - at) * sizeof *m->order);
}

static void open_merger(merger *m, run_io *io, const packed_run *runs,
                        size_t count)
{
  m->count = 0;
  for (size_t i = 0; i < count; i++) {
    packed_open(&m->streams[i], io, &runs[i], (uint32_t)i);
    if (!packed_next(&m->streams[i]))
      continue;
    memmove(m->order + 1, m->order, m->count++ * sizeof *m->order);
    m->order[0] = i;
    put_in_order(m, 0);
  }
}

/* The last 'count' runs become one. */
static void merge_last(packed_work *w, run_io *io, packed_set *s, size_t count)
{
  packed_run *last = s->runs.data + s->runs.len - count;
  run_kind kind = last[0].kind;
  merger m = {.streams = w->streams};
  uint32_t longest = 0;
  open_merger(&m, io, last, count);
  for (size_t i = 0; i < count; i++) {
    longest = last[i].longest > longest ? last[i].longest : longest;
    kind = last[i].kind == kind ? kind : RUN_MARKS;
  }
  packed_begin(&w->writer, io, &w->made, kind, last[0].named, longest);
  for (; m.count && !io->error; advance(&m, 0)) {
    packed_put(&w->writer, &m.streams[m.order[0]].state);
    while (m.count > 1 && !compare_heads(&m, m.order[0], m.order[1]))
      advance(&m, 1);
  }
  packed_end(&w->writer);
  if (io->error)
    return;
  for (size_t i = 0; i < count; i++)
    packed_free(io, &last[i]);
  last[0] = w->made;
  w->made = (packed_run){0};
  s->runs.len -= count - 1;
  w->merges++;
}

/* How many of the youngest runs are to be merged: those that are not much larger
** than all behind them; at least two. */
static size_t alike(const packed_set *s)
{
  uint64_t behind = 0;
  size_t count = 0;
  for (size_t i = s->runs.len; i-- && count < RUN_MERGE; count++) {
    if (count >= 2 && s->runs.data[i].written > 2 * behind)
      break;
    behind += s->runs.data[i].written;
  }
  return count;
}

void packed_set_add(packed_work *w, run_io *io, packed_set *s, packed_run *r,
                    size_t most)
{
  if (r->count)
    vec_push(&s->runs, *r);
  else
    packed_free(io, r);
  *r = (packed_run){0};
  while (s->runs.len > most && !io->error)
    merge_last(w, io, s, most > 1 ? alike(s) : s->runs.len);
}

/* ---- sorting -------------------------------------------------------------- */

void packed_sort_begin(packed_work *w, run_kind kind, bool named)
{
  w->used = w->places = 0;
  w->kind = kind;
  w->named = named;
  w->longest = 0;
}

static packed_place *places_of(const packed_work *w)
{
  return (packed_place *)(void *)(w->room + w->room_bytes) - w->places;
}

static uint64_t key_from(const uint8_t *p, uint32_t left)
{
  uint64_t key = 0;
  for (uint32_t i = 0; i < 8; i++)
    key = key << 8 | (i < left ? p[i] : 0);
  return key;
}

/* Equal ones stay in the order in which they were added. */
static int by_place(const packed_place *a, const packed_place *b)
{
  return (a->at > b->at) - (a->at < b->at);
}

static int by_key(const void *a, const void *b)
{
  const packed_place *x = a, *y = b;
  return x->key != y->key ? (x->key > y->key ? 1 : -1) : by_place(x, y);
}

static bool is_before(const uint8_t *bytes, const packed_place *a,
                      const packed_place *b)
{
  return packed_compare(bytes + a->at, a->length, bytes + b->at, b->length) < 0;
}

static void sort_by_insertion(const uint8_t *bytes, packed_place *list,
                              size_t count)
{
  for (size_t i = 1; i < count; i++)
    for (size_t k = i; k && is_before(bytes, &list[k], &list[k - 1]); k--) {
      packed_place swap = list[k];
      list[k] = list[k - 1];
      list[k - 1] = swap;
    }
}

/* States of one length that are equal up to 'depth'. */
static void sort_places(const uint8_t *bytes, packed_place *list, size_t count,
                        uint32_t depth)
{
  enum { FEW = 8 };
  if (count <= FEW) {
    sort_by_insertion(bytes, list, count);
    return;
  }
  uint32_t length = list[0].length;
  uint64_t all = 0;
  for (; depth < length && !all; depth += 8) {
    for (size_t i = 0; i < count; i++) {
      list[i].key = key_from(bytes + list[i].at + depth, length - depth);
      all |= list[i].key ^ list[0].key;
    }
  }
  if (!all)
    return;
  qsort(list, count, sizeof *list, by_key);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && list[end].key == list[i].key;)
      end++;
    if (end - i > 1 && depth < length)
      sort_places(bytes, list + i, end - i, depth);
  }
}

static int by_length(const void *a, const void *b)
{
  const packed_place *x = a, *y = b;
  return x->length != y->length ? (x->length > y->length ? 1 : -1)
                                : by_place(x, y);
}

static void sort_all(const uint8_t *bytes, packed_place *list, size_t count)
{
  bool differ = false;
  for (size_t i = 1; i < count; i++)
    differ |= list[i].length != list[0].length;
  if (differ)
    qsort(list, count, sizeof *list, by_length);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && list[end].length == list[i].length;)
      end++;
    sort_places(bytes, list + i, end - i, 0);
  }
}

/* What is in memory becomes a run; of a state that was added twice the last
** counts.  The mark of a state without a name is its
** name. */
static void make_run(packed_work *w, run_io *io)
{
  packed_place *list = places_of(w);
  sort_all(w->room, list, w->places);
  packed_begin(&w->writer, io, &w->made, w->kind, w->named, w->longest);
  for (size_t i = 0; i < w->places; i++)
    if (i + 1 == w->places || is_before(w->room, &list[i], &list[i + 1]))
      packed_put(&w->writer,
                 &(packed_state){.bytes = w->room + list[i].at,
                                 .length = list[i].length,
                                 .marked = !w->named && list[i].name,
                                 .name = list[i].name});
  packed_end(&w->writer);
  w->used = w->places = 0;
  vec_push(&w->sorted.runs, w->made);
  w->made = (packed_run){0};
  if (w->sorted.runs.len == RUN_MERGE && !io->error)
    merge_last(w, io, &w->sorted, alike(&w->sorted));
}

void packed_sort_add(packed_work *w, run_io *io, const packed_state *s)
{
  size_t left = w->room_bytes - w->used - w->places * sizeof(packed_place);
  if (io->error)
    return;
  if (left < s->length + sizeof(packed_place) && w->places)
    make_run(w, io);
  left = w->room_bytes - w->used - w->places * sizeof(packed_place);
  if (left < s->length + sizeof(packed_place))
    mem_give_up();
  w->places++;
  *places_of(w) = (packed_place){.name = w->named ? s->name : s->marked,
                                 .at = (uint32_t)w->used,
                                 .length = s->length};
  if (s->length)
    memcpy(w->room + w->used, s->bytes, s->length);
  w->used += s->length;
  w->longest = s->length > w->longest ? s->length : w->longest;
}

void packed_sort_end(packed_work *w, run_io *io, packed_run *to)
{
  if (w->places && !io->error)
    make_run(w, io);
  while (w->sorted.runs.len > 1 && !io->error)
    merge_last(w, io, &w->sorted, w->sorted.runs.len);
  *to = (packed_run){0};
  if (w->sorted.runs.len && !io->error) {
    *to = w->sorted.runs.data[0];
    w->sorted.runs.len = 0;
  }
  packed_set_free(io, &w->sorted);
}

/* ---- asking --------------------------------------------------------------- */

/* What is asked for: in memory, or in a run. */
typedef struct asking {
  packed_work *work;
  const run_io *io;
  const packed_set *known;
  packed_told *told;
  void *context;
  uint64_t count;
} asking;

static void ask(const asking *a, const packed_state *s)
{
  packed_stream *known = a->work->streams + 1;
  bool is_there = false, marked = false;
  for (size_t i = a->known->runs.len; i-- && !is_there;) {
    bool is_dense = a->count / 2 > a->known->runs.data[i].blocks;
    is_there = packed_find(&known[i], s, is_dense);
    marked = is_there && known[i].state.marked;
  }
  if (!a->io->error)
    a->told(a->context, s, is_there, marked);
}

static void ask_for_run(const asking *a, run_io *io, const packed_run *wanted)
{
  packed_stream *all = a->work->streams;
  packed_open(all, io, wanted, 0);
  while (packed_next(all))
    ask(a, &all->state);
}

static void ask_for_places(const asking *a)
{
  packed_work *w = a->work;
  const packed_place *list = places_of(w);
  sort_all(w->room, places_of(w), w->places);
  for (size_t i = 0; i < w->places && !a->io->error; i++)
    ask(a, &(packed_state){.bytes = w->room + list[i].at,
                           .length = list[i].length,
                           .name = list[i].name});
}

static void open_known(packed_work *w, run_io *io, const packed_set *known)
{
  for (size_t i = 0; i < known->runs.len; i++)
    packed_open(&w->streams[i + 1], io, &known->runs.data[i], (uint32_t)i + 1);
}

void packed_ask(packed_work *w, run_io *io, const packed_run *wanted,
                const packed_set *known, packed_told *told, void *context)
{
  asking a = {w, io, known, told, context, wanted->count};
  if (!wanted->count || io->error)
    return;
  open_known(w, io, known);
  ask_for_run(&a, io, wanted);
}

void packed_sort_ask(packed_work *w, run_io *io, const packed_set *known,
                     packed_told *told, void *context)
{
  asking a = {w, io, known, told, context, w->places};
  if (w->sorted.runs.len) {
    packed_sort_end(w, io, &w->wanted);
    packed_ask(w, io, &w->wanted, known, told, context);
    packed_free(io, &w->wanted);
  } else {
    open_known(w, io, known);
    ask_for_places(&a);
  }
  w->used = w->places = 0;
}
