/* Vacuous answers (verify/vacuity/vacuity.h) in words. */

#ifndef NUT_REPORT_WHY_VACUOUS_H
#define NUT_REPORT_WHY_VACUOUS_H

#include "report/plain.h"
#include <jansson.h>

/* How many remarks an answer has, and one of them in a line. */
size_t vacuous_count(const answer *);
void vacuous_add(const answer *, size_t index, text *out);
/* Lists of objects; NULL: there is nothing to say. */
json_t *vacuous_array(const answer *);
json_t *atomic_blocks_array(const outcome *);
/* Lines about atomic sequences that can block. */
void atomic_blocks_print(const outcome *, plain_style, text *out);

#endif
