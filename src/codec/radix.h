/* The codec 'radix', called 'pack' where it is chosen: the numbers of a state
** as digits of a mixed radix (Geldenhuys, de Villiers, "Runtime efficient state
** compaction in SPIN", SPIN 1999).  A number with n values is a digit of radix
** n; digits are put together into cells:
**
**   V = d1 + r1 * (d2 + r2 * d3)     d2 has the lower factor r1 and the upper
**                                    factor r1 * r2; V changes by the lower
**                                    factor times the difference of a digit
**
** so a successor is encoded from the state at hand by its differences alone.
**
** Where we differ.  The paper asks the user for ranges.  We take those that
** types, locations and channels tell, narrowed to what a sample of states
** showed, and are prepared for being wrong: a state that does not fit the plan
** of its shape gets one with larger ranges, and the smaller one stays in use
** for all states that fit it.  So a state has the same code at any time, and
** nothing is ever rewritten.  Cells have 64 bits, and of each only the bytes
** that can be other than 0 are stored.
**
** A shape is the list of a state's entities: it says where which number is.
** In a fixed layout there is one; otherwise the code begins with the number of
** its plan.  In a fixed layout a plan is known by the length of its codes: no
** two have the same. */

#ifndef NUT_CODEC_RADIX_H
#define NUT_CODEC_RADIX_H

#include "base/fields.h"
#include "base/index.h"
#include "codec/codec.h"

enum {
  RADIX_PLANS = 16,     /* of one shape, the verbatim one included */
  RADIX_SHAPES = 2000,  /* states of further shapes are kept as they are */
  RADIX_DIGITS = 60000, /* likewise states with more numbers */
  RADIX_NO_DIGIT = UINT16_MAX /* this byte is part of a tag */
};

/* Where a number is, and which one it is: the n-th of its kind of entity.  Its
** value as a digit is that of its bytes plus 'bias', modulo their size, so that
** small negative numbers are small digits. */
typedef struct radix_number {
  uint32_t at;
  uint32_t slot; /* index in radix_codec.limits */
  uint8_t bytes, bias;
} radix_number;

/* A digit of a plan; 'most' is its greatest value, radix - 1. */
typedef struct radix_digit {
  uint64_t lower;   /* factor */
  uint64_t inverse; /* 2^64 / radix, rounded down */
  uint32_t cell;
  uint32_t most;
  uint32_t before; /* the greatest value in the plan before this one */
} radix_digit;

struct radix_shape;

typedef struct radix_plan {
  struct radix_shape *shape;
  radix_digit *digits; /* one for each number of the shape; NULL: verbatim */
  uint16_t *live;      /* the digits that have more than one value */
  uint32_t live_count;
  uint8_t *widths; /* bytes of each cell */
  uint32_t cells;
  uint32_t number; /* how a code of it begins, unless the layout is fixed */
  uint32_t index;  /* in its shape */
  uint32_t length; /* of its codes, without the number */
} radix_plan;

typedef struct radix_shape {
  uint16_t *tags; /* of its entities */
  uint32_t tag_count;
  uint32_t length;       /* bytes of its states */
  uint32_t number;       /* from 1 */
  uint32_t digit_count;  /* numbers in its states */
  radix_number *numbers; /* in the order of their places */
  uint16_t *digit_at;    /* for each byte: the digit it belongs to */
  uint8_t *model;        /* a state of the shape in which all digits are 0 */
  radix_plan *plans[RADIX_PLANS];
  uint32_t plan_count;
} radix_shape;

/* A state at hand; plan is NULL when there is none. */
typedef struct radix_hand {
  const radix_plan *plan;
  uint8_t *state;
  uint64_t *cells;
  uint32_t over; /* digits too large for the plan before, see radix.c */
} radix_hand;

typedef struct radix_codec {
  const component_map *map;
  const field_map *fields; /* NULL: every byte is a number */
  /* What is known about each number, by kind of entity: globals first, then
  ** each tag.  Numbers of a kind begin at starts[kind]. */
  uint32_t kinds;
  uint32_t *starts;   /* kinds + 1 */
  uint32_t *limits;   /* greatest values that the next plan shall have */
  uint32_t *declared; /* and those that the model tells */
  bool learnt;        /* limits come from a sample */
  radix_shape **shapes;
  uint32_t shape_count, shape_room;
  hash_index index;   /* of the shapes, by their tags */
  radix_plan **plans; /* by number - 1 */
  uint32_t plan_count, plan_room;
  size_t bytes; /* of shapes and plans */

  radix_hand hands[CODEC_HANDS];
  uint8_t *states; /* of all hands, 'room' bytes each */
  uint64_t *cells; /* of all hands, and of a state on its way; likewise */
  uint32_t room;
} radix_codec;

/* ---- shapes and plans (radix_plan.c) ------------------------------------ */

bool radix_set_up(
    radix_codec *); /* kinds, starts and limits; false: no memory */
void radix_give_up(radix_codec *);

/* The shape of a state.  False: no memory.  '*shape' is NULL when there are too
** many, or the state is too large: such states are kept as they are. */
bool radix_find_shape(radix_codec *, const uint8_t *state, uint32_t length,
                      radix_shape **shape);
/* The first plan of the shape that the state fits; a new one if need be.  NULL:
** no memory. */
const radix_plan *radix_find_plan(radix_codec *, radix_shape *,
                                  const uint8_t *state);
/* Makes the limits as large as this state needs them, and a bit larger. */
void radix_widen(radix_codec *, const radix_shape *, const uint8_t *state,
                 bool twice);
bool radix_check(const radix_codec *);

/* ---- inline ------------------------------------------------------------ */

static inline uint32_t radix_mask(const radix_number *n)
{
  return n->bytes == 4 ? UINT32_MAX : (1u << 8 * n->bytes) - 1;
}

static inline uint32_t radix_read(const radix_number *n, const uint8_t *state)
{
  const uint8_t *p = state + n->at;
  uint16_t two;
  uint32_t four;
  switch (n->bytes) {
  case 1:
    return (uint8_t)(*p + n->bias);
  case 2:
    __builtin_memcpy(&two, p, 2);
    return (uint16_t)(two + n->bias);
  default:
    __builtin_memcpy(&four, p, 4);
    return four + n->bias;
  }
}

static inline void radix_write(const radix_number *n, uint8_t *state,
                               uint32_t digit)
{
  uint32_t value = digit - n->bias;
  if (n->bytes == 1)
    state[n->at] = (uint8_t)value;
  else
    __builtin_memcpy(state + n->at, &value, n->bytes);
}

#endif
