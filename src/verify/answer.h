/* The answer to a question, as an engine gives it.  Reports render answers; they
** find nothing out. */

#ifndef NUT_VERIFY_ANSWER_H
#define NUT_VERIFY_ANSWER_H

#include "base/verdict.h"
#include "reduce/reduce.h"
#include "verify/question.h"

struct trace;

typedef struct answer {
  const question *question;
  verdict verdict;
  reason reason;       /* REASON_NONE unless 'verdict' is unknown */
  uint64_t errors;     /* violations (PROPERTY_REACH: witnesses) found */
  struct trace *trace; /* of the first, or NULL */
  /* Of infinite runs: how the search for it was reduced, and, when it was asked
  ** for in vain, why not. */
  reduce_kind por;
  const char *por_off;
} answer;

#endif
