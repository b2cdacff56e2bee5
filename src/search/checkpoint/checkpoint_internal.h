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
  VEC(uint32_t) sums;   /* of the parts of other ranks, */
  uint64_t part_bytes;
  int part_error;     /* of some of them */
  double parts_began; /* seconds of usage.h */
  checkpoint_figures figures;
};

/* moment.c: the streams behind the ledger. */
void moment_write(const team *, block_writer *);
/* What a rank behind the first has. */
void moment_write_part(const team *, block_writer *);
/* States of the moment, as far as they count. */
uint64_t moment_states(const team *);
void stats_write(block_writer *, const statistics *);
void stats_read(block_reader *, statistics *);

/* Of so many parts, written by as many ranks, this one.  A rank may have states of
** others, from before they had owners: these do not count. */
typedef struct part_of {
  uint32_t parts, part;
} part_of;

/* Whether a state counts where it was written, and is this rank's. */
bool part_has(const team *, part_of, const uint8_t *state, uint32_t length);

enum { LONGEST_STATE = 1 << 24 }; /* bytes */

/* whole_states.c: with a disk, all states, wherever they are.  Who reads them takes
** them to its own, or stores them where that is NULL. */
void whole_write(const team *, block_writer *);
typedef struct whole_reading {
  team *team;
  block_reader *from;
  struct disk *disk;
  part_of of;
  uint64_t
      known; /* states that count; not with a reduction, where some are told
                     twice */
} whole_reading;
bool whole_read(whole_reading *);
/* restore.c: whether it is one of the model, or of the product. */
bool state_is_sound(const search *, const uint8_t *state, uint32_t length);

/* The last one of the list was expanded: it is put before those that were not. */
void frontier_put_before(frontier *);

/* findings.c: errors of this level by all walkers, those of earlier levels, and
** the answers so far. */
void findings_write(const team *, block_writer *);
bool findings_read(team *, block_reader *);
void span_write(block_writer *, span);
bool span_read(const search_options *, block_reader *, span *);
bool edge_read(const program *, block_reader *, uint32_t *);

/* ledger.c: all that was found before a property of infinite runs; and what is
** known of such a property. */
void ledger_write(const search *, row_phase, block_writer *);
void row_write(block_writer *, const answer *);
bool row_read(search *, block_reader *, answer *);

/* run_text.c: a trace, or NULL.  What is read is replayed; false: it cannot be, or
** there is no memory, and then the search has ended. */
void run_write(block_writer *, const trace *);
bool run_read(search *, block_reader *, const answer *, trace **);

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
