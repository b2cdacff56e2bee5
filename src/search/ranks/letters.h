/* What a rank says to the others at the end of a level, in bytes: numbers and
** findings.  All ranks are the same program on the same kind of machine. */

#ifndef NUT_SEARCH_RANKS_LETTERS_H
#define NUT_SEARCH_RANKS_LETTERS_H

#include "base/ranks/ranks.h"
#include "search/levels/levels_internal.h"

void letter_put(rank_bytes *, const void *bytes, size_t length);
void letter_put_number(rank_bytes *, uint64_t);
void letter_put_bytes(rank_bytes *, const uint8_t *bytes, size_t length);
void letter_put_finding(rank_bytes *, const finding *);
/* What all walkers found in this level. */
void letter_put_findings(rank_bytes *, const team *);

typedef struct letter_reader {
  const uint8_t *at, *end;
  bool is_short; /* there was less in it than was read */
} letter_reader;

void letter_get(letter_reader *, void *bytes, size_t length);
uint64_t letter_get_number(letter_reader *);
void letter_get_bytes(letter_reader *, canonical_bytes *);
/* Into an empty one; of this kind, which is that of its answer. */
void letter_get_finding(letter_reader *, const team *, size_t kind, finding *);
/* Adds what another rank found to what the first walker has. */
void letter_get_findings(letter_reader *, team *);

#endif
