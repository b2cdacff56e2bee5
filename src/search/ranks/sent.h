/* States that were sent to their owners, some of them: several steps lead to most
** states, and to send one again is of no use.  A table with a row for each hash
** holds the states themselves, so that none is taken for another; a later one
** takes the row of an earlier one. */

#ifndef NUT_SEARCH_RANKS_SENT_H
#define NUT_SEARCH_RANKS_SENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SENT_BYTES = 8 << 20, SENT_BYTES_LEAST = 1 << 20 };

typedef struct sent {
  uint8_t *rows; /* each: the length + 1, two bytes, and the state */
  uint32_t row;  /* bytes */
  uint32_t mask; /* a power of two less one: rows */
  uint64_t asked, found;
  size_t most; /* bytes; 0: as many as are of use */
} sent;

/* It will be asked for a state with this hash soon. */
static inline void sent_foresee(const sent *s, uint64_t hash)
{
  if (s->rows)
    __builtin_prefetch(s->rows + (size_t)((uint32_t)hash & s->mask) * s->row,
                       1);
}
/* Whether it was sent; if not so, or if that is not known, it counts as sent from
** now on. */
bool sent_before(sent *, uint64_t hash, const uint8_t *state, uint32_t length);
/* Nothing was sent, in a search that begins anew. */
void sent_forget(sent *);
void sent_free(sent *);

#endif
