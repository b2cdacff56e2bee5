/* The file of a certificate (docs/certificates.md).
**
**   "NUTCERT1"  then blocks, to the end of the file:
**
**   kind  count  raw length  stored length  bytes  crc32 of all before
**   4     4      8           8              ...    4
**
** Numbers are little-endian.  Blocks that are shorter stored than raw are
** deflated.  States stand in order; each is the number of bytes it has in common
** with the one before, the number of others, and these; the first of a block has
** nothing before it. */

#include "certify.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { HEAD = 24, CHECK = 4, BLOCK_MAX = 1 << 26 };

typedef struct block {
  uint32_t kind, count;
  uint64_t raw, stored;
  uint8_t *data; /* raw */
  size_t cap;
  uint8_t *packed;
  size_t packed_cap;
} block;

struct file {
  int descriptor;
  uint64_t size;
};

struct reader {
  const file *file;
  uint64_t at, states;
  block_kind kind;
  block block, ranks;
  size_t next, next_rank; /* bytes of the blocks */
  uint32_t left;
  bytes last;
};

static uint64_t number_of(const uint8_t *p, int count)
{
  uint64_t v = 0;
  for (int i = count; i-- > 0;)
    v = v << 8 | p[i];
  return v;
}

static void read_at(const file *f, uint64_t at, void *to, size_t count)
{
  while (count) {
    ssize_t got = pread(f->descriptor, to, count, (off_t)at);
    if (got <= 0)
      damaged("the file ends too early");
    to = (uint8_t *)to + got;
    at += (uint64_t)got;
    count -= (size_t)got;
  }
}

static void unpack(block *b)
{
  uLongf length = (uLongf)b->raw;
  b->data = grow(b->data, &b->cap, b->raw + 1, 1);
  if (b->stored == b->raw)
    memcpy(b->data, b->packed + HEAD, b->raw);
  else if (uncompress(b->data, &length, b->packed + HEAD, (uLong)b->stored) !=
               Z_OK ||
           length != b->raw)
    damaged("a block cannot be unpacked");
}

/* Reads the block at '*at', which moves on. */
static void read_block(const file *f, uint64_t *at, block *b)
{
  uint8_t head[HEAD];
  if (f->size - *at < HEAD + CHECK)
    damaged("the file ends too early");
  read_at(f, *at, head, HEAD);
  b->kind = (uint32_t)number_of(head, 4);
  b->count = (uint32_t)number_of(head + 4, 4);
  b->raw = number_of(head + 8, 8);
  b->stored = number_of(head + 16, 8);
  if (b->raw > BLOCK_MAX || b->stored > b->raw)
    damaged("a block is too long");
  size_t all = HEAD + b->stored + CHECK;
  if (f->size - *at < all)
    damaged("the file ends too early");
  b->packed = grow(b->packed, &b->packed_cap, all, 1);
  read_at(f, *at, b->packed, all);
  if (crc32_z(0, b->packed, HEAD + b->stored) !=
      number_of(b->packed + HEAD + b->stored, CHECK))
    damaged("a checksum is wrong");
  unpack(b);
  *at += all;
}

file *file_open(const char *path)
{
  static const char magic[FILE_BEGINS] = "NUTCERT1";
  char first[sizeof magic];
  struct stat facts;
  file *f = have(sizeof *f);
  f->descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (f->descriptor < 0 || fstat(f->descriptor, &facts) ||
      !S_ISREG(facts.st_mode))
    damaged("the file cannot be read");
  f->size = (uint64_t)facts.st_size;
  read_at(f, 0, first, sizeof first);
  if (memcmp(first, magic, sizeof magic))
    damaged("the file is not a certificate of this version");
  return f;
}

const char *file_text(const file *f, uint64_t *at, block_kind kind, size_t *len)
{
  block b = {0};
  read_block(f, at, &b);
  if (b.kind != kind)
    damaged("a part of the certificate is missing");
  *len = b.raw;
  free(b.packed);
  return (const char *)b.data;
}

void file_end(const file *f, uint64_t at, const uint64_t *counts, size_t count)
{
  size_t len;
  const char *data = file_text(f, &at, END, &len);
  bool good = at == f->size && len == 8 * count;
  for (size_t i = 0; good && i < count; i++)
    good = number_of((const uint8_t *)data + 8 * i, 8) == counts[i];
  if (!good)
    damaged("the file has another number of states than it says");
}

/* ---- states ------------------------------------------------------------------ */

reader *reader_open(const file *f, uint64_t at, block_kind kind)
{
  reader *r = calloc(1, sizeof *r);
  if (!r)
    give_up("there is not enough memory");
  r->file = f;
  r->at = at;
  r->kind = kind;
  return r;
}

uint64_t reader_close(reader *r, uint64_t *states)
{
  uint64_t at = r->at;
  *states = r->states;
  block *blocks[] = {&r->block, &r->ranks};
  for (int i = 0; i < 2; i++) {
    free(blocks[i]->data);
    free(blocks[i]->packed);
  }
  free(r->last.data);
  free(r);
  return at;
}

/* The next block of states, with that of their ranks; false at the end. */
static bool next_block(reader *r)
{
  uint64_t at = r->at;
  if (r->states && (r->next != r->block.raw ||
                    (r->ranks.kind && r->next_rank != r->ranks.raw)))
    damaged("a block of states is too long");
  read_block(r->file, &at, &r->block);
  if (r->block.kind != r->kind)
    return false;
  if (r->kind == PRODUCT) {
    read_block(r->file, &at, &r->ranks);
    if (r->ranks.kind != RANKS || r->ranks.count != r->block.count)
      damaged("the ranks of states are missing");
  }
  if (!r->block.count)
    damaged("a block of states is empty");
  r->at = at;
  r->left = r->block.count;
  r->next = r->next_rank = 0;
  return true;
}

static uint32_t next_number(const block *b, size_t *at)
{
  int32_t value;
  if (!get_number(b->data, b->raw, at, &value) || value < 0)
    damaged("a number of a block is not as it must be");
  return (uint32_t)value;
}

/* States must come in order, and each once. */
const uint8_t *reader_next(reader *r, size_t *len, uint32_t *rank)
{
  bool first = !r->left;
  if (first && !next_block(r))
    return NULL;
  uint32_t shared = next_number(&r->block, &r->next);
  uint32_t rest = next_number(&r->block, &r->next);
  const uint8_t *more = r->block.data + r->next;
  if (shared > r->last.len || rest > r->block.raw - r->next ||
      (first && shared))
    damaged("a state is not written as it must be");
  size_t old = r->last.len - shared, both = old < rest ? old : rest;
  int order = both ? memcmp(r->last.data + shared, more, both) : 0;
  if (r->states && (order > 0 || (!order && old >= rest)))
    damaged("states are not in order");
  r->last.len = shared;
  put_bytes(&r->last, more, rest);
  r->next += rest;
  r->left--;
  r->states++;
  *rank = r->kind == PRODUCT ? next_number(&r->ranks, &r->next_rank) : 0;
  *len = r->last.len;
  return r->last.data;
}
