/* What the stores of 'pack+table' have in common: states at hand, and the way
** of a state to its code and back (codec/bits.h).
**
** Numbers get the bits that are seen to vary.  A preview of the model tells
** most of them at the start; when a state comes that needs others, the store
** makes all its codes again.  That costs nothing while there are few, and
** becomes rare: when it has happened for many codes, the numbers that were too
** narrow get more bits than asked for. */

#ifndef NUT_STORE_TABLE_BITS_CODES_H
#define NUT_STORE_TABLE_BITS_CODES_H

#include "codec/bits.h"
#include "store/store.h"

typedef struct bits_codes {
  bits_coder coder;
  bits_hand hands[STORE_HANDS];
  uint64_t recoded;   /* codes that were rewritten, all together */
  uint32_t longest;   /* bytes of the longest state */
  uint32_t room;      /* bytes for each state */
  uint32_t word_room; /* words for each code */
  uint8_t *states;    /* of all hands, and of one more state */
  uint64_t *words;    /* likewise */
} bits_codes;

/* Also takes the sample that the settings have.  False: no memory. */
bool bits_codes_set_up(bits_codes *, const store_settings *);
void bits_codes_give_up(bits_codes *); /* an all-zero one is fine */
size_t bits_codes_bytes(const bits_codes *);

/* Room for a state, and for its words, on the way. */
static inline uint8_t *bits_codes_spare_state(const bits_codes *p)
{
  return p->states + STORE_HANDS * (size_t)p->room;
}

static inline uint64_t *bits_codes_spare_words(const bits_codes *p)
{
  return p->words + STORE_HANDS * (size_t)p->word_room;
}

/* Makes room for these states.  When 'room' becomes larger by that nothing is
** at hand any more.  False: no memory. */
bool bits_codes_expect(bits_codes *, const store_offer *, uint32_t count);

typedef enum {
  BITS_DONE,
  BITS_VERBATIM, /* the state has to be kept as it is */
  BITS_UNFIT,    /* it needs more bits: 'bits_codes_widen' */
  BITS_FULL      /* no memory */
} bits_result;

/* Encodes a state of which nothing is known; there must be room for it, and for
** two words more than the plan has.  '*plan' is set when it is BITS_DONE. */
bits_result bits_codes_encode(bits_codes *, const uint8_t *state,
                              uint32_t length, const bits_plan **plan,
                              uint64_t *words);

/* The same for a state of which the changes are known. */
static inline bits_result bits_codes_encode_offer(bits_codes *p,
                                                  const store_offer *o,
                                                  const bits_plan **plan,
                                                  uint64_t *words)
{
  const bits_hand *h = &p->hands[o->hand];
  if (h->plan && o->length == h->plan->length &&
      bits_encode_changed(&p->coder, h, o->state, o->changed, words)) {
    *plan = h->plan;
    return BITS_DONE;
  }
  return bits_codes_encode(p, o->state, o->length, plan, words);
}

/* Loads the state with this code; its bytes. */
static inline const uint8_t *bits_codes_take(bits_codes *p, uint32_t hand,
                                             const bits_plan *plan)
{
  bits_hand *h = &p->hands[hand];
  if (plan && plan == h->plan)
    bits_decode_over(&p->coder, plan, h->words, h->state);
  else if (plan)
    bits_decode(&p->coder, plan, h->words, h->state);
  h->plan = plan;
  return h->state;
}

/* Begins to give 'count' codes bits with which this state has one, too: plans
** are new ones from now on, and '*past' has the old ones.  False: no memory,
** and all is as it was. */
bool bits_codes_widen(bits_codes *, const store_offer *, uint64_t count,
                      bits_past *past);
/* The codes were rewritten: what is at hand gets new ones, too. */
void bits_codes_renewed(bits_codes *, uint64_t count);

#endif
