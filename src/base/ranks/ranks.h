/* The ranks of a run: processes, perhaps on several machines, that do one search
** together (docs/internals/ranks.md).  Each has a stream to each other, in which
** records follow each other as they were written:
**
**   word      what one rank says to all at a point that all come to; who has
**             said its word and heard those of all others goes on
**   data      for one other rank, between two words: states
**   notice    that the work shall end or pause, or figures on the way
**   farewell  the last record: no word comes any more
**
** Nothing here waits.  What was written goes out when messages have room; what
** a rank sent behind a word is not looked at before the word was heard from all:
** until then it stays in the message, and in the end with its sender.  So the
** memory that a rank needs has a bound: messages, the records that are not gone
** yet, and for each other rank one record that has begun to arrive.
**
** One thread uses it. */

#ifndef NUT_BASE_RANKS_RANKS_H
#define NUT_BASE_RANKS_RANKS_H

#include "base/ranks/carrier.h"
#include "base/vec.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ranks ranks;
typedef VEC(uint8_t) rank_bytes;

typedef struct ranks_settings {
  uint32_t message_bytes; /* at most; 0: as many as a message may have */
  uint32_t spread_after;  /* for searches: states after which they are divided;
                          ** 0: as they like */
  uint32_t disk_bytes;    /* likewise: that they have before they use a disk */
  uint32_t
      kept_batches;    /* likewise: after so many of the first rank a checkpoint
                         ** is written, in the middle of a level; 0: by the clock */
  uint32_t kept_files; /* and after so many the run is interrupted; 0: never */
  bool has_core; /* each rank of this machine, so that one that waits may keep
                 ** looking for a while */
} ranks_settings;

ranks *ranks_create(const carrier_class *, carrier *, const ranks_settings *);
/* Takes leave of all, waits until they have done so, and ends the carrier;
** NULL is fine. */
void ranks_close(ranks *);
/* What the farewell will tell those who wait for this rank: a number. */
void ranks_set_farewell(ranks *, uint32_t why);

uint32_t ranks_own(const ranks *);
uint32_t ranks_count(const ranks *);
const char *ranks_name(const ranks *); /* of the library */
uint32_t ranks_spread_after(const ranks *);
uint32_t ranks_disk_bytes(const ranks *);
uint32_t ranks_kept_batches(const ranks *);
uint32_t ranks_kept_files(const ranks *);

/* ---- between two words -------------------------------------------------- */

/* Writes a record for a rank; the room is to be filled at once. */
uint8_t *ranks_put(ranks *, uint32_t to, size_t length);
/* Whether so much waits to be sent that it is better to take in first. */
bool ranks_are_crowded(const ranks *);
/* Sends what there is room for, without looking at what came. */
void ranks_flush(ranks *);
/* Sends and receives what is possible.  A record of data that came, valid until
** the next call; NULL: there is none. */
const uint8_t *ranks_take(ranks *, uint32_t *from, size_t *length);
/* Nothing came: goes on looking for a moment, then sleeps, the longer the more
** often in a row. */
void ranks_rest(ranks *);

/* ---- words --------------------------------------------------------------- */

/* Says a word to all; 'point' must be the same in all ranks. */
void ranks_say(ranks *, uint32_t point, const void *bytes, size_t length);
/* Whether the words of all have come, data before them was taken, and own
** messages are on their way; asked in turn with 'ranks_take'. */
bool ranks_have_heard(ranks *);
/* What a rank said, this one included; valid until the next 'ranks_take'. */
const uint8_t *ranks_word(const ranks *, uint32_t from, size_t *length);
/* Waits for all words, where no data can come. */
bool ranks_meet(ranks *, uint32_t point, const void *bytes, size_t length);
/* Some rank took its leave, is gone, or is elsewhere in the program: there are
** no more words, and 'ranks_have_heard' is always true. */
bool ranks_are_broken(const ranks *);
/* What the rank that left said in its farewell; 0: nothing. */
uint32_t ranks_why_broken(const ranks *);

/* ---- notices ------------------------------------------------------------- */

/* Tells all to come to the next word, though their work up to there is not done;
** and whether one of them did.  'forget' behind that word, before more is taken. */
void ranks_tell_halt(ranks *);
bool ranks_told_halt(const ranks *);
void ranks_forget_halt(ranks *);

/* Tells all that the work shall end; and what another rank told, 0: nothing.
** 'forget' once all have met. */
void ranks_tell_stop(ranks *, uint32_t why);
uint32_t ranks_told_stop(const ranks *);
void ranks_forget_stop(ranks *);

/* Figures of a rank on the way, for rank 0, and their sums over all others. */
enum { RANKS_FIGURES = 4 };
void ranks_tell_figures(ranks *, const uint64_t figures[RANKS_FIGURES]);
void ranks_add_figures(const ranks *, uint64_t sums[RANKS_FIGURES]);
void ranks_clear_figures(ranks *);

/* ---- what it cost --------------------------------------------------------- */

typedef struct rank_cost {
  uint64_t messages, bytes; /* sent */
  uint64_t words;
  double rested; /* seconds */
} rank_cost;

rank_cost ranks_cost(const ranks *);

#endif
