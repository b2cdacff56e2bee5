/* A product that is on disk, while its states are taken away; see on_disk.c. */

#ifndef NUT_SEARCH_RUNS_ON_DISK_H
#define NUT_SEARCH_RUNS_ON_DISK_H

#include "search/disk/disk.h"
#include "search/disk/note_file.h"
#include "search/runs/runs_internal.h"
#include "search/runs/step_list.h"

#include <string.h>

/* A note: flags (1) | steps (2) | what was given on the way. */
enum {
  DISK_IS_LEFT = 1,
  DISK_IS_WAITING = 2,
  DISK_IS_DONE = 4, /* by the sweep at hand, in the run that this one goes on */
  DISK_NOTE_HEAD = 3
};

enum { RUNS_CHUNK = 1024 }; /* states of a list in a file, at a time */

/* States that wait. */
typedef struct waiting_list {
  frontier *some;
  kept_levels rest;
} waiting_list;

typedef struct runs_disk {
  runs *of;
  runs_walker *walker;
  disk *disk;
  const sorted_run *all;
  VEC(uint64_t) before; /* each block of it: states */
  note_file notes;
  bool is_fresh; /* of the notes only counts who is left */
  step_list steps;
  bool (*take)(struct runs_disk *, const found_step *, uint64_t number);
  /* The part at hand, a sweep or a layer: what is done with states, whether it was
  ** brought to an end, and how many states were counted, by all ranks. */
  runs_pass pass;
  bool (*wants)(struct runs_disk *, uint8_t *note);
  bool is_done;
  uint64_t counted;
  waiting_list here, next;
  size_t most; /* states of a list in memory */
  /* Of 'here' what is not done yet: in the file from this handle on; in memory all,
  ** unless these are being looked at ('is_last'); and the last ones of those that
  ** are. */
  uint64_t at;
  bool is_last;
  const store_handle *piece_end;
  size_t piece_left;
  /* States of a sweep up to this number were looked at. */
  uint64_t swept;
  runs_state cohort[COHORT_MAX];
  uint64_t had[COHORT_MAX]; /* given on the way to each */
  uint32_t count;
} runs_disk;

static inline uint64_t runs_note_mask(const runs_disk *d, const uint8_t *note)
{
  uint64_t mask = 0;
  memcpy(&mask, note + DISK_NOTE_HEAD, d->of->needs ? d->of->mask_bytes : 0);
  return mask;
}

static inline void runs_set_note_mask(const runs_disk *d, uint8_t *note,
                                      uint64_t mask)
{
  memcpy(note + DISK_NOTE_HEAD, &mask, d->of->mask_bytes);
}

static inline uint16_t runs_note_steps(const uint8_t *note)
{
  uint16_t steps;
  memcpy(&steps, note + 1, sizeof steps);
  return steps;
}

static inline void runs_set_note_steps(uint8_t *note, uint64_t steps)
{
  uint16_t most = steps < RUNS_STEPS_MOST ? (uint16_t)steps : RUNS_STEPS_MOST;
  memcpy(note + 1, &most, sizeof most);
}

/* ---- on_disk.c -------------------------------------------------------------- */

/* A step was found.  It waits, with others, until 'take' notes it; values of the
** same state are added, or united.  False: the run ends. */
bool runs_put_step(runs_disk *, store_handle to, uint64_t value, bool adds);
/* Notes all of them. */
bool runs_settle_steps(runs_disk *, bool adds);
/* The state is to be looked at in the next layer. */
void runs_await(runs_disk *, store_handle);
/* Looks at the limits, and writes a file if one is wanted: the moment can be told
** here.  False: the run ends. */
bool runs_disk_goes_on(runs_disk *, uint32_t expansions);

/* ---- runs_kept_disk.c --------------------------------------------------------- */

/* All states have numbers: what was told of them in the file that the run goes on
** from is noted.  False: the run ends. */
bool runs_enter_stash(runs_disk *);

#endif
