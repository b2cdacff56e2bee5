/* The product of a program and an observer (observer.h).
**
** A state of the product is a state of the program with a tail:
**
**   | hidden | state of the program | [tag] place and colour | [round] |
**
** The tail is a component of its own, so every store can hold it: with a fixed
** layout it is the last component, otherwise an entity with a tag that no type
** of the model has.  The colour is one bit that belongs to a search, which may
** store a state once in each.  The round counts, for weak fairness, the
** processes that have had their turn since an accepting state was met (after
** Choueka; see docs/internals/liveness.md).
**
** In a state where nothing can happen there is one step, which stays there; not
** so for non-progress cycles. */

#ifndef NUT_SEARCH_LIVENESS_PRODUCT_H
#define NUT_SEARCH_LIVENESS_PRODUCT_H

#include "base/numbering.h"
#include "program/movers.h"
#include "reduce/reduce.h"
#include "search/observer/observer.h"

/* Instead of the number of a successor: the program stays where it is. */
#define PRODUCT_STAYS UINT32_MAX

typedef struct product_edge {
  uint32_t successor; /* of the program, or PRODUCT_STAYS */
  uint32_t at;        /* its place in the batch, which the reduction sorts */
  uint32_t place;
  uint32_t movers; /* under fairness, who moves: see product_movers */
  uint32_t round;
  uint64_t marks;
} product_edge;

typedef struct product {
  program *program;
  worker *worker;
  observer *observer;
  reduction *reduction; /* or NULL: all steps are taken */
  bool rounds;          /* weak fairness by rounds */
  bool is_fair;         /* who moves is told */
  uint32_t hidden, tail;
  component_map map; /* of what is stored: without the hidden bytes */
  uint32_t *offsets, *sizes;
  batch batch;

  /* Who moves: sets of processes by number, and for each process the number of
  ** the set that has it alone, or 0 when nobody has asked. */
  movers movers;
  numbering mover_sets;
  uint32_t alone[64 * PROCESS_WORDS];

  /* The answer of 'product_expand'. */
  VEC(product_edge) edges;
  size_t steps;        /* of the program; each is an edge for every move */
  process_set enabled; /* processes that can move here */
  bool sure;           /* the observer has seen enough in this state */
  bool fault;          /* a condition of the observer has no value here */
} product;

/* Under fairness who moves is told, and with 'rounds' so is the round. */
void product_create(product *, program *, worker *, observer *, nut_fair,
                    bool rounds);
void product_free(product *);

/* Writes the tail behind a state of the program that ends at 'at'. */
void product_put_tail(const product *, uint8_t *at, uint32_t place,
                      uint32_t round, uint32_t colour);
void product_set_colour(const product *, uint8_t *state, uint32_t length,
                        uint32_t colour);
uint32_t product_place(const product *, const uint8_t *state, uint32_t length);
uint32_t product_round(const product *, const uint8_t *state, uint32_t length);

/* Who moves in a step, by the number that an edge has for it; nobody for 0.
** Numbers stay the same as long as the product lives. */
process_set product_movers(const product *, uint32_t number);
/* fairness.c: the round after a step of these.  In round 0 an accepting state
** is waited for; in round i process i - 1 must have its turn: it moves, or it
** cannot. */
uint32_t product_next_round(const product *, uint32_t round, bool accepting,
                            const process_set *who);

/* All steps from a state of the product. */
void product_expand(product *, const uint8_t *state, uint32_t length);
/* Where an edge of the last expansion leads to, as a state of the program. */
const uint8_t *product_target(const product *, const product_edge *,
                              const uint8_t *state, uint32_t length,
                              uint32_t *target_length);
/* Writes the whole state of the product behind an edge of the last expansion to
** 'at', where there is room for it: '*made' bytes.  Which components may have
** changed, of which the last is number 'tail' in 'state'. */
uint64_t product_compose(const product *, const product_edge *,
                         const uint8_t *state, uint32_t length, uint32_t tail,
                         uint8_t *at, uint32_t *made);
/* Bytes that it needs for that. */
uint32_t product_length(const product *, const product_edge *, uint32_t length);
/* Whether the state is accepting; needs an observer with one mark. */
bool product_accepts(product *, const uint8_t *state, uint32_t length);

#endif
