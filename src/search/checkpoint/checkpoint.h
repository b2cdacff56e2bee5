/* A search by levels kept in a file, from which it goes on in another process:
** docs/internals/checkpoints.md.
**
**   checkpoint *c = checkpoint_create(&asked);     memory to write with is taken
**   checkpoint_write_start(c)                      a file of a run not begun yet
**   search_options.checkpoint = c                  files on the way, and at limits
**   search_options.resume = reader                 goes on from one
**
** Files have two names in turn, FILE.0 and FILE.1.  A moment that is kept lies
** between two batches of all threads, perhaps in the middle of a level.
**
** Behind the walk over the states come properties of infinite runs, a row after
** the other.  Then a file has a ledger, of all that was found before, and, while
** a row is searched by levels (search/runs), a moment of that.
**
**   moment.c     what is written      restore.c    and entered again
**   findings.c   errors in it         schedule.c   when, and under which name
**   ledger.c     what was found       run_text.c   runs to what was found
**   whole_states.c   states on a disk */

#ifndef NUT_SEARCH_CHECKPOINT_CHECKPOINT_H
#define NUT_SEARCH_CHECKPOINT_CHECKPOINT_H

#include "base/source/source.h"
#include "base/system/block_file.h"
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct search;
struct team;

/* Streams of a file, in this order, but for the last. */
enum {
  CHECKPOINT_HEAD = 1, /* version, and what 'head' writes */
  CHECKPOINT_SEARCH,   /* how far it is */
  CHECKPOINT_LEDGER,   /* what was found before */
  CHECKPOINT_UNMADE,   /* what roots do not count */
  CHECKPOINT_ROWS,     /* tables of the store */
  CHECKPOINT_ROOTS,
  CHECKPOINT_LEVEL, /* the level at hand, figures, errors, the reduction */
  CHECKPOINT_SWEEP, /* notes on states of a product */
  CHECKPOINT_WHOLE  /* with a disk: all states, before a sweep, and instead of
                       rows and roots */
};

enum { CHECKPOINT_FORMAT = 8, CHECKPOINT_STRETCH = 20 };

/* How far a search is: it has not begun; it walks over the states; it is at some
** property of infinite runs. */
typedef enum {
  CHECKPOINT_START,
  CHECKPOINT_WALK,
  CHECKPOINT_RUNS,
  CHECKPOINT_STAGES_
} checkpoint_stage;

/* How far it is with that property: nothing is kept of it; its product is being
** stored by levels, or swept; or that told nothing, or that it is violated, and it
** is searched depth first for a run. */
typedef enum {
  ROW_BEGINS,
  ROW_LEVELS,
  ROW_SWEEPS,
  ROW_UNTOLD,
  ROW_VIOLATED,
  ROW_PHASES_
} row_phase;

/* Values of the signal: stop; stop, and there is little time; write no more. */
enum { CHECKPOINT_STOP = 1, CHECKPOINT_HURRY = 2, CHECKPOINT_GIVE_UP = 3 };

typedef struct checkpoint_asked {
  const char *file;
  uint32_t rank;    /* of several, which write a file each: FILE.0.r1, ... */
  double every;     /* seconds between two; 0: whenever somebody looks */
  double grace;     /* when there is little time, files that take longer are not
                ** begun */
  uint64_t batches; /* for tests: after so many batches of the first thread */
  const volatile sig_atomic_t *signal; /* see above; NULL: none */
  /* Writes what is needed to begin the search again. */
  void (*head)(void *context, block_writer *);
  /* Called by the thread that searches: the last file of the run is about to be
  ** written, and it was; may be NULL. */
  void (*on_last)(void *context, bool begins);
  void *context;
} checkpoint_asked;

typedef struct checkpoint_figures {
  uint64_t written;   /* whole files */
  uint64_t states;    /* in the last of them */
  uint64_t bytes;     /* of it */
  double seconds;     /* that all of them took */
  int error;          /* of the last that was tried; 0: it was written */
  bool is_up_to_date; /* nothing was found since the last */
  bool is_left_out;   /* it would have taken too long */
} checkpoint_figures;

typedef struct checkpoint checkpoint;

checkpoint *checkpoint_create(const checkpoint_asked *);
void checkpoint_destroy(checkpoint *); /* NULL is fine */
/* The next file is the one behind this generation; 0 is that before the first. */
void checkpoint_set_generation(checkpoint *, uint64_t);
/* Writes a file of a search that has not begun; 0, or the number of an error. */
int checkpoint_write_start(checkpoint *);
const checkpoint_figures *checkpoint_figures_of(const checkpoint *);
/* The name of the file that is written next. */
const char *checkpoint_next_path(const checkpoint *);

/* ---- for the search by levels -------------------------------------------- */

/* Whether it is time for a file. */
bool checkpoint_is_due(const checkpoint *);
/* The same, asked after each batch of the first thread. */
bool checkpoint_is_forced(checkpoint *);
/* Several ranks: those behind the first write the part that they have; 0, or the
** number of an error.  Its sum, by which the file of the first knows it. */
int checkpoint_save_part(checkpoint *, struct team *);
uint32_t checkpoint_part_sum(const checkpoint *);
/* The first one waits for the parts, and is told of them, in order, before it writes
** the rest; with an error in some of them, or its own, it writes nothing. */
void checkpoint_begin_parts(checkpoint *, int error);
void checkpoint_add_part(checkpoint *, int error, uint32_t sum, uint64_t bytes);
/* The generation of the last file. */
uint64_t checkpoint_generation(const checkpoint *);
/* Whether there is little time, and the last file would take too long; then it is
** left out. */
bool checkpoint_is_too_long(const checkpoint *, const struct team *);
void checkpoint_leave_out(checkpoint *);
/* What such a file begins with. */
extern const char checkpoint_part_title[];

/* Writes the moment; all walkers stand still, and the store is not shared.
** 'last': the run ends here. */
void checkpoint_save(checkpoint *, struct team *, bool last);
/* Writes that the search is at a property of infinite runs, of which nothing is
** kept. */
void checkpoint_save_row(checkpoint *, const struct search *, row_phase,
                         bool last);
/* The run ends while marks are set behind a level, of this level, of the next, or
** of both: they are set. */
void checkpoint_finish_marks(struct team *, bool here, bool next);
/* Enters what the file holds: everything from CHECKPOINT_SEARCH on was not
** read yet, and the search has its initial state.  False: the reader knows what
** is wrong, or there is no memory. */
bool checkpoint_restore(struct team *, block_reader *);
/* Reads the beginning of CHECKPOINT_SEARCH: how far it is, whether it doubts
** claims, and whether it gave up the reduction. */
checkpoint_stage checkpoint_stage_of(block_reader *, bool *doubts,
                                     bool *gave_up);
/* Enters the ledger into a search that has its questions; the rest of the file is
** for the row that it names.  False as above. */
bool checkpoint_restore_ledger(struct search *, block_reader *);

#endif
