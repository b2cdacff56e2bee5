/* Packed runs: sets of whole states on disk, which need no tables to be read.
**
** States are in rising order, the shorter before the longer, those of a length by
** their bytes; each once, perhaps with a mark, or one for all, and perhaps with a
** name.  The same file without an order is a list.
**
**   block    sum (4) | states (4) | states
**   state    differences << 2 | mark << 1
**              for each: bytes that are equal before it, the byte
**            or: length << 2 | mark << 1 | 1, the bytes
**   name     left half, right half
**
** Numbers have 7 bits a byte, the lowest first.  Differences are to the state
** before, of the same length; the first state of a block has none.  A block has
** 4 KiB, or what the longest state needs.  The first states of some blocks are
** kept in memory, so that a state is found by looking at a few blocks. */

#ifndef NUT_SEARCH_DISK_PACKED_RUN_H
#define NUT_SEARCH_DISK_PACKED_RUN_H

#include "search/disk/run_file.h"

typedef VEC(uint8_t) packed_bytes;

/* A state with what is told of it. */
typedef struct packed_state {
  const uint8_t *bytes;
  uint32_t length;
  bool marked;
  uint64_t name;
} packed_state;

typedef struct packed_run {
  int file;
  run_kind kind;
  bool named;
  uint32_t block; /* bytes of one */
  uint64_t count, blocks, written;
  uint32_t longest;
  /* The first state of each PACKED_SAMPLE-th block, and where each ends. */
  packed_bytes samples;
  VEC(size_t) sample_ends;
} packed_run;

void packed_free(run_io *, packed_run *);
/* Whether states of this length can be written at all. */
bool packed_fits(const run_io *, uint32_t longest);
/* The order of states. */
int packed_compare(const uint8_t *a, uint32_t a_length, const uint8_t *b,
                   uint32_t b_length);

/* ---- writing -------------------------------------------------------------- */

/* Memory of a writer stays until 'packed_writer_free'. */
typedef struct packed_writer {
  run_io *io;
  packed_run *run;
  packed_bytes last;
  uint32_t in_window;  /* blocks */
  uint32_t at, states; /* in the block */
} packed_writer;

/* States are at most so long, which 'packed_fits'. */
void packed_begin(packed_writer *, run_io *, packed_run *, run_kind, bool named,
                  uint32_t longest);
void packed_put(packed_writer *, const packed_state *);
/* All is in the file; more may follow. */
void packed_end(packed_writer *);
void packed_writer_free(packed_writer *);

/* ---- reading -------------------------------------------------------------- */

typedef struct packed_stream {
  run_io *io;
  const packed_run *run;
  uint8_t *window;
  uint64_t from, blocks; /* in the window */
  uint64_t block;        /* being read */
  uint32_t at, left;     /* in the block */
  uint64_t read;         /* states so far, in order */
  packed_bytes bytes;
  uint32_t equal; /* bytes that are those of the state before */
  packed_state state;
  bool is_over;
} packed_stream;

void packed_open(packed_stream *, run_io *, const packed_run *,
                 uint32_t window);
void packed_stream_free(packed_stream *);
/* The next state; false: there is none, or an error. */
bool packed_next(packed_stream *);

/* Goes on to the first state that is not before this one; true: it is that.  The
** states that are looked for rise.  'is_dense': there are many of them. */
bool packed_find(packed_stream *, const packed_state *, bool is_dense);

#endif
