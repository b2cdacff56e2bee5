/* Blocks of differences, written and read in order, or found by their first
** keys; see run_file.h. */

#include "search/disk/run_file.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum {
  HEAD = 6,
  LONGEST = 10,    /* bytes: of a block, of a number */
  CACHED = 1 << 26 /* bytes of files that may stay in the system's memory */
};

/* ---- files ---------------------------------------------------------------- */

static uint32_t window_for(size_t bytes)
{
  size_t blocks = bytes / RUN_WINDOWS / RUN_BLOCK;
  if (blocks < RUN_WINDOW_LEAST)
    return RUN_WINDOW_LEAST;
  return blocks < RUN_WINDOW ? (uint32_t)blocks : RUN_WINDOW;
}

static void make_windows(run_io *io)
{
  for (size_t i = 0; i < RUN_WINDOWS; i++)
    io->windows[i] = mem_alloc((size_t)io->window * RUN_BLOCK);
}

bool run_io_create(run_io *io, const char *dir, size_t bytes)
{
  *io = (run_io){.window = window_for(bytes)};
  errno = 0;
  io->scratch = scratch_create(dir);
  if (!io->scratch) {
    io->error = errno ? errno : EIO;
    return false;
  }
  make_windows(io);
  return true;
}

bool run_io_hold(run_io *io, size_t most, size_t bytes)
{
  *io = (run_io){.window = window_for(bytes)};
  io->held = memory_files_create(most);
  if (!io->held) {
    io->error = ENOMEM;
    return false;
  }
  make_windows(io);
  return true;
}

void run_io_destroy(run_io *io)
{
  for (size_t i = 0; i < RUN_WINDOWS; i++)
    mem_free(io->windows[i], (size_t)io->window * RUN_BLOCK);
  scratch_destroy(io->scratch);
  memory_files_destroy(io->held);
  *io = (run_io){0};
}

static void fail(run_io *io, int error)
{
  if (!io->error)
    io->error = error ? error : EIO;
}

int run_io_open(run_io *io)
{
  if (io->error)
    return 0;
  if (io->held)
    return memory_file_open(io->held);
  int file = scratch_open(io->scratch);
  if (file < 0)
    fail(io, errno);
  return file < 0 ? 0 : file;
}

void run_io_close(run_io *io, int file)
{
  if (file > 0 && io->held)
    memory_file_close(io->held, file);
  else if (file > 0)
    close(file);
}

void run_io_drop(run_io *io, int file, uint64_t before)
{
  if (io->held)
    memory_file_drop(io->held, file, before);
}

void sorted_free(run_io *io, sorted_run *r)
{
  run_io_close(io, r->file);
  io->bytes -= r->written;
  vec_free(&r->firsts);
  *r = (sorted_run){0};
}

/* The system need not keep what lies in files that are larger than its memory may
** be: what was written goes to the disk soon, and what was read goes. */
static void pass_on(const run_io *io, int file, size_t count, uint64_t offset,
                    bool was_read)
{
  if (io->bytes <= CACHED)
    return;
  if (was_read)
    (void)posix_fadvise(file, (off_t)offset, (off_t)count, POSIX_FADV_DONTNEED);
  else
    (void)sync_file_range(file, (off_t)offset, (off_t)count,
                          SYNC_FILE_RANGE_WRITE);
}

/* A call may take long: behind each it is asked whether the run should end. */
static void look(run_io *io)
{
  if (!io->error && mem_is_due())
    fail(io, EINTR);
}

static void note_most(run_io *io, uint64_t bytes)
{
  if (io->most_bytes < bytes)
    io->most_bytes = bytes;
}

static void write_held(run_io *io, int file, const uint8_t *bytes, size_t count,
                       uint64_t offset)
{
  if (!io->error && !memory_file_write(io->held, file, bytes, count, offset))
    fail(io, ENOMEM);
  note_most(io, memory_files_bytes(io->held));
  io->written += count;
}

static void read_held(run_io *io, int file, uint8_t *bytes, size_t count,
                      uint64_t offset)
{
  if (!io->error && !memory_file_read(io->held, file, bytes, count, offset))
    fail(io, EIO);
  io->read += count;
  look(io);
}

void run_io_write(run_io *io, int file, const uint8_t *bytes, size_t count,
                  uint64_t offset)
{
  io->bytes += count;
  if (io->held) {
    write_held(io, file, bytes, count, offset);
    return;
  }
  note_most(io, io->bytes);
  while (count && !io->error) {
    ssize_t n = pwrite(file, bytes, count, (off_t)offset);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      fail(io, n ? errno : ENOSPC);
      return;
    }
    pass_on(io, file, (size_t)n, offset, false);
    bytes += n;
    count -= (size_t)n;
    offset += (uint64_t)n;
    io->written += (uint64_t)n;
    look(io);
  }
}

void run_io_read(run_io *io, int file, uint8_t *bytes, size_t count,
                 uint64_t offset)
{
  if (io->held) {
    read_held(io, file, bytes, count, offset);
    return;
  }
  while (count && !io->error) {
    ssize_t n = pread(file, bytes, count, (off_t)offset);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      fail(io, n ? errno : EIO);
      return;
    }
    pass_on(io, file, (size_t)n, offset, true);
    bytes += n;
    count -= (size_t)n;
    offset += (uint64_t)n;
    io->read += (uint64_t)n;
    look(io);
  }
}

static uint32_t sum_of(const uint8_t *block, uint64_t number)
{
  uint64_t h = hash_bytes(block + 4, RUN_BLOCK - 4);
  return (uint32_t)hash_mix(h + number);
}

/* ---- writing -------------------------------------------------------------- */

void sorted_begin(run_writer *w, run_io *io, sorted_run *r, run_kind kind,
                  uint32_t right_bits)
{
  *r = (sorted_run){.kind = kind, .right_bits = right_bits};
  *w = (run_writer){.io = io, .run = r, .at = HEAD};
  r->file = run_io_open(io);
}

static void flush_window(run_writer *w)
{
  uint64_t first = w->run->firsts.len - w->block;
  run_io_write(w->io, w->run->file, w->io->windows[RUN_WRITING],
               (size_t)w->block * RUN_BLOCK, first * RUN_BLOCK);
  w->run->written += (uint64_t)w->block * RUN_BLOCK;
  w->block = 0;
}

static void end_block(run_writer *w)
{
  run_io *io = w->io;
  uint8_t *block = io->windows[RUN_WRITING] + (size_t)w->block * RUN_BLOCK;
  memset(block + w->at, 0, RUN_BLOCK - w->at);
  uint16_t keys = (uint16_t)w->keys;
  memcpy(block + 4, &keys, sizeof keys);
  uint32_t sum = sum_of(block, w->run->firsts.len - 1);
  memcpy(block, &sum, sizeof sum);
  w->at = HEAD;
  w->keys = 0;
  if (++w->block == io->window)
    flush_window(w);
}

static uint64_t number_of(const sorted_run *r, uint64_t key, bool marked)
{
  uint64_t number = key >> 32 << r->right_bits | (key & UINT32_MAX);
  return r->kind == RUN_MARKS ? number << 1 | marked : number;
}

void sorted_put(run_writer *w, uint64_t key, bool marked)
{
  sorted_run *r = w->run;
  if (w->io->error)
    return;
  uint64_t number = number_of(r, key, marked);
  if (w->keys && w->at + LONGEST > RUN_BLOCK)
    end_block(w);
  if (!w->keys) {
    uint64_t first = r->kind == RUN_MARKS ? number >> 1 : number;
    vec_push(&r->firsts, first);
    w->last = 0;
  }
  uint8_t *to =
      w->io->windows[RUN_WRITING] + (size_t)w->block * RUN_BLOCK + w->at;
  uint64_t more = number - w->last;
  uint8_t *at = to;
  for (; more >= 128; more >>= 7)
    *at++ = (uint8_t)(more | 128);
  *at++ = (uint8_t)more;
  w->at += (uint32_t)(at - to);
  w->keys++;
  w->last = number;
  r->count++;
}

void sorted_end(run_writer *w)
{
  if (w->io->error)
    return;
  if (w->keys)
    end_block(w);
  flush_window(w);
}

/* ---- reading -------------------------------------------------------------- */

void sorted_open(run_stream *s, run_io *io, const sorted_run *r,
                 uint32_t window)
{
  *s = (run_stream){
      .io = io, .run = r, .window = io->windows[window], .block = UINT64_MAX};
}

void sorted_consume(run_stream *s, run_io *io, const sorted_run *r,
                    uint32_t window)
{
  sorted_open(s, io, r, window);
  s->consumes = true;
}

static const uint8_t *block_at(const run_stream *s)
{
  return s->window + (s->block - s->from) * RUN_BLOCK;
}

/* Goes to the start of a block; 'ahead' of them are read if it is not there. */
static bool go_to(run_stream *s, uint64_t block, uint64_t ahead)
{
  uint64_t end = s->run->firsts.len;
  if (block >= end || s->io->error)
    return false;
  if (block < s->from || block >= s->from + s->blocks) {
    s->from = block;
    s->blocks = end - block < ahead ? end - block : ahead;
    run_io_read(s->io, s->run->file, s->window, s->blocks * RUN_BLOCK,
                block * RUN_BLOCK);
    if (s->consumes)
      run_io_drop(s->io, s->run->file, (block + s->blocks) * RUN_BLOCK);
  }
  s->block = block;
  const uint8_t *at = block_at(s);
  uint32_t sum;
  uint16_t keys;
  memcpy(&sum, at, sizeof sum);
  memcpy(&keys, at + 4, sizeof keys);
  if (sum != sum_of(at, block))
    fail(s->io, EIO);
  s->at = HEAD;
  s->left = keys;
  s->number = 0;
  return !s->io->error;
}

/* The next number of the block, which has one. */
static void read_number(run_stream *s)
{
  const uint8_t *at = block_at(s) + s->at, *start = at;
  uint64_t more = 0;
  for (uint32_t shift = 0;; shift += 7) {
    uint8_t byte = *at++;
    more |= (uint64_t)(byte & 127) << shift;
    if (byte < 128)
      break;
  }
  s->at += (uint32_t)(at - start);
  s->left--;
  s->number += more;
}

static void take_number(run_stream *s)
{
  const sorted_run *r = s->run;
  uint64_t number = s->number;
  s->marked = r->kind == RUN_MARKED;
  if (r->kind == RUN_MARKS) {
    s->marked = number & 1;
    number >>= 1;
  }
  uint64_t right = number & ((UINT64_C(1) << r->right_bits) - 1);
  s->key = number >> r->right_bits << 32 | right;
}

bool sorted_next(run_stream *s)
{
  while (!s->left)
    if (!go_to(s, s->block + 1, s->io->window))
      return false;
  read_number(s);
  take_number(s);
  s->read++;
  return true;
}

/* The block, from 'block' on, that would hold a number: the last whose first one
** is not above it. */
static uint64_t block_for(const sorted_run *r, uint64_t block, uint64_t number)
{
  uint64_t end = r->firsts.len, step = 1;
  while (block + step < end && r->firsts.data[block + step] <= number) {
    block += step;
    step *= 2;
  }
  if (block + step < end)
    end = block + step;
  while (end - block > 1) {
    uint64_t middle = block + (end - block) / 2;
    if (r->firsts.data[middle] <= number)
      block = middle;
    else
      end = middle;
  }
  return block;
}

/* A key without its mark, or one that is as large if the run cannot have it. */
static uint64_t number_for(const sorted_run *r, uint64_t key)
{
  uint64_t right = key & UINT32_MAX, most = (UINT64_C(1) << r->right_bits) - 1;
  return (key & ~RUN_FOUND) >> 32 << r->right_bits |
         (right < most ? right : most);
}

/* Whether the stream, which is before or at it, has the number; 'number' is as
** it was written without its mark. */
static bool comes_to(run_stream *s, uint64_t number, uint32_t mark_bits)
{
  while (s->number >> mark_bits < number && s->left)
    read_number(s);
  return s->number >> mark_bits == number;
}

/* Blocks from that of the first key to that of the last. */
static uint64_t span_of(const sorted_run *r, const uint64_t *keys, size_t count)
{
  if (!count || !r->firsts.len)
    return 0;
  uint64_t first = block_for(r, 0, number_for(r, keys[0]));
  return block_for(r, first, number_for(r, keys[count - 1])) - first;
}

void sorted_ask(run_io *io, const sorted_run *r, uint64_t *keys, size_t count,
                run_found *found, void *context)
{
  run_stream s;
  uint32_t mark_bits = r->kind == RUN_MARKS;
  uint64_t block = 0,
           ahead = count / 2 > span_of(r, keys, count) ? io->window : 1;
  sorted_open(&s, io, r, 0);
  for (size_t i = 0; i < count && r->firsts.len; i++) {
    uint64_t key = keys[i];
    if (key & RUN_FOUND || (key & UINT32_MAX) >> r->right_bits)
      continue;
    uint64_t number = number_for(r, key);
    if (number < r->firsts.data[block])
      continue;
    block = block_for(r, block, number);
    if (block != s.block) {
      if (!go_to(&s, block, ahead))
        return;
      read_number(&s);
    }
    if (!comes_to(&s, number, mark_bits))
      continue;
    keys[i] |= RUN_FOUND;
    take_number(&s);
    if (found)
      found(context, key, s.marked);
  }
}

void sorted_count_before(run_io *io, const sorted_run *r, uint64_t *before)
{
  run_stream s;
  uint64_t keys = 0;
  sorted_open(&s, io, r, 0);
  for (uint64_t block = 0; block < r->firsts.len; block++) {
    before[block] = keys;
    if (!go_to(&s, block, io->window))
      return;
    keys += s.left;
  }
}

bool sorted_go_to(run_stream *s, uint64_t key)
{
  const sorted_run *r = s->run;
  uint32_t mark_bits = r->kind == RUN_MARKS;
  uint64_t number = number_for(r, key);
  uint64_t from = s->block == UINT64_MAX ? 0 : s->block;
  if (!r->firsts.len || (key & UINT32_MAX) >> r->right_bits ||
      number < r->firsts.data[from])
    return false;
  uint64_t block = block_for(r, from, number);
  if (block != s->block) {
    /* Those that are far away are read one by one. */
    if (!go_to(s, block, block - from > 1 ? 1 : s->io->window))
      return false;
    read_number(s);
    s->read = 0;
  }
  for (; s->number >> mark_bits < number && s->left; s->read++)
    read_number(s);
  take_number(s);
  return s->key == key;
}
