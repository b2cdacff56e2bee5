/* The languages Nutshell reads, one row each: a new one is one row more. */

#ifndef NUT_API_LANGUAGES_H
#define NUT_API_LANGUAGES_H

#include "api/handle.h"

typedef struct language {
  const char *name;
  const char *suffixes; /* each with its dot, one after the other */
  /* Turns the source 'file' into a checked model; NULL with diagnostics. */
  model *(*read)(nut_model *, uint32_t file, const nut_load *);
  /* Reads a condition over a loaded model from a source; NULL likewise. */
  expr *(*condition)(model *, diags *, uint32_t file);
  /* Finding the initial state counts as a transition, as SPIN counts. */
  bool counts_start;
} language;

/* By the ending of the name; Promela when it says nothing. */
const language *language_of_file(const char *name);
/* By the name of the language, as models carry it. */
const language *language_of_model(const model *);

#endif
