/* The languages Nutshell reads, one row each: a new one is one row more. */

#ifndef NUT_API_LANGUAGES_H
#define NUT_API_LANGUAGES_H

#include "verify/loaded.h"

typedef struct language {
  const model_language *facts;
  const char *suffixes; /* each with its dot, one after the other */
  /* Turns the source 'file' into a checked model; NULL with diagnostics. */
  model *(*read)(nut_model *, uint32_t file, const nut_load *);
} language;

/* By the ending of the name; Promela when it says nothing. */
const language *language_of_file(const char *name);

#endif
