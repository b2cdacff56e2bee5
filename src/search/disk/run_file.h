/* Sorted runs: sets of states on disk.
**
** A state is a key, its handle: the pair (left, right) at the root of its tree
** (store/tree/tree.h), below 2^63.  A run has keys in rising order, each once,
** and perhaps a mark for each, or one for all.
**
**   block    sum (4) | keys (2) | the differences of its keys, 7 bits a byte
**
** Blocks have 4 KiB.  A number is left * 2^r + right, doubled if there are
** marks, plus the mark; 'r' is that of the run, as small as it can be, so that
** runs with different ones have the same order.  The first key of each block is
** kept in memory: so a key that is asked for costs one block, and many that
** follow each other cost a pass over the blocks that can hold them.
**
** The sum is that of the block with its number.  A file that cannot be written,
** or read as it was written, is an error ('run_io.error'), which stays; nothing
** is done after it, and no answer counts. */

#ifndef NUT_SEARCH_DISK_RUN_FILE_H
#define NUT_SEARCH_DISK_RUN_FILE_H

#include "base/system/memory_file.h"
#include "base/system/scratch.h"
#include "base/vec.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  RUN_BLOCK = 4096,
  RUN_WINDOW = 16, /* blocks read or written at a time, at most, */
  RUN_WINDOW_LEAST = 2,
  RUN_MERGE = 16, /* runs that are merged at a time */
  /* Windows: for what is merged or asked, and these. */
  RUN_WRITING = RUN_MERGE,
  RUN_LEVEL,   /* the level that is being expanded */
  RUN_PENDING, /* a list that is worked through */
  RUN_WINDOWS
};

/* Set in a key of a list while the list is looked for: it was found. */
#define RUN_FOUND (UINT64_C(1) << 63)

/* Where all runs of a search are, on disk or in memory, and memory to work
** with. */
typedef struct run_io {
  scratch *scratch;
  memory_files *held; /* instead of a disk; NULL: there is one */
  uint8_t *windows[RUN_WINDOWS];
  uint32_t window; /* blocks of each */
  int error;       /* a number of 'errno'; 0: none; EINTR: time is up */
  uint64_t bytes, most_bytes; /* in all files; at the same time */
  uint64_t read, written;     /* bytes so far */
} run_io;

/* Windows have 'bytes' in all, or as few as they can.  False: 'error' says why. */
bool run_io_create(run_io *, const char *dir, size_t bytes);
void run_io_destroy(run_io *);

/* The same with memory in place of a disk, so many bytes at most: an error is that
** there is no more (ENOMEM). */
bool run_io_hold(run_io *, size_t most, size_t bytes);
/* A new file; 0: there is none, and an error.  And parts of it. */
int run_io_open(run_io *);
void run_io_close(run_io *, int file); /* 0 is fine */
void run_io_write(run_io *, int file, const uint8_t *bytes, size_t count,
                  uint64_t offset);
void run_io_read(run_io *, int file, uint8_t *bytes, size_t count,
                 uint64_t offset);

/* What is before this place is not read again: memory is given back. */
void run_io_drop(run_io *, int file, uint64_t before);

/* How marks are kept. */
typedef enum { RUN_MARKS, RUN_UNMARKED, RUN_MARKED } run_kind;

typedef struct sorted_run {
  int file;
  run_kind kind;
  uint32_t right_bits;
  uint64_t count;       /* keys */
  uint64_t written;     /* bytes */
  VEC(uint64_t) firsts; /* of each block, as numbers without marks */
} sorted_run;

void sorted_free(run_io *, sorted_run *);
static inline uint64_t sorted_bytes(const sorted_run *r)
{
  return r->firsts.len * (uint64_t)RUN_BLOCK;
}

/* ---- writing -------------------------------------------------------------- */

typedef struct run_writer {
  run_io *io;
  sorted_run *run;
  uint32_t block, at, keys; /* in the window; in the block */
  uint64_t last;
} run_writer;

/* Begins a run for keys whose right halves have at most so many bits. */
void sorted_begin(run_writer *, run_io *, sorted_run *, run_kind,
                  uint32_t right_bits);
void sorted_put(run_writer *, uint64_t key, bool marked);
void sorted_end(run_writer *);

/* ---- reading -------------------------------------------------------------- */

typedef struct run_stream {
  run_io *io;
  const sorted_run *run;
  uint8_t *window;
  uint64_t from, blocks; /* in the window */
  uint64_t block;        /* being read */
  uint32_t at, left;     /* in the block */
  uint64_t read;         /* keys so far */
  uint64_t number;       /* as it was written */
  uint64_t key;
  bool marked;
  bool consumes; /* nobody reads the run again: in memory it goes on the way */
} run_stream;

void sorted_open(run_stream *, run_io *, const sorted_run *, uint32_t window);
void sorted_consume(run_stream *, run_io *, const sorted_run *,
                    uint32_t window);
/* The next key and its mark; false: there is none. */
bool sorted_next(run_stream *);

/* Marks those of the sorted keys that are in the run and were not found yet
** (RUN_FOUND); 'found', unless it is NULL, is told each. */
typedef void run_found(void *context, uint64_t key, bool marked);
void sorted_ask(run_io *, const sorted_run *, uint64_t *keys, size_t count,
                run_found *found, void *context);

/* How many keys are before each block. */
void sorted_count_before(run_io *, const sorted_run *, uint64_t *before);
/* Goes to a key of a run that is open; keys that follow each other are asked for in
** rising order.  'read' is how many of its block are before it.  False: the run
** does not have it, or there is an error. */
bool sorted_go_to(run_stream *, uint64_t key);

/* ---- lists ---------------------------------------------------------------- */

/* Sorts keys, in place; the highest bit is carried along, and does not count. */
void keys_sort(uint64_t *keys, size_t count);
/* Leaves one of each; how many. */
size_t keys_unite(uint64_t *keys, size_t count);
/* Whether it is among these, which are sorted and have no marks. */
bool keys_has(const uint64_t *keys, size_t count, uint64_t key);
/* Bits of the largest right half. */
uint32_t keys_right_bits(const uint64_t *keys, size_t count);

#endif
