/* Which runs are merged, and how; see tiers.h. */

#include "search/disk/tiers.h"

enum { ALIKE = 4 }; /* so many runs of a kind are merged */

void tiers_free(run_io *io, tiers *t)
{
  for (size_t i = 0; i < t->runs.len; i++)
    sorted_free(io, &t->runs.data[i]);
  vec_free(&t->runs);
}

/* ---- merging -------------------------------------------------------------- */

/* Streams that still have a key; the youngest is the last. */
typedef struct merger {
  run_stream streams[RUN_MERGE];
  bool is_open[RUN_MERGE];
  size_t count;
} merger;

/* Takes the least key, with the mark of the youngest; false: there is none. */
static bool take_least(merger *m, uint64_t *key, bool *marked)
{
  size_t least = RUN_MERGE;
  for (size_t i = 0; i < m->count; i++)
    if (m->is_open[i] &&
        (least == RUN_MERGE || m->streams[i].key <= m->streams[least].key))
      least = i;
  if (least == RUN_MERGE)
    return false;
  *key = m->streams[least].key;
  *marked = m->streams[least].marked;
  for (size_t i = 0; i < m->count; i++)
    if (m->is_open[i] && m->streams[i].key == *key)
      m->is_open[i] = sorted_next(&m->streams[i]);
  return true;
}

/* A run that is written belongs to the tiers from the start, as memory may run
** out on the way. */
static sorted_run *new_run(tiers *t)
{
  vec_push(&t->runs, (sorted_run){0});
  return &vec_last(&t->runs);
}

/* The last 'count' runs become one. */
static void merge_last(run_io *io, tiers *t, size_t count)
{
  sorted_run *made = new_run(t), *last = made - count;
  merger m = {.count = count};
  run_kind kind = last[0].kind;
  uint32_t bits = 0;
  for (size_t i = 0; i < count; i++) {
    sorted_consume(&m.streams[i], io, &last[i], (uint32_t)i);
    m.is_open[i] = sorted_next(&m.streams[i]);
    bits = last[i].right_bits > bits ? last[i].right_bits : bits;
    if (last[i].kind != kind)
      kind = RUN_MARKS;
  }
  run_writer w;
  uint64_t key;
  bool marked;
  sorted_begin(&w, io, made, kind, bits);
  while (take_least(&m, &key, &marked))
    sorted_put(&w, key, marked);
  sorted_end(&w);
  for (size_t i = 0; i < count; i++)
    sorted_free(io, &last[i]);
  last[0] = *made;
  t->runs.len -= count;
  t->merges++;
}

/* How many of the youngest runs are to be merged: as many as are not much larger
** than all behind them, if they are several. */
static size_t alike(const tiers *t)
{
  uint64_t behind = 0;
  size_t count = 0;
  for (size_t i = t->runs.len; i-- && count < RUN_MERGE; count++) {
    uint64_t bytes = sorted_bytes(&t->runs.data[i]);
    if (count && bytes > 2 * behind)
      break;
    behind += bytes;
  }
  return count >= ALIKE ? count : 0;
}

static void merge_alike(run_io *io, tiers *t)
{
  for (size_t n; !io->error && (n = alike(t));)
    merge_last(io, t, n);
}

void tiers_unite(run_io *io, tiers *t)
{
  while (t->runs.len > 1 && !io->error)
    merge_last(io, t, t->runs.len < RUN_MERGE ? t->runs.len : RUN_MERGE);
}

void tiers_write(run_io *io, tiers *t, const uint64_t *keys, size_t count,
                 run_kind kind)
{
  run_writer w;
  if (!count)
    return;
  sorted_begin(&w, io, new_run(t), kind, keys_right_bits(keys, count));
  for (size_t i = 0; i < count; i++)
    sorted_put(&w, keys[i] & ~RUN_FOUND, keys[i] & RUN_FOUND);
  sorted_end(&w);
  merge_alike(io, t);
}

void tiers_add(run_io *io, tiers *t, sorted_run *r)
{
  if (!r->count)
    sorted_free(io, r);
  else
    *new_run(t) = *r;
  *r = (sorted_run){0};
  merge_alike(io, t);
}

void tiers_ask(run_io *io, const tiers *t, uint64_t *keys, size_t count,
               run_found *found, void *context)
{
  for (size_t i = t->runs.len; i-- && !io->error;)
    sorted_ask(io, &t->runs.data[i], keys, count, found, context);
}
