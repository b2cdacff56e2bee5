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
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { HEAD = 24, CHECK = 4, BLOCK_MAX = 1 << 26 };

typedef struct block {
  uint32_t kind, count;
  uint64_t raw;
  uint8_t *data;
  size_t cap;
} block;

struct file {
  const uint8_t *data;
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

/* Reads the block at '*at', which moves on. */
static void read_block(const file *f, uint64_t *at, block *b)
{
  const uint8_t *head = f->data + *at, *from = head + HEAD;
  uint64_t left = f->size - *at;
  if (left < HEAD + CHECK)
    damaged("the file ends too early");
  uint64_t stored = number_of(head + 16, 8);
  b->kind = (uint32_t)number_of(head, 4);
  b->count = (uint32_t)number_of(head + 4, 4);
  b->raw = number_of(head + 8, 8);
  if (b->raw > BLOCK_MAX || stored > b->raw)
    damaged("a block is too long");
  if (left - HEAD - CHECK < stored)
    damaged("the file ends too early");
  if (crc32_z(0, head, HEAD + stored) != number_of(from + stored, CHECK))
    damaged("a checksum is wrong");
  uLongf length = (uLongf)b->raw;
  b->data = grow(b->data, &b->cap, b->raw + 1, 1);
  if (stored == b->raw)
    memcpy(b->data, from, b->raw);
  else if (uncompress(b->data, &length, from, (uLong)stored) != Z_OK ||
           length != b->raw)
    damaged("a block cannot be unpacked");
  *at += HEAD + stored + CHECK;
}

file *file_open(const char *path)
{
  file *f = have(sizeof *f);
  struct stat facts;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 || fstat(descriptor, &facts) || !S_ISREG(facts.st_mode))
    damaged("the file cannot be read");
  f->size = (uint64_t)facts.st_size;
  if (f->size < FILE_BEGINS)
    damaged("the file ends too early");
  f->data = mmap(NULL, f->size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  close(descriptor);
  if (f->data == MAP_FAILED)
    damaged("the file cannot be read");
  if (memcmp(f->data, "NUTCERT1", FILE_BEGINS) != 0)
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
  free(r->block.data);
  free(r->ranks.data);
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
