/* Files that stay in memory, which counts for the budget of the thread, and is given
** back piece by piece: behind who reads a file for the last time, too.
**
**   one stretch of addresses:   | slot | slot | (given back) | slot | ...
**   a file:                     numbers of its slots, in its order
**
** A slot has MEMORY_SLOT bytes.  One that is given back has no memory, and is the
** next that is taken. */

#ifndef NUT_BASE_SYSTEM_MEMORY_FILE_H
#define NUT_BASE_SYSTEM_MEMORY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MEMORY_SLOT = 1 << 14 };

typedef struct memory_files memory_files;

/* For files of so many bytes together, at most; NULL: no memory. */
memory_files *memory_files_create(size_t most_bytes);
void memory_files_destroy(memory_files *); /* NULL is fine */
/* What they take now. */
size_t memory_files_bytes(const memory_files *);

/* An empty file, called by a number above 0. */
int memory_file_open(memory_files *);
/* Writes a part, which begins where the file ends or before; false: no memory. */
bool memory_file_write(memory_files *, int file, const uint8_t *bytes,
                       size_t count, uint64_t offset);
/* False: there is no such part, or it was given back. */
bool memory_file_read(const memory_files *, int file, uint8_t *bytes,
                      size_t count, uint64_t offset);
/* Nobody reads anything before this place any more. */
void memory_file_drop(memory_files *, int file, uint64_t before);
void memory_file_close(memory_files *, int file);

#endif
