/* Infinite runs by levels and threads: whether the product of program and
** observer has a loop that is accepted, and fair.  docs/internals/runs.md.
**
** First the engine of levels (search/levels) stores all states of the product.
** Then states that no such loop can go through are taken away, until nothing is
** left, or nothing more can be taken away:
**
**   runs.c        the way of a property through all this
**   generate.c    the product as the engine of levels wants it
**   probe.c       a loop that is met on the way makes the rest needless
**   sweep.c      steps between states that are stored already
**   eliminate.c   takes away what has no step from a state that is left
**   gather.c      takes away what cannot be reached from all that is needed
**   stages.c      one after the other
**   on_disk.c     the same with states on a disk
**   runs_kept.c   all that in a checkpoint (and runs_kept_disk.c)
**
** This tells only that there is no such run.  Everything else, also which run
** there is, is told by the search of one thread (search/liveness). */

#ifndef NUT_SEARCH_RUNS_RUNS_H
#define NUT_SEARCH_RUNS_RUNS_H

#include "base/system/block_file.h"
#include "program/program.h"
#include "search/search.h"
#include <stdbool.h>
#include <stdint.h>

struct live;
struct search;
struct runs;
struct runs_walker;

/* Why a property must be left to one thread; NULL: it need not. */
const char *runs_why_alone(struct live *);
/* From how many threads on they are quicker than one that goes on alone; and how
** many there would be. */
uint32_t runs_worth(const struct live *);
uint32_t runs_threads(const search_options *);
/* Whether there is certainly no accepted run.  Then figures and store of 'live'
** are those of the whole product.  Otherwise nothing is known, unless the run
** was stopped. */
bool runs_hold(struct live *);
/* Memory ran out in there: writes what can be told of it, if it is kept. */
void runs_leave(struct live *);
void runs_free(struct live *);

/* ---- for the search by levels ------------------------------------------- */

/* The initial state, alone in the batch, becomes one of the product. */
void runs_begin(struct runs *, batch *);
/* A thread takes part, with this search of its own. */
void runs_take_walker(struct runs *, struct search *own);
void runs_free_walker(struct runs_walker *);
/* A level is about to be expanded, before which there were so many states; all
** stand still. */
void runs_begin_level(struct runs *, uint64_t states);
/* The successors of a state of the product; its last component has this
** number. */
void runs_generate(struct runs_walker *, const uint8_t *state, uint32_t length,
                   uint32_t tail, batch *);
/* Something was met that this search does not decide. */
bool runs_is_over(const struct runs_walker *);

/* ---- for checkpoints ------------------------------------------------------- */

/* All states are stored, and what is noted of them counts. */
bool runs_is_sweeping(const struct runs *);
/* The moment can be told: nobody left a cohort in the middle. */
bool runs_can_be_told(const struct runs *);
/* How states of the product are cut; and whether this is one. */
const component_map *runs_map(const struct runs *);
bool runs_is_sound(const struct runs *, const uint8_t *state, uint32_t length);
/* The search that asks. */
struct search *runs_asker(const struct runs *);
/* All states are stored: gives them slots, and makes room for notes.  False: they
** tell nothing. */
bool runs_prepare(struct runs *);
/* What loops need, once it is known who can move.  False: it is too much. */
bool runs_find_needs(struct runs *);

/* Processes that can move somewhere; and the notes. */
void runs_write_able(const struct runs *, block_writer *);
bool runs_read_able(struct runs *, block_reader *);
void runs_write_notes(const struct runs *, block_writer *);
/* Where notes are read from: behind names of states that were in memory, which
** 'find' tells (NULL: it cannot, and the reader knows why); or behind states, which
** were on a disk.  They are entered in the store, or go to the disk, with it. */
typedef struct runs_notes {
  block_reader *from;
  uint32_t longest; /* state */
  bool is_whole, to_disk;
  const uint8_t *(*find)(void *context, store_handle old, uint32_t *length);
  void *context;
} runs_notes;
bool runs_read_notes(struct runs *, const runs_notes *);
/* What is gathered on the way, with a disk, is noted, so that a file has it.  False:
** the run ends. */
bool runs_settle(struct runs *);

#endif
