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

enum { HEAD = 24, CHECK = 4, BEGIN = 8, BLOCK_MAX = 1 << 26 };

typedef struct block {
  uint32_t kind, count;
  bytes raw; /* a zero byte follows */
  size_t at; /* of it, what is read next */
} block;

/* The states of a part of the file. */
typedef struct reader {
  file *file;
  part part;
  uint64_t states;
  block block, ranks;
  uint32_t left;
  bytes last;
} reader;

static uint64_t number_of(const uint8_t *p, int count)
{
  uint64_t v = 0;
  for (int i = count; i-- > 0;)
    v = v << 8 | p[i];
  return v;
}

static void read_block(file *f, block *b)
{
  const uint8_t *head = f->data + f->at, *from = head + HEAD;
  uint64_t left = f->size - f->at;
  if (left < HEAD + CHECK)
    damaged("the file ends too early");
  uint64_t length = number_of(head + 8, 8), stored = number_of(head + 16, 8);
  b->kind = (uint32_t)number_of(head, 4);
  b->count = (uint32_t)number_of(head + 4, 4);
  if (length > BLOCK_MAX || stored > length)
    damaged("a block is too long");
  if (left - HEAD - CHECK < stored)
    damaged("the file ends too early");
  if (crc32_z(0, head, HEAD + stored) != number_of(from + stored, CHECK))
    damaged("a checksum is wrong");
  uLongf unpacked = (uLongf)length;
  b->raw.data = grow(b->raw.data, &b->raw.cap, length + 1, 1);
  if (stored == length)
    memcpy(b->raw.data, from, length);
  else if (uncompress(b->raw.data, &unpacked, from, (uLong)stored) != Z_OK ||
           unpacked != length)
    damaged("a block cannot be unpacked");
  b->raw.data[length] = 0;
  b->raw.len = length;
  b->at = 0;
  f->at += HEAD + stored + CHECK;
}

file file_open(const char *path)
{
  file f = {.at = BEGIN};
  struct stat facts;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 || fstat(descriptor, &facts) || !S_ISREG(facts.st_mode))
    damaged("the file cannot be read");
  f.size = (uint64_t)facts.st_size;
  f.data = mmap(NULL, f.size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  close(descriptor);
  if (f.data == MAP_FAILED)
    damaged("the file cannot be read");
  if (f.size < BEGIN || memcmp(f.data, "NUTCERT1", BEGIN) != 0)
    damaged("the file is not a certificate of this version");
  return f;
}

bytes file_part(file *f, part kind)
{
  block b = {0};
  read_block(f, &b);
  if (b.kind != kind)
    damaged("a part of the certificate is missing");
  return b.raw;
}

/* The last block has how many states there are: nothing rests on that. */
void file_end(file *f)
{
  file_part(f, END);
  if (f->at != f->size)
    damaged("the file goes on behind its end");
}

/* ---- states ------------------------------------------------------------------ */

/* The next block of states, with that of their ranks; false at the end. */
static bool next_block(reader *r)
{
  uint64_t begin = r->file->at;
  if (r->block.at != r->block.raw.len || r->ranks.at != r->ranks.raw.len)
    damaged("a block of states is too long");
  read_block(r->file, &r->block);
  if (r->block.kind != r->part) {
    r->file->at = begin;
    return false;
  }
  if (r->part == PRODUCT) {
    read_block(r->file, &r->ranks);
    if (r->ranks.kind != RANKS || r->ranks.count != r->block.count)
      damaged("the ranks of states are missing");
  }
  if (!r->block.count)
    damaged("a block of states is empty");
  r->left = r->block.count;
  return true;
}

static uint32_t next_number(block *b)
{
  int32_t value;
  if (!get_number(&b->raw, &b->at, &value) || value < 0)
    damaged("a number of a block is not as it must be");
  return (uint32_t)value;
}

/* Goes on to the next state, which must come in order; false: there is none. */
static bool next_state(reader *r)
{
  bool first = !r->left;
  if (first && !next_block(r))
    return false;
  block *b = &r->block;
  uint32_t shared = next_number(b), rest = next_number(b);
  const uint8_t *more = b->raw.data + b->at;
  if (shared > r->last.len || rest > b->raw.len - b->at || (first && shared))
    damaged("a state is not written as it must be");
  size_t old = r->last.len - shared, both = old < rest ? old : rest;
  int order = both ? memcmp(r->last.data + shared, more, both) : 0;
  if (r->states && (order > 0 || (!order && old >= rest)))
    damaged("states are not in order");
  r->last.len = shared;
  put_bytes(&r->last, more, rest);
  b->at += rest;
  r->left--;
  r->states++;
  return true;
}

uint64_t file_states(file *f, part kind, look_function *look, void *context)
{
  reader r = {.file = f, .part = kind};
  while (next_state(&r))
    look(context, &r.last, kind == PRODUCT ? next_number(&r.ranks) : 0);
  free(r.block.raw.data);
  free(r.ranks.raw.data);
  free(r.last.data);
  return r.states;
}
