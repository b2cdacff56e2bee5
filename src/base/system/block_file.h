/* Files of blocks: what is written is whole or was never there, and what is read
** was written so.
**
**   block   kind (4) | length (4) | number (8) | bytes | CRC-32 of all that (4)
**
** Numbers are little-endian.  Blocks are numbered from 0; the last one, of kind
** BLOCK_LAST, has the number of blocks and the sum of all their sums, so that a
** file that was cut off anywhere, or made of parts of two, is known for it.
** Blocks of one kind that follow each other are one stream of bytes.
**
** A writer takes all its memory when it is made.  It writes to a file of another
** name, has the system bring it to the disk, and only then gives it its own: so
** at any moment there is the old file or the new one, whole.  The first error
** stays, and nothing is written after it. */

#ifndef NUT_BASE_SYSTEM_BLOCK_FILE_H
#define NUT_BASE_SYSTEM_BLOCK_FILE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BLOCK_ROOM = 1 << 20, BLOCK_LAST = 0 };

/* ---- writing ------------------------------------------------------------ */

typedef struct block_writer block_writer;

/* 'gives_up' is looked at while it writes: the value that ends it; NULL: nobody
** does. */
block_writer *block_writer_create(const volatile sig_atomic_t *signal,
                                  int gives_up);
void block_writer_destroy(block_writer *); /* NULL is fine */
/* Begins a file that will have this name; the name is kept by the caller. */
void block_file_begin(block_writer *, const char *path);
/* What follows is a stream of this kind, not BLOCK_LAST. */
void block_kind_begin(block_writer *, uint32_t kind);
void block_put(block_writer *, const void *bytes, size_t length);
void block_put_number(block_writer *, uint64_t); /* 1 to 10 bytes */
/* What is to be written cannot be had, for this number of an error; 0: it can. */
void block_file_fail(block_writer *, int error);
/* Ends it: 0, or the number of an error, and then the file is not there, or is
** the one that was there before. */
int block_file_end(block_writer *);
/* Bytes of the file so far. */
uint64_t block_file_bytes(const block_writer *);
/* A number that tells this file from others; once it has ended. */
uint32_t block_writer_sum(const block_writer *);

/* ---- reading ------------------------------------------------------------ */

typedef struct block_reader block_reader;

/* NULL: '*why' says in a few words why not. */
block_reader *block_reader_open(const char *path, const char **why);
void block_reader_close(block_reader *); /* NULL is fine */
/* One for files that are told later, one after the other, from their beginning; only
** the first call takes memory. */
block_reader *block_reader_create(void);
bool block_reader_move(block_reader *, const char *path, const char **why);
/* Reads all of it: whether it is whole. */
bool block_file_check(block_reader *);
/* The number of a file that was checked. */
uint32_t block_reader_sum(const block_reader *);
/* From the first block on. */
bool block_file_rewind(block_reader *);
/* What is read next is the stream of this kind, which must begin here; what is
** left of the one before is passed over. */
bool block_expect(block_reader *, uint32_t kind);
/* Reads from the stream; false, and zeros, when that is over or damaged. */
bool block_get(block_reader *, void *bytes, size_t length);
uint64_t block_get_number(block_reader *);
/* The same for a number of things that take so many bytes each: 0 and an error
** when the file is too short for them. */
uint64_t block_get_count(block_reader *, uint64_t bytes_each);
/* Something in it cannot be; returns false. */
bool block_damaged(block_reader *, const char *why);
/* What was wrong first; NULL: nothing. */
const char *block_problem(const block_reader *);

#endif
