/* Orders: in which order the elements of a tuple come in sets that share equal
** beginnings or ends of tuples.  An order is a permutation of the elements that
** a codec gives for the states of a fixed layout, or for the first state of a
** sample; elements beyond them keep their places. */

#ifndef NUT_STORE_DIAGRAM_ELEMENT_ORDER_H
#define NUT_STORE_DIAGRAM_ELEMENT_ORDER_H

#include "codec/codec.h"

/* name, text on the command line, what it does */
/* clang-format off */
#define ORDERS(ORDER)                                                          \
  ORDER(DECLARATION, "declaration", "as the model declares them")              \
  ORDER(DEPENDENCY,  "dependency",  "what edges use together comes together")  \
  ORDER(VARYING,     "varying",     "what varies least comes first")           \
  ORDER(LEARNED,     "learned",     "by the least new beginnings in a sample") \
  ORDER(INTERLEAVED, "interleaved", "what belongs together is torn apart")
/* clang-format on */

typedef enum {
#define ORDER(name, text, meaning) ELEMENTS_##name,
  ORDERS(ORDER)
#undef ORDER
} element_order;

typedef struct order_settings {
  element_order order;
  const codec_state *sample;
  size_t sample_count;
  const byte_footprints
      *footprints; /* for ELEMENTS_DEPENDENCY; NULL: not known */
} order_settings;

/* The order of the elements: element order[i] comes at place i.  '*count' is 0,
** and the answer NULL, when they stay as they are.  False: no memory. */
bool order_create(const order_settings *, const codec_class *, codec *,
                  uint32_t **order, uint32_t *count);

#endif
