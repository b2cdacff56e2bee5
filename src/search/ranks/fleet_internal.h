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
enum { FLEET_KEPT = 50, FLEET_RESUMED };

/* Says the letter and hears those of all others; false: the run ends. */
bool fleet_meet(team *, uint32_t point);
letter_reader fleet_word(const fleet *, uint32_t rank);
/* The generation of the file that is wanted behind this level; 0: none is. */
uint64_t fleet_wants_file(const team *);

#endif
