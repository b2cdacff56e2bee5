/* Blocks of handles; see kept_levels.h.  And the walk that has them. */

#include "search/disk/disk_internal.h"

#include "base/hash.h"

#include <errno.h>
#include <string.h>

enum {
  EACH = KEPT_WINDOW / RUN_WINDOW_LEAST, /* handles of a block */
  PIECE = 1 << 16                        /* that are gathered */
};

static uint64_t sum_of(const uint8_t *block, uint64_t number)
{
  return hash_mix(hash_bytes(block, RUN_BLOCK - 8) + number);
}

static void write_window(kept_levels *k, run_io *io, const store_handle *from)
{
  uint8_t *window = io->windows[RUN_WRITING];
  uint64_t first = k->count / EACH;
  for (uint32_t i = 0; i < RUN_WINDOW_LEAST; i++, from += EACH) {
    uint8_t *block = window + (size_t)i * RUN_BLOCK;
    memcpy(block, from, EACH * sizeof *from);
    uint64_t sum = sum_of(block, first + i);
    memcpy(block + RUN_BLOCK - 8, &sum, sizeof sum);
  }
  run_io_write(io, k->file, window, (size_t)RUN_WINDOW_LEAST * RUN_BLOCK,
               first * RUN_BLOCK);
  k->count += KEPT_WINDOW;
}

bool kept_levels_write(kept_levels *k, run_io *io, frontier *f)
{
  store_handle *all = frontier_handles(f);
  size_t done = 0;
  if (f->count >= KEPT_WINDOW && !k->file)
    k->file = run_io_open(io);
  for (; f->count - done >= KEPT_WINDOW && !io->error; done += KEPT_WINDOW)
    write_window(k, io, all + done);
  if (done)
    memmove(all, all + done, (f->count - done) * sizeof *all);
  f->count -= done;
  return !io->error;
}

size_t kept_levels_read(const kept_levels *k, run_io *io, uint64_t at,
                        size_t most, frontier *to)
{
  uint8_t *block = io->windows[0];
  size_t added = 0;
  if (!frontier_has_room(to, most))
    return 0;
  while (added < most && at < k->count && !io->error) {
    uint64_t number = at / EACH, sum;
    run_io_read(io, k->file, block, RUN_BLOCK, number * RUN_BLOCK);
    memcpy(&sum, block + RUN_BLOCK - 8, sizeof sum);
    if (!io->error && sum != sum_of(block, number))
      io->error = EIO;
    for (uint64_t i = at % EACH; i < EACH && added < most && !io->error; i++) {
      store_handle handle;
      memcpy(&handle, block + i * 8, sizeof handle);
      frontier_add(to, handle);
      added++;
      at++;
    }
  }
  return io->error ? 0 : added;
}

void kept_levels_free(kept_levels *k, run_io *io)
{
  if (k->file > 0) {
    run_io_close(io, k->file);
    io->bytes -= k->count / EACH * RUN_BLOCK;
  }
  *k = (kept_levels){0};
}

/* ---- a second walk -------------------------------------------------------- */

/* What was gathered of a level goes where levels are kept. */
static bool keep_gathered(disk *d)
{
  team *t = d->team;
  if (!d->is_dense)
    return kept_levels_write(&d->kept, &d->io, &t->kept);
  size_t count = t->kept.count;
  if (!frontier_has_room(&t->kept, count))
    return false;
  store_handle *handles = frontier_handles(&t->kept);
  frontier_clear(&t->kept);
  return !count || handle_list_add(&t->packed, handles, count, handles + count);
}

bool disk_keep_level(disk *d)
{
  if (!disk_has_spilled(d))
    return true;
  team *t = d->team;
  if (d->is_dense) /* the last level that was shown */
    frontier_clear(&t->kept);
  bool is_kept = keep_gathered(d);
  run_stream s;
  sorted_open(&s, &d->io, &d->level, RUN_LEVEL);
  while (is_kept && d->level.count && sorted_next(&s))
    is_kept = frontier_add(&t->kept, s.key) &&
              (t->kept.count % PIECE || keep_gathered(d));
  return is_kept && (!d->is_dense || keep_gathered(d)) && !disk_has_failed(d);
}

size_t disk_show_kept(disk *d, uint64_t at, uint64_t end, frontier *shown)
{
  frontier_clear(&d->again);
  uint64_t left = disk_kept(d) - at, most = end - at;
  most = most < left ? most : left;
  size_t n =
      kept_levels_read(&d->kept, &d->io, at,
                       most < d->chunk ? (size_t)most : d->chunk, &d->again);
  *shown = (frontier){.count = n};
  shown->memory.base = d->again.memory.base;
  (void)disk_has_failed(d);
  return n;
}
