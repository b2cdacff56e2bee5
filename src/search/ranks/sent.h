/* States that were sent to their owners, some of them: several steps lead to most
** states, and to send one again is of no use.  A table with a row for each hash
** holds the states themselves, so that none is taken for another; a later one
** takes the row of an earlier one.
**
**   row   the words of the state, and zeros; in the two highest bytes of the last
**         word, where no state comes to, its length + 1
**
** Whether it is the one that is there and writing it are one pass over the row,
** without a branch: half of what is asked for is there, in no order. */

#ifndef NUT_SEARCH_RANKS_SENT_H
#define NUT_SEARCH_RANKS_SENT_H

#include "base/system/reserve.h"
#include "search/ranks/state_words.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SENT_BYTES = 8 << 20, SENT_BYTES_LEAST = 1 << 20, SENT_HEAD = 2 };

typedef struct sent {
  reserve memory;
  uint64_t *rows; /* NULL: none yet, or no more */
  uint32_t row;   /* words */
  uint32_t mask;  /* a power of two less one: rows */
  size_t most;    /* bytes; 0: as many as are of use */
  bool is_off;    /* there is no memory for it */
} sent;

static inline uint64_t *sent_row(const sent *s, uint64_t hash)
{
  return s->rows + (size_t)((uint32_t)hash & s->mask) * s->row;
}

/* It will be asked for a state with this hash soon; if 'is_not', it will not be,
** which nobody can foresee: then a row is fetched that is near anyway. */
static inline void sent_foresee(const sent *s, uint64_t hash, bool is_not)
{
  if (s->rows)
    __builtin_prefetch(sent_row(s, hash & ((uint64_t)is_not - 1)), 1);
}

/* Has rows that are long enough for such states, if there is memory. */
bool sent_begin(sent *, uint32_t length);

/* Whether it was sent; if not so, or if that is not known, it counts as sent from
** now on. */
static inline bool sent_before(sent *s, uint64_t hash, const uint8_t *state,
                               uint32_t length)
{
  if ((!s->rows && !sent_begin(s, length)) ||
      length + SENT_HEAD > s->row * STATE_WORD)
    return false;
  uint64_t *row = sent_row(s, hash), differs = 0;
  uint32_t last = s->row - 1, words = length / STATE_WORD, i = 0;
  for (; i < words; i++) {
    uint64_t word = state_word_load(state + (size_t)i * STATE_WORD);
    differs |= row[i] ^ word;
    row[i] = word;
  }
  uint64_t word = length % STATE_WORD ? state_word_tail(state, length) : 0;
  for (; i < last; i++, word = 0) {
    differs |= row[i] ^ word;
    row[i] = word;
  }
  word |= (uint64_t)(length + 1) << (64 - 8 * SENT_HEAD);
  differs |= row[last] ^ word;
  row[last] = word;
  return !differs;
}

/* Nothing was sent, in a search that begins anew. */
void sent_forget(sent *);
void sent_free(sent *);

#endif
