/* The coder of the store 'pack+table': of each number the bits that are seen to
** vary, one after the other, and nothing else.
**
** The radices of codec/radix.h, rounded up to powers of two.  Then the
** lower factor of a digit is a shift, and the digits of eight bytes of a state
** are taken to their places, and back, by one instruction (pext, pdep), instead
** of a multiplication each.  The incremental update of Geldenhuys and de
** Villiers stays: a code changes by the differences of its numbers, here with
** exclusive or for minus and plus, so a successor costs what has changed.
**
** A state is cut into windows of up to eight bytes, none of which cuts a
** number.  The code of a state is that of its difference from the base state of
** its shape, the first that was seen; the base has the code 0, and a number
** that never changes has no bits.
**
**    state    . . . 3 . . . . | 0 . . 2 . . . 7 | ...      windows
**    base     . . . 1 . . . . | 0 . . 2 . . . 5 |
**    differ         2         |               2            xor
**    mask           3         | 1             7            bits that vary
**    code           1 0         0           0 1 0          gathered
**
** A state that differs from the base in other bits has no code: 'bits_widen'
** gives such numbers more bits, by which all codes become others.  Whoever
** keeps codes decodes them by the old plans and encodes them by the new ones.
** Bits are only ever added, so codes get no shorter. */

#ifndef NUT_CODEC_BITS_H
#define NUT_CODEC_BITS_H

#include "codec/codec.h"
#include "codec/radix.h"

/* Up to eight bytes of a state.  Numbers that can be negative are first made
** greater by one, each for itself: 'carry' has the bits of each number but the
** highest, 'bias' the ones to add. */
typedef struct bits_window {
  uint64_t mask;  /* the bits that are kept */
  uint64_t valid; /* the bits that belong to the window */
  uint64_t carry, bias;
  uint64_t base;      /* what the base state has here, and behind */
  uint64_t digits;    /* the same with the ones added */
  uint32_t at, bytes; /* in the state */
  uint32_t word;      /* of the code, where its bits begin */
  uint32_t shift;
} bits_window;

typedef struct bits_plan {
  uint32_t number;     /* from 1; that of its shape */
  uint32_t state_room; /* bytes of 'base' */
  uint32_t length;     /* of states */
  uint32_t bytes;      /* of codes, without the number */
  uint32_t words;      /* the same in words of 64 bits, rounded up */
  uint32_t window_room, window_count, component_count;
  bits_window *windows;
  uint32_t *live; /* the windows with bits_coder */
  uint32_t live_count;
  uint32_t *firsts; /* of each component: its first window, and the end */
  uint32_t *ends;
  uint8_t *base;
} bits_plan;

/* A state and its code; plan is NULL when there is none. */
typedef struct bits_hand {
  const bits_plan *plan;
  uint8_t *state;
  uint64_t *words;
} bits_hand;

typedef struct bits_coder {
  radix_codec shapes; /* of which only the shapes and their numbers are used */
  /* What is known about each number: in a fixed layout of each for itself, with
  ** moving entities of each of their kinds. */
  uint32_t slots;
  uint32_t *base, *mask; /* as digits, see radix_number */
  bool *known;           /* base is set */
  bits_plan **plans;     /* by number - 1; NULL: not made yet */
  uint32_t plan_room;
  size_t bytes; /* of the plans */
  bool has_gather;
} bits_coder;

bool bits_set_up(bits_coder *, const codec_settings *); /* false: no memory */
void bits_give_up(bits_coder *); /* an all-zero one is fine */
size_t bits_bytes(const bits_coder *);

/* Makes room for the bits of this state.  Plans that are there stay as they
** are.  False: there is no memory. */
typedef enum {
  BITS_NEEDED, /* for no others */
  BITS_MORE,   /* and for twice as many in numbers that were too narrow */
  BITS_ALL     /* and for all that the numbers of this state can have */
} bits_extent;
bool bits_widen(bits_coder *, const uint8_t *state, uint32_t length,
                bits_extent);
/* Forgets all plans, so that those asked for from now on have the bits of
** 'bits_widen'; '*old' gets them, for decoding, until 'bits_drop'. */
typedef struct bits_past {
  bits_plan **plans;
  uint32_t room;
} bits_past;
bits_past bits_renew(bits_coder *);
void bits_drop(bits_coder *, bits_past *);
/* The opposite of 'bits_renew': the old plans are the plans again. */
void bits_return(bits_coder *, bits_past *);

/* The plan of a state.  False: no memory.  '*plan' is NULL when the state has
** to be kept as it is (see radix_find_shape). */
bool bits_find_plan(bits_coder *, const uint8_t *state, uint32_t length,
                    const bits_plan **plan);

/* A plan with all bits that are known by now, for states of the shape that this
** one has; whoever asks owns it, and may give it another number.  NULL: there
** is no memory. */
bits_plan *bits_make_plan(bits_coder *, const uint8_t *state, uint32_t length);
void bits_free_plan(bits_coder *, bits_plan *); /* NULL is fine */
/* The bits of a code by this plan that an older one of the same shape has no
** place for: when all are 0 the state has a code by the older one, too. */
void bits_beyond(const bits_plan *, const bits_plan *older, uint64_t *words);

/* Encodes a state by what differs from the one at hand, which must have the
** length of the plan; 'changed' as in codec_state.  False: it does not fit, or
** has another shape.  There is room for two words more than the code has.
*Behind
** both states eight bytes can be read. */
bool bits_encode_changed(const bits_coder *, const bits_hand *,
                         const uint8_t *state, uint64_t changed,
                         uint64_t *words);
/* The same for a state of which nothing is known. */
bool bits_encode(const bits_coder *, const bits_plan *, const uint8_t *state,
                 uint64_t *words);
/* Writes the state; room for eight bytes more than its length. */
void bits_decode(const bits_coder *, const bits_plan *, const uint64_t *words,
                 uint8_t *state);

/* The same where a state of this plan was decoded before. */
void bits_decode_over(const bits_coder *, const bits_plan *,
                      const uint64_t *words, uint8_t *state);

/* Adds one to each number that wants it, without a carry between numbers. */
static inline uint64_t bits_raise(const bits_window *w, uint64_t x)
{
  return ((x & w->carry) + w->bias) ^ (x & ~w->carry);
}

bool bits_check(const bits_coder *); /* do the invariants hold */

#endif
