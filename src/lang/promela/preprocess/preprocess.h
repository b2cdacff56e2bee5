/* The built-in preprocessor: directives and macros of C in a model of Promela,
** read as 'gcc -E -std=gnu99' reads them, which is what SPIN runs.  No program
** is started.  What it does not know it refuses with a message that names the
** option '--cpp'; it never reads a model another way in silence.
**
**   tokens.c      bytes to tokens: comments, joined lines, strings
**   macro.c       names and what they stand for; '#define'
**   builtin.c     names that have a meaning of themselves
**   expand.c      the stream of tokens with macros replaced
**   replace.c     what a macro with parameters is replaced by; '#' and '##'
**   directive.c   lines that begin with '#'
**   expression.c  the expressions of '#if'
**   include.c     finding and reading files
**   token_output.c tokens to text, and where each comes from
**
** What goes in are sources, and what comes out is a source again, a made one
** (see base/source/source.h): text with the same tokens, blanks where they are
** needed, and line breaks where gcc puts them, for these separate statements.
** So the lexer of Promela reads the same as with '--cpp', and its spans know
** the files, the macros and their uses. */

#ifndef NUT_LANG_PROMELA_PREPROCESS_PREPROCESS_H
#define NUT_LANG_PROMELA_PREPROCESS_PREPROCESS_H

#include "base/arena.h"
#include "base/source/source.h"
#include <stdbool.h>
#include <stdint.h>

/* What is defined after a model was read; formulas over the model use it. */
typedef struct pml_macros pml_macros;

typedef struct pml_preprocessing {
  uint32_t file;
  const char *const *args; /* of the user: "-DN=3", "-UN", "-Idir" */
  uint32_t arg_count;
  const char *folder;  /* where "..." is looked for, with a '/'; "": here */
  pml_macros **macros; /* those that hold, made when there are none yet */
} pml_preprocessing;

/* The made source, or 0 with diagnostics.  The macros live in the arena. */
uint32_t pml_expand(arena *, sources *, diags *, const pml_preprocessing *);

#endif
