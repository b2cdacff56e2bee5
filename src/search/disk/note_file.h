/* Notes on states in a file: of each, by its number, some bytes.
**
**   block    notes | sum (8)
**
** The one block that is at hand is in memory, and written when another is wanted:
** so notes are looked at in the order of numbers, or many near each other. */

#ifndef NUT_SEARCH_DISK_NOTE_FILE_H
#define NUT_SEARCH_DISK_NOTE_FILE_H

#include "search/disk/run_file.h"

typedef struct note_file {
  run_io *io;
  int file;
  uint32_t width, each; /* bytes of a note; notes of a block */
  uint64_t blocks;      /* in the file */
  uint64_t block;       /* at hand; UINT64_MAX: none */
  bool is_changed;
  uint8_t *bytes;
} note_file;

/* For so many, which are all zero.  False: see 'io.error'. */
bool note_file_create(note_file *, run_io *, uint64_t count, uint32_t width);
void note_file_free(note_file *); /* also one that is all zero */
/* The note, which may be changed if that is said, until the next call.  Zeros
** when there is an error. */
uint8_t *note_file_at(note_file *, uint64_t number, bool changes);

#endif
