/* Results and traces as JSON.  docs/manual.md describes both shapes; fields
** may be added, never renamed. */

#ifndef NUT_REPORT_JSON_H
#define NUT_REPORT_JSON_H

#include "report/account.h"
#include <jansson.h>

/* The result of 'check' and 'count'.  False: no memory. */
bool json_account(const account *, text *out);

/* A trace.  'properties' are the names of what it violates. */
bool json_story(story *, const char *const *properties, size_t count,
                text *out);

/* How often statements were executed (cover/coverage.h), as a text of its own. */
bool json_coverage(const outcome *, text *out);

/* One step of a complete story as it stands in a trace; NULL: no memory. */
json_t *json_step(const story *, size_t index);

/* Writes an object, which is given up; false: no memory. */
bool json_finish(json_t *, text *out);

/* A string; bytes that are not UTF-8 become question marks. */
json_t *json_text(const char *);

#endif
