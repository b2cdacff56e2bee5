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
typedef enum { FACTS = 1, MODEL = 2, STATES = 3, END = 4 } block_kind;

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
  uint64_t size, states;
  block facts, model;
  uint64_t first; /* where the states begin */
};

struct reader {
  const file *file;
  uint64_t at, states;
  block block;
  size_t next; /* byte of the block */
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

/* Reads the block at '*at', which moves on; false at the end of the file. */
static bool read_block(const file *f, uint64_t *at, block *b)
{
  uint8_t head[HEAD];
  if (*at == f->size)
    return false;
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
  return true;
}

static void read_kind(const file *f, uint64_t *at, block *b, block_kind kind)
{
  if (!read_block(f, at, b) || b->kind != kind)
    damaged("a part of the certificate is missing");
}

/* The last block says how many states there are; it must be the last. */
static void read_end(file *f, uint64_t at)
{
  enum { LENGTH = HEAD + 8 + CHECK };
  block b = {0};
  if (f->size < at + LENGTH)
    damaged("the file ends too early");
  at = f->size - LENGTH;
  read_kind(f, &at, &b, END);
  if (b.raw != 8)
    damaged("the end of the file is not as it must be");
  f->states = number_of(b.data, 8);
}

file *file_open(const char *path)
{
  static const char magic[8] = {'N', 'U', 'T', 'C', 'E', 'R', 'T', '1'};
  char first[sizeof magic];
  struct stat facts;
  uint64_t at = sizeof magic;
  file *f = have(sizeof *f);
  f->descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (f->descriptor < 0 || fstat(f->descriptor, &facts) ||
      !S_ISREG(facts.st_mode))
    damaged("the file cannot be read");
  f->size = (uint64_t)facts.st_size;
  read_at(f, 0, first, sizeof first);
  if (memcmp(first, magic, sizeof magic))
    damaged("the file is not a certificate of this version");
  read_kind(f, &at, &f->facts, FACTS);
  read_kind(f, &at, &f->model, MODEL);
  f->first = at;
  read_end(f, at);
  return f;
}

const char *file_facts(const file *f, size_t *len)
{
  *len = f->facts.raw;
  return (const char *)f->facts.data;
}

const char *file_model(const file *f, size_t *len)
{
  *len = f->model.raw;
  return (const char *)f->model.data;
}

uint64_t file_states(const file *f)
{
  return f->states;
}

/* ---- states ------------------------------------------------------------------ */

reader *reader_open(const file *f)
{
  reader *r = calloc(1, sizeof *r);
  if (!r)
    give_up("there is not enough memory");
  r->file = f;
  r->at = f->first;
  return r;
}

void reader_close(reader *r)
{
  free(r->block.data);
  free(r->block.packed);
  free(r->last.data);
  free(r);
}

/* The next block of states; false at the end. */
static bool next_block(reader *r)
{
  if (r->next != r->block.raw && r->block.kind == STATES)
    damaged("a block of states is too long");
  if (!read_block(r->file, &r->at, &r->block))
    damaged("the end of the file is missing");
  if (r->block.kind == END) {
    if (r->at != r->file->size || r->states != r->file->states)
      damaged("the file has another number of states than it says");
    return false;
  }
  if (r->block.kind != STATES || !r->block.count)
    damaged("a part of the certificate is not where it must be");
  r->left = r->block.count;
  r->next = 0;
  return true;
}

static uint32_t next_length(reader *r)
{
  int32_t value;
  if (!get_number(r->block.data, r->block.raw, &r->next, &value) || value < 0)
    damaged("the length of a state is not as it must be");
  return (uint32_t)value;
}

/* States must come in order, and each once. */
const uint8_t *reader_next(reader *r, size_t *len)
{
  bool first = false;
  if (!r->left) {
    if (!next_block(r))
      return NULL;
    first = true;
  }
  uint32_t shared = next_length(r), rest = next_length(r);
  const uint8_t *more = r->block.data + r->next;
  if (shared > r->last.len || rest > r->block.raw - r->next ||
      (first && shared))
    damaged("a state is not written as it must be");
  size_t old = r->last.len - shared;
  size_t both = old < rest ? old : rest;
  int order =
      r->states && !first ? memcmp(r->last.data + shared, more, both) : 0;
  if (first && r->states) { /* compared as a whole */
    both = r->last.len < rest ? r->last.len : rest;
    order = memcmp(r->last.data, more, both);
    old = r->last.len;
  }
  if (r->states && (order > 0 || (!order && old >= rest)))
    damaged("states are not in order");
  r->last.data = grow(r->last.data, &r->last.cap, (size_t)shared + rest + 1, 1);
  memcpy(r->last.data + shared, more, rest);
  r->last.len = (size_t)shared + rest;
  r->next += rest;
  r->left--;
  r->states++;
  *len = r->last.len;
  return r->last.data;
}
