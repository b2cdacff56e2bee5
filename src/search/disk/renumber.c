/* The store has made another tree: what its states are called has changed, and so
** has the order of the runs.  All that is on disk is written anew. */

#include "search/disk/disk.h"

typedef struct renumbering {
  disk *disk;
  store *store;
  store_handle (*translate)(store *, store_handle);
  uint64_t *keys; /* room for some */
  size_t room;
} renumbering;

static uint64_t renumber(const renumbering *r, uint64_t key)
{
  uint64_t mark = key & RUN_FOUND;
  return r->translate(r->store, key & ~RUN_FOUND) | mark;
}

static void renumber_list(const renumbering *r, frontier *f)
{
  for (size_t i = 0; i < f->count; i++)
    frontier_handles(f)[i] = renumber(r, frontier_handles(f)[i]);
}

/* Sorted in parts, which are then merged. */
static void renumber_run(const renumbering *r, sorted_run *old)
{
  run_io *io = &r->disk->io;
  tiers *parts = &r->disk->parts;
  run_stream s;
  size_t n = 0;
  sorted_consume(&s, io, old, RUN_PENDING);
  for (bool more = true; more && !io->error;) {
    more = sorted_next(&s);
    if (more) {
      uint64_t mark = s.marked && old->kind == RUN_MARKS ? RUN_FOUND : 0;
      r->keys[n++] = renumber(r, s.key) | mark;
    }
    if (n == r->room || !more) {
      keys_sort(r->keys, n);
      tiers_write(io, parts, r->keys, n, old->kind);
      n = 0;
    }
  }
  tiers_unite(io, parts);
  if (!io->error && parts->runs.len) {
    run_kind kind = old->kind;
    sorted_free(io, old);
    *old = parts->runs.data[0];
    old->kind = kind;
    parts->runs.len = 0;
  }
  tiers_free(io, parts);
}

/* A level stays in the order it has. */
static void renumber_level(const renumbering *r, sorted_run *old)
{
  run_io *io = &r->disk->io;
  if (!old->count)
    return;
  run_stream s;
  run_writer w;
  sorted_run *made = &r->disk->remade;
  sorted_consume(&s, io, old, 0);
  sorted_begin(&w, io, made, RUN_UNMARKED, 32);
  while (sorted_next(&s))
    sorted_put(&w, renumber(r, s.key), false);
  sorted_end(&w);
  sorted_free(io, old);
  *old = *made;
  *made = (sorted_run){0};
}

static void renumber_waiting(const renumbering *r, walker *w)
{
  for (size_t at = 0; at < w->waiting.len;) {
    uint64_t leads = w->waiting.data[at + 1] >> 32;
    at += 2;
    for (uint64_t i = 0; i < leads; i++, at++)
      w->waiting.data[at] = renumber(r, w->waiting.data[at]);
  }
}

/* Goes on reading where it was.  When that was the end whole states are read
** through the same window, which must stay as it is. */
static void reopen_level(disk *d)
{
  run_stream *s = &d->level_stream;
  uint64_t read = s->read;
  if (!d->level.count || !s->run)
    return;
  sorted_open(s, &d->io, &d->level, RUN_LEVEL);
  if (read == d->level.count) {
    s->read = read;
    s->block = d->level.firsts.len - 1;
    return;
  }
  while (s->read < read && sorted_next(s))
    ;
}

static void renumber_kept(const renumbering *r)
{
  disk *d = r->disk;
  kept_levels *made = &d->kept_anew;
  for (uint64_t at = 0; at < d->kept.count && !d->io.error;) {
    size_t n = kept_levels_read(&d->kept, &d->io, at, KEPT_WINDOW, &d->again);
    renumber_list(r, &d->again);
    at += n;
    if (!n || !kept_levels_write(made, &d->io, &d->again))
      break;
  }
  kept_levels_free(&d->kept, &d->io);
  d->kept = *made;
  *made = (kept_levels){0};
  frontier_clear(&d->again);
}

static void renumber_tiers(const renumbering *r, tiers *t)
{
  for (size_t i = 0; i < t->runs.len; i++)
    renumber_run(r, &t->runs.data[i]);
}

void disk_renumber(disk *d, store *s,
                   store_handle (*translate)(store *, store_handle))
{
  if (!disk_has_spilled(d))
    return;
  d->is_torn = true;
  if (d->again.count && d->kept.count) /* the list is needed to read them */
    return;
  vec_resize(&d->keys, d->chunk);
  renumbering r = {d, s, translate, d->keys.data, d->chunk};
  renumber_tiers(&r, &d->old);
  renumber_tiers(&r, &d->here);
  renumber_tiers(&r, &d->next);
  renumber_tiers(&r, &d->pending);
  tiers_free(&d->io, &d->seen);
  renumber_level(&r, &d->level);
  renumber_level(&r, &d->coming);
  d->coming_writer.run = &d->coming;
  reopen_level(d);
  renumber_list(&r, &d->held);
  renumber_list(&r, &d->young);
  renumber_list(&r, &d->again);
  for (uint32_t i = 0; i < d->team->count; i++)
    renumber_waiting(&r, &d->team->walkers[i]);
  if (d->kept.count)
    renumber_kept(&r);
  vec_free(&d->keys);
  d->is_torn = false;
}
