/* Blocks of notes; see note_file.h. */

#include "search/disk/note_file.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <errno.h>
#include <string.h>

enum { SUM = 8 };

static uint64_t sum_of(const note_file *n)
{
  return hash_mix(hash_bytes(n->bytes, RUN_BLOCK - SUM) + n->block);
}

static void write_block(note_file *n)
{
  uint64_t sum = sum_of(n);
  memcpy(n->bytes + RUN_BLOCK - SUM, &sum, sizeof sum);
  run_io_write(n->io, n->file, n->bytes, RUN_BLOCK, n->block * RUN_BLOCK);
  if (n->block < n->blocks)
    n->io->bytes -= RUN_BLOCK; /* it was there */
  else
    n->blocks++;
  n->is_changed = false;
}

static void read_block(note_file *n)
{
  uint64_t sum;
  run_io_read(n->io, n->file, n->bytes, RUN_BLOCK, n->block * RUN_BLOCK);
  memcpy(&sum, n->bytes + RUN_BLOCK - SUM, sizeof sum);
  if (!n->io->error && sum != sum_of(n))
    n->io->error = EIO;
  if (n->io->error)
    memset(n->bytes, 0, RUN_BLOCK);
}

bool note_file_create(note_file *n, run_io *io, uint64_t count, uint32_t width)
{
  *n = (note_file){.io = io, .width = width, .each = (RUN_BLOCK - SUM) / width};
  n->bytes = mem_alloc(RUN_BLOCK);
  n->file = run_io_open(io);
  for (; n->block <= count / n->each && !io->error; n->block++)
    write_block(n);
  n->block = UINT64_MAX;
  return !io->error;
}

void note_file_free(note_file *n)
{
  if (n->file > 0) {
    run_io_close(n->io, n->file);
    n->io->bytes -= n->blocks * RUN_BLOCK;
  }
  mem_free(n->bytes, n->bytes ? RUN_BLOCK : 0);
  *n = (note_file){0};
}

uint8_t *note_file_at(note_file *n, uint64_t number, bool changes)
{
  uint64_t block = number / n->each;
  if (block != n->block) {
    if (n->is_changed)
      write_block(n);
    n->block = block;
    read_block(n);
  }
  n->is_changed |= changes;
  return n->bytes + number % n->each * n->width;
}
