/* A model as a text that is complete and can be read by another program: what
** a certificate speaks of.  docs/model.md, "Models as text", has the grammar;
** certify/ reads it. */

#ifndef NUT_CERTIFICATE_MODEL_TEXT_H
#define NUT_CERTIFICATE_MODEL_TEXT_H

#include "base/text/text.h"
#include "model/ltl.h"
#include "model/model.h"

typedef struct model_text_options {
  const type *types;   /* that the globals have instead of their own, or NULL */
  bool check_overflow; /* a value that does not fit its type is a fault */
  bool is_changing;    /* processes or channels can come and go */
} model_text_options;

/* Writes the checked model.  Answers NULL, or why it cannot be written. */
const char *model_text(const model *, const model_text_options *, text *out);
/* An expression of it, as the text of a model has them. */
void model_text_expr(const expr *, text *out);
/* A formula over runs, likewise; and whether it is small enough to be written. */
void model_text_formula(const ltl *, text *out);
bool model_text_has_formula(const property *);
/* Whether the text of a model reads one of its hidden variables, and does not
** only assign to it. */
bool model_text_reads_hidden(const model *, const text *);
/* Numbers that a variable has in a state; and all hidden variables together, at
** the end of the canonical bytes, which a certificate leaves out. */
uint32_t model_text_numbers(const var *);
uint32_t model_text_hidden(const model *);
/* A name between quotes; what cannot be printed is left out. */
void model_text_name(const char *, text *out);

#endif
