/* Files of blocks with sums, written so that they are whole; see block_file.h. */

#include "base/system/block_file.h"

#include "base/alloc.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { HEAD = 16, SUM = 4, LAST_BYTES = 12 };

static void put_little(uint8_t *to, uint64_t value, int count)
{
  for (int i = 0; i < count; i++)
    to[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get_little(const uint8_t *from, int count)
{
  uint64_t value = 0;
  for (int i = count; i-- > 0;)
    value = value << 8 | from[i];
  return value;
}

/* ---- writing ------------------------------------------------------------ */

struct block_writer {
  const volatile sig_atomic_t *signal;
  int gives_up;
  int fd, error;
  const char *path;
  char temporary[PATH_MAX];
  uint32_t kind, sums;
  uint64_t blocks, bytes;
  size_t used; /* of the block at hand */
  uint8_t block[HEAD + BLOCK_ROOM + SUM];
};

block_writer *block_writer_create(const volatile sig_atomic_t *signal,
                                  int gives_up)
{
  block_writer *w = mem_alloc(sizeof *w);
  w->signal = signal;
  w->gives_up = gives_up;
  w->fd = -1;
  memset(w->block, 0xff, sizeof w->block); /* it is there when it is needed */
  return w;
}

void block_writer_destroy(block_writer *w)
{
  mem_free(w, w ? sizeof *w : 0);
}

void block_file_begin(block_writer *w, const char *path)
{
  w->path = path;
  w->error = 0;
  w->fd = -1;
  w->blocks = w->bytes = 0;
  w->sums = w->kind = 0;
  w->used = 0;
  int length = snprintf(w->temporary, sizeof w->temporary, "%s.tmp", path);
  if (length < 0 || (size_t)length >= sizeof w->temporary) {
    w->error = ENAMETOOLONG;
    return;
  }
  w->fd =
      open(w->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
           S_IRUSR | S_IWUSR);
  if (w->fd < 0)
    w->error = errno;
}

static bool is_given_up(const block_writer *w)
{
  return w->signal && *w->signal >= w->gives_up;
}

static void write_all(block_writer *w, const uint8_t *bytes, size_t length)
{
  while (length && !w->error) {
    if (is_given_up(w)) {
      w->error = EINTR;
      return;
    }
    ssize_t n = write(w->fd, bytes, length);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      w->error = n < 0 ? errno : EIO;
      return;
    }
    bytes += n;
    length -= (size_t)n;
    w->bytes += (uint64_t)n;
  }
}

static void flush(block_writer *w)
{
  put_little(w->block, w->kind, 4);
  put_little(w->block + 4, w->used, 4);
  put_little(w->block + 8, w->blocks++, 8);
  uint32_t sum = (uint32_t)crc32_z(0, w->block, HEAD + w->used);
  put_little(w->block + HEAD + w->used, sum, SUM);
  uint8_t bytes[4];
  put_little(bytes, sum, 4);
  w->sums = (uint32_t)crc32_z(w->sums, bytes, sizeof bytes);
  write_all(w, w->block, HEAD + w->used + SUM);
  w->used = 0;
}

void block_kind_begin(block_writer *w, uint32_t kind)
{
  if (w->kind)
    flush(w);
  w->kind = kind;
}

void block_put(block_writer *w, const void *bytes, size_t length)
{
  const uint8_t *from = bytes;
  while (length && !w->error) {
    if (w->used == BLOCK_ROOM)
      flush(w);
    size_t n = BLOCK_ROOM - w->used < length ? BLOCK_ROOM - w->used : length;
    memcpy(w->block + HEAD + w->used, from, n);
    w->used += n;
    from += n;
    length -= n;
  }
}

void block_put_number(block_writer *w, uint64_t number)
{
  uint8_t bytes[10];
  size_t n = 0;
  for (; number >= 128; number >>= 7)
    bytes[n++] = (uint8_t)(number | 128);
  bytes[n++] = (uint8_t)number;
  block_put(w, bytes, n);
}

void block_file_fail(block_writer *w, int error)
{
  if (!w->error)
    w->error = error;
}

/* What the folder says of its files is on the disk. */
static int sync_folder(const char *path)
{
  char folder[PATH_MAX];
  const char *slash = strrchr(path, '/');
  size_t length = slash ? (size_t)(slash - path) : 0;
  if (!slash) {
    memcpy(folder, ".", 2);
  } else {
    length = length ? length : 1;
    memcpy(folder, path, length);
    folder[length] = 0;
  }
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return errno;
  /* Some file systems have no such thing. */
  int error = fsync(fd) && errno != EINVAL && errno != ENOTSUP ? errno : 0;
  close(fd);
  return error;
}

int block_file_end(block_writer *w)
{
  uint8_t last[LAST_BYTES];
  if (w->fd < 0)
    return w->error;
  if (w->kind)
    flush(w);
  put_little(last, w->blocks, 8);
  put_little(last + 8, w->sums, 4);
  w->kind = BLOCK_LAST;
  memcpy(w->block + HEAD, last, sizeof last);
  w->used = sizeof last;
  flush(w);
  if (!w->error && fdatasync(w->fd))
    w->error = errno;
  if (close(w->fd) && !w->error)
    w->error = errno;
  w->fd = -1;
  if (!w->error && is_given_up(w))
    w->error = EINTR;
  if (!w->error && rename(w->temporary, w->path))
    w->error = errno;
  if (w->error) {
    unlink(w->temporary);
    return w->error;
  }
  return sync_folder(w->path);
}

uint64_t block_file_bytes(const block_writer *w)
{
  return w->bytes + w->used;
}

uint32_t block_writer_sum(const block_writer *w)
{
  return w->sums;
}

/* ---- reading ------------------------------------------------------------ */

struct block_reader {
  int fd;
  const char *why;
  uint64_t size; /* of the file */
  uint64_t blocks;
  uint32_t sums, whole; /* so far; of all, once that was read */
  uint32_t kind;        /* of the block at hand */
  bool has, is_over;    /* there is one; it was the last */
  bool in_stream;       /* it belongs to the stream that is read */
  size_t length, at;
  uint8_t block[HEAD + BLOCK_ROOM + SUM];
};

bool block_reader_move(block_reader *r, const char *path, const char **why)
{
  struct stat status;
  *why = NULL;
  if (r->fd >= 0)
    close(r->fd);
  memset(r, 0, offsetof(block_reader, block));
  r->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (r->fd < 0 || fstat(r->fd, &status))
    *why = strerror(errno);
  else if (!S_ISREG(status.st_mode))
    *why = "it is not a plain file";
  else
    r->size = (uint64_t)status.st_size;
  return !*why;
}

block_reader *block_reader_create(void)
{
  block_reader *r = mem_try_alloc(sizeof *r);
  if (r)
    r->fd = -1;
  return r;
}

block_reader *block_reader_open(const char *path, const char **why)
{
  block_reader *r = block_reader_create();
  *why = "there is no memory to read it";
  if (r && block_reader_move(r, path, why))
    return r;
  block_reader_close(r);
  return NULL;
}

void block_reader_close(block_reader *r)
{
  if (!r)
    return;
  if (r->fd >= 0)
    close(r->fd);
  mem_free(r, sizeof *r);
}

bool block_damaged(block_reader *r, const char *why)
{
  if (!r->why)
    r->why = why;
  return false;
}

const char *block_problem(const block_reader *r)
{
  return r->why;
}

static bool read_all(block_reader *r, uint8_t *to, size_t length)
{
  while (length) {
    ssize_t n = read(r->fd, to, length);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return block_damaged(r, strerror(errno));
    if (n == 0)
      return block_damaged(r, "it is cut off");
    to += n;
    length -= (size_t)n;
  }
  return true;
}

static bool judge_last(block_reader *r, uint32_t sums)
{
  const uint8_t *p = r->block + HEAD;
  uint8_t more;
  ssize_t n;
  if (r->length != LAST_BYTES || get_little(p, 8) != r->blocks - 1 ||
      (uint32_t)get_little(p + 8, 4) != sums)
    return block_damaged(r, "its parts do not belong together");
  while ((n = read(r->fd, &more, 1)) < 0 && errno == EINTR)
    ;
  if (n)
    return block_damaged(r, "there is something behind its end");
  r->is_over = true;
  return true;
}

/* Goes on to the next block. */
static bool next_block(block_reader *r)
{
  uint8_t bytes[4];
  uint32_t sums = r->sums;
  r->has = false;
  r->length = r->at = 0;
  if (r->why || r->is_over || !read_all(r, r->block, HEAD))
    return block_damaged(r, "it is cut off");
  size_t length = (size_t)get_little(r->block + 4, 4);
  if (length > BLOCK_ROOM)
    return block_damaged(r, "a block of it is damaged");
  if (!read_all(r, r->block + HEAD, length + SUM))
    return false;
  uint32_t sum = (uint32_t)crc32_z(0, r->block, HEAD + length);
  if (sum != get_little(r->block + HEAD + length, SUM) ||
      get_little(r->block + 8, 8) != r->blocks)
    return block_damaged(r, "a block of it is damaged");
  r->kind = (uint32_t)get_little(r->block, 4);
  r->blocks++;
  r->length = length;
  put_little(bytes, sum, 4);
  r->sums = (uint32_t)crc32_z(r->sums, bytes, sizeof bytes);
  r->has = true;
  return r->kind != BLOCK_LAST || judge_last(r, sums);
}

bool block_file_rewind(block_reader *r)
{
  r->blocks = 0;
  r->sums = 0;
  r->has = r->is_over = r->in_stream = false;
  r->length = r->at = 0;
  if (lseek(r->fd, 0, SEEK_SET))
    return block_damaged(r, strerror(errno));
  return !r->why;
}

bool block_file_check(block_reader *r)
{
  if (!block_file_rewind(r))
    return false;
  while (!r->is_over)
    if (!next_block(r))
      return false;
  r->whole = r->sums;
  return block_file_rewind(r);
}

uint32_t block_reader_sum(const block_reader *r)
{
  return r->whole;
}

bool block_expect(block_reader *r, uint32_t kind)
{
  while (r->in_stream && r->has && !r->is_over) {
    uint32_t before = r->kind;
    if (!next_block(r))
      return false;
    r->in_stream = r->kind == before;
  }
  if (!r->has && !next_block(r))
    return false;
  if (r->kind != kind || r->is_over)
    return block_damaged(r, "a part of it is missing");
  r->in_stream = true;
  return true;
}

bool block_get(block_reader *r, void *bytes, size_t length)
{
  uint8_t *to = bytes;
  if (length)
    memset(to, 0, length);
  while (length) {
    uint32_t kind = r->kind;
    if (r->why || !r->in_stream)
      return block_damaged(r, "a part of it is missing");
    if (r->at == r->length) {
      if (!next_block(r))
        return false;
      r->in_stream = r->kind == kind;
      continue;
    }
    size_t left = r->length - r->at, n = left < length ? left : length;
    memcpy(to, r->block + HEAD + r->at, n);
    r->at += n;
    to += n;
    length -= n;
  }
  return true;
}

uint64_t block_get_number(block_reader *r)
{
  uint64_t number = 0;
  for (uint32_t shift = 0; shift < 64; shift += 7) {
    uint8_t byte;
    if (!block_get(r, &byte, 1))
      return 0;
    number |= (uint64_t)(byte & 127) << shift;
    if (byte < 128)
      return number;
  }
  block_damaged(r, "a number in it is too long");
  return 0;
}

uint64_t block_get_count(block_reader *r, uint64_t bytes_each)
{
  uint64_t count = block_get_number(r);
  if (count <= r->size / (bytes_each ? bytes_each : 1))
    return count;
  block_damaged(r, "a number in it is too large");
  return 0;
}
