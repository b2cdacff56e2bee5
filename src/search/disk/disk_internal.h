/* What the parts of a search with a disk share; see disk.h.
**
**   disk.c         memory and its parts, a level, a second walk
**   spill.c        what the set has goes to the disk
**   candidates.c   which of the candidates are new, and the choices that wait
**   renumber.c     the store has made another tree
**   renew.c        the tables have become too large
**   whole.c        candidates of several trees
**   dense.c        runs that stay in memory */

#ifndef NUT_SEARCH_DISK_DISK_INTERNAL_H
#define NUT_SEARCH_DISK_DISK_INTERNAL_H

#include "search/disk/disk.h"

static inline store *disk_store(const disk *d)
{
  return d->team->asker->watch.store;
}

static inline const store_spilling *disk_spilling(const disk *d)
{
  return d->team->asker->result->store->spilling;
}

static inline bool disk_reduces(const disk *d)
{
  return d->team->reductions;
}

/* ---- disk.c --------------------------------------------------------------- */

/* How many bytes the set may have, of what there is now. */
size_t disk_divide_memory(disk *);
enum { DISK_SPARE = 1 << 17 }; /* bytes that are left for small things */

/* ---- dense.c -------------------------------------------------------------- */

/* Runs are kept in memory when that is used up, and there is no disk: whether the
** search can do that; and what is needed for it is put by. */
bool dense_suits(const search *);
void dense_create(disk *);
void dense_give_reserve(disk *);
/* Memory is used up: it would not pay to begin, and what was put by is given back
** instead.  False: it is time. */
bool dense_goes_on_without(disk *);
/* Before the first spill: whether it pays, and there is memory to begin with. */
bool dense_begin(disk *);
/* Bytes that may still be taken. */
size_t dense_room(const disk *);
/* What is to be left when the set and the lists share so many bytes. */
size_t dense_needs(const disk *, size_t share);
/* The set is about to be emptied.  Whether so little was expanded since the last
** times that it does not pay to go on: all runs are read each time. */
bool dense_is_vain(disk *);
/* At the end of a level: there is room to find out which candidates are new, for
** which the set may have to go; then it has room again.  False: no memory. */
bool dense_resolve_all(disk *);

/* States that were expanded so far. */
uint64_t disk_expanded(const team *);

/* ---- spill.c -------------------------------------------------------------- */

/* All that the set has is written, for the first time or again, and the set is
** empty then.  False: no memory. */
bool disk_spill_first(disk *);
bool disk_empty_set(disk *);
/* What the set has and no run is written; the set stays.  False: no memory. */
bool disk_write_known(disk *);
/* Sorted keys of the next level, each new: to be found, and to be expanded. */
void disk_write_next(disk *, const uint64_t *keys, size_t count);
void disk_write_held(disk *);
/* What is in the list of a walker, which keeps its order, goes to the young ones,
** which are written when they are many.  False: no memory. */
bool disk_add_young(disk *, const frontier *, bool all_marked);

/* ---- candidates.c --------------------------------------------------------- */

/* There are many, or the level ends, or states wait for their choice: finds out
** which candidates are new, if that is wanted now; and which choices will do. */
void disk_resolve_some(disk *);
void disk_resolve_all(disk *);
void disk_decide(disk *);
/* Before it: what was stored of cohorts and packets that are left in the middle
** gets its marks. */
void disk_mark_undone(disk *);

/* How many of the keys were not found: they are in front. */
size_t keys_drop_found(uint64_t *keys, size_t count);
/* Candidates in memory are written, and asked for later. */
void disk_put_off(disk *);
/* The next of those, in rising order; how many. */
size_t disk_read_pending(const disk *, run_stream *, uint64_t *keys,
                         size_t most);

/* ---- whole.c ---------------------------------------------------------------- */

/* Without a reduction, once the store has begun anew: candidates that were put off
** become whole states, which nobody has asked for yet. */
void disk_make_whole(disk *);
/* Finds out which of them, and of those that were put off, are new. */
void disk_resolve_whole(disk *);
/* All states of the level were read. */
void disk_end_whole(disk *);
static inline bool disk_is_whole(const disk *d)
{
  return d->renewed && !disk_reduces(d);
}

/* ---- renew.c --------------------------------------------------------------- */

/* Whether the tables are too large; writes all that is known as whole states, and
** begins with empty tables.  False: no memory. */
bool disk_should_renew(const disk *);
bool disk_can_renew(const disk *);
bool disk_renew(disk *);
/* Adds some whole states of this level. */
void disk_load_packed(disk *, frontier *here, size_t most);
/* How long states of a list may be: longer ones may come than there are. */
uint32_t disk_longest_listed(const disk *);
/* The state with a handle; valid until the next call. */
packed_state disk_state_of(disk *, store_handle, bool marked);
/* Begins with empty tables; memory to sort in.  False: no memory. */
bool disk_begin_anew(disk *);
bool disk_room_to_sort(disk *, size_t bytes);
/* Behind a walk, without a reduction: whole states get names in this tree, and become
** a part of the runs of handles.  False: no memory. */
bool disk_name_all(disk *);
/* Adds a state to those that 'work' sorts. */
void disk_sort_state(disk *, store_handle);

/* States of the next level are on disk. */
static inline uint64_t disk_coming(const disk *d)
{
  return d->coming.count + d->coming_list.count + d->coming_whole.count;
}

#endif
