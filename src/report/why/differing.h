/* What is told of two versions of a model (verify/diff/versions.h). */

#ifndef NUT_REPORT_WHY_DIFFERING_H
#define NUT_REPORT_WHY_DIFFERING_H

#include "report/plain.h"
#include "verify/diff/versions.h"

typedef struct told_diff {
  const diff *diff;
  const char *files[2];
  const char *problem; /* why nothing was compared, or NULL */
  story *run;          /* of the one that has it; or NULL */
} told_diff;

/* "start", "change", "ends", "diverges"; NULL: there is no difference. */
const char *difference_word(difference_kind);
/* "same", "different", "unknown", "error" */
const char *differing_verdict(const told_diff *);
void differing_print(const told_diff *, plain_style, text *out);
/* False: no memory. */
bool differing_json(const told_diff *, text *out);

/* For rendezvous channels that are observed. */
seen_message differing_message;

#endif
