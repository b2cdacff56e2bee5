/* Observers: what watches infinite runs of a program, one step at a time.
**
** An observer is a small automaton.  In a state of the program it moves first,
** along one of the moves that the state allows, and changes nothing; then the
** program takes a step.  In a state where nothing can happen the program stays
** for ever, and the observer goes on moving ("stuttering"), as in SPIN.
**
**   property        automaton                           a run is wrong when
**   ltl block       of the negated formula              it is accepted
**   never claim     the claim itself                    it is accepted, or the
**                                                       claim reaches its end
**   acceptance      one place                           again and again some
**                                                       process is at 'accept'
**   non-progress    wait, then only np_ is allowed      it stays there (a run
**                                                       that ends does not)
**
** Acceptance is by marks on moves: a run is accepted when it has each of the
** marks infinitely often.  An observer made for one mark has it on all moves
** that leave an accepting place (of the observer and the program together). */

#ifndef NUT_SEARCH_OBSERVER_OBSERVER_H
#define NUT_SEARCH_OBSERVER_OBSERVER_H

#include "logic/buchi/buchi.h"
#include "program/program.h"
#include "search/search.h"

/* Places have 15 bits in a stored state; see product.h. */
enum { OBSERVER_PLACES_MAX = 32767 };

typedef struct observer_move {
  uint32_t target;
  uint64_t marks;
} observer_move;

typedef VEC(const expr *) condition_list;

typedef struct observer {
  property_kind kind;
  worker *worker;
  uint32_t initial, places;
  uint32_t marks;  /* how many there are; without any all runs are accepted */
  uint32_t failed; /* the place after a failed assertion of a claim */
  const process_type *claim;

  ltl_context *context;
  const ltl *formula; /* as given; what is watched for is its negation */
  buchi *automaton;
  condition_list conditions; /* of the formula, by atom */
  uint64_t *letter;
  uint32_t letter_words;

  VEC(observer_move) moves; /* the answer of 'observer_look' */
  VEC(uint32_t) pending;    /* places of a claim inside an atomic sequence */
  bool fault;               /* a condition could not be evaluated */
  bool is_shared;           /* the automaton belongs to another one */
} observer;

/* Makes the observer of a property about infinite runs.  With 'generalised' it
** may have several marks.  The answer is REASON_NONE, or why there is none;
** 'observer_free' must be called in any case. */
reason observer_create(observer *, worker *, const property *,
                       bool generalised);
void observer_free(observer *);
/* Another one for the same property, for another thread and its worker; the
** first one must be freed last.  And evaluates all that it will ever look at,
** in some state: workers learn expressions, which is nothing to do in several
** threads. */
void observer_share(observer *, const observer *other, worker *);
void observer_teach(observer *, const uint8_t *state, uint32_t length);

/* Fills 'moves' with what can be done from 'place' in this state (with its
** hidden bytes).  False: a condition could not be evaluated. */
bool observer_look(observer *, uint32_t place, const uint8_t *state,
                   uint32_t length);
/* Whether place and state together are accepting; for observers that were not
** made with 'generalised'. */
bool observer_accepts(observer *, uint32_t place, const uint8_t *state,
                      uint32_t length);
/* Whether the property is violated, however the run goes on. */
bool observer_is_sure(const observer *, uint32_t place);

/* The truth of all conditions in this state, in 'letter'; false as above. */
bool observer_read_letter(observer *, const uint8_t *state, uint32_t length);

#endif
