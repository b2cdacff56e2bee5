/* Results as the cases of a test: what JUnit and TAP speak of.
**
** Of 'check' each property is a case, of 'test' each expectation; a model that
** could not be read is one case that failed.  Nothing is skipped: a case without
** an answer has not passed. */

#ifndef NUT_CLI_FORMATS_CASES_H
#define NUT_CLI_FORMATS_CASES_H

#include "base/text/text.h"
#include "base/vec.h"
#include <jansson.h>
#include <stdbool.h>

typedef enum { CASE_OK, CASE_FAILED, CASE_NO_ANSWER } case_result;

typedef struct result_case {
  const char *name, *kind; /* of the document */
  case_result result;
  text message; /* why it did not pass: lines */
} result_case;

typedef VEC(result_case) case_list;

/* The cases of one run. */
void cases_of(const json_t *run, case_list *);
void cases_free(case_list *);
/* The document's file. */
const char *case_file(const json_t *run);

#endif
