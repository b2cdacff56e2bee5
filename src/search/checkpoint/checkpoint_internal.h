/* What the parts of a checkpoint share; see checkpoint.h. */

#ifndef NUT_SEARCH_CHECKPOINT_CHECKPOINT_INTERNAL_H
#define NUT_SEARCH_CHECKPOINT_CHECKPOINT_INTERNAL_H

#include "search/checkpoint/checkpoint.h"
#include "search/levels/levels_internal.h"

struct checkpoint {
  checkpoint_asked asked;
  block_writer *writer;
  char *paths[2];
  uint64_t generation;  /* of the last whole file */
  uint64_t batches;     /* since the last that was forced */
  double due;           /* seconds of usage.h */
  double last_seconds;  /* that the last one took */
  uint64_t last_states; /* in it */
  checkpoint_figures figures;
};

/* moment.c: the streams behind the head. */
void moment_write(const team *, block_writer *);
/* States of the moment, as far as they count. */
uint64_t moment_states(const team *);

/* findings.c: errors of this level by all walkers, those of earlier levels, and
** the answers so far. */
void findings_write(const team *, block_writer *);
bool findings_read(team *, block_reader *);

/* A number below 'end'; 0 and an error otherwise. */
static inline uint64_t read_below(block_reader *r, uint64_t end)
{
  uint64_t number = block_get_number(r);
  if (number < end)
    return number;
  block_damaged(r, "a number in it is too large");
  return 0;
}

#endif
