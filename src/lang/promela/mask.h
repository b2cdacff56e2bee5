/* Other names for what is named only in files that must not be shown.
**
** A model may include a file that lies outside its folders (see
** base/source/source.h), and make names of what stands there: names of
** variables, processes, messages would tell it in a trace.  So, when there is
** such a file, each name that is written in no file that may be shown becomes
** 'hidden_N', everywhere: the model means the same.  A prefix that means
** something in a label ('end', 'accept', 'progress') stays.  Of a string only
** its conversions ('%d') stay. */

#ifndef NUT_LANG_PROMELA_MASK_H
#define NUT_LANG_PROMELA_MASK_H

#include "lang/promela/lex.h"

typedef struct pml_alias {
  const char *name, *alias; /* interned */
} pml_alias;

/* Sorted by name. */
typedef struct pml_aliases {
  uint32_t count;
  const pml_alias *list;
} pml_aliases;

/* Renames in the tokens of a model; the result says what was renamed. */
pml_aliases pml_mask(arena *, names *, const sources *, pml_tokens *);
/* The same names in the tokens of a formula. */
void pml_mask_formula(const pml_aliases *, pml_tokens *);

#endif
