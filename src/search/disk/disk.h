/* A search by levels that goes on when its memory is used up: states go to a disk
** as sorted runs, and whether one is new is found out late, for many at a time.
** docs/internals/disk.md says why nothing is lost and all counts are the same.
**
**   memory                                          disk
**     tables of the store: handle <-> state           old    runs: what is known
**     its set: some of the known, and all candidates  here   with a reduction:
**     candidates for the next level                   next   of two levels
**     the states being expanded                       two levels, to be read
**
** Always: a known state is in a run, or in the set and in one of the lists that
** are written before the set is emptied ('young', 'held', and this level while
** 'here_is_held').  A candidate is one that the set did not know: it may be known
** all the same, and may be there twice.
**
** The functions that take a disk do nothing without one. */

#ifndef NUT_SEARCH_DISK_DISK_H
#define NUT_SEARCH_DISK_DISK_H

#include "search/disk/kept_levels.h"
#include "search/disk/packed_set.h"
#include "search/disk/tiers.h"
#include "search/levels/levels_internal.h"

typedef struct disk {
  team *team;
  run_io io;
  bool has_spilled;
  tiers old, here, next;
  tiers pending; /* candidates that nobody has asked the runs for */
  tiers seen;    /* of this tree; each is on disk as a whole state, too */
  sorted_run level,
      coming; /* the states of this level and the next, in segments */
  run_writer coming_writer;
  run_stream level_stream;
  uint64_t level_size; /* states of this level in all */
  frontier held;       /* of the next level, known to be new, in the set */
  frontier young;      /* known, in the set; the highest bit is the mark */
  frontier again;      /* what was left out of them is needed */
  frontier *only[1];
  kept_levels kept;
  /* While something is written anew. */
  tiers parts;
  sorted_run remade;
  kept_levels kept_anew;
  VEC(uint64_t) keys;
  /* What was written when the store began anew, as whole states: known ones; what
  ** is left of this level, and some of the next. */
  packed_set packed_old, packed_here, packed_next;
  packed_set packed_pending;            /* candidates of trees that are gone */
  packed_run level_whole, coming_whole; /* of this level and the next, sorted */
  packed_run level_list, coming_list, again_list, packed;
  packed_writer level_packer, coming_packer;
  packed_writer whole_packer;
  packed_stream level_reader, whole_reader;
  packed_stream *unread; /* the one whose state could not be stored */
  packed_work work;
  VEC(uint8_t) state;
  VEC(uint8_t) last;          /* that was written to a file */
  uint32_t longest;           /* of the states that were taken from one */
  bool owes_file;             /* when nothing waits any more */
  uint64_t renewed;           /* how often */
  uint64_t expanded_then;     /* states, when it was done last */
  size_t tables, most_tables; /* bytes: after that, and when it is due again */
  bool here_is_held;
  bool is_spread;   /* of this level some states are other ranks' */
  bool is_loaded;   /* states of this level are read from the disk */
  bool is_gathered; /* all states are one run */
  bool is_torn; /* not all is called by its new name, or not all that is new is
                ** counted: there is no going on */
  bool was_emptied_here;  /* the set, in this level */
  bool rests;             /* the reduction, in this level */
  uint64_t expanded;      /* when room was made last */
  size_t most_candidates; /* of a walker */
  size_t most_held, chunk;
  size_t least;      /* bytes of the set, if it must be */
  size_t set_bytes;  /* that it may have */
  uint32_t squeezed; /* how often set and lists were halved, for the tables */
  bool must_renew;
  void *spare;   /* memory to spill with */
  bool is_dense; /* there is no disk: runs stay in memory (dense.c) */
  size_t needed; /* bytes that must be left when room is made */
  uint64_t
      emptied_at; /* dense: states expanded when the set was emptied last; */
  uint32_t vain;  /* and how often in a row after few of them */
  void *reserve;  /* put by, to begin with that */
  size_t reserve_bytes;
} disk;

/* If one is asked for and the search can use it, or if runs may stay in memory:
** 'team.disk'. */
void disk_create(team *);
void disk_destroy(team *);
/* The figures of the run so far, into its result. */
void disk_tell(const disk *);
/* What several disks, or one for several searches, have, had, and carried. */
void disk_figures_add(disk_figures *, const disk_figures *other);
/* The disk does not work, or time is up while it does: then the run ends. */
bool disk_has_failed(disk *);
/* Not all states are called by their new names: there is no going on. */
static inline void disk_tear(disk *d)
{
  if (d)
    d->is_torn = true;
}
/* For a second walk, over a new store. */
void disk_begin_again(team *);

static inline bool disk_has_spilled(const disk *d)
{
  return d && d->has_spilled;
}
/* What runs in memory take. */
size_t disk_dense_bytes(const disk *);
/* States of this level that are not in memory; and of this level and the next,
** wherever they are. */
static inline uint64_t disk_level_size(const disk *d)
{
  return disk_has_spilled(d)
             ? d->level.count + d->level_list.count + d->level_whole.count
             : 0;
}
uint64_t disk_waiting(const disk *);
/* States of the next level that are not in the lists of walkers. */
uint64_t disk_next_size(const disk *);
/* Has this level expanded, as often as room must be made on the way; with other
** ranks, takes what comes as well, until all have sent all. */
void disk_expand(team *, bool by_all);
/* With other ranks and a reduction: has the rest of those states expanded for which
** nobody spoke, likewise.  And behind all that, finds out what the next level is. */
void disk_expand_rest(team *, bool by_all);
void disk_end_level(team *);
/* States of this level belong to ranks from now on. */
void disk_spread(disk *);
/* Behind a level, before the next becomes this one. */
void disk_turn_over(disk *);

/* Behind a walk that has stored all states, without a reduction: all go to the disk,
** if none did so far; and all are one run, while the set is empty, so that there is
** memory for so many bytes.  False, NULL: the run ends. */
bool disk_spill_all(disk *);
const sorted_run *disk_gather(disk *, size_t *room);

/* A second walk keeps this level, of which a part may be on disk, behind those
** before; and shows some of what was kept, from number 'at' on, in '*shown': how
** many, 0: none. */
bool disk_keep_level(disk *);
size_t disk_show_kept(disk *, uint64_t at, uint64_t end, frontier *shown);
/* Handles of 'team.kept' that are on disk, before the others. */
static inline uint64_t disk_kept(const disk *d)
{
  return d ? d->kept.count : 0;
}

/* The store calls its states otherwise from now on; all stand still. */
void disk_renumber(disk *, store *,
                   store_handle (*translate)(store *, store_handle));

/* For walkers: whether the job should end to make room; and the choices of a
** cohort wait, whose chosen successors are 'own.handles'. */
bool disk_wants_pause(const walker *);
bool disk_lacks_memory(const disk *);
void disk_await(walker *, uint32_t cohort);

#endif
