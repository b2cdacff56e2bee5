/* How often a search executed each statement of the model, and the source
** annotated with it:
**
**   listing              45 |   :: !busy ->
**                     never |      full = true
**   lcov                 DA:7,45, for programs that show coverage
**   JSON                 an object for each statement
**
** Counted are the steps that the walk over the states made: in a reduced search
** those that were needed.  Observers do not count. */

#ifndef NUT_REPORT_COVER_COVERAGE_H
#define NUT_REPORT_COVER_COVERAGE_H

#include "verify/outcome.h"
#include <jansson.h>

typedef struct covered {
  const edge *edge; /* the first of its edges */
  span where;       /* where it was written by the user, */
  position at;      /* and that for people; the line is 0 when not known */
  const char *words;
  uint64_t count;
  uint32_t choice; /* from 1: the selection it is an option of; 0: none */
} covered;

typedef struct coverage {
  VEC(covered) list; /* by process type, and then by place */
  size_t executed;   /* how many of them were, at least once */
} coverage;

/* Whether there is something to tell: the search has counted. */
bool coverage_is_known(const outcome *);
/* The statements; those that could not be executed if nothing ever blocked are
** left out. */
void coverage_collect(const outcome *, coverage *);
void coverage_free(coverage *);
/* Why a statement that was never executed could be all the same; NULL: it could
** not. */
const char *coverage_incomplete(const outcome *);

/* The source with counts, for people. */
void coverage_print(const outcome *, text *out);
void coverage_lcov(const outcome *, text *out);
json_t *coverage_object(const outcome *);

#endif
