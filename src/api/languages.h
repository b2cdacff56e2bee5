/* The languages Nutshell reads, one row each: a new one is one row more. */

#ifndef NUT_API_LANGUAGES_H
#define NUT_API_LANGUAGES_H

#include "verify/loaded.h"

typedef struct language {
  const model_language *facts;
  /* Turns the source 'file' into a checked model; NULL with diagnostics. */
  model *(*read)(nut_model *, uint32_t file, const nut_load *);
} language;

/* As loading says, or by the ending of the name; Promela when both say nothing.
** NULL: loading names one that is not there. */
const language *language_of(const char *file, const nut_load *);

#endif
