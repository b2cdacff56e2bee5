/* Explanations (verify/explain/explain.h) in the words and numbers of a story. */

#ifndef NUT_REPORT_WHY_EXPLAINED_H
#define NUT_REPORT_WHY_EXPLAINED_H

#include "report/account.h"
#include <jansson.h>

typedef struct told_explanation {
  bool explained;
  size_t folded;          /* of the steps that are numbered */
  const char *not_folded; /* or NULL */
  /* Numbers of steps: the last from which the error can be avoided, or -1, and
  ** the next at which that can be told. */
  long until, after;
  const char *not_known; /* or NULL */
} told_explanation;

told_explanation explanation_tell(const told_answer *);
/* Lines for people, below the run; nothing when nobody asked. */
void explanation_print(const told_answer *, text *out);
/* NULL: nobody asked. */
json_t *explanation_object(const told_answer *);

#endif
