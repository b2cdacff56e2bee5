/* From a Promela file to a resolved syntax tree (see ast.h). */

#ifndef NUT_LANG_PROMELA_PARSE_PARSE_H
#define NUT_LANG_PROMELA_PARSE_PARSE_H

#include "base/arena.h"
#include "base/source/intern.h"
#include "base/source/source.h"
#include "lang/promela/ast.h"

typedef struct promela_options {
  const char *const *cpp_args; /* for the preprocessor: "-DN=3", "-Idir" */
  uint32_t cpp_arg_count;
  bool system_cpp; /* it is the system's, not ours */
  bool allow_c;    /* embedded C may be used: it will run on this machine */
} promela_options;

/* Reads a source that is already in 'sources'.  What is wrong with it is in
** the diagnostics; the module is to be used only when they have no errors.
** NULL when not even that makes sense.  'options' may be NULL. */
promela_module *promela_parse(arena *, names *, sources *, diags *,
                              uint32_t file, const promela_options *options);

/* Parses a formula given apart from the model (on the command line) and
** resolves it as an 'ltl' block of the module.  NULL on errors. */
pml_ltl *promela_parse_ltl(arena *, names *, sources *, diags *, uint32_t file,
                           promela_module *, const char *name);

#endif
