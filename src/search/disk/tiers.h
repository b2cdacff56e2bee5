/* Runs by age, few of them: those that are alike in size are merged.
**
** For a key that is in several runs the youngest counts: a later mark takes the
** place of an earlier one.  So only neighbours are merged. */

#ifndef NUT_SEARCH_DISK_TIERS_H
#define NUT_SEARCH_DISK_TIERS_H

#include "search/disk/run_file.h"

typedef struct tiers {
  VEC(sorted_run) runs; /* the oldest first */
  uint64_t merges;
} tiers;

void tiers_free(run_io *, tiers *);
/* Writes sorted keys, each once, as the youngest run; with RUN_MARKS the highest
** bit of a key is its mark. */
void tiers_write(run_io *, tiers *, const uint64_t *keys, size_t count,
                 run_kind);
/* The same for a run that was written before, which belongs to the tiers then. */
void tiers_add(run_io *, tiers *, sorted_run *);
/* One run, or none, is left. */
void tiers_unite(run_io *, tiers *);
/* As 'sorted_ask', of all runs. */
void tiers_ask(run_io *, const tiers *, uint64_t *keys, size_t count,
               run_found *, void *context);

#endif
