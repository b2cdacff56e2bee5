/* What fleet.c and desk.c share. */

#ifndef NUT_SEARCH_RANKS_FLEET_INTERNAL_H
#define NUT_SEARCH_RANKS_FLEET_INTERNAL_H

#include "search/levels/levels_internal.h"
#include "search/ranks/fleet.h"
#include "search/ranks/letters.h"

/* Has a desk for each walker of the team. */
void desks_fill(fleet *, team *);
void desks_free(fleet *);
/* A level begins. */
void desks_clear(fleet *);
/* Nobody else works: what desks have for other ranks is written into streams. */
void desks_send_all(fleet *);
/* Answers what others asked. */
void desks_send_answers(fleet *);
/* Doubts of this rank. */
uint64_t desks_doubts(const fleet *);
/* What was sent is forgotten: a search begins anew. */
void desks_forget_sent(fleet *);
/* The word in which a part ends; it may be said before the job is over. */
void fleet_say_part(fleet *, const team *);
/* Another rank wants the run to end. */
void fleet_obey(team *);

/* Points that are not fleet.c's. */
enum { FLEET_KEPT = 50, FLEET_RESUMED, FLEET_ROUND };

/* Says the letter and hears those of all others; false: the run ends. */
bool fleet_meet(team *, uint32_t point);
letter_reader fleet_word(const fleet *, uint32_t rank);
/* What reductions have learned, and heard from another rank: at the level's end, or
** before. */
void fleet_put_news(rank_bytes *, const team *);
void fleet_get_news(letter_reader *, team *, bool is_own, bool is_early);

/* ---- rounds.c -------------------------------------------------------------- */

/* A part begins that may be left between two cohorts, and is over. */
void round_begin(team *);
void round_end_part(team *);
/* Another rank has told this one to halt. */
void round_halt(team *);
/* Whether a reason to end the run can wait for the end of the round. */
bool round_can_wait(const team *, reason);
void round_end_run(team *, reason);
/* All meet: writes a file, if one is wanted.  Whether there is another round. */
bool round_end(team *);

/* ---- fleet_kept.c ---------------------------------------------------------- */

struct checkpoint *fleet_keeper(const team *);
/* All write a file, of this generation; what was found in this level is the first
** rank's from then on. */
void fleet_keep(team *, uint64_t generation, bool last);

#endif
