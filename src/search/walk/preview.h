/* A few states of a program, to know what to expect: codecs learn the ranges of
** numbers from them, and orders what varies.
**
** Half of them come from the beginning of a breadth-first search, half from
** random walks, always the same ones. */

#ifndef NUT_SEARCH_WALK_PREVIEW_H
#define NUT_SEARCH_WALK_PREVIEW_H

#include "base/random.h"
#include "base/vec.h"
#include "codec/codec.h"
#include "program/program.h"

typedef struct preview {
  worker *worker;
  batch batch;
  VEC(uint8_t) bytes;      /* states one after the other, hidden bytes too */
  VEC(size_t) starts;      /* of each state, and the end of the last */
  VEC(codec_state) states; /* their identities, valid when all is taken */
  VEC(uint8_t) state;      /* the one that a walk has reached */
  random_state random;
} preview;

/* Takes a sample of at most 'count' states into one that is all zero.  It ends
** early when 'impatient' says so. */
void preview_take(preview *, program *, size_t count, bool (*impatient)(void *),
                  void *context);
void preview_free(preview *); /* also when memory ran out in the middle */

#endif
