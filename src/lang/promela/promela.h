/* Promela, as SPIN 6.5.2 understands it: from a file to a model. */

#ifndef NUT_LANG_PROMELA_PROMELA_H
#define NUT_LANG_PROMELA_PROMELA_H

#include "base/arena.h"
#include "base/source/intern.h"
#include "base/source/source.h"
#include "model/model.h"

typedef struct promela_options promela_options;
struct pml_expr; /* of the tree, see ast.h */

/* Options in the arena: arguments for the preprocessor ("-DN=3"), which must
** live as long as the options. */
promela_options *promela_options_new(arena *, const char *const *cpp_args,
                                     uint32_t count);
/* The system's preprocessor is run instead of our own. */
void promela_use_cpp(promela_options *);
/* Embedded C is accepted; whoever runs the model runs it. */
void promela_allow_c(promela_options *);

/* Reads, resolves and lowers the model in source 'file', and checks it.
** NULL when there are errors; they are in 'diags'.  What is returned lives in
** the arena, is to be given to 'model_destroy', and needs 'names' and
** 'sources' as long as it lives.  'options' may be NULL. */
model *promela_read(arena *, names *, sources *, diags *, uint32_t file,
                    const promela_options *options);

/* Reads a condition over a loaded model from the source 'file' (text of the
** command line): globals, P[i]:x, P[i]@label, channels, np_, ...  The same
** expression can be used as long as the model.  NULL on errors. */
expr *promela_read_condition(model *, diags *, uint32_t file);
extern const model_language promela_facts;

/* The condition of a parsed expression, which must not have temporal operators.
** NULL on errors. */
expr *promela_lower_condition(model *, diags *, const struct pml_expr *);

#endif
