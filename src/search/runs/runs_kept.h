/* What the parts of a kept sweep share; see runs_kept.c.
**
** A sweep in a file:
**
**   stage, states left, states left before, iterations, sweeps, states counted
**   of a product in memory:
**     notes     flags (1), name, steps, what was given
**   of one on a disk, as if it had been in memory:
**     whether steps are not known of some state
**     notes     flags (1), state, steps or what was given: one of them counts
**     waiting   flags (1), state
**   0 (1) */

#ifndef NUT_SEARCH_RUNS_RUNS_KEPT_H
#define NUT_SEARCH_RUNS_RUNS_KEPT_H

#include "search/runs/runs_internal.h"

/* What a state is noted for.  Of a state that is not left only the steps matter,
** while all are counted. */
enum {
  NOTE_HERE = 1, /* there is a note; 0 ends them */
  NOTE_LEFT = 2,
  NOTE_SWEPT = 4,
  NOTE_WAITING = 8,
  NOTE_DONE = 16, /* by the sweep at hand */
  NOTE_END = 32
};

typedef struct kept_note {
  uint8_t flags;
  uint64_t steps, mask;
} kept_note;

void runs_write_sweep(const runs *, uint64_t left, uint64_t counted,
                      block_writer *);

/* ---- runs_kept_disk.c ------------------------------------------------------- */

/* All behind the stage, of a product on a disk. */
void runs_write_disk_sweep(const runs *, block_writer *);
/* States have no numbers yet: notes wait for them in lists on the disk.  False: it
** has failed. */
bool runs_stash_begin(runs *, uint32_t longest);
bool runs_stash_note(runs *, const uint8_t *state, uint32_t length,
                     const kept_note *);
bool runs_stash_waiting(runs *, const uint8_t *state, uint32_t length);
bool runs_stash_end(runs *);

#endif
