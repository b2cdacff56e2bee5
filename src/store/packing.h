/* What the stores of 'pack+table' have in common: states at hand, and the way of
** a state to its code and back (codec/bitpack.h).
**
** Numbers get the bits that are seen to vary.  A preview of the model tells most
** of them at the start; when a state comes that needs others, the store makes
** all its codes anew.  That costs nothing while there are few, and becomes rare:
** when it has happened for many codes, the numbers that were too narrow get more
** bits than asked for. */

#ifndef NUT_STORE_PACKING_H
#define NUT_STORE_PACKING_H

#include "codec/bitpack.h"
#include "store/store.h"

typedef struct packing {
  bitpack coder;
  bitpack_hand hands[STORE_HANDS];
  uint64_t recoded;   /* codes that were made anew, all together */
  uint32_t longest;   /* bytes of the longest state */
  uint32_t room;      /* bytes for each state */
  uint32_t word_room; /* words for each code */
  uint8_t *states;    /* of all hands, and of one more state */
  uint64_t *words;    /* likewise */
} packing;

/* Also takes the sample that the settings have.  False: no memory. */
bool packing_set_up(packing *, const store_settings *);
void packing_give_up(packing *); /* an all-zero one is fine */
size_t packing_bytes(const packing *);

/* Room for a state, and for its words, on the way. */
static inline uint8_t *packing_spare_state(const packing *p)
{
  return p->states + STORE_HANDS * (size_t)p->room;
}

static inline uint64_t *packing_spare_words(const packing *p)
{
  return p->words + STORE_HANDS * (size_t)p->word_room;
}

/* Makes room for these states.  When 'room' becomes larger by that nothing is at
** hand any more.  False: no memory. */
bool packing_expect(packing *, const store_offer *, uint32_t count);

typedef enum {
  PACKING_DONE,
  PACKING_VERBATIM, /* the state has to be kept as it is */
  PACKING_UNFIT,    /* it needs more bits: 'packing_widen' */
  PACKING_FULL      /* no memory */
} packing_result;

/* Encodes a state of which nothing is known; there must be room for it, and for
** two words more than the plan has.  '*plan' is set when it is PACKING_DONE. */
packing_result packing_encode(packing *, const uint8_t *state, uint32_t length,
                              const bitpack_plan **plan, uint64_t *words);

/* The same for a state of which the changes are known. */
static inline packing_result packing_encode_offer(packing *p,
                                                  const store_offer *o,
                                                  const bitpack_plan **plan,
                                                  uint64_t *words)
{
  const bitpack_hand *h = &p->hands[o->hand];
  if (h->plan && o->length == h->plan->length &&
      bitpack_encode_changed(&p->coder, h, o->state, o->changed, words)) {
    *plan = h->plan;
    return PACKING_DONE;
  }
  return packing_encode(p, o->state, o->length, plan, words);
}

/* Takes the state with this code to hand; its bytes. */
static inline const uint8_t *packing_take(packing *p, uint32_t hand,
                                          const bitpack_plan *plan)
{
  bitpack_hand *h = &p->hands[hand];
  if (plan && plan == h->plan)
    bitpack_decode_over(&p->coder, plan, h->words, h->state);
  else if (plan)
    bitpack_decode(&p->coder, plan, h->words, h->state);
  h->plan = plan;
  return h->state;
}

/* Begins to give 'count' codes bits with which this state has one, too: plans
** are new ones from now on, and '*past' has the old ones.  False: no memory, and
** all is as it was. */
bool packing_widen(packing *, const store_offer *, uint64_t count,
                   bitpack_past *past);
/* The codes were made anew: what is at hand gets new ones, too. */
void packing_renewed(packing *, uint64_t count);

#endif
