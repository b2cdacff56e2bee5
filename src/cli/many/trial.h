/* A model put to the test: all it expects, compared with what it does. */

#ifndef NUT_CLI_MANY_TRIAL_H
#define NUT_CLI_MANY_TRIAL_H

#include "cli/options.h"
#include <jansson.h>

/* How an expectation came out, the worst last: word. */
/* clang-format off */
#define TRIAL_RESULTS(RESULT)                                                  \
  RESULT(OK,      "ok",      STATUS_HOLDS)                                     \
  RESULT(UNKNOWN, "unknown", STATUS_UNKNOWN)                                   \
  RESULT(FAILED,  "failed",  STATUS_VIOLATED)                                  \
  RESULT(ERROR,   "error",   STATUS_BAD)
/* clang-format on */

typedef enum {
#define RESULT(name, word, status) TRIAL_##name,
  TRIAL_RESULTS(RESULT)
#undef RESULT
} trial_result;

const char *trial_word(trial_result);
int trial_status(trial_result);
/* TRIAL_ERROR for a word that is none. */
trial_result trial_of_word(const char *);

/* The document of the model of the options (see docs/schema.json, 'tested'); its
** array of expectations is empty when it has none. */
json_t *trial_run(const options *);
/* The same for a trial that came to no end. */
json_t *trial_lost(const options *, const char *why);

#endif
